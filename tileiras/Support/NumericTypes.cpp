//===- NumericTypes.cpp - Element types of tiles and their exact codecs ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/NumericTypes.h"

#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

using namespace tileiras;

namespace {

struct DTypeInfo {
  std::string_view name;
  unsigned width;       ///< Bits that carry the value.
  unsigned storageBits; ///< Bits in memory.
  bool isFloat;
  FloatFormat format;
};

using NaN = FloatFormat::NaN;
// Rows in the order of DType.               exp man bias  sign  inf   zero  nan           pad
constexpr DTypeInfo kInfo[kNumDTypes] = {
    {"i1", 1, 8, false, {}},
    {"i4", 4, 4, false, {}},
    {"i8", 8, 8, false, {}},
    {"i16", 16, 16, false, {}},
    {"i32", 32, 32, false, {}},
    {"i64", 64, 64, false, {}},
    {"f16", 16, 16, true, {5, 10, 15, true, true, true, NaN::IEEE, 0}},
    {"bf16", 16, 16, true, {8, 7, 127, true, true, true, NaN::IEEE, 0}},
    {"f32", 32, 32, true, {8, 23, 127, true, true, true, NaN::IEEE, 0}},
    {"tf32", 32, 32, true, {8, 10, 127, true, true, true, NaN::IEEE, 13}},
    {"f64", 64, 64, true, {11, 52, 1023, true, true, true, NaN::IEEE, 0}},
    {"f8E4M3FN", 8, 8, true, {4, 3, 7, true, false, true, NaN::AllOnes, 0}},
    {"f8E5M2", 8, 8, true, {5, 2, 15, true, true, true, NaN::IEEE, 0}},
    {"f8E8M0FNU", 8, 8, true, {8, 0, 127, false, false, false, NaN::AllOnes, 0}},
    {"f8E5M3FNU", 8, 8, true, {5, 3, 15, false, false, true, NaN::AllOnes, 0}},
    {"f4E2M1FN", 4, 4, true, {2, 1, 1, true, false, true, NaN::None, 0}},
};

const DTypeInfo &info(DType type) { return kInfo[unsigned(type)]; }

int leadingBit(ExactFloat::Mantissa value) {
  uint64_t high = uint64_t(value >> 64);
  return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll(uint64_t(value));
}

bool equalsIgnoreCase(std::string_view a, std::string_view b) {
  if (a.size() != b.size())
    return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (std::tolower((unsigned char)a[i]) != std::tolower((unsigned char)b[i]))
      return false;
  return true;
}

} // namespace

std::string_view tileiras::dtypeName(DType type) { return info(type).name; }

std::optional<DType> tileiras::parseDType(std::string_view name) {
  for (unsigned i = 0; i < kNumDTypes; ++i)
    if (equalsIgnoreCase(kInfo[i].name, name))
      return DType(i);
  return std::nullopt;
}

bool tileiras::isFloat(DType type) { return info(type).isFloat; }
unsigned tileiras::bitWidth(DType type) { return info(type).width; }
unsigned tileiras::storageBits(DType type) { return info(type).storageBits; }

int64_t tileiras::storageBytes(DType type, int64_t count) { return (count * storageBits(type) + 7) / 8; }

uint64_t tileiras::loadElement(DType type, const uint8_t *base, int64_t index) {
  unsigned bits = storageBits(type);
  if (bits == 4)
    return (base[index >> 1] >> ((index & 1) * 4)) & 0xF;
  uint64_t word = 0;
  std::memcpy(&word, base + index * (bits / 8), bits / 8);
  return type == DType::I1 ? word != 0 : word;
}

void tileiras::storeElement(DType type, uint8_t *base, int64_t index, uint64_t value) {
  unsigned bits = storageBits(type);
  if (bits == 4) {
    unsigned shift = (index & 1) * 4;
    uint8_t &byte = base[index >> 1];
    byte = uint8_t((byte & ~(0xF << shift)) | ((value & 0xF) << shift));
    return;
  }
  if (type == DType::I1)
    value = value & 1;
  std::memcpy(base + index * (bits / 8), &value, bits / 8);
}

//===----------------------------------------------------------------------===//
// FloatFormat
//===----------------------------------------------------------------------===//

const FloatFormat &tileiras::floatFormat(DType type) { return info(type).format; }

uint64_t FloatFormat::maxFinite() const {
  uint64_t exponents = (uint64_t(1) << exponentBits) - 1;
  uint64_t mantissas = (uint64_t(1) << mantissaBits) - 1;
  uint64_t magnitude = exponents << mantissaBits | mantissas;
  if (nan == NaN::IEEE) // the whole top binade belongs to infinity and NaN
    magnitude = (exponents - 1) << mantissaBits | mantissas;
  else if (nan == NaN::AllOnes)
    magnitude -= 1;
  return magnitude << lowPadBits;
}

uint64_t FloatFormat::infinity() const { return (((uint64_t(1) << exponentBits) - 1) << mantissaBits) << lowPadBits; }

uint64_t FloatFormat::canonicalNaN() const {
  switch (nan) {
  case NaN::None: // cvt.satfinite of NaN to e2m1 gives the largest value (PTX ISA, cvt)
    return maxFinite();
  case NaN::AllOnes:
    return (uint64_t(1) << (exponentBits + mantissaBits)) - 1;
  case NaN::IEEE:
    break;
  }
  // f16, bf16, f32: the NaN that PTX arithmetic returns (all ones); f64 and the others: quiet.
  if (width() == 64 || width() == 8)
    return infinity() | uint64_t(1) << (mantissaBits - 1);
  return (uint64_t(1) << (exponentBits + mantissaBits + lowPadBits)) - 1;
}

uint64_t FloatFormat::signBit() const { return isSigned ? uint64_t(1) << (width() - 1) : 0; }

bool tileiras::isNaNBits(DType type, uint64_t bits) {
  const FloatFormat &format = floatFormat(type);
  uint64_t magnitude = (bits & ~format.signBit()) >> format.lowPadBits;
  switch (format.nan) {
  case FloatFormat::NaN::None:
    return false;
  case FloatFormat::NaN::AllOnes:
    return magnitude == format.canonicalNaN();
  case FloatFormat::NaN::IEEE:
    break;
  }
  return magnitude > format.infinity() >> format.lowPadBits;
}

bool tileiras::isInfBits(DType type, uint64_t bits) {
  const FloatFormat &format = floatFormat(type);
  return format.hasInfinity &&
         (bits & ~format.signBit()) >> format.lowPadBits == format.infinity() >> format.lowPadBits;
}

bool tileiras::isSubnormalBits(DType type, uint64_t bits) {
  const FloatFormat &format = floatFormat(type);
  uint64_t magnitude = (bits & ~format.signBit()) >> format.lowPadBits;
  return format.hasZero && magnitude != 0 && magnitude < uint64_t(1) << format.mantissaBits;
}

uint64_t tileiras::flushSubnormal(DType type, uint64_t bits) {
  return isSubnormalBits(type, bits) ? bits & floatFormat(type).signBit() : bits;
}

double tileiras::decodeFloat(DType type, uint64_t bits) {
  if (type == DType::F64) {
    double value;
    std::memcpy(&value, &bits, 8);
    return value;
  }
  const FloatFormat &format = floatFormat(type);
  if (isNaNBits(type, bits))
    return std::numeric_limits<double>::quiet_NaN();
  bool negative = bits & format.signBit();
  uint64_t magnitude = (bits & ~format.signBit()) >> format.lowPadBits;
  double value;
  if (format.hasInfinity && magnitude == format.infinity() >> format.lowPadBits) {
    value = std::numeric_limits<double>::infinity();
  } else {
    int exponent = int(magnitude >> format.mantissaBits);
    uint64_t mantissa = magnitude & ((uint64_t(1) << format.mantissaBits) - 1);
    if (exponent == 0 && format.hasZero)
      exponent = 1;
    else
      mantissa |= uint64_t(1) << format.mantissaBits;
    value = std::ldexp(double(mantissa), exponent - format.bias - int(format.mantissaBits));
  }
  return negative ? -value : value;
}

uint64_t tileiras::encodeFloat(DType type, double value, Rounding mode, Overflow overflow) {
  return ExactFloat::fromDouble(value).round(type, mode, overflow);
}

uint64_t tileiras::encodeFloat(DType type, long double value, Rounding mode, Overflow overflow) {
  return ExactFloat::fromLongDouble(value).round(type, mode, overflow);
}

//===----------------------------------------------------------------------===//
// ExactFloat
//===----------------------------------------------------------------------===//

void ExactFloat::normalize() {
  if (mantissa == 0) {
    // Nothing but dropped bits can be left only after a far subtraction, which keeps its
    // leading bits; a zero mantissa therefore means an exact zero.
    kind = Kind::Zero;
    return;
  }
  int top = leadingBit(mantissa);
  if (top > kTop) {
    sticky |= bool(mantissa & 1);
    mantissa >>= 1;
    exponent += 1;
  } else {
    mantissa <<= kTop - top;
    exponent -= kTop - top;
  }
}

ExactFloat ExactFloat::nan() {
  ExactFloat result;
  result.kind = Kind::NaN;
  return result;
}

ExactFloat ExactFloat::infinity(bool negative) {
  ExactFloat result;
  result.kind = Kind::Infinity;
  result.negative = negative;
  return result;
}

ExactFloat ExactFloat::fromInteger(uint64_t magnitude, bool negative) {
  ExactFloat result;
  result.negative = negative;
  result.kind = Kind::Finite;
  result.mantissa = magnitude;
  result.normalize();
  return result;
}

ExactFloat ExactFloat::fromDouble(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, 8);
  return fromBits(DType::F64, bits);
}

ExactFloat ExactFloat::fromLongDouble(long double value) {
  if (std::isnan(value))
    return nan();
  bool negative = std::signbit(value);
  if (std::isinf(value))
    return infinity(negative);
  int exponent = 0;
  long double fraction = std::frexp(std::fabs(value), &exponent); // in [0.5, 1)
  // Two 60-bit digits hold any host's long double up to binary128.
  ExactFloat result;
  result.negative = negative;
  fraction = std::ldexp(fraction, 60);
  uint64_t high = uint64_t(fraction);
  uint64_t low = uint64_t(std::ldexp(fraction - (long double)high, 60));
  result.kind = Kind::Finite;
  result.mantissa = Mantissa(high) << 60 | low;
  result.exponent = exponent - 120;
  result.normalize();
  return result;
}

ExactFloat ExactFloat::fromBits(DType type, uint64_t bits) {
  const FloatFormat &format = floatFormat(type);
  if (isNaNBits(type, bits))
    return nan();
  bool negative = bits & format.signBit();
  if (isInfBits(type, bits))
    return infinity(negative);
  uint64_t magnitude = (bits & ~format.signBit()) >> format.lowPadBits;
  int exponent = int(magnitude >> format.mantissaBits);
  uint64_t fraction = magnitude & ((uint64_t(1) << format.mantissaBits) - 1);
  if (exponent == 0 && format.hasZero)
    exponent = 1;
  else
    fraction |= uint64_t(1) << format.mantissaBits;
  ExactFloat result;
  result.negative = negative;
  result.kind = Kind::Finite;
  result.mantissa = fraction;
  result.exponent = exponent - format.bias - int(format.mantissaBits);
  result.normalize();
  return result;
}

static uint64_t overflowed(const FloatFormat &format, bool negative, Rounding mode, Overflow overflow) {
  bool toLimit = overflow == Overflow::Saturate || mode == Rounding::Zero ||
                 (mode == Rounding::NegativeInf && !negative) || (mode == Rounding::PositiveInf && negative);
  if (toLimit || format.nan == FloatFormat::NaN::None)
    return format.maxFinite();
  return format.hasInfinity ? format.infinity() : format.canonicalNaN();
}

/// f8E8M0FNU holds only powers of two 2^-127 .. 2^127 and takes the magnitude.
static uint64_t roundToPowerOfTwo(const ExactFloat &value, Rounding mode, Overflow overflow) {
  if (value.isZero())
    return 0;
  int exponent = value.exponent + ExactFloat::kTop;
  ExactFloat::Mantissa rest = value.mantissa & ((ExactFloat::Mantissa(1) << ExactFloat::kTop) - 1);
  ExactFloat::Mantissa half = ExactFloat::Mantissa(1) << (ExactFloat::kTop - 1);
  bool inexact = rest != 0 || value.sticky;
  bool up = false;
  switch (mode) {
  case Rounding::Zero:
    break;
  case Rounding::NegativeInf:
    up = inexact && value.negative;
    break;
  case Rounding::PositiveInf:
    up = inexact && !value.negative;
    break;
  case Rounding::NearestEven:
  case Rounding::NearestAway: // 1.5 * 2^e is a tie; both powers count as odd: go up
    up = rest >= half;
    break;
  }
  int field = exponent + 127 + up;
  if (field < 0)
    return 0;
  if (field > 254)
    return overflow == Overflow::Saturate || mode == Rounding::Zero ? 254 : 255;
  return uint64_t(field);
}

uint64_t ExactFloat::round(DType type, Rounding mode, Overflow overflow) const {
  const FloatFormat &format = floatFormat(type);
  uint64_t sign = negative ? format.signBit() : 0;
  if (kind == Kind::NaN)
    return format.canonicalNaN();
  if (kind == Kind::Infinity) {
    if (format.hasInfinity && overflow == Overflow::ToInfinity)
      return sign | format.infinity();
    return sign | overflowed(format, negative, Rounding::NearestEven, overflow);
  }
  if (!format.hasZero)
    return roundToPowerOfTwo(*this, mode, overflow);
  if (kind == Kind::Zero)
    return sign;
  if (negative && !format.isSigned) // no negative values: NaN, as an invalid conversion
    return format.canonicalNaN();

  // The weight of the last kept bit: fixed below the smallest normal exponent.
  int minExponent = 1 - format.bias;
  int leading = exponent + kTop;
  if (leading > format.bias + 1)
    return sign | overflowed(format, negative, mode, overflow);
  int quantum = (leading < minExponent ? minExponent : leading) - int(format.mantissaBits);
  int shift = quantum - exponent; // at least 126 - 52 > 0
  Mantissa kept = shift > 127 ? Mantissa(0) : mantissa >> shift;
  bool guard = shift <= 127 && ((mantissa >> (shift - 1)) & 1);
  bool rest = sticky || shift > 127 || (mantissa & ((Mantissa(1) << (shift - 1)) - 1)) != 0;

  bool up = false;
  switch (mode) {
  case Rounding::NearestEven:
    up = guard && (rest || (kept & 1));
    break;
  case Rounding::NearestAway:
    up = guard;
    break;
  case Rounding::Zero:
    break;
  case Rounding::NegativeInf:
    up = negative && (guard || rest);
    break;
  case Rounding::PositiveInf:
    up = !negative && (guard || rest);
    break;
  }
  // Magnitudes are consecutive integers in every format, so a carry out of the mantissa
  // moves into the exponent field by itself.
  int field = quantum + int(format.mantissaBits) + format.bias; // at least 1
  // `kept` includes the implicit one of normal values, which counts as one exponent step.
  uint64_t magnitude = uint64_t(kept) + (uint64_t(field - 1) << format.mantissaBits) + up;
  magnitude <<= format.lowPadBits;
  if (magnitude > format.maxFinite())
    return sign | overflowed(format, negative, mode, overflow);
  return sign | magnitude;
}

ExactFloat ExactFloat::operator-() const {
  ExactFloat result = *this;
  result.negative = !negative;
  return result;
}

ExactFloat ExactFloat::add(const ExactFloat &a, const ExactFloat &b, Rounding mode) {
  if (a.isNaN() || b.isNaN())
    return nan();
  if (a.isInfinity() || b.isInfinity()) {
    if (a.isInfinity() && b.isInfinity() && a.negative != b.negative)
      return nan();
    return a.isInfinity() ? a : b;
  }
  ExactFloat zero; // the sign of an exact zero sum of opposite signs
  zero.negative = mode == Rounding::NegativeInf;
  if (a.isZero() && b.isZero())
    return a.negative == b.negative ? a : zero;
  if (a.isZero() || b.isZero())
    return a.isZero() ? b : a;

  bool aLarger = a.exponent != b.exponent ? a.exponent > b.exponent : a.mantissa >= b.mantissa;
  const ExactFloat &large = aLarger ? a : b;
  const ExactFloat &small = aLarger ? b : a;
  int shift = large.exponent - small.exponent;
  Mantissa aligned = shift > 127 ? Mantissa(0) : small.mantissa >> shift;
  bool lost = small.sticky || shift > 127 || (shift > 0 && (small.mantissa & ((Mantissa(1) << shift) - 1)) != 0);
  ExactFloat result = large;
  if (large.negative == small.negative) {
    result.mantissa += aligned;
    result.sticky |= lost;
  } else {
    // large - (aligned + something below the last bit) = (large - aligned - 1) + sticky. Bits
    // are lost only when the exponents are far apart, so at most one leading bit cancels.
    result.mantissa -= aligned;
    if (lost)
      result.mantissa -= 1;
    result.sticky |= lost;
    if (result.mantissa == 0 && !result.sticky)
      return zero;
  }
  result.normalize();
  return result;
}

ExactFloat ExactFloat::mul(const ExactFloat &a, const ExactFloat &b) {
  if (a.isNaN() || b.isNaN())
    return nan();
  bool negative = a.negative != b.negative;
  if (a.isInfinity() || b.isInfinity())
    return a.isZero() || b.isZero() ? nan() : infinity(negative);
  ExactFloat result;
  result.negative = negative;
  if (a.isZero() || b.isZero())
    return result;
  // Operands come from at most 53-bit formats: their top 64 bits are exact.
  Mantissa x = a.mantissa >> 63, y = b.mantissa >> 63;
  result.kind = Kind::Finite;
  result.mantissa = x * y; // leading one at bit 126 or 127
  result.exponent = a.exponent + b.exponent + 126;
  result.normalize();
  return result;
}

ExactFloat ExactFloat::div(const ExactFloat &a, const ExactFloat &b) {
  if (a.isNaN() || b.isNaN())
    return nan();
  bool negative = a.negative != b.negative;
  if (a.isInfinity())
    return b.isInfinity() ? nan() : infinity(negative);
  if (b.isZero())
    return a.isZero() ? nan() : infinity(negative);
  ExactFloat result;
  result.negative = negative;
  if (a.isZero() || b.isInfinity())
    return result;
  // 127 bits by 53 bits: at least 73 quotient bits, the rest is sticky.
  Mantissa divisor = b.mantissa >> (kTop - 52);
  result.kind = Kind::Finite;
  result.mantissa = a.mantissa / divisor;
  result.sticky = a.mantissa % divisor != 0;
  result.exponent = a.exponent - (b.exponent + kTop - 52);
  result.normalize();
  return result;
}

ExactFloat ExactFloat::sqrt(const ExactFloat &a) {
  if (a.isNaN() || a.isZero())
    return a;
  if (a.negative)
    return nan();
  if (a.isInfinity())
    return a;
  // An even exponent, then a digit-by-digit integer root of up to 128 bits.
  Mantissa rest = a.mantissa;
  int exponent = a.exponent;
  if (exponent & 1) {
    rest <<= 1;
    exponent -= 1;
  }
  Mantissa root = 0, bit = Mantissa(1) << 126;
  while (bit > rest)
    bit >>= 2;
  while (bit != 0) {
    if (rest >= root + bit) {
      rest -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
    bit >>= 2;
  }
  ExactFloat result;
  result.kind = Kind::Finite;
  result.mantissa = root;
  result.sticky = rest != 0;
  result.exponent = exponent / 2;
  result.normalize();
  return result;
}

std::string tileiras::formatElement(DType type, uint64_t bits) {
  char buffer[64];
  if (!isFloat(type)) {
    if (type == DType::I1)
      return bits & 1 ? "true" : "false";
    std::snprintf(buffer, sizeof(buffer), "%lld", (long long)signExtend(bits, bitWidth(type)));
    return buffer;
  }
  double value = decodeFloat(type, bits);
  if (std::isnan(value))
    return "nan";
  std::snprintf(buffer, sizeof(buffer), type == DType::F64 ? "%.17g" : "%.9g", value);
  return buffer;
}
