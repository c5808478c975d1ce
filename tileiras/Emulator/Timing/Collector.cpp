//===- Collector.cpp - Writes traces for the timing model -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Async/Tma.h"
#include "tileiras/Emulator/Machine/Cta.h"
#include "tileiras/Emulator/Machine/TensorMemory/Tcgen05.h"
#include "tileiras/Emulator/Timing/Costs.h"
#include "tileiras/Emulator/Timing/Trace.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

using namespace tileiras::emu;
using namespace tileiras::emu::timing;

uint32_t tileiras::emu::timing::bankWavefronts(uint32_t mask, const uint64_t *address, unsigned bytes,
                                               unsigned together) {
  // 32 banks of 4 bytes. Wider accesses are cut into parts of the warp that move 128 bytes.
  const unsigned lanes = together ? together : bytes <= 4 ? 32 : std::max(1u, 128 / bytes);
  const unsigned words = std::max(1u, bytes / 4);
  uint32_t total = 0;
  for (unsigned first = 0; first < 32; first += lanes) {
    uint64_t seen[32 * 8];
    unsigned n = 0;
    for (unsigned l = first; l != first + lanes; ++l)
      if (mask >> l & 1)
        for (unsigned k = 0; k != words && n != 32 * 8; ++k)
          seen[n++] = address[l] / 4 + k;
    if (!n)
      continue;
    // Threads that want one word get it together.
    if (!std::is_sorted(seen, seen + n))
      std::sort(seen, seen + n);
    n = unsigned(std::unique(seen, seen + n) - seen);
    uint32_t perBank[32] = {}, worst = 1;
    for (unsigned i = 0; i != n; ++i)
      worst = std::max(worst, ++perBank[seen[i] % 32]);
    total += worst;
  }
  return std::max(total, 1u);
}

uint32_t tileiras::emu::timing::copyWavefronts(uint32_t mask, const uint64_t *address, unsigned bytes) {
  const unsigned lanes = std::max(1u, 128 / std::max(bytes, 4u));
  uint32_t total = 0;
  for (unsigned first = 0; first < 32; first += lanes) {
    const uint32_t group = mask >> first << first & (lanes + first >= 32 ? ~0u : (1u << (first + lanes)) - 1);
    if (!group)
      continue;
    uint64_t rows[32];
    unsigned n = 0;
    for (uint32_t rest = group; rest; rest &= rest - 1)
      rows[n++] = address[std::countr_zero(rest)] / 128;
    std::sort(rows, rows + n);
    total += std::max(bankWavefronts(group, address, bytes), uint32_t(std::unique(rows, rows + n) - rows));
  }
  return std::max(total, 1u);
}

namespace {

class Collector : public Observer {
public:
  Collector(TraceStore &store, bool linesOnly) : store(store), linesOnly(linesOnly) {}
  ~Collector() override { finish(false); }

  void clusterBegin(Cluster &c) override {
    finish(false);
    trace = std::make_unique<ClusterTrace>();
    operations.clear();
    done.clear();
    mbarriers.clear();
    copies.clear();
    openPhase.clear();
    maps.clear();
    touched = 0;
    trace->ctas = uint32_t(c.ctas.size());
    trace->warpsPerCta = c.ctas[0]->warpCount;
    trace->firstBlock = c.ctas[0]->linear;
    trace->warps.resize(size_t(trace->ctas) * trace->warpsPerCta);
    trace->barrierPhases.resize(size_t(trace->ctas) * 16);
    openPhase.assign(size_t(trace->ctas) * 16, 0);
    for (uint32_t i = 0; i != trace->warps.size(); ++i)
      trace->warps[i].cta = i / trace->warpsPerCta, trace->warps[i].warp = i % trace->warpsPerCta;
  }
  void clusterEnd(Cluster &) override { finish(true); }

  void blockEnter(Warp &w, uint32_t block, uint32_t) override {
    if (linesOnly)
      return;
    flush();
    WarpTrace &t = of(w);
    t.entries.push_back({block, uint32_t(t.events.size())});
  }

  void threadAccess(Warp &w, const Inst &i, Space space, uint32_t mask, const uint64_t *address, unsigned bytes,
                    AccessKind kind, MemoryOrder order) override {
    if (linesOnly) {
      if (space == Space::Global)
        for (uint32_t rest = mask; rest; rest &= rest - 1)
          touch(address[std::countr_zero(rest)], bytes, kind != AccessKind::Read);
      return;
    }
    // Instructions that tell lane by lane (ldmatrix, atomics) are one request.
    const bool joins = pending.inst == &i && pending.warp == &w && !(pending.mask & mask) && pending.space == space &&
                       pending.bytes == bytes && !pending.copy;
    if (!joins)
      flush();
    pending.inst = &i;
    pending.warp = &w;
    pending.space = space;
    pending.bytes = bytes;
    pending.kind = kind;
    pending.strong = order.strong;
    pending.mask |= mask;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
      pending.address[std::countr_zero(rest)] = address[std::countr_zero(rest)];
  }
  void copyIssued(Warp &w, const Inst &i, uint32_t lane, const AsyncCopy &c) override {
    if (linesOnly) {
      if (c.sourceBytes && c.sourceSpace == Space::Global)
        touch(c.source, c.sourceBytes, false);
      return;
    }
    if (!(pending.inst == &i && pending.warp == &w && pending.copy && !(pending.mask >> lane & 1))) {
      flush();
      pending.inst = &i;
      pending.warp = &w;
      pending.copy = true;
      pending.space = Space::Global;
      pending.bytes = c.bytes;
      pending.kind = AccessKind::Read;
    }
    pending.mask |= 1u << lane;
    pending.address[lane] = c.sourceBytes ? c.source : 0;
    pending.destination[lane] = c.destination;
    WarpCopies &mine = copies[&w];
    mine.lanes[lane].resize(size_t(c.number) + 1);
    mine.lanes[lane][size_t(c.number)] = mine.count + 1;
  }
  void copiesWaited(Warp &w, const Inst &i, uint32_t lane, uint64_t count) override {
    if (linesOnly)
      return;
    flush();
    WarpCopies &mine = copies[&w];
    uint32_t n = count && count <= mine.lanes[lane].size() ? mine.lanes[lane][size_t(count) - 1] : 0;
    WarpTrace &t = of(w);
    if (!t.events.empty() && t.events.back().kind == EventKind::CopiesWait && t.events.back().source == i.source &&
        !t.entries.empty() && t.entries.back().events < t.events.size())
      t.events.back().a = std::max(t.events.back().a, n);
    else
      add(w, i, EventKind::CopiesWait, n);
  }

  void fence(Warp &w, const Inst &i, uint32_t, FenceKind kind, MemoryOrder order, Space, uint64_t address) override {
    if (linesOnly)
      return;
    uint32_t what = order.scope;
    if (kind == FenceKind::TensormapAcquire) {
      auto [it, isNew] = maps.try_emplace(address, trace->maps);
      trace->maps += isNew;
      what |= it->second << 8;
    }
    add(w, i, EventKind::Fence, uint32_t(kind), what);
  }
  void sleeps(Warp &w, const Inst &i, uint32_t, uint32_t nanoseconds) override {
    if (!linesOnly)
      add(w, i, EventKind::Sleep, nanoseconds);
  }
  void barrierArrive(Warp &w, const Inst &i, uint32_t number, bool wait) override {
    if (linesOnly)
      return;
    uint32_t key = w.cta->rank * 16 + number, phase = openPhase[key];
    std::vector<uint32_t> &phases = trace->barrierPhases[key];
    phases.resize(std::max<size_t>(phases.size(), phase + 1));
    ++phases[phase];
    add(w, i, wait ? EventKind::BarrierWait : EventKind::BarrierArrive, key, phase);
  }
  void barrierRelease(Cta &cta, uint32_t number) override {
    if (!linesOnly)
      ++openPhase[cta.rank * 16 + number];
  }
  void clusterArrive(Warp &w, const Inst &i, uint32_t, bool) override {
    if (linesOnly)
      return;
    uint32_t phase = uint32_t(w.cta->cluster->clusterPhase);
    trace->clusterPhases.resize(std::max<size_t>(trace->clusterPhases.size(), phase + 1));
    ++trace->clusterPhases[phase];
    add(w, i, EventKind::ClusterArrive, 0, phase);
  }
  void clusterWait(Warp &w, const Inst &i, uint32_t, bool) override {
    if (!linesOnly)
      add(w, i, EventKind::ClusterWait, 0, uint32_t(w.cta->cluster->clusterPhase) - 1);
  }
  void mbarrierInit(Warp &, const Inst &, uint32_t, Mbarrier &b) override {
    if (linesOnly)
      return;
    mbarriers[b.address] = uint32_t(trace->phases.size());
    trace->phases.emplace_back();
  }
  void mbarrierArrive(Warp &w, const Inst &i, uint32_t, Mbarrier &b, uint32_t, int64_t, MemoryOrder) override {
    if (linesOnly)
      return;
    flush();
    WarpTrace &t = of(w);
    uint32_t barrier = numberOf(b), phase = uint32_t(b.phase);
    // The lanes of a warp arrive together.
    if (!t.events.empty() && t.events.back().kind == EventKind::MbarrierArrive && t.events.back().source == i.source &&
        t.events.back().a == barrier && t.events.back().b == phase && !t.entries.empty() &&
        t.entries.back().events < t.events.size())
      return;
    ++phaseOf(barrier, phase);
    add(w, i, EventKind::MbarrierArrive, barrier, phase);
  }
  void mbarrierAsyncArrive(AsyncOp &op, Mbarrier &b, uint32_t, int64_t) override {
    if (linesOnly)
      return;
    uint32_t barrier = numberOf(b), phase = uint32_t(b.phase);
    AsyncRecord &r = recordOf(op);
    for (auto &[other, p] : r.arrivals)
      if (other == barrier && p == phase)
        return;
    ++phaseOf(barrier, phase);
    r.arrivals.push_back({barrier, phase});
  }
  void mbarrierAcquire(Warp &w, const Inst &i, uint32_t, Mbarrier &b, uint64_t phase, MemoryOrder) override {
    if (!linesOnly && phase != ~uint64_t(0))
      add(w, i, EventKind::MbarrierWait, numberOf(b), uint32_t(phase));
  }

  void asyncJoin(AsyncOp &op, Warp &w, const Inst &i, uint32_t) override {
    if (linesOnly)
      return;
    auto it = operations.find(&op);
    if (it == operations.end() || done[it->second])
      create(op);
    add(w, i, EventKind::AsyncJoin, operations[&op]);
  }
  void asyncIssue(AsyncOp &op) override {
    if (linesOnly)
      return;
    if (op.unit == AsyncUnit::Wgmma && operations.count(&op) && !done[operations[&op]])
      return; // known since the first warp joined
    create(op);
    add(*op.warp, *op.inst, EventKind::AsyncIssue, operations[&op]);
  }
  void asyncAccess(AsyncOp &op, Space space, uint64_t address, uint64_t bytes, AccessKind kind) override {
    if (space != Space::Global || op.proxy == AsyncOp::Proxy::Tensormap)
      return;
    if (linesOnly) {
      touch(address, bytes, kind != AccessKind::Read);
      return;
    }
    AsyncRecord &r = recordOf(op);
    r.rowBytes = std::max(r.rowBytes, uint32_t(bytes));
    ++r.rows;
    if (kind == AccessKind::Read)
      r.reads = true;
    const uint64_t sectors = (address + bytes - 1) / 32 - address / 32 + 1;
    (kind == AccessKind::Read ? trace->readBytes : trace->writeBytes) += sectors * 32;
    touch(address, bytes, kind != AccessKind::Read);
  }
  void asyncDone(AsyncOp &op) override {
    if (!linesOnly)
      if (auto it = operations.find(&op); it != operations.end()) {
        done[it->second] = true;
        trace->operations[it->second].bytes = op.bytes; // of a tensor copy: known since it has read its map
      }
  }
  void asyncWaited(AsyncOp &op, Warp &w, const Inst &i, uint32_t, bool readsOnly) override {
    if (linesOnly)
      return;
    if (auto it = operations.find(&op); it != operations.end())
      add(w, i, EventKind::AsyncWait, it->second, readsOnly);
  }

private:
  struct WarpCopies {
    uint32_t count = 0; ///< instructions
    std::vector<uint32_t> lanes[32];
  };
  struct Pending {
    const Inst *inst = nullptr;
    Warp *warp = nullptr;
    Space space = Space::Global;
    AccessKind kind = AccessKind::Read;
    bool copy = false, strong = false;
    unsigned bytes = 0;
    uint32_t mask = 0;
    uint64_t address[32] = {}, destination[32] = {};
  };

  WarpTrace &of(Warp &w) { return trace->warps[size_t(w.cta->rank) * trace->warpsPerCta + w.index]; }
  void add(Warp &w, const Inst &i, EventKind kind, uint32_t a = 0, uint32_t b = 0) {
    flush();
    of(w).events.push_back({i.source, kind, a, b});
  }
  uint32_t numberOf(const Mbarrier &b) {
    auto [it, isNew] = mbarriers.try_emplace(b.address, uint32_t(trace->phases.size()));
    if (isNew)
      trace->phases.emplace_back();
    return it->second;
  }
  uint32_t &phaseOf(uint32_t barrier, uint32_t phase) {
    std::vector<uint32_t> &p = trace->phases[barrier];
    if (p.size() <= phase)
      p.resize(phase + 1);
    return p[phase];
  }
  AsyncRecord &recordOf(AsyncOp &op) {
    auto it = operations.find(&op);
    if (it == operations.end()) {
      create(op);
      it = operations.find(&op);
    }
    return trace->operations[it->second];
  }
  void create(AsyncOp &op) {
    operations[&op] = uint32_t(trace->operations.size());
    done.push_back(false);
    AsyncRecord r;
    r.source = op.inst->source;
    r.function = op.function->number;
    r.cta = op.cta->rank;
    r.warp = op.warp->index;
    r.bytes = op.bytes;
    const Instruction &inst = op.function->body[op.inst->source];
    switch (inst.row->op) {
    case Op::Wgmma:
      r.kind = AsyncKind::Wgmma;
      if (const auto *x = static_cast<const WgmmaAux *>(op.inst->aux)) {
        r.m = 64;
        r.n = x->n;
        r.bits = x->aBits();
        r.rowsOf32 = std::max(1u, x->k * r.bits / (x->sparse ? 2 : 1) / 256);
        r.aInShared = !x->aInRegisters;
        r.flops = 2.0 * 64 * x->n * x->k;
      }
      break;
    case Op::Tcgen05Mma:
      r.kind = AsyncKind::TensorMma;
      if (auto *mma = dynamic_cast<TensorMmaOp *>(&op)) {
        r.m = mma->shape.m;
        r.n = mma->shape.n;
        r.group = mma->aux.group;
        r.aInShared = !mma->aux.aInTensor;
        r.bits = tensorStorageBits(mma->aux.kind, mma->shape.a);
        r.rowsOf32 = 1;
        r.flops = 2.0 * mma->shape.m * mma->shape.n * mma->shape.k;
      }
      break;
    case Op::Tcgen05Ld:
    case Op::Tcgen05St:
      r.kind = AsyncKind::TensorMove;
      r.load = inst.row->op == Op::Tcgen05Ld;
      break;
    case Op::Tcgen05Commit:
      r.kind = AsyncKind::TensorCommit;
      break;
    case Op::Tcgen05Cp:
    case Op::Tcgen05Shift:
      r.kind = AsyncKind::TensorOther;
      break;
    case Op::LaunchTryCancel:
      r.kind = AsyncKind::Cancel;
      break;
    case Op::CpAsyncMbarrierArrive:
      r.kind = AsyncKind::CopiesArrive;
      r.covers = copies[op.warp].count;
      break;
    default:
      if (auto *tma = dynamic_cast<TmaOp *>(&op)) {
        if (auto it = maps.find(tma->request.map); it != maps.end())
          r.map = it->second;
        switch (tma->request.x->kind) {
        case TmaKind::BulkLoad:
        case TmaKind::TensorLoad:
          r.kind = AsyncKind::CopyIn;
          r.targets = tma->request.x->multicast ? std::max(1, std::popcount(tma->request.mask)) : 1;
          break;
        case TmaKind::BulkStore:
        case TmaKind::BulkReduceGlobal:
        case TmaKind::TensorStore:
        case TmaKind::TensorReduce:
          r.kind = AsyncKind::CopyOut;
          break;
        case TmaKind::BulkPrefetch:
        case TmaKind::TensorPrefetch:
          r.kind = AsyncKind::Prefetch;
          break;
        default:
          r.kind = AsyncKind::CopyPeer;
        }
      }
    }
    trace->operations.push_back(std::move(r));
  }
  void touch(uint64_t address, uint64_t bytes, bool write) {
    auto &list = write ? trace->writtenLines : trace->readLines;
    for (uint64_t line = address / 128; line <= (address + std::max<uint64_t>(bytes, 1) - 1) / 128; ++line)
      if (list.empty() || list.back() != line) {
        list.push_back(line);
        if (linesOnly && LineTouch::sampled(line))
          trace->touches.push_back({touched, line, write});
        ++touched;
      }
    if (list.size() > compactAt) {
      compact(trace->readLines);
      compact(trace->writtenLines);
      compactAt = 2 * std::max(trace->readLines.size(), trace->writtenLines.size()) + (1 << 16);
    }
  }
  static void compact(std::vector<uint64_t> &list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }

  /// The costs of the block that the warp is in, if the instruction is one of it.
  const BlockCosts *costsOf(Warp &w, const Inst &i) {
    const WarpTrace &t = of(w);
    if (!store.costs || t.entries.empty())
      return nullptr;
    const BlockCosts &block = store.costs->blocks[t.entries.back().block];
    return i.source >= block.begin && i.source < block.end ? &block : nullptr;
  }
  unsigned sharedWidth(Warp &w, const Inst &i) {
    const BlockCosts *block = costsOf(w, i);
    return block && !block->sharedWidth.empty() ? block->sharedWidth[i.source - block->begin] : 1;
  }
  /// Lanes whose banks are looked at together, where that is not what asks for 128 bytes. What goes back to the
  /// registers is packed where the lanes of each pair (n and n ^ 1, or n and n ^ 2) want the same words.
  unsigned together(Warp &w, const Inst &i, unsigned bytes) {
    const BlockCosts *block = costsOf(w, i);
    const bool matrix =
        block && store.costs->program.functions[block->function].ast->body[i.source].row->op == Op::Ldmatrix;
    if (matrix)
      return unsigned(store.costs->machine.ldmatrix_rows);
    if (bytes < 8 || pending.kind != AccessKind::Read)
      return 0;
    for (unsigned other : {1u, 2u}) {
      bool alike = true;
      for (uint32_t rest = pending.mask; rest && alike; rest &= rest - 1) {
        const unsigned lane = unsigned(std::countr_zero(rest));
        alike = pending.mask >> (lane ^ other) & 1 && pending.address[lane] == pending.address[lane ^ other];
      }
      if (alike)
        return std::min(32u, 256 / bytes);
    }
    return 0;
  }
  void flush() {
    if (!pending.inst)
      return;
    Pending &p = pending;
    Access a;
    a.lanes = uint16_t(std::popcount(p.mask));
    a.bytes = a.lanes * p.bytes;
    a.write = p.kind == AccessKind::Write;
    a.atomic = p.kind == AccessKind::Atomic;
    a.copy = p.copy;
    a.bypassL1 = p.strong || a.atomic;
    if (p.space == Space::Shared) {
      a.shared = true;
      const uint64_t own = uint64_t(p.warp->cta->rank);
      for (uint32_t rest = p.mask; rest; rest &= rest - 1)
        a.remote |= (p.address[std::countr_zero(rest)] >> 24) != own;
      const unsigned width =
          p.kind == AccessKind::Read && p.bytes == 4 && !a.remote ? sharedWidth(*p.warp, *p.inst) : 1;
      if (width > 1)
        for (uint32_t rest = p.mask; rest; rest &= rest - 1)
          p.address[std::countr_zero(rest)] &= ~uint64_t(4 * width - 1);
      const unsigned bytes = p.bytes * width;
      a.wavefronts = float(bankWavefronts(p.mask, p.address, bytes, together(*p.warp, *p.inst, bytes))) / float(width);
    } else {
      if (p.copy)
        a.bankWaves = copyWavefronts(p.mask, p.destination, p.bytes);
      // Sectors and lines.
      uint64_t sector[64];
      unsigned n = 0;
      for (uint32_t rest = p.mask; rest; rest &= rest - 1) {
        const uint64_t at = p.address[std::countr_zero(rest)];
        if (p.copy && !at)
          continue; // zero fill
        for (uint64_t s = at / 32; s <= (at + p.bytes - 1) / 32 && n != 64; ++s)
          if (!n || sector[n - 1] != s)
            sector[n++] = s;
      }
      if (!std::is_sorted(sector, sector + n))
        std::sort(sector, sector + n);
      n = unsigned(std::unique(sector, sector + n) - sector);
      a.sectors = n;
      a.linesBegin = uint32_t(trace->lines.size());
      for (unsigned k = 0; k != n; ++k) {
        if (trace->lines.size() == a.linesBegin || trace->lines.back().line != sector[k] / 4) {
          trace->lines.push_back({sector[k] / 4, 0});
          touch(sector[k] * 32, 32, a.write || a.atomic);
        }
        trace->lines.back().sectors |= uint8_t(1 << sector[k] % 4);
      }
      a.linesEnd = uint32_t(trace->lines.size());
      (a.write || a.atomic ? trace->writeBytes : trace->readBytes) += n * 32;
    }
    if (p.copy)
      ++copies[p.warp].count;
    of(*p.warp).events.push_back({p.inst->source, EventKind::Access, uint32_t(trace->accesses.size()), 0});
    trace->accesses.push_back(a);
    p.inst = nullptr;
    p.mask = 0;
    p.copy = false;
  }

  void finish(bool complete) {
    if (!trace)
      return;
    flush();
    compact(trace->readLines);
    compact(trace->writtenLines);
    trace->complete = complete;
    uint64_t h = 1469598103934665603ull;
    auto mix = [&](uint64_t v) { h = (h ^ v) * 1099511628211ull; };
    for (const WarpTrace &w : trace->warps)
      for (const BlockEntry &e : w.entries)
        mix(e.block);
    uint64_t waves = 0, sectors = 0;
    for (const Access &a : trace->accesses)
      waves += uint64_t(4 * a.wavefronts), sectors += a.sectors;
    mix(waves);
    mix(sectors);
    mix(trace->operations.size());
    trace->signature = h;
    store.add(std::move(trace));
    trace = nullptr;
  }

  TraceStore &store;
  const bool linesOnly;
  std::unique_ptr<ClusterTrace> trace;
  Pending pending;
  std::unordered_map<const AsyncOp *, uint32_t> operations;
  std::vector<bool> done;
  std::unordered_map<uint64_t, uint32_t> mbarriers;
  std::unordered_map<uint64_t, uint32_t> maps; ///< tensor maps that the cluster has acquired, by address
  std::unordered_map<const Warp *, WarpCopies> copies;
  std::vector<uint32_t> openPhase;
  size_t compactAt = 1 << 18;
  uint64_t touched = 0; ///< lines, by the cluster
};

} // namespace

std::function<std::unique_ptr<Observer>()> TraceStore::factory(bool linesOnly) {
  return [this, linesOnly] { return std::make_unique<Collector>(*this, linesOnly); };
}

void TraceStore::add(std::unique_ptr<ClusterTrace> trace) {
  std::lock_guard<std::mutex> lock(mutex);
  traces.push_back(std::move(trace));
}
