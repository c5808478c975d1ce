//===- DoubleDouble.h - Arithmetic in twice the precision of binary64 ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A number as the unevaluated sum of two binary64, the second at most half a unit of the first. Compiled without
// contraction: every operation here is meant as it stands.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_COMPILER_MATHLIBRARY_DOUBLEDOUBLE_H
#define TILEIRAS_COMPILER_MATHLIBRARY_DOUBLEDOUBLE_H

typedef unsigned long long u64;
typedef long long i64;
typedef unsigned __int128 u128;
typedef struct {
  double h, l;
} dd;

#define INF __builtin_inf()
#define NAN __builtin_nan("")
#define LN2 ((dd){0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56})
#define INVERSE_LN2 ((dd){0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56})
#define PI ((dd){0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53})
#define HALF_PI ((dd){0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54})

static inline u64 bitsOf(double x) { return __builtin_bit_cast(u64, x); }
static inline double fromBits(u64 x) { return __builtin_bit_cast(double, x); }
static inline double fma_(double a, double b, double c) { return __builtin_fma(a, b, c); }
static inline double fabs_(double x) { return __builtin_fabs(x); }
static inline double copysign_(double x, double y) { return __builtin_copysign(x, y); }
/// 2^k for -1022 <= k <= 1023.
static inline double power2(int k) { return fromBits((u64)(k + 1023) << 52); }

/// |a| >= |b|, or a = 0.
static inline dd quickSum(double a, double b) {
  double s = a + b;
  return (dd){s, b - (s - a)};
}
static inline dd sum(double a, double b) {
  double s = a + b, t = s - a;
  return (dd){s, (a - (s - t)) + (b - t)};
}
static inline dd product(double a, double b) {
  double p = a * b;
  return (dd){p, fma_(a, b, -p)};
}
static inline dd add(dd a, dd b) {
  dd s = sum(a.h, b.h), t = sum(a.l, b.l);
  s = quickSum(s.h, s.l + t.h);
  return quickSum(s.h, s.l + t.l);
}
static inline dd addOne(dd a, double b) {
  dd s = sum(a.h, b);
  return quickSum(s.h, s.l + a.l);
}
static inline dd negate(dd a) { return (dd){-a.h, -a.l}; }
static inline dd mul(dd a, dd b) {
  dd p = product(a.h, b.h);
  return quickSum(p.h, p.l + (a.h * b.l + a.l * b.h));
}
static inline dd mulOne(dd a, double b) {
  dd p = product(a.h, b);
  return quickSum(p.h, p.l + a.l * b);
}
static inline dd divide(dd a, dd b) {
  double q = a.h / b.h;
  double rest = (fma_(-q, b.h, a.h) + a.l) - q * b.l;
  return quickSum(q, rest / b.h);
}

/// e^(x + k ln 2) before scaling: e^x = 2^*k times the result, which lies in [0.7, 1.42].
dd expReduced(dd x, int *k);
/// x * 2^k, rounded once.
double scale(dd x, int k);
/// Of a positive finite number.
dd logOf(double x);

#endif // TILEIRAS_COMPILER_MATHLIBRARY_DOUBLEDOUBLE_H
