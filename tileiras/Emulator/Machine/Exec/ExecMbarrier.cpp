//===- ExecMbarrier.cpp - mbarrier instructions -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, Parallel Synchronization and Communication Instructions: mbarrier.*, cp.async.mbarrier.arrive.
//
// A try_wait may come back without success after any time. With late and random timing it does so now and then, for
// programs must be ready for it; otherwise it parks the threads until the phase completes.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Exec/LaneAddress.h"

#include <bit>

using namespace tileiras::emu;

namespace {

const MemAux &auxOf(const Inst &i) { return *static_cast<const MemAux *>(i.aux); }

/// Order of an instruction: bit 6 of flags .relaxed, scope in e. `release` and `acquire` are the defaults.
MemoryOrder orderOf(const Inst &i, bool acquire, bool release) {
  bool relaxed = i.flags & 64;
  return {true, acquire && !relaxed, release && !relaxed, uint8_t(i.e ? i.e : 1)};
}

/// Calls f(lane, address) for the lanes whose address is in shared memory.
template <typename F> void eachLane(Warp &w, const Inst &i, uint32_t m, F f) {
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    uint32_t l = uint32_t(std::countr_zero(rest));
    uint64_t address;
    if (laneSharedAddress(w, i, auxOf(i), i.a, i.imm, l, address))
      f(l, address);
  }
}

/// The arrival that follows all cp.async operations which the thread has issued so far.
class CopiesArrive : public AsyncOp {
public:
  CopiesArrive(Warp &w, const Inst &i, uint32_t lane, uint64_t address, uint64_t before)
      : AsyncOp(AsyncUnit::CpAsync, w, i, lane), address(address), before(before) {}
  bool step() override {
    warp->finishCopiesBefore(lane, before);
    mbarrierArrive({warp, inst, lane, this, {true, false, true, 1}}, address, 1, 0);
    return true;
  }

private:
  uint64_t address, before;
};

} // namespace

namespace tileiras::emu::handlers {

void mbarrierInit(Warp &w, const Inst &i, uint32_t m) {
  eachLane(w, i, m, [&](uint32_t l, uint64_t address) {
    emu::mbarrierInit({&w, &i, l, nullptr, {}}, address, w.row<uint32_t>(i.b)[l]);
  });
}

void mbarrierInval(Warp &w, const Inst &i, uint32_t m) {
  eachLane(w, i, m, [&](uint32_t l, uint64_t address) { emu::mbarrierInval({&w, &i, l, nullptr, {}}, address); });
}

void mbarrierArrive(Warp &w, const Inst &i, uint32_t m) {
  eachLane(w, i, m, [&](uint32_t l, uint64_t address) {
    uint64_t count = i.flags & 1 ? w.row<uint32_t>(i.b)[l] : 1;
    int64_t tx = i.flags & 2 ? int64_t(w.row<uint32_t>(i.c)[l]) : 0;
    uint64_t token = 0;
    MbarrierActor who{&w, &i, l, nullptr, orderOf(i, false, true)};
    if (i.flags & 1 && (count == 0 || int64_t(count) > MbarrierMaxCount)) {
      w.report(ReportKind::Mbarrier, i, l, "arrival count " + std::to_string(count) + "; it must be 1 to 1048575",
               address);
      return;
    }
    emu::mbarrierArrive(who, address, count, tx, i.flags & 4, i.flags & 8, &token);
    if (i.flags & 16)
      w.row<uint64_t>(i.d)[l] = token;
  });
}

void mbarrierTx(Warp &w, const Inst &i, uint32_t m) {
  eachLane(w, i, m, [&](uint32_t l, uint64_t address) {
    int64_t tx = w.row<uint32_t>(i.b)[l];
    emu::mbarrierArrive({&w, &i, l, nullptr, {true, false, false, uint8_t(i.e ? i.e : 1)}}, address, 0,
                        i.flags & 1 ? -tx : tx);
  });
}

void mbarrierPendingCount(Warp &w, const Inst &i, uint32_t m) {
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    uint32_t l = uint32_t(std::countr_zero(rest));
    w.row<uint32_t>(i.d)[l] = Mbarrier::tokenPending(w.row<uint64_t>(i.a)[l]);
  }
}

void mbarrierWait(Warp &w, const Inst &i, uint32_t m) {
  bool isParity = i.flags & 1, mayWait = i.flags & 2;
  uint32_t done = 0, open = 0;
  ++w.stats->mbarrierWaits;
  uint64_t keys[32] = {};
  Observer *observer = w.cta->cluster->observer;
  eachLane(w, i, m, [&](uint32_t l, uint64_t address) {
    Mbarrier *b = mbarrierAt({&w, &i, l, nullptr, {}}, address);
    if (!b) {
      // Nothing would ever complete it: the block cannot go on.
      w.cta->failed = true;
      w.stop = true;
      return;
    }
    bool parity = isParity ? w.row<uint32_t>(i.b)[l] & 1 : Mbarrier::tokenParity(w.row<uint64_t>(i.b)[l]);
    if ((b->phase & 1) == parity) {
      open |= 1u << l;
      keys[l] = address;
      return;
    }
    done |= 1u << l;
    keys[l] = address;
  });
  // Lanes that look at one object are told together.
  for (uint32_t rest = observer ? done : 0; rest;) {
    uint64_t key = keys[std::countr_zero(rest)];
    uint32_t group = 0;
    for (uint32_t r = rest; r; r &= r - 1)
      if (keys[std::countr_zero(r)] == key)
        group |= r & -r;
    rest &= ~group;
    if (Mbarrier *b = mbarrierAt({&w, &i, uint32_t(std::countr_zero(group)), nullptr, {}}, key))
      observer->mbarrierAcquire(w, i, group, *b, b->phase - 1, orderOf(i, true, false));
  }
  AsyncEngine &async = w.cta->cluster->async;
  if (open && mayWait && async.timing != AsyncTiming::Early && (async.random() & 1))
    mayWait = false;
  w.setPred(i.d, done, done);
  if (!open)
    return;
  ++w.stats->mbarrierBlocked;
  if (!mayWait) {
    w.setPred(i.d, 0, open);
    w.polled = true;
    w.polledKey = keys[std::countr_zero(open)];
    w.stop = true;
    return;
  }
  while (open) {
    uint64_t key = keys[std::countr_zero(open)];
    uint32_t group = 0;
    for (uint32_t rest = open; rest; rest &= rest - 1)
      if (keys[std::countr_zero(rest)] == key)
        group |= rest & -rest;
    if (observer)
      if (Mbarrier *b = mbarrierAt({&w, &i, uint32_t(std::countr_zero(group)), nullptr, {}}, key))
        observer->mbarrierBlocked(w, i, group, *b);
    open &= ~group;
    w.waitFor(i, group, key);
  }
}

/// flags: 1 .noinc
void cpAsyncMbarrierArrive(Warp &w, const Inst &i, uint32_t m) {
  eachLane(w, i, m, [&](uint32_t l, uint64_t address) {
    MbarrierActor who{&w, &i, l, nullptr, {}};
    Mbarrier *b = mbarrierAt(who, address);
    if (!b)
      return;
    if (!(i.flags & 1) && !mbarrierIncrement(who, address))
      return;
    w.cta->cluster->async.submit(std::make_shared<CopiesArrive>(w, i, l, address, w.copies[l].issued));
  });
}

} // namespace tileiras::emu::handlers
