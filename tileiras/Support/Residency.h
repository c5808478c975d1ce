//===- Residency.h - How many blocks a multiprocessor holds -----*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The blocks of a multiprocessor divide its warps, registers, shared memory and tensor memory. Registers are given out
// by the warp in units of 256, eight for each thread, from the quarter of the register file that the warp's scheduler
// has (CUDA C++ Best Practices Guide, "Calculating Occupancy"; "register allocation unit size" of the occupancy
// calculator).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_RESIDENCY_H
#define TILEIRAS_SUPPORT_RESIDENCY_H

#include <cstdint>

namespace tileiras {

struct TargetInfo;
struct SmLimits;

/// What a multiprocessor has.
struct BlockRoom {
  uint32_t blocks = 0, warps = 0;
  uint32_t registers = 65536;
  uint32_t sharedBytes = 0;       ///< what blocks divide between them
  uint32_t reservedPerBlock = 0;  ///< bytes of that which the system keeps of each
  uint32_t sharedGranularity = 1; ///< bytes in which it is allocated
  uint32_t tensorColumns = 0;

  BlockRoom() = default;
  explicit BlockRoom(const SmLimits &limits);
  explicit BlockRoom(const TargetInfo &target);
};

/// What a block takes. 0 registers: unknown, so that they keep nothing out.
struct BlockNeeds {
  uint32_t warps = 1;
  uint32_t registers = 0; ///< of a thread
  uint32_t sharedBytes = 0;
  uint32_t tensorColumns = 0;
};

/// What a thread occupies that was given so many registers.
inline uint32_t occupiedRegisters(uint32_t registers) { return (registers + 7) / 8 * 8; }

struct Residency {
  uint32_t blocks = 0;
  const char *limit = ""; ///< "blocks per SM", "threads", "shared memory", "registers", "tensor memory"
};
/// How many such blocks there is room for at a time, and what keeps the next one out.
Residency residentBlocks(const BlockNeeds &needs, const BlockRoom &room);

/// The most registers a thread may have that let so many blocks of `warps` in, at most 255; 0 if none do.
uint32_t registersForBlocks(uint32_t blocks, uint32_t warps, const BlockRoom &room);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_RESIDENCY_H
