//===- TileAAFloatOps.cpp - Verifiers of arithmetic with modes --------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/IR/TileAA.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

static Type elementOf(Value v) { return nv_tileaa::getElementTypeOrSelf(v.getType()); }

/// Floats, in a mode the operation has. approx and full are instructions on f32 (PTX ISA 9.7.3).
static LogicalResult verifyFloatOp(Operation *op, RoundingMode mode, ArrayRef<RoundingMode> beside = {}) {
  Type element = elementOf(op->getResult(0));
  if (!isa<FloatType>(element))
    return op->emitOpError("expects floats, got ") << element;
  switch (mode) {
  case RoundingMode::NearestEven:
  case RoundingMode::Zero:
  case RoundingMode::NegativeInf:
  case RoundingMode::PositiveInf:
    return success();
  default:
    break;
  }
  if (!llvm::is_contained(beside, mode))
    return op->emitOpError("rounding mode ") << stringifyRoundingMode(mode) << " is not defined for this operation";
  if (!element.isF32())
    return op->emitOpError() << stringifyRoundingMode(mode)
                             << " modifier only supported for f32 data type, but got: " << element;
  return success();
}

LogicalResult nv_tileaa::AddFOp::verify() { return verifyFloatOp(*this, getRoundingMode()); }
LogicalResult nv_tileaa::SubFOp::verify() { return verifyFloatOp(*this, getRoundingMode()); }
LogicalResult nv_tileaa::MulFOp::verify() { return verifyFloatOp(*this, getRoundingMode()); }
LogicalResult nv_tileaa::DivFOp::verify() {
  return verifyFloatOp(*this, getRoundingMode(), {RoundingMode::Approx, RoundingMode::Full});
}
LogicalResult FmaOp::verify() { return verifyFloatOp(*this, getRoundingMode()); }
LogicalResult nv_tileaa::SqrtOp::verify() { return verifyFloatOp(*this, getRoundingMode(), {RoundingMode::Approx}); }
LogicalResult nv_tileaa::RsqrtOp::verify() { return verifyFloatOp(*this, getRoundingMode(), {RoundingMode::Approx}); }
LogicalResult nv_tileaa::Exp2Op::verify() { return verifyFloatOp(*this, getRoundingMode(), {RoundingMode::Approx}); }
LogicalResult MaxFOp::verify() { return verifyFloatOp(*this, RoundingMode::NearestEven); }
LogicalResult MinFOp::verify() { return verifyFloatOp(*this, RoundingMode::NearestEven); }
LogicalResult ClampFOp::verify() { return verifyFloatOp(*this, RoundingMode::NearestEven); }

LogicalResult MulhiUIOp::verify() {
  if (!elementOf(getResult()).isSignlessInteger())
    return emitOpError("expects integers, got ") << elementOf(getResult());
  return success();
}

/// One shape; layouts are looked at where there are some.
static LogicalResult verifyElementwiseShape(Operation *op, Type a, Type b) {
  auto x = dyn_cast<RankedTensorType>(a), y = dyn_cast<RankedTensorType>(b);
  if (bool(x) != bool(y) || (x && (x.getShape() != y.getShape() || x.getEncoding() != y.getEncoding())))
    return op->emitOpError("expects operands and result of one shape");
  return success();
}

LogicalResult FpToFpOp::verify() {
  if (!isa<FloatType>(elementOf(getSource())) || !isa<FloatType>(elementOf(getResult())))
    return emitOpError("expects floats, got ") << elementOf(getSource()) << " and " << elementOf(getResult());
  RoundingMode mode = getRoundingMode();
  if (mode == RoundingMode::Approx || mode == RoundingMode::Full || mode == RoundingMode::NearestIntToZero)
    return emitOpError("rounding mode ") << stringifyRoundingMode(mode) << " is not defined for this operation";
  return verifyElementwiseShape(*this, getSource().getType(), getResult().getType());
}

LogicalResult IntToPtrOp::verify() {
  if (!elementOf(getSource()).isInteger(64) || !isa<PtrType>(elementOf(getResult())))
    return emitOpError("expects i64 to pointer, got ") << elementOf(getSource()) << " and " << elementOf(getResult());
  return verifyElementwiseShape(*this, getSource().getType(), getResult().getType());
}
LogicalResult PtrToIntOp::verify() {
  if (!isa<PtrType>(elementOf(getSource())) || !elementOf(getResult()).isInteger(64))
    return emitOpError("expects pointer to i64, got ") << elementOf(getSource()) << " and " << elementOf(getResult());
  return verifyElementwiseShape(*this, getSource().getType(), getResult().getType());
}
LogicalResult nv_tileaa::BitcastOp::verify() {
  if (!isa<PtrType>(elementOf(getSource())) || !isa<PtrType>(elementOf(getResult())))
    return emitOpError("expects pointers, got ") << elementOf(getSource()) << " and " << elementOf(getResult());
  return verifyElementwiseShape(*this, getSource().getType(), getResult().getType());
}

LogicalResult PrintOp::verify() {
  for (Value argument : getArgs())
    if (!elementOf(argument).isIntOrFloat() && !isa<PtrType>(elementOf(argument)))
      return emitOpError("expects numbers or pointers, got ") << argument.getType();
  return success();
}
LogicalResult nv_tileaa::AssertOp::verify() {
  if (!elementOf(getCondition()).isInteger(1))
    return emitOpError("expects an i1 condition, got ") << elementOf(getCondition());
  return success();
}

//===----------------------------------------------------------------------===//
// Promises. The rules and words are those of the public operation (spec cuda-tile 1.3).
//===----------------------------------------------------------------------===//

LogicalResult DivByAttr::verify(function_ref<InFlightDiagnostic()> emitError, uint64_t divisor,
                                std::optional<int64_t> every, std::optional<int64_t> along) {
  if (!llvm::isPowerOf2_64(divisor))
    return emitError() << "'nv_tileaa.div_by' divisor must be a power of 2";
  if (every.has_value() != along.has_value())
    return emitError() << "'nv_tileaa.div_by' 'every'/'along' must be used in combination";
  if (divisor > (uint64_t(1) << 62))
    return emitError() << "'nv_tileaa.div_by' divisor is too large";
  return success();
}
LogicalResult BoundedAttr::verify(function_ref<InFlightDiagnostic()> emitError, std::optional<int64_t> lb,
                                  std::optional<int64_t> ub) {
  if (lb && ub && *lb > *ub)
    return emitError() << "'nv_tileaa.bounded' expects lower bound to be less than or equal to upper bound";
  return success();
}
LogicalResult SameElementsAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> values) {
  for (int64_t value : values)
    if (value < 0)
      return emitError() << "'nv_tileaa.same_elements' values must not be negative, got " << value;
  return success();
}

static LogicalResult verifyFor(AssumeOp op, DivByAttr divBy) {
  Type element = elementOf(op.getValue());
  auto tensor = dyn_cast<RankedTensorType>(op.getType());
  if (!element.isSignlessInteger() && !isa<PtrType>(element))
    return op.emitOpError("'nv_tileaa.div_by' is valid only for integers and pointers");
  if (!divBy.getEvery())
    return success();
  if (!tensor)
    return op.emitOpError("'nv_tileaa.div_by' 'every'/'along' cannot be used if the constrained value is a scalar");
  int64_t along = *divBy.getAlong();
  if (along < 0 || along >= tensor.getRank())
    return op.emitOpError("'nv_tileaa.div_by' every_dim (")
           << along << ") must be >= 0 and < tile rank (" << tensor.getRank() << ")";
  int64_t size = tensor.getDimSize(along);
  if (*divBy.getEvery() < 0 || *divBy.getEvery() > size)
    return op.emitOpError(
               "expected 'nv_tileaa.div_by' every_dim to be within 0 and the size of the respective dimension (")
           << size << ")";
  return success();
}

static LogicalResult verifyFor(AssumeOp op, BoundedAttr bounded) {
  Type element = elementOf(op.getValue());
  if (!element.isSignlessInteger())
    return op.emitOpError("'nv_tileaa.bounded' is valid only for integers");
  unsigned width = element.getIntOrFloatBitWidth();
  for (auto [side, bound] : {std::pair("lower", bounded.getLb()), std::pair("upper", bounded.getUb())})
    if (bound && !llvm::isIntN(width, *bound))
      return op.emitOpError("'nv_tileaa.bounded' expects ")
             << side << " bound to be within [" << llvm::minIntN(width) << ", " << llvm::maxIntN(width) << "]";
  return success();
}

static LogicalResult verifyFor(AssumeOp op, SameElementsAttr same) {
  Type element = elementOf(op.getValue());
  if (!element.isSignlessInteger() && !isa<PtrType>(element))
    return op.emitOpError("'nv_tileaa.same_elements' is valid only for integers and pointers");
  auto tensor = dyn_cast<RankedTensorType>(op.getType());
  ArrayRef<int64_t> shape = tensor ? tensor.getShape() : ArrayRef<int64_t>();
  if (same.getValues().size() != shape.size())
    return op.emitOpError("expected number of values in 'nv_tileaa.same_elements' (")
           << same.getValues().size() << ") to match rank of constrained tile (" << shape.size() << ")";
  for (auto [i, value] : llvm::enumerate(same.getValues()))
    if (value > shape[i])
      return op.emitOpError("expected 'nv_tileaa.same_elements' value ")
             << i << " to be within 0 and the size of the respective dimension (" << shape[i] << ")";
  return success();
}

LogicalResult AssumeOp::verify() {
  if (auto divBy = dyn_cast<DivByAttr>(getPredicate()))
    return verifyFor(*this, divBy);
  if (auto bounded = dyn_cast<BoundedAttr>(getPredicate()))
    return verifyFor(*this, bounded);
  if (auto same = dyn_cast<SameElementsAttr>(getPredicate()))
    return verifyFor(*this, same);
  return emitOpError("expects a div_by, bounded or same_elements predicate");
}
