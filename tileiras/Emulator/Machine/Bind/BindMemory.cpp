//===- BindMemory.cpp - Loads, stores, atomics ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Bind/Binder.h"

#include "tileiras/Emulator/Machine/Exec/Handlers.h"

#include <algorithm>

using namespace tileiras::emu;

Binder::Bound Binder::bindMemory(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  switch (inst.row->op) {
  case Op::Ld:
  case Op::St:
    return bindLoadStore(inst, i);
  case Op::StBulk: {
    if (ops[2].bits != 0)
      return error(ops[2].loc, "st.bulk stores zeros only"), true;
    program.memAux.emplace_back();
    MemAux &aux = program.memAux.back();
    address(inst, ops[0], i, aux);
    i.b = source(ops[1], Type::U64);
    return finish(i, handlers::storeBulk);
  }
  case Op::Atom:
  case Op::Red:
    return bindAtomic(inst, i);
  case Op::CreatePolicy:
    i.d = destination(ops[0]);
    i.a = constants.get(0, 8);
    return finish(i, isa.move(8));
  case Op::Prefetch:
  case Op::Nop:
  case Op::Brkpt:
    return finish(i, handlers::nop);
  default:
    return std::nullopt;
  }
}

bool Binder::bindLoadStore(const Instruction &inst, Inst &i) {
  bool isStore = inst.row->op == Op::St;
  const Operand &mem = inst.operands[isStore ? 0 : 1], &data = inst.operands[isStore ? 1 : 0];
  Type t = inst.type();
  program.memAux.emplace_back();
  MemAux &aux = program.memAux.back();
  address(inst, mem, i, aux);
  if (inst.opcode == "ldu" && aux.space == Space::Generic)
    aux.space = Space::Generic;
  if (isStore && aux.space == Space::Const)
    return error(inst.loc, "constant memory cannot be written"), true;
  // Volatile operations are relaxed at system scope (PTX ISA, Memory Consistency Model, Volatile Operations).
  bool isVolatile = inst.has("volatile") || inst.has("mmio");
  aux.acquire = inst.has("acquire");
  aux.release = inst.has("release");
  aux.strong = isVolatile || inst.has("relaxed") || aux.acquire || aux.release;
  aux.scope = !aux.strong ? 0 : isVolatile ? 4 : scopeOf(inst);
  std::vector<const Operand *> elements;
  if (data.kind == Operand::Vector)
    for (const Operand &part : data.parts)
      elements.push_back(&part);
  else
    elements.push_back(&data);
  unsigned bytes = std::max(1u, typeBits(t) / 8), registerBits = 8 * rowBytes(t);
  bool wide = t == Type::B128;
  for (const Operand *op : elements)
    if (op->kind == Operand::Reg)
      registerBits = regBits(*op);
  for (const Operand *op : elements)
    if (op->kind == Operand::Reg && regBits(*op) != registerBits)
      return error(op->loc, "the registers of a vector must have one size"), true;
  if (elements.size() * bytes > 32)
    return error(inst.loc, "a memory access has at most 32 bytes"), true;
  if (wide) {
    bytes = 8;
    registerBits = 64;
  }
  aux.bytes = uint8_t(bytes);
  aux.registerBytes = uint8_t(registerBits / 8);
  aux.count = 0;
  bool skips = false;
  for (const Operand *op : elements) {
    if (isStore && op->kind == Operand::Sink) {
      aux.sink[aux.count++] = true;
      skips = true;
      continue;
    }
    Row r = isStore ? source(*op, t, registerBits / 8) : destination(*op);
    aux.rows[aux.count++] = r;
    if (wide)
      aux.rows[aux.count++] = r + 256;
  }
  return finish(i, skips ? handlers::storePartially : isa.memory(isStore, bytes, registerBits, isSignedInt(t)));
}

bool Binder::bindAtomic(const Instruction &inst, Inst &i) {
  bool isRed = inst.row->op == Op::Red;
  const std::vector<Operand> &ops = inst.operands;
  const Operand &mem = ops[isRed ? 0 : 1];
  Type t = inst.type();
  program.memAux.emplace_back();
  MemAux &aux = program.memAux.back();
  address(inst, mem, i, aux);
  if (aux.space != Space::Generic && aux.space != Space::Global && aux.space != Space::Shared)
    return error(inst.loc, "atomics work on global and shared memory"), true;
  // Without a word: relaxed, at gpu scope (PTX ISA, atom).
  aux.strong = true;
  aux.acquire = inst.has("acquire") || inst.has("acq_rel");
  aux.release = inst.has("release") || inst.has("acq_rel");
  aux.scope = scopeOf(inst) ? scopeOf(inst) : 3;
  size_t first = isRed ? 1 : 2;
  bool cas = inst.has("cas");
  if (cas && ops.size() < 4)
    return error(inst.loc, "'atom.cas' takes 4 operands"), true;
  const Operand &b = ops[first];
  if (b.kind == Operand::Vector) {
    for (size_t k = 0; k != b.parts.size(); ++k) {
      if (b.parts[k].kind == Operand::Reg && regBits(b.parts[k]) != 8 * rowBytes(t))
        return error(b.parts[k].loc, "register does not fit type ." + std::string(typeName(t))), true;
      aux.rows[k] = source(b.parts[k], t);
    }
    if (!isRed)
      for (size_t k = 0; k != ops[0].parts.size(); ++k) {
        if (ops[0].parts[k].kind == Operand::Reg && regBits(ops[0].parts[k]) != 8 * rowBytes(t))
          return error(ops[0].parts[k].loc, "register does not fit type ." + std::string(typeName(t))), true;
        aux.results[k] = destination(ops[0].parts[k]);
      }
    i.count = !isRed;
  } else {
    i.b = source(b, t);
    if (cas)
      i.c = source(ops[first + 1], t);
    i.count = !isRed && ops[0].kind == Operand::Reg;
    if (i.count)
      i.d = regs[ops[0].reg];
  }
  return finish(i, selectAtomic(inst, aux.plan));
}
