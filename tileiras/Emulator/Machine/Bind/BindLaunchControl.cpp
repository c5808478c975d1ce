//===- BindLaunchControl.cpp - clusterlaunchcontrol -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Bind/Binder.h"

#include "tileiras/Emulator/Machine/Async/Tma.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"

using namespace tileiras::emu;

Binder::Bound Binder::bindLaunchControl(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  switch (inst.row->op) {
  case Op::LaunchTryCancel: {
    TmaAux &x = newTmaAux(i);
    x.multicast = inst.has("multicast::cluster::all");
    if (x.multicast && !specificTarget(inst, "'.multicast::cluster::all'"))
      return true;
    Space space = inst.has("shared::cta") ? Space::Shared : Space::Generic;
    if (!tmaAddress(inst, ops[0], space, x.dst) || !tmaAddress(inst, ops[1], space, x.bar))
      return true;
    return finish(i, handlers::launchTryCancel);
  }
  case Op::LaunchIsCanceled:
  case Op::LaunchFirstBlock: {
    const Operand &response = ops[1];
    if (response.kind != Operand::Reg || fn.registers[response.reg].type == Type::Pred || regBits(response) != 128)
      return error(response.loc, "the response must be a register of 128 bits"), true;
    i.a = regs[response.reg];
    if (inst.row->op == Op::LaunchIsCanceled) {
      i.d = predDestination(ops[0]);
      return finish(i, handlers::launchIsCanceled);
    }
    program.memAux.emplace_back();
    MemAux &x = program.memAux.back();
    i.aux = &x;
    x.count = 0;
    std::vector<Operand> to = ops[0].kind == Operand::Vector ? ops[0].parts : std::vector<Operand>{ops[0]};
    if (inst.has("get_first_ctaid") != (ops[0].kind == Operand::Vector) ||
        to.size() != (inst.has("get_first_ctaid") ? 4u : 1u))
      return error(ops[0].loc, "get_first_ctaid.v4 has 4 results, the others one"), true;
    for (const Operand &op : to) {
      if (op.kind == Operand::Reg && regBits(op) != 32)
        return error(op.loc, "register '" + fn.registers[op.reg].name + "' does not have 32 bits"), true;
      x.rows[x.count++] = destination(op);
    }
    i.e = inst.has("get_first_ctaid::y") ? 1 : inst.has("get_first_ctaid::z") ? 2 : 0;
    return finish(i, handlers::launchFirstBlock);
  }
  default:
    return std::nullopt;
  }
}
