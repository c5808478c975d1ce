//===- TileAACanonicalization.cpp - Shapes of equal elements --------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Front ends spread a scalar over a tile in two steps, reshape to 1x...x1 and broadcast. Rearranging equal elements
// gives equal elements: one splat does it, and no tensor of one element needs a layout later.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

namespace {

template <typename Op>
struct OfSplat : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto splat = op.getSource().template getDefiningOp<SplatOp>();
    if (!splat)
      return failure();
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSource());
    return success();
  }
};

/// Only before layouts are assigned: later the intermediate type may be there for a reason.
struct ViewOfView : OpRewritePattern<ViewOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ViewOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getSource().getDefiningOp<ViewOp>();
    if (!inner || inner.getType().getEncoding())
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.getSourceMutable().assign(inner.getSource()); });
    return success();
  }
};

} // namespace

void ViewOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<OfSplat<ViewOp>, ViewOfView>(context);
}
void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<OfSplat<BroadcastOp>>(context);
}
void ExpandDimsOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<OfSplat<ExpandDimsOp>>(context);
}
void PermuteOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<OfSplat<PermuteOp>>(context);
}
void ExtractSliceOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<OfSplat<ExtractSliceOp>>(context);
}

/// Folded constants are arith constants, as long as their type has no layout.
Operation *TileAADialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

/// The value itself when nothing changes; the constant of equal elements in its new shape.
static OpFoldResult foldShape(Value source, Attribute constant, RankedTensorType type) {
  if (source.getType() == type)
    return source;
  auto elements = dyn_cast_or_null<DenseElementsAttr>(constant);
  if (elements && elements.isSplat() && !type.getEncoding())
    return elements.resizeSplat(RankedTensorType::get(type.getShape(), type.getElementType()));
  return {};
}

OpFoldResult ViewOp::fold(FoldAdaptor adaptor) { return foldShape(getSource(), adaptor.getSource(), getType()); }
OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) { return foldShape(getSource(), adaptor.getSource(), getType()); }
OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) { return foldShape(getSource(), adaptor.getSource(), getType()); }
