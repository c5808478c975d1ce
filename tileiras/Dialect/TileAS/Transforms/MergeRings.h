//===- MergeRings.h - One ring for loops that follow each other -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_MERGERINGS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_MERGERINGS_H

#include "tileiras/Dialect/TileAA/IR/TileAA.h"

namespace mlir::nv_tileas {

/// Has a loop fill and empty the ring of an earlier loop of its block, where both are of one type, and the later one
/// goes on where the earlier one has ended:
///
///     %r0 = create_pipeline ...                       %r0 = create_pipeline ...
///     %e:2 = scf.for ... (%p = %i0, %c = %i0)   ->    %e:2 = scf.for ... (%p = %i0, %c = %i0)
///     %r1 = create_pipeline ...                       scf.for ... (%p = %e#0, %c = %e#1)
///     scf.for ... (%p = %i1, %c = %i1)
///
/// One agent that does everything gives the second ring the bytes of the first one; agents, of which one is ahead,
/// cannot. Returns how many rings are gone.
unsigned mergeRings(nv_tileaa::FuncOp func);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_MERGERINGS_H
