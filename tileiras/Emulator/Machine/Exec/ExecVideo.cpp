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
  case VideoOp::Mad:
    return (a * b + c) >> p.mode;
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

void tileiras::emu::handlers::video(Warp &w, const Inst &i, uint32_t m) {
  VideoPlan p;
  std::memcpy(&p, &i.imm, sizeof(p));
  uint32_t *d = w.row<uint32_t>(i.d);
  const uint32_t *a = w.row<uint32_t>(i.a), *b = w.row<uint32_t>(i.b), *c = w.row<uint32_t>(i.c);
  unsigned bits = 32 / p.lanes;
  for (unsigned l = 0; l != 32; ++l) {
    if (!(m >> l & 1))
      continue;
    uint32_t result = 0, sum = c[l];
    for (unsigned k = 0; k != p.lanes; ++k) {
      int64_t v = compute(p, extend(a[l] >> (k * bits), bits, p.signedA), extend(b[l] >> (k * bits), bits, p.signedB),
                          extend(c[l], 32, p.signedD));
      if (p.saturate)
        v = clampTo(v, bits, p.signedD);
      sum += uint32_t(v);
      result |= (bits == 32 ? uint32_t(v) : uint32_t(v) & ((1u << bits) - 1)) << (k * bits);
    }
    if (p.second == 1)
      result = sum;
    else if (p.second)
      result = uint32_t(p.second == 2 ? std::min(extend(result, 32, p.signedD), extend(c[l], 32, p.signedD))
                                      : std::max(extend(result, 32, p.signedD), extend(c[l], 32, p.signedD)));
    d[l] = result;
  }
}
