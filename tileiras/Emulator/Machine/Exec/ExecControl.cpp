//===- ExecControl.cpp - Control flow, special registers -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Cta.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Exec/LaneRows.h"
#include "tileiras/Emulator/Machine/Warp.h"

#include <algorithm>
#include <bit>

using namespace tileiras::emu;

namespace tileiras::emu::handlers {

void blockHead(Warp &w, const Inst &i, uint32_t) { w.enterBlock(i); }
void jump(Warp &w, const Inst &i, uint32_t) { w.pc = i.target; }
void branch(Warp &w, const Inst &i, uint32_t m) { w.branch(i.target, m); }

void branchIndexed(Warp &w, const Inst &i, uint32_t m) {
  const BranchAux &x = *static_cast<const BranchAux *>(i.aux);
  const uint32_t *a = w.row<uint32_t>(i.a);
  // Group the lanes by target; the last group keeps running here.
  if (uint32_t rest = w.active & ~m)
    w.branch(w.pc, rest); // predicated off: a fragment that falls through
  uint32_t left = m;
  while (left) {
    uint32_t first = uint32_t(std::countr_zero(left)), index = a[first], group = 0;
    for (uint32_t r = left; r; r &= r - 1)
      if (a[std::countr_zero(r)] == index)
        group |= 1u << std::countr_zero(r);
    left &= ~group;
    if (index >= x.targets.size()) {
      w.fatal(ReportKind::InvalidOperation, i, first,
              "branch index " + std::to_string(index) + " is beyond the " + std::to_string(x.targets.size()) +
                  " targets");
      return;
    }
    w.branch(x.targets[index], group);
  }
}

void ret(Warp &w, const Inst &, uint32_t m) { w.returnLanes(m); }
void exitThread(Warp &w, const Inst &, uint32_t m) { w.exitLanes(m); }
void trap(Warp &w, const Inst &i, uint32_t m) {
  w.fatal(ReportKind::Trap, i, uint32_t(std::countr_zero(m)), "trap instruction executed");
}
void nop(Warp &, const Inst &, uint32_t) {}
/// count: FenceKind; flags: 1 acquire, 2 release; e: Space; imm: scope. The address of a tensormap fence is in a.
void fence(Warp &w, const Inst &i, uint32_t m) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (Observer *o = w.cta->cluster->observer) {
    uint64_t address =
        FenceKind(i.count) == FenceKind::TensormapAcquire ? w.row<uint64_t>(i.a)[std::countr_zero(m)] : 0;
    o->fence(w, i, m, FenceKind(i.count), {true, bool(i.flags & 1), bool(i.flags & 2), uint8_t(i.imm)}, Space(i.e),
             address);
  }
}
void nanosleep(Warp &w, const Inst &i, uint32_t m) {
  if (Observer *o = w.cta->cluster->observer) {
    const uint32_t *asked = w.row<uint32_t>(i.a);
    uint32_t longest = 0;
    for (uint32_t rest = m; rest; rest &= rest - 1)
      longest = std::max(longest, asked[std::countr_zero(rest)]);
    o->sleeps(w, i, m, longest);
  }
  w.cta->cluster->clockTicks += 64;
  w.slice = 1; // give the turn away at the next block
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Copies the arguments or results of a call between the two frames.
static void copyValues(Warp &w, const std::vector<CallAux::Copy> &copies, const Frame &from, const Frame &to,
                       uint32_t m) {
  for (const CallAux::Copy &c : copies) {
    if (c.predicate) {
      to.preds[c.to] = (to.preds[c.to] & ~m) | (from.preds[c.from] & m);
    } else if (c.reg) {
      const uint8_t *s = c.from & ConstantBit ? w.base[1] + (c.from & ~ConstantBit) : from.regs + c.from;
      for (unsigned l = 0; l != 32; ++l)
        if (m >> l & 1)
          std::memcpy(to.regs + c.to + l * c.regBytes, s + l * c.regBytes, c.regBytes);
    } else {
      for (unsigned l = 0; l != 32; ++l) {
        if (!(m >> l & 1))
          continue;
        uint64_t lane = l * w.localStride;
        uint64_t s = lane + from.localBase + c.fromOffset, d = lane + to.localBase + c.toOffset;
        std::memmove(&w.local[d], &w.local[s], c.size);
        std::memmove(&w.localShadow[d], &w.localShadow[s], c.size);
      }
    }
  }
}

void call(Warp &w, const Inst &i, uint32_t m) {
  const CallAux &x = *static_cast<const CallAux *>(i.aux);
  if (x.builtin) {
    callBuiltin(w, i, x, m);
    return;
  }
  const CallAux *plan = &x;
  if (!x.target) {
    // Indirect: lanes may call different functions. Each runs on its own; the others come back to this instruction.
    const uint64_t *a = w.row<uint64_t>(i.a);
    uint32_t first = uint32_t(std::countr_zero(m));
    uint64_t where = a[first];
    const CallAux *found = nullptr;
    for (const CallAux &candidate : *x.candidates)
      if (FunctionWindow + 16 * uint64_t(candidate.target->number) == where)
        found = &candidate;
    if (!found) {
      char buffer[96];
      std::snprintf(buffer, sizeof buffer, "indirect call to 0x%llx, which is no function of the called type",
                    static_cast<unsigned long long>(where));
      w.fatal(ReportKind::InvalidOperation, i, first, buffer);
      return;
    }
    uint32_t group = 0;
    for (uint32_t r = m; r; r &= r - 1)
      if (a[std::countr_zero(r)] == where)
        group |= 1u << std::countr_zero(r);
    if (uint32_t others = m & ~group) {
      const Inst *again = &i;
      w.branch(again, others);
      m = group;
    }
    plan = found;
  }
  Frame *caller = w.frame;
  w.callFunction(*plan->target, i, m);
  if (w.frame == caller)
    return; // failed
  copyValues(w, plan->args, *caller, *w.frame, m);
}

} // namespace tileiras::emu::handlers

namespace tileiras::emu {
void deliverResults(Warp &w, const Frame &callee, uint32_t lanes) {
  const CallAux *x = static_cast<const CallAux *>(callee.call->aux);
  if (!x->target)
    for (const CallAux &candidate : *x->candidates)
      if (candidate.target == callee.fn) {
        x = &candidate;
        break;
      }
  handlers::copyValues(w, x->returns, callee, *callee.parent, lanes);
}
} // namespace tileiras::emu

namespace tileiras::emu::handlers {

void alloca_(Warp &w, const Inst &i, uint32_t m) {
  // All lanes of the fragment get room for the largest request, so that their addresses stay equal.
  uint64_t size = 0, align = std::max<uint64_t>(i.imm, 8);
  for (uint32_t r = m; r; r &= r - 1)
    size = std::max(size, readLane(w, i.a, i.count, uint32_t(std::countr_zero(r))));
  if (size > (uint64_t(1) << 24)) {
    w.fatal(ReportKind::InvalidOperation, i, uint32_t(std::countr_zero(m)),
            "alloca of " + std::to_string(size) + " bytes");
    return;
  }
  uint64_t at = (w.frame->stackTop + align - 1) & ~(align - 1);
  w.frame->stackTop = at + size;
  w.addLocal(w.frame->stackTop);
  fillRow(w, i.d, i.count, m, [&](unsigned) { return at; });
}
void stackSave(Warp &w, const Inst &i, uint32_t m) {
  fillRow(w, i.d, i.count, m, [&](unsigned) { return w.frame->stackTop; });
}
void stackRestore(Warp &w, const Inst &i, uint32_t m) {
  // Only a converged frame may shrink: other lanes may still use their part.
  if (m == w.frame->lanes)
    w.frame->stackTop = std::max(w.frame->localBase + w.frame->fn->localBytes,
                                 std::min(w.frame->stackTop, readLane(w, i.a, i.count, uint32_t(std::countr_zero(m)))));
}

//===----------------------------------------------------------------------===//
// Predicates, special registers, addresses
//===----------------------------------------------------------------------===//

static uint32_t predB(Warp &w, const Inst &i) { return w.preds[i.b] ^ (i.flags & 2 ? ~0u : 0u); }
void predMov(Warp &w, const Inst &i, uint32_t m) { w.setPred(i.d, predA(w, i), m); }
void predAnd(Warp &w, const Inst &i, uint32_t m) { w.setPred(i.d, predA(w, i) & predB(w, i), m); }
void predOr(Warp &w, const Inst &i, uint32_t m) { w.setPred(i.d, predA(w, i) | predB(w, i), m); }
void predXor(Warp &w, const Inst &i, uint32_t m) { w.setPred(i.d, predA(w, i) ^ predB(w, i), m); }

static uint64_t specialValue(Warp &w, Special s, unsigned l) {
  const LaunchContext &launch = *w.launch;
  const Cta &cta = *w.cta;
  const Dim3 &c = launch.cluster;
  Dim3 inCluster{cta.id.x % c.x, cta.id.y % c.y, cta.id.z % c.z};
  switch (s) {
  case Special::TidX:
    return w.tid[0][l];
  case Special::TidY:
    return w.tid[1][l];
  case Special::TidZ:
    return w.tid[2][l];
  case Special::NtidX:
    return launch.block.x;
  case Special::NtidY:
    return launch.block.y;
  case Special::NtidZ:
    return launch.block.z;
  case Special::CtaidX:
    return cta.id.x;
  case Special::CtaidY:
    return cta.id.y;
  case Special::CtaidZ:
    return cta.id.z;
  case Special::NctaidX:
    return launch.grid.x;
  case Special::NctaidY:
    return launch.grid.y;
  case Special::NctaidZ:
    return launch.grid.z;
  case Special::LaneId:
    return l;
  case Special::WarpId:
    return w.index;
  case Special::NwarpId:
    return cta.warpCount;
  case Special::SmId:
    return cta.linear % launch.multiprocessors;
  case Special::NsmId:
    return launch.multiprocessors;
  case Special::GridId:
    return 1;
  case Special::LanemaskEq:
    return 1u << l;
  case Special::LanemaskLe:
    return (2ull << l) - 1;
  case Special::LanemaskLt:
    return (1u << l) - 1;
  case Special::LanemaskGe:
    return uint32_t(~((1u << l) - 1));
  case Special::LanemaskGt:
    return uint32_t(~((2ull << l) - 1));
  // Time is counted in executed warp instructions: it only ever grows, and runs repeat exactly.
  case Special::Clock:
  case Special::Clock64:
  case Special::GlobalTimer:
  case Special::GlobalTimerLo:
    return w.cta->cluster->clockTicks + w.executed;
  case Special::ClockHi:
  case Special::GlobalTimerHi:
    return (w.cta->cluster->clockTicks + w.executed) >> 32;
  case Special::DynamicSmemSize:
    return launch.dynamicShared;
  case Special::TotalSmemSize:
  case Special::AggrSmemSize:
    return (cta.shared.size() - launch.program->sharedBase + 127) & ~uint64_t(127);
  case Special::ReservedSmemBegin:
  case Special::ReservedSmem0:
  case Special::ReservedSmem1:
    return 0;
  case Special::ReservedSmemEnd:
  case Special::ReservedSmemCap:
    return launch.program->sharedBase;
  case Special::ClusteridX:
    return cta.id.x / c.x;
  case Special::ClusteridY:
    return cta.id.y / c.y;
  case Special::ClusteridZ:
    return cta.id.z / c.z;
  case Special::NclusteridX:
    return launch.grid.x / c.x;
  case Special::NclusteridY:
    return launch.grid.y / c.y;
  case Special::NclusteridZ:
    return launch.grid.z / c.z;
  case Special::ClusterCtaidX:
    return inCluster.x;
  case Special::ClusterCtaidY:
    return inCluster.y;
  case Special::ClusterCtaidZ:
    return inCluster.z;
  case Special::ClusterNctaidX:
    return c.x;
  case Special::ClusterNctaidY:
    return c.y;
  case Special::ClusterNctaidZ:
    return c.z;
  case Special::ClusterCtarank:
    return cta.rank;
  case Special::ClusterNctarank:
    return c.count();
  case Special::IsExplicitCluster:
    return launch.explicitCluster;
  case Special::GridWorkspaceHigh:
    return launch.workspace >> 32;
  case Special::GridWorkspaceLow:
    return uint32_t(launch.workspace);
  case Special::None:
  case Special::CurrentGraphExec:
  case Special::Envreg:
  case Special::Pm:
  case Special::Zero:
    return 0;
  }
  return 0;
}

void readSpecial(Warp &w, const Inst &i, uint32_t m) {
  fillRow(w, i.d, i.count, m, [&](unsigned l) { return specialValue(w, Special(i.imm), l); });
}
void readSpecialPred(Warp &w, const Inst &i, uint32_t m) {
  w.setPred(i.d, specialValue(w, Special(i.imm), 0) ? ~0u : 0u, m);
}
void localAddress(Warp &w, const Inst &i, uint32_t m) {
  fillRow(w, i.d, i.count, m, [&](unsigned) { return i.imm + w.frame->localBase; });
}
void sharedAddress(Warp &w, const Inst &i, uint32_t m) {
  fillRow(w, i.d, i.count, m, [&](unsigned) { return i.imm + (uint64_t(w.cta->rank) << 24); });
}
void addImmediate(Warp &w, const Inst &i, uint32_t m) {
  fillRow(w, i.d, i.count, m, [&](unsigned l) { return readLane(w, i.a, i.flags, l) + i.imm; });
}
void isspacep(Warp &w, const Inst &i, uint32_t m) {
  uint32_t r = 0;
  const uint64_t *a = w.row<uint64_t>(i.a);
  auto inWindow = [](uint64_t v, uint64_t base) { return v - base < WindowSize; };
  for (unsigned l = 0; l != 32; ++l) {
    bool yes = false;
    switch (Space(i.imm)) {
    case Space::Global:
      yes = a[l] < SharedWindow || a[l] >= ConstWindow + WindowSize;
      break;
    case Space::Shared:
      yes = inWindow(a[l], SharedWindow);
      // .shared::cta: only this block's part of the cluster's window.
      if (i.flags)
        yes = yes && (a[l] - SharedWindow) >> 24 == w.cta->rank;
      break;
    case Space::Local:
      yes = inWindow(a[l], LocalWindow);
      break;
    case Space::Const:
      yes = inWindow(a[l], ConstWindow);
      break;
    case Space::Param:
      yes = inWindow(a[l], ParamWindow);
      break;
    default:
      break;
    }
    r |= uint32_t(yes) << l;
  }
  w.setPred(i.d, r, m);
}
void mapa(Warp &w, const Inst &i, uint32_t m) {
  const uint32_t *rank = w.row<uint32_t>(i.b);
  fillRow(w, i.d, i.count, m, [&](unsigned l) {
    uint64_t a = readLane(w, i.a, i.count, l);
    return (a & ~uint64_t(0xff000000)) | uint64_t(rank[l] & 0xff) << 24;
  });
}
void getctarank(Warp &w, const Inst &i, uint32_t m) {
  fillRow(w, i.d, 4, m, [&](unsigned l) { return readLane(w, i.a, i.count, l) >> 24 & 0xff; });
}

/// {a, b, ...} -> d: the first element is the least significant.
void packMov(Warp &w, const Inst &i, uint32_t m) {
  const MemAux &x = *static_cast<const MemAux *>(i.aux);
  for (unsigned l = 0; l != 32; ++l) {
    if (!(m >> l & 1))
      continue;
    uint64_t parts[2] = {0, 0};
    for (unsigned k = 0; k != x.count; ++k) {
      uint64_t v = readLane(w, x.rows[k], std::max<unsigned>(x.bytes, 2), l);
      if (x.bytes == 1)
        v &= 0xff;
      unsigned at = k * x.bytes;
      parts[at / 8] |= v << (at % 8 * 8);
    }
    if (i.count == 16) {
      w.row<uint64_t>(i.d)[l] = parts[0];
      w.row<uint64_t>(i.d + 256)[l] = parts[1];
    } else {
      fillRow(w, i.d, i.count, 1u << l, [&](unsigned) { return parts[0]; });
    }
  }
}
void unpackMov(Warp &w, const Inst &i, uint32_t m) {
  const MemAux &x = *static_cast<const MemAux *>(i.aux);
  for (unsigned l = 0; l != 32; ++l) {
    if (!(m >> l & 1))
      continue;
    uint64_t parts[2] = {0, 0};
    if (i.count == 16) {
      parts[0] = w.row<uint64_t>(i.a)[l];
      parts[1] = w.row<uint64_t>(i.a + 256)[l];
    } else {
      parts[0] = readLane(w, i.a, i.count, l);
    }
    for (unsigned k = 0; k != x.count; ++k) {
      if (x.sink[k])
        continue;
      unsigned at = k * x.bytes;
      uint64_t v = parts[at / 8] >> (at % 8 * 8);
      if (x.bytes == 1)
        v &= 0xff;
      fillRow(w, x.rows[k], std::max<unsigned>(x.bytes, 2), 1u << l, [&](unsigned) { return v; });
    }
  }
}
void move128(Warp &w, const Inst &i, uint32_t m) {
  for (unsigned l = 0; l != 32; ++l)
    if (m >> l & 1) {
      w.row<uint64_t>(i.d)[l] = w.row<uint64_t>(i.a)[l];
      w.row<uint64_t>(i.d + 256)[l] = w.row<uint64_t>(i.a + 256)[l];
    }
}

} // namespace tileiras::emu::handlers
