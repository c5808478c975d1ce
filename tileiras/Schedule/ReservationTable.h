//===- ReservationTable.h - Who has which unit when -------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A table of II cycles; cycle c of the schedule is row c mod II, because another iteration begins every II cycles. Per
// cycle a set of units and, per pool, how much of it is taken. An operation takes everything it reserves or nothing,
// and gives exactly that back.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SCHEDULE_RESERVATIONTABLE_H
#define TILEIRAS_SCHEDULE_RESERVATIONTABLE_H

#include "tileiras/Schedule/DependenceGraph.h"

namespace tileiras::schedule {

class ReservationTable {
public:
  explicit ReservationTable(int interval) : rows(interval, 0), pools(interval) {}

  /// Whether the operation, started in `cycle`, finds all it needs, itself included (it may last longer than II).
  bool isFree(const Node &node, int64_t cycle) const { return !busyFor(node, cycle); }
  /// No start before so many cycles later finds all it needs; 0: this one does.
  int64_t busyFor(const Node &node, int64_t cycle) const;
  void take(const Node &node, int64_t cycle);
  void giveBack(const Node &node, int64_t cycle);
  /// Whether two operations, started in these cycles, want something of each other.
  static bool collide(const Node &a, int64_t atA, const Node &b, int64_t atB, int interval);

private:
  size_t at(int64_t cycle) const {
    return size_t(((cycle % int64_t(rows.size())) + int64_t(rows.size())) % int64_t(rows.size()));
  }
  void add(const Node &node, int64_t cycle, int sign);
  std::vector<RowMask> rows;
  std::vector<std::array<int16_t, kNumPools>> pools;
};

} // namespace tileiras::schedule

#endif // TILEIRAS_SCHEDULE_RESERVATIONTABLE_H
