//===- CudaTileIfPatterns.cpp - Canonicalisation of `if` ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A branch ends in `yield`, or it leaves through `break`, `continue` or `return`; every pattern says which it takes.
//===----------------------------------------------------------------------===//
#include "CudaTileInternal.h"

using namespace mlir;
using namespace mlir::cuda_tile;

/// The `yield` that ends a branch; null for a missing branch and for one that leaves.
static YieldOp getYield(Block *block) { return block ? dyn_cast<YieldOp>(block->getTerminator()) : YieldOp(); }

static bool holdsOnlyTerminator(Block *block) { return block && llvm::hasSingleElement(*block); }

/// Moves the regions of `from` into a new `if` with other result types in front of it. The yields are the caller's.
static IfOp recreateIf(IfOp from, TypeRange types, Value condition, PatternRewriter &rewriter) {
  OperationState state(from.getLoc(), IfOp::getOperationName());
  state.addOperands(condition);
  state.addTypes(types);
  state.addAttributes(llvm::to_vector(from->getDiscardableAttrs()));
  state.addRegion();
  state.addRegion();
  auto to = cast<IfOp>(rewriter.create(state));
  rewriter.inlineRegionBefore(from.getThenRegion(), to.getThenRegion(), to.getThenRegion().end());
  rewriter.inlineRegionBefore(from.getElseRegion(), to.getElseRegion(), to.getElseRegion().end());
  return to;
}

/// The block runs instead of the op.
static LogicalResult foldStaticCondition(IfOp op, PatternRewriter &rewriter) {
  std::optional<bool> condition = getConstantBool(op.getCondition());
  if (!condition)
    return failure();
  Block *block = *condition ? op.getThenBlock() : op.getElseBlock();
  if (!block) {
    rewriter.eraseOp(op);
    return success();
  }
  if (YieldOp yield = getYield(block)) {
    SmallVector<Value> values(yield.getOperands());
    rewriter.eraseOp(yield);
    rewriter.inlineBlockBefore(block, op);
    rewriter.replaceOp(op, values);
    return success();
  }
  // The branch leaves for good: what follows the `if` never runs, and a `for` must keep ending in its own `continue`.
  Block *parent = op->getBlock();
  if (isa<ForOp>(parent->getParentOp()) && !isa<ContinueOp>(block->getTerminator()))
    return failure();
  while (&parent->back() != op.getOperation()) {
    Operation &last = parent->back();
    last.dropAllUses();
    rewriter.eraseOp(&last);
  }
  op->dropAllUses();
  rewriter.inlineBlockBefore(block, op);
  rewriter.eraseOp(op);
  return success();
}

/// Results that nobody reads are not yielded.
static LogicalResult dropUnusedResults(IfOp op, PatternRewriter &rewriter) {
  if (llvm::none_of(op.getResults(), [](Value v) { return v.use_empty(); }))
    return failure();
  SmallVector<unsigned> kept;
  SmallVector<Type> types;
  for (OpResult result : op.getResults())
    if (!result.use_empty()) {
      kept.push_back(result.getResultNumber());
      types.push_back(result.getType());
    }
  for (Block *block : {op.getThenBlock(), op.getElseBlock()}) {
    YieldOp yield = getYield(block);
    if (!yield)
      continue;
    SmallVector<Value> values;
    for (unsigned i : kept)
      values.push_back(yield.getOperand(i));
    rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(values); });
  }
  IfOp replacement = recreateIf(op, types, op.getCondition(), rewriter);
  for (auto [i, result] : llvm::zip_equal(kept, replacement.getResults()))
    rewriter.replaceAllUsesWith(op.getResult(i), result);
  rewriter.eraseOp(op);
  return success();
}

/// A result that both branches agree on, that only one branch can deliver because the other leaves, or that is the
/// condition itself, does not need the `if`.
static LogicalResult replaceYieldedValues(IfOp op, PatternRewriter &rewriter) {
  YieldOp yes = getYield(op.getThenBlock()), no = getYield(op.getElseBlock());
  if (!op.getNumResults() || (!yes && !no))
    return failure();
  bool changed = false;
  for (OpResult result : op.getResults()) {
    if (result.use_empty())
      continue;
    unsigned i = result.getResultNumber();
    Value a = (yes ? yes : no).getOperand(i), b = (no ? no : yes).getOperand(i);
    Value replacement;
    if (a == b && a.getParentRegion()->isProperAncestor(&op.getThenRegion()))
      replacement = a;
    else if (getConstantBool(a) == true && getConstantBool(b) == false &&
             result.getType() == op.getCondition().getType())
      replacement = op.getCondition();
    if (!replacement)
      continue;
    rewriter.replaceAllUsesWith(result, replacement);
    changed = true;
  }
  return success(changed);
}

/// The condition in the shape of `type`: it is a scalar, and a select chooses element by element.
static Value spreadCondition(Value condition, TileType type, PatternRewriter &rewriter, Location loc) {
  if (type.getRank() == 0)
    return condition;
  Type element = cast<TileType>(condition.getType()).getElementType();
  SmallVector<int64_t> ones(type.getRank(), 1);
  Value single = ReshapeOp::create(rewriter, loc, TileType::get(ones, element), condition);
  return type.getShape() == ArrayRef<int64_t>(ones)
             ? single
             : Value(BroadcastOp::create(rewriter, loc, TileType::get(type.getShape(), element), single));
}

/// Results between values that are there before the `if` are selects. The others stay, and with them the `if`.
static LogicalResult convertToSelect(IfOp op, PatternRewriter &rewriter) {
  YieldOp yes = getYield(op.getThenBlock()), no = getYield(op.getElseBlock());
  if (!op.getNumResults() || !yes || !no)
    return failure();
  auto isOutside = [&](Value value) { return value.getParentRegion()->isProperAncestor(&op.getThenRegion()); };
  bool changed = false;
  for (auto [result, a, b] : llvm::zip_equal(op.getResults(), yes.getOperands(), no.getOperands())) {
    // Tokens have no select, and neither have elements of four bits.
    auto tile = dyn_cast<TileType>(result.getType());
    if (result.use_empty() || !tile || isa<Float4E2M1FNType>(tile.getElementType()) || !isOutside(a) || !isOutside(b))
      continue;
    Value chosen = a;
    if (a != b) {
      Value condition = spreadCondition(op.getCondition(), tile, rewriter, op.getLoc());
      chosen = SelectOp::create(rewriter, op.getLoc(), tile, condition, a, b);
    }
    rewriter.replaceAllUsesWith(result, chosen);
    changed = true;
  }
  if (changed && holdsOnlyTerminator(op.getThenBlock()) && holdsOnlyTerminator(op.getElseBlock()) &&
      llvm::all_of(op.getResults(), [](Value result) { return result.use_empty(); }))
    rewriter.eraseOp(op);
  return success(changed);
}

static LogicalResult removeEmptyElse(IfOp op, PatternRewriter &rewriter) {
  if (op.getNumResults() || !holdsOnlyTerminator(op.getElseBlock()) || !getYield(op.getElseBlock()))
    return failure();
  rewriter.eraseBlock(op.getElseBlock());
  return success();
}

/// `if (not c) A else B` is `if c B else A`.
static LogicalResult swapNegatedCondition(IfOp op, PatternRewriter &rewriter) {
  Value condition = getNegated(op.getCondition());
  if (!condition || !op.getElseBlock())
    return failure();
  rewriter.modifyOpInPlace(op, [&] {
    op.getConditionMutable().assign(condition);
    Region saved;
    saved.takeBody(op.getThenRegion());
    op.getThenRegion().takeBody(op.getElseRegion());
    op.getElseRegion().takeBody(saved);
  });
  return success();
}

/// `if c A` right after `if c B` is one `if`: the first one cannot have changed c. Where a branch of the first leaves,
/// the same branch of the second is never reached.
static LogicalResult mergeAdjacent(IfOp second, PatternRewriter &rewriter) {
  auto first = dyn_cast_or_null<IfOp>(second->getPrevNode());
  if (!first || first.getCondition() != second.getCondition())
    return failure();
  auto leaves = [](Block *block) { return block && !getYield(block); };
  // With no way past the first, there is nothing to merge: what follows is dead, which others clean up.
  if (leaves(first.getThenBlock()) && leaves(first.getElseBlock()))
    return failure();
  // Inside the second, the results of the first are what its branch yielded. In a branch that is never reached, the
  // values of the other one do: it is about to be dropped.
  for (auto [i, result] : llvm::enumerate(first.getResults()))
    for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
      Region *region = use.getOwner()->getParentRegion();
      Block *block = nullptr;
      if (second.getThenRegion().isAncestor(region))
        block = first.getThenBlock();
      else if (second.getElseRegion().isAncestor(region))
        block = first.getElseBlock();
      if (block && !leaves(block))
        rewriter.modifyOpInPlace(use.getOwner(), [&] { use.set(getYield(block).getOperand(i)); });
    }
  SmallVector<Type> types(first.getResultTypes());
  llvm::append_range(types, second.getResultTypes());
  IfOp merged = recreateIf(second, types, second.getCondition(), rewriter);
  auto prepend = [&](Region &from, Region &to) {
    if (from.empty())
      return;
    if (leaves(&from.front()) && !to.empty())
      rewriter.eraseBlock(&to.front());
    if (to.empty()) {
      rewriter.inlineRegionBefore(from, to, to.end());
      return;
    }
    YieldOp yield = getYield(&from.front());
    SmallVector<Value> values(yield.getOperands());
    rewriter.eraseOp(yield);
    // A branch of the second that leaves yields nothing, also not for the first.
    if (YieldOp last = getYield(&to.front())) {
      llvm::append_range(values, last.getOperands());
      rewriter.modifyOpInPlace(last, [&] { last->setOperands(values); });
    }
    rewriter.inlineBlockBefore(&from.front(), &to.front(), to.front().begin());
  };
  prepend(first.getThenRegion(), merged.getThenRegion());
  prepend(first.getElseRegion(), merged.getElseRegion());
  unsigned count = first.getNumResults();
  rewriter.replaceAllUsesWith(first.getResults(), merged.getResults().take_front(count));
  rewriter.replaceAllUsesWith(second.getResults(), merged.getResults().drop_front(count));
  rewriter.eraseOp(second);
  rewriter.eraseOp(first);
  return success();
}

/// `if a { if b { .. } }` is `if a and b { .. }`.
static LogicalResult mergeNested(IfOp op, PatternRewriter &rewriter) {
  if (op.getNumResults() || op.getElseBlock() || !getYield(op.getThenBlock()))
    return failure();
  Block *block = op.getThenBlock();
  auto inner = dyn_cast<IfOp>(block->front());
  if (!inner || inner->getNextNode() != block->getTerminator() || inner.getNumResults() || inner.getElseBlock())
    return failure();
  // Nothing but the inner `if` stands in the outer one, so its condition is defined outside.
  rewriter.setInsertionPoint(op);
  Value both = AndIOp::create(rewriter, op.getLoc(), op.getCondition(), inner.getCondition());
  recreateIf(inner, {}, both, rewriter)->moveBefore(op);
  rewriter.eraseOp(op);
  return success();
}

/// Branches that leave in the same way choose what to leave with; the terminator stands once, after the `if`.
static LogicalResult hoistTerminator(IfOp op, PatternRewriter &rewriter) {
  if (!op.getElseBlock())
    return failure();
  Operation *yes = op.getThenBlock()->getTerminator(), *no = op.getElseBlock()->getTerminator();
  if (yes->getName() != no->getName() || isa<YieldOp>(yes) || yes->getAttrs() != no->getAttrs())
    return failure();
  Block *parent = op->getBlock();
  if (isa<ForOp>(parent->getParentOp()) && !isa<ContinueOp>(yes))
    return failure();
  // Nothing after the `if` runs.
  while (&parent->back() != op.getOperation()) {
    Operation &last = parent->back();
    last.dropAllUses();
    rewriter.eraseOp(&last);
  }
  SmallVector<Type> types(yes->getOperandTypes());
  rewriter.setInsertionPoint(op);
  IfOp replacement = recreateIf(op, types, op.getCondition(), rewriter);
  for (Operation *terminator : {yes, no}) {
    rewriter.setInsertionPoint(terminator);
    YieldOp::create(rewriter, terminator->getLoc(), terminator->getOperands());
  }
  rewriter.modifyOpInPlace(yes, [&] {
    yes->moveAfter(replacement);
    yes->setOperands(replacement.getResults());
  });
  rewriter.eraseOp(no);
  rewriter.eraseOp(op);
  return success();
}

/// Where one branch breaks and the other continues, say, what follows is dead. A terminator has to stay; it takes
/// whatever of the right type there is.
static LogicalResult removeUnreachable(IfOp op, PatternRewriter &rewriter) {
  if (!op.getElseBlock() || getYield(op.getThenBlock()) || getYield(op.getElseBlock()))
    return failure();
  Operation *last = &op->getBlock()->back();
  Operation *yes = op.getThenBlock()->getTerminator(), *no = op.getElseBlock()->getTerminator();
  if (yes->getName() == no->getName() || last == op)
    return failure();
  bool changed = false;
  // The operands of one of the branches, if they are known here and fit.
  for (Operation *terminator : {yes, no}) {
    auto isOutside = [&](Value value) { return value.getParentRegion()->isProperAncestor(&op.getThenRegion()); };
    if (last->getName() != terminator->getName() || llvm::equal(last->getOperands(), terminator->getOperands()) ||
        !llvm::equal(last->getOperandTypes(), terminator->getOperandTypes()) ||
        !llvm::all_of(terminator->getOperands(), isOutside))
      continue;
    rewriter.modifyOpInPlace(last, [&] { last->setOperands(terminator->getOperands()); });
    changed = true;
    break;
  }
  for (Operation *dead = last->getPrevNode(); dead != op.getOperation();) {
    Operation *before = dead->getPrevNode();
    if (dead->use_empty()) {
      rewriter.eraseOp(dead);
      changed = true;
    }
    dead = before;
  }
  return success(changed);
}

void IfOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(foldStaticCondition);
  patterns.add(dropUnusedResults);
  patterns.add(replaceYieldedValues);
  patterns.add(convertToSelect);
  patterns.add(removeEmptyElse);
  patterns.add(swapNegatedCondition);
  // Before what would put a select between the two.
  patterns.add(mergeAdjacent, /*benefit=*/2);
  patterns.add(mergeNested);
  patterns.add(hoistTerminator);
  patterns.add(removeUnreachable);
}
