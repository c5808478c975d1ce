//===- NumericTypes.h - Element types of tiles and their exact codecs ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every element type a tile can hold, as raw bits. All code that computes on
// elements (the reference evaluator, array fills, comparisons) moves elements as
// `uint64_t` bit patterns in the low bits of a word and goes through this header.
//
// All float formats here are subsets of binary64, so `decodeFloat` is exact. Going
// the other way is one correctly rounded step from an `ExactFloat`, which holds any
// intermediate result of + - * / sqrt fma with 127 significant bits and a sticky
// bit: enough for a single rounding into any format, in any mode.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_SUPPORT_NUMERICTYPES_H
#define TILEIRAS_SUPPORT_NUMERICTYPES_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tileiras {

enum class DType : uint8_t {
  I1,
  I4,
  I8,
  I16,
  I32,
  I64,
  F16,
  BF16,
  F32,
  TF32,
  F64,
  F8E4M3FN,
  F8E5M2,
  F8E8M0FNU,
  F8E5M3FNU,
  F4E2M1FN,
};
inline constexpr unsigned kNumDTypes = 16;

/// The spelling used in Tile IR text: "i32", "bf16", "f8E4M3FN", ...
std::string_view dtypeName(DType type);
/// Accepts the Tile IR spelling, in any letter case.
std::optional<DType> parseDType(std::string_view name);

bool isFloat(DType type);
inline bool isInteger(DType type) { return !isFloat(type); }

/// Number of bits that carry the value when an element is held in a word: 1 for i1, 4
/// for i4 and f4, 32 for tf32 (whose low 13 bits are ignored).
unsigned bitWidth(DType type);

/// Bits one element takes in memory: i1 is a whole byte, tf32 is 32 bits, i4 and f4 are
/// half a byte (element 2k in the low nibble, 2k+1 in the high nibble).
unsigned storageBits(DType type);

/// Bytes taken by `count` consecutive elements.
int64_t storageBytes(DType type, int64_t count);

/// Reads element `index` of a packed array. i1 is canonicalised to 0 or 1.
uint64_t loadElement(DType type, const uint8_t *base, int64_t index);
/// Writes element `index`; a 4-bit store leaves the other nibble alone.
void storeElement(DType type, uint8_t *base, int64_t index, uint64_t bits);

inline uint64_t maskBits(uint64_t bits, unsigned width) {
  return width >= 64 ? bits : bits & ((uint64_t(1) << width) - 1);
}
inline int64_t signExtend(uint64_t bits, unsigned width) {
  unsigned shift = 64 - width;
  return width >= 64 ? int64_t(bits) : int64_t(bits << shift) >> shift;
}

//===----------------------------------------------------------------------===//
// Float formats
//===----------------------------------------------------------------------===//

enum class Rounding : uint8_t { NearestEven, Zero, NegativeInf, PositiveInf, NearestAway };

/// What happens to finite values beyond the largest finite one.
enum class Overflow : uint8_t {
  ToInfinity, ///< IEEE 754 rules; formats without infinity give NaN.
  Saturate,   ///< The largest finite value, also for infinities (PTX `.satfinite`).
};

struct FloatFormat {
  enum class NaN : uint8_t { IEEE, AllOnes, None };
  unsigned exponentBits;
  unsigned mantissaBits;
  int bias;
  bool isSigned;
  bool hasInfinity;
  bool hasZero; ///< f8E8M0FNU is a pure power of two: no zero, no subnormals.
  NaN nan;
  unsigned lowPadBits; ///< Ignored low bits: 13 for tf32.

  uint64_t maxFinite() const;
  uint64_t infinity() const;
  uint64_t canonicalNaN() const;
  uint64_t signBit() const;
  unsigned width() const { return isSigned + exponentBits + mantissaBits + lowPadBits; }
};

const FloatFormat &floatFormat(DType type);

bool isNaNBits(DType type, uint64_t bits);
bool isInfBits(DType type, uint64_t bits);
/// A nonzero value below the smallest normal.
bool isSubnormalBits(DType type, uint64_t bits);

/// The value of `bits`, exactly. NaNs decode to a quiet NaN.
double decodeFloat(DType type, uint64_t bits);

/// `value` rounded once into `type`.
uint64_t encodeFloat(DType type, double value, Rounding mode = Rounding::NearestEven,
                     Overflow overflow = Overflow::ToInfinity);
/// The same from extended precision (the 64-bit significand of x87 where the host has it).
uint64_t encodeFloat(DType type, long double value, Rounding mode = Rounding::NearestEven,
                     Overflow overflow = Overflow::ToInfinity);

/// A subnormal value becomes a zero of the same sign; anything else is unchanged.
uint64_t flushSubnormal(DType type, uint64_t bits);

//===----------------------------------------------------------------------===//
// ExactFloat
//===----------------------------------------------------------------------===//

/// A real number (or infinity, NaN) before its one rounding. Finite values are
/// mantissa * 2^exponent with the leading one of `mantissa` at bit 126; `sticky` says
/// that a nonzero part below the last mantissa bit was dropped.
struct ExactFloat {
  enum class Kind : uint8_t { Zero, Finite, Infinity, NaN };
  using Mantissa = unsigned __int128;
  static constexpr int kTop = 126;

  Kind kind = Kind::Zero;
  bool negative = false;
  bool sticky = false;
  int exponent = 0;
  Mantissa mantissa = 0;

  static ExactFloat fromBits(DType type, uint64_t bits);
  static ExactFloat fromDouble(double value);
  static ExactFloat fromLongDouble(long double value);
  static ExactFloat fromInteger(uint64_t magnitude, bool negative);
  static ExactFloat nan();
  static ExactFloat infinity(bool negative);

  /// Rounds into `type`. A result that cannot be represented follows `overflow`.
  uint64_t round(DType type, Rounding mode, Overflow overflow = Overflow::ToInfinity) const;

  ExactFloat operator-() const;
  /// Exact, except for a possible sticky bit far below the precision of any format.
  /// `mode` matters only for the sign of an exact zero sum (IEEE 754 6.3).
  static ExactFloat add(const ExactFloat &a, const ExactFloat &b, Rounding mode);
  static ExactFloat mul(const ExactFloat &a, const ExactFloat &b);
  static ExactFloat div(const ExactFloat &a, const ExactFloat &b);
  static ExactFloat sqrt(const ExactFloat &a);

  bool isZero() const { return kind == Kind::Zero; }
  bool isNaN() const { return kind == Kind::NaN; }
  bool isInfinity() const { return kind == Kind::Infinity; }

private:
  void normalize();
};

/// "1.5", "-0x12", "nan", ...: an element for people to read.
std::string formatElement(DType type, uint64_t bits);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_NUMERICTYPES_H
