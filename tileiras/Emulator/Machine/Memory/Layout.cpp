//===- Layout.cpp - Addresses of variables ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Memory/Layout.h"

#include "tileiras/Emulator/Machine/Memory/Memory.h"

#include <algorithm>
#include <cstring>
#include <set>

using namespace tileiras::emu;

static uint64_t alignTo(uint64_t v, uint64_t a) { return (v + a - 1) / a * a; }

namespace {

/// Which shared variables and functions each function names.
struct Uses {
  std::set<Variable *> shared;
  std::set<uint32_t> callees;
  bool indirect = false;
};

void collect(const Operand &op, Uses &uses) {
  if (op.kind == Operand::Var && op.var->space == Space::Shared)
    uses.shared.insert(op.var);
  if (op.kind == Operand::Func)
    uses.callees.insert(op.fn->number);
  for (const Operand &part : op.parts)
    collect(part, uses);
}

class Layout {
public:
  Layout(Program &program, uint64_t moduleId, std::vector<Diagnostic> &errors)
      : program(program), ast(*program.ast), moduleId(moduleId), errors(errors) {}

  void run() {
    uint64_t global = ModuleBase + moduleId % 0x7000 * ModuleStride;
    for (Variable &v : ast.variables) {
      if (v.space == Space::Global) {
        global = alignTo(global, std::max<uint64_t>(v.align, 256));
        v.offset = global;
        global += v.size + 256; // unmapped gap
      } else if (v.space == Space::Const) {
        program.constBytes = alignTo(program.constBytes, v.align);
        v.offset = program.constBytes;
        program.constBytes += v.size;
      }
    }
    layoutShared();
    for (FunctionCode &f : program.functions)
      layoutFrame(f);
    program.constImage.assign(program.constBytes, 0);
    for (Variable &v : ast.variables)
      if (v.space == Space::Global || v.space == Space::Const)
        initialise(v);
  }

private:
  /// Variables of kernels that never run together may overlap: each variable goes after whatever the kernels that
  /// reach it have so far.
  void layoutShared() {
    // Hopper and later keep the first KiB of the window for the system.
    program.sharedBase = ast.sm >= 90 ? 1024 : 0;
    std::vector<Uses> uses(ast.functions.size());
    for (const Function &f : ast.functions)
      for (const Instruction &inst : f.body) {
        Uses &u = uses[f.number];
        for (const Operand &op : inst.operands)
          collect(op, u);
        if (inst.row->op == Op::Call)
          for (const Operand &op : inst.operands)
            u.indirect |= op.kind == Operand::Reg;
      }
    struct Kernel {
      FunctionCode *code;
      std::set<Variable *> shared;
      uint64_t end = 0;
    };
    std::vector<Kernel> kernels;
    for (FunctionCode &f : program.functions) {
      if (!f.ast->isEntry)
        continue;
      Kernel k{&f, {}, 0};
      std::set<uint32_t> seen;
      std::vector<uint32_t> todo{f.ast->number};
      while (!todo.empty()) {
        uint32_t n = todo.back();
        todo.pop_back();
        if (!seen.insert(n).second)
          continue;
        k.shared.insert(uses[n].shared.begin(), uses[n].shared.end());
        for (uint32_t c : uses[n].callees)
          todo.push_back(c);
        if (uses[n].indirect)
          for (const Function &g : ast.functions)
            if (!g.isEntry)
              todo.push_back(g.number);
      }
      kernels.push_back(std::move(k));
    }
    std::vector<Variable *> all;
    for (Variable &v : ast.variables)
      if (v.space == Space::Shared)
        all.push_back(&v);
    for (Function &f : ast.functions)
      for (Variable &v : f.variables)
        if (v.space == Space::Shared)
          all.push_back(&v);
    auto place = [&](Variable &v, bool dynamic) {
      uint64_t at = 0;
      for (Kernel &k : kernels)
        if (k.shared.count(&v))
          at = std::max(at, k.end);
      at = alignTo(program.sharedBase + at, dynamic ? std::max(16u, v.align) : v.align) - program.sharedBase;
      v.offset = program.sharedBase + at;
      for (Kernel &k : kernels)
        if (k.shared.count(&v)) {
          if (dynamic)
            k.code->dynamicStart = uint32_t(std::max<uint64_t>(k.code->dynamicStart, at));
          else
            k.end = at + v.size;
        }
    };
    for (Variable *v : all)
      if (!v->unsized)
        place(*v, false);
    for (Kernel &k : kernels) {
      k.code->staticShared = uint32_t(k.end);
      k.code->dynamicStart = uint32_t(alignTo(k.end, 16));
    }
    for (Variable *v : all)
      if (v->unsized)
        place(*v, true);
    for (Kernel &k : kernels)
      for (Variable *v : all)
        if (k.shared.count(v))
          k.code->shared.push_back(v);
  }

  void layoutFrame(FunctionCode &f) {
    Function &fn = ast.functions[f.number];
    uint64_t offset = 0;
    auto place = [](Variable &v, uint64_t &at) {
      at = alignTo(at, v.align);
      v.offset = at;
      at += v.size;
    };
    if (fn.isEntry) {
      uint64_t param = 0;
      for (Variable &v : fn.params)
        place(v, param);
    } else {
      for (Variable &v : fn.params)
        place(v, offset);
      for (Variable &v : fn.returns)
        place(v, offset);
    }
    for (Variable &v : fn.variables)
      if (v.space == Space::Local || v.space == Space::Param)
        place(v, offset);
    f.localBytes = alignTo(offset, 16);
  }

  void initialise(Variable &v) {
    v.image.assign(v.size, 0);
    for (const InitPiece &p : v.init) {
      uint64_t value = p.bits;
      if (!p.symbol.empty() && !symbolValue(p, value))
        continue;
      if (p.byteOf >= 0)
        value = value >> (8 * p.byteOf) & 0xff;
      if (p.offset + p.size <= v.size)
        std::memcpy(&v.image[p.offset], &value, p.size);
    }
    if (v.space == Space::Const && !v.image.empty())
      std::memcpy(&program.constImage[v.offset], v.image.data(), v.size);
  }

  bool symbolValue(const InitPiece &p, uint64_t &value) {
    for (const Variable &v : ast.variables)
      if (v.name == p.symbol) {
        if (v.isExtern && v.space == Space::Global)
          break;
        value = v.offset + p.bits;
        if (p.generic && v.space == Space::Const)
          value += ConstWindow;
        return true;
      }
    for (const Function &f : ast.functions)
      if (f.name == p.symbol) {
        value = FunctionWindow + 16 * uint64_t(f.number) + p.bits;
        return true;
      }
    errors.push_back({ast.fileName, p.loc.line, p.loc.column, "extern symbol '" + p.symbol + "' has no definition"});
    return false;
  }

  Program &program;
  ParsedModule &ast;
  uint64_t moduleId;
  std::vector<Diagnostic> &errors;
};

} // namespace

void tileiras::emu::layoutVariables(Program &program, uint64_t moduleId, std::vector<Diagnostic> &errors) {
  Layout(program, moduleId, errors).run();
}
