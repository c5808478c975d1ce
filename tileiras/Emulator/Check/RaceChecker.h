//===- RaceChecker.h - Happens-before race detection -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Watches every access to shared, global and tensor memory, and everything that orders two of them, and reports
// conflicting accesses without order. The rules are those of the PTX ISA's memory consistency model; the sections are
// named where they are used. In short:
//
//   threads       Each thread is on its own: lanes of one warp are not ordered by running together, only by
//                 bar.warp.sync, barriers and the like.
//   proxies       An asynchronous unit sees what a thread wrote only after fence.proxy.async somewhere on the way from
//                 the writing thread to the thread that issues the operation. Reads need no proxy fence before they
//                 are overwritten. What an operation wrote is ordered by waiting for its completion alone.
//   completion    An operation's accesses are known to those who waited for it: the phase of its mbarrier, wait_group
//                 of its group.
//   strong        Relaxed, volatile and atomic accesses of the same scope do not race with each other, and order
//                 others by release and acquire patterns.
//
//   parts         An atomic operation that cannot change some bytes of its word (red.and with ones, red.or with zeros,
//                 cas with what it compares with) counts for the other bytes only: ExecAtomic.cpp says why.
//
// Two stores of one value are not reported: the result is the same either way.
//
// Clusters run one after another while this observer is on, unless they wait for each other; one object sees the whole
// launch. Clusters that are under way at the same time are one to the checker, of as many blocks as they have
// together: they share a number, and each has rows and blocks of its own from `base` on.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_CHECK_RACECHECKER_H
#define TILEIRAS_EMULATOR_CHECK_RACECHECKER_H

#include "tileiras/Emulator/Check/ShadowMemory.h"
#include "tileiras/Emulator/Check/VectorClock.h"
#include "tileiras/Emulator/Machine/Cta.h"

#include <set>

namespace tileiras::emu {

class RaceChecker final : public Observer {
public:
  explicit RaceChecker(LaunchContext &launch);

  void clusterBegin(Cluster &) override;
  void clusterResume(Cluster &) override;
  void clusterEnd(Cluster &) override;
  void threadsExit(Warp &, uint32_t lanes) override;
  void threadAccess(Warp &, const Inst &, Space, uint32_t mask, const uint64_t *address, unsigned bytes, AccessKind,
                    MemoryOrder) override;
  void fence(Warp &, const Inst &, uint32_t mask, FenceKind, MemoryOrder, Space, uint64_t address) override;
  void warpSync(Warp &, const Inst &, uint32_t group) override;
  void barrierArrive(Warp &, const Inst &, uint32_t number, bool wait) override;
  void barrierRelease(Cta &, uint32_t number) override;
  void clusterArrive(Warp &, const Inst &, uint32_t mask, bool release) override;
  void clusterWait(Warp &, const Inst &, uint32_t mask, bool acquire) override;
  void mbarrierInit(Warp &, const Inst &, uint32_t lane, Mbarrier &) override;
  void mbarrierInval(Warp &, const Inst &, uint32_t lane, Mbarrier &) override;
  void mbarrierArrive(Warp &, const Inst &, uint32_t lane, Mbarrier &, uint32_t count, int64_t tx,
                      MemoryOrder) override;
  void mbarrierAsyncArrive(AsyncOp &, Mbarrier &, uint32_t count, int64_t tx) override;
  void mbarrierPhase(Mbarrier &) override;
  void mbarrierAcquire(Warp &, const Inst &, uint32_t mask, Mbarrier &, uint64_t phase, MemoryOrder) override;
  void mbarrierBlocked(Warp &, const Inst &, uint32_t mask, Mbarrier &) override;
  void copyIssued(Warp &, const Inst &, uint32_t lane, const AsyncCopy &) override;
  void copiesWaited(Warp &, const Inst &, uint32_t lane, uint64_t count) override;
  void asyncJoin(AsyncOp &, Warp &, const Inst &, uint32_t mask) override;
  void asyncIssue(AsyncOp &) override;
  void asyncAccess(AsyncOp &, Space, uint64_t address, uint64_t bytes, AccessKind) override;
  void asyncDone(AsyncOp &) override;
  void asyncWaited(AsyncOp &, Warp &, const Inst &, uint32_t mask, bool readsOnly) override;
  void tensorFreed(Warp &, const Inst &, uint32_t lane, uint32_t column, uint32_t columns) override;

private:
  /// Kinds of knowledge. Base causality order, and its parts behind a proxy fence.
  enum Set : unsigned {
    Plain,             ///< what precedes in base causality order
    AsyncShared,       ///< with a fence.proxy.async for shared memory on the way
    AsyncGlobal,       ///< ... for global memory
    InitFenced,        ///< with a fence.mbarrier_init on the way; counts for mbarrier.init only
    TensormapReleased, ///< with a fence.proxy.tensormap release
    TensormapAcquired, ///< and an acquire
    Observed,     ///< what a relaxed atomic operation has seen released, without a fence behind it (Check/Idioms.h)
    TensorBefore, ///< with a tcgen05.fence::before_thread_sync, or a tcgen05.commit
    TensorAfter,  ///< and an after_thread_sync; or waited for, or pipelined: of this very thread, never released
    SetCount
  };
  using Sets = ClockRef[SetCount];

  /// What a thread knows about others.
  struct Knowledge {
    ClockRef set[SetCount];
  };
  /// What it knows about itself: the clock of its accesses and the number of its cp.asyncs. A running thread knows all
  /// its accesses, so clock[Plain] is not used.
  struct Own {
    uint32_t clock[SetCount] = {}, copies[SetCount] = {};
  };
  struct Snapshot {
    Knowledge knowledge;
    Own own;
  };
  /// What has been released into a barrier or location, and who sees it.
  struct Released {
    ClockRef set[SetCount];
    ClockRef last[SetCount]; ///< joined last, to do it once
    bool empty() const;
  };
  /// Fences before relaxed writes, and relaxed reads before fences, by scope: 0 cta, 1 cluster, 2 gpu and sys.
  struct Patterns {
    Snapshot fenced[3];
    bool hasFenced[3] = {};
    Released pending[3];
    bool hasPending = false;
  };
  struct WarpState {
    Warp *warp = nullptr;
    Dim3 block; ///< which the warp belongs to
    uint32_t row = 0;
    uint32_t clock = 1;
    uint32_t horizon = 0;   ///< all lanes know the epochs of threads below this number that are of their block
    uint32_t published = 0; ///< lanes that have published the clock: their next access gets a new one
    bool same = true;       ///< all lanes know what lane 0 knows
    uint8_t ownSets = 0;    ///< bit s: some lane's own clock or copies of set s are not 0
    Knowledge lanes[32];
    Own own[32];
    std::unique_ptr<Patterns> patterns[32];
    bool hasSpread = false; ///< lanes other than 0 have been used
    const Knowledge &of(uint32_t lane) const { return lanes[same ? 0 : lane]; }
    void begin(Warp *warp, uint32_t row);
  };
  struct BarrierClock {
    Released released;
    std::vector<uint32_t> waiting; ///< indices in `warps`
    bool used = false;
  };
  struct BlockState {
    ShadowMemory shared;
    BarrierClock barriers[16];
    Released exited;
    uint32_t liveWarps = 0;
  };
  struct ClusterPhase {
    Released released;
    uint64_t number = 0;
  };
  struct MbarrierState {
    Released current, complete;
    Access init;
  };
  /// A pair of slots (reads, writes) for operations each of which knows the one before.
  struct Slot {
    AsyncUnit unit = AsyncUnit::Other;
    const Warp *warp = nullptr;
    uint32_t lane = 0, clock = 0; ///< clock: of the latest operation
    uint32_t forgotten = 0;       ///< accesses up to here count as known: there were too many operations
  };
  struct OpState {
    uint32_t slot = 0, clock = 0;
    uint32_t row = 0, lanes = 0; ///< of the issuing thread
    Snapshot start;              ///< of the issuing thread, clock[Plain] included
    /// Warps that issue it together, when each comes; `start` is of the first. Each warp's part has a slot of its own,
    /// `slot` plus the warp's place in its warpgroup, for a warp waits for its own part only.
    std::vector<std::pair<const Warp *, Knowledge>> parts;
    uint32_t copies = 0; ///< cp.async.mbarrier.arrive: the thread's copies up to here
  };
  /// Synchronisation through an address, by scope.
  struct Location {
    Released gpu, past;                                          ///< of the running cluster, of earlier ones
    std::vector<std::pair<uint32_t, Released>> clusters, blocks; ///< by base; by base + rank
    uint32_t number = 0;                                         ///< cluster that the others but `past` belong to
  };

  /// Who performs an access, and what is known there.
  struct Viewer {
    const Knowledge *knowledge = nullptr;
    const Own *own = nullptr;
    uint32_t row = 0, lanes = 0; ///< of the thread, for its own accesses
    bool running = true;         ///< a thread, which knows all it did; else an operation that it issued
    uint32_t slot = ~0u;         ///< the operation's own
    Set proxy = Plain;           ///< the set that generic writes must be in
    uint32_t horizon = 0;        ///< epochs below this number are known if they are of the cluster's threads
    bool tensor = false;         ///< tensor memory: everything must be in TensorAfter
  };
  enum class Conflict { None, Unordered, Proxy, Scope };
  /// What is happening, for reports.
  struct Situation {
    Warp *warp = nullptr;
    const Inst *inst = nullptr;
    uint32_t lane = 0;
    AsyncOp *op = nullptr; ///< null: the thread itself
    Space space = Space::Shared;
    AccessKind kind = AccessKind::Read;
    uint64_t base = 0;               ///< address of the access
    uint64_t address = 0;            ///< of the cell
    unsigned bytes = 0;              ///< of the cell
    const uint64_t *lanes = nullptr; ///< addresses of a store's lanes
    uint32_t mask = 0;               ///< which are these
  };

  /// What a viewer knows, arranged for quick answers about epochs.
  struct Judge {
    const EpochTable *epochs;
    uint32_t first;                         ///< epochs below belong to earlier clusters
    const VectorClock *clock;               ///< what is known
    const VectorClock *fence;               ///< and what writes of the generic proxy must be in as well
    bool fenced;                            ///< `fence` counts
    uint32_t row, slot;                     ///< of the viewer itself
    uint32_t horizon;                       ///< so many epochs from `first` on are known
    uint32_t ownClock, ownFence;            ///< up to here a lane of `row` knows itself
    uint32_t knownWrite = 0, knownRead = 0; ///< the last epochs that were known for all lanes
    bool write(uint32_t id, uint32_t lanes, uint32_t mine);
    bool read(uint32_t id, uint32_t lanes, uint32_t mine);
    bool known(const Epoch &e, uint32_t lanes, uint32_t mine, bool &forAll) const;
  };

  uint32_t indexOf(const Warp &warp) const { return (base + warp.cta->rank) * warpsPerBlock + warp.index; }
  WarpState &stateOf(const Warp &warp) { return warps[indexOf(warp)]; }
  BlockState &blockOf(uint64_t rank) { return *blocks[base + rank]; }
  ShadowMemory &shadowOf(Space space, uint64_t &address);
  Access made(WarpState &w, const Inst &inst, uint32_t lanes, MemoryOrder order);
  Dim3 firstBlockOf(const Access &e) const;
  uint32_t number(const Function &function, const Inst &inst) const;

  bool known(const Viewer &v, const Access &e, Set set) const;
  static bool knownForeign(const VectorClock *clock, const Access &e);
  Conflict conflict(const Viewer &v, const Access &e, const Access &mine, bool eWrites) const;
  Judge judgeOf(const Viewer &v) const;
  template <bool Write>
  uint32_t usual(Judge &j, Space space, uint32_t mask, const uint64_t *address, unsigned bytes, const Access &mine);
  /// What is the same for all cells of an access; passed by value, so that it stays in registers.
  struct Numbers {
    uint32_t id, first, cluster;
    bool thread;
  };
  static Numbers numbersOf(const Judge &j, const Access &mine);
  bool quickRead(Judge &j, ShadowMemory &shadow, Cell &cell, const Access &mine, uint32_t lanes, Numbers n);
  bool quickWrite(Judge &j, ShadowMemory &shadow, Cell &cell, uint32_t id, uint32_t lanes);
  void enterReader(Judge &j, ShadowMemory &shadow, Cell &cell, const Access &mine, uint32_t lanes, Numbers n);
  void noteReader(const Viewer &viewer, ShadowMemory &shadow, Cell &cell, const Access &mine);
  void enterAmongOthers(Judge &j, ShadowMemory &shadow, Cell &cell, const Access &mine, uint32_t lanes);
  bool replaceReader(Judge &j, Reader &r, const Access &mine, uint32_t lanes);
  void shortenList(Judge &j, ShadowMemory &shadow, Cell &cell, const Access &mine);
  void collectEpochs();
  void read(Judge &j, ShadowMemory &shadow, Cell &cell, const Access &mine, const Viewer &viewer, Situation &s);
  void write(ShadowMemory &shadow, Cell &cell, const Access &mine, const Viewer &viewer, Situation &s);
  const uint8_t *bytesAt(Space space, uint64_t address, uint64_t bytes) const;
  bool sameValue(const Situation &s, const Access &e) const;
  uint32_t blockOfRow(const Access &e) const { return e.agent / 2 / warpsPerBlock; }
  uint32_t clusterOfRow(const Access &e) const { return blockOfRow(e) / uint32_t(launch.cluster.count()); }

  void spread(WarpState &w);
  void gather(WarpState &w);
  void release(Released &to, WarpState &w, uint32_t mask);
  void release(Released &to, const WarpState &w, uint32_t lane, const Snapshot &s);
  void publish(Location &to, WarpState &w, uint32_t lane, MemoryOrder order);
  void observe(const Location &from, WarpState &w, uint32_t lane, MemoryOrder order, bool atomic);
  Location &locationAt(Space space, uint64_t address);
  /// Shared addresses mean another location in every cluster.
  uint64_t locationKey(Space space, uint64_t address) const {
    return space == Space::Global ? address : address | uint64_t(base) << 32;
  }
  static void retire(Location &l);
  void joinInto(Released &to, unsigned set, const ClockRef &clock);
  void acquire(WarpState &w, uint32_t mask, const Released &from);
  void know(WarpState &w, uint32_t mask, const Released &from); ///< `from` contains what the lanes know
  /// `kind`: Read for the first half of an atomic operation as well, with `atomic`.
  void synchronize(WarpState &w, uint32_t lane, Space space, uint64_t address, AccessKind kind, MemoryOrder order,
                   bool atomic);
  Patterns &patternsOf(WarpState &w, uint32_t lane);
  Viewer viewerOf(const WarpState &w, uint32_t lanes) const;
  Viewer viewerOf(const OpState &s, const AsyncOp &op, Space space) const;
  void useMbarrier(const Viewer &viewer, Mbarrier &b, const Access &mine, Situation &s);
  void commitArrives(const AsyncOp &op, const OpState &o, bool here, Released &to);
  void signalsExited(Cta &cta, const Access &mine, Situation &s);
  void touch(Situation &s, const Access &mine, const Viewer &viewer, uint64_t address, uint64_t bytes, AccessKind kind);
  static void raiseOperation(VectorClock &clock, const AsyncOp &op, bool writes, uint32_t part = 0);
  uint32_t chooseSlot(const AsyncOp &op, const OpState &s);
  void blockEnds(Cta &cta);
  void beginBlocks(Cluster &cluster);
  void join(Cluster &cluster);

  // RaceReport.cpp
  void report(const Situation &s, const Access &e, bool eWrites, Conflict why);
  std::string who(const Access &e) const;
  std::string where(const Access &e) const;
  std::string hint(const Situation &s, const Access &e, bool eWrites, Conflict why) const;
  const char *idiomOf(const Situation &s, const Access &e, bool eWrites, const Function &function,
                      const Inst &code) const;
  void complain(const Situation &s, ReportKind kind, std::string message);

  LaunchContext &launch;
  Cluster *cluster = nullptr;
  uint32_t clusterNumber = 0; ///< 1 + index of the running cluster
  uint32_t warpsPerBlock = 0;
  std::vector<uint32_t> firstInst; ///< of each function
  std::vector<WarpState> warps;
  std::vector<std::unique_ptr<BlockState>> blocks;
  /// Which clusters have run: numbers from `first` to that of the next run have indices from `second` on.
  std::vector<std::pair<uint32_t, uint64_t>> clusterRuns;
  /// First blocks of the clusters that ran together under one number, where they were several.
  std::unordered_map<uint32_t, std::vector<Dim3>> together;
  std::unordered_map<const Cluster *, uint32_t> bases; ///< of those under way
  uint32_t base = 0;                                   ///< first block of the running cluster
  std::vector<std::array<ClusterPhase, 2>> clusterPhases;
  std::array<ClusterPhase, 2> &phases() { return clusterPhases[base / launch.cluster.count()]; }
  EpochTable epochs;
  ShadowMemory global;
  std::unordered_map<uint64_t, ShadowMemory> others; ///< further state spaces, forgotten after each cluster
  std::unordered_map<const Mbarrier *, MbarrierState> mbarriers;
  std::unordered_map<uint64_t, Location> locations[2]; ///< shared, global
  std::vector<Slot> slots;
  static constexpr size_t SlotLimit = 256;
  size_t nextVictim = 0;
  std::unordered_map<const AsyncOp *, OpState> ops; ///< not done
  std::unordered_map<uint64_t, uint32_t> queueSlots;
  ClockJoiner joiner;
  std::set<std::tuple<uint32_t, uint32_t, int>> reported;
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_CHECK_RACECHECKER_H
