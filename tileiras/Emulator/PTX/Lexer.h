//===- Lexer.h - Tokens of PTX text -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_PTX_LEXER_H
#define TILEIRAS_EMULATOR_PTX_LEXER_H

#include "tileiras/Emulator/PTX/Types.h"

#include <string>
#include <string_view>

namespace tileiras::emu {

enum class Tok : uint8_t {
  End,
  Error,
  Ident,   ///< name: foo, $L__BB0_1, %r1, _
  Dot,     ///< .word: directive, modifier or component; text is without the dot
  Int,     ///< intValue; text keeps a trailing U
  Float32, ///< 0fXXXXXXXX: intValue holds the bits
  Float64, ///< 0dX..X or a decimal literal: intValue holds the bits of the double
  String,  ///< text without the quotes
  Punct    ///< one character, or << or >>
};

struct Token {
  Tok kind = Tok::End;
  std::string_view text;
  uint64_t intValue = 0;
  Loc loc;
  size_t offset = 0; ///< of the first character in the text
  bool is(char c) const { return kind == Tok::Punct && text.size() == 1 && text[0] == c; }
  bool isDot(std::string_view s) const { return kind == Tok::Dot && text == s; }
};

/// Splits PTX text into tokens on demand. The text must outlive the tokens.
class Lexer {
public:
  explicit Lexer(std::string_view text) : text(text) {}
  Token next();
  /// Why the last Tok::Error token is one.
  const std::string &error() const { return message; }

private:
  bool skipBlank();
  Token number(Token t);
  Token fail(Token t, std::string why);
  char peek(size_t ahead = 0) const { return pos + ahead < text.size() ? text[pos + ahead] : '\0'; }

  std::string_view text;
  size_t pos = 0, lineStart = 0;
  uint32_t line = 1;
  std::string message;
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_PTX_LEXER_H
