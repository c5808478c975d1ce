//===- ProductRing.cpp - Rings whose stages products read -----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/ProductRing.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;

bool nv_tileas::isOfStage(Value tile, Block *region) {
  while (Operation *def = tile.getDefiningOp()) {
    if (!isReshape(def))
      return false;
    tile = def->getOperand(0);
  }
  return cast<BlockArgument>(tile).getOwner() == region;
}

bool nv_tileas::hasColumnsOfStage(DotOp dot, Block *region) {
  Value columns = dot.getColumns();
  return columns && columns.hasOneUse() && isOfStage(columns, region);
}

StringRef ProductRing::find() {
  for (Operation *user : ring.getPipeline().getUsers()) {
    if (auto reading = dyn_cast<ConsumerReadOp>(user)) {
      if (read)
        return "several places read its stages";
      read = reading;
    } else if (auto releasing = dyn_cast<ConsumerReleaseOp>(user)) {
      if (release)
        return "several places release its stages";
      release = releasing;
    }
  }
  loop = read ? dyn_cast<CountedLoop>(read->getParentOp()) : CountedLoop();
  if (!loop || !release || release->getParentOp() != loop || release.getToken() != read.getConsumed() ||
      loop->getBlock() != ring->getBlock())
    return "its stages are not read in a loop beside it";
  wait = read.getToken().getDefiningOp<ConsumerWaitOp>();
  auto at = wait ? dyn_cast<BlockArgument>(wait.getIterator()) : BlockArgument();
  if (!at || wait->getBlock() != loop.getBody() || !loop.getCarriedNumber(at))
    return "its stages are not waited for in the loop";
  auto next = loop.getTiedLoopYieldedValue(at)->get().getDefiningOp<IncIterOp>();
  if (!next || next.getCount() || next.getIterator() != at)
    return "the loop does not read one stage after the other";
  return {};
}

void ProductRing::releaseByProducts() {
  release->setAttr(kByProductsAttr, UnitAttr::get(ring.getContext()));
  // The stage that was read last is one round before the place of the loop's iterator, less one.
  auto argument = cast<BlockArgument>(wait.getIterator());
  OpBuilder builder(loop->getBlock(), std::next(loop->getIterator()));
  Location loc = read.getLoc();
  Value at = loop.getTiedLoopResult(argument);
  for (int32_t i = 1, stages = ring.getNumStages(); i < stages; ++i)
    at = IncIterOp::create(builder, loc, at.getType(), at);
  ProducerAcquireOp::create(builder, loc, PipelineProducerTokenType::get(ring.getContext()), ring.getPipeline(), at,
                            Value());
}
