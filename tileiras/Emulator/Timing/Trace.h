//===- Trace.h - What a cluster did, for the timing model -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The functional engine runs a cluster; a Collector writes down for each warp the basic blocks it went through and, by
// instruction, what cannot be known from the program: bytes, sectors and bank conflicts of memory requests, phases of
// barriers, asynchronous operations and who waits for them. The timing engine replays such traces.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_TIMING_TRACE_H
#define TILEIRAS_EMULATOR_TIMING_TRACE_H

#include "tileiras/Emulator/Machine/Observer.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tileiras::emu::timing {

enum class EventKind : uint8_t {
  Access,         ///< a: index of an Access
  BarrierArrive,  ///< a: block * 16 + number, b: phase
  BarrierWait,    ///< the same; arrives, too
  ClusterArrive,  ///< b: phase
  ClusterWait,    ///< b: phase
  MbarrierArrive, ///< a: barrier, b: phase
  MbarrierWait,   ///< a: barrier, b: phase
  AsyncIssue,     ///< a: operation
  AsyncJoin,      ///< a: operation (wgmma: a warp of four)
  AsyncWait,      ///< a: operation, b: 1 for its reads only
  CopiesWait,     ///< a: cp.async instructions of the warp that are complete
  Fence,          ///< a: FenceKind; b: scope, and above eight bits the map that a TensormapAcquire is of
  Sleep,          ///< a: nanoseconds
};

struct TraceEvent {
  uint32_t source = 0; ///< instruction of the function
  EventKind kind = EventKind::Access;
  uint32_t a = 0, b = 0;
};

struct Access {
  bool shared = false, write = false, atomic = false, copy = false; ///< copy: cp.async
  bool remote = false;                                              ///< shared memory of another block
  bool bypassL1 = false;
  uint16_t requests = 1;
  uint16_t lanes = 0;
  float wavefronts = 0;                  ///< shared: passes of the banks, its part of those that several loads share
  uint32_t sectors = 0;                  ///< global: distinct 32-byte sectors
  uint32_t bytes = 0;                    ///< asked for by the lanes
  uint32_t linesBegin = 0, linesEnd = 0; ///< global: in ClusterTrace::lines
  uint32_t bankWaves = 0;                ///< cp.async: wavefronts of the write to shared memory
};

/// A 128-byte line and which of its sectors.
struct Line {
  uint64_t line = 0;
  uint8_t sectors = 0;
};

/// One of the lines that a cluster touches, of a sample of all lines (the same ones for every cluster).
struct LineTouch {
  static constexpr uint64_t OneOf = 32;
  static bool sampled(uint64_t line) { return (line * 0x9e3779b97f4a7c15ull) >> 59 == 0; }
  uint64_t at = 0; ///< lines touched before, by anything in the cluster
  uint64_t line = 0;
  bool write = false;
};

enum class AsyncKind : uint8_t {
  CopyIn,
  CopyOut,
  CopyPeer,
  Prefetch,
  CopiesArrive,
  Wgmma,
  TensorMma,
  TensorMove,
  TensorCommit,
  TensorOther,
  Cancel, ///< clusterlaunchcontrol.try_cancel
  Other
};

struct AsyncRecord {
  AsyncKind kind = AsyncKind::Other;
  uint32_t source = 0, function = 0;
  uint32_t cta = 0, warp = 0;
  uint64_t bytes = 0;               ///< moved
  uint32_t rowBytes = 0;            ///< longest contiguous piece
  uint32_t rows = 0;                ///< pieces in global memory
  uint32_t targets = 1;             ///< blocks a multicast writes to
  uint32_t m = 0, n = 0, group = 1; ///< products, of the pair together
  uint32_t rowsOf32 = 0;            ///< K in units of 32 bytes
  double flops = 0;
  uint32_t bits = 16;
  bool aInShared = true;
  bool load = false;   ///< tcgen05.ld
  bool reads = false;  ///< accesses global memory
  uint32_t map = ~0u;  ///< tensor copies: which map, of those that the cluster makes itself (ClusterTrace::maps)
  uint32_t covers = 0; ///< operations before this one in its block (commit)
  uint32_t linesBegin = 0, linesEnd = 0;
  std::vector<std::pair<uint32_t, uint32_t>> arrivals; ///< barrier, phase
};

struct BlockEntry {
  uint32_t block = 0;
  uint32_t events = 0; ///< first of it
};

struct WarpTrace {
  uint32_t cta = 0, warp = 0;
  std::vector<BlockEntry> entries;
  std::vector<TraceEvent> events;
};

struct ClusterTrace {
  uint64_t index = 0; ///< of the cluster in the grid
  uint64_t firstBlock = 0;
  uint32_t ctas = 1, warpsPerCta = 1;
  std::vector<WarpTrace> warps; ///< by block, then warp
  std::vector<Access> accesses;
  std::vector<Line> lines;
  std::vector<AsyncRecord> operations;
  /// Arrivals each phase of each mbarrier gets.
  std::vector<std::vector<uint32_t>> phases;
  /// Warps that arrive at each phase of the barriers (block * 16 + number), and of the cluster's barrier.
  std::vector<std::vector<uint32_t>> barrierPhases;
  std::vector<uint32_t> clusterPhases;
  uint32_t maps = 0;                             ///< tensor maps that the cluster makes and acquires
  bool complete = false;                         ///< every warp has exited
  uint64_t readBytes = 0, writeBytes = 0;        ///< of L2, by sectors
  std::vector<uint64_t> readLines, writtenLines; ///< distinct 128-byte lines, sorted
  std::vector<LineTouch> touches;                ///< in order; of traces that have nothing but lines
  uint64_t signature = 0;                        ///< equal for clusters that do the same work
  uint64_t instructions = 0;                     ///< of warps
};

class Costs;

/// Collects traces of every cluster that runs. One per launch; thread-safe.
class TraceStore {
public:
  /// For LaunchOptions::observers. The store must outlive the launch. `linesOnly`: for what is shared between blocks;
  /// keeps nothing but addresses.
  std::function<std::unique_ptr<Observer>()> factory(bool linesOnly = false);
  /// Says how many words are loaded from shared memory at a time (Costs::sharedWidth), if somebody knows.
  const Costs *costs = nullptr;
  void add(std::unique_ptr<ClusterTrace> trace);
  std::vector<std::unique_ptr<ClusterTrace>> traces;

private:
  std::mutex mutex;
};

/// Passes of the 32 banks a request takes: lanes in `mask`, `bytes` each, at `address`.
/// `together`: lanes that are looked at together; 0: as many as ask for 128 bytes.
uint32_t bankWavefronts(uint32_t mask, const uint64_t *address, unsigned bytes, unsigned together = 0);
/// The same for what cp.async brings, which is written row by row: a row is 128 bytes, of all banks at one height.
uint32_t copyWavefronts(uint32_t mask, const uint64_t *address, unsigned bytes);

} // namespace tileiras::emu::timing

#endif // TILEIRAS_EMULATOR_TIMING_TRACE_H
