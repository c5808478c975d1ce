//===- BindAsyncCopy.cpp - cp.async and its groups --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Bind/Binder.h"

#include "tileiras/Emulator/Machine/Exec/Handlers.h"

using namespace tileiras::emu;

Binder::Bound Binder::bindAsyncCopy(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  switch (inst.row->op) {
  case Op::CpAsync:
    return bindCpAsync(inst, i);
  case Op::CpAsyncCommit:
    return finish(i, handlers::cpAsyncCommit);
  case Op::CpAsyncWait:
    i.imm = ops[0].bits;
    return finish(i, handlers::cpAsyncWait);
  case Op::CpAsyncWaitAll:
    return finish(i, handlers::cpAsyncWaitAll);
  default:
    return std::nullopt;
  }
}

bool Binder::bindCpAsync(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  uint64_t bytes = ops[2].bits;
  if (bytes != 16 && (inst.has("cg") || (bytes != 4 && bytes != 8)))
    return error(ops[2].loc, "cp.async copies 4, 8 or 16 bytes, .cg only 16"), true;
  program.memAux.emplace_back();
  MemAux &src = program.memAux.back();
  address(inst, ops[1], i, src);
  if (src.space != Space::Const && src.space != Space::Local)
    src.space = Space::Global;
  src.plan = i.imm; // offset; the row goes to b
  i.b = i.a;
  program.memAux.emplace_back();
  MemAux &dst = program.memAux.back();
  address(inst, ops[0], i, dst);
  dst.space = Space::Shared;
  dst.second = &src;
  i.count = uint8_t(bytes);
  if (ops.size() > 3) {
    if (operandType(inst.row->operandSpecs[3], inst.types) == Type::U32) {
      i.flags = 1;
      i.c = source(ops[3], Type::U32);
    } else if (inst.row->operandSpecs[3].kind == 'P') { // else: a cache policy
      bool flip;
      i.c = predSource(ops[3], flip);
      i.flags = uint8_t(2 | (flip ? 4 : 0));
    }
  }
  return finish(i, handlers::cpAsync);
}
