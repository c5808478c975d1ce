//===- TextFault.cpp - What MLIR's parser does not survive ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Support/TextFault.h"
#include <cstddef>
#include <fstream>
#include <sstream>
#include <sys/stat.h>

using namespace tileiras;

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

static bool isNameCharacter(char c) {
  return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '$' || c == '.' || c == '_' || c == '-';
}

/// Whether the digits at the start of the text, or those after `0x`, say a number that is too large. `number` becomes
/// what the text says.
static bool isTooLarge(std::string_view text, std::string &number) {
  constexpr std::string_view decimal = "0123456789", hexadecimal = "0123456789abcdefABCDEF";
  bool isHex = text.substr(0, 2) == "0x";
  size_t start = isHex ? 2 : 0, end = text.find_first_not_of(isHex ? hexadecimal : decimal, start);
  number = text.substr(0, end);
  unsigned value = 0;
  for (char c : std::string_view(number).substr(start)) {
    value = isHex ? value * 16 + (isDigit(c) ? c - '0' : (c | 0x20) - 'a' + 10) : value * 10 + (c - '0');
    if (value > maxTextResultNumber)
      return true;
  }
  return false;
}

std::optional<TextFault> tileiras::findTextFault(std::string_view text) {
  /// What the last token was, as far as a result number can follow.
  enum { Other, ValueName, ValueNameAndColon } last = Other;
  unsigned depth = 0, line = 1;
  size_t lineStart = 0;
  auto faultAt = [&](size_t i, std::string message) {
    return TextFault{line, static_cast<unsigned>(i - lineStart + 1), std::move(message)};
  };
  for (size_t i = 0; i < text.size(); ++i) {
    auto previous = last;
    last = Other;
    switch (text[i]) {
    case '\n':
      ++line;
      lineStart = i + 1;
      [[fallthrough]];
    case ' ':
    case '\t':
    case '\r':
    case '\0': // the parser skips it too
      last = previous;
      break;
    case '"':
      // A string ends with its line at the latest; the parser complains about that.
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] != '\n')
          ++i;
      if (i < text.size() && text[i] == '\n')
        --i;
      break;
    case '/':
      if (i + 1 < text.size() && text[i + 1] == '/') {
        while (i + 1 < text.size() && text[i + 1] != '\n' && text[i + 1] != '\r')
          ++i;
        last = previous;
      }
      break;
    case '%':
      // A name that starts with a digit is a number.
      if (i + 1 < text.size() && isDigit(text[i + 1]))
        while (i + 1 < text.size() && isDigit(text[i + 1]))
          ++i;
      else
        while (i + 1 < text.size() && isNameCharacter(text[i + 1]))
          ++i;
      last = ValueName;
      break;
    case ':':
      if (previous == ValueName)
        last = ValueNameAndColon;
      break;
    case '#':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
      if (previous == (text[i] == '#' ? ValueName : ValueNameAndColon))
        if (std::string number; isTooLarge(text.substr(i + (text[i] == '#')), number))
          return faultAt(i,
                         "result number " + number + " is too large: at most " + std::to_string(maxTextResultNumber));
      break;
    case '(':
    case '[':
    case '{':
    case '<':
      if (++depth > maxTextNesting)
        return faultAt(i, "nested too deeply: more than " + std::to_string(maxTextNesting) + " brackets are open");
      break;
    case '>':
      if (i > 0 && text[i - 1] == '-')
        break;
      [[fallthrough]];
    case ')':
    case ']':
    case '}':
      depth -= depth > 0;
      break;
    default:
      break;
    }
  }
  return std::nullopt;
}

std::string tileiras::checkTextFiles(int argc, const char *const *argv) {
  for (int i = 1; i < argc; ++i) {
    struct stat status;
    // Options, what they write, and what is no file.
    if (argv[i][0] == '-' || std::string_view(argv[i - 1]) == "-o" || stat(argv[i], &status) != 0 ||
        !S_ISREG(status.st_mode))
      continue;
    std::ostringstream stream;
    stream << std::ifstream(argv[i], std::ios::binary).rdbuf();
    std::string text = stream.str();
    // Bytecode, Tile IR's and MLIR's. Text may have a NUL in it: the parser skips it.
    if (text.rfind("\x7FTileIR", 0) == 0 || text.rfind("ML\xEFR", 0) == 0)
      continue;
    if (std::optional<TextFault> fault = findTextFault(text))
      return std::string(argv[i]) + ":" + std::to_string(fault->line) + ":" + std::to_string(fault->column) +
             ": error: " + fault->message;
  }
  return "";
}
