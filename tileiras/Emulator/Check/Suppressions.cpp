//===- Suppressions.cpp - Reports that nobody wants to see ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Check/Suppressions.h"

#include <charconv>
#include <cstdio>

using namespace tileiras::emu;

/// `*` stands for any text.
static bool matches(std::string_view pattern, std::string_view text) {
  size_t star = pattern.find('*');
  if (star == pattern.npos)
    return pattern == text;
  if (!text.starts_with(pattern.substr(0, star)))
    return false;
  text.remove_prefix(star);
  pattern.remove_prefix(star + 1);
  for (size_t skip = 0; skip <= text.size(); ++skip)
    if (matches(pattern, text.substr(skip)))
      return true;
  return false;
}

static bool isReportKind(std::string_view name) {
  for (int k = 0; k <= int(ReportKind::Descriptor); ++k)
    if (matches(name, reportKindName(ReportKind(k))))
      return true;
  return false;
}

bool Suppressions::parse(std::string_view text, std::string &error) {
  std::vector<Rule> read;
  unsigned number = 0;
  while (!text.empty()) {
    ++number;
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('#'));
    auto fail = [&](std::string why) {
      error = "line " + std::to_string(number) + ": " + std::move(why);
      return false;
    };
    Rule rule;
    bool any = false;
    for (;;) {
      size_t begin = line.find_first_not_of(" \t\r");
      if (begin == line.npos)
        break;
      line.remove_prefix(begin);
      std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
      line.remove_prefix(word.size());
      size_t equal = word.find('=');
      if (equal == word.npos || equal + 1 == word.size())
        return fail("'" + std::string(word) + "' is not of the form key=value");
      std::string_view key = word.substr(0, equal), value = word.substr(equal + 1);
      any = true;
      if (key == "kind" && !isReportKind(value))
        return fail("there is no report of kind '" + std::string(value) + "'");
      if (key == "kind") {
        rule.kind = value;
      } else if (key == "kernel") {
        rule.kernel = value;
      } else if (key == "file") {
        rule.file = value;
      } else if (key == "line") {
        auto [stop, bad] = std::from_chars(value.data(), value.data() + value.size(), rule.line);
        if (bad != std::errc() || stop != value.data() + value.size() || !rule.line)
          return fail("'" + std::string(value) + "' is not the number of a line");
      } else {
        return fail("'" + std::string(key) + "' is none of kind, kernel, file and line");
      }
    }
    if (any)
      read.push_back(std::move(rule));
  }
  rules.insert(rules.end(), read.begin(), read.end());
  return true;
}

bool Suppressions::read(const std::string &path, std::string &error) {
  FILE *file = std::fopen(path.c_str(), "rb");
  if (!file) {
    error = "cannot read '" + path + "'";
    return false;
  }
  std::string text;
  char buffer[4096];
  while (size_t n = std::fread(buffer, 1, sizeof buffer, file))
    text.append(buffer, n);
  std::fclose(file);
  if (parse(text, error))
    return true;
  error = path + ": " + error;
  return false;
}

bool Suppressions::covers(const Report &r) const {
  const std::string &file = r.sourceLine ? r.sourceFile : r.file;
  uint32_t line = r.sourceLine ? r.sourceLine : r.line;
  for (const Rule &rule : rules)
    if (matches(rule.kind, reportKindName(r.kind)) && matches(rule.kernel, r.kernel) &&
        ((matches(rule.file, file) && (!rule.line || rule.line == line)) ||
         (r.callLine && matches(rule.file, r.callFile) && (!rule.line || rule.line == r.callLine))))
      return true;
  return false;
}
