//===- FloatPatterns.cpp - Floating-point arithmetic ----------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// arith and math operations round to nearest even, keep denormals and are never contracted: they carry no fast-math
// flags. The two approximations that cuda_tile names (exp, tanh) are their `afn` forms. Everything else with a
// mode becomes an nv_tileaa operation.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::cudatile_to_tileaa;
namespace ct = mlir::cuda_tile;
namespace aa = mlir::nv_tileaa;

/// The codes of both enumerations are those of the public bytecode.
static aa::RoundingMode convertRounding(ct::RoundingMode mode) {
  return static_cast<aa::RoundingMode>(static_cast<uint32_t>(mode));
}

namespace {

template <typename From, typename To> struct SameOperands : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, adaptor.getOperands());
    return success();
  }
};

/// addf, subf, mulf, divf.
template <typename From, typename Plain, typename WithMode> struct RoundedBinary : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    if (op.getRoundingMode() == ct::RoundingMode::NearestEven && !op.getFlushToZero())
      rewriter.replaceOpWithNewOp<Plain>(op, lhs, rhs);
    else
      rewriter.replaceOpWithNewOp<WithMode>(op, lhs.getType(), lhs, rhs, convertRounding(op.getRoundingMode()),
                                            op.getFlushToZero());
    return success();
  }
};

struct FmaPattern : OpConversionPattern<ct::FmaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::FmaOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Value a = adaptor.getLhs(), b = adaptor.getRhs(), c = adaptor.getAcc();
    if (op.getRoundingMode() == ct::RoundingMode::NearestEven && !op.getFlushToZero())
      rewriter.replaceOpWithNewOp<math::FmaOp>(op, a, b, c);
    else
      rewriter.replaceOpWithNewOp<aa::FmaOp>(op, a.getType(), a, b, c, convertRounding(op.getRoundingMode()),
                                             op.getFlushToZero());
    return success();
  }
};

struct SqrtPattern : OpConversionPattern<ct::SqrtOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::SqrtOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Value x = adaptor.getSource();
    if (op.getRoundingMode() == ct::RoundingMode::NearestEven && !op.getFlushToZero())
      rewriter.replaceOpWithNewOp<math::SqrtOp>(op, x);
    else
      rewriter.replaceOpWithNewOp<aa::SqrtOp>(op, x.getType(), x, convertRounding(op.getRoundingMode()),
                                              op.getFlushToZero());
    return success();
  }
};

/// exp2, rsqrt.
template <typename From, typename Plain, typename WithFlush> struct FlushUnary : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value x = adaptor.getSource();
    if (!op.getFlushToZero())
      rewriter.replaceOpWithNewOp<Plain>(op, x);
    else
      rewriter.replaceOpWithNewOp<WithFlush>(op, x.getType(), x, aa::RoundingMode::NearestEven, true);
    return success();
  }
};

/// exp, tanh: full precision or approximate.
template <typename From, typename To> struct FullOrApprox : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto flags =
        op.getRoundingMode() == ct::RoundingMode::Approx ? arith::FastMathFlags::afn : arith::FastMathFlags::none;
    rewriter.replaceOpWithNewOp<To>(op, adaptor.getSource(), flags);
    return success();
  }
};

/// Without propagate_nan these are IEEE maximumNumber and minimumNumber: a number wins over NaN. In both +0 is
/// larger than -0, which PTX max and min give for arith.maxnumf and minnumf too.
template <typename From, typename Number, typename Nan, typename WithFlush> struct MinMax : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    if (op.getFlushToZero())
      rewriter.replaceOpWithNewOp<WithFlush>(op, lhs.getType(), lhs, rhs, op.getPropagateNan(), true);
    else if (op.getPropagateNan())
      rewriter.replaceOpWithNewOp<Nan>(op, lhs, rhs);
    else
      rewriter.replaceOpWithNewOp<Number>(op, lhs, rhs);
    return success();
  }
};

struct CmpFPattern : OpConversionPattern<ct::CmpFOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::CmpFOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    using P = arith::CmpFPredicate;
    using C = ct::ComparisonPredicate;
    bool ordered = op.getComparisonOrdering() == ct::ComparisonOrdering::Ordered;
    auto predicate = [&] {
      switch (op.getComparisonPredicate()) {
      case C::Equal:
        return ordered ? P::OEQ : P::UEQ;
      case C::NotEqual:
        return ordered ? P::ONE : P::UNE;
      case C::LessThan:
        return ordered ? P::OLT : P::ULT;
      case C::LessThanOrEqual:
        return ordered ? P::OLE : P::ULE;
      case C::GreaterThan:
        return ordered ? P::OGT : P::UGT;
      case C::GreaterThanOrEqual:
        return ordered ? P::OGE : P::UGE;
      }
      llvm_unreachable("no such predicate");
    }();
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, predicate, adaptor.getLhs(), adaptor.getRhs());
    return success();
  }
};

struct FPowIPattern : OpConversionPattern<ct::FPowIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::FPowIOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    // The exponent is signed whatever its width: an i1 true is -1.
    Value exponent = adaptor.getExponent();
    if (!aa::getElementTypeOrSelf(exponent.getType()).isInteger(32))
      exponent = arith::ExtSIOp::create(rewriter, op.getLoc(),
                                        withElementType(exponent.getType(), rewriter.getI32Type()), exponent);
    rewriter.replaceOpWithNewOp<math::FPowIOp>(op, adaptor.getSource(), exponent);
    return success();
  }
};

} // namespace

void cudatile_to_tileaa::populateFloatPatterns(const TileTypeConverter &types, RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<SameOperands<ct::AbsFOp, math::AbsFOp>, SameOperands<ct::NegFOp, arith::NegFOp>,
               SameOperands<ct::CeilOp, math::CeilOp>, SameOperands<ct::FloorOp, math::FloorOp>,
               SameOperands<ct::CosOp, math::CosOp>, SameOperands<ct::SinOp, math::SinOp>,
               SameOperands<ct::TanOp, math::TanOp>, SameOperands<ct::CosHOp, math::CoshOp>,
               SameOperands<ct::SinHOp, math::SinhOp>, SameOperands<ct::LogOp, math::LogOp>,
               SameOperands<ct::Log2Op, math::Log2Op>, SameOperands<ct::RemFOp, arith::RemFOp>,
               SameOperands<ct::FPowFOp, math::PowFOp>, SameOperands<ct::Atan2Op, math::Atan2Op>>(types, context);
  patterns.add<FullOrApprox<ct::ExpOp, math::ExpOp>, FullOrApprox<ct::TanHOp, math::TanhOp>,
               FlushUnary<ct::Exp2Op, math::Exp2Op, aa::Exp2Op>, FlushUnary<ct::RsqrtOp, math::RsqrtOp, aa::RsqrtOp>,
               SqrtPattern, FmaPattern, CmpFPattern, FPowIPattern>(types, context);
  patterns
      .add<RoundedBinary<ct::AddFOp, arith::AddFOp, aa::AddFOp>, RoundedBinary<ct::SubFOp, arith::SubFOp, aa::SubFOp>,
           RoundedBinary<ct::MulFOp, arith::MulFOp, aa::MulFOp>, RoundedBinary<ct::DivFOp, arith::DivFOp, aa::DivFOp>,
           MinMax<ct::MaxFOp, arith::MaxNumFOp, arith::MaximumFOp, aa::MaxFOp>,
           MinMax<ct::MinFOp, arith::MinNumFOp, arith::MinimumFOp, aa::MinFOp>>(types, context);
}
