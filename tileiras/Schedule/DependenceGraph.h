//===- DependenceGraph.h - The operations of a loop and what orders them -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is scheduled: the operations of one iteration of a loop, and edges
//
//     from --(latency, distance)--> to      `to` of iteration i + distance starts no sooner than `latency` cycles after
//                                           `from` of iteration i has started
//
// With an iteration started every II cycles this is  t(to) - t(from) >= latency - II * distance.
//
// What bounds II from below, whatever the order:
//
//   resourceBound()    no unit can do more than II cycles of work in II cycles, no pool more than its capacity
//   densityBound()     no operation may overlap itself: the longest time one of them holds a unit
//   recurrenceBound()  around every circle of edges, latencies sum to at most II * distances
//
// Example, an inner product s += a[i] * b[i]: nodes load, multiply, add; edges load -> multiply (latency of memory, 0),
// multiply -> add (4, 0), add -> add (4, 1). recurrenceBound() is 4: nothing but the sum keeps iterations apart.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SCHEDULE_DEPENDENCEGRAPH_H
#define TILEIRAS_SCHEDULE_DEPENDENCEGRAPH_H

#include "tileiras/Schedule/MachineModel.h"
#include <optional>
#include <string>
#include <vector>

namespace tileiras::schedule {

/// The units of `rows`, all of them, for `length` cycles from `offset` cycles after the operation starts.
struct Reservation {
  RowMask rows = 0;
  int length = 1, offset = 0;
};

/// `count` of a pool, likewise.
struct PoolUse {
  int pool = 0, count = 1, length = 1, offset = 0;
};

/// Which agent an operation can be given to.
enum class Role : uint8_t {
  Simt,         ///< threads compute it and are busy for `busy` cycles
  AsyncCopy,    ///< a copy that goes on by itself
  AsyncProduct, ///< a matrix product that one thread issues and that goes on by itself, results in memory
};

struct Node {
  std::string name;
  std::vector<Reservation> reservations;
  std::vector<PoolUse> pools;
  Role role = Role::Simt;
  /// Cycles for which the threads that run it do nothing else. A product of a warpgroup takes few: it is issued.
  int busy = 1;
  /// What its result takes from its start until its last reader has started, in a copy for every iteration in flight.
  int64_t sharedBytes = 0, tensorBytes = 0, registerBytes = 0;
  /// Operations with the same number work on the same part of the data (-1: of none in particular).
  int part = -1;
};

enum class EdgeKind : uint8_t { Value, Token, Structural };

struct Edge {
  int from, to, latency, distance;
  EdgeKind kind;
};

class DependenceGraph {
public:
  /// Nodes are numbered in program order.
  int add(Node node);
  /// An edge of distance 0 goes forward in program order.
  void connect(int from, int to, int latency, int distance = 0, EdgeKind kind = EdgeKind::Value);

  int size() const { return int(nodes.size()); }
  const Node &operator[](int node) const { return nodes[node]; }
  const std::vector<Edge> &allEdges() const { return edges; }
  const std::vector<int> &edgesFrom(int node) const { return out[node]; } ///< numbers of edges
  const std::vector<int> &edgesTo(int node) const { return in[node]; }
  const Edge &edge(int number) const { return edges[number]; }

  /// What is wrong with the graph: empty if nothing is. Everything else expects a graph without errors.
  std::string verify() const;

  int resourceBound() const;
  int densityBound() const;
  int recurrenceBound() const;
  /// The largest of them, at least 1.
  int minimumInterval() const;

  /// Per pair of nodes the longest way between them, latency - interval * distance summed up, kNoWay without one;
  /// nothing if some node would have to start after itself.
  std::optional<std::vector<std::vector<int64_t>>> longestWays(int interval) const;
  static constexpr int64_t kNoWay = INT64_MIN / 4;

  /// Per node the longest way to any end of the iteration: the classic priority.
  std::vector<int64_t> heights(int interval) const;
  /// Of nodes alone, by distance-0 edges; ties in program order.
  std::vector<int> topologicalOrder() const;
  /// All cycles in which anything is reserved, summed up.
  int64_t totalWork() const;
  bool hasAsync() const;

private:
  bool isFeasible(int interval) const;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<std::vector<int>> out, in;
};

} // namespace tileiras::schedule

#endif // TILEIRAS_SCHEDULE_DEPENDENCEGRAPH_H
