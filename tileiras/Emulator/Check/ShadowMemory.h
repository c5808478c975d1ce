//===- ShadowMemory.h - Last accesses of every byte ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For every cell of memory: the last write, and the reads since that are not ordered before another one. Memory is cut
// into lines of 128 bytes, which get cells when they are first touched. Cells have 1 to 16 bytes, as large as the
// accesses allow; a smaller access splits the cells of its line.
//
// A cell has 16 bytes: accesses are kept in it as a set of lanes and the number of an Epoch, which says who, when and
// by which instruction. All lanes of an instruction share an epoch, and all its executions that nothing has separated.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_CHECK_SHADOWMEMORY_H
#define TILEIRAS_EMULATOR_CHECK_SHADOWMEMORY_H

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace tileiras::emu {

constexpr uint32_t NoAgent = ~0u, SlotAgent = 0x80000000u;

struct Epoch {
  uint32_t agent = NoAgent; ///< row of a vector clock, or SlotAgent | slot
  uint32_t clock = 0;
  uint32_t cluster = 0;
  uint32_t inst = 0; ///< bits 31:4 number of the instruction, bit 3 strong, bits 2:0 scope
  bool operator==(const Epoch &o) const {
    return agent == o.agent && clock == o.clock && cluster == o.cluster && inst == o.inst;
  }
};

struct Access : Epoch {
  uint32_t lanes = 0; ///< of a row
  uint32_t id = 0;    ///< number of the epoch
  bool none() const { return agent == NoAgent; }
  bool strong() const { return inst & 8; }
  uint32_t scope() const { return inst & 7; }
};

/// Numbers epochs, in the order in which they begin: those of a cluster are above those of earlier ones. 0 is none.
class EpochTable {
public:
  EpochTable() : epochs(1), recent(RecentCount) {}
  void beginCluster() {
    firstOfCluster = uint32_t(epochs.size());
    firstOfUnits = ~0u;
  }
  /// Lower numbers belong to clusters that have ended.
  uint32_t first() const { return firstOfCluster; }
  /// Lower numbers, down to first(), belong to threads themselves.
  uint32_t firstAsync() const { return firstOfUnits; }
  uint32_t next() const { return uint32_t(epochs.size()); }
  const Epoch &operator[](uint32_t id) const { return epochs[id]; }
  const Epoch *data() const { return epochs.data(); }
  Access access(uint32_t id, uint32_t lanes) const {
    Access a;
    static_cast<Epoch &>(a) = epochs[id];
    a.lanes = lanes;
    a.id = id;
    return a;
  }
  uint32_t number(const Epoch &e) {
    uint32_t &at = recent[(e.inst * 0x9e3779b1u ^ e.agent * 0x85ebca6bu) >> (32 - RecentBits)];
    if (epochs[at] == e)
      return at;
    at = uint32_t(epochs.size());
    epochs.push_back(e);
    if (e.agent & (SlotAgent | 1))
      firstOfUnits = std::min(firstOfUnits, at);
    return at;
  }

  /// Is it time to forget the epochs that no cell names any more? `cells`: how many there are to look at.
  bool full(size_t cells) const { return epochs.size() >= std::max(limit, cells / 16); }
  /// How: keep() everything that is still named, then compact(), then renumber with renumbered().
  void keep(uint32_t id) { kept[id] = 1; }
  void beginCollection() { kept.assign(epochs.size(), 0); }
  void compact();
  uint32_t renumbered(uint32_t id) const { return kept[id]; }
  size_t size() const { return epochs.size(); }
  void setLimit(size_t least) { limit = smallest = least; } ///< for tests

private:
  static constexpr unsigned RecentBits = 11, RecentCount = 1u << RecentBits;
  std::vector<Epoch> epochs;
  std::vector<uint32_t> recent, kept;
  uint32_t firstOfCluster = 1, firstOfUnits = ~0u;
  size_t smallest = size_t(1) << 16, limit = smallest;
};

/// In Cell::read: the other bits are the number of a list of readers.
constexpr uint32_t ManyReaders = 0x80000000u;
/// In Cell::write: not the last write, for there was none, but a reader of an earlier cluster.
constexpr uint32_t EarlierReader = 0x80000000u;

/// Numbers of epochs, and the lanes. One reader at most, or a list made by a cluster: then readLanes is its number.
struct Cell {
  uint32_t write = 0, writeLanes = 0, read = 0, readLanes = 0;
  bool written() const { return int32_t(write) > 0; }
  bool readEarlier() const { return write & EarlierReader; }
};

struct Reader {
  uint32_t id = 0, lanes = 0;
};

class ShadowMemory {
public:
  ShadowMemory();
  ShadowMemory(ShadowMemory &&) = delete;
  /// Forgets everything.
  void clear();
  /// Calls f(Cell &, address, bytes) for the cells of [address, address + bytes).
  template <typename F> void each(uint64_t address, uint64_t bytes, F f) {
    for (uint64_t end = address + bytes; address != end;) {
      uint64_t stop = std::min(end, (address | 127) + 1);
      Line &line = lineAt(address >> 7);
      unsigned fit = std::min<unsigned>(4, unsigned(__builtin_ctzll(address | stop)));
      if (!line.cells || line.shift > fit)
        refine(line, fit);
      for (; address != stop; address += uint64_t(1) << line.shift)
        f(line.cells[(address & 127) >> line.shift], address, unsigned(1) << line.shift);
    }
  }
  /// The cells of [address, address + bytes), which lies within a line.
  Cell *cellsAt(uint64_t address, unsigned bytes, unsigned &count) {
    Line &line = lineAt(address >> 7);
    if ((unsigned(address) | bytes) & line.within) [[unlikely]]
      refine(line, std::min<unsigned>(4, unsigned(__builtin_ctzll(address | bytes))));
    count = bytes >> line.shift;
    return &line.cells[(address & 127) >> line.shift];
  }
  /// The cell of the word at `address` if it has one of its own; else null.
  Cell *wordAt(uint64_t address) {
    Line &line = lineAt(address >> 7);
    return line.within == 3 ? line.cells + (address & 127) / 4 : nullptr;
  }
  /// All cells of the line at `address`, and their size; `multiples` has no bit below that of a cell.
  Cell *lineOf(uint64_t address, unsigned multiples, unsigned &shift) {
    Line &line = lineAt(address >> 7);
    if (multiples & line.within) [[unlikely]]
      refine(line, std::min<unsigned>(4, unsigned(__builtin_ctz(multiples))));
    shift = line.shift;
    return line.cells;
  }
  /// Calls f(Cell &, address, bytes) for every cell that was touched.
  template <typename F> void all(F f) {
    for (auto &[number, page] : pages)
      for (unsigned k = 0; k != LinesPerPage; ++k)
        if (Line &line = page->lines[k]; line.cells)
          for (unsigned c = 0; c != 128u >> line.shift; ++c)
            f(line.cells[c], (number * LinesPerPage + k) * 128 + (c << line.shift), 1u << line.shift);
  }
  size_t cellCount() const { return cells; }

  /// The place of a warp's threads in the cell's list of readers; the cell's single reader, one of the running cluster,
  /// becomes a list.
  Reader &readerOf(const EpochTable &epochs, Cell &cell, uint32_t agent) {
    uint32_t n = cell.read & ~ManyReaders;
    if (!(cell.read & ManyReaders))
      n = makeList(epochs, cell);
    for (uint32_t group = agent / 16; n; n = nodes[n].next)
      if (nodes[n].group == group)
        return nodes[n].readers[agent / 2 % 8];
    return addGroup(cell, agent / 16).readers[agent / 2 % 8];
  }
  /// Makes a list of the cell's reader and another one, threads of two warps.
  void makePair(Cell &cell, uint32_t cluster, uint32_t agent, uint32_t other, Reader reader) {
    uint32_t n = newNode(agent / 16, 0);
    nodes[n].readers[agent / 2 % 8] = {cell.read, cell.readLanes};
    cell.read = ManyReaders | n;
    cell.readLanes = cluster;
    (agent / 16 == other / 16 ? nodes[n] : addGroup(cell, other / 16)).readers[other / 2 % 8] = reader;
  }
  /// Adds to the list a reader that has no place of its own, or whose place is taken. Returns how many there are.
  unsigned addReader(const EpochTable &epochs, Cell &cell, Reader reader);
  /// The same where it takes no search, else null.
  Reader *quickReaderOf(const Cell &cell, uint32_t agent) {
    Node &n = nodes[cell.read & ~ManyReaders];
    return n.group == agent / 16 ? &n.readers[agent / 2 % 8] : nullptr;
  }
  /// Is f(const Reader &) true for every member of the list?
  template <typename F> bool everyReader(const Cell &cell, F f) const {
    for (uint32_t n = cell.read & ~ManyReaders; n; n = nodes[n].next)
      for (const Reader &r : nodes[n].readers)
        if (r.id && !f(r))
          return false;
    return true;
  }
  void dropReaders(Cell &cell) {
    if (cell.read & ManyReaders) [[unlikely]] {
      uint32_t n = cell.read & ~ManyReaders;
      nodes[n].nextFree = freeLists;
      freeLists = n;
    }
    cell.read = cell.readLanes = 0;
  }
  /// Some member of the list that is of the cluster that made it.
  Reader someReader(const Cell &cell) const {
    const Reader *r = nodes[cell.read & ~ManyReaders].readers;
    while (!r->id)
      ++r;
    return *r;
  }
  /// Calls f(uint32_t &id) for every number of an epoch that is not 0.
  template <typename F> void eachEpoch(F f) {
    all([&](Cell &cell, uint64_t, unsigned) {
      if (uint32_t id = cell.write & ~EarlierReader) {
        f(id);
        cell.write = id | (cell.write & EarlierReader);
      }
      if (cell.read & ManyReaders) {
        for (uint32_t n = cell.read & ~ManyReaders; n; n = nodes[n].next)
          for (Reader &r : nodes[n].readers)
            if (r.id)
              f(r.id);
      } else if (cell.read) {
        f(cell.read);
      }
    });
  }

private:
  static constexpr unsigned LinesPerPage = 64;
  struct Line {
    Cell *cells = nullptr;
    uint32_t within = ~0u; ///< bits of an address below the size of a cell; all bits: there are no cells
    uint32_t shift = 0;
  };
  struct Page {
    Line lines[LinesPerPage];
  };
  /// Part of a list: the threads of eight warps, each of which has its place, or others in any order.
  struct Node {
    Reader readers[8] = {};
    uint32_t group = Others, next = 0, length = 0; ///< length: of others, in the first node
    uint32_t nextFree = 0;                         ///< the next list that nobody uses
    static constexpr uint32_t Others = ~0u;
  };
  struct Recent {
    uint64_t number = ~uint64_t(0);
    Page *page = nullptr;
  };
  Line &lineAt(uint64_t number) {
    uint64_t page = number / LinesPerPage;
    Recent &r = recent[page % RecentCount];
    if (r.number != page) [[unlikely]]
      findPage(r, page);
    return r.page->lines[number % LinesPerPage];
  }
  void findPage(Recent &r, uint64_t number);
  void refine(Line &line, unsigned shift);
  Cell *newCells(unsigned count);
  uint32_t newNode(uint32_t group, uint32_t next);
  uint32_t makeList(const EpochTable &epochs, Cell &cell);
  Node &addGroup(Cell &cell, uint32_t group);
  uint32_t copyList(uint32_t read);

  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;
  static constexpr unsigned RecentCount = 128;
  std::unique_ptr<Recent[]> recent;
  /// Cells live in blocks that grow with what is used, and are given back all at once.
  std::vector<std::unique_ptr<Cell[]>> blocks;
  size_t blockUsed = 0, blockSize = 0, cells = 0;
  std::vector<Node> nodes;
  uint32_t freeLists = 0;
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_CHECK_SHADOWMEMORY_H
