//===- Async.cpp - Asynchronous operations ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Async/Async.h"

#include "tileiras/Emulator/Machine/Cta.h"

using namespace tileiras::emu;

const char *tileiras::emu::asyncUnitName(AsyncUnit unit) {
  switch (unit) {
  case AsyncUnit::CpAsync:
    return "cp.async";
  case AsyncUnit::Tma:
    return "TMA";
  case AsyncUnit::Wgmma:
    return "wgmma";
  case AsyncUnit::Tcgen05:
    return "tcgen05";
  case AsyncUnit::Other:
    break;
  }
  return "async";
}

//===----------------------------------------------------------------------===//
// AsyncOp
//===----------------------------------------------------------------------===//

AsyncOp::AsyncOp(AsyncUnit unit, Warp &warp, const Inst &inst, uint32_t lane)
    : unit(unit), warp(&warp), cta(warp.cta), inst(&inst), function(warp.frame->fn->ast), lane(lane),
      issueTime(warp.cta->cluster->clockTicks + warp.executed) {}

AsyncOp::~AsyncOp() = default;

void AsyncOp::report(ReportKind kind, std::string message, uint64_t address) {
  warp->reportAt(*function, kind, *inst, lane, std::move(message), address);
}

bool AsyncOp::global(uint64_t address, uint64_t bytes, bool write, Region &out) {
  Allocation *a = warp->launch->memory->find(address);
  if (!a || address + bytes - a->base > a->size) {
    report(ReportKind::OutOfBounds,
           std::string("asynchronous ") + (write ? "write" : "read") + " of " + std::to_string(bytes) +
               " bytes of global memory: " + warp->launch->memory->describe(address),
           address);
    return false;
  }
  if (write && a->readOnly) {
    report(ReportKind::ReadOnlyWrite,
           "asynchronous write to read-only memory: " + warp->launch->memory->describe(address), address);
    return false;
  }
  out = {a->data + (address - a->base), a->shadow ? a->shadow.get() + (address - a->base) : nullptr, 0, Space::Global};
  return true;
}

bool AsyncOp::shared(uint64_t address, uint64_t bytes, Region &out) {
  if (!warp->region(Space::Shared, address, address + bytes, true, out)) {
    report(ReportKind::OutOfBounds,
           "asynchronous access of " + std::to_string(bytes) + " bytes of shared memory at address " +
               std::to_string(address) + ": " + warp->describe(Space::Shared, address),
           address);
    return false;
  }
  return true;
}

void AsyncOp::observe(Space space, uint64_t address, uint64_t bytes, bool isWrite) {
  if (Observer *o = cta->cluster->observer)
    o->asyncAccess(*this, space, address, bytes, isWrite ? AccessKind::Write : AccessKind::Read);
}

bool AsyncOp::read(Space space, uint64_t address, void *to, uint64_t bytes) {
  Region r;
  if (!(space == Space::Shared ? shared(address, bytes, r) : global(address, bytes, false, r))) {
    std::memset(to, 0, bytes);
    return false;
  }
  observe(space, address, bytes, false);
  if (r.shadow && warp->checkInit)
    for (uint64_t b = 0; b != bytes; ++b)
      if (!r.shadow[b]) {
        report(ReportKind::Uninitialized,
               std::string("asynchronous read of ") + spaceName(space) +
                   " memory reaches a byte nobody has written: " + warp->describe(space, address + b),
               address + b);
        break;
      }
  std::memcpy(to, r.host, bytes);
  return true;
}

bool AsyncOp::write(Space space, uint64_t address, const void *from, uint64_t bytes) {
  Region r;
  if (!(space == Space::Shared ? shared(address, bytes, r) : global(address, bytes, true, r)))
    return false;
  writes = from;
  observe(space, address, bytes, true);
  writes = nullptr;
  std::memcpy(r.host, from, bytes);
  if (r.shadow)
    std::memset(r.shadow, 0xff, bytes);
  return true;
}

//===----------------------------------------------------------------------===//
// AsyncEngine
//===----------------------------------------------------------------------===//

void AsyncEngine::begin(Cluster &owner, AsyncTiming when, uint64_t seed, uint64_t stream) {
  cluster = &owner;
  timing = when;
  state = seed * 0x9e3779b97f4a7c15ull ^ (stream + 1) * 0xd1342543de82ef95ull ^ 0xa5a5;
  queues.clear();
  queueOf.clear();
  nextId = nextOwnQueue = 0;
}

uint64_t AsyncEngine::random() { // splitmix64
  uint64_t z = state += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

void AsyncEngine::submit(AsyncRef op, uint64_t queue) {
  op->id = nextId++;
  op->queue = queue;
  if (queue == 0)
    queue = uint64_t(1) << 63 | nextOwnQueue++;
  queueOf[op.get()] = queue;
  AsyncOp &ref = *op;
  queues[queue].push_back(std::move(op));
  if (cluster->observer)
    cluster->observer->asyncIssue(ref);
  if (timing == AsyncTiming::Early)
    finish(ref);
}

void AsyncEngine::stepOp(AsyncOp &op) {
  bool hadReads = op.readsDone;
  bool done = op.step();
  if (done)
    op.readsDone = true;
  if (cluster->observer && !hadReads && op.readsDone)
    cluster->observer->asyncReadsDone(op);
  if (done) {
    op.done = true;
    if (cluster->observer)
      cluster->observer->asyncDone(op);
  }
}

void AsyncEngine::stepFront(uint64_t key) {
  auto it = queues.find(key);
  AsyncRef op = it->second.front();
  stepOp(*op);
  if (!op->done)
    return;
  // A step may have submitted operations, but never to the front.
  it = queues.find(key);
  it->second.pop_front();
  queueOf.erase(op.get());
  if (it->second.empty())
    queues.erase(it);
}

void AsyncEngine::finish(AsyncOp &op) {
  while (!op.done) {
    auto it = queueOf.find(&op);
    if (it == queueOf.end())
      return; // being performed right now
    stepFront(it->second);
  }
}

void AsyncEngine::finishReads(AsyncOp &op) {
  while (!op.readsDone) {
    auto it = queueOf.find(&op);
    if (it == queueOf.end())
      return;
    stepFront(it->second);
  }
}

void AsyncEngine::wait(AsyncGroups &groups, uint64_t pending, bool readsOnly, Warp &warp, const Inst &inst,
                       uint32_t mask) {
  Observer *observer = cluster->observer;
  size_t count = groups.committed.size() > pending ? groups.committed.size() - size_t(pending) : 0;
  for (size_t g = 0; g != count; ++g)
    for (AsyncRef &op : groups.committed[g]) {
      if (readsOnly)
        finishReads(*op);
      else
        finish(*op);
      if (observer)
        observer->asyncWaited(*op, warp, inst, mask, readsOnly);
    }
  if (!readsOnly)
    groups.committed.erase(groups.committed.begin(), groups.committed.begin() + long(count));
}

void AsyncEngine::stepAny() {
  size_t n = random() % queues.size();
  auto it = queues.begin();
  std::advance(it, long(n));
  stepFront(it->first);
}

bool AsyncEngine::wantsStep() { return timing == AsyncTiming::Random && !queues.empty() && (random() & 3) == 0; }

std::vector<AsyncOp *> AsyncEngine::list() const {
  std::map<uint64_t, AsyncOp *> byId;
  for (auto &[key, queue] : queues)
    for (const AsyncRef &op : queue)
      byId[op->id] = op.get();
  std::vector<AsyncOp *> result;
  for (auto &[id, op] : byId)
    result.push_back(op);
  return result;
}
