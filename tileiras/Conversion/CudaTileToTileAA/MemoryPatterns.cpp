//===- MemoryPatterns.cpp - Tokens, pointers, views -----------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::cudatile_to_tileaa;
namespace ct = mlir::cuda_tile;
namespace aa = mlir::nv_tileaa;

aa::MemSemanticAttr cudatile_to_tileaa::convertSemantic(MLIRContext *context, ct::MemoryOrderingSemantics semantic) {
  // One numbering.
  return aa::MemSemanticAttr::get(context, static_cast<aa::MemSemantic>(static_cast<uint32_t>(semantic)));
}

aa::MemScopeAttr cudatile_to_tileaa::convertScope(MLIRContext *context, std::optional<ct::MemoryScope> scope) {
  if (!scope)
    return {};
  switch (*scope) {
  case ct::MemoryScope::TlBlk:
    return aa::MemScopeAttr::get(context, aa::MemScope::TlBlk);
  case ct::MemoryScope::Device:
    return aa::MemScopeAttr::get(context, aa::MemScope::Gpu);
  case ct::MemoryScope::Sys:
    return aa::MemScopeAttr::get(context, aa::MemScope::Sys);
  }
  llvm_unreachable("no such scope");
}

namespace {

template <typename Op> struct ContextPattern : OpConversionPattern<Op> {
  ContextPattern(const TileTypeConverter &types, MLIRContext *mlirContext, const Context &context)
      : OpConversionPattern<Op>(types, mlirContext), context(context) {}

  /// The latency hint as an attribute, or null.
  IntegerAttr latency(Op op, Builder &b) const {
    if (auto hints = op.getOptimizationHintsAttr())
      if (std::optional<int64_t> value = hints.getLatency(context.hintKey()))
        return b.getI32IntegerAttr(*value);
    return {};
  }
  BoolAttr allowTma(Op op, Builder &b) const {
    if (auto hints = op.getOptimizationHintsAttr())
      if (std::optional<bool> value = hints.getAllowTMA(context.hintKey()))
        return b.getBoolAttr(*value);
    return {};
  }
  /// The in-bounds promise; all false says nothing.
  DenseBoolArrayAttr inBounds(Op op) const {
    auto promised = op.getInboundsAttr();
    if (!promised || llvm::none_of(promised.asArrayRef(), [](bool b) { return b; }))
      return {};
    return promised;
  }

  const Context &context;
};

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

struct MakeTokenPattern : OpConversionPattern<ct::MakeTokenOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::MakeTokenOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::CreateMemTokenOp>(op, aa::MemTokenType::get(op.getContext()));
    return success();
  }
};

struct JoinTokensPattern : OpConversionPattern<ct::JoinTokensOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::JoinTokensOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type token = aa::MemTokenType::get(op.getContext());
    if (adaptor.getTokens().empty())
      rewriter.replaceOpWithNewOp<aa::CreateMemTokenOp>(op, token);
    else if (adaptor.getTokens().size() == 1)
      rewriter.replaceOp(op, adaptor.getTokens().front());
    else
      rewriter.replaceOpWithNewOp<aa::JoinMemTokenOp>(op, token, adaptor.getTokens());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

struct LoadPtrPattern : ContextPattern<ct::LoadPtrTkoOp> {
  using ContextPattern::ContextPattern;
  LogicalResult matchAndRewrite(ct::LoadPtrTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MLIRContext *mlir = op.getContext();
    rewriter.replaceOpWithNewOp<aa::LoadOp>(
        op, typeConverter->convertType(op.getResult().getType()), aa::MemTokenType::get(mlir), adaptor.getSource(),
        adaptor.getMask(), adaptor.getPaddingValue(), adaptor.getToken(),
        convertSemantic(mlir, op.getMemoryOrderingSemantics()), convertScope(mlir, op.getMemoryScope()),
        latency(op, rewriter), aa::CacheModifierAttr(), aa::EvictionPolicyAttr());
    return success();
  }
};

struct StorePtrPattern : ContextPattern<ct::StorePtrTkoOp> {
  using ContextPattern::ContextPattern;
  LogicalResult matchAndRewrite(ct::StorePtrTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MLIRContext *mlir = op.getContext();
    rewriter.replaceOpWithNewOp<aa::StoreOp>(op, aa::MemTokenType::get(mlir), adaptor.getDestination(),
                                             adaptor.getValue(), adaptor.getMask(), adaptor.getToken(),
                                             convertSemantic(mlir, op.getMemoryOrderingSemantics()),
                                             convertScope(mlir, op.getMemoryScope()), latency(op, rewriter));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

struct MakeTensorViewPattern : OpConversionPattern<ct::MakeTensorViewOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::MakeTensorViewOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // Extents and strides are never negative; narrow ones are widened so that later passes see i32 or i64.
    auto widen = [&](ValueRange values) {
      return llvm::map_to_vector(values, [&](Value v) -> Value {
        if (v.getType().getIntOrFloatBitWidth() >= 32)
          return v;
        return arith::ExtUIOp::create(rewriter, op.getLoc(), rewriter.getI32Type(), v);
      });
    };
    rewriter.replaceOpWithNewOp<aa::MakeMemRefOp>(op, typeConverter->convertType(op.getType()), adaptor.getBase(),
                                                  widen(adaptor.getDynamicShape()), widen(adaptor.getDynamicStrides()));
    return success();
  }
};

template <typename From> struct MakeViewPattern : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::BlockTileOp>(op, this->typeConverter->convertType(op.getType()),
                                                 adaptor.getTensorView());
    return success();
  }
};

template <typename From> struct ShapeQueryPattern : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> results;
    for (auto [axis, result] : llvm::enumerate(op.getResults()))
      results.push_back(aa::GetDimSizeOp::create(rewriter, op.getLoc(),
                                                 this->typeConverter->convertType(result.getType()), adaptor.getSrc(),
                                                 static_cast<uint32_t>(axis)));
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct LoadViewPattern : ContextPattern<ct::LoadViewTkoOp> {
  using ContextPattern::ContextPattern;
  LogicalResult matchAndRewrite(ct::LoadViewTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MLIRContext *mlir = op.getContext();
    if (auto gather = dyn_cast<ct::GatherScatterViewType>(op.getView().getType())) {
      rewriter.replaceOpWithNewOp<aa::GatherLoadOp>(
          op, typeConverter->convertType(op.getTile().getType()), aa::MemTokenType::get(mlir), adaptor.getView(),
          adaptor.getIndex(), adaptor.getToken(), rewriter.getI32IntegerAttr(gather.getSparseDim()),
          convertSemantic(mlir, op.getMemoryOrderingSemantics()), convertScope(mlir, op.getMemoryScope()), inBounds(op),
          latency(op, rewriter));
      return success();
    }
    rewriter.replaceOpWithNewOp<aa::TiledLoadOp>(
        op, typeConverter->convertType(op.getTile().getType()), aa::MemTokenType::get(mlir), adaptor.getView(),
        adaptor.getIndex(), adaptor.getToken(), convertSemantic(mlir, op.getMemoryOrderingSemantics()),
        convertScope(mlir, op.getMemoryScope()), inBounds(op), latency(op, rewriter), allowTma(op, rewriter));
    return success();
  }
};

struct StoreViewPattern : ContextPattern<ct::StoreViewTkoOp> {
  using ContextPattern::ContextPattern;
  LogicalResult matchAndRewrite(ct::StoreViewTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MLIRContext *mlir = op.getContext();
    if (auto scatter = dyn_cast<ct::GatherScatterViewType>(op.getView().getType())) {
      rewriter.replaceOpWithNewOp<aa::ScatterStoreOp>(
          op, aa::MemTokenType::get(mlir), adaptor.getView(), adaptor.getTile(), adaptor.getIndex(), adaptor.getToken(),
          rewriter.getI32IntegerAttr(scatter.getSparseDim()), convertSemantic(mlir, op.getMemoryOrderingSemantics()),
          convertScope(mlir, op.getMemoryScope()), inBounds(op), latency(op, rewriter));
      return success();
    }
    rewriter.replaceOpWithNewOp<aa::TiledStoreOp>(
        op, aa::MemTokenType::get(mlir), adaptor.getView(), adaptor.getTile(), adaptor.getIndex(), adaptor.getToken(),
        convertSemantic(mlir, op.getMemoryOrderingSemantics()), convertScope(mlir, op.getMemoryScope()), inBounds(op),
        latency(op, rewriter), allowTma(op, rewriter));
    return success();
  }
};

} // namespace

void cudatile_to_tileaa::populateMemoryPatterns(const TileTypeConverter &types, RewritePatternSet &patterns,
                                                const Context &context) {
  MLIRContext *mlir = patterns.getContext();
  patterns.add<MakeTokenPattern, JoinTokensPattern, MakeTensorViewPattern, MakeViewPattern<ct::MakePartitionViewOp>,
               MakeViewPattern<ct::MakeStridedViewOp>, ShapeQueryPattern<ct::GetTensorShapeOp>,
               MakeViewPattern<ct::MakeGatherScatterViewOp>, ShapeQueryPattern<ct::GetIndexSpaceShapeOp>>(types, mlir);
  patterns.add<LoadPtrPattern, StorePtrPattern, LoadViewPattern, StoreViewPattern>(types, mlir, context);
}
