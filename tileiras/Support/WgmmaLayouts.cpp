//===- WgmmaLayouts.cpp - Who holds what of a wgmma product ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/WgmmaLayouts.h"
#include "tileiras/Support/LinearLayout.h"
#include <algorithm>
#include <bit>
#include <cassert>

namespace tileiras {

std::string WgmmaTiling::whyNot(const DotShape &s) const {
  for (int32_t v : {n, elementBits, groupsM, groupsN, s.batch, s.m, s.n, s.k})
    if (v <= 0 || !std::has_single_bit(uint32_t(v)))
      return "sizes are powers of two";
  if (n < 8 || n > 256)
    return "an instruction has 8 to 256 columns, not " + std::to_string(n);
  if (elementBits != 8 && elementBits != 16 && elementBits != 32)
    return "elements have 8, 16 or 32 bits, not " + std::to_string(elementBits);
  if (s.m < m * groupsM)
    return "the warpgroups have " + std::to_string(m * groupsM) + " rows, the product " + std::to_string(s.m);
  if (s.n < n * groupsN)
    return "the warpgroups have " + std::to_string(n * groupsN) + " columns, the product " + std::to_string(s.n);
  if (s.k < k())
    return "an instruction has k = " + std::to_string(k()) + ", the product " + std::to_string(s.k);
  return {};
}

std::optional<WgmmaTiling> WgmmaTiling::choose(const DotShape &shape, int32_t elementBits, int32_t warps,
                                               std::string *why) {
  auto no = [&](std::string reason) {
    if (why)
      *why = std::move(reason);
    return std::nullopt;
  };
  if (warps % 4)
    return no(std::to_string(warps) + " warps are no warpgroups");
  WgmmaTiling t;
  t.elementBits = elementBits;
  int32_t groups = warps / 4;
  t.groupsM = std::min(groups, std::max(shape.m / m, 1));
  t.groupsN = groups / t.groupsM;
  t.n = std::min(256, std::max(shape.n / t.groupsN, 8));
  if (std::string reason = t.whyNot(shape); !reason.empty())
    return no(std::move(reason));
  return t;
}

LinearLayout wgmmaLayout(const WgmmaTiling &t, const DotShape &shape, DotOperand operand) {
  assert(t.whyNot(shape).empty() && operand != DotOperand::B);
  bool isC = operand == DotOperand::C;
  std::vector<int32_t> extents{shape.m, isC ? shape.n : shape.k};
  if (shape.batched)
    extents.insert(extents.begin(), shape.batch);
  int row = shape.batched ? 1 : 0, column = row + 1;
  using List = std::vector<std::vector<int32_t>>;
  List registers, lanes, warps;
  auto add = [&](List &list, int dim, int32_t stride, int32_t count) {
    for (int32_t i = 1; i < count; i *= 2) {
      std::vector<int32_t> basis(extents.size());
      if (dim >= 0)
        basis[dim] = stride * i;
      list.push_back(std::move(basis));
    }
  };
  if (isC) {
    add(registers, column, 1, 2);
    add(registers, row, 8, 2);
    add(registers, column, 8, t.n / 8);
    add(lanes, column, 2, 4);
  } else {
    int32_t w = 32 / t.elementBits;
    add(registers, column, 1, w);
    add(registers, row, 8, 2);
    add(registers, column, 4 * w, 2);
    add(registers, column, t.k(), t.stepsK(shape));
    add(lanes, column, w, 4);
  }
  add(lanes, row, 1, 8);
  add(warps, row, 16, 4);
  add(warps, isC ? column : -1, t.n, t.groupsN);
  add(warps, row, t.m, t.groupsM);
  if (isC)
    add(registers, column, t.n * t.groupsN, t.passesN(shape));
  add(registers, row, t.m * t.groupsM, t.passesM(shape));
  if (shape.batched)
    add(registers, 0, 1, shape.batch);
  return LinearLayout(
      {{kRegister, std::move(registers)}, {kLane, std::move(lanes)}, {kWarp, std::move(warps)}, {kBlock, {}}}, extents);
}

} // namespace tileiras
