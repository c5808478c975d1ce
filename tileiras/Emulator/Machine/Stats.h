//===- Stats.h - Counters of an emulated launch -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_STATS_H
#define TILEIRAS_EMULATOR_MACHINE_STATS_H

#include "tileiras/Emulator/PTX/InstClass.h"

#include <array>
#include <cstdint>
#include <string>

namespace tileiras::emu {

struct Stats {
  uint64_t warpInstructions = 0;   ///< issued
  uint64_t threadInstructions = 0; ///< issued, times lanes active in the branch sense (predicated-off lanes count)
  std::array<uint64_t, NumInstClasses> warpByClass{};
  std::array<uint64_t, NumInstClasses> threadByClass{};

  uint64_t globalLoadBytes = 0, globalStoreBytes = 0; ///< bytes asked for by active lanes
  uint64_t globalRequests = 0;                        ///< warp-wide global memory instructions
  uint64_t globalSectors = 0;                         ///< different 32-byte sectors, summed over requests
  uint64_t sharedLoadBytes = 0, sharedStoreBytes = 0;
  uint64_t sharedRequests = 0;
  uint64_t sharedBankConflicts = 0; ///< extra passes beyond the least the access width needs
  uint64_t localBytes = 0;

  uint64_t barriers = 0;                        ///< warp arrivals at CTA barriers
  uint64_t atomics = 0;                         ///< lanes that did an atomic or reduction
  uint64_t divergentBranches = 0;               ///< warp branches whose lanes went both ways
  uint64_t tmaCopies = 0;                       ///< bulk and tensor copies, without prefetches
  uint64_t tmaLoadBytes = 0, tmaStoreBytes = 0; ///< whole boxes, from and to global memory
  uint64_t tmaSectors =
      0; ///< of global memory, 32 bytes each, that they touch: rows of a box that are outside of it not
  uint64_t matrixInstructions = 0; ///< mma.sync by warps, wgmma by warpgroups, tcgen05.mma by threads
  uint64_t matrixProducts = 0;     ///< their multiply-adds; of sparse ones with the zeros
  uint64_t matrixWork = 0;         ///< the same times the bits of A's elements: what the tensor cores' time goes with
  uint64_t clusterBarriers = 0;    ///< warp arrivals at barrier.cluster
  uint64_t mbarrierWaits = 0;      ///< test_wait and try_wait by warps
  uint64_t registerWaits = 0;      ///< setmaxnreg.inc that found the block's pool empty
  uint64_t mbarrierBlocked = 0;    ///< waits by warps (test_wait, try_wait) that found the phase open
  uint64_t blocks = 0, warps = 0;
  uint64_t cancelledBlocks = 0; ///< that never ran: clusterlaunchcontrol.try_cancel took them
  std::string occupancy;        ///< of the launch: "blocks per SM: ...", see Occupancy.h
  std::string utilisation;      ///< "tensor cores busy at most ...", see Occupancy.h

  Stats &operator+=(const Stats &other);
  std::string str() const; ///< a short table
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_STATS_H
