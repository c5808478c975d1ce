//===- PrefetchLoads.h - What is loaded ahead into registers ----*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PREFETCHLOADS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PREFETCHLOADS_H

#include "tileiras/Dialect/TileAA/IR/Loops.h"

namespace mlir::nv_tileas {

/// Whether registers hold, for sure, all loads of a loop, as it stands, an iteration ahead.
bool registersHoldLoads(nv_tileaa::CountedLoop loop);

/// Whether registers hold this load of a loop an iteration ahead, beside others that are copied past them.
bool registersHold(nv_tileaa::CountedLoop loop, Operation *load);

/// Whether the products of a loop go on into its next iteration, so that loads are under way with them as they stand.
bool loadsDuringProducts(nv_tileaa::CountedLoop loop);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PREFETCHLOADS_H
