//===- ExecFloat.cpp - Floating-point handlers ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, sections Floating Point and Half Precision Floating Point, in round-to-nearest-even; the other rounding
// modes are in FloatRounding.cpp. Compiled once per TILEIRAS_ISA, with -ffp-contract=off: a multiplication and an
// addition stay two operations, also on hosts that have fma.
//
// NaN results are canonical (0x7fffffff, 0x7fff) except in f64, where the ISA leaves the payload open. The
// approximate functions round the true value: their error on hardware is bounded, not specified.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Exec/ExecCommon.h"

TILEIRAS_ISA_BEGIN

template <bool Z, bool S> struct FAdd {
  static float op(float a, float b) { return out<Z, S>(in<Z>(a) + in<Z>(b)); }
};
template <bool Z, bool S> struct FSub {
  static float op(float a, float b) { return out<Z, S>(in<Z>(a) - in<Z>(b)); }
};
template <bool Z, bool S> struct FMul {
  static float op(float a, float b) { return out<Z, S>(in<Z>(a) * in<Z>(b)); }
};
template <bool Z, bool S> struct FFma {
  static float op(float a, float b, float c) { return out<Z, S>(fusedMultiplyAdd(in<Z>(a), in<Z>(b), in<Z>(c))); }
};
/// The same for whole rows. The sum in f64 is rounded once more as it is; that goes wrong only where it lies in the
/// middle between two f32 without being exact. Then its lowest 28 bits are 0, and the row is computed again with care.
template <bool Z, bool S, unsigned Pack = 1> static void fmaRows(Warp &w, const Inst &i, uint32_t m) {
#if defined(__x86_64__) && !defined(__FMA__) && !defined(TILEIRAS_ISA_TARGET)
  using Floats = float __attribute__((vector_size(16)));
  using Ints = uint32_t __attribute__((vector_size(16)));
  using Doubles = double __attribute__((vector_size(32)));
  using Halves = uint32_t __attribute__((vector_size(32)));
  if (m == ~0u) {
    const float *from[3] = {w.row<float>(i.a), w.row<float>(i.b), w.row<float>(i.c)};
    alignas(16) float result[32 * Pack];
    Ints doubt = {};
    for (unsigned l = 0; l != 32 * Pack; l += 4) {
      Doubles x[3];
      for (unsigned k = 0; k != 3; ++k) {
        Floats f;
        for (unsigned e = 0; e != 4; ++e)
          f[e] = in<Z>(from[k][l + e]);
        x[k] = __builtin_convertvector(f, Doubles);
      }
      Doubles sum = x[0] * x[1] + x[2];
      Halves words = (Halves)sum;
      doubt |= (Ints)((__builtin_shufflevector(words, words, 0, 2, 4, 6) & 0x0fffffffu) == 0);
      Floats r = __builtin_convertvector(sum, Floats);
      for (unsigned e = 0; e != 4; ++e)
        result[l + e] = out<Z, S>(r[e]);
    }
    if (!(doubt[0] | doubt[1] | doubt[2] | doubt[3])) [[likely]] {
      __builtin_memcpy(w.row<float>(i.d), result, sizeof result);
      return;
    }
  }
#endif
  ternary<FFma<Z, S>, float, float, float, float, Pack>(w, i, m);
}
template <bool Z, bool S> struct FDiv {
  static float op(float a, float b) { return out<Z, S>(in<Z>(a) / in<Z>(b)); }
};
// div.approx: |b| in (2^126, 2^128) gives 0, or NaN for an infinite dividend.
template <bool Z, bool S> struct FDivApprox {
  static float op(float a, float b) {
    a = in<Z>(a);
    b = in<Z>(b);
    float r = a / b;
    float m = __builtin_fabsf(b);
    bool large = m > 0x1p126f && m < __builtin_inff();
    float tiny = __builtin_fabsf(a) < __builtin_inff() ? __builtin_copysignf(0.0f, r) : __builtin_nanf("");
    return out<Z, S>(large ? tiny : r);
  }
};
template <bool Z, bool S> struct FRcp {
  static float op(float a) { return out<Z, S>(1.0f / in<Z>(a)); }
};
template <bool Z, bool S> struct FSqrt {
  static float op(float a) { return out<Z, S>(__builtin_sqrtf(in<Z>(a))); }
};
template <bool Z, bool S> struct FRsqrt {
  static float op(float a) {
    double x = in<Z>(a);
    return out<Z, S>(float(1.0 / __builtin_sqrt(x)));
  }
};
template <bool Z> struct FAbs {
  static float op(float a) { return bits<float>(bits<uint32_t>(in<Z>(a)) & 0x7fffffffu); }
};
template <bool Z> struct FNeg {
  static float op(float a) { return bits<float>(bits<uint32_t>(in<Z>(a)) ^ 0x80000000u); }
};
struct FCopysign {
  // The sign of a, the magnitude of b.
  static uint32_t op(uint32_t a, uint32_t b) { return (a & 0x80000000u) | (b & 0x7fffffffu); }
};
struct DCopysign {
  static uint64_t op(uint64_t a, uint64_t b) { return (a & (uint64_t(1) << 63)) | (b & ~(uint64_t(1) << 63)); }
};

// Mixed precision: the half operands are widened, the operation is that of f32.
template <class H, bool S> struct XAdd {
  static float op(uint16_t a, float c) { return out<false, S>(H::to(a) + c); }
};
template <class H, bool S> struct XSub {
  static float op(uint16_t a, float c) { return out<false, S>(H::to(a) - c); }
};
template <class H, bool S> struct XFma {
  static float op(uint16_t a, uint16_t b, float c) { return out<false, S>(fusedMultiplyAdd(H::to(a), H::to(b), c)); }
};

struct DAdd {
  static double op(double a, double b) { return a + b; }
};
struct DSub {
  static double op(double a, double b) { return a - b; }
};
struct DMul {
  static double op(double a, double b) { return a * b; }
};
struct DDiv {
  static double op(double a, double b) { return a / b; }
};
struct DFma {
  static double op(double a, double b, double c) { return __builtin_fma(a, b, c); }
};
struct DRcp {
  static double op(double a) { return 1.0 / a; }
};
struct DSqrt {
  static double op(double a) { return __builtin_sqrt(a); }
};
struct DRsqrt {
  static double op(double a) { return 1.0 / __builtin_sqrt(a); }
};
struct DAbs {
  static uint64_t op(uint64_t a) { return a & ~(uint64_t(1) << 63); }
};
struct DNeg {
  static uint64_t op(uint64_t a) { return a ^ (uint64_t(1) << 63); }
};
// rcp/rsqrt.approx.ftz.f64 look at the upper 32 bits only and give a result whose lower half is 0.
static inline double upperHalf(double v) { return bits<double>(bits<uint64_t>(v) & 0xffffffff00000000ull); }
static inline double flushDouble(double v) {
  uint64_t u = bits<uint64_t>(v);
  return bits<double>((u & 0x7ff0000000000000ull) == 0 ? u & 0x8000000000000000ull : u);
}
static inline double coarse(double v) {
  return v == v ? upperHalf(flushDouble(v)) : bits<double>(uint64_t(0x7fffffff00000000ull));
}
struct DRcpCoarse {
  static double op(double a) { return coarse(1.0 / flushDouble(upperHalf(a))); }
};
struct DRsqrtCoarse {
  static double op(double a) { return coarse(1.0 / __builtin_sqrt(flushDouble(upperHalf(a)))); }
};

//===----------------------------------------------------------------------===//
// min, max
//===----------------------------------------------------------------------===//

/// -0 < +0; one NaN gives the other operand, or NaN with .NaN; .xorsign.abs: magnitudes compared, sign a ^ b.
template <bool Max, bool Z, bool NaN, bool Abs, bool Xor> struct FMinMax {
  static float op(float a, float b) {
    a = in<Z>(a);
    b = in<Z>(b);
    uint32_t sign = (bits<uint32_t>(a) ^ bits<uint32_t>(b)) & 0x80000000u;
    if (Abs) {
      a = bits<float>(bits<uint32_t>(a) & 0x7fffffffu);
      b = bits<float>(bits<uint32_t>(b) & 0x7fffffffu);
    }
    // Equal values differ at most in the sign of zero.
    uint32_t ua = bits<uint32_t>(a), ub = bits<uint32_t>(b);
    float equal = bits<float>(Max ? ua & ub : ua | ub);
    float r = a < b ? (Max ? b : a) : (Max ? a : b);
    r = a == b ? equal : r;
    if (NaN) {
      r = (a == a && b == b) ? r : bits<float>(0x7fffffffu);
    } else {
      r = a == a ? r : b;
      r = b == b ? r : a;
      r = canonical(r);
    }
    if (Xor)
      r = r == r ? bits<float>(bits<uint32_t>(r) | sign) : r;
    return r;
  }
};
template <bool Max, bool Z, bool NaN, bool Abs> struct FMinMax3 {
  static float op(float a, float b, float c) {
    using F = FMinMax<Max, Z, NaN, Abs, false>;
    return F::op(F::op(a, b), c);
  }
};
template <bool Max> struct DMinMax {
  static double op(double a, double b) {
    uint64_t ua = bits<uint64_t>(a), ub = bits<uint64_t>(b);
    double equal = bits<double>(Max ? ua & ub : ua | ub);
    double r = a < b ? (Max ? b : a) : (Max ? a : b);
    r = a == b ? equal : r;
    r = a == a ? r : b;
    return b == b ? r : a;
  }
};
template <class H, bool Max, bool Z, bool NaN, bool Abs, bool Xor> struct HMinMax {
  static uint16_t op(uint16_t a, uint16_t b) {
    if (Z) {
      a = flushHalf<H>(a);
      b = flushHalf<H>(b);
    }
    return H::from(FMinMax<Max, false, NaN, Abs, Xor>::op(H::to(a), H::to(b)));
  }
};

//===----------------------------------------------------------------------===//
// Half precision
//===----------------------------------------------------------------------===//

template <class H, bool Z, bool S, bool R> static inline uint16_t halfOut(float f) {
  uint16_t r = H::from(f);
  if (Z)
    r = flushHalf<H>(r);
  if (S)
    r = f > 0.0f ? (r > H::one ? (f == f ? H::one : uint16_t(0)) : r) : uint16_t(0);
  if (R) // relu: negative and -0 -> +0, NaN -> canonical
    r = (r & 0x8000) ? uint16_t(0) : r;
  return r;
}
template <class H, bool Z> static inline float halfIn(uint16_t v) { return H::to(Z ? flushHalf<H>(v) : v); }

// A f32 sum of two halves, rounded again to half, is correctly rounded: 24 >= 2 * 11 + 2.
template <class H, bool Z, bool S> struct HAdd {
  static uint16_t op(uint16_t a, uint16_t b) { return halfOut<H, Z, S, false>(halfIn<H, Z>(a) + halfIn<H, Z>(b)); }
};
template <class H, bool Z, bool S> struct HSub {
  static uint16_t op(uint16_t a, uint16_t b) { return halfOut<H, Z, S, false>(halfIn<H, Z>(a) - halfIn<H, Z>(b)); }
};
// Products and fma go through f64, where the product is exact, and are rounded to odd on the way.
template <class H, bool Z, bool S> struct HMul {
  static uint16_t op(uint16_t a, uint16_t b) {
    return halfOut<H, Z, S, false>(doubleToFloatOdd(double(halfIn<H, Z>(a)) * double(halfIn<H, Z>(b))));
  }
};
template <class H, bool Z, bool S, bool R> struct HFma {
  static uint16_t op(uint16_t a, uint16_t b, uint16_t c) {
    double p = double(halfIn<H, Z>(a)) * double(halfIn<H, Z>(b));
    return halfOut<H, Z, S, R>(doubleToFloatOdd(addOdd(p, double(halfIn<H, Z>(c)))));
  }
};
// fma.oob: an operand that is the out-of-bounds NaN (0xffff) makes the result 0.
template <class H, bool R> struct HFmaOob {
  static uint16_t op(uint16_t a, uint16_t b, uint16_t c) {
    uint16_t r = HFma<H, false, false, R>::op(a, b, c);
    return a == 0xffff || b == 0xffff ? uint16_t(0) : r;
  }
};
template <class H, bool Z> struct HAbs {
  static uint16_t op(uint16_t a) { return uint16_t((Z ? flushHalf<H>(a) : a) & 0x7fff); }
};
template <class H, bool Z> struct HNeg {
  static uint16_t op(uint16_t a) { return uint16_t((Z ? flushHalf<H>(a) : a) ^ 0x8000); }
};

//===----------------------------------------------------------------------===//
// Transcendental functions: f64 polynomials good to more than 40 bits, rounded once
//===----------------------------------------------------------------------===//

/// 2^x for |x| < 1100.
static inline double exp2Double(double x) {
  double t = x + 0x1.8p52; // its low bits hold the nearest integer
  double k = t - 0x1.8p52;
  double f = (x - k) * 0x1.62e42fefa39efp-1; // ln 2
  // exp(f), |f| <= 0.347: Taylor to f^11, error below 2^-45.
  double p = 1.0 / 39916800;
  p = p * f + 1.0 / 3628800;
  p = p * f + 1.0 / 362880;
  p = p * f + 1.0 / 40320;
  p = p * f + 1.0 / 5040;
  p = p * f + 1.0 / 720;
  p = p * f + 1.0 / 120;
  p = p * f + 1.0 / 24;
  p = p * f + 1.0 / 6;
  p = p * f + 0.5;
  p = p * f + 1.0;
  p = p * f + 1.0;
  return p * bits<double>(((bits<uint64_t>(t) + 1023) & 0x7ff) << 52);
}
template <bool Z, bool S> struct FEx2 {
  static float op(float a) {
    a = in<Z>(a);
    float x = a > 200.0f ? 200.0f : a;
    x = x < -200.0f ? -200.0f : x;
    float r = float(exp2Double(double(x)));
    return out<Z, S>(a == a ? r : a);
  }
};

/// log2 of a positive normal double.
static inline double log2Double(double x) {
  uint64_t u = bits<uint64_t>(x);
  int64_t e = int64_t(u >> 52) - 1023;
  uint64_t fraction = u & 0xfffffffffffffull;
  // Significand in [sqrt(1/2), sqrt(2)).
  bool upper = fraction >= 0x6a09e667f3bcdull;
  double m = bits<double>(fraction | (upper ? uint64_t(1022) << 52 : uint64_t(1023) << 52));
  e += upper;
  // log(m) = 2 atanh(s), s = (m - 1) / (m + 1), |s| <= 0.1716.
  double s = (m - 1.0) / (m + 1.0), z = s * s;
  double p = 1.0 / 19;
  p = p * z + 1.0 / 17;
  p = p * z + 1.0 / 15;
  p = p * z + 1.0 / 13;
  p = p * z + 1.0 / 11;
  p = p * z + 1.0 / 9;
  p = p * z + 1.0 / 7;
  p = p * z + 1.0 / 5;
  p = p * z + 1.0 / 3;
  p = p * z + 1.0;
  return double(int32_t(e)) + 2.0 * s * p * 0x1.71547652b82fep0; // 1 / ln 2
}
template <bool Z, bool S> struct FLg2 {
  static float op(float a) {
    a = in<Z>(a);
    float r = float(log2Double(a > 0.0f ? double(a) : 1.0));
    float special = a == 0.0f ? -__builtin_inff() : a < 0.0f || a != a ? __builtin_nanf("") : a;
    bool ordinary = a > 0.0f && a < __builtin_inff();
    return out<Z, S>(ordinary ? r : special);
  }
};

template <bool Cos> static inline float sinCos(float a) {
  // Cody-Waite reduction by pi/2 in f64; beyond 2^25 the remaining bits would not do, and libm takes over.
  double x = a;
  double k = (x * 0x1.45f306dc9c883p-1 + 0x1.8p52) - 0x1.8p52;
  double r = (x - k * 0x1.921fb4p0) - k * 0x1.4442d18469899p-24; // 25 bits of pi/2, and the rest
  int64_t q = int64_t(bits<uint64_t>(k + 0x1.8p52)) + (Cos ? 1 : 0);
  double z = r * r;
  double s = -1.0 / 1307674368000;
  s = s * z + 1.0 / 6227020800;
  s = s * z - 1.0 / 39916800;
  s = s * z + 1.0 / 362880;
  s = s * z - 1.0 / 5040;
  s = s * z + 1.0 / 120;
  s = s * z - 1.0 / 6;
  s = r + r * z * s;
  double c = 1.0 / 20922789888000;
  c = c * z - 1.0 / 87178291200;
  c = c * z + 1.0 / 479001600;
  c = c * z - 1.0 / 3628800;
  c = c * z + 1.0 / 40320;
  c = c * z - 1.0 / 720;
  c = c * z + 1.0 / 24;
  c = c * z - 0.5;
  c = 1.0 + z * c;
  double v = q & 1 ? c : s;
  v = q & 2 ? -v : v;
  return float(v);
}
template <bool Cos, bool Z> static void sinCosRow(Warp &w, const Inst &i, uint32_t m) {
  float *d = w.row<float>(i.d);
  const float *a = w.row<float>(i.a);
  alignas(64) float r[32];
  uint32_t large = 0;
  TILEIRAS_LANES(l, 32) {
    float x = in<Z>(a[l]);
    // sin keeps the sign of zero.
    r[l] = x == 0.0f ? (Cos ? 1.0f : x) : sinCos<Cos>(x);
  }
  for (unsigned l = 0; l != 32; ++l)
    large |= uint32_t(!(__builtin_fabsf(a[l]) < 0x1p25f)) << l;
  if (large)
    for (unsigned l = 0; l != 32; ++l)
      if (large >> l & 1)
        r[l] = float(Cos ? __builtin_cos(double(a[l])) : __builtin_sin(double(a[l])));
  TILEIRAS_LANES(l, 32) {
    float v = out<Z, false>(r[l]);
    d[l] = (m >> l) & 1 ? v : d[l];
  }
}
struct FTanh {
  static float op(float a) {
    // tanh(x) = 1 - 2 / (exp(2x) + 1); near 0 the series avoids the cancellation.
    double x = a;
    double c = x > 40.0 ? 40.0 : x < -40.0 ? -40.0 : x;
    double e = exp2Double(c * 0x1.71547652b82fep1); // 2 / ln 2
    double big = 1.0 - 2.0 / (e + 1.0);
    double z = c * c;
    double small = c * (1.0 + z * (-1.0 / 3 + z * (2.0 / 15 + z * (-17.0 / 315 + z * (62.0 / 2835)))));
    float r = float(__builtin_fabs(c) < 0.04 ? small : big);
    r = a == 0.0f ? a : r;
    return canonical(a == a ? r : a);
  }
};
template <class H> struct HTanh {
  static uint16_t op(uint16_t a) { return H::from(FTanh::op(H::to(a))); }
};
template <class H, bool Z> struct HEx2 {
  static uint16_t op(uint16_t a) {
    uint16_t r = H::from(FEx2<false, false>::op(halfIn<H, Z>(a)));
    return Z ? flushHalf<H>(r) : r;
  }
};

//===----------------------------------------------------------------------===//
// testp
//===----------------------------------------------------------------------===//

enum TestKind { Finite, Infinite, Number, NotANumber, Normal, Subnormal };
template <typename T, TestKind K> static void testp(Warp &w, const Inst &i, uint32_t m) {
  using B = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  constexpr B top = sizeof(T) == 4 ? B(0x7f800000u) : B(0x7ff0000000000000ull);
  const B *a = w.row<B>(i.a);
  uint32_t r = 0;
  for (unsigned l = 0; l != 32; ++l) {
    B v = a[l] & ~(B(1) << (8 * sizeof(T) - 1)), e = v & top;
    bool yes = false;
    switch (K) {
    case Finite:
      yes = v < top;
      break;
    case Infinite:
      yes = v == top;
      break;
    case Number:
      yes = v <= top;
      break;
    case NotANumber:
      yes = v > top;
      break;
    case Normal:
      yes = e != 0 && e != top;
      break;
    case Subnormal:
      yes = e == 0 && v != 0;
      break;
    }
    r |= uint32_t(yes) << l;
  }
  w.setPred(i.d, r, m);
}
template <typename T> static Handler selectTestp(const Instruction &inst) {
  if (inst.has("finite"))
    return testp<T, Finite>;
  if (inst.has("infinite"))
    return testp<T, Infinite>;
  if (inst.has("number"))
    return testp<T, Number>;
  if (inst.has("notanumber"))
    return testp<T, NotANumber>;
  if (inst.has("normal"))
    return testp<T, Normal>;
  return testp<T, Subnormal>;
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

template <template <bool, bool> class F> static Handler unary32(bool ftz, bool sat) {
  if (ftz)
    return sat ? unary<F<true, true>, float, float> : unary<F<true, false>, float, float>;
  return sat ? unary<F<false, true>, float, float> : unary<F<false, false>, float, float>;
}
template <template <bool, bool> class F> static Handler binary32(bool ftz, bool sat) {
  if (ftz)
    return sat ? binary<F<true, true>, float, float> : binary<F<true, false>, float, float>;
  return sat ? binary<F<false, true>, float, float> : binary<F<false, false>, float, float>;
}
template <template <bool, bool> class F, class D> static Handler plainFloat(Type t, bool ftz, bool sat) {
  if (t == Type::F64)
    return binary<D, double, double>;
  if (t == Type::F32x2)
    return ftz ? binary<F<true, false>, float, float, float, 2> : binary<F<false, false>, float, float, float, 2>;
  return binary32<F>(ftz, sat);
}
template <template <class, bool, bool> class F, unsigned P> static Handler binaryHalf(Type t, bool ftz, bool sat) {
  if (t == Type::BF16 || t == Type::BF16x2)
    return binary<F<BF16, false, false>, uint16_t, uint16_t, uint16_t, P>;
  if (ftz)
    return sat ? binary<F<F16, true, true>, uint16_t, uint16_t, uint16_t, P>
               : binary<F<F16, true, false>, uint16_t, uint16_t, uint16_t, P>;
  return sat ? binary<F<F16, false, true>, uint16_t, uint16_t, uint16_t, P>
             : binary<F<F16, false, false>, uint16_t, uint16_t, uint16_t, P>;
}
static bool isPackedHalf(Type t) { return t == Type::F16x2 || t == Type::BF16x2; }
static bool isHalf(Type t) { return t == Type::F16 || t == Type::BF16 || isPackedHalf(t); }

template <template <bool, bool> class F, class D, template <class, bool, bool> class H>
static Handler arithmetic(const Instruction &inst) {
  Type t = inst.type();
  bool ftz = inst.has("ftz"), sat = inst.has("sat");
  if (isHalf(t))
    return isPackedHalf(t) ? binaryHalf<H, 2>(t, ftz, sat) : binaryHalf<H, 1>(t, ftz, sat);
  return plainFloat<F, D>(t, ftz, sat);
}

template <unsigned P> static Handler fmaHalf(const Instruction &inst) {
  bool b = inst.type() == Type::BF16 || inst.type() == Type::BF16x2;
  bool ftz = inst.has("ftz"), sat = inst.has("sat"), relu = inst.has("relu");
  using T = uint16_t;
  if (inst.has("oob")) {
    if (b)
      return relu ? ternary<HFmaOob<BF16, true>, T, T, T, T, P> : ternary<HFmaOob<BF16, false>, T, T, T, T, P>;
    return relu ? ternary<HFmaOob<F16, true>, T, T, T, T, P> : ternary<HFmaOob<F16, false>, T, T, T, T, P>;
  }
  if (b)
    return relu ? ternary<HFma<BF16, false, false, true>, T, T, T, T, P>
                : ternary<HFma<BF16, false, false, false>, T, T, T, T, P>;
  if (relu)
    return ftz ? ternary<HFma<F16, true, false, true>, T, T, T, T, P>
               : ternary<HFma<F16, false, false, true>, T, T, T, T, P>;
  if (sat)
    return ftz ? ternary<HFma<F16, true, true, false>, T, T, T, T, P>
               : ternary<HFma<F16, false, true, false>, T, T, T, T, P>;
  return ftz ? ternary<HFma<F16, true, false, false>, T, T, T, T, P>
             : ternary<HFma<F16, false, false, false>, T, T, T, T, P>;
}

template <bool Max, bool Z, bool NaN> static Handler minMax32(bool abs, bool xorsign) {
  if (xorsign)
    return binary<FMinMax<Max, Z, NaN, true, true>, float, float>;
  return abs ? binary<FMinMax<Max, Z, NaN, true, false>, float, float>
             : binary<FMinMax<Max, Z, NaN, false, false>, float, float>;
}
template <class H, bool Max, bool NaN, unsigned P> static Handler minMaxHalf(bool ftz, bool abs, bool xorsign) {
  using T = uint16_t;
  if (xorsign)
    return ftz ? binary<HMinMax<H, Max, true, NaN, true, true>, T, T, T, P>
               : binary<HMinMax<H, Max, false, NaN, true, true>, T, T, T, P>;
  if (abs)
    return binary<HMinMax<H, Max, false, NaN, true, false>, T, T, T, P>;
  return ftz ? binary<HMinMax<H, Max, true, NaN, false, false>, T, T, T, P>
             : binary<HMinMax<H, Max, false, NaN, false, false>, T, T, T, P>;
}
template <bool Max> static Handler minMax(const Instruction &inst) {
  bool ftz = inst.has("ftz"), nan = inst.has("NaN"), abs = inst.has("abs"), x = inst.has("xorsign");
  switch (inst.type()) {
  case Type::F64:
    return binary<DMinMax<Max>, double, double>;
  case Type::F32:
    if (ftz)
      return nan ? minMax32<Max, true, true>(abs, x) : minMax32<Max, true, false>(abs, x);
    return nan ? minMax32<Max, false, true>(abs, x) : minMax32<Max, false, false>(abs, x);
  case Type::F16:
    return nan ? minMaxHalf<F16, Max, true, 1>(ftz, abs, x) : minMaxHalf<F16, Max, false, 1>(ftz, abs, x);
  case Type::F16x2:
    return nan ? minMaxHalf<F16, Max, true, 2>(ftz, abs, x) : minMaxHalf<F16, Max, false, 2>(ftz, abs, x);
  case Type::BF16:
    return nan ? minMaxHalf<BF16, Max, true, 1>(false, abs, x) : minMaxHalf<BF16, Max, false, 1>(false, abs, x);
  case Type::BF16x2:
    return nan ? minMaxHalf<BF16, Max, true, 2>(false, abs, x) : minMaxHalf<BF16, Max, false, 2>(false, abs, x);
  default:
    return nullptr;
  }
}
template <bool Max> static Handler minMax3(const Instruction &inst) {
  bool ftz = inst.has("ftz"), nan = inst.has("NaN"), abs = inst.has("abs");
  if (ftz)
    return nan ? (abs ? ternary<FMinMax3<Max, true, true, true>, float, float>
                      : ternary<FMinMax3<Max, true, true, false>, float, float>)
               : (abs ? ternary<FMinMax3<Max, true, false, true>, float, float>
                      : ternary<FMinMax3<Max, true, false, false>, float, float>);
  return nan ? (abs ? ternary<FMinMax3<Max, false, true, true>, float, float>
                    : ternary<FMinMax3<Max, false, true, false>, float, float>)
             : (abs ? ternary<FMinMax3<Max, false, false, true>, float, float>
                    : ternary<FMinMax3<Max, false, false, false>, float, float>);
}

/// abs and neg of the half types act on bits only.
template <template <class, bool> class F> static Handler signHalf(Type t, bool ftz) {
  using T = uint16_t;
  switch (t) {
  case Type::F16:
    return ftz ? unary<F<F16, true>, T, T> : unary<F<F16, false>, T, T>;
  case Type::F16x2:
    return ftz ? unary<F<F16, true>, T, T, 2> : unary<F<F16, false>, T, T, 2>;
  case Type::BF16:
    return ftz ? unary<F<BF16, true>, T, T> : unary<F<BF16, false>, T, T>;
  case Type::BF16x2:
    return ftz ? unary<F<BF16, true>, T, T, 2> : unary<F<BF16, false>, T, T, 2>;
  default:
    return nullptr;
  }
}

/// add, sub and fma with f32 result and half operands.
template <class H, bool S> static Handler mixed(Op op) {
  switch (op) {
  case Op::Add:
    return binary<XAdd<H, S>, float, uint16_t, float>;
  case Op::Sub:
    return binary<XSub<H, S>, float, uint16_t, float>;
  case Op::Fma:
    return ternary<XFma<H, S>, float, uint16_t, uint16_t, float>;
  default:
    return nullptr;
  }
}

Handler selectFloating(const Instruction &inst) {
  Type t = inst.type();
  if (!isFloat(t))
    return nullptr;
  if (t == Type::F32 && (inst.type(1) == Type::F16 || inst.type(1) == Type::BF16)) {
    Op op = inst.row->op;
    if (inst.type(1) == Type::F16)
      return inst.has("sat") ? mixed<F16, true>(op) : mixed<F16, false>(op);
    return inst.has("sat") ? mixed<BF16, true>(op) : mixed<BF16, false>(op);
  }
  bool ftz = inst.has("ftz"), sat = inst.has("sat");
  switch (inst.row->op) {
  case Op::Add:
    return arithmetic<FAdd, DAdd, HAdd>(inst);
  case Op::Sub:
    return arithmetic<FSub, DSub, HSub>(inst);
  case Op::Mul:
    return arithmetic<FMul, DMul, HMul>(inst);
  case Op::Fma:
    if (isHalf(t))
      return isPackedHalf(t) ? fmaHalf<2>(inst) : fmaHalf<1>(inst);
    if (t == Type::F64)
      return ternary<DFma, double, double>;
    if (t == Type::F32x2)
      return ftz ? fmaRows<true, false, 2> : fmaRows<false, false, 2>;
    if (ftz)
      return sat ? fmaRows<true, true> : fmaRows<true, false>;
    return sat ? fmaRows<false, true> : fmaRows<false, false>;
  case Op::Div:
    if (inst.has("approx"))
      return binary32<FDivApprox>(ftz, sat);
    return plainFloat<FDiv, DDiv>(t, ftz, sat);
  case Op::Rcp:
    if (t == Type::F64)
      return inst.has("approx") ? unary<DRcpCoarse, double, double> : unary<DRcp, double, double>;
    return unary32<FRcp>(ftz, sat);
  case Op::Sqrt:
    return t == Type::F64 ? unary<DSqrt, double, double> : unary32<FSqrt>(ftz, sat);
  case Op::Rsqrt:
    if (t == Type::F64)
      return ftz ? unary<DRsqrtCoarse, double, double> : unary<DRsqrt, double, double>;
    return unary32<FRsqrt>(ftz, sat);
  case Op::Abs:
    if (t == Type::F64)
      return unary<DAbs, uint64_t, uint64_t>;
    if (isHalf(t))
      return signHalf<HAbs>(t, ftz);
    return ftz ? unary<FAbs<true>, float, float> : unary<FAbs<false>, float, float>;
  case Op::Neg:
    if (t == Type::F64)
      return unary<DNeg, uint64_t, uint64_t>;
    if (isHalf(t))
      return signHalf<HNeg>(t, ftz);
    return ftz ? unary<FNeg<true>, float, float> : unary<FNeg<false>, float, float>;
  case Op::Min:
    return minMax<false>(inst);
  case Op::Max:
    return minMax<true>(inst);
  case Op::Min3:
    return minMax3<false>(inst);
  case Op::Max3:
    return minMax3<true>(inst);
  case Op::Copysign:
    return t == Type::F64 ? binary<DCopysign, uint64_t, uint64_t> : binary<FCopysign, uint32_t, uint32_t>;
  case Op::Testp:
    return t == Type::F64 ? selectTestp<double>(inst) : selectTestp<float>(inst);
  case Op::Ex2:
    switch (t) {
    case Type::F32:
      return unary32<FEx2>(ftz, sat);
    case Type::F16:
      return unary<HEx2<F16, false>, uint16_t, uint16_t>;
    case Type::F16x2:
      return unary<HEx2<F16, false>, uint16_t, uint16_t, 2>;
    case Type::BF16:
      return unary<HEx2<BF16, true>, uint16_t, uint16_t>;
    case Type::BF16x2:
      return unary<HEx2<BF16, true>, uint16_t, uint16_t, 2>;
    default:
      return nullptr;
    }
  case Op::Lg2:
    return unary32<FLg2>(ftz, sat);
  case Op::Sin:
    return ftz ? sinCosRow<false, true> : sinCosRow<false, false>;
  case Op::Cos:
    return ftz ? sinCosRow<true, true> : sinCosRow<true, false>;
  case Op::Tanh:
    switch (t) {
    case Type::F32:
      return unary<FTanh, float, float>;
    case Type::F16:
      return unary<HTanh<F16>, uint16_t, uint16_t>;
    case Type::F16x2:
      return unary<HTanh<F16>, uint16_t, uint16_t, 2>;
    case Type::BF16:
      return unary<HTanh<BF16>, uint16_t, uint16_t>;
    case Type::BF16x2:
      return unary<HTanh<BF16>, uint16_t, uint16_t, 2>;
    default:
      return nullptr;
    }
  default:
    return nullptr;
  }
}

TILEIRAS_ISA_END
