//===- IntegerPatterns.cpp - Integer, bitwise, comparison, select ---------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::cudatile_to_tileaa;
namespace ct = mlir::cuda_tile;

Type cudatile_to_tileaa::withElementType(Type type, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return RankedTensorType::get(tensor.getShape(), element, tensor.getEncoding());
  return element;
}

Value cudatile_to_tileaa::createConstant(OpBuilder &builder, Location loc, Type type, Attribute element) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(tensor, element));
  return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(element));
}

static Value createInteger(OpBuilder &builder, Location loc, Type type, int64_t value) {
  return createConstant(builder, loc, type, builder.getIntegerAttr(nv_tileaa::getElementTypeOrSelf(type), value));
}

static arith::IntegerOverflowFlags overflowFlags(ct::Overflow overflow) {
  using F = arith::IntegerOverflowFlags;
  switch (overflow) {
  case ct::Overflow::None:
    return F::none;
  case ct::Overflow::NoSignedWrap:
    return F::nsw;
  case ct::Overflow::NoUnsignedWrap:
    return F::nuw;
  case ct::Overflow::NoWrap:
    return F::nsw | F::nuw;
  }
  llvm_unreachable("no such overflow mode");
}

namespace {

/// One operation to one operation with the same operands.
template <typename From, typename To> struct SameOperands : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, adaptor.getOperands());
    return success();
  }
};

template <typename From, typename To> struct WithOverflow : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, adaptor.getLhs(), adaptor.getRhs(), overflowFlags(op.getOverflow()));
    return success();
  }
};

template <typename From, typename Signed, typename Unsigned> struct BySignedness : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getSignedness() == ct::Signedness::Signed)
      rewriter.replaceOpWithNewOp<Signed>(op, adaptor.getLhs(), adaptor.getRhs());
    else
      rewriter.replaceOpWithNewOp<Unsigned>(op, adaptor.getLhs(), adaptor.getRhs());
    return success();
  }
};

struct DivIPattern : OpConversionPattern<ct::DivIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::DivIOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    bool isSigned = op.getSignedness() == ct::Signedness::Signed;
    switch (op.getRounding()) {
    case ct::RoundingMode::Zero:
      if (isSigned)
        rewriter.replaceOpWithNewOp<arith::DivSIOp>(op, lhs, rhs);
      else
        rewriter.replaceOpWithNewOp<arith::DivUIOp>(op, lhs, rhs);
      return success();
    case ct::RoundingMode::NegativeInf:
      rewriter.replaceOpWithNewOp<arith::FloorDivSIOp>(op, lhs, rhs);
      return success();
    case ct::RoundingMode::PositiveInf:
      if (isSigned)
        rewriter.replaceOpWithNewOp<arith::CeilDivSIOp>(op, lhs, rhs);
      else
        rewriter.replaceOpWithNewOp<arith::CeilDivUIOp>(op, lhs, rhs);
      return success();
    default:
      return rewriter.notifyMatchFailure(op, "rounding mode of another operation");
    }
  }
};

/// Whether every element of a shift amount is a constant in [0, width).
static bool isSmallConstant(Value amount, unsigned width) {
  while (Operation *def = amount.getDefiningOp()) {
    if (!isa<ct::BroadcastOp, ct::ReshapeOp, ct::PermuteOp>(def))
      break;
    amount = def->getOperand(0);
  }
  auto constant = amount.getDefiningOp<ct::ConstantOp>();
  if (!constant)
    return false;
  auto values = cast<DenseElementsAttr>(constant.getValue());
  if (values.isSplat())
    return values.getSplatValue<APInt>().ult(width);
  return llvm::all_of(values.getValues<APInt>(), [&](const APInt &v) { return v.ult(width); });
}

/// Amounts of the width or more shift everything out, as the hardware does (PTX ISA, shl/shr: amounts are
/// clamped); arith calls that poison.
template <typename From, bool isLeft> struct ShiftPattern : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value lhs = adaptor.getLhs(), amount = adaptor.getRhs();
    Type type = lhs.getType();
    unsigned width = nv_tileaa::getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    bool arithmetic = false;
    if constexpr (!isLeft)
      arithmetic = op.getSignedness() == ct::Signedness::Signed;
    Value inRange;
    if (!isSmallConstant(op.getRhs(), width)) {
      if (arithmetic) {
        Value last = createInteger(rewriter, loc, type, width - 1);
        amount = arith::MinUIOp::create(rewriter, loc, amount, last);
      } else if (width == 1) {
        // An i1 amount is 0 or 1, and the width itself is no i1.
        Value zero = createInteger(rewriter, loc, type, 0);
        inRange = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, amount, zero);
      } else {
        Value limit = createInteger(rewriter, loc, type, width);
        inRange = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, amount, limit);
      }
    }
    Value result;
    if constexpr (isLeft)
      result = arith::ShLIOp::create(rewriter, loc, lhs, amount, overflowFlags(op.getOverflow()));
    else if (arithmetic)
      result = arith::ShRSIOp::create(rewriter, loc, lhs, amount);
    else
      result = arith::ShRUIOp::create(rewriter, loc, lhs, amount);
    if (inRange)
      result = arith::SelectOp::create(rewriter, loc, inRange, result, createInteger(rewriter, loc, type, 0));
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct NegIPattern : OpConversionPattern<ct::NegIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::NegIOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Value zero = createInteger(rewriter, op.getLoc(), adaptor.getSource().getType(), 0);
    rewriter.replaceOpWithNewOp<arith::SubIOp>(op, zero, adaptor.getSource(), overflowFlags(op.getOverflow()));
    return success();
  }
};

struct CmpIPattern : OpConversionPattern<ct::CmpIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::CmpIOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    using P = arith::CmpIPredicate;
    using C = ct::ComparisonPredicate;
    bool isSigned = op.getSignedness() == ct::Signedness::Signed;
    auto predicate = [&] {
      switch (op.getComparisonPredicate()) {
      case C::Equal:
        return P::eq;
      case C::NotEqual:
        return P::ne;
      case C::LessThan:
        return isSigned ? P::slt : P::ult;
      case C::LessThanOrEqual:
        return isSigned ? P::sle : P::ule;
      case C::GreaterThan:
        return isSigned ? P::sgt : P::ugt;
      case C::GreaterThanOrEqual:
        return isSigned ? P::sge : P::uge;
      }
      llvm_unreachable("no such predicate");
    }();
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, predicate, adaptor.getLhs(), adaptor.getRhs());
    return success();
  }
};

struct SelectPattern : OpConversionPattern<ct::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::SelectOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, adaptor.getCond(), adaptor.getValIfTrue(),
                                                 adaptor.getValIfFalse());
    return success();
  }
};

struct MulhiPattern : OpConversionPattern<ct::MulhiIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::MulhiIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<nv_tileaa::MulhiUIOp>(op, adaptor.getX().getType(), adaptor.getX(), adaptor.getY());
    return success();
  }
};

} // namespace

void cudatile_to_tileaa::populateIntegerPatterns(const TileTypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<WithOverflow<ct::AddIOp, arith::AddIOp>, WithOverflow<ct::SubIOp, arith::SubIOp>,
               WithOverflow<ct::MulIOp, arith::MulIOp>, SameOperands<ct::AndIOp, arith::AndIOp>,
               SameOperands<ct::OrIOp, arith::OrIOp>, SameOperands<ct::XOrIOp, arith::XOrIOp>,
               SameOperands<ct::AbsIOp, math::AbsIOp>, BySignedness<ct::RemIOp, arith::RemSIOp, arith::RemUIOp>,
               BySignedness<ct::MaxIOp, arith::MaxSIOp, arith::MaxUIOp>,
               BySignedness<ct::MinIOp, arith::MinSIOp, arith::MinUIOp>, ShiftPattern<ct::ShLIOp, true>,
               ShiftPattern<ct::ShRIOp, false>, DivIPattern, NegIPattern, CmpIPattern, SelectPattern, MulhiPattern>(
      types, patterns.getContext());
}
