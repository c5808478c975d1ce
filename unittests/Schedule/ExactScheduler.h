//===- ExactScheduler.h - The best schedule there is, by exhaustive search -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For tests: the smallest interval that a loop has a schedule for, and for that interval the fewest stages. Branch and
// bound over the cycles modulo the interval. Once these are fixed for all operations, what remains are differences of
// stages, which are longest ways: k(to) - k(from) >= ceil((latency - distance * II + o(from) - o(to)) / II). A partial
// assignment is given up when two operations collide or a circle of such differences is positive.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_UNITTESTS_SCHEDULE_EXACTSCHEDULER_H
#define TILEIRAS_UNITTESTS_SCHEDULE_EXACTSCHEDULER_H

#include "tileiras/Schedule/Schedule.h"

namespace tileiras::schedule {

struct Exact {
  /// Bounds that are proven; equal if the search was finished.
  int interval = 0, stages = 0;
  bool intervalIsProven = true; ///< no smaller interval
  bool stagesAreProven = true;  ///< no fewer stages at this interval
  std::vector<int> cycle;
};

/// `steps`: assignments to try for each interval before giving up.
Exact findExact(const DependenceGraph &graph, int64_t steps = 3'000'000);

} // namespace tileiras::schedule

#endif // TILEIRAS_UNITTESTS_SCHEDULE_EXACTSCHEDULER_H
