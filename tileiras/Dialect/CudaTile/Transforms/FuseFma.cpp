//===- FuseFma.cpp - a * b + c as one operation ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuse-fma: addf(mulf(a, b), c) becomes fma(a, b, c), and subf(mulf(a, b), c)
// becomes fma(a, b, -c). The product is no longer rounded, so results change;
// that is why the pass has to be asked for.
//
// A product with other uses would have to be computed all the same: it stays.
// Both operations must round and flush alike, or fma could stand for neither.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"
#include "tileiras/Dialect/CudaTile/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::cuda_tile {
#define GEN_PASS_DEF_FUSEFMAPASS
#include "tileiras/Dialect/CudaTile/Transforms/Passes.h.inc"
} // namespace mlir::cuda_tile

using namespace mlir;
using namespace mlir::cuda_tile;

namespace {

/// The product on the left of a sum or difference, if the two may be fused.
template <typename SumOp> MulFOp getFusibleProduct(SumOp sum) {
  auto product = sum.getLhs().template getDefiningOp<MulFOp>();
  if (!product || !product->hasOneUse() || product.getRoundingMode() != sum.getRoundingMode() ||
      product.getFlushToZero() != sum.getFlushToZero())
    return {};
  return product;
}

struct FuseFmaPass : cuda_tile::impl::FuseFmaPassBase<FuseFmaPass> {
  template <typename SumOp> static void fuse(PatternRewriter &rewriter, SumOp sum, MulFOp product, Value addend) {
    rewriter.replaceOpWithNewOp<FmaOp>(sum, sum.getType(), product.getLhs(), product.getRhs(), addend,
                                       sum.getRoundingMode(), sum.getFlushToZero());
    rewriter.eraseOp(product);
  }

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    // Brings products to the left of sums.
    AddFOp::getCanonicalizationPatterns(patterns, &getContext());
    patterns.add(+[](AddFOp sum, PatternRewriter &rewriter) -> LogicalResult {
      MulFOp product = getFusibleProduct(sum);
      if (!product)
        return failure();
      fuse(rewriter, sum, product, sum.getRhs());
      return success();
    });
    patterns.add(+[](SubFOp difference, PatternRewriter &rewriter) -> LogicalResult {
      MulFOp product = getFusibleProduct(difference);
      if (!product)
        return failure();
      // Negation only flips the sign bit, so it adds no rounding of its own.
      Value addend = NegFOp::create(rewriter, difference.getLoc(), difference.getType(), difference.getRhs());
      fuse(rewriter, difference, product, addend);
      return success();
    });
    // Nothing but the fusion (and, which the driver insists on, dropping dead operations).
    GreedyRewriteConfig config;
    config.enableFolding(false);
    config.enableConstantCSE(false);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
