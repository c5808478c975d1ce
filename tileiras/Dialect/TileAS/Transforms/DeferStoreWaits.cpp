//===- DeferStoreWaits.cpp - tileas-defer-store-waits ---------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// In a loop over tile blocks a tensor store need not have read its tile before the next products begin, only before the
// tile is written again:
//
//     for tile block {                                     %tile = alloc_tensor
//       products                                           for tile block {
//       if usable {                                          products
//         %tile = alloc_tensor                               if usable {
//         copy %sums, %tile                                    wait for the store of the round before
//         tma_store %tile                                      copy %sums, %tile;  tma_store %tile
//         wait until it has been read                        }
//       }                                                  }
//     }                                                    wait for the store of the last round
//
// The wait at the beginning is where the threads met before they wrote the tile anyway, and finds nothing to wait for
// after a round of products: a group of bulk copies that has been read, or none in the first round (PTX ISA,
// "cp.async.bulk.wait_group", .read). Behind the loop it is waited for at once, so nobody has to know of it.
//
// So is what is combined with memory between the products of a loop over k, as gradients of attention are (a stage of
// a ring is read around it): products of the same round need not wait until its tile has been read.
//
// The tile lives as long as the loop then and shares bytes with nothing in it but what is used only where there is no
// tensor map (SharedPlan.h). Where the kernel would take more shared memory for it, the store stays as it is, but
// between products only where fewer blocks would have room then. So do stores that tokens order before something, which
// wait for memory to be written.
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Dialect/TileAS/Transforms/SharedPlan.h"
#include "tileiras/Remark/Remark.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_DEFERSTOREWAITSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::Branch;
using nv_tileaa::CountedLoop;
namespace remarks = tileiras::remarks;

namespace {

/// What is stored by TMA in every round of a loop, and waited for at the end of the round.
struct RoundOfStores {
  CountedLoop loop;
  AsyncWaitOp wait;
  llvm::SetVector<AllocTensorOp> tiles;
  CopyOp first; ///< of what writes the tiles

  /// Whether a stage of a ring is read around the store.
  bool isAmongProducts() { return bool(wait->getParentOfType<ConsumerReadOp>()); }
};

struct DeferStoreWaitsPass : nv_tileas::impl::DeferStoreWaitsPassBase<DeferStoreWaitsPass> {
  void runOnOperation() override {
    SmallVector<AsyncWaitOp> waits;
    getOperation().walk([&](AsyncWaitOp wait) {
      if (wait->hasAttr(kSourceReadAttr) && wait.getPending() == 0 && !wait.getTokens().empty())
        waits.push_back(wait);
    });
    for (AsyncWaitOp wait : waits) {
      RoundOfStores round;
      round.wait = wait;
      round.loop = loopOf(wait);
      if (!round.loop)
        continue;
      StringRef why = find(round);
      if (why.empty() && !moveTilesOut(round))
        why = "a tile that lives as long as the loop would take more shared memory";
      if (!why.empty()) {
        remarks::missed(wait, remarks::kMemory, "DeferStoreWait") << remarks::because(why);
        continue;
      }
      remarks::passed(wait, remarks::kMemory, "DeferStoreWait")
          << remarks::because("the tile is written again a round later");
      defer(round);
      ++numDeferred;
    }
  }

private:
  /// The loop in every round of which, as far as there are tensor maps, the wait is reached.
  static CountedLoop loopOf(AsyncWaitOp wait) {
    Operation *around = wait->getParentOp();
    if (auto branch = dyn_cast<Branch>(around))
      around = branch->getParentOp();
    if (isa<ConsumerReadOp>(around))
      around = around->getParentOp();
    return dyn_cast<CountedLoop>(around);
  }

  /// Finds the tiles; why it is not done, or nothing.
  static StringRef find(RoundOfStores &round) {
    Block *block = round.wait->getBlock();
    if (auto branch = dyn_cast<Branch>(block->getParentOp());
        branch && !round.loop.isDefinedOutsideOfLoop(branch.getCondition()))
      return "whether the tile is stored by TMA differs from round to round";
    for (auto store : block->getOps<AsyncTiledTmaStoreOp>()) {
      auto tile = store.getSrc().getDefiningOp<AllocTensorOp>();
      if (!tile || tile->getBlock() != block)
        return "the tile is not one that is allocated for the store";
      round.tiles.insert(tile);
    }
    for (Value token : round.wait.getTokens()) {
      Operation *store = token.getDefiningOp();
      if (!isa_and_nonnull<AsyncTiledTmaStoreOp>(store) || store->getBlock() != block)
        return "other operations are waited for at the same time";
    }
    for (AllocTensorOp tile : round.tiles)
      for (Operation *user : tile->getUsers()) {
        auto copy = dyn_cast<CopyOp>(user);
        if (user->getBlock() != block || (!copy && !isa<AsyncTiledTmaStoreOp>(user)) ||
            (copy && copy.getDest() != tile.getResult()) || !user->isBeforeInBlock(round.wait))
          return "the tile is used for something else";
        if (copy && (!round.first || copy->isBeforeInBlock(round.first)))
          round.first = copy;
      }
    return round.first ? "" : "nothing writes the tile";
  }

  /// False, and all is as it was, if that costs shared memory. Where products of the same round wait for the store it
  /// may cost some, if as many blocks have room.
  bool moveTilesOut(RoundOfStores &round) {
    int64_t most = SharedPlan(getOperation()).place();
    if (round.isAmongProducts())
      most = std::max(most, SharedMemory(getOperation()).roomToKeep());
    SmallVector<std::pair<AllocTensorOp, Operation *>> places;
    for (AllocTensorOp tile : round.tiles) {
      places.push_back({tile, tile->getNextNode()});
      tile->moveBefore(round.loop);
    }
    if (SharedPlan(getOperation()).place() <= most)
      return true;
    // Where a tile begins to live is where it stands.
    for (auto [tile, next] : llvm::reverse(places))
      tile->moveBefore(next);
    return false;
  }

  static void defer(RoundOfStores &round) {
    Location loc = round.wait.getLoc();
    OpBuilder builder(round.first);
    auto waitForStores = [&] {
      auto wait = AsyncWaitOp::create(builder, loc, ValueRange(), /*pending=*/0);
      wait->setAttr(kSourceReadAttr, builder.getUnitAttr());
      wait->setAttr(kWaitsForStoresAttr, builder.getUnitAttr());
    };
    waitForStores();
    round.first.setNoWarBarrier(true);
    builder.setInsertionPointAfter(round.loop);
    waitForStores();
    round.wait.erase();
  }
};

} // namespace
