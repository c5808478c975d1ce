//===- ExecWgmma.cpp - Warpgroup matrix instructions ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions": wgmma.mma_async, wgmma.fence, wgmma.commit_group,
// wgmma.wait_group. What is checked here are the rules on registers:
//
//   - wgmma.fence stands before a warp's first wgmma, and between any other access to a register and a wgmma that uses
//     it as accumulator or fragment of A; not between wgmmas of one shape with the same accumulator;
//   - from the wgmma to a wait_group that covers it, nobody touches the accumulator or the fragment.
//
// Register moves are exempt from the first rule. Compilers place them anywhere (nvcc clears accumulators after the
// fence), and the assembler, which turns them into nothing or orders them itself, accepts them without a word.
//
// A register that wgmmas use has a number (FunctionCode::asyncNumber), under which its frame keeps what happened to
// it last; ordinary instructions that touch such registers are preceded by touchAsync.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Cta.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Matrix/WarpMatrix.h"
#include "tileiras/Emulator/Machine/Matrix/Wgmma.h"

#include <algorithm>
#include <bit>

using namespace tileiras::emu;

namespace {

uint64_t warpgroupKey(const Warp &w) { return WarpgroupKey | uint64_t(w.cta->rank) << 24 | w.index / 4; }

std::string registerName(const Frame &f, uint32_t number) {
  const std::vector<int32_t> &numbers = f.fn->asyncNumber;
  auto it = std::find(numbers.begin(), numbers.end(), int32_t(number));
  return it == numbers.end() ? "a register"
                             : "register '" + f.fn->ast->registers[size_t(it - numbers.begin())].name + "'";
}

/// "the wgmma.mma_async at line 12", for the warp's wgmma number `sequence`, if it is pending.
std::string wgmmaName(const Warp &w, uint32_t sequence) {
  uint32_t n = w.wgmmaWaited;
  auto look = [&](const std::vector<AsyncRef> &ops) -> std::string {
    for (const AsyncRef &op : ops)
      if (++n == sequence)
        return " at line " + std::to_string(op->function->body[op->inst->source].loc.line);
    return "";
  };
  std::string at;
  for (const auto &group : w.wgmmaGroups.committed)
    if ((at = look(group)), !at.empty())
      break;
  if (at.empty())
    at = look(w.wgmmaGroups.open);
  return "the wgmma.mma_async" + at;
}

/// Fence rules for the registers of a wgmma about to be issued, and the note that it uses them.
void useRegisters(Warp &w, const Inst &i, uint32_t lane, const std::vector<uint32_t> &numbers, uint32_t shape) {
  AsyncRegister *registers = w.frame->asyncRegisters.data();
  const uint32_t epoch = w.wgmmaEpoch, sequence = w.wgmmaIssued;
  bool told = false;
  for (uint32_t n : numbers) {
    AsyncRegister &r = registers[n];
    if (!told && r.touched == epoch) {
      told = true;
      w.report(ReportKind::Async, i, lane,
               registerName(*w.frame, n) +
                   " has been accessed since the last wgmma.fence; a wgmma.fence is needed before "
                   "this wgmma.mma_async");
    }
    // Fragments of A may be read by one wgmma after the other.
    if (!told && r.wgmma && r.wgmma != sequence && r.wgmmaEpoch == epoch && r.shape != shape) {
      told = true;
      w.report(ReportKind::Async, i, lane,
               registerName(*w.frame, n) +
                   " is used by an earlier wgmma.mma_async in another way or with another shape; a "
                   "wgmma.fence is needed between them");
    }
    r.wgmma = sequence;
    r.wgmmaEpoch = epoch;
    r.shape = shape;
  }
}

/// The value all lanes of `m` have.
uint64_t uniform64(Warp &w, const Inst &i, uint32_t m, Row row, const char *what) {
  const uint64_t *v = w.row<uint64_t>(row);
  uint32_t first = uint32_t(std::countr_zero(m));
  for (uint32_t rest = m & (m - 1); rest; rest &= rest - 1)
    if (v[std::countr_zero(rest)] != v[first]) {
      w.report(ReportKind::Descriptor, i, uint32_t(std::countr_zero(rest)),
               std::string("the threads of a warp give different ") + what);
      break;
    }
  return v[first];
}

} // namespace

namespace tileiras::emu::handlers {

void wgmma(Warp &w, const Inst &i, uint32_t m) {
  m = wholeWarp(w, i, m);
  if (!m)
    return;
  const WgmmaAux &x = *static_cast<const WgmmaAux *>(i.aux);
  const uint32_t lane = uint32_t(std::countr_zero(m)), group = w.index / 4, part = w.index % 4;
  Cta &cta = *w.cta;
  if (4 * group + 4 > cta.warpCount) {
    w.fatal(ReportKind::InvalidOperation, i, lane,
            "a warpgroup has four warps; the block has " + std::to_string(cta.warpCount) + " and this is warp " +
                std::to_string(w.index));
    return;
  }
  uint64_t a = x.aInRegisters ? 0 : uniform64(w, i, m, x.ra[0], "descriptors of matrix A");
  uint64_t b = uniform64(w, i, m, x.rb, "descriptors of matrix B");
  uint32_t scale = (w.preds[x.scale] ^ (x.scaleFlip ? ~0u : 0u)) & m;
  if (scale && scale != m)
    w.report(ReportKind::InvalidOperation, i, lane, "the threads of a warp give different values of scale-d");

  Warpgroup &warpgroup = cta.warpgroups[group];
  size_t place = w.wgmmaIssued - warpgroup.submitted;
  if (place == warpgroup.forming.size())
    warpgroup.forming.push_back(std::make_shared<WgmmaOp>(w, i, lane));
  std::shared_ptr<WgmmaOp> op = warpgroup.forming[place];
  if (!op->joined) {
    op->aDescriptor = a;
    op->bDescriptor = b;
    op->scale = scale != 0;
  } else if (op->inst != &i) {
    w.fatal(ReportKind::InvalidOperation, i, lane,
            "the warps of a warpgroup execute different wgmma.mma_async instructions: warp " + std::to_string(w.index) +
                " this one, warp " + std::to_string(op->warp->index) + " that at line " +
                std::to_string(op->function->body[op->inst->source].loc.line));
    return;
  } else if (op->aDescriptor != a || op->bDescriptor != b) {
    w.report(ReportKind::Descriptor, i, lane, "the warps of a warpgroup give different descriptors");
  } else if (op->scale != (scale != 0)) {
    w.report(ReportKind::InvalidOperation, i, lane, "the warps of a warpgroup give different values of scale-d");
  }
  WgmmaOp::Part &mine = op->parts[part];
  mine.warp = &w;
  mine.frame = w.frame;
  if (x.sparse)
    std::copy_n(w.row<uint32_t>(x.meta), 32, mine.meta.begin());
  const bool first = !op->joined;
  op->joined |= 1u << part;
  if (Observer *o = cta.cluster->observer)
    o->asyncJoin(*op, w, i, m);
  AsyncEngine &async = cta.cluster->async;
  if (async.timing == AsyncTiming::Early || (async.timing == AsyncTiming::Random && (async.random() & 1)))
    op->readOperands(1u << part, first);

  ++w.wgmmaIssued;
  if (w.wgmmaEpoch == 1)
    w.report(ReportKind::Async, i, lane, "no wgmma.fence before the warp's first wgmma.mma_async");
  else {
    useRegisters(w, i, lane, x.dNumbers, x.shape());
    useRegisters(w, i, lane, x.aNumbers, ~0u);
  }
  w.wgmmaGroups.add(op);
  if (op->joined != 15)
    return;
  warpgroup.forming.pop_front();
  ++warpgroup.submitted;
  op->submitted = true;
  op->issueTime = cta.cluster->clockTicks + w.executed;
  async.submit(op, AsyncEngine::queueKey(AsyncUnit::Wgmma, cta.rank, group));
  cta.cluster->wake(warpgroupKey(w));
}

void wgmmaFence(Warp &w, const Inst &i, uint32_t m) {
  m = wholeWarp(w, i, m);
  if (!m)
    return;
  ++w.wgmmaEpoch;
  if (Observer *o = w.cta->cluster->observer)
    o->fence(w, i, m, FenceKind::WgmmaFence, {}, Space::Reg, 0);
}

void wgmmaCommit(Warp &w, const Inst &i, uint32_t m) {
  if (wholeWarp(w, i, m))
    w.wgmmaGroups.commit();
}

void wgmmaWait(Warp &w, const Inst &i, uint32_t m) {
  m = wholeWarp(w, i, m);
  if (!m)
    return;
  auto &groups = w.wgmmaGroups.committed;
  size_t count = groups.size() > i.imm ? groups.size() - size_t(i.imm) : 0, ops = 0;
  for (size_t g = 0; g != count; ++g)
    for (const AsyncRef &op : groups[g]) {
      ++ops;
      if (static_cast<const WgmmaOp &>(*op).submitted)
        continue;
      w.waitFor(i, m, warpgroupKey(w)); // until the other warps have come
      return;
    }
  w.cta->cluster->async.wait(w.wgmmaGroups, i.imm, false, w, i, m);
  w.wgmmaWaited += uint32_t(ops);
}

void touchAsync(Warp &w, const Inst &i, uint32_t m) {
  AsyncRegister *registers = w.frame->asyncRegisters.data();
  for (unsigned k = 0; k != i.count; ++k) {
    uint32_t number = uint32_t(i.imm >> 32 * k);
    AsyncRegister &r = registers[number];
    if (!(i.flags & 4))
      r.touched = w.wgmmaEpoch;
    if (r.load > w.tensorWaited && w.launch->options->rules == Rules::Hardware) [[unlikely]]
      w.cta->cluster->async.finish(*w.tensorLoads[r.load - w.tensorWaited - 1]);
    else if (r.load > w.tensorWaited) [[unlikely]]
      w.report(ReportKind::Async, i, uint32_t(std::countr_zero(m)),
               registerName(*w.frame, number) + " is " + (i.flags >> k & 1 ? "written" : "read") +
                   " while a tcgen05.ld may not have written it yet; a tcgen05.wait::ld is missing");
    if (r.wgmma > w.wgmmaWaited) [[unlikely]]
      w.report(ReportKind::Async, i, uint32_t(std::countr_zero(m)),
               registerName(*w.frame, number) + " is " + (i.flags >> k & 1 ? "written" : "read") + " while " +
                   wgmmaName(w, r.wgmma) + " may still use it as " + (r.shape == ~0u ? "matrix A" : "its accumulator") +
                   "; a wgmma.wait_group is missing");
  }
}

} // namespace tileiras::emu::handlers

void Warp::leaveWgmma(Frame &f) {
  const bool exits = &f == &root;
  bool told = false;
  auto leave = [&](const std::vector<AsyncRef> &ops) {
    for (const AsyncRef &ref : ops) {
      WgmmaOp &op = static_cast<WgmmaOp &>(*ref);
      WgmmaOp::Part &part = op.parts[index % 4];
      if (!part.frame || (!exits && part.frame != &f))
        continue;
      if (!told)
        report(ReportKind::Async, *(pc - 1), uint32_t(std::countr_zero(active)),
               std::string(exits ? "the warp exits" : "the function returns") + " while the wgmma.mma_async at line " +
                   std::to_string(op.function->body[op.inst->source].loc.line) +
                   " may still be pending; a wgmma.wait_group is missing");
      told = true;
      if (op.submitted)
        cta->cluster->async.finish(op);
      part.frame = nullptr;
    }
  };
  for (const auto &group : wgmmaGroups.committed)
    leave(group);
  leave(wgmmaGroups.open);
}
