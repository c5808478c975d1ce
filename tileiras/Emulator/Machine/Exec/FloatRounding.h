//===- FloatRounding.h - Directed rounding and narrow formats ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The rare half of floating point, written for being right rather than fast: arithmetic in the rounding modes other
// than nearest-even, and conversions between any two formats, which all end in one routine that rounds an exact
// value (sign, significand, exponent, sticky bit) to a format.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_EXEC_FLOATROUNDING_H
#define TILEIRAS_EMULATOR_MACHINE_EXEC_FLOATROUNDING_H

#include "tileiras/Emulator/Machine/Program.h"

namespace tileiras::emu {

enum class Rounding : uint8_t { NearestEven, TowardZero, Down, Up, NearestAway };

/// A binary floating-point format. `hasInfinity` false: e4m3, whose all-ones pattern is the NaN. `hasNaN` false: every
/// pattern is a number (the formats of four and six bits); NaN becomes the largest one.
struct Format {
  int exponentBits, fractionBits;
  bool hasInfinity = true, hasNaN = true;
  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  int width() const { return 1 + exponentBits + fractionBits; }
};
constexpr Format FormatF64{11, 52}, FormatF32{8, 23}, FormatTF32{8, 10}, FormatBF16{8, 7}, FormatF16{5, 10},
    FormatE5M2{5, 2}, FormatE4M3{4, 3, false}, FormatE2M3{2, 3, false, false}, FormatE3M2{3, 2, false, false},
    FormatE2M1{2, 1, false, false};

/// An exact number: (-1)^negative * significand * 2^exponent, plus something below if sticky.
struct Exact {
  enum Kind : uint8_t { Zero, Finite, Infinity, NaN } kind = Zero;
  bool negative = false, sticky = false;
  uint64_t significand = 0;
  int exponent = 0;
};

Exact unpack(uint64_t bits, const Format &f);
Exact fromInteger(uint64_t bits, bool isSigned);
/// Rounds and packs. Overflow: infinity or the largest finite number, as the rounding mode says, or the latter always
/// if `saturateFinite`. NaN becomes the format's canonical NaN (0x7fffffff, 0x7fff, 0x7f for 8 bits).
uint64_t pack(const Exact &value, const Format &f, Rounding rounding, bool saturateFinite);
/// cvt.rs: adds `random` / 2^randomBits units of the result's last place and truncates.
uint64_t packStochastic(const Exact &value, const Format &f, uint32_t random, unsigned randomBits, bool saturateFinite);
/// Power of two 2^(bits - 127), 255 = NaN; .rz or .rp. The sign is ignored; overflow becomes 255 or, if
/// `saturateFinite`, 254; zero and underflow 0, which is 2^-127.
uint64_t packUE8M0(const Exact &value, Rounding rounding, bool saturateFinite);
Exact unpackUE8M0(uint64_t bits);
/// Rounds to an integer and clamps to `width` bits.
uint64_t toInteger(const Exact &value, unsigned width, bool isSigned, Rounding rounding);
/// Rounds to an integral value, keeping the sign of zero.
Exact roundToIntegral(const Exact &value, Rounding rounding);

/// Handler for add, sub, mul, fma, div, rcp and sqrt with rounding other than .rn, and for the correctly rounded
/// .rn forms of div, rcp and sqrt with .ftz; null if it is none of these.
Handler selectDirected(const Instruction &inst);
/// Value of Inst::flags for selectDirected handlers.
uint8_t directedFlags(const Instruction &inst);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_EXEC_FLOATROUNDING_H
