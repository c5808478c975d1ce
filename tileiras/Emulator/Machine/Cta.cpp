//===- Cta.cpp - A thread block in execution --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Cta.h"

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
  if (options->suppressions && options->suppressions->covers(report)) {
    ++suppressed;
    return;
  }
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
