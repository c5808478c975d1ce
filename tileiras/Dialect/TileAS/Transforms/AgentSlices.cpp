//===- AgentSlices.cpp - The part of a function that an agent runs --------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/AgentSlices.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/IR/RegionFlow.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::getDestinations;
using nv_tileaa::getSources;

/// Whether a slice may have a part of what is in `op`, and of what passes through it. Operands that are counted by
/// segments cannot be left out one by one.
static bool isDivided(Operation *op) {
  if (op->hasTrait<OpTrait::AttrSizedOperandSegments>() || !isa<RegionBranchOpInterface>(op))
    return false;
  return llvm::all_of(op->getRegions(), [&](Region &region) {
    return region.empty() || (region.hasOneBlock() && (region.getNumArguments() == 0 || isa<LoopLikeOpInterface>(op)));
  });
}

LogicalResult AgentSlice::addRoot(Operation *op) { return needOp(op, /*isRoot=*/true); }

LogicalResult AgentSlice::need(Value value) {
  if (!body->getParent()->isAncestor(value.getParentRegion()))
    return success(); // from around all agents
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() == body)
      return success();
    Operation *parent = argument.getOwner()->getParentOp();
    return isDivided(parent) ? needCarried(parent, value) : needOp(parent, /*isRoot=*/false);
  }
  Operation *def = value.getDefiningOp();
  return isDivided(def) && !shared.contains(def) ? needCarried(def, value) : needOp(def, /*isRoot=*/false);
}

/// An argument (of an induction variable there is nothing but the loop) or a result.
LogicalResult AgentSlice::needCarried(Operation *op, Value value) {
  if (!carried.insert(value).second)
    return success();
  if (failed(needOp(op, /*isRoot=*/true)))
    return failure();
  for (OpOperand *source : getSources(value)) {
    if (failed(need(source->get())))
      return failure();
    // An operand stays with all that it becomes.
    for (Value destination : getDestinations(*source))
      if (failed(needCarried(op, destination)))
        return failure();
  }
  return success();
}

bool AgentSlice::isKept(OpOperand &operand) const {
  SmallVector<Value, 2> destinations = getDestinations(operand);
  return destinations.empty() || llvm::any_of(destinations, [&](Value value) { return carried.contains(value); });
}

LogicalResult AgentSlice::needOp(Operation *op, bool isRoot) {
  // What stands in another kind of region is cloned with what it stands in.
  while (op->getBlock() != body && !isDivided(op->getParentOp()))
    op = op->getParentOp();
  if (shared.contains(op) || ops.contains(op))
    return success();
  if (!isRoot && !mayTake(op)) {
    blocked = op;
    return failure();
  }
  ops.insert(op);
  if (failed(needAround(op)))
    return failure();
  bool divided = isDivided(op);
  // What is passed on is needed with what it becomes.
  auto needOperands = [&](Operation *of) {
    return success(llvm::all_of(of->getOpOperands(), [&](OpOperand &operand) {
      return (divided && !getDestinations(operand).empty()) || succeeded(need(operand.get()));
    }));
  };
  if (failed(needOperands(op)))
    return failure();
  if (divided) {
    for (Region &region : op->getRegions())
      if (!region.empty() && failed(needOperands(region.front().getTerminator())))
        return failure();
    return success();
  }
  WalkResult walk = op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (!op->isAncestor(operand.getParentRegion()->getParentOp()) && failed(need(operand)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult AgentSlice::needAround(Operation *op) {
  if (op->getBlock() == body)
    return success();
  return needOp(op->getParentOp(), /*isRoot=*/true);
}

//===----------------------------------------------------------------------===//
// Cloning
//===----------------------------------------------------------------------===//

void AgentSlice::cloneBlock(Block *block, OpBuilder &builder, IRMapping &map) const {
  for (Operation &op : *block) {
    if (!ops.contains(&op))
      continue;
    if (isDivided(&op))
      cloneDivided(&op, builder, map);
    else
      builder.clone(op, map);
  }
}

/// Values that come from no operand, as induction variables, stay.
static bool isValueKept(Value value, const llvm::DenseSet<Value> &carried) {
  return carried.contains(value) || getSources(value).empty();
}

/// The operation without what is not kept of its operands and results, and with empty regions.
Operation *AgentSlice::cloneKept(Operation *op, OpBuilder &builder, IRMapping &map) const {
  OperationState state(op->getLoc(), op->getName());
  for (OpOperand &operand : op->getOpOperands())
    if (isKept(operand))
      state.operands.push_back(map.lookupOrDefault(operand.get()));
  for (Value result : op->getResults())
    if (isValueKept(result, carried))
      state.types.push_back(result.getType());
  state.attributes = op->getDiscardableAttrDictionary();
  state.propertiesAttr = op->getPropertiesAsAttribute();
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  return builder.create(state);
}

void AgentSlice::cloneDivided(Operation *op, OpBuilder &builder, IRMapping &map) const {
  Operation *copy = cloneKept(op, builder, map);
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), copy->getRegions())) {
    if (from.empty())
      continue;
    Block *block = &to.emplaceBlock();
    for (BlockArgument argument : from.getArguments())
      if (isValueKept(argument, carried))
        map.map(argument, block->addArgument(argument.getType(), argument.getLoc()));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    cloneBlock(&from.front(), builder, map);
    cloneKept(from.front().getTerminator(), builder, map);
  }
  unsigned number = 0;
  for (Value result : op->getResults())
    if (isValueKept(result, carried))
      map.map(result, copy->getResult(number++));
}

AgentSwitchOp nv_tileas::createWithOneMore(OpBuilder &builder, AgentSwitchOp agents) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(agents);
  OperationState state(agents.getLoc(), AgentSwitchOp::getOperationName());
  state.addOperands(agents->getOperands());
  state.addAttributes(agents->getAttrs());
  for (unsigned i = 0, count = agents.getAgents().size(); i <= count; ++i)
    state.addRegion();
  return cast<AgentSwitchOp>(builder.create(state));
}

AgentSwitchOp nv_tileas::makeTwoOfFirst(AgentSwitchOp agents, IRMapping &map) {
  OpBuilder builder(agents);
  AgentSwitchOp more = createWithOneMore(builder, agents);
  more->getRegion(0).takeBody(agents->getRegion(0));
  for (unsigned i = 1, count = agents.getAgents().size(); i < count; ++i)
    more->getRegion(i + 1).takeBody(agents->getRegion(i));
  more->getRegion(0).cloneInto(&more->getRegion(1), map);
  more->getRegion(1).walk([](Operation *op) {
    if (auto wait = dyn_cast<ConsumerWaitOp>(op))
      wait.setConsumerIdx(1);
    else if (auto read = dyn_cast<ConsumerReadOp>(op))
      read.setConsumerIdx(1);
  });
  auto twice = [](std::optional<ArrayRef<int32_t>> list) {
    SmallVector<int32_t> values(list->begin(), list->end());
    values.insert(values.begin(), values.front());
    return values;
  };
  more.setNumWarps(twice(agents.getNumWarps()));
  if (agents.getMaxRegs())
    more.setMaxRegs(twice(agents.getMaxRegs()));
  agents.erase();
  return more;
}
