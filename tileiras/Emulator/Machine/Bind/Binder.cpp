//===- Binder.cpp - What binding an instruction needs -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Bind/Binder.h"

#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Memory/Memory.h"

#include <algorithm>
#include <cstring>

using namespace tileiras::emu;

unsigned tileiras::emu::rowBytes(Type t) { return std::max(16u, typeBits(t)) / 8; }

Space tileiras::emu::spaceOf(const Instruction &inst) {
  for (std::string_view m : inst.mods) {
    if (m == "global")
      return Space::Global;
    if (m.substr(0, 6) == "shared")
      return Space::Shared;
    if (m == "local")
      return Space::Local;
    if (m == "const")
      return Space::Const;
    if (m.substr(0, 5) == "param")
      return Space::Param;
  }
  return Space::Generic;
}

Row ConstantRows::get(uint64_t value, unsigned bytes) {
  if (bytes < 8)
    value &= (uint64_t(1) << (8 * bytes)) - 1;
  auto [it, isNew] = rows.try_emplace({bytes, value}, 0);
  if (isNew) {
    it->second = Row(storage.size());
    storage.resize(storage.size() + std::max(64u, 32 * bytes));
    for (unsigned l = 0; l != 32; ++l)
      std::memcpy(&storage[it->second + l * bytes], &value, bytes);
  }
  return it->second | ConstantBit;
}

Row Binder::newRow(unsigned bytes) {
  std::vector<Row> &pool = temporaries[bytes];
  unsigned &used = usedTemporaries[bytes];
  if (used == pool.size()) {
    pool.push_back(code.frameBytes);
    code.frameBytes += 32 * bytes;
  }
  return pool[used++];
}

static uint64_t floatBits(const Operand &op, Type want) {
  double d;
  if (op.type == Type::F32) {
    float f;
    uint32_t b = uint32_t(op.bits);
    std::memcpy(&f, &b, 4);
    d = f;
  } else {
    std::memcpy(&d, &op.bits, 8);
  }
  unsigned bits = typeBits(want);
  if (want == Type::F32 || (bits == 32 && op.type != Type::F32)) {
    if (op.type == Type::F32)
      return op.bits;
    float f = float(d);
    uint32_t b;
    std::memcpy(&b, &f, 4);
    return b;
  }
  if (want == Type::F64 || (bits == 64 && op.type == Type::F32)) {
    uint64_t b;
    std::memcpy(&b, &d, 8);
    return op.type == Type::F32 ? b : op.bits;
  }
  return op.bits;
}

Row Binder::source(const Operand &op, Type want, unsigned bytes) {
  switch (op.kind) {
  case Operand::Reg:
    return regs[op.reg];
  case Operand::Int:
    return constants.get(op.bits, bytes);
  case Operand::Float:
    return constants.get(floatBits(op, want), bytes);
  case Operand::Special: {
    Inst i;
    i.fn = handlers::readSpecial;
    i.d = newRow(bytes);
    i.imm = uint64_t(op.special);
    i.count = uint8_t(bytes);
    emit(i);
    return i.d;
  }
  case Operand::Func:
    return constants.get(FunctionWindow + 16 * uint64_t(op.fn->number), bytes);
  case Operand::Var: {
    const Variable &v = *op.var;
    checkDefined(op);
    bool frame = inFrame(v);
    if (!frame && v.space != Space::Shared)
      return constants.get(v.offset + uint64_t(op.addend), bytes);
    Inst i;
    i.fn = frame ? handlers::localAddress : handlers::sharedAddress;
    i.d = newRow(bytes);
    i.imm = v.offset + uint64_t(op.addend);
    i.count = uint8_t(bytes);
    emit(i);
    return i.d;
  }
  default:
    error(op.loc, "expected a register or a constant");
    return SinkRow;
  }
}

bool Binder::isFormal(const Variable &v) {
  for (const Variable &p : v.owner->params)
    if (&p == &v)
      return true;
  return false;
}

bool Binder::inFrame(const Variable &v) {
  return v.space == Space::Local || (v.space == Space::Param && !(v.owner && v.owner->isEntry && isFormal(v)));
}

void Binder::checkDefined(const Operand &op) {
  if (op.var->isExtern && op.var->space == Space::Global)
    error(op.loc, "extern variable '" + op.var->name + "' has no definition");
}

uint32_t Binder::predSource(const Operand &op, bool &flip) {
  flip = op.negated;
  if (op.kind == Operand::Reg)
    return regs[op.reg];
  if (op.kind == Operand::Int) {
    flip = op.bits == 0;
    return PredTrue;
  }
  Inst i; // %is_explicit_cluster
  i.fn = handlers::readSpecialPred;
  i.d = code.predicates++;
  i.imm = uint64_t(op.special);
  emit(i);
  return i.d;
}

void Binder::plainOperands(const Instruction &inst, Inst &i) {
  Row *slots[] = {&i.a, &i.b, &i.c, &i.e};
  unsigned next = 0;
  for (size_t k = 0; k != inst.operands.size(); ++k) {
    const OperandSpec &spec = inst.row->operandSpecs[k];
    Type want = operandType(spec, inst.types);
    switch (spec.kind) {
    case 'd':
      i.d = destination(inst.operands[k]);
      break;
    case 'p':
      i.d = predDestination(inst.operands[k]);
      break;
    case 'a':
      *slots[next++] = source(inst.operands[k], want);
      break;
    default:
      break;
    }
  }
}

bool Binder::finish(Inst &i, Handler h) {
  i.fn = h;
  if (!h)
    return false;
  emit(i);
  return true;
}

void Binder::address(const Instruction &inst, const Operand &mem, Inst &i, MemAux &aux) {
  const Operand &base = mem.parts[0];
  aux.space = spaceOf(inst);
  i.imm = uint64_t(mem.addend);
  switch (base.kind) {
  case Operand::Var: {
    const Variable &v = *base.var;
    checkDefined(base);
    aux.uniform = true;
    i.imm += v.offset;
    if (inFrame(v)) {
      aux.space = Space::Local;
      aux.frameRelative = true;
    } else {
      // A variable tells its own space; a generic access to it is an access to that space.
      aux.space = v.space;
      aux.ownShared = v.space == Space::Shared;
    }
    break;
  }
  case Operand::Int:
    aux.uniform = true;
    i.imm += base.bits;
    break;
  default:
    i.a = regs[base.reg];
    aux.wideAddress = regBits(base) == 64;
    if (aux.space == Space::Param && !fn.isEntry)
      aux.space = Space::Local;
  }
  i.aux = &aux;
}
