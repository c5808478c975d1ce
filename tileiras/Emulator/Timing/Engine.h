//===- Engine.h - Replays traces on a model of an SM ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A discrete-event model of as many SMs as a cluster has blocks. Each warp is an in-order stream of instructions with a
// scoreboard; the units they go through are servers with a queue: a server is free again at some time, takes what comes
// in the order in which it comes, and is busy for the service time. L2 and DRAM belong to all SMs of the chip; every SM
// gets its share of their rate. Time is in SM clocks and is never taken back: a warp that finds its unit busy looks
// again when that is free.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_TIMING_ENGINE_H
#define TILEIRAS_EMULATOR_TIMING_ENGINE_H

#include "tileiras/Emulator/Timing/Costs.h"
#include "tileiras/Emulator/Timing/Trace.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

namespace tileiras::emu::timing {

enum class Unit : uint8_t {
  Issue,
  Fma,
  Heavy,
  Alu,
  Xu,
  Fp64,
  Mma,
  Tmem,
  Exchange,
  Tensor,
  TmaIssue,
  TmaIn,
  TmaOut,
  L1,
  L2,
  Dram,
  Dsmem,
  Count
};
constexpr unsigned NumUnits = unsigned(Unit::Count);
const char *unitName(Unit u);

struct Server {
  double free = 0;   ///< when the last piece of work is done
  double busy = 0;   ///< in all
  double slower = 1; ///< what its work is multiplied by (Slowdown)
  /// Takes `work` at `t` or when it is free; when it is done.
  double take(double t, double work) {
    work *= slower;
    free = (t > free ? t : free) + work;
    busy += work;
    return free;
  }
};

/// What a replay has slower than the machine, to see how much longer the kernel takes then: a unit, or the latency that
/// warps stall for in one way. 1: as the machine has it.
struct Slowdown {
  std::array<double, NumUnits> unit;
  std::array<double, NumStalls> latency;
  Slowdown() {
    unit.fill(1);
    latency.fill(1);
  }
};

struct EngineConfig {
  unsigned resident = 1;    ///< clusters on the modelled SMs at a time
  double activeSms = 1;     ///< that share L2 and DRAM
  double missRatio = 0;     ///< of bytes read from L2, those that come from DRAM
  double localMisses = 0;   ///< of bytes of local memory, those that L1 has no room for
  double writeRatio = 0;    ///< of bytes written, those that go to DRAM before the end
  uint32_t sharedBytes = 0; ///< of a block; the rest of the SM's memory is L1
  bool timeline = false;    ///< keep the intervals of the first cluster
  size_t maxIntervals = 400000;
  double blockStart = 0; ///< clocks to start a cluster in a freed slot
  Slowdown slower;
  uint64_t maxIssued = 0; ///< stop when as many instructions have been issued; 0: when all have
};

struct StallKey {
  uint32_t function = 0, source = 0;
  bool operator==(const StallKey &) const = default;
  bool operator<(const StallKey &o) const { return function != o.function ? function < o.function : source < o.source; }
};

/// One entry per instruction: clocks by reason, summed over warps.
struct StallCounts {
  std::array<double, NumStalls> clocks{}; ///< [None]: issue
  uint64_t executed = 0;
};

struct Interval {
  uint32_t cta = 0, warp = 0; ///< warp ~0: an asynchronous operation
  double begin = 0, end = 0;
  Stall why = Stall::None;
  AsyncKind kind = AsyncKind::Other;
  uint32_t function = 0, source = 0;
};

class Engine {
public:
  Engine(const Costs &costs, const EngineConfig &config);
  /// Runs the clusters one after another, `resident` at a time. False if they cannot end (a phase that nobody
  /// completes): then `problem` says why.
  bool run(const std::vector<const ClusterTrace *> &clusters);

  double end = 0;                                      ///< the last block's exit
  std::vector<double> starts, finishes;                ///< of each cluster
  std::array<double, NumUnits> busy{};                 ///< clocks, of the first SM; sub-core units: mean of the four
  std::vector<std::array<double, NumStalls>> byWarp;   ///< by warp of a block: clocks by reason, of all blocks
  std::vector<std::map<StallKey, StallCounts>> byLine; ///< [0]: all warps
  uint64_t issued = 0;                                 ///< warp instructions' slots, of all blocks
  double flops = 0;                                    ///< of matrix instructions, all blocks
  double l2Read = 0, l2Write = 0, dramBytes = 0, l1Hits = 0, l1Requests = 0;
  std::vector<Interval> timeline;
  std::string problem;

private:
  struct Phase {
    uint32_t remaining = 0;
    double time = 0;
    bool copies = false, tensor = false;
    std::vector<uint32_t> waiters;
  };
  struct Operation {
    bool known = false;
    double reads = 0, done = 0;
    unsigned joined = 0;
    double joinTime = 0;
    std::vector<uint32_t> waiters;
  };
  struct Instance {
    const ClusterTrace *trace = nullptr;
    uint32_t id = 0, warpsLeft = 0, slot = 0;
    std::vector<std::vector<Phase>> mbarriers, barriers;
    std::vector<Phase> cluster;
    std::vector<Operation> operations;
    std::vector<double> tensorDone; ///< by block: the last product's completion
    std::vector<double> maps;       ///< of those it makes: when the copy unit has it; 0: not fetched since its acquire
  };
  struct WarpState {
    const WarpTrace *trace = nullptr;
    uint32_t instance = 0, sm = 0, sub = 0, number = 0;
    size_t entry = 0;
    uint32_t op = 0, event = 0;
    double next = 0;       ///< may issue again
    double memoryNext = 0; ///< the warp's next shared-memory request
    uint64_t order = 0;
    bool live = false, blocked = false;
    bool wrote = false; ///< to global memory, since its last fence at gpu scope
    // While blocked behind an instruction: its waits.
    uint32_t waitsBegin = 0, waitsEnd = 0;
    double issueEnd = 0, minimum = 0;
    const OpCost *waitingOp = nullptr;
    std::vector<double> ready;
    std::vector<uint8_t> by;
    std::vector<double> copies; ///< completion of its cp.asyncs, cumulative
    double runBegin = 0;
  };
  struct L1Cache {
    struct Way {
      uint64_t line = ~0ull;
      uint8_t sectors = 0;
      uint64_t used = 0;
    };
    std::vector<Way> ways;
    uint64_t clock = 0;
    /// Sectors of `wanted` that are not there; they are afterwards.
    uint8_t miss(uint64_t line, uint8_t wanted);
  };
  struct Sm {
    Server issue[4], pipe[4][NumPipes], exchange, tensor, tmaIssue, tmaIn, tmaOut, l1, port, dsmem, barrier;
    L1Cache cache;
    /// When each of the last requests of warps to shared memory or L1 leaves the queue before them; the oldest is at
    /// `oldest`.
    std::vector<double> requests;
    size_t oldest = 0;
    void admit(double leaves) {
      requests[oldest] = leaves;
      oldest = (oldest + 1) % requests.size();
    }
    /// Share of the shared-memory path that the tensor cores' operands take while those are busy.
    double operands = 0;
    /// The tensor cores come first; others get what they leave, a quarter at least.
    double exchangeTake(double t, double work) {
      return exchange.take(t, t < tensor.free ? work / (1 - std::min(0.75, operands)) : work);
    }
    /// Operands of `work` clocks of products.
    void feedTensor(double wavefronts, double work) {
      operands = wavefronts / std::max(work, 1.0);
      exchange.busy += wavefronts;
    }
    /// The servers of one unit of this SM.
    void slowDown(const Slowdown &s);
  };

  void sumUnits(); ///< into `busy`
  void start(const ClusterTrace &trace, uint32_t slot, double t);
  void push(uint32_t warp, double t);
  void step(uint32_t warp, double now);
  void exitWarp(uint32_t warp, double t);
  void issue(WarpState &w, const OpCost &op, const BlockCosts &block, double t);
  /// Performs the events of the instruction issued at `t`; when its results are there.
  double performEvents(WarpState &w, uint32_t source, double t);
  double performAccess(WarpState &w, const Access &a, double t);
  void performAsync(WarpState &w, uint32_t number, double t);
  void startWgmma(WarpState &w, Instance &i, uint32_t number);
  double fromL2(Sm &sm, double bytes, double t, bool &missed);
  /// Writes `bytes` to L2 and, later, to DRAM; when L2 has taken them. `room`: when there is room for more.
  double toL2(Sm &sm, double bytes, double t, double &room);
  double performLocal(Sm &sm, const OpCost &op, double t);
  void arrive(Phase &phase, double t, bool copies, bool tensor);
  void arrivals(Instance &i, const AsyncRecord &r, double t);
  void resolveOperation(Instance &i, uint32_t number);
  /// Checks the waits of a warp that has issued its instruction; true if it may go on at w.next.
  bool resolveWaits(uint32_t warp);
  void account(WarpState &w, uint32_t function, uint32_t source, Stall why, double clocks, double at);
  void record(uint32_t cta, uint32_t warp, double begin, double end, Stall why, uint32_t function, uint32_t source,
              AsyncKind kind = AsyncKind::Other);

  const Costs &costs;
  const MachineDescription &machine;
  const EngineConfig config;
  /// Bytes a clock: of an SM's port, of all SMs of the cluster together.
  double portRate = 1, l2Rate = 1, dramRate = 1, dramWriteRate = 1, writeBuffer = 0;
  /// The share of the cluster's SMs in L2 and DRAM, whichever of them asks. DRAM serves what is read first; L2 keeps
  /// what is written until there is time, as long as there is room for it.
  Server l2, dram, dramReads;
  double unitSlower(Unit u) const { return config.slower.unit[unsigned(u)]; }
  double latencySlower(Stall s) const { return config.slower.latency[unsigned(s)]; }
  /// When L2 has moved `bytes` of an SM.
  double throughL2(Sm &sm, double bytes, double t) {
    return std::max(sm.port.take(t, bytes / portRate), l2.take(t, bytes / l2Rate));
  }
  std::vector<Sm> sms;
  std::deque<Instance> instances;
  std::vector<WarpState> warps;
  std::vector<uint32_t> functionBase;
  std::vector<std::vector<StallCounts>> lineCounts; ///< by function, instruction
  uint32_t totalRegisters = 0;
  const std::vector<const ClusterTrace *> *queue = nullptr;
  size_t nextCluster = 0;
  uint64_t orderCounter = 0;
  double missCredit = 0;
  struct Key {
    double t;
    uint64_t order;
    uint32_t warp;
    bool operator>(const Key &o) const { return t != o.t ? t > o.t : order > o.order; }
  };
  std::priority_queue<Key, std::vector<Key>, std::greater<>> heap;
};

/// Puts the events of each block in the order in which `costs` schedules its instructions. Once per trace, before it is
/// replayed.
void orderEvents(ClusterTrace &trace, const Costs &costs);

} // namespace tileiras::emu::timing

#endif // TILEIRAS_EMULATOR_TIMING_ENGINE_H
