//===- ExecVideo.cpp - Video instructions -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Video Instructions" and "SIMD Video Instructions": integers of 32, 16 or 8 bits side by side, computed
// exactly, then clamped or cut to the destination type, then possibly combined with a third value.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Warp.h"

#include <algorithm>

using namespace tileiras::emu;

static int64_t extend(uint32_t v, unsigned bits, bool isSigned) {
  v <<= 32 - bits;
  return isSigned ? int64_t(int32_t(v)) >> (32 - bits) : int64_t(v >> (32 - bits));
}

static int64_t compute(const VideoPlan &p, int64_t a, int64_t b, int64_t c) {
  switch (p.op) {
  case VideoOp::Add:
    return a + b;
  case VideoOp::Sub:
    return a - b;
  case VideoOp::AbsDiff:
    return a < b ? b - a : a - b;
  case VideoOp::Min:
    return std::min(a, b);
  case VideoOp::Max:
    return std::max(a, b);
  case VideoOp::Average:
    return (a + b + (a + b >= 0)) >> 1; // halves away from zero
  case VideoOp::Shl: {
    unsigned n = p.mode ? b & 31 : unsigned(std::min<int64_t>(uint32_t(b), 32));
    return int64_t(uint64_t(a) << n);
  }
  case VideoOp::Shr:
    return a >> (p.mode ? b & 31 : std::min<int64_t>(uint32_t(b), 32));
  case VideoOp::Mad: {
    // -(a * b) is ~(a * b) + 1, and .po adds one to anything.
    __int128 v = __int128(a) * b;
    if (p.negate == 1)
      v = -v;
    v += p.negate == 2 ? -__int128(c) : __int128(c);
    v = (v + (p.negate == 3)) >> p.mode;
    if (!p.saturate)
      return int64_t(v);
    const __int128 high = p.signedD ? INT32_MAX : UINT32_MAX, low = p.signedD ? INT32_MIN : 0;
    return int64_t(v < low ? low : v > high ? high : v);
  }
  case VideoOp::Set: {
    bool r[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
    return r[p.mode];
  }
  }
  return 0;
}

static int64_t clampTo(int64_t v, unsigned bits, bool isSigned) {
  int64_t hi = isSigned ? (int64_t(1) << (bits - 1)) - 1 : (int64_t(1) << bits) - 1, lo = isSigned ? -hi - 1 : 0;
  return std::min(std::max(v, lo), hi);
}

/// The part of a scalar that a selector names.
static int64_t partOf(uint32_t v, unsigned part, bool isSigned) {
  if (part == 0)
    return extend(v, 32, isSigned);
  return part <= 4 ? extend(v >> (8 * (part - 1)), 8, isSigned) : extend(v >> (16 * (part - 5)), 16, isSigned);
}

static uint32_t scalar(const VideoPlan &p, uint32_t a, uint32_t b, uint32_t c) {
  int64_t v =
      compute(p, partOf(a, p.selectA[0], p.signedA), partOf(b, p.selectB[0], p.signedB), extend(c, 32, p.signedD));
  const unsigned bits = p.selectD == 0 ? 32 : p.selectD <= 4 ? 8 : 16;
  if (p.saturate && p.op != VideoOp::Mad)
    v = clampTo(v, bits, p.signedD);
  const uint32_t result = uint32_t(v);
  switch (p.second) {
  case 1:
    return result + c;
  case 2:
    return uint32_t(std::min(extend(result, 32, p.signedD), extend(c, 32, p.signedD)));
  case 3:
    return uint32_t(std::max(extend(result, 32, p.signedD), extend(c, 32, p.signedD)));
  }
  if (!p.selectD)
    return result;
  const unsigned shift = p.selectD <= 4 ? 8 * (p.selectD - 1) : 16 * (p.selectD - 5);
  const uint32_t mask = ((1u << bits) - 1) << shift;
  return (result << shift & mask) | (c & ~mask);
}

static uint32_t simd(const VideoPlan &p, uint32_t a, uint32_t b, uint32_t c) {
  const unsigned bits = 32 / p.lanes;
  const uint32_t ones = (1u << bits) - 1;
  const uint64_t pool = uint64_t(b) << 32 | a;
  uint32_t result = c;
  for (unsigned k = 0; k != p.lanes; ++k) {
    if (!(p.selectD >> k & 1))
      continue;
    int64_t v = compute(p, extend(uint32_t(pool >> (p.selectA[k] * bits)), bits, p.signedA),
                        extend(uint32_t(pool >> (p.selectB[k] * bits)), bits, p.signedB), 0);
    if (p.saturate)
      v = clampTo(v, bits, p.signedD);
    if (p.second)
      result += uint32_t(v);
    else
      result = (result & ~(ones << (k * bits))) | (uint32_t(v) & ones) << (k * bits);
  }
  return result;
}

void tileiras::emu::handlers::video(Warp &w, const Inst &i, uint32_t m) {
  const VideoPlan &p = *static_cast<const VideoPlan *>(i.aux);
  uint32_t *d = w.row<uint32_t>(i.d);
  const uint32_t *a = w.row<uint32_t>(i.a), *b = w.row<uint32_t>(i.b), *c = w.row<uint32_t>(i.c);
  for (unsigned l = 0; l != 32; ++l)
    if (m >> l & 1)
      d[l] = p.lanes == 1 ? scalar(p, a[l], b[l], c[l]) : simd(p, a[l], b[l], c[l]);
}
