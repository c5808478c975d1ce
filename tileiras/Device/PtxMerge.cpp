//===- PtxMerge.cpp - Linking of PTX ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/PtxMerge.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>

using namespace tileiras;

namespace {

bool isNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}
bool isName(char c) { return isNameStart(c) || (c >= '0' && c <= '9'); }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && isBlank(s.front()))
    s.remove_prefix(1);
  return s;
}

/// The text without its NUL, line by line.
template <typename F> void eachLine(std::string_view text, F f) {
  text = text.substr(0, text.find('\0'));
  while (!text.empty()) {
    const size_t end = text.find('\n');
    f(text.substr(0, end));
    text = end == text.npos ? std::string_view() : text.substr(end + 1);
  }
}

/// The name that a declaration at module scope makes: of a variable the last word before its size, value or end, of a
/// function the word behind its results.
std::string nameOf(std::string_view line, bool function) {
  if (function) {
    line = trimmed(line);
    if (!line.empty() && line[0] == '(')
      line = line.find(')') == line.npos ? std::string_view() : trimmed(line.substr(line.find(')') + 1));
  } else {
    line = line.substr(0, line.find_first_of("[=;"));
    while (!line.empty() && isBlank(line.back()))
      line.remove_suffix(1);
    size_t begin = line.size();
    while (begin && isName(line[begin - 1]))
      --begin;
    line = line.substr(begin);
  }
  size_t end = 0;
  while (end != line.size() && isName(line[end]))
    ++end;
  return std::string(line.substr(0, end));
}

/// Names that only this module sees.
std::set<std::string> ownNames(std::string_view text) {
  std::set<std::string> names;
  int depth = 0;
  eachLine(text, [&](std::string_view line) {
    line = trimmed(line.substr(0, line.find("//")));
    for (std::string_view space : {".global", ".const", ".shared", ".func"})
      if (depth == 0 && line.substr(0, space.size()) == space && line.size() > space.size() &&
          isBlank(line[space.size()]))
        if (std::string name = nameOf(line.substr(space.size()), space == ".func"); !name.empty())
          names.insert(name);
    for (char c : line)
      depth += (c == '{') - (c == '}');
  });
  return names;
}

/// `.file 3 ...`, `.loc 3 ...`, `inlined_at 3 ...` with other numbers.
std::string renumbered(std::string_view line, unsigned offset) {
  std::string result;
  for (size_t at = 0; at != line.size();) {
    bool done = false;
    for (std::string_view word : {".file", ".loc", "inlined_at"}) {
      if (line.substr(at, word.size()) != word || at + word.size() == line.size() || !isBlank(line[at + word.size()]))
        continue;
      size_t digits = at + word.size();
      while (digits != line.size() && isBlank(line[digits]))
        ++digits;
      size_t end = digits;
      while (end != line.size() && line[end] >= '0' && line[end] <= '9')
        ++end;
      if (end == digits)
        continue;
      const unsigned number = unsigned(std::atoi(std::string(line.substr(digits, end - digits)).c_str()));
      result += std::string(word) + " " + std::to_string(number + offset);
      at = end;
      done = true;
      break;
    }
    if (!done)
      result += line[at++];
  }
  return result;
}

} // namespace

std::string device::mergePtx(const std::vector<std::string> &modules) {
  if (modules.size() == 1)
    return modules[0];
  std::string version, target, body;
  double newest = 0;
  int highest = 0;
  std::set<std::string> taken;
  unsigned offset = 0;
  for (size_t k = 0; k != modules.size(); ++k) {
    const std::set<std::string> own = ownNames(modules[k]);
    std::set<std::string> renamed;
    for (const std::string &name : own)
      if (!taken.insert(name).second)
        renamed.insert(name);
    const std::string suffix = "$" + std::to_string(k);
    unsigned files = 0;
    eachLine(modules[k], [&](std::string_view line) {
      const std::string_view word = trimmed(line);
      if (word.substr(0, 8) == ".version") {
        const double v = std::atof(std::string(word.substr(8)).c_str());
        if (v > newest) {
          newest = v;
          version = std::string(line);
        }
        return;
      }
      if (word.substr(0, 7) == ".target") {
        const size_t sm = word.find("sm_");
        const int number = sm == word.npos ? 0 : std::atoi(std::string(word.substr(sm + 3)).c_str());
        if (number > highest) {
          highest = number;
          target = std::string(line);
        }
        return;
      }
      if (word.substr(0, 13) == ".address_size")
        return;
      std::string text(line);
      const bool isFile = word.substr(0, 5) == ".file";
      if (isFile)
        files = std::max(files, unsigned(std::atoi(std::string(word.substr(5)).c_str())));
      if (isFile || word.substr(0, 4) == ".loc")
        text = renumbered(line, offset);
      if (!renamed.empty() && !isFile) {
        std::string other;
        for (size_t at = 0; at != text.size();) {
          if (!isName(text[at]) || (at && text[at - 1] == '.')) {
            other += text[at++];
            continue;
          }
          size_t end = at;
          while (end != text.size() && isName(text[end]))
            ++end;
          const std::string name = text.substr(at, end - at);
          other += renamed.count(name) ? name + suffix : name;
          at = end;
        }
        text = std::move(other);
      }
      body += text + "\n";
    });
    offset += files;
  }
  return version + "\n" + target + "\n.address_size 64\n" + body;
}
