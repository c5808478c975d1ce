//===- Coverage.cpp - Which instructions the tests execute ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Coverage.h"

#include "tileiras/Emulator/Machine/Async/Async.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Warp.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>

using namespace tileiras::emu;

namespace {

struct Recorder {
  std::mutex mutex;
  std::vector<bool> executed, observed;
  Recorder() : executed(instructionTable().size()), observed(instructionTable().size()) {}
  ~Recorder() {
    // One write per process: several test programs may end at the same time.
    std::string text;
    for (size_t k = 0; k != executed.size(); ++k) {
      const InstructionRow &row = instructionTable()[k];
      std::string form =
          std::string(row.opcode) + "\t" + std::string(row.words) + "\t" + std::string(row.operands) + "\n";
      if (executed[k])
        text += "executed\t" + form;
      if (observed[k])
        text += "observed\t" + form;
    }
    if (FILE *file = std::fopen(std::getenv("TILEIRAS_EMULATOR_COVERAGE"), "a")) {
      std::fwrite(text.data(), 1, text.size(), file);
      std::fclose(file);
    }
  }
  void mark(std::vector<bool> &set, const InstructionRow *row) {
    if (row)
      set[size_t(row - instructionTable().data())] = true;
  }
};

Recorder &recorder() {
  static Recorder r;
  return r;
}

/// Every event that names an instruction marks it.
class CoverageObserver : public Observer {
  void mark(Warp &w, const Inst &i) {
    const FunctionCode *fn = w.frame ? w.frame->fn : nullptr;
    if (!fn || i.source >= fn->ast->body.size())
      return;
    std::lock_guard<std::mutex> lock(recorder().mutex);
    recorder().mark(recorder().observed, fn->ast->body[i.source].row);
  }
  void threadAccess(Warp &w, const Inst &i, Space, uint32_t, const uint64_t *, unsigned, AccessKind,
                    MemoryOrder) override {
    mark(w, i);
  }
  void fence(Warp &w, const Inst &i, uint32_t, FenceKind, MemoryOrder, Space, uint64_t) override { mark(w, i); }
  void warpSync(Warp &w, const Inst &i, uint32_t) override { mark(w, i); }
  void barrierArrive(Warp &w, const Inst &i, uint32_t, bool) override { mark(w, i); }
  void clusterArrive(Warp &w, const Inst &i, uint32_t, bool) override { mark(w, i); }
  void clusterWait(Warp &w, const Inst &i, uint32_t, bool) override { mark(w, i); }
  void mbarrierInit(Warp &w, const Inst &i, uint32_t, Mbarrier &) override { mark(w, i); }
  void mbarrierInval(Warp &w, const Inst &i, uint32_t, Mbarrier &) override { mark(w, i); }
  void mbarrierArrive(Warp &w, const Inst &i, uint32_t, Mbarrier &, uint32_t, int64_t, MemoryOrder) override {
    mark(w, i);
  }
  void mbarrierAcquire(Warp &w, const Inst &i, uint32_t, Mbarrier &, uint64_t, MemoryOrder) override { mark(w, i); }
  void asyncJoin(AsyncOp &, Warp &w, const Inst &i, uint32_t) override { mark(w, i); }
  void asyncIssue(AsyncOp &op) override {
    std::lock_guard<std::mutex> lock(recorder().mutex);
    if (op.function && op.inst && op.inst->source < op.function->body.size())
      recorder().mark(recorder().observed, op.function->body[op.inst->source].row);
  }
  void copyIssued(Warp &w, const Inst &i, uint32_t, const AsyncCopy &) override { mark(w, i); }
  void copiesWaited(Warp &w, const Inst &i, uint32_t, uint64_t) override { mark(w, i); }
  void asyncWaited(AsyncOp &, Warp &w, const Inst &i, uint32_t, bool) override { mark(w, i); }
};

} // namespace

bool tileiras::emu::coverageWanted() {
  static const bool wanted = [] {
    const char *name = std::getenv("TILEIRAS_EMULATOR_COVERAGE");
    return name && *name;
  }();
  return wanted;
}

void tileiras::emu::recordExecuted(const Program &program, const std::vector<uint64_t> &blockWarps) {
  std::lock_guard<std::mutex> lock(recorder().mutex);
  for (const FunctionCode &fn : program.functions) {
    bool ran = false;
    for (const Inst &i : fn.code) {
      if (i.fn == handlers::blockHead)
        ran = blockWarps[i.imm] != 0;
      else if (ran && i.source < fn.ast->body.size())
        recorder().mark(recorder().executed, fn.ast->body[i.source].row);
    }
  }
}

std::unique_ptr<Observer> tileiras::emu::makeCoverageObserver() { return std::make_unique<CoverageObserver>(); }
