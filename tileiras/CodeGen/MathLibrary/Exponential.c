//===- Exponential.c - Exponentials, logarithms, powers, hyperbolic functions --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DoubleDouble.h"

/// e^x = 2^k e^r with |r| <= ln(2)/2; e^r by its series, whose first two terms are added exactly.
dd expReduced(dd x, int *k) {
  double n = __builtin_rint(x.h * INVERSE_LN2.h);
  // n * LN2_HIGH is exact: 42 and 11 bits.
  double high = 0x1.62e42fefa3800p-1, low = 0x1.ef35793c76730p-45;
  dd r = addOne(sum(fma_(-n, high, x.h), -n * low), x.l);
  double z = r.h, q = 0x1.6124613a86d09p-33;
  q = fma_(q, z, 0x1.1eed8eff8d898p-29);
  q = fma_(q, z, 0x1.ae64567f544e4p-26);
  q = fma_(q, z, 0x1.27e4fb7789f5cp-22);
  q = fma_(q, z, 0x1.71de3a556c734p-19);
  q = fma_(q, z, 0x1.a01a01a01a01ap-16);
  q = fma_(q, z, 0x1.a01a01a01a01ap-13);
  q = fma_(q, z, 0x1.6c16c16c16c17p-10);
  q = fma_(q, z, 0x1.1111111111111p-7);
  q = fma_(q, z, 0x1.5555555555555p-5);
  q = fma_(q, z, 0x1.5555555555555p-3);
  dd square = product(z, z);
  // 1 + r + r^2/2 + r^3 q; what r.l adds to e^r is r.l e^r.
  double rest = fma_(square.h * z, q, 0.5 * square.l) + r.l * (1.0 + z);
  dd s = sum(z, 0.5 * square.h);
  dd t = sum(1.0, s.h);
  *k = (int)n;
  return quickSum(t.h, t.l + (s.l + rest));
}

double scale(dd x, int k) {
  double value = x.h + x.l;
  if (k > -1000 && k < 1000)
    return value * power2(k);
  if (k > 0) // may overflow in the second step
    return value * power2(1000) * power2(k - 1000 > 1023 ? 1023 : k - 1000);
  // A subnormal result: one rounding, of both parts at once. Adding a number whose last bit is the last one kept does it.
  if (k < -1100)
    return 0;
  if (k > -1022 || (k == -1022 && value >= 1)) // normal
    return value * power2(k);
  double unit = power2(-1074 - k + 52); // x is rounded to multiples of 2^(-1074-k)
  dd s = sum(unit, x.h);
  double rounded = s.h + (s.l + x.l); // s.l + x.l is less than half a unit, unless on the edge
  return (rounded - unit) * power2(-1000) * power2(k + 1000);
}

static double expOf(dd x) {
  if (x.h != x.h)
    return x.h;
  if (x.h > 709.79)
    return INF;
  if (x.h < -745.2)
    return 0;
  int k;
  dd r = expReduced(x, &k);
  return scale(r, k);
}

/// log x = e ln 2 + log m, m in [sqrt(1/2), sqrt(2)), log m = 2 atanh((m - 1) / (m + 1)).
dd logOf(double x) {
  int e = 0;
  u64 bits = bitsOf(x);
  if (bits < 0x0010000000000000) {
    bits = bitsOf(x * 0x1p54);
    e = -54;
  }
  u64 part = bits - 0x3FE6A09E667F3BCD; // relative to sqrt(1/2)
  e += (int)((i64)part >> 52);
  double m = fromBits(bits - (part & 0xFFF0000000000000)), f = m - 1;
  dd s = divide((dd){f, 0}, sum(2, f));
  dd z = mul(s, s);
  double w = z.h, q = 0x1.2f684bda12f68p-5; // 1/27
  q = fma_(q, w, 0x1.47ae147ae147bp-5);  // 1/25
  q = fma_(q, w, 0x1.642c8590b2164p-5);  // 1/23
  q = fma_(q, w, 0x1.8618618618618p-5);  // 1/21
  q = fma_(q, w, 0x1.af286bca1af28p-5);  // 1/19
  q = fma_(q, w, 0x1.e1e1e1e1e1e1ep-5);  // 1/17
  q = fma_(q, w, 0x1.1111111111111p-4);  // 1/15
  q = fma_(q, w, 0x1.3b13b13b13b14p-4);  // 1/13
  q = fma_(q, w, 0x1.745d1745d1746p-4);  // 1/11
  q = fma_(q, w, 0x1.c71c71c71c71cp-4);  // 1/9
  q = fma_(q, w, 0x1.2492492492492p-3);  // 1/7
  dd fifth = quickSum(0x1.999999999999ap-3, -0x1.999999999999ap-57); // 1/5
  dd tail = mul(z, addOne(fifth, w * q));
  tail = mul(z, add((dd){0x1.5555555555555p-2, 0x1.5555555555555p-56}, tail));
  dd series = add(s, mul(s, tail));
  dd result = {2 * series.h, 2 * series.l};
  if (e) {
    double n = e;
    dd ln2 = sum(n * 0x1.62e42fefa3800p-1, n * 0x1.ef35793c76730p-45);
    // The product with the second part is rounded: 2^-53 of 2^-34.
    ln2 = addOne(ln2, fma_(n, 0x1.ef35793c76730p-45, -(n * 0x1.ef35793c76730p-45)));
    result = add(ln2, result);
  }
  return result;
}

/// What logarithms give outside the positive finite numbers.
static int logIsSpecial(double x, double *result) {
  if (x != x || x == INF)
    *result = x;
  else if (x == 0)
    *result = -INF;
  else if (x < 0)
    *result = NAN;
  else
    return 0;
  return 1;
}

double __nv_exp(double x) { return expOf((dd){x, 0}); }

double __nv_exp2(double x) {
  if (x != x)
    return x;
  if (x >= 1024)
    return INF;
  if (x < -1080)
    return 0;
  double n = __builtin_rint(x);
  int k;
  dd r = expReduced(mulOne(LN2, x - n), &k);
  return scale(r, k + (int)n);
}

double __nv_log(double x) {
  double special;
  if (logIsSpecial(x, &special))
    return special;
  return logOf(x).h;
}

double __nv_log2(double x) {
  double special;
  if (logIsSpecial(x, &special))
    return special;
  return mul(logOf(x), INVERSE_LN2).h;
}

double __nv_pow(double x, double y) {
  double magnitude = fabs_(x);
  if (y == 0 || x == 1)
    return 1;
  if (x != x || y != y)
    return NAN;
  int isInteger = __builtin_trunc(y) == y;
  int isOdd = isInteger && fabs_(y) < 0x1p53 && ((i64)y & 1);
  if (fabs_(y) == INF) {
    if (magnitude == 1)
      return 1;
    return (magnitude > 1) == (y > 0) ? INF : 0;
  }
  double sign = isOdd ? copysign_(1, x) : 1;
  if (magnitude == 0)
    return y < 0 ? sign * INF : sign * 0.0;
  if (magnitude == INF)
    return y < 0 ? sign * 0.0 : sign * INF;
  if (x < 0 && !isInteger)
    return NAN;
  dd l = logOf(magnitude);
  double estimate = l.h * y;
  if (estimate > 710)
    return sign * INF;
  if (estimate < -746)
    return sign * 0.0;
  return sign * expOf(mulOne(l, y));
}

/// sinh and cosh of |x| < 1, by their series.
static dd sinhSmall(double x) {
  double z = x * x, q = 0x1.71b8ef6dcf572p-66; // 1/21!
  q = fma_(q, z, 0x1.2f49b46814157p-57);       // 1/19!
  q = fma_(q, z, 0x1.952c77030ad4ap-49);
  q = fma_(q, z, 0x1.ae7f3e733b81fp-41);
  q = fma_(q, z, 0x1.6124613a86d09p-33);
  q = fma_(q, z, 0x1.ae64567f544e4p-26);
  q = fma_(q, z, 0x1.71de3a556c734p-19);
  q = fma_(q, z, 0x1.a01a01a01a01ap-13);
  q = fma_(q, z, 0x1.1111111111111p-7);
  q = fma_(q, z, 0x1.5555555555555p-3);
  return quickSum(x, x * (z * q));
}

/// e^x and e^-x for 0 <= x < 40.
static dd bothExponentials(double x, dd *inverse) {
  int k;
  dd r = expReduced((dd){x, 0}, &k);
  dd e = {r.h * power2(k), r.l * power2(k)};
  *inverse = divide((dd){1, 0}, e);
  return e;
}

double __nv_sinh(double x) {
  double a = fabs_(x);
  if (!(a < INF))
    return x;
  if (a < 1)
    return a < 0x1p-30 ? x : sinhSmall(x).h;
  if (a > 40) {
    int k;
    if (a > 711)
      return copysign_(INF, x);
    dd r = expReduced((dd){a, 0}, &k);
    return copysign_(scale(r, k - 1), x);
  }
  dd inverse, e = bothExponentials(a, &inverse);
  return copysign_(0.5 * add(e, negate(inverse)).h, x);
}

double __nv_cosh(double x) {
  double a = fabs_(x);
  if (!(a < INF))
    return a;
  if (a > 40) {
    int k;
    if (a > 711)
      return INF;
    dd r = expReduced((dd){a, 0}, &k);
    return scale(r, k - 1);
  }
  dd inverse, e = bothExponentials(a, &inverse);
  return 0.5 * add(e, inverse).h;
}

/// sinh / cosh for small ones, else 1 - 2 / (e^2x + 1).
double __nv_tanh(double x) {
  double a = fabs_(x);
  if (x != x || a < 0x1p-30)
    return x;
  if (a > 20)
    return copysign_(1, x);
  if (a < 0.5) {
    dd s = sinhSmall(a), inverse, e = bothExponentials(a, &inverse);
    dd c = add(e, inverse);
    return copysign_(divide((dd){2 * s.h, 2 * s.l}, c).h, x);
  }
  dd inverse, e = bothExponentials(2 * a, &inverse);
  dd rest = divide((dd){2, 0}, addOne(e, 1));
  return copysign_(add((dd){1, 0}, negate(rest)).h, x);
}

/// One division after one square root, and a step that takes out the roundings of both.
double __nv_rsqrt(double x) {
  double root = __builtin_sqrt(x), inverse = 1 / root;
  if (!(x > 0 && x < INF))
    return inverse;
  if (x < 0x1p-900) // so that residuals do not vanish
    return __nv_rsqrt(x * 0x1p200) * 0x1p100;
  double low = fma_(-root, root, x) / (2 * root); // root + low = sqrt(x) nearly
  return inverse + inverse * (fma_(-inverse, root, 1) - inverse * low);
}

/// Remainder of the truncated division, exact: long division of the significands, eleven bits at a time.
double __nv_fmod(double x, double y) {
  double a = fabs_(x), b = fabs_(y);
  if (!(a < INF) || b != b || b == 0)
    return NAN;
  if (a < b)
    return x;
  u64 p = bitsOf(a), q = bitsOf(b);
  int ep = (int)(p >> 52), eq = (int)(q >> 52);
  p &= 0x000FFFFFFFFFFFFF;
  q &= 0x000FFFFFFFFFFFFF;
  if (ep)
    p |= 0x0010000000000000;
  else
    ep = 1;
  if (eq)
    q |= 0x0010000000000000;
  else
    eq = 1;
  p %= q;
  for (int left = ep - eq; left > 0 && p;) {
    int step = left < 11 ? left : 11;
    p = (p << step) % q;
    left -= step;
  }
  // p counts units of y's last place.
  double unit = eq >= 53 ? power2(eq - 1023 - 52) : fromBits((u64)1 << (eq - 1));
  return copysign_((double)p * unit, x);
}

// binary32: in binary64, rounded once more.
float __nv_expf(float x) { return (float)__nv_exp(x); }
float __nv_exp2f(float x) { return (float)__nv_exp2(x); }
float __nv_logf(float x) { return (float)__nv_log(x); }
float __nv_log2f(float x) { return (float)__nv_log2(x); }
float __nv_powf(float x, float y) { return (float)__nv_pow(x, y); }
float __nv_sinhf(float x) { return (float)__nv_sinh(x); }
float __nv_coshf(float x) { return (float)__nv_cosh(x); }
float __nv_tanhf(float x) { return (float)__nv_tanh(x); }
float __nv_rsqrtf(float x) { return (float)(1 / __builtin_sqrt((double)x)); }
float __nv_fmodf(float x, float y) { return (float)__nv_fmod(x, y); }
