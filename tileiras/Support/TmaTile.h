//===- TmaTile.h - Shared tiles that TMA copies -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tensor copy (PTX ISA, "cp.async.bulk.tensor") moves a box between a tensor in global memory and shared memory. What
// lies there is the box's image: its elements in order, dimension 0 of the tensor map fastest, at absolute addresses
// whose bits 4 to 6 are XORed with bits 7 to 9 as far as the swizzle says ("Swizzling modes"), or bits 5 and 6 with
// bits 7 and 8 where its atoms have 32 bytes, which the widest can have on some targets. Dimension 0 is the one that is
// dense in global memory; the others may stand in any order, their strides are free.
//
// So a shared tile can be copied if, the XOR taken back, its offset bits are those of one box, followed by bits that
// tell several boxes apart. What limits a box: 256 elements along each dimension; dimension 0 is a multiple of 16
// bytes, and as wide as the swizzle where there is one; images begin at multiples of 128 bytes.
//
// Example: 128 x 128 elements of 2 bytes, row-major in panels of 64 columns with the 128-byte swizzle, are two boxes of
// 128 x 64: order = {1, 0}, box = {128, 64}, the second from column 64 on, 16384 bytes behind the first.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_TMATILE_H
#define TILEIRAS_SUPPORT_TMATILE_H

#include "tileiras/Support/LinearLayout.h"

namespace tileiras {

struct TmaTile {
  static constexpr int maxRank = 5, maxBox = 256;

  int32_t swizzleBytes = 0;   ///< 0, 32, 64 or 128
  int32_t atomBytes = 16;     ///< what the swizzle moves as a whole: 16, or 32 of the swizzle of 128 bytes
  std::vector<int32_t> order; ///< dimensions of the tile as the tensor map has them, dimension 0 first
  std::vector<int32_t> box;   ///< elements, by dimensions of the tile

  /// One instruction.
  struct Copy {
    std::vector<int32_t> coords; ///< the box's first element, in the tile
    int32_t bytes;               ///< where its image begins, from the start of the tile
  };
  std::vector<Copy> copies;

  /// Both in one number, as atoms of copies (#nv_tileas.tma_load) have it: the swizzle's bytes, and 32 more where its
  /// atoms have 32 bytes.
  static constexpr int32_t kWideAtoms = 128 + 32;
  int32_t swizzleMode() const { return atomBytes == 32 ? kWideAtoms : swizzleBytes; }

  /// At which multiple of bytes the tile must start: images at 128, a swizzle where its pattern does.
  int32_t alignment() const { return swizzleBytes ? (atomBytes == 32 ? 4 : 8) * swizzleBytes : 128; }
  int64_t boxElements() const;
};

/// How TMA copies a tile whose layout in shared memory, offsets in elements to coordinates, is `memory`, if dimension
/// `dense` of the tile is the one whose neighbours lie side by side in global memory. Nothing if it cannot, and `error`
/// then says why.
std::optional<TmaTile> describeTmaTile(const LinearLayout &memory, int dense, int32_t elementBytes,
                                       std::string *error = nullptr);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_TMATILE_H
