//===- TmaTile.cpp - Shared tiles that TMA copies -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/TmaTile.h"
#include "tileiras/Support/SmemDescriptor.h"
#include <algorithm>
#include <bit>

namespace tileiras {

int64_t TmaTile::boxElements() const {
  int64_t elements = 1;
  for (int32_t b : box)
    elements *= b;
  return elements;
}

namespace {

/// What an offset bit counts: bit `bit` of coordinate `dim`.
struct CoordinateBit {
  int dim = -1, bit = 0;
};

/// The offset bits of a layout, the swizzle taken back; empty if one of them is not a single bit of a coordinate.
std::vector<CoordinateBit> plainBits(const LinearLayout &memory, const Swizzle &swizzle) {
  std::vector<CoordinateBit> bits;
  for (int b = 0; b < memory.inBits(kOffset); ++b) {
    std::vector<int32_t> coords = memory.coords({{std::string(kOffset), int32_t(swizzle.apply(uint64_t(1) << b))}});
    CoordinateBit found;
    for (int d = 0; d < int(coords.size()); ++d) {
      if (coords[d] == 0)
        continue;
      if (found.dim >= 0 || !std::has_single_bit(uint32_t(coords[d])))
        return {};
      found = {d, std::countr_zero(uint32_t(coords[d]))};
    }
    if (found.dim < 0)
      return {};
    bits.push_back(found);
  }
  return bits;
}

/// Reads the bits as boxes; the reason if they are none.
const char *readBoxes(const std::vector<CoordinateBit> &bits, int rank, int dense, int32_t elementBytes,
                      TmaTile &tile) {
  tile.order.clear();
  tile.copies.clear();
  std::vector<int> taken(rank, 0);
  size_t next = 0;
  auto take = [&](int dim, int64_t most) {
    while (next < bits.size() && bits[next].dim == dim && bits[next].bit == taken[dim] &&
           int64_t(2) << taken[dim] <= most)
      ++taken[dim], ++next;
    tile.order.push_back(dim);
  };
  int64_t widest = tile.swizzleBytes ? tile.swizzleBytes / elementBytes : TmaTile::maxBox;
  take(dense, std::min<int64_t>(widest, TmaTile::maxBox));
  int64_t rowBytes = int64_t(elementBytes) << taken[dense];
  if (rowBytes % 16)
    return "tma boxDims[0] * elemTypeBitWidth is not a multiple of 16 bytes";
  if (tile.swizzleBytes && rowBytes != tile.swizzleBytes)
    return "smem layout is not TMA compatible";
  while (next < bits.size()) {
    int dim = bits[next].dim;
    if (bits[next].bit != 0 || std::find(tile.order.begin(), tile.order.end(), dim) != tile.order.end())
      break;
    take(dim, TmaTile::maxBox);
  }
  for (int d = 0; d < rank; ++d)
    if (std::find(tile.order.begin(), tile.order.end(), d) == tile.order.end())
      tile.order.push_back(d);
  tile.box.assign(rank, 1);
  for (int d = 0; d < rank; ++d)
    tile.box[d] = 1 << taken[d];
  int64_t imageBytes = int64_t(elementBytes) << next;
  if (next < bits.size() && imageBytes % 128)
    return "smem layout is not TMA compatible";
  for (int64_t i = 0; i < int64_t(1) << (bits.size() - next); ++i) {
    TmaTile::Copy copy{std::vector<int32_t>(rank), int32_t(i * imageBytes)};
    for (size_t b = next; b < bits.size(); ++b)
      if (i >> (b - next) & 1)
        copy.coords[bits[b].dim] += 1 << bits[b].bit;
    tile.copies.push_back(std::move(copy));
  }
  return nullptr;
}

} // namespace

std::optional<TmaTile> describeTmaTile(const LinearLayout &memory, int dense, int32_t elementBytes,
                                       std::string *error) {
  auto fail = [&](const char *why) {
    if (error)
      *error = why;
    return std::nullopt;
  };
  int rank = memory.numOuts();
  if (rank < 1 || rank > TmaTile::maxRank)
    return fail("a tensor map has from 1 to 5 dimensions");
  if (elementBytes != 1 && elementBytes != 2 && elementBytes != 4 && elementBytes != 8)
    return fail("elements have 1, 2, 4 or 8 bytes");
  if (!memory.sublayout({std::string(kOffset)}, memory.outNames()).isPermutation())
    return fail("smem layout is not TMA compatible");
  const char *why = "smem layout is not TMA compatible";
  for (auto [width, atom] : {std::pair(0, 16), {32, 16}, {64, 16}, {128, 16}, {128, 32}}) {
    std::vector<CoordinateBit> bits =
        plainBits(memory, atom == 32 ? wideAtoms(elementBytes) : Swizzle::hardware(width, elementBytes));
    if (bits.empty() && memory.inBits(kOffset))
      continue;
    TmaTile tile;
    tile.swizzleBytes = width, tile.atomBytes = atom;
    const char *reason = readBoxes(bits, rank, dense, elementBytes, tile);
    if (!reason)
      return tile;
    // Without swizzle the rule about rows is the only one that can be told apart.
    if (width == 0)
      why = reason;
  }
  return fail(why);
}

} // namespace tileiras
