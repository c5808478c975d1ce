//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-optimize-dot-accumulation: a product that starts from zero and is added to something starts from that instead.
// The addition, and the registers of the product's own sums, go; in a loop (`s = s + dot(a, b, 0)`) the sums then stay
// where the matrix unit adds to them.
//
// Which order a product adds in is open (cuda_tile, "mmaf"), with one exception here: products of f32 are the chain of
// multiply-adds that begins with the accumulator, which programs compare bit by bit, and stay as they are written.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_OPTIMIZEDOTACCUMULATIONPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

/// Zero in every element.
bool isZero(Value v) {
  while (auto splat = v.getDefiningOp<nv_tileaa::SplatOp>())
    v = splat->getOperand(0);
  return matchPattern(v, m_AnyZeroFloat()) || matchPattern(v, m_Zero());
}

template <typename Add> struct FoldAddition : OpRewritePattern<Add> {
  using OpRewritePattern<Add>::OpRewritePattern;
  LogicalResult matchAndRewrite(Add op, PatternRewriter &rewriter) const override {
    for (unsigned side : {0u, 1u}) {
      Operation *product = op->getOperand(side).getDefiningOp();
      if (!product || !product->hasOneUse() || product->getBlock() != op->getBlock() ||
          !isa<nv_tileaa::DotOp, nv_tileaa::MmaBlockScaleOp>(product) || !isZero(product->getOperand(2)))
        continue;
      Type factor = cast<RankedTensorType>(product->getOperand(0).getType()).getElementType();
      Value other = op->getOperand(1 - side);
      if (factor.isF32() || other == op->getOperand(side))
        continue;
      // What is added may be made behind the product.
      rewriter.moveOpBefore(product, op);
      rewriter.modifyOpInPlace(product, [&] { product->setOperand(2, other); });
      rewriter.replaceOp(op, product->getResult(0));
      return success();
    }
    return failure();
  }
};

struct OptimizeDotAccumulationPass : nv_tileas::impl::OptimizeDotAccumulationPassBase<OptimizeDotAccumulationPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldAddition<arith::AddFOp>, FoldAddition<arith::AddIOp>>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
