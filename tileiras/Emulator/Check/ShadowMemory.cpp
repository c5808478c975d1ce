//===- ShadowMemory.cpp - Last accesses of every byte ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Check/ShadowMemory.h"

using namespace tileiras::emu;

//===----------------------------------------------------------------------===//
// Epochs
//===----------------------------------------------------------------------===//

void EpochTable::compact() {
  uint32_t to = 1, first = firstOfCluster;
  firstOfCluster = 0;
  for (uint32_t id = 1; id != epochs.size(); ++id) {
    if (id >= first && !firstOfCluster)
      firstOfCluster = to;
    if (!kept[id])
      continue;
    epochs[to] = epochs[id];
    kept[id] = to++;
  }
  epochs.resize(to);
  if (!firstOfCluster)
    firstOfCluster = to;
  if (firstOfUnits != ~0u)
    firstOfUnits = firstOfCluster; // to be on the safe side
  recent.assign(RecentCount, 0);
  limit = std::max(smallest, 2 * epochs.size());
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

ShadowMemory::ShadowMemory() : recent(std::make_unique<Recent[]>(RecentCount)), nodes(1) {}

void ShadowMemory::clear() {
  // The cells stay: the next block touches the same ones.
  for (auto &[number, page] : pages)
    for (Line &line : page->lines)
      if (line.cells)
        std::fill_n(line.cells, 128u >> line.shift, Cell());
  nodes.resize(1);
  freeLists = 0;
}

void ShadowMemory::findPage(Recent &r, uint64_t number) {
  std::unique_ptr<Page> &p = pages[number];
  if (!p)
    p = std::make_unique<Page>();
  r.number = number;
  r.page = p.get();
}

Cell *ShadowMemory::newCells(unsigned count) {
  if (blockUsed + count > blockSize) {
    blockSize = std::clamp<size_t>(cells, 256, 8192);
    blocks.push_back(std::make_unique<Cell[]>(blockSize));
    blockUsed = 0;
  }
  Cell *at = blocks.back().get() + blockUsed;
  blockUsed += count;
  cells += count;
  return at;
}

/// Gives the line cells of `1 << shift` bytes, with what its larger ones have.
void ShadowMemory::refine(Line &line, unsigned shift) {
  Cell *fine = newCells(128u >> shift);
  if (line.cells) {
    unsigned parts = 1u << (line.shift - shift);
    for (unsigned c = 0; c != 128u >> line.shift; ++c)
      for (unsigned p = 0; p != parts; ++p) {
        const Cell &from = line.cells[c];
        Cell &to = fine[c * parts + p];
        to = from;
        if (p && from.read & ManyReaders)
          to.read = copyList(from.read);
      }
  }
  line.cells = fine;
  line.shift = shift;
  line.within = (1u << shift) - 1;
}

//===----------------------------------------------------------------------===//
// Readers
//===----------------------------------------------------------------------===//

uint32_t ShadowMemory::newNode(uint32_t group, uint32_t next) {
  uint32_t n = freeLists;
  if (n) {
    freeLists = nodes[n].nextFree;
    if (uint32_t rest = nodes[n].next) {
      nodes[rest].nextFree = freeLists;
      freeLists = rest;
    }
    nodes[n] = Node();
  } else {
    n = uint32_t(nodes.size());
    nodes.emplace_back();
  }
  nodes[n].group = group;
  nodes[n].next = next;
  return n;
}

uint32_t ShadowMemory::copyList(uint32_t read) {
  uint32_t head = 0, last = 0;
  for (uint32_t n = read & ~ManyReaders; n; n = nodes[n].next) {
    uint32_t copy = newNode(0, 0);
    nodes[copy] = nodes[n];
    nodes[copy].next = 0;
    (last ? nodes[last].next : head) = copy;
    last = copy;
  }
  return ManyReaders | head;
}

uint32_t ShadowMemory::makeList(const EpochTable &epochs, Cell &cell) {
  Reader first = {cell.read, cell.readLanes};
  Epoch e = epochs[first.id];
  bool thread = !(e.agent & (SlotAgent | 1));
  uint32_t n = newNode(thread ? e.agent / 16 : Node::Others, 0);
  nodes[n].readers[thread ? e.agent / 2 % 8 : 0] = first;
  nodes[n].length = !thread;
  cell.read = ManyReaders | n;
  cell.readLanes = e.cluster;
  return n;
}

ShadowMemory::Node &ShadowMemory::addGroup(Cell &cell, uint32_t group) {
  // Behind the first node, which counts the others.
  uint32_t head = cell.read & ~ManyReaders;
  uint32_t n = newNode(group, nodes[head].next);
  nodes[head].next = n;
  return nodes[n];
}

unsigned ShadowMemory::addReader(const EpochTable &epochs, Cell &cell, Reader reader) {
  uint32_t head = cell.read & ManyReaders ? cell.read & ~ManyReaders : makeList(epochs, cell);
  uint32_t n = head, length = ++nodes[head].length;
  while (n && nodes[n].group != Node::Others)
    n = nodes[n].next;
  // The node of others that was added last is the one that may have a place.
  unsigned at = 8;
  if (n)
    for (at = 0; at != 8 && nodes[n].readers[at].id; ++at)
      ;
  if (at == 8) {
    n = newNode(Node::Others, nodes[head].next);
    nodes[head].next = n;
    at = 0;
  }
  nodes[n].readers[at] = reader;
  return length;
}
