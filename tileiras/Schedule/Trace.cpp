//===- Trace.cpp - The search and its result for chrome://tracing ---------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/Trace.h"

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
    for (const TraceEvent &tried : *loop.events)
      event("\"name\": \"" + std::string(toString(tried.gate)) +
            "\", \"ph\": \"i\", \"s\": \"t\", \"pid\": " + std::to_string(process) +
            ", \"tid\": " + std::to_string(tried.node + 1) + ", \"ts\": " + std::to_string(tried.cycle) +
            ", \"args\": {\"interval\": " + std::to_string(tried.interval) + ", \"arm\": \"" + tried.arm + "\"}");
  }
  return text + "\n]}\n";
}

} // namespace tileiras::schedule
