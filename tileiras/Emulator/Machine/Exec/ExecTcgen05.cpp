//===- ExecTcgen05.cpp - Tensor memory instructions -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, "TensorCore 5th Generation Family Instructions": what happens when a warp or a thread executes one. The work
// of the asynchronous ones is done by the operations of Tcgen05.h.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Exec/LaneAddress.h"
#include "tileiras/Emulator/Machine/Matrix/WarpMatrix.h"
#include "tileiras/Emulator/Machine/TensorMemory/Tcgen05.h"

#include <algorithm>
#include <bit>
#include <cstdio>

using namespace tileiras::emu;

namespace {

/// The value all lanes of `m` have.
uint32_t uniform(Warp &w, const Inst &i, uint32_t m, Row row, const char *what) {
  const uint32_t *v = w.row<uint32_t>(row);
  uint32_t first = uint32_t(std::countr_zero(m));
  for (uint32_t rest = m & (m - 1); rest; rest &= rest - 1)
    if (v[std::countr_zero(rest)] != v[first]) {
      w.report(ReportKind::TensorMemory, i, uint32_t(std::countr_zero(rest)),
               std::string("the threads of a warp give different ") + what);
      break;
    }
  return v[first];
}

std::string hex(uint32_t v) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "0x%08x", v);
  return buffer;
}

/// The block's cta_group is `group` from now on; false after a report.
bool sameGroup(Warp &w, const Inst &i, uint32_t lane, uint8_t group) {
  Cta &cta = *w.cta;
  TensorMemory &memory = cta.tensorMemory();
  if (group == 2 && cta.cluster->ctas.size() < (cta.rank | 1u) + 1) {
    w.fatal(ReportKind::InvalidOperation, i, lane,
            ".cta_group::2 needs pairs of blocks: a cluster with an even number of them, not " +
                std::to_string(cta.cluster->ctas.size()));
    return false;
  }
  if (memory.group && memory.group != group) {
    w.report(ReportKind::InvalidOperation, i, lane,
             "tcgen05 instructions of one kernel must all have the same .cta_group; this one has " +
                 std::to_string(group) + ", others have " + std::to_string(memory.group));
    return false;
  }
  memory.group = group;
  return true;
}

Cta *peerOf(Cta &cta, uint8_t group) { return group == 2 ? cta.cluster->ctas[cta.rank ^ 1].get() : nullptr; }
uint64_t tensorKey(const Cta &cta) { return TensorKey | cta.rank; }

void wakeAll(Cta &cta, Cta *peer) {
  cta.cluster->wake(tensorKey(cta));
  if (peer)
    cta.cluster->wake(tensorKey(*peer));
}

Op opOf(const AsyncOp &op) { return op.function->body[op.inst->source].row->op; }

/// A pair operation must be issued by the even block.
bool leads(Warp &w, const Inst &i, uint32_t lane, uint8_t group) {
  if (group == 1 || !(w.cta->rank & 1))
    return true;
  w.report(ReportKind::InvalidOperation, i, lane,
           "with .cta_group::2, a thread of the even block of the pair issues this instruction; this block has rank " +
               std::to_string(w.cta->rank));
  return false;
}

/// Do arrivals of a commit at the blocks `first` come before those of a later one of the same thread, at `second`?
/// The PTX ISA does not say that arrivals come in the order of commits. Kernels rely on it in the block that issues
/// them (Triton's invalidate the barriers of a ring when the accumulator's has been waited for), not for other blocks:
/// those wait for the last stages of a ring before they exit.
bool arrivesBeforeHere(uint32_t first, uint32_t second, const Cta &cta) { return first & second & 1u << cta.rank; }
/// All of the first one's.
bool arrivesBefore(uint32_t first, uint32_t second, const Cta &cta) {
  return arrivesBeforeHere(first, second, cta) && first == 1u << cta.rank;
}

/// Is `op` performed after `earlier`, of the same thread, by a rule about these two (PTX ISA, "Pipelined tcgen05
/// Instructions"; tcgen05.commit)?
bool follows(const AsyncOp &op, const AsyncOp &earlier) {
  const Op kind = opOf(earlier);
  switch (opOf(op)) {
  case Op::Tcgen05Commit:
    return kind != Op::Tcgen05Commit ||
           (!earlier.done && arrivesBefore(static_cast<const TensorCommitOp &>(earlier).ranks,
                                           static_cast<const TensorCommitOp &>(op).ranks, *op.cta));
  case Op::Tcgen05Cp:
    return kind == Op::Tcgen05Shift && static_cast<const TensorAux *>(op.inst->aux)->copyRows == 4;
  case Op::Tcgen05Shift:
    return kind == Op::Tcgen05Mma;
  default: { // mma
    if (kind != Op::Tcgen05Mma)
      return kind != Op::Tcgen05Commit;
    const TensorMmaOp &mine = static_cast<const TensorMmaOp &>(op), &other = static_cast<const TensorMmaOp &>(earlier);
    return other.d == mine.d && other.shape.m == mine.shape.m && other.shape.n == mine.shape.n;
  }
  }
}

/// Hands `op` to the engine, to be performed after those earlier operations of the thread that it follows.
void submit(Warp &w, const std::shared_ptr<TensorOp> &op, uint32_t lane, uint64_t queue) {
  constexpr size_t Remembered = 64;
  TensorMemory::Issued &list = w.cta->tensorMemory().issued[{w.index, lane}];
  std::vector<bool> before(list.ops.size());
  bool shifts = opOf(*op) == Op::Tcgen05Shift;
  for (size_t k = 0; k != before.size(); ++k) {
    before[k] = follows(*op, *list.ops[k]);
    shifts |= before[k] && opOf(*list.ops[k]) == Op::Tcgen05Shift;
  }
  // What those follow comes first, too. Only shifts stand between operations without a rule of their own.
  if (shifts && opOf(*op) != Op::Tcgen05Commit)
    for (size_t k = before.size(); k-- > 0;)
      for (size_t e = 0; before[k] && e != k; ++e)
        before[e] = before[e] || follows(*list.ops[k], *list.ops[e]);
  for (size_t k = 0; k != before.size(); ++k)
    if (before[k])
      op->after.push_back(list.ops[k]);
  list.ops.push_back(op);
  if (opOf(*op) == Op::Tcgen05Commit)
    list.committed = list.ops.size();
  size_t forget = 0;
  while (list.ops.size() - forget > 2 * Remembered && forget != list.committed && list.ops[forget]->done)
    ++forget;
  if (forget >= Remembered) {
    list.ops.erase(list.ops.begin(), list.ops.begin() + long(forget));
    list.committed -= forget;
  }
  w.cta->cluster->async.submit(op, queue);
}

/// Performs alloc, dealloc or relinquish for a block and, in a pair, its peer. False: not yet, with w waiting.
bool meet(Warp &w, const Inst &i, uint32_t m, Op op, uint32_t columns, uint32_t column, Cta *peer) {
  TensorMemory &mine = w.cta->tensorMemory();
  const size_t which = size_t(op) - size_t(Op::Tcgen05Alloc);
  TensorRequest &request = mine.requests[which];
  if (request.state != TensorRequest::None && (request.warp != &w || request.inst != &i)) {
    w.fatal(ReportKind::TensorMemory, i, uint32_t(std::countr_zero(m)),
            "warp " + std::to_string(request.warp->index) +
                " already waits for the other block of the pair at an instruction like this one");
    return false;
  }
  if (request.state == TensorRequest::Done) {
    request = TensorRequest();
    return true;
  }
  request = {TensorRequest::Waiting, columns, column, &w, &i};
  TensorRequest &other = peer->tensorMemory().requests[which];
  if (other.state != TensorRequest::Waiting) {
    w.waitFor(i, m, tensorKey(*w.cta));
    return false;
  }
  if (other.columns != columns || (op == Op::Tcgen05Dealloc && other.column != column)) {
    w.fatal(ReportKind::TensorMemory, i, uint32_t(std::countr_zero(m)),
            "the two blocks of a pair give different columns: this one " + std::to_string(columns) + ", the other " +
                std::to_string(other.columns) + " at line " +
                std::to_string(other.warp->frame->fn->ast->body[other.inst->source].loc.line));
    return false;
  }
  if (op == Op::Tcgen05Alloc) {
    uint32_t at = mine.findFree(columns, &peer->tensorMemory());
    if (at == ~0u) {
      w.waitFor(i, m, tensorKey(*w.cta));
      return false;
    }
    request.column = other.column = at;
  }
  other.state = TensorRequest::Done;
  request = TensorRequest{TensorRequest::None, columns, request.column, nullptr, nullptr};
  peer->cluster->wake(tensorKey(*peer));
  return true;
}

} // namespace

namespace tileiras::emu::handlers {

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

void tensorAlloc(Warp &w, const Inst &i, uint32_t m) {
  m = wholeWarp(w, i, m);
  if (!m)
    return;
  const uint32_t lane = uint32_t(std::countr_zero(m));
  const MemAux &x = *static_cast<const MemAux *>(i.aux);
  const uint8_t group = i.count;
  auto fail = [&](std::string text) { w.report(ReportKind::TensorMemory, i, lane, std::move(text)); };
  if (!sameGroup(w, i, lane, group))
    return;
  const uint32_t columns = uniform(w, i, m, i.b, "numbers of columns");
  if (columns < 32 || columns > 512 || !std::has_single_bit(columns))
    return fail("tcgen05.alloc of " + std::to_string(columns) + " columns; it must be a power of two from 32 to 512");
  uint64_t address;
  if (!laneSharedAddress(w, i, x, i.a, i.imm, lane, address))
    return;
  Region r;
  if (!w.region(Space::Shared, address, address + 4, true, r)) {
    w.badAccess(i, Space::Shared, lane, address, 4, true);
    return;
  }
  if (address & 3) {
    w.report(ReportKind::Misaligned, i, lane, "the address for the result of tcgen05.alloc is not a multiple of 4",
             address);
    return;
  }
  TensorMemory &memory = w.cta->tensorMemory();
  if (memory.relinquished)
    return fail("tcgen05.alloc after tcgen05.relinquish_alloc_permit");
  if (memory.smallest && columns > memory.smallest)
    return fail("tcgen05.alloc of " + std::to_string(columns) + " columns after one of " +
                std::to_string(memory.smallest) + "; later ones must not ask for more");
  Cta *peer = peerOf(*w.cta, group);
  uint32_t column;
  if (peer) {
    // What the pair has agreed on stays in the request until it is taken.
    uint32_t agreed = memory.requests[0].state == TensorRequest::Done ? memory.requests[0].column : ~0u;
    if (!meet(w, i, m, Op::Tcgen05Alloc, columns, 0, peer))
      return;
    column = agreed != ~0u ? agreed : memory.requests[0].column;
  } else {
    column = memory.findFree(columns, nullptr);
    if (column == ~0u) {
      w.waitFor(i, m, tensorKey(*w.cta));
      return;
    }
  }
  memory.smallest = columns;
  memory.allocate({column, columns, &w, &i, w.frame->fn->ast});
  std::memcpy(r.host, &column, 4);
  if (r.shadow)
    std::memset(r.shadow, 0xff, 4);
  if (Observer *o = w.cta->cluster->observer) {
    uint64_t addresses[32] = {};
    addresses[lane] = address;
    o->threadAccess(w, i, Space::Shared, 1u << lane, addresses, 4, AccessKind::Write, {});
  }
}

void tensorDealloc(Warp &w, const Inst &i, uint32_t m) {
  m = wholeWarp(w, i, m);
  if (!m)
    return;
  const uint32_t lane = uint32_t(std::countr_zero(m));
  if (!sameGroup(w, i, lane, i.count))
    return;
  const uint32_t address = uniform(w, i, m, i.a, "tensor addresses"),
                 columns = uniform(w, i, m, i.b, "numbers of columns");
  Cta *peer = peerOf(*w.cta, i.count);
  if (peer && !meet(w, i, m, Op::Tcgen05Dealloc, columns, address, peer))
    return;
  TensorMemory &memory = w.cta->tensorMemory();
  for (size_t k = 0; k != memory.allocations.size(); ++k)
    if (memory.allocations[k].column == address && memory.allocations[k].columns == columns) {
      if (Observer *o = w.cta->cluster->observer)
        o->tensorFreed(w, i, lane, address, columns);
      memory.free(k);
      wakeAll(*w.cta, peer);
      return;
    }
  std::string text = "tcgen05.dealloc of " + std::to_string(columns) + " columns at " + hex(address) +
                     ", which is not an allocation; there are";
  for (const TensorAllocation &a : memory.allocations)
    text += " " + std::to_string(a.columns) + " at " + hex(a.column) + ",";
  if (memory.allocations.empty())
    text += " none,";
  text.pop_back();
  w.report(ReportKind::TensorMemory, i, lane, text);
}

void tensorRelinquish(Warp &w, const Inst &i, uint32_t m) {
  m = wholeWarp(w, i, m);
  if (!m || !sameGroup(w, i, uint32_t(std::countr_zero(m)), i.count))
    return;
  Cta *peer = peerOf(*w.cta, i.count);
  if (peer && !meet(w, i, m, Op::Tcgen05Relinquish, 0, 0, peer))
    return;
  w.cta->tensorMemory().relinquished = true;
}

//===----------------------------------------------------------------------===//
// ld, st, wait, fence
//===----------------------------------------------------------------------===//

/// The absolute address of a warp's ld or st. The lane is in the warp's own quarter of the lanes, either absolute or
/// counted from the quarter's beginning. False after a report.
static bool warpAddress(Warp &w, const Inst &i, uint32_t m, const TensorAux &x, uint32_t &address) {
  const uint32_t lane = uint32_t(std::countr_zero(m)), own = w.index % 4;
  address = uniform(w, i, m, x.d.row, "tensor addresses") + x.d.offset;
  const uint32_t row = address >> 16, inside = row % 32;
  if (row >= 32 && row / 32 != own) {
    w.report(ReportKind::TensorMemory, i, lane,
             "tensor address " + hex(address) + " names lane " + std::to_string(row) + "; warp " +
                 std::to_string(w.index) + " can reach lanes " + std::to_string(32 * own) + " to " +
                 std::to_string(32 * own + 31));
    return false;
  }
  if (x.shape == TensorShape::S32x32 ? inside : inside != 0 && inside != 16) {
    w.report(ReportKind::TensorMemory, i, lane,
             "tensor address " + hex(address) + ": the lane must be " +
                 (x.shape == TensorShape::S32x32 ? "the first" : "the first or the seventeenth") + " of the warp's 32");
    return false;
  }
  address = (32 * own + inside) << 16 | (address & 0xffff);
  return true;
}

/// The move of tcgen05.ld or st, not yet under way; null after a report or where no lane executes it.
std::shared_ptr<TensorMoveOp> startMove(Warp &w, const Inst &i, uint32_t m, bool load) {
  m = wholeWarp(w, i, m);
  uint32_t address;
  if (!m || !warpAddress(w, i, m, *static_cast<const TensorAux *>(i.aux), address))
    return nullptr;
  return std::make_shared<TensorMoveOp>(w, i, uint32_t(std::countr_zero(m)), address, load);
}

void tensorLoad(Warp &w, const Inst &i, uint32_t m) {
  std::shared_ptr<TensorMoveOp> op = startMove(w, i, m, true);
  if (!op)
    return;
  const TensorAux &x = *static_cast<const TensorAux *>(i.aux);
  ++w.tensorLoaded;
  for (uint32_t n : x.numbers)
    w.frame->asyncRegisters[n].load = w.tensorLoaded;
  w.tensorLoads.push_back(op);
  w.cta->cluster->async.submit(op);
}

void tensorStore(Warp &w, const Inst &i, uint32_t m) {
  std::shared_ptr<TensorMoveOp> op = startMove(w, i, m, false);
  if (!op)
    return;
  const TensorAux &x = *static_cast<const TensorAux *>(i.aux);
  op->values.resize(32 * x.rows.size());
  for (size_t r = 0; r != x.rows.size(); ++r)
    std::copy_n(w.row<uint32_t>(x.rows[r]), 32, &op->values[32 * r]);
  w.tensorStores.push_back(op);
  w.cta->cluster->async.submit(op);
}

void tensorWait(Warp &w, const Inst &i, uint32_t m) {
  m = wholeWarp(w, i, m);
  if (!m)
    return;
  Cluster &cluster = *w.cta->cluster;
  const bool stores = i.flags & 1;
  for (const AsyncRef &op : stores ? w.tensorStores : w.tensorLoads) {
    cluster.async.finish(*op);
    if (cluster.observer)
      cluster.observer->asyncWaited(*op, w, i, m, false);
  }
  (stores ? w.tensorStores : w.tensorLoads).clear();
  if (!stores)
    w.tensorWaited = w.tensorLoaded;
}

void tensorFence(Warp &w, const Inst &i, uint32_t m) {
  if (Observer *o = w.cta->cluster->observer)
    o->fence(w, i, m, i.flags & 1 ? FenceKind::Tcgen05After : FenceKind::Tcgen05Before, {}, Space::Tensor, 0);
}

//===----------------------------------------------------------------------===//
// commit, cp, shift, mma: by one thread
//===----------------------------------------------------------------------===//

void tensorCommit(Warp &w, const Inst &i, uint32_t m) {
  const MemAux &x = *static_cast<const MemAux *>(i.aux);
  const uint32_t size = uint32_t(w.cta->cluster->ctas.size());
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    uint32_t l = uint32_t(std::countr_zero(rest));
    uint64_t address;
    if (!sameGroup(w, i, l, i.count) || !laneSharedAddress(w, i, x, i.a, i.imm, l, address))
      continue;
    std::vector<uint64_t> barriers;
    uint32_t ranks = uint32_t(1) << (address >> 24);
    if (i.flags & 1) {
      uint32_t mask = w.row<uint16_t>(i.b)[l];
      if (mask == 0 || mask >> size) {
        w.report(ReportKind::InvalidOperation, i, l,
                 "multicast mask " + hex(mask) + " of a cluster of " + std::to_string(size) + " blocks");
        continue;
      }
      ranks = mask;
      for (uint32_t r = 0; r != size; ++r)
        if (mask >> r & 1)
          barriers.push_back(uint64_t(r) << 24 | (address & 0xffffff));
    } else {
      barriers.push_back(address);
    }
    auto op = std::make_shared<TensorCommitOp>(w, i, l, std::move(barriers), ranks);
    auto &commits = w.cta->tensorMemory().issued[{w.index, l}].commits;
    for (auto &[signalled, state] : commits)
      if (arrivesBeforeHere(signalled, ranks, *w.cta))
        op->implies.push_back({state, arrivesBefore(signalled, ranks, *w.cta)});
    for (const AsyncRef &earlier : w.cta->tensorMemory().issued[{w.index, l}].ops)
      if (!earlier->done && opOf(*earlier) == Op::Tcgen05Commit)
        if (auto commit = std::static_pointer_cast<TensorCommitOp>(earlier);
            arrivesBeforeHere(commit->ranks, ranks, *w.cta))
          op->earlierHere.push_back(commit);
    submit(w, op, l, 0);
    auto slot = std::find_if(commits.begin(), commits.end(),
                             [&](auto &c) { return c.first == ranks && c.second >> 32 == op->checkerState >> 32; });
    if (slot != commits.end())
      slot->second = op->checkerState;
    else
      commits.emplace_back(ranks, op->checkerState);
  }
}

void tensorCopy(Warp &w, const Inst &i, uint32_t m) {
  const TensorAux &x = *static_cast<const TensorAux *>(i.aux);
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    uint32_t l = uint32_t(std::countr_zero(rest));
    if (!sameGroup(w, i, l, x.group) || !leads(w, i, l, x.group))
      continue;
    uint32_t address = w.row<uint32_t>(x.d.row)[l] + x.d.offset;
    if (x.copyRows == 4 ? address >> 16 >= 32 : address >> 16 != 0) {
      w.report(ReportKind::TensorMemory, i, l,
               "tensor address " + hex(address) + " of tcgen05.cp: the lane must be " +
                   (x.copyRows == 4 ? "less than 32" : "0"));
      continue;
    }
    if (address & 3) {
      w.report(ReportKind::TensorMemory, i, l,
               "tensor address " + hex(address) + " of tcgen05.cp: the column must be a multiple of 4");
      continue;
    }
    auto op = std::make_shared<TensorCopyOp>(w, i, l, address, w.row<uint64_t>(i.b)[l]);
    submit(w, op, l, 0);
  }
}

void tensorShift(Warp &w, const Inst &i, uint32_t m) {
  const TensorAux &x = *static_cast<const TensorAux *>(i.aux);
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    uint32_t l = uint32_t(std::countr_zero(rest));
    if (!sameGroup(w, i, l, x.group) || !leads(w, i, l, x.group))
      continue;
    uint32_t address = w.row<uint32_t>(x.d.row)[l] + x.d.offset;
    if (address >> 16 >= TensorLanes || address >> 16 & 31) {
      w.report(ReportKind::TensorMemory, i, l,
               "tensor address " + hex(address) + " of tcgen05.shift: the lane must be a multiple of 32");
      continue;
    }
    auto op = std::make_shared<TensorShiftOp>(w, i, l, address, x.group);
    submit(w, op, l, 0);
  }
}

/// Collector buffers are caches, whose contents nobody sees; but one may be used only after it was filled.
static void useCollector(Warp &w, const Inst &i, uint32_t lane, const TensorAux &x) {
  bool &filled = w.cta->tensorMemory().collectorFilled[x.collectorBuffer];
  switch (x.collector) {
  case TensorCollector::None:
    return;
  case TensorCollector::Fill:
    filled = true;
    return;
  case TensorCollector::Use:
  case TensorCollector::LastUse:
    if (!filled)
      w.report(ReportKind::InvalidOperation, i, lane, "the collector buffer is used, but no instruction has filled it");
    filled &= x.collector == TensorCollector::Use;
    return;
  case TensorCollector::Discard:
    filled = false;
  }
}

void tensorMma(Warp &w, const Inst &i, uint32_t m) {
  const TensorAux &x = *static_cast<const TensorAux *>(i.aux);
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    uint32_t l = uint32_t(std::countr_zero(rest));
    if (!sameGroup(w, i, l, x.group) || !leads(w, i, l, x.group))
      continue;
    auto op = std::make_shared<TensorMmaOp>(w, i, l);
    auto address = [&](const TensorAux::Address &a) { return w.row<uint32_t>(a.row)[l] + a.offset; };
    op->d = address(x.d);
    op->idesc = w.row<uint32_t>(x.idesc)[l];
    op->bDescriptor = w.row<uint64_t>(x.bDescriptor)[l];
    if (x.aInTensor)
      op->aAddress = address(x.a);
    else
      op->aDescriptor = w.row<uint64_t>(x.aDescriptor)[l];
    if (x.sparse)
      op->meta = address(x.meta);
    if (x.blockScaled) {
      op->sfa = address(x.sfa);
      op->sfb = address(x.sfb);
    }
    if (x.hasZeroMask)
      op->zeroMask = w.row<uint64_t>(x.zeroMask)[l];
    for (size_t k = 0; k != x.laneMask.size(); ++k)
      op->laneMask[k] = w.row<uint32_t>(x.laneMask[k])[l];
    op->enable = ((w.preds[x.enable] ^ (x.enableFlip ? ~0u : 0u)) >> l) & 1;
    useCollector(w, i, l, x);
    if (!op->check())
      continue;
    submit(w, op, l, AsyncEngine::queueKey(AsyncUnit::Tcgen05, w.cta->rank, op->d));
  }
}

} // namespace tileiras::emu::handlers

void Warp::leaveTensor(Frame &f) {
  const bool exits = &f == &root;
  bool told = false;
  for (const AsyncRef &ref : tensorLoads) {
    TensorMoveOp &op = static_cast<TensorMoveOp &>(*ref);
    if (!op.frame || (!exits && op.frame != &f))
      continue;
    if (!told && launch->options->rules == Rules::Isa)
      report(ReportKind::Async, *(pc - 1), uint32_t(std::countr_zero(active)),
             std::string(exits ? "the warp exits" : "the function returns") + " while the tcgen05.ld at line " +
                 std::to_string(op.function->body[op.inst->source].loc.line) +
                 " may not have written its registers yet; a tcgen05.wait::ld is missing");
    told = true;
    cta->cluster->async.finish(op);
    op.frame = nullptr;
  }
}
