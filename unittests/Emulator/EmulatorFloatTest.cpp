//===- EmulatorFloatTest.cpp - Floating-point instructions ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The oracle rounds exact results itself: values are kept as 80-bit or 113-bit numbers where those are exact, and
// otherwise the candidates around the result are compared with the exact value in integer arithmetic.
//
//===----------------------------------------------------------------------===//
#include "EmulatorTestUtil.h"

#include <bit>
#include <cmath>

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

using Quad = __float128;

enum class R { RN, RZ, RM, RP };
const std::pair<R, const char *> roundings[] = {{R::RN, "rn"}, {R::RZ, "rz"}, {R::RM, "rm"}, {R::RP, "rp"}};

/// A format with 1 + E + F bits; values as bit patterns.
struct Fmt {
  int e, f;
  int bias() const { return (1 << (e - 1)) - 1; }
  uint64_t inf() const { return ((uint64_t(1) << e) - 1) << f; }
  uint64_t sign() const { return uint64_t(1) << (e + f); }
};
constexpr Fmt fp32{8, 23}, fp64{11, 52}, fp16{5, 10}, bf16{8, 7};

/// Exact value of a finite pattern; quad precision holds every one of these formats exactly.
Quad value(uint64_t bits, Fmt m) {
  uint64_t mag = bits & (m.sign() - 1);
  int e = int(mag >> m.f);
  Quad v = Quad(int64_t(mag & ((uint64_t(1) << m.f) - 1)) | (e ? int64_t(1) << m.f : 0));
  for (int k = (e ? e : 1) - m.bias() - m.f; k != 0; k += k < 0 ? 1 : -1)
    v = k < 0 ? v / 2 : v * 2;
  return bits & m.sign() ? -v : v;
}
bool isNaN(uint64_t bits, Fmt m) { return (bits & (m.sign() - 1)) > m.inf(); }
bool isInf(uint64_t bits, Fmt m) { return (bits & (m.sign() - 1)) == m.inf(); }

/// Rounds x, which must be exact, by searching the ordered bit patterns: no arithmetic of the emulator's kind.
uint64_t roundTo(Quad x, Fmt m, R r, bool negativeZero = false) {
  bool neg = x < 0 || (x == 0 && negativeZero);
  Quad a = neg ? -x : x;
  // Largest finite pattern not above a.
  uint64_t lo = 0, hi = m.inf() - 1;
  while (lo < hi) {
    uint64_t mid = lo + (hi - lo + 1) / 2;
    if (value(mid, m) <= a)
      lo = mid;
    else
      hi = mid - 1;
  }
  Quad below = value(lo, m);
  uint64_t pattern = lo;
  if (below != a) {
    // The next pattern; beyond the largest number pretend the exponent went on.
    Quad above = lo + 1 == m.inf() ? below + (below - value(lo - 1, m)) : value(lo + 1, m);
    bool up = false;
    switch (r) {
    case R::RN:
      up = a - below > above - a || (a - below == above - a && (lo & 1));
      break;
    case R::RZ:
      break;
    case R::RM:
      up = neg;
      break;
    case R::RP:
      up = !neg;
      break;
    }
    pattern += up;
    // Overflow far beyond the range.
    if (lo == m.inf() - 1 && a >= above)
      pattern = r == R::RN || (r == R::RM && neg) || (r == R::RP && !neg) ? m.inf() : lo;
  }
  return pattern | (neg ? m.sign() : 0);
}

std::vector<uint64_t> patterns(Fmt m, uint64_t seed, size_t n = 600) {
  Rng rng(seed);
  std::vector<uint64_t> v(n);
  uint64_t one = uint64_t(m.bias()) << m.f, mask = m.sign() * 2 - 1;
  for (size_t i = 0; i != n; ++i) {
    uint64_t r = rng.next();
    switch (rng.next() % 8) {
    case 0:
      v[i] = r;
      break; // anything, NaN included
    case 1:
      v[i] = (r & (m.sign() | ((uint64_t(1) << m.f) - 1)));
      break; // subnormal
    case 2:
      v[i] = m.inf() - 1 - r % 3 + (r & m.sign());
      break; // largest
    case 3:
      v[i] = (uint64_t[]){0, m.sign(), m.inf(), m.inf() | m.sign(), m.inf() | 1, one, one | m.sign(), 1}[r % 8];
      break;
    default:
      v[i] = (one + (r % 40 - 20) * (uint64_t(1) << m.f)) + (rng.next() & ((uint64_t(1) << m.f) - 1)) +
             (r >> 63) * m.sign(); // near 1
    }
    v[i] &= mask;
  }
  return v;
}

template <typename T> std::vector<T> as(const std::vector<uint64_t> &v) { return std::vector<T>(v.begin(), v.end()); }

/// Result of a binary operation with exact quad arithmetic in the middle; special values by the rules of IEEE 754.
/// f32 sums and products are exact in quad unless the exponents are far apart; then a sticky bit decides (see add).
Quad exactAdd(Quad a, Quad b) {
  // When the smaller operand is below half a unit of the quad sum, any tiny stand-in of its sign rounds alike.
  return a + b;
}

std::string hex(uint64_t v) {
  char s[32];
  std::snprintf(s, sizeof s, "%llx", static_cast<unsigned long long>(v));
  return s;
}

uint64_t nanOf(Fmt m) { return m.sign() - 1; }

/// add, sub, mul of one format in one rounding mode.
uint64_t reference(char op, uint64_t x, uint64_t y, Fmt m, R r) {
  if (op == '-')
    y ^= m.sign();
  if (isNaN(x, m) || isNaN(y, m))
    return nanOf(m);
  bool sx = x & m.sign(), sy = y & m.sign();
  if (op == '*') {
    bool s = sx != sy;
    if (isInf(x, m) || isInf(y, m))
      return value(x & (m.sign() - 1), m) == 0 || value(y & (m.sign() - 1), m) == 0 ? nanOf(m)
                                                                                    : m.inf() | (s ? m.sign() : 0);
    return roundTo(value(x, m) * value(y, m), m, r, s);
  }
  if (op == '/') {
    bool s = sx != sy, zy = (y & (m.sign() - 1)) == 0, zx = (x & (m.sign() - 1)) == 0;
    if ((isInf(x, m) && isInf(y, m)) || (zx && zy))
      return nanOf(m);
    if (isInf(x, m) || zy)
      return m.inf() | (s ? m.sign() : 0);
    if (isInf(y, m) || zx)
      return s ? m.sign() : 0;
    // The quad quotient of two 24-bit numbers cannot be mistaken for a rounding boundary.
    return roundTo(value(x, m) / value(y, m), m, r, s);
  }
  if (isInf(x, m) || isInf(y, m)) {
    if (isInf(x, m) && isInf(y, m) && sx != sy)
      return nanOf(m);
    return isInf(x, m) ? x : y;
  }
  Quad sum = exactAdd(value(x, m), value(y, m));
  bool negativeZero = sx && sy ? true : sx != sy ? r == R::RM : false;
  return roundTo(sum, m, r, negativeZero);
}

/// Adds are exact in 113 bits if the exponents are within 60 or so; restrict to such pairs.
bool near(uint64_t x, uint64_t y, Fmt m) {
  int ex = int((x & (m.sign() - 1)) >> m.f), ey = int((y & (m.sign() - 1)) >> m.f);
  return std::abs(ex - ey) < 112 - m.f - 2;
}

bool sameFloat(uint64_t got, uint64_t want, Fmt m) {
  return got == want || (isNaN(got, m) && isNaN(want, m) && m.f == 52);
}

template <typename T>
void binary(Fmt m, const std::string &type, const std::string &reg,
            const std::vector<std::pair<R, const char *>> &modes) {
  std::vector<T> a = as<T>(patterns(m, 1)), b = as<T>(patterns(m, 2));
  for (auto &[r, name] : modes)
    for (auto [op, ptxOp] : {std::pair('+', "add"), std::pair('-', "sub"), std::pair('*', "mul")}) {
      std::string code = std::string(ptxOp) + "." + name + "." + type + " %d, %a0, %a1;";
      std::vector<T> d = runElementwise<T>(code, reg, {reg, reg}, "sm_90", a, b);
      for (size_t i = 0; i != a.size(); ++i) {
        if (op != '*' && !near(a[i], b[i], m))
          continue;
        if (op == '*' && m.f == 52 && value(a[i] & (m.sign() - 1), m) * value(b[i] & (m.sign() - 1), m) == 0)
          continue; // underflow beyond quad's own range does not occur for f64 products that matter
        uint64_t want = reference(op, a[i], b[i], m, r);
        ASSERT_TRUE(sameFloat(d[i], want, m))
            << code << " of " << hex(a[i]) << ", " << hex(b[i]) << " is " << hex(d[i]) << ", not " << hex(want);
      }
    }
}

const std::vector<std::pair<R, const char *>> allModes(roundings, roundings + 4), nearestOnly(roundings, roundings + 1);

TEST(EmulatorFloat, BinaryF32) { binary<uint32_t>(fp32, "f32", "b32", allModes); }
TEST(EmulatorFloat, BinaryF16) { binary<uint16_t>(fp16, "f16", "b16", nearestOnly); }
TEST(EmulatorFloat, BinaryBF16) { binary<uint16_t>(bf16, "bf16", "b16", nearestOnly); }

TEST(EmulatorFloat, BinaryF64) {
  // Sums are exact in quad; products of 53-bit numbers have 106 bits.
  binary<uint64_t>(fp64, "f64", "b64", allModes);
}

TEST(EmulatorFloat, DivRcpSqrt) {
  std::vector<uint32_t> a = as<uint32_t>(patterns(fp32, 3)), b = as<uint32_t>(patterns(fp32, 4));
  for (auto &[r, name] : roundings) {
    std::string n = name;
    auto d = runElementwise<uint32_t>("div." + n + ".f32 %d, %a0, %a1;", "b32", {"b32", "b32"}, "sm_80", a, b);
    auto c = runElementwise<uint32_t>("rcp." + n + ".f32 %d, %a0;", "b32", {"b32"}, "sm_80", a);
    auto s = runElementwise<uint32_t>("sqrt." + n + ".f32 %d, %a0;", "b32", {"b32"}, "sm_80", a);
    for (size_t i = 0; i != a.size(); ++i) {
      ASSERT_EQ(d[i], reference('/', a[i], b[i], fp32, r)) << n << hex(a[i]) << " / " << hex(b[i]);
      ASSERT_EQ(c[i], reference('/', 0x3f800000, a[i], fp32, r)) << n << " 1 / " << hex(a[i]);
      // Square root: the rounded result y must satisfy the defining inequality in exact arithmetic.
      if (isNaN(a[i], fp32) || ((a[i] >> 31) && a[i] != 0x80000000u)) {
        ASSERT_EQ(s[i], 0x7fffffffu) << hex(a[i]);
      } else if (isInf(a[i], fp32) || (a[i] & 0x7fffffff) == 0) {
        ASSERT_EQ(s[i], a[i]);
      } else {
        Quad x = value(a[i], fp32), y = value(s[i], fp32), up = value(s[i] + 1, fp32), down = value(s[i] - 1, fp32);
        Quad half1 = (y + up) / 2, half0 = (y + down) / 2;
        if (r == R::RN)
          ASSERT_TRUE(half0 * half0 <= x && x <= half1 * half1) << hex(a[i]);
        else if (r == R::RP)
          ASSERT_TRUE(down * down < x && x <= y * y) << hex(a[i]);
        else
          ASSERT_TRUE(y * y <= x && x < up * up) << hex(a[i]);
      }
    }
  }
}

/// a * b + c exactly in quad if the exponents allow it.
bool fmaReference(uint64_t x, uint64_t y, uint64_t z, Fmt m, R r, uint64_t &want) {
  if (isNaN(x, m) || isNaN(y, m) || isNaN(z, m)) {
    want = nanOf(m);
    return true;
  }
  if (isInf(x, m) || isInf(y, m) || isInf(z, m)) {
    uint64_t p = reference('*', x, y, m, r);
    if (!isNaN(p, m) && !isInf(p, m))
      p = z & ~m.inf(); // any finite value
    else if (isInf(p, m) && !isInf(x, m) && !isInf(y, m))
      p = z & ~m.inf(); // the product only overflows
    want = reference('+', p, z, m, r);
    return true;
  }
  Quad p = value(x, m) * value(y, m), c = value(z, m);
  int ep = p == 0 ? -100000 : std::ilogb((long double)p), ec = c == 0 ? -100000 : std::ilogb((long double)c);
  if (p != 0 && c != 0 && std::abs(ep - ec) > 112 - 2 * (m.f + 1))
    return false; // not exact in quad
  bool sp = bool(x & m.sign()) != bool(y & m.sign()), sz = z & m.sign();
  want = roundTo(p + c, m, r, sp && sz ? true : sp != sz ? r == R::RM : false);
  return true;
}

template <typename T>
void fmaTest(Fmt m, const std::string &type, const std::string &reg,
             const std::vector<std::pair<R, const char *>> &modes) {
  std::vector<T> a = as<T>(patterns(m, 5, 2000)), b = as<T>(patterns(m, 6, 2000)), c = as<T>(patterns(m, 7, 2000));
  // Cancellation and near ties: c close to -a*b.
  Rng rng(8);
  for (size_t i = 0; i < a.size(); i += 3) {
    uint64_t p = reference('*', a[i], b[i], m, R::RN);
    c[i] = T(p ^ m.sign() ^ (rng.next() % 4));
  }
  size_t checked = 0;
  for (auto &[r, name] : modes) {
    std::string code = std::string("fma.") + name + "." + type + " %d, %a0, %a1, %a2;";
    std::vector<T> d = runElementwise<T>(code, reg, {reg, reg, reg}, "sm_90", a, b, c);
    for (size_t i = 0; i != a.size(); ++i) {
      uint64_t want;
      if (!fmaReference(a[i], b[i], c[i], m, r, want))
        continue;
      ++checked;
      ASSERT_TRUE(sameFloat(d[i], want, m))
          << code << hex(a[i]) << " " << hex(b[i]) << " " << hex(c[i]) << " is " << hex(d[i]) << ", not " << hex(want);
    }
  }
  EXPECT_GT(checked, a.size() * modes.size() / 2);
}

TEST(EmulatorFloat, FmaF32) { fmaTest<uint32_t>(fp32, "f32", "b32", allModes); }
// Sums that lie so near the middle between two numbers that f64 does not tell the difference.
TEST(EmulatorFloat, FmaF32NearTies) {
  std::vector<float> a, b, c;
  for (int e = -40; e != 40; ++e)
    for (float sign : {1.0f, -1.0f})
      for (float odd : {0x1.000002p0f, 1.0f}) {
        // Product: 2^2e * (2^-24 - 2^-64).
        a.push_back(std::ldexp(0x1.00001p-12f, e));
        b.push_back(sign * std::ldexp(0x1.ffffep-13f, e));
        c.push_back(std::ldexp(odd, 2 * e));
      }
  std::vector<float> d =
      runElementwise<float>("fma.rn.f32 %d, %a0, %a1, %a2;", "f32", {"f32", "f32", "f32"}, "sm_80", a, b, c);
  size_t twice = 0;
  for (size_t i = 0; i != a.size(); ++i) {
    EXPECT_EQ(d[i], std::fma(a[i], b[i], c[i])) << a[i] << " * " << b[i] << " + " << c[i];
    twice += float(double(a[i]) * b[i] + c[i]) != std::fma(a[i], b[i], c[i]);
  }
  EXPECT_GE(twice, a.size() / 4); // rounding twice would show
}

TEST(EmulatorFloat, FmaF16) { fmaTest<uint16_t>(fp16, "f16", "b16", nearestOnly); }
TEST(EmulatorFloat, FmaBF16) { fmaTest<uint16_t>(bf16, "bf16", "b16", nearestOnly); }

TEST(EmulatorFloat, FmaF64IsFused) {
  // (1 + e)(1 - e) - 1 = -e^2, which two roundings would lose.
  std::vector<double> a{1 + 0x1p-30}, b{1 - 0x1p-30}, c{-1};
  EXPECT_EQ(runElementwise<double>("fma.rn.f64 %d, %a0, %a1, %a2;", "f64", {"f64", "f64", "f64"}, "sm_80", a, b, c)[0],
            -0x1p-60);
  EXPECT_EQ(runElementwise<double>("mul.f64 %d, %a0, %a1; add.f64 %d, %d, %a2;", "f64", {"f64", "f64", "f64"}, "sm_80",
                                   a, b, c)[0],
            0);
  EXPECT_EQ(runElementwise<double>("fma.rp.f64 %d, %a0, %a0, %a2;", "f64", {"f64", "f64", "f64"}, "sm_80", a, b, c)[0],
            0x1p-29 + 0x1p-60);
  std::vector<float> fa{1 + 0x1p-13f}, fb{1 - 0x1p-13f}, fc{-1};
  EXPECT_EQ(runElementwise<float>("mul.f32 %d, %a0, %a1; add.f32 %d, %d, %a2;", "f32", {"f32", "f32", "f32"}, "sm_80",
                                  fa, fb, fc)[0],
            0);
}

TEST(EmulatorFloat, DirectedF64) {
  std::vector<double> a{1.0, 1.0, -1.0, 1e308, 2.0, 10.0}, b{0x1p-80, 3.0, 0x1p-80, 1e308, -7.0, 3.0};
  auto run = [&](const char *code) { return runElementwise<double>(code, "f64", {"f64", "f64"}, "sm_80", a, b); };
  auto up = [](double d) { return std::nextafter(d, INFINITY); };
  auto down = [](double d) { return std::nextafter(d, -INFINITY); };
  EXPECT_EQ(run("add.rp.f64 %d, %a0, %a1;")[0], up(1));
  EXPECT_EQ(run("add.rm.f64 %d, %a0, %a1;")[0], 1);
  EXPECT_EQ(run("add.rz.f64 %d, %a0, %a1;")[2], up(-1));
  EXPECT_EQ(run("add.rz.f64 %d, %a0, %a1;")[3], std::numeric_limits<double>::max());
  EXPECT_EQ(run("add.rp.f64 %d, %a0, %a1;")[3], INFINITY);
  double third = 1.0 / 3; // below the true value
  EXPECT_EQ(run("div.rp.f64 %d, %a0, %a1;")[1], up(third));
  EXPECT_EQ(run("div.rm.f64 %d, %a0, %a1;")[1], third);
  EXPECT_EQ(run("sqrt.rm.f64 %d, %a0;")[4],
            std::sqrt(2.0) * std::sqrt(2.0) > 2 ? down(std::sqrt(2.0)) : std::sqrt(2.0));
  EXPECT_EQ(run("rcp.rz.f64 %d, %a0;")[5], 0.1 > 0.1L ? down(0.1) : 0.1);
}

TEST(EmulatorFloat, FlushAndSaturate) {
  float sub = 0x1p-130f, nan = NAN;
  std::vector<float> a{sub, -sub, 1.5f, -0.5f, nan, 0.25f, 0x1p-100f}, b{1.0f, 1.0f, 1.0f, 0.25f, 1.0f, 1.0f, 0x1p-30f};
  auto bits = [](float f) { return std::bit_cast<uint32_t>(f); };
  auto run = [&](const char *code) { return runElementwise<uint32_t>(code, "f32", {"f32", "f32"}, "sm_80", a, b); };
  auto plain = run("mul.rn.f32 %d, %a0, %a1;");
  EXPECT_EQ(plain[0], bits(sub));
  auto ftz = run("mul.rn.ftz.f32 %d, %a0, %a1;");
  EXPECT_EQ(ftz[0], bits(0.0f));
  EXPECT_EQ(ftz[1], bits(-0.0f));
  EXPECT_EQ(ftz[6], bits(0.0f)); // result underflows
  auto sat = run("mul.rn.sat.f32 %d, %a0, %a1;");
  EXPECT_EQ(sat[2], bits(1.0f));
  EXPECT_EQ(sat[3], bits(0.0f));
  EXPECT_EQ(sat[4], bits(0.0f)); // NaN -> +0
  EXPECT_EQ(sat[5], bits(0.25f));
  EXPECT_EQ(run("mul.rz.ftz.f32 %d, %a0, %a1;")[1], bits(-0.0f));
  EXPECT_EQ(run("add.rp.sat.f32 %d, %a0, %a1;")[2], bits(1.0f));
  EXPECT_EQ(run("fma.rn.ftz.sat.f32 %d, %a0, %a1, %a1;")[0], bits(1.0f));
  EXPECT_EQ(run("abs.ftz.f32 %d, %a0;")[1], bits(0.0f));
  EXPECT_EQ(run("abs.f32 %d, %a0;")[1], bits(sub));
  EXPECT_EQ(run("neg.f32 %d, %a0;")[0], bits(-sub));
  EXPECT_EQ(run("copysign.f32 %d, %a1, %a0;")[3], bits(0.5f)); // sign of the first, magnitude of the second
  EXPECT_EQ(run("add.f32 %d, %a0, %a1;")[4], 0x7fffffffu);
}

TEST(EmulatorFloat, MinMax) {
  float inf = INFINITY, nan = std::bit_cast<float>(0xffc01234u);
  std::vector<float> values{0.0f, -0.0f, 1.0f, -2.0f, inf, -inf, nan, 0x1p-130f}, a, b;
  for (float x : values)
    for (float y : values) {
      a.push_back(x);
      b.push_back(y);
    }
  auto run = [&](const char *code) { return runElementwise<uint32_t>(code, "f32", {"f32", "f32"}, "sm_90", a, b); };
  auto mn = run("min.f32 %d, %a0, %a1;"), mx = run("max.f32 %d, %a0, %a1;"), nn = run("min.NaN.f32 %d, %a0, %a1;"),
       xa = run("max.xorsign.abs.f32 %d, %a0, %a1;"), fz = run("max.ftz.f32 %d, %a0, %a1;");
  auto order = [](float f) { // total order with -0 below +0
    int32_t i = std::bit_cast<int32_t>(f);
    return i < 0 ? int32_t(0x80000000u) - i - 1 : i;
  };
  for (size_t i = 0; i != a.size(); ++i) {
    float x = a[i], y = b[i];
    uint32_t wmn, wmx;
    if (x != x || y != y) {
      uint32_t other = x != x && y != y ? 0x7fffffffu : std::bit_cast<uint32_t>(x != x ? y : x);
      wmn = wmx = other;
      EXPECT_EQ(nn[i], 0x7fffffffu);
    } else {
      wmn = std::bit_cast<uint32_t>(order(x) <= order(y) ? x : y);
      wmx = std::bit_cast<uint32_t>(order(x) <= order(y) ? y : x);
      EXPECT_EQ(nn[i], wmn);
      uint32_t s = (std::bit_cast<uint32_t>(x) ^ std::bit_cast<uint32_t>(y)) & 0x80000000u;
      EXPECT_EQ(xa[i], std::bit_cast<uint32_t>(std::max(std::fabs(x), std::fabs(y))) | s);
      EXPECT_EQ(fz[i], wmx == std::bit_cast<uint32_t>(0x1p-130f) ? 0 : wmx);
    }
    EXPECT_EQ(mn[i], wmn) << x << " " << y;
    EXPECT_EQ(mx[i], wmx) << x << " " << y;
  }
  std::vector<double> da(a.begin(), a.end()), db(b.begin(), b.end());
  auto d = runElementwise<double>("max.f64 %d, %a0, %a1;", "f64", {"f64", "f64"}, "sm_80", da, db);
  for (size_t i = 0; i != a.size(); ++i)
    if (a[i] == a[i] && b[i] == b[i])
      EXPECT_EQ(std::bit_cast<uint64_t>(d[i]), std::bit_cast<uint64_t>(double(std::bit_cast<float>(mx[i]))));
  auto three = runElementwise<uint32_t>("max.f32 %d, %a0, %a1, 0f3F000000;", "f32", {"f32", "f32"}, "sm_100", a, b);
  EXPECT_EQ(three[0], 0x3f000000u);
}

TEST(EmulatorFloat, PackedHalf) {
  std::vector<uint32_t> a, b;
  std::vector<uint64_t> p = patterns(fp16, 11, 800), q = patterns(fp16, 12, 800);
  for (size_t i = 0; i != p.size(); i += 2) {
    a.push_back(uint32_t(p[i] | p[i + 1] << 16));
    b.push_back(uint32_t(q[i] | q[i + 1] << 16));
  }
  auto run = [&](const char *code) { return runElementwise<uint32_t>(code, "b32", {"b32", "b32"}, "sm_90", a, b); };
  auto sum = run("add.rn.f16x2 %d, %a0, %a1;"), product = run("mul.f16x2 %d, %a0, %a1;"),
       sat = run("add.sat.f16x2 %d, %a0, %a1;"), relu = run("fma.rn.relu.f16x2 %d, %a0, %a1, %a0;"),
       ab = run("abs.f16x2 %d, %a0;"), ng = run("neg.f16x2 %d, %a0;"), mx = run("max.f16x2 %d, %a0, %a1;");
  for (size_t i = 0; i != a.size(); ++i)
    for (int h = 0; h != 32; h += 16) {
      uint64_t x = a[i] >> h & 0xffff, y = b[i] >> h & 0xffff;
      EXPECT_EQ(sum[i] >> h & 0xffff, reference('+', x, y, fp16, R::RN));
      EXPECT_EQ(product[i] >> h & 0xffff, reference('*', x, y, fp16, R::RN));
      uint64_t s = reference('+', x, y, fp16, R::RN);
      EXPECT_EQ(sat[i] >> h & 0xffff, s > 0x7c00 ? 0 : s > 0x3c00 ? 0x3c00 : s) << hex(x) << " " << hex(y);
      uint64_t want;
      if (fmaReference(x, y, x, fp16, R::RN, want))
        EXPECT_EQ(relu[i] >> h & 0xffff, want & 0x8000 ? 0 : want);
      EXPECT_EQ(ab[i] >> h & 0xffff, x & 0x7fff);
      EXPECT_EQ(ng[i] >> h & 0xffff, x ^ 0x8000);
      if (!isNaN(x, fp16) && !isNaN(y, fp16) && !isInf(x, fp16) && !isInf(y, fp16) && value(x, fp16) != value(y, fp16))
        EXPECT_EQ(mx[i] >> h & 0xffff, value(x, fp16) > value(y, fp16) ? x : y);
    }
  auto cmp = runElementwise<uint32_t>(
      "setp.lt.f16x2 %p|%q, %a0, %a1; selp.u32 %t4, 1, 0, %p; selp.u32 %t5, 2, 0, %q; add.u32 %d, %t4, %t5;", "b32",
      {"b32", "b32"}, "sm_80", a, b);
  for (size_t i = 0; i != a.size(); ++i)
    for (int h = 0; h != 2; ++h) {
      uint64_t x = a[i] >> 16 * h & 0xffff, y = b[i] >> 16 * h & 0xffff;
      auto v = [](uint64_t u) { return isInf(u, fp16) ? (u & 0x8000 ? -1e9 : 1e9) : double(value(u, fp16)); };
      bool lt = !isNaN(x, fp16) && !isNaN(y, fp16) && v(x) < v(y);
      EXPECT_EQ(cmp[i] >> h & 1, unsigned(lt)) << hex(x) << " " << hex(y);
    }
}

TEST(EmulatorFloat, PackedSingle) {
  std::vector<uint64_t> a{std::bit_cast<uint32_t>(1.5f) | uint64_t(std::bit_cast<uint32_t>(-2.0f)) << 32};
  auto d =
      runElementwise<uint64_t>("fma.rn.f32x2 %d, %a0, %a0, %a0; add.rn.f32x2 %d, %d, %a0; mul.rn.f32x2 %d, %d, %a0;",
                               "b64", {"b64"}, "sm_100", a);
  EXPECT_EQ(uint32_t(d[0]), std::bit_cast<uint32_t>((1.5f * 1.5f + 1.5f + 1.5f) * 1.5f));
  EXPECT_EQ(uint32_t(d[0] >> 32), std::bit_cast<uint32_t>((4.0f - 2.0f - 2.0f) * -2.0f));
}

TEST(EmulatorFloat, Comparisons) {
  std::vector<float> values{0.0f, -0.0f, 1.0f, -1.0f, INFINITY, NAN, 0x1p-130f}, a, b;
  for (float x : values)
    for (float y : values) {
      a.push_back(x);
      b.push_back(y);
    }
  struct {
    const char *op;
    bool (*f)(float, float);
  } cases[] = {{"eq", [](float x, float y) { return x == y; }},
               {"ne", [](float x, float y) { return x < y || x > y; }},
               {"lt", [](float x, float y) { return x < y; }},
               {"le", [](float x, float y) { return x <= y; }},
               {"gt", [](float x, float y) { return x > y; }},
               {"ge", [](float x, float y) { return x >= y; }},
               {"equ", [](float x, float y) { return x == y || x != x || y != y; }},
               {"neu", [](float x, float y) { return x != y; }},
               {"ltu", [](float x, float y) { return !(x >= y); }},
               {"leu", [](float x, float y) { return !(x > y); }},
               {"gtu", [](float x, float y) { return !(x <= y); }},
               {"geu", [](float x, float y) { return !(x < y); }},
               {"num", [](float x, float y) { return x == x && y == y; }},
               {"nan", [](float x, float y) { return x != x || y != y; }}};
  for (auto &c : cases) {
    auto d = runElementwise<uint32_t>("setp." + std::string(c.op) + ".f32 %p, %a0, %a1; selp.u32 %d, 1, 0, %p;", "b32",
                                      {"f32", "f32"}, "sm_80", a, b);
    auto e = runElementwise<uint32_t>("{ .reg .f64 %x, %y; cvt.f64.f32 %x, %a0; cvt.f64.f32 %y, %a1; setp." +
                                          std::string(c.op) + ".f64 %p, %x, %y; selp.u32 %d, 1, 0, %p; }",
                                      "b32", {"f32", "f32"}, "sm_80", a, b);
    auto h = runElementwise<uint32_t>("cvt.rn.bf16.f32 %h0, %a0; cvt.rn.bf16.f32 %h1, %a1; setp." + std::string(c.op) +
                                          ".bf16 %p, %h0, %h1; selp.u32 %d, 1, 0, %p;",
                                      "b32", {"f32", "f32"}, "sm_90", a, b);
    for (size_t i = 0; i != a.size(); ++i) {
      EXPECT_EQ(d[i], unsigned(c.f(a[i], b[i]))) << c.op << a[i] << " " << b[i];
      EXPECT_EQ(e[i], unsigned(c.f(a[i], b[i]))) << c.op << a[i] << " " << b[i];
      EXPECT_EQ(h[i], unsigned(c.f(a[i], b[i]))) << c.op << a[i] << " " << b[i];
    }
  }
  auto z = runElementwise<uint32_t>("setp.gt.ftz.f32 %p, %a0, 0f00000000; selp.u32 %d, 1, 0, %p;", "b32", {"f32"},
                                    "sm_80", std::vector<float>{0x1p-130f, 0x1p-120f});
  EXPECT_EQ(z[0], 0u);
  EXPECT_EQ(z[1], 1u);
  auto s = runElementwise<float>("slct.f32.f32 %d, 0f3F800000, 0f40000000, %a0;", "f32", {"f32"}, "sm_80",
                                 std::vector<float>{-0.0f, NAN, -1.0f, 3.0f});
  EXPECT_EQ(s, (std::vector<float>{1, 2, 2, 1}));
}

TEST(EmulatorFloat, Testp) {
  std::vector<float> a{0.0f, 1.0f, -INFINITY, NAN, 0x1p-140f};
  struct {
    const char *op;
    unsigned expect[5];
  } cases[] = {{"finite", {1, 1, 0, 0, 1}},     {"infinite", {0, 0, 1, 0, 0}}, {"number", {1, 1, 1, 0, 1}},
               {"notanumber", {0, 0, 0, 1, 0}}, {"normal", {0, 1, 0, 0, 0}},   {"subnormal", {0, 0, 0, 0, 1}}};
  for (auto &c : cases) {
    auto d = runElementwise<uint32_t>("testp." + std::string(c.op) + ".f32 %p, %a0; selp.u32 %d, 1, 0, %p;", "b32",
                                      {"f32"}, "sm_80", a);
    for (size_t i = 0; i != a.size(); ++i)
      EXPECT_EQ(d[i], c.expect[i]) << c.op << a[i];
  }
}

/// Approximations: the true value, rounded. Two ulp leaves no room for a wrong polynomial.
TEST(EmulatorFloat, Approximations) {
  std::vector<float> wide, unit;
  Rng rng(40);
  for (int i = 0; i != 4000; ++i) {
    wide.push_back(std::bit_cast<float>(uint32_t(rng.next())));
    unit.push_back(float(int64_t(rng.next()) >> 40) / float(1 << 18)); // -32 .. 32
  }
  auto check = [](const std::string &op, const std::vector<float> &in, long double (*f)(long double), double ulps = 1) {
    auto d = runElementwise<float>(op + ".f32 %d, %a0;", "f32", {"f32"}, "sm_90", in);
    for (size_t i = 0; i != in.size(); ++i) {
      float want = float(f((long double)in[i]));
      if (want != want) {
        ASSERT_TRUE(d[i] != d[i]) << op << " " << in[i];
        continue;
      }
      if (std::isinf(want)) {
        ASSERT_EQ(d[i], want) << op << " " << in[i];
        continue;
      }
      double ulp = std::nextafter(std::fabs(want), INFINITY) - double(std::fabs(want));
      ASSERT_LE(std::fabs(double(d[i]) - double(want)), ulps * ulp)
          << op << " of " << in[i] << ": " << d[i] << " " << want;
    }
  };
  for (const auto &in : {wide, unit}) {
    check("ex2.approx", in, [](long double x) { return std::exp2(x); });
    check("lg2.approx", in, [](long double x) { return std::log2(x); });
    check("rcp.approx", in, [](long double x) { return 1 / x; });
    check("sqrt.approx", in, [](long double x) { return std::sqrt(x); });
    check("rsqrt.approx", in, [](long double x) { return 1 / std::sqrt(x); });
    check("tanh.approx", in, [](long double x) { return std::tanh(x); });
  }
  check("sin.approx", unit, [](long double x) { return std::sin(x); });
  check("cos.approx", unit, [](long double x) { return std::cos(x); });
  check("sin.approx", wide, [](long double x) { return (long double)std::sin(double(x)); });
  auto special =
      runElementwise<uint32_t>("sin.approx.f32 %d, %a0;", "f32", {"f32"}, "sm_80", std::vector<float>{-0.0f, INFINITY});
  EXPECT_EQ(special[0], 0x80000000u);
  EXPECT_EQ(special[1], 0x7fffffffu);
  auto div = runElementwise<float>("div.approx.f32 %d, %a0, 0f7F000000;", "f32", {"f32"}, "sm_80",
                                   std::vector<float>{1e30f, INFINITY}); // 2^127
  EXPECT_EQ(div[0], 0.0f);
  EXPECT_TRUE(std::isnan(div[1]));
  auto full =
      runElementwise<float>("div.full.f32 %d, %a0, 0f40400000;", "f32", {"f32"}, "sm_80", std::vector<float>{1.0f});
  EXPECT_NEAR(full[0], 1.0 / 3, 1e-7);
  auto coarse =
      runElementwise<uint64_t>("rcp.approx.ftz.f64 %d, %a0;", "f64", {"f64"}, "sm_80", std::vector<double>{3.0});
  EXPECT_EQ(uint32_t(coarse[0]), 0u);
  EXPECT_NEAR(std::bit_cast<double>(coarse[0]), 1.0 / 3, 1e-6);
  // Half: within half a unit of the true value.
  std::vector<uint16_t> h;
  for (int i = 0; i != 2000; ++i)
    h.push_back(uint16_t(rng.next() & 0xbfff));
  auto ex = runElementwise<uint16_t>("ex2.approx.f16 %d, %a0;", "b16", {"b16"}, "sm_90", h);
  auto th = runElementwise<uint16_t>("tanh.approx.f16 %d, %a0;", "b16", {"b16"}, "sm_90", h);
  for (size_t i = 0; i != h.size(); ++i) {
    if (isNaN(h[i], fp16) || isInf(h[i], fp16))
      continue;
    double x = double(value(h[i], fp16));
    ASSERT_EQ(ex[i], roundTo(std::exp2((long double)x), fp16, R::RN)) << x;
    ASSERT_EQ(th[i], roundTo(std::tanh((long double)x), fp16, R::RN, x == 0 && (h[i] & 0x8000))) << x;
  }
}

TEST(EmulatorFloat, MixedPrecisionDirected) {
  // 1 + 2^-30 in each direction; the first operand is 16 bits wide.
  auto add = [](const std::string &op, uint16_t a, float b) {
    return runElementwise<float>(op + " %d, %a0, %a1;", "f32", {"b16", "f32"}, "sm_100", std::vector<uint16_t>{a},
                                 std::vector<float>{b})[0];
  };
  EXPECT_EQ(add("add.rp.f32.f16", 0x3c00, 0x1p-30f), 1 + 0x1p-23f);
  EXPECT_EQ(add("add.rz.f32.f16", 0x3c00, 0x1p-30f), 1);
  EXPECT_EQ(add("sub.rm.f32.bf16", 0x3f80, 0x1p-30f), 1 - 0x1p-24f);
  EXPECT_EQ(add("sub.rn.f32.bf16", 0x3f80, 0x1p-30f), 1);
  auto fma = runElementwise<float>("fma.rm.sat.f32.f16 %d, %a0, %a0, %a1;", "f32", {"b16", "f32"}, "sm_100",
                                   std::vector<uint16_t>{0x3800}, std::vector<float>{-0x1p-30f});
  EXPECT_EQ(fma[0], 0.25f - 0x1p-26f);
}

} // namespace
