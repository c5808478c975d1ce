//===- RaceOrder.cpp - What orders accesses --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, Memory Consistency Model: release and acquire patterns, synchronises-with, base causality order, proxies.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Check/RaceChecker.h"

#include <algorithm>
#include <bit>

using namespace tileiras::emu;

bool RaceChecker::Released::empty() const {
  for (const ClockRef &c : set)
    if (c)
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Knowledge of warps
//===----------------------------------------------------------------------===//

void RaceChecker::spread(WarpState &w) {
  if (!w.same)
    return;
  w.same = false;
  w.hasSpread = true;
  for (uint32_t l = 1; l != 32; ++l)
    w.lanes[l] = w.lanes[0];
}

/// Notices that all lanes know the same again.
void RaceChecker::gather(WarpState &w) {
  if (w.same || !w.warp->live)
    return;
  const Knowledge &first = w.lanes[std::countr_zero(w.warp->live)];
  for (uint32_t m = w.warp->live & (w.warp->live - 1); m; m &= m - 1)
    for (unsigned s = 0; s != SetCount; ++s)
      if (!(w.lanes[std::countr_zero(m)].set[s] == first.set[s]))
        return;
  w.lanes[0] = Knowledge(first);
  w.same = true;
}

void RaceChecker::joinInto(Released &to, unsigned set, const ClockRef &clock) {
  if (!clock || to.last[set] == clock)
    return;
  if (!to.set[set])
    to.set[set] = clock;
  else if (!(to.set[set] == clock) && !to.set[set]->covers(*clock))
    to.set[set].mine().join(*clock);
  to.last[set] = clock;
}

/// The lanes publish what they know and did. Threads that have exited go with the rest of their warp.
void RaceChecker::release(Released &to, WarpState &w, uint32_t mask) {
  bool whole = (mask & w.warp->live) == w.warp->live;
  if (whole)
    mask = w.warp->initialLanes;
  uint32_t first = uint32_t(std::countr_zero(mask));
  // Raises `row` for each lane of the mask; in one go if they are equal.
  auto raise = [&](unsigned set, uint32_t row, auto value) {
    uint32_t v = value(first);
    bool equal = whole;
    for (uint32_t m = mask; m && equal; m &= m - 1)
      equal = value(uint32_t(std::countr_zero(m))) == v;
    if (equal) {
      if (v && !(to.set[set] && to.set[set]->knows(row, ~0u, v)))
        to.set[set].mine().raiseAll(row, v);
      return;
    }
    for (uint32_t m = mask; m; m &= m - 1) {
      uint32_t l = uint32_t(std::countr_zero(m));
      if (uint32_t c = value(l))
        to.set[set].mine().raise(row, l, c);
    }
  };
  for (unsigned s = 0; s != TensorAfter; ++s) { // which is each thread's own
    if (w.same)
      joinInto(to, s, w.lanes[0].set[s]);
    else
      for (uint32_t m = mask; m; m &= m - 1)
        joinInto(to, s, w.lanes[std::countr_zero(m)].set[s]);
    if (s == Plain && whole)
      to.set[s].mine().raiseAll(w.row, w.clock);
    else if (s == Plain)
      raise(s, w.row, [&](uint32_t) { return w.clock; });
    if (!(w.ownSets >> s & 1))
      continue;
    if (s != Plain)
      raise(s, w.row, [&](uint32_t l) { return w.own[l].clock[s]; });
    raise(s, w.row + 1, [&](uint32_t l) { return w.own[l].copies[s]; });
  }
  w.published |= mask;
}

/// The same for what a lane knew at a fence.
void RaceChecker::release(Released &to, const WarpState &w, uint32_t lane, const Snapshot &snapshot) {
  for (unsigned s = 0; s != TensorAfter; ++s) {
    joinInto(to, s, snapshot.knowledge.set[s]);
    if (uint32_t c = snapshot.own.clock[s])
      to.set[s].mine().raise(w.row, lane, c);
    if (uint32_t c = snapshot.own.copies[s])
      to.set[s].mine().raise(w.row + 1, lane, c);
  }
}

void RaceChecker::acquire(WarpState &w, uint32_t mask, const Released &from) {
  if (from.empty())
    return;
  bool whole = w.same && (mask & w.warp->live) == w.warp->live;
  if (!whole)
    spread(w);
  for (unsigned s = 0; s != SetCount; ++s) {
    if (!from.set[s])
      continue;
    if (whole) {
      w.lanes[0].set[s] = joiner.join(w.lanes[0].set[s], from.set[s]);
      continue;
    }
    for (uint32_t m = mask; m; m &= m - 1) {
      ClockRef &c = w.lanes[std::countr_zero(m)].set[s];
      c = joiner.join(c, from.set[s]);
    }
  }
}

void RaceChecker::know(WarpState &w, uint32_t mask, const Released &from) {
  bool whole = (mask & w.warp->live) == w.warp->live;
  if (whole && !w.same) {
    // Only what the threads keep to themselves may still differ.
    const ClockRef &first = w.lanes[std::countr_zero(w.warp->live)].set[TensorAfter];
    for (uint32_t m = w.warp->live & (w.warp->live - 1); m && whole; m &= m - 1)
      whole = w.lanes[std::countr_zero(m)].set[TensorAfter] == first;
    if (whole)
      w.lanes[0].set[TensorAfter] = ClockRef(first);
  }
  if (whole) {
    w.same = true;
    mask = 1;
  } else {
    spread(w);
  }
  for (uint32_t m = mask; m; m &= m - 1)
    for (unsigned s = 0; s != TensorAfter; ++s)
      w.lanes[std::countr_zero(m)].set[s] = from.set[s];
}

//===----------------------------------------------------------------------===//
// Barriers (PTX ISA, Parallel Synchronization and Communication: bar, barrier.cluster)
//===----------------------------------------------------------------------===//

void RaceChecker::warpSync(Warp &warp, const Inst &inst, uint32_t group) {
  // PTX ISA: of the instructions of a whole warp only bar.warp.sync orders memory. A warp issues its accesses in order,
  // though, and threads that have voted, matched or reduced together have made theirs: libcu++ relies on it
  // (cuda::pipeline gives its barriers up behind a match).
  if (launch.options->rules != Rules::Hardware)
    switch (warp.frame->fn->ast->body[inst.source].row->op) {
    case Op::VoteAll:
    case Op::VoteAny:
    case Op::VoteUni:
    case Op::VoteBallot:
    case Op::MatchAny:
    case Op::MatchAll:
    case Op::Redux:
    case Op::Elect:
      return;
    default:
      break;
    }
  WarpState &w = stateOf(warp);
  Released met;
  release(met, w, group);
  know(w, group, met);
}

void RaceChecker::barrierArrive(Warp &warp, const Inst &, uint32_t number, bool wait) {
  WarpState &w = stateOf(warp);
  gather(w);
  BarrierClock &b = blockOf(warp.cta->rank).barriers[number];
  release(b.released, w, warp.live);
  b.used = true;
  if (wait)
    b.waiting.push_back(indexOf(warp));
}

void RaceChecker::barrierRelease(Cta &cta, uint32_t number) {
  BlockState &block = blockOf(cta.rank);
  BarrierClock &b = block.barriers[number];
  // A thread that has exited counts as having arrived wherever all threads are waited for.
  bool all = cta.barriers[number].expected == AllThreads;
  for (unsigned s = 0; all && s != SetCount; ++s)
    joinInto(b.released, s, block.exited.set[s]);
  // If all of the block have met and nobody has done anything since, they know every epoch, which is quick to see.
  uint32_t met = 0;
  for (uint32_t k : b.waiting)
    if (const WarpState &w = warps[k]; (w.published & w.warp->initialLanes) == w.warp->initialLanes)
      met |= 1u << (w.warp->index & 31);
  uint32_t horizon = 0;
  if (blocks.size() == 1 && uint32_t(std::popcount(met)) == (all ? block.liveWarps : warpsPerBlock))
    horizon = epochs.next();
  for (uint32_t k : b.waiting) {
    know(warps[k], ~0u, b.released);
    warps[k].horizon = std::max(warps[k].horizon, horizon);
  }
  b = BarrierClock();
}

void RaceChecker::threadsExit(Warp &warp, uint32_t lanes) {
  WarpState &w = stateOf(warp);
  BlockState &block = blockOf(warp.cta->rank);
  release(block.exited, w, lanes);
  if (cluster->clusterArrived)
    release(phases()[(cluster->clusterPhase + 1) & 1].released, w, lanes);
  if (warp.live & ~lanes)
    return;
  if (--block.liveWarps == 0)
    blockEnds(*warp.cta);
}

void RaceChecker::clusterArrive(Warp &warp, const Inst &, uint32_t mask, bool isRelease) {
  WarpState &w = stateOf(warp);
  uint64_t number = warp.clusterPhase[std::countr_zero(mask)] + 1;
  ClusterPhase &p = phases()[number & 1];
  if (p.number != number) {
    p = ClusterPhase();
    p.number = number;
    // A thread that has exited counts as having arrived; see threadsExit for those that do while the phase is open.
    for (uint32_t rank = 0; rank != cluster->ctas.size(); ++rank)
      for (unsigned s = 0; s != TensorAfter; ++s)
        joinInto(p.released, s, blockOf(rank).exited.set[s]);
  }
  if (isRelease) {
    release(p.released, w, mask);
    return;
  }
  // Relaxed: a fence before it releases, and fence.mbarrier_init releases the objects.
  for (uint32_t m = mask; m; m &= m - 1) {
    uint32_t l = uint32_t(std::countr_zero(m));
    if (w.patterns[l] && w.patterns[l]->hasFenced[1])
      release(p.released, w, l, w.patterns[l]->fenced[1]);
    joinInto(p.released, InitFenced, w.of(l).set[InitFenced]);
    if (uint32_t c = w.own[l].clock[InitFenced])
      p.released.set[InitFenced].mine().raise(w.row, l, c);
  }
  w.published |= mask;
}

void RaceChecker::clusterWait(Warp &warp, const Inst &, uint32_t mask, bool isAcquire) {
  WarpState &w = stateOf(warp);
  uint64_t number = warp.clusterPhase[std::countr_zero(mask)];
  ClusterPhase &p = phases()[number & 1];
  if (p.number != number || !isAcquire)
    return;
  acquire(w, mask, p.released);
}

//===----------------------------------------------------------------------===//
// Fences (PTX ISA, membar, fence; Memory Consistency Model, Release and Acquire Patterns)
//===----------------------------------------------------------------------===//

RaceChecker::Patterns &RaceChecker::patternsOf(WarpState &w, uint32_t lane) {
  if (!w.patterns[lane])
    w.patterns[lane] = std::make_unique<Patterns>();
  return *w.patterns[lane];
}

/// Index of a scope in Patterns and in the parts of a Location.
static int level(unsigned scope) { return scope == 1 ? 0 : scope == 2 ? 1 : 2; }

void RaceChecker::fence(Warp &warp, const Inst &, uint32_t mask, FenceKind kind, MemoryOrder order, Space space,
                        uint64_t) {
  WarpState &w = stateOf(warp);
  // A proxy fence moves what is known by now into another set.
  auto copy = [&](Set from, Set to) {
    bool whole = w.same && (mask & warp.live) == warp.live;
    if (whole)
      w.lanes[0].set[to] = joiner.join(w.lanes[0].set[to], w.lanes[0].set[from]);
    else
      spread(w);
    for (uint32_t m = mask; m; m &= m - 1) {
      uint32_t l = uint32_t(std::countr_zero(m));
      if (!whole)
        w.lanes[l].set[to] = joiner.join(w.lanes[l].set[to], w.lanes[l].set[from]);
      w.own[l].clock[to] = from == Plain ? w.clock : w.own[l].clock[from];
      w.own[l].copies[to] = w.own[l].copies[from];
    }
    w.ownSets |= 1u << to;
    w.published |= mask;
  };
  switch (kind) {
  case FenceKind::ProxyAsync:
    if (space != Space::Global)
      copy(Plain, AsyncShared);
    if (space != Space::Shared)
      copy(Plain, AsyncGlobal);
    return;
  case FenceKind::MbarrierInit:
    copy(Plain, InitFenced);
    return;
  case FenceKind::TensormapRelease:
    copy(Plain, TensormapReleased);
    return;
  case FenceKind::TensormapAcquire:
    copy(TensormapReleased, TensormapAcquired);
    return;
  case FenceKind::Tcgen05Before:
    copy(Plain, TensorBefore);
    return;
  case FenceKind::Tcgen05After:
    copy(TensorBefore, TensorAfter);
    return;
  case FenceKind::Thread:
    break;
  default:
    return;
  }
  int top = level(order.scope);
  if (order.acquire)
    for (uint32_t m = mask; m; m &= m - 1) {
      uint32_t l = uint32_t(std::countr_zero(m));
      if (!w.patterns[l] || !w.patterns[l]->hasPending)
        continue;
      Patterns &p = *w.patterns[l];
      for (int k = 0; k <= top; ++k)
        acquire(w, 1u << l, p.pending[k]);
    }
  if (order.release) {
    for (uint32_t m = mask; m; m &= m - 1) {
      uint32_t l = uint32_t(std::countr_zero(m));
      Patterns &p = patternsOf(w, l);
      for (int k = 0; k <= top; ++k) {
        p.fenced[k].knowledge = w.of(l);
        p.fenced[k].own = w.own[l];
        p.fenced[k].own.clock[Plain] = w.clock;
        p.hasFenced[k] = true;
      }
    }
    w.published |= mask;
  }
}

//===----------------------------------------------------------------------===//
// Synchronisation through memory
//===----------------------------------------------------------------------===//

/// What was released at gpu scope by a cluster that has ended becomes foreign knowledge.
void RaceChecker::retire(Location &l) {
  for (unsigned s = 0; s != SetCount; ++s) {
    ClockRef clock = l.gpu.set[s];
    if (!clock)
      continue;
    Foreign old;
    if (l.past.set[s])
      old = l.past.set[s]->foreign;
    // The entry itself must not point back at the log.
    ClockRef entry = clock;
    if (clock->foreign.length) {
      old.join(clock->foreign);
      entry.mine().foreign = Foreign();
    }
    // Only its owner appends to a log; one that came from elsewhere is copied.
    const void *owner = &l.past.set[s];
    if (!old.log || old.log->owner != owner || old.length != old.log->entries.size()) {
      auto log = std::make_shared<ForeignLog>();
      log->owner = owner;
      for (uint32_t k = 0; k != old.length; ++k)
        log->add(old.log->entries[k].first, old.log->entries[k].second);
      old.log = std::move(log);
    }
    old.log->add(l.number, entry);
    old.length = uint32_t(old.log->entries.size());
    ClockRef past;
    past.mine().foreign = old;
    l.past.set[s] = past;
    l.past.last[s] = ClockRef();
  }
  l.gpu = Released();
  l.clusters.clear();
  l.blocks.clear();
}

RaceChecker::Location &RaceChecker::locationAt(Space space, uint64_t address) {
  Location &l = locations[space == Space::Global][locationKey(space, address)];
  if (l.number != clusterNumber) {
    retire(l);
    l.number = clusterNumber;
  }
  return l;
}

void RaceChecker::publish(Location &to, WarpState &w, uint32_t lane, MemoryOrder order) {
  for (int k = 0; k <= level(order.scope); ++k) {
    Patterns *p = w.patterns[lane].get();
    if (!order.release && !(p && p->hasFenced[k]))
      continue;
    Released *target = k == 2 ? &to.gpu : nullptr;
    if (!target) {
      auto &parts = k == 1 ? to.clusters : to.blocks;
      uint32_t number = k == 1 ? base : base + w.warp->cta->rank;
      for (auto &[n, released] : parts)
        if (n == number)
          target = &released;
      if (!target)
        target = &parts.emplace_back(number, Released()).second;
    }
    if (order.release)
      release(*target, w, 1u << lane);
    else
      release(*target, w, lane, p->fenced[k]);
  }
}

void RaceChecker::observe(const Location &from, WarpState &w, uint32_t lane, MemoryOrder order, bool atomic) {
  int top = level(order.scope);
  auto take = [&](int k, const Released &r) {
    if (r.empty())
      return;
    if (order.acquire) {
      acquire(w, 1u << lane, r);
      return;
    }
    Patterns &p = patternsOf(w, lane);
    p.hasPending = true;
    for (unsigned s = 0; s != SetCount; ++s)
      joinInto(p.pending[k], s, r.set[s]);
    if (!atomic || launch.options->rules != Rules::Hardware)
      return;
    spread(w);
    ClockRef &observed = w.lanes[lane].set[Observed];
    for (Set s : {Plain, Observed})
      if (r.set[s])
        observed = joiner.join(observed, r.set[s]);
  };
  if (top >= 2) {
    take(2, from.past);
    take(2, from.gpu);
  }
  for (auto &[number, released] : from.clusters)
    if (top >= 1 && number == base)
      take(1, released);
  for (auto &[number, released] : from.blocks)
    if (number == base + w.warp->cta->rank)
      take(0, released);
}

void RaceChecker::synchronize(WarpState &w, uint32_t lane, Space space, uint64_t address, AccessKind kind,
                              MemoryOrder order, bool atomic) {
  auto &map = locations[space == Space::Global];
  auto it = map.find(locationKey(space, address));
  if (kind == AccessKind::Read) {
    if (it != map.end())
      observe(locationAt(space, address), w, lane, order, atomic);
    return;
  }
  bool publishes = order.release;
  if (Patterns *p = w.patterns[lane].get())
    for (int k = 0; k <= level(order.scope); ++k)
      publishes |= p->hasFenced[k];
  // A plain write ends the release sequence, an atomic operation goes on with it.
  if (kind == AccessKind::Write && it != map.end())
    map.erase(it);
  if (publishes)
    publish(locationAt(space, address), w, lane, order);
}
