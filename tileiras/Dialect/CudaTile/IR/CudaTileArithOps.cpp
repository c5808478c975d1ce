//===- CudaTileArithOps.cpp - Arithmetic and conversion checks ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaTileInternal.h"

using namespace mlir;
using namespace mlir::cuda_tile;

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

/// Refuses a mode outside the list; the message names the list in its public order.
static LogicalResult verifyMode(Operation *op, RoundingMode mode, ArrayRef<RoundingMode> allowed) {
  if (llvm::is_contained(allowed, mode))
    return success();
  InFlightDiagnostic diag = op->emitOpError("invalid rounding mode specified, expect one of [");
  llvm::interleave(allowed, [&](RoundingMode m) { diag << stringifyRoundingMode(m); }, [&] { diag << ", "; });
  return diag << "]";
}

static LogicalResult verifyOnlyF32(Operation *op, StringRef modifier, Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isF32())
    return success();
  return op->emitOpError() << modifier << " modifier only supported for f32 data type, but got: " << element;
}

/// IEEE modes plus `extra`, which (like flush_to_zero) are for f32 only.
static LogicalResult verifyRounding(Operation *op, RoundingMode mode, bool flush, Type type,
                                    ArrayRef<RoundingMode> extra = {}) {
  SmallVector<RoundingMode> allowed = {RoundingMode::NearestEven, RoundingMode::Zero, RoundingMode::NegativeInf,
                                       RoundingMode::PositiveInf};
  llvm::append_range(allowed, extra);
  if (failed(verifyMode(op, mode, allowed)))
    return failure();
  if (llvm::is_contained(extra, mode) && failed(verifyOnlyF32(op, stringifyRoundingMode(mode), type)))
    return failure();
  return flush ? verifyOnlyF32(op, "flush_to_zero", type) : success();
}

static LogicalResult verifyFlush(Operation *op, bool flush, Type type) {
  return flush ? verifyOnlyF32(op, "flush_to_zero", type) : success();
}

static LogicalResult verifyApproxOrFull(Operation *op, RoundingMode mode, Type type) {
  if (failed(verifyMode(op, mode, {RoundingMode::Approx, RoundingMode::Full})))
    return failure();
  return mode == RoundingMode::Approx ? verifyOnlyF32(op, "approx", type) : success();
}

LogicalResult AddFOp::verify() { return verifyRounding(*this, getRoundingMode(), getFlushToZero(), getType()); }
LogicalResult SubFOp::verify() { return verifyRounding(*this, getRoundingMode(), getFlushToZero(), getType()); }
LogicalResult MulFOp::verify() { return verifyRounding(*this, getRoundingMode(), getFlushToZero(), getType()); }
LogicalResult FmaOp::verify() { return verifyRounding(*this, getRoundingMode(), getFlushToZero(), getType()); }
LogicalResult DivFOp::verify() {
  return verifyRounding(*this, getRoundingMode(), getFlushToZero(), getType(),
                        {RoundingMode::Approx, RoundingMode::Full});
}
LogicalResult SqrtOp::verify() {
  return verifyRounding(*this, getRoundingMode(), getFlushToZero(), getType(), {RoundingMode::Approx});
}
LogicalResult ExpOp::verify() { return verifyApproxOrFull(*this, getRoundingMode(), getType()); }
LogicalResult TanHOp::verify() { return verifyApproxOrFull(*this, getRoundingMode(), getType()); }
LogicalResult Exp2Op::verify() { return verifyFlush(*this, getFlushToZero(), getType()); }
LogicalResult RsqrtOp::verify() { return verifyFlush(*this, getFlushToZero(), getType()); }
LogicalResult MaxFOp::verify() { return verifyFlush(*this, getFlushToZero(), getType()); }
LogicalResult MinFOp::verify() { return verifyFlush(*this, getFlushToZero(), getType()); }

LogicalResult NegIOp::verify() {
  if (getOverflow() == Overflow::NoUnsignedWrap || getOverflow() == Overflow::NoWrap)
    return emitOpError("'") << stringifyOverflow(getOverflow()) << "' overflow flag is not supported";
  return success();
}

LogicalResult DivIOp::verify() {
  if (failed(
          verifyMode(*this, getRounding(), {RoundingMode::Zero, RoundingMode::NegativeInf, RoundingMode::PositiveInf})))
    return failure();
  if (getRounding() == RoundingMode::NegativeInf && getSignedness() == Signedness::Unsigned)
    return emitOpError("rounding mode 'negative_inf' is not allowed with 'unsigned' flag");
  return success();
}

//===----------------------------------------------------------------------===//
// Matrix multiply-accumulate
//===----------------------------------------------------------------------===//

static LogicalResult verifyMatch(Operation *op, StringRef prefix, StringRef aName, TileType a, int64_t aDim,
                                 StringRef bName, TileType b, int64_t bDim) {
  int64_t x = a.getShape()[aDim], y = b.getShape()[bDim];
  if (x == y)
    return success();
  return op->emitOpError() << prefix << "shape error: dim " << aDim << " of " << aName << " (" << x << ") and dim "
                           << bDim << " of " << bName << " (" << y << ") must match, but got " << aName << " shape ("
                           << joinInts(a.getShape()) << ") and " << bName << " shape (" << joinInts(b.getShape())
                           << ")";
}

/// A[b,]MxK * B[b,]KxN + C[b,]MxN.
// The ranks are equal: a trait.
static LogicalResult verifyMmaShapes(Operation *op, TileType lhs, TileType rhs, TileType acc) {
  int64_t rank = lhs.getRank();
  if (rank != 2 && rank != 3)
    return op->emitOpError("operands must be 2D or 3D tiles");
  if (rank == 3 && (failed(verifyMatch(op, "", "lhs", lhs, 0, "rhs", rhs, 0)) ||
                    failed(verifyMatch(op, "", "lhs", lhs, 0, "acc", acc, 0))))
    return failure();
  int64_t m = rank - 2, n = rank - 1;
  return success(succeeded(verifyMatch(op, " ", "lhs", lhs, n, "rhs", rhs, m)) &&
                 succeeded(verifyMatch(op, " ", "lhs", lhs, m, "acc", acc, m)) &&
                 succeeded(verifyMatch(op, " ", "rhs", rhs, n, "acc", acc, n)));
}

LogicalResult MmaFOp::verify() {
  TileType lhs = getLhs().getType(), rhs = getRhs().getType(), acc = getAcc().getType();
  if (failed(verifyMmaShapes(*this, lhs, rhs, acc)))
    return failure();
  Type in = lhs.getElementType(), out = acc.getElementType();
  Builder b(getContext());
  SmallVector<Type> allowed;
  if (isa<Float8E4M3FNType, Float8E5M2Type, Float16Type>(in))
    allowed = {b.getF16Type(), b.getF32Type()};
  else if (in.isF64())
    allowed = {b.getF64Type()};
  else
    allowed = {b.getF32Type()};
  if (!llvm::is_contained(allowed, out)) {
    InFlightDiagnostic diag = emitOpError("unsupported combination of element types. Input type ")
                              << in << " expects accumulator/result type to be one of {";
    llvm::interleaveComma(allowed, diag);
    return diag << "}, but got " << out;
  }
  return success();
}

LogicalResult MmaIOp::verify() {
  return verifyMmaShapes(*this, getLhs().getType(), getRhs().getType(), getAcc().getType());
}

LogicalResult MmaFScaledOp::verify() {
  TileType lhs = getLhs().getType(), rhs = getRhs().getType(), acc = getAcc().getType();
  TileType ls = getLhsScale().getType(), rs = getRhsScale().getType();
  if (failed(verifyMmaShapes(*this, lhs, rhs, acc)))
    return failure();
  Type in = lhs.getElementType(), scale = ls.getElementType();
  bool is8 = isa<Float8E4M3FNType, Float8E5M2Type>(in), e8m0 = isa<Float8E8M0FNUType>(scale);
  if (is8 && !e8m0)
    return emitOpError("unsupported combination of element types. Scale type ")
           << scale << " expects lhs and rhs element types to be f4E2M1FN, but got " << in;
  int64_t rank = lhs.getRank(), m = rank - 2, n = rank - 1;
  if (ls.getRank() != rank || rs.getRank() != rank)
    return emitOpError("scales must have the rank of the operands (")
           << rank << "), but got ranks " << ls.getRank() << " and " << rs.getRank();
  if (rank == 3 && (failed(verifyMatch(*this, "", "lhs", lhs, 0, "lhs_scale", ls, 0)) ||
                    failed(verifyMatch(*this, "", "rhs", rhs, 0, "rhs_scale", rs, 0))))
    return failure();
  if (failed(verifyMatch(*this, "", "lhs", lhs, m, "lhs_scale", ls, m)) ||
      failed(verifyMatch(*this, "", "rhs", rhs, n, "rhs_scale", rs, n)) ||
      failed(verifyMatch(*this, "", "lhs_scale", ls, n, "rhs_scale", rs, m)))
    return failure();
  int64_t k = lhs.getShape()[n], scales = ls.getShape()[n];
  int64_t block = k / scales;
  StringRef kind, wanted;
  if (is8)
    kind = "f8 element type requires", wanted = "32";
  else if (e8m0)
    kind = "f4E2M1FN element type with f8E8M0FNU scales requires", wanted = "16 or 32";
  else
    kind = "f4E2M1FN element type with f8E4M3FN scales requires", wanted = "16";
  bool good = block * scales == k && (is8 ? block == 32 : e8m0 ? block == 16 || block == 32 : block == 16);
  if (!good)
    return emitOpError("shape error: ") << kind << " block scale factor of lhs_scale and rhs_scale to be " << wanted
                                        << ", but got " << block;
  return success();
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static Type elementOf(Value value) { return cast<TileType>(value.getType()).getElementType(); }

LogicalResult BitcastOp::verify() {
  Type from = elementOf(getSource()), to = elementOf(getResult());
  // Values, not storage: tf32 has 19 bits and casts to nothing else.
  unsigned a = from.getIntOrFloatBitWidth(), b = to.getIntOrFloatBitWidth();
  if (a != b)
    return emitOpError("types must be equal width, cannot convert ")
           << getSource().getType() << " of width " << a << " to type " << getResult().getType() << " of width " << b;
  return success();
}

LogicalResult ExtIOp::verify() {
  if (elementOf(getFrom()).getIntOrFloatBitWidth() >= elementOf(getTo()).getIntOrFloatBitWidth())
    return emitOpError("extending to smaller or identical integer");
  return success();
}

LogicalResult TruncIOp::verify() {
  if (elementOf(getFrom()).getIntOrFloatBitWidth() <= elementOf(getTo()).getIntOrFloatBitWidth())
    return emitOpError("truncating to larger or identical integer");
  return success();
}

/// Whether every value of one format is a value of the other.
static bool isWidening(FloatType from, FloatType to) {
  const llvm::fltSemantics &f = from.getFloatSemantics(), &t = to.getFloatSemantics();
  // f8E8M0FNU goes down to 2^-127, which only a format with subnormals below that can hold: it widens to f64 only.
  if (isa<Float8E8M0FNUType>(from))
    return to.isF64();
  return APFloat::semanticsPrecision(t) >= APFloat::semanticsPrecision(f) &&
         APFloat::semanticsMaxExponent(t) >= APFloat::semanticsMaxExponent(f) &&
         APFloat::semanticsMinExponent(t) <= APFloat::semanticsMinExponent(f);
}

LogicalResult FToFOp::verify() {
  auto from = cast<FloatType>(elementOf(getFrom())), to = cast<FloatType>(elementOf(getTo()));
  if (from == to)
    return emitOpError("converting tiles must not be a no-op");
  using M = RoundingMode;
  if (isa<Float8E8M0FNUType>(to))
    return verifyMode(*this, getRoundingMode(), {M::Zero, M::PositiveInf});
  if (isa<Float8E4M3FNType, Float8E5M2Type, Float4E2M1FNType>(to))
    return verifyMode(*this, getRoundingMode(), {M::NearestEven});
  if (isWidening(from, to))
    return verifyMode(*this, getRoundingMode(),
                      {M::NearestEven, M::Zero, M::NegativeInf, M::PositiveInf, M::NearestAway});
  if (from.isF64() && to.isF32())
    return verifyMode(*this, getRoundingMode(), {M::NearestEven, M::Zero, M::NegativeInf, M::PositiveInf});
  if (from.isF32() && isa<FloatTF32Type>(to))
    return verifyMode(*this, getRoundingMode(), {M::NearestEven, M::Zero, M::NearestAway});
  return verifyMode(*this, getRoundingMode(), {M::NearestEven, M::Zero});
}

LogicalResult FToIOp::verify() { return verifyMode(*this, getRoundingMode(), {RoundingMode::NearestIntToZero}); }

LogicalResult IToFOp::verify() {
  if (isa<Float8E8M0FNUType>(elementOf(getTo())))
    return emitOpError("integer to f8E8M0FNU conversion is not supported, please first convert to another float type");
  return verifyMode(*this, getRoundingMode(), {RoundingMode::NearestEven});
}
