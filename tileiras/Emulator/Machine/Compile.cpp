//===- Compile.cpp - From the AST to pre-decoded code -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Compile.h"

#include "tileiras/Emulator/Machine/Bind/Binder.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Memory/Layout.h"
#include "tileiras/Emulator/Machine/RegisterAllocation.h"

#include <algorithm>
#include <cstring>

using namespace tileiras::emu;

/// May the instruction touch global memory?
static bool reachesGlobal(const Instruction &inst) {
  for (std::string_view word : inst.words)
    if (word.starts_with("shared") || word == "local" || word == "param" || word == "const")
      return false;
  return true;
}

static bool storesGlobal(const Instruction &inst) {
  return reachesGlobal(inst) && (inst.row->cls == InstClass::Store || inst.opcode == "cp");
}

static bool pollsGlobal(const Instruction &inst) {
  if (inst.opcode == "nanosleep")
    return true;
  if (!reachesGlobal(inst))
    return false;
  return inst.row->cls == InstClass::Atomic ||
         (inst.row->op == Op::Ld &&
          (inst.has("volatile") || inst.has("relaxed") || inst.has("acquire") || inst.has("mmio")));
}

void Binder::run() {
  std::vector<uint32_t> start(cf.blocks.size(), ~0u);
  for (size_t n = 0; n != cf.order.size(); ++n) {
    const BasicBlock &block = cf.blocks[cf.order[n]];
    start[cf.order[n]] = uint32_t(code.code.size());
    current = block.begin < fn.body.size() ? block.begin : (fn.body.empty() ? 0 : uint32_t(fn.body.size()) - 1);
    BlockCounts counts;
    bool stores = false, polls = false;
    for (uint32_t k = block.begin; k != block.end; ++k) {
      ++counts.total;
      stores |= storesGlobal(fn.body[k]);
      polls |= pollsGlobal(fn.body[k]);
      InstClass cls = fn.body[k].row->cls;
      auto it = std::find_if(counts.byClass.begin(), counts.byClass.end(), [&](auto &p) { return p.first == cls; });
      if (it == counts.byClass.end())
        counts.byClass.push_back({cls, 1});
      else
        ++it->second;
    }
    Inst head;
    head.fn = handlers::blockHead;
    head.imm = program.blocks.size();
    head.e = counts.total;
    emit(head);
    if (stores)
      program.storingBlocks.push_back(uint32_t(program.blocks.size()));
    if (polls)
      program.pollingBlocks.push_back(uint32_t(program.blocks.size()));
    program.blocks.push_back(std::move(counts));
    for (uint32_t k = block.begin; k != block.end; ++k) {
      current = k;
      compile(fn.body[k]);
    }
    if (block.begin == block.end && cf.order[n] + 1 == cf.blocks.size())
      emitPlain(handlers::ret); // ran off the end
    uint32_t next = n + 1 < cf.order.size() ? cf.order[n + 1] : ~0u;
    if (block.fallthrough != ~0u && block.fallthrough != next) {
      Inst jump;
      jump.fn = handlers::jump;
      fixups.push_back({code.code.size(), block.fallthrough});
      emit(jump);
    }
  }
  for (auto &[inst, block] : fixups)
    code.code[inst].target = code.code.data() + start[block];
  for (BranchAux *aux : tables)
    for (size_t i = 0; i != aux->blocks.size(); ++i)
      aux->targets[i] = code.code.data() + start[aux->blocks[i]];
  code.bound = true;
}

void Binder::compile(const Instruction &inst) {
  usedTemporaries.clear();
  Inst i;
  if (inst.guard >= 0) {
    i.guard = uint16_t(regs[inst.guard]);
    i.guardFlip = inst.guardNegated ? ~0u : 0u;
  }
  if (code.asyncRegisters && inst.row->op != Op::Wgmma)
    bindTouches(inst, i);
  if (!bind(inst, i))
    error(inst.loc, "unsupported instruction '" + std::string(inst.text) + "'");
}

bool Binder::bind(const Instruction &inst, Inst &i) {
  // One line per family, each in its own Bind*.cpp.
  static constexpr Family families[] = {
      &Binder::bindArithmetic,    &Binder::bindData,    &Binder::bindVideo,    &Binder::bindMemory,
      &Binder::bindWarp,          &Binder::bindBarrier, &Binder::bindMbarrier, &Binder::bindAsyncCopy,
      &Binder::bindTma,           &Binder::bindMatrix,  &Binder::bindWgmma,    &Binder::bindTcgen05,
      &Binder::bindLaunchControl, &Binder::bindTexture, &Binder::bindControl,
  };
  for (Family family : families)
    if (Bound bound = (this->*family)(inst, i))
      return *bound;
  return *bindElementwise(inst, i);
}

std::unique_ptr<Program> tileiras::emu::compileProgram(std::unique_ptr<ParsedModule> ast, uint64_t moduleId,
                                                       std::vector<Diagnostic> &errors) {
  auto program = std::make_unique<Program>();
  program->ast = std::move(ast);
  for (Function &f : program->ast->functions) {
    program->functions.emplace_back();
    program->functions.back().ast = &f;
    program->functions.back().number = f.number;
  }
  layoutVariables(*program, moduleId, errors);
  ConstantRows constants;
  std::vector<ControlFlow> flows(program->functions.size());
  for (FunctionCode &f : program->functions)
    if (f.ast->isDefined) {
      flows[f.number] = buildControlFlow(*f.ast);
      allocateRegisters(f, flows[f.number]);
    }
  for (FunctionCode &f : program->functions)
    if (f.ast->isDefined)
      Binder(*program, f, flows[f.number], constants, errors).run();
  program->constantRowStorage.assign(constants.storage.size() + 64, 0);
  uintptr_t start = (reinterpret_cast<uintptr_t>(program->constantRowStorage.data()) + 63) & ~uintptr_t(63);
  program->constantRows = reinterpret_cast<uint8_t *>(start);
  if (!constants.storage.empty())
    std::memcpy(program->constantRows, constants.storage.data(), constants.storage.size());
  return program;
}
