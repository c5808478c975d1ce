//===- Async.h - Asynchronous operations ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A bulk copy, a warpgroup matrix multiplication, a tensor-memory operation is an AsyncOp: an object that the issuing
// instruction hands to the cluster's AsyncEngine. What it does is cut into steps (for a copy: read the source; write
// the destination and signal), and a policy decides when each step happens:
//
//   Early   at once, when the instruction is issued: the first moment the PTX ISA allows. Shows buffers that are
//           overwritten or registers that are touched too late to matter otherwise.
//   Late    when somebody waits for it, or when nothing else in the cluster can run: the last moment. Shows missing
//           waits.
//   Random  a seeded choice after every turn of a warp.
//
// Operations are unordered, except those in one queue (the wgmmas of a warpgroup, the tensor core pipe of a block),
// which happen in the order of issue.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_ASYNC_ASYNC_H
#define TILEIRAS_EMULATOR_MACHINE_ASYNC_ASYNC_H

#include "tileiras/Emulator/Check/Report.h"
#include "tileiras/Emulator/PTX/Types.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tileiras::emu {

struct Cluster;
struct Cta;
struct Function;
struct Inst;
struct Region;
struct Warp;

/// The hardware unit that performs an operation.
enum class AsyncUnit : uint8_t { CpAsync, Tma, Wgmma, Tcgen05, Other };
const char *asyncUnitName(AsyncUnit unit);

enum class AsyncTiming : uint8_t { Early, Late, Random };

class AsyncOp {
public:
  /// Issued by lane `lane` of `warp` with `inst`; remembers where.
  AsyncOp(AsyncUnit unit, Warp &warp, const Inst &inst, uint32_t lane);
  virtual ~AsyncOp();

  /// Performs the next step; true when there is none left. Sets `readsDone` after the last read of a source.
  virtual bool step() = 0;

  AsyncUnit unit;
  Warp *warp;
  Cta *cta;
  const Inst *inst;
  const Function *function; ///< that contains inst
  uint32_t lane;
  uint64_t id = 0;        ///< order of issue in the cluster
  uint64_t issueTime = 0; ///< cluster clock
  bool readsDone = false, done = false;
  std::vector<std::shared_ptr<AsyncOp>> after; ///< operations that are complete before this one begins
  /// tcgen05.commit: an earlier one of the thread, its `checkerState`. All its arrivals come before, or only the one at
  /// the block that issues both, before the later one's there.
  struct EarlierCommit {
    uint64_t state;
    bool allArrivals;
  };
  std::vector<EarlierCommit> implies;
  Warp *onBehalfOf = nullptr; ///< during Observer::asyncAccess: whose part is read; null: common to all that issue it
  /// Through which proxy memory is touched, during Observer::asyncAccess. (cp.async is of the generic proxy too.)
  enum class Proxy : uint8_t { Async, Generic, Tensormap } proxy = Proxy::Async;
  const void *writes = nullptr; ///< during Observer::asyncAccess: what will be written, if that is known
  uint64_t bytes = 0;           ///< moved or multiplied, for statistics and traces
  uint64_t queue = 0;           ///< 0: unordered
  uint64_t checkerState = 0;    ///< free for the observer

  void report(ReportKind kind, std::string message, uint64_t address = 0);
  /// Host memory of a range of global memory (a global or generic address), or of shared memory of the cluster
  /// (bits 31:24: rank). False after a report. Marks nothing and tells the observer nothing.
  bool global(uint64_t address, uint64_t bytes, bool write, Region &out);
  bool shared(uint64_t address, uint64_t bytes, Region &out);
  /// Copies bytes, checks that sources have been written, marks destinations as written, and tells the observer.
  bool read(Space space, uint64_t address, void *to, uint64_t bytes);
  bool write(Space space, uint64_t address, const void *from, uint64_t bytes);
  /// Tells the observer only.
  void observe(Space space, uint64_t address, uint64_t bytes, bool isWrite);
};
using AsyncRef = std::shared_ptr<AsyncOp>;

/// Operations a thread commits and waits for in groups.
struct AsyncGroups {
  std::vector<AsyncRef> open;
  std::deque<std::vector<AsyncRef>> committed; ///< oldest first
  void add(AsyncRef op) { open.push_back(std::move(op)); }
  void commit() {
    committed.push_back(std::move(open));
    open.clear();
  }
  void clear() {
    open.clear();
    committed.clear();
  }
  bool empty() const { return open.empty() && committed.empty(); }
};

class AsyncEngine {
public:
  void begin(Cluster &cluster, AsyncTiming timing, uint64_t seed, uint64_t stream);

  /// Queue 0: unordered. Other keys name an in-order queue; see queueKey.
  void submit(AsyncRef op, uint64_t queue = 0);
  static uint64_t queueKey(AsyncUnit unit, uint32_t rank, uint32_t number) {
    return uint64_t(unit) << 48 | uint64_t(rank) << 32 | (number + 1);
  }
  /// Performs the operation and whatever must precede it, now.
  void finish(AsyncOp &op);
  void finishReads(AsyncOp &op);
  /// wait_group: at most `pending` groups stay; the oldest go first. `readsOnly`: wait_group.read, which leaves the
  /// group in place as its writes may still be waited for.
  void wait(AsyncGroups &groups, uint64_t pending, bool readsOnly, Warp &warp, const Inst &inst, uint32_t mask);

  bool pending() const { return !queues.empty(); }
  /// One step of one operation, chosen by the policy. Precondition: pending().
  void stepAny();
  /// Whether the policy wants a step now, although warps could run.
  bool wantsStep();
  uint64_t random();
  AsyncTiming timing = AsyncTiming::Late;
  /// All operations that are not done, oldest first.
  std::vector<AsyncOp *> list() const;

private:
  void stepFront(uint64_t key);
  void performed(AsyncOp &op, bool done);
  void stepOp(AsyncOp &op);
  Cluster *cluster = nullptr;
  uint64_t state = 0, nextId = 0, nextOwnQueue = 0;
  std::map<uint64_t, std::deque<AsyncRef>> queues; ///< never holds an empty one
  std::map<const AsyncOp *, uint64_t> queueOf;
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_ASYNC_ASYNC_H
