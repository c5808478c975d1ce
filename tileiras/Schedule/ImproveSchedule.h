//===- ImproveSchedule.h - Cheaper seats in a schedule ----------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The last step of the search (ModuloScheduler.h): of a schedule that is legal, operations move to other cycles as long
// as it gets cheaper. Example: a load that two products need is placed by its height, a stage before the first of them;
// moved into the same stage it holds one copy less.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SCHEDULE_IMPROVESCHEDULE_H
#define TILEIRAS_SCHEDULE_IMPROVESCHEDULE_H

#include "tileiras/Schedule/Schedule.h"

#include <vector>

namespace tileiras::schedule {

/// What a schedule would cost if one operation stood in another cycle, without counting the whole of it anew: the same
/// as costOf after the move, in time that does not grow with the loop but for a logarithm. Holds as long as the other
/// operations stay where they are.
class CostOfMove {
public:
  /// `cost`: of the schedule as it is.
  CostOfMove(const DependenceGraph &graph, const Schedule &schedule, const ByteCaps &caps, int node, const Cost &cost);

  /// `cycle`: from 0.
  Cost operator()(int cycle);

private:
  /// Of the operation, and of what it reads, whose copies live until then.
  Footprint footprintOfTouched() const;

  const DependenceGraph &graph;
  Schedule moved; ///< cycles and interval only
  const ByteCaps &caps;
  int node;
  std::vector<int> touched; ///< the operation and what it reads, each once
  std::vector<int> before,
      behind;       ///< places in the interval of what stands before it and behind it in the program, sorted
  Footprint others; ///< of operations that are not touched
  int64_t pressureOfOthers = 0, disorderOfOthers = 0;
  int lastStageOfOthers = 0;
  std::vector<int> stages;
};

/// Lets operations move, one after the other, as long as the schedule gets cheaper and stays legal.
void improve(const DependenceGraph &graph, const std::vector<Constraint> &constraints, const ByteCaps &caps,
             Schedule &schedule);

} // namespace tileiras::schedule

#endif // TILEIRAS_SCHEDULE_IMPROVESCHEDULE_H
