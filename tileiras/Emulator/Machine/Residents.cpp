//===- Residents.cpp - Clusters that run at the same time -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Most clusters know nothing of each other, and it is quickest to run each to its end. Some wait for others: grid
// barriers, spin locks, sums by turns. Whether one does shows by what it executes: for a while it reads global memory
// with strong loads or atomic operations and changes nothing there. It is put aside then, and another one begins or
// goes on, until the target's SMs would hold no more. If nobody on any host thread has changed anything for a long
// time, and no further cluster may begin, nothing ever will happen: that is a deadlock.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Coverage.h"
#include "tileiras/Emulator/Machine/Cta.h"

#include "tileiras/Emulator/Check/RaceChecker.h"
#include "tileiras/Emulator/Machine/TensorMemory/TensorMemory.h"

#include <algorithm>
#include <bit>
#include <thread>

using namespace tileiras::emu;

/// Warp instructions after which a cluster is looked at; after which one that polls nothing gives way to others; and
/// without any change, of all clusters of a host thread, before a deadlock is considered.
static constexpr uint64_t Quantum = 4096, LongQuantum = uint64_t(1) << 24, FruitlessLimit = uint64_t(1) << 23;

Runner::Runner(LaunchContext &launch) : launch(launch) {
  if (launch.options->checkRaces)
    checker = std::make_unique<RaceChecker>(launch);
  blockWarps.assign(launch.program->blocks.size(), 0);
  blockThreads.assign(launch.program->blocks.size(), 0);
}

Runner::~Runner() = default;

std::unique_ptr<Resident> Runner::makeResident() {
  auto resident = std::make_unique<Resident>();
  Cluster &cluster = resident->cluster;
  cluster.launch = &launch;
  if (checker)
    resident->observers.add(*checker);
  for (auto &make : launch.options->observers)
    resident->observers.add(make());
  if (coverageWanted())
    resident->observers.add(makeCoverageObserver());
  cluster.observer = resident->observers.get();
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
  return resident;
}

void Runner::begin(Resident &resident, uint64_t index) {
  Cluster &cluster = resident.cluster;
  const Dim3 &g = launch.grid, &c = launch.cluster;
  Dim3 first = launch.firstBlock(index);
  cluster.joins = !waiting.empty();
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
  resident.scheduler = makeScheduler(launch.options->schedule, launch.options->seed, index);
  resident.idlePolls = resident.executed = 0;
  if (cluster.observer)
    cluster.observer->clusterBegin(cluster);
}

uint64_t Runner::sum(const std::vector<uint32_t> &blocks) const {
  uint64_t total = 0;
  for (uint32_t b : blocks)
    total += blockWarps[b];
  return total;
}

/// Runs the cluster until it ends, waits for another one, or has run for long.
Runner::Outcome Runner::advance(Resident &resident) {
  Cluster &cluster = resident.cluster;
  Scheduler &scheduler = *resident.scheduler;
  std::vector<unsigned> runnable;
  const uint32_t perCta = cluster.ctas[0]->warpCount;
  const uint64_t budget = launch.options->maxWarpInstructionsPerBlock;
  const bool mayWait = !launch.program->pollingBlocks.empty();
  resident.changed = false;
  uint64_t changes = 0, stores = 0, polls = 0, checkAt = 0;
  const uint64_t longAt = resident.executed + LongQuantum;
  auto take = [&] {
    changes = cluster.changes;
    stores = sum(launch.program->storingBlocks);
    polls = sum(launch.program->pollingBlocks);
    checkAt = resident.executed + Quantum;
  };
  take();
  for (;;) {
    runnable.clear();
    bool waits = false, failed = false, polling = true;
    for (uint32_t c = 0; c != cluster.ctas.size(); ++c) {
      Cta &cta = *cluster.ctas[c];
      failed |= cta.failed;
      for (uint32_t i = 0; i != perCta; ++i) {
        WarpState state = cta.warps[i]->state;
        if (state == WarpState::Ready) {
          runnable.push_back(c * perCta + i);
          polling &= cta.warps[i]->polled;
        } else
          waits |= state != WarpState::Done;
      }
    }
    if (failed)
      launch.anyFailed = true;
    if (failed || launch.stop)
      return Outcome::Ended;
    // Asynchronous operations go on when no warp can do anything useful, or when the policy wants them to.
    if (cluster.async.pending() && (runnable.empty() || polling || cluster.async.wantsStep())) {
      cluster.async.stepAny();
      ++cluster.changes;
      resident.idlePolls = 0;
      for (auto &cta : cluster.ctas)
        for (uint32_t i = 0; i != perCta; ++i)
          cta->warps[i]->polled = false;
      continue;
    }
    if (runnable.empty()) {
      if (waits)
        reportDeadlock(resident, "no warp can go on:");
      else if (cluster.observer)
        cluster.observer->clusterEnd(cluster);
      return Outcome::Ended;
    }
    // Every warp that can run only tests barriers that nothing is left to complete.
    resident.idlePolls = polling ? resident.idlePolls + 1 : 0;
    if (resident.idlePolls > 4096 + 64 * runnable.size()) {
      reportDeadlock(resident, "no warp can go on:");
      return Outcome::Ended;
    }
    if (mayWait && resident.executed >= checkAt) {
      uint64_t oldChanges = changes, oldStores = stores, oldPolls = polls;
      take();
      if (changes == oldChanges && stores == oldStores && polls != oldPolls)
        return Outcome::Waits;
      resident.changed = true;
      if (resident.executed >= longAt)
        return Outcome::Long;
    }
    Turn turn = scheduler.next(runnable);
    Cta &cta = *cluster.ctas[turn.agent / perCta];
    Warp &warp = *cta.warps[turn.agent % perCta];
    uint64_t before = warp.executed;
    warp.polled = false;
    warp.run(turn.slice);
    const uint64_t executed = warp.executed - before;
    if (cluster.observer)
      cluster.observer->turn(warp, cluster.clockTicks, cluster.clockTicks + executed);
    cta.executed += executed;
    cluster.clockTicks += executed;
    resident.executed += executed;
    if (budget && cta.executed > budget && !cta.failed && warp.state == WarpState::Ready) {
      const Inst &at = *warp.pc;
      warp.fatal(ReportKind::Budget, at, uint32_t(std::countr_zero(warp.active ? warp.active : 1)),
                 "the block has executed more than " + std::to_string(budget) + " warp instructions");
      launch.anyFailed = true;
      return Outcome::Ended;
    }
  }
}

/// Every runner has one cluster; the others count.
bool Runner::mayBegin() const {
  return launch.nextCluster < launch.clusters &&
         (waiting.empty() || launch.waiting + launch.runners < launch.residentLimit);
}

/// Has everybody been polling for so long that nobody will ever change anything? `counted`: this runner says so.
bool Runner::stuckForGood(uint64_t fruitless, bool &counted) {
  bool stuck = fruitless > FruitlessLimit && !launch.options->othersChangeMemory;
  if (stuck != counted)
    launch.stuck += stuck ? 1u : ~0u;
  counted = stuck;
  return stuck && launch.stuck == launch.runners;
}

void Runner::reportStuck() {
  // What a failed cluster would have done is not missing for a reason of its own.
  if (launch.anyFailed || launch.stop.exchange(true))
    return;
  std::string reason = "nobody can go on: " + std::to_string(launch.waiting + launch.runners) +
                       " blocks wait for each other and change nothing";
  if (launch.cluster.count() > 1)
    reason.replace(reason.find("blocks"), 6, "clusters");
  if (uint64_t left = launch.clusters - std::min<uint64_t>(launch.nextCluster, launch.clusters))
    reason += ", and the " + std::to_string(left) + " left cannot begin because the device holds " +
              std::to_string(launch.residentLimit) + " at a time";
  reportDeadlock(*waiting.front(), reason + ". The first:");
}

void Runner::run(const std::function<void()> &finished) {
  uint64_t fruitless = 0, seen = launch.progress;
  bool counted = false;
  while (!launch.stop) {
    std::unique_ptr<Resident> resident;
    bool resumes = false;
    // In turn: one that waits, a new one.
    static constexpr unsigned Old = 0, New = 1;
    for (unsigned kind = waiting.empty() ? New : Old;; ++kind) {
      if (kind > New || launch.stop)
        break;
      if (kind == New) {
        uint64_t index;
        if (!mayBegin() || !launch.claim(index))
          break;
        if (unused.empty())
          unused.push_back(makeResident());
        resident = std::move(unused.back());
        unused.pop_back();
        launch.waiting += !waiting.empty();
        ++launch.progress;
        begin(*resident, index);
      } else {
        resident = std::move(waiting.front());
        waiting.pop_front();
        if (resident->cluster.observer)
          resident->cluster.observer->clusterResume(resident->cluster);
      }
      resumes = true;
      uint64_t before = resident->executed;
      Outcome outcome = advance(*resident);
      uint64_t executed = resident->executed - before;
      const bool waits = outcome == Outcome::Waits && !resident->changed;
      if (outcome == Outcome::Ended) {
        finished();
        launch.waiting -= !waiting.empty();
        unused.push_back(std::move(resident));
      } else {
        waiting.push_back(std::move(resident));
      }
      if (!waits)
        ++launch.progress;
      else
        fruitless += executed;
      if (uint64_t now = launch.progress; now != seen) {
        seen = now;
        fruitless = 0;
      }
      if (waits && stuckForGood(fruitless, counted))
        reportStuck();
    }
    if (!resumes)
      break;
    if (fruitless && launch.runners > 1)
      std::this_thread::yield();
  }
  if (counted)
    --launch.stuck;
  --launch.runners;
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
