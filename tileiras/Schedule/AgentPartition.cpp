//===- AgentPartition.cpp - Who runs which operation of a schedule --------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/AgentPartition.h"

#include <algorithm>

namespace tileiras::schedule {

namespace {

class Partitioner {
public:
  Partitioner(const DependenceGraph &graph, const Schedule &schedule, const PartitionOptions &options)
      : graph(graph), schedule(schedule), options(options), agentOf(graph.size(), -1) {}

  std::vector<Agent> run() {
    for (Role role : {Role::AsyncCopy, Role::AsyncProduct}) {
      int agent = -1;
      for (int node = 0; node < graph.size(); ++node)
        if (graph[node].role == role) {
          if (agent < 0)
            agent = open(role);
          give(node, agent);
        }
    }
    // The longest of a part first: whoever has that is who the rest of the part should join.
    std::vector<int> simt;
    for (int node = 0; node < graph.size(); ++node)
      if (graph[node].role == Role::Simt)
        simt.push_back(node);
    std::stable_sort(simt.begin(), simt.end(), [&](int a, int b) {
      return std::pair(graph[a].part < 0, -weight(a)) < std::pair(graph[b].part < 0, -weight(b));
    });
    for (int node : simt) {
      int best = -1;
      int64_t bestAffinity = 0;
      for (int agent = 0; agent < int(agents.size()); ++agent) {
        if (agents[agent].role != Role::Simt || !fits(node, agent))
          continue;
        int64_t its = affinity(node, agent);
        if (best < 0 || its > bestAffinity) {
          best = agent;
          bestAffinity = its;
        }
      }
      // An agent that works on another part is joined only if there can be no more agents.
      bool roomForMore = int(agents.size()) < options.maxAgents;
      if (best < 0 || (bestAffinity < 0 && roomForMore)) {
        if (!roomForMore)
          return {};
        best = open(Role::Simt);
        if (!fits(node, best))
          return {};
      }
      give(node, best);
    }
    for (Agent &agent : agents) {
      std::sort(agent.nodes.begin(), agent.nodes.end(),
                [&](int a, int b) { return schedule.order[a] < schedule.order[b]; });
      agent.firstStage = schedule.stageCount;
      for (int node : agent.nodes)
        agent.firstStage = std::min(agent.firstStage, schedule.stage[node]);
    }
    return std::move(agents);
  }

private:
  int64_t weight(int node) const {
    return int64_t(graph[node].busy) * 1024 + int64_t(partWeight(graph[node].part) & 1023);
  }
  int partWeight(int part) const {
    int sum = 0;
    for (int node = 0; node < graph.size(); ++node)
      sum += part >= 0 && graph[node].part == part ? graph[node].busy : 0;
    return sum;
  }
  int open(Role role) {
    agents.emplace_back().role = role;
    return int(agents.size()) - 1;
  }
  int64_t bytesOf(int node) const { return graph[node].registerBytes * copiesOf(graph, schedule, node); }
  void give(int node, int agent) {
    agents[agent].nodes.push_back(node);
    agents[agent].busy += graph[node].busy;
    agents[agent].registerBytes += bytesOf(node);
    agentOf[node] = agent;
  }
  bool fits(int node, int agent) const {
    int interval = schedule.interval;
    if (agents[agent].busy + graph[node].busy > interval ||
        agents[agent].registerBytes + bytesOf(node) > options.registerBytesPerAgent)
      return false;
    for (int other : agents[agent].nodes) {
      if (graph[node].part >= 0 && graph[node].part == graph[other].part)
        continue;
      int64_t distance = ((schedule.cycle[other] - schedule.cycle[node]) % interval + interval) % interval;
      if (distance < graph[node].busy || interval - distance < graph[other].busy)
        return false;
    }
    return true;
  }
  /// Positive: values pass between the operation and the agent, or they have a part in common. Negative: the agent
  /// works on other parts.
  int64_t affinity(int node, int agent) const {
    int64_t sum = 0;
    for (int other : agents[agent].nodes) {
      if (graph[node].part >= 0 && graph[other].part >= 0)
        sum += graph[node].part == graph[other].part ? 1'000'000'000 : -1'000'000'000;
      for (int number : graph.edgesTo(node))
        sum += graph.edge(number).from == other ? graph[other].registerBytes : 0;
      for (int number : graph.edgesFrom(node))
        sum += graph.edge(number).to == other ? graph[node].registerBytes : 0;
    }
    return sum;
  }

  const DependenceGraph &graph;
  const Schedule &schedule;
  const PartitionOptions &options;
  std::vector<int> agentOf;
  std::vector<Agent> agents;
};

} // namespace

std::vector<Agent> partition(const DependenceGraph &graph, const Schedule &schedule, const PartitionOptions &options) {
  return Partitioner(graph, schedule, options).run();
}

} // namespace tileiras::schedule
