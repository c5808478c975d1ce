//===- Parser.cpp - PTX modules: directives, functions ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/ParserImpl.h"
#include "tileiras/Support/TargetTable.h"

#include <cstring>

using namespace tileiras::emu;

std::unique_ptr<ParsedModule> tileiras::emu::parsePTX(std::string_view text, std::string fileName,
                                                      std::vector<Diagnostic> &errors) {
  auto module = std::make_unique<ParsedModule>();
  // PTX kept in a cubin or handed over by a driver API often ends in a NUL.
  while (!text.empty() && text.back() == '\0')
    text.remove_suffix(1);
  module->text = std::string(text);
  module->fileName = std::move(fileName);
  PTXParser(*module, errors).parseModule();
  return module;
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

void PTXParser::advance() {
  previousEnd = tok.offset + tok.text.size() + (tok.kind == Tok::Dot ? 1 : tok.kind == Tok::String ? 2 : 0);
  tok = lexer.next();
  while (tok.kind == Tok::Error) {
    error(tok.loc, lexer.error());
    if (tooMany()) {
      tok = Token();
      return;
    }
    tok = lexer.next();
  }
}

bool PTXParser::accept(char c) {
  if (!tok.is(c))
    return false;
  advance();
  return true;
}

bool PTXParser::acceptDot(std::string_view word) {
  if (!tok.isDot(word))
    return false;
  advance();
  return true;
}

std::string PTXParser::found() const {
  if (tok.kind == Tok::End)
    return "found the end of the text";
  return "found '" + std::string(tok.kind == Tok::Dot ? "." : "") + std::string(tok.text.substr(0, 40)) + "'";
}

bool PTXParser::expect(char c, const char *where) {
  if (accept(c))
    return true;
  return error(std::string("expected '") + c + "' " + where + ", " + found());
}

bool PTXParser::expectInt(uint64_t &value, const char *what) {
  if (tok.kind != Tok::Int)
    return error(std::string("expected ") + what + ", " + found());
  value = tok.intValue;
  advance();
  return true;
}

bool PTXParser::expectIdent(std::string_view &name, const char *what) {
  if (tok.kind != Tok::Ident)
    return error(std::string("expected ") + what + ", " + found());
  name = tok.text;
  advance();
  return true;
}

bool PTXParser::error(Loc loc, std::string message) {
  if (!tooMany())
    errors.push_back({module.fileName, loc.line, loc.column, std::move(message)});
  return false;
}

/// After an error: after the next semicolon, or at a brace.
void PTXParser::skipStatement() {
  while (tok.kind != Tok::End && !tok.is('}')) {
    bool end = tok.is(';');
    if (tok.is('{')) {
      unsigned depth = 0;
      do {
        if (tok.is('{'))
          ++depth;
        if (tok.is('}'))
          --depth;
        advance();
      } while (depth && tok.kind != Tok::End);
      if (accept(';') || !fn)
        return;
      continue;
    }
    advance();
    if (end)
      return;
  }
}

//===----------------------------------------------------------------------===//
// Module level
//===----------------------------------------------------------------------===//

void PTXParser::parseModule() {
  if (!tok.isDot("version"))
    error("a PTX module starts with .version, " + found());
  while (tok.kind != Tok::End && !tooMany()) {
    if (parseTopLevel())
      continue;
    skipStatement();
    if (tok.is('}'))
      advance();
  }
  if (!errors.empty())
    return;
  if (module.target.empty())
    error(Loc{1, 1}, "the module has no .target");
  checkTargetVersion();
  finishNames();
}

/// Whether there is, or may be, such a PTX ISA: every minor version up to the last of its major one ("Release Notes" of
/// the PTX ISA), and all of the newest, whose further versions only add to it.
static bool isPtxVersion(unsigned major, unsigned minor) {
  constexpr unsigned newest = 9;
  constexpr unsigned lastMinor[newest] = {0, 5, 3, 2, 3, 0, 5, 8, 8};
  return major == newest || (major >= 1 && major < newest && minor <= lastMinor[major]);
}

bool PTXParser::parseVersion() {
  if (tok.kind == Tok::Float64) { // "8.0" reads as a decimal literal
    Loc loc = tok.loc;
    std::string s(tok.text);
    size_t dot = s.find('.');
    module.versionMajor = unsigned(std::strtoul(s.c_str(), nullptr, 10));
    module.versionMinor = dot == std::string::npos ? 0 : unsigned(std::strtoul(s.c_str() + dot + 1, nullptr, 10));
    advance();
    if (!isPtxVersion(module.versionMajor, module.versionMinor))
      return error(loc, "there is no PTX " + s + " that the emulator knows");
    return true;
  }
  return error("expected a version such as 8.0, " + found());
}

void PTXParser::checkTargetVersion() {
  // The row of sm_90a is also found by the name sm_90, which is older.
  const tileiras::TargetInfo *target = tileiras::lookupTarget(module.target);
  if (!target || target->compiledAs != module.target)
    return;
  int version = int(module.versionMajor * 10 + module.versionMinor);
  if (version < target->minPtx)
    error(Loc{1, 1}, "target " + module.target + " needs .version " + std::to_string(target->minPtx / 10) + "." +
                         std::to_string(target->minPtx % 10) + ", the module's is " +
                         std::to_string(module.versionMajor) + "." + std::to_string(module.versionMinor));
}

bool PTXParser::parseTarget() {
  do {
    Loc loc = tok.loc;
    std::string_view name;
    if (!expectIdent(name, "a target such as sm_90a"))
      return false;
    if (name.substr(0, 3) == "sm_") {
      module.target = std::string(name);
      for (char c : name.substr(3)) {
        if (c < '0' || c > '9')
          break;
        module.sm = module.sm * 10 + unsigned(c - '0');
      }
      if (module.sm == 0)
        return error(loc, "unknown target '" + std::string(name) + "'");
    } else if (name != "debug" && name != "texmode_independent" && name != "texmode_unified" &&
               name != "map_f64_to_f32") {
      return error(loc, "unknown target option '" + std::string(name) + "'");
    }
  } while (accept(','));
  return true;
}

bool PTXParser::parseFile() {
  uint64_t index, ignored;
  if (!expectInt(index, "a file number"))
    return false;
  if (tok.kind != Tok::String)
    return error("expected a file name, " + found());
  module.files[uint32_t(index)] = std::string(tok.text);
  advance();
  while (accept(','))
    if (!expectInt(ignored, "a time stamp or size"))
      return false;
  return true;
}

/// DWARF sections carry nothing the emulator uses: step over them.
bool PTXParser::parseSection() {
  Loc loc = tok.loc;
  while (tok.kind != Tok::End && !tok.is('{') && !tok.is(';'))
    advance();
  if (accept(';'))
    return true;
  unsigned depth = 0;
  do {
    if (tok.kind == Tok::End)
      return error(loc, "section is never closed");
    if (tok.is('{'))
      ++depth;
    if (tok.is('}'))
      --depth;
    advance();
  } while (depth);
  return true;
}

bool PTXParser::parseTopLevel() {
  if (tok.is(';')) {
    advance();
    return true;
  }
  if (tok.kind == Tok::Ident && tok.text.size() && tok.text[0] == '@') // unreachable by the lexer
    return error("unexpected text");
  if (tok.kind != Tok::Dot) {
    // `@@DWARF` lines of very old compilers.
    return error("expected a directive, " + found());
  }
  bool isExtern = false;
  for (;;) {
    if (acceptDot("visible") || acceptDot("weak") || acceptDot("common"))
      continue;
    if (acceptDot("extern")) {
      isExtern = true;
      continue;
    }
    break;
  }
  if (acceptDot("version"))
    return parseVersion();
  if (acceptDot("target"))
    return parseTarget();
  if (acceptDot("address_size")) {
    uint64_t bits;
    Loc loc = tok.loc;
    if (!expectInt(bits, "32 or 64"))
      return false;
    if (bits != 64)
      return error(loc, "only .address_size 64 is supported");
    return true;
  }
  if (acceptDot("entry"))
    return parseFunction(true, isExtern);
  if (acceptDot("func"))
    return parseFunction(false, isExtern);
  if (acceptDot("global"))
    return parseVariables(Space::Global, isExtern, nullptr);
  if (acceptDot("const"))
    return parseVariables(Space::Const, isExtern, nullptr);
  if (acceptDot("shared"))
    return parseVariables(Space::Shared, isExtern, nullptr);
  if (acceptDot("file"))
    return parseFile();
  if (acceptDot("section"))
    return parseSection();
  if (acceptDot("pragma")) {
    while (tok.kind == Tok::String || tok.is(','))
      advance();
    return expect(';', "after .pragma");
  }
  if (acceptDot("loc"))
    return parseLoc();
  if (tok.isDot("alias"))
    return error(".alias is not supported");
  return error("unknown or misplaced directive '." + std::string(tok.text) + "'");
}

bool PTXParser::parseExtent(Extent &e) {
  uint64_t v;
  e.given = true;
  if (!expectInt(v, "a size"))
    return false;
  e.x = uint32_t(v);
  if (accept(',')) {
    if (!expectInt(v, "a size"))
      return false;
    e.y = uint32_t(v);
    if (accept(',')) {
      if (!expectInt(v, "a size"))
        return false;
      e.z = uint32_t(v);
    }
  }
  return true;
}

bool PTXParser::parseFunctionDirectives(Function &f) {
  uint64_t v;
  for (;;) {
    if (acceptDot("maxntid")) {
      if (!parseExtent(f.maxntid))
        return false;
    } else if (acceptDot("reqntid")) {
      Loc loc = tok.loc;
      if (!parseExtent(f.reqntid))
        return false;
      if (uint64_t(f.reqntid.x) * f.reqntid.y * f.reqntid.z == 0)
        return error(loc, ".reqntid must not be zero");
    } else if (acceptDot("reqnctapercluster")) {
      Loc loc = tok.loc;
      if (!parseExtent(f.reqnctapercluster))
        return false;
      if (uint64_t(f.reqnctapercluster.x) * f.reqnctapercluster.y * f.reqnctapercluster.z == 0)
        return error(loc, ".reqnctapercluster must not be zero");
    } else if (acceptDot("minnctapersm") || acceptDot("maxnctapersm")) {
      if (!expectInt(v, "a count"))
        return false;
      f.minnctapersm = uint32_t(v);
    } else if (acceptDot("maxnreg")) {
      if (!expectInt(v, "a count"))
        return false;
      f.maxnreg = uint32_t(v);
    } else if (acceptDot("maxclusterrank")) {
      if (!expectInt(v, "a count"))
        return false;
      f.maxclusterrank = uint32_t(v);
    } else if (acceptDot("explicitcluster")) {
      f.explicitCluster = true;
    } else if (acceptDot("blocksareclusters")) {
      f.blocksAreClusters = true;
    } else if (acceptDot("noreturn")) {
      f.noReturn = true;
    } else if (acceptDot("unique") || acceptDot("abi_preserve_control")) {
      if (tok.kind == Tok::Int)
        advance();
    } else if (acceptDot("abi_preserve")) {
      if (!expectInt(v, "a count"))
        return false;
    } else if (acceptDot("pragma")) {
      while (tok.kind == Tok::String || tok.is(','))
        advance();
      if (!expect(';', "after .pragma"))
        return false;
    } else {
      return true;
    }
  }
}

/// `.param .u64 .ptr .global .align 16 name, .param .align 8 .b8 name[24], .reg .b32 x`.
bool PTXParser::parseParamList(Function *f, std::deque<Variable> &vars, std::vector<int32_t> *regs, char close) {
  if (accept(close))
    return true;
  do {
    Variable v;
    v.space = Space::Param;
    v.loc = tok.loc;
    bool isReg = false;
    if (acceptDot("reg"))
      isReg = true;
    else if (!acceptDot("param"))
      return error("expected .param, " + found());
    if (!parseVariableType(v))
      return false;
    if (acceptDot("ptr")) {
      for (;;) {
        if (acceptDot("global") || acceptDot("shared") || acceptDot("local") || acceptDot("const"))
          continue;
        if (acceptDot("align")) {
          uint64_t ignored;
          if (!expectInt(ignored, "an alignment"))
            return false;
          continue;
        }
        break;
      }
    }
    if (!parseDeclarator(v, true))
      return false;
    if (v.unsized && f && f->isEntry)
      return error(v.loc, "kernel parameter '" + v.name + "' has no size");
    vars.push_back(v);
    if (regs)
      regs->push_back(isReg ? addRegister(vars.back().name, v.type) : -1);
  } while (accept(','));
  return expect(close, "after the parameter list");
}

bool PTXParser::parseFunction(bool isEntry, bool isExtern) {
  Function header;
  header.isEntry = isEntry;
  fn = &header;
  scopes.clear();
  scopes.emplace_back();
  scope = 0;
  bool ok = [&] {
    if (acceptDot("attribute")) {
      if (!expect('(', "after .attribute"))
        return false;
      while (tok.kind != Tok::End && !tok.is(')'))
        advance();
      advance();
    }
    if (!isEntry && accept('(') && !parseParamList(fn, header.returns, &header.returnRegs, ')'))
      return false;
    header.loc = tok.loc;
    std::string_view name;
    if (!expectIdent(name, "a function name"))
      return false;
    header.name = std::string(name);
    if (accept('(') && !parseParamList(fn, header.params, &header.paramRegs, ')'))
      return false;
    return parseFunctionDirectives(header);
  }();
  fn = nullptr;
  if (!ok)
    return false;
  bool hasBody = tok.is('{');
  // A declaration may come before the definition.
  Function *f = nullptr;
  auto it = functions.find(header.name);
  if (it != functions.end()) {
    f = it->second;
    if (f->isDefined && hasBody)
      return error(header.loc, "function '" + header.name + "' is defined twice");
    if (f->params.size() != header.params.size() || f->returns.size() != header.returns.size())
      return error(header.loc, "function '" + header.name + "' does not match its declaration");
    if (!hasBody)
      return expect(';', "after a function declaration");
    uint32_t number = f->number;
    *f = std::move(header);
    f->number = number;
  } else {
    header.number = uint32_t(module.functions.size());
    module.functions.push_back(std::move(header));
    f = &module.functions.back();
    functions[f->name] = f;
  }
  for (Variable &v : f->params)
    v.owner = f;
  for (Variable &v : f->returns)
    v.owner = f;
  if (!hasBody) {
    (void)isExtern;
    return expect(';', "after a function declaration");
  }
  return parseBody(*f);
}

/// Initialisers and operands may name functions and variables that come later in the text.
bool PTXParser::finishNames() {
  for (Variable &v : module.variables)
    for (InitPiece &p : v.init)
      if (!p.symbol.empty() && !globals.count(p.symbol) && !functions.count(p.symbol))
        return error(p.loc, "undefined symbol '" + p.symbol + "' in an initialiser");
  for (Function &f : module.functions)
    for (Instruction &inst : f.body)
      for (Operand &op : inst.operands) {
        if (op.kind != Operand::Name)
          continue;
        auto fit = functions.find(std::string(op.name));
        if (fit != functions.end()) {
          op.kind = Operand::Func;
          op.fn = fit->second;
          continue;
        }
        auto git = globals.find(std::string(op.name));
        if (git != globals.end()) {
          op.kind = Operand::Var;
          op.var = git->second;
          continue;
        }
        error(op.loc, op.name.substr(0, 1) == "%" ? "undefined register '" + std::string(op.name) + "'"
                                                  : "undefined name '" + std::string(op.name) + "'");
      }
  return errors.empty();
}
