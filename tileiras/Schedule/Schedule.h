//===- Schedule.h - When the operations of a loop start ---------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A schedule gives every operation of a loop body a cycle, counted from the start of its iteration; an iteration starts
// every `interval` cycles (II). So in the steady state the operation with cycle c runs in cycle c mod II of stage c /
// II, for the iteration that began so many intervals ago:
//
//     II = 4      cycle  0    1    2    3        load 0, multiply 5, add 9: stages 0, 1, 2;
//     iteration i       load                     in one interval the kernel runs
//     iteration i-1          multiply            load of i, multiply of i-1, add of i-2
//     iteration i-2          add
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SCHEDULE_SCHEDULE_H
#define TILEIRAS_SCHEDULE_SCHEDULE_H

#include "tileiras/Schedule/DependenceGraph.h"
#include <array>
#include <string_view>

namespace tileiras::schedule {

/// How a schedule is made. Default: CostBased from sm_90 on, Serial before.
enum class Kind : uint8_t { None, Serial, CostBased, Fast, Default };
/// "NONE", "SERIAL", "COST_BASED", "FAST", "DEFAULT".
const char *toString(Kind kind);
std::optional<Kind> parseKind(std::string_view name);

enum class ConstraintFamily : uint8_t {
  SameDepth,            ///< the nodes are in one stage
  MaxDepth,             ///< a value of the nodes is needed at most `value` stages later
  ForceSerialExecution, ///< one stage, one operation after the other
  Structural,           ///< in an iteration each node starts no sooner than the one before it in the list
};

struct Constraint {
  ConstraintFamily family;
  std::vector<int> nodes;
  int value = 0;
};

struct Schedule {
  Kind kind = Kind::None;
  int interval = 0;            ///< II
  std::vector<int> cycle;      ///< per node
  std::vector<int> stage;      ///< cycle / II
  std::vector<int> order;      ///< place in the steady state: by cycle mod II, ties in program order
  int stageCount = 0;          ///< the last stage + 1
  int length = 0;              ///< cycles from the first start to when all of an iteration is done
  int64_t totalWork = 0;       ///< DependenceGraph::totalWork
  int minimumInterval = 0;     ///< the bound that II was searched from
  const char *arm = "";        ///< which way of placing found it
  bool converged = true;       ///< all constraints hold
  bool budgetExceeded = false; ///< some II below was given up for want of rounds, not because it cannot be

  /// Fills stage, order, stageCount, length, totalWork from cycle and interval.
  void complete(const DependenceGraph &graph);
};

/// What is wrong with a schedule: an edge, a unit or a constraint that does not hold. Empty if nothing is.
std::string verify(const DependenceGraph &graph, const Schedule &schedule,
                   const std::vector<Constraint> &constraints = {}, const ByteCaps &caps = {});

/// Bytes of shared and tensor memory and of registers that the values of all iterations in flight take together.
struct Footprint {
  int64_t shared = 0, tensor = 0, registers = 0;
};
Footprint footprint(const DependenceGraph &graph, const Schedule &schedule);
/// Copies that a value of the node needs: one for each iteration in flight between it and its last reader.
int copiesOf(const DependenceGraph &graph, const Schedule &schedule, int node);

/// What schedules are compared by, in this order, smaller is better.
struct Cost {
  int64_t bytesTooMany = 0; ///< legality: beyond the caps
  int64_t pressure = 0;     ///< copies of values that stages hold, by distance
  int64_t banks = 0;        ///< bytes of registers live at once
  int64_t disorder = 0;     ///< pairs that run against program order (Kendall's tau)
  auto tuple() const { return std::array{bytesTooMany, pressure, banks, disorder}; }
  bool operator<(const Cost &other) const { return tuple() < other.tuple(); }
};
Cost costOf(const DependenceGraph &graph, const Schedule &schedule, const ByteCaps &caps);

/// Whether two agents that compute keep each other busy: stages > work of an iteration * 0.6. The work is divided by
/// the iterations (at least one) as integers first, as the reference tool does.
inline bool isDualSimtWorthIt(int64_t stages, int64_t totalWork, int64_t iterations) {
  return double(stages) > double(totalWork / (iterations > 0 ? iterations : 1)) * 0.6;
}

/// One iteration after the other, operations in program order, each as soon as its operands are there and its units
/// free. `withTable` false: one operation after the other, without asking for units (long bodies).
Schedule serialSchedule(const DependenceGraph &graph, bool withTable = true);

/// One interval of the steady state as text, for people: a line for each unit in use, columns are cycles (several in
/// one where II is large), letters the operations, which a legend names with their stages.
std::string renderTimeline(const DependenceGraph &graph, const Schedule &schedule, int width = 64);

} // namespace tileiras::schedule

#endif // TILEIRAS_SCHEDULE_SCHEDULE_H
