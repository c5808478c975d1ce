//===- FloatArithmetic.h - Correctly rounded arithmetic on bit patterns ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Arithmetic of Tile IR elements: operands and results are raw bits of one DType. Each
// operation is computed exactly and rounded once, in the requested mode. binary32 and
// binary64 in nearest-even mode take the host's own instructions, which do the same.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_SUPPORT_FLOATARITHMETIC_H
#define TILEIRAS_SUPPORT_FLOATARITHMETIC_H

#include "tileiras/Support/NumericTypes.h"

namespace tileiras {

/// How an operation rounds; `flushToZero` makes subnormal inputs and results zero of the
/// same sign (`flush_to_zero` of Tile IR, `.ftz` of PTX).
struct FloatMode {
  Rounding rounding = Rounding::NearestEven;
  bool flushToZero = false;
};

uint64_t addFloat(DType type, uint64_t a, uint64_t b, FloatMode mode = {});
uint64_t subFloat(DType type, uint64_t a, uint64_t b, FloatMode mode = {});
uint64_t mulFloat(DType type, uint64_t a, uint64_t b, FloatMode mode = {});
uint64_t fmaFloat(DType type, uint64_t a, uint64_t b, uint64_t c, FloatMode mode = {});
uint64_t divFloat(DType type, uint64_t a, uint64_t b, FloatMode mode = {});
uint64_t sqrtFloat(DType type, uint64_t a, FloatMode mode = {});
/// Truncated remainder with the sign of the dividend (C fmod); always exact.
uint64_t remFloat(DType type, uint64_t a, uint64_t b);

uint64_t negFloat(DType type, uint64_t a);
uint64_t absFloat(DType type, uint64_t a);

enum class NaNRule : uint8_t {
  Number,    ///< maximumNumber / minimumNumber: a NaN loses against a number.
  Propagate, ///< IEEE maximum / minimum: a NaN wins.
};
/// +0 is greater than -0 under both rules.
uint64_t maxFloat(DType type, uint64_t a, uint64_t b, NaNRule rule, bool flushToZero = false);
uint64_t minFloat(DType type, uint64_t a, uint64_t b, NaNRule rule, bool flushToZero = false);

enum class FloatOrder : uint8_t { Less, Equal, Greater, Unordered };
FloatOrder compareFloat(DType type, uint64_t a, uint64_t b);

/// From one float type to another, rounded once.
uint64_t convertFloat(DType from, DType to, uint64_t bits, Rounding mode, Overflow overflow);

/// Truncates toward zero into a `width`-bit integer. Out-of-range values clamp and NaN gives 0
/// (what PTX cvt does; Tile IR leaves them undefined unless `saturating` is set).
uint64_t floatToInteger(DType from, uint64_t bits, unsigned width, bool isSigned);
uint64_t integerToFloat(uint64_t bits, unsigned width, bool isSigned, DType to, Rounding mode = Rounding::NearestEven,
                        Overflow overflow = Overflow::ToInfinity);

enum class MathFunction : uint8_t {
  Ceil,
  Floor,
  Exp,
  Exp2,
  Log,
  Log2,
  Sin,
  Cos,
  Tan,
  Sinh,
  Cosh,
  Tanh,
  Rsqrt,
};
/// The function in extended precision, rounded once to `type`.
uint64_t evalMath(MathFunction function, DType type, uint64_t a, bool flushToZero = false);
uint64_t powFloat(DType type, uint64_t base, uint64_t exponent);
uint64_t powIntFloat(DType type, uint64_t base, int64_t exponent);
uint64_t atan2Float(DType type, uint64_t y, uint64_t x);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_FLOATARITHMETIC_H
