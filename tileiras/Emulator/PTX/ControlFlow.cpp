//===- ControlFlow.cpp - Basic blocks of a PTX function ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/ControlFlow.h"

#include "tileiras/Emulator/PTX/InstructionTable.h"

#include <algorithm>

using namespace tileiras::emu;

static bool endsBlock(const Instruction &inst) {
  switch (inst.row->op) {
  case Op::Bra:
  case Op::Brx:
  case Op::Ret:
  case Op::Exit:
  case Op::Trap:
    return true;
  case Op::Call: // a call of a .noreturn function still comes back if the callee does
  default:
    return false;
  }
}

namespace {

/// Orders the nodes of one region; see the header.
class Orderer {
public:
  Orderer(const std::vector<BasicBlock> &blocks, std::vector<uint32_t> &out)
      : blocks(blocks), out(out), region(blocks.size(), 0), index(blocks.size()), low(blocks.size()),
        onStack(blocks.size()) {}

  /// Appends the order of all nodes with region[n] == id reachable from `entry`. Inside a loop the edges back to its
  /// entry are ignored.
  void run(uint32_t entry, uint32_t id, bool insideLoop) {
    std::vector<std::vector<uint32_t>> components; // Tarjan yields them in reverse topological order
    tarjan(entry, insideLoop ? entry : ~0u, id, components);
    for (auto it = components.rbegin(); it != components.rend(); ++it) {
      if (it->size() == 1) {
        out.push_back(it->front());
        continue;
      }
      // A loop. Its entry is the node that Tarjan reached first, i.e. the last one popped.
      uint32_t header = it->back();
      uint32_t inner = ++regions;
      for (uint32_t n : *it)
        region[n] = inner;
      run(header, inner, true);
    }
  }

private:
  void tarjan(uint32_t root, uint32_t ignored, uint32_t id, std::vector<std::vector<uint32_t>> &components) {
    struct Visit {
      uint32_t node;
      size_t next;
    };
    std::vector<Visit> visits;
    std::vector<uint32_t> stack;
    uint32_t counter = 0;
    auto open = [&](uint32_t n) {
      index[n] = low[n] = ++counter;
      stack.push_back(n);
      onStack[n] = true;
      visits.push_back({n, 0});
    };
    for (uint32_t n = 0; n != blocks.size(); ++n)
      if (region[n] == id)
        index[n] = 0;
    open(root);
    while (!visits.empty()) {
      uint32_t n = visits.back().node;
      if (visits.back().next < blocks[n].successors.size()) {
        uint32_t s = blocks[n].successors[visits.back().next++];
        if (region[s] != id || s == ignored)
          continue;
        if (index[s] == 0)
          open(s);
        else if (onStack[s])
          low[n] = std::min(low[n], index[s]);
        continue;
      }
      visits.pop_back();
      if (!visits.empty())
        low[visits.back().node] = std::min(low[visits.back().node], low[n]);
      if (low[n] != index[n])
        continue;
      std::vector<uint32_t> component;
      uint32_t m;
      do {
        m = stack.back();
        stack.pop_back();
        onStack[m] = false;
        component.push_back(m);
      } while (m != n);
      components.push_back(std::move(component));
    }
  }

  const std::vector<BasicBlock> &blocks;
  std::vector<uint32_t> &out;
  std::vector<uint32_t> region, index, low;
  std::vector<char> onStack;
  uint32_t regions = 0;
};

} // namespace

ControlFlow tileiras::emu::buildControlFlow(const Function &fn) {
  ControlFlow cf;
  uint32_t n = uint32_t(fn.body.size());
  std::vector<char> leader(n + 1, 0);
  leader[0] = leader[n] = 1;
  for (const Label &label : fn.labels)
    leader[label.inst] = 1;
  for (uint32_t i = 0; i != n; ++i)
    if (endsBlock(fn.body[i]))
      leader[i + 1] = 1;
  std::vector<uint32_t> blockAt(n + 1);
  for (uint32_t i = 0; i <= n; ++i) {
    if (leader[i]) {
      if (!cf.blocks.empty())
        cf.blocks.back().end = i;
      cf.blocks.emplace_back();
      cf.blocks.back().begin = cf.blocks.back().end = i;
    }
    blockAt[i] = uint32_t(cf.blocks.size()) - 1;
  }
  cf.blocks.back().end = n;
  for (const Label &label : fn.labels)
    cf.blockOfLabel.push_back(blockAt[label.inst]);
  for (uint32_t b = 0; b + 1 < cf.blocks.size(); ++b) {
    BasicBlock &block = cf.blocks[b];
    const Instruction &last = fn.body[block.end - 1];
    bool falls = true;
    if (endsBlock(last)) {
      falls = last.guard >= 0;
      if (last.row->op == Op::Bra)
        block.successors.push_back(cf.blockOfLabel[last.operands[0].reg]);
      if (last.row->op == Op::Brx)
        for (const Operand &target : fn.tables[last.operands[1].reg].targets)
          block.successors.push_back(cf.blockOfLabel[target.reg]);
    }
    if (falls) {
      block.fallthrough = b + 1;
      block.successors.push_back(b + 1);
    }
    std::sort(block.successors.begin(), block.successors.end());
    block.successors.erase(std::unique(block.successors.begin(), block.successors.end()), block.successors.end());
  }
  Orderer(cf.blocks, cf.order).run(0, 0, false);
  return cf;
}
