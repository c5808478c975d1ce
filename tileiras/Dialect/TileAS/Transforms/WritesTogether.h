//===- WritesTogether.h - Tiles that threads write, one behind the other -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Threads meet before they write a tile for a product, and behind that. Where one tile after the other is written, each
// for its own product, and the later ones are known when the first is written, they are written together, and all meet
// once:
//
//     copy %ds, %t ; dot %t, ... ; copy %p, %u ; dot %u, ...   ->   copy %ds, %t ; copy %p, %u ; dot %t, ... ; dot %u,
//     ...
//
// They have places at the same time then, so only where that leaves a multiprocessor as many blocks.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_WRITESTOGETHER_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_WRITESTOGETHER_H

#include "tileiras/Dialect/TileAA/IR/TileAA.h"

namespace mlir::nv_tileas {

/// Does that for tiles that products of a function read at once (mma.sync); returns for how many. `columns`: of tensor
/// memory that the kernel takes.
int64_t writeTogether(nv_tileaa::FuncOp func, int64_t columns);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_WRITESTOGETHER_H
