//===- ExecMatrix.cpp - Matrix fragments, cp.async, st.bulk -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, ldmatrix, stmatrix, movmatrix and section Asynchronous copy. Notation: lane l, g = l / 4, t = l % 4.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Cta.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Exec/LaneAddress.h"
#include "tileiras/Emulator/Machine/Exec/LaneRows.h"
#include "tileiras/Emulator/Machine/Matrix/WarpMatrix.h"
#include "tileiras/Emulator/Machine/Warp.h"

#include <algorithm>
#include <bit>

using namespace tileiras::emu;

namespace {

/// One 16-byte row at the address of `lane`; only the first `used` bytes have to be initialised.
uint64_t accessRow(Warp &w, const Inst &i, const MemAux &x, unsigned lane, bool write, void *row, unsigned used = 16) {
  uint64_t at = laneAddress(w, x, i.a, i.imm, lane);
  Region region;
  region.space = x.space;
  if (!w.resolveLane(i, x.space, lane, at, 16, write, region)) {
    if (!write)
      std::memset(row, 0, 16);
    return at;
  }
  if (w.observer) {
    w.stores = write ? row : nullptr;
    w.observeLane(i, x.space, region.space, lane, at, write ? 16 : used, write);
    w.stores = nullptr;
  }
  if (write) {
    std::memcpy(region.host, row, 16);
    if (region.shadow)
      std::memset(region.shadow, 0xff, 16);
  } else {
    std::memcpy(row, region.host, 16);
    if (region.shadow && w.checkInit) {
      uint32_t rel[32] = {};
      w.findUninitialized(i, region, at, 1u << lane, rel, used);
    }
  }
  return at;
}

/// `rows` (8 or 16) rows of 16 bytes at the addresses of lanes first, first + 1, ...
template <typename T>
void accessMatrix(Warp &w, const Inst &i, const MemAux &x, unsigned first, unsigned rows, bool write, T *matrix,
                  unsigned used = 16) {
  uint64_t at[16], lo = ~uint64_t(0);
  for (unsigned r = 0; r != rows; ++r) {
    at[r] = accessRow(w, i, x, first + r, write, reinterpret_cast<uint8_t *>(matrix) + 16 * r, used);
    lo = std::min(lo, at[r]);
  }
  for (unsigned r = 0; r != rows && w.memoryStats; r += 8) { // eight rows are one pass through the banks
    uint32_t rel[32] = {};
    for (unsigned k = 0; k != 8; ++k)
      rel[k] = uint32_t(at[r + k] - lo);
    w.countAccess(Space::Shared, 0xff, lo, rel, 16, write, false);
  }
}

/// Spreads a slot of 4-bit or 6-bit elements over 16 bytes, one element in the low bits of each.
void expandRow(unsigned format, uint8_t (&row)[16]) {
  uint8_t packed[16];
  std::memcpy(packed, row, 16);
  unsigned bits = format == 1 ? 4 : 6;
  for (unsigned e = 0; e != 16; ++e) {
    unsigned at = e * bits, v = packed[at / 8] | unsigned(packed[at / 8 + 1]) << 8;
    row[e] = uint8_t(v >> (at % 8) & ((1u << bits) - 1));
  }
}

} // namespace

namespace tileiras::emu::handlers {

//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix, movmatrix
//===----------------------------------------------------------------------===//

void ldmatrix(Warp &w, const Inst &i, uint32_t m) {
  if (!wholeWarp(w, i, m))
    return;
  const MemAux &x = *static_cast<const MemAux *>(i.aux);
  uint16_t matrices[4][8][8];
  for (unsigned j = 0; j != x.count; ++j) // all addresses are read before a destination is written
    accessMatrix(w, i, x, 8 * j, 8, false, &matrices[j][0][0]);
  for (unsigned j = 0; j != x.count; ++j)
    for (unsigned l = 0; l != 32; ++l) {
      unsigned g = l / 4, t = l % 4;
      auto &a = matrices[j];
      if (m >> l & 1)
        w.row<uint32_t>(x.rows[j])[l] =
            i.flags & 1 ? a[2 * t][g] | uint32_t(a[2 * t + 1][g]) << 16 : a[g][2 * t] | uint32_t(a[g][2 * t + 1]) << 16;
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
    accessMatrix(w, i, x, 8 * j, 8, true, &a[0][0]);
  }
}

// The 8-bit forms. ldmatrix m16n16.trans: register 2j + q, byte k of lane l is byte g + 8q of row 4t + k of matrix j,
// whose rows are at the addresses of lanes 16j..16j+15. ldmatrix m8n16: register j, byte k is byte 4t + k of row g.
// stmatrix m16n8.trans: register j, byte k goes to byte g + 8 (k >> 1) of the row that lane 8j + 2t + (k & 1) names.

void ldmatrix8(Warp &w, const Inst &i, uint32_t m) {
  if (!wholeWarp(w, i, m))
    return;
  const MemAux &x = *static_cast<const MemAux *>(i.aux);
  bool square = i.flags & 1;
  unsigned format = i.flags >> 1, used = format == 1 ? 8 : format == 2 ? 12 : 16, rows = square ? 16 : 8;
  uint8_t matrices[4][16][16];
  for (unsigned j = 0; j != i.count; ++j) {
    accessMatrix(w, i, x, rows * j, rows, false, &matrices[j][0][0], used);
    for (unsigned r = 0; r != rows && format; ++r)
      expandRow(format, matrices[j][r]);
  }
  for (unsigned r = 0; r != x.count; ++r)
    for (unsigned l = 0; l != 32; ++l) {
      unsigned g = l / 4, t = l % 4;
      uint32_t v = 0;
      for (unsigned k = 0; k != 4; ++k)
        v |= uint32_t(square ? matrices[r / 2][4 * t + k][g + 8 * (r % 2)] : matrices[r][g][4 * t + k]) << 8 * k;
      if (m >> l & 1)
        w.row<uint32_t>(x.rows[r])[l] = v;
    }
}

void stmatrix8(Warp &w, const Inst &i, uint32_t m) {
  if (!wholeWarp(w, i, m))
    return;
  const MemAux &x = *static_cast<const MemAux *>(i.aux);
  for (unsigned j = 0; j != x.count; ++j) {
    uint8_t a[8][16];
    for (unsigned l = 0; l != 32; ++l)
      for (unsigned k = 0; k != 4; ++k)
        a[2 * (l % 4) + (k & 1)][l / 4 + 8 * (k >> 1)] = uint8_t(w.row<uint32_t>(x.rows[j])[l] >> 8 * k);
    accessMatrix(w, i, x, 8 * j, 8, true, &a[0][0]);
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
// st.v8.b32 and st.v4.b64 with '_': memory keeps what it has there
//===----------------------------------------------------------------------===//

void storePartially(Warp &w, const Inst &i, uint32_t m) {
  const MemAux &x = *static_cast<const MemAux *>(i.aux);
  const unsigned whole = unsigned(x.bytes) * x.count;
  uint64_t at[32] = {}, lo = ~uint64_t(0);
  Region regions[32];
  uint32_t good = 0;
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    unsigned l = unsigned(std::countr_zero(rest));
    at[l] = laneAddress(w, x, i.a, i.imm, l);
    regions[l].space = x.space == Space::Generic ? Space::Global : x.space;
    if (!w.resolveLane(i, x.space, l, at[l], whole, true, regions[l]))
      continue;
    good |= 1u << l;
    lo = std::min(lo, at[l]);
  }
  for (unsigned k = 0; k != x.count; ++k) {
    if (x.sink[k])
      continue;
    const unsigned first = k * x.bytes;
    for (uint32_t rest = good; rest; rest &= rest - 1) {
      unsigned l = unsigned(std::countr_zero(rest));
      const Region &r = regions[l];
      if (w.observer)
        w.observeLane(i, x.space, r.space, l, at[l] + first, x.bytes, true);
      uint64_t v = readLane(w, x.rows[k], x.registerBytes, l); // registers may be wider
      std::memcpy(r.host + l * r.laneStride + first, &v, x.bytes);
      if (r.shadow)
        std::memset(r.shadow + l * r.laneStride + first, 0xff, x.bytes);
    }
  }
  if (!good || !w.memoryStats)
    return;
  uint32_t rel[32] = {};
  for (unsigned l = 0; l != 32; ++l)
    rel[l] = good >> l & 1 ? uint32_t(at[l] - lo) : 0;
  w.countAccess(regions[std::countr_zero(good)].space, good, lo, rel, whole, true, false);
}

//===----------------------------------------------------------------------===//
// st.bulk: zeros in shared memory
//===----------------------------------------------------------------------===//

void storeBulk(Warp &w, const Inst &i, uint32_t m) {
  const MemAux &x = *static_cast<const MemAux *>(i.aux);
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    unsigned l = unsigned(std::countr_zero(rest));
    uint64_t at = laneAddress(w, x, i.a, i.imm, l), size = w.row<uint64_t>(i.b)[l];
    if (size % 8 || size > 16777216) {
      w.report(ReportKind::InvalidOperation, i, l,
               "st.bulk of " + std::to_string(size) + " bytes: the size must be a multiple of 8 up to 16777216");
      continue;
    }
    if (!size)
      continue;
    Region r;
    r.space = x.space;
    if (at % 8) { // reports the misalignment
      w.resolveLane(i, x.space, l, at, 8, true, r);
    } else if (!w.region(x.space, at, at + size, true, r)) {
      w.badAccess(i, x.space, l, at, unsigned(size), true);
    } else if (r.space != Space::Shared && x.space != Space::Shared) {
      w.report(ReportKind::InvalidOperation, i, l, "st.bulk writes shared memory only", at);
    } else {
      if (w.observer)
        w.observeLane(i, x.space, r.space, l, at, unsigned(size), true);
      std::memset(r.host, 0, size);
      if (r.shadow)
        std::memset(r.shadow, 0xff, size);
      if (w.memoryStats)
        w.stats->sharedStoreBytes += size;
    }
  }
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

/// The requests that the copies of one instruction make, as a load and a store of as many bytes would. Lanes that only
/// fill with zero ask for nothing.
static void countCopies(Warp &w, const Inst &i, uint32_t reads, const uint64_t *source, const uint64_t *destination,
                        uint32_t writes) {
  auto count = [&](Space space, uint32_t mask, const uint64_t *at, bool write) {
    uint64_t lo = ~uint64_t(0);
    for (uint32_t rest = mask; rest; rest &= rest - 1)
      lo = std::min(lo, at[std::countr_zero(rest)]);
    uint32_t rel[32] = {};
    for (uint32_t rest = mask; rest; rest &= rest - 1)
      rel[std::countr_zero(rest)] = uint32_t(at[std::countr_zero(rest)] - lo);
    if (mask)
      w.countAccess(space, mask, lo, rel, i.count, write, false);
  };
  count(Space::Global, reads, source, false);
  count(Space::Shared, writes, destination, true);
}

void cpAsync(Warp &w, const Inst &i, uint32_t m) {
  const MemAux &to = *static_cast<const MemAux *>(i.aux), &from = *to.second;
  uint64_t source[32] = {}, destination[32] = {};
  uint32_t reads = 0, writes = 0;
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
                 "source size " + std::to_string(n) + " of cp.async is larger than the copy of " +
                     std::to_string(i.count));
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
    source[l] = c.source, destination[l] = c.destination;
    reads |= uint32_t(c.sourceBytes != 0) << l;
    writes |= 1u << l;
    if (w.observer) {
      AsyncCopy seen = c;
      if (c.sourceSpace == Space::Generic) {
        seen.sourceSpace = s.space;
        seen.source -= s.space == Space::Shared ? SharedWindow : 0;
      }
      w.observer->copyIssued(w, i, l, seen);
    }
    if (w.launch->options->asyncTiming == AsyncTiming::Early ||
        (w.launch->options->asyncTiming == AsyncTiming::Random && (w.cta->cluster->async.random() & 1)))
      w.finishCopies(l, w.copies[l].open);
  }
  if (w.memoryStats)
    countCopies(w, i, reads, source, destination, writes);
}

void cpAsyncCommit(Warp &w, const Inst &, uint32_t m) {
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    AsyncCopies &c = w.copies[std::countr_zero(rest)];
    c.groups.push_back(std::move(c.open));
    c.ends.push_back(c.issued);
    c.open.clear();
  }
}

void cpAsyncWait(Warp &w, const Inst &i, uint32_t m) {
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    uint32_t l = uint32_t(std::countr_zero(rest));
    AsyncCopies &c = w.copies[l];
    while (c.groups.size() > i.imm) {
      if (w.observer)
        w.observer->copiesWaited(w, i, l, c.ends.front());
      w.finishCopies(l, c.groups.front());
      c.groups.erase(c.groups.begin());
      c.ends.erase(c.ends.begin());
    }
  }
}

void cpAsyncWaitAll(Warp &w, const Inst &i, uint32_t m) {
  w.finishAllCopies(m);
  if (w.observer)
    for (uint32_t rest = m; rest; rest &= rest - 1) {
      uint32_t l = uint32_t(std::countr_zero(rest));
      w.observer->copiesWaited(w, i, l, w.copies[l].issued);
    }
}

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
    copies[l].ends.clear();
    finishCopies(l, copies[l].open);
  }
}
