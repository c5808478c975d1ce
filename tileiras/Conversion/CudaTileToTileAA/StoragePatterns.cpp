//===- StoragePatterns.cpp - Globals, scratch memory, fences, bytes -------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Patterns.h"

using namespace mlir;
using namespace mlir::cudatile_to_tileaa;
namespace ct = mlir::cuda_tile;
namespace aa = mlir::nv_tileaa;

namespace {

struct GlobalPattern : OpConversionPattern<ct::GlobalOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::GlobalOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    auto value = cast<DenseElementsAttr>(op.getValue());
    auto type = cast<RankedTensorType>(typeConverter->convertType(op.getType()));
    bool isPrivate = op.getSymbolVisibility() == ct::SymbolVisibility::Private;
    rewriter.replaceOpWithNewOp<aa::GlobalOp>(op, op.getSymNameAttr(),
                                              isPrivate ? rewriter.getStringAttr("private") : StringAttr(),
                                              value.reshape(type), op.getAlignment(), op.getConstant());
    return success();
  }
};

struct GetGlobalPattern : OpConversionPattern<ct::GetGlobalOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::GetGlobalOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::GetGlobalOp>(op, typeConverter->convertType(op.getType()), op.getNameAttr());
    return success();
  }
};

/// Ours is device memory in any case: other tile blocks may use the address whether `global` says so or not.
struct AllocaPattern : OpConversionPattern<ct::AllocaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::AllocaOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::AllocaOp>(op, typeConverter->convertType(op.getType()), op.getNumElem(),
                                              op.getAlignment());
    return success();
  }
};

template <typename From, typename To> struct FencePattern : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, aa::MemTokenType::get(op.getContext()), adaptor.getToken());
    return success();
  }
};

/// Dependent launches exist from sm_90 on; below, nothing happens (spec cuda-tile-13.4, 3).
template <typename From, typename To> struct GdcPattern : OpConversionPattern<From> {
  GdcPattern(const TileTypeConverter &types, MLIRContext *mlirContext, const Context &context)
      : OpConversionPattern<From>(types, mlirContext), context(context) {}
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type token = aa::MemTokenType::get(op.getContext());
    if (context.target->dependentLaunch)
      rewriter.replaceOpWithNewOp<To>(op, token, adaptor.getToken());
    else if (adaptor.getToken())
      rewriter.replaceOp(op, adaptor.getToken());
    else
      rewriter.replaceOpWithNewOp<aa::CreateMemTokenOp>(op, token);
    return success();
  }
  const Context &context;
};

template <typename From> struct ReinterpretPattern : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::ReinterpretOp>(op, this->typeConverter->convertType(op.getType()),
                                                   adaptor.getSource());
    return success();
  }
};

} // namespace

void cudatile_to_tileaa::populateStoragePatterns(const TileTypeConverter &types, RewritePatternSet &patterns,
                                                 const Context &context) {
  MLIRContext *mlir = patterns.getContext();
  patterns
      .add<GlobalPattern, GetGlobalPattern, AllocaPattern, FencePattern<ct::MemoryFenceAliasTkoOp, aa::FenceAliasOp>,
           ReinterpretPattern<ct::PackOp>, ReinterpretPattern<ct::UnpackOp>>(types, mlir);
  patterns.add<GdcPattern<ct::GdcWaitTkoOp, aa::GdcWaitOp>,
               GdcPattern<ct::GdcLaunchDependentsTkoOp, aa::GdcLaunchDependentsOp>>(types, mlir, context);
}
