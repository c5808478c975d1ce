//===- ImproveSchedule.cpp - Cheaper seats in a schedule ------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/ImproveSchedule.h"
#include "tileiras/Schedule/ReservationTable.h"

#include <algorithm>

namespace tileiras::schedule {

CostOfMove::CostOfMove(const DependenceGraph &graph, const Schedule &schedule, const ByteCaps &caps, int node,
                       const Cost &cost)
    : graph(graph), caps(caps), node(node) {
  moved.interval = schedule.interval;
  moved.cycle = schedule.cycle;
  touched = {node};
  for (int number : graph.edgesTo(node)) {
    const Edge &edge = graph.edge(number);
    if (edge.kind == EdgeKind::Value && std::find(touched.begin(), touched.end(), edge.from) == touched.end())
      touched.push_back(edge.from);
  }
  Footprint all = footprint(graph, schedule), its = footprintOfTouched();
  others = {all.shared - its.shared, all.tensor - its.tensor, all.registers - its.registers};
  for (int i = 0; i < graph.size(); ++i) {
    stages.push_back(schedule.cycle[i] / schedule.interval);
    if (i == node)
      continue;
    (i < node ? before : behind).push_back(schedule.cycle[i] % schedule.interval);
    lastStageOfOthers = std::max(lastStageOfOthers, stages[i]);
  }
  std::sort(before.begin(), before.end());
  std::sort(behind.begin(), behind.end());
  Cost here = (*this)(schedule.cycle[node]); // with nothing of the others but their bytes and the last stage
  pressureOfOthers = cost.pressure - here.pressure;
  disorderOfOthers = cost.disorder - here.disorder;
}

Footprint CostOfMove::footprintOfTouched() const {
  Footprint sum;
  for (int i : touched) {
    int64_t copies = copiesOf(graph, moved, i);
    sum.shared += copies * graph[i].sharedBytes;
    sum.tensor += copies * graph[i].tensorBytes;
    sum.registers += copies * graph[i].registerBytes;
  }
  return sum;
}

Cost CostOfMove::operator()(int cycle) {
  moved.cycle[node] = cycle;
  int stage = cycle / moved.interval, place = cycle % moved.interval;
  Cost cost;
  Footprint its = footprintOfTouched();
  cost.banks = others.registers + its.registers;
  cost.bytesTooMany = std::max<int64_t>(0, others.shared + its.shared - caps.shared) +
                      std::max<int64_t>(0, others.tensor + its.tensor - caps.tensor) +
                      std::max<int64_t>(0, cost.banks - caps.registers);
  cost.pressure = pressureOfOthers + std::max(lastStageOfOthers, stage) + 1;
  // What an operation reads of itself is as far away wherever it stands.
  for (int number : graph.edgesTo(node)) {
    const Edge &edge = graph.edge(number);
    if (edge.kind == EdgeKind::Value && edge.from != node)
      cost.pressure += stage + edge.distance - stages[edge.from];
  }
  for (int number : graph.edgesFrom(node)) {
    const Edge &edge = graph.edge(number);
    if (edge.kind == EdgeKind::Value && edge.to != node)
      cost.pressure += stages[edge.to] + edge.distance - stage;
  }
  // Of two in one place, the first of the program stands first.
  cost.disorder = disorderOfOthers + (before.end() - std::upper_bound(before.begin(), before.end(), place)) +
                  (std::lower_bound(behind.begin(), behind.end(), place) - behind.begin());
  return cost;
}

void improve(const DependenceGraph &graph, const std::vector<Constraint> &constraints, const ByteCaps &caps,
             Schedule &schedule) {
  Cost cost = costOf(graph, schedule, caps);
  ReservationTable table(schedule.interval);
  for (int i = 0; i < graph.size(); ++i)
    table.take(graph[i], schedule.cycle[i]);
  // A full search of the window is quadratic in the interval; steps keep it short where the interval is long.
  int step = std::max(1, schedule.interval / 256);
  for (int round = 0; round < 4; ++round) {
    bool changed = false;
    for (int node = graph.size() - 1; node >= 0; --node) {
      int64_t from = 0, to = schedule.cycle[node] + schedule.interval;
      for (int number : graph.edgesTo(node)) {
        const Edge &edge = graph.edge(number);
        if (edge.from != node)
          from = std::max<int64_t>(from, schedule.cycle[edge.from] + edge.latency -
                                             int64_t(schedule.interval) * edge.distance);
      }
      for (int number : graph.edgesFrom(node)) {
        const Edge &edge = graph.edge(number);
        if (edge.to != node)
          to = std::min<int64_t>(to,
                                 schedule.cycle[edge.to] - edge.latency + int64_t(schedule.interval) * edge.distance);
      }
      int best = schedule.cycle[node];
      table.giveBack(graph[node], best);
      CostOfMove costIn(graph, schedule, caps, node, cost);
      bool tried = false;
      for (int64_t at = from; at <= to; at += step) {
        Cost candidate = costIn(int(at));
        if (!(candidate < cost) || !table.isFree(graph[node], at))
          continue;
        tried = true;
        schedule.cycle[node] = int(at);
        schedule.complete(graph);
        if (verify(graph, schedule, constraints, {INT64_MAX, INT64_MAX, INT64_MAX, 0}).empty()) {
          cost = candidate;
          best = int(at);
          changed = true;
        }
      }
      if (tried) {
        schedule.cycle[node] = best;
        schedule.complete(graph);
      }
      table.take(graph[node], best);
    }
    if (!changed)
      break;
  }
}

} // namespace tileiras::schedule
