//===- IntegerRanges.cpp - What ranges of integers decide -----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileaa-int-range-optimizations: MLIR's int-range-optimizations (comparisons that ranges decide, values that can be
// one number only), with ranges of divisions rounded up that hold. LLVM 22 infers those from the quotients of the
// ranges' ends and takes the smallest integer by any divisor above one for its negative: -32768 by 32766, rounded up,
// for 1. Nothing is inferred for a dividend that may be the smallest.
//
//===----------------------------------------------------------------------===//

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tileiras/Dialect/TileAA/Transforms/Passes.h"

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
      signalPassFailure();
  }
};

} // namespace
