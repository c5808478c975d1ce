//===- AtomicPatterns.cpp - Atomic operations -----------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Patterns.h"

using namespace mlir;
using namespace mlir::cudatile_to_tileaa;
namespace ct = mlir::cuda_tile;
namespace aa = mlir::nv_tileaa;

static aa::RMWModeAttr convertMode(MLIRContext *context, ct::AtomicRMWMode mode) {
  // One numbering.
  return aa::RMWModeAttr::get(context, static_cast<aa::RMWMode>(static_cast<uint32_t>(mode)));
}

namespace {

struct AtomicRMWPattern : OpConversionPattern<ct::AtomicRMWTkoOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::AtomicRMWTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MLIRContext *mlir = op.getContext();
    rewriter.replaceOpWithNewOp<aa::AtomicRMWOp>(
        op, typeConverter->convertType(op.getResult().getType()), aa::MemTokenType::get(mlir), adaptor.getPointers(),
        adaptor.getArg(), adaptor.getMask(), adaptor.getToken(), convertMode(mlir, op.getMode()),
        convertSemantic(mlir, op.getMemoryOrderingSemantics()), convertScope(mlir, op.getMemoryScope()), IntegerAttr());
    return success();
  }
};

struct AtomicCASPattern : OpConversionPattern<ct::AtomicCASTkoOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::AtomicCASTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MLIRContext *mlir = op.getContext();
    rewriter.replaceOpWithNewOp<aa::AtomicCASOp>(
        op, typeConverter->convertType(op.getResult().getType()), aa::MemTokenType::get(mlir), adaptor.getPointers(),
        adaptor.getCmp(), adaptor.getVal(), adaptor.getMask(), adaptor.getToken(),
        convertSemantic(mlir, op.getMemoryOrderingSemantics()), convertScope(mlir, op.getMemoryScope()));
    return success();
  }
};

struct AtomicRedViewPattern : OpConversionPattern<ct::AtomicRedViewTkoOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::AtomicRedViewTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MLIRContext *mlir = op.getContext();
    rewriter.replaceOpWithNewOp<aa::TiledAtomicRMWOp>(
        op, aa::MemTokenType::get(mlir), adaptor.getView(), adaptor.getValue(), adaptor.getIndex(), adaptor.getToken(),
        convertMode(mlir, op.getMode()), convertSemantic(mlir, op.getMemoryOrderingSemantics()),
        convertScope(mlir, op.getMemoryScope()));
    return success();
  }
};

} // namespace

void cudatile_to_tileaa::populateAtomicPatterns(const TileTypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<AtomicRMWPattern, AtomicCASPattern, AtomicRedViewPattern>(types, patterns.getContext());
}
