//===- VectorClock.h - Who knows what -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Happens-before is decided with vector clocks. The agents of a cluster are
//
//   its threads           32 lanes of a row per warp, which share one counter. A lane's accesses carry the counter's
//                         value; when a lane releases (arrives at a barrier, ...), the value is published for that
//                         lane only and the counter moves on.
//   their cp.asyncs       32 lanes of a second row per warp. The clock is the number of the thread's copies.
//   asynchronous units    a pair of slots for the reads and the writes of one operation at a time.
//
// A VectorClock holds, for every agent, up to which clock its accesses are known to precede. Most of the time all lanes
// of a row are equal and one number stands for them. Clocks of other clusters are kept by pointer (Foreign): blocks of
// a grid can learn of each other only through global memory.
//
// Vector clocks are shared and must not change once they are (VectorClock::mine makes an owned copy).
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_CHECK_VECTORCLOCK_H
#define TILEIRAS_EMULATOR_CHECK_VECTORCLOCK_H

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tileiras::emu {

class VectorClock;

/// Counts references without atomics: one host thread owns all clocks of a checker.
class ClockRef {
public:
  ClockRef() = default;
  explicit ClockRef(VectorClock *c);
  ClockRef(const ClockRef &o);
  ClockRef(ClockRef &&o) noexcept : clock(o.clock) { o.clock = nullptr; }
  ClockRef &operator=(ClockRef o) noexcept {
    std::swap(clock, o.clock);
    return *this;
  }
  ~ClockRef();
  const VectorClock *get() const { return clock; }
  const VectorClock *operator->() const { return clock; }
  const VectorClock &operator*() const { return *clock; }
  explicit operator bool() const { return clock; }
  bool operator==(const ClockRef &o) const { return clock == o.clock; }
  /// An object nobody else sees; made or copied if need be.
  VectorClock &mine();

private:
  VectorClock *clock = nullptr;
};

/// What has been published through one global location: entries are only appended, so that a reader's knowledge is a
/// prefix. There is one entry for a cluster at most.
struct ForeignLog {
  std::vector<std::pair<uint32_t, ClockRef>> entries; ///< cluster, its clocks
  std::unordered_map<uint32_t, uint32_t> ofCluster;   ///< positions
  const void *owner = nullptr;                        ///< who may append
  void add(uint32_t cluster, const ClockRef &clock);
};

struct Foreign {
  std::shared_ptr<ForeignLog> log;
  uint32_t length = 0;
  void join(const Foreign &o);
  bool covers(const Foreign &o) const;
  const VectorClock *of(uint32_t cluster) const;
};

class VectorClock {
public:
  struct Row {
    uint32_t clock = 0; ///< of all lanes; with `lanes`, a lower bound
    uint32_t lanes = 0; ///< 1 + index in laneClocks; 0: all lanes are equal
  };

  uint32_t at(uint32_t row, uint32_t lane) const {
    if (row >= rows.size())
      return 0;
    const Row &r = rows[row];
    return r.lanes ? laneClocks[r.lanes - 1][lane] : r.clock;
  }
  /// Are the accesses of all lanes up to `clock` known? Quick; may say no to what knows() affirms.
  bool knowsAll(uint32_t row, uint32_t clock) const { return row < rows.size() && rows[row].clock >= clock; }
  /// Are the accesses of `lanes` up to `clock` known?
  bool knows(uint32_t row, uint32_t lanes, uint32_t clock) const {
    if (row >= rows.size())
      return false;
    const Row &r = rows[row];
    if (r.clock >= clock)
      return true;
    if (!r.lanes)
      return false;
    for (; lanes; lanes &= lanes - 1)
      if (laneClocks[r.lanes - 1][__builtin_ctz(lanes)] < clock)
        return false;
    return true;
  }
  bool knowsSlot(uint32_t slot, uint32_t clock) const { return slot < slots.size() && slots[slot] >= clock; }

  void raise(uint32_t row, uint32_t lane, uint32_t clock);
  void raiseAll(uint32_t row, uint32_t clock);
  void raiseSlot(uint32_t slot, uint32_t clock);
  void join(const VectorClock &o);
  bool covers(const VectorClock &o) const;

  Foreign foreign;
  uint32_t references = 0;

private:
  friend class ClockRef;
  Row &row(uint32_t r) {
    if (r >= rows.size())
      rows.resize(r + 1);
    return rows[r];
  }
  void compact();
  std::vector<Row> rows;
  std::vector<std::array<uint32_t, 32>> laneClocks;
  std::vector<uint32_t> slots;
};

/// Joins shared clocks, remembering the last results: the lanes of a warp ask the same question one after another.
class ClockJoiner {
public:
  ClockRef join(const ClockRef &a, const ClockRef &b);
  void clear() {
    for (Entry &e : memo)
      e = Entry();
  }

private:
  struct Entry {
    ClockRef a, b, result;
  };
  Entry memo[4];
  unsigned next = 0;
};

inline ClockRef::ClockRef(VectorClock *c) : clock(c) {
  if (clock)
    ++clock->references;
}
inline ClockRef::ClockRef(const ClockRef &o) : ClockRef(o.clock) {}
inline ClockRef::~ClockRef() {
  if (clock && --clock->references == 0)
    delete clock;
}

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_CHECK_VECTORCLOCK_H
