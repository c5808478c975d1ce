//===- ByteTurn.h - Tiles of bytes that are turned --------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// wgmma reads factors of 8 bits along k alone, so one whose rows go along n is turned by threads. ldmatrix with .trans
// turns pairs of bytes (PTX ISA, "Warp-level matrix load instruction: ldmatrix": lane 4 g + t receives column g of rows
// 2 t and 2 t + 1 of 8 x 8 elements of 16 bits); a prmt of two matrices does the rest. With rows k, whose 16 bytes are
// 16 of n:
//
//     matrix 0, row 2 t + i    k = 4 t + i             word 0 of lane 4 g + t    (k, n) = (0, 0) (0, 1) (1, 0) (1, 1)
//     matrix 1, row 2 t + i    k = 4 t + 2 + i         word 1                             (2, 0) (2, 1) (3, 0) (3, 1)
//                                                      prmt 0x6420, 0x7531                n = 0: k 0..3;  n = 1: k 0..3
//
// relative to k = 4 t and n = 2 g. Threads write those words: lanes t are a row of 16 bytes, and lanes g shall be eight
// rows n that differ in n mod 8, which is what swizzles go by. Of the sixteen n those with the highest bit set
// therefore give their odd ones first: the selector of the prmt depends on the lane, at no cost, and no two rows meet
// in a bank.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_BYTETURN_H
#define TILEIRAS_SUPPORT_BYTETURN_H

#include "tileiras/Support/MatrixFetch.h"

namespace tileiras {

struct ByteTurn {
  /// What the lanes give addresses of, the pair of matrices among it; `matrixBits` is the bit of the registers, if any,
  /// that selects the second pair of ldmatrix.x4.
  MatrixFetch fetch;
  /// The register bit that is the lowest of n.
  int pairBit = 0;
  /// Whether lanes 16 to 31 have the odd byte first.
  bool alternates = false;
};

/// The layout in which a tile of bytes, whose dimension `dense` (n) is dense in memory, comes out of ldmatrix and prmt,
/// four bytes along `along` (k) to a word; shared by so many warps (2^warpBits). Nothing if one of both is shorter than
/// 16, or the tile is too small.
///
/// Example: 128x128 with k first, eight warps: registers k 1, 2, n 1, then what is left; lanes k 4, 8, n 2, 4, 9.
std::optional<LinearLayout> turnedBytes(const std::vector<int32_t> &shape, int dense, int along, int warpBits);

/// How ldmatrix fetches such a layout; nothing if it is another one.
std::optional<ByteTurn> byteTurn(const LinearLayout &layout);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_BYTETURN_H
