//===- Trigonometric.c - Sine, cosine, tangent, arc tangent -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DoubleDouble.h"

/// A word of zeros, then the first 1216 bits of 2/pi behind the point.
static const u64 twoOverPi[20] = {
    0,
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
    0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
    0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
};

/// x - n pi/2 for the n that makes it at most pi/4, x >= 2^18; *quadrant is n modulo 4. x 2/pi is multiplied out in integers, of which
/// the bits that are multiples of 4 are left away, and those below 2^-137 (after M. Payne and R. Hanek).
static dd reduceLarge(double x, int *quadrant) {
  u64 bits = bitsOf(x);
  int exponent = (int)(bits >> 52) - 1023 - 52; // x = m 2^exponent
  u64 m = (bits & 0x000FFFFFFFFFFFFF) | 0x0010000000000000;
  int start = 62 + exponent, word = start >> 6, shift = start & 63;
  u64 c[3];
  for (int j = 0; j < 3; ++j) {
    c[j] = twoOverPi[word + j] << shift;
    if (shift)
      c[j] |= twoOverPi[word + j + 1] >> (64 - shift);
  }
  u128 low = (u128)m * c[2], middle = (u128)m * c[1] + (u64)(low >> 64);
  u64 r0 = m * c[0] + (u64)(middle >> 64), r1 = (u64)middle, r2 = (u64)low;
  int n = (int)(r0 >> 62);
  r0 = r0 << 2 | r1 >> 62;
  r1 = r1 << 2 | r2 >> 62;
  r2 <<= 2;
  double sign = 1;
  if (r0 >> 63) { // one more, and go back
    ++n;
    sign = -1;
    r2 = ~r2;
    r1 = ~r1;
    r0 = ~r0; // one unit of 2^-192 does not matter
  }
  dd f = {(double)(r2 >> 32) * 0x1p-160, 0};
  f = addOne(f, (double)(r1 & 0xFFFFFFFF) * 0x1p-128);
  f = addOne(f, (double)(r1 >> 32) * 0x1p-96);
  f = addOne(f, (double)(r0 & 0xFFFFFFFF) * 0x1p-64);
  f = addOne(f, (double)(r0 >> 32) * 0x1p-32);
  *quadrant = n & 3;
  return mulOne(mul(f, HALF_PI), sign);
}

static dd reduce(double x, int *quadrant) {
  double a = fabs_(x);
  dd r;
  int n;
  if (a < 0x1p18) {
    double k = __builtin_rint(a * 0x1.45f306dc9c883p-1);
    n = (int)k & 3;
    // pi/2 in three parts.
    dd p = product(k, 0x1.921fb54442d18p+0), q = product(k, 0x1.1a62633145c07p-54);
    r = addOne(sum(a, -p.h), -p.l);
    r = add(r, negate(q));
    r = addOne(r, k * 0x1.f1976b7ed8fbcp-110);
  } else {
    r = reduceLarge(a, &n);
  }
  if (x < 0) {
    r = negate(r);
    n = -n & 3;
  }
  *quadrant = n;
  return r;
}

/// |r| <= pi/4.
static dd sine(dd r) {
  double x = r.h, z = x * x, q = 0x1.952c77030ad4ap-49;
  q = fma_(q, z, -0x1.ae7f3e733b81fp-41);
  q = fma_(q, z, 0x1.6124613a86d09p-33);
  q = fma_(q, z, -0x1.ae64567f544e4p-26);
  q = fma_(q, z, 0x1.71de3a556c734p-19);
  q = fma_(q, z, -0x1.a01a01a01a01ap-13);
  q = fma_(q, z, 0x1.1111111111111p-7);
  q = fma_(q, z, -0x1.5555555555555p-3);
  return quickSum(x, fma_(x * z, q, r.l * fma_(-0.5, z, 1)));
}

static dd cosine(dd r) {
  dd square = product(r.h, r.h);
  double z = square.h, q = -0x1.6827863b97d97p-53; // -1/18!
  q = fma_(q, z, 0x1.ae7f3e733b81fp-45);
  q = fma_(q, z, -0x1.93974a8c07c9dp-37);
  q = fma_(q, z, 0x1.1eed8eff8d898p-29);
  q = fma_(q, z, -0x1.27e4fb7789f5cp-22);
  q = fma_(q, z, 0x1.a01a01a01a01ap-16);
  q = fma_(q, z, -0x1.6c16c16c16c17p-10);
  q = fma_(q, z, 0x1.5555555555555p-5);
  dd s = sum(1, -0.5 * z);
  return quickSum(s.h, s.l + fma_(z * z, q, -fma_(r.h, r.l, 0.5 * square.l)));
}

double __nv_sin(double x) {
  if (!(fabs_(x) < INF))
    return NAN;
  if (fabs_(x) < 0x1p-30)
    return x;
  int n;
  dd r = reduce(x, &n);
  r = n & 1 ? cosine(r) : sine(r);
  return n & 2 ? -r.h : r.h;
}

double __nv_cos(double x) {
  if (!(fabs_(x) < INF))
    return NAN;
  int n;
  dd r = reduce(x, &n);
  r = n & 1 ? sine(r) : cosine(r);
  return ((n + 1) & 2) ? -r.h : r.h;
}

double __nv_tan(double x) {
  if (!(fabs_(x) < INF))
    return NAN;
  if (fabs_(x) < 0x1p-30)
    return x;
  int n;
  dd r = reduce(x, &n), s = sine(r), c = cosine(r);
  return n & 1 ? divide(negate(c), s).h : divide(s, c).h;
}

/// atan(k/8)
static const dd arcTangents[9] = {
    {0, 0},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59}, {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56}, {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58}, {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56}, {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

/// 0 <= t <= 1: atan t = atan c + atan((t - c) / (1 + t c)) with the nearest eighth c.
static dd arcTangent(dd t) {
  double c = __builtin_rint(t.h * 8) * 0.125;
  dd d = t;
  if (c != 0)
    d = divide(addOne(t, -c), addOne(mulOne(t, c), 1));
  double z = d.h * d.h, q = -0x1.1111111111111p-4;
  q = fma_(q, z, 0x1.3b13b13b13b14p-4);
  q = fma_(q, z, -0x1.745d1745d1746p-4);
  q = fma_(q, z, 0x1.c71c71c71c71cp-4);
  q = fma_(q, z, -0x1.2492492492492p-3);
  q = fma_(q, z, 0x1.999999999999ap-3);
  q = fma_(q, z, -0x1.5555555555555p-2);
  d = quickSum(d.h, fma_(d.h * z, q, d.l));
  return add(arcTangents[(int)(c * 8)], d);
}

double __nv_atan2(double y, double x) {
  if (x != x || y != y)
    return NAN;
  double a = fabs_(y), b = fabs_(x);
  double small = a < b ? a : b, large = a < b ? b : a;
  dd r;
  if (large == 0) {
    r = (dd){0, 0};
  } else if (small == INF) {
    r = arcTangents[8];
  } else if (large == INF) {
    r = (dd){0, 0};
  } else {
    if (large < 0x1p-900) { // so that residuals do not vanish
      large *= 0x1p120;
      small *= 0x1p120;
    } else if (large > 0x1p900) {
      large *= 0x1p-120;
      small *= 0x1p-120;
    }
    if (a < b && !(__builtin_signbit(x)) && small < large * 0x1p-40) {
      // atan t = t to within t^2/3, and t may be subnormal: rounded once.
      return copysign_(a / b, y);
    }
    dd t = divide((dd){small, 0}, (dd){large, 0});
    if (t.h < 0x1p-900)
      t = (dd){t.h, 0};
    r = arcTangent(t);
  }
  if (a > b)
    r = add(HALF_PI, negate(r));
  if (__builtin_signbit(x))
    r = add(PI, negate(r));
  return copysign_(r.h, y);
}

// binary32: in binary64, rounded once more.
float __nv_sinf(float x) { return (float)__nv_sin(x); }
float __nv_cosf(float x) { return (float)__nv_cos(x); }
float __nv_tanf(float x) { return (float)__nv_tan(x); }
float __nv_atan2f(float y, float x) { return (float)__nv_atan2(y, x); }
