//===- Engine.cpp - Replays traces on a model of an SM ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Timing/Engine.h"

#include <algorithm>
#include <cmath>

using namespace tileiras::emu;
using namespace tileiras::emu::timing;

const char *tileiras::emu::timing::unitName(Unit u) {
  static const char *names[NumUnits] = {"issue",
                                        "fma pipe",
                                        "integer multiply pipe",
                                        "alu pipe",
                                        "special function unit",
                                        "f64 pipe",
                                        "tensor cores (mma.sync)",
                                        "tensor memory port",
                                        "shared memory",
                                        "tensor cores",
                                        "bulk copy issue",
                                        "bulk copy ingest",
                                        "bulk copy egress",
                                        "L1",
                                        "L2",
                                        "DRAM",
                                        "cluster network"};
  return names[unsigned(u)];
}

void tileiras::emu::timing::orderEvents(ClusterTrace &trace, const Costs &costs) {
  for (WarpTrace &w : trace.warps)
    for (size_t e = 0; e != w.entries.size(); ++e) {
      const BlockCosts &block = costs.blocks[w.entries[e].block];
      auto begin = w.events.begin() + w.entries[e].events;
      auto end = e + 1 != w.entries.size() ? w.events.begin() + w.entries[e + 1].events : w.events.end();
      auto position = [&](const TraceEvent &v) {
        return v.source < block.begin || v.source >= block.end ? -1 : int64_t(block.position[v.source - block.begin]);
      };
      auto before = [&](const TraceEvent &a, const TraceEvent &b) { return position(a) < position(b); };
      if (!std::is_sorted(begin, end, before))
        std::stable_sort(begin, end, before);
    }
}

Engine::Engine(const Costs &costs, const EngineConfig &config) : costs(costs), machine(costs.machine), config(config) {
  for (const FunctionCode &f : costs.program.functions) {
    functionBase.push_back(totalRegisters);
    totalRegisters += uint32_t(f.ast->registers.size());
    lineCounts.emplace_back(f.ast->body.size());
  }
  // In run(), when the number of a cluster's blocks is known, the shares become theirs.
  const double active = std::max(1.0, config.activeSms);
  portRate = machine.l2_sm_bytes;
  l2Rate = machine.l2_bytes / active;
  // Writes are slower, so that a copy gets the rate that was measured.
  const double write = 1 / std::max(1e-9, 2 / machine.dram_best_gbs - 1 / machine.dram_read_gbs);
  const double perClock = 1e3 / machine.clock_mhz / active;
  dramRate = std::min(portRate, machine.dram_read_gbs * perClock);
  dramWriteRate = std::min(portRate, write * perClock);
  // The SM's share of the half of L2 that may be waiting to be written, in clocks of DRAM.
  writeBuffer = machine.l2_mib * 1048576 * 0.5 / active / dramWriteRate;
}

void Engine::Sm::slowDown(const Slowdown &s) {
  auto set = [&](Server &server, Unit u) { server.slower = s.unit[unsigned(u)]; };
  for (unsigned k = 0; k != 4; ++k) {
    set(issue[k], Unit::Issue);
    for (unsigned p = 1; p != NumPipes; ++p)
      set(pipe[k][p], Unit(unsigned(Unit::Fma) + p - 1));
  }
  set(exchange, Unit::Exchange);
  set(tmaIssue, Unit::TmaIssue);
  set(tmaIn, Unit::TmaIn);
  set(tmaOut, Unit::TmaOut);
  set(l1, Unit::L1);
  set(port, Unit::L2);
  set(dsmem, Unit::Dsmem);
  barrier.slower = s.latency[unsigned(Stall::Barrier)];
  // Products take as long as the arithmetic or the operands, whichever is more: where they begin.
}

void Engine::push(uint32_t warp, double t) { heap.push({t, warps[warp].order, warp}); }

void Engine::start(const ClusterTrace &trace, uint32_t slot, double t) {
  uint32_t number = uint32_t(instances.size());
  Instance &i = instances.emplace_back();
  i.trace = &trace;
  i.id = number;
  i.slot = slot;
  i.warpsLeft = uint32_t(trace.warps.size());
  auto fill = [](std::vector<std::vector<Phase>> &to, const std::vector<std::vector<uint32_t>> &from) {
    to.resize(from.size());
    for (size_t k = 0; k != from.size(); ++k) {
      to[k].resize(from[k].size());
      for (size_t p = 0; p != from[k].size(); ++p)
        to[k][p].remaining = from[k][p];
    }
  };
  fill(i.mbarriers, trace.phases);
  fill(i.barriers, trace.barrierPhases);
  i.cluster.resize(trace.clusterPhases.size());
  for (size_t p = 0; p != i.cluster.size(); ++p)
    i.cluster[p].remaining = trace.clusterPhases[p];
  i.operations.resize(trace.operations.size());
  i.tensorDone.assign(trace.ctas, 0);
  i.maps.assign(trace.maps, 0);
  starts.push_back(t);
  finishes.push_back(t);
  for (uint32_t k = 0; k != trace.warps.size(); ++k) {
    // Slots of the warps: one set for each resident cluster.
    uint32_t index = slot * uint32_t(trace.warps.size()) + k;
    WarpState &w = warps[index];
    w.trace = &trace.warps[k];
    w.instance = number;
    w.sm = w.trace->cta;
    w.sub = (slot * trace.warpsPerCta + w.trace->warp) % 4;
    w.number = w.trace->warp;
    w.entry = 0;
    w.op = 0;
    w.event = 0;
    w.next = w.memoryNext = w.runBegin = t;
    w.order = orderCounter++;
    w.live = true;
    w.blocked = w.wrote = false;
    w.ready.assign(totalRegisters, 0);
    w.by.assign(totalRegisters, 0);
    w.copies.clear();
    push(index, t);
  }
}

void Engine::sumUnits() {
  const Sm &sm = sms[0];
  for (unsigned s = 0; s != 4; ++s) {
    busy[unsigned(Unit::Issue)] += sm.issue[s].busy / 4;
    for (unsigned p = 1; p != NumPipes; ++p)
      busy[unsigned(Unit::Fma) + p - 1] += sm.pipe[s][p].busy / 4;
  }
  busy[unsigned(Unit::Exchange)] = sm.exchange.busy;
  busy[unsigned(Unit::Tensor)] = sm.tensor.busy;
  busy[unsigned(Unit::TmaIssue)] = sm.tmaIssue.busy;
  busy[unsigned(Unit::TmaIn)] = sm.tmaIn.busy;
  busy[unsigned(Unit::TmaOut)] = sm.tmaOut.busy;
  busy[unsigned(Unit::L1)] = sm.l1.busy;
  busy[unsigned(Unit::L2)] = std::max(l2.busy, sm.port.busy);
  busy[unsigned(Unit::Dram)] = dram.busy;
  busy[unsigned(Unit::Dsmem)] = sm.dsmem.busy;
}

bool Engine::run(const std::vector<const ClusterTrace *> &clusters) {
  if (clusters.empty())
    return true;
  queue = &clusters;
  const ClusterTrace &first = *clusters[0];
  sms.resize(first.ctas);
  for (double *rate : {&l2Rate, &dramRate, &dramWriteRate})
    *rate *= first.ctas;
  for (Sm &sm : sms) {
    double kib = machine.l1_kib - config.resident * (config.sharedBytes + 1024) / 1024.0;
    sm.cache.ways.resize(size_t(std::max(16.0, kib)) * 8);
    sm.requests.resize(size_t(machine.exchange_queue), 0);
    sm.slowDown(config.slower);
  }
  l2.slower = unitSlower(Unit::L2);
  dram.slower = dramReads.slower = unitSlower(Unit::Dram);
  warps.resize(first.warps.size() * config.resident);
  byWarp.resize(first.warpsPerCta);
  for (nextCluster = 0; nextCluster != std::min<size_t>(config.resident, clusters.size()); ++nextCluster)
    start(*clusters[nextCluster], uint32_t(nextCluster), 0);
  while (!heap.empty()) {
    Key k = heap.top();
    if (config.maxIssued && issued >= config.maxIssued) {
      end = k.t;
      sumUnits();
      return true;
    }
    heap.pop();
    step(k.warp, k.t);
  }
  for (size_t k = 0; k != warps.size(); ++k)
    if (warps[k].live) {
      problem = "warp " + std::to_string(warps[k].number) + " waits for something that the trace never completes";
      return false;
    }
  for (double f : finishes)
    end = std::max(end, f);
  byLine.resize(1);
  for (uint32_t f = 0; f != lineCounts.size(); ++f)
    for (uint32_t s = 0; s != lineCounts[f].size(); ++s)
      if (lineCounts[f][s].executed)
        byLine[0][{f, s}] = lineCounts[f][s];
  sumUnits();
  // What is written must have left the SM before the kernel is over.
  end = std::max({end, l2.free, dram.free});
  return true;
}

void Engine::record(uint32_t cta, uint32_t warp, double begin, double finish, Stall why, uint32_t function,
                    uint32_t source, AsyncKind kind) {
  if (timeline.size() < config.maxIntervals && finish > begin)
    timeline.push_back({cta, warp, begin, finish, why, kind, function, source});
}

void Engine::account(WarpState &w, uint32_t function, uint32_t source, Stall why, double clocks, double at) {
  if (clocks <= 0)
    return;
  byWarp[w.number][unsigned(why)] += clocks;
  lineCounts[function][source].clocks[unsigned(why)] += clocks;
  if (!config.timeline || w.instance >= config.resident || clocks < 8 || why == Stall::NotSelected)
    return;
  const uint32_t cta = w.instance * uint32_t(sms.size()) + w.sm;
  record(cta, w.number, w.runBegin, at - clocks, Stall::None, function, source);
  record(cta, w.number, at - clocks, at, why, function, source);
  w.runBegin = at;
}

void Engine::exitWarp(uint32_t index, double t) {
  WarpState &w = warps[index];
  w.live = false;
  if (config.timeline && w.instance < config.resident)
    record(w.instance * uint32_t(sms.size()) + w.sm, w.number, w.runBegin, t, Stall::None, 0, 0);
  Instance &i = instances[w.instance];
  finishes[i.id] = std::max(finishes[i.id], t);
  if (--i.warpsLeft)
    return;
  // Asynchronous stores may outlive the warps.
  const uint32_t slot = i.slot;
  i.mbarriers.clear();
  i.barriers.clear();
  i.operations.clear();
  if (nextCluster != queue->size())
    start(*(*queue)[nextCluster++], slot, finishes[i.id] + config.blockStart);
}

void Engine::step(uint32_t index, double now) {
  WarpState &w = warps[index];
  for (;;) {
    if (w.entry == w.trace->entries.size()) {
      exitWarp(index, std::max(now, w.next));
      return;
    }
    const BlockEntry &entry = w.trace->entries[w.entry];
    const BlockCosts &block = costs.blocks[entry.block];
    if (w.op == 0 && w.event < w.trace->events.size() && w.event < entry.events)
      w.event = entry.events;
    const uint32_t eventsEnd = w.entry + 1 != w.trace->entries.size() ? w.trace->entries[w.entry + 1].events
                                                                      : uint32_t(w.trace->events.size());
    // Events of instructions outside this block: threads that diverged. They are performed first.
    if (w.op == 0 && w.event != eventsEnd) {
      const TraceEvent &e = w.trace->events[w.event];
      if (e.source < block.begin || e.source >= block.end) {
        if (w.next > now && !heap.empty() && heap.top().t < w.next) {
          push(index, w.next);
          return;
        }
        now = std::max(now, w.next);
        w.issueEnd = now + 1;
        w.minimum = 0;
        w.waitingOp = nullptr;
        w.waitsBegin = w.event;
        performEvents(w, e.source, now);
        w.waitsEnd = w.event;
        if (!resolveWaits(index))
          return;
        continue;
      }
    }
    if (w.op == block.ops.size()) {
      ++w.entry;
      w.op = 0;
      continue;
    }
    const OpCost &op = block.ops[w.op];
    const uint32_t base = functionBase[block.function];
    double operands = 0;
    uint8_t by = 0;
    for (uint32_t k = op.readsBegin; k != op.writesEnd; ++k) {
      double r = w.ready[base + block.registers[k]];
      if (r > operands)
        operands = r, by = w.by[base + block.registers[k]];
    }
    const bool hasEvents = w.event < eventsEnd && w.trace->events[w.event].source == op.source;
    if (!op.slots && !hasEvents) { // folded into its users
      for (uint32_t k = op.readsEnd; k != op.writesEnd; ++k) {
        w.ready[base + block.registers[k]] = operands;
        w.by[base + block.registers[k]] = by;
      }
      ++w.op;
      continue;
    }
    const double ready = std::max(w.next, operands);
    Sm &sm = sms[w.sm];
    double t = ready;
    Stall why = Stall::NotSelected;
    auto atLeast = [&](double free, Stall reason) {
      if (free > t)
        t = free, why = reason;
    };
    atLeast(sm.issue[w.sub].free, Stall::NotSelected);
    if (op.pipe != Pipe::None) {
      // The special function unit has room for two more.
      const double room = op.pipe == Pipe::Xu ? 2 * machine.xu_interval : 0;
      atLeast(sm.pipe[w.sub][unsigned(op.pipe)].free - room, Stall::PipeBusy);
    }
    if (op.dynamic && (op.produces == Stall::Exchange || op.produces == Stall::Global)) {
      atLeast(sm.requests[sm.oldest], Stall::MemoryQueue);
      atLeast(w.memoryNext, Stall::MemoryQueue);
    }
    if (t > now && !heap.empty() && heap.top().t < t) {
      push(index, t);
      return;
    }
    now = std::max(now, t);
    // Where the time since the last instruction went.
    if (operands > w.next)
      account(w, block.function, op.source, Stall(by), operands - w.next, operands);
    if (now > ready)
      account(w, block.function, op.source, why, now - ready, now);
    w.order = orderCounter++;
    issue(w, op, block, now);
    ++w.op;
    if (w.blocked)
      return;
    if (!resolveWaits(index))
      return;
    if (!heap.empty() && heap.top().t < w.next) {
      push(index, w.next);
      return;
    }
  }
}

void Engine::issue(WarpState &w, const OpCost &op, const BlockCosts &block, double t) {
  Sm &sm = sms[w.sm];
  const uint32_t base = functionBase[block.function];
  sm.issue[w.sub].take(t, op.slots);
  issued += op.slots;
  StallCounts &line = lineCounts[block.function][op.source];
  ++line.executed;
  line.clocks[0] += op.slots;
  byWarp[w.number][0] += op.slots;
  w.issueEnd = t + op.slots * unitSlower(Unit::Issue);
  const double latency = op.latency * latencySlower(op.produces);
  double result = t + latency;
  if (op.pipe != Pipe::None) {
    Server &pipe = sm.pipe[w.sub][unsigned(op.pipe)];
    double done = pipe.take(t, op.busy);
    result = std::max(result, done - op.busy * pipe.slower + latency);
  }
  if (op.exchange) {
    double done = sm.exchangeTake(t, op.exchange);
    sm.admit(done - 1);
    result = std::max(result, done - 1 + latency);
    w.memoryNext = std::max(w.memoryNext, t + machine.exchange_warp_interval * sm.exchange.slower);
  }
  if (op.localLoads + op.localStores > 0)
    if (const double moved = performLocal(sm, op, t) + latency; !op.spills)
      result = std::max(result, moved);
  if (op.pipe == Pipe::Mma)
    flops += matrixFlops(costs.program.functions[block.function].ast->body[op.source]);
  w.waitsBegin = w.waitsEnd = w.event;
  w.waitingOp = &op;
  w.minimum = 0;
  const uint32_t eventsEnd =
      w.entry + 1 != w.trace->entries.size() ? w.trace->entries[w.entry + 1].events : uint32_t(w.trace->events.size());
  if (w.event < eventsEnd && w.trace->events[w.event].source == op.source) {
    w.waitsBegin = w.event;
    result = std::max(result, performEvents(w, op.source, t));
    w.waitsEnd = w.event;
  }
  for (uint32_t k = op.readsEnd; k != op.writesEnd; ++k) {
    w.ready[base + block.registers[k]] = result;
    w.by[base + block.registers[k]] = uint8_t(op.produces);
  }
}
