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

/// A result that both branches agree on, or that is the condition itself, does not need the `if`.
static LogicalResult replaceYieldedValues(IfOp op, PatternRewriter &rewriter) {
  YieldOp yes = getYield(op.getThenBlock()), no = getYield(op.getElseBlock());
  if (!op.getNumResults() || !yes || !no)
    return failure();
  bool changed = false;
  for (auto [result, a, b] : llvm::zip_equal(op.getResults(), yes.getOperands(), no.getOperands())) {
    if (result.use_empty())
      continue;
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

/// Branches that only yield are a select.
static LogicalResult convertToSelect(IfOp op, PatternRewriter &rewriter) {
  Block *yesBlock = op.getThenBlock(), *noBlock = op.getElseBlock();
  YieldOp yes = getYield(yesBlock), no = getYield(noBlock);
  if (!op.getNumResults() || !yes || !no || !holdsOnlyTerminator(yesBlock) || !holdsOnlyTerminator(noBlock))
    return failure();
  // Tokens have no select, and the condition is a scalar: selecting between tiles wants it spread over the shape.
  for (Type type : op.getResultTypes()) {
    auto tile = dyn_cast<TileType>(type);
    if (!tile || tile.getRank() != 0 || isa<Float4E2M1FNType>(tile.getElementType()))
      return failure();
  }
  SmallVector<Value> values;
  for (auto [a, b] : llvm::zip_equal(yes.getOperands(), no.getOperands()))
    values.push_back(a == b ? Value(a)
                            : Value(SelectOp::create(rewriter, op.getLoc(), a.getType(), op.getCondition(), a, b)));
  rewriter.replaceOp(op, values);
  return success();
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

/// `if c A` right after `if c B` is one `if`: the first one cannot have changed c.
static LogicalResult mergeAdjacent(IfOp second, PatternRewriter &rewriter) {
  auto first = dyn_cast_or_null<IfOp>(second->getPrevNode());
  if (!first || first.getCondition() != second.getCondition())
    return failure();
  // Branches of the first must fall through to the second.
  if (!getYield(first.getThenBlock()) || (first.getElseBlock() && !getYield(first.getElseBlock())))
    return failure();
  // The merged results are those of both, so a branch of the second that leaves cannot yield them.
  auto leaves = [](Block *block) { return block && !getYield(block); };
  if (first.getNumResults() && (leaves(second.getThenBlock()) || leaves(second.getElseBlock())))
    return failure();
  // Inside the second, the results of the first are what its branch yielded.
  for (auto [i, result] : llvm::enumerate(first.getResults()))
    for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
      Region *region = use.getOwner()->getParentRegion();
      Block *block = nullptr;
      if (second.getThenRegion().isAncestor(region))
        block = first.getThenBlock();
      else if (second.getElseRegion().isAncestor(region))
        block = first.getElseBlock();
      if (block)
        rewriter.modifyOpInPlace(use.getOwner(), [&] { use.set(getYield(block).getOperand(i)); });
    }
  SmallVector<Type> types(first.getResultTypes());
  llvm::append_range(types, second.getResultTypes());
  IfOp merged = recreateIf(second, types, second.getCondition(), rewriter);
  auto prepend = [&](Region &from, Region &to) {
    if (from.empty())
      return;
    if (to.empty()) {
      rewriter.inlineRegionBefore(from, to, to.end());
      return;
    }
    YieldOp yield = getYield(&from.front());
    SmallVector<Value> values(yield.getOperands());
    rewriter.eraseOp(yield);
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
  if (op.getNumResults() || !op.getElseBlock())
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

void IfOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(foldStaticCondition);
  patterns.add(dropUnusedResults);
  patterns.add(replaceYieldedValues);
  patterns.add(convertToSelect);
  patterns.add(removeEmptyElse);
  patterns.add(swapNegatedCondition);
  patterns.add(mergeAdjacent);
  patterns.add(mergeNested);
  patterns.add(hoistTerminator);
}
