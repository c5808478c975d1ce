//===- RegisterAllocation.cpp - Rows for virtual registers ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/RegisterAllocation.h"

#include <algorithm>
#include <map>
#include <set>

using namespace tileiras::emu;

namespace {

class Bits {
public:
  explicit Bits(size_t n = 0) : words((n + 63) / 64) {}
  void set(size_t i) { words[i / 64] |= uint64_t(1) << (i % 64); }
  void clear(size_t i) { words[i / 64] &= ~(uint64_t(1) << (i % 64)); }
  bool get(size_t i) const { return words[i / 64] >> (i % 64) & 1; }
  /// this |= (a & ~b); true if that changed anything.
  bool merge(const Bits &a, const Bits &b) {
    uint64_t change = 0;
    for (size_t i = 0; i != words.size(); ++i) {
      uint64_t v = words[i] | (a.words[i] & ~b.words[i]);
      change |= v ^ words[i];
      words[i] = v;
    }
    return change;
  }
  template <typename F> void each(F f) const {
    for (size_t i = 0; i != words.size(); ++i)
      for (uint64_t w = words[i]; w; w &= w - 1)
        f(i * 64 + size_t(__builtin_ctzll(w)));
  }

private:
  std::vector<uint64_t> words;
};

/// Calls f(register, isDefinition) for all registers of an instruction.
template <typename F> void operandRegisters(const Operand &op, bool definition, F f) {
  if (op.kind == Operand::Reg)
    f(op.reg, definition);
  for (const Operand &part : op.parts)
    operandRegisters(part, definition && op.kind != Operand::Mem, f);
}
template <typename F> void registersOf(const Instruction &inst, F f) {
  if (inst.guard >= 0)
    f(inst.guard, false);
  for (size_t k = 0; k != inst.operands.size(); ++k) {
    bool definition = false;
    const auto &specs = inst.row->operandSpecs;
    if (inst.row->op == Op::Call)
      definition = k == 0 && inst.operands[k].kind == Operand::List && inst.operands.size() > 1 &&
                   inst.operands[1].kind != Operand::Proto;
    else if (k < specs.size() && specs[k].kind != '*')
      definition = std::string_view("dDRepq").find(specs[k].kind) != std::string_view::npos;
    else
      definition = k == 0; // mov, mma, createpolicy
    operandRegisters(inst.operands[k], definition, f);
  }
}

} // namespace

void tileiras::emu::forEachRegister(const Instruction &inst, const std::function<void(int32_t, bool)> &f) {
  registersOf(inst, f);
}

bool tileiras::emu::isAsyncOperand(const Instruction &inst, size_t k) {
  // D, and A if it is a list of registers.
  if (inst.row->op == Op::Wgmma)
    return k < 2 && inst.operands[k].kind == Operand::Vector;
  // Destinations, the result of .red among them.
  return inst.row->op == Op::Tcgen05Ld && (k == 0 || inst.operands[k].kind == Operand::Reg);
}

void tileiras::emu::allocateRegisters(FunctionCode &code, const ControlFlow &cf) {
  const Function &fn = *code.ast;
  size_t n = fn.registers.size(), blocks = cf.blocks.size();
  // Liveness. A guarded instruction leaves the old value in some lanes, so its definitions do not kill.
  std::vector<Bits> use(blocks, Bits(n)), def(blocks, Bits(n)), in(blocks, Bits(n)), out(blocks, Bits(n));
  for (size_t b = 0; b != blocks; ++b)
    for (uint32_t k = cf.blocks[b].begin; k != cf.blocks[b].end; ++k) {
      const Instruction &inst = fn.body[k];
      registersOf(inst, [&](int32_t r, bool definition) {
        if ((!definition || inst.guard >= 0) && !def[b].get(size_t(r)))
          use[b].set(size_t(r));
      });
      if (inst.guard < 0)
        registersOf(inst, [&](int32_t r, bool definition) {
          if (definition)
            def[b].set(size_t(r));
        });
    }
  const Bits none(n);
  for (size_t b = 0; b != blocks; ++b)
    in[b].merge(use[b], none);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t o = cf.order.size(); o--;) {
      uint32_t b = cf.order[o];
      for (uint32_t s : cf.blocks[b].successors)
        changed |= out[b].merge(in[s], none);
      changed |= in[b].merge(out[b], def[b]);
    }
  }
  // One interval per register, in layout order.
  constexpr uint32_t Never = ~0u;
  std::vector<uint32_t> first(n, Never), last(n, 0);
  auto touch = [&](size_t r, uint32_t at) {
    first[r] = std::min(first[r], at);
    last[r] = std::max(last[r], at);
  };
  uint32_t position = 1;
  for (uint32_t b : cf.order) {
    in[b].each([&](size_t r) { touch(r, position); });
    for (uint32_t k = cf.blocks[b].begin; k != cf.blocks[b].end; ++k, ++position)
      registersOf(fn.body[k], [&](int32_t r, bool) { touch(size_t(r), position); });
    ++position;
    out[b].each([&](size_t r) { touch(r, position - 1); });
  }
  for (const auto *list : {&fn.paramRegs, &fn.returnRegs})
    for (int32_t r : *list)
      if (r >= 0) {
        touch(size_t(r), 0);
        touch(size_t(r), position);
      }
  code.asyncNumber.assign(n, -1);
  code.asyncRegisters = 0;
  for (const Instruction &inst : fn.body)
    for (size_t k = 0; k != inst.operands.size(); ++k)
      if (isAsyncOperand(inst, k))
        operandRegisters(inst.operands[k], false, [&](int32_t r, bool) {
          if (code.asyncNumber[size_t(r)] >= 0)
            return;
          code.asyncNumber[size_t(r)] = int32_t(code.asyncRegisters++);
          touch(size_t(r), 0);
          touch(size_t(r), position);
        });
  // Linear scan, one pool per width; width 0 stands for predicates.
  code.frameBytes = 32 * SinkBytes;
  code.predicates = FirstPred;
  code.regs.assign(n, 0);
  std::vector<size_t> order;
  for (size_t r = 0; r != n; ++r)
    if (first[r] != Never)
      order.push_back(r);
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return first[a] != first[b] ? first[a] < first[b] : a < b; });
  struct Pool {
    std::vector<uint32_t> free;
    std::multimap<uint32_t, uint32_t> busy; ///< last position -> row
  };
  std::map<unsigned, Pool> pools;
  for (size_t r : order) {
    Type t = fn.registers[r].type;
    unsigned bytes = t == Type::Pred ? 0 : std::max(16u, typeBits(t)) / 8;
    Pool &pool = pools[bytes];
    while (!pool.busy.empty() && pool.busy.begin()->first < first[r]) {
      pool.free.push_back(pool.busy.begin()->second);
      pool.busy.erase(pool.busy.begin());
    }
    uint32_t row;
    if (!pool.free.empty()) {
      row = pool.free.back();
      pool.free.pop_back();
    } else if (bytes == 0) {
      row = code.predicates++;
    } else {
      row = code.frameBytes;
      code.frameBytes += 32 * bytes;
    }
    code.regs[r] = row;
    pool.busy.emplace(last[r], row);
  }
}
