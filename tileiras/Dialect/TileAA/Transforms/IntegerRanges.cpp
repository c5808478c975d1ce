//===- IntegerRanges.cpp - What ranges of integers decide -----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileaa-int-range-optimizations: MLIR's int-range-optimizations (comparisons that ranges decide, values that can be
// one number only), with ranges of divisions rounded up that hold. LLVM 22 infers those from the quotients of the
// ranges' ends and takes the smallest integer by any divisor above one for its negative: -32768 by 32766, rounded up,
// for 1. Nothing is inferred for a dividend that may be the smallest.
//
// Signed divisions and remainders of numbers that cannot be negative become unsigned ones, which round one way only:
//
//     %column = %round * 64 + make_range(0, 64)               // %round < 5
//     %tap = arith.floordivsi %column, %c32              ->  %tap = arith.divui %column, %c32
//     %channel = arith.remsi %column, %c32                   %channel = arith.remui %column, %c32
//
// Eight neighbours have one tap then, and eight channels that follow each other: a window of a convolution is loaded 16
// bytes at a time (AxisInfo), and what is left of the divisions is a shift and a mask. Nothing else is made unsigned,
// as MLIR's arith-unsigned-when-equivalent would: comparisons are looked for as they were written.
//
//===----------------------------------------------------------------------===//

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tileiras/Dialect/TileAA/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::nv_tileaa {
#define GEN_PASS_DEF_INTEGERRANGESPASS
#include "tileiras/Dialect/TileAA/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileaa

using namespace mlir;

namespace {

struct Ranges : dataflow::IntegerRangeAnalysis {
  using IntegerRangeAnalysis::IntegerRangeAnalysis;
  LogicalResult visitOperation(Operation *op, ArrayRef<const dataflow::IntegerValueRangeLattice *> operands,
                               ArrayRef<dataflow::IntegerValueRangeLattice *> results) override {
    if (isa<arith::CeilDivSIOp>(op)) {
      const IntegerValueRange &dividend = operands[0]->getValue();
      if (!dividend.isUninitialized() && dividend.getValue().smin().isMinSignedValue()) {
        setAllToEntryStates(results);
        return success();
      }
    }
    return IntegerRangeAnalysis::visitOperation(op, operands, results);
  }
};

/// What is erased has no range any more; another operation may come to lie where it was.
struct Forgetting : RewriterBase::Listener {
  explicit Forgetting(DataFlowSolver &solver) : solver(solver) {}
  void notifyOperationErased(Operation *op) override {
    solver.eraseState(solver.getProgramPointAfter(op));
    for (Value result : op->getResults())
      solver.eraseState(result);
  }
  DataFlowSolver &solver;
};

/// The unsigned operation with the same result where neither operand is negative; null for others.
Operation *createUnsigned(Operation *op, OpBuilder &b) {
  Value x = op->getOperand(0), y = op->getOperand(1);
  return TypeSwitch<Operation *, Operation *>(op)
      .Case<arith::DivSIOp, arith::FloorDivSIOp>([&](auto) { return arith::DivUIOp::create(b, op->getLoc(), x, y); })
      .Case<arith::CeilDivSIOp>([&](auto) { return arith::CeilDivUIOp::create(b, op->getLoc(), x, y); })
      .Case<arith::RemSIOp>([&](auto) { return arith::RemUIOp::create(b, op->getLoc(), x, y); })
      .Default([](Operation *) { return nullptr; });
}

struct IntegerRangesPass : nv_tileaa::impl::IntegerRangesPassBase<IntegerRangesPass> {
  void runOnOperation() override {
    DataFlowSolver solver;
    dataflow::loadBaselineAnalyses(solver);
    solver.load<Ranges>();
    if (failed(solver.initializeAndRun(getOperation())))
      return signalPassFailure();
    Forgetting listener(solver);
    RewritePatternSet patterns(&getContext());
    arith::populateIntRangeOptimizationsPatterns(patterns, solver);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns),
                                     GreedyRewriteConfig().enableFolding(false).setListener(&listener))))
      return signalPassFailure();
    makeUnsigned();
  }

private:
  void makeUnsigned() {
    SmallVector<Operation *> divisions;
    getOperation()->walk([&](Operation *op) {
      if (isa<arith::DivSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp, arith::RemSIOp>(op))
        divisions.push_back(op);
    });
    if (divisions.empty())
      return;
    // What was folded above has no ranges in the solver that decided it.
    DataFlowSolver solver;
    dataflow::loadBaselineAnalyses(solver);
    solver.load<Ranges>();
    if (failed(solver.initializeAndRun(getOperation())))
      return signalPassFailure();
    // All is asked before anything changes, as new values have no ranges.
    llvm::erase_if(divisions, [&](Operation *op) {
      return llvm::any_of(op->getOperands(),
                          [&](Value v) { return failed(dataflow::staticallyNonNegative(solver, v)); });
    });
    for (Operation *op : divisions) {
      OpBuilder b(op);
      op->replaceAllUsesWith(createUnsigned(op, b));
      op->erase();
      ++numUnsigned;
    }
  }
};

} // namespace
