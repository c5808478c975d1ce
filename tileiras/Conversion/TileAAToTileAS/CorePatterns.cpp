//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Memory, shape and aggregate operations of nv_tileaa.
//
// Everything starts in the default layout of its shape. Where an operation ties
// operand and result layouts together (see LayoutInference.h), a
// convert_layout is put beside it; tileas-remove-layout-conversions takes
// most of these out again once the layouts that matter are known.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileAAToTileAS/TileAAToTileAS.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Support/LinearLayout.h"

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

/// The value in another layout, through a convert_layout when it differs.
Value toLayout(OpBuilder &builder, Location loc, Value value, Attribute layout) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getEncoding() == layout)
    return value;
  return ConvertLayoutOp::create(builder, loc, withLayout(type, layout), value);
}

template <typename Op> struct Pattern : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  RankedTensorType convert(Type type) const {
    return cast<RankedTensorType>(this->getTypeConverter()->convertType(type));
  }
};

/// Operations whose result layout follows from the operand's (view, expand_dims, permute, cat): compute in that layout,
/// then convert to the default.
template <typename SourceOp, typename TargetOp = SourceOp> struct ForwardShapePattern : Pattern<SourceOp> {
  using Pattern<SourceOp>::Pattern;
  LogicalResult matchAndRewrite(SourceOp op, typename SourceOp::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RankedTensorType wanted = this->convert(op.getResult().getType());
    auto operand = cast<RankedTensorType>(adaptor.getOperands().front().getType());
    auto layout = inferResultLayout(op, 0, getLinearLayout(operand));
    if (!layout)
      return rewriter.notifyMatchFailure(op, "failed to infer source layout");
    Type type = withLayout(wanted, getLayoutAttr(op.getContext(), *layout));
    auto result = TargetOp::create(rewriter, op.getLoc(), TypeRange{type}, adaptor.getOperands(),
                                   op->getAttrDictionary().getValue());
    rewriter.replaceOp(op, toLayout(rewriter, op.getLoc(), result->getResult(0), wanted.getEncoding()));
    return success();
  }
};

/// Operations whose operand layout follows from the result's (broadcast, extract_slice).
template <typename SourceOp, typename TargetOp = SourceOp> struct BackwardShapePattern : Pattern<SourceOp> {
  using Pattern<SourceOp>::Pattern;
  LogicalResult matchAndRewrite(SourceOp op, typename SourceOp::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RankedTensorType wanted = this->convert(op.getResult().getType());
    auto layout = inferOperandLayout(op, 0, getLinearLayout(wanted));
    if (!layout)
      return rewriter.notifyMatchFailure(op, "failed to infer source layout");
    SmallVector<Value> operands(adaptor.getOperands());
    operands[0] = toLayout(rewriter, op.getLoc(), operands[0], getLayoutAttr(op.getContext(), *layout));
    auto result =
        TargetOp::create(rewriter, op.getLoc(), TypeRange{wanted}, operands, op->getAttrDictionary().getValue());
    rewriter.replaceOp(op, result->getResults());
    return success();
  }
};

struct LoadPattern : Pattern<nv_tileaa::LoadOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(nv_tileaa::LoadOp op, OpAdaptor a, ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getResult().getType());
    rewriter.replaceOpWithNewOp<LoadOp>(op, type, op.getResultToken().getType(), a.getPtrs(), a.getMask(), a.getOther(),
                                        a.getToken(), op.getMemSemanticAttr(), op.getMemScopeAttr(),
                                        op.getLatencyAttr(), IntegerAttr());
    return success();
  }
};
struct StorePattern : Pattern<nv_tileaa::StoreOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(nv_tileaa::StoreOp op, OpAdaptor a,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<StoreOp>(op, op.getResultToken().getType(), a.getPtrs(), a.getValue(), a.getMask(),
                                         a.getToken(), op.getMemSemanticAttr(), op.getMemScopeAttr(),
                                         op.getLatencyAttr(), IntegerAttr());
    return success();
  }
};
struct TiledLoadPattern : Pattern<nv_tileaa::TiledLoadOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(nv_tileaa::TiledLoadOp op, OpAdaptor a,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<TiledLoadOp>(op, convert(op.getResult().getType()), op.getResultToken().getType(),
                                             a.getView(), a.getIndices(), a.getToken(), Value(),
                                             op.getMemSemanticAttr(), op.getMemScopeAttr(), op.getInBoundsAttr(),
                                             op.getLatencyAttr(), op.getAllowTmaAttr(), IntegerAttr());
    return success();
  }
};
struct TiledStorePattern : Pattern<nv_tileaa::TiledStoreOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(nv_tileaa::TiledStoreOp op, OpAdaptor a,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<TiledStoreOp>(op, op.getResultToken().getType(), a.getView(), a.getValue(),
                                              a.getIndices(), a.getToken(), op.getMemSemanticAttr(),
                                              op.getMemScopeAttr(), op.getInBoundsAttr(), op.getLatencyAttr(),
                                              op.getAllowTmaAttr(), IntegerAttr());
    return success();
  }
};

struct TiledAtomicRMWPattern : Pattern<nv_tileaa::TiledAtomicRMWOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(nv_tileaa::TiledAtomicRMWOp op, OpAdaptor a,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<TiledAtomicRMWOp>(op, op.getResultToken().getType(), a.getView(), a.getValue(),
                                                  a.getIndices(), a.getToken(), op.getRmwModeAttr(),
                                                  op.getMemSemanticAttr(), op.getMemScopeAttr(), IntegerAttr());
    return success();
  }
};

/// The coordinates along the axis are wanted in the layout of the tile's axis (getMemoryOperandLayout).
template <typename Op> void spreadCoordinates(ConversionPatternRewriter &rewriter, Op op, RankedTensorType tile) {
  OpOperand &operand = op.getIndicesMutable()[op.getAxis()];
  tileiras::LinearLayout layout = getMemoryOperandLayout(op, operand.get(), getLinearLayout(tile));
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  operand.set(toLayout(rewriter, op.getLoc(), operand.get(), getLayoutAttr(op.getContext(), layout)));
}
struct GatherLoadPattern : Pattern<nv_tileaa::GatherLoadOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(nv_tileaa::GatherLoadOp op, OpAdaptor a,
                                ConversionPatternRewriter &rewriter) const override {
    RankedTensorType tile = convert(op.getResult().getType());
    auto load = GatherLoadOp::create(rewriter, op.getLoc(), tile, op.getResultToken().getType(), a.getView(),
                                     a.getIndices(), a.getToken(), op.getAxisAttr(), op.getMemSemanticAttr(),
                                     op.getMemScopeAttr(), op.getInBoundsAttr(), op.getLatencyAttr(), IntegerAttr());
    spreadCoordinates(rewriter, load, tile);
    rewriter.replaceOp(op, load);
    return success();
  }
};
struct ScatterStorePattern : Pattern<nv_tileaa::ScatterStoreOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(nv_tileaa::ScatterStoreOp op, OpAdaptor a,
                                ConversionPatternRewriter &rewriter) const override {
    auto store = ScatterStoreOp::create(rewriter, op.getLoc(), op.getResultToken().getType(), a.getView(), a.getValue(),
                                        a.getIndices(), a.getToken(), op.getAxisAttr(), op.getMemSemanticAttr(),
                                        op.getMemScopeAttr(), op.getInBoundsAttr(), op.getLatencyAttr(), IntegerAttr());
    spreadCoordinates(rewriter, store, cast<RankedTensorType>(a.getValue().getType()));
    rewriter.replaceOp(op, store);
    return success();
  }
};

/// reinterpret: in the thread that holds the wider elements.
struct ReinterpretPattern : Pattern<nv_tileaa::ReinterpretOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(nv_tileaa::ReinterpretOp op, OpAdaptor a,
                                ConversionPatternRewriter &rewriter) const override {
    RankedTensorType wanted = convert(op.getType());
    auto source = cast<RankedTensorType>(a.getSource().getType());
    Value value = a.getSource();
    Attribute layout = wanted.getEncoding();
    if (wanted.getNumElements() >= source.getNumElements())
      layout = getLayoutAttr(op.getContext(), *inferResultLayout(op, 0, getLinearLayout(source)));
    else
      value = toLayout(rewriter, op.getLoc(), value,
                       getLayoutAttr(op.getContext(), *inferOperandLayout(op, 0, getLinearLayout(wanted))));
    auto result = ReinterpretOp::create(rewriter, op.getLoc(), withLayout(wanted, layout), value);
    rewriter.replaceOp(op, toLayout(rewriter, op.getLoc(), result, wanted.getEncoding()));
    return success();
  }
};

/// reduce: results come out in the operand's layout without the axis.
struct ReducePattern : Pattern<nv_tileaa::ReduceOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(nv_tileaa::ReduceOp op, OpAdaptor a,
                                ConversionPatternRewriter &rewriter) const override {
    auto source = cast<RankedTensorType>(a.getSources().front().getType());
    SmallVector<Type> types;
    for (Type type : op.getResultTypes()) {
      if (auto tensor = dyn_cast<RankedTensorType>(type)) {
        auto layout = getLinearLayout(source).dropOutDim(op.getAxis());
        types.push_back(withLayout(tensor, getLayoutAttr(op.getContext(), layout)));
      } else {
        types.push_back(type);
      }
    }
    auto reduce = ReduceOp::create(rewriter, op.getLoc(), types, a.getSources(), ValueRange(), op.getAxisAttr(),
                                   op.getIdentitiesAttr(), UnitAttr());
    rewriter.inlineRegionBefore(op.getBody(), reduce.getBody(), reduce.getBody().end());
    SmallVector<Value> results;
    for (auto [result, type] : llvm::zip_equal(reduce.getResults(), op.getResultTypes())) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      results.push_back(tensor ? toLayout(rewriter, op.getLoc(), result, convert(type).getEncoding()) : result);
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct ScanPattern : Pattern<nv_tileaa::ScanOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(nv_tileaa::ScanOp op, OpAdaptor a, ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    for (Value v : a.getSources())
      types.push_back(v.getType());
    auto scan = ScanOp::create(rewriter, op.getLoc(), types, a.getSources(), op.getAxisAttr(), op.getReverseAttr(),
                               op.getIdentitiesAttr());
    rewriter.inlineRegionBefore(op.getBody(), scan.getBody(), scan.getBody().end());
    rewriter.replaceOp(op, scan.getResults());
    return success();
  }
};

struct YieldPattern : Pattern<nv_tileaa::YieldOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(nv_tileaa::YieldOp op, OpAdaptor a,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<YieldOp>(op, a.getOperands());
    return success();
  }
};

} // namespace

void nv_tileas::populateCorePatterns(const TypeConverter &converter, RewritePatternSet &patterns,
                                     ConversionTarget &target) {
  addReplacing<LoadPattern, StorePattern, TiledLoadPattern, TiledStorePattern, TiledAtomicRMWPattern, GatherLoadPattern,
               ScatterStorePattern, ReinterpretPattern, ReducePattern, ScanPattern, YieldPattern,
               ForwardShapePattern<nv_tileaa::ViewOp, ViewOp>,
               BackwardShapePattern<nv_tileaa::ExtractSliceOp, ExtractSliceOp>>(converter, patterns, target);
  patterns.add<ForwardShapePattern<nv_tileaa::ExpandDimsOp>, ForwardShapePattern<nv_tileaa::PermuteOp>,
               ForwardShapePattern<nv_tileaa::CatOp>, BackwardShapePattern<nv_tileaa::BroadcastOp>>(
      converter, patterns.getContext());
}
