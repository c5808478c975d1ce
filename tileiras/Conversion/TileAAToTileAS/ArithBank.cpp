//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The arith bank with its 43 instantiations, and the constant specialist (docs/contract.md, "The arith bank").
//
// The destination nv_tileas.addf (...) that the sources name does not exist; the bank rebuilds
// the same arith op with layout-carrying types and copied attributes.
// Set and registration order are those of the sources.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "tileiras/Conversion/TileAAToTileAS/TileAAToTileAS.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"

using namespace mlir;

namespace {

/// The same operation with converted operands and results; attributes and properties are kept.
LogicalResult retype(Operation *op, ValueRange operands, const TypeConverter &converter,
                     ConversionPatternRewriter &rewriter) {
  SmallVector<Type> types;
  if (failed(converter.convertTypes(op->getResultTypes(), types)))
    return rewriter.notifyMatchFailure(op, "result type has no conversion");
  Operation *copy = Operation::create(op->getLoc(), op->getName(), types, operands, op->getDiscardableAttrDictionary(),
                                      op->getPropertiesStorage(), BlockRange(), /*numRegions=*/0);
  rewriter.insert(copy);
  rewriter.replaceOp(op, copy->getResults());
  return success();
}

template <typename SourceOp> struct GenericOpPattern : OpConversionPattern<SourceOp> {
  using OpConversionPattern<SourceOp>::OpConversionPattern;
  using OpAdaptor = typename SourceOp::Adaptor;
  LogicalResult matchAndRewrite(SourceOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    return retype(op, adaptor.getOperands(), *this->getTypeConverter(), rewriter);
  }
};

/// Splats become nv_tileaa.splat of a scalar constant, other dense values nv_tileaa.constant_tensor; scalars stay.
struct ConstantTensorOpConversion : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(arith::ConstantOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!dense)
      return failure();
    Type type = getTypeConverter()->convertType(op.getType());
    if (!type)
      return failure();
    if (auto splat = dyn_cast<SplatElementsAttr>(dense)) {
      auto value = cast<TypedAttr>(splat.getSplatValue<Attribute>());
      Value scalar = arith::ConstantOp::create(rewriter, op.getLoc(), value);
      rewriter.replaceOpWithNewOp<nv_tileaa::SplatOp>(op, type, scalar);
    } else {
      rewriter.replaceOpWithNewOp<nv_tileaa::ConstantTensorOp>(op, type, dense);
    }
    return success();
  }
};

/// Any operation of the math dialect.
struct MathPattern : ConversionPattern {
  MathPattern(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isa_and_nonnull<math::MathDialect>(op->getDialect()))
      return failure();
    return retype(op, operands, *getTypeConverter(), rewriter);
  }
};

template <typename... Ops> void addBank(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<GenericOpPattern<Ops>...>(converter, patterns.getContext());
}

} // namespace

void nv_tileas::populateArithBank(const TypeConverter &converter, RewritePatternSet &patterns) {
  addBank<arith::CmpFOp, arith::CmpIOp, arith::AddFOp, arith::AddIOp, arith::AndIOp, arith::BitcastOp,
          arith::CeilDivSIOp, arith::CeilDivUIOp, arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::ExtFOp,
          arith::ExtSIOp, arith::ExtUIOp, arith::FloorDivSIOp, arith::FPToSIOp, arith::FPToUIOp, arith::MaximumFOp,
          arith::MaxNumFOp, arith::MaxSIOp, arith::MaxUIOp, arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp,
          arith::MinUIOp, arith::MulFOp, arith::MulIOp, arith::NegFOp, arith::OrIOp, arith::RemFOp, arith::RemSIOp,
          arith::RemUIOp, arith::SelectOp, arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp, arith::SIToFPOp,
          arith::SubFOp, arith::SubIOp, arith::TruncFOp, arith::TruncIOp, arith::UIToFPOp, arith::XOrIOp>(converter,
                                                                                                          patterns);
  patterns.add<ConstantTensorOpConversion>(converter, patterns.getContext(), PatternBenefit(20));
}

void nv_tileas::populateMathPatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<MathPattern>(converter, context);
  addBank<nv_tileaa::SplatOp, nv_tileaa::ConstantTensorOp, nv_tileaa::MakeRangeOp, nv_tileaa::ExtractOp,
          nv_tileaa::AddPtrOp, nv_tileaa::IntToPtrOp, nv_tileaa::PtrToIntOp, nv_tileaa::BitcastOp, nv_tileaa::AssumeOp,
          nv_tileaa::AddFOp, nv_tileaa::SubFOp, nv_tileaa::MulFOp, nv_tileaa::DivFOp, nv_tileaa::FmaOp,
          nv_tileaa::SqrtOp, nv_tileaa::RsqrtOp, nv_tileaa::Exp2Op, nv_tileaa::MaxFOp, nv_tileaa::MinFOp,
          nv_tileaa::FpToFpOp, nv_tileaa::MulhiUIOp, nv_tileaa::PrintOp, nv_tileaa::AssertOp, nv_tileaa::AtomicRMWOp,
          nv_tileaa::AtomicCASOp, nv_tileaa::CallElementwiseIntrinsicOp, nv_tileaa::ExternElementwiseOp,
          nv_tileaa::ElementwiseInlineAsmOp>(converter, patterns);
}
