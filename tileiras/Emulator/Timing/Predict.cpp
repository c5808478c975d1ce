//===- Predict.cpp - How long a launch would take ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Timing/Predict.h"

#include "tileiras/Emulator/Machine/RegisterAllocation.h"
#include "tileiras/Emulator/Timing/Balance.h"
#include "tileiras/Emulator/Timing/Leaving.h"
#include "tileiras/Emulator/Timing/Limiter.h"
#include "tileiras/Emulator/Timing/Toolkit.h"
#include "tileiras/Emulator/Timing/Traffic.h"
#include "tileiras/Support/Residency.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

using namespace tileiras;
using namespace tileiras::emu;
using namespace tileiras::emu::timing;

namespace {

std::string format(const char *pattern, double a, double b = 0, double c = 0) {
  char buffer[256];
  std::snprintf(buffer, sizeof buffer, pattern, a, b, c);
  return buffer;
}

const FunctionCode *codeOf(const Module &module, const std::string &kernel) {
  for (const FunctionCode &f : module.program().functions)
    if (f.ast->name == kernel)
      return &f;
  return nullptr;
}

/// Everything that is known before a block has run.
struct Launching {
  const KernelInfo *kernel = nullptr;
  const FunctionCode *code = nullptr;
  Dim3 grid, block, cluster;
  uint64_t clusters = 0;
  uint32_t clusterSize = 1, sharedBytes = 0;
};

std::string prepareLaunch(const Module &module, const LaunchConfig &config, Launching &out) {
  out.kernel =
      config.kernel.empty() && module.kernels().size() == 1 ? &module.kernels().front() : module.kernel(config.kernel);
  if (!out.kernel)
    return "the module has no kernel '" + config.kernel + "'";
  out.code = codeOf(module, out.kernel->name);
  out.block = out.kernel->hasReqntid && config.block.count() == 1 ? out.kernel->reqntid : config.block;
  out.cluster = out.kernel->hasReqnctapercluster ? out.kernel->reqnctapercluster : config.cluster;
  out.grid = config.grid;
  if (out.kernel->blocksAreClusters)
    out.grid = {config.grid.x * out.cluster.x, config.grid.y * out.cluster.y, config.grid.z * out.cluster.z};
  out.clusterSize = uint32_t(std::max<uint64_t>(1, out.cluster.count()));
  out.clusters = out.grid.count() / out.clusterSize;
  out.sharedBytes =
      config.dynamicSharedBytes ? out.code->dynamicStart + config.dynamicSharedBytes : out.code->staticShared;
  return "";
}

/// Blocks of an SM, by registers, threads, shared memory and slots.
Residency residency(const MachineDescription &m, const Launching &l, uint32_t registers) {
  BlockRoom room;
  room.blocks = uint32_t(m.max_blocks);
  room.warps = uint32_t(m.max_warps);
  room.registers = uint32_t(m.registers);
  room.sharedBytes = uint32_t(m.shared_kib * 1024);
  room.reservedPerBlock = 1024;
  room.sharedGranularity = 128;
  return residentBlocks({uint32_t((l.block.count() + 31) / 32), registers, l.sharedBytes}, room);
}

/// Without an assembler: the rows that the emulator's own allocation of registers needs, plus some for addresses.
uint32_t estimateRegisters(const Launching &l) {
  uint32_t estimate = l.code->frameBytes / 128 + 8;
  if (l.kernel->maxnreg)
    estimate = std::min(estimate, l.kernel->maxnreg);
  if (l.kernel->hasReqntid || l.kernel->hasMaxntid) {
    // An assembler keeps to what lets the block start: whole warps, eight registers of a thread at a time.
    uint64_t threads = (l.kernel->hasReqntid ? l.kernel->reqntid : l.kernel->maxntid).count();
    estimate = std::min(
        estimate, registersForBlocks(std::max(1u, l.kernel->minnctapersm), uint32_t((threads + 31) / 32), BlockRoom()));
  }
  return std::clamp(estimate, 16u, 255u);
}

/// Of a chip that power holds back: it goes as f V^2, and V about as f, so that tensor cores that are busy for a part
/// of the time leave room for a higher clock than they have when full.
double clockWithIdleTensorCores(const MachineDescription &m, double full, double busy) {
  return std::clamp(full * std::pow(std::max(busy, 1e-3), -m.tensor_clock_exponent), full,
                    std::max(full, m.clock_light_mhz));
}

} // namespace

Prediction tileiras::emu::timing::predict(const Module &module, Memory &memory, const LaunchConfig &config,
                                          const PredictOptions &options) {
  Prediction p;
  auto fail = [&](const std::string &why) {
    p.ok = false;
    p.error = why;
    return p;
  };
  std::optional<MachineDescription> found = findMachine(options.machine, p.error);
  if (!found)
    return fail(p.error);
  const MachineDescription &m = *found;
  p.machine = m.name;
  Launching l;
  if (std::string why = prepareLaunch(module, config, l); !why.empty())
    return fail(why);
  p.kernel = l.kernel->name;
  const ParsedModule &ast = *module.program().ast;
  const bool bound = !ast.target.empty() && (ast.target.back() == 'a' || ast.target.back() == 'f');
  if (ast.sm > m.sm || (bound && ast.target.back() == 'a' && ast.sm != m.sm) ||
      (bound && ast.sm / 10 != unsigned(m.sm) / 10))
    return fail("the kernel is compiled for " + ast.target + ", which does not run on " + m.name + " (sm_" +
                format("%.0f", m.sm) + ")");

  // Registers.
  std::string noAssembler = "not asked";
  MachineCounts machineCounts;
  double stackBytes = double(l.code->localBytes);
  if (options.useAssembler && !options.ptx.empty()) {
    std::string target = ast.target;
    if (!bound)
      target = "sm_" + format("%.0f", m.sm);
    std::vector<uint32_t> lines;
    for (const FunctionCode &f : module.program().functions)
      for (const Instruction &inst : f.ast->body)
        lines.push_back(inst.loc.line);
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    if (auto facts = askAssembler(options.ptx, l.kernel->name, target, lines, noAssembler)) {
      machineCounts = std::move(facts->lines);
      p.machineCode = !machineCounts.empty();
      p.registers = facts->registers;
      p.spillBytes = facts->spillStores + facts->spillLoads;
      p.registersExact = true;
      if (facts->wgmmaSerialised)
        p.unmodelled.push_back("ptxas serialises the wgmma instructions (C75xx): about three times slower than here");
      stackBytes = facts->stack;
      if (p.spillBytes && machineCounts.empty())
        p.unmodelled.push_back("traffic of " + std::to_string(p.spillBytes) + " spilled bytes per thread");
    }
  }
  if (!p.registersExact)
    p.registers = estimateRegisters(l);
  const Residency fitting = residency(m, l, p.registers);
  p.blocksPerSm = fitting.blocks;
  p.occupancyLimit = fitting.limit;
  if (!p.blocksPerSm)
    return fail("a block does not fit on an SM of " + m.name + " (" + p.occupancyLimit + ")");
  p.clusters = l.clusters;
  const uint64_t groups = std::max<uint64_t>(1, uint64_t(m.sms) / l.clusterSize);
  uint32_t resident = uint32_t(std::min<uint64_t>(p.blocksPerSm, (l.clusters + groups - 1) / groups));

  // Where clusters take over the work of those that have not begun, every one that fits does an equal part of the grid:
  // the first of the samples does all of them.
  bool takesOver = false;
  for (const Instruction &inst : l.code->ast->body)
    takesOver |= inst.row->op == Op::LaunchTryCancel;
  const uint64_t turns = (l.clusters + groups * resident - 1) / (groups * resident);

  // Samples of the grid.
  auto spread = [&](uint64_t wanted) {
    std::vector<uint64_t> picked;
    for (uint64_t k = 0; k != wanted; ++k)
      picked.push_back(wanted == 1 ? 0 : k * (l.clusters - 1) / (wanted - 1));
    return picked;
  };
  const uint64_t wanted = std::max<uint64_t>(
      1, std::min<uint64_t>(takesOver ? std::min<uint64_t>(turns, std::max(2u, options.samples)) : options.samples,
                            l.clusters));
  Costs costs(module.program(), m, machineCounts);
  TraceStore store;
  store.costs = &costs;
  LaunchConfig sample = config;
  sample.options.multiprocessors = m.sms;
  sample.onlyClusters = spread(wanted);
  sample.options.observers = {store.factory()};
  sample.options.asyncTiming = AsyncTiming::Early;
  sample.options.checkRaces = false;
  sample.options.checkUninitialized = false;
  sample.options.hostThreads = 1;
  LaunchResult ran = launch(module, memory, sample);
  for (const Report &r : ran.reports)
    if (r.kind == ReportKind::Launch)
      return fail(r.message);
  bool waitsForOthers = false;
  for (const Report &r : ran.reports)
    waitsForOthers |= r.kind == ReportKind::Deadlock || r.kind == ReportKind::Budget;
  std::erase_if(store.traces, [](auto &t) { return !t->complete || t->warps.empty(); });
  if (store.traces.empty())
    return fail(ran.reports.empty() ? "no block ran to its end" : ran.reports.front().str());
  if (waitsForOthers)
    p.unmodelled.push_back("blocks that wait for others (some samples did not end)");
  else if (!ran.reports.empty())
    p.unmodelled.push_back("the run has reports, the first: " + ran.reports.front().message);
  // One that had taken over half as many tells what each takes.
  TraceStore shorter;
  shorter.costs = &costs;
  if (takesOver) {
    sample.onlyClusters = spread(std::max<uint64_t>(1, wanted / 2));
    sample.options.observers = {shorter.factory()};
    LaunchResult again = launch(module, memory, sample);
    std::erase_if(shorter.traces, [](auto &t) { return !t->complete || t->warps.empty(); });
    if (store.traces.size() != 1 || shorter.traces.size() != 1 ||
        ran.stats.cancelledBlocks != (wanted - 1) * l.clusterSize ||
        again.stats.cancelledBlocks != (sample.onlyClusters.size() - 1) * l.clusterSize) {
      takesOver = false;
      p.unmodelled.push_back("clusterlaunchcontrol: a cluster did not take over all that it could");
    }
  }
  // Those that leave at once are apart: what follows is about the others.
  const Dim3 grid{l.grid.x / l.cluster.x, l.grid.y / l.cluster.y, l.grid.z / l.cluster.z};
  auto clusterOf = [&](const ClusterTrace &t) {
    const uint64_t b = t.firstBlock, x = b % l.grid.x / l.cluster.x, y = b / l.grid.x % l.grid.y / l.cluster.y,
                   z = b / l.grid.x / l.grid.y / l.cluster.z;
    return x + grid.x * (y + uint64_t(grid.y) * z);
  };
  Leaving leaving;
  if (!takesOver && !waitsForOthers && l.clusters <= 1'000'000)
    leaving = findLeaving(module, memory, sample, costs, store, l.clusters, options.samples, clusterOf);
  const bool some = !leaving.working.empty();
  const uint64_t working = some ? leaving.working.size() : l.clusters;
  std::sort(store.traces.begin(), store.traces.end(), [](auto &a, auto &b) { return a->firstBlock < b->firstBlock; });
  // Clusters whose work the traces are.
  const double sampled = takesOver ? double(wanted) : double(store.traces.size());
  p.simulatedClusters = uint64_t(sampled) + leaving.traces.size();

  for (auto &[opcode, why] : costs.unmodelled)
    p.unmodelled.push_back(opcode + ": " + why);
  bool usesWgmma = false, usesTensor = false, usesTma = false, atomics = false, alike = true;
  double mmaSync = 0;
  for (auto &t : shorter.traces)
    orderEvents(*t, costs);
  for (auto &t : store.traces) {
    orderEvents(*t, costs);
    alike &= t->signature == store.traces[0]->signature;
    for (const AsyncRecord &r : t->operations) {
      usesWgmma |= r.kind == AsyncKind::Wgmma;
      usesTensor |= r.kind == AsyncKind::TensorMma;
      usesTma |= r.kind == AsyncKind::CopyIn || r.kind == AsyncKind::CopyOut;
      if (r.bits)
        p.bits = r.kind == AsyncKind::Wgmma || r.kind == AsyncKind::TensorMma ? r.bits : p.bits;
    }
    for (const Access &a : t->accesses)
      atomics |= a.atomic && !a.shared;
  }
  for (const Instruction &inst : l.code->ast->body)
    if (inst.row->op == Op::Mma || inst.row->op == Op::WmmaMma) {
      mmaSync += 1;
      Type a = inst.types.size() > 1 ? inst.types[1] : Type::F16;
      p.bits = a == Type::TF32 ? 32 : typeBits(a);
    }
  if ((usesWgmma && !m.wgmma_flops) || (usesTensor && !m.tcgen05_flops) || (usesTma && !m.tma_bytes))
    return fail("the kernel uses units that " + m.name + " does not have");
  const bool tensor = usesWgmma || usesTensor || mmaSync > 0;
  p.clockMhz = options.clockMhz > 0 ? options.clockMhz : tensor ? m.clock_tensor_mhz : m.clock_mhz;
  p.clockReason = options.clockMhz > 0 ? "given" : tensor ? "sustained with busy tensor cores" : "boost";
  // Latencies behind L1 were measured at the boost clock, and are times rather than clocks.
  MachineDescription atClock = m;
  auto setClock = [&](double mhz) {
    const double slower = mhz / m.clock_mhz;
    p.clockMhz = atClock.clock_mhz = mhz;
    atClock.lat_l2 = m.lat_l1 + (m.lat_l2 + m.lat_l2_far - m.lat_l1) * slower;
    atClock.lat_dram = m.lat_l1 + (m.lat_dram - m.lat_l1) * slower;
    atClock.tma_miss_latency = m.tma_miss_latency * slower;
  };
  setClock(p.clockMhz);
  Costs timed(module.program(), atClock, machineCounts);

  // Caches: first without misses, to learn what L1 takes.
  EngineConfig engineConfig;
  engineConfig.resident = resident;
  engineConfig.sharedBytes = l.sharedBytes;
  engineConfig.blockStart = m.block_start;
  engineConfig.activeSms = double(std::min<uint64_t>(uint64_t(m.sms), working * l.clusterSize));
  // Local memory of the threads that are there shares L1; what has no room goes through to L2.
  const double local = stackBytes * double(l.block.count()) * resident,
               room = std::max(16384.0, m.l1_kib * 1024 - resident * (l.sharedBytes + 1024.0));
  engineConfig.localMisses = local > room ? 1 - room / local : 0;
  double l1Share = 0;
  auto lengthOf = [](const ClusterTrace *t) {
    size_t entries = 0;
    for (const WarpTrace &w : t->warps)
      entries += w.entries.size();
    return entries;
  };
  ClusterTrace &longest = **std::max_element(store.traces.begin(), store.traces.end(),
                                             [&](auto &a, auto &b) { return lengthOf(a.get()) < lengthOf(b.get()); });
  {
    Engine dry(timed, engineConfig);
    if (!dry.run({&longest}))
      return fail(dry.problem);
    if (dry.l1Requests)
      l1Share = dry.l1Hits / std::max(1.0, dry.l1Requests);
    longest.instructions = uint64_t(dry.issued);
  }
  const Traffic traffic = estimateTraffic({module, memory, config, m, store.traces, working, l.clusterSize, resident,
                                           sampled, options.l2, l1Share, leaving.working});
  p.missRatio = engineConfig.missRatio = traffic.missRatio;
  engineConfig.writeRatio = traffic.writeRatio;
  p.footprint = traffic.footprint;

  // Clusters of different work: how long each takes by itself, along the axis of the grid that decides it.
  GridTimes times(grid);
  double leavingClocks = 0; ///< of the longest of them, until the next one begins
  for (auto &t : leaving.traces) {
    orderEvents(*t, costs);
    Engine alone(timed, engineConfig);
    if (!alone.run({t.get()}))
      return fail(alone.problem);
    leavingClocks = std::max(leavingClocks, alone.end + m.block_start);
  }
  times.onlyWorking(leaving.working, leavingClocks);
  TraceStore further; ///< samples that are there for that, and stand for no part of the grid's totals
  further.costs = &costs;
  std::vector<const ClusterTrace *> timedTraces;
  auto timeAlone = [&](const ClusterTrace &t) {
    Engine alone(timed, engineConfig);
    if (!alone.run({&t})) {
      p.error = alone.problem;
      return;
    }
    times.add(clusterOf(t), alone.end, matrixFlopsOf(t, timed));
    timedTraces.push_back(&t);
  };
  auto runFurther = [&](std::vector<uint64_t> which) {
    if (which.empty())
      return;
    sample.onlyClusters = std::move(which);
    TraceStore more;
    more.costs = &costs;
    sample.options.observers = {more.factory()};
    launch(module, memory, sample);
    for (auto &t : more.traces)
      if (t->complete && !t->warps.empty()) {
        orderEvents(*t, costs);
        further.traces.push_back(std::move(t));
        timeAlone(*further.traces.back());
      }
  };
  if ((!alike || some) && !takesOver) {
    for (auto &t : store.traces)
      timeAlone(*t);
    if (!waitsForOthers && times.differ()) {
      runFurther(times.corners());
      runFurther(times.along(options.samples));
    }
    if (!p.error.empty())
      return fail(p.error);
  }
  // Of very large grids each sample stands for its part, for no block is long beside the whole.
  const bool uneven = l.clusters <= 1'000'000 && (some || times.differ());
  p.simulatedClusters += further.traces.size();

  // One SM (or as many as a cluster has blocks) gets its part of the grid: where the clusters differ, the one that is
  // done last.
  std::vector<uint64_t> share;
  double late = 0; ///< by those that leave at once
  if (uneven)
    share = slowestShare(times, l.clusters, groups, resident, &late);
  const uint64_t mine = takesOver ? resident : uneven ? share.size() : (l.clusters + groups - 1) / groups;
  const double work = std::max<double>(1, double(longest.instructions));
  uint64_t replay = std::min<uint64_t>(
      mine, std::max<uint64_t>(uint64_t(resident) + std::max(1u, resident), uint64_t(double(options.maxWork) / work)));
  // Clusters that differ need more of them, for the last half tells what the others take.
  replay = std::min<uint64_t>(replay, uint64_t(resident) * (uneven ? 16 : 6));
  std::vector<const ClusterTrace *> sequence;
  std::vector<double> alone; ///< how long each of them takes by itself
  for (uint64_t k : uneven ? someOf(times, share, replay) : std::vector<uint64_t>()) {
    sequence.push_back(timedTraces[times.nearest(k)]);
    alone.push_back(times.ofSample(times.nearest(k)));
  }
  for (uint64_t k = 0; !uneven && k != replay; ++k) {
    // Which sample stands for the k-th cluster of this SM: the one at the same place in the grid.
    size_t s =
        store.traces.size() == 1
            ? 0
            : size_t(double(k) / double(std::max<uint64_t>(1, mine - 1)) * double(store.traces.size() - 1) + 0.5);
    if (!alike && replay < mine)
      s = size_t(k % store.traces.size());
    sequence.push_back(store.traces[std::min(s, store.traces.size() - 1)].get());
  }
  if (tensor && options.clockMhz <= 0 && m.tensor_clock_exponent > 0) {
    // Tensor cores that wait leave power to the clock. What is waited for then depends on the clock, too: once more.
    EngineConfig brief = engineConfig;
    brief.maxIssued = uint64_t(options.maxWork / 10);
    const double full = p.clockMhz;
    for (unsigned pass = 0; pass != 2; ++pass) {
      Engine tried(timed, brief);
      if (!tried.run(sequence))
        return fail(tried.problem);
      const double busy = std::max(tried.busy[unsigned(Unit::Tensor)], tried.busy[unsigned(Unit::Mma)]) / tried.end;
      setClock(clockWithIdleTensorCores(m, full, busy));
    }
    if (p.clockMhz > full)
      p.clockReason = "what power leaves with tensor cores that wait";
  }
  double shareTime = 0, gridTime = 0, aloneTime = 0;
  for (uint64_t k : share)
    shareTime += times.at(k);
  for (uint64_t k = 0; uneven && k != l.clusters; ++k)
    gridTime += times.works(k) ? times.at(k) : 0;
  for (double t : alone)
    aloneTime += t;
  engineConfig.timeline = options.timeline;
  Engine engine(timed, engineConfig);
  if (!engine.run(sequence))
    return fail(engine.problem);
  p.replayedClusters = replay;
  p.waves = double(l.clusters) / double(groups * p.blocksPerSm);
  double scale = 1;
  if (takesOver) {
    p.cycles = engine.end;
    p.extrapolation =
        format("each of %.0f clusters of an SM takes over until none is left: %.0f of its %.0f were replayed",
               double(resident), double(wanted), double(turns));
    if (turns > wanted) {
      Engine less(timed, engineConfig);
      if (!less.run(std::vector<const ClusterTrace *>(resident, shorter.traces[0].get())))
        return fail(less.problem);
      const uint64_t more = wanted - std::max<uint64_t>(1, wanted / 2);
      const double least = *std::max_element(engine.busy.begin(), engine.busy.end()) / double(wanted);
      const double rate = std::max(least, (engine.end - less.end) / double(more));
      p.cycles += rate * double(turns - wanted);
      scale = double(turns) / double(wanted);
      p.extrapolation += format(", the others take %.0f cycles each", rate);
    }
  } else if (replay == mine) {
    // What lies between two samples takes what lies between their times.
    if (uneven)
      scale = shareTime / aloneTime;
    p.cycles = engine.end * scale;
    p.extrapolation = uneven ? "the clusters take different times; every one of the SM that is done last was replayed"
                             : "every cluster of the fullest SM was replayed";
  } else {
    std::vector<double> finish = engine.finishes;
    std::sort(finish.begin(), finish.end());
    const uint64_t back = std::min<uint64_t>(replay - 1, std::max<uint64_t>(resident, replay / 2));
    // No faster than the busiest unit allows.
    const double least = *std::max_element(engine.busy.begin(), engine.busy.end()) / double(replay);
    const double rate = std::max(least, (finish[replay - 1] - finish[replay - 1 - back]) / double(back));
    if (uneven) {
      // The others take as much longer as they do by themselves.
      double mean = 0;
      for (uint64_t k = replay - back; k != replay; ++k)
        mean += alone[k] / double(back);
      p.cycles = std::max(engine.end, engine.end + rate * (shareTime - aloneTime) / mean);
      scale = shareTime / aloneTime;
    } else {
      p.cycles = engine.end + rate * double(mine - replay);
      scale = double(mine) / double(replay);
    }
    p.extrapolation =
        format(uneven ? "%.0f of the %.0f clusters of the SM that is done last were replayed, the others take %.0f "
                        "cycles each, or as much more or less as they differ"
                      : "%.0f of the fullest SM's %.0f clusters were replayed, the others take %.0f cycles each",
               double(replay), double(mine), rate) +
        (alike || uneven ? "" : " (the samples differ; each stands for its part of the grid)");
  }
  if (some) {
    p.cycles += late;
    p.extrapolation +=
        format("; %.0f of the clusters leave at once, %.0f cycles each, and hold up the others or the end by %.0f",
               double(l.clusters - working), leavingClocks, late);
  }
  // Totals of the grid: of alike clusters by the samples' mean, else as their times. The SM that is replayed is the
  // fullest, which may do more than the others.
  const double perSm = double(replay) * (takesOver ? double(wanted) : 1);
  double sampleFlops = 0;
  if ((alike && !some) || takesOver || l.clusters > 1'000'000) {
    for (auto &t : store.traces)
      sampleFlops += matrixFlopsOf(*t, timed) / sampled;
  } else if (!waitsForOthers && (some || grid.x == l.clusters) && working <= groups * resident) {
    // They are all there at once: each has its own number of tiles. Long ones are not asked for long.
    auto clusterAt = [&](uint64_t k) { return some ? leaving.working[k] : k; };
    sampleFlops = sumOfSteps(times.flopsOfSamples(), working, work < 1e6 ? 8 : options.samples,
                             [&](uint64_t k) {
                               sample.onlyClusters = {clusterAt(k)};
                               TraceStore one;
                               one.costs = &costs;
                               sample.options.observers = {one.factory()};
                               launch(module, memory, sample);
                               ++p.simulatedClusters;
                               return one.traces.size() == 1 && one.traces[0]->complete
                                          ? matrixFlopsOf(*one.traces[0], timed)
                                          : times.flopsAt(clusterAt(k));
                             }) /
                  double(working);
  } else {
    for (uint64_t k = 0; k != l.clusters; ++k)
      sampleFlops += times.flopsAt(k) / double(working);
  }
  const double evenly = engine.flops > 0 ? std::min(1.0, sampleFlops / (engine.flops / perSm)) : 1;
  const double mean = uneven ? gridTime / double(working) / (aloneTime / double(replay)) : 1;
  if (const double share =
          std::max(engine.busy[unsigned(Unit::Tensor)], engine.busy[unsigned(Unit::Mma)]) * scale / p.cycles * evenly;
      options.clockMhz <= 0 && share > m.tensor_power_share) {
    // The cycles stay those of the higher clock: what is waited for then is nearer in clocks, but the tensor cores
    // decide.
    p.clockMhz *= m.tensor_power_share / share;
    p.clockReason = "what power leaves with busy tensor cores";
  }
  p.launchSeconds = (options.l2 == L2State::Empty ? m.launch_cold_us : m.launch_us) * 1e-6;
  p.seconds = p.cycles / (p.clockMhz * 1e6) + p.launchSeconds;

  p.matrixFlops = sampleFlops > 0;
  p.flops = sampleFlops * double(working);
  if (!p.matrixFlops) {
    double fma = 0;
    for (auto &[key, counts] : engine.byLine[0]) {
      const Instruction &inst = module.program().functions[key.function].ast->body[key.source];
      const Type t = inst.type();
      const double lanes = t == Type::F32x2 || t == Type::F16x2 || t == Type::BF16x2 ? 64 : 32;
      if (isFloat(t) &&
          (inst.row->op == Op::Fma || inst.row->op == Op::Add || inst.row->op == Op::Sub || inst.row->op == Op::Mul))
        fma += double(counts.executed) * lanes * (inst.row->op == Op::Fma ? 2 : 1);
    }
    p.flops = fma / perSm * double(working) * mean;
  }
  p.tflops = p.flops / p.seconds * 1e-12;
  p.peakTflops = (p.matrixFlops ? m.peakMatrixFlops(p.bits) : m.peakFmaFlops()) * m.sms * m.clock_mhz * 1e-6;
  p.l2Bytes = (engine.l2Read + engine.l2Write) / perSm * double(working) * mean;
  p.dramBytes = engine.dramBytes / perSm * double(working) * mean;
  p.gbs = p.dramBytes / p.seconds * 1e-9;
  p.peakGbs = m.dram_gbs;

  for (unsigned u = 0; u != NumUnits; ++u)
    if (engine.busy[u] > 0)
      p.units.push_back({unitName(Unit(u)), std::min(1.0, engine.busy[u] * scale / p.cycles)});
  // A pipe that takes an instruction a clock is busy whenever the issue slot is: then the pipe is the one to name.
  auto rank = [](const UnitUse &u) { return u.share - (u.name == unitName(Unit::Issue) ? 0.03 : 0); };
  std::sort(p.units.begin(), p.units.end(), [&](auto &a, auto &b) { return rank(a) > rank(b); });
  p.stalls = rolesOf(engine, **std::max_element(sequence.begin(), sequence.end(),
                                                [&](auto *a, auto *b) { return lengthOf(a) < lengthOf(b); }));
  for (auto &[key, counts] : engine.byLine[0]) {
    const Instruction &inst = module.program().functions[key.function].ast->body[key.source];
    StallLine row;
    row.line = inst.loc.line;
    row.ptx = std::string(inst.text);
    row.sourceLine = inst.sourceLine;
    if (auto it = ast.files.find(inst.sourceFile); inst.sourceLine && it != ast.files.end())
      row.sourceFile = it->second;
    row.executed = counts.executed;
    row.byReason = counts.clocks;
    for (double c : counts.clocks)
      row.clocks += c;
    p.lines.push_back(std::move(row));
  }
  std::stable_sort(p.lines.begin(), p.lines.end(), [](auto &a, auto &b) { return a.clocks > b.clocks; });
  p.dependences = dependencesOf(timed, engineConfig, sequence, engine, options.limiterWork);
  nameLimiter(p);
  for (const Interval &i : engine.timeline) {
    Prediction::TimelineEvent e;
    e.process = i.cta;
    e.begin = i.begin;
    e.end = i.end;
    if (i.warp == ~0u) {
      e.track = 1000 + uint64_t(i.kind);
      const Instruction &inst = module.program().functions[i.function].ast->body[i.source];
      e.name = std::string(inst.text.substr(0, inst.text.find_first_of(" \t")));
      e.category = "async";
      e.line = inst.loc.line;
    } else {
      e.track = i.warp;
      e.name = i.why == Stall::None ? "run" : stallName(i.why);
      e.category = i.why == Stall::None ? "warp" : "stall";
      if (i.why != Stall::None)
        e.line = module.program().functions[i.function].ast->body[i.source].loc.line;
    }
    p.timeline.push_back(std::move(e));
  }

  // The error bar; docs/timing.md says where the numbers come from.
  auto widen = [&](double percent, const std::string &why) {
    p.errorPercent = std::sqrt(p.errorPercent * p.errorPercent + percent * percent);
    p.errorReasons.push_back(format("%.0f %%: ", percent) + why);
  };
  double dramShare = 0;
  for (const UnitUse &u : p.units)
    if (u.name == unitName(Unit::Dram))
      dramShare = u.share;
  if (p.seconds < 20e-6)
    widen(20, "shorter than 20 us, start and end are not modelled in detail");
  if (dramShare > 0.7)
    widen(8, "limited by DRAM");
  else if (usesWgmma || usesTensor)
    widen(10, "asynchronous tensor cores");
  else if (mmaSync > 0)
    widen(15, "mma.sync");
  else
    widen(p.machineCode ? 15 : 20, p.machineCode ? "ordinary instructions, counted from machine code"
                                                 : "ordinary instructions, counted from PTX and not from machine code");
  if (!p.registersExact)
    widen(10, "registers are estimated (" + noAssembler + ")");
  if (atomics)
    widen(25, "atomics on global memory");
  if (!alike)
    widen(8, "the blocks do not behave alike");
  if (!p.unmodelled.empty())
    widen(15, "something in the kernel is not modelled");
  p.timeErrorPercent = std::sqrt(p.errorPercent * p.errorPercent + (options.clockMhz > 0 ? 0 : 100.0));
  p.ok = true;
  return p;
}
