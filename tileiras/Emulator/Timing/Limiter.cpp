//===- Limiter.cpp - What a kernel's time hangs on --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Timing/Limiter.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace tileiras::emu;
using namespace tileiras::emu::timing;

namespace {

/// What to call the latency behind a stall, and what helps.
std::string latencyWords(Stall s) {
  switch (s) {
  case Stall::CopyArrival:
    return "latency of bulk copies: the consumers wait for data, so more stages or larger ones would help";
  case Stall::Global:
  case Stall::Copies:
    return "latency of global memory: too few bytes in flight (occupancy, stages, wider loads)";
  case Stall::Wgmma:
  case Stall::TensorArrival:
    return "latency of matrix products: they are waited for before the next ones are issued";
  case Stall::Matrix:
    return "latency of mma.sync: too few independent products";
  case Stall::Barrier:
  case Stall::ClusterBarrier:
  case Stall::Mbarrier:
    return "synchronisation: warps wait for each other at barriers";
  default:
    return std::string("latency: ") + stallName(s);
  }
}

/// Latencies that can be made slower: not queues, which are units', nor what a program asks for.
bool isLatency(Stall s) {
  switch (s) {
  case Stall::None:
  case Stall::Sleep:
  case Stall::PipeBusy:
  case Stall::MemoryQueue:
  case Stall::NotSelected:
  case Stall::Branch:
  case Stall::Count:
    return false;
  default:
    return true;
  }
}

} // namespace

std::vector<Dependence> tileiras::emu::timing::dependencesOf(const Costs &costs, EngineConfig config,
                                                             const std::vector<const ClusterTrace *> &clusters,
                                                             const Engine &ran, double work) {
  constexpr double Factor = 1.2;
  config.timeline = false;
  config.maxIssued = uint64_t(work);
  std::vector<const ClusterTrace *> some(
      clusters.begin(), clusters.begin() + std::ptrdiff_t(std::min<size_t>(clusters.size(), 2 * config.resident)));
  auto clocks = [&](const Slowdown &slower) {
    EngineConfig c = config;
    c.slower = slower;
    Engine engine(costs, c);
    return engine.run(some) ? engine.end : 0;
  };
  const double base = clocks(Slowdown());
  std::vector<Dependence> found;
  if (base <= 0)
    return found;
  auto tried = [&](Slowdown slower, const std::string &name, bool isUnit) {
    const double points = 100 * (clocks(slower) / base - 1) / (Factor - 1);
    found.push_back({name, std::clamp(points, 0.0, 100.0), isUnit});
  };
  for (unsigned u = 0; u != NumUnits; ++u)
    if (ran.busy[u] > 0.2 * ran.end) {
      Slowdown slower;
      slower.unit[u] = Factor;
      tried(slower, unitName(Unit(u)), true);
    }
  // Latencies that somebody waits for more than a twentieth of the time. Bulk copies and products may be behind the
  // waits of others.
  std::array<bool, NumStalls> waits{};
  for (auto &warp : ran.byWarp) {
    double sum = 0;
    for (double c : warp)
      sum += c;
    for (unsigned s = 0; s != NumStalls; ++s)
      waits[s] |= isLatency(Stall(s)) && warp[s] > 0.05 * sum;
  }
  for (unsigned s = 0; s != NumStalls; ++s)
    if (waits[s]) {
      Slowdown slower;
      slower.latency[s] = Factor;
      tried(slower, latencyWords(Stall(s)), false);
    }
  // Several stalls may be one latency to a reader: the sum of what each brings.
  std::vector<Dependence> merged;
  for (Dependence &d : found) {
    auto it = std::find_if(merged.begin(), merged.end(), [&](const Dependence &m) { return m.name == d.name; });
    if (it == merged.end())
      merged.push_back(d);
    else
      it->points = std::min(100.0, it->points + d.points);
  }
  return merged;
}

/// A unit that is idle for a fifth of the time has no queue: that it is slow shows as a part of how long its work takes
/// and not as a rate. Where the work is waited for by its latency, its points are the latency's, as more of it in
/// flight (another stage, another group of products) would fill the unit.
static void foldIdleUnits(Prediction &p) {
  constexpr double Queued = 0.8;
  auto busy = [&](Unit unit) {
    auto it = std::find_if(p.units.begin(), p.units.end(), [&](const UnitUse &u) { return u.name == unitName(unit); });
    return it == p.units.end() ? 0.0 : it->share;
  };
  const std::pair<Unit, Stall> pairs[] = {
      {Unit::TmaIn, Stall::CopyArrival}, {Unit::TmaIssue, Stall::CopyArrival}, {Unit::Tensor, Stall::TensorArrival}};
  for (auto [unit, stall] : pairs) {
    auto named = [&](const std::string &name) {
      return std::find_if(p.dependences.begin(), p.dependences.end(),
                          [&](const Dependence &d) { return d.name == name; });
    };
    auto from = named(unitName(unit)), to = named(latencyWords(stall));
    if (from == p.dependences.end() || to == p.dependences.end() || busy(unit) > Queued)
      continue;
    to->points = std::min(100.0, to->points + from->points);
    p.dependences.erase(from);
  }
}

void tileiras::emu::timing::nameLimiter(Prediction &p) {
  // The launch takes its time whatever the kernel does.
  const double launch = p.seconds > 0 ? p.launchSeconds / p.seconds : 0;
  for (Dependence &d : p.dependences)
    d.points *= 1 - launch;
  if (launch > 0.01)
    p.dependences.push_back({"launch: the kernel is over before the machine is full", 100 * launch, false});
  foldIdleUnits(p);
  // A pipe that takes an instruction a clock is busy whenever the issue slot is: then the pipe is the one to name. And
  // of units that are equally slow the busier one.
  auto shareOf = [&](const Dependence &d) {
    for (const UnitUse &u : p.units)
      if (d.isUnit && u.name == d.name)
        return u.share;
    return 0.0;
  };
  auto rank = [&](const Dependence &d) {
    return d.points + 2 * shareOf(d) - (d.name == unitName(Unit::Issue) ? 3 : 0);
  };
  std::stable_sort(p.dependences.begin(), p.dependences.end(),
                   [&](const Dependence &a, const Dependence &b) { return rank(a) > rank(b); });
  if (p.dependences.empty()) {
    p.limiter = "launch: the kernel is over before the machine is full";
    p.second = "nothing";
    p.slackPercent = 100;
    return;
  }
  p.limiter = p.dependences[0].name;
  if (!p.dependences[0].isUnit && launch < 0.4 && p.waves < 0.75) {
    char words[64];
    std::snprintf(words, sizeof words, "; only %.0f %% of the machine has blocks", 100 * p.waves);
    p.limiter += words;
  }
  p.second = p.dependences.size() > 1 ? p.dependences[1].name : "nothing";
  p.slackPercent = std::max(0.0, p.dependences[0].points - (p.dependences.size() > 1 ? p.dependences[1].points : 0));
  // Of two units the second decides as soon as it is slower by what its use is behind.
  if (p.dependences.size() > 1 && p.dependences[0].isUnit && p.dependences[1].isUnit)
    p.slackPercent = std::min(p.slackPercent, 100 * std::fabs(shareOf(p.dependences[0]) - shareOf(p.dependences[1])));
}
