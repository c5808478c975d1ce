//===- Lexer.cpp - Tokens of PTX text ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/Lexer.h"

#include <cstdlib>
#include <cstring>

using namespace tileiras::emu;

static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isAlpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool isWord(char c) { return isAlpha(c) || isDigit(c) || c == '_' || c == '$'; }
static int hexDigit(char c) {
  if (isDigit(c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

/// Skips white space and comments; false at an unterminated comment.
bool Lexer::skipBlank() {
  while (pos < text.size()) {
    char c = text[pos];
    if (c == '\n') {
      ++pos;
      ++line;
      lineStart = pos;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++pos;
    } else if (c == '/' && peek(1) == '/') {
      while (pos < text.size() && text[pos] != '\n')
        ++pos;
    } else if (c == '/' && peek(1) == '*') {
      pos += 2;
      while (pos < text.size() && !(text[pos] == '*' && peek(1) == '/')) {
        if (text[pos] == '\n') {
          ++line;
          lineStart = pos + 1;
        }
        ++pos;
      }
      if (pos >= text.size())
        return false;
      pos += 2;
    } else if (c == '#' && pos == lineStart) { // line marker of a preprocessor
      while (pos < text.size() && text[pos] != '\n')
        ++pos;
    } else {
      break;
    }
  }
  return true;
}

Token Lexer::fail(Token t, std::string why) {
  t.kind = Tok::Error;
  message = std::move(why);
  return t;
}

Token Lexer::number(Token t) {
  size_t start = pos;
  auto finish = [&](Tok kind, uint64_t value) {
    t.kind = kind;
    t.intValue = value;
    t.text = text.substr(start, pos - start);
    return t;
  };
  char second = peek(1);
  if (text[pos] == '0' && (second == 'f' || second == 'F' || second == 'd' || second == 'D')) {
    bool isDouble = second == 'd' || second == 'D';
    unsigned digits = isDouble ? 16 : 8;
    pos += 2;
    uint64_t v = 0;
    for (unsigned i = 0; i != digits; ++i, ++pos) {
      int h = hexDigit(peek());
      if (h < 0)
        return fail(t, "floating-point literal needs " + std::to_string(digits) + " hexadecimal digits");
      v = v << 4 | unsigned(h);
    }
    return finish(isDouble ? Tok::Float64 : Tok::Float32, v);
  }
  unsigned base = 10;
  if (text[pos] == '0' && (second == 'x' || second == 'X')) {
    base = 16;
    pos += 2;
  } else if (text[pos] == '0' && (second == 'b' || second == 'B')) {
    base = 2;
    pos += 2;
  } else {
    // Decimal or octal, unless a point or an exponent makes it a double.
    size_t p = pos;
    while (p < text.size() && isDigit(text[p]))
      ++p;
    bool fp = false;
    if (p < text.size() && text[p] == '.') {
      fp = true;
      ++p;
      while (p < text.size() && isDigit(text[p]))
        ++p;
    }
    if (p < text.size() && (text[p] == 'e' || text[p] == 'E')) {
      size_t q = p + 1;
      if (q < text.size() && (text[q] == '+' || text[q] == '-'))
        ++q;
      if (q < text.size() && isDigit(text[q])) {
        fp = true;
        while (q < text.size() && isDigit(text[q]))
          ++q;
        p = q;
      }
    }
    if (fp) {
      std::string copy(text.substr(pos, p - pos));
      double d = std::strtod(copy.c_str(), nullptr);
      uint64_t bits;
      std::memcpy(&bits, &d, 8);
      pos = p;
      return finish(Tok::Float64, bits);
    }
    if (text[pos] == '0' && isDigit(second))
      base = 8;
  }
  uint64_t v = 0;
  bool any = false;
  for (;; ++pos) {
    int h = hexDigit(peek());
    if (h < 0 || unsigned(h) >= base)
      break;
    uint64_t wide = v * base + unsigned(h);
    if (v > (~uint64_t(0) - unsigned(h)) / base)
      return fail(t, "integer literal does not fit in 64 bits");
    v = wide;
    any = true;
  }
  if (!any)
    return fail(t, "integer literal without digits");
  if (peek() == 'U')
    ++pos;
  if (isWord(peek()))
    return fail(t, "malformed number");
  return finish(Tok::Int, v);
}

Token Lexer::next() {
  Token t;
  bool closed = skipBlank();
  t.loc = {line, uint32_t(pos - lineStart + 1)};
  t.offset = pos;
  if (!closed)
    return fail(t, "comment is never closed");
  if (pos >= text.size())
    return t;
  size_t start = pos;
  char c = text[pos];
  if (isDigit(c))
    return number(t);
  if (c == '.' && (isWord(peek(1)))) {
    ++pos;
    // Modifiers may contain scope marks: .shared::cta, .L2::128B, .mbarrier::complete_tx::bytes.
    while (isWord(peek()) || (peek() == ':' && peek(1) == ':' && isWord(peek(2))) ||
           (peek() == ':' && pos > 0 && text[pos - 1] == ':' && isWord(peek(1))))
      ++pos;
    t.kind = Tok::Dot;
    t.text = text.substr(start + 1, pos - start - 1);
    return t;
  }
  if (isAlpha(c) || c == '_' || c == '$' || (c == '%' && (isAlpha(peek(1)) || peek(1) == '_' || peek(1) == '$'))) {
    ++pos;
    while (isWord(peek()))
      ++pos;
    t.kind = Tok::Ident;
    t.text = text.substr(start, pos - start);
    return t;
  }
  if (c == '"') {
    ++pos;
    while (pos < text.size() && text[pos] != '"' && text[pos] != '\n') {
      if (text[pos] == '\\' && pos + 1 < text.size())
        ++pos;
      ++pos;
    }
    if (peek() != '"')
      return fail(t, "string is never closed");
    t.kind = Tok::String;
    t.text = text.substr(start + 1, pos - start - 1);
    ++pos;
    return t;
  }
  if (std::strchr("(){}[],;:|+-*/!@<>=~&^%?", c)) {
    size_t n = (c == '<' || c == '>') && peek(1) == c ? 2 : 1;
    pos += n;
    t.kind = Tok::Punct;
    t.text = text.substr(start, n);
    return t;
  }
  ++pos;
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, (c >= 32 && c < 127) ? "unexpected character '%c'" : "unexpected byte 0x%02x",
                (c >= 32 && c < 127) ? c : static_cast<unsigned char>(c));
  return fail(t, buffer);
}
