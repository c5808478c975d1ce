//===- Tcgen05.cpp - Products with sums in tensor memory ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/Tcgen05.h"
#include <algorithm>
#include <bit>

namespace tileiras {

//===----------------------------------------------------------------------===//
// Tilings
//===----------------------------------------------------------------------===//

static constexpr int32_t kRows = 128, kColumns = 512;

std::string Tcgen05Tiling::whyNot(const DotShape &s) const {
  for (int32_t v : {n, elementBits, warps, s.batch, s.m, s.n, s.k})
    if (v <= 0 || !std::has_single_bit(uint32_t(v)))
      return "sizes are powers of two";
  if (s.batched)
    return "tensor memory holds matrices, the product is batched";
  if (m != 64 && m != 128)
    return "an instruction has 64 or 128 rows, not " + std::to_string(m);
  // PTX ISA, "tcgen05.mma", table of shapes: for 64 rows any multiple of 8, for 128 any of 16.
  int32_t least = m == 64 ? 8 : 16;
  if (n < least || n > 256)
    return "an instruction has " + std::to_string(least) + " to 256 columns, not " + std::to_string(n);
  if (elementBits != 8 && elementBits != 16 && elementBits != 32)
    return "elements have 8, 16 or 32 bits, not " + std::to_string(elementBits);
  if (warps % 4)
    return std::to_string(warps) + " warps do not reach all rows of tensor memory";
  if (s.m < m)
    return "an instruction has " + std::to_string(m) + " rows, the product " + std::to_string(s.m);
  if (s.n < columnsTogether())
    return "the instructions have " + std::to_string(columnsTogether()) + " columns, the product " +
           std::to_string(s.n);
  if (s.k < k())
    return "an instruction has k = " + std::to_string(k()) + ", the product " + std::to_string(s.k);
  if (columns(s) > kColumns)
    return "its sums take " + std::to_string(columns(s)) + " columns of tensor memory, which has " +
           std::to_string(kColumns);
  return {};
}

std::optional<Tcgen05Tiling> Tcgen05Tiling::choose(const DotShape &shape, int32_t elementBits, int32_t warps,
                                                   std::string *why) {
  Tcgen05Tiling t;
  t.elementBits = elementBits;
  t.warps = warps;
  t.m = shape.m >= kRows ? kRows : 64;
  t.n = std::clamp(t.m == 64 ? shape.n / 2 : shape.n, t.m == 64 ? 8 : 16, 256);
  if (std::string reason = t.whyNot(shape); !reason.empty()) {
    if (why)
      *why = std::move(reason);
    return std::nullopt;
  }
  return t;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

LinearLayout tcgen05SumsInTensorMemory(const Tcgen05Tiling &t, const DotShape &shape) {
  std::vector<std::vector<int32_t>> rows, columns;
  auto add = [](std::vector<std::vector<int32_t>> &list, int dim, int32_t from, int32_t to) {
    for (int32_t i = from; i < to; i *= 2) {
      std::vector<int32_t> basis(2);
      basis[dim] = i;
      list.push_back(std::move(basis));
    }
  };
  if (t.m == 64) {
    add(rows, 0, 1, 16);
    add(rows, 1, t.n, 2 * t.n);
    add(rows, 0, 16, 64);
  } else {
    add(rows, 0, 1, kRows);
  }
  add(columns, 1, 1, t.n);
  add(columns, 1, t.columnsTogether(), shape.n);
  add(columns, 0, t.m, shape.m);
  return LinearLayout({{DimName::Row, std::move(rows)}, {DimName::Column, std::move(columns)}, {kBlock, {}}},
                      std::vector<int32_t>{shape.m, shape.n});
}

std::optional<LinearLayout> tensorMemoryRegisters(const LinearLayout &memory, int32_t warps) {
  constexpr int laneBits = 5, rowBits = 7;
  if (memory.inBits(DimName::Row) != rowBits || warps < 4 || !std::has_single_bit(uint32_t(warps)))
    return std::nullopt;
  LinearLayout::InDim registers{kRegister, {}}, lanes{kLane, {}}, warpBits{kWarp, {}}, blocks{kBlock, {}};
  for (int bit = 0; bit < rowBits; ++bit)
    (bit < laneBits ? lanes : warpBits).bases.push_back(memory.basis(DimName::Row, bit));
  int further = std::countr_zero(uint32_t(warps)) - 2, columnBits = memory.inBits(DimName::Column);
  // What no warp is left for stays in registers; warps that nothing is left for hold copies.
  int shared = std::min(further, columnBits);
  for (int bit = 0; bit < columnBits - shared; ++bit)
    registers.bases.push_back(memory.basis(DimName::Column, bit));
  for (int bit = columnBits - shared; bit < columnBits; ++bit)
    warpBits.bases.push_back(memory.basis(DimName::Column, bit));
  for (int bit = shared; bit < further; ++bit)
    warpBits.bases.push_back(std::vector<int32_t>(memory.numOuts()));
  for (int bit = 0; memory.hasIn(kBlock) && bit < memory.inBits(kBlock); ++bit)
    blocks.bases.push_back(memory.basis(kBlock, bit));
  return LinearLayout({std::move(registers), std::move(lanes), std::move(warpBits), std::move(blocks)}, memory.shape());
}

int32_t TensorMemoryCopy::columnOf(int32_t reg) const {
  int32_t column = 0;
  for (size_t bit = 0; bit < registers.size(); ++bit)
    if (reg >> bit & 1)
      column ^= registers[bit];
  return column;
}

std::optional<TensorMemoryCopy> planTensorMemoryCopy(const LinearLayout &registers, const LinearLayout &memory) {
  if (registers.shape() != memory.shape())
    return std::nullopt;
  std::optional<LinearLayout> places = registers.invertAndCompose(memory);
  if (!places || places->inBits(kLane) != 5 || places->inBits(kWarp) < 2)
    return std::nullopt;
  auto at = [&](DimName in, int bit, DimName out) { return places->basis(in, bit, out); };
  // Each lane a row, and each warp of four 32 of them.
  for (int bit = 0; bit < 7; ++bit) {
    DimName in = bit < 5 ? kLane : kWarp;
    int of = bit < 5 ? bit : bit - 5;
    if (at(in, of, DimName::Row) != 1 << bit || at(in, of, DimName::Column))
      return std::nullopt;
  }
  TensorMemoryCopy copy;
  for (bool ofWarps : {false, true}) {
    DimName in = ofWarps ? kWarp : kRegister;
    for (int bit = ofWarps ? 2 : 0; bit < places->inBits(in); ++bit) {
      if (at(in, bit, DimName::Row))
        return std::nullopt;
      (ofWarps ? copy.warps : copy.registers).push_back(at(in, bit, DimName::Column));
    }
  }
  for (int32_t column : copy.registers) {
    if (column != copy.width)
      break;
    copy.width *= 2;
  }
  return copy;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

uint32_t Tcgen05Instruction::descriptor() const {
  auto bit = [](bool set, int place) { return uint32_t(set) << place; };
  return bit(saturate, 3) | typeD << 4 | typeA << 7 | typeB << 10 | bit(negateA, 13) | bit(negateB, 14) |
         bit(mnMajorA, 15) | bit(mnMajorB, 16) | uint32_t(n) >> 3 << 17 | uint32_t(m) >> 4 << 24;
}

const char *Tcgen05Instruction::kindName() const {
  switch (kind) {
  case Kind::F16:
    return "f16";
  case Kind::Tf32:
    return "tf32";
  case Kind::F8F6F4:
    return "f8f6f4";
  case Kind::I8:
    return "i8";
  }
  return "";
}

} // namespace tileiras
