//===- RingRound.h - A round of a ring behind its loop ----------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tile that is copied for one product behind a loop, as tileas-rotate-products leaves the last right factor of
// attention, may be one more round of the loop's ring, if that has stages of its kind: what the agents of a function
// (AddRingRounds.h) and a function of one agent (tileas-extend-rings) have in common there.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_RINGROUND_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_RINGROUND_H

#include "mlir/IR/IRMapping.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

namespace mlir::nv_tileas {

/// A tile that is copied for a product.
struct TileOfRound {
  AsyncTiledLoadOp load;
  AllocTensorOp tile = {};
  AsyncWaitOp wait = {};
  SmallVector<ViewOp> views = {}; ///< of the tile, each of the one before
  AsyncTiledLoadOp like = {};     ///< the copy of the ring that it becomes

  /// Finds the product that reads the tile in the load's block, behind a wait for it. Null if there is none, or
  /// something else reads the tile.
  DotOp findProduct();
  /// Whether it is copied before a loop and waited for behind it.
  bool isAround(nv_tileaa::CountedLoop loop) const;
  /// Nobody copies the tile any more.
  void erase();
};

/// Which of the tiles have a place of their own in a stage that `write` fills.
SmallVector<TileOfRound> tilesInStage(ProducerWriteOp write, ArrayRef<TileOfRound> tiles);

/// The only user of its kind that the loop has for a ring.
template <typename Op> Op onlyUserIn(nv_tileaa::CountedLoop loop, CreatePipelineOp ring) {
  Op only;
  for (Operation *user : ring->getUsers())
    if (auto op = dyn_cast<Op>(user); op && op->getParentOp() == loop) {
      if (only)
        return {};
      only = op;
    }
  return only;
}

/// What an operation of a loop is outside of it, where no schedule has a place for it. Its regions are others.
Operation *cloneOutside(OpBuilder &builder, Operation *op, IRMapping &map);

/// Has the product read the tiles in the stage at `iterator`, as the loop reads the ring's stages behind `waits`, and
/// release it.
ConsumerReadOp readInRing(DotOp product, ArrayRef<TileOfRound> tiles, ConsumerWaitOp waits, Value iterator);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_RINGROUND_H
