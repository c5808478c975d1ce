//===- ParserConstants.cpp - PTX constant expressions -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/ParserImpl.h"

#include <cstring>

using namespace tileiras::emu;

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
    case '*':
    case '/':
    case '%':
      return 5;
    case '+':
    case '-':
      return 4;
    case '&':
      return 2;
    case '^':
      return 1;
    case '|':
      return 0;
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
    case '*':
      c.bits *= r.bits;
      break;
    case '+':
      c.bits += r.bits;
      break;
    case '-':
      c.bits -= r.bits;
      break;
    case '&':
      c.bits &= r.bits;
      break;
    case '^':
      c.bits ^= r.bits;
      break;
    case '|':
      c.bits |= r.bits;
      break;
    case '<':
      c.bits = r.bits > 63 ? 0 : c.bits << r.bits;
      break;
    case '>':
      c.bits = r.bits > 63 ? 0 : c.bits >> r.bits;
      break;
    default:
      if (r.bits == 0)
        return error(loc, "division by zero");
      c.bits = op[0] == '/' ? c.bits / r.bits : c.bits % r.bits;
    }
  }
}
