//===- Cta.h - A thread block in execution ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_CTA_H
#define TILEIRAS_EMULATOR_MACHINE_CTA_H

#include "tileiras/Emulator/Machine/Async/Mbarrier.h"
#include "tileiras/Emulator/Machine/Launch.h"
#include "tileiras/Emulator/Machine/Memory/DeviceHeap.h"
#include "tileiras/Emulator/Machine/ObserverList.h"
#include "tileiras/Emulator/Machine/Warp.h"

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>

namespace tileiras::emu {

class TensorMemory;
class WgmmaOp;

constexpr uint32_t AllThreads = ~0u; ///< of a block, those that have exited excepted
/// State of one of the 16 CTA barriers.
struct BarrierState {
  uint32_t arrived = 0;  ///< threads
  uint32_t expected = 0; ///< 0 until the first arrival, then the count, or AllThreads
  uint32_t reducedAnd = ~0u, reducedOr = 0, popc = 0;
  std::vector<uint32_t> waiting; ///< warps
};

/// What all blocks of a launch share. Reports are folded here.
struct LaunchContext {
  const Module *module = nullptr;
  const Program *program = nullptr;
  const FunctionCode *kernel = nullptr;
  Memory *memory = nullptr;
  const LaunchOptions *options = nullptr;
  Dim3 grid; ///< in CTAs
  Dim3 block, cluster;
  bool explicitCluster = false;
  uint32_t dynamicShared = 0;
  uint32_t sharedBytes = 0;    ///< static and dynamic
  uint32_t registers = 0;      ///< per thread, as far as .maxnreg or launch bounds say it; else 0
  bool registersExact = false; ///< .maxnreg says it
  std::vector<uint8_t> params;
  uint64_t workspace = 0;     ///< address of a cooperative launch's grid barrier
  DeviceHeap *heap = nullptr; ///< null: nobody asks for memory
  std::mutex reportMutex, printMutex;
  std::vector<Report> reports;
  uint64_t suppressed = 0;
  std::atomic<uint64_t> nextCluster{0};
  std::atomic<bool> stop{false};
  uint64_t clusters = 0;                       ///< to be run
  const std::vector<uint64_t> *only = nullptr; ///< which; null: the first ones
  /// Clusters that have run, or that a block has cancelled (clusterlaunchcontrol) and so taken over.
  std::atomic<uint64_t> done{0};
  // Clusters that wait for others (Residents.cpp).
  unsigned multiprocessors = 1;      ///< of the device
  uint64_t residentLimit = 1;        ///< clusters that the SMs of the target would hold at the same time
  std::atomic<uint64_t> waiting{0};  ///< clusters under way beyond one for each host thread
  std::atomic<uint64_t> progress{0}; ///< grows when anything happens that another cluster could wait for
  std::atomic<unsigned> runners{0}, stuck{0};
  std::atomic<bool> anyFailed{false}; ///< a fatal report has stopped a cluster
  /// The next cluster that nobody has begun or cancelled; false if there is none.
  bool claim(uint64_t &index);
  /// Coordinates of the first block of a cluster.
  Dim3 firstBlock(uint64_t clusterIndex) const;
  void addReport(Report report);
  void print(std::string_view text);
};

/// The blocks of one cluster, run together by one host thread. Agents are the warps of all of them.
struct Cluster;

/// A setmaxnreg as the first warp of a warpgroup has executed it; the others must do the same.
struct RegisterChange {
  uint32_t registers = 0;
  bool inc = false;
  Warp *warp = nullptr;
  const Inst *inst = nullptr;
  const Function *function = nullptr;
};

/// Four warps in a row whose wgmma.mma_async instructions belong together.
struct Warpgroup {
  std::deque<std::shared_ptr<WgmmaOp>> forming; ///< some warps have executed it, others not yet
  uint64_t submitted = 0;
  std::vector<RegisterChange> registerChanges;
};

struct Cta {
  LaunchContext *launch = nullptr;
  Cluster *cluster = nullptr;
  Dim3 id;
  uint32_t rank = 0; ///< in the cluster
  uint64_t linear = 0;
  std::vector<uint8_t> shared, sharedShadow; ///< index = shared address
  std::vector<std::unique_ptr<Warp>> warps;
  BarrierState barriers[16];
  std::vector<Warpgroup> warpgroups;
  std::unique_ptr<TensorMemory> tensor;             ///< null until the block uses tcgen05
  std::unordered_map<uint32_t, Mbarrier> mbarriers; ///< by address in `shared`
  uint32_t warpCount = 0, liveWarps = 0;
  bool failed = false;       ///< a fatal report stopped the block
  uint64_t executed = 0;     ///< warp instructions
  uint32_t registerPool = 0; ///< free registers, per thread of one warp (setmaxnreg)

  /// A whole warp arrives at a barrier; `wait` is false for bar.arrive.
  void arrive(Warp &warp, const Inst &inst, uint32_t barrier, uint32_t threads, bool wait);
  void checkBarrier(uint32_t barrier);
  void warpDone(Warp &warp);
  void checkRegisterChanges(); ///< at the end: by all warps of each warpgroup?
  TensorMemory &tensorMemory();
  Cta();
  ~Cta();
};

struct Cluster {
  LaunchContext *launch = nullptr;
  bool joins = false;   ///< began while another cluster of the same host thread was under way
  uint64_t changes = 0; ///< atomic operations that changed global memory, and steps of asynchronous operations
  std::vector<std::unique_ptr<Cta>> ctas;
  uint32_t clusterArrived = 0; ///< threads at barrier.cluster, this phase
  uint64_t clusterPhase = 0;   ///< completed phases
  AsyncEngine async;
  Observer *observer = nullptr;           ///< null: nobody looks
  std::vector<const Warp *> sawNoCluster; ///< warps that have seen a try_cancel fail
  void checkClusterBarrier();
  /// Gives fragments that wait for `key` back to their warps.
  void wake(uint64_t key);
  uint64_t clockTicks = 0;
};

/// Memory semantics of a load, store or atomic.
inline MemoryOrder accessOrder(const MemAux &x) { return {x.strong, x.acquire, x.release, x.scope}; }

/// Tells the observer about an access. `space` is where the addresses turned out to lie; `named` the space they are
/// written for.
inline void observeAccess(Warp &w, const Inst &i, Space named, Space space, uint32_t mask, uint64_t *address,
                          unsigned bytes, AccessKind kind, MemoryOrder order) {
  if (space != Space::Global && space != Space::Shared)
    return;
  if (named == Space::Generic && space == Space::Shared)
    for (unsigned l = 0; l != 32; ++l)
      address[l] -= SharedWindow;
  w.observer->threadAccess(w, i, space, mask, address, bytes, kind, order);
}

/// A cluster under way, with its storage, which the next one uses again.
struct Resident {
  Cluster cluster;
  ObserverList observers;
  std::unique_ptr<Scheduler> scheduler;
  uint64_t idlePolls = 0;
  uint64_t executed = 0; ///< warp instructions of the whole cluster
  bool changed = false;  ///< global memory, since it was resumed
};

/// Runs clusters on one host thread: one after another, as long as none waits for another one. A cluster that does
/// (it polls global memory and changes nothing) is put aside, and others run or begin, up to
/// LaunchContext::residentLimit.
class Runner {
public:
  Runner(LaunchContext &launch);
  ~Runner();
  /// Runs clusters until none is left; calls `finished` after each.
  void run(const std::function<void()> &finished);
  Stats takeStats();

private:
  enum class Outcome {
    Ended,
    Waits, ///< polls, and has changed nothing since it was resumed
    Long   ///< has run so long that the others should have a turn
  };
  std::unique_ptr<Resident> makeResident();
  void begin(Resident &resident, uint64_t clusterIndex);
  Outcome advance(Resident &resident);
  bool mayBegin() const;
  uint64_t sum(const std::vector<uint32_t> &blocks) const;
  bool stuckForGood(uint64_t fruitless, bool &counted);
  void reportDeadlock(Resident &resident, std::string reason);
  void reportStuck();
  LaunchContext &launch;
  std::unique_ptr<Observer> checker; ///< of races: sees all clusters
  std::deque<std::unique_ptr<Resident>> waiting;
  std::vector<std::unique_ptr<Resident>> unused;
  Stats stats;
  std::vector<uint64_t> blockWarps, blockThreads;
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_CTA_H
