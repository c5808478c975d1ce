//===- ShadowMemory.cpp - Last accesses of every byte ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Check/ShadowMemory.h"

#include <algorithm>

using namespace tileiras::emu;

void ShadowMemory::clear() {
  // The cells stay: the next block touches the same ones.
  for (auto &[number, page] : pages)
    for (Line &line : page->lines)
      if (line.cells)
        std::fill_n(line.cells.get(), 128u >> line.shift, Cell());
  lists.clear();
  freeLists.clear();
}

void ShadowMemory::makeCells(Line &line, unsigned shift) {
  line.cells = std::make_unique<Cell[]>(128u >> shift);
  line.shift = uint8_t(shift);
}

void ShadowMemory::split(Line &line, unsigned shift) {
  auto fine = std::make_unique<Cell[]>(128u >> shift);
  unsigned parts = 1u << (line.shift - shift);
  for (unsigned c = 0; c != 128u >> line.shift; ++c)
    for (unsigned p = 0; p != parts; ++p) {
      Cell &to = fine[c * parts + p];
      to = line.cells[c];
      if (p && to.read.agent == ManyReaders) {
        std::vector<Access> copy = lists[to.read.clock];
        to.read = Access();
        makeReaders(to.read) = std::move(copy);
      }
    }
  line.cells = std::move(fine);
  line.shift = uint8_t(shift);
}

std::vector<Access> &ShadowMemory::makeReaders(Access &read) {
  uint32_t number;
  if (freeLists.empty()) {
    number = uint32_t(lists.size());
    lists.emplace_back();
  } else {
    number = freeLists.back();
    freeLists.pop_back();
    lists[number].clear();
  }
  if (!read.none())
    lists[number].push_back(read);
  read = Access();
  read.agent = ManyReaders;
  read.clock = number;
  return lists[number];
}
