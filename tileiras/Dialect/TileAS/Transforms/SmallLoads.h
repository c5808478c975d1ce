//===- SmallLoads.h - Small tiles are loaded where they are used -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tile of no more elements than there are threads, as the maxima of the rows of attention, is loaded by a thread for
// each, and goes through shared memory to those who have the rows: a store, two barriers and loads. Where each of them
// has a few of its elements, they load them themselves: the same sectors, which L1 has for the others.
//
//     %m = tiled_load : tensor<64xf32, #each>
//     %r = convert_layout %m : -> tensor<64xf32, #rows>    ->    %r = tiled_load : tensor<64xf32, #rows>
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SMALLLOADS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SMALLLOADS_H

#include "tileiras/Dialect/TileAA/IR/TileAA.h"

namespace mlir::nv_tileas {

/// Does that for all loads of a function that nobody else uses; returns of how many. Layouts are linear.
int64_t loadSmallTilesAsUsed(nv_tileaa::FuncOp func);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SMALLLOADS_H
