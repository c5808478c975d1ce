//===- Trace.h - The search and its result for chrome://tracing -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SCHEDULE_TRACE_H
#define TILEIRAS_SCHEDULE_TRACE_H

#include "tileiras/Schedule/ModuloScheduler.h"

namespace tileiras::schedule {

/// A loop, its schedule, and what was tried on the way.
struct TracedLoop {
  std::string name;
  const DependenceGraph *graph;
  const Schedule *schedule;
  const std::vector<TraceEvent> *events;
};

/// Chrome's trace format (JSON): per loop a process with a thread for each unit, in which the operations of
/// `iterations` iterations run, one cycle being one microsecond, and a process whose threads are the operations and
/// whose instants are the seats tried, with the interval, the arm and the gate that refused; seats in a row with one
/// answer are one stretch.
std::string chromeTrace(const std::vector<TracedLoop> &loops, int iterations = 4);

} // namespace tileiras::schedule

#endif // TILEIRAS_SCHEDULE_TRACE_H
