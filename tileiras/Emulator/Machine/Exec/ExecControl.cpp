//===- ExecControl.cpp - Control flow, barriers, special registers *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Cta.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Warp.h"

#include <bit>

using namespace tileiras::emu;

/// Stores `v(l)` in the lanes of `mask` of a row with `bytes` per lane.
template <typename F> static void fillRow(Warp &w, Row r, unsigned bytes, uint32_t mask, F v) {
  for (unsigned l = 0; l != 32; ++l) {
    if (!(mask >> l & 1))
      continue;
    uint64_t value = v(l);
    switch (bytes) {
    case 2:
      w.row<uint16_t>(r)[l] = uint16_t(value);
      break;
    case 4:
      w.row<uint32_t>(r)[l] = uint32_t(value);
      break;
    default:
      w.row<uint64_t>(r)[l] = value;
      break;
    }
  }
}
static uint64_t readLane(Warp &w, Row r, unsigned bytes, unsigned l) {
  switch (bytes) {
  case 2:
    return w.row<uint16_t>(r)[l];
  case 4:
    return w.row<uint32_t>(r)[l];
  default:
    return w.row<uint64_t>(r)[l];
  }
}

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
void nanosleep(Warp &w, const Inst &, uint32_t) {
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

static uint32_t predA(Warp &w, const Inst &i) { return w.preds[i.a] ^ (i.flags & 1 ? ~0u : 0u); }
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
    return cta.linear % 132;
  case Special::NsmId:
    return 132;
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

//===----------------------------------------------------------------------===//
// Warp-wide operations
//===----------------------------------------------------------------------===//

/// Calls body(group) for every group of lanes of `m` with equal membermask.
template <typename F> static void forGroups(Warp &w, const Inst &i, uint32_t m, F body) {
  const uint32_t *members = w.row<uint32_t>(i.e);
  while (m) {
    uint32_t want = members[std::countr_zero(m)], group = 0;
    for (uint32_t r = m; r; r &= r - 1)
      if (members[std::countr_zero(r)] == want)
        group |= 1u << std::countr_zero(r);
    body(group);
    m &= ~group;
  }
}
/// By the ISA a vote, match or reduction orders no memory, on the hardware it does: the observer decides.
static uint32_t together(Warp &w, const Inst &i, uint32_t m) {
  m = w.converge(i, m, w.row<uint32_t>(i.e));
  if (Observer *o = m ? w.cta->cluster->observer : nullptr)
    forGroups(w, i, m, [&](uint32_t g) { o->warpSync(w, i, g); });
  return m;
}

void voteAll(Warp &w, const Inst &i, uint32_t m) {
  if ((m = together(w, i, m)))
    forGroups(w, i, m, [&](uint32_t g) { w.setPred(i.d, (predA(w, i) & g) == g ? ~0u : 0u, g); });
}
void voteAny(Warp &w, const Inst &i, uint32_t m) {
  if ((m = together(w, i, m)))
    forGroups(w, i, m, [&](uint32_t g) { w.setPred(i.d, predA(w, i) & g ? ~0u : 0u, g); });
}
void voteUni(Warp &w, const Inst &i, uint32_t m) {
  if ((m = together(w, i, m)))
    forGroups(w, i, m, [&](uint32_t g) {
      uint32_t p = predA(w, i) & g;
      w.setPred(i.d, p == 0 || p == g ? ~0u : 0u, g);
    });
}
void voteBallot(Warp &w, const Inst &i, uint32_t m) {
  if ((m = together(w, i, m)))
    forGroups(w, i, m, [&](uint32_t g) {
      uint32_t p = predA(w, i) & g;
      fillRow(w, i.d, 4, g, [&](unsigned) { return p; });
    });
}
void matchAny(Warp &w, const Inst &i, uint32_t m) {
  if (!(m = together(w, i, m)))
    return;
  forGroups(w, i, m, [&](uint32_t g) {
    uint32_t result[32];
    for (unsigned l = 0; l != 32; ++l) {
      result[l] = 0;
      for (uint32_t r = g; r; r &= r - 1) {
        unsigned k = unsigned(std::countr_zero(r));
        if (readLane(w, i.a, i.count, k) == readLane(w, i.a, i.count, l))
          result[l] |= 1u << k;
      }
    }
    fillRow(w, i.d, 4, g, [&](unsigned l) { return result[l]; });
  });
}
void matchAll(Warp &w, const Inst &i, uint32_t m) {
  if (!(m = together(w, i, m)))
    return;
  forGroups(w, i, m, [&](uint32_t g) {
    uint64_t first = readLane(w, i.a, i.count, unsigned(std::countr_zero(g)));
    bool same = true;
    for (uint32_t r = g; r; r &= r - 1)
      same &= readLane(w, i.a, i.count, unsigned(std::countr_zero(r))) == first;
    if (i.flags & 8) // `d` is not the sink
      fillRow(w, i.d, 4, g, [&](unsigned) { return same ? g : 0; });
    if (i.imm)
      w.setPred(uint32_t(i.imm), same ? ~0u : 0u, g);
  });
}
void activemask(Warp &w, const Inst &i, uint32_t m) {
  fillRow(w, i.d, 4, m, [&](unsigned) { return m; });
}
void elect(Warp &w, const Inst &i, uint32_t m) {
  if (!(m = together(w, i, m)))
    return;
  // Which lane is elected is not specified; a correct program must not depend on it.
  forGroups(w, i, m, [&](uint32_t g) {
    uint32_t leader = uint32_t(std::countr_zero(g));
    if (i.flags & 8)
      fillRow(w, i.d, 4, g, [&](unsigned) { return leader; });
    if (i.imm)
      w.setPred(uint32_t(i.imm), 1u << leader, g);
  });
}
void barWarp(Warp &w, const Inst &i, uint32_t m) { together(w, i, m); }

template <typename T, typename F> static void reduce(Warp &w, const Inst &i, uint32_t m, F f) {
  if (!(m = together(w, i, m)))
    return;
  forGroups(w, i, m, [&](uint32_t g) {
    const T *a = w.row<T>(i.a);
    T r = a[std::countr_zero(g)];
    for (uint32_t rest = g & (g - 1); rest; rest &= rest - 1)
      r = f(r, a[std::countr_zero(rest)]);
    fillRow(w, i.d, 4, g, [&](unsigned) { return uint64_t(std::bit_cast<uint32_t>(r)); });
  });
}
/// flags: 1 .abs, 2 .NaN, 4 max.
static void reduxFloat(Warp &w, const Inst &i, uint32_t m) {
  bool abs = i.flags & 1, nan = i.flags & 2, max = i.flags & 4;
  reduce<uint32_t>(w, i, m, [&](uint32_t x, uint32_t y) -> uint32_t {
    if (abs) {
      x &= 0x7fffffff;
      y &= 0x7fffffff;
    }
    bool nx = (x & 0x7fffffff) > 0x7f800000, ny = (y & 0x7fffffff) > 0x7f800000;
    if (nx || ny)
      return nan || (nx && ny) ? 0x7fffffffu : nx ? y : x;
    // As sign-magnitude integers, so that -0 < +0.
    auto order = [](uint32_t v) { return v >> 31 ? ~v : v | 0x80000000u; };
    return (order(x) < order(y)) != max ? x : y;
  });
}
static void reduxAdd(Warp &w, const Inst &i, uint32_t m) {
  reduce<uint32_t>(w, i, m, [](uint32_t a, uint32_t b) { return a + b; });
}
static void reduxAnd(Warp &w, const Inst &i, uint32_t m) {
  reduce<uint32_t>(w, i, m, [](uint32_t a, uint32_t b) { return a & b; });
}
static void reduxOr(Warp &w, const Inst &i, uint32_t m) {
  reduce<uint32_t>(w, i, m, [](uint32_t a, uint32_t b) { return a | b; });
}
static void reduxXor(Warp &w, const Inst &i, uint32_t m) {
  reduce<uint32_t>(w, i, m, [](uint32_t a, uint32_t b) { return a ^ b; });
}
static void reduxMinU(Warp &w, const Inst &i, uint32_t m) {
  reduce<uint32_t>(w, i, m, [](uint32_t a, uint32_t b) { return std::min(a, b); });
}
static void reduxMaxU(Warp &w, const Inst &i, uint32_t m) {
  reduce<uint32_t>(w, i, m, [](uint32_t a, uint32_t b) { return std::max(a, b); });
}
static void reduxMinS(Warp &w, const Inst &i, uint32_t m) {
  reduce<int32_t>(w, i, m, [](int32_t a, int32_t b) { return std::min(a, b); });
}
static void reduxMaxS(Warp &w, const Inst &i, uint32_t m) {
  reduce<int32_t>(w, i, m, [](int32_t a, int32_t b) { return std::max(a, b); });
}

Handler redux(const Instruction &inst) {
  if (inst.type() == Type::F32)
    return reduxFloat;
  bool isSigned = inst.type() == Type::S32;
  if (inst.has("add"))
    return reduxAdd;
  if (inst.has("min"))
    return isSigned ? reduxMinS : reduxMinU;
  if (inst.has("max"))
    return isSigned ? reduxMaxS : reduxMaxU;
  if (inst.has("and"))
    return reduxAnd;
  if (inst.has("or"))
    return reduxOr;
  return reduxXor;
}

//===----------------------------------------------------------------------===//
// CTA and cluster barriers (PTX ISA, Parallel Synchronization, barrier)
//===----------------------------------------------------------------------===//

/// Barrier number and thread count; false after a report.
static bool barrierOperands(Warp &w, const Inst &i, uint32_t m, uint32_t &number, uint32_t &threads) {
  uint32_t lane = uint32_t(std::countr_zero(m));
  number = w.row<uint32_t>(i.a)[lane];
  threads = i.count ? w.row<uint32_t>(i.b)[lane] : 0;
  for (uint32_t r = m; r; r &= r - 1) {
    uint32_t l = uint32_t(std::countr_zero(r));
    if (w.row<uint32_t>(i.a)[l] != number || (i.count && w.row<uint32_t>(i.b)[l] != threads)) {
      w.fatal(ReportKind::Barrier, i, l, "threads of one warp name different barriers or thread counts");
      return false;
    }
  }
  if (number > 15) {
    w.fatal(ReportKind::Barrier, i, lane, "barrier " + std::to_string(number) + " does not exist: there are 16");
    return false;
  }
  if (i.count && (threads == 0 || threads % 32)) {
    w.fatal(ReportKind::Barrier, i, lane,
            "thread count " + std::to_string(threads) + " of a barrier is not a positive multiple of 32");
    return false;
  }
  return true;
}

void barSync(Warp &w, const Inst &i, uint32_t m) {
  uint32_t number, threads;
  if (barrierOperands(w, i, m, number, threads))
    w.parkAtBarrier(i, m, number, threads, i.flags & 16);
}
void barArrive(Warp &w, const Inst &i, uint32_t m) {
  uint32_t number, threads;
  if (!barrierOperands(w, i, m, number, threads))
    return;
  if (m != w.live && (i.flags & 16))
    w.report(ReportKind::Barrier, i, uint32_t(std::countr_zero(m)),
             "an .aligned barrier is executed by some threads of the warp only");
  w.cta->arrive(w, i, number, threads, false);
}
void barRed(Warp &w, const Inst &i, uint32_t m) {
  uint32_t number, threads;
  if (!barrierOperands(w, i, m, number, threads))
    return;
  BarrierState &b = w.cta->barriers[number];
  uint32_t p = w.preds[i.c] ^ (i.flags & 4 ? ~0u : 0u);
  if ((p & m) != m)
    b.reducedAnd = 0;
  if (p & m)
    b.reducedOr = ~0u;
  b.popc += uint32_t(std::popcount(p & m));
  w.parkAtBarrier(i, m, number, threads, i.flags & 16);
}

void clusterArrive(Warp &w, const Inst &i, uint32_t m) {
  if (w.clusterOpen & m) {
    uint32_t lane = uint32_t(std::countr_zero(w.clusterOpen & m));
    w.fatal(ReportKind::Barrier, i, lane,
            "barrier.cluster.arrive is executed twice without barrier.cluster.wait between");
    return;
  }
  if (Observer *o = w.cta->cluster->observer)
    o->clusterArrive(w, i, m, !(i.flags & 1));
  ++w.stats->clusterBarriers;
  w.clusterOpen |= m;
  for (uint32_t r = m; r; r &= r - 1)
    ++w.clusterPhase[std::countr_zero(r)];
  w.cta->cluster->clusterArrived += uint32_t(std::popcount(m));
  w.cta->cluster->checkClusterBarrier();
}
void clusterWait(Warp &w, const Inst &i, uint32_t m) {
  if (m & ~w.clusterOpen) {
    w.fatal(ReportKind::Barrier, i, uint32_t(std::countr_zero(m & ~w.clusterOpen)),
            "barrier.cluster.wait without barrier.cluster.arrive before it");
    return;
  }
  uint32_t open = 0;
  for (uint32_t r = m; r; r &= r - 1)
    if (w.clusterPhase[std::countr_zero(r)] > w.cta->cluster->clusterPhase)
      open |= r & -r;
  if (m & ~open) {
    w.clusterOpen &= ~(m & ~open);
    if (Observer *o = w.cta->cluster->observer)
      o->clusterWait(w, i, m & ~open, true);
  }
  if (open)
    w.waitFor(i, open, ClusterBarrierKey);
}

} // namespace tileiras::emu::handlers
