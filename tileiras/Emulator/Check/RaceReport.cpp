//===- RaceReport.cpp - The wording of race reports ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Check/Idioms.h"
#include "tileiras/Emulator/Check/RaceChecker.h"

#include <algorithm>
#include <bit>

using namespace tileiras::emu;

static std::string triple(const Dim3 &d) {
  return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}

static const char *verb(AccessKind kind) {
  return kind == AccessKind::Read ? "read" : kind == AccessKind::Write ? "write" : "atomic operation";
}

/// "shared address 0x410 (byte 16 of 'tile')".
static std::string place(const LaunchContext &launch, Space space, uint64_t address, uint32_t ownRank) {
  char buffer[64];
  if (space == Space::Global) {
    std::snprintf(buffer, sizeof buffer, "global address 0x%llx", static_cast<unsigned long long>(address));
    const Allocation *a = launch.memory->find(address);
    return buffer + (a ? " (byte " + std::to_string(address - a->base) + " of '" + a->name + "')" : std::string());
  }
  if (space != Space::Shared) {
    std::snprintf(buffer, sizeof buffer, "%s address 0x%llx", spaceName(space),
                  static_cast<unsigned long long>(address));
    return buffer;
  }
  uint32_t rank = uint32_t(address >> 24), offset = uint32_t(address & 0xffffff);
  std::snprintf(buffer, sizeof buffer, "shared address 0x%x", offset);
  std::string text = buffer;
  if (rank != ownRank)
    text += " of the block with rank " + std::to_string(rank);
  // Every symbol of the kernel that covers the address: all unsized arrays begin where dynamic shared memory does.
  std::string symbols, arrays;
  for (const Variable *v : launch.kernel->shared) {
    if (v->unsized)
      arrays += (arrays.empty() ? " '" : ", '") + v->name + "'";
    else if (offset >= v->offset && offset - v->offset < v->size)
      symbols += (symbols.empty() ? "byte " : ", byte ") + std::to_string(offset - v->offset) + " of '" + v->name + "'";
  }
  uint32_t dynamic = launch.kernel->dynamicStart + launch.program->sharedBase;
  if (symbols.empty() && offset >= dynamic && launch.dynamicShared)
    symbols = "byte " + std::to_string(offset - dynamic) + " of dynamic shared memory" + arrays;
  return symbols.empty() ? text : text + " (" + symbols + ")";
}

/// The instruction with number `inst`.
static const Instruction &instructionAt(const Program &program, const std::vector<uint32_t> &first, uint32_t inst,
                                        const Function *&function, const Inst *&code) {
  size_t f = size_t(std::upper_bound(first.begin(), first.end(), inst) - first.begin()) - 1;
  while (program.functions[f].code.empty())
    --f;
  function = program.functions[f].ast;
  code = &program.functions[f].code[inst - first[f]];
  return function->body[code->source];
}

/// "line 12 (st.shared.u32 [%r1], %r2; source k.cu:7)".
std::string RaceChecker::where(const Access &e) const {
  const Function *function;
  const Inst *code;
  const Instruction &i = instructionAt(*launch.program, firstInst, e.inst >> 4, function, code);
  std::string text = "line " + std::to_string(i.loc.line) + " (" + std::string(i.text);
  if (i.sourceLine) {
    auto it = launch.program->ast->files.find(i.sourceFile);
    text += "; source " + (it == launch.program->ast->files.end() ? std::string("?") : it->second) + ":" +
            std::to_string(i.sourceLine);
    if (auto call = launch.program->ast->files.find(i.callFile); i.callLine && call != launch.program->ast->files.end())
      text += ", called at " + call->second + ":" + std::to_string(i.callLine);
  }
  return text + ")";
}

/// "thread (3,0,0) of warp 0" or "the TMA operation that thread (0,0,0) of warp 4 issued", with the block if it is
/// another one than that of the report.
std::string RaceChecker::who(const Access &e) const {
  auto thread = [&](uint32_t row, uint32_t lane) {
    const Warp &w = *warps[row / 2].warp;
    std::string text =
        "thread " + triple({w.tid[0][lane], w.tid[1][lane], w.tid[2][lane]}) + " of warp " + std::to_string(w.index);
    if (warps.size() > warpsPerBlock)
      text += " of block " + triple(warps[row / 2].block);
    return text;
  };
  if (e.cluster != clusterNumber) {
    std::string block = launch.cluster.count() > 1 ? "the cluster that begins with block " : "block ";
    return (e.agent & SlotAgent ? "an asynchronous operation of "
                                : "warp " + std::to_string(e.agent / 2 % warpsPerBlock) + " of ") +
           block + triple(firstBlockOf(e));
  }
  if (e.agent & SlotAgent) {
    const Slot &s = slots[(e.agent & ~SlotAgent) / 2];
    // The latest of that warp: its storage may have been an earlier one's.
    uint32_t row = uint32_t(2 * warps.size());
    do
      row -= 2;
    while (row && warps[row / 2].warp != s.warp);
    if (s.unit == AsyncUnit::Wgmma)
      return "the wgmma operation of warp " + std::to_string(s.warp->index);
    return std::string("the ") + asyncUnitName(s.unit) + " operation that " + thread(row, s.lane) + " issued";
  }
  std::string text = thread(e.agent & ~1u, uint32_t(std::countr_zero(e.lanes)));
  return e.agent & 1 ? "the cp.async of " + text : text;
}

/// What would order the two.
std::string RaceChecker::hint(const Situation &s, const Access &e, bool eWrites, Conflict why) const {
  if (why == Conflict::Proxy && s.kind == AccessKind::Atomic)
    return "the two are ordered, but there is no fence.mbarrier_init or fence.proxy.async between: the operation may "
           "not "
           "see the object";
  if (why == Conflict::Proxy && s.op && s.op->proxy == AsyncOp::Proxy::Tensormap)
    return "the two are ordered, but there is no fence.proxy.tensormap::generic between, release by the writer and "
           "acquire "
           "before the copy: it may use an older tensor map";
  if (why == Conflict::Proxy && s.space != Space::Shared && s.space != Space::Global)
    return "the two are ordered, but there is no pair of tcgen05.fence::before_thread_sync and ::after_thread_sync "
           "around "
           "that order";
  if (why == Conflict::Proxy)
    return "the two are ordered, but there is no fence.proxy.async between: the operation may not see what was written "
           "through the generic proxy";
  if (why == Conflict::Scope)
    return "their scopes do not include each other, and nothing orders the two";
  if (e.agent & SlotAgent && e.cluster == clusterNumber) {
    const Slot &slot = slots[(e.agent & ~SlotAgent) / 2];
    bool stillReads = !eWrites;
    std::string what = stillReads ? "the operation may still read" : "its completion has not been waited for";
    switch (slot.unit) {
    case AsyncUnit::Wgmma:
      return what + " (wgmma.wait_group, and a barrier for other warps)";
    case AsyncUnit::Tcgen05: {
      const Function *function;
      const Inst *code;
      const Op op = instructionAt(*launch.program, firstInst, e.inst >> 4, function, code).row->op;
      if (op == Op::Tcgen05Ld || op == Op::Tcgen05St)
        return what + (op == Op::Tcgen05Ld ? " (tcgen05.wait::ld" : " (tcgen05.wait::st") +
               ", and a barrier with a pair of tcgen05.fence for other threads)";
      return what + " (tcgen05.commit, and a wait for the phase of its mbarrier)";
    }
    case AsyncUnit::Tma:
      return what + (stillReads ? " (cp.async.bulk.wait_group.read, and a barrier for other threads)"
                                : " (a wait for the phase of its mbarrier, or cp.async.bulk.wait_group)");
    default:
      return what;
    }
  }
  if (e.cluster != clusterNumber || (!(e.agent & SlotAgent) && clusterOfRow(e) != base / launch.cluster.count()))
    return "blocks of a grid are ordered only by release and acquire at gpu scope";
  if (e.agent & 1)
    return "the copy has not been waited for (cp.async.wait_group, and a barrier for other threads)";
  if (s.op)
    return "nothing orders the two: the thread must be waited for before the operation is issued";
  uint32_t mine = indexOf(*s.warp);
  if (e.agent / 2 == mine)
    return "lanes of one warp are ordered only by bar.warp.sync or a barrier, and there is none between";
  if (blockOfRow(e) != base + s.warp->cta->rank)
    return "no barrier.cluster, mbarrier or other synchronisation orders the two";
  return "no barrier or other synchronisation orders the two";
}

void RaceChecker::complain(const Situation &s, ReportKind kind, std::string message) {
  uint32_t mine = number(s.op ? *s.op->function : *s.warp->frame->fn->ast, *s.inst);
  if (!reported.insert({mine, ~0u, int(kind)}).second)
    return;
  message = place(launch, s.space, s.address, s.warp->cta->rank) + ": " + message;
  if (s.op)
    s.op->report(kind, std::move(message), s.address);
  else
    s.warp->report(kind, *s.inst, s.lane, std::move(message), s.address);
}

/// Why the race of a thread with the instruction `code` of `function` is one by the letter only; null if it is not.
const char *RaceChecker::idiomOf(const Situation &s, const Access &e, bool eWrites, const Function &function,
                                 const Inst &code) const {
  if (launch.options->rules != Rules::Hardware)
    return nullptr;
  const Function &own = *s.warp->frame->fn->ast;
  const Op theirs = function.body[code.source].row->op, ours = own.body[s.inst->source].row->op;
  auto isAtomic = [](Op op) { return op == Op::Atom || op == Op::Red; };
  if ((s.kind == AccessKind::Read && isAtomic(theirs) && ours == Op::Ld && isSeedOfCasLoop(own, s.inst->source)) ||
      (s.kind == AccessKind::Atomic && !eWrites && theirs == Op::Ld && isSeedOfCasLoop(function, code.source)))
    return "a plain load may read an older value or a torn one; here it only begins a loop of atom.cas, which works "
           "(ld.relaxed would be right)";
  if (known(viewerOf(warps[indexOf(*s.warp)], 1u << s.lane), e, Observed))
    return "the two are ordered by an atomic operation without a fence behind it, which works for the block that "
           "counts "
           "itself last (__threadfence() behind the operation would be right)";
  return nullptr;
}

void RaceChecker::report(const Situation &s, const Access &e, bool eWrites, Conflict why) {
  bool unit = e.agent & SlotAgent || (e.cluster == clusterNumber && e.agent & 1);
  ReportKind kind = why == Conflict::Proxy ? ReportKind::Proxy : unit ? ReportKind::Async : ReportKind::Race;
  uint32_t other = e.inst >> 4;
  const Function *function;
  const Inst *code;
  instructionAt(*launch.program, firstInst, other, function, code);
  if (!s.inst) {
    // The end of a block.
    if (!reported.insert({~0u, other, int(kind)}).second)
      return;
    std::string message = place(launch, s.space, s.address, s.warp->cta->rank) + ": block " + triple(s.warp->cta->id) +
                          " exits while " + who(e) + " may still " + (eWrites ? "write" : "read") +
                          " its shared memory: nothing waits for that";
    s.warp->reportAt(*function, kind, *code, 0, std::move(message), s.address);
    return;
  }
  const char *idiom = kind == ReportKind::Race && !s.op ? idiomOf(s, e, eWrites, *function, *code) : nullptr;
  if (idiom)
    kind = ReportKind::Idiom;
  uint32_t mine = number(s.op ? *s.op->function : *s.warp->frame->fn->ast, *s.inst);
  if (!reported.insert({mine, other, int(kind)}).second)
    return;
  std::string message = std::string(s.op ? "asynchronous " : "") + verb(s.kind) + " of " +
                        place(launch, s.space, s.address, s.warp->cta->rank) + ", which " + who(e) +
                        (eWrites ? " writes" : " reads") + " at " + where(e) + ": " +
                        (idiom ? idiom : hint(s, e, eWrites, why));
  if (s.op)
    s.op->report(kind, std::move(message), s.address);
  else
    s.warp->report(kind, *s.inst, s.lane, std::move(message), s.address);
}
