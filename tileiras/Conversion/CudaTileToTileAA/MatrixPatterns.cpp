//===- MatrixPatterns.cpp - Matrix products -------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Patterns.h"

using namespace mlir;
using namespace mlir::cudatile_to_tileaa;
namespace ct = mlir::cuda_tile;
namespace aa = mlir::nv_tileaa;

namespace {

struct MmaFPattern : OpConversionPattern<ct::MmaFOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::MmaFOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::DotOp>(op, adaptor.getAcc().getType(), adaptor.getLhs(), adaptor.getRhs(),
                                           adaptor.getAcc(), aa::SignednessAttr(), aa::SignednessAttr(),
                                           op.getFastAccAttr());
    return success();
  }
};

struct MmaIPattern : OpConversionPattern<ct::MmaIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::MmaIOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    auto convert = [&](ct::Signedness sign) {
      return aa::SignednessAttr::get(op.getContext(), sign == ct::Signedness::Signed ? aa::Signedness::Signed
                                                                                     : aa::Signedness::Unsigned);
    };
    rewriter.replaceOpWithNewOp<aa::DotOp>(op, adaptor.getAcc().getType(), adaptor.getLhs(), adaptor.getRhs(),
                                           adaptor.getAcc(), convert(op.getSignednessLhs()),
                                           convert(op.getSignednessRhs()), UnitAttr());
    return success();
  }
};

struct MmaFScaledPattern : OpConversionPattern<ct::MmaFScaledOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::MmaFScaledOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::MmaBlockScaleOp>(op, adaptor.getAcc().getType(), adaptor.getLhs(), adaptor.getRhs(),
                                                     adaptor.getAcc(), adaptor.getLhsScale(), adaptor.getRhsScale());
    return success();
  }
};

} // namespace

void cudatile_to_tileaa::populateMatrixPatterns(const TileTypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<MmaFPattern, MmaIPattern, MmaFScaledPattern>(types, patterns.getContext());
}
