//===- ByteTurn.cpp - Tiles of bytes that are turned ----------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/ByteTurn.h"

#include <algorithm>
#include <bit>

namespace tileiras {

using Basis = std::vector<int32_t>;

static Basis unitBasis(const std::vector<int32_t> &shape, int dim, int32_t value) {
  Basis basis(shape.size());
  basis[dim] = value;
  return basis;
}

/// The layout that has `rest`, and what the other dimensions have, in the last `warpBits` bits of warps and otherwise
/// in further registers. Nothing if there are fewer bits than warps.
static std::optional<LinearLayout> dealOut(const std::vector<int32_t> &shape, int dense, int along, int warpBits,
                                           LinearLayout::InDim registers, LinearLayout::InDim lanes,
                                           std::vector<Basis> rest) {
  for (int dim = 0; dim < int(shape.size()); ++dim)
    for (int32_t value = 1; dim != dense && dim != along && value < shape[dim]; value *= 2)
      rest.push_back(unitBasis(shape, dim, value));
  if (int(rest.size()) < warpBits)
    return std::nullopt;
  LinearLayout::InDim warps{kWarp, {rest.end() - warpBits, rest.end()}};
  registers.bases.insert(registers.bases.end(), rest.begin(), rest.end() - warpBits);
  return LinearLayout({std::move(registers), std::move(lanes), std::move(warps), LinearLayout::InDim{kBlock, {}}},
                      shape);
}

std::optional<LinearLayout> turnedBytes(const std::vector<int32_t> &shape, int dense, int along, int warpBits) {
  if (dense == along || shape[dense] < 16 || shape[along] < 16 || !std::has_single_bit(unsigned(shape[dense])) ||
      !std::has_single_bit(unsigned(shape[along])))
    return std::nullopt;
  auto unit = [&](int dim, int32_t value) { return unitBasis(shape, dim, value); };
  LinearLayout::InDim registers{kRegister, {unit(along, 1), unit(along, 2), unit(dense, 1)}};
  LinearLayout::InDim lanes{kLane, {unit(along, 4), unit(along, 8), unit(dense, 2), unit(dense, 4), unit(dense, 9)}};
  // The rest: warps side by side along what is dense, so that each has whole pieces of k; registers for what is left.
  std::vector<Basis> rest;
  for (int32_t value = 16; value < shape[along]; value *= 2)
    rest.push_back(unit(along, value));
  for (int32_t value = 16; value < shape[dense]; value *= 2)
    rest.push_back(unit(dense, value));
  return dealOut(shape, dense, along, warpBits, std::move(registers), std::move(lanes), std::move(rest));
}

/// The dimension of a basis that is `value` there and zero elsewhere, or -1.
static int dimOf(const Basis &basis, int32_t value) {
  auto found = std::find_if(basis.begin(), basis.end(), [](int32_t coordinate) { return coordinate != 0; });
  bool alone = found != basis.end() && *found == value &&
               std::count(basis.begin(), basis.end(), 0) + 1 == std::ptrdiff_t(basis.size());
  return alone ? int(found - basis.begin()) : -1;
}

std::optional<ByteTurn> byteTurn(const LinearLayout &layout) {
  if (layout.inBits(kLane) != 5 || layout.inBits(kRegister) < 3)
    return std::nullopt;
  int along = dimOf(layout.basis(kRegister, 0), 1), dense = dimOf(layout.basis(kLane, 2), 2);
  if (along < 0 || dense < 0 || along == dense || dimOf(layout.basis(kRegister, 1), 2) != along ||
      dimOf(layout.basis(kLane, 0), 4) != along || dimOf(layout.basis(kLane, 1), 8) != along ||
      dimOf(layout.basis(kLane, 3), 4) != dense)
    return std::nullopt;
  ByteTurn turn;
  turn.alternates = dimOf(layout.basis(kLane, 4), 9) == dense;
  if (!turn.alternates && dimOf(layout.basis(kLane, 4), 8) != dense)
    return std::nullopt;
  turn.pairBit = -1;
  MatrixFetch &fetch = turn.fetch;
  for (int bit = 2; bit < layout.inBits(kRegister); ++bit) {
    if (turn.pairBit < 0 && dimOf(layout.basis(kRegister, bit), 1) == dense)
      turn.pairBit = bit;
    else if (layout.flatBasis(kRegister, bit) == 0)
      return std::nullopt; // copies
    else if (fetch.matrixBits.empty())
      fetch.matrixBits.push_back(bit);
    else
      fetch.otherBits.push_back(bit);
  }
  if (turn.pairBit < 0)
    return std::nullopt;
  fetch.transposed = true;
  fetch.wordBits = 2;
  fetch.rowBits = 4;
  std::vector<uint64_t> registers = layout.flatBases(kRegister), lanes = layout.flatBases(kLane);
  uint64_t odd = registers[turn.pairBit];
  std::vector<uint64_t> content = {odd, lanes[2], lanes[3], turn.alternates ? lanes[4] ^ odd : lanes[4]};
  for (int bit : fetch.otherBits)
    content.push_back(registers[bit]);
  // Row 2 t + i of a matrix, then which of a pair, then which pair.
  std::vector<uint64_t> select = {registers[0], lanes[0], lanes[1], registers[1]};
  for (int bit : fetch.matrixBits)
    select.push_back(registers[bit]);
  select.resize(5);
  LinearLayout none = layout.sublayout({}, layout.outNames());
  fetch.rows = none.extendIn(kRegister, content)
                   .extendIn(kLane, select)
                   .extendIn(kWarp, layout.flatBases(kWarp))
                   .extendIn(kBlock, layout.flatBases(kBlock));
  return turn;
}

std::optional<LinearLayout> loadedBytes(const std::vector<int32_t> &shape, int dense, int along, int warpBits) {
  if (dense == along || shape[dense] < 32 || shape[along] < 32 || !std::has_single_bit(unsigned(shape[dense])) ||
      !std::has_single_bit(unsigned(shape[along])))
    return std::nullopt;
  auto unit = [&](int dim, int32_t value) { return unitBasis(shape, dim, value); };
  int32_t highest = std::min(shape[along] / 2, 64); // of a row of 128 bytes at most
  LinearLayout::InDim registers{kRegister,
                                {unit(dense, 1), unit(dense, 2), unit(dense, 4), unit(dense, 8), unit(along, 1)}};
  LinearLayout::InDim lanes{kLane,
                            {unit(dense, 16), unit(along, highest), unit(along, 2), unit(along, 4), unit(along, 8)}};
  // The rest: registers along what is dense, where neither place is far, and warps for what is left.
  std::vector<Basis> rest;
  for (int32_t value = 32; value < shape[dense]; value *= 2)
    rest.push_back(unit(dense, value));
  for (int32_t value = 16; value < shape[along]; value *= 2)
    if (value != highest)
      rest.push_back(unit(along, value));
  return dealOut(shape, dense, along, warpBits, std::move(registers), std::move(lanes), std::move(rest));
}

std::optional<ByteStore> byteStore(const LinearLayout &layout) {
  if (layout.inBits(kLane) != 5 || layout.inBits(kRegister) < 5 || layout.inBits(kBlock) || !layout.isPermutation())
    return std::nullopt;
  ByteStore store;
  store.rowBit = 4;
  int dense = dimOf(layout.basis(kRegister, 0), 1), along = dimOf(layout.basis(kRegister, store.rowBit), 1);
  if (dense < 0 || along < 0 || dense == along || dimOf(layout.basis(kLane, 0), 16) != dense)
    return std::nullopt;
  for (int bit = 1; bit < 4; ++bit)
    if (dimOf(layout.basis(kRegister, bit), 1 << bit) != dense ||
        dimOf(layout.basis(kLane, bit + 1), 1 << bit) != along)
      return std::nullopt;
  MatrixFetch &rows = store.rows;
  rows.transposed = true;
  rows.wordBits = 1;
  rows.rowBits = 4;
  rows.matrixBits = {1, 2};
  rows.otherBits = {3};
  for (int bit = store.rowBit + 1; bit < layout.inBits(kRegister); ++bit) {
    if (layout.flatBasis(kRegister, bit) == 0)
      return std::nullopt; // copies
    rows.otherBits.push_back(bit);
  }
  std::vector<uint64_t> registers = layout.flatBases(kRegister), lanes = layout.flatBases(kLane);
  std::vector<uint64_t> content = {registers[store.rowBit], lanes[2], lanes[3], lanes[4]};
  for (int bit : rows.otherBits)
    content.push_back(registers[bit]);
  std::vector<uint64_t> select = {registers[0], lanes[0] ^ registers[1], lanes[1], registers[1], registers[2]};
  LinearLayout none = layout.sublayout({}, layout.outNames());
  rows.rows = none.extendIn(kRegister, content)
                  .extendIn(kLane, select)
                  .extendIn(kWarp, layout.flatBases(kWarp))
                  .extendIn(kBlock, layout.flatBases(kBlock));
  return store;
}

} // namespace tileiras
