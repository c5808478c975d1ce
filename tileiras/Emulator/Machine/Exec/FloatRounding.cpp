//===- FloatRounding.cpp - Directed rounding and narrow formats *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compiled with -frounding-math: this file changes the rounding mode of the host.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Exec/FloatRounding.h"

#include "tileiras/Emulator/Machine/Warp.h"

#include <bit>
#include <cfenv>
#include <cmath>

using namespace tileiras::emu;

Exact tileiras::emu::unpack(uint64_t bits, const Format &f) {
  Exact e;
  uint64_t fraction = bits & ((uint64_t(1) << f.fractionBits) - 1);
  int exponent = int(bits >> f.fractionBits) & ((1 << f.exponentBits) - 1);
  int top = (1 << f.exponentBits) - 1;
  e.negative = bits >> (f.width() - 1) & 1;
  if (exponent == top && f.hasInfinity) {
    e.kind = fraction ? Exact::NaN : Exact::Infinity;
    return e;
  }
  if (exponent == top && !f.hasInfinity && f.hasNaN && fraction == (uint64_t(1) << f.fractionBits) - 1) {
    e.kind = Exact::NaN;
    return e;
  }
  if (exponent == 0 && fraction == 0)
    return e;
  e.kind = Exact::Finite;
  e.significand = exponent ? fraction | uint64_t(1) << f.fractionBits : fraction;
  e.exponent = (exponent ? exponent : 1) - f.bias() - f.fractionBits;
  return e;
}

Exact tileiras::emu::fromInteger(uint64_t bits, bool isSigned) {
  Exact e;
  if (bits == 0)
    return e;
  e.kind = Exact::Finite;
  e.negative = isSigned && int64_t(bits) < 0;
  e.significand = e.negative ? 0 - bits : bits;
  return e;
}

/// Drops the low `drop` bits of v; true if the kept part must be increased.
static bool roundUp(uint64_t v, int drop, bool sticky, bool negative, Rounding rounding, uint64_t &kept) {
  bool half, below;
  if (drop <= 0) {
    kept = v;
    half = false;
    below = sticky;
  } else if (drop > 64) {
    kept = 0;
    half = false;
    below = v != 0 || sticky;
  } else {
    kept = drop == 64 ? 0 : v >> drop;
    half = v >> (drop - 1) & 1;
    below = (v & ((uint64_t(1) << (drop - 1)) - 1)) != 0 || sticky;
  }
  switch (rounding) {
  case Rounding::NearestEven:
    return half && (below || (kept & 1));
  case Rounding::NearestAway:
    return half;
  case Rounding::TowardZero:
    return false;
  case Rounding::Down:
    return negative && (half || below);
  case Rounding::Up:
    return !negative && (half || below);
  }
  return false;
}

uint64_t tileiras::emu::pack(const Exact &value, const Format &f, Rounding rounding, bool saturateFinite) {
  uint64_t sign = uint64_t(value.negative) << (f.width() - 1);
  uint64_t top = ((uint64_t(1) << f.exponentBits) - 1) << f.fractionBits;
  uint64_t fractionMask = (uint64_t(1) << f.fractionBits) - 1;
  uint64_t nan = (top | fractionMask);
  if (f.width() == 64)
    nan = 0x7fffffffffffffffull;
  if (f.width() == 19) // tf32 stands in the upper bits of 32
    nan = 0x7fffffffull >> 13;
  uint64_t infinity = f.hasInfinity ? top : nan;
  uint64_t largest = f.hasInfinity ? top - 1 : f.hasNaN ? nan - 1 : nan;
  switch (value.kind) {
  case Exact::Zero:
    return sign;
  case Exact::NaN:
    return nan;
  case Exact::Infinity:
    return sign | (saturateFinite ? largest : infinity);
  case Exact::Finite:
    break;
  }
  int msb = 63 - std::countl_zero(value.significand);
  int exponent = msb + value.exponent;                    // of the leading bit
  int lowest = 1 - f.bias();                              // of the smallest normal number
  int unit = std::max(exponent, lowest) - f.fractionBits; // exponent of the last kept bit
  int drop = unit - value.exponent;
  uint64_t kept;
  bool up;
  if (drop < 0) {
    kept = value.significand << -drop;
    // No bits are dropped, so something below can only matter to a directed rounding.
    up = value.sticky && (value.negative ? rounding == Rounding::Down : rounding == Rounding::Up);
  } else {
    up = roundUp(value.significand, drop, value.sticky, value.negative, rounding, kept);
  }
  kept += up;
  // `kept` has fractionBits + 1 bits (normal), fewer (subnormal), or one more after a carry; adding it to the
  // exponent field below handles all three.
  uint64_t biased = exponent < lowest ? 0 : uint64_t(exponent + f.bias() - 1);
  uint64_t r = (biased << f.fractionBits) + kept;
  if (r > largest) {
    bool toInfinity = rounding == Rounding::NearestEven || rounding == Rounding::NearestAway ||
                      (rounding == Rounding::Up && !value.negative) || (rounding == Rounding::Down && value.negative);
    r = toInfinity && !saturateFinite ? infinity : largest;
  }
  return sign | r;
}

uint64_t tileiras::emu::packStochastic(const Exact &value, const Format &f, uint32_t random, unsigned randomBits,
                                       bool saturateFinite) {
  if (value.kind != Exact::Finite)
    return pack(value, f, Rounding::TowardZero, saturateFinite);
  // Below the unit of the result in value's binade stand the bits that the random number competes with.
  int msb = 63 - std::countl_zero(value.significand);
  int unit = std::max(msb + value.exponent, 1 - f.bias()) - f.fractionBits;
  Exact sum = value;
  sum.sticky = false;
  // Both in units of 2^(unit - randomBits), where the number may lose bits that cannot matter to the truncation.
  int shift = value.exponent - (unit - int(randomBits));
  uint64_t scaled = shift >= 0 ? value.significand << shift : shift <= -64 ? 0 : value.significand >> -shift;
  sum.significand = scaled + random;
  sum.exponent = unit - int(randomBits);
  if (!sum.significand)
    sum.kind = Exact::Zero;
  return pack(sum, f, Rounding::TowardZero, saturateFinite);
}

uint64_t tileiras::emu::packUE8M0(const Exact &value, Rounding rounding, bool saturateFinite) {
  if (value.kind == Exact::NaN)
    return 255;
  if (value.kind == Exact::Zero)
    return 0;
  if (value.kind == Exact::Infinity)
    return saturateFinite ? 254 : 255;
  int msb = 63 - std::countl_zero(value.significand);
  int exponent = msb + value.exponent + 127;
  if (rounding == Rounding::Up && ((value.significand & (value.significand - 1)) || value.sticky))
    ++exponent;
  if (exponent > 254)
    return saturateFinite ? 254 : 255;
  return exponent < 0 ? 0 : uint64_t(exponent);
}

Exact tileiras::emu::unpackUE8M0(uint64_t bits) {
  Exact e;
  e.kind = (bits & 255) == 255 ? Exact::NaN : Exact::Finite;
  e.significand = 1;
  e.exponent = int(bits & 255) - 127;
  return e;
}

Exact tileiras::emu::roundToIntegral(const Exact &value, Rounding rounding) {
  if (value.kind != Exact::Finite || (value.exponent >= 0 && !value.sticky))
    return value;
  Exact e = value;
  uint64_t kept;
  bool up = roundUp(value.significand, -value.exponent, value.sticky, value.negative, rounding, kept);
  e.significand = kept + up;
  e.exponent = 0;
  e.sticky = false;
  if (e.significand == 0)
    e.kind = Exact::Zero;
  return e;
}

uint64_t tileiras::emu::toInteger(const Exact &value, unsigned width, bool isSigned, Rounding rounding) {
  uint64_t max = isSigned ? (uint64_t(1) << (width - 1)) - 1 : width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  uint64_t min = isSigned ? 0 - (uint64_t(1) << (width - 1)) : 0;
  if (value.kind == Exact::Infinity)
    return value.negative ? min : max;
  Exact e = roundToIntegral(value, rounding);
  if (e.kind != Exact::Finite)
    return 0;
  int msb = 63 - std::countl_zero(e.significand);
  if (msb + e.exponent >= 64)
    return e.negative ? min : max;
  uint64_t magnitude = e.significand << e.exponent; // exponent >= 0 now
  if (e.negative) {
    if (!isSigned)
      return 0;
    return magnitude > 0 - min ? min : 0 - magnitude;
  }
  return magnitude > max ? max : magnitude;
}

//===----------------------------------------------------------------------===//
// Directed arithmetic
//===----------------------------------------------------------------------===//

namespace {

enum : uint8_t { FlagFtz = 4, FlagSat = 8 };

int hostMode(unsigned flags) {
  static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  return modes[flags & 3];
}

template <typename T> T flushIf(T v, bool ftz) {
  if constexpr (sizeof(T) == 4)
    if (ftz && std::fpclassify(v) == FP_SUBNORMAL)
      return std::copysign(T(0), v);
  return v;
}

template <typename T> T finish(T v, unsigned flags) {
  v = flushIf(v, flags & FlagFtz);
  if (flags & FlagSat)
    return v > T(0) ? (v < T(1) ? v : T(1)) : T(0);
  if constexpr (sizeof(T) == 4)
    if (v != v)
      return std::bit_cast<float>(0x7fffffffu);
  return v;
}

/// Everything goes through volatile: the compiler must not move or fold arithmetic across the mode change.
template <typename T> T compute(Op op, T a, T b, T c) {
  volatile T x = a, y = b, z = c, r;
  switch (op) {
  case Op::Add:
    r = x + y;
    break;
  case Op::Sub:
    r = x - y;
    break;
  case Op::Mul:
    r = x * y;
    break;
  case Op::Div:
    r = x / y;
    break;
  case Op::Rcp:
    r = T(1) / x;
    break;
  case Op::Sqrt:
    r = std::sqrt(T(x));
    break;
  default:
    r = std::fma(T(x), T(y), T(z));
    break;
  }
  return r;
}

template <typename T, Op O, unsigned Pack = 1> void directed(Warp &w, const Inst &i, uint32_t m) {
  T *d = w.row<T>(i.d);
  const T *a = w.row<T>(i.a), *b = w.row<T>(i.b), *c = w.row<T>(i.c);
  constexpr unsigned operands = O == Op::Fma ? 3 : O == Op::Rcp || O == Op::Sqrt ? 1 : 2;
  bool ftz = i.flags & FlagFtz;
  int before = std::fegetround();
  std::fesetround(hostMode(i.flags));
  for (unsigned l = 0; l != 32 * Pack; ++l)
    if (m >> (l / Pack) & 1)
      d[l] = finish(compute<T>(O, flushIf(a[l], ftz), operands > 1 ? flushIf(b[l], ftz) : T(0),
                               operands > 2 ? flushIf(c[l], ftz) : T(0)),
                    i.flags);
  std::fesetround(before);
}

template <Op O> Handler pick(Type t) {
  switch (t) {
  case Type::F32:
    return directed<float, O>;
  case Type::F64:
    return directed<double, O>;
  case Type::F32x2:
    return directed<float, O, 2>;
  default:
    return nullptr;
  }
}

} // namespace

uint8_t tileiras::emu::directedFlags(const Instruction &inst) {
  uint8_t flags = inst.has("rz") ? 1 : inst.has("rm") ? 2 : inst.has("rp") ? 3 : 0;
  return uint8_t(flags | (inst.has("ftz") ? FlagFtz : 0) | (inst.has("sat") ? FlagSat : 0));
}

Handler tileiras::emu::selectDirected(const Instruction &inst) {
  if (!inst.has("rz") && !inst.has("rm") && !inst.has("rp"))
    return nullptr;
  Type t = inst.type();
  switch (inst.row->op) {
  case Op::Add:
    return pick<Op::Add>(t);
  case Op::Sub:
    return pick<Op::Sub>(t);
  case Op::Mul:
    return pick<Op::Mul>(t);
  case Op::Div:
    return pick<Op::Div>(t);
  case Op::Rcp:
    return pick<Op::Rcp>(t);
  case Op::Sqrt:
    return pick<Op::Sqrt>(t);
  case Op::Fma:
    return pick<Op::Fma>(t);
  default:
    return nullptr;
  }
}
