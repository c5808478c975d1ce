//===- ExecCommon.h - Lane loops for the instruction handlers ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The Exec*.cpp files that include this header are compiled several times, once per instruction set extension of the
// host (TILEIRAS_ISA = 0 baseline, 1 AVX2, 2 AVX-512); Isa.cpp picks one set of handlers when the program starts, so
// one binary runs everywhere. The extension is switched on by an attribute around this code only, never by a compiler
// option: inline functions of other headers must not be compiled with instructions the machine may not have.
//
// A handler is a loop over the 32 lanes of a row. Lanes outside the mask keep their old value, by a blend that vector
// units do for free. Packed types (f16x2, ...) are rows with `Pack` elements per lane.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_EXEC_EXECCOMMON_H
#define TILEIRAS_EMULATOR_MACHINE_EXEC_EXECCOMMON_H

#include "tileiras/Emulator/Machine/Exec/Isa.h"
#include "tileiras/Emulator/Machine/Warp.h"

#include <cmath>
#include <type_traits>

#if TILEIRAS_ISA == 1
#define TILEIRAS_ISA_NAMESPACE isa_avx2
#define TILEIRAS_ISA_TARGET "avx2,fma,bmi,bmi2,lzcnt,popcnt"
#elif TILEIRAS_ISA == 2
#define TILEIRAS_ISA_NAMESPACE isa_avx512
#define TILEIRAS_ISA_TARGET "avx2,fma,bmi,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512cd"
#else
#define TILEIRAS_ISA_NAMESPACE isa_baseline
#endif

#define TILEIRAS_PRAGMA(x) _Pragma(#x)
#if !defined(TILEIRAS_ISA_TARGET)
#define TILEIRAS_ISA_BEGIN namespace tileiras::emu::TILEIRAS_ISA_NAMESPACE {
#define TILEIRAS_ISA_END }
#elif defined(__clang__)
#define TILEIRAS_ISA_ATTRIBUTE(t) TILEIRAS_PRAGMA(clang attribute push(__attribute__((target(t))), apply_to = function))
#define TILEIRAS_ISA_BEGIN TILEIRAS_ISA_ATTRIBUTE(TILEIRAS_ISA_TARGET) namespace tileiras::emu::TILEIRAS_ISA_NAMESPACE {
#define TILEIRAS_ISA_END                                                                                               \
  }                                                                                                                    \
  TILEIRAS_PRAGMA(clang attribute pop)
#else
#define TILEIRAS_ISA_OPTIONS(t) TILEIRAS_PRAGMA(GCC push_options) TILEIRAS_PRAGMA(GCC target(t))
#define TILEIRAS_ISA_BEGIN TILEIRAS_ISA_OPTIONS(TILEIRAS_ISA_TARGET) namespace tileiras::emu::TILEIRAS_ISA_NAMESPACE {
#define TILEIRAS_ISA_END                                                                                               \
  }                                                                                                                    \
  TILEIRAS_PRAGMA(GCC pop_options)
#endif

// Source and destination rows are either the same row or do not overlap, so lanes are independent.
#if defined(__clang__)
#define TILEIRAS_LANES(l, n)                                                                                           \
  TILEIRAS_PRAGMA(clang loop vectorize(assume_safety) interleave(enable)) for (unsigned l = 0; l != (n); ++l)
#else
#define TILEIRAS_LANES(l, n) TILEIRAS_PRAGMA(GCC ivdep) for (unsigned l = 0; l != (n); ++l)
#endif

TILEIRAS_ISA_BEGIN

template <typename To, typename From> static inline To bits(From f) { return __builtin_bit_cast(To, f); }

// Without AVX2, a lane's bit of the mask costs more than most operations.
#ifdef TILEIRAS_ISA_TARGET
constexpr bool FullMaskApart = false;
#else
constexpr bool FullMaskApart = true;
#endif

template <class F, typename D, typename A, unsigned Pack = 1> static void unary(Warp &w, const Inst &i, uint32_t m) {
  D *d = w.row<D>(i.d);
  const A *a = w.row<A>(i.a);
  if (FullMaskApart && m == ~0u) {
    TILEIRAS_LANES(l, 32 * Pack) d[l] = F::op(a[l]);
    return;
  }
  TILEIRAS_LANES(l, 32 * Pack) {
    D r = F::op(a[l]);
    d[l] = (m >> (l / Pack)) & 1 ? r : d[l];
  }
}

template <class F, typename D, typename A, typename B = A, unsigned Pack = 1>
static void binary(Warp &w, const Inst &i, uint32_t m) {
  D *d = w.row<D>(i.d);
  const A *a = w.row<A>(i.a);
  const B *b = w.row<B>(i.b);
  if (FullMaskApart && m == ~0u) {
    TILEIRAS_LANES(l, 32 * Pack) d[l] = F::op(a[l], b[l]);
    return;
  }
  TILEIRAS_LANES(l, 32 * Pack) {
    D r = F::op(a[l], b[l]);
    d[l] = (m >> (l / Pack)) & 1 ? r : d[l];
  }
}

template <class F, typename D, typename A, typename B = A, typename C = A, unsigned Pack = 1>
static void ternary(Warp &w, const Inst &i, uint32_t m) {
  D *d = w.row<D>(i.d);
  const A *a = w.row<A>(i.a);
  const B *b = w.row<B>(i.b);
  const C *c = w.row<C>(i.c);
  if (FullMaskApart && m == ~0u) {
    TILEIRAS_LANES(l, 32 * Pack) d[l] = F::op(a[l], b[l], c[l]);
    return;
  }
  TILEIRAS_LANES(l, 32 * Pack) {
    D r = F::op(a[l], b[l], c[l]);
    d[l] = (m >> (l / Pack)) & 1 ? r : d[l];
  }
}

template <class F, typename D, typename A, typename B, typename C, typename E>
static void quaternary(Warp &w, const Inst &i, uint32_t m) {
  D *d = w.row<D>(i.d);
  const A *a = w.row<A>(i.a);
  const B *b = w.row<B>(i.b);
  const C *c = w.row<C>(i.c);
  const E *e = w.row<E>(i.e);
  TILEIRAS_LANES(l, 32) {
    D r = F::op(a[l], b[l], c[l], e[l]);
    d[l] = (m >> l) & 1 ? r : d[l];
  }
}

//===----------------------------------------------------------------------===//
// Small formats, by bit manipulation so that the loops vectorise
//===----------------------------------------------------------------------===//

/// f16 -> f32, exact; NaN becomes canonical.
static inline float halfToFloat(uint16_t h) {
  uint32_t sign = uint32_t(h & 0x8000) << 16;
  uint32_t magnitude = uint32_t(h & 0x7fff) << 13;
  // Normal numbers: move the exponent bias from 15 to 127. Subnormals: 2^-24 units, made by a float subtraction.
  uint32_t normal = magnitude + ((127 - 15) << 23);
  uint32_t special = magnitude + ((255 - 31) << 23);
  uint32_t subnormal = bits<uint32_t>(bits<float>(magnitude + (113u << 23)) - bits<float>(113u << 23));
  uint32_t r = magnitude < (1u << 23) ? subnormal : normal;
  r = magnitude >= (31u << 23) ? special : r;
  r = magnitude > (31u << 23) ? 0x7fffffffu : r | sign;
  return bits<float>(r);
}

/// f32 -> f16, round to nearest even; NaN -> 0x7fff.
static inline uint16_t floatToHalf(float f) {
  uint32_t u = bits<uint32_t>(f);
  uint32_t sign = u >> 16 & 0x8000;
  uint32_t a = u & 0x7fffffff;
  // Subnormal results: adding 0.5 puts the units of 2^-24 at the bottom of the significand, correctly rounded.
  uint32_t subnormal = bits<uint32_t>(bits<float>(a) + 0.5f) - bits<uint32_t>(0.5f);
  uint32_t normal = (a - ((127 - 15) << 23) + 0xfff + (a >> 13 & 1)) >> 13;
  uint32_t r = a < (113u << 23) ? subnormal : normal;
  r = a >= 0x47800000u ? 0x7c00 : r; // 65536 and more; 65520.. carries into the infinity by itself
  r |= sign;
  r = a > 0x7f800000u ? 0x7fff : r;
  return uint16_t(r);
}

static inline float bfloatToFloat(uint16_t h) {
  uint32_t u = uint32_t(h) << 16;
  return bits<float>((u & 0x7fffffff) > 0x7f800000u ? 0x7fffffffu : u);
}

/// f32 -> bf16, round to nearest even; NaN -> 0x7fff.
static inline uint16_t floatToBfloat(float f) {
  uint32_t u = bits<uint32_t>(f);
  uint32_t r = (u + 0x7fff + (u >> 16 & 1)) >> 16;
  return uint16_t((u & 0x7fffffff) > 0x7f800000u ? 0x7fff : r);
}

/// f64 -> f32 rounding to odd: the result can be rounded again, to at most 22 bits, as if it were the exact value.
static inline float doubleToFloatOdd(double d) {
  float f = float(d);
  uint32_t u = bits<uint32_t>(f);
  double back = f;
  bool inexact = back < d || back > d;
  bool above = std::fabs(back) > std::fabs(d);
  u = inexact ? (u - (above ? 1u : 0u)) | 1u : u;
  return bits<float>(u);
}

/// a + b in f64 rounded to odd.
static inline double addOdd(double a, double b) {
  double s = a + b;
  double bb = s - a;
  double err = (a - (s - bb)) + (b - bb);
  uint64_t u = bits<uint64_t>(s);
  bool inexact = err < 0 || err > 0;
  // The error points towards zero: the rounded magnitude is too large by one.
  bool above = (err < 0) != (s < 0);
  u = inexact ? (u - (above ? 1u : 0u)) | 1u : u;
  return bits<double>(u);
}

/// fma in round-to-nearest-even. Where the processor may lack the instruction, library calls would keep loops from
/// being vectorised: the product is exact in f64, and a sum rounded to odd there can be rounded once more, for f64 has
/// more than twice the bits of f32.
static inline float fusedMultiplyAdd(float a, float b, float c) {
#if defined(__x86_64__) && !defined(__FMA__) && !defined(TILEIRAS_ISA_TARGET)
  return float(addOdd(double(a) * double(b), double(c)));
#else
  return __builtin_fmaf(a, b, c);
#endif
}

struct F16 {
  static float to(uint16_t v) { return halfToFloat(v); }
  static uint16_t from(float v) { return floatToHalf(v); }
  static constexpr uint16_t exponent = 0x7c00, one = 0x3c00;
};
struct BF16 {
  static float to(uint16_t v) { return bfloatToFloat(v); }
  static uint16_t from(float v) { return floatToBfloat(v); }
  static constexpr uint16_t exponent = 0x7f80, one = 0x3f80;
};

template <class H> static inline uint16_t flushHalf(uint16_t v) {
  return (v & H::exponent) == 0 ? uint16_t(v & 0x8000) : v;
}

//===----------------------------------------------------------------------===//
// f32 and f64
//===----------------------------------------------------------------------===//

static inline float flush(float f) {
  uint32_t u = bits<uint32_t>(f);
  return bits<float>((u & 0x7f800000) == 0 ? u & 0x80000000 : u);
}
template <bool Ftz> static inline float in(float f) {
  if constexpr (Ftz)
    return flush(f);
  return f;
}
static inline float canonical(float f) { return f == f ? f : bits<float>(0x7fffffffu); }
static inline float saturate(float f) {
  f = f > 0.0f ? f : 0.0f; // NaN and -0 -> +0
  return f < 1.0f ? f : 1.0f;
}
template <bool Ftz, bool Sat> static inline float out(float f) {
  if constexpr (Ftz)
    f = flush(f);
  if constexpr (Sat)
    return saturate(f);
  return canonical(f);
}

TILEIRAS_ISA_END

#endif // TILEIRAS_EMULATOR_MACHINE_EXEC_EXECCOMMON_H
