//===- RaceChecker.cpp - Happens-before race detection ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Accesses and conflicts. What orders them is in RaceOrder.cpp and RaceAsync.cpp, the wording of reports in RaceReport.cpp.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Check/RaceChecker.h"

#include <algorithm>
#include <bit>

using namespace tileiras::emu;

RaceChecker::RaceChecker(LaunchContext &launch) : launch(launch) {
  uint32_t next = 0;
  for (const FunctionCode &f : launch.program->functions) {
    firstInst.push_back(next);
    next += uint32_t(f.code.size());
  }
  warpsPerBlock = uint32_t((launch.block.count() + 31) / 32);
}

void RaceChecker::clusterBegin(Cluster &c) {
  cluster = &c;
  ++clusterNumber;
  blockIds.push_back(c.ctas[0]->id);
  blocks.resize(c.ctas.size());
  for (auto &b : blocks) {
    if (!b)
      b = std::make_unique<BlockState>();
    b->shared.clear();
    for (BarrierClock &k : b->barriers)
      k = BarrierClock();
    b->exited = Released();
    b->liveWarps = warpsPerBlock;
  }
  warps.clear();
  warps.resize(c.ctas.size() * warpsPerBlock);
  for (size_t k = 0; k != warps.size(); ++k) {
    warps[k].warp = c.ctas[k / warpsPerBlock]->warps[k % warpsPerBlock].get();
    warps[k].row = uint32_t(2 * k);
  }
  for (ClusterPhase &p : clusterPhases)
    p = ClusterPhase();
  for (auto &[space, shadow] : others)
    shadow.clear();
  mbarriers.clear();
  locations[0].clear();
  slots.clear();
  ops.clear();
  queueSlots.clear();
  joiner.clear();
}

uint32_t RaceChecker::number(const Function &function, const Inst &inst) const {
  const FunctionCode &code = launch.program->functions[function.number];
  return firstInst[function.number] + uint32_t(&inst - code.code.data());
}

ShadowMemory &RaceChecker::shadowOf(Space space, uint64_t &address) {
  if (space == Space::Global)
    return global;
  if (space == Space::Shared) {
    BlockState &b = *blocks[address >> 24];
    address &= 0xffffff;
    return b.shared;
  }
  return others[unsigned(space)];
}

Access RaceChecker::made(WarpState &w, const Inst &inst, uint32_t lanes, MemoryOrder order) {
  if (w.moveOn) {
    ++w.clock;
    w.moveOn = false;
  }
  Access a;
  a.agent = w.row;
  a.lanes = lanes;
  a.clock = w.clock;
  a.cluster = clusterNumber;
  a.inst = number(*w.warp->frame->fn->ast, inst) << 4 | (order.strong ? 8u : 0) | order.scope;
  return a;
}

RaceChecker::Viewer RaceChecker::viewerOf(const WarpState &w, uint32_t lanes) const {
  uint32_t lane = uint32_t(std::countr_zero(lanes));
  Viewer v;
  v.knowledge = &w.of(lane);
  v.own = &w.own[lane];
  v.row = w.row;
  v.lanes = lanes;
  return v;
}

RaceChecker::Viewer RaceChecker::viewerOf(const OpState &s, const AsyncOp &op, Space space) const {
  Viewer v;
  v.knowledge = &s.start.knowledge;
  for (auto &[warp, knowledge] : s.parts)
    if (warp == op.onBehalfOf)
      v.knowledge = &knowledge;
  v.own = &s.start.own;
  v.row = s.row;
  v.lanes = s.lanes;
  v.running = false;
  v.slot = s.slot;
  // cp.async belongs to the generic proxy; tensor memory has no other proxy (PTX ISA, Memory Consistency Model,
  // Proxies; Asynchronous operations).
  if (op.proxy == AsyncOp::Proxy::Tensormap)
    v.proxy = TensormapAcquired;
  else if (op.unit != AsyncUnit::CpAsync && op.proxy == AsyncOp::Proxy::Async)
    v.proxy = space == Space::Shared ? AsyncShared : space == Space::Global ? AsyncGlobal : Plain;
  v.tensor = space != Space::Shared && space != Space::Global;
  return v;
}

//===----------------------------------------------------------------------===//
// Order of two accesses
//===----------------------------------------------------------------------===//

bool RaceChecker::knownForeign(const VectorClock *clock, const Access &e) {
  if (!clock || !clock->foreign.length)
    return false;
  const Foreign &f = clock->foreign;
  auto it = f.log->ofCluster.find(e.cluster);
  if (it == f.log->ofCluster.end())
    return false;
  for (uint32_t k : it->second) {
    if (k >= f.length)
      break;
    const VectorClock &c = *f.log->entries[k].second;
    if (e.agent & SlotAgent ? c.knowsSlot(e.agent & ~SlotAgent, e.clock) : c.knows(e.agent, e.lanes, e.clock))
      return true;
  }
  return false;
}

bool RaceChecker::known(const Viewer &v, const Access &e, Set set) const {
  const VectorClock *c = v.knowledge->set[set].get();
  if (e.cluster != clusterNumber)
    return knownForeign(c, e);
  if (e.agent & SlotAgent) {
    uint32_t s = e.agent & ~SlotAgent;
    return s / 2 == v.slot || (c && c->knowsSlot(s, e.clock)) || e.clock <= slots[s / 2].forgotten;
  }
  uint32_t lanes = e.lanes;
  if ((v.lanes & (v.lanes - 1)) == 0) {
    if (e.agent == v.row ? (v.running && set == Plain) || e.clock <= v.own->clock[set]
                         : e.agent == v.row + 1 && e.clock <= v.own->copies[set])
      lanes &= ~v.lanes;
    if (!lanes)
      return true;
  }
  return c && c->knows(e.agent, lanes, e.clock);
}

RaceChecker::Conflict RaceChecker::conflict(const Viewer &v, const Access &e, const Access &mine, bool eWrites) const {
  if (e.none())
    return Conflict::None;
  bool badScope = false;
  if (e.strong() && mine.strong()) {
    // Morally strong: each scope includes the other thread (PTX ISA, Memory Consistency Model, Morally Strong
    // Operations).
    uint32_t scope = std::min(e.scope(), mine.scope());
    bool rows = !(e.agent & SlotAgent) && !(mine.agent & SlotAgent);
    bool included = scope >= 3 || (e.cluster == clusterNumber && (scope == 2 || !rows || rankOf(e) == rankOf(mine)));
    if (included)
      return Conflict::None;
    badScope = true;
  }
  if (v.tensor && known(v, e, TensorAfter))
    return Conflict::None;
  if (known(v, e, Plain))
    return v.tensor ? Conflict::Proxy
           : eWrites && v.proxy != Plain && !(e.agent & SlotAgent) && !known(v, e, v.proxy) ? Conflict::Proxy
                                                                                         : Conflict::None;
  return badScope ? Conflict::Scope : Conflict::Unordered;
}

/// Bytes that lane l of a store writes at `address`, if the instruction is an ordinary store.
static bool storedBytes(Warp &w, const Inst &inst, uint32_t lane, uint64_t offset, unsigned bytes, uint8_t *out) {
  const MemAux &x = *static_cast<const MemAux *>(inst.aux);
  if (!x.registerBytes)
    return false;
  for (unsigned b = 0; b != bytes; ++b) {
    uint64_t at = offset + b;
    if (at >= uint64_t(x.bytes) * x.count)
      return false;
    out[b] = w.row<uint8_t>(x.rows[at / x.bytes])[lane * x.registerBytes + at % x.bytes];
  }
  return true;
}

/// Does this store leave the value that `e` stored?
bool RaceChecker::sameValue(const Situation &s, const Access &e) const {
  if (s.op || s.kind != AccessKind::Write || !s.lanes || s.bytes > 16 ||
      s.warp->frame->fn->ast->body[s.inst->source].row->op != Op::St)
    return false;
  uint8_t mine[16], other[16];
  if (!storedBytes(*s.warp, *s.inst, s.lane, s.address - s.base, s.bytes, mine))
    return false;
  uint32_t row = 2 * (s.warp->cta->rank * warpsPerBlock + s.warp->index);
  if (e.cluster == clusterNumber && e.agent == row && e.inst >> 4 == number(*s.warp->frame->fn->ast, *s.inst) &&
      e.clock == warps[row / 2].clock) {
    // Another lane of this very instruction, which has not stored yet.
    uint32_t lane = uint32_t(std::countr_zero(e.lanes));
    uint64_t theirs = s.lanes[lane];
    return s.address >= theirs && storedBytes(*s.warp, *s.inst, lane, s.address - theirs, s.bytes, other) &&
           !std::memcmp(mine, other, s.bytes);
  }
  const uint8_t *now = s.space == Space::Global ? launch.memory->hostPointer(s.address, s.bytes)
                                                : cluster->ctas[s.address >> 24]->shared.data() + (s.address & 0xffffff);
  return now && !std::memcmp(mine, now, s.bytes);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

void RaceChecker::addReader(ShadowMemory &shadow, Cell &cell, const Access &mine, const Viewer &viewer) {
  Access &r = cell.read;
  if (r.none()) {
    r = mine;
    return;
  }
  if (r.agent != ManyReaders) {
    if (r.agent == mine.agent && r.clock == mine.clock && r.cluster == mine.cluster && ((r.inst ^ mine.inst) & 15) == 0) {
      r.lanes |= mine.lanes;
      return;
    }
    // Readers of other clusters are as good as each other, and as any reader of this one for writers of a third: the
    // latest is kept.
    if (r.cluster != mine.cluster || (r.agent == mine.agent && !(r.lanes & ~mine.lanes)) || known(viewer, r, Plain)) {
      r = mine;
      return;
    }
    shadow.makeReaders(r).push_back(mine);
    return;
  }
  std::vector<Access> &list = shadow.readers(r);
  bool merged = false, prune = list.size() > 8;
  for (size_t k = 0; k < list.size();) {
    Access &x = list[k];
    if (!merged && x.agent == mine.agent && x.clock == mine.clock && x.cluster == mine.cluster &&
        ((x.inst ^ mine.inst) & 15) == 0) {
      x.lanes |= mine.lanes;
      merged = true;
    } else if ((x.agent == mine.agent && x.cluster == mine.cluster && !(x.lanes & ~mine.lanes)) ||
               (prune && known(viewer, x, Plain))) {
      x = list.back();
      list.pop_back();
      continue;
    }
    ++k;
  }
  if (merged)
    return;
  for (size_t k = 0; k < list.size();)
    if (list[k].cluster != mine.cluster) {
      list[k] = list.back();
      list.pop_back();
    } else {
      ++k;
    }
  list.push_back(mine);
}

void RaceChecker::read(ShadowMemory &shadow, Cell &cell, const Access &mine, const Viewer &viewer, Situation &s) {
  if (Conflict c = conflict(viewer, cell.write, mine, true); c != Conflict::None) [[unlikely]]
    report(s, cell.write, true, c);
  addReader(shadow, cell, mine, viewer);
}

void RaceChecker::write(ShadowMemory &shadow, Cell &cell, const Access &mine, const Viewer &viewer, Situation &s) {
  if (Conflict c = conflict(viewer, cell.write, mine, true); c != Conflict::None) [[unlikely]]
    if (!sameValue(s, cell.write))
      report(s, cell.write, true, c);
  if (!cell.read.none()) {
    if (cell.read.agent == ManyReaders) {
      for (const Access &e : shadow.readers(cell.read))
        if (Conflict c = conflict(viewer, e, mine, false); c != Conflict::None) [[unlikely]] {
          report(s, e, false, c);
          break;
        }
    } else if (Conflict c = conflict(viewer, cell.read, mine, false); c != Conflict::None) [[unlikely]] {
      report(s, cell.read, false, c);
    }
    shadow.dropReaders(cell.read);
  }
  cell.write = mine;
}

void RaceChecker::touch(Situation &s, const Access &mine, const Viewer &viewer, uint64_t address, uint64_t bytes,
                        AccessKind kind) {
  s.kind = kind;
  s.base = address;
  uint64_t local = address;
  ShadowMemory &shadow = shadowOf(s.space, local);
  uint64_t window = address - local;
  auto visit = [&](auto f) {
    shadow.each(local, bytes, [&](Cell &cell, uint64_t at, unsigned size) {
      s.address = window + at;
      s.bytes = size;
      f(cell);
    });
  };
  if (kind == AccessKind::Read)
    visit([&](Cell &cell) { read(shadow, cell, mine, viewer, s); });
  else
    visit([&](Cell &cell) { write(shadow, cell, mine, viewer, s); });
}

/// The common case, quickly: ordinary accesses of a warp whose lanes know the same, to cells whose last accesses are
/// known. Returns the lanes that need a closer look.
uint32_t RaceChecker::usual(const WarpState &w, Space space, uint32_t mask, const uint64_t *address, unsigned bytes,
                            AccessKind kind, Access mine) {
  const VectorClock *clock = w.lanes[0].set[Plain].get();
  auto ordered = [&](const Access &e) {
    if (e.none())
      return true;
    if (e.cluster != mine.cluster || e.agent & SlotAgent)
      return false;
    return (e.agent == mine.agent && e.lanes == mine.lanes) || (clock && clock->knows(e.agent, e.lanes, e.clock));
  };
  // Lanes that read one address are one reader. A hash says whether it is worth looking for them.
  bool together = false;
  if (kind == AccessKind::Read) {
    uint64_t seen = 0;
    for (uint32_t m = mask; m; m &= m - 1)
      seen |= uint64_t(1) << (address[std::countr_zero(m)] / bytes & 63);
    together = std::popcount(seen) < std::popcount(mask);
  }
  uint32_t rest = 0;
  for (uint32_t m = mask; m;) {
    uint64_t local = address[std::countr_zero(m)];
    uint32_t group = m & -m;
    if (together)
      for (uint32_t others = m & (m - 1); others; others &= others - 1)
        if (address[std::countr_zero(others)] == local)
          group |= others & -others;
    m &= ~group;
    ShadowMemory &shadow = shadowOf(space, local);
    unsigned count;
    Cell *cell = shadow.ready(local, bytes, count);
    mine.lanes = group;
    bool done = cell;
    for (unsigned k = 0; done && k != count; ++k, ++cell) {
      Access &r = cell->read;
      if (!ordered(cell->write)) {
        done = false;
      } else if (kind == AccessKind::Read) {
        auto joins = [&](Access &e) {
          return e.agent == mine.agent && e.clock == mine.clock && e.cluster == mine.cluster && !((e.inst ^ mine.inst) & 15);
        };
        if (r.agent == ManyReaders) {
          std::vector<Access> &list = shadow.readers(r);
          done = false;
          for (Access &e : list)
            if (joins(e)) {
              e.lanes |= group;
              done = true;
              break;
            }
        } else if (r.none() || r.cluster != mine.cluster || (r.agent == mine.agent && !(r.lanes & ~group))) {
          r = mine;
        } else if (joins(r)) {
          r.lanes |= group;
        } else {
          done = false;
        }
      } else if (ordered(r)) {
        r = Access();
        cell->write = mine;
      } else {
        done = false;
      }
    }
    if (!done)
      rest |= group;
  }
  return rest;
}

void RaceChecker::threadAccess(Warp &warp, const Inst &inst, Space space, uint32_t mask, const uint64_t *address,
                               unsigned bytes, AccessKind kind, MemoryOrder order) {
  if (space != Space::Shared && space != Space::Global)
    return;
  WarpState &w = stateOf(warp);
  gather(w);
  Situation s;
  s.warp = &warp;
  s.inst = &inst;
  s.space = space;
  s.lanes = address;
  if (space == Space::Shared)
    for (uint32_t m = mask; m; m &= m - 1) {
      uint32_t l = uint32_t(std::countr_zero(m));
      uint64_t rank = address[l] >> 24;
      if (rank != warp.cta->rank && !blocks[rank]->liveWarps) {
        s.lane = l;
        s.address = address[l];
        complain(s, ReportKind::Race, "shared memory of a block of the cluster is accessed after that block has exited");
        return;
      }
    }
  // One address for all lanes: a broadcast.
  if (kind == AccessKind::Read && !order.strong && w.same && (mask & (mask - 1))) {
    uint64_t first = address[std::countr_zero(mask)];
    bool uniform = true;
    for (uint32_t m = mask; m; m &= m - 1)
      uniform &= address[std::countr_zero(m)] == first;
    if (uniform) {
      s.lane = uint32_t(std::countr_zero(mask));
      touch(s, made(w, inst, mask, order), viewerOf(w, mask), first, bytes, kind);
      return;
    }
  }
  Access mine = made(w, inst, 0, order);
  uint32_t rest = order.strong || !w.same ? mask : usual(w, space, mask, address, bytes, kind, mine);
  for (uint32_t m = rest; m; m &= m - 1) {
    uint32_t l = uint32_t(std::countr_zero(m));
    s.lane = l;
    if (order.strong && kind != AccessKind::Write)
      synchronize(w, l, space, address[l], AccessKind::Read, order);
    mine.lanes = 1u << l;
    touch(s, mine, viewerOf(w, 1u << l), address[l], bytes, kind);
    if (order.strong && kind != AccessKind::Read)
      synchronize(w, l, space, address[l], kind, order);
  }
}

void RaceChecker::copyIssued(Warp &warp, const Inst &inst, uint32_t lane, const AsyncCopy &copy) {
  WarpState &w = stateOf(warp);
  Situation s;
  s.warp = &warp;
  s.inst = &inst;
  s.lane = lane;
  Access mine = made(w, inst, 1u << lane, {});
  mine.agent = w.row + 1;
  mine.clock = uint32_t(copy.number) + 1;
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
  const OpState &o = it->second;
  Situation s;
  s.warp = op.warp;
  s.inst = op.inst;
  s.lane = op.lane;
  s.op = &op;
  s.space = space;
  if (space == Space::Shared && !blocks[address >> 24]->liveWarps) {
    s.address = address;
    complain(s, ReportKind::Async, "the operation is still at work on the shared memory of a block that has exited");
  }
  Access mine;
  mine.agent = SlotAgent | (2 * o.slot + (kind == AccessKind::Read ? 0 : 1));
  mine.clock = o.clock;
  mine.cluster = clusterNumber;
  // Reductions are relaxed atomics of gpu scope, element by element (PTX ISA, cp.reduce.async.bulk).
  mine.inst = number(*op.function, *op.inst) << 4 | (kind == AccessKind::Atomic ? 8u | 3u : 0);
  Viewer v = viewerOf(o, op, space);
  if (o.parts.empty()) {
    touch(s, mine, v, address, bytes, kind);
    return;
  }
  // What all parts have in common is read by each of them.
  for (auto &[warp, knowledge] : o.parts)
    if (!op.onBehalfOf || op.onBehalfOf == warp) {
      mine.agent = SlotAgent | (2 * (o.slot + warp->index % 4) + (kind == AccessKind::Read ? 0 : 1));
      touch(s, mine, v, address, bytes, kind);
    }
}

//===----------------------------------------------------------------------===//
// The end of a block
//===----------------------------------------------------------------------===//

/// Nobody may touch the shared memory of a block that has exited: what others do there must be known to its threads.
void RaceChecker::blockEnds(Cta &cta) {
  BlockState &block = *blocks[cta.rank];
  if (cluster->ctas.size() == 1 && slots.empty())
    return;
  Knowledge k;
  for (unsigned set = 0; set != SetCount; ++set)
    k.set[set] = block.exited.set[set];
  Own own;
  Viewer v;
  v.knowledge = &k;
  v.own = &own;
  v.row = NoAgent;
  v.running = false;
  auto look = [&](const Access &e, bool writes, uint64_t address, unsigned bytes) {
    bool unit = e.agent & SlotAgent;
    if (e.none() || e.cluster != clusterNumber || (!unit && rankOf(e) == cta.rank) || known(v, e, Plain))
      return;
    Warp &warp = *cta.warps[0];
    Situation s;
    s.warp = &warp;
    s.space = Space::Shared;
    s.address = s.base = uint64_t(cta.rank) << 24 | address;
    s.bytes = bytes;
    s.inst = nullptr;
    report(s, e, writes, Conflict::Unordered);
  };
  block.shared.all([&](Cell &cell, uint64_t address, unsigned bytes) {
    look(cell.write, true, address, bytes);
    if (cell.read.agent == ManyReaders) {
      for (const Access &e : block.shared.readers(cell.read))
        look(e, false, address, bytes);
    } else {
      look(cell.read, false, address, bytes);
    }
  });
}

void RaceChecker::clusterEnd(Cluster &) {}
