//===- BindBarrier.cpp - Barriers of blocks and clusters, fences -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Bind/Binder.h"

#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Observer.h"

using namespace tileiras::emu;

/// Fields as handlers::fence wants them.
void Binder::bindFence(const Instruction &inst, Inst &i) {
  FenceKind kind = FenceKind::Thread;
  bool acquire = true, release = true;
  i.imm = scopeOf(inst);
  if (inst.opcode == "membar" && !inst.has("proxy"))
    i.imm = inst.has("cta") ? 1 : inst.has("gl") ? 3 : 4;
  i.e = uint32_t(Space::Generic); // all spaces
  if (inst.has("acquire") != inst.has("release")) {
    acquire = inst.has("acquire");
    release = inst.has("release");
  }
  if (inst.has("mbarrier_init")) {
    kind = FenceKind::MbarrierInit;
    i.imm = 2;
  } else if (inst.has("tensormap::generic")) {
    kind = acquire ? FenceKind::TensormapAcquire : FenceKind::TensormapRelease;
    if (acquire)
      i.a = source(inst.operands[0].kind == Operand::Mem ? inst.operands[0].parts[0] : inst.operands[0], Type::U64);
  } else if (inst.has("proxy")) {
    kind = inst.has("alias") ? FenceKind::ProxyAlias : FenceKind::ProxyAsync;
    Space space = spaceOf(inst);
    i.e = uint32_t(space);
  } else if (inst.has("sync_restrict::shared::cluster") || inst.has("sync_restrict::shared::cta")) {
    i.imm = 2;
  }
  i.count = uint8_t(kind);
  i.flags = uint8_t((acquire ? 1 : 0) | (release ? 2 : 0));
}

Binder::Bound Binder::bindBarrier(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  bool flip = false;
  switch (inst.row->op) {
  case Op::Fence:
    bindFence(inst, i);
    return finish(i, handlers::fence);
  case Op::Nanosleep:
    i.a = source(ops[0], Type::U32);
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
    i.flags = uint8_t((popc              ? 0
                       : inst.has("and") ? 1
                                         : 2) |
                      (flip ? 4 : 0) | (inst.opcode == "bar" || inst.has("aligned") ? 16 : 0));
    return finish(i, handlers::barRed);
  }
  case Op::ClusterArrive:
    i.flags = inst.has("relaxed") ? 1 : 0;
    return finish(i, handlers::clusterArrive);
  case Op::ClusterWait:
    return finish(i, handlers::clusterWait);
  default:
    return std::nullopt;
  }
}
