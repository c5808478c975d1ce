//===- FloatArithmetic.cpp - Correctly rounded arithmetic on bit patterns --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/FloatArithmetic.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace tileiras;

namespace {

float asFloat(uint64_t bits) { return std::bit_cast<float>(uint32_t(bits)); }
double asDouble(uint64_t bits) { return std::bit_cast<double>(bits); }

/// Host results carry the host's NaN payload; ours is the type's canonical one.
uint64_t fromHost(float value) {
  return std::isnan(value) ? floatFormat(DType::F32).canonicalNaN() : std::bit_cast<uint32_t>(value);
}
uint64_t fromHost(double value) {
  return std::isnan(value) ? floatFormat(DType::F64).canonicalNaN() : std::bit_cast<uint64_t>(value);
}

/// Applies one operation: `host` on the two types the host has, `exact` otherwise.
template <typename HostFn, typename ExactFn, typename... Bits>
uint64_t apply(DType type, FloatMode mode, HostFn host, ExactFn exact, Bits... operands) {
  if (mode.flushToZero)
    ((operands = flushSubnormal(type, operands)), ...);
  uint64_t result;
  if (mode.rounding == Rounding::NearestEven && type == DType::F32)
    result = fromHost(host(asFloat(operands)...));
  else if (mode.rounding == Rounding::NearestEven && type == DType::F64)
    result = fromHost(host(asDouble(operands)...));
  else
    result = exact(ExactFloat::fromBits(type, operands)...).round(type, mode.rounding);
  return mode.flushToZero ? flushSubnormal(type, result) : result;
}

} // namespace

uint64_t tileiras::addFloat(DType type, uint64_t a, uint64_t b, FloatMode mode) {
  return apply(
      type, mode, [](auto x, auto y) { return x + y; },
      [&](ExactFloat x, ExactFloat y) { return ExactFloat::add(x, y, mode.rounding); }, a, b);
}

uint64_t tileiras::subFloat(DType type, uint64_t a, uint64_t b, FloatMode mode) {
  return apply(
      type, mode, [](auto x, auto y) { return x - y; },
      [&](ExactFloat x, ExactFloat y) { return ExactFloat::add(x, -y, mode.rounding); }, a, b);
}

uint64_t tileiras::mulFloat(DType type, uint64_t a, uint64_t b, FloatMode mode) {
  return apply(
      type, mode, [](auto x, auto y) { return x * y; },
      [](ExactFloat x, ExactFloat y) { return ExactFloat::mul(x, y); }, a, b);
}

uint64_t tileiras::fmaFloat(DType type, uint64_t a, uint64_t b, uint64_t c, FloatMode mode) {
  return apply(
      type, mode, [](auto x, auto y, auto z) { return std::fma(x, y, z); },
      [&](ExactFloat x, ExactFloat y, ExactFloat z) {
        return ExactFloat::add(ExactFloat::mul(x, y), z, mode.rounding);
      },
      a, b, c);
}

uint64_t tileiras::divFloat(DType type, uint64_t a, uint64_t b, FloatMode mode) {
  return apply(
      type, mode, [](auto x, auto y) { return x / y; },
      [](ExactFloat x, ExactFloat y) { return ExactFloat::div(x, y); }, a, b);
}

uint64_t tileiras::sqrtFloat(DType type, uint64_t a, FloatMode mode) {
  return apply(type, mode, [](auto x) { return std::sqrt(x); }, [](ExactFloat x) { return ExactFloat::sqrt(x); }, a);
}

uint64_t tileiras::remFloat(DType type, uint64_t a, uint64_t b) {
  // fmod is exact, and its result has no more bits than its operands.
  return encodeFloat(type, std::fmod(decodeFloat(type, a), decodeFloat(type, b)));
}

uint64_t tileiras::negFloat(DType type, uint64_t a) { return a ^ floatFormat(type).signBit(); }
uint64_t tileiras::absFloat(DType type, uint64_t a) { return a & ~floatFormat(type).signBit(); }

static uint64_t pick(DType type, uint64_t a, uint64_t b, NaNRule rule, bool ftz, bool wantMax) {
  if (ftz) {
    a = flushSubnormal(type, a);
    b = flushSubnormal(type, b);
  }
  bool aNaN = isNaNBits(type, a), bNaN = isNaNBits(type, b);
  if (aNaN || bNaN) {
    if ((aNaN && bNaN) || rule == NaNRule::Propagate)
      return floatFormat(type).canonicalNaN();
    return aNaN ? b : a;
  }
  double x = decodeFloat(type, a), y = decodeFloat(type, b);
  bool aGreater = x > y || (x == y && !std::signbit(x));
  return aGreater == wantMax ? a : b;
}

uint64_t tileiras::maxFloat(DType type, uint64_t a, uint64_t b, NaNRule rule, bool ftz) {
  return pick(type, a, b, rule, ftz, true);
}

uint64_t tileiras::minFloat(DType type, uint64_t a, uint64_t b, NaNRule rule, bool ftz) {
  return pick(type, a, b, rule, ftz, false);
}

FloatOrder tileiras::compareFloat(DType type, uint64_t a, uint64_t b) {
  double x = decodeFloat(type, a), y = decodeFloat(type, b);
  if (std::isnan(x) || std::isnan(y))
    return FloatOrder::Unordered;
  return x < y ? FloatOrder::Less : x > y ? FloatOrder::Greater : FloatOrder::Equal;
}

uint64_t tileiras::convertFloat(DType from, DType to, uint64_t bits, Rounding mode, Overflow overflow) {
  if (from == to)
    return bits;
  if (mode == Rounding::NearestEven && from == DType::F64 && to == DType::F32 && overflow == Overflow::ToInfinity)
    return fromHost(float(asDouble(bits)));
  return ExactFloat::fromBits(from, bits).round(to, mode, overflow);
}

uint64_t tileiras::floatToInteger(DType from, uint64_t bits, unsigned width, bool isSigned) {
  double value = decodeFloat(from, bits);
  if (std::isnan(value))
    return 0;
  value = std::trunc(value);
  int exponent = int(width) - (isSigned ? 1 : 0);
  double limit = std::ldexp(1.0, exponent); // first value too large
  if (isSigned) {
    if (value >= limit)
      return maskBits(~uint64_t(0), width) >> 1;
    if (value < -limit)
      return uint64_t(1) << (width - 1);
    return maskBits(uint64_t(int64_t(value)), width);
  }
  if (value >= limit)
    return maskBits(~uint64_t(0), width);
  return value <= 0 ? 0 : uint64_t(value);
}

uint64_t tileiras::integerToFloat(uint64_t bits, unsigned width, bool isSigned, DType to, Rounding mode,
                                  Overflow overflow) {
  bits = maskBits(bits, width);
  bool negative = isSigned && (bits >> (width - 1) & 1);
  uint64_t magnitude = negative ? maskBits(0 - bits, width) : bits;
  return ExactFloat::fromInteger(magnitude, negative).round(to, mode, overflow);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

template <typename T> static T evalHost(MathFunction function, T x) {
  switch (function) {
  case MathFunction::Ceil:
    return std::ceil(x);
  case MathFunction::Floor:
    return std::floor(x);
  case MathFunction::Exp:
    return std::exp(x);
  case MathFunction::Exp2:
    return std::exp2(x);
  case MathFunction::Log:
    return std::log(x);
  case MathFunction::Log2:
    return std::log2(x);
  case MathFunction::Sin:
    return std::sin(x);
  case MathFunction::Cos:
    return std::cos(x);
  case MathFunction::Tan:
    return std::tan(x);
  case MathFunction::Sinh:
    return std::sinh(x);
  case MathFunction::Cosh:
    return std::cosh(x);
  case MathFunction::Tanh:
    return std::tanh(x);
  case MathFunction::Rsqrt:
    return T(1) / std::sqrt(x);
  }
  return std::numeric_limits<T>::quiet_NaN();
}

uint64_t tileiras::evalMath(MathFunction function, DType type, uint64_t a, bool flushToZero) {
  if (flushToZero)
    a = flushSubnormal(type, a);
  double x = decodeFloat(type, a);
  // binary64 is the widest type: only there double itself would be too narrow for one rounding.
  uint64_t result = type == DType::F64 ? encodeFloat(type, evalHost<long double>(function, x))
                                       : encodeFloat(type, evalHost<double>(function, x));
  return flushToZero ? flushSubnormal(type, result) : result;
}

uint64_t tileiras::powFloat(DType type, uint64_t base, uint64_t exponent) {
  double x = decodeFloat(type, base), y = decodeFloat(type, exponent);
  if (type == DType::F64)
    return encodeFloat(type, std::pow((long double)x, (long double)y));
  return encodeFloat(type, std::pow(x, y));
}

uint64_t tileiras::powIntFloat(DType type, uint64_t base, int64_t exponent) {
  double x = decodeFloat(type, base);
  if (type == DType::F64)
    return encodeFloat(type, std::pow((long double)x, (long double)exponent));
  return encodeFloat(type, std::pow(x, double(exponent)));
}

uint64_t tileiras::atan2Float(DType type, uint64_t y, uint64_t x) {
  double p = decodeFloat(type, y), q = decodeFloat(type, x);
  if (type == DType::F64)
    return encodeFloat(type, std::atan2((long double)p, (long double)q));
  return encodeFloat(type, std::atan2(p, q));
}
