//===- RaceLifetime.cpp - Clusters and blocks come and go ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the race checker keeps of clusters, blocks and warps: from when they begin until nothing of them can matter any
// more. Accesses are in RaceChecker.cpp.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Check/RaceChecker.h"

#include <algorithm>
#include <span>

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
  if (c.joins) {
    join(c);
    return;
  }
  cluster = &c;
  base = 0;
  bases = {{&c, 0}};
  ++clusterNumber;
  epochs.beginCluster();
  const Dim3 &id = c.ctas[0]->id, &size = launch.cluster;
  uint64_t index = id.x / size.x + uint64_t(launch.grid.x / size.x) *
                                       (id.y / size.y + uint64_t(launch.grid.y / size.y) * (id.z / size.z));
  if (clusterRuns.empty() || clusterRuns.back().second + (clusterNumber - clusterRuns.back().first) != index)
    clusterRuns.emplace_back(clusterNumber, index);
  blocks.resize(c.ctas.size());
  warps.resize(c.ctas.size() * warpsPerBlock);
  clusterPhases.assign(1, {});
  beginBlocks(c);
  for (auto &[space, shadow] : others)
    shadow.clear();
  mbarriers.clear();
  locations[0].clear();
  slots.clear();
  ops.clear();
  queueSlots.clear();
  joiner.clear();
}

/// The blocks from `base` on are new.
void RaceChecker::beginBlocks(Cluster &c) {
  for (size_t k = base; k != blocks.size(); ++k) {
    auto &b = blocks[k];
    if (!b)
      b = std::make_unique<BlockState>();
    b->shared.clear();
    for (BarrierClock &barrier : b->barriers)
      if (barrier.used)
        barrier = BarrierClock();
    b->exited = Released();
    b->liveWarps = warpsPerBlock;
  }
  for (size_t k = size_t(base) * warpsPerBlock; k != warps.size(); ++k) {
    Cta &cta = *c.ctas[k / warpsPerBlock - base];
    warps[k].begin(cta.warps[k % warpsPerBlock].get(), uint32_t(2 * k));
    warps[k].block = cta.id;
  }
}

/// A further cluster is under way together with the others.
void RaceChecker::join(Cluster &c) {
  std::vector<Dim3> &first = together[clusterNumber];
  if (first.empty())
    first.push_back(warps[0].block);
  first.push_back(c.ctas[0]->id);
  cluster = &c;
  base = uint32_t(blocks.size());
  bases[&c] = base;
  blocks.resize(base + c.ctas.size());
  warps.resize((base + c.ctas.size()) * warpsPerBlock);
  clusterPhases.emplace_back();
  beginBlocks(c);
  // What a block knows of itself at a barrier is no longer all there is.
  for (WarpState &w : warps)
    w.horizon = 0;
}

void RaceChecker::clusterResume(Cluster &c) {
  cluster = &c;
  base = bases.at(&c);
}

/// As new, touching only what has been used.
void RaceChecker::WarpState::begin(Warp *itsWarp, uint32_t itsRow) {
  warp = itsWarp;
  row = itsRow;
  clock = 1;
  horizon = published = 0;
  same = true;
  for (Knowledge &k : std::span(lanes, hasSpread ? 32 : 1))
    k = Knowledge();
  hasSpread = false;
  if (ownSets)
    std::fill(std::begin(own), std::end(own), Own());
  ownSets = 0;
  for (auto &p : patterns)
    p.reset();
}

Dim3 RaceChecker::firstBlockOf(const Access &e) const {
  const uint32_t number = e.cluster;
  if (auto found = together.find(number); found != together.end())
    return e.agent & SlotAgent || clusterOfRow(e) >= found->second.size() ? found->second[0]
                                                                          : found->second[clusterOfRow(e)];
  auto run = std::prev(std::upper_bound(clusterRuns.begin(), clusterRuns.end(), std::pair(number, ~uint64_t(0))));
  return launch.firstBlock(run->second + (number - run->first));
}

/// Forgets the epochs that nothing names any more. Only between accesses.
void RaceChecker::collectEpochs() {
  auto eachMemory = [&](auto f) {
    f(global);
    for (auto &b : blocks)
      f(b->shared);
    for (auto &[space, shadow] : others)
      f(shadow);
  };
  epochs.beginCollection();
  eachMemory([&](ShadowMemory &m) { m.eachEpoch([&](uint32_t id) { epochs.keep(id); }); });
  epochs.compact();
  for (WarpState &w : warps)
    w.horizon = 0;
  eachMemory([&](ShadowMemory &m) { m.eachEpoch([&](uint32_t &id) { id = epochs.renumbered(id); }); });
}

//===----------------------------------------------------------------------===//
// The end of a block
//===----------------------------------------------------------------------===//

/// Nobody may touch the shared memory of a block that has exited: what others do there must be known to its threads.
void RaceChecker::blockEnds(Cta &cta) {
  BlockState &block = blockOf(cta.rank);
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
  auto look = [&](uint32_t id, uint32_t lanes, bool writes, uint64_t address, unsigned bytes) {
    Access e = epochs.access(id, lanes);
    bool unit = e.agent & SlotAgent;
    if (e.cluster != clusterNumber || (!unit && blockOfRow(e) == base + cta.rank) || known(v, e, Plain))
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
    if (cell.written())
      look(cell.write, cell.writeLanes, true, address, bytes);
    if (cell.read & ManyReaders)
      block.shared.everyReader(cell, [&](const Reader &r) {
        look(r.id, r.lanes, false, address, bytes);
        return true;
      });
    else if (cell.read)
      look(cell.read, cell.readLanes, false, address, bytes);
  });
}

void RaceChecker::clusterEnd(Cluster &) {}
