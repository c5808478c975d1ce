//===- NumericTypesTest.cpp - Codecs and arithmetic of element types --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/NumericTypes.h"
#include "tileiras/Support/FloatArithmetic.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

using namespace tileiras;

namespace {

const Rounding kAllModes[] = {Rounding::NearestEven, Rounding::Zero, Rounding::NegativeInf, Rounding::PositiveInf,
                              Rounding::NearestAway};
const DType kSmallFloats[] = {DType::F16,    DType::BF16,      DType::F8E4M3FN,
                              DType::F8E5M2, DType::F8E5M3FNU, DType::F4E2M1FN};

/// (-1)^s * 2^(e - bias) * (1 + m / 2^M), written from the definitions of the formats.
double valueByFormula(unsigned bits, unsigned E, unsigned M, int bias, bool isSigned) {
  unsigned mantissa = bits % (1u << M), exponent = (bits >> M) % (1u << E);
  double sign = isSigned && (bits >> (M + E)) ? -1 : 1;
  double fraction = double(mantissa) / double(1u << M);
  return exponent == 0 ? sign * std::pow(2.0, 1 - bias) * fraction
                       : sign * std::pow(2.0, double(exponent) - bias) * (1 + fraction);
}

uint64_t bitsOf(float value) { return std::bit_cast<uint32_t>(value); }
uint64_t bitsOf(double value) { return std::bit_cast<uint64_t>(value); }
bool sameOrBothNaN(DType type, uint64_t a, uint64_t b) { return a == b || (isNaNBits(type, a) && isNaNBits(type, b)); }

TEST(NumericTypes, Names) {
  for (unsigned i = 0; i < kNumDTypes; ++i)
    EXPECT_EQ(parseDType(dtypeName(DType(i))), DType(i));
  EXPECT_EQ(parseDType("F8e4m3fn"), DType::F8E4M3FN);
  EXPECT_FALSE(parseDType("f31"));
}

TEST(NumericTypes, Storage) {
  EXPECT_EQ(storageBytes(DType::I1, 7), 7);
  EXPECT_EQ(storageBytes(DType::TF32, 3), 12);
  EXPECT_EQ(storageBytes(DType::F4E2M1FN, 3), 2);
  uint8_t bytes[4] = {0xAA, 0xAA, 0xAA, 0xAA};
  storeElement(DType::F4E2M1FN, bytes, 0, 0x1);
  EXPECT_EQ(bytes[0], 0xA1); // element 0 is the low nibble, its neighbour stays
  storeElement(DType::I4, bytes, 3, 0x7);
  EXPECT_EQ(bytes[1], 0x7A);
  EXPECT_EQ(loadElement(DType::I4, bytes, 3), 0x7u);
  bytes[2] = 0x40;
  EXPECT_EQ(loadElement(DType::I1, bytes, 2), 1u); // any nonzero byte is true
  storeElement(DType::I1, bytes, 2, 0xFE);
  EXPECT_EQ(bytes[2], 0); // only bit 0 counts
}

TEST(NumericTypes, DecodeExhaustively) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    _Float16 half = std::bit_cast<_Float16>(uint16_t(bits));
    if (std::isnan(float(half))) {
      EXPECT_TRUE(std::isnan(decodeFloat(DType::F16, bits))) << bits;
    } else {
      EXPECT_EQ(bitsOf(double(half)), bitsOf(decodeFloat(DType::F16, bits))) << bits;
    }
    float wide = std::bit_cast<float>(uint32_t(bits) << 16);
    if (std::isnan(wide)) {
      EXPECT_TRUE(std::isnan(decodeFloat(DType::BF16, bits))) << bits;
    } else {
      EXPECT_EQ(bitsOf(double(wide)), bitsOf(decodeFloat(DType::BF16, bits))) << bits;
    }
  }
  for (unsigned bits = 0; bits < 256; ++bits) {
    double e4m3 = decodeFloat(DType::F8E4M3FN, bits);
    if ((bits & 0x7F) == 0x7F)
      EXPECT_TRUE(std::isnan(e4m3));
    else
      EXPECT_EQ(bitsOf(e4m3), bitsOf(valueByFormula(bits, 4, 3, 7, true))) << bits;
    double e5m2 = decodeFloat(DType::F8E5M2, bits);
    if ((bits & 0x7F) > 0x7C)
      EXPECT_TRUE(std::isnan(e5m2));
    else if ((bits & 0x7F) == 0x7C)
      EXPECT_EQ(e5m2, bits & 0x80 ? -INFINITY : INFINITY);
    else
      EXPECT_EQ(bitsOf(e5m2), bitsOf(valueByFormula(bits, 5, 2, 15, true))) << bits;
    double e8m0 = decodeFloat(DType::F8E8M0FNU, bits);
    if (bits == 0xFF)
      EXPECT_TRUE(std::isnan(e8m0));
    else
      EXPECT_EQ(e8m0, std::pow(2.0, double(bits) - 127));
    double e5m3 = decodeFloat(DType::F8E5M3FNU, bits);
    if (bits == 0xFF)
      EXPECT_TRUE(std::isnan(e5m3));
    else
      EXPECT_EQ(e5m3, valueByFormula(bits, 5, 3, 15, false));
  }
  const double f4[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (unsigned bits = 0; bits < 16; ++bits)
    EXPECT_EQ(decodeFloat(DType::F4E2M1FN, bits), bits & 8 ? -f4[bits & 7] : f4[bits & 7]);
}

TEST(NumericTypes, KnownConstants) {
  EXPECT_EQ(decodeFloat(DType::F8E4M3FN, 0x7E), 448);
  EXPECT_EQ(decodeFloat(DType::F8E5M2, 0x7B), 57344);
  EXPECT_EQ(decodeFloat(DType::F8E5M3FNU, 0xFE), 114688);
  EXPECT_EQ(decodeFloat(DType::F8E5M3FNU, 0x01), std::pow(2.0, -17));
  EXPECT_EQ(floatFormat(DType::F16).maxFinite(), 0x7BFFu);
  EXPECT_EQ(floatFormat(DType::TF32).maxFinite(), 0x7F7FE000u);
  EXPECT_EQ(floatFormat(DType::F32).canonicalNaN(), 0x7FFFFFFFu);
  // The padding bits do not count, nor do they make a NaN of what is none.
  EXPECT_EQ(decodeFloat(DType::TF32, 0x3F801FFF), 1.0);
  EXPECT_TRUE(isInfBits(DType::TF32, 0xFF801FFF) && !isNaNBits(DType::TF32, 0xFF801FFF));
  EXPECT_TRUE(isNaNBits(DType::TF32, 0x7F802000) && !isInfBits(DType::TF32, 0x7F802000));
}

/// Every finite value encodes to itself in every mode, and every point between two neighbours
/// goes where the definition of the mode says.
TEST(NumericTypes, EncodeBetweenNeighbours) {
  for (DType type : kSmallFloats) {
    const FloatFormat &format = floatFormat(type);
    uint64_t top = format.maxFinite();
    for (uint64_t low = 0; low <= top; ++low) {
      double a = decodeFloat(type, low);
      for (Rounding mode : kAllModes) {
        ASSERT_EQ(encodeFloat(type, a, mode), low) << dtypeName(type) << " " << low;
        if (format.isSigned)
          ASSERT_EQ(encodeFloat(type, -a, mode), low | format.signBit());
      }
      if (low == top)
        continue;
      double b = decodeFloat(type, low + 1), middle = (a + b) / 2;
      struct Point {
        double x;
        int side; // -1 below the middle, 0 on it, 1 above
      } points[] = {{std::nextafter(a, b), -1},
                    {std::nextafter(middle, a), -1},
                    {middle, 0},
                    {std::nextafter(middle, b), 1},
                    {std::nextafter(b, a), 1}};
      for (const Point &p : points) {
        uint64_t nearest = p.side < 0 ? low : p.side > 0 ? low + 1 : low + (low & 1);
        uint64_t away = p.side < 0 ? low : low + 1;
        ASSERT_EQ(encodeFloat(type, p.x, Rounding::NearestEven), nearest) << dtypeName(type) << low;
        ASSERT_EQ(encodeFloat(type, p.x, Rounding::NearestAway), away);
        ASSERT_EQ(encodeFloat(type, p.x, Rounding::Zero), low);
        ASSERT_EQ(encodeFloat(type, p.x, Rounding::NegativeInf), low);
        ASSERT_EQ(encodeFloat(type, p.x, Rounding::PositiveInf), low + 1);
        if (!format.isSigned)
          continue;
        uint64_t sign = format.signBit();
        ASSERT_EQ(encodeFloat(type, -p.x, Rounding::NearestEven), sign | nearest);
        ASSERT_EQ(encodeFloat(type, -p.x, Rounding::NearestAway), sign | away);
        ASSERT_EQ(encodeFloat(type, -p.x, Rounding::Zero), sign | low);
        ASSERT_EQ(encodeFloat(type, -p.x, Rounding::NegativeInf), sign | (low + 1));
        ASSERT_EQ(encodeFloat(type, -p.x, Rounding::PositiveInf), sign | low);
      }
    }
  }
}

TEST(NumericTypes, EncodeBeyondTheLargest) {
  auto check = [](DType type, double x, Rounding mode, uint64_t ieee) {
    EXPECT_EQ(encodeFloat(type, x, mode), ieee) << dtypeName(type) << " " << x;
    uint64_t limit = floatFormat(type).maxFinite() | (x < 0 ? floatFormat(type).signBit() : 0);
    EXPECT_EQ(encodeFloat(type, x, mode, Overflow::Saturate), limit);
  };
  check(DType::F16, 65519.999, Rounding::NearestEven, 0x7BFF);
  check(DType::F16, 65520, Rounding::NearestEven, 0x7C00);
  check(DType::F16, 1e300, Rounding::Zero, 0x7BFF);
  check(DType::F16, -1e300, Rounding::PositiveInf, 0xFBFF);
  check(DType::F16, -65505, Rounding::NegativeInf, 0xFC00);
  check(DType::F8E4M3FN, 464, Rounding::NearestEven, 0x7E); // tie with the NaN slot: 448 is even
  check(DType::F8E4M3FN, 465, Rounding::NearestEven, 0x7F);
  check(DType::F8E4M3FN, -INFINITY, Rounding::NearestEven, 0xFF);
  check(DType::F8E5M2, INFINITY, Rounding::NearestEven, 0x7C);
  check(DType::F8E5M2, 61440, Rounding::NearestEven, 0x7C);
  check(DType::F4E2M1FN, 100, Rounding::NearestEven, 0x7);
  EXPECT_EQ(encodeFloat(DType::F4E2M1FN, NAN), 0x7u);
  EXPECT_EQ(encodeFloat(DType::F8E4M3FN, NAN, Rounding::Zero, Overflow::Saturate), 0x7Fu);
  EXPECT_EQ(encodeFloat(DType::F8E8M0FNU, 3.0, Rounding::Zero), 128u);
  EXPECT_EQ(encodeFloat(DType::F8E8M0FNU, 3.0, Rounding::PositiveInf), 129u);
  EXPECT_EQ(encodeFloat(DType::F8E8M0FNU, 0.0, Rounding::Zero), 0u);
  EXPECT_EQ(encodeFloat(DType::F8E8M0FNU, 1e39, Rounding::PositiveInf, Overflow::Saturate), 254u);
  EXPECT_EQ(encodeFloat(DType::F8E8M0FNU, NAN, Rounding::Zero), 255u);
  EXPECT_EQ(encodeFloat(DType::F32, 1e308, Rounding::NearestEven), 0x7F800000u);
  EXPECT_EQ(encodeFloat(DType::F64, 1e4000L), 0x7FF0000000000000u);
  EXPECT_EQ(encodeFloat(DType::F64, -1e-4000L), 0x8000000000000000u);
}

/// Operands that meet the hard cases: close exponents, cancellation, subnormals, extremes.
class OperandSource {
public:
  template <typename T> T next() {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    constexpr int mantissa = sizeof(T) == 4 ? 23 : 52;
    constexpr int exponents = sizeof(T) == 4 ? 255 : 2047;
    Bits bits = Bits(engine());
    switch (engine() % 8) {
    case 0: // anything at all, NaN and infinity included
      break;
    case 1: // subnormal or nearly
      bits = (bits & ~(Bits(exponents) << mantissa)) | Bits(engine() % 2) << mantissa;
      break;
    case 2: // few mantissa bits: exact results and ties
      bits &= ~Bits(0) << (mantissa - 3);
      [[fallthrough]];
    default: { // near one
      int exponent = exponents / 2 + int(engine() % 61) - 30;
      bits = (bits & ~(Bits(exponents) << mantissa)) | Bits(exponent) << mantissa;
    }
    }
    return std::bit_cast<T>(bits);
  }

private:
  std::mt19937_64 engine{12345};
};

template <typename T> void compareWithHost(DType type, int rounds) {
  // The host's own directed rounding is the oracle; `volatile` keeps operations inside the mode.
  const std::pair<Rounding, int> modes[] = {{Rounding::NearestEven, FE_TONEAREST},
                                            {Rounding::Zero, FE_TOWARDZERO},
                                            {Rounding::NegativeInf, FE_DOWNWARD},
                                            {Rounding::PositiveInf, FE_UPWARD}};
  OperandSource source;
  for (int round = 0; round < rounds; ++round) {
    volatile T a = source.next<T>(), b = source.next<T>(), c = source.next<T>();
    if (round % 5 == 0)
      c = -a * b; // massive cancellation in fma
    uint64_t x = bitsOf(T(a)), y = bitsOf(T(b)), z = bitsOf(T(c));
    for (auto [mode, host] : modes) {
      std::fesetround(host);
      volatile T sum = a + b, difference = a - b, product = a * b, quotient = a / b;
      volatile T root = std::sqrt(T(a));
      volatile T fused = std::fma(T(a), T(b), T(c));
      std::fesetround(FE_TONEAREST);
      // The exact path is tried in nearest-even mode too, which the wrappers leave to the host.
      auto E = [&](uint64_t bits) { return ExactFloat::fromBits(type, bits); };
      auto expect = [&](const char *what, const ExactFloat &exact, uint64_t wrapped, T host) {
        ASSERT_TRUE(sameOrBothNaN(type, exact.round(type, mode), bitsOf(host)))
            << what << " " << T(a) << " " << T(b) << " " << T(c) << " mode " << int(mode);
        ASSERT_TRUE(sameOrBothNaN(type, wrapped, bitsOf(host))) << what;
      };
      FloatMode m{mode, false};
      expect("add", ExactFloat::add(E(x), E(y), mode), addFloat(type, x, y, m), sum);
      expect("sub", ExactFloat::add(E(x), -E(y), mode), subFloat(type, x, y, m), difference);
      expect("mul", ExactFloat::mul(E(x), E(y)), mulFloat(type, x, y, m), product);
      expect("div", ExactFloat::div(E(x), E(y)), divFloat(type, x, y, m), quotient);
      expect("sqrt", ExactFloat::sqrt(E(x)), sqrtFloat(type, x, m), root);
      expect("fma", ExactFloat::add(ExactFloat::mul(E(x), E(y)), E(z), mode), fmaFloat(type, x, y, z, m), fused);
    }
  }
}

TEST(FloatArithmetic, F32AgainstHost) { compareWithHost<float>(DType::F32, 60000); }
TEST(FloatArithmetic, F64AgainstHost) { compareWithHost<double>(DType::F64, 60000); }

TEST(FloatArithmetic, HalfTypesRoundOnce) {
  // Sums and products of two halves are exact in double, so one encode is the right answer.
  std::mt19937 engine(7);
  for (DType type : {DType::F16, DType::BF16})
    for (int i = 0; i < 200000; ++i) {
      uint64_t a = engine() & 0xFFFF, b = engine() & 0xFFFF;
      double x = decodeFloat(type, a), y = decodeFloat(type, b);
      ASSERT_TRUE(sameOrBothNaN(type, mulFloat(type, a, b), encodeFloat(type, x * y)));
      if (type == DType::F16)
        ASSERT_TRUE(sameOrBothNaN(type, addFloat(type, a, b), encodeFloat(type, x + y)));
    }
  // 1 + 2^-11 + 2^-40 would round to 1 in two steps through binary32; once, it goes up.
  uint64_t c = encodeFloat(DType::F16, 0x1p-24), one = encodeFloat(DType::F16, 1.0);
  uint64_t a = encodeFloat(DType::F16, 0x1p-11 + 0x1p-21);
  EXPECT_EQ(fmaFloat(DType::F16, one, one, a), 0x3C01u);
  EXPECT_EQ(fmaFloat(DType::F16, one, encodeFloat(DType::F16, 0x1p-11), one), 0x3C00u);
  EXPECT_EQ(addFloat(DType::F16, one, c, {Rounding::PositiveInf}), 0x3C01u);
  EXPECT_EQ(subFloat(DType::F16, one, one, {Rounding::NegativeInf}), 0x8000u); // -0
}

TEST(FloatArithmetic, FlushToZero) {
  uint64_t tiny = bitsOf(-0x1p-130f), one = bitsOf(1.0f);
  FloatMode ftz{Rounding::NearestEven, true};
  EXPECT_EQ(mulFloat(DType::F32, tiny, one, ftz), 0x80000000u);
  EXPECT_EQ(mulFloat(DType::F32, tiny, one), tiny);
  EXPECT_EQ(mulFloat(DType::F32, bitsOf(0x1p-100f), bitsOf(0x1p-30f), ftz), 0u);
  EXPECT_EQ(addFloat(DType::F32, bitsOf(0x1p-126f), bitsOf(-0x1.8p-126f), ftz), 0x80000000u);
}

TEST(FloatArithmetic, MinMax) {
  uint64_t nan = floatFormat(DType::F32).canonicalNaN(), one = bitsOf(1.0f);
  uint64_t zero = 0, minusZero = bitsOf(-0.0f);
  EXPECT_EQ(maxFloat(DType::F32, nan, one, NaNRule::Number), one);
  EXPECT_EQ(maxFloat(DType::F32, one, nan, NaNRule::Propagate), nan);
  EXPECT_EQ(maxFloat(DType::F32, zero, minusZero, NaNRule::Number), zero);
  EXPECT_EQ(maxFloat(DType::F32, minusZero, zero, NaNRule::Number), zero);
  EXPECT_EQ(minFloat(DType::F32, zero, minusZero, NaNRule::Propagate), minusZero);
  EXPECT_EQ(minFloat(DType::F32, minusZero, zero, NaNRule::Propagate), minusZero);
  EXPECT_EQ(minFloat(DType::F32, one, bitsOf(-3.0f), NaNRule::Number), bitsOf(-3.0f));
}

TEST(FloatArithmetic, Conversions) {
  EXPECT_EQ(floatToInteger(DType::F32, bitsOf(-1.9f), 32, true), 0xFFFFFFFFu);
  EXPECT_EQ(floatToInteger(DType::F32, bitsOf(300.0f), 8, true), 127u);
  EXPECT_EQ(floatToInteger(DType::F32, bitsOf(-300.0f), 8, true), 0x80u);
  EXPECT_EQ(floatToInteger(DType::F32, bitsOf(-3.0f), 32, false), 0u);
  EXPECT_EQ(floatToInteger(DType::F64, bitsOf(1e30), 64, false), ~uint64_t(0));
  EXPECT_EQ(floatToInteger(DType::F32, bitsOf(NAN), 32, true), 0u);
  EXPECT_EQ(integerToFloat(0x80, 8, true, DType::F32), bitsOf(-128.0f));
  EXPECT_EQ(integerToFloat(0x80, 8, false, DType::F32), bitsOf(128.0f));
  EXPECT_EQ(integerToFloat(1, 1, true, DType::F32), bitsOf(-1.0f)); // signed i1 true is -1
  EXPECT_EQ(integerToFloat(100000, 32, true, DType::F16), 0x7C00u);
  std::mt19937_64 engine(3);
  for (int i = 0; i < 100000; ++i) {
    int64_t value = int64_t(engine()) >> (engine() % 63);
    ASSERT_EQ(integerToFloat(uint64_t(value), 64, true, DType::F32), bitsOf(float(value)));
    ASSERT_EQ(integerToFloat(uint64_t(value), 64, false, DType::F64), bitsOf(double(uint64_t(value))));
    double x = std::ldexp(double(value), -int(engine() % 80));
    ASSERT_EQ(convertFloat(DType::F64, DType::F32, bitsOf(x), Rounding::NearestEven, Overflow::ToInfinity),
              bitsOf(float(x)));
    ASSERT_EQ(encodeFloat(DType::F32, x), bitsOf(float(x)));
    ASSERT_EQ(encodeFloat(DType::F32, (long double)x), bitsOf(float(x)));
  }
  EXPECT_EQ(remFloat(DType::F32, bitsOf(-7.5f), bitsOf(2.0f)), bitsOf(-1.5f));
}

TEST(FloatArithmetic, Functions) {
  EXPECT_EQ(evalMath(MathFunction::Exp2, DType::F32, bitsOf(10.0f)), bitsOf(1024.0f));
  EXPECT_EQ(evalMath(MathFunction::Rsqrt, DType::F32, bitsOf(0.25f)), bitsOf(2.0f));
  EXPECT_EQ(evalMath(MathFunction::Floor, DType::F16, encodeFloat(DType::F16, -1.25)), encodeFloat(DType::F16, -2.0));
  EXPECT_EQ(evalMath(MathFunction::Exp, DType::F64, bitsOf(1.0)), bitsOf(2.718281828459045));
  EXPECT_EQ(powIntFloat(DType::F32, bitsOf(2.0f), -3), bitsOf(0.125f));
  EXPECT_EQ(atan2Float(DType::F32, bitsOf(1.0f), bitsOf(-0.0f)), bitsOf(float(M_PI / 2)));
  std::mt19937 engine(9);
  for (int i = 0; i < 20000; ++i) { // within one unit of the host's binary32 functions
    float x = std::ldexp(float(engine() % 4096) / 256, -2);
    auto near = [&](MathFunction f, float host) {
      int64_t got = int64_t(evalMath(f, DType::F32, bitsOf(x))), want = int64_t(bitsOf(host));
      ASSERT_LE(std::abs(got - want), 2) << int(f) << " " << x;
    };
    near(MathFunction::Exp, std::exp(x));
    near(MathFunction::Tanh, std::tanh(x));
    near(MathFunction::Log2, std::log2(x));
    near(MathFunction::Cosh, std::cosh(x));
  }
}

} // namespace
