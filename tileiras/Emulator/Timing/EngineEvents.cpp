//===- EngineEvents.cpp - Memory, barriers, asynchronous units --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Timing/Engine.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace tileiras::emu;
using namespace tileiras::emu::timing;

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

uint8_t Engine::L1Cache::miss(uint64_t line, uint8_t wanted) {
  constexpr size_t Ways = 8;
  const size_t sets = ways.size() / Ways;
  Way *set = &ways[((line * 0x9e3779b97f4a7c15ull) >> 32) % sets * Ways];
  Way *oldest = set;
  for (Way *w = set; w != set + Ways; ++w) {
    if (w->line == line) {
      w->used = ++clock;
      uint8_t missing = wanted & ~w->sectors;
      w->sectors |= wanted;
      return missing;
    }
    if (w->used < oldest->used)
      oldest = w;
  }
  *oldest = {line, wanted, ++clock};
  return wanted;
}

/// Reads `bytes` from L2, and from DRAM what misses there. When the last of them can leave L2, without latency.
double Engine::fromL2(Sm &sm, double bytes, double t, bool &missed) {
  l2Read += bytes;
  double done = throughL2(sm, bytes, t);
  // Misses are spread evenly; a request that contains one has the latency of DRAM.
  missCredit += std::min(1.0, config.missRatio * std::max(1.0, bytes / 128));
  missed = missCredit >= 1;
  if (missed)
    missCredit -= 1;
  if (config.missRatio > 0) {
    const double work = bytes * config.missRatio / dramRate;
    dramBytes += bytes * config.missRatio;
    dram.take(t, work);
    done = std::max(done, dramReads.take(t, work));
  }
  return done;
}

double Engine::toL2(Sm &sm, double bytes, double t, double &room) {
  l2Write += bytes;
  const double done = throughL2(sm, bytes, t);
  if (config.writeRatio > 0) {
    dramBytes += bytes * config.writeRatio;
    dram.take(t, bytes * config.writeRatio / dramWriteRate);
  }
  room = std::max({sm.port.free - 1000, l2.free - 1000, dram.free - writeBuffer});
  return done;
}

/// Local memory, spilled registers among it: a register of a warp is a line of L1. What is read is there for whoever
/// waits for the instruction; L2 has what L1 has no room for.
double Engine::performLocal(Sm &sm, const OpCost &op, double t) {
  const double loads = op.localLoads * 32, stores = op.localStores * 32;
  sm.l1.take(t, (loads + stores) / 128);
  double done = sm.exchangeTake(t, (loads + stores) / machine.exchange_bytes), room = 0;
  if (stores > 0 && config.localMisses > 0)
    toL2(sm, stores * config.localMisses, t, room);
  if (loads == 0)
    return t;
  const double slower = latencySlower(Stall::Global);
  done += machine.lat_l1 * slower - 1;
  if (config.localMisses > 0) {
    l2Read += loads * config.localMisses;
    done = std::max(done, throughL2(sm, loads * config.localMisses, t) + machine.lat_l2 * slower);
  }
  return done;
}

double Engine::performAccess(WarpState &w, const Access &a, double t) {
  Sm &sm = sms[w.sm];
  if (a.shared) {
    // The interval is one of requests: the wavefronts of one request follow each other at the full width.
    const double work = std::max(machine.exchange_request_interval * std::min(1.0, double(a.wavefronts)),
                                 double(a.wavefronts) * 128 / machine.exchange_bytes) *
                        (a.atomic ? 1.2 : 1);
    w.memoryNext = std::max(w.memoryNext, t + machine.exchange_warp_interval * sm.exchange.slower *
                                                  std::min(1.0, double(a.wavefronts)));
    if (a.remote) {
      double done = sm.dsmem.take(t, a.bytes / std::max(1.0, machine.dsmem_bytes));
      return done + machine.lat_dsmem * latencySlower(Stall::Exchange);
    }
    double done = sm.exchangeTake(t, work);
    sm.admit(done - 1);
    return done - 1 + machine.lat_shared * latencySlower(Stall::Exchange);
  }
  const double slower = latencySlower(a.copy ? Stall::Copies : Stall::Global);
  const ClusterTrace &trace = *instances[w.instance].trace;
  const double lines = a.linesEnd - a.linesBegin;
  if (a.atomic) {
    double begin = sm.l1.take(t, std::max(machine.l1_request_interval, lines));
    sm.admit(begin - 1);
    l2Write += a.sectors * 32.0;
    double done = std::max(
        sm.port.take(begin, a.sectors * 32 / portRate),
        l2.take(begin, std::max(a.sectors * 32 / l2Rate, lines * machine.atom_l2_interval / double(sms.size()))));
    return done + machine.atom_latency * slower;
  }
  const double passes = std::max({machine.l1_request_interval, lines, a.sectors * 32 / machine.l1_bytes});
  if (a.write) {
    double begin = sm.l1.take(t, passes), room = 0;
    sm.admit(begin - 1);
    toL2(sm, a.sectors * 32.0, begin, room);
    w.wrote = true;
    // A store is posted, but what it waits behind is not unbounded.
    if (room > t)
      w.minimum = std::max(w.minimum, room);
    return t + 1;
  }
  double begin = sm.l1.take(t, passes);
  sm.admit(begin - 1);
  unsigned missing = 0;
  l1Requests += a.sectors;
  for (uint32_t k = a.linesBegin; k != a.linesEnd; ++k) {
    const Line &line = trace.lines[k];
    // Blocks are copies of one another in the model, but their data are not.
    uint8_t need =
        a.bypassL1 || a.copy ? line.sectors : sm.cache.miss(line.line ^ uint64_t(w.instance + 1) << 40, line.sectors);
    missing += unsigned(std::popcount(need));
  }
  l1Hits += a.sectors - missing;
  double result = begin - 1 + machine.lat_l1 * slower;
  if (missing) {
    bool missed = false;
    double done = fromL2(sm, missing * 32.0, begin, missed);
    result = done + (missed ? machine.lat_dram : machine.lat_l2) * slower;
  }
  if (!a.copy) {
    // L1 and shared memory are one array with one path: what was missing is written to it, then all is read.
    const double bytes = (a.sectors + missing) * 32.0;
    result = std::max(result, sm.exchangeTake(begin, bytes / machine.exchange_bytes) + machine.lat_l1 * slower);
  }
  if (a.copy) { // cp.async: the data go on into shared memory
    result = std::max(result, sm.exchangeTake(begin, a.bankWaves));
    w.copies.push_back(std::max(result, w.copies.empty() ? 0.0 : w.copies.back()));
    return t + 1;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Phases and operations
//===----------------------------------------------------------------------===//

void Engine::arrive(Phase &phase, double t, bool copies, bool tensor) {
  phase.time = std::max(phase.time, t);
  phase.copies |= copies;
  phase.tensor |= tensor;
  if (!phase.remaining || --phase.remaining)
    return;
  std::vector<uint32_t> waiters = std::move(phase.waiters);
  phase.waiters.clear();
  for (uint32_t warp : waiters)
    if (resolveWaits(warp))
      push(warp, warps[warp].next);
}

void Engine::arrivals(Instance &i, const AsyncRecord &r, double t) {
  for (auto &[barrier, phase] : r.arrivals)
    arrive(i.mbarriers[barrier][phase], t,
           r.kind == AsyncKind::CopyIn || r.kind == AsyncKind::CopiesArrive || r.kind == AsyncKind::CopyPeer,
           r.kind == AsyncKind::TensorCommit);
}

void Engine::resolveOperation(Instance &i, uint32_t number) {
  Operation &o = i.operations[number];
  o.known = true;
  std::vector<uint32_t> waiters = std::move(o.waiters);
  o.waiters.clear();
  for (uint32_t warp : waiters)
    if (resolveWaits(warp))
      push(warp, warps[warp].next);
}

bool Engine::resolveWaits(uint32_t index) {
  WarpState &w = warps[index];
  Instance &i = instances[w.instance];
  double next = std::max(w.issueEnd, w.minimum);
  Stall why = w.minimum > w.issueEnd ? Stall::MemoryQueue : Stall::None;
  auto until = [&](double t, Stall reason) {
    if (t > next)
      next = t, why = reason;
  };
  auto open = [&](std::vector<uint32_t> &waiters) {
    waiters.push_back(index);
    w.blocked = true;
    return false;
  };
  uint32_t source = 0;
  for (uint32_t k = w.waitsBegin; k != w.waitsEnd; ++k) {
    const TraceEvent &e = w.trace->events[k];
    source = e.source;
    switch (e.kind) {
    case EventKind::BarrierWait: {
      Phase &p = i.barriers[e.a][e.b];
      if (p.remaining)
        return open(p.waiters);
      until(p.time + machine.bar_base * latencySlower(Stall::Barrier), Stall::Barrier);
      break;
    }
    case EventKind::ClusterWait: {
      Phase &p = i.cluster[e.b];
      if (p.remaining)
        return open(p.waiters);
      until(p.time + machine.cluster_barrier * latencySlower(Stall::ClusterBarrier), Stall::ClusterBarrier);
      break;
    }
    case EventKind::MbarrierWait: {
      if (e.b >= i.mbarriers[e.a].size())
        break;
      Phase &p = i.mbarriers[e.a][e.b];
      if (p.remaining)
        return open(p.waiters);
      // An unsuccessful test suspends the warp, which is woken when the phase completes; a successful one has the
      // latency of the test alone.
      const double woken = p.time > w.issueEnd ? machine.mbar_wake : 0;
      until(std::max(w.issueEnd, p.time) + (machine.mbar_wait + woken) * latencySlower(Stall::Mbarrier),
            p.copies   ? Stall::CopyArrival
            : p.tensor ? Stall::TensorArrival
                       : Stall::Mbarrier);
      break;
    }
    case EventKind::AsyncWait: {
      Operation &o = i.operations[e.a];
      if (!o.known)
        return open(o.waiters);
      const AsyncKind kind = i.trace->operations[e.a].kind;
      until(e.b ? o.reads : o.done, kind == AsyncKind::Wgmma        ? Stall::Wgmma
                                    : kind == AsyncKind::TensorMove ? Stall::TensorMemory
                                                                    : Stall::Copies);
      break;
    }
    case EventKind::CopiesWait:
      if (e.a && !w.copies.empty())
        until(w.copies[std::min<size_t>(e.a, w.copies.size()) - 1], Stall::Copies);
      break;
    case EventKind::Fence:
      if (FenceKind(e.a) == FenceKind::ProxyAsync)
        until(w.issueEnd + machine.fence_proxy * latencySlower(Stall::Fence), Stall::Fence);
      else if (FenceKind(e.a) == FenceKind::Thread || FenceKind(e.a) == FenceKind::TensormapRelease ||
               FenceKind(e.a) == FenceKind::TensormapAcquire) {
        if (FenceKind(e.a) == FenceKind::TensormapAcquire)
          i.maps[e.b >> 8] = 0; // the next copy with it fetches it again
        double clocks = 8;
        if ((e.b & 255) >= 3) {
          clocks = machine.membar_gl + (w.wrote ? machine.membar_write : 0);
          w.wrote = false;
        }
        until(w.issueEnd + clocks * latencySlower(Stall::Fence), Stall::Fence);
      }
      break;
    case EventKind::Sleep:
      // PTX ISA, nanosleep: about the time asked for, at most twice as long.
      until(w.issueEnd + e.a * machine.clock_mhz * 1e-3, Stall::Sleep);
      break;
    default:
      break;
    }
  }
  w.blocked = false;
  w.next = next;
  if (next > w.issueEnd && w.waitsEnd != w.waitsBegin) {
    const uint32_t function = costs.blocks[w.trace->entries[w.entry].block].function;
    account(w, function, source, why, next - w.issueEnd, next);
  }
  return true;
}

double Engine::performEvents(WarpState &w, uint32_t source, double t) {
  const uint32_t eventsEnd =
      w.entry + 1 != w.trace->entries.size() ? w.trace->entries[w.entry + 1].events : uint32_t(w.trace->events.size());
  Instance &i = instances[w.instance];
  Sm &sm = sms[w.sm];
  double result = t;
  while (w.event != eventsEnd && w.trace->events[w.event].source == source) {
    const TraceEvent &e = w.trace->events[w.event++];
    switch (e.kind) {
    case EventKind::Access:
      result = std::max(result, performAccess(w, i.trace->accesses[e.a], t));
      break;
    case EventKind::BarrierArrive:
    case EventKind::BarrierWait:
      arrive(i.barriers[e.a][e.b], sm.barrier.take(t, machine.bar_per_warp), false, false);
      break;
    case EventKind::ClusterArrive:
      arrive(i.cluster[e.b], t, false, false);
      break;
    case EventKind::MbarrierArrive:
      arrive(i.mbarriers[e.a][e.b], t + machine.mbar_arrive * latencySlower(Stall::Mbarrier), false, false);
      break;
    case EventKind::AsyncIssue:
      performAsync(w, e.a, t);
      result = std::max(result, i.operations[e.a].done);
      break;
    case EventKind::AsyncJoin: {
      Operation &o = i.operations[e.a];
      o.joinTime = std::max(o.joinTime, t);
      if (++o.joined == 4)
        startWgmma(w, i, e.a);
      break;
    }
    default:
      break; // waits: resolveWaits
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Asynchronous units
//===----------------------------------------------------------------------===//

/// wgmma m64nNkK: N/2 clocks per 32 bytes of K, or as long as the operands take out of shared memory.
void Engine::startWgmma(WarpState &w, Instance &i, uint32_t number) {
  const AsyncRecord &r = i.trace->operations[number];
  Operation &o = i.operations[number];
  Sm &sm = sms[w.sm];
  const double rate = 4096 / std::max(1.0, machine.wgmma_flops);
  const double wavefronts = ((r.aInShared ? 16 : 0) + r.n / 4.0) * r.rowsOf32;
  const double work = std::max((r.n / 2.0 * r.rowsOf32 * rate + 1) * unitSlower(Unit::Tensor),
                               (wavefronts + 1) * unitSlower(Unit::Exchange));
  const double begin = std::max(o.joinTime, sm.tensor.free);
  const double end = sm.tensor.take(o.joinTime, work);
  sm.feedTensor(wavefronts, work);
  flops += r.flops;
  o.reads = end;
  o.done = end + machine.wgmma_tail * latencySlower(Stall::Wgmma);
  if (config.timeline && w.instance < config.resident)
    record(w.instance * uint32_t(sms.size()) + w.sm, ~0u, begin, end, Stall::None, r.function, r.source, r.kind);
  resolveOperation(i, number);
}

void Engine::performAsync(WarpState &w, uint32_t number, double t) {
  Instance &i = instances[w.instance];
  const AsyncRecord &r = i.trace->operations[number];
  if (r.kind == AsyncKind::Wgmma)
    return; // begins when its fourth warp joins
  Operation &o = i.operations[number];
  Sm &sm = sms[w.sm];
  double begin = t;
  o.reads = o.done = t;
  const double bytes = double(r.bytes);
  // A tensor map that the kernel has made lies in L2, and is fetched by the first copy that uses it.
  double mapped = t;
  if (r.map != ~0u) {
    double &there = i.maps[r.map];
    if (there == 0)
      there = t + machine.lat_l2 * latencySlower(Stall::CopyArrival);
    mapped = std::max(t, there);
  }
  switch (r.kind) {
  case AsyncKind::CopyIn: {
    begin = sm.tmaIssue.take(mapped, machine.tma_issue_interval) - machine.tma_issue_interval;
    // A line of shared memory a clock, so short rows fill it badly.
    const double full = std::max(1.0, machine.tma_bytes), narrow = std::max(1.0, machine.tma_narrow_bytes);
    const double rate = !r.rowBytes || r.rowBytes >= 128 ? full
                        : r.rowBytes >= 64               ? narrow
                                                         : std::max(2.0, narrow * r.rowBytes / 64);
    bool missed = false;
    const double data = fromL2(sm, bytes, begin, missed);
    double in = 0;
    for (uint32_t k = 0; k != std::min<uint32_t>(r.targets, uint32_t(sms.size())); ++k)
      in = std::max(in, sms[(w.sm + k) % sms.size()].tmaIn.take(begin, bytes / rate));
    o.reads = begin + machine.tma_issue_interval;
    o.done = std::max(in, data) +
             (machine.tma_latency + (missed ? machine.lat_dram + machine.tma_miss_latency : machine.lat_l2)) *
                 latencySlower(Stall::CopyArrival);
    w.minimum = std::max(w.minimum, t + machine.tma_hold * unitSlower(Unit::TmaIssue));
    break;
  }
  case AsyncKind::Prefetch: {
    begin = sm.tmaIssue.take(mapped, machine.tma_issue_interval) - machine.tma_issue_interval;
    bool missed = false;
    o.done = fromL2(sm, bytes, begin, missed);
    break;
  }
  case AsyncKind::CopyOut: {
    begin = sm.tmaIssue.take(mapped, machine.tma_issue_interval) - machine.tma_issue_interval;
    sm.exchangeTake(begin, bytes / machine.exchange_bytes);
    const double out = sm.tmaOut.take(begin, bytes / std::max(1.0, machine.tma_store_bytes));
    double room = 0;
    const double done = std::max(out, toL2(sm, bytes, begin, room));
    o.reads = std::max(out, room);
    o.done = std::max(done, room) + machine.tma_store_latency * latencySlower(Stall::Copies);
    w.minimum = std::max(w.minimum, t + machine.tma_hold * unitSlower(Unit::TmaIssue));
    break;
  }
  case AsyncKind::CopyPeer:
    o.reads = sm.dsmem.take(t, bytes / std::max(1.0, machine.dsmem_bytes));
    o.done = o.reads + machine.lat_dsmem * latencySlower(Stall::CopyArrival);
    break;
  case AsyncKind::CopiesArrive:
    o.done =
        std::max(t, r.covers && !w.copies.empty() ? w.copies[std::min<size_t>(r.covers, w.copies.size()) - 1] : t) +
        machine.mbar_arrive;
    break;
  case AsyncKind::TensorMma: {
    // See docs/timing.md: N/2 clocks per 32 bytes of K, N/4 for a pair with M = 128.
    const double rows = double(r.m) / r.group, scale = 8192 / std::max(1.0, machine.tcgen05_flops);
    const double compute = (r.group == 2 && r.m <= 128 ? r.n / 4.0 : r.n / 2.0) * scale;
    const double wavefronts = (r.aInShared ? rows / 4 : 0) + double(r.n) / r.group / 4;
    const double work = std::max(compute * unitSlower(Unit::Tensor), wavefronts * unitSlower(Unit::Exchange));
    double end = 0;
    begin = std::max(t, sm.tensor.free);
    for (uint32_t k = 0; k != std::min<uint32_t>(r.group, uint32_t(sms.size())); ++k) {
      Sm &one = sms[w.sm ^ k];
      end = std::max(end, one.tensor.take(t, work));
      one.feedTensor(wavefronts, work);
    }
    flops += r.flops;
    o.reads = end;
    const double tail = r.group == 2  ? machine.tcgen05_tail_pair
                        : r.aInShared ? (rows <= 64 ? machine.tcgen05_tail_ss - 16 : machine.tcgen05_tail_ss)
                                      : machine.tcgen05_tail_ts;
    o.done = end + tail * latencySlower(Stall::TensorArrival);
    for (uint32_t k = 0; k != std::min<uint32_t>(r.group, uint32_t(sms.size())); ++k)
      i.tensorDone[r.cta ^ k] = std::max(i.tensorDone[r.cta ^ k], o.done);
    break;
  }
  case AsyncKind::TensorOther:
    begin = std::max(t, sm.tensor.free);
    o.done = sm.tensor.take(t, std::max(1.0, bytes / 128)) + machine.tcgen05_tail_ts;
    i.tensorDone[r.cta] = std::max(i.tensorDone[r.cta], o.done);
    break;
  case AsyncKind::TensorCommit:
    o.done = std::max(t + machine.mbar_arrive, i.tensorDone[r.cta]);
    break;
  case AsyncKind::TensorMove: {
    const double work = std::max(machine.tmem_min_interval, bytes / std::max(1.0, machine.tmem_bytes));
    o.reads = sm.pipe[w.sub][unsigned(Pipe::Tmem)].take(t, work);
    o.done = o.reads + (r.load ? machine.lat_tmem : 8) * latencySlower(Stall::TensorMemory);
    break;
  }
  case AsyncKind::Cancel:
    o.done = t + machine.cancel_latency;
    break;
  default:
    o.done = t + machine.mbar_arrive;
    break;
  }
  if (config.timeline && w.instance < config.resident && r.kind != AsyncKind::TensorCommit)
    record(w.instance * uint32_t(sms.size()) + w.sm, ~0u, begin, o.done, Stall::None, r.function, r.source, r.kind);
  arrivals(i, r, o.done);
  resolveOperation(i, number);
}
