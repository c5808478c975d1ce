//===- Schedule.cpp - When the operations of a loop start -----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/Schedule.h"
#include "tileiras/Schedule/ReservationTable.h"

#include <algorithm>

namespace tileiras::schedule {

static constexpr const char *kindNames[] = {"NONE", "SERIAL", "COST_BASED", "FAST", "DEFAULT"};

const char *toString(Kind kind) { return kindNames[unsigned(kind)]; }
std::optional<Kind> parseKind(std::string_view name) {
  for (unsigned i = 0; i < std::size(kindNames); ++i)
    if (name == kindNames[i])
      return Kind(i);
  return std::nullopt;
}

/// Cycles from its start until an operation is done: its units are free and its results there.
static int durationOf(const DependenceGraph &graph, int node) {
  int duration = 1;
  for (const Reservation &use : graph[node].reservations)
    duration = std::max(duration, use.offset + use.length);
  for (int number : graph.edgesFrom(node))
    duration = std::max(duration, graph.edge(number).latency);
  return duration;
}

void Schedule::complete(const DependenceGraph &graph) {
  int n = graph.size(), last = 0;
  stage.assign(n, 0);
  order.assign(n, 0);
  length = 0;
  for (int i = 0; i < n; ++i) {
    stage[i] = cycle[i] / interval;
    last = std::max(last, stage[i]);
    length = std::max(length, cycle[i] + durationOf(graph, i));
  }
  std::vector<int> nodes(n);
  for (int i = 0; i < n; ++i)
    nodes[i] = i;
  std::stable_sort(nodes.begin(), nodes.end(), [&](int a, int b) { return cycle[a] % interval < cycle[b] % interval; });
  for (int i = 0; i < n; ++i)
    order[nodes[i]] = i;
  stageCount = last + 1;
  totalWork = graph.totalWork();
}

std::string verify(const DependenceGraph &graph, const Schedule &schedule, const std::vector<Constraint> &constraints,
                   const ByteCaps &caps) {
  int n = graph.size(), interval = schedule.interval;
  if (interval < 1 || int(schedule.cycle.size()) != n)
    return "the schedule is of another loop";
  ReservationTable table(interval);
  for (int i = 0; i < n; ++i) {
    if (schedule.cycle[i] < 0)
      return "'" + graph[i].name + "' starts before its iteration";
    if (!table.isFree(graph[i], schedule.cycle[i]))
      return "'" + graph[i].name + "' finds its unit taken";
    table.take(graph[i], schedule.cycle[i]);
  }
  for (const Edge &edge : graph.allEdges())
    if (schedule.cycle[edge.to] - schedule.cycle[edge.from] < edge.latency - interval * edge.distance)
      return "'" + graph[edge.to].name + "' starts before '" + graph[edge.from].name + "' is ready";
  for (const Constraint &constraint : constraints) {
    const std::vector<int> &nodes = constraint.nodes;
    for (size_t i = 0; i < nodes.size(); ++i) {
      int node = nodes[i];
      switch (constraint.family) {
      case ConstraintFamily::SameDepth:
        if (schedule.stage[node] != schedule.stage[nodes[0]])
          return "'" + graph[node].name + "' is not in the stage of '" + graph[nodes[0]].name + "'";
        break;
      case ConstraintFamily::MaxDepth:
        for (int number : graph.edgesFrom(node)) {
          const Edge &edge = graph.edge(number);
          if (edge.kind == EdgeKind::Value &&
              schedule.stage[edge.to] + edge.distance - schedule.stage[node] > constraint.value)
            return "'" + graph[node].name + "' is needed too many stages later";
        }
        break;
      case ConstraintFamily::ForceSerialExecution:
        if (schedule.stageCount != 1)
          return "the loop has to be serial";
        break;
      case ConstraintFamily::Structural:
        if (i && schedule.cycle[node] < schedule.cycle[nodes[i - 1]])
          return "'" + graph[node].name + "' starts before '" + graph[nodes[i - 1]].name + "'";
        break;
      }
    }
  }
  Footprint bytes = footprint(graph, schedule);
  if (bytes.shared > caps.shared || bytes.tensor > caps.tensor || bytes.registers > caps.registers)
    return "the values in flight do not fit";
  return "";
}

int copiesOf(const DependenceGraph &graph, const Schedule &schedule, int node) {
  int64_t last = schedule.cycle[node];
  for (int number : graph.edgesFrom(node)) {
    const Edge &edge = graph.edge(number);
    if (edge.kind == EdgeKind::Value)
      last = std::max(last, int64_t(schedule.cycle[edge.to]) + int64_t(edge.distance) * schedule.interval +
                                graph[edge.to].busy - 1);
  }
  return int((last - schedule.cycle[node]) / schedule.interval) + 1;
}

Footprint footprint(const DependenceGraph &graph, const Schedule &schedule) {
  Footprint sum;
  for (int i = 0; i < graph.size(); ++i) {
    int64_t copies = copiesOf(graph, schedule, i);
    sum.shared += copies * graph[i].sharedBytes;
    sum.tensor += copies * graph[i].tensorBytes;
    sum.registers += copies * graph[i].registerBytes;
  }
  return sum;
}

Cost costOf(const DependenceGraph &graph, const Schedule &schedule, const ByteCaps &caps) {
  Cost cost;
  Footprint bytes = footprint(graph, schedule);
  cost.bytesTooMany = std::max<int64_t>(0, bytes.shared - caps.shared) +
                      std::max<int64_t>(0, bytes.tensor - caps.tensor) +
                      std::max<int64_t>(0, bytes.registers - caps.registers);
  cost.banks = bytes.registers;
  cost.pressure = schedule.stageCount;
  for (const Edge &edge : graph.allEdges())
    if (edge.kind == EdgeKind::Value)
      cost.pressure += schedule.stage[edge.to] + edge.distance - schedule.stage[edge.from];
  for (int i = 0; i < graph.size(); ++i)
    for (int j = 0; j < i; ++j)
      cost.disorder += schedule.order[j] > schedule.order[i];
  return cost;
}

Schedule serialSchedule(const DependenceGraph &graph, bool withTable) {
  Schedule schedule;
  schedule.kind = Kind::Serial;
  schedule.arm = withTable ? "serial" : "sequence";
  schedule.cycle.assign(graph.size(), 0);
  int64_t sum = 1;
  for (int i = 0; i < graph.size(); ++i)
    sum += durationOf(graph, i);
  ReservationTable table(withTable ? int(sum) : 1); // long enough that nothing wraps around
  int end = 1, next = 0;
  for (int node : graph.topologicalOrder()) {
    int at = withTable ? 0 : next;
    for (int number : graph.edgesTo(node)) {
      const Edge &edge = graph.edge(number);
      if (edge.distance == 0)
        at = std::max(at, schedule.cycle[edge.from] + edge.latency);
    }
    if (withTable) {
      while (!table.isFree(graph[node], at))
        ++at;
      table.take(graph[node], at);
    }
    schedule.cycle[node] = at;
    next = at + durationOf(graph, node);
    end = std::max(end, next);
  }
  // The next iteration begins when all is done; a longer dependence of iterations moves it further.
  for (const Edge &edge : graph.allEdges())
    if (edge.distance > 0) {
      int64_t apart = int64_t(schedule.cycle[edge.from]) + edge.latency - schedule.cycle[edge.to];
      end = std::max<int64_t>(end, (apart + edge.distance - 1) / edge.distance);
    }
  schedule.interval = end;
  schedule.minimumInterval = graph.minimumInterval();
  schedule.complete(graph);
  return schedule;
}

std::string renderTimeline(const DependenceGraph &graph, const Schedule &schedule, int width) {
  int interval = schedule.interval, scale = std::max(1, (interval + width - 1) / width);
  int columns = (interval + scale - 1) / scale;
  std::string text, legend;
  for (int slot = 0; slot < kNumSlots; ++slot) {
    std::string line(columns, '.');
    bool used = false;
    for (int node = 0; node < graph.size(); ++node)
      for (const Reservation &use : graph[node].reservations)
        if (use.rows >> slot & 1)
          for (int i = 0; i < use.length; ++i) {
            line[(schedule.cycle[node] + use.offset + i) % interval / scale] = char('A' + node % 26);
            used = true;
          }
    if (!used)
      continue;
    std::string name = info(Slot(slot + 1)).name;
    text += name + std::string(name.size() < 18 ? 18 - name.size() : 1, ' ') + "|" + line + "|\n";
  }
  for (int node = 0; node < graph.size(); ++node)
    legend += std::string("  ") + char('A' + node % 26) + " " + graph[node].name + " (stage " +
              std::to_string(schedule.stage[node]) + ", cycle " + std::to_string(schedule.cycle[node]) + ")\n";
  return "II = " + std::to_string(interval) + ", " + std::to_string(schedule.stageCount) +
         " stages, one column = " + std::to_string(scale) + (scale == 1 ? " cycle\n" : " cycles\n") + text + legend;
}

} // namespace tileiras::schedule
