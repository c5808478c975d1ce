//===- MergeRings.cpp - One ring for loops that follow each other ---------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/MergeRings.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;

namespace {

/// A ring that one loop of its block fills and empties, and the numbers of the places that the loop carries.
struct LoopRing {
  CreatePipelineOp ring;
  CreateIteratorOp first;
  CountedLoop loop;
  unsigned filled = 0, read = 0;

  static std::optional<LoopRing> of(CreatePipelineOp ring) {
    LoopRing found;
    found.ring = ring;
    for (Operation *user : ring->getUsers())
      if (auto first = dyn_cast<CreateIteratorOp>(user)) {
        if (found.first || first->getBlock() != ring->getBlock())
          return std::nullopt;
        found.first = first;
      }
    if (!found.first)
      return std::nullopt;
    bool fills = false, reads = false;
    for (OpOperand &use : found.first->getUses()) {
      auto loop = dyn_cast<CountedLoop>(use.getOwner());
      std::optional<unsigned> number = loop ? loop.getCarriedNumber(use) : std::nullopt;
      if (!number || loop->getBlock() != ring->getBlock() || (found.loop && found.loop != loop) ||
          !loop.getResult(*number).use_empty())
        return std::nullopt;
      found.loop = loop;
      BlockArgument place = loop.getRegionIterArg(*number);
      auto isUsedBy = [&](auto kind) {
        return llvm::any_of(place.getUsers(), [](Operation *user) { return isa<decltype(kind)>(user); });
      };
      bool fillsHere = isUsedBy(ProducerAcquireOp()), readsHere = isUsedBy(ConsumerWaitOp());
      if (fillsHere == readsHere || (fillsHere ? fills : reads))
        return std::nullopt;
      (fillsHere ? fills : reads) = true;
      (fillsHere ? found.filled : found.read) = *number;
    }
    // Nobody uses it outside of the loop.
    bool inside = llvm::all_of(ring->getUsers(),
                               [&](Operation *user) { return user == found.first || found.loop->isAncestor(user); });
    return fills && reads && inside ? std::optional(found) : std::nullopt;
  }
};

bool isOfOneKind(CreatePipelineOp a, CreatePipelineOp b) {
  return a.getPipeline().getType() == b.getPipeline().getType() && !a.getBarriers() && !b.getBarriers() &&
         !a.getTma() && !b.getTma() && a->getPropertiesAsAttribute() == b->getPropertiesAsAttribute();
}

void goOn(LoopRing &earlier, LoopRing &later) {
  later.loop.getInitsMutable()[later.filled].assign(earlier.loop.getResult(earlier.filled));
  later.loop.getInitsMutable()[later.read].assign(earlier.loop.getResult(earlier.read));
  later.first.erase();
  SmallVector<Value> tiles(later.ring.getStages());
  later.ring.getPipeline().replaceAllUsesWith(earlier.ring.getPipeline());
  later.ring.erase();
  for (Value tile : tiles)
    if (auto alloc = tile.getDefiningOp<AllocTensorOp>(); alloc && alloc->use_empty())
      alloc.erase();
}

} // namespace

unsigned nv_tileas::mergeRings(nv_tileaa::FuncOp func) {
  unsigned merged = 0;
  SmallVector<CreatePipelineOp> rings;
  func.walk([&](CreatePipelineOp ring) { rings.push_back(ring); });
  SmallVector<LoopRing> ends; // of each ring that is left, the last loop
  for (CreatePipelineOp ring : rings) {
    std::optional<LoopRing> later = LoopRing::of(ring);
    if (!later)
      continue;
    auto earlier = llvm::find_if(ends, [&](LoopRing &end) {
      return end.loop->getBlock() == later->loop->getBlock() && end.loop->isBeforeInBlock(later->loop) &&
             isOfOneKind(end.ring, ring);
    });
    if (earlier == ends.end()) {
      ends.push_back(*later);
      continue;
    }
    goOn(*earlier, *later);
    later->ring = earlier->ring;
    later->first = earlier->first;
    *earlier = *later;
    ++merged;
  }
  return merged;
}
