//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// sink-negf-through-shapes: negf of a tile that has been broadcast, or got another shape, becomes negf of what it was
// made of, which is smaller or as large: the negative maximum of a row is computed per row, not per element.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_SINKNEGFPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

struct SinkNegF : OpRewritePattern<arith::NegFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::NegFOp op, PatternRewriter &rewriter) const override {
    Operation *shape = op.getOperand().getDefiningOp();
    // Operations that only say where elements are; a scalar is negated before it is spread.
    if (!shape || !shape->hasOneUse() ||
        !isa<nv_tileaa::BroadcastOp, nv_tileaa::ExpandDimsOp, nv_tileaa::SplatOp, nv_tileaa::ViewOp,
             nv_tileaa::PermuteOp, ViewOp>(shape))
      return failure();
    rewriter.setInsertionPoint(shape);
    Value negative = arith::NegFOp::create(rewriter, op.getLoc(), shape->getOperand(0), op.getFastmath());
    rewriter.modifyOpInPlace(shape, [&] { shape->setOperand(0, negative); });
    rewriter.replaceOp(op, shape->getResult(0));
    return success();
  }
};

struct SinkNegFPass : nv_tileas::impl::SinkNegFPassBase<SinkNegFPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SinkNegF>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
