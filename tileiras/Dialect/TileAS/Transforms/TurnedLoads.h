//===- TurnedLoads.h - Words that a product wants turned --------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// wgmma reads factors of 32 bits from shared memory with k side by side only (PTX ISA, "wgmma.mma_async"). One that
// lies across in memory, with n side by side, threads load and write the other way round. A thread that loads four
// neighbours along n of one k writes them one by one, where 16 threads meet in a bank; one that loads them of four k
// writes four neighbours along k at once:
//
//     registers  4 n x 4 k        a square that is turned by choosing which registers are written together
//     lanes      4 of k, 8 of n   128 bytes of a row at once from memory; the eight lanes that write together have
//                                 other banks each: two of n, four of k, as rows are swizzled by n mod 8
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_TURNEDLOADS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_TURNEDLOADS_H

#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Support/LinearLayout.h"

namespace mlir::nv_tileas {

/// The layout of a load whose tile becomes a factor of a product that wants it turned, where `order` is that of its
/// dimensions in memory, the fastest first, and `vec` elements may be loaded at once. Nothing if that is not so, or the
/// tile is too small for it.
std::optional<tileiras::LinearLayout> getTurnedLayout(TiledLoadOp load, ArrayRef<int32_t> order, int64_t vec);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_TURNEDLOADS_H
