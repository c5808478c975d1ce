//===- Mbarrier.h - mbarrier objects in shared memory -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, Parallel Synchronization and Communication Instructions, mbarrier. An object is 8 bytes of shared memory,
// aligned to 8, opaque to programs. Its state is kept both in those bytes, in an encoding of our own, and in a table
// of the block; whenever they differ, somebody has overwritten the object, which is reported.
//
// A phase is complete when the pending arrivals and the pending bytes (tx-count) are both zero; then the next phase
// begins with `expected` pending arrivals.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_ASYNC_MBARRIER_H
#define TILEIRAS_EMULATOR_MACHINE_ASYNC_MBARRIER_H

#include "tileiras/Emulator/Machine/Observer.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace tileiras::emu {

/// Largest arrival count and magnitude of the tx-count (PTX ISA, "mbarrier: limits").
constexpr int64_t MbarrierMaxCount = (1 << 20) - 1, MbarrierMaxTx = (1 << 20) - 1;

struct Function;

/// Who arrives where, for the report of a deadlock.
struct MbarrierArrival {
  const Warp *warp = nullptr;
  const Inst *inst = nullptr;
  uint32_t line = 0;
  bool async = false; ///< an operation that the warp issued
  uint64_t phase = 0; ///< the latest
};

struct Mbarrier {
  Cta *cta = nullptr;   ///< owner of the bytes
  uint64_t address = 0; ///< in the cluster's window (bits 31:24: rank)
  uint32_t expected = 0, pending = 0;
  int64_t tx = 0;
  uint64_t phase = 0; ///< completed phases
  const Inst *init = nullptr;
  const Function *initFunction = nullptr;
  std::vector<MbarrierArrival> arrivals; ///< one per warp and instruction

  /// The object's 8 bytes; also the token that arrive returns.
  uint64_t word() const {
    return uint64_t(1) << 62 | (phase & 1) << 61 | (uint64_t(tx) & 0x1fffff) << 40 | uint64_t(pending) << 20 | expected;
  }
  static bool tokenParity(uint64_t token) { return token >> 61 & 1; }
  static uint32_t tokenPending(uint64_t token) { return uint32_t(token >> 20 & 0xfffff); }
};

/// Who operates on an mbarrier: a thread, or an asynchronous operation.
struct MbarrierActor {
  Warp *warp = nullptr;
  const Inst *inst = nullptr;
  uint32_t lane = 0;
  AsyncOp *op = nullptr; ///< null: the thread
  MemoryOrder order;
};

/// Makes `address` (cluster window) an object; false after a report.
bool mbarrierInit(const MbarrierActor &who, uint64_t address, uint64_t count);
bool mbarrierInval(const MbarrierActor &who, uint64_t address);
/// The valid object at `address`, or null after a report.
Mbarrier *mbarrierAt(const MbarrierActor &who, uint64_t address);
/// expect_tx (tx > 0) and complete_tx (tx < 0), then `count` arrivals. `drop`: also taken from later phases.
/// `noComplete`: the phase must not complete. False after a report. `token`: the state before.
bool mbarrierArrive(const MbarrierActor &who, uint64_t address, uint64_t count, int64_t tx, bool drop = false,
                    bool noComplete = false, uint64_t *token = nullptr);
/// One more pending arrival in this phase (cp.async.mbarrier.arrive without .noinc). False after a report.
bool mbarrierIncrement(const MbarrierActor &who, uint64_t address);
/// "mbarrier at shared address 0x408 (phase 3, 1 of 2 arrivals pending, 512 bytes pending)".
std::string mbarrierText(const Mbarrier &barrier);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_ASYNC_MBARRIER_H
