//===- BindMbarrier.cpp - mbarrier instructions -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Bind/Binder.h"

#include "tileiras/Emulator/Machine/Exec/Handlers.h"

using namespace tileiras::emu;

/// 0 none, 1 cta, 2 cluster, 3 gpu, 4 sys: as in MemoryOrder.
uint8_t tileiras::emu::scopeOf(const Instruction &inst) {
  static constexpr std::string_view names[] = {"cta", "cluster", "gpu", "sys"};
  for (uint8_t k = 0; k != 4; ++k)
    if (inst.has(names[k]))
      return k + 1;
  return 0;
}

Binder::Bound Binder::bindMbarrier(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  Op op = inst.row->op;
  // The address is the first operand, unless there is a result.
  bool hasResult = op == Op::MbarrierArrive || op == Op::MbarrierWait;
  switch (op) {
  case Op::MbarrierInit:
  case Op::MbarrierInval:
  case Op::MbarrierTx:
  case Op::MbarrierArrive:
  case Op::MbarrierWait:
  case Op::CpAsyncMbarrierArrive: {
    size_t at = hasResult && ops[0].kind != Operand::Mem ? 1 : 0;
    program.memAux.emplace_back();
    MemAux &aux = program.memAux.back();
    address(inst, ops[at], i, aux);
    i.e = scopeOf(inst);
    i.flags = inst.has("relaxed") ? 64 : 0;
    ++at;
    switch (op) {
    case Op::MbarrierInit:
      i.b = source(ops[at], Type::U32);
      return finish(i, handlers::mbarrierInit);
    case Op::MbarrierInval:
      return finish(i, handlers::mbarrierInval);
    case Op::CpAsyncMbarrierArrive:
      i.flags |= inst.has("noinc") ? 1 : 0;
      return finish(i, handlers::cpAsyncMbarrierArrive);
    case Op::MbarrierTx:
      i.b = source(ops[at], Type::U32);
      i.flags |= inst.has("complete_tx") ? 1 : 0;
      return finish(i, handlers::mbarrierTx);
    case Op::MbarrierArrive:
      if (ops[0].kind == Operand::Reg) {
        if (inst.has("shared::cluster"))
          return error(ops[0].loc, "an arrival at .shared::cluster returns no state: write '_'"), true;
        i.flags |= 16;
        i.d = destination(ops[0]);
      }
      if (inst.has("arrive_drop"))
        i.flags |= 4;
      if (inst.has("noComplete"))
        i.flags |= 8;
      if (at < ops.size()) {
        bool tx = inst.has("expect_tx");
        i.flags |= tx ? 2 : 1;
        (tx ? i.c : i.b) = source(ops[at], Type::U32);
      }
      return finish(i, handlers::mbarrierArrive);
    default:
      i.d = predDestination(ops[0]);
      i.flags |= uint8_t((inst.has("parity") ? 1 : 0) | (inst.has("try_wait") ? 2 : 0));
      i.b = source(ops[at], inst.has("parity") ? Type::U32 : Type::U64);
      return finish(i, handlers::mbarrierWait);
    }
  }
  case Op::MbarrierPendingCount:
    i.d = destination(ops[0]);
    i.a = source(ops[1], Type::B64);
    return finish(i, handlers::mbarrierPendingCount);
  default:
    return std::nullopt;
  }
}
