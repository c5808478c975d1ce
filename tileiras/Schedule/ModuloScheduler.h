//===- ModuloScheduler.h - Finding a schedule -------------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Iterative modulo scheduling (B. R. Rau, 1994): try intervals from the lower bound up, and for each of them place the
// operations, those with the longest way to the end first. Four ways of placing ("arms") are tried in this order:
//
//   PERMUTE  each operation into the earliest legal seat of its window [earliest, earliest + II - 1]; nobody moves
//   again FUSE     operations of one unit that nothing orders are joined and placed as one block RETRY    Rau's: an
//   operation without a seat takes one all the same, and whoever is in its way is placed again later COST     like
//   RETRY, but into the legal seat that costs least (Cost, in Schedule.h)
//
// A seat (operation, cycle) is legal if it passes all gates, asked in this order:
//
//   G1 pending  the operation has no seat yet
//   G2 depth    no value would be needed more stages later than it may (MaxDepth, else SchedulerOptions::maxDepth)
//   G3 unit     units and pools are free; else the next cycle is tried
//   G4 leader   the operation is in the stage of those that must be in one stage with it (SameDepth)
//
// FAST takes the first schedule found. COST_BASED asks all four arms at the smallest interval that any of them manages,
// then lets every operation move to where values live shorter, and takes the cheapest result. Everything is
// deterministic: ties go by program order.
//
// The intervals tried are all from the bound up; beyond 64 of them in steps that double, and then the gap is bisected.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SCHEDULE_MODULOSCHEDULER_H
#define TILEIRAS_SCHEDULE_MODULOSCHEDULER_H

#include "tileiras/Schedule/Schedule.h"

namespace tileiras::schedule {

enum class Gate : uint8_t { None, Pending, Depth, Unit, Leader, Window };
const char *toString(Gate gate);

/// A seat that was asked for, and which gate refused it (None: taken).
struct TraceEvent {
  int interval, node;
  int64_t cycle;
  Gate gate;
  const char *arm;
};

struct SchedulerOptions {
  Kind kind = Kind::Default;
  int computeCapability = 90;
  /// Bodies with more operations are not given a table of units: they are run in sequence.
  int rrtSizeThreshold = 4096;
  /// Rounds of scheduling again with what a violated constraint asks for.
  int maxConstraintIterations = 10;
  /// Loops with fewer operations than this, or without anything asynchronous, are serial.
  int serialThreshold = 8;
  bool forceSerial = false;
  /// Stages by which a value may outlive the one it is made in; negative: as many as it likes.
  int maxDepth = 1;
  /// Placements an arm may make, per operation, before it gives an interval up; from the 129th operation on at most
  /// two.
  int budgetRatio = 12;
  ByteCaps caps;
  std::vector<Constraint> constraints;
  /// Receives every seat that is tried, if given.
  std::vector<TraceEvent> *trace = nullptr;
};

/// Why there is no schedule, or the schedule. Kind::None gives a schedule without an interval.
struct Result {
  std::optional<Schedule> schedule;
  std::string error;
};

/// Kind::Default and the conditions for being serial resolved: None, Serial, CostBased or Fast.
Kind resolveKind(const DependenceGraph &graph, const SchedulerOptions &options);

Result findSchedule(const DependenceGraph &graph, const SchedulerOptions &options);

} // namespace tileiras::schedule

#endif // TILEIRAS_SCHEDULE_MODULOSCHEDULER_H
