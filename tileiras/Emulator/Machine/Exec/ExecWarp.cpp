//===- ExecWarp.cpp - What lanes and warps do together ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Cta.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Exec/LaneRows.h"
#include "tileiras/Emulator/Machine/Warp.h"

#include <bit>

using namespace tileiras::emu;

namespace tileiras::emu::handlers {

//===----------------------------------------------------------------------===//
// Warp-wide operations
//===----------------------------------------------------------------------===//

/// Calls body(group) for every group of lanes of `m` with equal membermask.
template <typename F> static void forGroups(Warp &w, const Inst &i, uint32_t m, F body) {
  const uint32_t *members = w.row<uint32_t>(i.e);
  while (m) {
    uint32_t want = members[std::countr_zero(m)], group = 0;
    for (uint32_t r = m; r; r &= r - 1)
      if (members[std::countr_zero(r)] == want)
        group |= 1u << std::countr_zero(r);
    body(group);
    m &= ~group;
  }
}
/// By the ISA a vote, match or reduction orders no memory, on the hardware it does: the observer decides.
static uint32_t together(Warp &w, const Inst &i, uint32_t m) {
  m = w.converge(i, m, w.row<uint32_t>(i.e));
  if (Observer *o = m ? w.cta->cluster->observer : nullptr)
    forGroups(w, i, m, [&](uint32_t g) { o->warpSync(w, i, g); });
  return m;
}

void voteAll(Warp &w, const Inst &i, uint32_t m) {
  if ((m = together(w, i, m)))
    forGroups(w, i, m, [&](uint32_t g) { w.setPred(i.d, (predA(w, i) & g) == g ? ~0u : 0u, g); });
}
void voteAny(Warp &w, const Inst &i, uint32_t m) {
  if ((m = together(w, i, m)))
    forGroups(w, i, m, [&](uint32_t g) { w.setPred(i.d, predA(w, i) & g ? ~0u : 0u, g); });
}
void voteUni(Warp &w, const Inst &i, uint32_t m) {
  if ((m = together(w, i, m)))
    forGroups(w, i, m, [&](uint32_t g) {
      uint32_t p = predA(w, i) & g;
      w.setPred(i.d, p == 0 || p == g ? ~0u : 0u, g);
    });
}
void voteBallot(Warp &w, const Inst &i, uint32_t m) {
  if ((m = together(w, i, m)))
    forGroups(w, i, m, [&](uint32_t g) {
      uint32_t p = predA(w, i) & g;
      fillRow(w, i.d, 4, g, [&](unsigned) { return p; });
    });
}
void matchAny(Warp &w, const Inst &i, uint32_t m) {
  if (!(m = together(w, i, m)))
    return;
  forGroups(w, i, m, [&](uint32_t g) {
    uint32_t result[32];
    for (unsigned l = 0; l != 32; ++l) {
      result[l] = 0;
      for (uint32_t r = g; r; r &= r - 1) {
        unsigned k = unsigned(std::countr_zero(r));
        if (readLane(w, i.a, i.count, k) == readLane(w, i.a, i.count, l))
          result[l] |= 1u << k;
      }
    }
    fillRow(w, i.d, 4, g, [&](unsigned l) { return result[l]; });
  });
}
void matchAll(Warp &w, const Inst &i, uint32_t m) {
  if (!(m = together(w, i, m)))
    return;
  forGroups(w, i, m, [&](uint32_t g) {
    uint64_t first = readLane(w, i.a, i.count, unsigned(std::countr_zero(g)));
    bool same = true;
    for (uint32_t r = g; r; r &= r - 1)
      same &= readLane(w, i.a, i.count, unsigned(std::countr_zero(r))) == first;
    if (i.flags & 8) // `d` is not the sink
      fillRow(w, i.d, 4, g, [&](unsigned) { return same ? g : 0; });
    if (i.imm)
      w.setPred(uint32_t(i.imm), same ? ~0u : 0u, g);
  });
}
void activemask(Warp &w, const Inst &i, uint32_t m) {
  fillRow(w, i.d, 4, m, [&](unsigned) { return m; });
}
void elect(Warp &w, const Inst &i, uint32_t m) {
  if (!(m = together(w, i, m)))
    return;
  // Which lane is elected is not specified; a correct program must not depend on it.
  forGroups(w, i, m, [&](uint32_t g) {
    uint32_t leader = uint32_t(std::countr_zero(g));
    if (i.flags & 8)
      fillRow(w, i.d, 4, g, [&](unsigned) { return leader; });
    if (i.imm)
      w.setPred(uint32_t(i.imm), 1u << leader, g);
  });
}
void barWarp(Warp &w, const Inst &i, uint32_t m) { together(w, i, m); }

template <typename T, typename F> static void reduce(Warp &w, const Inst &i, uint32_t m, F f) {
  if (!(m = together(w, i, m)))
    return;
  forGroups(w, i, m, [&](uint32_t g) {
    const T *a = w.row<T>(i.a);
    T r = a[std::countr_zero(g)];
    for (uint32_t rest = g & (g - 1); rest; rest &= rest - 1)
      r = f(r, a[std::countr_zero(rest)]);
    fillRow(w, i.d, 4, g, [&](unsigned) { return uint64_t(std::bit_cast<uint32_t>(r)); });
  });
}
/// flags: 1 .abs, 2 .NaN, 4 max.
static void reduxFloat(Warp &w, const Inst &i, uint32_t m) {
  bool abs = i.flags & 1, nan = i.flags & 2, max = i.flags & 4;
  reduce<uint32_t>(w, i, m, [&](uint32_t x, uint32_t y) -> uint32_t {
    if (abs) {
      x &= 0x7fffffff;
      y &= 0x7fffffff;
    }
    bool nx = (x & 0x7fffffff) > 0x7f800000, ny = (y & 0x7fffffff) > 0x7f800000;
    if (nx || ny)
      return nan || (nx && ny) ? 0x7fffffffu : nx ? y : x;
    // As sign-magnitude integers, so that -0 < +0.
    auto order = [](uint32_t v) { return v >> 31 ? ~v : v | 0x80000000u; };
    return (order(x) < order(y)) != max ? x : y;
  });
}
static void reduxAdd(Warp &w, const Inst &i, uint32_t m) {
  reduce<uint32_t>(w, i, m, [](uint32_t a, uint32_t b) { return a + b; });
}
static void reduxAnd(Warp &w, const Inst &i, uint32_t m) {
  reduce<uint32_t>(w, i, m, [](uint32_t a, uint32_t b) { return a & b; });
}
static void reduxOr(Warp &w, const Inst &i, uint32_t m) {
  reduce<uint32_t>(w, i, m, [](uint32_t a, uint32_t b) { return a | b; });
}
static void reduxXor(Warp &w, const Inst &i, uint32_t m) {
  reduce<uint32_t>(w, i, m, [](uint32_t a, uint32_t b) { return a ^ b; });
}
static void reduxMinU(Warp &w, const Inst &i, uint32_t m) {
  reduce<uint32_t>(w, i, m, [](uint32_t a, uint32_t b) { return std::min(a, b); });
}
static void reduxMaxU(Warp &w, const Inst &i, uint32_t m) {
  reduce<uint32_t>(w, i, m, [](uint32_t a, uint32_t b) { return std::max(a, b); });
}
static void reduxMinS(Warp &w, const Inst &i, uint32_t m) {
  reduce<int32_t>(w, i, m, [](int32_t a, int32_t b) { return std::min(a, b); });
}
static void reduxMaxS(Warp &w, const Inst &i, uint32_t m) {
  reduce<int32_t>(w, i, m, [](int32_t a, int32_t b) { return std::max(a, b); });
}

Handler redux(const Instruction &inst) {
  if (inst.type() == Type::F32)
    return reduxFloat;
  bool isSigned = inst.type() == Type::S32;
  if (inst.has("add"))
    return reduxAdd;
  if (inst.has("min"))
    return isSigned ? reduxMinS : reduxMinU;
  if (inst.has("max"))
    return isSigned ? reduxMaxS : reduxMaxU;
  if (inst.has("and"))
    return reduxAnd;
  if (inst.has("or"))
    return reduxOr;
  return reduxXor;
}

//===----------------------------------------------------------------------===//
// CTA and cluster barriers (PTX ISA, Parallel Synchronization, barrier)
//===----------------------------------------------------------------------===//

/// Barrier number and thread count; false after a report.
static bool barrierOperands(Warp &w, const Inst &i, uint32_t m, uint32_t &number, uint32_t &threads) {
  uint32_t lane = uint32_t(std::countr_zero(m));
  number = w.row<uint32_t>(i.a)[lane];
  threads = i.count ? w.row<uint32_t>(i.b)[lane] : 0;
  for (uint32_t r = m; r; r &= r - 1) {
    uint32_t l = uint32_t(std::countr_zero(r));
    if (w.row<uint32_t>(i.a)[l] != number || (i.count && w.row<uint32_t>(i.b)[l] != threads)) {
      w.fatal(ReportKind::Barrier, i, l, "threads of one warp name different barriers or thread counts");
      return false;
    }
  }
  if (number > 15) {
    w.fatal(ReportKind::Barrier, i, lane, "barrier " + std::to_string(number) + " does not exist: there are 16");
    return false;
  }
  if (i.count && (threads == 0 || threads % 32)) {
    w.fatal(ReportKind::Barrier, i, lane,
            "thread count " + std::to_string(threads) + " of a barrier is not a positive multiple of 32");
    return false;
  }
  return true;
}

void barSync(Warp &w, const Inst &i, uint32_t m) {
  uint32_t number, threads;
  if (barrierOperands(w, i, m, number, threads))
    w.parkAtBarrier(i, m, number, threads, i.flags & 16);
}
void barArrive(Warp &w, const Inst &i, uint32_t m) {
  uint32_t number, threads;
  if (!barrierOperands(w, i, m, number, threads))
    return;
  if (m != w.live && (i.flags & 16))
    w.report(ReportKind::Barrier, i, uint32_t(std::countr_zero(m)),
             "an .aligned barrier is executed by some threads of the warp only");
  w.cta->arrive(w, i, number, threads, false);
}
void barRed(Warp &w, const Inst &i, uint32_t m) {
  uint32_t number, threads;
  if (!barrierOperands(w, i, m, number, threads))
    return;
  BarrierState &b = w.cta->barriers[number];
  uint32_t p = w.preds[i.c] ^ (i.flags & 4 ? ~0u : 0u);
  if ((p & m) != m)
    b.reducedAnd = 0;
  if (p & m)
    b.reducedOr = ~0u;
  b.popc += uint32_t(std::popcount(p & m));
  w.parkAtBarrier(i, m, number, threads, i.flags & 16);
}

void clusterArrive(Warp &w, const Inst &i, uint32_t m) {
  if (w.clusterOpen & m) {
    uint32_t lane = uint32_t(std::countr_zero(w.clusterOpen & m));
    w.fatal(ReportKind::Barrier, i, lane,
            "barrier.cluster.arrive is executed twice without barrier.cluster.wait between");
    return;
  }
  if (Observer *o = w.cta->cluster->observer)
    o->clusterArrive(w, i, m, !(i.flags & 1));
  ++w.stats->clusterBarriers;
  w.clusterOpen |= m;
  for (uint32_t r = m; r; r &= r - 1)
    ++w.clusterPhase[std::countr_zero(r)];
  w.cta->cluster->clusterArrived += uint32_t(std::popcount(m));
  w.cta->cluster->checkClusterBarrier();
}
void clusterWait(Warp &w, const Inst &i, uint32_t m) {
  if (m & ~w.clusterOpen) {
    w.fatal(ReportKind::Barrier, i, uint32_t(std::countr_zero(m & ~w.clusterOpen)),
            "barrier.cluster.wait without barrier.cluster.arrive before it");
    return;
  }
  uint32_t open = 0;
  for (uint32_t r = m; r; r &= r - 1)
    if (w.clusterPhase[std::countr_zero(r)] > w.cta->cluster->clusterPhase)
      open |= r & -r;
  if (m & ~open) {
    w.clusterOpen &= ~(m & ~open);
    if (Observer *o = w.cta->cluster->observer)
      o->clusterWait(w, i, m & ~open, true);
  }
  if (open)
    w.waitFor(i, open, ClusterBarrierKey);
}

} // namespace tileiras::emu::handlers
