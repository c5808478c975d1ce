//===- ExecConvert.cpp - Conversion handlers --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The common conversions, vectorised; all others are done lane by lane in Convert.cpp. Compiled once per TILEIRAS_ISA.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Exec/ExecCommon.h"

TILEIRAS_ISA_BEGIN

/// Integer to integer: cut to the source type, extend, cut to the destination type, extend into the register. flags
/// and count hold 64 minus the widths of source and destination type.
template <typename RD, typename RS, bool SS, bool DS> static void intToInt(Warp &w, const Inst &i, uint32_t m) {
  RD *d = w.row<RD>(i.d);
  const RS *a = w.row<RS>(i.a);
  unsigned s = i.flags, t = i.count;
  TILEIRAS_LANES(l, 32) {
    uint64_t v = uint64_t(a[l]) << s;
    v = SS ? uint64_t(int64_t(v) >> s) : v >> s;
    v <<= t;
    v = DS ? uint64_t(int64_t(v) >> t) : v >> t;
    RD r = RD(v);
    d[l] = (m >> l) & 1 ? r : d[l];
  }
}
template <typename RD, typename RS> static Handler pickIntToInt(bool ss, bool ds) {
  if (ss)
    return ds ? intToInt<RD, RS, true, true> : intToInt<RD, RS, true, false>;
  return ds ? intToInt<RD, RS, false, true> : intToInt<RD, RS, false, false>;
}
template <typename RD> static Handler pickIntSource(unsigned bits, bool ss, bool ds) {
  return bits == 16   ? pickIntToInt<RD, uint16_t>(ss, ds)
         : bits == 32 ? pickIntToInt<RD, uint32_t>(ss, ds)
                      : pickIntToInt<RD, uint64_t>(ss, ds);
}

template <typename T> struct ToFloat {
  static float op(T a) { return float(a); }
};
template <typename T> struct ToDouble {
  static double op(T a) { return double(a); }
};

/// f32 -> 32-bit integer; R: 0 nearest even, 1 towards zero, 2 down, 3 up. Clamps; NaN -> 0.
template <unsigned R> static inline double integral(float f) {
  double x = f;
  if constexpr (R == 1)
    return __builtin_trunc(x);
  if constexpr (R == 2)
    return __builtin_floor(x);
  if constexpr (R == 3)
    return __builtin_ceil(x);
  // |x| below 2^51 whenever it matters
  double big = __builtin_copysign(0x1p52, x);
  return __builtin_fabs(x) < 0x1p52 ? (x + big) - big : x;
}
template <unsigned R, bool Z> struct FloatToS32 {
  static int32_t op(float a) {
    double x = integral<R>(in<Z>(a));
    x = x < -2147483648.0 ? -2147483648.0 : x;
    x = x > 2147483647.0 ? 2147483647.0 : x;
    return a == a ? int32_t(x) : 0;
  }
};
template <unsigned R, bool Z> struct FloatToU32 {
  static uint32_t op(float a) {
    double x = integral<R>(in<Z>(a));
    x = x < 0.0 ? 0.0 : x;
    x = x > 4294967295.0 ? 4294967295.0 : x;
    return a == a ? uint32_t(int64_t(x)) : 0;
  }
};
template <unsigned R, bool Z, bool S> struct FloatIntegral {
  static float op(float a) {
    a = in<Z>(a);
    float r = float(integral<R>(a));
    return out<Z, S>(__builtin_copysignf(r, a)); // keeps -0
  }
};
template <bool Z, bool S> struct FloatCopy {
  static float op(float a) { return out<Z, S>(in<Z>(a)); }
};
template <bool Z> struct FloatToDouble {
  static double op(float a) { return double(in<Z>(a)); }
};
template <bool Z, bool S> struct DoubleToFloat {
  static float op(double a) { return out<Z, S>(float(a)); }
};
template <class H, bool Z, bool S> struct HalfToFloat {
  static float op(uint16_t a) { return out<Z, S>(H::to(a)); }
};
template <class H> struct HalfToDouble {
  static double op(uint16_t a) { return double(H::to(a)); }
};
template <class H, bool Z, bool R> struct FloatToHalf {
  static uint16_t op(float a) {
    uint16_t r = H::from(in<Z>(a));
    return R && (r & 0x8000) ? uint16_t(0) : r;
  }
};
/// Two f32 to a packed pair: the first source is the upper half.
template <class H, bool R> struct FloatsToPair {
  static uint32_t op(float a, float b) {
    return uint32_t(FloatToHalf<H, false, R>::op(a)) << 16 | FloatToHalf<H, false, R>::op(b);
  }
};

template <template <unsigned, bool> class F, typename D> static Handler floatToInt(unsigned r, bool ftz) {
  switch (r) {
  case 0:
    return ftz ? unary<F<0, true>, D, float> : unary<F<0, false>, D, float>;
  case 1:
    return ftz ? unary<F<1, true>, D, float> : unary<F<1, false>, D, float>;
  case 2:
    return ftz ? unary<F<2, true>, D, float> : unary<F<2, false>, D, float>;
  default:
    return ftz ? unary<F<3, true>, D, float> : unary<F<3, false>, D, float>;
  }
}
template <bool Z, bool S> static Handler floatIntegral(unsigned r) {
  switch (r) {
  case 0:
    return unary<FloatIntegral<0, Z, S>, float, float>;
  case 1:
    return unary<FloatIntegral<1, Z, S>, float, float>;
  case 2:
    return unary<FloatIntegral<2, Z, S>, float, float>;
  default:
    return unary<FloatIntegral<3, Z, S>, float, float>;
  }
}

Handler selectConvert(const Instruction &inst, unsigned dstBits, unsigned srcBits) {
  if (inst.row->op != Op::Cvt)
    return nullptr;
  Type d = inst.type(0), s = inst.type(1);
  bool ftz = inst.has("ftz"), sat = inst.has("sat"), relu = inst.has("relu");
  if (inst.has("satfinite") || inst.has("rs") || inst.has("rna") || inst.has("rz") || inst.has("rm") || inst.has("rp"))
    return nullptr;
  if (!isFloat(d) && !isFloat(s)) {
    if (sat)
      return nullptr;
    bool ss = isSignedInt(s), ds = isSignedInt(d);
    return dstBits == 16   ? pickIntSource<uint16_t>(srcBits, ss, ds)
           : dstBits == 32 ? pickIntSource<uint32_t>(srcBits, ss, ds)
                           : pickIntSource<uint64_t>(srcBits, ss, ds);
  }
  if (dstBits != typeBits(d) || srcBits != typeBits(s))
    return nullptr;
  unsigned r = inst.has("rzi") ? 1 : inst.has("rmi") ? 2 : inst.has("rpi") ? 3 : inst.has("rni") ? 0 : 4;
  if (s == Type::F32) {
    if (d == Type::S32 && r < 4)
      return floatToInt<FloatToS32, int32_t>(r, ftz);
    if (d == Type::U32 && r < 4)
      return floatToInt<FloatToU32, uint32_t>(r, ftz);
    if (d == Type::F32 && r < 4)
      return ftz ? (sat ? floatIntegral<true, true>(r) : floatIntegral<true, false>(r))
                 : (sat ? floatIntegral<false, true>(r) : floatIntegral<false, false>(r));
    if (d == Type::F32)
      return ftz ? (sat ? unary<FloatCopy<true, true>, float, float> : unary<FloatCopy<true, false>, float, float>)
                 : (sat ? unary<FloatCopy<false, true>, float, float> : unary<FloatCopy<false, false>, float, float>);
    if (d == Type::F64 && !sat)
      return ftz ? unary<FloatToDouble<true>, double, float> : unary<FloatToDouble<false>, double, float>;
    if (sat)
      return nullptr;
    if (d == Type::F16)
      return ftz    ? unary<FloatToHalf<F16, true, false>, uint16_t, float>
             : relu ? unary<FloatToHalf<F16, false, true>, uint16_t, float>
                    : unary<FloatToHalf<F16, false, false>, uint16_t, float>;
    if (d == Type::BF16)
      return ftz    ? unary<FloatToHalf<BF16, true, false>, uint16_t, float>
             : relu ? unary<FloatToHalf<BF16, false, true>, uint16_t, float>
                    : unary<FloatToHalf<BF16, false, false>, uint16_t, float>;
    if (d == Type::F16x2)
      return relu ? binary<FloatsToPair<F16, true>, uint32_t, float>
                  : binary<FloatsToPair<F16, false>, uint32_t, float>;
    if (d == Type::BF16x2)
      return relu ? binary<FloatsToPair<BF16, true>, uint32_t, float>
                  : binary<FloatsToPair<BF16, false>, uint32_t, float>;
    return nullptr;
  }
  if (r < 4)
    return nullptr;
  if (s == Type::F64 && d == Type::F32)
    return ftz ? (sat ? unary<DoubleToFloat<true, true>, float, double>
                      : unary<DoubleToFloat<true, false>, float, double>)
               : (sat ? unary<DoubleToFloat<false, true>, float, double>
                      : unary<DoubleToFloat<false, false>, float, double>);
  if (s == Type::F16 && d == Type::F32)
    return ftz ? (sat ? unary<HalfToFloat<F16, true, true>, float, uint16_t>
                      : unary<HalfToFloat<F16, true, false>, float, uint16_t>)
               : (sat ? unary<HalfToFloat<F16, false, true>, float, uint16_t>
                      : unary<HalfToFloat<F16, false, false>, float, uint16_t>);
  if (s == Type::BF16 && d == Type::F32 && !sat)
    return ftz ? unary<HalfToFloat<BF16, true, false>, float, uint16_t>
               : unary<HalfToFloat<BF16, false, false>, float, uint16_t>;
  if (sat || isFloat(s))
    return nullptr;
  if (d == Type::F32) {
    switch (s) {
    case Type::S32:
      return unary<ToFloat<int32_t>, float, int32_t>;
    case Type::U32:
      return unary<ToFloat<uint32_t>, float, uint32_t>;
    case Type::S16:
      return unary<ToFloat<int16_t>, float, int16_t>;
    case Type::U16:
      return unary<ToFloat<uint16_t>, float, uint16_t>;
    case Type::S64:
      return unary<ToFloat<int64_t>, float, int64_t>;
    case Type::U64:
      return unary<ToFloat<uint64_t>, float, uint64_t>;
    default:
      return nullptr;
    }
  }
  if (d == Type::F64) {
    switch (s) {
    case Type::S32:
      return unary<ToDouble<int32_t>, double, int32_t>;
    case Type::U32:
      return unary<ToDouble<uint32_t>, double, uint32_t>;
    case Type::S64:
      return unary<ToDouble<int64_t>, double, int64_t>;
    case Type::U64:
      return unary<ToDouble<uint64_t>, double, uint64_t>;
    default:
      return nullptr;
    }
  }
  return nullptr;
}

TILEIRAS_ISA_END
