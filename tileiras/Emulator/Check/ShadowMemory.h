//===- ShadowMemory.h - Last accesses of every byte ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For every cell of memory: the last write, and the reads since that are not ordered before another one. Memory is cut
// into lines of 128 bytes, which get cells when they are first touched. Cells have 1 to 16 bytes, as large as the
// accesses allow; a smaller access splits the cells of its line.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_CHECK_SHADOWMEMORY_H
#define TILEIRAS_EMULATOR_CHECK_SHADOWMEMORY_H

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace tileiras::emu {

constexpr uint32_t NoAgent = ~0u, ManyReaders = ~0u - 1, SlotAgent = 0x80000000u;

struct Access {
  uint32_t agent = NoAgent; ///< row of a vector clock, or SlotAgent | slot
  uint32_t lanes = 0;       ///< of a row
  uint32_t clock = 0;       ///< ManyReaders: number of the list
  uint32_t cluster = 0;
  uint32_t inst = 0;        ///< bits 31:4 number of the instruction, bit 3 strong, bits 2:0 scope
  bool none() const { return agent == NoAgent; }
  bool strong() const { return inst & 8; }
  uint32_t scope() const { return inst & 7; }
};

struct Cell {
  Access write, read;
};

class ShadowMemory {
public:
  /// Forgets everything.
  void clear();
  /// Calls f(Cell &, address, bytes) for the cells of [address, address + bytes).
  template <typename F> void each(uint64_t address, uint64_t bytes, F f) {
    for (uint64_t end = address + bytes; address != end;) {
      uint64_t stop = std::min(end, (address | 127) + 1);
      Line &line = lineAt(address >> 7);
      unsigned fit = std::min<unsigned>(4, unsigned(__builtin_ctzll(address | stop)));
      if (!line.cells)
        makeCells(line, fit);
      else if (line.shift > fit)
        split(line, fit);
      for (; address != stop; address += uint64_t(1) << line.shift)
        f(line.cells[(address & 127) >> line.shift], address, unsigned(1) << line.shift);
    }
  }
  /// The cells of [address, address + bytes) if they exist and are as large as they can be there; else null.
  Cell *ready(uint64_t address, unsigned bytes, unsigned &count) {
    Line &line = lineAt(address >> 7);
    unsigned offset = unsigned(address & 127);
    if (!line.cells || offset + bytes > 128 || ((address | bytes) & ((1u << line.shift) - 1)))
      return nullptr;
    count = bytes >> line.shift;
    return &line.cells[offset >> line.shift];
  }
  /// Calls f(Cell &, address, bytes) for every cell that was touched.
  template <typename F> void all(F f) {
    for (auto &[number, page] : pages)
      for (unsigned k = 0; k != LinesPerPage; ++k)
        if (Line &line = page->lines[k]; line.cells)
          for (unsigned c = 0; c != 128u >> line.shift; ++c)
            f(line.cells[c], (number * LinesPerPage + k) * 128 + (c << line.shift), 1u << line.shift);
  }

  std::vector<Access> &readers(const Access &many) { return lists[many.clock]; }
  /// Makes `read` a list with its present content.
  std::vector<Access> &makeReaders(Access &read);
  void dropReaders(Access &read) {
    if (read.agent == ManyReaders)
      freeLists.push_back(read.clock);
    read = Access();
  }

private:
  static constexpr unsigned LinesPerPage = 64;
  struct Line {
    std::unique_ptr<Cell[]> cells;
    uint8_t shift = 0;
  };
  struct Page {
    Line lines[LinesPerPage];
  };
  Line &lineAt(uint64_t number) {
    uint64_t page = number / LinesPerPage;
    if (page != lastNumber || !last) {
      std::unique_ptr<Page> &p = pages[page];
      if (!p)
        p = std::make_unique<Page>();
      last = p.get();
      lastNumber = page;
    }
    return last->lines[number % LinesPerPage];
  }
  void makeCells(Line &line, unsigned shift);
  void split(Line &line, unsigned shift);

  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;
  Page *last = nullptr;
  uint64_t lastNumber = 0;
  std::vector<std::vector<Access>> lists;
  std::vector<uint32_t> freeLists;
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_CHECK_SHADOWMEMORY_H
