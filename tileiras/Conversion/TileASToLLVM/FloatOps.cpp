//===- FloatOps.cpp - Floating point with rounding modes and ftz ----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// nv_tileaa.addf and friends. f32 and f64 have an instruction per rounding mode (PTX ISA, "Floating-Point
// Instructions"), reached through LLVM's llvm.nvvm intrinsics; no fast-math flag is ever set. f16 and bf16 only round
// to nearest in hardware. Their directed modes, and everything else they lack, are computed in f32 in the same mode and
// rounded once more in that mode: directed rounding twice in one direction is directed rounding once.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"

using namespace mlir;
using namespace mlir::tilellvm;
using nv_tileaa::RoundingMode;

Value tilellvm::computeInF32(Emitter &e, ValueRange operands, function_ref<Value(ValueRange)> compute) {
  Type type = operands.front().getType();
  if (!type.isF16() && !type.isBF16())
    return compute(operands);
  SmallVector<Value> wide;
  for (Value v : operands)
    wide.push_back(LLVM::FPExtOp::create(e.b, e.loc, e.f32Ty(), v));
  return LLVM::FPTruncOp::create(e.b, e.loc, type, compute(wide));
}

/// Suffix of an intrinsic: rn, rz, rm, rp; null for modes that are not directions.
static const char *modeSuffix(RoundingMode mode) {
  switch (mode) {
  case RoundingMode::NearestEven:
    return "rn";
  case RoundingMode::Zero:
    return "rz";
  case RoundingMode::NegativeInf:
    return "rm";
  case RoundingMode::PositiveInf:
    return "rp";
  default:
    return nullptr;
  }
}

Value tilellvm::roundDirected(Emitter &e, Value value, Type type, RoundingMode mode) {
  // Round the magnitude of an f32 to the upper half-word (bf16), or let the conversion do it (f16).
  if (type.isF16()) {
    // cvt.{rz,rm,rp}.f16.f32 (PTX ISA, "cvt") has no intrinsic.
    std::string text = std::string("cvt.") + modeSuffix(mode) + ".f16.f32 $0, $1;";
    return e.bitcast(inlinePtx(e, e.intTy(16), value, text, "=h,f", Access::None), type);
  }
  using P = LLVM::ICmpPredicate;
  Value bits = e.bitcast(value, e.intTy(32));
  Value dropped = e.andi(bits, e.i32(0xFFFF));
  Value kept = e.lshr(bits, 16);
  if (mode != RoundingMode::Zero) {
    // Away from zero on one side: up for positive numbers, down for negative ones.
    Value negative = e.icmp(P::slt, bits, e.i32(0));
    Value away = mode == RoundingMode::NegativeInf ? negative : e.xori(negative, e.i1(true));
    Value inexact = e.icmp(P::ne, dropped, e.i32(0));
    kept = e.add(kept, e.resize(e.andi(away, inexact), e.intTy(32)));
  }
  Value isNaN = LLVM::FCmpOp::create(e.b, e.loc, LLVM::FCmpPredicate::uno, value, value);
  kept = e.select(isNaN, e.i32(0x7FFF), kept);
  return e.bitcast(e.resize(kept, e.intTy(16)), type);
}

namespace {

/// Computes in f32 or f64; f16 and bf16 go through f32 and are rounded in the same mode.
Value withMode(Emitter &e, ValueRange operands, RoundingMode mode, function_ref<Value(ValueRange)> compute) {
  Type type = operands.front().getType();
  if (!type.isF16() && !type.isBF16())
    return compute(operands);
  SmallVector<Value> wide;
  for (Value v : operands)
    wide.push_back(LLVM::FPExtOp::create(e.b, e.loc, e.f32Ty(), v));
  Value result = compute(wide);
  if (mode == RoundingMode::NearestEven || !modeSuffix(mode))
    return LLVM::FPTruncOp::create(e.b, e.loc, type, result);
  return roundDirected(e, result, type, mode);
}

/// llvm.nvvm.add.rz.ftz.f and the like.
Value modeIntrinsic(Emitter &e, StringRef op, ValueRange operands, RoundingMode mode, bool ftz) {
  Type type = operands.front().getType();
  std::string name = ("llvm.nvvm." + op + "." + modeSuffix(mode)).str();
  if (ftz)
    name += ".ftz";
  return e.intrinsic(name + (type.isF64() ? ".d" : ".f"), type, operands);
}

LogicalResult checkFloat(Operation *op, Type type, bool ftz, bool f32Only) {
  if (!type.isF16() && !type.isBF16() && !type.isF32() && !type.isF64())
    return op->emitOpError("on ") << type << " is not supported";
  if (ftz && !type.isF32())
    return op->emitOpError("flush_to_zero modifier only supported for f32 data type, but got: ") << type;
  if (f32Only && !type.isF32())
    return op->emitOpError("approx and full only supported for f32 data type, but got: ") << type;
  return success();
}

/// add, sub, mul, fma.
template <typename Op> struct RoundedArithmetic : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RoundingMode mode = op.getRoundingMode();
    bool ftz = op.getFtz();
    Type element = elementOf(op.getType());
    if (failed(checkFloat(op, element, ftz, false)))
      return failure();
    if (!modeSuffix(mode))
      return op.emitOpError("invalid rounding mode");
    Emitter e(rewriter, op.getLoc());
    bool plain = mode == RoundingMode::NearestEven && !ftz;
    auto compute = [&](ValueRange v) -> Value {
      if constexpr (std::is_same_v<Op, nv_tileaa::FmaOp>)
        return plain ? LLVM::FMAOp::create(e.b, e.loc, v[0], v[1], v[2]) : modeIntrinsic(e, "fma", v, mode, ftz);
      else if constexpr (std::is_same_v<Op, nv_tileaa::MulFOp>)
        return plain ? LLVM::FMulOp::create(e.b, e.loc, v[0], v[1]) : modeIntrinsic(e, "mul", v, mode, ftz);
      else if constexpr (std::is_same_v<Op, nv_tileaa::AddFOp>)
        return plain ? LLVM::FAddOp::create(e.b, e.loc, v[0], v[1]) : modeIntrinsic(e, "add", v, mode, ftz);
      else {
        if (plain)
          return LLVM::FSubOp::create(e.b, e.loc, v[0], v[1]);
        // a - b = a + (-b) in every mode.
        Value negated = LLVM::FNegOp::create(e.b, e.loc, v[1]);
        return modeIntrinsic(e, "add", {v[0], negated}, mode, ftz);
      }
    };
    rewriter.replaceOp(
        op, mapElements(e, this->types().convertType(op.getType()), adaptor.getOperands(), [&](ValueRange v) {
          return mode == RoundingMode::NearestEven ? compute(v) : withMode(e, v, mode, compute);
        }));
    return success();
  }
};

struct DivF : TilePattern<nv_tileaa::DivFOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::DivFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RoundingMode mode = op.getRoundingMode();
    bool loose = mode == RoundingMode::Approx || mode == RoundingMode::Full, ftz = op.getFtz();
    Type element = elementOf(op.getType());
    if (failed(checkFloat(op, element, ftz, loose)))
      return failure();
    if (!loose && !modeSuffix(mode))
      return op.emitOpError("invalid rounding mode");
    Emitter e(rewriter, op.getLoc());
    auto compute = [&](ValueRange v) -> Value {
      if (mode == RoundingMode::Approx)
        return e.intrinsic(ftz ? "llvm.nvvm.div.approx.ftz.f" : "llvm.nvvm.div.approx.f", v[0].getType(), v);
      if (mode == RoundingMode::Full)
        return e.intrinsic(ftz ? "llvm.nvvm.div.full.ftz" : "llvm.nvvm.div.full", v[0].getType(), v);
      return modeIntrinsic(e, "div", v, mode, ftz);
    };
    rewriter.replaceOp(op, mapElements(e, types().convertType(op.getType()), adaptor.getOperands(),
                                       [&](ValueRange v) { return withMode(e, v, mode, compute); }));
    return success();
  }
};

struct Sqrt : TilePattern<nv_tileaa::SqrtOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::SqrtOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RoundingMode mode = op.getRoundingMode();
    bool approx = mode == RoundingMode::Approx, ftz = op.getFtz();
    if (failed(checkFloat(op, elementOf(op.getType()), ftz, approx)))
      return failure();
    if (!approx && !modeSuffix(mode))
      return op.emitOpError("invalid rounding mode");
    Emitter e(rewriter, op.getLoc());
    auto compute = [&](ValueRange v) -> Value {
      if (approx)
        return e.intrinsic(ftz ? "llvm.nvvm.sqrt.approx.ftz.f" : "llvm.nvvm.sqrt.approx.f", v[0].getType(), v);
      return modeIntrinsic(e, "sqrt", v, mode, ftz);
    };
    rewriter.replaceOp(op, mapElements(e, types().convertType(op.getType()), adaptor.getOperands(),
                                       [&](ValueRange v) { return withMode(e, v, mode, compute); }));
    return success();
  }
};

/// rsqrt: rsqrt.approx is within 2 ulp for f32; f64 has only a coarse approximation, so 1 / sqrt(x), two roundings.
struct Rsqrt : TilePattern<nv_tileaa::RsqrtOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::RsqrtOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    bool ftz = op.getFtz();
    if (failed(checkFloat(op, elementOf(op.getType()), ftz, false)))
      return failure();
    Emitter e(rewriter, op.getLoc());
    auto compute = [&](ValueRange v) -> Value {
      Type type = v[0].getType();
      if (type.isF32())
        return e.intrinsic(ftz ? "llvm.nvvm.rsqrt.approx.ftz.f" : "llvm.nvvm.rsqrt.approx.f", type, v);
      Value root = modeIntrinsic(e, "sqrt", v, RoundingMode::NearestEven, false);
      return modeIntrinsic(e, "div", {e.constantFloat(type, 1.0), root}, RoundingMode::NearestEven, false);
    };
    rewriter.replaceOp(op, mapElements(e, types().convertType(op.getType()), adaptor.getOperands(),
                                       [&](ValueRange v) { return computeInF32(e, v, compute); }));
    return success();
  }
};

/// maxf and minf with ftz; +0 > -0 and the NaN rules are those of max.f32 and max.NaN.f32.
template <typename Op> struct MinMax : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type element = elementOf(op.getType());
    bool ftz = op.getFtz();
    if (failed(checkFloat(op, element, ftz, false)))
      return failure();
    constexpr bool isMax = std::is_same_v<Op, nv_tileaa::MaxFOp>;
    Emitter e(rewriter, op.getLoc());
    auto compute = [&](ValueRange v) -> Value {
      if (ftz) {
        std::string name = isMax ? "llvm.nvvm.fmax.ftz" : "llvm.nvvm.fmin.ftz";
        return e.intrinsic(name + (op.getPropagateNan() ? ".nan.f" : ".f"), v[0].getType(), v);
      }
      if (op.getPropagateNan())
        return isMax ? LLVM::MaximumOp::create(e.b, e.loc, v[0], v[1]).getResult()
                     : LLVM::MinimumOp::create(e.b, e.loc, v[0], v[1]).getResult();
      return isMax ? LLVM::MaxNumOp::create(e.b, e.loc, v[0], v[1]).getResult()
                   : LLVM::MinNumOp::create(e.b, e.loc, v[0], v[1]).getResult();
    };
    rewriter.replaceOp(op, mapElements(e, this->types().convertType(op.getType()), adaptor.getOperands(), compute));
    return success();
  }
};

} // namespace

void tilellvm::populateFloatPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                     const LoweringOptions &options) {
  patterns.add<RoundedArithmetic<nv_tileaa::AddFOp>, RoundedArithmetic<nv_tileaa::SubFOp>,
               RoundedArithmetic<nv_tileaa::MulFOp>, RoundedArithmetic<nv_tileaa::FmaOp>, DivF, Sqrt, Rsqrt,
               MinMax<nv_tileaa::MaxFOp>, MinMax<nv_tileaa::MinFOp>>(converter, patterns.getContext(), options);
}
