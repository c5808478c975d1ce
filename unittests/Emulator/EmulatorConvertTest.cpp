//===- EmulatorConvertTest.cpp - cvt ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatorTestUtil.h"

#include <bit>
#include <cmath>

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

template <typename D, typename S>
std::vector<D> cvt(const std::string &op, const std::string &d, const std::string &s, const std::vector<S> &in,
                   const std::string &target = "sm_90") {
  return runElementwise<D>("cvt." + op + " %d, %a0;", d, {s}, target, in);
}

std::vector<uint32_t> randomWords(uint64_t seed, size_t n = 1500) {
  Rng rng(seed);
  std::vector<uint32_t> v(n);
  for (uint32_t &x : v) {
    x = uint32_t(rng.next());
    switch (rng.next() % 5) {
    case 0:
      x = (x & 0x807fffff) | uint32_t(110 + rng.next() % 50) << 23;
      break; // floats around the integers
    case 1:
      x = std::bit_cast<uint32_t>(float(int32_t(rng.next() % 2001) - 1000) / 2);
      break; // halves: ties
    case 2:
      x = (uint32_t[]){0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x4f000000, 0xcf000000,
                       0x4f800000, 1,          0x5f000000, 0x3f7fffff, 0x477fefff, 0x477ff000}[rng.next() % 13];
      break;
    }
  }
  return v;
}
std::vector<float> floats(const std::vector<uint32_t> &v) {
  std::vector<float> f;
  for (uint32_t x : v)
    f.push_back(std::bit_cast<float>(x));
  return f;
}

double roundWith(double x, const std::string &mode) {
  if (mode == "rzi")
    return std::trunc(x);
  if (mode == "rmi")
    return std::floor(x);
  if (mode == "rpi")
    return std::ceil(x);
  double f = std::floor(x), r = x - f; // ties to even
  if (r > 0.5 || (r == 0.5 && std::fmod(f, 2) != 0))
    return f + 1;
  return f;
}

TEST(EmulatorConvert, FloatToInteger) {
  std::vector<float> in = floats(randomWords(1));
  std::vector<double> dbl;
  for (float f : in)
    dbl.push_back(double(f) + 1e-9);
  for (std::string mode : {"rni", "rzi", "rmi", "rpi"}) {
    auto check = [&](auto zero, const std::string &type, const std::string &reg, auto regZero) {
      using T = decltype(zero);
      using V = decltype(regZero);
      auto one = [&](auto results, const auto &source, bool fromDouble) {
        for (size_t i = 0; i != source.size(); ++i) {
          double x = roundWith(double(source[i]), mode);
          double lo = std::numeric_limits<T>::min(), hi = std::ldexp(1.0, 8 * sizeof(T) - std::is_signed_v<T>);
          T want;
          if (x != x)
            want = fromDouble || sizeof(T) == 8 ? T(uint64_t(1) << (8 * sizeof(T) - 1)) : T(0);
          else
            want = x >= hi ? std::numeric_limits<T>::max() : x <= lo ? std::numeric_limits<T>::min() : T(x);
          // Narrow results are extended into the register.
          ASSERT_EQ(results[i], V(want)) << mode << type << " of " << source[i];
        }
      };
      one(cvt<V>(mode + "." + type + ".f32", reg, "f32", in), in, false);
      one(cvt<V>(mode + "." + type + ".f64", reg, "f64", dbl), dbl, true);
    };
    check(int32_t(), "s32", "b32", int32_t());
    check(uint32_t(), "u32", "b32", uint32_t());
    check(int64_t(), "s64", "b64", int64_t());
    check(uint64_t(), "u64", "b64", uint64_t());
    check(int16_t(), "s16", "b32", int32_t());
    check(uint16_t(), "u16", "b16", uint16_t());
    check(int8_t(), "s8", "b32", int32_t());
    check(uint8_t(), "u8", "b32", uint32_t());
  }
}

TEST(EmulatorConvert, RoundToIntegral) {
  std::vector<float> in = floats(randomWords(2));
  for (std::string mode : {"rni", "rzi", "rmi", "rpi"}) {
    auto d = cvt<uint32_t>(mode + ".f32.f32", "f32", "f32", in);
    std::vector<double> dbl(in.begin(), in.end());
    auto e = cvt<double>(mode + ".f64.f64", "f64", "f64", dbl);
    for (size_t i = 0; i != in.size(); ++i) {
      if (in[i] != in[i])
        continue;
      float want = std::fabs(in[i]) < 1e9f ? float(roundWith(in[i], mode)) : in[i];
      want = std::copysign(want, in[i]);
      ASSERT_EQ(d[i], std::bit_cast<uint32_t>(want)) << mode << " of " << in[i];
      ASSERT_EQ(e[i], double(want));
    }
  }
}

TEST(EmulatorConvert, IntegerToFloat) {
  Rng rng(3);
  std::vector<int64_t> in;
  for (int i = 0; i != 1000; ++i)
    in.push_back(int64_t(rng.next()) >> (rng.next() % 60));
  in.insert(in.end(), {0, -1, INT64_MIN, INT64_MAX, (1 << 24) + 1, (1 << 24) + 3, -((1 << 24) + 1)});
  struct Mode {
    const char *name;
    int kind;
  };
  for (Mode m : {Mode{"rn", 0}, Mode{"rz", 1}, Mode{"rm", 2}, Mode{"rp", 3}}) {
    auto check = [&](const std::string &type, auto convertInput) {
      std::vector<int64_t> src;
      for (int64_t v : in)
        src.push_back(int64_t(convertInput(v)));
      bool isUnsigned = type[0] == 'u';
      auto d =
          runElementwise<float>(typeBits(parseType(type)) == 64
                                    ? "cvt." + std::string(m.name) + ".f32." + type + " %d, %a0;"
                                    : "cvt.u32.u64 %t4, %a0; cvt." + std::string(m.name) + ".f32." + type + " %d, %t4;",
                                "f32", {"b64"}, "sm_80", src);
      for (size_t i = 0; i != src.size(); ++i) {
        // Exact in 64-bit long double significands.
        long double x = isUnsigned ? (long double)uint64_t(src[i]) : (long double)src[i];
        float near = float(x), want = near;
        if ((long double)near != x && m.kind) {
          float below = (long double)near < x ? near : std::nextafter(near, -INFINITY),
                above = std::nextafter(below, INFINITY);
          want = m.kind == 2 ? below : m.kind == 3 ? above : x > 0 ? below : above;
        }
        ASSERT_EQ(d[i], want) << m.name << type << " of " << src[i];
      }
    };
    check("s64", [](int64_t v) { return v; });
    check("u64", [](int64_t v) { return v; });
    check("s32", [](int64_t v) { return int32_t(v); });
    check("u32", [](int64_t v) { return uint32_t(v); });
    check("s16", [](int64_t v) { return int16_t(v); });
    check("u8", [](int64_t v) { return uint8_t(v); });
  }
  auto half = cvt<uint16_t>("rn.f16.s32", "b16", "b32", std::vector<int32_t>{1, -2048, 2049, 65519, 65520, 70000});
  EXPECT_EQ(half, (std::vector<uint16_t>{0x3c00, 0xe800, 0x6800, 0x7bff, 0x7c00, 0x7c00}));
}

TEST(EmulatorConvert, IntegerToInteger) {
  std::vector<int64_t> in{0,         1,         -1,       127,    128,   255,   256,       -128,
                          -129,      32767,     32768,    -32769, 65535, 65536, INT32_MAX, int64_t(INT32_MAX) + 1,
                          INT32_MIN, INT64_MAX, INT64_MIN};
  auto all = [&](auto zero, const std::string &type) {
    using T = decltype(zero);
    // Cut from 64 bits and extended back into 64 bits.
    auto d = cvt<int64_t>(type + ".s64", "b64", "b64", in);
    auto s = cvt<int64_t>("sat." + type + ".s64", "b64", "b64", in);
    auto w = runElementwise<int64_t>("cvt.s64." + type + " %d, %a0;", "b64", {"b64"}, "sm_80", in);
    for (size_t i = 0; i != in.size(); ++i) {
      ASSERT_EQ(d[i], int64_t(T(in[i]))) << type << in[i];
      ASSERT_EQ(w[i], int64_t(T(in[i]))) << type << in[i];
      __int128 v = in[i], lo = std::numeric_limits<T>::min(), hi = std::numeric_limits<T>::max();
      ASSERT_EQ(s[i], int64_t(T(v < lo ? lo : v > hi ? hi : v))) << type << in[i];
    }
  };
  all(int8_t(), "s8");
  all(uint8_t(), "u8");
  all(int16_t(), "s16");
  all(uint16_t(), "u16");
  all(int32_t(), "s32");
  all(uint32_t(), "u32");
}

/// Exact value of a 16-bit format, by its definition.
double smallValue(uint32_t v, int e, int f) {
  int exponent = int(v >> f & ((1u << e) - 1)), bias = (1 << (e - 1)) - 1;
  double m = double(v & ((1u << f) - 1));
  double r = exponent ? std::ldexp(1 + std::ldexp(m, -f), exponent - bias) : std::ldexp(m, 1 - bias - f);
  return v >> (e + f) & 1 ? -r : r;
}

/// The candidate of a table of all values that is nearest to x (ties to even pattern), or the next in a direction.
uint32_t nearestPattern(double x, int e, int f, uint32_t largest, bool towardZero) {
  bool neg = std::signbit(x);
  double a = std::fabs(x);
  uint32_t best = 0;
  for (uint32_t p = 0; p <= largest; ++p)
    if (smallValue(p, e, f) <= a)
      best = p;
    else
      break;
  if (!towardZero) {
    double below = smallValue(best, e, f),
           above = best == largest ? 2 * below - smallValue(best - 1, e, f) : smallValue(best + 1, e, f);
    if (a - below > above - a || (a - below == above - a && (best & 1)))
      ++best;
  }
  return best | (neg ? 1u << (e + f) : 0);
}

TEST(EmulatorConvert, HalfFormats) {
  // Every f16 and bf16 value, widened.
  std::vector<uint16_t> all(65536);
  for (uint32_t i = 0; i != 65536; ++i)
    all[i] = uint16_t(i);
  auto h = cvt<uint32_t>("f32.f16", "f32", "b16", all), b = cvt<uint32_t>("f32.bf16", "f32", "b16", all);
  for (uint32_t i = 0; i != 65536; ++i) {
    if ((i & 0x7c00) != 0x7c00)
      ASSERT_EQ(h[i], std::bit_cast<uint32_t>(float(smallValue(i, 5, 10)))) << i;
    else
      ASSERT_EQ(h[i], i & 0x3ff ? 0x7fffffffu : (i & 0x8000) << 16 | 0x7f800000u) << i;
    if ((i & 0x7f80) != 0x7f80 || !(i & 0x7f))
      ASSERT_EQ(b[i], i << 16);
    else
      ASSERT_EQ(b[i], 0x7fffffffu);
  }
  // Narrowing: ties and everything between two neighbours.
  std::vector<float> in;
  Rng rng(5);
  for (int i = 0; i != 3000; ++i) {
    uint32_t p = uint32_t(rng.next()) % 0x7bff;
    double lo = smallValue(p, 5, 10), hi = smallValue(p + 1, 5, 10);
    in.push_back(float(lo + (hi - lo) * double(rng.next() % 5) / 4) * (rng.next() & 1 ? -1 : 1));
  }
  for (float f : {0.0f, -0.0f, 65504.0f, 65519.99f, 65520.0f, 1e9f, 0x1p-25f, 0x1.8p-25f, 0x1p-26f, -0x1p-24f})
    in.push_back(f);
  auto rn = cvt<uint16_t>("rn.f16.f32", "b16", "f32", in), rz = cvt<uint16_t>("rz.f16.f32", "b16", "f32", in),
       relu = cvt<uint16_t>("rn.relu.f16.f32", "b16", "f32", in),
       fin = cvt<uint16_t>("rn.satfinite.f16.f32", "b16", "f32", in, "sm_100");
  for (size_t i = 0; i != in.size(); i += 7) {
    uint32_t n = nearestPattern(in[i], 5, 10, 0x7bff, false), z = nearestPattern(in[i], 5, 10, 0x7bff, true);
    ASSERT_EQ(rn[i], n) << in[i];
    ASSERT_EQ(rz[i], z) << in[i];
    ASSERT_EQ(relu[i], n & 0x8000 ? 0 : n) << in[i];
    ASSERT_EQ(fin[i], (n & 0x7fff) == 0x7c00 ? n - 1 : n) << in[i];
  }
  auto nan = cvt<uint16_t>("rn.f16.f32", "b16", "f32", std::vector<float>{NAN, INFINITY, -INFINITY});
  EXPECT_EQ(nan, (std::vector<uint16_t>{0x7fff, 0x7c00, 0xfc00}));
  // bf16 drops 16 bits of f32.
  std::vector<uint32_t> words = randomWords(6);
  auto bn = cvt<uint16_t>("rn.bf16.f32", "b16", "f32", floats(words)),
       bz = cvt<uint16_t>("rz.bf16.f32", "b16", "f32", floats(words));
  for (size_t i = 0; i != words.size(); ++i) {
    uint32_t w = words[i], low = w & 0xffff, up = w >> 16;
    bool nanIn = (w & 0x7fffffff) > 0x7f800000;
    ASSERT_EQ(bn[i], nanIn ? 0x7fff : up + (low > 0x8000 || (low == 0x8000 && (up & 1)))) << w;
    ASSERT_EQ(bz[i], nanIn ? 0x7fff : up) << w;
  }
  // From f64 directly: no double rounding through f32. 1 + 2^-11 + 2^-40 is just above a tie.
  auto d = cvt<uint16_t>("rn.f16.f64", "b16", "f64", std::vector<double>{1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-11});
  EXPECT_EQ(d, (std::vector<uint16_t>{0x3c01, 0x3c00}));
}

TEST(EmulatorConvert, Packed) {
  auto pair = [](const char *op, float a, float b) {
    return runElementwise<uint32_t>(std::string("cvt.") + op + " %d, %a0, %a1;", "b32", {"f32", "f32"}, "sm_90",
                                    std::vector<float>{a}, std::vector<float>{b})[0];
  };
  EXPECT_EQ(pair("rn.f16x2.f32", 1.0f, 2.0f), 0x3c004000u); // the first source is the upper half
  EXPECT_EQ(pair("rn.bf16x2.f32", 1.0f, -2.0f), 0x3f80c000u);
  EXPECT_EQ(pair("rn.relu.bf16x2.f32", 1.0f, -2.0f), 0x3f800000u);
  EXPECT_EQ(pair("rz.f16x2.f32", 1e9f, 1.0009f), 0x7bff3c00u);
}

TEST(EmulatorConvert, EightBit) {
  auto to = [](const char *type, float hi, float lo) {
    return uint32_t(runElementwise<uint16_t>(std::string("cvt.rn.satfinite.") + type + ".f32 %d, %a0, %a1;", "b16",
                                             {"f32", "f32"}, "sm_90", std::vector<float>{hi},
                                             std::vector<float>{lo})[0]);
  };
  // Points of the fact sheet.
  struct {
    float x;
    uint32_t e4m3;
  } points[] = {{0.1f, 0x1d}, {-2.5f, 0xc2}, {464, 0x7e}, {0x1p-9f, 1},     {0x1p-10f, 0},     {0x1.8p-10f, 1},
                {0.003f, 2},  {17, 0x58},    {19, 0x5a},  {INFINITY, 0x7e}, {-INFINITY, 0xfe}, {NAN, 0x7f}};
  for (auto &p : points)
    EXPECT_EQ(to("e4m3x2", p.x, 1.0f), p.e4m3 << 8 | 0x38) << p.x;
  struct {
    float x;
    uint32_t e5m2;
  } points5[] = {{0.1f, 0x2e}, {448, 0x5f}, {480, 0x60}, {17, 0x4c}, {1e9f, 0x7b}, {NAN, 0x7f}};
  for (auto &p : points5)
    EXPECT_EQ(to("e5m2x2", 1.0f, p.x), 0x3c00u | p.e5m2) << p.x;
  // Back: every value.
  std::vector<uint16_t> all(65536);
  for (uint32_t i = 0; i != 65536; ++i)
    all[i] = uint16_t(i);
  auto e4 = cvt<uint32_t>("rn.f16x2.e4m3x2", "b32", "b16", all),
       e5 = cvt<uint32_t>("rn.f16x2.e5m2x2", "b32", "b16", all);
  for (uint32_t i = 0; i < 65536; i += 37)
    for (int h = 0; h != 2; ++h) {
      uint32_t v = i >> 8 * h & 0xff, r4 = e4[i] >> 16 * h & 0xffff, r5 = e5[i] >> 16 * h & 0xffff;
      if ((v & 0x7f) == 0x7f)
        ASSERT_EQ(r4, 0x7fffu);
      else
        ASSERT_EQ(smallValue(r4, 5, 10), smallValue(v, 4, 3)) << v;
      ASSERT_EQ(r5, (v & 0x7f) > 0x7c ? 0x7fffu : v << 8) << v; // e5m2 is the upper byte of f16
    }
  auto h = cvt<uint16_t>("rn.satfinite.e4m3x2.f16x2", "b16", "b32", std::vector<uint32_t>{0x3c004000, 0xfc000000});
  EXPECT_EQ(h[0], 0x3840);
  EXPECT_EQ(h[1], 0xfe00);
}

/// Nearest (or next towards zero) code of a format without infinities and NaN, all codes in order.
uint32_t finitePattern(double x, int e, int f, bool towardZero) {
  uint32_t largest = (1u << (e + f)) - 1;
  return std::min(nearestPattern(x, e, f, largest, towardZero) & largest, largest) |
         (std::signbit(x) ? 1u << (e + f) : 0);
}

TEST(EmulatorConvert, FourAndSixBits) {
  struct {
    const char *type;
    int e, f;
  } formats[] = {{"e2m1x2", 2, 1}, {"e2m3x2", 2, 3}, {"e3m2x2", 3, 2}};
  std::vector<float> a = floats(randomWords(40, 600)), b;
  for (size_t i = 0; i != a.size(); ++i) { // around the formats' values, ties included
    float v = float(int(i) - 300) / 16;
    b.push_back(i % 3 ? v : v * 1.01f);
  }
  for (auto &format : formats) {
    int width = 1 + format.e + format.f;
    bool four = width == 4;
    double largest = smallValue((1u << (width - 1)) - 1, format.e, format.f);
    for (bool relu : {false, true}) {
      std::string op = std::string("cvt.rn.satfinite.") + (relu ? "relu." : "") + format.type + ".f32 ";
      // The 4-bit pair has a .b8 register.
      std::string code = four ? "{ .reg .b8 %e; " + op + "%e, %a0, %a1; cvt.u16.u8 %d, %e; }" : op + "%d, %a0, %a1;";
      auto got = runElementwise<uint16_t>(code, "b16", {"f32", "f32"}, "sm_100a", a, b);
      auto one = [&](float x) -> uint32_t {
        if (x != x)
          return (1u << (width - 1)) - 1;
        if (relu && std::signbit(x))
          return 0;
        if (std::fabs(x) >= largest)
          return ((1u << (width - 1)) - 1) | (std::signbit(x) ? 1u << (width - 1) : 0);
        return finitePattern(x, format.e, format.f, false);
      };
      for (size_t i = 0; i != a.size(); ++i) // the first source is the upper half
        ASSERT_EQ(got[i], one(a[i]) << (four ? 4 : 8) | one(b[i])) << code << a[i] << " " << b[i];
    }
    // Back, every code; the upper bits of a byte are ignored.
    std::vector<uint16_t> all(four ? 256 : 65536);
    for (size_t i = 0; i != all.size(); ++i)
      all[i] = uint16_t(i);
    std::string code = std::string("cvt.rn.f16x2.") + format.type + " %d, ";
    code = four ? "{ .reg .b8 %e; cvt.u8.u16 %e, %a0; " + code + "%e; }" : code + "%a0;";
    auto back = runElementwise<uint32_t>(code, "b32", {"b16"}, "sm_100a", all);
    for (size_t i = 0; i < all.size(); i += four ? 1 : 19)
      for (int h = 0; h != 2; ++h) {
        uint32_t v = uint32_t(i) >> (four ? 4 : 8) * h & ((1u << width) - 1), r = back[i] >> 16 * h & 0xffff;
        ASSERT_EQ(smallValue(r, 5, 10), smallValue(v, format.e, format.f)) << code << i;
        ASSERT_EQ(r >> 15, v >> (width - 1));
      }
  }
  // From packed halves: in place.
  auto h = runElementwise<uint16_t>("cvt.rn.satfinite.e3m2x2.f16x2 %d, %a0;", "b16", {"b32"}, "sm_100a",
                                    std::vector<uint32_t>{0x3c00c000});
  EXPECT_EQ(h[0], finitePattern(1, 3, 2, false) << 8 | finitePattern(-2, 3, 2, false));
  auto bf = runElementwise<uint16_t>("cvt.rn.satfinite.e4m3x2.bf16x2 %d, %a0;", "b16", {"b32"}, "sm_100a",
                                     std::vector<uint32_t>{0x3f80c000});
  EXPECT_EQ(bf[0], 0x38c0);
}

TEST(EmulatorConvert, Scales) {
  std::vector<float> a = {1,          1.5f,      0,         -4,          INFINITY,  NAN, 0x1p127f,
                          0x1.8p127f, 0x1p-126f, 0x1p-127f, 0x1.8p-127f, 0x1p-130f, 3.9f};
  struct {
    const char *mode;
    std::vector<uint32_t> want;
  } modes[] = {{"rz", {127, 127, 0, 129, 255, 255, 254, 254, 1, 0, 0, 0, 128}},
               {"rp", {127, 128, 0, 129, 255, 255, 254, 255, 1, 0, 1, 0, 129}},
               {"rz.satfinite", {127, 127, 0, 129, 254, 255, 254, 254, 1, 0, 0, 0, 128}},
               {"rp.satfinite", {127, 128, 0, 129, 254, 255, 254, 254, 1, 0, 1, 0, 129}}};
  for (auto &mode : modes) {
    std::vector<float> ones(a.size(), 2.0f);
    auto got = runElementwise<uint16_t>(std::string("cvt.") + mode.mode + ".ue8m0x2.f32 %d, %a0, %a1;", "b16",
                                        {"f32", "f32"}, "sm_100a", a, ones);
    for (size_t i = 0; i != a.size(); ++i)
      EXPECT_EQ(got[i], mode.want[i] << 8 | 128) << mode.mode << " " << a[i];
  }
  std::vector<uint16_t> all(65536);
  for (uint32_t i = 0; i != 65536; ++i)
    all[i] = uint16_t(i);
  auto back = cvt<uint32_t>("rn.bf16x2.ue8m0x2", "b32", "b16", all, "sm_100a");
  for (uint32_t i = 0; i < 65536; i += 7)
    for (int h = 0; h != 2; ++h) {
      uint32_t v = i >> 8 * h & 255, r = back[i] >> 16 * h & 0xffff;
      ASSERT_EQ(r, v == 255 ? 0x7fffu : v == 0 ? 0x40u : v << 7) << v;
    }
}

TEST(EmulatorConvert, Stochastic) {
  // No random bits: truncation. All ones: up, unless (nearly) exact. In between: monotonic in the random number.
  struct {
    const char *type;
    int e, f, width;
    double largest;
  } formats[] = {{"e4m3x4", 4, 3, 8, 448},
                 {"e5m2x4", 5, 2, 8, 57344},
                 {"e2m3x4", 2, 3, 8, 7.5},
                 {"e3m2x4", 3, 2, 8, 28},
                 {"e2m1x4", 2, 1, 4, 6}};
  for (auto &format : formats) {
    bool four = format.width == 4;
    std::string reg = four ? "%h0" : "%d";
    std::string code = std::string("cvt.rs.satfinite.") + format.type + ".f32 " + reg + ", {%a0, %a1, %a2, %a3}, %a4;" +
                       (four ? " cvt.u32.u16 %d, %h0;" : "");
    std::vector<float> a, b, e, f;
    std::vector<uint32_t> zero, ones;
    Rng rng(5);
    for (int i = 0; i != 300; ++i) {
      for (auto *list : {&a, &b, &e, &f})
        list->push_back(float(int64_t(rng.next() % 20001) - 10000) / 1000);
      zero.push_back(0);
      ones.push_back(~0u);
    }
    auto down = runElementwise<uint32_t>(code, "b32", {"f32", "f32", "f32", "f32", "b32"}, "sm_100a", a, b, e, f, zero);
    auto up = runElementwise<uint32_t>(code, "b32", {"f32", "f32", "f32", "f32", "b32"}, "sm_100a", a, b, e, f, ones);
    for (size_t i = 0; i != a.size(); ++i)
      for (int k = 0; k != 4; ++k) { // a is the uppermost
        float x = (k == 0 ? a : k == 1 ? b : k == 2 ? e : f)[i];
        uint32_t bits = 1u << (format.e + format.f), lo = down[i] >> (3 - k) * format.width & (2 * bits - 1),
                 hi = up[i] >> (3 - k) * format.width & (2 * bits - 1);
        double c = std::min(std::fabs(double(x)), format.largest);
        uint32_t trunc = finitePattern(c, format.e, format.f, true);
        double t = smallValue(trunc, format.e, format.f);
        ASSERT_EQ(lo & (bits - 1), trunc) << code << x;
        bool exact = c - t < 0x1p-7 * std::max(t, smallValue(1, format.e, format.f));
        if (t < format.largest && !exact)
          ASSERT_EQ(hi & (bits - 1), trunc + 1) << code << x;
        if (c == t)
          ASSERT_EQ(hi, lo);
      }
  }
  // f16 uses 13 bits of each half, bf16 16: a value in the middle rounds up from half the random range on.
  auto half = [](const std::string &type, uint32_t a, uint32_t random) {
    return runElementwise<uint32_t>("cvt.rs." + type + ".f32 %d, %a0, %a1, %a2;", "b32", {"f32", "f32", "b32"},
                                    "sm_100a", std::vector<float>{std::bit_cast<float>(a)}, std::vector<float>{1.0f},
                                    std::vector<uint32_t>{random})[0];
  };
  EXPECT_EQ(half("f16x2", 0x3f801000, 0x0fff0000), 0x3c003c00u);
  EXPECT_EQ(half("f16x2", 0x3f801000, 0x10000000), 0x3c013c00u);
  EXPECT_EQ(half("bf16x2", 0x3f808000, 0x7fffffff), 0x3f803f80u);
  EXPECT_EQ(half("bf16x2", 0x3f808000, 0x80000000), 0x3f813f80u);
  EXPECT_EQ(half("relu.bf16x2", 0xbf808000, ~0u), 0x00003f80u);
}

TEST(EmulatorConvert, TF32) {
  std::vector<uint32_t> words = randomWords(9);
  auto na = cvt<uint32_t>("rna.tf32.f32", "b32", "f32", floats(words), "sm_80"),
       rn = cvt<uint32_t>("rn.tf32.f32", "b32", "f32", floats(words)),
       rz = cvt<uint32_t>("rz.tf32.f32", "b32", "f32", floats(words));
  for (size_t i = 0; i != words.size(); ++i) {
    uint32_t w = words[i], low = w & 0x1fff, up = w >> 13;
    if ((w & 0x7fffffff) > 0x7f800000)
      continue;
    ASSERT_EQ(na[i], (up + (low >= 0x1000)) << 13) << w;
    ASSERT_EQ(rn[i], (up + (low > 0x1000 || (low == 0x1000 && (up & 1)))) << 13) << w;
    ASSERT_EQ(rz[i], up << 13) << w;
  }
}

TEST(EmulatorConvert, FlagsAndPack) {
  auto f = cvt<uint32_t>("ftz.f32.f16", "f32", "b16", std::vector<uint16_t>{1});
  EXPECT_EQ(f[0], std::bit_cast<uint32_t>(0x1p-24f)); // not subnormal in f32
  EXPECT_EQ(cvt<double>("ftz.f64.f32", "f64", "f32", std::vector<float>{0x1p-130f})[0], 0.0);
  EXPECT_EQ(cvt<float>("rn.ftz.f32.f64", "f32", "f64", std::vector<double>{0x1p-130})[0], 0.0f);
  EXPECT_EQ(cvt<float>("sat.f32.f32", "f32", "f32", std::vector<float>{2.5f})[0], 1.0f);
  EXPECT_EQ(cvt<float>("rn.sat.f32.s32", "f32", "b32", std::vector<int32_t>{-5})[0], 0.0f);
  EXPECT_EQ(cvt<float>("rp.f32.f64", "f32", "f64", std::vector<double>{1 + 0x1p-40})[0], std::nextafter(1.0f, 2.0f));
  EXPECT_EQ(cvt<float>("rz.f32.f64", "f32", "f64", std::vector<double>{1e300})[0], std::numeric_limits<float>::max());
  auto pack = runElementwise<uint32_t>("cvt.pack.sat.s16.s32 %d, %a0, %a1;", "b32", {"b32", "b32"}, "sm_80",
                                       std::vector<int32_t>{100000}, std::vector<int32_t>{-7});
  EXPECT_EQ(pack[0], 0x7ffffff9u);
  auto pack8 = runElementwise<uint32_t>("cvt.pack.sat.u8.s32.b32 %d, %a0, %a1, 0x1234;", "b32", {"b32", "b32"}, "sm_80",
                                        std::vector<int32_t>{300}, std::vector<int32_t>{-7});
  EXPECT_EQ(pack8[0], 0x1234ff00u);
}

} // namespace
