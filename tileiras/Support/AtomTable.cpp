//===- AtomTable.cpp - What multiplies on which target --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/AtomTable.h"

namespace tileiras {

std::string_view toString(AtomElement element) {
  static constexpr std::string_view names[] = {"f16", "bf16", "tf32", "f32",  "f64",
                                               "i8",  "i32",  "e4m3", "e5m2", "e2m1"};
  return names[int(element)];
}

std::vector<MmaAtomRow> mmaAtoms(const TargetInfo &target, const AtomOperands &operands) {
  AtomElement in = operands.element;
  std::vector<MmaAtomRow> rows;
  auto sync = [&](std::string_view name, AtomElement multiplied, int m, std::initializer_list<int> ks,
                  bool scales = false) {
    for (int k : ks)
      rows.push_back({name, multiplied, m, 8, k, scales, multiplied == in});
  };
  auto last = [&](AtomElement multiplied) {
    rows.push_back({"universal_fma", multiplied, 1, 1, 1, false, false});
    return rows;
  };
  bool blockScaled = target.blockScaledMma && target.mmaFamily == MmaFamily::MmaSync && target.familySpecific;
  bool f8 = in == AtomElement::E4M3 || in == AtomElement::E5M2;
  if (operands.scaleBlock) {
    if (blockScaled && operands.powerScales && operands.scaleBlock == 32 && (f8 || in == AtomElement::E2M1))
      sync("SM120.mma_bs", in, 16, {32}, true);
    if (blockScaled && !operands.powerScales && operands.scaleBlock == 16 && in == AtomElement::E2M1)
      sync("SM120.mma_bs", in, 16, {64}, true);
    // Two digits by four, and 2^-10 to 2688: f16 holds them, and f32 their products.
    if (in == AtomElement::E2M1 && !operands.powerScales)
      sync("sm80.mma", AtomElement::F16, 16, {16, 8});
    sync("sm80.mma", AtomElement::F64, 8, {4});
    return last(AtomElement::F64);
  }
  switch (in) {
  case AtomElement::F16:
  case AtomElement::BF16:
    sync("sm80.mma", in, 16, {16, 8});
    return last(AtomElement::F32);
  case AtomElement::TF32:
    sync("sm80.mma", in, 16, {8, 4});
    return last(AtomElement::F32);
  case AtomElement::F64:
    sync("sm80.mma", in, 8, {4});
    return last(AtomElement::F64);
  case AtomElement::I8:
    sync("sm80.mma", in, 16, {32, 16});
    return last(AtomElement::I32);
  case AtomElement::E4M3:
  case AtomElement::E5M2:
    if (blockScaled)
      sync("SM120.mma_bs", in, 16, {32}, true);
    else if (target.fp8MmaSync)
      sync("sm89.mma", in, 16, {32});
    sync("sm80.mma", AtomElement::F16, 16, {16, 8});
    return last(AtomElement::F32);
  case AtomElement::I32:
    return last(AtomElement::I32);
  case AtomElement::F32:
    rows.push_back({"universal_fma", AtomElement::F32, 1, 1, 1, false, true});
    return rows;
  case AtomElement::E2M1:
    break;
  }
  return last(AtomElement::F32);
}

bool hasTcgen05K96(const TargetInfo &target) {
  return target.hasTcgen05() && target.computeCapability == 103 && target.archSpecific;
}

MmaAtomRow chooseMmaAtom(const TargetInfo &target, const AtomOperands &operands, int64_t k) {
  std::vector<MmaAtomRow> rows = mmaAtoms(target, operands);
  for (const MmaAtomRow &row : rows)
    if (row.k <= k)
      return row;
  return rows.back();
}

} // namespace tileiras
