//===- RaceAsync.cpp - mbarriers and asynchronous operations ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Check/RaceChecker.h"
#include "tileiras/Emulator/Machine/TensorMemory/TensorMemory.h"

#include <algorithm>
#include <bit>

using namespace tileiras::emu;

//===----------------------------------------------------------------------===//
// mbarrier (PTX ISA, mbarrier; Asynchronous operations)
//===----------------------------------------------------------------------===//

/// An operation on the object: its initialisation must be visible, and it must not be reused meanwhile.
void RaceChecker::useMbarrier(const Viewer &viewer, Mbarrier &b, const Access &mine, Situation &s) {
  MbarrierState &state = mbarriers[&b];
  s.space = Space::Shared;
  s.address = s.base = b.address;
  s.bytes = 8;
  s.kind = AccessKind::Atomic;
  const Access &init = state.init;
  if (!init.none() && !known(viewer, init, InitFenced)) {
    if (!known(viewer, init, Plain))
      report(s, init, true, Conflict::Unordered);
    else if (launch.options->rules == Rules::Isa && s.op && s.op->unit == AsyncUnit::Tma &&
             !known(viewer, init, AsyncShared))
      report(s, init, true, Conflict::Proxy);
  }
  uint64_t local = b.address;
  ShadowMemory &shadow = shadowOf(Space::Shared, local);
  shadow.each(local, 8, [&](Cell &cell, uint64_t, unsigned) { noteReader(viewer, shadow, cell, mine); });
}

void RaceChecker::mbarrierInit(Warp &warp, const Inst &inst, uint32_t lane, Mbarrier &b) {
  WarpState &w = stateOf(warp);
  MbarrierState &state = mbarriers[&b];
  state = MbarrierState();
  Situation s;
  s.warp = &warp;
  s.inst = &inst;
  s.lane = lane;
  state.init = made(w, inst, 1u << lane, {});
  touch(s, state.init, viewerOf(w, 1u << lane), b.address, 8, AccessKind::Write);
}

void RaceChecker::mbarrierInval(Warp &warp, const Inst &inst, uint32_t lane, Mbarrier &b) {
  WarpState &w = stateOf(warp);
  Situation s;
  s.warp = &warp;
  s.inst = &inst;
  s.lane = lane;
  touch(s, made(w, inst, 1u << lane, {}), viewerOf(w, 1u << lane), b.address, 8, AccessKind::Write);
  mbarriers.erase(&b);
}

void RaceChecker::mbarrierArrive(Warp &warp, const Inst &inst, uint32_t lane, Mbarrier &b, uint32_t count, int64_t,
                                 MemoryOrder order) {
  WarpState &w = stateOf(warp);
  Situation s;
  s.warp = &warp;
  s.inst = &inst;
  s.lane = lane;
  useMbarrier(viewerOf(w, 1u << lane), b, made(w, inst, 1u << lane, {true, false, false, 4}), s);
  if (!blockOf(b.address >> 24).liveWarps)
    complain(s, ReportKind::Race, "an arrival at an mbarrier of a block of the cluster that has exited");
  if (!count)
    return;
  MbarrierState &state = mbarriers[&b];
  // The scope is not looked at: arrivals from other blocks of the cluster are written without one as well.
  if (order.release)
    release(state.current, w, 1u << lane);
  else if (w.patterns[lane] && w.patterns[lane]->hasFenced[0])
    release(state.current, w, lane, w.patterns[lane]->fenced[0]);
}

void RaceChecker::mbarrierAsyncArrive(AsyncOp &op, Mbarrier &b, uint32_t, int64_t) {
  auto it = ops.find(&op);
  if (it == ops.end())
    return;
  const OpState &o = it->second;
  Situation s;
  s.warp = op.warp;
  s.inst = op.inst;
  s.lane = op.lane;
  s.op = &op;
  Access mine;
  // A commit reads and writes nothing, so what its arrivals at the block that issues it are has a slot of its own.
  bool here = op.unit == AsyncUnit::Tcgen05 && b.cta == op.cta;
  mine.agent = SlotAgent | (2 * o.slot + !here);
  mine.clock = o.clock;
  mine.cluster = clusterNumber;
  mine.inst = number(*op.function, *op.inst) << 4 | 8 | 4;
  mine.id = epochs.number(mine);
  useMbarrier(viewerOf(o, op, Space::Shared), b, mine, s);
  if (!blockOf(b.address >> 24).liveWarps)
    signalsExited(*b.cta, mine, s);
  // The completion releases the operation's own accesses, and nothing else of the thread that issued it.
  Released &to = mbarriers[&b].current;
  VectorClock &clock = to.set[Plain].mine();
  raiseOperation(clock, op, true);
  if (o.copies)
    clock.raise(o.row + 1, op.lane, o.copies);
  if (op.unit == AsyncUnit::Tcgen05)
    commitArrives(op, o, here, to);
}

/// tcgen05.commit speaks for the operations before it, and holds a fence::before_thread_sync (PTX ISA, tcgen05.commit).
void RaceChecker::commitArrives(const AsyncOp &op, const OpState &o, bool here, Released &to) {
  // An operation that is complete has seen what its thread had acquired before, and what the thread itself wrote and
  // fenced for it: the TMA copy into a stage is over when the product that reads the stage is. Other writes of the
  // thread are not released.
  for (unsigned set = 0; set != TensorAfter; ++set)
    joinInto(to, set, o.start.knowledge.set[set]);
  for (Set set : {AsyncShared, AsyncGlobal})
    if (uint32_t c = o.start.own.clock[set])
      for (Set s : {Plain, set})
        to.set[s].mine().raise(o.row, op.lane, c);
  for (Set set : {Plain, TensorBefore}) {
    VectorClock &tracked = to.set[set].mine();
    raiseOperation(tracked, op, true);
    for (auto &earlier : op.after)
      raiseOperation(tracked, *earlier, true);
    // An earlier commit of the thread has arrived at its own block before this one; so nobody need look at the barriers
    // of a ring's last stages there before the block exits if the accumulator's commit has been waited for. (The ISA
    // does not say that the arrivals come in order; production kernels rely on it for their own blocks.)
    for (auto [state, allArrivals] : op.implies) {
      uint32_t slot = 2 * uint32_t(state >> 32);
      if (here || allArrivals)
        tracked.raiseSlot(slot, uint32_t(state));
      if (allArrivals)
        tracked.raiseSlot(slot + 1, uint32_t(state));
    }
  }
}

/// An arrival at a barrier of a block that has exited: its threads must have known of it.
void RaceChecker::signalsExited(Cta &cta, const Access &mine, Situation &s) {
  Knowledge k;
  k.set[Plain] = blockOf(cta.rank).exited.set[Plain];
  Own own;
  Viewer v;
  v.knowledge = &k;
  v.own = &own;
  v.row = NoAgent;
  if (known(v, mine, Plain))
    return;
  s.warp = cta.warps[0].get();
  s.inst = nullptr;
  report(s, mine, true, Conflict::Unordered);
}

void RaceChecker::mbarrierPhase(Mbarrier &b) {
  MbarrierState &state = mbarriers[&b];
  // Arrivals are atomic operations on one object, so later phases go on with the release sequence of earlier ones.
  for (unsigned s = 0; s != SetCount; ++s)
    state.complete.set[s] = state.current.set[s];
}

void RaceChecker::mbarrierAcquire(Warp &warp, const Inst &inst, uint32_t mask, Mbarrier &b, uint64_t,
                                  MemoryOrder order) {
  WarpState &w = stateOf(warp);
  Situation s;
  s.warp = &warp;
  s.inst = &inst;
  s.lane = uint32_t(std::countr_zero(mask));
  gather(w);
  if (w.same) {
    useMbarrier(viewerOf(w, mask), b, made(w, inst, mask, {true, false, false, 4}), s);
  } else {
    for (uint32_t m = mask; m; m &= m - 1)
      useMbarrier(viewerOf(w, m & -m), b, made(w, inst, m & -m, {true, false, false, 4}), s);
  }
  const Released &from = mbarriers[&b].complete;
  if (order.acquire) {
    acquire(w, mask, from);
    return;
  }
  for (uint32_t m = mask; m; m &= m - 1) {
    Patterns &p = patternsOf(w, uint32_t(std::countr_zero(m)));
    p.hasPending = true;
    for (unsigned k = 0; k != SetCount; ++k)
      joinInto(p.pending[0], k, from.set[k]);
  }
}

void RaceChecker::mbarrierBlocked(Warp &warp, const Inst &inst, uint32_t mask, Mbarrier &b) {
  WarpState &w = stateOf(warp);
  Situation s;
  s.warp = &warp;
  s.inst = &inst;
  for (uint32_t m = mask; m; m &= m - 1) {
    s.lane = uint32_t(std::countr_zero(m));
    useMbarrier(viewerOf(w, m & -m), b, made(w, inst, m & -m, {true, false, false, 4}), s);
  }
}

//===----------------------------------------------------------------------===//
// Asynchronous operations (PTX ISA, Asynchronous operations; Data Movement, Asynchronous copy)
//===----------------------------------------------------------------------===//

void RaceChecker::copiesWaited(Warp &warp, const Inst &, uint32_t lane, uint64_t count) {
  WarpState &w = stateOf(warp);
  uint32_t &known = w.own[lane].copies[Plain];
  known = std::max(known, uint32_t(count));
  w.ownSets |= 1u << Plain;
}

/// The operation's reads, and with `writes` its writes, are known. `part`: of operations with parts.
void RaceChecker::raiseOperation(VectorClock &clock, const AsyncOp &op, bool writes, uint32_t part) {
  uint32_t slot = uint32_t(op.checkerState >> 32) + part, value = uint32_t(op.checkerState);
  clock.raiseSlot(2 * slot, value);
  if (writes)
    clock.raiseSlot(2 * slot + 1, value);
}

uint32_t RaceChecker::chooseSlot(const AsyncOp &op, const OpState &o) {
  // A queue of tensor memory keeps the emulator's own order only: its operations may be of several threads and shapes.
  if (op.queue && op.queue >> 63 == 0 && op.unit != AsyncUnit::Tcgen05) {
    auto [it, isNew] = queueSlots.try_emplace(op.queue, uint32_t(slots.size()));
    if (isNew && o.parts.empty())
      slots.push_back({op.unit, op.warp, op.lane, 0, 0});
    for (uint32_t k = 0; isNew && !o.parts.empty() && k != 4; ++k)
      slots.push_back({op.unit, op.cta->warps[(op.warp->index & ~3u) + k].get(), 0, 0, 0});
    return it->second;
  }
  // An operation may follow one that its issuer knows to be complete.
  const VectorClock *c = o.start.knowledge.set[Plain].get();
  for (uint32_t k = 0; k != slots.size(); ++k) {
    const Slot &s = slots[k];
    if (s.unit == op.unit && s.warp == op.warp && s.lane == op.lane && c && c->knowsSlot(2 * k, s.clock) &&
        c->knowsSlot(2 * k + 1, s.clock))
      return k;
  }
  if (slots.size() < SlotLimit) {
    slots.push_back({op.unit, op.warp, op.lane, 0, 0});
    return uint32_t(slots.size()) - 1;
  }
  uint32_t victim = uint32_t(nextVictim++ % slots.size());
  slots[victim].forgotten = slots[victim].clock;
  slots[victim].unit = op.unit;
  slots[victim].warp = op.warp;
  slots[victim].lane = op.lane;
  return victim;
}

void RaceChecker::asyncJoin(AsyncOp &op, Warp &warp, const Inst &, uint32_t mask) {
  OpState &o = ops[&op];
  Released all;
  release(all, stateOf(warp), mask);
  Knowledge k;
  for (unsigned s = 0; s != SetCount; ++s)
    k.set[s] = all.set[s];
  if (o.parts.empty())
    o.start.knowledge = k;
  o.parts.emplace_back(&warp, std::move(k));
}

void RaceChecker::asyncIssue(AsyncOp &op) {
  WarpState &w = stateOf(*op.warp);
  OpState &o = ops[&op];
  o.row = w.row;
  if (o.parts.empty()) {
    o.lanes = 1u << op.lane;
    o.start.knowledge = w.of(op.lane);
    o.start.own = w.own[op.lane];
    o.start.own.clock[Plain] = w.clock;
    w.published |= 1u << op.lane;
  }
  // Pipelined operations (PTX ISA, tcgen05 memory consistency model).
  for (auto &earlier : op.after)
    for (Set set : {Plain, TensorAfter})
      raiseOperation(o.start.knowledge.set[set].mine(), *earlier, true);
  if (op.unit == AsyncUnit::CpAsync)
    o.copies = uint32_t(op.warp->copies[op.lane].issued);
  o.slot = chooseSlot(op, o);
  o.clock = ++slots[o.slot].clock;
  op.checkerState = uint64_t(o.slot) << 32 | o.clock;
}

void RaceChecker::asyncDone(AsyncOp &op) { ops.erase(&op); }

void RaceChecker::asyncWaited(AsyncOp &op, Warp &warp, const Inst &, uint32_t mask, bool readsOnly) {
  WarpState &w = stateOf(warp);
  Released done;
  // A wgmma-group is complete for the warpgroup as a whole: kernels let one thread of it hand the operands' memory back
  // (CUTLASS's consumers do), so one warp's wait speaks for the parts of all four.
  for (uint32_t part = 0; part != (op.unit == AsyncUnit::Wgmma ? 4 : 1); ++part)
    raiseOperation(done.set[Plain].mine(), op, !readsOnly, part);
  if (op.unit == AsyncUnit::Tcgen05)
    done.set[TensorAfter] = done.set[Plain];
  acquire(w, mask, done);
}

/// All that was done with the cells must precede (PTX ISA, tcgen05.dealloc). Who gets them next begins anew: the
/// allocator orders the two.
void RaceChecker::tensorFreed(Warp &warp, const Inst &inst, uint32_t lane, uint32_t column, uint32_t columns) {
  WarpState &w = stateOf(warp);
  const Viewer viewer = viewerOf(w, 1u << lane);
  Situation s;
  s.warp = &warp;
  s.inst = &inst;
  s.lane = lane;
  s.space = Space::Tensor;
  for (uint32_t row = 0; row != TensorLanes; ++row)
    touch(s, Access(), viewer, tensorCellAddress(warp.cta->rank, row, column), uint64_t(columns) * 4,
          AccessKind::Write);
}

//===----------------------------------------------------------------------===//
// What asynchronous operations read and write
//===----------------------------------------------------------------------===//

void RaceChecker::copyIssued(Warp &warp, const Inst &inst, uint32_t lane, const AsyncCopy &copy) {
  WarpState &w = stateOf(warp);
  Situation s;
  s.warp = &warp;
  s.inst = &inst;
  s.lane = lane;
  Access mine = made(w, inst, 1u << lane, {});
  mine.agent = w.row + 1;
  mine.clock = uint32_t(copy.number) + 1;
  mine.id = epochs.number(mine);
  Viewer v = viewerOf(w, 1u << lane);
  if (copy.sourceBytes && (copy.sourceSpace == Space::Global || copy.sourceSpace == Space::Shared)) {
    s.space = copy.sourceSpace;
    touch(s, mine, v, copy.source, copy.sourceBytes, AccessKind::Read);
  }
  s.space = Space::Shared;
  touch(s, mine, v, copy.destination, copy.bytes, AccessKind::Write);
}

void RaceChecker::asyncAccess(AsyncOp &op, Space space, uint64_t address, uint64_t bytes, AccessKind kind) {
  auto it = ops.find(&op);
  if (it == ops.end() || !bytes)
    return;
  if (epochs.full(global.cellCount())) [[unlikely]]
    collectEpochs();
  const OpState &o = it->second;
  Situation s;
  s.warp = op.warp;
  s.inst = op.inst;
  s.lane = op.lane;
  s.op = &op;
  s.space = space;
  if (space == Space::Shared && !blockOf(address >> 24).liveWarps) {
    s.address = address;
    complain(s, ReportKind::Async, "the operation is still at work on the shared memory of a block that has exited");
  }
  Access mine;
  mine.agent = SlotAgent | (2 * o.slot + (kind == AccessKind::Read ? 0 : 1));
  mine.clock = o.clock;
  mine.cluster = clusterNumber;
  // Reductions are relaxed atomics of gpu scope, element by element (PTX ISA, cp.reduce.async.bulk).
  mine.inst = number(*op.function, *op.inst) << 4 | (kind == AccessKind::Atomic ? 8u | 3u : 0);
  mine.id = epochs.number(mine);
  Viewer v = viewerOf(o, op, space);
  if (o.parts.empty()) {
    touch(s, mine, v, address, bytes, kind);
    return;
  }
  // What all parts have in common is read by each of them.
  for (auto &[warp, knowledge] : o.parts)
    if (!op.onBehalfOf || op.onBehalfOf == warp) {
      mine.agent = SlotAgent | (2 * (o.slot + warp->index % 4) + (kind == AccessKind::Read ? 0 : 1));
      mine.id = epochs.number(mine);
      touch(s, mine, v, address, bytes, kind);
    }
}
