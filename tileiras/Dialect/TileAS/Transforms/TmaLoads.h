//===- TmaLoads.h - Which loads tensor copies can make ----------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What lower-tma-load-store-to-async asks of loads, beside the layout that a tensor copy writes (TileASTma.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_TMALOADS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_TMALOADS_H

#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

namespace mlir::nv_tileas {

/// Whether nothing that writes comes before a token: what the async proxy reads, nobody of this kernel has written.
bool comesAfterLoadsOnly(Value token);

/// Whether an index counts the tiles of an array, from the first: coordinates then fit in 32 bits with sign, to the
/// last element of the last tile, where the extent does and tiles are powers of two that follow each other.
bool isInRange(nv_tileaa::TiledViewType view, int d, Value index);

/// What TMA cannot write as it lies, or by many small boxes only, and is little of the stage: scales of a product,
/// whose threads' copies come beside the tensor copies of its factors.
bool staysWithThreads(AsyncTiledLoadOp load);

/// The loop that alone uses the ring, but for rounds beside it that fill a stage before it or read one behind it, if it
/// is short enough to be there twice, with those rounds.
nv_tileaa::CountedLoop loopOfItsOwn(CreatePipelineOp ring);

/// What fills stages of the ring before the loop, with the iterators; what reads them behind it, with all that this
/// needs of what is computed there. In their order.
SmallVector<Operation *> fillsBefore(nv_tileaa::CountedLoop loop, CreatePipelineOp ring);
SmallVector<Operation *> readsBehind(nv_tileaa::CountedLoop loop, CreatePipelineOp ring);

/// Whether a loop uses rings of groups that are made outside of it, `but` for some. Such a ring counts the groups of a
/// loop beside it: it cannot stay if the loop is there twice.
bool usesOtherGroups(nv_tileaa::CountedLoop loop, ArrayRef<CreatePipelineOp> but);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_TMALOADS_H
