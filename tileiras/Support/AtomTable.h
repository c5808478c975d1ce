//===- AtomTable.h - What multiplies on which target ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The instructions whose operands and sums are in registers, as data: for each target and each type of operands the
// shapes in the order in which they are preferred, with what the operands are converted to before they are multiplied.
// Sources: PTX ISA, "Matrix multiply-accumulate operation using mma instruction", table of shapes, and "Block scaling".
// wgmma and tcgen05, which read shared memory, are chosen where their layouts are known (SelectMma.h).
//
//   operands           atom            shapes               multiplied as           targets
//   f16, bf16          sm80.mma        m16n8k16, m16n8k8    they are
//   tf32               sm80.mma        m16n8k8, m16n8k4     they are
//   f64                sm80.mma        m8n8k4               they are
//   i8                 sm80.mma        m16n8k32, m16n8k16   they are
//   e4m3, e5m2         SM120.mma_bs    m16n8k32             they are, scales of 1   sm_120: twice as fast as without
//                      sm89.mma        m16n8k32             they are                sm_89 and later
//                      sm80.mma        m16n8k16, m16n8k8    f16, which holds them
//   e4m3, e5m2 scaled  SM120.mma_bs    m16n8k32             they are                sm_120
//   e2m1 scaled by 32  SM120.mma_bs    m16n8k32             they are                sm_120
//   e2m1 by 16 (e4m3)  SM120.mma_bs    m16n8k64             they are                sm_120
//   e2m1 by e4m3       sm80.mma        m16n8k16, m16n8k8    f16, which holds elements times scales; before sm_120
//   other scaled       sm80.mma        m8n8k4               f64: elements times scales, and products, are exact
//   (tcgen05.mma, which comes before all of these: SelectMma.cpp)
//   all, and f32       universal_fma   one                  f32, i32 or f64
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_ATOMTABLE_H
#define TILEIRAS_SUPPORT_ATOMTABLE_H

#include "tileiras/Support/TargetTable.h"

#include <optional>
#include <string_view>
#include <vector>

namespace tileiras {

enum class AtomElement { F16, BF16, TF32, F32, F64, I8, I32, E4M3, E5M2, E2M1 };

/// "f16", "e4m3", ...
std::string_view toString(AtomElement element);

/// What an atom is asked to multiply.
struct AtomOperands {
  AtomElement element;
  /// Elements along K that share a scale; 0: none have one.
  int scaleBlock = 0;
  /// Scales are powers of two (f8E8M0FNU).
  bool powerScales = false;
};

/// One row of the table.
struct MmaAtomRow {
  std::string_view name; ///< of the atom in cute_nvgpu
  AtomElement multiplied;
  int m, n, k;       ///< of one instruction; 1, 1, 1 for a multiply-add
  bool scales;       ///< the instruction multiplies by scales of its own
  bool exact = true; ///< as wide as the operands: not a stand-in for an instruction that the target lacks

  bool isMultiplyAdd() const { return k == 1; }
};

/// The rows for these operands, best first; the last is a multiply-add and always fits.
///
///     mmaAtoms(*lookupTarget("sm_80"), {AtomElement::E4M3})[0].multiplied == AtomElement::F16
std::vector<MmaAtomRow> mmaAtoms(const TargetInfo &target, const AtomOperands &operands);

/// Whether tcgen05.mma of kinds mxf4 and mxf4nvf4 has K = 96 beside 64 (PTX ISA, "tcgen05.mma", shapes: sm_103a).
bool hasTcgen05K96(const TargetInfo &target);

/// The first row whose instruction is not longer than `k`.
MmaAtomRow chooseMmaAtom(const TargetInfo &target, const AtomOperands &operands, int64_t k);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_ATOMTABLE_H
