//===- LoopSplit.cpp - Two loops instead of a branch in every iteration ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// loop-split: in
//     for %i in (%lb to %ub, step %s) { ... if (%i < %n) {A} else {B} ... }
// with an invariant %n the branch is taken for some first iterations and then
// never again. The loop becomes two: one with A up to the boundary, one with B
// from there on. Causal attention and halo loops look like this.
//
// The boundary is computed before the loops, for any values at run time:
//   first     = the least index for which the comparison has changed its mind:
//               %n for `<` and `>=`; %n + 1 for `<=` and `>`, or %ub if %n is not below %ub
//               (then %n + 1 might wrap, and all iterations are alike anyway)
//   boundary  = max(%lb, min(first, %ub))
//   the second loop starts at the first index of the loop that is not below the boundary, which needs
//   a division if the step is not 1, and is %ub if that index is not representable.
// An empty loop (%lb >= %ub) gives boundary = %lb and two empty loops.
//
// The `if` may stand deeper, in another `if` or in an inner loop; and whatever else asks for the comparison learns the
// answer, which is a constant in each of the two loops.
//
// An `if` is worth it if its larger branch has at least `split-threshold` operations (terminators do not count). The
// integer attribute cuda_tile.loop_split on the if, else on the for, else on the entry, replaces the threshold;
// 0 forbids the split.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"
#include "tileiras/Dialect/CudaTile/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"

namespace mlir::cuda_tile {
#define GEN_PASS_DEF_LOOPSPLITPASS
#include "tileiras/Dialect/CudaTile/Transforms/Passes.h.inc"
} // namespace mlir::cuda_tile

using namespace mlir;
using namespace mlir::cuda_tile;

namespace {

/// A comparison of the index that holds for a first part of the iterations and not for the rest, or the other way
/// round.
struct Candidate {
  CmpIOp compare;
  Value bound;
  bool holdsFirst;   ///< `<`, `<=`: true in the first loop
  bool includeBound; ///< `<=`, `>`: the index that equals the bound belongs to the first loop
};

ComparisonPredicate swapSides(ComparisonPredicate predicate) {
  switch (predicate) {
  case ComparisonPredicate::LessThan:
    return ComparisonPredicate::GreaterThan;
  case ComparisonPredicate::LessThanOrEqual:
    return ComparisonPredicate::GreaterThanOrEqual;
  case ComparisonPredicate::GreaterThan:
    return ComparisonPredicate::LessThan;
  case ComparisonPredicate::GreaterThanOrEqual:
    return ComparisonPredicate::LessThanOrEqual;
  default:
    return predicate;
  }
}

Signedness getSignedness(ForOp loop) { return loop.getUnsignedCmp() ? Signedness::Unsigned : Signedness::Signed; }

std::optional<Candidate> matchCompare(ForOp loop, Value condition) {
  auto compare = condition.getDefiningOp<CmpIOp>();
  // With the other signedness the comparison may change its mind twice.
  if (!compare || compare.getSignedness() != getSignedness(loop))
    return std::nullopt;
  ComparisonPredicate predicate = compare.getComparisonPredicate();
  Value index = compare.getLhs(), bound = compare.getRhs();
  if (index != loop.getInductionVar()) {
    std::swap(index, bound);
    predicate = swapSides(predicate);
  }
  if (index != loop.getInductionVar() || loop.getRegion().isAncestor(bound.getParentRegion()))
    return std::nullopt;
  switch (predicate) {
  case ComparisonPredicate::LessThan:
    return Candidate{compare, bound, true, false};
  case ComparisonPredicate::LessThanOrEqual:
    return Candidate{compare, bound, true, true};
  case ComparisonPredicate::GreaterThan:
    return Candidate{compare, bound, false, true};
  case ComparisonPredicate::GreaterThanOrEqual:
    return Candidate{compare, bound, false, false};
  default:
    return std::nullopt;
  }
}

int64_t countOperations(Block *block) {
  return block && !block->empty() ? llvm::range_size(block->without_terminator()) : 0;
}

bool isWorthIt(IfOp op, ForOp loop, int64_t threshold) {
  Operation *entry = loop->getParentOfType<FunctionOpInterface>();
  for (Operation *holder : {op.getOperation(), loop.getOperation(), entry})
    if (auto attr = holder ? holder->getAttrOfType<IntegerAttr>(loopSplitAttrName) : IntegerAttr()) {
      // Not getInt(): the attribute is the front end's, of any width.
      threshold = attr.getValue().getLimitedValue(INT64_MAX);
      break;
    }
  return threshold > 0 && std::max(countOperations(op.getThenBlock()), countOperations(op.getElseBlock())) >= threshold;
}

std::optional<Candidate> findCandidate(ForOp loop, int64_t threshold) {
  std::optional<Candidate> candidate;
  // Outer ones first: splitting at them may decide the inner ones.
  loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto branch = dyn_cast<IfOp>(op);
    if (branch && isWorthIt(branch, loop, threshold))
      candidate = matchCompare(loop, branch.getCondition());
    return candidate ? WalkResult::interrupt() : WalkResult::advance();
  });
  return candidate;
}

/// Puts a branch in the place of its `if`.
void replaceByBranch(IfOp op, bool condition) {
  Block *branch = condition ? op.getThenBlock() : op.getElseBlock();
  if (!branch || branch->empty()) {
    op.erase(); // an absent else has no results
    return;
  }
  Operation *terminator = branch->getTerminator();
  Block *parent = op->getBlock();
  if (isa<YieldOp>(terminator)) {
    op->replaceAllUsesWith(terminator->getOperands());
    terminator->erase();
  } else {
    // The branch ends the iteration: what follows is never reached.
    while (&parent->back() != op.getOperation())
      parent->back().erase(); // in this order, uses go before definitions
  }
  parent->getOperations().splice(op->getIterator(), branch->getOperations());
  op.erase();
}

/// A copy of the loop between other bounds, in which the comparison is known.
ForOp cloneWith(ImplicitLocOpBuilder &builder, ForOp loop, Value lower, Value upper, ValueRange inits, CmpIOp compare,
                bool holds) {
  IRMapping mapping;
  auto copy = cast<ForOp>(builder.clone(*loop, mapping));
  copy.getLowerBoundMutable().assign(lower);
  copy.getUpperBoundMutable().assign(upper);
  copy.getInitValuesMutable().assign(inits);
  auto compareCopy = cast<CmpIOp>(mapping.lookup(compare.getOperation()));
  // Inner ones before outer ones and back to front: a branch that ends the iteration removes the later ones, and a
  // branch that is not taken those in it, which must not be visited any more.
  SmallVector<IfOp> branches;
  copy.getBody()->walk<WalkOrder::PostOrder, ReverseIterator>([&](IfOp op) {
    if (op.getCondition() == compareCopy.getResult())
      branches.push_back(op);
  });
  for (IfOp op : branches)
    replaceByBranch(op, holds);
  if (!compareCopy->use_empty()) {
    OpBuilder inside(compareCopy);
    auto value = DenseIntElementsAttr::get(cast<ShapedType>(compareCopy.getType()), APInt(1, holds));
    Value known = ConstantOp::create(inside, compareCopy.getLoc(), cast<DenseIntOrFPElementsAttr>(value));
    compareCopy.getResult().replaceAllUsesWith(known);
  }
  compareCopy.erase();
  return copy;
}

std::pair<ForOp, ForOp> split(ForOp loop, const Candidate &candidate) {
  ImplicitLocOpBuilder builder(loop.getLoc(), loop);
  MLIRContext *context = loop.getContext();
  auto type = cast<TileType>(loop.getLowerBound().getType());
  auto boolType = TileType::get({}, IntegerType::get(context, 1));
  auto sign = SignednessAttr::get(context, getSignedness(loop));
  auto unsignedSign = SignednessAttr::get(context, Signedness::Unsigned);
  auto wrap = OverflowAttr::get(context, Overflow::None);
  auto below = ComparisonPredicateAttr::get(context, ComparisonPredicate::LessThan);
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound(), step = loop.getStep();

  Value first = candidate.bound;
  if (candidate.includeBound) {
    auto one = DenseIntElementsAttr::get(type, APInt(type.getElementTypeBitWidth(), 1));
    Value next = AddIOp::create(builder, first, ConstantOp::create(builder, cast<DenseIntOrFPElementsAttr>(one)), wrap);
    Value inside = CmpIOp::create(builder, boolType, below, first, upper, sign);
    first = SelectOp::create(builder, inside, next, upper);
  }
  Value boundary = MaxIOp::create(builder, MinIOp::create(builder, first, upper, sign), lower, sign);

  Value start = boundary;
  DenseIntElementsAttr stepAttr;
  bool unitStep = matchPattern(step, m_Constant(&stepAttr)) && stepAttr.getSplatValue<APInt>().isOne();
  if (!unitStep) {
    // The boundary is not below the lower bound, so that the distance is right as an unsigned number.
    Value distance = SubIOp::create(builder, boundary, lower, wrap);
    Value trips = DivIOp::create(builder, distance, step, unsignedSign,
                                 RoundingModeAttr::get(context, RoundingMode::PositiveInf));
    start = AddIOp::create(builder, lower, MulIOp::create(builder, trips, step, wrap), wrap);
    Value skipped = SubIOp::create(builder, start, boundary, wrap); // less than a step
    Value left = SubIOp::create(builder, upper, boundary, wrap);
    Value beyond = CmpIOp::create(builder, boolType, below, left, skipped, unsignedSign);
    start = SelectOp::create(builder, beyond, upper, start);
  }

  ForOp head = cloneWith(builder, loop, lower, boundary, loop.getInitValues(), candidate.compare, candidate.holdsFirst);
  ForOp tail = cloneWith(builder, loop, start, upper, head.getResults(), candidate.compare, !candidate.holdsFirst);
  loop->replaceAllUsesWith(tail.getResults());
  loop.erase();
  return {head, tail};
}

struct LoopSplitPass : cuda_tile::impl::LoopSplitPassBase<LoopSplitPass> {
  using Base::Base;

  /// How often the halves of a loop are split again, for other comparisons in it: a bound on the code's growth.
  static constexpr unsigned maxGenerations = 2;

  void runOnOperation() override {
    // Inner loops first: the copies of an outer loop then hold finished ones.
    SmallVector<ForOp> loops;
    getOperation()->walk<WalkOrder::PostOrder>([&](ForOp loop) {
      // The boundary takes a division, which the bodies of reductions and scans must not hold.
      bool inAggregate = loop->getParentOfType<ReduceOp>() || loop->getParentOfType<ScanOp>();
      if (!inAggregate && cast<TileType>(loop.getLowerBound().getType()).getElementTypeBitWidth() > 1)
        loops.push_back(loop);
    });
    for (ForOp loop : loops) {
      SmallVector<std::pair<ForOp, unsigned>> work{{loop, 0}};
      while (!work.empty()) {
        auto [current, generation] = work.pop_back_val();
        std::optional<Candidate> candidate =
            generation < maxGenerations ? findCandidate(current, splitThreshold) : std::nullopt;
        if (!candidate)
          continue;
        auto [head, tail] = split(current, *candidate);
        ++numSplit;
        work.emplace_back(tail, generation + 1);
        work.emplace_back(head, generation + 1);
      }
    }
  }
};

} // namespace
