//===- Trace.cpp - The search and its result for chrome://tracing ---------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/Trace.h"

#include <algorithm>
#include <cstdio>

namespace tileiras::schedule {

static std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", c);
      result += code;
    } else {
      result += c;
    }
  }
  return result + "\"";
}

/// How many events from `first` on are seats of one operation, one cycle after (or before) the other, with one answer:
/// most are, and a search in a loop of thirty operations has half a million.
static size_t seatsInARow(const std::vector<TraceEvent> &events, size_t first) {
  const TraceEvent &it = events[first];
  size_t count = 1;
  int64_t step = 0;
  for (; first + count < events.size(); ++count) {
    const TraceEvent &next = events[first + count];
    int64_t by = next.cycle - events[first + count - 1].cycle;
    if (next.node != it.node || next.gate != it.gate || next.interval != it.interval || next.arm != it.arm ||
        (by != 1 && by != -1) || (step && by != step))
      break;
    step = by;
  }
  return count;
}

std::string chromeTrace(const std::vector<TracedLoop> &loops, int iterations) {
  std::string text = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [";
  bool first = true;
  auto event = [&](const std::string &body) {
    text += (first ? "\n" : ",\n") + std::string("  {") + body + "}";
    first = false;
  };
  auto name = [&](const char *what, int process, int thread, const std::string &value) {
    event("\"name\": \"" + std::string(what) + "\", \"ph\": \"M\", \"pid\": " + std::to_string(process) +
          ", \"tid\": " + std::to_string(thread) + ", \"args\": {\"name\": " + quoted(value) + "}");
  };
  int process = 0;
  for (const TracedLoop &loop : loops) {
    const DependenceGraph &graph = *loop.graph;
    const Schedule &schedule = *loop.schedule;
    ++process;
    name("process_name", process, 0,
         loop.name + ": " + toString(schedule.kind) + ", II " + std::to_string(schedule.interval) + ", " +
             std::to_string(schedule.stageCount) + " stages");
    RowMask used = 0;
    for (int node = 0; node < graph.size(); ++node)
      for (const Reservation &use : graph[node].reservations)
        used |= use.rows;
    for (int slot = 1; slot <= kNumSlots; ++slot)
      if (used & row(Slot(slot)))
        name("thread_name", process, slot, info(Slot(slot)).name);
    for (int iteration = 0; iteration < (schedule.interval ? iterations : 0); ++iteration)
      for (int node = 0; node < graph.size(); ++node)
        for (const Reservation &use : graph[node].reservations)
          for (int slot = 1; slot <= kNumSlots; ++slot)
            if (use.rows & row(Slot(slot)))
              event("\"name\": " + quoted(graph[node].name) + ", \"ph\": \"X\", \"pid\": " + std::to_string(process) +
                    ", \"tid\": " + std::to_string(slot) + ", \"ts\": " +
                    std::to_string(int64_t(iteration) * schedule.interval + schedule.cycle[node] + use.offset) +
                    ", \"dur\": " + std::to_string(use.length) + ", \"args\": {\"iteration\": " +
                    std::to_string(iteration) + ", \"stage\": " + std::to_string(schedule.stage[node]) +
                    ", \"order\": " + std::to_string(schedule.order[node]) + "}");
    ++process;
    name("process_name", process, 0, loop.name + ": seats tried");
    if (!loop.events)
      continue;
    for (int node = 0; node < graph.size(); ++node)
      name("thread_name", process, node + 1, graph[node].name);
    const std::vector<TraceEvent> &events = *loop.events;
    for (size_t i = 0; i < events.size();) {
      size_t count = seatsInARow(events, i);
      const TraceEvent &tried = events[i];
      int64_t from = std::min(tried.cycle, events[i + count - 1].cycle);
      event("\"name\": \"" + std::string(toString(tried.gate)) + "\", " +
            (count == 1 ? "\"ph\": \"i\", \"s\": \"t\"" : "\"ph\": \"X\", \"dur\": " + std::to_string(count)) +
            ", \"pid\": " + std::to_string(process) + ", \"tid\": " + std::to_string(tried.node + 1) +
            ", \"ts\": " + std::to_string(from) + ", \"args\": {\"interval\": " + std::to_string(tried.interval) +
            ", \"arm\": \"" + tried.arm + "\"}");
      i += count;
    }
  }
  return text + "\n]}\n";
}

} // namespace tileiras::schedule
