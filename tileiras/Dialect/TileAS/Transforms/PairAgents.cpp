//===- PairAgents.cpp - Products of two blocks in agents ------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/PairAgents.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Cluster.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::Branch;
using nv_tileaa::CountedLoop;

/// The ring that has a tile of sums as its stage; null if there is none.
static CreatePipelineOp ringOfSums(Value sums) {
  if (auto argument = dyn_cast<BlockArgument>(sums)) {
    auto write = dyn_cast<ProducerWriteOp>(argument.getOwner()->getParentOp());
    return write ? write.getPipeline().getDefiningOp<CreatePipelineOp>() : CreatePipelineOp();
  }
  for (Operation *user : sums.getUsers())
    if (auto ring = dyn_cast<CreatePipelineOp>(user))
      return ring;
  return {};
}

/// What an iterator has become behind all loops that carry it. Null if more than one value goes on from it.
static Value lastOf(Value iterator) {
  for (;;) {
    SmallVector<Value> next;
    for (OpOperand &use : iterator.getUses()) {
      Operation *user = use.getOwner();
      if (auto loop = dyn_cast<CountedLoop>(user)) {
        std::optional<unsigned> carried = loop.getCarriedNumber(use);
        next.push_back(carried ? Value(loop.getResult(*carried)) : Value());
      } else if (auto increment = dyn_cast<IncIterOp>(user)) {
        next.push_back(increment->getResult(0));
      } else if (user->hasTrait<OpTrait::IsTerminator>()) {
        auto branch = dyn_cast<Branch>(user->getParentOp());
        next.push_back(branch ? Value(branch.getResult(use.getOperandNumber())) : Value());
      }
    }
    if (next.empty())
      return iterator;
    if (next.size() > 1 || !next.front())
      return {};
    iterator = next.front();
  }
}

std::string PairAgents::checkProduct(DotOp dot) {
  AgentSwitchOp around = getAgentSwitch(dot);
  int agent = around.agentOf(dot);
  if (!isSingleThread(around, agent))
    return "products have no agent of one thread";
  if (agents && (agents != around || number != agent))
    return "several agents multiply";
  agents = around, number = agent;
  CreatePipelineOp ring = ringOfSums(dot.getC());
  if (!ring)
    return "the sums are no ring's";
  sums.insert(ring);
  for (Operation *user : ring->getUsers()) {
    if (getAgentSwitch(user) != agents || !isRunByAllBlocks(user))
      return "not all blocks use sums as often";
    if (isa<ProducerCommitOp>(user) && !user->hasAttr(kByProductsAttr))
      return "others write the sums";
    if (isa<ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp>(user) && agents.agentOf(user) != number)
      return "others write the sums";
  }
  return {};
}

std::string PairAgents::checkRing(CreatePipelineOp ring) {
  bool filledByTma = false;
  for (Operation *user : ring->getUsers()) {
    if (getAgentSwitch(user) != agents || !isRunByAllBlocks(user))
      return "not all blocks use a ring as often";
    int agent = agents.agentOf(user);
    bool fills = isa<ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp>(user);
    if (fills == (agent == number) && !isa<CreateIteratorOp>(user))
      return "an agent fills the stages that it multiplies";
    if (auto write = dyn_cast<ProducerWriteOp>(user)) {
      Block &body = write.getBody().front();
      bool tensors = !body.getOps<AsyncTiledTmaLoadOp>().empty();
      if (tensors && !body.getOps<AsyncTiledLoadOp>().empty())
        return "threads copy a part of each stage";
      filledByTma |= tensors;
    }
    auto first = dyn_cast<CreateIteratorOp>(user);
    if (!first || agent == number)
      continue;
    Value last = lastOf(first);
    if (!last)
      return "where the filling of a ring ends is not known";
    fillers.push_back({ring, last});
  }
  return filledByTma ? "" : "TMA does not fill a ring";
}

void PairAgents::apply() {
  for (CreatePipelineOp ring : sums) {
    ring->setAttr(kCtaPairAttr, UnitAttr::get(ring.getContext()));
    ring->setAttr(kClusterRingAttr, IntegerAttr::get(IntegerType::get(ring.getContext(), 32), 2));
  }
  for (auto [ring, last] : fillers) {
    // The places of the next round: each of them is empty when the filling before it has been read.
    OpBuilder builder(ring.getContext());
    builder.setInsertionPointAfterValue(last);
    Location loc = ring.getLoc();
    Value place = last;
    for (int32_t i = 1, n = ring.getPipeline().getType().getStages(); i < n; ++i)
      place = IncIterOp::create(builder, loc, place.getType(), place);
    ProducerAcquireOp::create(builder, loc, PipelineProducerTokenType::get(ring.getContext()), ring, place, Value());
  }
}
