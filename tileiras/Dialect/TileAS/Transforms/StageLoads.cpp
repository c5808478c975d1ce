//===- StageLoads.cpp - tileas-stage-loads --------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tiles that a loop over products loads into registers, because they are converted first or lie in memory the other way
// round, cannot be loaded an iteration ahead where registers are short. Shared memory can hold them as they come:
//
//     x = load                     tile = alloc, copy into tile
//     use x                  ->    wait, x = convert_layout tile
//                                  use x
//
// so that tileas-materialize-async makes a ring of the tiles. A thread reads what it has copied itself, in accesses as
// wide, so the layout is free of conflicts both ways. It costs a trip through shared memory, and only pays where it is
// a ring of several stages, or of one for each stream, that comes of it; otherwise the loop stays as it is.
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadPastRegisters.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadsAhead.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/PrefetchLoads.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Dialect/TileAS/Transforms/SharedPlan.h"
#include "tileiras/Support/ConvertPlan.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_STAGELOADSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;

namespace {

/// A load and what takes its place, until it is decided which of both stays.
struct Staged {
  TiledLoadOp load;
  AllocTensorOp tile;
  AsyncTiledLoadOp copy;
  AsyncWaitOp wait;
  ConvertLayoutOp read;
};

/// The first operation of the load's block that uses the tile, itself or what it contains; null if another block does.
Operation *firstUser(TiledLoadOp load) {
  Operation *first = nullptr;
  for (Operation *user : load.getResult().getUsers()) {
    Operation *here = load->getBlock()->findAncestorOpInBlock(*user);
    if (!here)
      return nullptr;
    if (!first || here->isBeforeInBlock(first))
      first = here;
  }
  return first;
}

struct StageLoadsPass : nv_tileas::impl::StageLoadsPassBase<StageLoadsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (numStages <= 1 || getOperation().walk([](AgentSwitchOp) { return WalkResult::interrupt(); }).wasInterrupted())
      return;
    for (CountedLoop loop : nv_tileaa::getCountedLoops(getOperation()))
      stage(loop);
  }

private:
  /// Whether the loop has products of its own, loads tiles, and no way of its own to have them under way earlier.
  static bool needsStages(CountedLoop loop) {
    bool nested = loop.getBody()->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
    std::optional<APInt> trips = loop.getStaticTripCount();
    return !nested && countProducts(loop) && (!trips || trips->ugt(1)) &&
           loop.getBody()->getOps<AsyncTiledLoadOp>().empty() && !loop.getBody()->getOps<TiledLoadOp>().empty() &&
           !loadsDuringProducts(loop) && !registersHoldLoads(loop);
  }

  void stage(CountedLoop loop) {
    if (!needsStages(loop))
      return;
    SmallVector<Staged> staged;
    SmallVector<AllocTensorOp> tiles;
    bool whole = true;
    for (TiledLoadOp load : llvm::make_early_inc_range(loop.getBody()->getOps<TiledLoadOp>())) {
      if (load.getResult().use_empty())
        continue;
      std::optional<Staged> one = stageOne(loop, load);
      whole &= bool(one);
      if (!one)
        continue;
      staged.push_back(*one);
      tiles.push_back(one->tile);
    }
    if (!whole || staged.empty() || !haveRoom(loop, tiles))
      return undo(staged);
    for (Staged &one : staged)
      one.load.erase();
    numStaged += staged.size();
  }

  /// For two stages of all tiles, or for one of each, if one is read before the next one is waited for.
  bool haveRoom(CountedLoop loop, ArrayRef<AllocTensorOp> tiles) {
    SharedPlan plan(getOperation());
    int64_t room = SharedMemory(getOperation()).roomToKeep();
    return plan.bytesWithRing(loop, tiles, 2) <= room ||
           (tiles.size() > 1 && plan.bytesWithRing(loop, tiles, 1) <= room);
  }

  /// None if the load cannot be made ahead, or not by copies of four bytes or more.
  std::optional<Staged> stageOne(CountedLoop loop, TiledLoadOp load) {
    Operation *user = firstUser(load);
    LoadForOne found{load, {}};
    auto type = load.getResult().getType();
    int64_t bytes = getStorageBytes(type.getElementType());
    if (!user || !found.mayWaitUntil(user) || getMemoryBits(type.getElementType()) != 8 * bytes)
      return std::nullopt;
    StringRef why;
    llvm::SetVector<Value> tokens;
    OtherIteration other(loop, loop.getInductionVar());
    for (Value operand : load->getOperands())
      if (operand != load.getToken() && failed(other.check(operand, OtherIteration::At, why)))
        return std::nullopt;
    if (failed(collectTokens(loop, load.getToken(), tokens)))
      return std::nullopt;
    tileiras::LinearLayout layout = getLinearLayout(type);
    std::optional<tileiras::SharedPlan> plan = tileiras::planSharedConvert(layout, layout, bytes);
    int64_t most = std::min<int64_t>(load.getVec().value_or(1), 16 / bytes);
    int64_t run = plan ? found.runBytes(plan->memory, most, bytes) : 0;
    if (run < 4 || run < most * bytes)
      return std::nullopt;

    OpBuilder builder(load);
    Staged one{load, {}, {}, {}, {}};
    Value tile = found.copyPastRegisters(builder, plan->memory, run, user, /*asyncProxy=*/false);
    one.tile = tile.getDefiningOp<AllocTensorOp>();
    for (Operation *use : tile.getUsers())
      one.copy = cast<AsyncTiledLoadOp>(use);
    // Tensor copies and agents that copy for others are for tiles that a product reads as they come.
    one.copy->setAttr("allow_tma", builder.getBoolAttr(false));
    one.wait = cast<AsyncWaitOp>(*one.copy.getDone().user_begin());
    auto atom = AtomPlanAttr::get(&getContext(), /*tag=*/1, bytes << plan->load.vectorBits);
    builder.setInsertionPoint(user);
    one.read = ConvertLayoutOp::create(builder, load.getLoc(), type, tile, atom, /*reinterpret_byte=*/false);
    load.getResult().replaceAllUsesWith(one.read.getResult());
    return one;
  }

  static void undo(ArrayRef<Staged> staged) {
    for (Staged one : staged) {
      one.read.getResult().replaceAllUsesWith(one.load.getResult());
      one.copy.getResultToken().replaceAllUsesWith(one.load.getResultToken());
      for (Operation *op :
           {one.read.getOperation(), one.wait.getOperation(), one.copy.getOperation(), one.tile.getOperation()})
        op->erase();
    }
  }
};

} // namespace
