//===- ExecTma.cpp - Bulk and tensor copies, tensor maps --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, Data Movement and Conversion Instructions: cp.async.bulk*, cp.reduce.async.bulk*, tensormap.*, st.async,
// red.async. Each thread that executes a copy issues one of its own.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Async/Tma.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Exec/LaneAddress.h"

#include <algorithm>
#include <bit>

using namespace tileiras::emu;

namespace {

/// The hardware would trap.
void stopBlock(Warp &w) {
  w.cta->failed = true;
  w.stop = true;
}

std::string hex(uint64_t v) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(v));
  return buffer;
}

/// Reads the operands of one lane. False after a report.
class Issue {
public:
  Issue(Warp &w, const Inst &i, uint32_t lane) : w(w), i(i), lane(lane), x(*static_cast<const TmaAux *>(i.aux)) {}

  bool gather(TmaRequest &q) {
    q.x = &x;
    bool toShared = x.kind == TmaKind::BulkLoad || x.kind == TmaKind::BulkRemote ||
                    x.kind == TmaKind::BulkReduceShared || x.kind == TmaKind::TensorLoad;
    bool fromShared = x.kind == TmaKind::BulkRemote || x.kind == TmaKind::BulkReduceShared ||
                      x.kind == TmaKind::BulkStore || x.kind == TmaKind::BulkReduceGlobal ||
                      x.kind == TmaKind::TensorStore || x.kind == TmaKind::TensorReduce;
    uint64_t alignment = x.isTensor() ? 128 : 16;
    if (toShared) {
      if (!shared(x.dst, q.dst) || !aligned(q.dst, alignment, "destination"))
        return false;
    } else if (!x.isTensor() && x.kind != TmaKind::BulkPrefetch) {
      q.dst = laneAddress(w, x.dst.aux, x.dst.row, x.dst.offset, lane);
      if (!aligned(q.dst, alignment, "destination"))
        return false;
    }
    if (fromShared) {
      if (!shared(x.src, q.src) || !aligned(q.src, alignment, "source"))
        return false;
      if (q.src >> 24 != w.cta->rank)
        return complain("the source must lie in the block's own shared memory", q.src);
    } else if (!x.isTensor()) {
      q.src = laneAddress(w, x.src.aux, x.src.row, x.src.offset, lane);
      if (!aligned(q.src, alignment, "source"))
        return false;
    }
    if (x.isTensor()) {
      q.map = laneAddress(w, x.map.aux, x.map.row, x.map.offset, lane);
      q.mapSpace = x.map.aux.space;
      for (unsigned k = 0; k != x.coordCount; ++k)
        q.coords[k] = w.row<int32_t>(x.coords[k])[lane];
      for (unsigned k = 0; k != x.infoCount; ++k)
        q.info[k] = w.row<uint16_t>(x.info[k])[lane];
    } else {
      q.size = w.row<uint32_t>(x.size)[lane];
      if (q.size % 16) {
        w.report(ReportKind::Misaligned, i, lane,
                 "the size of a bulk copy must be a multiple of 16, not " + std::to_string(q.size));
        return false;
      }
    }
    if (x.multicast || x.byteMask)
      q.mask = w.row<uint16_t>(x.mask)[lane];
    return !x.hasBarrier() || barrier(q);
  }

private:
  bool complain(std::string message, uint64_t address) {
    w.report(ReportKind::InvalidOperation, i, lane, std::move(message), address);
    return false;
  }
  bool shared(const TmaAddress &a, uint64_t &address) {
    return laneSharedAddress(w, i, a.aux, a.row, a.offset, lane, address);
  }
  bool aligned(uint64_t address, uint64_t alignment, const char *what) {
    if (address % alignment == 0)
      return true;
    w.report(ReportKind::Misaligned, i, lane,
             std::string("the ") + what + " address " + hex(address) + " is not a multiple of " +
                 std::to_string(alignment),
             address);
    return false;
  }
  /// Checks where the mbarrier is.
  bool barrier(TmaRequest &q) {
    if (!shared(x.bar, q.bar))
      return false;
    uint32_t to = uint32_t(q.dst >> 24), at = uint32_t(q.bar >> 24), blocks = uint32_t(w.cta->cluster->ctas.size());
    if (to >= blocks || at >= blocks)
      return complain("the cluster has only " + std::to_string(blocks) + " blocks", to >= blocks ? q.dst : q.bar);
    if (x.ownCta && (to != w.cta->rank || at != w.cta->rank))
      return complain("destination and mbarrier of a copy to .shared::cta must lie in the block's own shared memory",
                      to != w.cta->rank ? q.dst : q.bar);
    if (x.multicast) {
      if (blocks < 16 && q.mask >> blocks)
        return complain("the mask " + hex(q.mask) + " names blocks that a cluster of " + std::to_string(blocks) +
                            " does not have",
                        q.bar);
      return true;
    }
    if (x.pair ? (at ^ to) > 1 : at != to)
      return complain(x.pair ? "the mbarrier must lie in the block of the destination or the other one of its pair"
                             : "the mbarrier must lie in the same block as the destination",
                      q.bar);
    // PTX ISA, cp.async.bulk: "the destination has to be in the shared memory of a different CTA".
    if (x.kind == TmaKind::BulkRemote && to == w.cta->rank && blocks > 1)
      return complain("a copy from .shared::cta to .shared::cluster must go to another block", q.dst);
    return true;
  }

  Warp &w;
  const Inst &i;
  uint32_t lane;
  const TmaAux &x;
};

/// st.async and red.async: generic proxy, weak or relaxed.
class StoreAsync : public AsyncOp {
public:
  StoreAsync(Warp &w, const Inst &i, uint32_t lane) : AsyncOp(AsyncUnit::Other, w, i, lane) {
    readsDone = true;
    proxy = Proxy::Generic;
  }
  uint64_t address = 0, bar = 0;
  uint8_t values[32];
  bool isReduction = false;
  ReduceOp reduce = ReduceOp::Add;
  Type type = Type::None;

  bool step() override {
    if (!isReduction) {
      write(Space::Shared, address, values, bytes);
    } else {
      Region r;
      if (shared(address, bytes, r)) {
        if (Observer *o = cta->cluster->observer)
          o->asyncAccess(*this, Space::Shared, address, bytes, AccessKind::Atomic);
        if (r.shadow && warp->checkInit && std::count(r.shadow, r.shadow + bytes, 0))
          report(ReportKind::Uninitialized,
                 "reduction onto a byte of shared memory that nobody has written: " +
                     warp->describe(Space::Shared, address),
                 address);
        atomicReduce(reduce, type, r.host, values, bytes, false);
        if (r.shadow)
          std::memset(r.shadow, 0xff, bytes);
      }
    }
    if (!mbarrierArrive({warp, inst, lane, this, {true, false, true, 2}}, bar, 0, -int64_t(bytes)))
      cta->failed = true;
    return true;
  }
};

} // namespace

namespace tileiras::emu::handlers {

void tmaCopy(Warp &w, const Inst &i, uint32_t m) {
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    uint32_t l = uint32_t(std::countr_zero(rest));
    TmaRequest q;
    if (!Issue(w, i, l).gather(q))
      return stopBlock(w);
    auto op = std::make_shared<TmaOp>(w, i, l, q);
    AsyncGroups &groups = w.bulkGroups[l];
    bool isPrefetch = q.x->kind == TmaKind::BulkPrefetch || q.x->kind == TmaKind::TensorPrefetch;
    if (!q.x->hasBarrier() ? !isPrefetch : op->groupOfReads()) {
      // Loads that nobody ever commits must not pile up.
      if (groups.open.size() >= 64)
        std::erase_if(groups.open,
                      [](const AsyncRef &o) { return o->readsDone && static_cast<TmaOp &>(*o).groupOfReads(); });
      groups.add(op);
    }
    w.cta->cluster->async.submit(std::move(op));
    if (w.cta->failed) {
      w.stop = true;
      return;
    }
  }
}

void bulkCommit(Warp &w, const Inst &, uint32_t m) {
  for (uint32_t rest = m; rest; rest &= rest - 1)
    w.bulkGroups[std::countr_zero(rest)].commit();
}

/// imm groups may stay; flags: 1 .read
void bulkWait(Warp &w, const Inst &i, uint32_t m) {
  AsyncEngine &engine = w.cta->cluster->async;
  Observer *observer = w.cta->cluster->observer;
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    uint32_t l = uint32_t(std::countr_zero(rest));
    AsyncGroups &groups = w.bulkGroups[l];
    size_t count = groups.committed.size() > i.imm ? groups.committed.size() - size_t(i.imm) : 0;
    for (size_t g = 0; g != count; ++g)
      for (AsyncRef &op : groups.committed[g]) {
        bool readsOnly = (i.flags & 1) || static_cast<TmaOp &>(*op).groupOfReads();
        if (readsOnly)
          engine.finishReads(*op);
        else
          engine.finish(*op);
        if (observer)
          observer->asyncWaited(*op, w, i, 1u << l, readsOnly);
      }
    // After wait_group.read the writes can still be waited for.
    if (!(i.flags & 1))
      groups.committed.erase(groups.committed.begin(), groups.committed.begin() + long(count));
  }
  if (w.cta->failed)
    w.stop = true;
}

/// Space and address of a tensor map that is changed, and its bytes; false after a report.
static bool tensormapBytes(Warp &w, const Inst &i, const TmaAddress &a, uint32_t lane, bool write, Space &space,
                           uint64_t &address, Region &r) {
  address = laneAddress(w, a.aux, a.row, a.offset, lane);
  space = a.aux.space;
  if (address % 64) {
    w.report(ReportKind::Misaligned, i, lane, "the address of a tensor map must be a multiple of 64", address);
    return false;
  }
  if (space == Space::Generic) {
    space = Space::Global;
    if (address - SharedWindow < WindowSize) {
      space = Space::Shared;
      address -= SharedWindow;
    }
  }
  bool own = space != Space::Shared || address >> 24 == w.cta->rank;
  if ((space != Space::Global && space != Space::Shared) || !own ||
      !w.region(space, address, address + TensormapBytes, write, r)) {
    w.report(ReportKind::OutOfBounds, i, lane,
             "a tensor map can only be changed in global memory or the block's own shared memory: " +
                 w.describe(space, address),
             address);
    return false;
  }
  return true;
}

/// flags: 1 value in b, else imm. e: TensormapField | ordinal << 8.
void tensormapReplace(Warp &w, const Inst &i, uint32_t m) {
  const TmaAux &x = *static_cast<const TmaAux *>(i.aux);
  TensormapField field = TensormapField(i.e & 0xff);
  bool wide = field == TensormapField::GlobalAddress || field == TensormapField::GlobalStride;
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    uint32_t l = uint32_t(std::countr_zero(rest));
    Space space;
    uint64_t address;
    Region r;
    if (!tensormapBytes(w, i, x.dst, l, true, space, address, r))
      return stopBlock(w);
    if (Observer *o = w.cta->cluster->observer) {
      uint64_t addresses[32];
      std::fill(addresses, addresses + 32, address);
      o->threadAccess(w, i, space, 1u << l, addresses, TensormapBytes, AccessKind::Write, {});
    }
    if (r.shadow && w.checkInit && std::count(r.shadow, r.shadow + TensormapBytes, 0))
      w.report(ReportKind::Uninitialized, i, l, "tensormap.replace on 128 bytes that are not all written", address);
    uint64_t value = wide ? w.row<uint64_t>(i.b)[l] : w.row<uint32_t>(i.b)[l];
    std::string error = replaceTensormapField(r.host, field, i.e >> 8, value);
    if (!error.empty()) {
      w.report(ReportKind::Descriptor, i, l, std::move(error), address);
      return stopBlock(w);
    }
    if (r.shadow)
      std::memset(r.shadow, 0xff, TensormapBytes);
  }
}

/// tensormap.cp_fenceproxy: dst, src; imm: scope. The warp copies once.
void tensormapCopyFence(Warp &w, const Inst &i, uint32_t m) {
  const TmaAux &x = *static_cast<const TmaAux *>(i.aux);
  uint32_t first = uint32_t(std::countr_zero(m));
  if (m != w.live) {
    w.report(ReportKind::WarpSync, i, first,
             "tensormap.cp_fenceproxy.sync.aligned is not executed by all threads of the warp");
    return;
  }
  uint64_t to = laneAddress(w, x.dst.aux, x.dst.row, x.dst.offset, first);
  uint64_t from = laneAddress(w, x.src.aux, x.src.row, x.src.offset, first);
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    uint32_t l = uint32_t(std::countr_zero(rest));
    if (laneAddress(w, x.dst.aux, x.dst.row, x.dst.offset, l) != to ||
        laneAddress(w, x.src.aux, x.src.row, x.src.offset, l) != from) {
      w.report(ReportKind::WarpSync, i, l,
               "the threads of the warp give different addresses to tensormap.cp_fenceproxy", to);
      return stopBlock(w);
    }
  }
  for (uint64_t address : {to, from})
    if (address % 128) {
      w.report(ReportKind::Misaligned, i, first, "tensormap.cp_fenceproxy needs addresses that are multiples of 128",
               address);
      return stopBlock(w);
    }
  Region target, source;
  if (!w.region(Space::Global, to, to + TensormapBytes, true, target) ||
      !w.region(Space::Shared, from, from + TensormapBytes, false, source) || from >> 24 != w.cta->rank) {
    w.report(ReportKind::OutOfBounds, i, first,
             "tensormap.cp_fenceproxy copies 128 bytes of the block's own shared memory to global memory: " +
                 w.describe(Space::Global, to),
             to);
    return stopBlock(w);
  }
  if (source.shadow && w.checkInit && std::count(source.shadow, source.shadow + TensormapBytes, 0))
    w.report(ReportKind::Uninitialized, i, first, "tensormap.cp_fenceproxy copies bytes nobody has written", from);
  std::memcpy(target.host, source.host, TensormapBytes);
  if (w.memoryStats) {
    const uint32_t none[32] = {};
    w.countAccess(Space::Global, 1, to, none, TensormapBytes, /*write=*/true, /*contiguous=*/false);
  }
  if (target.shadow)
    std::memset(target.shadow, 0xff, TensormapBytes);
  if (Observer *o = w.cta->cluster->observer) {
    uint64_t addresses[32];
    std::fill(addresses, addresses + 32, from);
    o->threadAccess(w, i, Space::Shared, 1u << first, addresses, TensormapBytes, AccessKind::Read, {});
    std::fill(addresses, addresses + 32, to);
    o->threadAccess(w, i, Space::Global, 1u << first, addresses, TensormapBytes, AccessKind::Write, {});
    o->warpSync(w, i, m); // .sync
    o->fence(w, i, m, FenceKind::TensormapRelease, {true, false, true, uint8_t(i.imm)}, Space::Generic, to);
  }
}

/// st.async, red.async. flags: 1 reduction; count: bytes of an element; imm: ReduceOp | Type << 8. Value rows in
/// dst.aux.rows, dst.aux.count of them.
void storeAsync(Warp &w, const Inst &i, uint32_t m) {
  const TmaAux &x = *static_cast<const TmaAux *>(i.aux);
  const MemAux &a = x.dst.aux;
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    uint32_t l = uint32_t(std::countr_zero(rest));
    auto op = std::make_shared<StoreAsync>(w, i, l);
    if (!laneSharedAddress(w, i, a, x.dst.row, x.dst.offset, l, op->address) ||
        !laneSharedAddress(w, i, x.bar.aux, x.bar.row, x.bar.offset, l, op->bar))
      return stopBlock(w);
    op->bytes = uint64_t(i.count) * a.count;
    if (op->address % op->bytes) {
      w.report(ReportKind::Misaligned, i, l,
               "the address " + hex(op->address) + " is not a multiple of " + std::to_string(op->bytes), op->address);
      return stopBlock(w);
    }
    if (op->address >> 24 != op->bar >> 24) {
      w.report(ReportKind::InvalidOperation, i, l, "the mbarrier must lie in the same block as the destination",
               op->bar);
      return stopBlock(w);
    }
    for (unsigned k = 0; k != a.count; ++k) {
      uint64_t v = i.count == 4 ? w.row<uint32_t>(a.rows[k])[l] : w.row<uint64_t>(a.rows[k])[l];
      std::memcpy(op->values + k * i.count, &v, i.count);
    }
    op->isReduction = i.flags & 1;
    op->reduce = x.reduce;
    op->type = x.type;
    w.cta->cluster->async.submit(std::move(op));
    if (w.cta->failed) {
      w.stop = true;
      return;
    }
  }
}

} // namespace tileiras::emu::handlers
