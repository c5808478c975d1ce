//===- RingRound.cpp - A round of a ring behind its loop ------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/RingRound.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;

DotOp TileOfRound::findProduct() {
  tile = load.getDest().getDefiningOp<AllocTensorOp>();
  Value done = load.getDone(), name = tile;
  wait = done.hasOneUse() ? dyn_cast<AsyncWaitOp>(*done.user_begin()) : AsyncWaitOp();
  if (!tile || !wait || wait->getBlock() != load->getBlock())
    return {};
  while (true) {
    Operation *reader = nullptr;
    for (Operation *user : name.getUsers()) {
      if (user == load)
        continue;
      if (reader || user->getBlock() != wait->getBlock() || !wait->isBeforeInBlock(user))
        return {};
      reader = user;
    }
    if (auto view = dyn_cast_if_present<ViewOp>(reader)) {
      views.push_back(view);
      name = view->getResult(0);
      continue;
    }
    auto product = dyn_cast_if_present<DotOp>(reader);
    return product && !isIn(product.getResult().getType(), MemoryKind::Tensor) ? product : DotOp();
  }
}

bool TileOfRound::isAround(CountedLoop loop) const {
  return AsyncTiledLoadOp(load)->isBeforeInBlock(loop) && loop->isBeforeInBlock(AsyncWaitOp(wait));
}

void TileOfRound::erase() {
  SmallVector<Value> others;
  for (Value token : wait->getOperands())
    if (token != load.getDone())
      others.push_back(token);
  if (others.empty())
    wait.erase();
  else
    wait->setOperands(others);
  load.erase();
  tile.erase();
}

SmallVector<TileOfRound> nv_tileas::tilesInStage(ProducerWriteOp write, ArrayRef<TileOfRound> tiles) {
  SmallVector<TileOfRound> found;
  for (const TileOfRound &tile : tiles)
    for (auto copy : write.getBody().getOps<AsyncTiledLoadOp>())
      if (copy.getDest().getType() == AllocTensorOp(tile.tile).getType() &&
          copy.getView() == AsyncTiledLoadOp(tile.load).getView() && isa<BlockArgument>(copy.getDest()) &&
          llvm::none_of(found, [&](const TileOfRound &other) { return other.like == copy; })) {
        found.push_back(tile);
        found.back().like = copy;
        break;
      }
  return found;
}

Operation *nv_tileas::cloneOutside(OpBuilder &builder, Operation *op, IRMapping &map) {
  Operation *copy = builder.insert(op->cloneWithoutRegions(map));
  for (StringRef name : {kStageAttr, kOrderAttr, kPipelineStageAttr})
    copy->removeDiscardableAttr(name);
  map.map(op->getResults(), copy->getResults());
  return copy;
}

ConsumerReadOp nv_tileas::readInRing(DotOp product, ArrayRef<TileOfRound> tiles, ConsumerWaitOp waits, Value iterator) {
  auto ring = waits.getPipeline().getDefiningOp<CreatePipelineOp>();
  auto loop = cast<CountedLoop>(waits->getParentOp());
  auto like = onlyUserIn<ConsumerReadOp>(loop, ring);
  OpBuilder builder(product);
  IRMapping map;
  map.map(waits.getIterator(), iterator);
  auto wait = cast<ConsumerWaitOp>(cloneOutside(builder, waits, map));
  SmallVector<Type> types = {like.getConsumed().getType()};
  llvm::append_range(types, product->getResultTypes());
  auto read = ConsumerReadOp::create(builder, product.getLoc(), types, ring.getPipeline(), wait.getToken());
  read.setConsumerIdx(like.getConsumerIdx());
  product->replaceAllUsesWith(read->getResults().drop_front());
  map.map(like.getConsumed(), read.getConsumed());
  cloneOutside(builder, onlyUserIn<ConsumerReleaseOp>(loop, ring), map);

  Block &stage = like.getBody().front();
  Block *body = builder.createBlock(&read.getBody(), {}, stage.getArgumentTypes(),
                                    SmallVector<Location>(stage.getNumArguments(), product.getLoc()));
  for (const TileOfRound &tile : tiles) {
    unsigned number = cast<BlockArgument>(AsyncTiledLoadOp(tile.like).getDest()).getArgNumber();
    AllocTensorOp(tile.tile).getResult().replaceUsesWithIf(body->getArgument(number),
                                                           [&](OpOperand &use) { return use.getOwner() != tile.load; });
    for (ViewOp view : tile.views)
      view->moveBefore(body, body->end());
  }
  product->moveBefore(body, body->end());
  builder.setInsertionPointToEnd(body);
  PipelineYieldOp::create(builder, product.getLoc(), product->getResults());
  return read;
}
