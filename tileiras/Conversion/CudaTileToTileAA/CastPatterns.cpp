//===- CastPatterns.cpp - Conversions between number formats --------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;
using namespace mlir::cudatile_to_tileaa;
namespace ct = mlir::cuda_tile;
namespace aa = mlir::nv_tileaa;

/// The formats arith knows to compute with on every target.
static bool isPlain(Type element) { return ct::isBaseFloat(element); }

/// To a plain format that holds every value of the 8-, 4- and 19-bit formats.
Value cudatile_to_tileaa::widenToPlain(OpBuilder &b, Location loc, Value value) {
  Type element = aa::getElementTypeOrSelf(value.getType());
  if (!isa<FloatType>(element) || isPlain(element))
    return value;
  return aa::FpToFpOp::create(b, loc, withElementType(value.getType(), b.getF32Type()), value,
                              aa::RoundingMode::NearestEven);
}

namespace {

struct BitcastPattern : OpConversionPattern<ct::BitcastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::BitcastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = typeConverter->convertType(op.getType());
    if (type == adaptor.getSource().getType())
      rewriter.replaceOp(op, adaptor.getSource());
    else
      rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, type, adaptor.getSource());
    return success();
  }
};

struct ExtIPattern : OpConversionPattern<ct::ExtIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::ExtIOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Type type = typeConverter->convertType(op.getType());
    if (op.getSignedness() == ct::Signedness::Signed)
      rewriter.replaceOpWithNewOp<arith::ExtSIOp>(op, type, adaptor.getFrom());
    else
      rewriter.replaceOpWithNewOp<arith::ExtUIOp>(op, type, adaptor.getFrom());
    return success();
  }
};

struct TruncIPattern : OpConversionPattern<ct::TruncIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::TruncIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    using F = arith::IntegerOverflowFlags;
    F flags = F::none;
    if (op.getOverflow() == ct::Overflow::NoSignedWrap || op.getOverflow() == ct::Overflow::NoWrap)
      flags = flags | F::nsw;
    if (op.getOverflow() == ct::Overflow::NoUnsignedWrap || op.getOverflow() == ct::Overflow::NoWrap)
      flags = flags | F::nuw;
    rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, typeConverter->convertType(op.getType()), adaptor.getFrom(),
                                                 flags);
    return success();
  }
};

struct FToFPattern : OpConversionPattern<ct::FToFOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::FToFOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Type type = typeConverter->convertType(op.getType());
    Type from = aa::getElementTypeOrSelf(adaptor.getFrom().getType()), to = aa::getElementTypeOrSelf(type);
    unsigned fromBits = from.getIntOrFloatBitWidth(), toBits = to.getIntOrFloatBitWidth();
    bool plain = isPlain(from) && isPlain(to);
    // All modes of a widening give the same bits.
    if (plain && fromBits < toBits)
      rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, type, adaptor.getFrom());
    else if (plain && fromBits > toBits && op.getRoundingMode() == ct::RoundingMode::NearestEven)
      rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, adaptor.getFrom());
    else
      rewriter.replaceOpWithNewOp<aa::FpToFpOp>(
          op, type, adaptor.getFrom(), static_cast<aa::RoundingMode>(static_cast<uint32_t>(op.getRoundingMode())));
    return success();
  }
};

struct FToIPattern : OpConversionPattern<ct::FToIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::FToIOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    bool isSigned = op.getSignedness() == ct::Signedness::Signed;
    Type type = typeConverter->convertType(op.getType());
    Value x = widenToPlain(rewriter, loc, adaptor.getFrom());
    // The bounds below are powers of two up to 2^64: f16 does not hold them.
    if (op.getSaturating() && aa::getElementTypeOrSelf(x.getType()).isF16())
      x = arith::ExtFOp::create(rewriter, loc, withElementType(x.getType(), rewriter.getF32Type()), x);
    // i1 is a truth value: what is not zero is true. Of 0.5, -3 or NaN the specification says nothing else (only 0 and
    // 1 are in range), and front ends convert to bool with this operation.
    if (aa::getElementTypeOrSelf(type).isInteger(1) && !op.getSaturating()) {
      auto format = cast<FloatType>(aa::getElementTypeOrSelf(x.getType()));
      Value zero = createConstant(rewriter, loc, x.getType(), rewriter.getFloatAttr(format, 0.0));
      rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, arith::CmpFPredicate::UNE, x, zero);
      return success();
    }
    Value result;
    if (isSigned)
      result = arith::FPToSIOp::create(rewriter, loc, type, x);
    else
      result = arith::FPToUIOp::create(rewriter, loc, type, x);
    if (op.getSaturating())
      result = saturate(rewriter, loc, x, result, isSigned);
    rewriter.replaceOp(op, result);
    return success();
  }

  /// Out of range: the nearest bound; NaN: 0. `result` is poison there, and a select keeps poison out.
  static Value saturate(OpBuilder &b, Location loc, Value x, Value result, bool isSigned) {
    Type type = result.getType(), floatType = x.getType();
    auto integer = cast<IntegerType>(aa::getElementTypeOrSelf(type));
    auto format = cast<FloatType>(aa::getElementTypeOrSelf(floatType));
    unsigned width = integer.getWidth();
    auto power = [&](unsigned exponent, bool negative) {
      APFloat value = scalbn(APFloat(format.getFloatSemantics(), 1), exponent, APFloat::rmNearestTiesToEven);
      if (negative)
        value.changeSign();
      return createConstant(b, loc, floatType, b.getFloatAttr(format, value));
    };
    auto constant = [&](const APInt &value) { return createConstant(b, loc, type, b.getIntegerAttr(integer, value)); };
    auto replaceWhere = [&](arith::CmpFPredicate predicate, Value bound, const APInt &value) {
      Value there = arith::CmpFOp::create(b, loc, predicate, x, bound);
      result = arith::SelectOp::create(b, loc, there, constant(value), result);
    };
    APInt min = isSigned ? APInt::getSignedMinValue(width) : APInt::getZero(width);
    APInt max = isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
    replaceWhere(arith::CmpFPredicate::OGE, power(isSigned ? width - 1 : width, false), max);
    Value low = isSigned ? power(width - 1, true) : createConstant(b, loc, floatType, b.getFloatAttr(format, 0.0));
    replaceWhere(arith::CmpFPredicate::OLT, low, min);
    replaceWhere(arith::CmpFPredicate::UNO, x, APInt::getZero(width));
    return result;
  }
};

/// An integer that f64 holds and that rounds to 11 bits like `x`: of large ones the lowest 11 bits are replaced by one
/// sticky bit above them, far below the bit that decides.
Value fitInto53Bits(OpBuilder &b, Location loc, Value x, bool isSigned) {
  Type type = x.getType();
  auto constant = [&](int64_t v) { return createConstant(b, loc, type, b.getI64IntegerAttr(v)); };
  using P = arith::CmpIPredicate;
  constexpr int64_t low = (int64_t(1) << 11) - 1;
  Value rest = arith::AndIOp::create(b, loc, x, constant(low));
  Value lost = arith::CmpIOp::create(b, loc, P::ne, rest, constant(0));
  Value sticky = arith::SelectOp::create(b, loc, lost, constant(low + 1), constant(0));
  Value cut = arith::OrIOp::create(b, loc, arith::AndIOp::create(b, loc, x, constant(~low)), sticky);
  Value shifted = isSigned ? arith::AddIOp::create(b, loc, x, constant(int64_t(1) << 52)).getResult() : x;
  Value isSmall = arith::CmpIOp::create(b, loc, P::ult, shifted, constant(int64_t(1) << 53));
  return arith::SelectOp::create(b, loc, isSmall, x, cut);
}

struct IToFPattern : OpConversionPattern<ct::IToFOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::IToFOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = typeConverter->convertType(op.getType());
    bool isSigned = op.getSignedness() == ct::Signedness::Signed;
    Value from = adaptor.getFrom();
    // 8- and 4-bit formats overflow long before f32 starts to round integers; tf32 does not, and goes through f64.
    bool plain = isPlain(aa::getElementTypeOrSelf(type));
    unsigned width = aa::getElementTypeOrSelf(from.getType()).getIntOrFloatBitWidth();
    bool throughF64 = isa<FloatTF32Type>(aa::getElementTypeOrSelf(type)) && width > 16;
    Type first = plain        ? type
                 : throughF64 ? withElementType(type, rewriter.getF64Type())
                              : withElementType(type, rewriter.getF32Type());
    if (throughF64 && width == 64)
      from = fitInto53Bits(rewriter, loc, from, isSigned);
    Value result;
    if (isSigned)
      result = arith::SIToFPOp::create(rewriter, loc, first, from);
    else
      result = arith::UIToFPOp::create(rewriter, loc, first, from);
    if (!plain) {
      Value wide = result;
      result = aa::FpToFpOp::create(rewriter, loc, type, wide, aa::RoundingMode::NearestEven);
      if (width > 8)
        result = overflow(rewriter, loc, wide, result, isSigned);
    }
    rewriter.replaceOp(op, result);
    return success();
  }

  /// Integers beyond the largest number become an infinity, or NaN in a format without (spec cuda-tile, 1.5); fp_to_fp
  /// keeps to finite numbers. `wide` is exact where it matters. A format without NaN keeps its largest number.
  static Value overflow(OpBuilder &b, Location loc, Value wide, Value result, bool isSigned) {
    auto format = cast<FloatType>(aa::getElementTypeOrSelf(result.getType()));
    // Half way to the number after the largest: 448 has an even fraction and 57344 an odd one.
    bool hasInf = isa<Float8E5M2Type>(format);
    if (!hasInf && !isa<Float8E4M3FNType>(format))
      return result;
    double limit = hasInf ? 61440 : 464;
    const llvm::fltSemantics &semantics = format.getFloatSemantics();
    for (bool negative : {false, true}) {
      if (negative && !isSigned)
        break;
      Value bound = createConstant(b, loc, wide.getType(), b.getF32FloatAttr(float(negative ? -limit : limit)));
      using P = arith::CmpFPredicate;
      P predicate = negative ? (hasInf ? P::OLE : P::OLT) : (hasInf ? P::OGE : P::OGT);
      Value beyond = arith::CmpFOp::create(b, loc, predicate, wide, bound);
      APFloat special = hasInf ? APFloat::getInf(semantics, negative) : APFloat::getNaN(semantics);
      Value there = createConstant(b, loc, result.getType(), b.getFloatAttr(format, special));
      result = arith::SelectOp::create(b, loc, beyond, there, result);
    }
    return result;
  }
};

template <typename From, typename To> struct PointerCast : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = this->typeConverter->convertType(op.getType());
    if (type == adaptor.getSource().getType())
      rewriter.replaceOp(op, adaptor.getSource());
    else
      rewriter.replaceOpWithNewOp<To>(op, type, adaptor.getSource());
    return success();
  }
};

} // namespace

void cudatile_to_tileaa::populateCastPatterns(const TileTypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<BitcastPattern, ExtIPattern, TruncIPattern, FToFPattern, FToIPattern, IToFPattern,
               PointerCast<ct::IntToPtrOp, aa::IntToPtrOp>, PointerCast<ct::PtrToIntOp, aa::PtrToIntOp>,
               PointerCast<ct::PtrToPtrOp, aa::BitcastOp>>(types, patterns.getContext());
}
