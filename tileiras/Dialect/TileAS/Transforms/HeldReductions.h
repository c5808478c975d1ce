//===- HeldReductions.h - Sums are added to memory by who has them -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A product leaves two neighbouring sums in a thread, and eight in four of them: 32 bytes, a sector. Where the hardware
// adds two numbers at once (`red.v2`), that is as much of memory for an instruction as four numbers of a thread are for
// `red.v4`, so the tile does not have to go through shared memory, and two barriers, in order to be added up there:
//
//     %y = convert_layout %sums : tensor<64x64xf32, #product> -> tensor<64x64xf32, #rows>
//     tiled_atomic_rmw %v[...], %y {vec = 4}                ->   tiled_atomic_rmw %v[...], %sums {vec = 2}
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_HELDREDUCTIONS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_HELDREDUCTIONS_H

#include "tileiras/Dialect/TileAA/IR/TileAA.h"

namespace mlir::nv_tileas {

/// Does that for all reductions of a function into views; returns of how many. Layouts are linear.
int64_t reduceAsHeld(nv_tileaa::FuncOp func);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_HELDREDUCTIONS_H
