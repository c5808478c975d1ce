//===- InstructionOrder.cpp - In which order ptxas might put them -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Timing/Costs.h"

#include <algorithm>
#include <map>

using namespace tileiras::emu;
using namespace tileiras::emu::timing;

namespace {

/// What may not pass what: bits of the order classes an instruction belongs to.
enum : unsigned { LoadGlobal = 1, StoreGlobal = 2, LoadShared = 4, StoreShared = 8, Wall = 16, Chain = 32 };

unsigned orderClass(const Instruction &inst) {
  switch (inst.row->op) {
  case Op::Ld:
    for (std::string_view mod : inst.mods) {
      if (mod == "param" || mod == "const" || mod == "nc")
        return 0;
      if (mod.substr(0, 6) == "shared")
        return LoadShared;
      if (mod == "volatile" || mod == "acquire" || mod == "relaxed" || mod == "mmio")
        return Wall;
    }
    return LoadGlobal;
  case Op::St:
    for (std::string_view mod : inst.mods) {
      if (mod == "param")
        return 0;
      if (mod.substr(0, 6) == "shared")
        return StoreShared;
      if (mod == "volatile" || mod == "release" || mod == "relaxed" || mod == "mmio")
        return Wall;
    }
    return StoreGlobal;
  case Op::Ldmatrix:
  case Op::Ldmatrix8:
  case Op::WmmaLoad:
    return LoadShared;
  case Op::Stmatrix:
  case Op::Stmatrix8:
  case Op::WmmaStore:
    return StoreShared;
  case Op::CpAsync:
    return Chain;
  default:
    break;
  }
  switch (inst.row->cls) {
  case InstClass::Barrier:
  case InstClass::Fence:
  case InstClass::Async:
  case InstClass::Atomic:
  case InstClass::Branch:
  case InstClass::Call:
    return Wall;
  default:
    break;
  }
  switch (inst.row->op) {
  case Op::Wgmma:
  case Op::Tcgen05Mma:
  case Op::Tcgen05Ld:
  case Op::Tcgen05St:
  case Op::Setmaxnreg:
  case Op::BarWarp:
  case Op::Trap:
  case Op::Nanosleep:
  case Op::StBulk:
    return Wall;
  default:
    return 0;
  }
}

bool ordered(unsigned first, unsigned second) {
  if ((first & Wall) || (second & Wall))
    return first && second;
  return ((first & StoreGlobal) && (second & (StoreGlobal | LoadGlobal))) ||
         ((first & LoadGlobal) && (second & StoreGlobal)) ||
         ((first & StoreShared) && (second & (StoreShared | LoadShared))) ||
         ((first & LoadShared) && (second & StoreShared)) || ((first & Chain) && (second & Chain));
}

} // namespace

/// Greedy list scheduling: of the instructions that are ready among the next `Window`, the one on the longest path.
void Costs::schedule(const Function &fn, BlockCosts &block) {
  constexpr uint32_t Window = 64;
  const uint32_t n = uint32_t(block.ops.size());
  block.position.resize(n);
  std::vector<std::vector<std::pair<uint32_t, float>>> after(n); ///< successors with the distance
  std::vector<uint32_t> waiting(n, 0);
  auto edge = [&](uint32_t from, uint32_t to, float distance) {
    if (from == to)
      return;
    after[from].push_back({to, distance});
    ++waiting[to];
  };
  std::map<uint32_t, uint32_t> writer;
  std::map<uint32_t, std::vector<uint32_t>> readers;
  std::vector<std::pair<uint32_t, unsigned>> memory; // ordered instructions since the last wall
  auto assumed = [&](const OpCost &op) {
    if (op.dynamic && op.latency == 0)
      return float(op.produces == Stall::Global ? machine.lat_l2 : machine.lat_shared);
    return op.latency;
  };
  for (uint32_t i = 0; i != n; ++i) {
    const OpCost &op = block.ops[i];
    for (uint32_t k = op.readsBegin; k != op.readsEnd; ++k) {
      uint32_t r = block.registers[k];
      if (auto it = writer.find(r); it != writer.end())
        edge(it->second, i, assumed(block.ops[it->second]));
      readers[r].push_back(i);
    }
    for (uint32_t k = op.readsEnd; k != op.writesEnd; ++k) {
      uint32_t r = block.registers[k];
      if (auto it = writer.find(r); it != writer.end())
        edge(it->second, i, assumed(block.ops[it->second]));
      for (uint32_t reader : readers[r])
        edge(reader, i, 0);
      readers[r].clear();
      writer[r] = i;
    }
    const Instruction &inst = fn.body[op.source];
    unsigned cls = orderClass(inst);
    if (cls) {
      for (auto &[other, otherClass] : memory)
        if (ordered(otherClass, cls))
          edge(other, i, 0);
      if (cls & Wall)
        memory.clear();
      memory.push_back({i, cls});
    }
    if (op.branch && i + 1 == n) // the end of the block
      for (uint32_t other = 0; other != i; ++other)
        edge(other, i, 0);
  }
  std::vector<float> path(n, 0);
  for (uint32_t i = n; i--;)
    for (auto &[next, distance] : after[i])
      path[i] = std::max(path[i], path[next] + std::max(distance, 1.0f));
  std::vector<float> ready(n, 0);
  std::vector<bool> done(n, false);
  std::vector<uint32_t> order;
  float now = 0;
  for (uint32_t first = 0; order.size() != n;) {
    while (first != n && done[first])
      ++first;
    uint32_t best = ~0u, soonest = ~0u;
    for (uint32_t i = first; i < std::min(n, first + Window); ++i) {
      if (done[i] || waiting[i])
        continue;
      if (ready[i] <= now && (best == ~0u || path[i] > path[best]))
        best = i;
      if (soonest == ~0u || ready[i] < ready[soonest])
        soonest = i;
    }
    if (best == ~0u) {
      now = ready[soonest];
      continue;
    }
    done[best] = true;
    order.push_back(best);
    for (auto &[next, distance] : after[best]) {
      --waiting[next];
      ready[next] = std::max(ready[next], now + distance);
    }
    now += float(block.ops[best].slots);
  }
  std::vector<OpCost> scheduled;
  scheduled.reserve(n);
  for (uint32_t i = 0; i != n; ++i) {
    block.position[block.ops[order[i]].source - block.begin] = i;
    scheduled.push_back(block.ops[order[i]]);
  }
  block.ops = std::move(scheduled);
}
