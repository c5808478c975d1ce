//===- Warp.h - Execution state of warps and blocks -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Divergence. The threads of a warp that are at the same place form a Fragment: a program counter, a call frame and
// a mask of lanes. At the head of every basic block the warp merges fragments that have met and continues with the
// one that is deepest in calls and earliest in the code (ControlFlow.h says why that reconverges). Instructions that
// name other threads of the warp (shfl.sync, bar.warp.sync, ...) park a fragment until those threads have come to
// the same instruction; CTA barriers park it until all threads of the warp have arrived, as the PTX ISA asks. When a
// fragment spins while others wait (a lock held by another thread of the warp), fairness lets the others run.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_WARP_H
#define TILEIRAS_EMULATOR_MACHINE_WARP_H

#include "tileiras/Emulator/Check/Report.h"
#include "tileiras/Emulator/Machine/Async/Async.h"
#include "tileiras/Emulator/Machine/Memory/Memory.h"
#include "tileiras/Emulator/Machine/Program.h"
#include "tileiras/Emulator/Machine/Stats.h"

#include <cstring>

namespace tileiras::emu {

class Observer;
struct BarrierState;
struct Cta;
struct Warp;
struct LaunchContext;

/// Who has used a register of asynchronous instructions (FunctionCode::asyncNumber).
struct AsyncRegister {
  uint32_t touched = 0;    ///< Warp::wgmmaEpoch at the last access by an ordinary instruction
  uint32_t wgmma = 0;      ///< number of the warp's last wgmma that uses it, from 1; 0: none
  uint32_t wgmmaEpoch = 0; ///< when that was
  uint32_t load = 0;       ///< number of the warp's last tcgen05.ld that writes it, from 1; 0: none
  uint32_t shape = 0;      ///< of that wgmma if the register was an accumulator, ~0 if a fragment of A
};

/// Registers of one function activation, shared by the lanes that entered it together or through the same call.
struct Frame {
  uint8_t *regs = nullptr;
  uint32_t *preds = nullptr;
  uint64_t localBase = 0; ///< of the function's .local and .param bytes, in each thread's local memory
  const FunctionCode *fn = nullptr;
  Frame *parent = nullptr;
  const Inst *call = nullptr; ///< in the parent
  uint32_t lanes = 0;         ///< still inside
  uint32_t depth = 0;
  uint64_t stackTop = 0; ///< local bytes in use, alloca included
  std::vector<AsyncRegister> asyncRegisters;
  std::vector<uint64_t> storage;
};

enum class FragmentState : uint8_t {
  Ready,
  WarpSync, ///< at a .sync instruction, for lanes that have not come yet
  Barrier,  ///< at a CTA barrier
  Waiting,  ///< for an mbarrier or the cluster barrier; executes its instruction again when woken
};

struct Fragment {
  const Inst *pc = nullptr;
  uint32_t mask = 0;
  FragmentState state = FragmentState::Ready;
  bool aligned = false; ///< Barrier: the .aligned form
  uint8_t barrier = 0;  ///< Barrier: number
  Frame *frame = nullptr;
  uint32_t threads = 0; ///< Barrier: explicit thread count, 0 = all
  uint64_t lastRun = 0;
  uint64_t waitKey = 0; ///< Waiting: mbarrier address in the cluster window, or ClusterBarrierKey
};

/// A stretch of one state space in host memory: lane l finds address A at host + (A - lo) + l * laneStride.
struct Region {
  uint8_t *host = nullptr;
  uint8_t *shadow = nullptr;   ///< null: everything counts as written; else 0xff per written byte
  uint64_t laneStride = 0;     ///< local memory is per thread
  Space space = Space::Global; ///< what a generic address turned out to be
};

/// Last global allocation a warp touched.
struct AllocationCache {
  uint64_t base = 1, end = 0;
  uint8_t *host = nullptr;
  uint8_t *shadow = nullptr;
  bool readOnly = false;
};

/// One thread's cp.async that has not been waited for.
struct AsyncCopy {
  uint64_t destination = 0, source = 0;
  Space sourceSpace = Space::Global;
  uint8_t bytes = 0, sourceBytes = 0;
  const Inst *inst = nullptr;
  uint64_t number = 0; ///< of the thread's copies
};
struct AsyncCopies {
  std::vector<AsyncCopy> open;
  std::vector<std::vector<AsyncCopy>> groups; ///< committed, oldest first
  std::vector<uint64_t> ends;                 ///< of each group: copies issued before its commit
  uint64_t issued = 0;
};

enum class WarpState : uint8_t {
  Ready,
  AtBarrier, ///< all threads are at one CTA barrier
  Waiting,   ///< some fragment waits for an mbarrier or the cluster barrier, and none is ready
  Done
};
constexpr uint64_t ClusterBarrierKey = uint64_t(1) << 63;
constexpr uint64_t WarpgroupKey = uint64_t(1) << 62; ///< | rank << 24 | warpgroup: its warps' wgmmas
constexpr uint64_t RegisterKey = uint64_t(1) << 60;  ///< | rank: the pool of setmaxnreg
constexpr uint64_t TensorKey = uint64_t(1) << 61;    ///< | rank: allocation of tensor memory

struct Warp {
  // Touched by every instruction.
  const Inst *pc = nullptr;
  uint32_t active = 0; ///< lanes of the running fragment
  bool stop = false;   ///< leave run()
  bool checkInit = false, memoryStats = false;
  Observer *observer = nullptr;          ///< of the cluster
  const void *stores = nullptr;          ///< during Observer::threadAccess of stmatrix: the bytes of the lane's row
  uint8_t *base[2] = {nullptr, nullptr}; ///< register rows, constant rows
  uint32_t *preds = nullptr;
  Frame *frame = nullptr;
  Cta *cta = nullptr;
  LaunchContext *launch = nullptr;
  Stats *stats = nullptr;
  uint64_t *blockWarps = nullptr, *blockThreads = nullptr; ///< executions by basic block
  uint32_t live = 0;                                       ///< lanes that have not exited
  uint32_t slice = 0;                                      ///< basic blocks left in this turn
  AllocationCache cache;
  AllocationCache shared; ///< the block's own shared memory

  uint32_t initialLanes = 0;
  WarpState state = WarpState::Done;
  uint32_t index = 0;              ///< in the CTA
  std::vector<Fragment> fragments; ///< the running one is fragments[current]; its pc and mask are stale while it runs
  uint32_t current = 0;
  uint64_t turn = 0;              ///< counts fragment choices, for fairness
  uint32_t starving = 0;          ///< blocks run while another fragment was ready
  uint32_t sticky = 0;            ///< blocks the current fragment may still run against the order
  uint64_t executed = 0;          ///< warp instructions
  uint64_t clusterPhase[32] = {}; ///< barrier.cluster phases each lane has arrived at
  uint32_t clusterOpen = 0;       ///< lanes that have arrived and not yet waited
  bool polled = false;            ///< the last turn ended with an unsuccessful test of an mbarrier
  uint64_t polledKey = 0;         ///< which one

  alignas(64) uint32_t tid[3][32];
  std::vector<uint8_t> local, localShadow; ///< [lane][localStride]
  uint64_t localStride = 0;
  Frame root;
  std::vector<std::unique_ptr<Frame>> frames, freeFrames;
  uint32_t barrierNumber = 0; ///< state AtBarrier
  AsyncCopies copies[32];
  AsyncGroups bulkGroups[32];                      ///< cp.async.bulk groups
  AsyncGroups wgmmaGroups;                         ///< the instructions are .aligned: of the warp, not of a thread
  uint32_t wgmmaIssued = 0, wgmmaWaited = 0;       ///< wgmma.mma_async; they complete in order
  uint32_t wgmmaEpoch = 1;                         ///< 1 + wgmma.fences executed
  uint32_t registers = 0;                          ///< per thread, of a launch whose limit is known; else 0
  uint32_t registerChanges = 0;                    ///< setmaxnregs begun
  bool wantsRegisters = false;                     ///< the last of them waits for the pool
  std::vector<AsyncRef> tensorLoads, tensorStores; ///< tcgen05.ld and st since the last wait
  uint32_t tensorLoaded = 0, tensorWaited = 0;     ///< tcgen05.ld; a wait is for all

  template <typename T> T *row(Row r) const { return reinterpret_cast<T *>(base[r >> 31] + (r & ~ConstantBit)); }
  void setPred(uint32_t p, uint32_t value, uint32_t mask) { preds[p] = (preds[p] & ~mask) | (value & mask); }

  /// Runs until the slice is used up or the warp must wait.
  void run(uint32_t slice);

  // Control, all in Warp.cpp.
  void setThreads(uint32_t number, const Dim3 &block); ///< once per launch
  void start(Cta &cta, uint32_t index, uint32_t lanes);
  void enterBlock(const Inst &head);
  void branch(const Inst *target, uint32_t taken);
  void exitLanes(uint32_t lanes);
  void callFunction(const FunctionCode &target, const Inst &call, uint32_t mask);
  void returnLanes(uint32_t lanes);
  /// For .sync instructions. `members` holds each lane's membermask. Returns the lanes whose members are all here:
  /// they execute now. The others are parked, and the handler is called again when more lanes have come.
  uint32_t converge(const Inst &inst, uint32_t mask, const uint32_t *members);
  /// Parks the lanes at a CTA barrier.
  void parkAtBarrier(const Inst &inst, uint32_t mask, uint32_t barrier, uint32_t threads, bool aligned);
  /// Parks lanes until wake(key); they execute `inst` again then.
  void waitFor(const Inst &inst, uint32_t mask, uint64_t key);
  void wake(uint64_t key);
  bool waitsFor(uint64_t key) const;
  void initFrame(Frame &f, const FunctionCode &code);
  /// Gives the parked lanes of a released barrier back.
  void releaseBarrier(const BarrierState &barrier);
  void addLocal(uint64_t bytes); ///< local memory must reach at least this size

  /// Performs copies of one lane.
  void finishCopies(uint32_t lane, std::vector<AsyncCopy> &list);
  void finishAllCopies(uint32_t lanes);
  /// The copies numbered below `number`; groups stay, even if they become empty.
  void finishCopiesBefore(uint32_t lane, uint64_t number);

  /// `bits`: of A's elements. Sparse products take half the time.
  void countMatrix(uint64_t products, uint32_t bits, bool sparse = false) {
    ++stats->matrixInstructions;
    stats->matrixProducts += products;
    stats->matrixWork += products * (bits == 64 ? 256 : bits) / (sparse ? 2 : 1); // f64 runs at a sixteenth of f16
  }
  /// The warp leaves the activation `f` (the last one: exits). Its wgmmas should have been waited for.
  void leaveWgmma(Frame &f);
  /// The same for the registers of tcgen05.ld.
  void leaveTensor(Frame &f);

  // Reports.
  void report(ReportKind kind, const Inst &inst, uint32_t lane, std::string message, uint64_t address = 0);
  void fatal(ReportKind kind, const Inst &inst, uint32_t lane, std::string message);
  /// For an instruction that is not in the running function.
  void reportAt(const Function &function, ReportKind kind, const Inst &inst, uint32_t lane, std::string message,
                uint64_t address = 0);

  // Memory.cpp: [lo, end) must lie in one region of `space`; false if it does not.
  bool region(Space space, uint64_t lo, uint64_t end, bool write, Region &out) {
    if ((space == Space::Global || space == Space::Generic) && lo >= cache.base && end <= cache.end &&
        !(write && cache.readOnly)) [[likely]] {
      out.host = cache.host + (lo - cache.base);
      out.shadow = cache.shadow ? cache.shadow + (lo - cache.base) : nullptr;
      return true;
    }
    if (space == Space::Shared && lo >= shared.base && end <= shared.end) [[likely]] {
      out.host = shared.host + (lo - shared.base);
      out.shadow = shared.shadow + (lo - shared.base);
      return true;
    }
    return regionSlow(space, lo, end, write, out);
  }
  bool regionSlow(Space space, uint64_t lo, uint64_t end, bool write, Region &out);
  /// Lane by lane, for warps whose lanes are in different regions or have faults: copies `bytes` of each lane to or
  /// from buffer + 64 * lane and reports what is wrong. Returns the lanes that succeeded.
  uint32_t gather(const Inst &inst, Space space, uint32_t mask, const uint64_t *address, unsigned bytes,
                  uint8_t *buffer);
  uint32_t scatter(const Inst &inst, Space space, uint32_t mask, const uint64_t *address, unsigned bytes,
                   const uint8_t *buffer);
  /// Tells the observer about an ordinary access of one lane.
  void observeLane(const Inst &inst, Space named, Space space, uint32_t lane, uint64_t address, unsigned bytes,
                   bool write);
  /// Finds the lanes that read unwritten bytes and reports them.
  void findUninitialized(const Inst &inst, const Region &region, uint64_t lo, uint32_t mask, const uint32_t *rel,
                         unsigned bytes);
  void badAccess(const Inst &inst, Space space, uint32_t lane, uint64_t address, unsigned bytes, bool write);
  bool resolveLane(const Inst &inst, Space space, uint32_t lane, uint64_t address, unsigned bytes, bool write,
                   Region &out);
  /// Statistics of one request; lane l is at lo + rel[l].
  void countAccess(Space space, uint32_t mask, uint64_t lo, const uint32_t *rel, unsigned bytes, bool write,
                   bool contiguous);
  std::string describe(Space space, uint64_t address) const;

private:
  void saveCurrent();
  void switchTo(uint32_t index);
  void mergeAndChoose();
  void chooseNext(); ///< the current fragment is gone or parked
  void removeCurrent();
  bool tryArriveBarrier();
  void stuck();
  Frame *newFrame();
  void leaveFrame(Frame *f, uint32_t lanes);
  /// Makes `lanes` of the running fragment a fragment of their own; returns its index. The rest keeps running.
  uint32_t splitOff(uint32_t lanes, const Inst *at, FragmentState fragmentState);
};

/// Copies the results of a call into the caller's frame.
void deliverResults(Warp &warp, const Frame &callee, uint32_t lanes);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_WARP_H
