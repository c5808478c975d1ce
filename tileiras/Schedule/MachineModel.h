//===- MachineModel.h - What a schedule competes for ------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The machine as the scheduler sees it, as data: units that serve one operation at a time, pools that several
// operations share, bytes that are there once. Two sets of figures stand side by side and are never mixed:
//
//   seed figures   names, latencies, capacities and caps as the description of the reference tool gives them. They are
//                  contract where they can be observed (names, caps), and otherwise a record.
//   our figures    cycles and bytes per cycle measured by others on the hardware (TargetCosts). What a tile operation
//                  costs is computed from these. docs/scheduler.md says where each comes from.
//
// Units: cycles are those of a multiprocessor's clock.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SCHEDULE_MACHINEMODEL_H
#define TILEIRAS_SCHEDULE_MACHINEMODEL_H

#include <array>
#include <cstdint>

namespace tileiras::schedule {

/// A unit. It serves one operation in a cycle. Numbered from 1, as the reference tool does.
enum class Slot : uint8_t {
  Issue = 1,
  Xu,              ///< transcendental functions
  Xu64,            ///< their 64-bit forms
  Fp32x2Fp16Ultra, ///< packed arithmetic
  Alu,
  AluOrFmaHeavy,
  DualAlu,
  Lsu,
  Tmem,
  Mma,
  TcAndMma, ///< tensor core
  Tma,
  TpGnicRd, ///< transports: from global memory, to it, from and to shared and tensor memory, to the matrix unit
  TpGnicWr,
  TpSmemRd,
  TpSmemWr,
  TpTmemRd,
  TpTmemWr,
  TpMma,
  Unknown,
  OmittedSimt, ///< this one and the next three are for bookkeeping and for tests
  TestSimt,
  TestMma,
  TestDma,
};
inline constexpr int kNumSlots = 24;

/// A set of units: the unit with number s is bit s - 1.
using RowMask = uint32_t;
constexpr RowMask row(Slot slot) { return 1u << (unsigned(slot) - 1); }

struct SlotInfo {
  const char *name;
  /// Seed figure: cycles until a result of the unit can be used; 0 where none is given.
  int latency;
};
const SlotInfo &info(Slot slot);

/// Seed figures: distances of memories that are far away, in cycles.
inline constexpr int kFarAnchors[] = {1600, 2000, 5000, 7000};
inline constexpr int kFarMemory = 5000;       ///< device memory
inline constexpr int kFarOtherCluster = 7000; ///< across clusters

/// Seed figures: resources of which an operation takes some for some cycles.
inline constexpr int kNumPools = 9;
inline constexpr std::array<int, kNumPools> kPoolCapacity = {37, 4, 7, 37, 5, 1, 3, 6, 2};
inline constexpr int kPoolTensorBanks = 1, kPoolSharedLock = 5, kPoolNamedBarriers = 6;

/// Seed figures: bytes there are. TILE_AS_DEBUG_UNLIMITED_SMEM lifts the first.
struct ByteCaps {
  int64_t shared = 232448, tensor = 262144, registers = 262144, registerBank = 2048;
};

/// Our figures: what one multiprocessor does in a cycle, and how long memory takes.
struct TargetCosts {
  int computeCapability;
  int memoryLatency;        ///< cycles from a load to its data, from device memory
  int l2Latency;            ///< from the L2 cache
  int copyLatency;          ///< of a bulk tensor copy or cp.async, beyond that of a load
  double memoryBytes;       ///< bytes a cycle from the L2 cache into shared memory, by the target's widest copies
  double sharedBytes;       ///< bytes a cycle from shared memory
  double tensorMemoryBytes; ///< from tensor memory; 0 without
  double f16MultiplyAdds;   ///< multiply-adds a cycle of the matrix unit, 16-bit operands
  double f32Operations;     ///< fma, add, mul a cycle
  double aluOperations;     ///< integer, compare, select, min, max, conversions
  double functions;         ///< exponentials, logarithms, roots, reciprocals
  int productTail;          ///< cycles from a product's last step to its result
  int handOver;             ///< one way of a barrier between agents
  bool tensorCopies;        ///< a unit of its own copies tiles (TMA); else threads do, by cp.async
  double syncShare;         ///< part of f16MultiplyAdds that mma.sync reaches where there is another instruction
};

/// The row for a compute capability: the nearest below it, the first for anything older.
const TargetCosts &costsFor(int computeCapability);

/// Powers of two a cycle (`ex2`): as other functions, but twice as many on sm_103.
double powersOfTwo(int computeCapability);

} // namespace tileiras::schedule

#endif // TILEIRAS_SCHEDULE_MACHINEMODEL_H
