//===- BindArithmetic.cpp - Arithmetic, logic, comparison, selection -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Bind/Binder.h"

#include "tileiras/Emulator/Machine/Exec/FloatRounding.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/RegisterAllocation.h"

using namespace tileiras::emu;

void Binder::booleanCombination(const Instruction &inst, Inst &i) {
  i.flags = inst.has("and") ? 1 : inst.has("or") ? 2 : inst.has("xor") ? 3 : 0;
  if (i.flags) {
    bool flip;
    i.c = predSource(inst.operands.back(), flip);
    if (flip)
      i.flags |= 4;
  }
}

Binder::Bound Binder::bindArithmetic(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  Type t = inst.type();
  bool flip = false;
  switch (inst.row->op) {
  case Op::And:
  case Op::Or:
  case Op::Xor:
  case Op::Not:
    if (t == Type::Pred) {
      i.d = predDestination(ops[0]);
      i.a = predSource(ops[1], flip);
      i.flags = flip;
      if (inst.row->op == Op::Not) {
        i.flags ^= 1;
        return finish(i, handlers::predMov);
      }
      i.b = predSource(ops[2], flip);
      i.flags |= flip ? 2 : 0;
      return finish(i, inst.row->op == Op::And  ? handlers::predAnd
                       : inst.row->op == Op::Or ? handlers::predOr
                                                : handlers::predXor);
    }
    break;
  case Op::AddCC:
  case Op::SubCC:
  case Op::MadCC: {
    plainOperands(inst, i);
    bool carryIn = inst.opcode == "addc" || inst.opcode == "subc" || inst.opcode == "madc";
    i.flags = uint8_t((carryIn ? 1 : 0) | (inst.has("cc") ? 2 : 0) | (inst.row->op == Op::SubCC ? 4 : 0) |
                      (inst.row->op == Op::MadCC ? 8 : 0) | (inst.has("hi") ? 16 : 0) | (isSignedInt(t) ? 32 : 0));
    i.e = PredCarry;
    return finish(i, isa.integer(inst));
  }
  case Op::Lop3:
    plainOperands(inst, i);
    i.imm = ops[4].bits & 0xff;
    return finish(i, isa.integer(inst));
  case Op::Lop3Bool: {
    const Operand &d = ops[0].kind == Operand::Pair ? ops[0].parts[0] : ops[0];
    i.e = ops[0].kind == Operand::Pair ? predDestination(ops[0].parts[1]) : uint32_t(PredSink);
    i.count = d.kind == Operand::Reg;
    i.d = destination(d);
    i.a = source(ops[1], Type::B32);
    i.b = source(ops[2], Type::B32);
    i.c = source(ops[3], Type::B32);
    uint32_t q = predSource(ops[5], flip);
    i.imm = (ops[4].bits & 0xff) | uint64_t(q) << 8 | uint64_t(flip) << 24;
    return finish(i, isa.integer(inst));
  }
  case Op::Setp:
  case Op::SetpX2: {
    bool pair = ops[0].kind == Operand::Pair;
    i.d = predDestination(pair ? ops[0].parts[0] : ops[0]);
    i.e = pair ? predDestination(ops[0].parts[1]) : uint32_t(PredSink);
    i.count = pair;
    i.a = source(ops[1], t);
    i.b = source(ops[2], t);
    booleanCombination(inst, i);
    return finish(i, isa.integer(inst));
  }
  case Op::Set: {
    Type s = inst.type(1);
    i.d = destination(ops[0]);
    i.a = source(ops[1], s);
    i.b = source(ops[2], s);
    booleanCombination(inst, i);
    // The true value: 1.0 of the type, or all ones (of each half).
    i.imm = t == Type::F32                         ? 0x3f800000u
            : t == Type::F16 || t == Type::F16x2   ? 0x3c00
            : t == Type::BF16 || t == Type::BF16x2 ? 0x3f80
                                                   : 0xffffffffu;
    return finish(i, isa.integer(inst));
  }
  case Op::Selp:
    i.d = destination(ops[0]);
    i.a = source(ops[1], t);
    i.b = source(ops[2], t);
    i.c = predSource(ops[3], flip);
    i.flags = flip;
    return finish(i, isa.integer(inst));
  default:
    return std::nullopt;
  }
  return bindElementwise(inst, i);
}

Binder::Bound Binder::bindElementwise(const Instruction &inst, Inst &i) {
  plainOperands(inst, i);
  if (Handler h = selectDirected(inst)) {
    // Mixed precision: the 16-bit operands are widened first, which is exact.
    Type narrow = inst.type(1);
    if (narrow == Type::F16 || narrow == Type::BF16) {
      auto widen = [&](Row &row) {
        Inst w;
        w.fn = handlers::widenHalf;
        w.a = row;
        w.d = row = newRow(4);
        w.flags = narrow == Type::BF16;
        emit(w);
      };
      widen(i.a);
      if (inst.row->op == Op::Fma)
        widen(i.b);
    }
    i.flags = directedFlags(inst);
    return finish(i, h);
  }
  if (Handler h = isa.integer(inst))
    return finish(i, h);
  return finish(i, isa.floating(inst));
}
