//===- AlternateTiles.cpp - Every other tile block for an agent -----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/AlternateTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/AgentSlices.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;

namespace {

constexpr int32_t kWarps = 4; ///< of each agent

class Alternation {
public:
  Alternation(AgentSwitchOp &agents, ArrayRef<int32_t> turns)
      : agents(agents), agent(&agents->getRegion(0)), turns(turns) {}

  StringRef run() {
    if (agents.getNumWarps()->front() != kWarps)
      return "a tile block takes another number of warps than four";
    if (StringRef why = findTiles(); !why.empty())
      return why;
    if (StringRef why = findRings(); !why.empty())
      return why;
    if (StringRef why = checkOperations(); !why.empty())
      return why;
    passOver();
    return build();
  }

private:
  /// The loop over tile blocks, beside which the agent does nothing that must not be done twice.
  StringRef findTiles() {
    Block::iterator end = agent->front().getTerminator()->getIterator(), begin = agent->front().begin();
    auto found = std::find_if(begin, end, [](Operation &op) { return op.hasAttr(kPersistentAttr); });
    if (found == end)
      return "there is no loop over tile blocks (persistent-blocks, dynamic-persistent)";
    tiles = dyn_cast<CountedLoop>(*found);
    if (!tiles || tiles->hasAttr(kTakesOverAttr) || !tiles.getStep().getType().isInteger(32))
      return "its loop over tile blocks is not one that counts them";
    for (Operation &op : agent->front().without_terminator())
      if (&op != tiles && !isMemoryEffectFree(&op) && !isa<AllocTensorOp, MakeTiledTmaDescOp>(op))
        return "an agent does more than go through tile blocks";
    return "";
  }

  /// What the loop over tile blocks carries of each ring: one loop in it reads a filling in each of its rounds, as many
  /// for every tile block.
  StringRef findRings() {
    for (BlockArgument carried : tiles.getRegionIterArgs()) {
      if (!isa<PipelineIteratorType>(carried.getType()))
        continue;
      auto first = tiles.getTiedLoopInit(carried)->get().getDefiningOp<CreateIteratorOp>();
      auto inner = carried.hasOneUse() ? dyn_cast<CountedLoop>(*carried.user_begin()) : CountedLoop();
      if (!first || !inner || inner->getParentOp() != tiles || !inner.getCarriedNumber(*carried.use_begin()))
        return "a ring is read outside of one loop for each tile block";
      BlockArgument place = inner.getRegionIterArg(*inner.getCarriedNumber(*carried.use_begin()));
      auto next = inner.getTiedLoopYieldedValue(place)->get().getDefiningOp<IncIterOp>();
      Value behind = inner.getTiedLoopResult(place);
      if (!next || next.getIterator() != place || next.getCount() ||
          tiles.getTiedLoopYieldedValue(carried)->get() != behind || !behind.hasOneUse())
        return "a ring is not read one stage after the other";
      for (Value bound : {inner.getLowerBound(), inner.getUpperBound(), inner.getStep()})
        if (!tiles.isDefinedOutsideOfLoop(bound) || !bound.getType().isInteger(32))
          return "tile blocks have different numbers of rounds";
      places.push_back({carried, inner, Value()});
      rings.insert(first.getPipeline().getDefiningOp());
    }
    WalkResult walk = agent->walk([&](Operation *op) {
      Value pipeline;
      if (auto wait = dyn_cast<ConsumerWaitOp>(op))
        pipeline = wait.getPipeline();
      else if (isa<ProducerAcquireOp, ProducerCommitOp, ProducerWriteOp>(op))
        return WalkResult::interrupt();
      else
        return WalkResult::advance();
      auto wait = cast<ConsumerWaitOp>(op);
      bool isOf = rings.contains(pipeline.getDefiningOp()) && llvm::any_of(places, [&](const Place &place) {
                    return place.loop == op->getParentOp() && isa<BlockArgument>(wait.getIterator());
                  });
      return isOf ? WalkResult::advance() : WalkResult::interrupt();
    });
    return walk.wasInterrupted() || places.empty() ? "stages are waited for elsewhere than in loops of tile blocks"
                                                   : "";
  }

  StringRef checkOperations() {
    StringRef why = "there is no product of an asynchronous unit";
    agent->walk([&](DotOp dot) {
      if (dot.getAtom() && dot.getAtom()->getCompletion() == Completion::WaitGroup)
        why = "";
    });
    agent->walk([&](Operation *op) {
      if (isa<NVVM::BarrierOp, NVVM::BarrierArriveOp, NVVM::ClusterArriveOp, NVVM::ClusterWaitOp>(op))
        why = "its warps meet others";
      // A shared tile from outside would be both agents'.
      for (Value operand : op->getOperands())
        if (auto tile = operand.getDefiningOp<AllocTensorOp>(); tile && !agent->isAncestor(tile->getParentRegion()))
          why = "a shared tile is not the agent's own";
    });
    return why;
  }

  /// The rounds of a loop, in front of the loop over tile blocks.
  Value countRounds(OpBuilder &builder, CountedLoop loop) {
    Location loc = loop.getLoc();
    auto number = [&](int32_t value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
    };
    Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
    // Without a sign the difference is right whatever the type of the bounds.
    Value rounds = arith::SubIOp::create(builder, loc, upper, lower);
    if (!matchPattern(loop.getStep(), m_One())) {
      Value last = arith::SubIOp::create(builder, loc, rounds, number(1));
      last = arith::DivUIOp::create(builder, loc, last, loop.getStep());
      rounds = arith::AddIOp::create(builder, loc, last, number(1));
    }
    return arith::SelectOp::create(builder, loc, loop.isBelow(builder, loc, lower, upper), rounds, number(0));
  }

  /// Behind each loop that reads a ring the iterator passes over the fillings of the other agent.
  void passOver() {
    OpBuilder builder(tiles);
    for (Place &place : places) {
      place.rounds = countRounds(builder, place.loop);
      OpOperand *yielded = tiles.getTiedLoopYieldedValue(place.carried);
      OpBuilder inside(tiles.getBody()->getTerminator());
      yielded->set(IncIterOp::create(inside, tiles.getLoc(), yielded->get().getType(), yielded->get(), place.rounds));
    }
  }

  StringRef build() {
    // tileas-dynamic-persistent counts up to 2^30 tile blocks by steps of as many as there are multiprocessors.
    OpBuilder before(tiles);
    Location loc = tiles.getLoc();
    Value step = tiles.getStep(), first = tiles.getLowerBound();
    Value twice = arith::AddIOp::create(before, loc, step, step);
    Value second = arith::AddIOp::create(before, loc, first, step);
    if (failed(tiles.setCounts(first, twice)))
      return "its loop over tile blocks has no other bounds";
    OpBuilder builder(agents);
    tiles->setAttr(kTileTurnsAttr, builder.getDenseI32ArrayAttr(turns));
    IRMapping map;
    agents = makeTwoOfFirst(agents, map);
    CountedLoop other(map.lookup(tiles.getOperation()));
    if (failed(other.setCounts(map.lookup(second), other.getStep())))
      return "its loop over tile blocks has no other bounds";
    OpBuilder inOther(other);
    for (Place &place : places) {
      OpOperand *init = other.getTiedLoopInit(cast<BlockArgument>(map.lookup<Value>(place.carried)));
      init->set(IncIterOp::create(inOther, loc, init->get().getType(), init->get(), map.lookupOrDefault(place.rounds)));
    }
    for (Operation *ring : rings) {
      ring->removeAttr(kDrainedAttr); // when one agent is done the other one may still read
      ring->setAttr(kInTurnAttr, builder.getUnitAttr());
      ring->setAttr(kTileTurnsAttr, builder.getDenseI32ArrayAttr(turns));
    }
    return {};
  }

  /// A ring's iterator, as the loop over tile blocks carries it, the loop that reads it, and its number of rounds.
  struct Place {
    BlockArgument carried;
    CountedLoop loop;
    Value rounds;
  };

  AgentSwitchOp &agents;
  Region *agent;
  ArrayRef<int32_t> turns;
  CountedLoop tiles;
  SmallVector<Place> places;
  llvm::SetVector<Operation *> rings;
};

} // namespace

StringRef nv_tileas::alternateTiles(AgentSwitchOp &agents, ArrayRef<int32_t> turns) {
  return Alternation(agents, turns).run();
}

std::optional<int64_t> nv_tileas::wordsOfSumsInPlace(nv_tileaa::FuncOp func) {
  int64_t products = 0, sums = 0;
  func.walk([&](nv_tileaa::DotOp dot) {
    ++products;
    sums = cast<RankedTensorType>(dot->getResult(0).getType()).getNumElements();
  });
  if (products != 1)
    return std::nullopt;
  for (Operation &op : func.getBody().front().without_terminator()) {
    if (op.walk([](nv_tileaa::DotOp) { return WalkResult::interrupt(); }).wasInterrupted())
      continue;                // a loop with the product
    constexpr int64_t few = 8; // a row or a column beside the sums
    bool small = llvm::all_of(op.getResultTypes(), [&](Type type) {
      auto tile = dyn_cast<RankedTensorType>(type);
      return !tile || tile.getNumElements() * few <= sums;
    });
    bool again = isa<nv_tileaa::SplatOp, nv_tileaa::BroadcastOp>(op) || op.hasTrait<OpTrait::ConstantLike>();
    if (op.getNumRegions() || !(small || again || isElementwise(&op)))
      return std::nullopt;
  }
  return sums;
}
