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
// Where threads load the tile into registers, they turn it on the way to shared memory alone, by stmatrix, which is
// the same the other way round: lane 4 g + t brings two neighbours along k of n and of n + 1, and with .trans they
// become numbers 2 g and 2 g + 1 of rows 2 t and 2 t + 1 (PTX ISA, "Warp-level matrix store instruction: stmatrix").
// A thread that has loaded 16 bytes of each of two rows k has four words of both, and each pair of words
//
//     row k      n n+1 n+2 n+3        prmt 0x5140    (k, n)   (k+1, n)   (k, n+1) (k+1, n+1)
//     row k + 1  n n+1 n+2 n+3        prmt 0x7362    (k, n+2) (k+1, n+2) (k, n+3) (k+1, n+3)
//
// is two words of stmatrix. The eight rows of a matrix are n and n + 1 of four lanes t. These differ in n by 16, so
// that loads have whole sectors, and in the highest bit of k that a row of the swizzle has. The former alone would meet
// in a bank: lanes with the higher n give the second pair first, again by the selector.
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

/// How stmatrix writes bytes that threads hold as they have loaded them.
struct ByteStore {
  /// What the lanes give addresses of. `matrixBits` and `otherBits` are bits of the registers; the lowest of the former
  /// selects the pair of neighbours in the word, and lanes with an odd number have the second pair first.
  MatrixFetch rows;
  /// The register bit that selects the row k of two.
  int rowBit = 0;
};

/// The layout in which threads load a tile of bytes, whose dimension `dense` (n) is dense in memory, to write it with
/// `along` (k) side by side; shared by so many warps (2^warpBits). Nothing if one of both is shorter than 32, or the
/// tile is too small.
///
/// Example: 128x128 with k first, eight warps: registers n 1, 2, 4, 8, k 1, n 32; lanes n 16, k 64, 2, 4, 8; warps n
/// 64, k 16, 32.
std::optional<LinearLayout> loadedBytes(const std::vector<int32_t> &shape, int dense, int along, int warpBits);

/// How stmatrix writes such a layout; nothing if it is another one.
std::optional<ByteStore> byteStore(const LinearLayout &layout);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_BYTETURN_H
