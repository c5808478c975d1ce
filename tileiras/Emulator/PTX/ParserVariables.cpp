//===- ParserVariables.cpp - PTX variables and initialisers -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/ParserImpl.h"

#include <cstring>

using namespace tileiras::emu;

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

/// `symbol` or `generic(symbol)`.
bool PTXParser::parseInitSymbol(InitPiece &p) {
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
  return !p.generic || expect(')', "after the symbol");
}

bool PTXParser::parseInitScalar(Variable &v, uint64_t offset) {
  InitPiece p;
  p.offset = offset;
  p.size = std::max(1u, typeBits(v.type) / 8);
  p.loc = tok.loc;
  if (tok.kind == Tok::Ident && tok.text != "WARP_SZ") {
    if (!parseInitSymbol(p))
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
    if (!parseInitSymbol(p))
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
