//===- Cta.cpp - A thread block in execution --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Cta.h"
#include "tileiras/Emulator/Machine/Coverage.h"

#include "tileiras/Emulator/Check/RaceChecker.h"
#include "tileiras/Emulator/Machine/TensorMemory/TensorMemory.h"

#include <algorithm>
#include <bit>

using namespace tileiras::emu;

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

Cta::Cta() = default;
Cta::~Cta() = default;

TensorMemory &Cta::tensorMemory() {
  if (!tensor)
    tensor = std::make_unique<TensorMemory>();
  return *tensor;
}

void Cta::arrive(Warp &warp, const Inst &inst, uint32_t number, uint32_t threads, bool wait) {
  BarrierState &b = barriers[number];
  uint32_t expected = threads ? threads : AllThreads;
  ++warp.stats->barriers;
  if (b.expected && b.expected != expected)
    warp.report(ReportKind::Barrier, inst, uint32_t(std::countr_zero(warp.live)),
                "barrier " + std::to_string(number) + " is used with a different thread count (" +
                    (threads ? std::to_string(threads) : "all") + ") before its phase is complete");
  b.expected = expected;
  b.arrived += 32; // whole warps arrive, however many of their threads are left
  if (wait)
    b.waiting.push_back(warp.index);
  if (Observer *o = cluster->observer)
    o->barrierArrive(warp, inst, number, wait);
  checkBarrier(number);
}

void Cta::checkBarrier(uint32_t number) {
  BarrierState &b = barriers[number];
  if (!b.expected)
    return;
  // A barrier without a count waits for all threads that have not exited.
  uint32_t need = b.expected == AllThreads ? liveWarps * 32 : b.expected;
  if (b.arrived < need || (b.expected == AllThreads && b.waiting.empty()))
    return;
  if (Observer *o = cluster->observer)
    o->barrierRelease(*this, number);
  BarrierState done = std::move(b);
  b = BarrierState();
  for (uint32_t index : done.waiting)
    warps[index]->releaseBarrier(done);
}

void Cta::warpDone(Warp &warp) {
  (void)warp;
  --liveWarps;
  if (!liveWarps && tensor)
    tensor->exit(*this);
  if (!liveWarps)
    checkRegisterChanges();
  if (liveWarps)
    for (uint32_t n = 0; n != 16; ++n)
      checkBarrier(n);
  cluster->checkClusterBarrier();
}

void Cluster::checkClusterBarrier() {
  if (clusterArrived == 0)
    return;
  uint32_t live = 0;
  for (auto &cta : ctas)
    for (uint32_t i = 0; i != cta->warpCount; ++i)
      live += uint32_t(std::popcount(cta->warps[i]->live));
  if (clusterArrived < live)
    return;
  clusterArrived = 0;
  ++clusterPhase;
  wake(ClusterBarrierKey);
}

void Cluster::wake(uint64_t key) {
  for (auto &cta : ctas)
    for (uint32_t i = 0; i != cta->warpCount; ++i)
      cta->warps[i]->wake(key);
}

//===----------------------------------------------------------------------===//
// LaunchContext
//===----------------------------------------------------------------------===//

void LaunchContext::addReport(Report report) {
  std::lock_guard<std::mutex> lock(reportMutex);
  for (Report &r : reports)
    if (r.kind == report.kind && r.line == report.line && r.column == report.column && r.file == report.file) {
      ++r.count;
      return;
    }
  if (reports.size() >= options->maxReports) {
    stop = true;
    return;
  }
  reports.push_back(std::move(report));
}

bool LaunchContext::claim(uint64_t &index) {
  index = nextCluster++;
  if (index >= clusters)
    return false;
  if (only)
    index = (*only)[index];
  return true;
}

Dim3 LaunchContext::firstBlock(uint64_t index) const {
  uint64_t cx = grid.x / cluster.x, cy = grid.y / cluster.y;
  return {uint32_t(index % cx) * cluster.x, uint32_t(index / cx % cy) * cluster.y,
          uint32_t(index / cx / cy) * cluster.z};
}

void LaunchContext::print(std::string_view text) {
  std::lock_guard<std::mutex> lock(printMutex);
  if (options->print)
    options->print(text);
  else
    std::fwrite(text.data(), 1, text.size(), stdout);
}

//===----------------------------------------------------------------------===//
// Runner
//===----------------------------------------------------------------------===//

Runner::Runner(LaunchContext &launch) : launch(launch) {
  cluster.launch = &launch;
  if (launch.options->checkRaces)
    observers.add(std::make_unique<RaceChecker>(launch));
  for (auto &make : launch.options->observers)
    observers.add(make());
  if (coverageWanted())
    observers.add(makeCoverageObserver());
  cluster.observer = observers.get();
  blockWarps.assign(launch.program->blocks.size(), 0);
  blockThreads.assign(launch.program->blocks.size(), 0);
  uint64_t count = launch.cluster.count();
  for (uint64_t rank = 0; rank != count; ++rank) {
    auto cta = std::make_unique<Cta>();
    cta->launch = &launch;
    cta->cluster = &cluster;
    cta->rank = uint32_t(rank);
    cta->warpCount = uint32_t((launch.block.count() + 31) / 32);
    for (uint32_t i = 0; i != cta->warpCount; ++i) {
      auto warp = std::make_unique<Warp>();
      warp->stats = &stats;
      warp->setThreads(i, launch.block);
      warp->blockWarps = blockWarps.data();
      warp->blockThreads = blockThreads.data();
      cta->warps.push_back(std::move(warp));
    }
    cta->shared.resize(launch.program->sharedBase + launch.sharedBytes);
    cta->sharedShadow.resize(cta->shared.size() + 64);
    cluster.ctas.push_back(std::move(cta));
  }
}

Runner::~Runner() = default;

void Runner::begin(uint64_t index) {
  const Dim3 &g = launch.grid, &c = launch.cluster;
  Dim3 first = launch.firstBlock(index);
  cluster.sawNoCluster.clear();
  cluster.clusterArrived = 0;
  cluster.clusterPhase = 0;
  cluster.clockTicks = 0;
  cluster.async.begin(cluster, launch.options->asyncTiming, launch.options->seed, index);
  uint32_t threads = uint32_t(launch.block.count());
  for (auto &cta : cluster.ctas) {
    uint32_t r = cta->rank;
    cta->id = {first.x + r % c.x, first.y + r / c.x % c.y, first.z + r / c.x / c.y};
    cta->linear = cta->id.x + uint64_t(g.x) * (cta->id.y + uint64_t(g.y) * cta->id.z);
    // Not zero: a kernel that relies on that should be seen to fail.
    std::fill(cta->shared.begin(), cta->shared.end(), uint8_t(0xcd));
    std::fill(cta->sharedShadow.begin(), cta->sharedShadow.end(), uint8_t(0));
    for (BarrierState &b : cta->barriers)
      b = BarrierState();
    cta->mbarriers.clear();
    if (cta->tensor)
      cta->tensor->reset();
    cta->warpgroups.assign((cta->warpCount + 3) / 4, Warpgroup());
    cta->failed = false;
    cta->executed = 0;
    cta->registerPool = 0;
    cta->liveWarps = cta->warpCount;
    for (uint32_t i = 0; i != cta->warpCount; ++i) {
      uint32_t lanes = std::min<uint32_t>(32, threads - i * 32);
      cta->warps[i]->start(*cta, i, lanes == 32 ? ~0u : (1u << lanes) - 1);
    }
    ++stats.blocks;
    stats.warps += cta->warpCount;
  }
  if (cluster.observer)
    cluster.observer->clusterBegin(cluster);
}

void Runner::run(uint64_t index) {
  begin(index);
  std::unique_ptr<Scheduler> scheduler = makeScheduler(launch.options->schedule, launch.options->seed, index);
  std::vector<unsigned> runnable;
  uint64_t idlePolls = 0;
  uint32_t perCta = cluster.ctas[0]->warpCount;
  uint64_t budget = launch.options->maxWarpInstructionsPerBlock;
  for (;;) {
    runnable.clear();
    bool waiting = false, failed = false, polling = true;
    for (uint32_t c = 0; c != cluster.ctas.size(); ++c) {
      Cta &cta = *cluster.ctas[c];
      failed |= cta.failed;
      for (uint32_t i = 0; i != perCta; ++i) {
        WarpState state = cta.warps[i]->state;
        if (state == WarpState::Ready) {
          runnable.push_back(c * perCta + i);
          polling &= cta.warps[i]->polled;
        } else
          waiting |= state != WarpState::Done;
      }
    }
    if (failed || launch.stop)
      return;
    // Asynchronous operations go on when no warp can do anything useful, or when the policy wants them to.
    if (cluster.async.pending() && (runnable.empty() || polling || cluster.async.wantsStep())) {
      cluster.async.stepAny();
      idlePolls = 0;
      for (auto &cta : cluster.ctas)
        for (uint32_t i = 0; i != perCta; ++i)
          cta->warps[i]->polled = false;
      continue;
    }
    if (runnable.empty()) {
      if (waiting)
        reportDeadlock();
      else if (cluster.observer)
        cluster.observer->clusterEnd(cluster);
      return;
    }
    // Every warp that can run only tests barriers that nothing is left to complete.
    idlePolls = polling ? idlePolls + 1 : 0;
    if (idlePolls > 4096 + 64 * runnable.size()) {
      reportDeadlock();
      return;
    }
    Turn turn = scheduler->next(runnable);
    Cta &cta = *cluster.ctas[turn.agent / perCta];
    Warp &warp = *cta.warps[turn.agent % perCta];
    uint64_t before = warp.executed;
    warp.polled = false;
    warp.run(turn.slice);
    if (cluster.observer)
      cluster.observer->turn(warp, cluster.clockTicks, cluster.clockTicks + warp.executed - before);
    cta.executed += warp.executed - before;
    cluster.clockTicks += warp.executed - before;
    if (budget && cta.executed > budget && !cta.failed && warp.state == WarpState::Ready) {
      const Inst &at = *warp.pc;
      warp.fatal(ReportKind::Budget, at, uint32_t(std::countr_zero(warp.active ? warp.active : 1)),
                 "the block has executed more than " + std::to_string(budget) + " warp instructions");
      return;
    }
  }
}

Stats Runner::takeStats() {
  if (coverageWanted())
    recordExecuted(*launch.program, blockWarps);
  for (size_t b = 0; b != launch.program->blocks.size(); ++b) {
    const BlockCounts &counts = launch.program->blocks[b];
    stats.warpInstructions += blockWarps[b] * counts.total;
    stats.threadInstructions += blockThreads[b] * counts.total;
    for (auto &[cls, n] : counts.byClass) {
      stats.warpByClass[unsigned(cls)] += blockWarps[b] * n;
      stats.threadByClass[unsigned(cls)] += blockThreads[b] * n;
    }
    blockWarps[b] = blockThreads[b] = 0;
  }
  Stats s = stats;
  stats = Stats();
  return s;
}
