//===- Observer.h - Events of a run, for checkers and tracers ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The machine tells an observer, if there is one, what happens: which bytes are touched by whom, and every event
// that orders two of them. Without an observer the cost is one test of a null pointer per memory instruction.
//
// Shared addresses in events are those of the cluster's window: bits 31:24 are the rank of the block that owns the
// bytes. All events of a cluster come from one host thread, in the order in which they happen. Blocks of different
// clusters have observers of their own.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_OBSERVER_H
#define TILEIRAS_EMULATOR_MACHINE_OBSERVER_H

#include "tileiras/Emulator/PTX/Types.h"

#include <cstdint>

namespace tileiras::emu {

class AsyncOp;
struct AsyncCopy;
struct Cluster;
struct Cta;
struct Inst;
struct Mbarrier;
struct Warp;

enum class AccessKind : uint8_t { Read, Write, Atomic };

/// Memory semantics of an instruction (PTX ISA, Memory Consistency Model). Scopes: 0 none, 1 cta, 2 cluster, 3 gpu,
/// 4 sys.
struct MemoryOrder {
  bool strong = false, acquire = false, release = false;
  uint8_t scope = 0;
  uint8_t before = 0; ///< an atomic operation's address lies so many bytes before the first byte that it can change
};

enum class FenceKind : uint8_t {
  Thread,       ///< fence.sc, fence.acq_rel, membar: order.acquire and order.release tell which
  MbarrierInit, ///< fence.mbarrier_init.release.cluster
  ProxyAlias,
  ProxyAsync,       ///< generic and async proxy, all state spaces or the one given
  TensormapRelease, ///< fence.proxy.tensormap::generic.release
  TensormapAcquire, ///< fence.proxy.tensormap::generic.acquire [address], size
  WgmmaFence,       ///< wgmma.fence
  Tcgen05Before,    ///< tcgen05.fence::before_thread_sync
  Tcgen05After,     ///< tcgen05.fence::after_thread_sync
};

class Observer {
public:
  virtual ~Observer() = default;

  virtual void clusterBegin(Cluster &) {}
  /// What follows is of this cluster, which was put aside because it waited for another one. Only the race checker
  /// sees several clusters at a time; other observers have one each.
  virtual void clusterResume(Cluster &) {}
  /// Every warp has exited and every asynchronous operation is done.
  virtual void clusterEnd(Cluster &) {}
  virtual void threadsExit(Warp &, uint32_t /*lanes*/) {}
  /// A turn of a warp; `executed` counts warp instructions of the whole cluster.
  virtual void turn(Warp &, uint64_t /*begin*/, uint64_t /*end*/) {}

  /// A warp begins basic block `block` (Program::blocks) with the threads of `mask`.
  virtual void blockEnter(Warp &, uint32_t /*block*/, uint32_t /*mask*/) {}

  /// Lane l of `mask` touches `bytes` bytes at address[l] of `space` (never Generic).
  virtual void threadAccess(Warp &, const Inst &, Space, uint32_t /*mask*/, const uint64_t * /*address*/,
                            unsigned /*bytes*/, AccessKind, MemoryOrder) {}
  /// nanosleep; the longest time that a lane of `mask` asks for.
  virtual void sleeps(Warp &, const Inst &, uint32_t /*mask*/, uint32_t /*nanoseconds*/) {}
  virtual void fence(Warp &, const Inst &, uint32_t /*mask*/, FenceKind, MemoryOrder, Space, uint64_t /*address*/) {}

  /// bar.warp.sync: the lanes of `group` have met. Shuffles and votes do not order memory.
  virtual void warpSync(Warp &, const Inst &, uint32_t /*group*/) {}
  /// A warp arrives at CTA barrier `number`; `wait` is false for bar.arrive.
  virtual void barrierArrive(Warp &, const Inst &, uint32_t /*number*/, bool /*wait*/) {}
  /// The phase is complete; called once before the waiting warps go on.
  virtual void barrierRelease(Cta &, uint32_t /*number*/) {}
  virtual void clusterArrive(Warp &, const Inst &, uint32_t /*mask*/, bool /*release*/) {}
  virtual void clusterWait(Warp &, const Inst &, uint32_t /*mask*/, bool /*acquire*/) {}

  virtual void mbarrierInit(Warp &, const Inst &, uint32_t /*lane*/, Mbarrier &) {}
  virtual void mbarrierInval(Warp &, const Inst &, uint32_t /*lane*/, Mbarrier &) {}
  /// A thread arrives (count > 0) or only changes the transaction count (count 0). Before the phase completes.
  virtual void mbarrierArrive(Warp &, const Inst &, uint32_t /*lane*/, Mbarrier &, uint32_t /*count*/, int64_t /*tx*/,
                              MemoryOrder) {}
  /// An asynchronous operation arrives or completes bytes.
  virtual void mbarrierAsyncArrive(AsyncOp &, Mbarrier &, uint32_t /*count*/, int64_t /*tx*/) {}
  /// The phase that ends is still `phase`.
  virtual void mbarrierPhase(Mbarrier &) {}
  /// A wait has succeeded: the threads know that `phase` is complete.
  virtual void mbarrierAcquire(Warp &, const Inst &, uint32_t /*mask*/, Mbarrier &, uint64_t /*phase*/, MemoryOrder) {}
  virtual void mbarrierBlocked(Warp &, const Inst &, uint32_t /*mask*/, Mbarrier &) {}

  /// A warp executes its share of an operation that several warps issue together (wgmma: four); before asyncIssue.
  /// Its own part of the sources may be read from now on (AsyncOp::onBehalfOf), what is common to all once the first
  /// warp has joined.
  virtual void asyncJoin(AsyncOp &, Warp &, const Inst &, uint32_t /*mask*/) {}
  /// cp.async: nothing else is told about the copy itself. The source is not Generic, unless it could not be resolved.
  virtual void copyIssued(Warp &, const Inst &, uint32_t /*lane*/, const AsyncCopy &) {}
  /// The thread has waited for its cp.asyncs numbered below `count`.
  virtual void copiesWaited(Warp &, const Inst &, uint32_t /*lane*/, uint64_t /*count*/) {}

  virtual void asyncIssue(AsyncOp &) {}
  /// Bytes an asynchronous operation touches, at the moment it does.
  virtual void asyncAccess(AsyncOp &, Space, uint64_t /*address*/, uint64_t /*bytes*/, AccessKind) {}
  /// All sources have been read.
  virtual void asyncReadsDone(AsyncOp &) {}
  virtual void asyncDone(AsyncOp &) {}
  /// tcgen05.dealloc by a warp, before the cells of its own block lose their contents.
  virtual void tensorFreed(Warp &, const Inst &, uint32_t /*lane*/, uint32_t /*column*/, uint32_t /*columns*/) {}
  /// A thread has waited for the operation (wait_group and the like); only its reads if `readsOnly`.
  virtual void asyncWaited(AsyncOp &, Warp &, const Inst &, uint32_t /*mask*/, bool /*readsOnly*/) {}
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_OBSERVER_H
