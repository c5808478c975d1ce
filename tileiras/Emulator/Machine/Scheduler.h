//===- Scheduler.h - Which warp runs next -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The agents of a block (today its warps; later also the TMA and tensor units) are run by a Scheduler, which decides
// who goes next and for how long. Programs that are correct under the PTX memory model give the same results under
// every schedule, and a missing barrier usually does not: running warps one after another up to their next barrier,
// forwards and backwards, makes the two orders of every unsynchronised pair of accesses happen.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_SCHEDULER_H
#define TILEIRAS_EMULATOR_MACHINE_SCHEDULER_H

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace tileiras::emu {

enum class Schedule {
  RoundRobin, ///< a slice of instructions each, in turn
  Forward,    ///< the lowest warp runs until it must wait, then the next
  Reverse,    ///< the highest warp runs until it must wait, then the next lower
  Random      ///< seeded choice of warp and of slice length
};

/// "round-robin", "forward", "reverse", "random".
const char *scheduleName(Schedule schedule);
/// Inverse of scheduleName; false if unknown.
bool parseSchedule(std::string_view name, Schedule &schedule);

/// One decision: run agent `agent` for at most `slice` basic blocks.
struct Turn {
  unsigned agent;
  unsigned slice;
};

class Scheduler {
public:
  virtual ~Scheduler() = default;
  /// `runnable` lists the agents that can make progress, ascending, never empty.
  virtual Turn next(const std::vector<unsigned> &runnable) = 0;
};

/// `stream` separates the random sequences of different blocks, so that a run does not depend on which host thread
/// runs which block.
std::unique_ptr<Scheduler> makeScheduler(Schedule schedule, uint64_t seed, uint64_t stream);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_SCHEDULER_H
