//===- AgentSlices.cpp - The part of a function that an agent runs --------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/AgentSlices.h"

using namespace mlir;
using namespace mlir::nv_tileas;

LogicalResult AgentSlice::addRoot(Operation *op) { return needOp(op, /*isRoot=*/true); }

LogicalResult AgentSlice::need(Value value) {
  if (!body->getParent()->isAncestor(value.getParentRegion()))
    return success(); // from around all agents
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Block *owner = argument.getOwner();
    if (owner == body)
      return success();
    Operation *parent = owner->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      if (argument == loop.getInductionVar())
        return needOp(loop, /*isRoot=*/true);
      return needArgument(loop, argument.getArgNumber() - loop.getNumInductionVars());
    }
    return needOp(parent, /*isRoot=*/false);
  }
  Operation *def = value.getDefiningOp();
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(def); loop && !shared.contains(def))
    return needArgument(loop, number);
  if (auto branch = dyn_cast<scf::IfOp>(def); branch && !shared.contains(def))
    return needResult(branch, number);
  return needOp(def, /*isRoot=*/false);
}

LogicalResult AgentSlice::needArgument(scf::ForOp loop, unsigned number) {
  if (!carried.insert({loop, number}).second)
    return success();
  if (failed(needOp(loop, /*isRoot=*/true)) || failed(need(loop.getInitArgs()[number])))
    return failure();
  return need(loop.getYieldedValues()[number]);
}

LogicalResult AgentSlice::needResult(scf::IfOp branch, unsigned number) {
  if (!carried.insert({branch, number}).second)
    return success();
  if (failed(needOp(branch, /*isRoot=*/true)) || failed(need(branch.thenYield().getOperand(number))))
    return failure();
  return need(branch.elseYield().getOperand(number));
}

LogicalResult AgentSlice::needOp(Operation *op, bool isRoot) {
  // What stands in another kind of region is cloned with what it stands in.
  while (op->getBlock() != body && !isa<scf::ForOp, scf::IfOp>(op->getParentOp()))
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
  for (Value operand : op->getOperands()) {
    // Initial values of iteration arguments are needed with these.
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && llvm::is_contained(loop.getInitArgs(), operand) &&
                                              operand != loop.getLowerBound() && operand != loop.getUpperBound() &&
                                              operand != loop.getStep())
      continue;
    if (failed(need(operand)))
      return failure();
  }
  if (isa<scf::ForOp, scf::IfOp>(op))
    return success();
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

void AgentSlice::cloneBlock(Block *block, OpBuilder &builder, IRMapping &map) const {
  for (Operation &op : *block) {
    if (!ops.contains(&op))
      continue;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      cloneLoop(loop, builder, map);
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      cloneBranch(branch, builder, map);
    else
      builder.clone(op, map);
  }
}

void AgentSlice::cloneLoop(scf::ForOp loop, OpBuilder &builder, IRMapping &map) const {
  SmallVector<unsigned> kept;
  SmallVector<Value> inits;
  for (auto [i, init] : llvm::enumerate(loop.getInitArgs()))
    if (carried.contains({loop, unsigned(i)})) {
      kept.push_back(i);
      inits.push_back(map.lookupOrDefault(init));
    }
  auto copy = scf::ForOp::create(builder, loop.getLoc(), map.lookupOrDefault(loop.getLowerBound()),
                                 map.lookupOrDefault(loop.getUpperBound()), map.lookupOrDefault(loop.getStep()), inits);
  copy->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  copy.setUnsignedCmp(loop.getUnsignedCmp());
  map.map(loop.getInductionVar(), copy.getInductionVar());
  for (auto [to, from] : llvm::enumerate(kept)) {
    map.map(loop.getRegionIterArgs()[from], copy.getRegionIterArgs()[to]);
    map.map(loop.getResult(from), copy.getResult(to));
  }
  // A loop that carries nothing has its terminator already.
  if (!copy.getBody()->empty())
    copy.getBody()->back().erase();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(copy.getBody());
  cloneBlock(loop.getBody(), builder, map);
  SmallVector<Value> yielded;
  for (unsigned from : kept)
    yielded.push_back(map.lookupOrDefault(loop.getYieldedValues()[from]));
  scf::YieldOp::create(builder, loop.getLoc(), yielded);
}

void AgentSlice::cloneBranch(scf::IfOp branch, OpBuilder &builder, IRMapping &map) const {
  SmallVector<unsigned> kept;
  SmallVector<Type> types;
  for (unsigned i = 0; i < branch.getNumResults(); ++i)
    if (carried.contains({branch, i})) {
      kept.push_back(i);
      types.push_back(branch.getResult(i).getType());
    }
  auto copy = scf::IfOp::create(builder, branch.getLoc(), types, map.lookupOrDefault(branch.getCondition()),
                                /*addThenBlock=*/true, /*addElseBlock=*/branch.elseBlock() != nullptr);
  copy->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  for (auto [from, to] : {std::pair(branch.thenBlock(), copy.thenBlock()), {branch.elseBlock(), copy.elseBlock()}}) {
    if (!from)
      continue;
    if (!to->empty())
      to->back().erase();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(to);
    cloneBlock(from, builder, map);
    SmallVector<Value> yielded;
    for (unsigned i : kept)
      yielded.push_back(map.lookupOrDefault(from->getTerminator()->getOperand(i)));
    scf::YieldOp::create(builder, branch.getLoc(), yielded);
  }
  for (auto [to, from] : llvm::enumerate(kept))
    map.map(branch.getResult(from), copy.getResult(to));
}
