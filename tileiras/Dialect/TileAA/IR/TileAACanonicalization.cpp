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
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

namespace {

template <typename Op> struct OfSplat : OpRewritePattern<Op> {
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

/// A promise about equal elements is one about their one value.
struct AssumeOfSplat : OpRewritePattern<AssumeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AssumeOp op, PatternRewriter &rewriter) const override {
    auto splat = op.getValue().getDefiningOp<SplatOp>();
    if (!splat)
      return failure();
    if (isa<SameElementsAttr>(op.getPredicate())) {
      rewriter.replaceOp(op, splat.getResult());
      return success();
    }
    if (auto divBy = dyn_cast<DivByAttr>(op.getPredicate()); divBy && divBy.getEvery())
      return failure();
    Value promised = AssumeOp::create(rewriter, op.getLoc(), splat.getSource(), op.getPredicate());
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), promised);
    return success();
  }
};

/// One choice for all elements.
struct SelectOfSplats : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::SelectOp op, PatternRewriter &rewriter) const override {
    auto yes = op.getTrueValue().getDefiningOp<SplatOp>(), no = op.getFalseValue().getDefiningOp<SplatOp>();
    if (!yes || !no)
      return failure();
    Value condition = op.getCondition();
    if (isa<RankedTensorType>(condition.getType())) {
      auto splat = condition.getDefiningOp<SplatOp>();
      if (!splat)
        return failure();
      condition = splat.getSource();
    }
    Value chosen = arith::SelectOp::create(rewriter, op.getLoc(), condition, yes.getSource(), no.getSource());
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), chosen);
    return success();
  }
};

/// The one element of a tile of another shape is the one element of the tile.
struct ExtractOfShape : OpRewritePattern<ExtractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ExtractOp op, PatternRewriter &rewriter) const override {
    Operation *shape = op.getSource().getDefiningOp();
    if (!isa_and_nonnull<ViewOp, ExpandDimsOp, PermuteOp>(shape))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.getSourceMutable().assign(shape->getOperand(0)); });
    return success();
  }
};

/// Of an operation on tiles of one element that nobody else looks at, the scalar operation is enough.
struct ExtractOfElementwise : OpRewritePattern<ExtractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ExtractOp op, PatternRewriter &rewriter) const override {
    Operation *source = op.getSource().getDefiningOp();
    if (!source || !source->hasTrait<OpTrait::Elementwise>() || source->getNumResults() != 1 ||
        source->getNumRegions() || !source->hasOneUse() || !isMemoryEffectFree(source))
      return failure();
    SmallVector<Value> operands;
    for (Value operand : source->getOperands()) {
      auto tensor = dyn_cast<RankedTensorType>(operand.getType());
      if (tensor)
        operand = ExtractOp::create(rewriter, op.getLoc(), tensor.getElementType(), operand);
      operands.push_back(operand);
    }
    Operation *scalar =
        Operation::create(source->getLoc(), source->getName(), TypeRange{op.getResult().getType()}, operands,
                          source->getDiscardableAttrDictionary(), source->getPropertiesStorage(), BlockRange(), 0);
    rewriter.insert(scalar);
    rewriter.replaceOp(op, scalar->getResult(0));
    return success();
  }
};

} // namespace

void TileAADialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  patterns.add<SelectOfSplats>(getContext());
}
void AssumeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<AssumeOfSplat>(context);
}
void ExtractOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ExtractOfShape, ExtractOfElementwise>(context);
}

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

OpFoldResult PermuteOp::fold(FoldAdaptor adaptor) {
  for (auto [i, p] : llvm::enumerate(getPermutation()))
    if (p != int32_t(i))
      return {};
  return foldShape(getSource(), adaptor.getSource(), getType());
}

/// What is promised of a constant can be seen; what was promised once need not be promised again.
OpFoldResult AssumeOp::fold(FoldAdaptor adaptor) {
  if (adaptor.getValue())
    return adaptor.getValue();
  auto inner = getValue().getDefiningOp<AssumeOp>();
  if (inner && inner.getPredicate() == getPredicate())
    return getValue();
  return {};
}

OpFoldResult ExtractOp::fold(FoldAdaptor adaptor) {
  if (auto splat = getSource().getDefiningOp<SplatOp>())
    return splat.getSource();
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(adaptor.getSource()); dense && dense.isSplat())
    return dense.getSplatValue<Attribute>();
  return {};
}
