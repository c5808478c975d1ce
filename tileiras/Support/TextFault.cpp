//===- TextFault.cpp - What MLIR's parser does not survive ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Support/TextFault.h"
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

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

/// "NAME:LINE:COLUMN: error: MESSAGE", or nothing. Bytecode, Tile IR's and MLIR's, is not looked at. Text may have a
/// NUL in it: the parser skips it.
static std::string checkText(const std::string &name, std::string_view text) {
  if (text.rfind("\x7FTileIR", 0) == 0 || text.rfind("ML\xEFR", 0) == 0)
    return "";
  std::optional<TextFault> fault = findTextFault(text);
  return fault ? name + ":" + std::to_string(fault->line) + ":" + std::to_string(fault->column) +
                     ": error: " + fault->message
               : std::string();
}

/// Standard input can be read once only: what was read takes its place, as a file without a name.
static std::string checkStandardInput() {
  std::string text;
  char buffer[1 << 16];
  while (size_t n = std::fread(buffer, 1, sizeof buffer, stdin))
    text.append(buffer, n);
  std::FILE *copy = std::tmpfile();
  if (!copy || std::fwrite(text.data(), 1, text.size(), copy) != text.size() || std::fflush(copy) != 0 ||
      lseek(fileno(copy), 0, SEEK_SET) != 0 || dup2(fileno(copy), 0) != 0)
    return "<stdin>:1:1: error: standard input cannot be copied to a temporary file";
  return checkText("<stdin>", text);
}

std::string tileiras::checkTextFiles(int argc, const char *const *argv) {
  bool readsStandardInput = !isatty(0);
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    // Options that print something and read nothing.
    for (std::string_view only : {"-help", "--help", "-version", "--version", "-show-dialects", "--show-dialects",
                                  "-list-passes", "--list-passes"})
      if (word.substr(0, only.size()) == only)
        readsStandardInput = false;
    if (word == "-h")
      readsStandardInput = false;
    // Options, what they write, and what is no file.
    struct stat status;
    if (word.empty() || word[0] == '-' || std::string_view(argv[i - 1]) == "-o" || stat(argv[i], &status) != 0)
      continue;
    readsStandardInput = false;
    if (!S_ISREG(status.st_mode))
      continue;
    std::ostringstream stream;
    stream << std::ifstream(argv[i], std::ios::binary).rdbuf();
    if (std::string error = checkText(argv[i], stream.str()); !error.empty())
      return error;
  }
  return readsStandardInput ? checkStandardInput() : "";
}
