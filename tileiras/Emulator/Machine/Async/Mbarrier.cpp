//===- Mbarrier.cpp - mbarrier objects in shared memory ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Async/Mbarrier.h"

#include "tileiras/Emulator/Machine/Cta.h"

using namespace tileiras::emu;

static void complain(const MbarrierActor &who, std::string message, uint64_t address,
                     ReportKind kind = ReportKind::Mbarrier) {
  if (who.op)
    who.op->report(kind, std::move(message), address);
  else
    who.warp->report(kind, *who.inst, who.lane, std::move(message), address);
}

static std::string hex(uint64_t v) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(v));
  return buffer;
}

std::string tileiras::emu::mbarrierText(const Mbarrier &b) {
  std::string text = "mbarrier at shared address " + hex(b.address) + " (phase " + std::to_string(b.phase) + ", " +
                     std::to_string(b.pending) + " of " + std::to_string(b.expected) + " arrivals pending";
  if (b.tx)
    text += ", " + std::to_string(b.tx) + " bytes pending";
  return text + ")";
}

/// Host memory of the 8 bytes, or null after a report.
static Region *bytesAt(const MbarrierActor &who, uint64_t address, Region &r) {
  if (address & 7) {
    complain(who, "mbarrier address " + hex(address) + " is not a multiple of 8", address, ReportKind::Misaligned);
    return nullptr;
  }
  if (!who.warp->region(Space::Shared, address, address + 8, true, r)) {
    complain(who, "mbarrier address " + hex(address) + ": " + who.warp->describe(Space::Shared, address), address,
             ReportKind::OutOfBounds);
    return nullptr;
  }
  return &r;
}

static void store(const Region &r, uint64_t word) {
  std::memcpy(r.host, &word, 8);
  if (r.shadow)
    std::memset(r.shadow, 0xff, 8);
}

static Cta *ownerOf(const MbarrierActor &who, uint64_t address) {
  return who.warp->cta->cluster->ctas[address >> 24].get();
}

bool tileiras::emu::mbarrierInit(const MbarrierActor &who, uint64_t address, uint64_t count) {
  Region r;
  if (!bytesAt(who, address, r))
    return false;
  if (count == 0 || int64_t(count) > MbarrierMaxCount) {
    complain(who, "mbarrier.init with count " + std::to_string(count) + "; it must be 1 to 1048575", address);
    return false;
  }
  Cta *cta = ownerOf(who, address);
  auto it = cta->mbarriers.find(uint32_t(address & 0xffffff));
  if (it != cta->mbarriers.end()) {
    uint64_t word;
    std::memcpy(&word, r.host, 8);
    if (word == it->second.word()) {
      complain(who, mbarrierText(it->second) + " is initialised again without mbarrier.inval", address);
      return false;
    }
    cta->mbarriers.erase(it); // the memory was put to another use
  }
  Mbarrier b;
  b.cta = cta;
  b.address = address;
  b.expected = b.pending = uint32_t(count);
  b.init = who.inst;
  b.initFunction = who.warp->frame->fn->ast;
  store(r, b.word());
  Mbarrier &made = cta->mbarriers[uint32_t(address & 0xffffff)] = b;
  if (Observer *o = cta->cluster->observer)
    o->mbarrierInit(*who.warp, *who.inst, who.lane, made);
  return true;
}

Mbarrier *tileiras::emu::mbarrierAt(const MbarrierActor &who, uint64_t address) {
  Region r;
  if (!bytesAt(who, address, r))
    return nullptr;
  Cta *cta = ownerOf(who, address);
  auto it = cta->mbarriers.find(uint32_t(address & 0xffffff));
  if (it == cta->mbarriers.end()) {
    complain(who,
             "there is no mbarrier object at shared address " + hex(address) +
                 ": it was never initialised, or invalidated",
             address);
    return nullptr;
  }
  uint64_t word;
  std::memcpy(&word, r.host, 8);
  if (word != it->second.word()) {
    complain(who, mbarrierText(it->second) + " was overwritten by an ordinary write", address);
    store(r, it->second.word()); // one report is enough
  }
  return &it->second;
}

bool tileiras::emu::mbarrierInval(const MbarrierActor &who, uint64_t address) {
  Mbarrier *b = mbarrierAt(who, address);
  if (!b)
    return false;
  for (auto &cta : b->cta->cluster->ctas)
    for (uint32_t i = 0; i != cta->warpCount; ++i)
      if (cta->warps[i]->waitsFor(address)) {
        complain(who, mbarrierText(*b) + " is invalidated while warp " + std::to_string(i) + " waits for it", address);
        break;
      }
  if (b->tx)
    complain(who, mbarrierText(*b) + " is invalidated while bytes are pending", address);
  Cta *cta = b->cta;
  if (Observer *o = cta->cluster->observer)
    o->mbarrierInval(*who.warp, *who.inst, who.lane, *b);
  Region r;
  if (bytesAt(who, address, r)) {
    std::memset(r.host, 0xcd, 8);
    if (r.shadow)
      std::memset(r.shadow, 0, 8);
  }
  cta->mbarriers.erase(uint32_t(address & 0xffffff));
  return true;
}

bool tileiras::emu::mbarrierArrive(const MbarrierActor &who, uint64_t address, uint64_t count, int64_t tx, bool drop,
                                   bool noComplete, uint64_t *token) {
  Mbarrier *b = mbarrierAt(who, address);
  if (!b)
    return false;
  if (token)
    *token = b->word();
  if (count > b->pending) {
    complain(who, std::to_string(count) + " more arrivals at " + mbarrierText(*b) + " than its phase expects", address);
    return false;
  }
  if (b->tx + tx > MbarrierMaxTx || b->tx + tx < -MbarrierMaxTx) {
    complain(who,
             "the tx-count of " + mbarrierText(*b) + " leaves the range -1048575 to 1048575 with " + std::to_string(tx),
             address);
    return false;
  }
  Observer *o = b->cta->cluster->observer;
  if (o) {
    if (who.op)
      o->mbarrierAsyncArrive(*who.op, *b, uint32_t(count), tx);
    else
      o->mbarrierArrive(*who.warp, *who.inst, who.lane, *b, uint32_t(count), tx, who.order);
  }
  if (count || who.op) {
    MbarrierArrival *known = nullptr;
    for (MbarrierArrival &a : b->arrivals)
      if (a.warp == who.warp && a.inst == who.inst)
        known = &a;
    if (!known) {
      const Function &f = who.op ? *who.op->function : *who.warp->frame->fn->ast;
      b->arrivals.push_back({who.warp, who.inst, f.body[who.inst->source].loc.line, who.op != nullptr, 0});
      known = &b->arrivals.back();
    }
    known->phase = b->phase;
  }
  b->tx += tx;
  b->pending -= uint32_t(count);
  if (drop)
    b->expected -= uint32_t(count);
  bool complete = b->pending == 0 && b->tx == 0;
  if (complete && noComplete) {
    complain(who, "an arrival with .noComplete completes the phase of " + mbarrierText(*b), address);
    return false;
  }
  if (complete) {
    if (o)
      o->mbarrierPhase(*b);
    ++b->phase;
    b->pending = b->expected;
  }
  Region r;
  if (bytesAt(who, address, r))
    store(r, b->word());
  if (complete)
    b->cta->cluster->wake(address);
  return true;
}

bool tileiras::emu::mbarrierIncrement(const MbarrierActor &who, uint64_t address) {
  Mbarrier *b = mbarrierAt(who, address);
  if (!b)
    return false;
  if (b->pending == MbarrierMaxCount) {
    complain(who, "the pending count of " + mbarrierText(*b) + " overflows", address);
    return false;
  }
  ++b->pending;
  Region r;
  if (bytesAt(who, address, r))
    store(r, b->word());
  return true;
}
