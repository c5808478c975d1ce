//===- TextNesting.cpp - How deeply text nests ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Support/TextNesting.h"
#include <fstream>
#include <sstream>
#include <sys/stat.h>

using namespace tileiras;

std::optional<TextPlace> tileiras::findTooDeepNesting(std::string_view text, unsigned limit) {
  unsigned depth = 0, line = 1;
  size_t lineStart = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
    case '\n':
      ++line;
      lineStart = i + 1;
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
      if (i + 1 < text.size() && text[i + 1] == '/')
        while (i + 1 < text.size() && text[i + 1] != '\n')
          ++i;
      break;
    case '(':
    case '[':
    case '{':
    case '<':
      if (++depth > limit)
        return TextPlace{line, static_cast<unsigned>(i - lineStart + 1)};
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

std::string tileiras::tooDeepNestingMessage(unsigned limit) {
  return "nested too deeply: more than " + std::to_string(limit) + " brackets are open";
}

std::string tileiras::checkTextNesting(int argc, const char *const *argv) {
  for (int i = 1; i < argc; ++i) {
    struct stat status;
    // Options, what they write, and what is no file.
    if (argv[i][0] == '-' || std::string_view(argv[i - 1]) == "-o" || stat(argv[i], &status) != 0 ||
        !S_ISREG(status.st_mode))
      continue;
    std::ostringstream stream;
    stream << std::ifstream(argv[i], std::ios::binary).rdbuf();
    std::string text = stream.str();
    if (text.find('\0') != std::string::npos)
      continue; // bytecode
    if (std::optional<TextPlace> place = findTooDeepNesting(text))
      return std::string(argv[i]) + ":" + std::to_string(place->line) + ":" + std::to_string(place->column) +
             ": error: " + tooDeepNestingMessage();
  }
  return "";
}
