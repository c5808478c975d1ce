//===- PolynomialExp2Test.cpp - Powers of two by multiply-adds ------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The polynomial of PolynomialExp2.h in the instructions' arithmetic: no further off than ex2.approx (2 ulp; PTX ISA,
// "ex2"), for every fraction that there is between -1 and 1 in steps of 2^-24, and the same at the ends of the range.
// That the instructions are these is tested on the emulator (test/Driver/share_exponentials_range.mlir).
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/PolynomialExp2.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

using mlir::tilellvm::kExp2Polynomial;

namespace {

/// f32 results of sums and products that f64 holds exactly, or whose second rounding is far below what is measured.
float multiplyAdd(float a, float b, float c) { return float(double(a) * b + c); }

float powerOfTwo(float x) {
  if (std::isnan(x))
    return x;
  x = std::min(std::max(x, -127.0f), 128.0f);
  float whole = std::floor(x);
  float f = x - whole, p = 0;
  for (size_t i = std::size(kExp2Polynomial); i-- > 0;)
    p = multiplyAdd(p, f, kExp2Polynomial[i]);
  // The factor has the exponent's eight bits and no others; the product flushes to zero.
  uint32_t bits = uint32_t(int(whole) + 127) << 23;
  float factor;
  std::memcpy(&factor, &bits, sizeof factor);
  float result = p * factor;
  return std::fabs(result) < std::numeric_limits<float>::min() ? 0.0f : result;
}

/// In units of the last place of the exact result.
double distance(float x) {
  double exact = std::exp2(double(x));
  double unit = std::ldexp(1.0, std::ilogb(exact) - 23);
  return std::fabs(powerOfTwo(x) - exact) / unit;
}

TEST(PolynomialExp2, IsNoFurtherOffThanTheInstruction) {
  constexpr int most = 1 << 24;
  double largest = 0;
  for (int k = -most; k < most; ++k)
    largest = std::max(largest, distance(float(k) / most));
  EXPECT_LE(largest, 2.0);
  // Just below 0 the fraction is rounded, too.
  for (int k = 1; k < 1 << 20; ++k)
    largest = std::max({largest, distance(-float(k) * 0x1p-40f), distance(-0.5f + float(2 * k + 1) * 0x1p-25f)});
  EXPECT_LE(largest, 2.0);
  // Other whole parts: the fraction has fewer bits.
  for (int n = -126; n < 128; ++n)
    for (int k = 0; k < 4096; ++k)
      largest = std::max(largest, distance(float(n) + float(k) / 4096));
  EXPECT_LE(largest, 2.0);
}

TEST(PolynomialExp2, IsRightEverywhere) {
  // Of all bit patterns every 127th, and every one near the ends of the range.
  auto check = [](uint32_t bits) {
    float x;
    std::memcpy(&x, &bits, sizeof x);
    float result = powerOfTwo(x);
    if (std::isnan(x))
      return std::isnan(result);
    if (x < -126)
      return result == 0 && !std::signbit(result);
    if (x >= 128)
      return result == std::numeric_limits<float>::infinity();
    return std::isfinite(result) && distance(x) <= 2;
  };
  for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += 127)
    if (!check(uint32_t(bits)))
      FAIL() << std::hex << bits;
  for (uint32_t end : {0x42fe0000u, 0x43000000u, 0xc2fc0000u, 0xc2fe0000u, 0xc3000000u})
    for (uint32_t bits = end - 0x20000; bits != end + 0x20000; ++bits)
      if (!check(bits))
        FAIL() << std::hex << bits;
}

TEST(PolynomialExp2, EndsWhereTheInstructionDoes) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (float x : {-infinity, -3e38f, -1e30f, -150.0f, -127.5f, -127.0f, -126.5f, -126.00001f})
    EXPECT_EQ(powerOfTwo(x), 0.0f) << x;
  for (float x : {128.0f, 128.5f, 1e30f, infinity})
    EXPECT_EQ(powerOfTwo(x), infinity) << x;
  EXPECT_LT(powerOfTwo(std::nextafter(128.0f, 0.0f)), infinity);
  EXPECT_TRUE(std::isnan(powerOfTwo(std::numeric_limits<float>::quiet_NaN())));
  for (int n = -126; n < 128; ++n)
    EXPECT_EQ(powerOfTwo(float(n)), std::ldexp(1.0f, n));
}

} // namespace
