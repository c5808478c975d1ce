//===- DependenceGraph.cpp - The operations of a loop and what orders them ===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/DependenceGraph.h"

#include <algorithm>

namespace tileiras::schedule {

int DependenceGraph::add(Node node) {
  nodes.push_back(std::move(node));
  out.emplace_back();
  in.emplace_back();
  return size() - 1;
}

void DependenceGraph::connect(int from, int to, int latency, int distance, EdgeKind kind) {
  out[from].push_back(int(edges.size()));
  in[to].push_back(int(edges.size()));
  edges.push_back({from, to, latency, distance, kind});
}

std::string DependenceGraph::verify() const {
  for (const Node &node : nodes) {
    for (const Reservation &use : node.reservations)
      if (use.length < 1 || use.offset < 0 || !use.rows || use.rows >> kNumSlots)
        return "'" + node.name + "' reserves no unit that there is, or for no time";
    for (const Reservation &use : node.reservations)
      for (const Reservation &other : node.reservations)
        if (&use != &other && (use.rows & other.rows) && use.offset < other.offset + other.length &&
            other.offset < use.offset + use.length)
          return "'" + node.name + "' reserves a unit twice at a time";
    for (const PoolUse &use : node.pools)
      if (use.pool < 0 || use.pool >= kNumPools || use.count < 1 || use.length < 1 || use.offset < 0 ||
          use.count > kPoolCapacity[use.pool])
        return "'" + node.name + "' takes more of a pool than there is";
  }
  for (const Edge &edge : edges) {
    if (edge.latency < 0 || edge.distance < 0)
      return "an edge from '" + nodes[edge.from].name + "' has a negative latency or distance";
    if (edge.distance == 0 && edge.from >= edge.to)
      return "'" + nodes[edge.to].name + "' needs '" + nodes[edge.from].name +
             "' of the same iteration, which follows it";
  }
  return "";
}

int DependenceGraph::resourceBound() const {
  int64_t rows[kNumSlots] = {}, pools[kNumPools] = {};
  for (const Node &node : nodes) {
    for (const Reservation &use : node.reservations)
      for (int slot = 0; slot < kNumSlots; ++slot)
        if (use.rows >> slot & 1)
          rows[slot] += use.length;
    for (const PoolUse &use : node.pools)
      pools[use.pool] += int64_t(use.count) * use.length;
  }
  int64_t bound = 1;
  for (int64_t work : rows)
    bound = std::max(bound, work);
  for (int pool = 0; pool < kNumPools; ++pool)
    bound = std::max(bound, (pools[pool] + kPoolCapacity[pool] - 1) / kPoolCapacity[pool]);
  return int(bound);
}

int DependenceGraph::densityBound() const {
  int bound = 1;
  for (const Node &node : nodes)
    for (const Reservation &use : node.reservations)
      bound = std::max(bound, use.length);
  return bound;
}

/// Bellman-Ford: no circle of edges is longer than nothing.
bool DependenceGraph::isFeasible(int interval) const {
  std::vector<int64_t> start(nodes.size(), 0);
  for (int round = 0; round <= size(); ++round) {
    bool changed = false;
    for (const Edge &edge : edges) {
      int64_t at = start[edge.from] + edge.latency - int64_t(interval) * edge.distance;
      if (at > start[edge.to]) {
        start[edge.to] = at;
        changed = true;
      }
    }
    if (!changed)
      return true;
  }
  return false;
}

int DependenceGraph::recurrenceBound() const {
  int64_t most = 1;
  for (const Edge &edge : edges)
    most += edge.latency;
  int low = 1, high = int(std::min<int64_t>(most, INT32_MAX / 2));
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (isFeasible(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

int DependenceGraph::minimumInterval() const {
  return std::max({1, resourceBound(), densityBound(), recurrenceBound()});
}

std::optional<std::vector<std::vector<int64_t>>> DependenceGraph::longestWays(int interval) const {
  int n = size();
  std::vector<std::vector<int64_t>> way(n, std::vector<int64_t>(n, kNoWay));
  for (const Edge &edge : edges)
    way[edge.from][edge.to] = std::max(way[edge.from][edge.to], edge.latency - int64_t(interval) * edge.distance);
  for (int via = 0; via < n; ++via)
    for (int from = 0; from < n; ++from) {
      if (way[from][via] == kNoWay)
        continue;
      for (int to = 0; to < n; ++to)
        if (way[via][to] != kNoWay)
          way[from][to] = std::max(way[from][to], way[from][via] + way[via][to]);
    }
  for (int node = 0; node < n; ++node)
    if (way[node][node] > 0)
      return std::nullopt;
  return way;
}

std::vector<int64_t> DependenceGraph::heights(int interval) const {
  std::vector<int64_t> height(nodes.size(), 0);
  for (int round = 0; round <= size(); ++round) {
    bool changed = false;
    for (const Edge &edge : edges) {
      int64_t h = height[edge.to] + edge.latency - int64_t(interval) * edge.distance;
      if (h > height[edge.from]) {
        height[edge.from] = h;
        changed = true;
      }
    }
    if (!changed)
      break;
  }
  return height;
}

std::vector<int> DependenceGraph::topologicalOrder() const {
  std::vector<int> order(nodes.size());
  for (int i = 0; i < size(); ++i)
    order[i] = i; // verify() has seen that program order is one
  return order;
}

int64_t DependenceGraph::totalWork() const {
  int64_t work = 0;
  for (const Node &node : nodes)
    for (const Reservation &use : node.reservations)
      work += use.length;
  return work;
}

bool DependenceGraph::hasAsync() const {
  return std::any_of(nodes.begin(), nodes.end(), [](const Node &node) { return node.role != Role::Simt; });
}

} // namespace tileiras::schedule
