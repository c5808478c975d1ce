//===- ReportFile.cpp - Reports for programs that wait for them -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/ReportFile.h"

#include "tileiras/Device/Options.h"

#include <cstdio>

using namespace tileiras;

static std::string quoted(const std::string &text) {
  std::string s = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      s += '\\';
      s += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", c);
      s += code;
    } else {
      s += c;
    }
  }
  return s + "\"";
}

static std::string triple(const emu::Dim3 &d) {
  return "[" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + "]";
}

static void write(const std::string &kind, const emu::Report &r, const std::string &text) {
  const std::string &name = device::options().reports;
  if (name.empty())
    return;
  std::FILE *file = std::fopen(name.c_str(), "a");
  if (!file)
    return;
  std::string line = "{\"kind\": " + quoted(kind) + ", \"message\": " + quoted(r.message) +
                     ", \"file\": " + quoted(r.file) + ", \"line\": " + std::to_string(r.line) +
                     ", \"column\": " + std::to_string(r.column) + ", \"ptx\": " + quoted(r.ptx) +
                     ", \"source_file\": " + quoted(r.sourceFile) +
                     ", \"source_line\": " + std::to_string(r.sourceLine) + ", \"call_file\": " + quoted(r.callFile) +
                     ", \"call_line\": " + std::to_string(r.callLine) + ", \"kernel\": " + quoted(r.kernel) +
                     ", \"block\": " + triple(r.block) + ", \"thread\": " + triple(r.thread) +
                     ", \"address\": " + std::to_string(r.address) + ", \"count\": " + std::to_string(r.count) +
                     ", \"text\": " + quoted(text) + "}\n";
  std::fputs(line.c_str(), file);
  std::fclose(file);
}

void device::recordReport(const emu::Report &report, const std::string &text) {
  write(emu::reportKindName(report.kind), report, text);
}

void device::recordReport(const std::string &kind, const std::string &message, const std::string &text) {
  emu::Report report;
  report.message = message;
  write(kind, report, text);
}
