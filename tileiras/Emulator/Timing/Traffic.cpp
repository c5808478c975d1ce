//===- Traffic.cpp - What a launch reads from DRAM --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Timing/Traffic.h"

#include <algorithm>
#include <list>
#include <set>
#include <unordered_map>
#include <unordered_set>

using namespace tileiras::emu;
using namespace tileiras::emu::timing;

Reuse tileiras::emu::timing::reuseOf(const std::vector<std::unique_ptr<ClusterTrace>> &traces, double capacity,
                                     bool again) {
  // Clusters that began together are as far as each other when they have touched as many lines.
  struct Touch {
    uint64_t at, line;
    bool write;
  };
  std::vector<Touch> touches;
  for (auto &trace : traces)
    for (const LineTouch &t : trace->touches)
      touches.push_back({t.at, t.line, t.write});
  std::stable_sort(touches.begin(), touches.end(), [](const Touch &a, const Touch &b) { return a.at < b.at; });
  const size_t room = size_t(std::max(1.0, capacity / 128 / LineTouch::OneOf));
  Reuse r;
  std::list<uint64_t> newest;
  std::unordered_map<uint64_t, std::list<uint64_t>::iterator> there;
  std::unordered_set<uint64_t> seen;
  const uint64_t half = touches.empty() ? 0 : touches.back().at / 2;
  for (unsigned launch = 0; launch != (again ? 2u : 1u); ++launch)
    for (const Touch &t : touches) {
      auto it = there.find(t.line);
      const bool hit = it != there.end(), known = !seen.insert(t.line).second;
      if (hit)
        newest.splice(newest.begin(), newest, it->second);
      else {
        newest.push_front(t.line);
        there[t.line] = newest.begin();
        if (there.size() > room) {
          there.erase(newest.back());
          newest.pop_back();
          r.overflows = true;
        }
      }
      if (t.write || (again && launch == 0))
        continue;
      r.reads += LineTouch::OneOf;
      r.misses += hit ? 0 : LineTouch::OneOf;
      if (t.at >= half && known) {
        r.readAgain += LineTouch::OneOf;
        r.lost += hit ? 0 : LineTouch::OneOf;
      }
    }
  return r;
}

Traffic tileiras::emu::timing::estimateTraffic(const TrafficOf &of) {
  const MachineDescription &m = of.machine;
  const auto &samples = of.samples;
  const double sampled = of.sampled;
  Traffic t;
  // Clusters that run at the same time share what they read: run the addresses of a first wave.
  const uint64_t slots = std::max<uint64_t>(1, uint64_t(m.sms) / of.clusterSize * of.resident);
  const uint64_t wave = std::min<uint64_t>(of.clusters, slots);
  double instructions = 0, distinct = 0, asked = 0;
  for (auto &s : samples) {
    instructions = std::max(instructions, double(s->instructions) / s->ctas * double(samples.size()) / sampled);
    distinct += double(s->readLines.size()) * 128;
    asked += double(s->readBytes);
  }
  if (asked == 0 && distinct == 0)
    asked = 1;
  // All of a grid that fits at once, where it is one block an SM or so; of a larger one the first stand for all.
  const uint64_t probes = wave <= 192 ? wave : 160;
  double shared = 1; // distinct lines of the wave over the sum of each cluster's
  double busier = 1; // what a cluster of the grid reads, over what a sample does
  // Each half of the SMs has its own half of L2 near it; few SMs only fill theirs.
  const bool few = double(of.clusters * of.clusterSize) <= m.sms / 2;
  const double l2 = m.l2_mib * 1048576 * (few ? 0.5 : 1), usable = 0.8 * l2;
  Reuse reuse;
  bool whole = true;
  if (probes > 1) {
    TraceStore lines;
    LaunchConfig probe = of.config;
    probe.options.multiprocessors = m.sms;
    probe.onlyClusters.clear();
    // In the order of the grid, as the block scheduler takes them.
    for (uint64_t k = 0; k != probes; ++k)
      probe.onlyClusters.push_back(of.working.empty() ? k : of.working[k]);
    probe.options.observers = {lines.factory(true)};
    probe.options.asyncTiming = AsyncTiming::Early;
    probe.options.refuseCancels = true;
    probe.options.checkUninitialized = false;
    probe.options.checkRaces = false;
    probe.options.memoryStats = false;
    probe.options.maxReports = 100000;
    probe.options.print = [](std::string_view) {};
    const double budget = std::max(4000.0, 4e6 / double(probes) / of.clusterSize);
    if (instructions > budget)
      probe.options.maxWarpInstructionsPerBlock = uint64_t(budget);
    const LaunchResult probed = launch(of.module, of.memory, probe);
    std::unordered_set<uint64_t> all;
    double sum = 0, readers = 0, reading = 0;
    for (auto &trace : lines.traces) {
      sum += double(trace->readLines.size());
      readers += !trace->readLines.empty();
      all.insert(trace->readLines.begin(), trace->readLines.end());
    }
    if (sum > 0)
      shared = double(all.size()) / sum;
    // Of a grid that fits at once, blocks without work (or with less of it) may be too many, or too few, among the
    // samples.
    whole = std::none_of(probed.reports.begin(), probed.reports.end(),
                         [](const Report &r) { return r.kind == ReportKind::Budget; });
    if (probes == of.clusters)
      reuse = reuseOf(lines.traces, usable, of.state == L2State::Warm && whole);
    for (auto &s : samples)
      reading += !s->readLines.empty();
    if (probes == of.clusters && sum > 0 && distinct > 0)
      busier = whole && sampled == double(samples.size())
                   ? sum * 128 / double(probes) / (distinct / sampled)
                   : readers / double(probes) / (reading / double(samples.size()));
  }
  // The arrays that the samples touch.
  std::set<const Allocation *> arrays, sources;
  double written = 0;
  for (auto &s : samples) {
    for (auto *list : {&s->readLines, &s->writtenLines})
      for (size_t k = 0; k < list->size(); k += std::max<size_t>(1, list->size() / 256))
        if (const Allocation *a = of.memory.find((*list)[k] * 128)) {
          arrays.insert(a);
          if (list == &s->readLines)
            sources.insert(a);
        }
    written += double(s->writtenLines.size()) * 128;
  }
  const double perCluster = double(of.clusters) / std::max(1.0, sampled) * busier;
  const double all = distinct * perCluster;
  double sizes = 0, sourceSizes = 0;
  for (const Allocation *a : arrays)
    sizes += double(a->size);
  for (const Allocation *a : sources)
    sourceSizes += double(a->size);
  t.footprint = std::min(sizes, (distinct + written) * perCluster);
  const double readOnce = std::min(all, sourceSizes);
  // What a wave reads comes from DRAM once; the next waves find the part that has stayed.
  const double kept = t.footprint <= usable ? 1 : usable / t.footprint;
  double fromDram = readOnce + std::max(0.0, all * shared - readOnce) * (1 - kept);
  if (of.state == L2State::Warm)
    fromDram *= 1 - kept;
  // A grid that is there at once (persistent blocks) has no waves: what one block reads again, or another one later,
  // has stayed if less than L2 keeps was touched in between. Of blocks that were not run to their end it is known what
  // share of what they read again they had lost, and not whether the rest loses as little: then no less than by waves.
  // That each line comes once is sure, whenever it does.
  if (reuse.overflows && whole)
    fromDram = reuse.misses * 128;
  else if (reuse.overflows && reuse.readAgain > 0)
    fromDram =
        std::max(fromDram, readOnce + reuse.lost / reuse.readAgain * std::max(0.0, asked * perCluster - readOnce));
  const double requested = std::max(1.0, asked * perCluster * (1 - of.l1HitShare));
  t.missRatio = std::clamp(fromDram / requested, 0.0, 1.0);
  // What is written pushes out as much that somebody wrote before, unless nobody did.
  t.writeRatio = of.state == L2State::Cold ? 1 : 1 - kept;
  if (of.state == L2State::Warm && kept < 1)
    t.writeRatio = 1;
  return t;
}
