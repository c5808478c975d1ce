//===- Trace.h - Timelines for Perfetto and Chrome tracing ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Records what warps and asynchronous units do and writes it as trace events (JSON), one process per block, one
// track per warp and per asynchronous unit.
//
// Time is a model, not a measurement: a warp takes one tick per instruction; a tensor copy takes CopyLatency plus a
// tick per CopyBytesPerTick bytes, a matrix multiplication a tick per MultiplyPerTick products after whatever precedes
// it on its unit; somebody who waits goes on when the last of what he waits for is there. It shows who waits for whom,
// how deep a pipeline fills, and where it drains, not how fast a GPU is.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_TRACE_H
#define TILEIRAS_EMULATOR_MACHINE_TRACE_H

#include "tileiras/Emulator/Machine/Observer.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tileiras::emu {

class TraceRecorder {
public:
  static constexpr uint64_t CopyLatency = 300, CopyBytesPerTick = 64, MultiplyPerTick = 4096;

  /// Only blocks with a linear number below `blocks` are recorded, and at most `maxEvents` events.
  explicit TraceRecorder(uint64_t blocks = 4, size_t maxEvents = 2'000'000) : blocks(blocks), maxEvents(maxEvents) {}

  /// For LaunchOptions::observers. The recorder must outlive the launch.
  std::function<std::unique_ptr<Observer>()> factory();
  /// {"traceEvents": [...]}.
  std::string json() const;
  size_t eventCount() const { return events.size(); }
  struct Event {
    uint64_t process, track; ///< block; warp, or 1000 + unit number
    uint64_t begin, duration;
    std::string name, category;
    uint32_t line = 0; ///< of the PTX
    std::string detail;
  };
  const std::vector<Event> &recorded() const { return events; }
  struct TrackName {
    uint64_t process, track;
    std::string name;
  };
  bool wants(uint64_t block) const { return block < blocks; }
  void add(std::vector<Event> &&batch, std::vector<TrackName> &&names);
  bool full() const { return count.load(std::memory_order_relaxed) >= maxEvents; }

private:
  uint64_t blocks;
  size_t maxEvents;
  mutable std::mutex mutex;
  std::vector<Event> events;
  std::atomic<size_t> count{0}; ///< of them, for host threads that ask without the lock
  std::vector<TrackName> names;
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_TRACE_H
