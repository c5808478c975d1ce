//===- BindWarp.cpp - Warp-wide instructions --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Bind/Binder.h"

#include "tileiras/Emulator/Machine/Exec/Handlers.h"

using namespace tileiras::emu;

void Binder::pairDestination(const Operand &op, Inst &i) {
  const Operand &d = op.kind == Operand::Pair ? op.parts[0] : op;
  i.d = destination(d);
  if (d.kind == Operand::Reg)
    i.flags |= 8;
  if (op.kind == Operand::Pair && op.parts[1].kind == Operand::Reg)
    i.imm = regs[op.parts[1].reg];
}

Binder::Bound Binder::bindWarp(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  Type t = inst.type();
  bool flip = false;
  switch (inst.row->op) {
  case Op::Shfl:
    pairDestination(ops[0], i);
    i.a = source(ops[1], Type::B32);
    i.b = source(ops[2], Type::B32);
    i.c = source(ops[3], Type::B32);
    i.e = source(ops[4], Type::B32);
    return finish(i, isa.shuffle(inst));
  case Op::VoteAll:
  case Op::VoteAny:
  case Op::VoteUni:
  case Op::VoteBallot: {
    Op op = inst.row->op;
    i.d = op == Op::VoteBallot ? destination(ops[0]) : predDestination(ops[0]);
    i.a = predSource(ops[1], flip);
    i.flags = flip;
    i.e = source(ops[2], Type::B32);
    return finish(i, op == Op::VoteAll   ? handlers::voteAll
                     : op == Op::VoteAny ? handlers::voteAny
                     : op == Op::VoteUni ? handlers::voteUni
                                         : handlers::voteBallot);
  }
  case Op::MatchAny:
    i.d = destination(ops[0]);
    i.a = source(ops[1], t);
    i.e = source(ops[2], Type::B32);
    i.count = uint8_t(rowBytes(t));
    return finish(i, handlers::matchAny);
  case Op::MatchAll:
    pairDestination(ops[0], i);
    i.a = source(ops[1], t);
    i.e = source(ops[2], Type::B32);
    i.count = uint8_t(rowBytes(t));
    return finish(i, handlers::matchAll);
  case Op::Redux:
    i.d = destination(ops[0]);
    i.a = source(ops[1], t);
    i.e = source(ops[2], Type::B32);
    i.flags = uint8_t((inst.has("abs") ? 1 : 0) | (inst.has("NaN") ? 2 : 0) | (inst.has("max") ? 4 : 0));
    return finish(i, handlers::redux(inst));
  case Op::Activemask:
    i.d = destination(ops[0]);
    return finish(i, handlers::activemask);
  case Op::Elect:
    pairDestination(ops[0], i);
    i.e = source(ops[1], Type::B32);
    return finish(i, handlers::elect);
  case Op::Setmaxnreg: {
    const uint64_t count = ops[0].bits;
    if (count < 24 || count > 256 || count % 8)
      return error(inst.loc, "'setmaxnreg' with " + std::to_string(int64_t(count)) +
                                 " registers; the number must be a multiple of 8 from 24 to 256"),
             true;
    if (!specificTarget(inst, "'setmaxnreg'"))
      return true;
    i.imm = count;
    i.flags = inst.has("inc");
    i.e = constants.get(0xffffffffu, 4);
    return finish(i, handlers::setMaxRegisters);
  }
  case Op::BarWarp:
    i.e = source(ops[0], Type::B32);
    return finish(i, handlers::barWarp);
  default:
    return std::nullopt;
  }
}
