//===- Parser.cpp - PTX modules: directives, variables, functions *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/ParserImpl.h"

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

/// After an error: behind the next semicolon, or at a brace.
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
  finishNames();
}

bool PTXParser::parseVersion() {
  if (tok.kind == Tok::Float64) { // "8.0" reads as a decimal literal
    std::string s(tok.text);
    size_t dot = s.find('.');
    module.versionMajor = unsigned(std::strtoul(s.c_str(), nullptr, 10));
    module.versionMinor = dot == std::string::npos ? 0 : unsigned(std::strtoul(s.c_str() + dot + 1, nullptr, 10));
    advance();
    return true;
  }
  return error("expected a version such as 8.0, " + found());
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

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// `.align 16 .v4 .f32`, in any order of alignment, vector and type.
bool PTXParser::parseVariableType(Variable &v) {
  for (;;) {
    if (acceptDot("align")) {
      uint64_t a;
      Loc loc = tok.loc;
      if (!expectInt(a, "an alignment"))
        return false;
      if (a == 0 || (a & (a - 1)) || a > (1u << 20))
        return error(loc, "alignment must be a power of two");
      v.align = uint32_t(a);
    } else if (acceptDot("attribute")) {
      if (!expect('(', "after .attribute"))
        return false;
      while (tok.kind != Tok::End && !tok.is(')'))
        advance();
      if (!expect(')', "after the attributes"))
        return false;
    } else if (acceptDot("v2")) {
      v.vec = 2;
    } else if (acceptDot("v4")) {
      v.vec = 4;
    } else if (acceptDot("v8")) {
      v.vec = 8;
    } else {
      break;
    }
  }
  if (tok.kind != Tok::Dot)
    return error("expected a type, " + found());
  v.type = parseType(tok.text);
  if (v.type == Type::None) {
    if (tok.text == "texref" || tok.text == "samplerref" || tok.text == "surfref")
      return error("textures and surfaces are not supported");
    return error("unknown type '." + std::string(tok.text) + "'");
  }
  advance();
  v.align = std::max(v.align, std::max(1u, typeBits(v.type) / 8) * v.vec);
  return true;
}

bool PTXParser::parseDeclarator(Variable &v, bool isParam) {
  v.loc = tok.loc;
  if (isParam && tok.kind == Tok::Ident && tok.text == "_") {
    v.name = "_";
    advance();
  } else {
    std::string_view name;
    if (!expectIdent(name, "a variable name"))
      return false;
    v.name = std::string(name);
  }
  uint64_t count = 1;
  std::vector<uint64_t> dims;
  while (accept('[')) {
    if (accept(']')) {
      if (!dims.empty())
        return error(v.loc, "only the first dimension of '" + v.name + "' may be left open");
      v.unsized = true;
      dims.push_back(0);
      continue;
    }
    Constant c;
    Loc loc = tok.loc;
    if (!parseConstant(c) || !expect(']', "after the array size"))
      return false;
    if (c.isFloat || c.bits > (uint64_t(1) << 40) || count > (uint64_t(1) << 40) / std::max<uint64_t>(c.bits, 1))
      return error(loc, "bad array size");
    dims.push_back(c.bits);
    count *= c.bits;
  }
  unsigned element = std::max(1u, typeBits(v.type) / 8) * v.vec;
  v.size = v.unsized ? 0 : count * element;
  if (isParam)
    return true;
  if (accept('=')) {
    if (v.space != Space::Global && v.space != Space::Const)
      return error(v.loc, "only .global and .const variables can have an initialiser");
    uint64_t elements = 0;
    // A vector variable's components count as one more dimension.
    if (v.vec > 1)
      dims.push_back(v.vec);
    if (!parseInitList(v, dims, 0, elements))
      return false;
    if (v.unsized) {
      unsigned scalar = std::max(1u, typeBits(v.type) / 8);
      uint64_t row = 1;
      for (size_t i = 1; i < dims.size(); ++i)
        row *= dims[i];
      v.size = (elements + row - 1) / row * row * scalar;
      v.unsized = false;
    }
  }
  return true;
}

bool PTXParser::parseInitScalar(Variable &v, uint64_t offset) {
  InitPiece p;
  p.offset = offset;
  p.size = std::max(1u, typeBits(v.type) / 8);
  p.loc = tok.loc;
  if (tok.kind == Tok::Ident && tok.text != "WARP_SZ") {
    if (tok.text == "generic") {
      advance();
      p.generic = true;
      if (!expect('(', "after generic"))
        return false;
    }
    std::string_view name;
    if (!expectIdent(name, "a symbol"))
      return false;
    p.symbol = std::string(name);
    if (p.generic && !expect(')', "after the symbol"))
      return false;
    if (tok.is('+') || tok.is('-')) {
      bool minus = tok.is('-');
      advance();
      Constant c;
      if (!parseUnary(c))
        return false;
      p.bits = minus ? 0 - c.bits : c.bits;
    }
    v.init.push_back(std::move(p));
    return true;
  }
  Constant c;
  if (!parseConstant(c))
    return false;
  // 0xFF00(symbol): one byte of an address.
  if (!c.isFloat && tok.is('(')) {
    advance();
    int byte = -1;
    for (int i = 0; i != 8; ++i)
      if (c.bits == uint64_t(0xff) << (8 * i))
        byte = i;
    if (byte < 0)
      return error(p.loc, "the mask in front of a symbol must select one byte");
    p.byteOf = byte;
    if (tok.kind == Tok::Ident && tok.text == "generic") {
      advance();
      p.generic = true;
      if (!expect('(', "after generic"))
        return false;
    }
    std::string_view name;
    if (!expectIdent(name, "a symbol"))
      return false;
    p.symbol = std::string(name);
    if (p.generic && !expect(')', "after the symbol"))
      return false;
    if (accept('+')) {
      Constant addend;
      if (!parseUnary(addend))
        return false;
      p.bits = addend.bits;
    }
    if (!expect(')', "after the symbol"))
      return false;
    v.init.push_back(std::move(p));
    return true;
  }
  auto asDouble = [&] {
    double d;
    if (c.isSingle) {
      float f;
      uint32_t b = uint32_t(c.bits);
      std::memcpy(&f, &b, 4);
      d = f;
    } else if (c.isFloat) {
      std::memcpy(&d, &c.bits, 8);
    } else {
      d = double(int64_t(c.bits));
    }
    return d;
  };
  if (v.type == Type::F32) {
    if (c.isSingle) {
      p.bits = c.bits;
    } else {
      float f = float(asDouble());
      uint32_t b;
      std::memcpy(&b, &f, 4);
      p.bits = b;
    }
  } else if (v.type == Type::F64) {
    double d = asDouble();
    std::memcpy(&p.bits, &d, 8);
  } else if (c.isFloat) {
    if (!isBits(v.type))
      return error(p.loc, "floating-point initialiser for a variable of type ." + std::string(typeName(v.type)));
    p.bits = c.bits;
  } else {
    p.bits = c.bits;
  }
  v.init.push_back(std::move(p));
  return true;
}

bool PTXParser::parseInitList(Variable &v, const std::vector<uint64_t> &dims, unsigned depth, uint64_t &element) {
  unsigned scalar = std::max(1u, typeBits(v.type) / 8);
  if (!tok.is('{')) {
    if (!v.unsized && (element + 1) * scalar > v.size)
      return error("too many initialisers for '" + v.name + "'");
    return parseInitScalar(v, element++ * scalar);
  }
  Loc loc = tok.loc;
  advance();
  if (depth >= dims.size())
    return error(loc, "initialiser of '" + v.name + "' is nested too deeply");
  uint64_t stride = 1;
  for (size_t i = depth + 1; i < dims.size(); ++i)
    stride *= dims[i];
  uint64_t start = element;
  while (!tok.is('}')) {
    uint64_t before = element;
    bool nested = tok.is('{');
    if (!parseInitList(v, dims, depth + 1, element))
      return false;
    if (nested)
      element = before + stride;
    if (!accept(','))
      break;
  }
  if (dims[depth] != 0 && element > start + dims[depth] * stride)
    return error(loc, "too many initialisers for '" + v.name + "'");
  return expect('}', "after the initialiser");
}

bool PTXParser::parseVariables(Space space, bool isExtern, Function *owner) {
  // A bank number, as in .const[3], is history.
  Variable base;
  base.space = space;
  base.isExtern = isExtern;
  base.owner = owner;
  if (!parseVariableType(base))
    return false;
  do {
    Variable v = base;
    if (!parseDeclarator(v, false))
      return false;
    if (v.unsized && !(space == Space::Shared) && !isExtern)
      return error(v.loc, "'" + v.name + "' has no size");
    if (owner && (space == Space::Local || space == Space::Param || space == Space::Shared)) {
      if (scopes[scope].variables.count(std::string_view(v.name)))
        return error(v.loc, "'" + v.name + "' is declared twice");
      owner->variables.push_back(std::move(v));
      Variable *p = &owner->variables.back();
      scopes[scope].variables[p->name] = p;
      continue;
    }
    auto it = globals.find(v.name);
    if (it != globals.end()) {
      Variable *old = it->second;
      if (old->isExtern || v.isExtern) {
        if (old->isExtern && !v.isExtern) {
          std::string name = old->name;
          *old = std::move(v);
        }
        continue;
      }
      return error(v.loc, "'" + v.name + "' is declared twice");
    }
    v.owner = nullptr;
    module.variables.push_back(std::move(v));
    Variable *p = &module.variables.back();
    globals[p->name] = p;
  } while (accept(','));
  return expect(';', "after the declaration");
}

//===----------------------------------------------------------------------===//
// Constant expressions
//===----------------------------------------------------------------------===//

bool PTXParser::parseUnary(Constant &c) {
  Loc loc = tok.loc;
  if (accept('-')) {
    if (!parseUnary(c))
      return false;
    if (c.isSingle)
      c.bits ^= 0x80000000u;
    else if (c.isFloat)
      c.bits ^= uint64_t(1) << 63;
    else
      c.bits = 0 - c.bits;
    return true;
  }
  if (accept('+'))
    return parseUnary(c);
  if (tok.is('~') || tok.is('!')) {
    bool invert = tok.is('~');
    advance();
    if (!parseUnary(c))
      return false;
    if (c.isFloat)
      return error(loc, "integer expected");
    c.bits = invert ? ~c.bits : uint64_t(c.bits == 0);
    return true;
  }
  if (accept('(')) {
    if (tok.isDot("s64") || tok.isDot("u64")) {
      advance();
      return expect(')', "after the cast") && parseUnary(c);
    }
    return parseConstant(c) && expect(')', "after the expression");
  }
  if (tok.kind == Tok::Int) {
    c.bits = tok.intValue;
  } else if (tok.kind == Tok::Float32) {
    c = {true, true, tok.intValue};
  } else if (tok.kind == Tok::Float64) {
    c = {true, false, tok.intValue};
  } else if (tok.kind == Tok::Ident && tok.text == "WARP_SZ") {
    c.bits = 32;
  } else {
    return error("expected a constant, " + found());
  }
  advance();
  return true;
}

bool PTXParser::parseConstant(Constant &c, int minPrecedence) {
  if (!parseUnary(c))
    return false;
  auto precedence = [&]() -> int {
    if (tok.kind != Tok::Punct)
      return -1;
    if (tok.text == "<<" || tok.text == ">>")
      return 3;
    switch (tok.text[0]) {
    case '*': case '/': case '%': return 5;
    case '+': case '-': return 4;
    case '&': return 2;
    case '^': return 1;
    case '|': return 0;
    }
    return -1;
  };
  for (;;) {
    int p = precedence();
    if (p < minPrecedence || tok.kind != Tok::Punct)
      return true;
    std::string_view op = tok.text;
    Loc loc = tok.loc;
    advance();
    Constant r;
    if (!parseConstant(r, p + 1))
      return false;
    if (c.isFloat || r.isFloat)
      return error(loc, "floating-point constant expressions are not supported");
    switch (op[0]) {
    case '*': c.bits *= r.bits; break;
    case '+': c.bits += r.bits; break;
    case '-': c.bits -= r.bits; break;
    case '&': c.bits &= r.bits; break;
    case '^': c.bits ^= r.bits; break;
    case '|': c.bits |= r.bits; break;
    case '<': c.bits = r.bits > 63 ? 0 : c.bits << r.bits; break;
    case '>': c.bits = r.bits > 63 ? 0 : c.bits >> r.bits; break;
    default:
      if (r.bits == 0)
        return error(loc, "division by zero");
      c.bits = op[0] == '/' ? c.bits / r.bits : c.bits % r.bits;
    }
  }
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
