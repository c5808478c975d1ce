//===- ExecMatrix.cpp - Matrix fragments, mma.sync, cp.async ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, sections Matrix multiply-accumulate and Asynchronous copy. Notation: lane l, g = l / 4, t = l % 4.
//
// The order and precision in which tensor cores add is not specified. Here products are exact and summed with C in
// f64, and the sum is rounded once; integers wrap (or saturate) at the end; f64 is a chain of fma over ascending k.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Cta.h"
#include "tileiras/Emulator/Machine/FloatRounding.h"
#include "tileiras/Emulator/Machine/Handlers.h"
#include "tileiras/Emulator/Machine/LaneAddress.h"

#include <bit>
#include <cfenv>
#include <cmath>

using namespace tileiras::emu;

namespace {

/// Warp-wide .aligned instructions need all 32 lanes; false if they are not (all) here yet.
bool wholeWarp(Warp &w, const Inst &i, uint32_t m) {
  if (m != w.live)
    m = w.converge(i, m, w.row<uint32_t>(i.e));
  if (!m)
    return false;
  if (m != ~0u)
    w.report(ReportKind::WarpSync, i, uint32_t(std::countr_zero(m)),
             "a warp-wide .aligned instruction is executed by some threads of the warp only");
  return true;
}

/// Reads (or writes) the eight 16-byte rows of matrix j, whose addresses are in lanes 8j..8j+7.
void accessMatrix(Warp &w, const Inst &i, const MemAux &x, unsigned j, bool write, uint16_t (&matrix)[8][8]) {
  uint64_t at[8], lo = ~uint64_t(0);
  for (unsigned r = 0; r != 8; ++r) {
    at[r] = laneAddress(w, x, i.a, i.imm, 8 * j + r);
    lo = std::min(lo, at[r]);
    Region region;
    region.space = x.space;
    if (!w.resolveLane(i, x.space, 8 * j + r, at[r], 16, write, region)) {
      std::memset(matrix[r], 0, write ? 0 : 16);
      continue;
    }
    if (write) {
      std::memcpy(region.host, matrix[r], 16);
      if (region.shadow)
        std::memset(region.shadow, 0xff, 16);
    } else {
      std::memcpy(matrix[r], region.host, 16);
      if (region.shadow && w.checkInit) {
        uint32_t rel[32] = {};
        w.findUninitialized(i, region, at[r], 1u << (8 * j + r), rel, 16);
      }
    }
  }
  if (w.memoryStats) {
    uint32_t rel[32] = {};
    for (unsigned r = 0; r != 8; ++r)
      rel[r] = uint32_t(at[r] - lo);
    w.countAccess(Space::Shared, 0xff, lo, rel, 16, write, false);
  }
}

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

double elementValue(Type t, uint64_t bits) {
  switch (t) {
  case Type::F64: return std::bit_cast<double>(bits);
  case Type::F32: return std::bit_cast<float>(uint32_t(bits));
  case Type::TF32: return std::bit_cast<float>(uint32_t(bits) & 0xffffe000u); // the low 13 bits are ignored
  case Type::BF16: return std::bit_cast<float>(uint32_t(bits) << 16);
  case Type::S8: return int8_t(bits);
  case Type::U8: return uint8_t(bits);
  case Type::S32: return int32_t(bits);
  default: {
    const Format &f = t == Type::F16 ? FormatF16 : t == Type::E4M3 ? FormatE4M3 : FormatE5M2;
    return std::bit_cast<double>(pack(unpack(bits & ((uint64_t(1) << f.width()) - 1), f), FormatF64, Rounding::NearestEven, false));
  }
  }
}

/// All values of a 16- or 8-bit format, so that unpacking is a table look-up.
const std::vector<double> &valueTable(Type t) {
  auto make = [](Type type) {
    std::vector<double> v(size_t(1) << typeBits(type));
    for (size_t i = 0; i != v.size(); ++i)
      v[i] = elementValue(type, i);
    return v;
  };
  static const std::vector<double> f16 = make(Type::F16), bf16 = make(Type::BF16), e4m3 = make(Type::E4M3),
                                   e5m2 = make(Type::E5M2), s8 = make(Type::S8), u8 = make(Type::U8);
  switch (t) {
  case Type::F16: return f16;
  case Type::BF16: return bf16;
  case Type::E4M3: return e4m3;
  case Type::E5M2: return e5m2;
  case Type::S8: return s8;
  default: return u8;
  }
}

/// Elements of register r of lane l, from the low end: f(element, value).
template <typename F> void eachElement(const Warp &w, Row row, Type t, unsigned l, F f) {
  if (t == Type::F64) {
    f(0u, w.row<double>(row)[l]);
    return;
  }
  uint32_t v = w.row<uint32_t>(row)[l];
  if (t == Type::TF32 || t == Type::F32 || t == Type::S32) {
    f(0u, elementValue(t, v));
    return;
  }
  const std::vector<double> &table = valueTable(t);
  unsigned bits = typeBits(t);
  for (unsigned e = 0; e != 32 / bits; ++e)
    f(e, table[v >> (e * bits) & (table.size() - 1)]);
}

/// One rule for all dense shapes: w elements per register; see the fragment figures of the ISA.
unsigned perRegister(Type t) { return t == Type::F64 || t == Type::TF32 ? 1 : 32 / typeBits(t); }

float roundSum(double v) { return v == v ? float(v) : std::bit_cast<float>(0x7fffffffu); }

} // namespace

namespace tileiras::emu::handlers {

void mma(Warp &w, const Inst &i, uint32_t m) {
  if (!wholeWarp(w, i, m))
    return;
  const MatrixAux &x = *static_cast<const MatrixAux *>(i.aux);
  double A[16][32] = {}, B[8][32] = {}, C[16][8] = {};
  unsigned wa = perRegister(x.a), wb = perRegister(x.b);
  for (unsigned l = 0; l != 32; ++l) {
    unsigned g = l / 4, t = l % 4;
    for (unsigned r = 0; r != x.ra.size(); ++r)
      eachElement(w, x.ra[r], x.a, l, [&](unsigned e, double v) {
        if (x.m == 16)
          A[g + 8 * (r & 1)][4 * wa * (r >> 1) + wa * t + e] = v;
        else
          A[g][4 * wa * r + wa * t + e] = v;
      });
    for (unsigned r = 0; r != x.rb.size(); ++r)
      eachElement(w, x.rb[r], x.b, l, [&](unsigned e, double v) { B[g][4 * wb * r + wb * t + e] = v; });
    unsigned n = unsigned(x.rc.size());
    for (unsigned r = 0; r != n; ++r)
      eachElement(w, x.rc[r], x.c, l, [&](unsigned e, double v) {
        unsigned index = x.c == Type::F16 ? 2 * r + e : r;
        C[g + 8 * (index >> 1)][2 * t + (index & 1)] = v;
      });
  }
  double D[16][8];
  if (x.a == Type::F64) {
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    int before = std::fegetround();
    std::fesetround(modes[x.rounding & 3]);
    for (unsigned row = 0; row != x.m; ++row)
      for (unsigned col = 0; col != 8; ++col) {
        volatile double s = C[row][col];
        for (unsigned k = 0; k != x.k; ++k)
          s = std::fma(A[row][k], B[col][k], double(s));
        D[row][col] = s;
      }
    std::fesetround(before);
  } else {
    for (unsigned row = 0; row != x.m; ++row)
      for (unsigned col = 0; col != 8; ++col) {
        double s = 0;
        for (unsigned k = 0; k != x.k; ++k)
          s += A[row][k] * B[col][k];
        D[row][col] = s + C[row][col];
      }
  }
  for (unsigned l = 0; l != 32; ++l) {
    if (!(m >> l & 1))
      continue;
    unsigned g = l / 4, t = l % 4;
    for (unsigned r = 0; r != x.rd.size(); ++r) {
      auto at = [&](unsigned index) { return D[g + 8 * (index >> 1)][2 * t + (index & 1)]; };
      switch (x.d) {
      case Type::F64: w.row<double>(x.rd[r])[l] = at(r); break;
      case Type::F32: w.row<float>(x.rd[r])[l] = roundSum(at(r)); break;
      case Type::S32: {
        double v = at(r); // exact: below 2^32 + 32 * 2^16
        int64_t n = int64_t(v);
        if (x.saturate)
          n = std::min<int64_t>(std::max<int64_t>(n, INT32_MIN), INT32_MAX);
        w.row<uint32_t>(x.rd[r])[l] = uint32_t(n);
        break;
      }
      default: {
        auto half = [](double v) {
          return uint32_t(pack(unpack(std::bit_cast<uint64_t>(v), FormatF64), FormatF16, Rounding::NearestEven, false));
        };
        w.row<uint32_t>(x.rd[r])[l] = half(at(2 * r)) | half(at(2 * r + 1)) << 16;
      }
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix, movmatrix: 8 x 8 matrices of 16-bit elements
//===----------------------------------------------------------------------===//

void ldmatrix(Warp &w, const Inst &i, uint32_t m) {
  if (!wholeWarp(w, i, m))
    return;
  const MemAux &x = *static_cast<const MemAux *>(i.aux);
  uint16_t matrices[4][8][8];
  for (unsigned j = 0; j != x.count; ++j) // all addresses are read before a destination is written
    accessMatrix(w, i, x, j, false, matrices[j]);
  for (unsigned j = 0; j != x.count; ++j)
    for (unsigned l = 0; l != 32; ++l) {
      unsigned g = l / 4, t = l % 4;
      auto &a = matrices[j];
      if (m >> l & 1)
        w.row<uint32_t>(x.rows[j])[l] = i.flags & 1 ? a[2 * t][g] | uint32_t(a[2 * t + 1][g]) << 16
                                                    : a[g][2 * t] | uint32_t(a[g][2 * t + 1]) << 16;
    }
}

void stmatrix(Warp &w, const Inst &i, uint32_t m) {
  if (!wholeWarp(w, i, m))
    return;
  const MemAux &x = *static_cast<const MemAux *>(i.aux);
  for (unsigned j = 0; j != x.count; ++j) {
    uint16_t a[8][8];
    for (unsigned l = 0; l != 32; ++l) {
      unsigned g = l / 4, t = l % 4;
      uint32_t v = w.row<uint32_t>(x.rows[j])[l];
      for (unsigned h = 0; h != 2; ++h)
        (i.flags & 1 ? a[2 * t + h][g] : a[g][2 * t + h]) = uint16_t(v >> 16 * h);
    }
    accessMatrix(w, i, x, j, true, a);
  }
}

void movmatrix(Warp &w, const Inst &i, uint32_t m) {
  if (!wholeWarp(w, i, m))
    return;
  uint16_t a[8][8];
  for (unsigned l = 0; l != 32; ++l)
    for (unsigned h = 0; h != 2; ++h)
      a[l / 4][2 * (l % 4) + h] = uint16_t(w.row<uint32_t>(i.a)[l] >> 16 * h);
  for (unsigned l = 0; l != 32; ++l)
    if (m >> l & 1)
      w.row<uint32_t>(i.d)[l] = a[2 * (l % 4)][l / 4] | uint32_t(a[2 * (l % 4) + 1][l / 4]) << 16;
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

void cpAsync(Warp &w, const Inst &i, uint32_t m) {
  const MemAux &to = *static_cast<const MemAux *>(i.aux), &from = *to.second;
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    unsigned l = unsigned(std::countr_zero(rest));
    AsyncCopy c;
    c.destination = laneAddress(w, to, i.a, i.imm, l);
    c.source = laneAddress(w, from, i.b, from.plan, l);
    c.sourceSpace = from.space;
    c.bytes = c.sourceBytes = i.count;
    c.inst = &i;
    c.number = w.copies[l].issued++;
    if (i.flags & 1) {
      uint32_t n = w.row<uint32_t>(i.c)[l];
      if (n > i.count) {
        w.report(ReportKind::InvalidOperation, i, l,
                 "source size " + std::to_string(n) + " of cp.async is larger than the copy of " + std::to_string(i.count));
        n = i.count;
      }
      c.sourceBytes = uint8_t(n);
    }
    if ((i.flags & 2) && ((w.preds[i.c] >> l & 1) != 0) != bool(i.flags & 4))
      c.sourceBytes = 0;
    // Addresses are checked when the copy is issued, where the fault is easiest to understand.
    Region r;
    if (!w.resolveLane(i, Space::Shared, l, c.destination, c.bytes, true, r))
      continue;
    if (c.source & (c.bytes - 1)) {
      Region ignored;
      w.resolveLane(i, c.sourceSpace, l, c.source, c.bytes, false, ignored);
      continue;
    }
    Region s;
    if (c.sourceBytes && !w.region(c.sourceSpace, c.source, c.source + c.sourceBytes, false, s)) {
      w.badAccess(i, c.sourceSpace, l, c.source, c.sourceBytes, false);
      continue;
    }
    // Until the copy is waited for, nobody may read the destination.
    if (r.shadow)
      std::memset(r.shadow, 0, c.bytes);
    w.copies[l].open.push_back(c);
    if (w.launch->options->asyncTiming == AsyncTiming::Early ||
        (w.launch->options->asyncTiming == AsyncTiming::Random && (w.cta->cluster->async.random() & 1)))
      w.finishCopies(l, w.copies[l].open);
  }
}

void cpAsyncCommit(Warp &w, const Inst &, uint32_t m) {
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    AsyncCopies &c = w.copies[std::countr_zero(rest)];
    c.groups.push_back(std::move(c.open));
    c.open.clear();
  }
}

void cpAsyncWait(Warp &w, const Inst &i, uint32_t m) {
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    uint32_t l = uint32_t(std::countr_zero(rest));
    AsyncCopies &c = w.copies[l];
    while (c.groups.size() > i.imm) {
      w.finishCopies(l, c.groups.front());
      c.groups.erase(c.groups.begin());
    }
  }
}

void cpAsyncWaitAll(Warp &w, const Inst &, uint32_t m) { w.finishAllCopies(m); }

} // namespace tileiras::emu::handlers

void Warp::finishCopies(uint32_t lane, std::vector<AsyncCopy> &list) {
  for (const AsyncCopy &c : list) {
    Region to, from;
    uint8_t data[16] = {};
    if (c.sourceBytes) {
      if (!region(c.sourceSpace, c.source, c.source + c.sourceBytes, false, from))
        continue; // was reported at issue
      std::memcpy(data, from.host + lane * from.laneStride, c.sourceBytes);
      if (from.shadow && checkInit) {
        uint32_t rel[32] = {};
        findUninitialized(*c.inst, from, c.source, 1u << lane, rel, c.sourceBytes);
      }
    }
    if (!region(Space::Shared, c.destination, c.destination + c.bytes, true, to))
      continue;
    std::memcpy(to.host, data, c.bytes);
    if (to.shadow)
      std::memset(to.shadow, 0xff, c.bytes);
    if (memoryStats) {
      stats->globalLoadBytes += c.sourceBytes;
      stats->sharedStoreBytes += c.bytes;
    }
  }
  list.clear();
}

void Warp::finishCopiesBefore(uint32_t lane, uint64_t number) {
  auto split = [&](std::vector<AsyncCopy> &list) {
    size_t n = 0;
    while (n != list.size() && list[n].number < number)
      ++n;
    std::vector<AsyncCopy> done(list.begin(), list.begin() + long(n));
    list.erase(list.begin(), list.begin() + long(n));
    finishCopies(lane, done);
  };
  for (auto &group : copies[lane].groups)
    split(group);
  split(copies[lane].open);
}

void Warp::finishAllCopies(uint32_t lanes) {
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    uint32_t l = uint32_t(std::countr_zero(rest));
    if (copies[l].open.empty() && copies[l].groups.empty())
      continue;
    for (auto &group : copies[l].groups)
      finishCopies(l, group);
    copies[l].groups.clear();
    finishCopies(l, copies[l].open);
  }
}
