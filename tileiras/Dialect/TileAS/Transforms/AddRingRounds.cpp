//===- AddRingRounds.cpp - Tiles behind a loop in the loop's ring ---------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/AddRingRounds.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/Transforms/RingRound.h"
#include "llvm/ADT/MapVector.h"
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

/// The tiles of a product that have a place in a stage of one ring.
struct Round {
  AgentSwitchOp agents;
  DotOp product;
  SmallVector<TileOfRound> tiles;
  Side<ConsumerWaitOp> reads;
  Side<ProducerAcquireOp> fills;
};

/// Whether what the two agents do in a round of the loops can be done behind them: always, and by the threads.
bool isPlain(CreatePipelineOp ring, CountedLoop fills, CountedLoop reads) {
  auto acquire = onlyUserIn<ProducerAcquireOp>(fills, ring);
  auto write = onlyUserIn<ProducerWriteOp>(fills, ring);
  auto commit = onlyUserIn<ProducerCommitOp>(fills, ring);
  auto release = onlyUserIn<ConsumerReleaseOp>(reads, ring);
  return acquire && write && commit && release && !acquire.getPredicate() && !write.getPredicate() &&
         !commit.getPredicate() && !release->hasAttr(kByProductsAttr) && onlyUserIn<ConsumerReadOp>(reads, ring);
}

/// Whether nobody takes the place behind the loop before the product does.
bool isNext(const Side<ConsumerWaitOp> &side, Operation *product) {
  return llvm::none_of(side.end().getUsers(), [&](Operation *user) {
    return product->getBlock()->findAncestorOpInBlock(*user)->isBeforeInBlock(product);
  });
}

/// Finds the ring that has places for most of the tiles of a product, or says why there is none. Empty: there is.
StringRef findRing(Round &round, const SmallVector<TileOfRound> &tiles) {
  Block *block = round.product->getBlock();
  StringRef why = "no loop before its products has stages of its kind";
  for (Operation &op : llvm::make_range(block->begin(), round.product->getIterator())) {
    auto loop = dyn_cast<CountedLoop>(&op);
    if (!loop)
      continue;
    for (Operation &inner : *loop.getBody()) {
      auto wait = dyn_cast<ConsumerWaitOp>(&inner);
      auto ring = wait ? wait.getPipeline().getDefiningOp<CreatePipelineOp>() : CreatePipelineOp();
      if (!ring)
        continue;
      SmallVector<Side<ConsumerWaitOp>> reads = sidesOf<ConsumerWaitOp>(ring, round.agents);
      SmallVector<Side<ProducerAcquireOp>> fills = sidesOf<ProducerAcquireOp>(ring, round.agents);
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
      if (!isNext(*mine, round.product)) {
        why = "its ring goes on before its product";
        continue;
      }
      SmallVector<TileOfRound> before;
      llvm::copy_if(tiles, std::back_inserter(before),
                    [&](const TileOfRound &tile) { return AsyncTiledLoadOp(tile.load)->isBeforeInBlock(loop); });
      SmallVector<TileOfRound> found = tilesInStage(onlyUserIn<ProducerWriteOp>(other.loop, ring), before);
      if (found.empty() || found.size() < round.tiles.size())
        continue;
      round.tiles = std::move(found);
      round.reads = *mine;
      round.fills = other;
    }
  }
  return round.tiles.empty() ? why : "";
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
void fill(Round &round) {
  Side<ProducerAcquireOp> &side = round.fills;
  auto ring = side.begin.getPipeline().getDefiningOp<CreatePipelineOp>();
  auto written = onlyUserIn<ProducerWriteOp>(side.loop, ring);
  OtherAgent other(round.agents, side.loop);
  for (TileOfRound &copied : round.tiles)
    for (Value operand : copied.load->getOperands())
      if (operand != copied.load.getDest())
        other.find(operand);
  OpBuilder &builder = other.getBuilder();
  IRMapping map;
  map.map(side.begin.getIterator(), side.end());
  Operation *acquire = cloneOutside(builder, side.begin, map);
  Operation *write = cloneOutside(builder, written, map);
  cloneOutside(builder, onlyUserIn<ProducerCommitOp>(side.loop, ring), map);
  side.goOn(builder, acquire);

  Block &like = written.getBody().front();
  Block *body = builder.createBlock(&write->getRegion(0), {}, like.getArgumentTypes(),
                                    SmallVector<Location>(like.getNumArguments(), write->getLoc()));
  map.map(like.getArguments(), body->getArguments());
  SmallVector<Value> done;
  for (TileOfRound &copied : round.tiles) {
    // Which thread copies which part, and how, is as in the loop.
    auto copy = cast<AsyncTiledLoadOp>(cloneOutside(builder, copied.like, map));
    auto assign = [&](MutableOperandRange now, OperandRange before) {
      now.assign(llvm::map_to_vector(before, [&](Value v) { return other.find(v); }));
    };
    assign(copy.getIndicesMutable(), copied.load.getIndices());
    assign(copy.getTokenMutable(), copied.load.getTokenMutable());
    assign(copy.getValidMutable(), copied.load.getValidMutable());
    copy.setInBoundsAttr(copied.load.getInBoundsAttr());
    done.push_back(copy.getDone());
  }
  PipelineYieldOp::create(builder, write->getLoc(), done);
}

/// The product of the tiles reads them in that round's stage.
void read(Round &round) {
  Side<ConsumerWaitOp> &side = round.reads;
  ConsumerReadOp read = readInRing(round.product, round.tiles, side.begin, side.end());
  OpBuilder builder(read->getContext());
  builder.setInsertionPointAfter(read->getNextNode());
  side.goOn(builder, read.getToken().getDefiningOp());
}

/// The product that reads the tile of the load behind a loop, and nothing else does.
DotOp findProductBehindLoop(TileOfRound &copied) {
  DotOp product = copied.findProduct();
  if (!product)
    return {};
  auto between = llvm::make_range(copied.load->getIterator(), copied.wait->getIterator());
  bool isBehind = llvm::any_of(between, [](Operation &op) { return isa<CountedLoop>(&op); });
  return isBehind ? product : DotOp();
}

StringRef whyNot(AgentSwitchOp agents, AsyncTiledLoadOp load) {
  for (Value operand : load->getOperands())
    if (operand != load.getDest() && !canBeKnown(agents, operand))
      return "the agent that fills rings cannot know which tile it is";
  return load.getResultToken().use_empty() ? "" : "something comes after the copy";
}

} // namespace

RingRounds nv_tileas::addRingRounds(AgentSwitchOp agents) {
  RingRounds rounds;
  llvm::MapVector<Operation *, SmallVector<TileOfRound>> products;
  agents->walk([&](AsyncTiledLoadOp load) {
    TileOfRound copied{load};
    DotOp product = load->getParentOp() == agents ? findProductBehindLoop(copied) : DotOp();
    if (!product)
      return;
    if (StringRef why = whyNot(agents, load); !why.empty())
      rounds.why = why;
    else
      products[product].push_back(copied);
  });
  for (auto &[product, tiles] : products) {
    Round round;
    round.agents = agents;
    round.product = cast<DotOp>(product);
    if (StringRef why = findRing(round, tiles); !why.empty()) {
      rounds.why = why;
      continue;
    }
    fill(round);
    read(round);
    for (TileOfRound &tile : round.tiles)
      tile.erase();
    rounds.added += round.tiles.size();
  }
  return rounds;
}
