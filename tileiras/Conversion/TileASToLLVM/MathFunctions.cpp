//===- MathFunctions.cpp - math on tiles and scalars ----------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Three kinds of function:
//   * those with an LLVM intrinsic that this target has (abs, ceil, fma, ...);
//   * those of libdevice, called as __nv_NAMEf (f32) or __nv_NAME (f64), linked in later. f16 and bf16 are computed in
//     f32 and rounded;
//   * without libdevice these stay math operations, on scalars of f32 and f64, for a later pass to expand.
// `fastmath<afn>` on exp and tanh asks for the hardware approximation (f32).
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/PolynomialExp2.h"
#include "tileiras/Dialect/TileAS/Transforms/ShareExponentials.h"

using namespace mlir;
using namespace mlir::tilellvm;

Value tilellvm::callLibdevice(Emitter &e, StringRef name, ValueRange operands) {
  Type type = operands.front().getType();
  return e.callExternal(("__nv_" + name + (type.isF64() ? "" : "f")).str(), type, operands);
}

static bool isComputable(Type type) { return type.isF16() || type.isBF16() || type.isF32() || type.isF64(); }

static LogicalResult unsupported(Operation *op, Type type) {
  return op->emitOpError("on ") << type << " is not supported";
}

namespace {

/// One LLVM operation with the same operands.
template <typename Op, typename LLVMOp> struct Intrinsic : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type element = elementOf(op.getType());
    if (!isa<IntegerType>(element) && !isComputable(element))
      return unsupported(op, element);
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOp(
        op, mapElements(e, this->types().convertType(op.getType()), adaptor.getOperands(), [&](ValueRange v) -> Value {
          if constexpr (std::is_same_v<LLVMOp, LLVM::AbsOp>)
            return LLVMOp::create(e.b, e.loc, v[0].getType(), v[0], /*is_int_min_poison=*/false);
          else if constexpr (std::is_same_v<LLVMOp, LLVM::CountLeadingZerosOp> ||
                             std::is_same_v<LLVMOp, LLVM::CountTrailingZerosOp>)
            return LLVMOp::create(e.b, e.loc, v[0].getType(), v[0], /*is_zero_poison=*/false);
          else
            return LLVMOp::create(e.b, e.loc, TypeRange{v[0].getType()}, v)->getResult(0);
        }));
    return success();
  }
};

/// One LLVM intrinsic by its name. Not by its operation in the llvm dialect: convert-gpu-to-nvvm, which runs later,
/// declares those that have a libdevice counterpart illegal, instructions or not.
template <typename Op> struct NamedIntrinsic : TilePattern<Op> {
  NamedIntrinsic(const TileLLVMTypeConverter &converter, MLIRContext *context, const LoweringOptions &options,
                 StringRef name)
      : TilePattern<Op>(converter, context, options), name(name) {}
  std::string name;

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isComputable(elementOf(op.getType())))
      return unsupported(op, elementOf(op.getType()));
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOp(op, mapElements(e, this->types().convertType(op.getType()), adaptor.getOperands(),
                                       [&](ValueRange v) { return e.intrinsic(name, v[0].getType(), v); }));
    return success();
  }
};

/// Square roots are correctly rounded.
struct Sqrt : TilePattern<math::SqrtOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(math::SqrtOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isComputable(elementOf(op.getType())))
      return unsupported(op, elementOf(op.getType()));
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOp(op, mapElements(e, types().convertType(op.getType()), adaptor.getOperands(), [&](ValueRange v) {
                         return computeInF32(e, v, [&](ValueRange w) {
                           Type type = w[0].getType();
                           return e.intrinsic(type.isF64() ? "llvm.nvvm.sqrt.rn.d" : "llvm.nvvm.sqrt.rn.f", type, w);
                         });
                       }));
    return success();
  }
};

Value approximateExp2(Emitter &e, Value x, bool ftz) {
  return e.intrinsic(ftz ? "llvm.nvvm.ex2.approx.ftz.f32" : "llvm.nvvm.ex2.approx.f32", x.getType(), x);
}

/// The hardware approximation of an operation that carries fastmath<afn>; null when there is none.
template <typename Op> Value approximate(Emitter &e, ValueRange v) {
  if constexpr (std::is_same_v<Op, math::ExpOp>)
    return approximateExp2(
        e, LLVM::FMulOp::create(e.b, e.loc, v[0], e.constantFloat(v[0].getType(), 1.4426950408889634)), false);
  if constexpr (std::is_same_v<Op, math::TanhOp>)
    return inlinePtx(e, v[0].getType(), v, "tanh.approx.f32 $0, $1;", "=f,f", Access::None);
  return {};
}

/// Whether every element is 2: how front ends write squares.
bool isTwo(Value v) {
  while (auto splat = v.getDefiningOp<nv_tileaa::SplatOp>())
    v = splat->getOperand(0);
  FloatAttr scalar;
  DenseElementsAttr elements;
  if (matchPattern(v, m_Constant(&elements)) && elements.isSplat())
    scalar = elements.getSplatValue<FloatAttr>();
  else if (!matchPattern(v, m_Constant(&scalar)))
    return false;
  return scalar.getValue().isExactlyValue(2.0);
}

/// A function of libdevice.
template <typename Op> struct Function : TilePattern<Op> {
  Function(const TileLLVMTypeConverter &converter, MLIRContext *context, const LoweringOptions &options, StringRef name)
      : TilePattern<Op>(converter, context, options), name(name) {}
  std::string name;

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type element = elementOf(op.getType());
    if (!isComputable(element))
      return unsupported(op, element);
    bool afn = arith::bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn) && element.isF32();
    bool libdevice = this->options.libdevice;
    Emitter e(rewriter, op.getLoc());
    bool square = false;
    if constexpr (std::is_same_v<Op, math::PowFOp>)
      square = isTwo(op.getRhs());
    rewriter.replaceOp(
        op, mapElements(e, this->types().convertType(op.getType()), adaptor.getOperands(), [&](ValueRange v) -> Value {
          if (square) // rounded once, as a power is
            return LLVM::FMulOp::create(e.b, e.loc, v[0], v[0]).getResult();
          return computeInF32(e, v, [&](ValueRange w) -> Value {
            if (afn)
              if (Value fast = approximate<Op>(e, w))
                return fast;
            if (libdevice)
              return callLibdevice(e, name, w);
            return Op::create(e.b, e.loc, w[0].getType(), w).getResult();
          });
        }));
    return success();
  }
};

/// ex2.approx is within 2 ulp over the whole range of f32, subnormals included (PTX ISA, "ex2").
struct Exp2 : TilePattern<nv_tileaa::Exp2Op> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::Exp2Op op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type element = elementOf(op.getType());
    if (!isComputable(element))
      return unsupported(op, element);
    if (op.getFtz() && !element.isF32())
      return op.emitOpError("flush_to_zero modifier only supported for f32 data type, but got: ") << element;
    Emitter e(rewriter, op.getLoc());
    if (auto pairs = op->getAttrOfType<IntegerAttr>(nv_tileas::kPairsWithPolynomialAttr); pairs && pairs.getInt() > 0)
      return share(op, adaptor, e, rewriter, pairs.getInt());
    rewriter.replaceOp(op, mapElements(e, types().convertType(op.getType()), adaptor.getOperands(), [&](ValueRange v) {
                         return computeInF32(e, v, [&](ValueRange w) -> Value {
                           if (element.isF64())
                             return options.libdevice ? callLibdevice(e, "exp2", w)
                                                      : math::Exp2Op::create(e.b, e.loc, w[0]).getResult();
                           return approximateExp2(e, w[0], op.getFtz());
                         });
                       }));
    return success();
  }

private:
  /// One of `pairs` pairs of registers by multiply-adds (tileas-share-exponentials), in the middle of the others.
  LogicalResult share(nv_tileaa::Exp2Op op, OpAdaptor adaptor, Emitter &e, ConversionPatternRewriter &rewriter,
                      int64_t pairs) const {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    SmallVector<Value> x = e.unpack(adaptor.getOperands().front()), results;
    if (!type || !type.getElementType().isF32() || !op.getFtz() || x.size() % 2)
      return op.emitOpError("has ") << nv_tileas::kPairsWithPolynomialAttr
                                    << " and is no pair of f32 that flushes to zero";
    for (size_t i = 0; i < x.size(); i += 2) {
      bool special = int64_t(i / 2) % pairs != pairs / 2;
      auto [low, high] = special ? std::pair(approximateExp2(e, x[i], true), approximateExp2(e, x[i + 1], true))
                                 : polynomialExp2(e, x[i], x[i + 1]);
      results.append({low, high});
    }
    rewriter.replaceOp(op, e.pack(types().convertType(type), results));
    return success();
  }
};

/// A number as the unevaluated sum of two f64, of about 106 bits.
struct DoubleDouble {
  Value high, low;
};

/// a * b. Where the product is 0, infinite or NaN there is no second part.
DoubleDouble multiply(Emitter &e, DoubleDouble a, DoubleDouble b) {
  Type f64 = a.high.getType();
  auto mul = [&](Value x, Value y) { return LLVM::FMulOp::create(e.b, e.loc, x, y).getResult(); };
  auto add = [&](Value x, Value y) { return LLVM::FAddOp::create(e.b, e.loc, x, y).getResult(); };
  auto sub = [&](Value x, Value y) { return LLVM::FSubOp::create(e.b, e.loc, x, y).getResult(); };
  Value product = mul(a.high, b.high);
  Value lost = e.intrinsic("llvm.fma", f64, {a.high, b.high, LLVM::FNegOp::create(e.b, e.loc, product)});
  lost = add(lost, add(mul(a.high, b.low), mul(a.low, b.high)));
  Value magnitude = e.intrinsic("llvm.fabs", f64, product);
  Value isFinite = LLVM::FCmpOp::create(e.b, e.loc, LLVM::FCmpPredicate::olt, magnitude,
                                        e.constantFloat(f64, std::numeric_limits<double>::infinity()));
  lost = e.select(isFinite, lost, e.constantFloat(f64, 0.0));
  Value high = add(product, lost);
  // An overflow of this sum would be infinite minus infinite below.
  Value low = sub(lost, sub(high, product));
  low = e.select(LLVM::FCmpOp::create(e.b, e.loc, LLVM::FCmpPredicate::oeq, low, low), low, e.constantFloat(f64, 0.0));
  return {high, low};
}

/// x to an integer power by repeated squaring. The error of a power grows with its exponent: f32 is computed in f64,
/// which leaves 29 bits for it, f64 in twice its precision. A negative exponent inverts x first there, since the power
/// of x could overflow where its inverse does not vanish. Twice the precision is computed of the magnitude: its sums
/// make +0 of -0.
Value powerLoop(Emitter &e, Value x, Value exponent) {
  Type f64 = Float64Type::get(e.context()), type = x.getType();
  bool isDouble = type.isF64();
  Value base = isDouble ? x : LLVM::FPExtOp::create(e.b, e.loc, f64, x).getResult();
  Value isNegative = e.icmp(LLVM::ICmpPredicate::slt, exponent, e.i32(0));
  Value count = e.select(isNegative, e.sub(e.i32(0), exponent), exponent); // unsigned: -2^31 is its own negative
  Value one = e.constantFloat(f64, 1.0), zero = e.constantFloat(f64, 0.0);
  if (isDouble)
    base = e.intrinsic("llvm.fabs", f64, base);
  SmallVector<Value> initial = {count, one, base};
  if (isDouble) {
    Value inverse = LLVM::FDivOp::create(e.b, e.loc, one, base);
    Value minusBase = LLVM::FNegOp::create(e.b, e.loc, base);
    Value rest = LLVM::FMulOp::create(e.b, e.loc, e.intrinsic("llvm.fma", f64, {minusBase, inverse, one}), inverse);
    rest = e.select(LLVM::FCmpOp::create(e.b, e.loc, LLVM::FCmpPredicate::oeq, rest, rest), rest, zero); // 1/0, 1/inf
    initial = {count, one, e.select(isNegative, inverse, base), zero, e.select(isNegative, rest, zero)};
  }
  auto loop = scf::WhileOp::create(
      e.b, e.loc, ValueRange(initial).getTypes(), initial,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Emitter inner(b, loc);
        Value more = inner.icmp(LLVM::ICmpPredicate::ne, args[0], inner.i32(0));
        scf::ConditionOp::create(b, loc, more, args);
      },
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Emitter inner(b, loc);
        Value odd = inner.icmp(LLVM::ICmpPredicate::ne, inner.andi(args[0], inner.i32(1)), inner.i32(0));
        Value rest = inner.lshr(args[0], 1);
        if (isDouble) {
          DoubleDouble power{args[1], args[3]}, base{args[2], args[4]};
          DoubleDouble product = multiply(inner, power, base), square = multiply(inner, base, base);
          scf::YieldOp::create(b, loc,
                               ValueRange{rest, inner.select(odd, product.high, power.high), square.high,
                                          inner.select(odd, product.low, power.low), square.low});
          return;
        }
        Value product = LLVM::FMulOp::create(b, loc, args[1], args[2]);
        Value square = LLVM::FMulOp::create(b, loc, args[2], args[2]);
        scf::YieldOp::create(b, loc, ValueRange{rest, inner.select(odd, product, args[1]), square});
      });
  Value power = loop.getResult(1);
  if (isDouble) { // the second part is less than half a unit
    Value odd = e.icmp(LLVM::ICmpPredicate::ne, e.andi(exponent, e.i32(1)), e.i32(0));
    return e.select(odd, e.intrinsic("llvm.copysign", f64, {power, x}), power);
  }
  Value inverse = LLVM::FDivOp::create(e.b, e.loc, one, power);
  return LLVM::FPTruncOp::create(e.b, e.loc, type, e.select(isNegative, inverse, power));
}

/// The exponent is an i32 by now.
struct PowI : TilePattern<math::FPowIOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(math::FPowIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type element = elementOf(op.getType());
    if (!isComputable(element) || !elementOf(op.getRhs().getType()).isInteger(32))
      return unsupported(op, element);
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOp(op, mapElements(e, types().convertType(op.getType()), adaptor.getOperands(), [&](ValueRange v) {
                         Value exponent = v[1];
                         return computeInF32(e, v.take_front(1),
                                             [&](ValueRange w) { return powerLoop(e, w[0], exponent); });
                       }));
    return success();
  }
};

} // namespace

void tilellvm::populateMathPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                    const LoweringOptions &options) {
  MLIRContext *context = patterns.getContext();
  patterns.add<NamedIntrinsic<math::AbsFOp>>(converter, context, options, "llvm.fabs");
  patterns.add<NamedIntrinsic<math::CeilOp>>(converter, context, options, "llvm.ceil");
  patterns.add<NamedIntrinsic<math::FloorOp>>(converter, context, options, "llvm.floor");
  patterns.add<NamedIntrinsic<math::TruncOp>>(converter, context, options, "llvm.trunc");
  patterns.add<NamedIntrinsic<math::RoundOp>>(converter, context, options, "llvm.round");
  patterns.add<NamedIntrinsic<math::RoundEvenOp>>(converter, context, options, "llvm.roundeven");
  patterns.add<NamedIntrinsic<math::CopySignOp>>(converter, context, options, "llvm.copysign");
  patterns.add<Intrinsic<math::AbsIOp, LLVM::AbsOp>, Intrinsic<math::FmaOp, LLVM::FMAOp>,
               Intrinsic<math::CtPopOp, LLVM::CtPopOp>, Intrinsic<math::CountLeadingZerosOp, LLVM::CountLeadingZerosOp>,
               Intrinsic<math::CountTrailingZerosOp, LLVM::CountTrailingZerosOp>, Sqrt, Exp2, PowI>(converter, context,
                                                                                                    options);
  auto add = [&]<typename Op>(StringRef name) { patterns.add<Function<Op>>(converter, context, options, name); };
  add.operator()<math::AcosOp>("acos");
  add.operator()<math::AcoshOp>("acosh");
  add.operator()<math::AsinOp>("asin");
  add.operator()<math::AsinhOp>("asinh");
  add.operator()<math::AtanOp>("atan");
  add.operator()<math::Atan2Op>("atan2");
  add.operator()<math::AtanhOp>("atanh");
  add.operator()<math::CbrtOp>("cbrt");
  add.operator()<math::CosOp>("cos");
  add.operator()<math::CoshOp>("cosh");
  add.operator()<math::ErfOp>("erf");
  add.operator()<math::ErfcOp>("erfc");
  add.operator()<math::ExpOp>("exp");
  add.operator()<math::Exp2Op>("exp2");
  add.operator()<math::ExpM1Op>("expm1");
  add.operator()<math::LogOp>("log");
  add.operator()<math::Log10Op>("log10");
  add.operator()<math::Log1pOp>("log1p");
  add.operator()<math::Log2Op>("log2");
  add.operator()<math::PowFOp>("pow");
  add.operator()<math::RsqrtOp>("rsqrt");
  add.operator()<math::SinOp>("sin");
  add.operator()<math::SinhOp>("sinh");
  add.operator()<math::TanOp>("tan");
  add.operator()<math::TanhOp>("tanh");
}
