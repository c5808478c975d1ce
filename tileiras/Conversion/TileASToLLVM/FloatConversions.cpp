//===- FloatConversions.cpp - Between number formats ----------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every conversion rounds once. Where the way from one format to another leads through f32, the first step either is
// exact or "rounds to odd" (truncate, and set the last bit if anything was lost), after which rounding to at least two
// bits less gives what direct rounding would have given.
//
// 8- and 4-bit formats are widened and narrowed two at a time by `cvt` where the target has it, else one by one with
// integer operations on f16 and f32 bits, which give the same. (e8m0 is an f32's exponent: integer operations are as
// good.)
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/MatrixStore.h"

using namespace mlir;
using namespace mlir::tilellvm;
using nv_tileaa::RoundingMode;
using P = LLVM::ICmpPredicate;

namespace {

Value extend(Emitter &e, Value v, Type type) {
  return v.getType() == type ? v : LLVM::FPExtOp::create(e.b, e.loc, type, v).getResult();
}
Value truncate(Emitter &e, Value v, Type type) {
  return v.getType() == type ? v : LLVM::FPTruncOp::create(e.b, e.loc, type, v).getResult();
}
Value isNaN(Emitter &e, Value v) { return LLVM::FCmpOp::create(e.b, e.loc, LLVM::FCmpPredicate::uno, v, v); }

/// f64 to f32, to odd.
Value narrowToOdd(Emitter &e, Value v) {
  Value low = e.intrinsic("llvm.nvvm.d2f.rz", e.f32Ty(), v);
  Value lost = LLVM::FCmpOp::create(e.b, e.loc, LLVM::FCmpPredicate::one, extend(e, low, v.getType()), v);
  return e.bitcast(e.ori(e.bitcast(low, e.intTy(32)), e.resize(lost, e.intTy(32))), e.f32Ty());
}

} // namespace

Value tilellvm::upperTF32(Emitter &e, Value v) {
  return e.bitcast(e.andi(e.bitcast(v, e.intTy(32)), e.i32(~int64_t(0x1FFF))), e.f32Ty());
}

/// An f32 with the 10 fraction bits of tf32, nearest even, by arithmetic.
static Value roundBitsToTF32(Emitter &e, Value v) {
  Value bits = e.bitcast(v, e.intTy(32));
  Value lastKept = e.andi(e.lshr(bits, 13), e.i32(1));
  Value rounded = e.andi(e.add(bits, e.add(lastKept, e.i32(0xFFF))), e.i32(~int64_t(0x1FFF)));
  // A NaN may have all its payload in the bits that go.
  Value quiet = e.ori(e.andi(bits, e.i32(~int64_t(0x1FFF))), e.i32(0x400000));
  return e.bitcast(e.select(isNaN(e, v), quiet, rounded), e.f32Ty());
}

Value tilellvm::roundToTF32(Emitter &e, Value v, bool byInstruction) {
  if (!byInstruction)
    return roundBitsToTF32(e, v);
  return e.bitcast(e.intrinsic("llvm.nvvm.f2tf32.rn", e.intTy(32), v), e.f32Ty());
}

namespace {

struct SmallFormat {
  unsigned exponentBits, fractionBits;
  bool hasInf;
  bool isFourBits() const { return exponentBits == 2; }
  bool isPowerOfTwo() const { return fractionBits == 0; }
};
std::optional<SmallFormat> smallFormat(Type type) {
  if (isa<Float8E4M3FNType>(type))
    return SmallFormat{4, 3, false};
  if (isa<Float8E5M2Type>(type))
    return SmallFormat{5, 2, true};
  if (isa<Float4E2M1FNType>(type))
    return SmallFormat{2, 1, false};
  if (isa<Float8E8M0FNUType>(type))
    return SmallFormat{8, 0, false};
  return std::nullopt;
}

/// e8m0, an f32's exponent: code 0 is 2^-127, a subnormal of f32, and 255 is NaN.
Value widenPowerOfTwo(Emitter &e, Value v) {
  Value code = e.resize(v, e.intTy(32));
  Value bits = e.select(e.icmp(P::eq, code, e.i32(0)), e.i32(0x00400000), e.shl(code, 23));
  return e.bitcast(e.select(e.icmp(P::eq, code, e.i32(255)), e.i32(0x7FC00000), bits), e.f32Ty());
}

/// f32 to e8m0: the power of two below the magnitude, or (toward positive infinity) above it; at most 2^127, at least
/// 2^-127.
Value narrowPowerOfTwo(Emitter &e, Value v, RoundingMode mode) {
  Value bits = e.bitcast(v, e.intTy(32)), magnitude = e.andi(bits, e.i32(0x7FFFFFFF));
  Value code = e.lshr(magnitude, 23); // subnormals: 0, that is 2^-127
  if (mode == RoundingMode::PositiveInf) {
    // Of the subnormals only those above 2^-127 = 0x00400000 are rounded up.
    Value exact = e.select(e.icmp(P::ult, magnitude, e.i32(0x00800000)), e.icmp(P::ule, magnitude, e.i32(0x00400000)),
                           e.icmp(P::eq, e.andi(magnitude, e.i32(0x007FFFFF)), e.i32(0)));
    Value stays = e.ori(exact, e.icmp(P::slt, bits, e.i32(0)));
    code = e.select(stays, code, e.add(code, e.i32(1)));
  }
  code = e.umin(code, e.i32(254));
  code = e.select(e.icmp(P::ugt, magnitude, e.i32(0x7F800000)), e.i32(255), code);
  return e.resize(code, e.intTy(8));
}

/// e4m3, e5m2 or e2m1 to f16, e8m0 to f32; exact.
Value widenSmall(Emitter &e, Value v, SmallFormat format) {
  if (format.isPowerOfTwo())
    return widenPowerOfTwo(e, v);
  Type i16 = e.intTy(16), f16 = Float16Type::get(e.context());
  Value wide = e.resize(v, i16);
  if (format.isFourBits()) {
    // As below: fields at their place, then times 2^(15-1).
    Value sign = e.shl(e.andi(wide, e.constant(i16, 8)), 12);
    Value magnitude = e.shl(e.andi(wide, e.constant(i16, 7)), 9);
    Value scaled = LLVM::FMulOp::create(e.b, e.loc, e.bitcast(magnitude, f16), e.constantFloat(f16, 16384.0));
    return e.bitcast(e.ori(e.bitcast(scaled, i16), sign), f16);
  }
  if (format.exponentBits == 5)
    return e.bitcast(e.shl(wide, 8), f16);
  // Same fields at their place in f16, then times 2^(15-7) for the exponent bias; subnormals come out right, the one
  // NaN code (all ones) does not.
  Value sign = e.shl(e.andi(wide, e.constant(i16, 0x80)), 8);
  Value magnitude = e.andi(wide, e.constant(i16, 0x7F));
  Value scaled = LLVM::FMulOp::create(e.b, e.loc, e.bitcast(e.shl(magnitude, 7), f16), e.constantFloat(f16, 256.0));
  Value nan = e.icmp(P::eq, magnitude, e.constant(i16, 0x7F));
  Value bits = e.select(nan, e.constant(i16, 0x7E00), e.bitcast(scaled, i16));
  return e.bitcast(e.ori(bits, sign), f16);
}

/// f32 to e4m3, e5m2 or e2m1, nearest even. Finite values beyond the largest become the largest finite value (PTX ISA,
/// "cvt", .satfinite, the only form the hardware has); NaN stays NaN.
Value narrowSmall(Emitter &e, Value v, SmallFormat format) {
  Type f32 = e.f32Ty();
  int bias = (1 << (format.exponentBits - 1)) - 1;
  unsigned drop = 23 - format.fractionBits;
  Value bits = e.bitcast(v, e.intTy(32));
  // The largest finite number, which has a code of its own: what is left of larger ones needs no further question. e2m1
  // has no NaN, and takes it for the largest as well (cvt.satfinite).
  Value largest = e.constantFloat(f32, format.isFourBits() ? 6.0 : format.hasInf ? 57344.0 : 448.0);
  Value absolute = e.bitcast(e.andi(bits, e.i32(0x7FFFFFFF)), f32);
  Value clamped = format.isFourBits() ? Value(LLVM::MinNumOp::create(e.b, e.loc, absolute, largest))
                                      : Value(LLVM::MinimumOp::create(e.b, e.loc, absolute, largest));
  Value magnitude = e.bitcast(clamped, e.intTy(32));
  // Normal results: rebias and round in the integer; a carry moves into the exponent by itself.
  int64_t rebase = (int64_t(1) << (drop - 1)) - 1 - (int64_t(127 - bias) << 23);
  Value odd = e.andi(e.lshr(magnitude, drop), e.i32(1)); // what is rebased away is even
  Value normal = e.lshr(e.add(e.add(magnitude, odd), e.i32(rebase)), drop);
  // Subnormal results: adding 2^k makes f32 round at the position of the smallest subnormal.
  int lastBitExponent = 1 - bias - int(format.fractionBits);
  Value magic = e.constantFloat(f32, std::ldexp(1.0, lastBitExponent + 23));
  Value sum = LLVM::FAddOp::create(e.b, e.loc, clamped, magic);
  Value subnormal = e.sub(e.bitcast(sum, e.intTy(32)), e.bitcast(magic, e.intTy(32)));
  Value isSmall = e.icmp(P::ult, magnitude, e.i32(int64_t(127 - bias + 1) << 23));
  Value result = e.select(isSmall, subnormal, normal);
  if (format.isFourBits()) {
    Value sign = e.andi(e.lshr(bits, 28), e.i32(8));
    sign = e.select(isNaN(e, v), e.i32(0), sign);
    return e.resize(e.ori(result, sign), e.intTy(8));
  }
  // NaN is larger than any number here, and its code than any code. It has no sign, as that of cvt has none.
  Value sign = e.andi(e.lshr(bits, 24), e.i32(0x80));
  Value isCode = e.icmp(P::ule, result, e.i32(0x7F));
  return e.resize(e.select(isCode, e.ori(result, sign), e.i32(0x7F)), e.intTy(8));
}

/// What the target converts by an instruction.
struct Hardware {
  bool fp8 = false, fp4 = false, tf32 = false;
  /// An addition takes a bf16 from either half of a register (seen in the machine code of these targets).
  bool addsBF16 = false;
  explicit Hardware(Operation *op) {
    const ::tileiras::TargetInfo *target = nv_tileaa::getTarget(op);
    if (!target)
      return;
    fp8 = target->fp8Cvt;
    fp4 = target->fp6fp4Cvt;
    tf32 = target->tf32RnCvt;
    addsBF16 = target->f32x2;
  }
  /// The format's name in the intrinsics; empty if there is no instruction.
  StringRef pairName(Type type) const {
    if (isa<Float8E4M3FNType>(type))
      return fp8 ? "e4m3x2" : "";
    if (isa<Float8E5M2Type>(type))
      return fp8 ? "e5m2x2" : "";
    if (isa<Float4E2M1FNType>(type))
      return fp4 ? "e2m1x2" : "";
    return "";
  }
};

/// Codes of a small format, two at a time, to f16.
void widenPairs(Emitter &e, MutableArrayRef<Value> values, StringRef name, unsigned bits) {
  Type i16 = e.intTy(16), pair = VectorType::get(2, Float16Type::get(e.context()));
  for (size_t i = 0; i < values.size(); i += 2) {
    Value word = e.resize(values[i], i16);
    if (i + 1 < values.size())
      word = e.ori(word, e.shl(e.resize(values[i + 1], i16), bits));
    Value wide = e.intrinsic(("llvm.nvvm." + name + ".to.f16x2.rn").str(), pair, word);
    for (size_t k = i; k < std::min(i + 2, values.size()); ++k)
      values[k] = LLVM::ExtractElementOp::create(e.b, e.loc, wide, e.i32(k - i));
  }
}

/// f32, two at a time, to codes of a small format.
void narrowPairs(Emitter &e, MutableArrayRef<Value> values, StringRef name, unsigned bits) {
  std::string intrinsic = ("llvm.nvvm.ff.to." + name + (bits == 4 ? ".rn.satfinite" : ".rn")).str();
  for (size_t i = 0; i < values.size(); i += 2) {
    bool both = i + 1 < values.size();
    Value high = both ? values[i + 1] : e.constantFloat(e.f32Ty(), 0.0); // the first operand
    Value word = e.intrinsic(intrinsic, e.intTy(16), {high, values[i]});
    Value low = bits == 4 ? e.andi(word, e.constant(e.intTy(16), 15)) : word;
    values[i] = e.resize(low, e.intTy(8));
    if (both)
      values[i + 1] = e.resize(e.lshr(word, bits), e.intTy(8));
  }
}

bool isPlain(Type type) { return type.isF16() || type.isBF16() || type.isF32() || type.isF64(); }

/// Narrowing of a plain format in a mode other than nearest even. Null when it is not defined.
Value convertWithMode(Emitter &e, Value value, Type from, Type to, RoundingMode mode, bool nativeTF32) {
  Type f32 = e.f32Ty();
  if (from.isF64()) {
    StringRef name = mode == RoundingMode::Zero          ? "llvm.nvvm.d2f.rz"
                     : mode == RoundingMode::NegativeInf ? "llvm.nvvm.d2f.rm"
                     : mode == RoundingMode::PositiveInf ? "llvm.nvvm.d2f.rp"
                                                         : "";
    // Further formats only toward zero: two truncations in a row are one.
    if (name.empty() || (!to.isF32() && mode != RoundingMode::Zero))
      return {};
    value = e.intrinsic(name, f32, value);
    if (to.isF32())
      return value;
  }
  value = extend(e, value, f32);
  if (isa<FloatTF32Type>(to)) {
    if (mode != RoundingMode::Zero && mode != RoundingMode::NearestAway)
      return {};
    if (mode == RoundingMode::NearestAway || nativeTF32)
      return e.bitcast(e.intrinsic(mode == RoundingMode::NearestAway ? "llvm.nvvm.f2tf32.rna" : "llvm.nvvm.f2tf32.rz",
                                   e.intTy(32), value),
                       f32);
    Value bits = e.bitcast(value, e.intTy(32));
    Value kept = e.andi(bits, e.i32(~int64_t(0x1FFF)));
    // The low bits may be all that makes it a NaN.
    return e.bitcast(e.select(isNaN(e, value), bits, kept), f32);
  }
  if (mode == RoundingMode::Zero && (to.isF16() || to.isBF16()))
    return roundDirected(e, value, to, mode);
  return {};
}

/// `value` has the converted type of `from`. Null when the pair or mode is not supported.
Value convertFloat(Emitter &e, Value value, Type from, Type to, RoundingMode mode, bool nativeTF32 = false) {
  Type f32 = e.f32Ty();
  if (from == to)
    return value;
  // Sources: bring small formats to f16 and tf32 to f32, both exact.
  bool wasSmall = false;
  if (std::optional<SmallFormat> format = smallFormat(from)) {
    value = widenSmall(e, value, *format);
    from = value.getType();
    wasSmall = true;
    if (from == to)
      return value;
  } else if (isa<FloatTF32Type>(from)) {
    value = upperTF32(e, value);
    from = f32;
    if (from == to)
      return value;
  }
  if (!isPlain(from))
    return {};
  // Every plain format holds the numbers of the small ones, e8m0 in f16 apart: no mode changes anything.
  if (wasSmall && isPlain(to) && !(to.isF16() && from.isF32()))
    mode = RoundingMode::NearestEven;
  bool widens = (isPlain(to) && to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth()) ||
                (isa<FloatTF32Type>(to) && from.getIntOrFloatBitWidth() == 16);
  if (smallFormat(to) && smallFormat(to)->isPowerOfTwo()) {
    // What lies between powers of two stays there when it is rounded to odd.
    if (mode != RoundingMode::Zero && mode != RoundingMode::PositiveInf)
      return {};
    return narrowPowerOfTwo(e, from.isF64() ? narrowToOdd(e, value) : extend(e, value, f32), mode);
  }
  if (mode != RoundingMode::NearestEven && !widens)
    return convertWithMode(e, value, from, to, mode, nativeTF32);
  if (isa<FloatTF32Type>(to) || smallFormat(to)) {
    // At least two bits more than any of these formats, so rounding to odd first is harmless.
    Value narrow = from.isF64() ? narrowToOdd(e, value) : extend(e, value, f32);
    return isa<FloatTF32Type>(to) ? roundToTF32(e, narrow, nativeTF32) : narrowSmall(e, narrow, *smallFormat(to));
  }
  if (!isPlain(to))
    return {};
  unsigned fromWidth = from.getIntOrFloatBitWidth(), toWidth = to.getIntOrFloatBitWidth();
  if (fromWidth < toWidth)
    return extend(e, value, to);
  if (fromWidth == toWidth)
    return truncate(e, extend(e, value, f32), to); // f16 and bf16
  if (from.isF64() && to.isBF16())
    return truncate(e, narrowToOdd(e, value), to);
  return truncate(e, value, to);
}

template <typename Op> struct FloatToFloat : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type from = elementOf(op->getOperand(0).getType()), to = elementOf(op.getType());
    RoundingMode mode = RoundingMode::NearestEven;
    if constexpr (std::is_same_v<Op, nv_tileaa::FpToFpOp>)
      mode = op.getRoundingMode();
    if constexpr (std::is_same_v<Op, arith::TruncFOp>)
      if (op.getRoundingmode() && *op.getRoundingmode() != arith::RoundingMode::to_nearest_even)
        return op.emitOpError("only rounds to nearest even");
    // Two flavours may not be mixed: decide before anything is built.
    Emitter e(rewriter, op.getLoc());
    bool ok = true;
    Type type = this->types().convertType(op.getType());
    auto supported = [](Type t) { return isPlain(t) || isa<FloatTF32Type>(t) || smallFormat(t).has_value(); };
    if (!type || !supported(from) || !supported(to))
      return op->emitOpError("from ") << from << " to " << to << " is not supported";
    Hardware hardware(op);
    SmallVector<Value> values = e.unpack(adaptor.getOperands().front());
    Type source = from, last = to;
    if (StringRef name = hardware.pairName(from); !name.empty()) {
      widenPairs(e, values, name, from.getIntOrFloatBitWidth());
      source = Float16Type::get(e.context());
      if (isPlain(to))
        mode = RoundingMode::NearestEven; // exact
    }
    if (op->hasAttr(nv_tileas::kInPairsAttr) && from.isF32() && (to.isF16() || to.isBF16()) && values.size() % 2 == 0) {
      StringRef name = to.isF16() ? "llvm.nvvm.ff2f16x2.rn" : "llvm.nvvm.ff2bf16x2.rn";
      for (size_t i = 0; i < values.size(); i += 2) {
        Value both =
            e.intrinsic(name, VectorType::get(2, to), ValueRange{values[i + 1], values[i]}); // the upper half first
        for (int half : {0, 1})
          values[i + half] = LLVM::ExtractElementOp::create(e.b, e.loc, both, e.i32(half));
      }
      rewriter.replaceOp(op, e.pack(type, values));
      return success();
    }
    // Numbers of f64 are rounded to odd on their way; all others are exact in f32.
    StringRef narrowName = hardware.pairName(to);
    if (!narrowName.empty())
      last = e.f32Ty();
    for (Value &value : values) {
      // bf16 is the upper half of an f32. From a half of a register that is one permutation of bytes, by `cvt` two.
      if (from.isBF16() && to.isF32() && !hardware.addsBF16) {
        Value zero = e.constantFloat(from, 0.0);
        value =
            e.bitcast(LLVM::InsertElementOp::create(
                          e.b, e.loc,
                          LLVM::InsertElementOp::create(
                              e.b, e.loc, LLVM::UndefOp::create(e.b, e.loc, VectorType::get(2, from)), zero, e.i32(0)),
                          value, e.i32(1)),
                      to);
        continue;
      }
      Value converted = !narrowName.empty() && source.isF64()
                            ? narrowToOdd(e, value)
                            : convertFloat(e, value, source, last, mode, hardware.tf32);
      ok &= bool(converted);
      value = converted ? converted : value;
    }
    if (ok && !narrowName.empty())
      narrowPairs(e, values, narrowName, to.getIntOrFloatBitWidth());
    Value result = ok ? e.pack(type, values) : Value();
    if (!ok)
      return op->emitOpError("from ") << from << " to " << to << " is not supported in rounding mode "
                                      << stringifyRoundingMode(mode);
    rewriter.replaceOp(op, result);
    return success();
  }
};

template <typename Op> struct IntToFloat : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    constexpr bool isSigned = std::is_same_v<Op, arith::SIToFPOp>;
    Type to = elementOf(op.getType());
    unsigned width = elementOf(op.getIn().getType()).getIntOrFloatBitWidth();
    if (!isPlain(to) && !isa<FloatTF32Type>(to) && !smallFormat(to))
      return op->emitOpError("to ") << to << " is not supported";
    Emitter e(rewriter, op.getLoc());
    auto direct = [&](Value v, Type type) -> Value {
      // LLVM 22 gives bfloat 1 for the signed i1 true where the target converts integers to bf16 itself (sm_90 and
      // later).
      if (width == 1)
        return e.select(v, e.constantFloat(type, isSigned ? -1.0 : 1.0), e.constantFloat(type, 0.0));
      if constexpr (isSigned)
        return LLVM::SIToFPOp::create(e.b, e.loc, type, v);
      else
        return LLVM::UIToFPOp::create(e.b, e.loc, type, v);
    };
    rewriter.replaceOp(
        op, mapElements(e, this->types().convertType(op.getType()), adaptor.getOperands(), [&](ValueRange v) -> Value {
          // f16 overflows before f32 becomes inexact, f32 and f64 are hardware conversions.
          if (to.isF16() || to.isF32() || to.isF64())
            return direct(v[0], to);
          Value middle;
          if (width <= 16) {
            middle = direct(v[0], e.f32Ty());
          } else {
            // To f32, to odd. Rounding toward zero keeps the value in the integer's range, so it converts back.
            Value wide = e.resize(v[0], e.intTy(64), isSigned);
            middle = e.intrinsic(isSigned ? "llvm.nvvm.ll2f.rz" : "llvm.nvvm.ull2f.rz", e.f32Ty(), wide);
            Value back = isSigned ? LLVM::FPToSIOp::create(e.b, e.loc, e.intTy(64), middle).getResult()
                                  : LLVM::FPToUIOp::create(e.b, e.loc, e.intTy(64), middle).getResult();
            Value lost = e.resize(e.icmp(P::ne, back, wide), e.intTy(32));
            middle = e.bitcast(e.ori(e.bitcast(middle, e.intTy(32)), lost), e.f32Ty());
          }
          return convertFloat(e, middle, e.f32Ty(), to, RoundingMode::NearestEven);
        }));
    return success();
  }
};

template <typename Op> struct FloatToInt : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    constexpr bool isSigned = std::is_same_v<Op, arith::FPToSIOp>;
    Type from = elementOf(op.getIn().getType());
    Type to = this->types().convertElementType(elementOf(op.getType()));
    if (!isPlain(from) && !isa<FloatTF32Type>(from) && !smallFormat(from))
      return op->emitOpError("from ") << from << " is not supported";
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOp(
        op, mapElements(e, this->types().convertType(op.getType()), adaptor.getOperands(), [&](ValueRange v) -> Value {
          Value value = v[0];
          if (std::optional<SmallFormat> format = smallFormat(from))
            value = widenSmall(e, value, *format);
          if (value.getType().isBF16() || value.getType().isF16())
            value = extend(e, value, e.f32Ty());
          // LLVM selects no conversion to one bit that looks at the value.
          Type wide = to.isInteger(1) ? e.intTy(32) : to;
          Value result;
          if constexpr (isSigned)
            result = LLVM::FPToSIOp::create(e.b, e.loc, wide, value);
          else
            result = LLVM::FPToUIOp::create(e.b, e.loc, wide, value);
          return e.resize(result, to);
        }));
    return success();
  }
};

} // namespace

Value tilellvm::widenFloat(Emitter &e, Value value, Type from, Type to) {
  return convertFloat(e, value, from, to, RoundingMode::NearestEven);
}

void tilellvm::populateFloatConversionPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                               const LoweringOptions &options) {
  patterns.add<FloatToFloat<arith::ExtFOp>, FloatToFloat<arith::TruncFOp>, FloatToFloat<nv_tileaa::FpToFpOp>,
               IntToFloat<arith::SIToFPOp>, IntToFloat<arith::UIToFPOp>, FloatToInt<arith::FPToSIOp>,
               FloatToInt<arith::FPToUIOp>>(converter, patterns.getContext(), options);
}
