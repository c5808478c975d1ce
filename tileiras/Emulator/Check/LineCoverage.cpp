//===- LineCoverage.cpp - What no thread ever reached -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Check/LineCoverage.h"

#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Launch.h"
#include "tileiras/Emulator/Machine/Program.h"
#include "tileiras/Emulator/PTX/InstructionTable.h"

#include <algorithm>
#include <fstream>

using namespace tileiras::emu;

namespace tileiras::emu {

/// Counts blocks on its own, and adds them up at the end.
class LineCoverageObserver final : public Observer {
public:
  LineCoverageObserver(LineCoverage &coverage, std::shared_ptr<LineCoverage::Blocks> blocks)
      : coverage(coverage), blocks(std::move(blocks)), counts(this->blocks->size()) {}
  ~LineCoverageObserver() override {
    std::lock_guard<std::mutex> lock(coverage.mutex);
    for (size_t b = 0; b != counts.size(); ++b)
      for (LineCoverage::Line *line : (*blocks)[b])
        line->count += counts[b];
  }
  void blockEnter(Warp &, uint32_t block, uint32_t) override { ++counts[block]; }

private:
  LineCoverage &coverage;
  std::shared_ptr<LineCoverage::Blocks> blocks;
  std::vector<uint64_t> counts;
};

} // namespace tileiras::emu

static bool synchronises(const Instruction &i) {
  if (!i.row)
    return false;
  switch (i.row->cls) {
  case InstClass::Barrier:
  case InstClass::Fence:
  case InstClass::Atomic:
    return true;
  default:
    for (std::string_view word : i.words)
      if (word.starts_with("wait") || word.starts_with("commit") || word == "try_wait" || word == "test_wait")
        return true;
    return i.opcode == "mbarrier" || i.opcode == "membar";
  }
}

std::function<std::unique_ptr<Observer>()> LineCoverage::watch(const Module &module) {
  std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<Blocks> &blocks = modules[module.id()];
  if (!blocks) {
    const Program &program = module.program();
    blocks = std::make_shared<Blocks>(program.blocks.size());
    for (const FunctionCode &fn : program.functions) {
      std::vector<Line *> *lines = nullptr;
      for (const Inst &code : fn.code) {
        if (code.fn == handlers::blockHead) {
          lines = &(*blocks)[code.imm];
          continue;
        }
        if (!lines || code.source >= fn.ast->body.size())
          continue;
        const Instruction &i = fn.ast->body[code.source];
        auto file = program.ast->files.find(i.sourceFile);
        const bool known = i.sourceLine && file != program.ast->files.end();
        Line &line = files[known ? file->second : program.ast->fileName][known ? i.sourceLine : i.loc.line];
        if (line.synchronisation.empty() && synchronises(i))
          line.synchronisation = std::string(i.text);
        if (std::find(lines->begin(), lines->end(), &line) == lines->end())
          lines->push_back(&line);
      }
    }
  }
  return [this, blocks = blocks] { return std::make_unique<LineCoverageObserver>(*this, blocks); };
}

std::string LineCoverage::lcov() const {
  std::lock_guard<std::mutex> lock(mutex);
  std::string text = "TN:tileiras\n";
  for (auto &[file, lines] : files) {
    text += "SF:" + file + "\n";
    uint64_t reached = 0;
    for (auto &[number, line] : lines) {
      text += "DA:" + std::to_string(number) + "," + std::to_string(line.count) + "\n";
      reached += line.count != 0;
    }
    text += "LF:" + std::to_string(lines.size()) + "\nLH:" + std::to_string(reached) + "\nend_of_record\n";
  }
  return text;
}

static std::string escaped(const std::string &text) {
  std::string out;
  for (char c : text)
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

std::string LineCoverage::html() const {
  std::lock_guard<std::mutex> lock(mutex);
  std::string text = "<!doctype html><meta charset=utf-8><title>Coverage</title><style>body{font:13px monospace}"
                     "td{padding:0 8px;white-space:pre}td.n{text-align:right;color:#777}tr.miss{background:#fdd}"
                     "tr.sync{background:#f99;font-weight:bold}tr.hit{background:#efe}</style>\n";
  for (auto &[file, lines] : files) {
    uint64_t reached = 0;
    for (auto &[number, line] : lines)
      reached += line.count != 0;
    text += "<h3>" + escaped(file) + ": " + std::to_string(reached) + " of " + std::to_string(lines.size()) +
            " lines reached</h3><table>\n";
    std::ifstream source(file);
    std::string content;
    uint32_t number = 0;
    auto row = [&](uint32_t n, const std::string &what) {
      auto found = lines.find(n);
      const char *cls = "";
      std::string count;
      if (found != lines.end()) {
        const Line &line = found->second;
        count = std::to_string(line.count);
        cls = line.count ? "hit" : line.synchronisation.empty() ? "miss" : "sync";
      }
      text += std::string("<tr class=\"") + cls + "\"><td class=n>" + std::to_string(n) + "<td class=n>" + count +
              "<td>" + escaped(what) + "\n";
    };
    if (source)
      while (std::getline(source, content))
        row(++number, content);
    else
      for (auto &[n, line] : lines)
        row(n, line.synchronisation);
    text += "</table>\n";
  }
  return text;
}

std::vector<std::string> LineCoverage::unreachedSynchronisation() const {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<std::string> list;
  for (auto &[file, lines] : files)
    for (auto &[number, line] : lines)
      if (!line.count && !line.synchronisation.empty())
        list.push_back(file + ":" + std::to_string(number) + ": " + line.synchronisation);
  return list;
}

void LineCoverage::totals(uint64_t &reached, uint64_t &all) const {
  std::lock_guard<std::mutex> lock(mutex);
  reached = all = 0;
  for (auto &[file, lines] : files)
    for (auto &[number, line] : lines) {
      ++all;
      reached += line.count != 0;
    }
}
