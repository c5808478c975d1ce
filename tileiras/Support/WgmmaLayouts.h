//===- WgmmaLayouts.h - Who holds what of a wgmma product -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A product [batch x] M x K times [batch x] K x N by wgmma.mma_async (PTX ISA, "Asynchronous Warpgroup Level Matrix
// Multiply-Accumulate"): a warpgroup, four warps, multiplies 64 rows by n columns, 32 bytes of k at a time. B is read
// from shared memory, A from there or from registers, the sums are in registers:
//
//     C  register: column 1, row 8, column 8, 16, ...    lane = 4 g + t: t -> column 2, 4   g -> row 1, 2, 4
//     A  register: k 1..w/2, row 8, k 4w (w elements of 32 bits)         t -> k w, 2w       g -> row 1, 2, 4
//     warp 1, 2 of the group: row 16, 32
//
// Warpgroups stand along n and then along m: the top warp bit is on m, so that a kernel can be cut into two that share
// the columns. Repetitions in further registers follow in the order K, N, M, batch, as in DotLayouts.h.
//
// Example: 128 x 256 x 64 of f16 by eight warps is {n = 256, k = 16, groupsM = 2}: each warpgroup has 64 rows, 128
// registers of sums, and 4 instructions.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_WGMMALAYOUTS_H
#define TILEIRAS_SUPPORT_WGMMALAYOUTS_H

#include "tileiras/Support/DotLayouts.h"
#include <optional>

namespace tileiras {

struct WgmmaTiling {
  static constexpr int32_t m = 64;
  int32_t n = 8;            ///< columns of one instruction
  int32_t elementBits = 16; ///< of A and B
  int32_t groupsM = 1, groupsN = 1;

  int32_t k() const { return 256 / elementBits; }
  int32_t warps() const { return 4 * groupsM * groupsN; }
  int32_t stepsK(const DotShape &shape) const { return shape.k / k(); }
  int32_t passesM(const DotShape &shape) const { return shape.m / (m * groupsM); }
  int32_t passesN(const DotShape &shape) const { return shape.n / (n * groupsN); }

  /// Nothing if the tiling can carry out a product of this shape without doing anything twice, else why not.
  std::string whyNot(const DotShape &shape) const;
  /// The tiling for so many warps; nothing if wgmma does not fit the shape, and `why` then says why.
  static std::optional<WgmmaTiling> choose(const DotShape &shape, int32_t elementBits, int32_t warps,
                                           std::string *why = nullptr);
};

/// (register, lane, warp, block) -> ([batch,] row, column) of C, or of A where it is in registers.
LinearLayout wgmmaLayout(const WgmmaTiling &tiling, const DotShape &shape, DotOperand operand);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_WGMMALAYOUTS_H
