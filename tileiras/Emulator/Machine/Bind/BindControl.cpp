//===- BindControl.cpp - Branches, calls, the stack -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Bind/Binder.h"

#include "tileiras/Emulator/Machine/Exec/Handlers.h"

#include <algorithm>

using namespace tileiras::emu;

Binder::Bound Binder::bindControl(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  Type t = inst.type();
  switch (inst.row->op) {
  case Op::Bra:
    i.fn = i.guard ? handlers::branch : handlers::jump;
    fixups.push_back({code.code.size(), blockOf(ops[0].reg)});
    emit(i);
    return true;
  case Op::Brx: {
    i.a = source(ops[0], Type::U32);
    program.branchAux.emplace_back();
    BranchAux &aux = program.branchAux.back();
    for (const Operand &target : fn.tables[ops[1].reg].targets)
      aux.blocks.push_back(blockOf(target.reg));
    aux.targets.resize(aux.blocks.size());
    tables.push_back(&aux);
    i.aux = &aux;
    return finish(i, handlers::branchIndexed);
  }
  case Op::Call:
    return bindCall(inst, i);
  case Op::Ret:
    return finish(i, handlers::ret);
  case Op::Exit:
    return finish(i, handlers::exitThread);
  case Op::Trap:
    return finish(i, handlers::trap);
  case Op::Alloca:
    i.d = destination(ops[0]);
    i.a = source(ops[1], t);
    i.imm = ops.size() > 2 ? ops[2].bits : 8;
    i.count = uint8_t(rowBytes(t));
    return finish(i, handlers::alloca_);
  case Op::StackSave:
    i.d = destination(ops[0]);
    i.count = uint8_t(rowBytes(t));
    return finish(i, handlers::stackSave);
  case Op::StackRestore:
    i.a = source(ops[0], t);
    i.count = uint8_t(rowBytes(t));
    return finish(i, handlers::stackRestore);
  default:
    return std::nullopt;
  }
}

bool Binder::copies(const Instruction &inst, const std::vector<Operand> &actual, const Function &callee, bool toCallee,
                    std::vector<CallAux::Copy> &out) {
  const auto &formals = toCallee ? callee.params : callee.returns;
  const auto &formalRegs = toCallee ? callee.paramRegs : callee.returnRegs;
  if (actual.size() != formals.size())
    return error(inst.loc, "call of '" + callee.name + "' has " + std::to_string(actual.size()) +
                               (toCallee ? " arguments" : " results") + ", the function has " +
                               std::to_string(formals.size()));
  const FunctionCode &target = program.functions[callee.number];
  for (size_t k = 0; k != actual.size(); ++k) {
    const Operand &a = actual[k];
    const Variable &f = formals[k];
    CallAux::Copy c;
    if (a.kind == Operand::Var && inFrame(*a.var)) {
      if (formalRegs[k] >= 0 && callee.isDefined)
        return error(a.loc, "parameter passed in .param space, but the function takes a register");
      c.size = std::min(f.size, a.var->size);
      if (f.unsized)
        c.size = a.var->size;
      c.fromOffset = toCallee ? a.var->offset : f.offset;
      c.toOffset = toCallee ? f.offset : a.var->offset;
    } else {
      // Register or constant.
      bool predicate = f.type == Type::Pred;
      c.reg = true;
      c.predicate = predicate;
      c.regBytes = rowBytes(f.type);
      Row mine;
      if (predicate) {
        bool flip;
        mine = predSource(a, flip);
      } else if (toCallee) {
        mine = source(a, f.type);
      } else {
        mine = destination(a);
      }
      Row theirs = 0;
      if (callee.isDefined) {
        if (formalRegs[k] < 0)
          return error(a.loc, "a register is passed, but the function takes .param");
        theirs = target.regs[size_t(formalRegs[k])];
      }
      c.from = toCallee ? mine : theirs;
      c.to = toCallee ? theirs : mine;
    }
    out.push_back(c);
  }
  return true;
}

bool Binder::bindCall(const Instruction &inst, Inst &i) {
  std::vector<Operand> rets, args;
  size_t k = 0;
  const std::vector<Operand> &ops = inst.operands;
  if (k < ops.size() && ops[k].kind == Operand::List)
    rets = ops[k++].parts;
  if (k >= ops.size())
    return error(inst.loc, "call without a function"), true;
  const Operand &callee = ops[k++];
  if (k < ops.size() && ops[k].kind == Operand::List)
    args = ops[k++].parts;
  program.callAux.emplace_back();
  CallAux &aux = program.callAux.back();
  i.aux = &aux;
  if (callee.kind == Operand::Func) {
    const Function &f = *callee.fn;
    if (f.isEntry)
      return error(callee.loc, "a kernel cannot be called"), true;
    if (!f.isDefined) {
      aux.builtin = findBuiltin(f.name);
      if (!aux.builtin)
        return error(callee.loc, "call of undefined function '" + f.name + "'"), true;
    }
    aux.target = &program.functions[f.number];
    if (!copies(inst, args, f, true, aux.args) || !copies(inst, rets, f, false, aux.returns))
      return true;
    return finish(i, handlers::call);
  }
  if (callee.kind != Operand::Reg || regBits(callee) != 64)
    return error(callee.loc, callee.kind == Operand::Name ? "undefined function '" + std::string(callee.name) + "'"
                                                          : std::string("expected a function")),
           true;
  if (k >= ops.size() || ops[k].kind != Operand::Proto)
    return error(inst.loc, "an indirect call needs a .callprototype or .calltargets label"), true;
  // Every function of the right shape is a candidate; its argument copies are made now.
  program.candidates.emplace_back();
  std::vector<CallAux> &list = program.candidates.back();
  const CallPrototype &proto = fn.prototypes[ops[k].reg];
  for (FunctionCode &target : program.functions) {
    const Function &f = *target.ast;
    if (f.isEntry || !f.isDefined || f.params.size() != args.size() || f.returns.size() != rets.size())
      continue;
    bool fits = true;
    for (size_t p = 0; p < proto.params.size() && fits; ++p)
      fits = proto.params[p].size == f.params[p].size && f.paramRegs[p] < 0;
    for (size_t p = 0; p < proto.returns.size() && fits; ++p)
      fits = proto.returns[p].size == f.returns[p].size && f.returnRegs[p] < 0;
    if (!proto.targets.empty())
      fits = std::any_of(proto.targets.begin(), proto.targets.end(), [&](const Operand &o) { return o.fn == &f; });
    if (!fits)
      continue;
    CallAux candidate;
    candidate.target = &target;
    if (!copies(inst, args, f, true, candidate.args) || !copies(inst, rets, f, false, candidate.returns))
      return true;
    list.push_back(std::move(candidate));
  }
  aux.candidates = &list;
  i.a = regs[callee.reg];
  return finish(i, handlers::call);
}
