//===- Traffic.h - What a launch reads from DRAM ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How much of what L2 is asked for comes from DRAM, by the addresses of the first wave of clusters. The rules are those
// of "Caches" in docs/timing.md.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_TIMING_TRAFFIC_H
#define TILEIRAS_EMULATOR_TIMING_TRAFFIC_H

#include "tileiras/Emulator/Timing/Predict.h"

#include <memory>
#include <vector>

namespace tileiras::emu::timing {

struct Traffic {
  double missRatio = 0;  ///< of bytes read from L2
  double writeRatio = 0; ///< of bytes written, those that go to DRAM before the end
  double footprint = 0;  ///< bytes
};

/// A launch, and the clusters of it that have been run.
struct TrafficOf {
  const Module &module;
  Memory &memory;
  const LaunchConfig &config;
  const MachineDescription &machine;
  const std::vector<std::unique_ptr<ClusterTrace>> &samples;
  uint64_t clusters = 0;
  uint32_t clusterSize = 1, resident = 1;
  double sampled = 1; ///< clusters whose work the samples are
  L2State state = L2State::Cold;
  double l1HitShare = 0;
  std::vector<uint64_t> working; ///< which clusters of the grid these are, in order; empty: the first ones
};

Traffic estimateTraffic(const TrafficOf &of);

/// Reads of a set of clusters that run side by side, in order, through a cache that keeps what was used last.
struct Reuse {
  double reads = 0, misses = 0; ///< lines
  bool overflows = false;       ///< something had to leave
  // Of the second half of the time, by which the cache has been filled: what had been there before.
  double readAgain = 0, lost = 0; ///< such reads, and those that come too late
};

/// `capacity`: bytes. `again`: the second of two such launches.
Reuse reuseOf(const std::vector<std::unique_ptr<ClusterTrace>> &traces, double capacity, bool again);

} // namespace tileiras::emu::timing

#endif // TILEIRAS_EMULATOR_TIMING_TRAFFIC_H
