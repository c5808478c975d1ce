//===- ParserBody.cpp - PTX function bodies ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/ParserImpl.h"

using namespace tileiras::emu;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

int32_t PTXParser::addRegister(std::string_view name, Type type) {
  int32_t index = int32_t(fn->registers.size());
  fn->registers.push_back({std::string(name), type});
  // The key must live as long as the scope: use the text's copy where there is one.
  scopes[scope].registers[name] = index;
  return index;
}

int32_t PTXParser::findRegister(std::string_view name) {
  for (int s = scope; s >= 0; s = scopes[s].parent) {
    auto it = scopes[s].registers.find(name);
    if (it != scopes[s].registers.end())
      return it->second;
    // %r12 out of `%r<20>`: split at the last run of digits; leading zeros do not name a register.
    size_t end = name.size();
    while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9')
      --end;
    for (size_t split = end; split < name.size(); ++split) {
      auto rit = scopes[s].ranges.find(name.substr(0, split));
      if (rit == scopes[s].ranges.end())
        continue;
      std::string_view digits = name.substr(split);
      if (digits.size() > 9 || (digits.size() > 1 && digits[0] == '0'))
        continue;
      uint32_t n = 0;
      for (char c : digits)
        n = n * 10 + uint32_t(c - '0');
      if (n >= rit->second.count)
        continue;
      int32_t index = int32_t(fn->registers.size());
      fn->registers.push_back({std::string(name), rit->second.type});
      scopes[s].registers[name] = index;
      return index;
    }
  }
  return -1;
}

bool PTXParser::findVector(std::string_view name, unsigned &components) {
  for (int s = scope; s >= 0; s = scopes[s].parent) {
    auto it = scopes[s].vectors.find(name);
    if (it != scopes[s].vectors.end()) {
      components = it->second;
      return true;
    }
  }
  return false;
}

/// A name in operand position. Labels, functions and later names stay Operand::Name for now.
bool PTXParser::parseName(Operand &op) {
  std::string_view name = tok.text;
  op.name = name;
  op.loc = tok.loc;
  advance();
  if (name == "_") {
    op.kind = Operand::Sink;
    return true;
  }
  unsigned components;
  if (findVector(name, components)) {
    int32_t base = findRegister(name);
    if (tok.kind == Tok::Dot) {
      static const std::string_view xyzw = "xyzw", rgba = "rgba";
      size_t c = tok.text.size() == 1 ? xyzw.find(tok.text) : std::string_view::npos;
      if (c == std::string_view::npos && tok.text.size() == 1)
        c = rgba.find(tok.text);
      if (c == std::string_view::npos || c >= components)
        return error("'" + std::string(name) + "' has no component '." + std::string(tok.text) + "'");
      advance();
      op.kind = Operand::Reg;
      op.reg = base + int32_t(c);
      return true;
    }
    op.kind = Operand::Vector;
    for (unsigned i = 0; i != components; ++i) {
      Operand part;
      part.kind = Operand::Reg;
      part.reg = base + int32_t(i);
      part.loc = op.loc;
      op.parts.push_back(part);
    }
    return true;
  }
  int32_t reg = findRegister(name);
  if (reg >= 0) {
    op.kind = Operand::Reg;
    op.reg = reg;
    return true;
  }
  for (int s = scope; s >= 0; s = scopes[s].parent) {
    auto it = scopes[s].variables.find(name);
    if (it != scopes[s].variables.end()) {
      op.kind = Operand::Var;
      op.var = it->second;
      return true;
    }
  }
  for (auto *list : {&fn->params, &fn->returns})
    for (Variable &v : *list)
      if (v.name == name) {
        op.kind = Operand::Var;
        op.var = &v;
        return true;
      }
  auto git = globals.find(std::string(name));
  if (git != globals.end()) {
    op.kind = Operand::Var;
    op.var = git->second;
    return true;
  }
  if (name[0] == '%') {
    const SpecialRow *row = findSpecial(name);
    if (!row)
      return error(op.loc, "undefined register '" + std::string(name) + "'");
    op.kind = Operand::Special;
    op.special = row->id;
    op.type = row->type;
    if (row->isVector) {
      if (tok.kind != Tok::Dot) {
        // The whole vector, as `mov.v4.u32 {..}, %tid` wants it.
        op.kind = Operand::Vector;
        for (unsigned i = 0; i != 4; ++i) {
          Operand part;
          part.kind = Operand::Special;
          part.special = i == 3 ? Special::Zero : Special(unsigned(row->id) + i);
          part.type = row->type;
          part.loc = op.loc;
          op.parts.push_back(part);
        }
        return true;
      }
      size_t c = tok.text.size() == 1 ? std::string_view("xyzw").find(tok.text) : std::string_view::npos;
      if (c == std::string_view::npos)
        return error("'" + std::string(name) + "' has no component '." + std::string(tok.text) + "'");
      advance();
      op.special = c == 3 ? Special::Zero : Special(unsigned(row->id) + unsigned(c));
    }
    return true;
  }
  op.kind = Operand::Name;
  return true;
}

bool PTXParser::resolve(Operand &op, int from) {
  for (Operand &part : op.parts)
    if (!resolve(part, from))
      return false;
  if (op.kind != Operand::Name)
    return true;
  for (int s = from; s >= 0; s = scopes[s].parent) {
    auto find = [&](auto &map, Operand::Kind kind) {
      auto it = map.find(op.name);
      if (it == map.end())
        return false;
      op.kind = kind;
      op.reg = it->second;
      return true;
    };
    if (find(scopes[s].labels, Operand::Label) || find(scopes[s].tables, Operand::Table) ||
        find(scopes[s].prototypes, Operand::Proto))
      return true;
  }
  return true; // perhaps a function: finishNames decides
}

bool PTXParser::resolveLabels() {
  for (const Pending &p : pending)
    for (Operand &op : fn->body[p.inst].operands)
      resolve(op, p.scope);
  for (size_t i = 0; i != fn->tables.size(); ++i)
    for (Operand &op : fn->tables[i].targets) {
      resolve(op, tableScopes[i]);
      if (op.kind != Operand::Label)
        return error(op.loc, "undefined label '" + std::string(op.name) + "'");
    }
  for (Instruction &inst : fn->body)
    if (inst.opcode == "bra" && inst.operands.size() == 1 && inst.operands[0].kind == Operand::Name) {
      error(inst.operands[0].loc, "undefined label '" + std::string(inst.operands[0].name) + "'");
      inst.operands[0].kind = Operand::None;
    }
  return true;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

bool PTXParser::parseBody(Function &f) {
  fn = &f;
  f.isDefined = true;
  f.registers.clear();
  scopes.clear();
  scopes.emplace_back();
  scope = 0;
  pending.clear();
  tableScopes.clear();
  locFile = locLine = callFile = callLine = 0;
  // Parameters in the register space are registers of the body.
  auto bind = [&](std::deque<Variable> &vars, std::vector<int32_t> &regs) {
    for (size_t i = 0; i != vars.size() && i != regs.size(); ++i)
      if (regs[i] >= 0)
        regs[i] = addRegister(vars[i].name, vars[i].type);
  };
  bind(f.returns, f.returnRegs);
  bind(f.params, f.paramRegs);
  Loc open = tok.loc;
  advance(); // {
  unsigned depth = 1;
  while (depth && !tooMany()) {
    if (tok.kind == Tok::End) {
      fn = nullptr;
      return error(open, "the body of '" + f.name + "' is never closed");
    }
    if (tok.is('{')) {
      advance();
      scopes.emplace_back();
      scopes.back().parent = scope;
      scope = int(scopes.size()) - 1;
      ++depth;
      continue;
    }
    if (tok.is('}')) {
      advance();
      --depth;
      scope = scopes[scope].parent;
      continue;
    }
    if (!parseStatement()) {
      skipStatement();
    }
  }
  scope = 0;
  resolveLabels();
  fn = nullptr;
  accept(';');
  return true;
}

bool PTXParser::parseRegisters() {
  Variable v;
  if (!parseVariableType(v))
    return false;
  if (v.type != Type::Pred && typeBits(v.type) < 16 && v.type != Type::B8 && v.type != Type::U8 && v.type != Type::S8)
    return error("type ." + std::string(typeName(v.type)) + " cannot be used for a register");
  do {
    Loc loc = tok.loc;
    std::string_view name;
    if (!expectIdent(name, "a register name"))
      return false;
    Scope &s = scopes[scope];
    if (accept('<')) {
      uint64_t count;
      if (!expectInt(count, "a count") || !expect('>', "after the count"))
        return false;
      if (count > (1u << 24))
        return error(loc, "too many registers");
      if (v.vec != 1)
        return error(loc, "a vector register cannot have a count");
      if (!s.ranges.emplace(name, RegisterRange{v.type, uint32_t(count)}).second)
        return error(loc, "register '" + std::string(name) + "' is declared twice");
      continue;
    }
    if (s.registers.count(name))
      return error(loc, "register '" + std::string(name) + "' is declared twice");
    addRegister(name, v.type);
    if (v.vec > 1) {
      s.vectors[name] = v.vec;
      for (unsigned i = 1; i != v.vec; ++i)
        fn->registers.push_back({std::string(name) + "." + "xyzwefgh"[i], v.type});
    }
  } while (accept(','));
  return expect(';', "after the register declaration");
}

/// .loc file line column [, function_name label [+ n], inlined_at file line column]
bool PTXParser::parseLoc() {
  uint64_t file, line, column, ignored;
  if (!expectInt(file, "a file number") || !expectInt(line, "a line number") || !expectInt(column, "a column number"))
    return false;
  locFile = uint32_t(file);
  locLine = uint32_t(line);
  callFile = callLine = 0;
  while (tok.is(',')) {
    advance();
    std::string_view word;
    if (!expectIdent(word, "function_name or inlined_at"))
      return false;
    if (word == "function_name") {
      if (!expectIdent(word, "a label"))
        return false;
      if (accept('+') && !expectInt(ignored, "an offset"))
        return false;
    } else if (word == "inlined_at") {
      std::array<uint64_t, 3> call;
      for (uint64_t &part : call)
        if (!expectInt(part, "a number"))
          return false;
      // The caller may have been inlined itself; its own place was told before.
      calls[{file, line, column}] = call;
      for (int depth = 0; depth != 64 && calls.count(call) && calls[call] != call; ++depth)
        call = calls[call];
      callFile = uint32_t(call[0]);
      callLine = uint32_t(call[1]);
    } else {
      return error("unknown .loc attribute '" + std::string(word) + "'");
    }
  }
  return true;
}

bool PTXParser::parsePrototype(CallPrototype &p) {
  std::deque<Variable> vars;
  if (accept('(')) {
    if (!parseParamList(nullptr, vars, nullptr, ')'))
      return false;
    p.returns.assign(vars.begin(), vars.end());
  }
  std::string_view name;
  if (!expectIdent(name, "_"))
    return false;
  vars.clear();
  if (accept('(') && !parseParamList(nullptr, vars, nullptr, ')'))
    return false;
  p.params.assign(vars.begin(), vars.end());
  acceptDot("noreturn");
  if (acceptDot("abi_preserve") || acceptDot("abi_preserve_control"))
    if (tok.kind == Tok::Int)
      advance();
  return expect(';', "after .callprototype");
}

/// `name:` was read.
bool PTXParser::parseLabelled(std::string_view name, Loc loc) {
  Scope &s = scopes[scope];
  if (s.labels.count(name) || s.tables.count(name) || s.prototypes.count(name))
    return error(loc, "label '" + std::string(name) + "' is defined twice");
  if (acceptDot("branchtargets")) {
    BranchTable table;
    table.name = name;
    table.loc = loc;
    do {
      Operand op;
      if (tok.kind != Tok::Ident)
        return error("expected a label, " + found());
      op.kind = Operand::Name;
      op.name = tok.text;
      op.loc = tok.loc;
      advance();
      table.targets.push_back(std::move(op));
    } while (accept(','));
    s.tables[name] = int32_t(fn->tables.size());
    fn->tables.push_back(std::move(table));
    tableScopes.push_back(scope);
    return expect(';', "after .branchtargets");
  }
  if (acceptDot("callprototype")) {
    CallPrototype p;
    p.name = name;
    p.loc = loc;
    if (!parsePrototype(p))
      return false;
    s.prototypes[name] = int32_t(fn->prototypes.size());
    fn->prototypes.push_back(std::move(p));
    return true;
  }
  if (acceptDot("calltargets")) {
    CallPrototype p;
    p.name = name;
    p.loc = loc;
    do {
      Operand op;
      if (tok.kind != Tok::Ident)
        return error("expected a function, " + found());
      op.kind = Operand::Name;
      op.name = tok.text;
      op.loc = tok.loc;
      advance();
      auto it = functions.find(std::string(op.name));
      if (it == functions.end())
        return error(op.loc, "undefined function '" + std::string(op.name) + "'");
      op.kind = Operand::Func;
      op.fn = it->second;
      p.targets.push_back(std::move(op));
    } while (accept(','));
    s.prototypes[name] = int32_t(fn->prototypes.size());
    fn->prototypes.push_back(std::move(p));
    return expect(';', "after .calltargets");
  }
  s.labels[name] = int32_t(fn->labels.size());
  fn->labels.push_back({name, uint32_t(fn->body.size()), loc});
  return true;
}

bool PTXParser::parseStatement() {
  if (accept(';'))
    return true;
  if (tok.kind == Tok::Dot) {
    if (acceptDot("reg"))
      return parseRegisters();
    if (acceptDot("local"))
      return parseVariables(Space::Local, false, fn);
    if (acceptDot("shared"))
      return parseVariables(Space::Shared, false, fn);
    if (acceptDot("param"))
      return parseVariables(Space::Param, false, fn);
    if (acceptDot("global"))
      return parseVariables(Space::Global, false, nullptr);
    if (acceptDot("const"))
      return parseVariables(Space::Const, false, nullptr);
    if (acceptDot("loc"))
      return parseLoc();
    if (acceptDot("file"))
      return parseFile();
    if (acceptDot("pragma")) {
      while (tok.kind == Tok::String || tok.is(','))
        advance();
      return expect(';', "after .pragma");
    }
    if (tok.text == "attribute" || tok.text == "extern" || tok.text == "visible") {
      advance();
      return parseStatement();
    }
    return error("unknown or misplaced directive '." + std::string(tok.text) + "'");
  }
  return parseInstruction();
}

bool PTXParser::parseInstruction() {
  Instruction inst;
  inst.sourceFile = locFile;
  inst.sourceLine = locLine;
  inst.callFile = callFile;
  inst.callLine = callLine;
  bool guarded = false;
  if (accept('@')) {
    guarded = true;
    inst.guardNegated = accept('!');
    Loc loc = tok.loc;
    std::string_view name;
    if (!expectIdent(name, "a predicate register"))
      return false;
    inst.guard = findRegister(name);
    if (inst.guard < 0)
      return error(loc, "undefined register '" + std::string(name) + "'");
    if (fn->registers[inst.guard].type != Type::Pred)
      return error(loc, "guard '" + std::string(name) + "' is not a predicate");
  }
  inst.loc = tok.loc;
  size_t start = tok.offset;
  std::string_view word;
  if (!expectIdent(word, "an instruction"))
    return false;
  if (!guarded && accept(':'))
    return parseLabelled(word, inst.loc);
  inst.opcode = word;
  while (tok.kind == Tok::Dot) {
    inst.words.push_back(tok.text);
    advance();
  }
  bool names = false;
  inVideo = inst.opcode[0] == 'v' && inst.opcode != "vote";
  inCall = inst.opcode == "call"; // elsewhere a parenthesis opens a constant expression
  if (!tok.is(';')) {
    do {
      Operand op;
      if (!parseOperand(op, true))
        return false;
      inst.operands.push_back(std::move(op));
    } while (accept(','));
  }
  inst.text = std::string_view(module.text).substr(start, previousEnd - start);
  if (!tok.is(';'))
    return error("expected ';' after the instruction, " + found());
  advance();
  auto hasName = [](const Operand &op, auto &self) -> bool {
    if (op.kind == Operand::Name)
      return true;
    for (const Operand &part : op.parts)
      if (self(part, self))
        return true;
    return false;
  };
  for (const Operand &op : inst.operands)
    names |= hasName(op, hasName);
  if (names)
    pending.push_back({fn->body.size(), scope});
  fn->body.push_back(std::move(inst));
  return true;
}

bool PTXParser::parseMemory(Operand &op) {
  op.kind = Operand::Mem;
  Operand base;
  base.loc = tok.loc;
  if (tok.kind == Tok::Ident && tok.text != "WARP_SZ") {
    if (!parseName(base))
      return false;
    if (tok.is('+') || tok.is('-')) {
      bool minus = tok.is('-');
      advance();
      Constant c;
      Loc loc = tok.loc;
      if (!parseConstant(c))
        return false;
      if (c.isFloat)
        return error(loc, "address offset must be an integer");
      op.addend = int64_t(minus ? 0 - c.bits : c.bits);
    }
  } else {
    Constant c;
    if (!parseConstant(c))
      return false;
    if (c.isFloat)
      return error(base.loc, "an address must be an integer");
    base.kind = Operand::Int;
    base.bits = c.bits;
  }
  op.parts.push_back(std::move(base));
  // Tensor coordinates and the like: [addr, {x, y}], [addr, mbar].
  while (accept(',')) {
    Operand extra;
    if (!parseOperand(extra, false))
      return false;
    op.parts.push_back(std::move(extra));
  }
  return expect(']', "after the address");
}

/// The second half of `first|second`.
bool PTXParser::parsePair(Operand &op) {
  advance();
  Operand first = std::move(op), second;
  op = Operand();
  op.kind = Operand::Pair;
  op.loc = first.loc;
  if (!parseOperand(second, false))
    return false;
  op.parts.push_back(std::move(first));
  op.parts.push_back(std::move(second));
  return true;
}

bool PTXParser::parseOperand(Operand &op, bool allowPair) {
  op.loc = tok.loc;
  if (inVideo && tok.is('-')) {
    // A register that is negated; constants are expressions.
    advance();
    if (tok.kind == Tok::Ident && tok.text != "WARP_SZ") {
      op.minus = true;
      if (!parseName(op))
        return false;
      if (op.kind != Operand::Reg)
        return error(op.loc, "expected a register behind '-'");
      if (tok.kind == Tok::Dot) {
        op.selector = tok.text;
        advance();
      }
      return true;
    }
    Constant c;
    if (!parseConstant(c))
      return false;
    op.kind = Operand::Int;
    op.bits = 0 - c.bits;
    return !c.isFloat || error(op.loc, "expected an integer");
  }
  if (accept('['))
    return parseMemory(op);
  if (tok.is('{') || (tok.is('(') && inCall)) {
    bool vector = tok.is('{');
    char close = vector ? '}' : ')';
    op.kind = vector ? Operand::Vector : Operand::List;
    advance();
    if (accept(close))
      return true;
    do {
      Operand part;
      if (!parseOperand(part, false))
        return false;
      op.parts.push_back(std::move(part));
    } while (accept(','));
    if (!expect(close, "after the list"))
      return false;
    // {...}|p: tex tells by a predicate whether the texels were there.
    return !(allowPair && tok.is('|')) || parsePair(op);
  }
  if (tok.is('!')) {
    advance();
    if (tok.kind != Tok::Ident) {
      Constant c;
      if (!parseConstant(c))
        return false;
      op.kind = Operand::Int;
      op.bits = c.bits == 0;
      return true;
    }
    if (!parseName(op))
      return false;
    op.negated = true;
    return true;
  }
  if (tok.kind == Tok::Ident && tok.text != "WARP_SZ") {
    if (!parseName(op))
      return false;
    if ((op.kind == Operand::Var || op.kind == Operand::Name) && (tok.is('+') || tok.is('-'))) {
      bool minus = tok.is('-');
      advance();
      Constant c;
      if (!parseConstant(c))
        return false;
      op.addend = int64_t(minus ? 0 - c.bits : c.bits);
    }
    if (inVideo && op.kind == Operand::Reg && tok.kind == Tok::Dot) {
      op.selector = tok.text;
      advance();
    }
    if (allowPair && tok.is('|') && !parsePair(op))
      return false;
    // a[i] addressing of textures and arrays is not supported; the verifier sees what follows.
    return true;
  }
  Constant c;
  if (!parseConstant(c))
    return false;
  op.kind = c.isFloat ? Operand::Float : Operand::Int;
  op.type = c.isSingle ? Type::F32 : c.isFloat ? Type::F64 : Type::None;
  op.bits = c.bits;
  return true;
}
