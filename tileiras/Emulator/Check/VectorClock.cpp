//===- VectorClock.cpp - Who knows what -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Check/VectorClock.h"

#include <algorithm>

using namespace tileiras::emu;

VectorClock &ClockRef::mine() {
  if (!clock) {
    *this = ClockRef(new VectorClock());
  } else if (clock->references > 1) {
    VectorClock *copy = new VectorClock(*clock);
    copy->references = 0;
    copy->compact();
    *this = ClockRef(copy);
  }
  return *clock;
}

/// Precondition for a log with readers: the cluster is a new one.
void ForeignLog::add(uint32_t cluster, const ClockRef &clock) {
  auto [it, isNew] = ofCluster.try_emplace(cluster, uint32_t(entries.size()));
  if (isNew)
    entries.emplace_back(cluster, clock);
  else if (ClockRef &old = entries[it->second].second; !(old == clock) && !old->covers(*clock))
    old.mine().join(*clock);
}

const VectorClock *Foreign::of(uint32_t cluster) const {
  if (!length)
    return nullptr;
  auto it = log->ofCluster.find(cluster);
  return it == log->ofCluster.end() || it->second >= length ? nullptr : log->entries[it->second].second.get();
}

bool Foreign::covers(const Foreign &o) const {
  if (!o.length || (log == o.log && length >= o.length))
    return true;
  if (length < o.length)
    return false;
  for (uint32_t k = 0; k != o.length; ++k) {
    const auto &[cluster, clock] = o.log->entries[k];
    const VectorClock *mine = of(cluster);
    if (!mine || (mine != clock.get() && !mine->covers(*clock)))
      return false;
  }
  return true;
}

void Foreign::join(const Foreign &o) {
  if (covers(o))
    return;
  if (o.covers(*this)) {
    *this = o;
    return;
  }
  auto merged = std::make_shared<ForeignLog>();
  for (const Foreign *f : {static_cast<const Foreign *>(this), &o})
    for (uint32_t k = 0; k != f->length; ++k)
      merged->add(f->log->entries[k].first, f->log->entries[k].second);
  log = std::move(merged);
  length = uint32_t(log->entries.size());
}

void VectorClock::raise(uint32_t r, uint32_t lane, uint32_t clock) {
  Row &x = row(r);
  if (clock <= x.clock)
    return;
  if (!x.lanes) {
    laneClocks.emplace_back();
    laneClocks.back().fill(x.clock);
    x.lanes = uint32_t(laneClocks.size());
  }
  std::array<uint32_t, 32> &at = laneClocks[x.lanes - 1];
  at[lane] = std::max(at[lane], clock);
  // Lanes tend to be raised one after another to one value.
  if (lane == 31 && at[0] == at[31])
    x.clock = *std::min_element(at.begin(), at.end());
}

void VectorClock::raiseAll(uint32_t r, uint32_t clock) {
  Row &x = row(r);
  x.clock = std::max(x.clock, clock);
  if (!x.lanes)
    return;
  uint32_t most = 0;
  for (uint32_t &c : laneClocks[x.lanes - 1]) {
    c = std::max(c, clock);
    most = std::max(most, c);
  }
  if (most == x.clock)
    x.lanes = 0; // the array is dropped by the next copy
}

void VectorClock::raiseSlot(uint32_t slot, uint32_t clock) {
  if (slot >= slots.size())
    slots.resize(slot + 1);
  slots[slot] = std::max(slots[slot], clock);
}

void VectorClock::join(const VectorClock &o) {
  if (!o.rows.empty())
    row(uint32_t(o.rows.size()) - 1);
  for (uint32_t r = 0; r != o.rows.size(); ++r) {
    const Row &x = o.rows[r];
    if (x.clock > rows[r].clock || rows[r].lanes)
      raiseAll(r, x.clock);
    if (x.lanes)
      for (uint32_t l = 0; l != 32; ++l)
        raise(r, l, o.laneClocks[x.lanes - 1][l]);
  }
  if (o.slots.size() > slots.size())
    slots.resize(o.slots.size());
  for (size_t s = 0; s != o.slots.size(); ++s)
    slots[s] = std::max(slots[s], o.slots[s]);
  foreign.join(o.foreign);
}

bool VectorClock::covers(const VectorClock &o) const {
  for (uint32_t r = 0; r != o.rows.size(); ++r) {
    const Row &x = o.rows[r];
    if (!x.lanes) {
      if (x.clock && !knows(r, ~0u, x.clock))
        return false;
      continue;
    }
    for (uint32_t l = 0; l != 32; ++l)
      if (at(r, l) < o.laneClocks[x.lanes - 1][l])
        return false;
  }
  for (uint32_t s = 0; s != o.slots.size(); ++s)
    if (o.slots[s] && !knowsSlot(s, o.slots[s]))
      return false;
  return foreign.covers(o.foreign);
}

void VectorClock::compact() {
  std::vector<std::array<uint32_t, 32>> kept;
  for (Row &r : rows) {
    if (!r.lanes)
      continue;
    const std::array<uint32_t, 32> &at = laneClocks[r.lanes - 1];
    auto [least, most] = std::minmax_element(at.begin(), at.end());
    r.clock = *least;
    if (*least == *most) {
      r.lanes = 0;
      continue;
    }
    kept.push_back(at);
    r.lanes = uint32_t(kept.size());
  }
  laneClocks = std::move(kept);
}

ClockRef ClockJoiner::join(const ClockRef &a, const ClockRef &b) {
  if (!b || a == b)
    return a;
  if (!a)
    return b;
  for (Entry &e : memo)
    if (e.a == a && e.b == b)
      return e.result;
  ClockRef result;
  if (a->covers(*b)) {
    result = a;
  } else if (b->covers(*a)) {
    result = b;
  } else {
    result = a;
    ClockRef other = a; // `a` may be owned once: mine() must copy
    result.mine().join(*b);
  }
  memo[next++ & 3] = {a, b, result};
  return result;
}
