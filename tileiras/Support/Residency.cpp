//===- Residency.cpp - How many blocks a multiprocessor holds ---*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/Residency.h"
#include "tileiras/Support/TargetTable.h"

#include <algorithm>

using namespace tileiras;

/// Each has a quarter of the register file.
static constexpr uint32_t kSchedulers = 4;
static constexpr uint32_t kLanes = 32;

BlockRoom::BlockRoom(const SmLimits &limits)
    : blocks(limits.blocks), warps(limits.warps), sharedBytes(limits.sharedKiB * 1024),
      reservedPerBlock(limits.reservedPerBlock), sharedGranularity(limits.sharedGranularity) {}

BlockRoom::BlockRoom(const TargetInfo &target)
    : blocks(target.maxBlocksPerSm), warps(target.maxWarpsPerSm), registers(target.registersPerSm),
      sharedBytes(target.sharedPerSm), reservedPerBlock(target.sharedPerSm - target.maxDynamicShared),
      tensorColumns(target.tensorMemoryColumns) {
  if (const SmLimits *limits = lookupSmLimits(target.computeCapability))
    sharedGranularity = limits->sharedGranularity;
}

Residency tileiras::residentBlocks(const BlockNeeds &needs, const BlockRoom &room) {
  Residency found{room.blocks, "blocks per SM"};
  auto atMost = [&](uint32_t blocks, const char *what) {
    if (blocks < found.blocks)
      found = {blocks, what};
  };
  const uint32_t warps = std::max(needs.warps, 1u);
  atMost(room.warps / warps, "threads");
  const uint32_t unit = std::max(room.sharedGranularity, 1u);
  if (uint32_t shared = (needs.sharedBytes + room.reservedPerBlock + unit - 1) / unit * unit)
    atMost(room.sharedBytes / shared, "shared memory");
  if (needs.registers)
    atMost(room.registers / kSchedulers / (occupiedRegisters(needs.registers) * kLanes) * kSchedulers / warps,
           "registers");
  if (needs.tensorColumns)
    atMost(room.tensorColumns / needs.tensorColumns, "tensor memory");
  return found;
}

uint32_t tileiras::registersForBlocks(uint32_t blocks, uint32_t warps, const BlockRoom &room) {
  const uint32_t each = (blocks * warps + kSchedulers - 1) / kSchedulers;
  return each ? std::min(room.registers / kSchedulers / (each * kLanes) / 8 * 8, 255u) : 0;
}
