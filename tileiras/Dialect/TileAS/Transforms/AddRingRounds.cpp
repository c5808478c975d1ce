//===- AddRingRounds.cpp - Tiles behind a loop in the loop's ring ---------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/AddRingRounds.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;

namespace {

/// What an agent does with a ring in one of its loops: the operations of a round, and the place that the loop carries.
template <typename Begin> struct Side {
  CountedLoop loop;
  Begin begin; ///< producer_acquire or consumer_wait
  unsigned place = 0;

  Value end() const { return loop->getResult(place); }

  /// Whoever used the place behind the loop uses the one behind that; `begins` is who takes it.
  void goOn(OpBuilder &builder, Operation *begins) const {
    auto next = IncIterOp::create(builder, begins->getLoc(), end().getType(), end());
    end().replaceUsesWithIf(next.getNext(),
                            [&](OpOperand &use) { return use.getOwner() != begins && use.getOwner() != next; });
  }
};

/// The loops of a ring in the order of their agent. Nothing if it is used anywhere else, or by two agents.
template <typename Begin> SmallVector<Side<Begin>> sidesOf(CreatePipelineOp ring, AgentSwitchOp agents) {
  SmallVector<Side<Begin>> sides;
  for (Operation *user : ring->getUsers()) {
    auto begin = dyn_cast<Begin>(user);
    if (!begin)
      continue;
    auto loop = dyn_cast<CountedLoop>(user->getParentOp());
    std::optional<unsigned> place = loop ? loop.getCarriedNumber(begin.getIterator()) : std::nullopt;
    if (!place || loop->getParentOp() != agents)
      return {};
    sides.push_back({loop, begin, *place});
  }
  for (const Side<Begin> &side : sides)
    if (side.loop->getBlock() != sides.front().loop->getBlock())
      return {};
  llvm::sort(sides, [](const Side<Begin> &a, const Side<Begin> &b) { return a.loop->isBeforeInBlock(b.loop); });
  return sides;
}

struct Candidate {
  AgentSwitchOp agents;
  AsyncTiledLoadOp load;
  AllocTensorOp tile;
  AsyncWaitOp wait;
  SmallVector<ViewOp> views; ///< of the tile, each of the one before
  DotOp product;             ///< that reads it
  Side<ConsumerWaitOp> reads;
  Side<ProducerAcquireOp> fills;
  ProducerWriteOp write;
  AsyncTiledLoadOp like; ///< the copy of the ring that it becomes
};

/// Whether one product behind the wait reads the tile, and nothing else does.
bool findProduct(Candidate &found) {
  Value name = found.tile;
  while (true) {
    Operation *reader = nullptr;
    for (Operation *user : name.getUsers()) {
      if (user == found.load)
        continue;
      if (reader || user->getBlock() != found.wait->getBlock() || !found.wait->isBeforeInBlock(user))
        return false;
      reader = user;
    }
    if (auto view = dyn_cast_if_present<ViewOp>(reader)) {
      found.views.push_back(view);
      name = view->getResult(0);
      continue;
    }
    found.product = dyn_cast_if_present<DotOp>(reader);
    return found.product && !isIn(found.product.getResult().getType(), MemoryKind::Tensor);
  }
}

/// The only user of its kind that the loop has for a ring.
template <typename Op> Op onlyUser(CreatePipelineOp ring, CountedLoop loop) {
  Op only;
  for (Operation *user : ring->getUsers())
    if (auto op = dyn_cast<Op>(user); op && op->getParentOp() == loop) {
      if (only)
        return {};
      only = op;
    }
  return only;
}

/// Whether what the two agents do in a round of the loops can be done behind them: always, and by the threads.
bool isPlain(CreatePipelineOp ring, CountedLoop fills, CountedLoop reads) {
  auto acquire = onlyUser<ProducerAcquireOp>(ring, fills);
  auto write = onlyUser<ProducerWriteOp>(ring, fills);
  auto commit = onlyUser<ProducerCommitOp>(ring, fills);
  auto release = onlyUser<ConsumerReleaseOp>(ring, reads);
  return acquire && write && commit && release && !acquire.getPredicate() && !write.getPredicate() &&
         !commit.getPredicate() && !release->hasAttr(kByProductsAttr) && onlyUser<ConsumerReadOp>(ring, reads);
}

/// Whether nobody takes the place behind the loop before the product does.
bool isNext(const Side<ConsumerWaitOp> &side, Operation *product) {
  return llvm::none_of(side.end().getUsers(), [&](Operation *user) {
    return product->getBlock()->findAncestorOpInBlock(*user)->isBeforeInBlock(product);
  });
}

/// Finds the ring of `found.load`, or says why it has none. Empty: it has.
StringRef findRing(Candidate &found) {
  Block *block = found.load->getBlock();
  StringRef why = "no loop before its products has stages of its kind";
  for (Operation &op : llvm::make_range(found.load->getIterator(), found.product->getIterator())) {
    auto loop = dyn_cast<CountedLoop>(&op);
    if (!loop)
      continue;
    for (Operation &inner : *loop.getBody()) {
      auto wait = dyn_cast<ConsumerWaitOp>(&inner);
      auto ring = wait ? wait.getPipeline().getDefiningOp<CreatePipelineOp>() : CreatePipelineOp();
      if (!ring)
        continue;
      SmallVector<Side<ConsumerWaitOp>> reads = sidesOf<ConsumerWaitOp>(ring, found.agents);
      SmallVector<Side<ProducerAcquireOp>> fills = sidesOf<ProducerAcquireOp>(ring, found.agents);
      auto mine = llvm::find_if(reads, [&](const auto &side) { return side.loop == loop; });
      if (mine == reads.end() || reads.size() != fills.size() || fills.front().loop->getBlock() == block) {
        why = "its ring is not filled and read by two agents in loops of their own";
        continue;
      }
      const Side<ProducerAcquireOp> &other = fills[mine - reads.begin()];
      if (!isPlain(ring, other.loop, loop)) {
        why = "a round of its ring is not done by threads alone";
        continue;
      }
      if (!isNext(*mine, found.product)) {
        why = "its ring goes on before its product";
        continue;
      }
      auto write = onlyUser<ProducerWriteOp>(ring, other.loop);
      for (auto copy : write.getBody().getOps<AsyncTiledLoadOp>())
        if (copy.getDest().getType() == found.tile.getType() && copy.getView() == found.load.getView() &&
            isa<BlockArgument>(copy.getDest())) {
          found.reads = *mine;
          found.fills = other;
          found.write = write;
          found.like = copy;
          why = "";
        }
    }
  }
  return why;
}

/// What an operation of the loop is behind it, where no schedule has a place for it.
Operation *cloneBehind(OpBuilder &builder, Operation *op, IRMapping &map, bool withRegions = true) {
  Operation *copy = builder.insert(withRegions ? op->clone(map) : op->cloneWithoutRegions(map));
  for (StringRef name : {kStageAttr, kOrderAttr})
    copy->removeDiscardableAttr(name);
  map.map(op->getResults(), copy->getResults());
  return copy;
}

/// Whether `value` is known outside of the agents, or can be computed from what is, without anything that has effects.
bool canBeKnown(AgentSwitchOp agents, Value value) {
  if (!agents->isAncestor(value.getParentRegion()->getParentOp()))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getParentOp() != agents || !isMemoryEffectFree(op))
    return false;
  llvm::SetVector<Value> needs(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), needs);
  return llvm::all_of(needs, [&](Value needed) { return canBeKnown(agents, needed); });
}

/// Values of one agent in another one: what that has computed itself before `behind`, as both come from one function,
/// or computed once more behind it.
class OtherAgent {
public:
  OtherAgent(AgentSwitchOp agents, Operation *behind) : agents(agents), behind(behind), builder(behind->getContext()) {
    builder.setInsertionPointAfter(behind);
  }

  Value find(Value value) {
    if (map.contains(value) || !agents->isAncestor(value.getParentRegion()->getParentOp()))
      return map.lookupOrDefault(value);
    Operation *op = value.getDefiningOp();
    llvm::SetVector<Value> needs(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), needs);
    for (Value needed : needs)
      map.map(needed, find(needed));
    for (Operation &other : llvm::make_range(behind->getBlock()->begin(), behind->getIterator())) {
      IRMapping inner = map;
      if (other.getName() == op->getName() &&
          OperationEquivalence::isEquivalentTo(
              op, &other, [&](Value a, Value b) { return success(inner.lookupOrDefault(a) == b); },
              [&](Value a, Value b) { inner.map(a, b); }, OperationEquivalence::IgnoreLocations)) {
        map.map(op->getResults(), other.getResults());
        return map.lookup(value);
      }
    }
    builder.clone(*op, map);
    return map.lookup(value);
  }

  OpBuilder &getBuilder() { return builder; }

private:
  AgentSwitchOp agents;
  Operation *behind;
  OpBuilder builder;
  IRMapping map;
};

/// Behind the loop of the agent that fills the ring, a round more.
void fill(Candidate &found) {
  Side<ProducerAcquireOp> &side = found.fills;
  auto ring = side.begin.getPipeline().getDefiningOp<CreatePipelineOp>();
  OtherAgent other(found.agents, side.loop);
  SmallVector<Value> indices = llvm::map_to_vector(found.load.getIndices(), [&](Value v) { return other.find(v); });
  Value valid = found.load.getValid() ? other.find(found.load.getValid()) : Value();
  Value token = found.load.getToken() ? other.find(found.load.getToken()) : Value();
  OpBuilder &builder = other.getBuilder();
  IRMapping map;
  map.map(side.begin.getIterator(), side.end());
  Operation *acquire = cloneBehind(builder, side.begin, map);
  Operation *write = cloneBehind(builder, found.write, map, /*withRegions=*/false);
  cloneBehind(builder, onlyUser<ProducerCommitOp>(ring, side.loop), map);
  side.goOn(builder, acquire);

  Block &like = found.write.getBody().front();
  Block *body = builder.createBlock(&write->getRegion(0), {}, like.getArgumentTypes(),
                                    SmallVector<Location>(like.getNumArguments(), write->getLoc()));
  map.map(like.getArguments(), body->getArguments());
  // Which thread copies which part, and how, is as in the loop.
  auto copy = cast<AsyncTiledLoadOp>(cloneBehind(builder, found.like, map));
  copy.getIndicesMutable().assign(indices);
  copy.getTokenMutable().assign(token ? ValueRange(token) : ValueRange());
  copy.getValidMutable().assign(valid ? ValueRange(valid) : ValueRange());
  copy.setInBoundsAttr(found.load.getInBoundsAttr());
  PipelineYieldOp::create(builder, copy.getLoc(), ValueRange(copy.getDone()));
}

/// The product of the tile reads it in that round's stage.
void read(Candidate &found) {
  Side<ConsumerWaitOp> &side = found.reads;
  auto ring = side.begin.getPipeline().getDefiningOp<CreatePipelineOp>();
  auto like = onlyUser<ConsumerReadOp>(ring, side.loop);
  DotOp product = found.product;
  OpBuilder builder(product);
  IRMapping map;
  map.map(side.begin.getIterator(), side.end());
  auto wait = cast<ConsumerWaitOp>(cloneBehind(builder, side.begin, map));
  SmallVector<Type> types = {like.getConsumed().getType()};
  llvm::append_range(types, product->getResultTypes());
  auto read = ConsumerReadOp::create(builder, product.getLoc(), types, ring.getPipeline(), wait.getToken());
  read.setConsumerIdx(like.getConsumerIdx());
  product->replaceAllUsesWith(read->getResults().drop_front());
  map.map(like.getConsumed(), read.getConsumed());
  cloneBehind(builder, onlyUser<ConsumerReleaseOp>(ring, side.loop), map);
  side.goOn(builder, wait);

  Block &stage = like.getBody().front();
  Block *body = builder.createBlock(&read.getBody(), {}, stage.getArgumentTypes(),
                                    SmallVector<Location>(stage.getNumArguments(), product.getLoc()));
  unsigned number = cast<BlockArgument>(found.like.getDest()).getArgNumber();
  found.tile.getResult().replaceUsesWithIf(body->getArgument(number),
                                           [&](OpOperand &use) { return use.getOwner() != found.load; });
  for (ViewOp view : found.views)
    view->moveBefore(body, body->end());
  product->moveBefore(body, body->end());
  builder.setInsertionPointToEnd(body);
  PipelineYieldOp::create(builder, product.getLoc(), product->getResults());
}

/// Whether the load is that of a tile which a product of its agent reads behind a loop.
bool isReadBehindLoop(Candidate &found) {
  AsyncTiledLoadOp load = found.load;
  found.tile = load.getDest().getDefiningOp<AllocTensorOp>();
  found.wait = load.getDone().hasOneUse() ? dyn_cast<AsyncWaitOp>(*load.getDone().user_begin()) : AsyncWaitOp();
  if (!found.tile || !found.wait || found.wait->getBlock() != load->getBlock() || found.wait->getNumOperands() != 1 ||
      !findProduct(found))
    return false;
  return llvm::any_of(llvm::make_range(load->getIterator(), found.wait->getIterator()),
                      [](Operation &op) { return isa<CountedLoop>(&op); });
}

StringRef whyNot(Candidate &found) {
  for (Value operand : found.load->getOperands())
    if (operand != found.load.getDest() && !canBeKnown(found.agents, operand))
      return "the agent that fills rings cannot know which tile it is";
  if (!found.load.getResultToken().use_empty())
    return "something comes after the copy";
  return findRing(found);
}

} // namespace

RingRounds nv_tileas::addRingRounds(AgentSwitchOp agents) {
  RingRounds rounds;
  SmallVector<AsyncTiledLoadOp> loads;
  agents->walk([&](AsyncTiledLoadOp load) {
    if (load->getParentOp() == agents)
      loads.push_back(load);
  });
  for (AsyncTiledLoadOp load : loads) {
    Candidate found;
    found.agents = agents;
    found.load = load;
    if (!isReadBehindLoop(found))
      continue;
    if (StringRef why = whyNot(found); !why.empty()) {
      rounds.why = why;
      continue;
    }
    fill(found);
    read(found);
    found.wait.erase();
    load.erase();
    found.tile.erase();
    ++rounds.added;
  }
  return rounds;
}
