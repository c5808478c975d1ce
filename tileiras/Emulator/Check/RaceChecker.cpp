//===- RaceChecker.cpp - Happens-before race detection ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Accesses and conflicts. What orders them is in RaceOrder.cpp and RaceAsync.cpp, where clusters and blocks begin and
// end in RaceLifetime.cpp, the wording of reports in RaceReport.cpp.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Check/RaceChecker.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

using namespace tileiras::emu;

uint32_t RaceChecker::number(const Function &function, const Inst &inst) const {
  const FunctionCode &code = launch.program->functions[function.number];
  return firstInst[function.number] + uint32_t(&inst - code.code.data());
}

ShadowMemory &RaceChecker::shadowOf(Space space, uint64_t &address) {
  if (space == Space::Global)
    return global;
  if (space == Space::Shared) {
    BlockState &b = blockOf(address >> 24);
    address &= 0xffffff;
    return b.shared;
  }
  return others[uint64_t(base) << 32 | unsigned(space)];
}

/// An access of `lanes`, which have not published it yet.
Access RaceChecker::made(WarpState &w, const Inst &inst, uint32_t lanes, MemoryOrder order) {
  if (w.published & lanes) {
    ++w.clock;
    w.published = 0;
  }
  Access a;
  a.agent = w.row;
  a.lanes = lanes;
  a.clock = w.clock;
  a.cluster = clusterNumber;
  a.inst = number(*w.warp->frame->fn->ast, inst) << 4 | (order.strong ? 8u : 0) | order.scope;
  a.id = epochs.number(a);
  return a;
}

RaceChecker::Viewer RaceChecker::viewerOf(const WarpState &w, uint32_t lanes) const {
  uint32_t lane = uint32_t(std::countr_zero(lanes));
  Viewer v;
  v.knowledge = &w.of(lane);
  v.own = &w.own[lane];
  v.row = w.row;
  v.lanes = lanes;
  v.horizon = w.horizon;
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
  const VectorClock *c = clock->foreign.of(e.cluster);
  return c && (e.agent & SlotAgent ? c->knowsSlot(e.agent & ~SlotAgent, e.clock) : c->knows(e.agent, e.lanes, e.clock));
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
    bool included =
        scope >= 3 || (e.cluster == clusterNumber && (!rows || (scope == 2 ? clusterOfRow(e) == clusterOfRow(mine)
                                                                           : blockOfRow(e) == blockOfRow(mine))));
    if (included)
      return Conflict::None;
    badScope = true;
  }
  if (v.tensor && known(v, e, TensorAfter))
    return Conflict::None;
  if (known(v, e, Plain))
    return v.tensor && launch.options->rules == Rules::Hardware                             ? Conflict::None
           : v.tensor                                                                       ? Conflict::Proxy
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

/// What is there now; null if that cannot be looked at.
const uint8_t *RaceChecker::bytesAt(Space space, uint64_t address, uint64_t bytes) const {
  if (space == Space::Global)
    return launch.memory->hostPointer(address, bytes);
  return space == Space::Shared ? cluster->ctas[address >> 24]->shared.data() + (address & 0xffffff) : nullptr;
}

/// Does this store leave the value that `e` stored?
bool RaceChecker::sameValue(const Situation &s, const Access &e) const {
  if (const void *bytes = s.op ? s.op->writes : s.warp->stores; bytes && s.kind == AccessKind::Write) {
    // Whoever wrote before has done so by now.
    const uint8_t *mine = static_cast<const uint8_t *>(bytes) + (s.address - s.base);
    const uint8_t *now = bytesAt(s.space, s.address, s.bytes);
    return now && !std::memcmp(mine, now, s.bytes);
  }
  if (s.op || s.kind != AccessKind::Write || !s.lanes || s.bytes > 16 ||
      s.warp->frame->fn->ast->body[s.inst->source].row->op != Op::St)
    return false;
  uint8_t mine[16], other[16];
  if (!storedBytes(*s.warp, *s.inst, s.lane, s.address - s.base, s.bytes, mine))
    return false;
  uint32_t row = 2 * indexOf(*s.warp);
  if (e.cluster == clusterNumber && e.agent == row && e.inst >> 4 == number(*s.warp->frame->fn->ast, *s.inst) &&
      e.clock == warps[row / 2].clock) {
    // Another lane of this very instruction, which has not stored yet.
    uint32_t lane = uint32_t(std::countr_zero(e.lanes));
    uint64_t theirs = s.lanes[lane];
    if (s.mask >> lane & 1 && s.address >= theirs &&
        storedBytes(*s.warp, *s.inst, lane, s.address - theirs, s.bytes, other))
      return !std::memcmp(mine, other, s.bytes);
  }
  const uint8_t *now = bytesAt(s.space, s.address, s.bytes);
  return now && !std::memcmp(mine, now, s.bytes);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

RaceChecker::Judge RaceChecker::judgeOf(const Viewer &v) const {
  Judge j;
  Set set = v.tensor ? TensorAfter : Plain;
  j.epochs = &epochs;
  j.first = epochs.first();
  j.clock = v.knowledge->set[set].get();
  j.fence = v.knowledge->set[v.proxy].get();
  j.fenced = v.proxy != Plain;
  j.row = v.row;
  j.slot = v.slot;
  j.ownClock = v.running && !v.tensor ? ~0u : v.own->clock[set];
  j.ownFence = v.own->clock[v.proxy];
  j.horizon = v.horizon > j.first && !j.fenced ? std::min(v.horizon, epochs.firstAsync()) - j.first : 0;
  return j;
}

/// Are the accesses of `lanes` known to each lane of `mine`? `forAll`: whatever the lanes.
[[gnu::noinline]] bool RaceChecker::Judge::known(const Epoch &e, uint32_t lanes, uint32_t mine, bool &forAll) const {
  if (e.agent & SlotAgent) {
    uint32_t s = e.agent & ~SlotAgent;
    return forAll = s / 2 == slot || (clock && clock->knowsSlot(s, e.clock));
  }
  if (clock && clock->knowsAll(e.agent, e.clock))
    return forAll = true;
  // A lane's own accesses; `mine` has one lane then.
  if (e.agent == row && lanes == mine && !(mine & (mine - 1)) && e.clock <= ownClock)
    return true;
  return clock && clock->knows(e.agent, lanes, e.clock);
}

[[gnu::always_inline]] inline bool RaceChecker::Judge::read(uint32_t id, uint32_t lanes, uint32_t mine) {
  if (id - first < horizon || id == knownRead)
    return true;
  bool forAll = false;
  if (id < first || !known((*epochs)[id], lanes, mine, forAll))
    return false;
  if (forAll)
    knownRead = id;
  return true;
}

[[gnu::always_inline]] inline bool RaceChecker::Judge::write(uint32_t id, uint32_t lanes, uint32_t mine) {
  if (id - first < horizon || id == knownWrite)
    return true;
  bool forAll = false;
  if (id < first)
    return false;
  const Epoch &e = (*epochs)[id];
  if (!known(e, lanes, mine, forAll))
    return false;
  if (fenced && !(e.agent & SlotAgent)) {
    bool all = fence && fence->knowsAll(e.agent, e.clock);
    if (!all && !(fence && fence->knows(e.agent, lanes, e.clock)) &&
        !(e.agent == row && lanes == mine && e.clock <= ownFence))
      return false;
    forAll &= all;
  }
  if (forAll)
    knownWrite = id;
  return true;
}

/// Notes a read. Readers that it makes superfluous go: whoever knows it knows them.
[[gnu::always_inline]] inline void RaceChecker::enterReader(Judge &j, ShadowMemory &shadow, Cell &cell,
                                                            const Access &mine, uint32_t lanes, Numbers n) {
  uint32_t read = cell.read;
  bool again = read == n.id;
  if (again | (read < n.first)) [[likely]] {
    // Readers of earlier clusters are as good as each other: one is kept.
    if (!again && read) {
      if (cell.written()) {
        enterAmongOthers(j, shadow, cell, mine, lanes);
        return;
      }
      cell.write = EarlierReader | read;
      cell.writeLanes = cell.readLanes;
    }
    cell.readLanes = lanes | (again ? cell.readLanes : 0);
    cell.read = n.id;
    return;
  }
  if (read & ManyReaders && cell.readLanes == n.cluster && n.thread)
    if (Reader *place = shadow.quickReaderOf(cell, mine.agent)) {
      again = place->id == n.id;
      if (again | !place->id) {
        *place = {n.id, lanes | place->lanes};
        return;
      }
    }
  enterAmongOthers(j, shadow, cell, mine, lanes);
}

inline RaceChecker::Numbers RaceChecker::numbersOf(const Judge &j, const Access &mine) {
  return {mine.id, j.first, mine.cluster, !(mine.agent & (SlotAgent | 1))};
}

void RaceChecker::noteReader(const Viewer &viewer, ShadowMemory &shadow, Cell &cell, const Access &mine) {
  Judge j = judgeOf(viewer);
  enterReader(j, shadow, cell, mine, mine.lanes, numbersOf(j, mine));
}

/// If one note is enough for both reads, `r` becomes that.
inline bool RaceChecker::replaceReader(Judge &j, Reader &r, const Access &mine, uint32_t lanes) {
  const Epoch &e = epochs[r.id];
  bool sameOrder = !((e.inst ^ mine.inst) & 15);
  if (e.agent == mine.agent && e.clock == mine.clock && sameOrder) {
    r.lanes |= lanes;
    return true;
  }
  // What a weak read conflicts with, a strong one may not.
  if (!sameOrder && mine.strong())
    return false;
  if (!(e.agent == mine.agent && !(r.lanes & ~lanes)) && !j.read(r.id, r.lanes, lanes))
    return false;
  r = {mine.id, lanes};
  return true;
}

void RaceChecker::enterAmongOthers(Judge &j, ShadowMemory &shadow, Cell &cell, const Access &mine, uint32_t lanes) {
  if (cell.read < j.first || (cell.read & ManyReaders && cell.readLanes != mine.cluster)) {
    // The first reader of this cluster, after others.
    bool list = cell.read & ManyReaders;
    Reader earlier;
    if (!(list && cell.readEarlier())) // else there is one already, and no need to look for another
      earlier = list ? shadow.someReader(cell) : Reader{cell.read, cell.readLanes};
    shadow.dropReaders(cell);
    cell.read = mine.id;
    cell.readLanes = lanes;
    if (cell.written()) {
      shadow.addReader(epochs, cell, earlier);
    } else if (earlier.id) {
      cell.write = EarlierReader | earlier.id;
      cell.writeLanes = earlier.lanes;
    }
    return;
  }
  if (!(cell.read & ManyReaders)) {
    Reader r = {cell.read, cell.readLanes};
    if (replaceReader(j, r, mine, lanes)) {
      cell.read = r.id;
      cell.readLanes = r.lanes;
      return;
    }
    uint32_t agent = epochs[r.id].agent;
    if (agent != mine.agent && !((agent | mine.agent) & (SlotAgent | 1))) {
      shadow.makePair(cell, mine.cluster, agent, mine.agent, {mine.id, lanes});
      return;
    }
  }
  if (!(mine.agent & (SlotAgent | 1))) {
    Reader &place = shadow.readerOf(epochs, cell, mine.agent);
    if (place.id == mine.id) {
      place.lanes |= lanes;
      return;
    }
    if (!place.id) {
      place = {mine.id, lanes};
      return;
    }
    if (replaceReader(j, place, mine, lanes))
      return;
  }
  unsigned length = shadow.addReader(epochs, cell, {mine.id, lanes});
  if (length >= 8 && !(length & (length - 1)))
    shortenList(j, shadow, cell, mine);
}

/// Leaves out of a list whose latest reader is `mine` those that it or others make superfluous.
void RaceChecker::shortenList(Judge &j, ShadowMemory &shadow, Cell &cell, const Access &mine) {
  std::vector<Reader> all, kept;
  shadow.everyReader(cell, [&](const Reader &r) {
    all.push_back(r);
    return true;
  });
  // The latest of an agent comes first.
  std::sort(all.begin(), all.end(), [](const Reader &a, const Reader &b) { return a.id > b.id; });
  for (const Reader &r : all) {
    const Epoch &e = epochs[r.id];
    bool superfluous =
        r.id != mine.id && (!mine.strong() || !((mine.inst ^ e.inst) & 15)) && j.read(r.id, r.lanes, mine.lanes);
    for (Reader &k : kept) {
      const Epoch &later = epochs[k.id];
      if (superfluous || later.agent != e.agent || later.cluster != e.cluster || ((later.inst ^ e.inst) & 15))
        continue;
      if (later.clock == e.clock) {
        k.lanes |= r.lanes;
        superfluous = true;
      }
      superfluous |= later.clock >= e.clock && !(r.lanes & ~k.lanes);
    }
    if (!superfluous)
      kept.push_back(r);
  }
  shadow.dropReaders(cell);
  cell.read = kept[0].id;
  cell.readLanes = kept[0].lanes;
  for (size_t k = 1; k != kept.size(); ++k) {
    const Epoch &e = epochs[kept[k].id];
    bool other = e.agent & (SlotAgent | 1) || e.cluster != mine.cluster;
    Reader none, &place = other ? none : shadow.readerOf(epochs, cell, e.agent);
    if (&place != &none && !place.id)
      place = kept[k];
    else
      shadow.addReader(epochs, cell, kept[k]);
  }
}

/// Enters a read, if what has been written is known; else false.
[[gnu::always_inline]] inline bool RaceChecker::quickRead(Judge &j, ShadowMemory &shadow, Cell &cell,
                                                          const Access &mine, uint32_t lanes, Numbers n) {
  if (cell.written() && !j.write(cell.write, cell.writeLanes, lanes)) [[unlikely]]
    return false;
  enterReader(j, shadow, cell, mine, lanes, n);
  return true;
}

/// Enters a write, if all other accesses are known; else false.
[[gnu::always_inline]] inline bool RaceChecker::quickWrite(Judge &j, ShadowMemory &shadow, Cell &cell, uint32_t id,
                                                           uint32_t lanes) {
  if (cell.write && (cell.readEarlier() || !j.write(cell.write, cell.writeLanes, lanes))) [[unlikely]]
    return false;
  if (cell.read) {
    if (!(cell.read & ManyReaders)) {
      if (!j.read(cell.read, cell.readLanes, lanes)) [[unlikely]]
        return false;
      cell.read = cell.readLanes = 0;
    } else {
      if (!shadow.everyReader(cell, [&](const Reader &r) { return j.read(r.id, r.lanes, lanes); })) [[unlikely]]
        return false;
      shadow.dropReaders(cell);
    }
  }
  cell.write = id;
  cell.writeLanes = lanes;
  return true;
}

void RaceChecker::read(Judge &j, ShadowMemory &shadow, Cell &cell, const Access &mine, const Viewer &viewer,
                       Situation &s) {
  if (cell.written()) {
    Access e = epochs.access(cell.write, cell.writeLanes);
    if (Conflict c = conflict(viewer, e, mine, true); c != Conflict::None) [[unlikely]]
      report(s, e, true, c);
  }
  enterReader(j, shadow, cell, mine, mine.lanes, numbersOf(j, mine));
}

void RaceChecker::write(ShadowMemory &shadow, Cell &cell, const Access &mine, const Viewer &viewer, Situation &s) {
  if (cell.written()) {
    Access e = epochs.access(cell.write, cell.writeLanes);
    if (Conflict c = conflict(viewer, e, mine, true); c != Conflict::None) [[unlikely]]
      if (!sameValue(s, e))
        report(s, e, true, c);
  }
  auto look = [&](const Reader &r) {
    Access e = epochs.access(r.id, r.lanes);
    Conflict c = conflict(viewer, e, mine, false);
    if (c != Conflict::None) [[unlikely]]
      report(s, e, false, c);
    return c == Conflict::None;
  };
  bool none = !cell.readEarlier() || look({cell.write & ~EarlierReader, cell.writeLanes});
  if (none && cell.read & ManyReaders)
    shadow.everyReader(cell, look);
  else if (none && cell.read)
    look({cell.read, cell.readLanes});
  shadow.dropReaders(cell);
  cell.write = mine.id;
  cell.writeLanes = mine.lanes;
}

void RaceChecker::touch(Situation &s, const Access &mine, const Viewer &viewer, uint64_t address, uint64_t bytes,
                        AccessKind kind) {
  s.kind = kind;
  s.base = address;
  uint64_t local = address;
  ShadowMemory &shadow = shadowOf(s.space, local);
  uint64_t window = address - local;
  Judge j = judgeOf(viewer);
  Numbers n = numbersOf(j, mine);
  if (kind == AccessKind::Read)
    shadow.each(local, bytes, [&](Cell &cell, uint64_t at, unsigned size) {
      if (quickRead(j, shadow, cell, mine, mine.lanes, n)) [[likely]]
        return;
      s.address = window + at;
      s.bytes = size;
      read(j, shadow, cell, mine, viewer, s);
    });
  else
    shadow.each(local, bytes, [&](Cell &cell, uint64_t at, unsigned size) {
      if (quickWrite(j, shadow, cell, mine.id, mine.lanes)) [[likely]]
        return;
      s.address = window + at;
      s.bytes = size;
      write(shadow, cell, mine, viewer, s);
    });
}

/// The common case, quickly: weak accesses of lanes that know the same, to cells whose last accesses are known. Returns
/// the lanes that need a closer look.
template <bool Write>
uint32_t RaceChecker::usual(Judge &j, Space space, uint32_t mask, const uint64_t *address, unsigned bytes,
                            const Access &mine) {
  uint32_t rest = 0;
  const Numbers n = numbersOf(j, mine);
  auto enter = [&](ShadowMemory &shadow, Cell *cell, unsigned count, uint32_t lanes) __attribute__((always_inline)) {
    for (; count; --count, ++cell)
      if (!(Write ? quickWrite(j, shadow, *cell, n.id, lanes) : quickRead(j, shadow, *cell, mine, lanes, n)))
          [[unlikely]] {
        rest |= lanes;
        return;
      }
  };
  uint64_t first = address[std::countr_zero(mask)], differ = 0;
  if (mask == ~0u)
    for (unsigned l = 0; l != 32; ++l)
      differ |= address[l] ^ first;
  else
    for (uint32_t m = mask; m; m &= m - 1)
      differ |= address[std::countr_zero(m)] ^ first;
  unsigned count = 0;
  if (differ < 128 && bytes >= 4 && bytes <= 16) {
    // One line.
    uint64_t local = first & ~uint64_t(127);
    ShadowMemory &shadow = shadowOf(space, local);
    unsigned shift = 0;
    Cell *cells = shadow.lineOf(local, unsigned(differ | first | bytes), shift);
    count = bytes >> shift;
    if (Write) {
      for (uint32_t m = mask; m; m &= m - 1)
        enter(shadow, cells + ((address[std::countr_zero(m)] & 127) >> shift), count, m & -m);
      return rest;
    }
    // Lanes that read one address are one reader.
    if (differ == 0) {
      enter(shadow, cells + ((first & 127) >> shift), count, mask);
      return rest;
    }
    uint32_t lanes[32] = {}, used = 0;
    auto sort = [&](unsigned l) {
      unsigned word = (address[l] & 127) / 4;
      lanes[word] |= 1u << l;
      used |= 1u << word;
    };
    if (mask == ~0u)
      for (unsigned l = 0; l != 32; ++l)
        sort(l);
    else
      for (uint32_t m = mask; m; m &= m - 1)
        sort(unsigned(std::countr_zero(m)));
    for (; used; used &= used - 1) {
      unsigned word = unsigned(std::countr_zero(used));
      enter(shadow, cells + (4 * word >> shift), count, lanes[word]);
    }
    return rest;
  }
  if (space == Space::Global || cluster->ctas.size() == 1) {
    // All cells first: the loads do not wait for each other, nor for branches.
    ShadowMemory &shadow = space == Space::Global ? global : blockOf(0).shared;
    uint64_t window = space == Space::Global ? ~uint64_t(0) : 0xffffff;
    Cell *cells[32];
    uint8_t counts[32];
    bool words = bytes == 4; // and so are the cells: no shifts by what is in memory
    for (uint32_t m = mask; m && words; m &= m - 1) {
      unsigned l = unsigned(std::countr_zero(m));
      cells[l] = shadow.wordAt(address[l] & window);
      words = cells[l];
      __builtin_prefetch(cells[l]);
    }
    if (words)
      std::fill_n(counts, 32, uint8_t(1));
    for (uint32_t m = words ? 0 : mask; m; m &= m - 1) {
      unsigned l = unsigned(std::countr_zero(m));
      cells[l] = shadow.cellsAt(address[l] & window, bytes, count);
      counts[l] = uint8_t(count);
      __builtin_prefetch(cells[l]);
    }
    uint32_t others = mask;
    if (!Write && words) {
      others = 0;
      for (uint32_t m = mask; m; m &= m - 1) {
        // As in enterReader, without branches.
        Cell &c = *cells[std::countr_zero(m)];
        uint64_t write, read, lane = m & -m;
        std::memcpy(&write, &c.write, 8);
        std::memcpy(&read, &c.read, 8);
        bool again = uint32_t(read) == n.id, before = uint32_t(read) < n.first;
        bool good = (again | before) & (int32_t(write) <= 0);
        uint64_t earlier = (before & (read != 0)) ? EarlierReader | read : write;
        uint64_t now = lane << 32 | (again ? read : n.id);
        write = good ? earlier : write;
        read = good ? now : read;
        std::memcpy(&c.write, &write, 8);
        std::memcpy(&c.read, &read, 8);
        others |= good ? 0 : uint32_t(lane);
      }
    }
    for (uint32_t m = others; m; m &= m - 1) {
      unsigned l = unsigned(std::countr_zero(m));
      enter(shadow, cells[l], counts[l], m & -m);
    }
    return rest;
  }
  for (uint32_t m = mask; m; m &= m - 1) {
    uint64_t local = address[std::countr_zero(m)];
    ShadowMemory &shadow = shadowOf(space, local);
    Cell *cell = shadow.cellsAt(local, bytes, count);
    enter(shadow, cell, count, m & -m);
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
  s.mask = mask;
  if (space == Space::Shared && cluster->ctas.size() > 1)
    for (uint32_t m = mask; m; m &= m - 1) {
      uint32_t l = uint32_t(std::countr_zero(m));
      uint64_t rank = address[l] >> 24;
      if (rank != warp.cta->rank && !blockOf(rank).liveWarps) {
        s.lane = l;
        s.address = address[l];
        complain(s, ReportKind::Race,
                 "shared memory of a block of the cluster is accessed after that block has exited");
        return;
      }
    }
  if (epochs.full(global.cellCount())) [[unlikely]]
    collectEpochs();
  Access mine = made(w, inst, mask, order);
  uint32_t rest = mask;
  if (!order.strong && w.same && bytes <= 64) {
    Judge j = judgeOf(viewerOf(w, mask));
    rest = kind == AccessKind::Read ? usual<false>(j, space, mask, address, bytes, mine)
                                    : usual<true>(j, space, mask, address, bytes, mine);
  }
  for (uint32_t m = rest; m; m &= m - 1) {
    uint32_t l = uint32_t(std::countr_zero(m));
    s.lane = l;
    // A merge into part of a word synchronises with accesses to the word and with those to the part.
    auto synchronizeBoth = [&](AccessKind half) {
      const bool atomic = kind == AccessKind::Atomic;
      synchronize(w, l, space, address[l], half, order, atomic);
      if (order.before)
        synchronize(w, l, space, address[l] - order.before, half, order, atomic);
    };
    if (order.strong && kind != AccessKind::Write)
      synchronizeBoth(AccessKind::Read);
    mine.lanes = 1u << l;
    touch(s, mine, viewerOf(w, 1u << l), address[l], bytes, kind);
    if (order.strong && kind != AccessKind::Read)
      synchronizeBoth(kind);
  }
}
