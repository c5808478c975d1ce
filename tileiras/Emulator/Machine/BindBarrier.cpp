//===- BindBarrier.cpp - Barriers of blocks and clusters, fences -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Binder.h"

#include "tileiras/Emulator/Machine/Handlers.h"

using namespace tileiras::emu;

Binder::Bound Binder::bindBarrier(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  bool flip = false;
  switch (inst.row->op) {
  case Op::Fence:
    return finish(i, handlers::fence);
  case Op::Nanosleep:
    return finish(i, handlers::nanosleep);
  case Op::BarSync:
  case Op::BarArrive:
    i.a = source(ops[0], Type::U32);
    i.count = ops.size() > 1;
    if (i.count)
      i.b = source(ops[1], Type::U32);
    i.flags = inst.opcode == "bar" || inst.has("aligned") ? 16 : 0;
    return finish(i, inst.row->op == Op::BarSync ? handlers::barSync : handlers::barArrive);
  case Op::BarRed: {
    bool popc = inst.has("popc");
    i.d = popc ? destination(ops[0]) : predDestination(ops[0]);
    i.a = source(ops[1], Type::U32);
    i.count = ops.size() > 3;
    if (i.count)
      i.b = source(ops[2], Type::U32);
    i.c = predSource(ops.back(), flip);
    i.flags = uint8_t((popc ? 0 : inst.has("and") ? 1 : 2) | (flip ? 4 : 0) |
                      (inst.opcode == "bar" || inst.has("aligned") ? 16 : 0));
    return finish(i, handlers::barRed);
  }
  case Op::ClusterArrive:
    return finish(i, handlers::clusterArrive);
  case Op::ClusterWait:
    return finish(i, handlers::clusterWait);
  default:
    return std::nullopt;
  }
}
