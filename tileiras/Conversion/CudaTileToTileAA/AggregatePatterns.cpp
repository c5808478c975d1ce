//===- AggregatePatterns.cpp - reduce and scan ----------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::cudatile_to_tileaa;
namespace ct = mlir::cuda_tile;
namespace aa = mlir::nv_tileaa;

/// Identities in the element types of their operands: cuda_tile tolerates f16 for bf16 and the other way round.
static ArrayAttr convertIdentities(ArrayAttr identities, ValueRange sources) {
  SmallVector<Attribute> result;
  for (auto [identity, source] : llvm::zip_equal(identities, sources)) {
    auto element = cast<RankedTensorType>(source.getType()).getElementType();
    auto number = dyn_cast<FloatAttr>(identity);
    if (number && number.getType() != element) {
      APFloat value = number.getValue();
      bool loses;
      value.convert(cast<FloatType>(element).getFloatSemantics(), APFloat::rmNearestTiesToEven, &loses);
      result.push_back(FloatAttr::get(element, value));
    } else {
      result.push_back(identity);
    }
  }
  return ArrayAttr::get(identities.getContext(), result);
}

namespace {

struct ReducePattern : OpConversionPattern<ct::ReduceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::ReduceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(typeConverter->convertTypes(op.getResultTypes(), types)))
      return failure();
    auto reduce = aa::ReduceOp::create(rewriter, op.getLoc(), types, adaptor.getOperands(), op.getDim(),
                                       convertIdentities(op.getIdentities(), adaptor.getOperands()));
    rewriter.inlineRegionBefore(op.getRegion(), reduce.getBody(), reduce.getBody().end());
    if (failed(rewriter.convertRegionTypes(&reduce.getBody(), *typeConverter)))
      return failure();
    rewriter.replaceOp(op, reduce);
    return success();
  }
};

struct ScanPattern : OpConversionPattern<ct::ScanOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::ScanOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(typeConverter->convertTypes(op.getResultTypes(), types)))
      return failure();
    auto scan = aa::ScanOp::create(rewriter, op.getLoc(), types, adaptor.getOperands(), op.getDim(), op.getReverse(),
                                   convertIdentities(op.getIdentities(), adaptor.getOperands()));
    rewriter.inlineRegionBefore(op.getRegion(), scan.getBody(), scan.getBody().end());
    if (failed(rewriter.convertRegionTypes(&scan.getBody(), *typeConverter)))
      return failure();
    rewriter.replaceOp(op, scan);
    return success();
  }
};

/// The yield of an if is gone by now.
struct YieldPattern : OpConversionPattern<ct::YieldOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::YieldOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::YieldOp>(op, adaptor.getOperands());
    return success();
  }
};

} // namespace

void cudatile_to_tileaa::populateAggregatePatterns(const TileTypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<ReducePattern, ScanPattern, YieldPattern>(types, patterns.getContext());
}
