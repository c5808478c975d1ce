//===- Leaving.cpp - Clusters that leave at once ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Timing/Leaving.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace tileiras::emu;
using namespace tileiras::emu::timing;

Work::Work(const std::vector<std::unique_ptr<ClusterTrace>> &traces, const Costs &costs) {
  for (const BlockCosts &b : costs.blocks)
    sizes.push_back(b.end - b.begin);
  const ClusterTrace *most = nullptr;
  for (auto &t : traces)
    if (const uint64_t n = instructionsOf(*t); !most || n > longest)
      most = t.get(), longest = n;
  std::vector<uint64_t> executed(sizes.size());
  if (most)
    for (const WarpTrace &w : most->warps)
      for (const BlockEntry &e : w.entries)
        executed[e.block] += sizes[e.block];
  std::vector<uint32_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return executed[a] > executed[b]; });
  hot.resize(sizes.size());
  uint64_t sum = 0;
  for (uint32_t b : order) {
    if (4 * sum >= 3 * longest)
      break;
    hot[b] = true;
    sum += executed[b];
  }
}

uint64_t Work::instructionsOf(const ClusterTrace &trace) const {
  uint64_t n = 0;
  for (const WarpTrace &w : trace.warps)
    for (const BlockEntry &e : w.entries)
      n += sizes[e.block];
  return n;
}

bool Work::absentFrom(const ClusterTrace &trace) const {
  if (!trace.complete || 4 * instructionsOf(trace) > longest)
    return false;
  for (const WarpTrace &w : trace.warps)
    for (const BlockEntry &e : w.entries)
      if (hot[e.block])
        return false;
  return true;
}

double tileiras::emu::timing::matrixFlopsOf(const ClusterTrace &trace, const Costs &costs) {
  std::vector<double> ofBlock(costs.blocks.size(), 0);
  for (size_t b = 0; b != ofBlock.size(); ++b)
    for (const OpCost &op : costs.blocks[b].ops)
      if (op.pipe == Pipe::Mma)
        ofBlock[b] += matrixFlops(costs.program.functions[costs.blocks[b].function].ast->body[op.source]);
  double sum = 0;
  for (const WarpTrace &w : trace.warps)
    for (const BlockEntry &e : w.entries)
      sum += ofBlock[e.block];
  for (const AsyncRecord &r : trace.operations)
    sum += r.flops;
  return sum;
}

std::vector<uint64_t> tileiras::emu::timing::whereTrue(uint64_t clusters, uint64_t surveyed, const Asked &works) {
  std::vector<uint64_t> points, list;
  const uint64_t count = std::min(clusters, std::max<uint64_t>(2, surveyed));
  for (uint64_t k = 0; k != count; ++k)
    points.push_back(count == 1 ? 0 : k * (clusters - 1) / (count - 1));
  const std::vector<bool> there = works(points);
  /// Between two neighbours that differ: the first of the right one's kind lies in (low, high].
  struct Border {
    uint64_t low, high;
    bool before;
  };
  std::vector<Border> borders;
  for (size_t k = 0; k + 1 < points.size(); ++k)
    if (there[k] != there[k + 1])
      borders.push_back({points[k], points[k + 1], there[k]});
  for (;;) {
    std::vector<uint64_t> middles;
    for (const Border &b : borders)
      if (b.high - b.low > 1)
        middles.push_back((b.low + b.high) / 2);
    if (middles.empty())
      break;
    const std::vector<bool> answers = works(middles);
    size_t next = 0;
    for (Border &b : borders)
      if (b.high - b.low > 1) {
        const uint64_t middle = (b.low + b.high) / 2;
        (answers[next++] == b.before ? b.low : b.high) = middle;
      }
  }
  bool now = there[0];
  uint64_t begin = 0;
  auto upTo = [&](uint64_t end) {
    for (uint64_t k = begin; now && k != end; ++k)
      list.push_back(k);
    begin = end;
  };
  for (const Border &b : borders) {
    upTo(b.high);
    now = !b.before;
  }
  upTo(clusters);
  return list;
}

static LaunchConfig stoppedAfter(uint64_t instructions, LaunchConfig config) {
  config.options.maxWarpInstructionsPerBlock = instructions;
  config.options.maxReports = 100'000;
  config.options.print = [](std::string_view) {};
  return config;
}

/// `wanted` of a list, from its first to its last.
static std::vector<uint64_t> spread(const std::vector<uint64_t> &list, uint64_t wanted) {
  std::vector<uint64_t> some;
  wanted = std::min<uint64_t>(wanted, list.size());
  for (uint64_t k = 0; k != wanted; ++k)
    some.push_back(list[wanted == 1 ? 0 : k * (list.size() - 1) / (wanted - 1)]);
  return some;
}

/// Runs the clusters, and keeps those that end.
static void runMore(const Module &module, Memory &memory, LaunchConfig config, const Costs &costs, TraceStore &store,
                    std::vector<uint64_t> clusters) {
  if (clusters.empty())
    return;
  TraceStore more;
  more.costs = &costs;
  config.onlyClusters = std::move(clusters);
  config.options.observers = {more.factory()};
  launch(module, memory, config);
  for (auto &t : more.traces)
    if (t->complete && !t->warps.empty())
      store.traces.push_back(std::move(t));
}

/// Samples that are all alike and short may be those that leave: looks for others that do four times as much.
static void survey(const Module &module, Memory &memory, const LaunchConfig &config, const Costs &costs,
                   TraceStore &store, uint64_t clusters, unsigned samples,
                   const std::function<uint64_t(const ClusterTrace &)> &clusterOf) {
  const ClusterTrace &first = *store.traces[0];
  const uint64_t each = Work(store.traces, costs).instructionsOf(first) / first.ctas;
  if (each > 1000 || clusters <= store.traces.size() ||
      !std::all_of(store.traces.begin(), store.traces.end(),
                   [&](const auto &t) { return t->signature == first.signature; }))
    return;
  LaunchConfig look = stoppedAfter(4 * each + 64, config);
  std::vector<uint64_t> longer;
  look.onlyClusters.clear();
  const uint64_t count = std::min<uint64_t>(clusters, 256);
  for (uint64_t k = 0; k != count; ++k)
    look.onlyClusters.push_back(k * (clusters - 1) / (count - 1));
  TraceStore seen;
  seen.costs = &costs;
  look.options.observers = {seen.factory()};
  launch(module, memory, look);
  for (auto &t : seen.traces)
    if (!t->complete)
      longer.push_back(clusterOf(*t));
  std::sort(longer.begin(), longer.end());
  runMore(module, memory, config, costs, store, spread(longer, samples));
}

Leaving tileiras::emu::timing::findLeaving(const Module &module, Memory &memory, LaunchConfig config,
                                           const Costs &costs, TraceStore &store, uint64_t clusters, unsigned samples,
                                           const std::function<uint64_t(const ClusterTrace &)> &clusterOf) {
  Leaving found;
  survey(module, memory, config, costs, store, clusters, samples, clusterOf);
  const Work work(store.traces, costs);
  uint64_t most = 0;
  for (auto &t : store.traces)
    if (work.absentFrom(*t))
      most = std::max(most, work.instructionsOf(*t) / t->ctas);
  if (!most)
    return found;

  // One that does not leave need not run on: it has begun to work once it has done twice as much as those that leave.
  const uint64_t enough = 2 * most + 64;
  LaunchConfig begun = stoppedAfter(enough, config);
  found.working =
      whereTrue(clusters, std::clamp<uint64_t>(4'000'000 / enough, 64, 4096), [&](const std::vector<uint64_t> &asked) {
        std::set<uint64_t> gone;
        // A few at a time, so that there are never many traces.
        for (size_t k = 0; k < asked.size(); k += 256) {
          begun.onlyClusters.assign(asked.begin() + ptrdiff_t(k),
                                    asked.begin() + ptrdiff_t(std::min(asked.size(), k + 256)));
          TraceStore some;
          some.costs = &costs;
          begun.options.observers = {some.factory()};
          launch(module, memory, begun);
          for (auto &t : some.traces)
            if (work.absentFrom(*t))
              gone.insert(clusterOf(*t));
        }
        std::vector<bool> answers;
        for (uint64_t c : asked)
          answers.push_back(!gone.count(c));
        return answers;
      });

  std::set<uint64_t> sampled;
  for (auto &t : store.traces)
    if (work.absentFrom(*t))
      found.traces.push_back(std::move(t));
    else
      sampled.insert(clusterOf(*t));
  std::erase_if(store.traces, [](auto &t) { return !t; });
  // Those that work get samples as a grid of them alone would.
  std::vector<uint64_t> missing = spread(found.working, std::max(2u, samples));
  std::erase_if(missing, [&](uint64_t c) { return sampled.count(c) != 0; });
  runMore(module, memory, config, costs, store, missing);
  return found;
}
