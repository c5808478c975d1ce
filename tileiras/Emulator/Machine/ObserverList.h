//===- ObserverList.h - Several observers of one run ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_OBSERVERLIST_H
#define TILEIRAS_EMULATOR_MACHINE_OBSERVERLIST_H

#include "tileiras/Emulator/Machine/Observer.h"

#include <memory>
#include <vector>

namespace tileiras::emu {

/// Tells every event to each of its members, in order.
class ObserverList : public Observer {
public:
  void add(std::unique_ptr<Observer> observer) {
    members.push_back(observer.get());
    owned.push_back(std::move(observer));
  }
  void add(Observer &observer) { members.push_back(&observer); }
  /// What the machine should call: nothing, the only member, or the list.
  Observer *get() { return members.empty() ? nullptr : members.size() == 1 ? members[0] : this; }

  void clusterBegin(Cluster &a) override {
    for (auto &o : members)
      o->clusterBegin(a);
  }
  void clusterResume(Cluster &a) override {
    for (auto &o : members)
      o->clusterResume(a);
  }
  void clusterEnd(Cluster &a) override {
    for (auto &o : members)
      o->clusterEnd(a);
  }
  void threadsExit(Warp &a, uint32_t b) override {
    for (auto &o : members)
      o->threadsExit(a, b);
  }
  void turn(Warp &a, uint64_t b, uint64_t c) override {
    for (auto &o : members)
      o->turn(a, b, c);
  }
  void blockEnter(Warp &a, uint32_t b, uint32_t c) override {
    for (auto &o : members)
      o->blockEnter(a, b, c);
  }
  void threadAccess(Warp &a, const Inst &b, Space c, uint32_t d, const uint64_t *e, unsigned f, AccessKind g,
                    MemoryOrder h) override {
    for (auto &o : members)
      o->threadAccess(a, b, c, d, e, f, g, h);
  }
  void fence(Warp &a, const Inst &b, uint32_t c, FenceKind d, MemoryOrder e, Space f, uint64_t g) override {
    for (auto &o : members)
      o->fence(a, b, c, d, e, f, g);
  }
  void warpSync(Warp &a, const Inst &b, uint32_t c) override {
    for (auto &o : members)
      o->warpSync(a, b, c);
  }
  void barrierArrive(Warp &a, const Inst &b, uint32_t c, bool d) override {
    for (auto &o : members)
      o->barrierArrive(a, b, c, d);
  }
  void barrierRelease(Cta &a, uint32_t b) override {
    for (auto &o : members)
      o->barrierRelease(a, b);
  }
  void clusterArrive(Warp &a, const Inst &b, uint32_t c, bool d) override {
    for (auto &o : members)
      o->clusterArrive(a, b, c, d);
  }
  void clusterWait(Warp &a, const Inst &b, uint32_t c, bool d) override {
    for (auto &o : members)
      o->clusterWait(a, b, c, d);
  }
  void mbarrierInit(Warp &a, const Inst &b, uint32_t c, Mbarrier &d) override {
    for (auto &o : members)
      o->mbarrierInit(a, b, c, d);
  }
  void mbarrierInval(Warp &a, const Inst &b, uint32_t c, Mbarrier &d) override {
    for (auto &o : members)
      o->mbarrierInval(a, b, c, d);
  }
  void mbarrierArrive(Warp &a, const Inst &b, uint32_t c, Mbarrier &d, uint32_t e, int64_t f, MemoryOrder g) override {
    for (auto &o : members)
      o->mbarrierArrive(a, b, c, d, e, f, g);
  }
  void mbarrierAsyncArrive(AsyncOp &a, Mbarrier &b, uint32_t c, int64_t d) override {
    for (auto &o : members)
      o->mbarrierAsyncArrive(a, b, c, d);
  }
  void mbarrierPhase(Mbarrier &a) override {
    for (auto &o : members)
      o->mbarrierPhase(a);
  }
  void mbarrierAcquire(Warp &a, const Inst &b, uint32_t c, Mbarrier &d, uint64_t e, MemoryOrder f) override {
    for (auto &o : members)
      o->mbarrierAcquire(a, b, c, d, e, f);
  }
  void mbarrierBlocked(Warp &a, const Inst &b, uint32_t c, Mbarrier &d) override {
    for (auto &o : members)
      o->mbarrierBlocked(a, b, c, d);
  }
  void asyncJoin(AsyncOp &a, Warp &b, const Inst &c, uint32_t d) override {
    for (auto &o : members)
      o->asyncJoin(a, b, c, d);
  }
  void copyIssued(Warp &a, const Inst &b, uint32_t c, const AsyncCopy &d) override {
    for (auto &o : members)
      o->copyIssued(a, b, c, d);
  }
  void sleeps(Warp &a, const Inst &b, uint32_t c, uint32_t d) override {
    for (auto &o : members)
      o->sleeps(a, b, c, d);
  }
  void copiesWaited(Warp &a, const Inst &b, uint32_t c, uint64_t d) override {
    for (auto &o : members)
      o->copiesWaited(a, b, c, d);
  }
  void asyncIssue(AsyncOp &a) override {
    for (auto &o : members)
      o->asyncIssue(a);
  }
  void asyncAccess(AsyncOp &a, Space b, uint64_t c, uint64_t d, AccessKind e) override {
    for (auto &o : members)
      o->asyncAccess(a, b, c, d, e);
  }
  void asyncReadsDone(AsyncOp &a) override {
    for (auto &o : members)
      o->asyncReadsDone(a);
  }
  void asyncDone(AsyncOp &a) override {
    for (auto &o : members)
      o->asyncDone(a);
  }
  void tensorFreed(Warp &a, const Inst &b, uint32_t c, uint32_t d, uint32_t e) override {
    for (auto &o : members)
      o->tensorFreed(a, b, c, d, e);
  }
  void asyncWaited(AsyncOp &a, Warp &b, const Inst &c, uint32_t d, bool e) override {
    for (auto &o : members)
      o->asyncWaited(a, b, c, d, e);
  }

private:
  std::vector<Observer *> members;
  std::vector<std::unique_ptr<Observer>> owned;
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_OBSERVERLIST_H
