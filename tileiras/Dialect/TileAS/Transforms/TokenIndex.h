//===- TokenIndex.h - Where a loop carries its pipeline's tokens -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_TOKENINDEX_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_TOKENINDEX_H

#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

namespace mlir::nv_tileas {

/// i32, on a loop that tileas-materialize-async has given a ring: the number of the iteration argument that says where
/// its producer is, from which the tokens of the stages come.
inline constexpr llvm::StringLiteral kTokenIterIdxAttr = "token_iter_idx";

/// Says it anew, or no longer, after the loop's arguments have changed. Loops that say nothing go on to.
inline void updateTokenIndex(nv_tileaa::CountedLoop loop, bool always = false) {
  if (!always && !loop->hasAttr(kTokenIterIdxAttr))
    return;
  for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    if (isa<PipelineIteratorType>(argument.getType()))
      return loop->setAttr(kTokenIterIdxAttr, IntegerAttr::get(IntegerType::get(loop.getContext(), 32), i));
  loop->removeAttr(kTokenIterIdxAttr);
}

/// The same for all loops of a function.
inline void updateTokenIndices(Operation *func) {
  func->walk([](nv_tileaa::CountedLoop loop) { updateTokenIndex(loop); });
}

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_TOKENINDEX_H
