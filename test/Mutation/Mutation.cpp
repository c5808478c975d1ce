//===- Mutation.cpp - Removing and altering synchronisation -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Mutation.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

using namespace tileiras::emu;
using namespace tileiras::emu::mutation;

static constexpr size_t InWords = 8192, OutWords = 8192;

std::vector<std::string> tileiras::emu::mutation::kernelFiles(const std::string &folder) {
  std::vector<std::string> files;
  std::error_code code;
  for (auto &entry : std::filesystem::directory_iterator(folder, code))
    if (entry.path().extension() == ".ptx")
      files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

bool Kernel::load(const std::string &file, std::string &error) {
  name = std::filesystem::path(file).stem().string();
  std::stringstream s;
  std::ifstream stream(file);
  if (!stream) {
    error = "cannot read " + file;
    return false;
  }
  s << stream.rdbuf();
  text = s.str();
  const std::string head = "// launch:";
  if (text.compare(0, head.size(), head)) {
    error = file + " does not begin with '" + head + "'";
    return false;
  }
  std::istringstream words(text.substr(head.size(), text.find('\n') - head.size()));
  for (std::string word; words >> word;) {
    size_t equals = word.find('=');
    uint32_t value = equals == std::string::npos ? 0 : uint32_t(std::atoi(word.c_str() + equals + 1));
    std::string key = word.substr(0, equals);
    Dim3 *target = key == "threads" ? &block : key == "blocks" ? &grid : key == "cluster" ? &cluster : nullptr;
    if (!target || !value) {
      error = file + ": bad launch parameter '" + word + "'";
      return false;
    }
    target->x = value;
  }
  return true;
}

/// Seeds differ in the order of warps and in the moments of asynchronous operations: fixed extremes first.
LaunchResult Kernel::launchOnce(const Module &module, unsigned seed, std::vector<uint8_t> &out) const {
  Memory memory;
  // Small bf16 values, two to a word, which are as good as any other words.
  std::vector<uint32_t> source(InWords);
  uint32_t state = 12345;
  for (uint32_t &word : source) {
    auto value = [&] {
      state = state * 1664525u + 1013904223u;
      return uint32_t(0x3f80 + (state >> 25) + (state >> 31 << 15));
    };
    word = value();
    word |= value() << 16;
  }
  uint64_t in = memory.allocate(InWords * 4, "in"), result = memory.allocate(OutWords * 4, "out", Memory::Init::Zero);
  memory.copyIn(in, source.data(), InWords * 4);
  LaunchConfig c;
  c.grid = grid;
  c.block = block;
  c.cluster = cluster;
  c.args.add(in).add(result);
  static constexpr Schedule schedules[] = {Schedule::RoundRobin, Schedule::Forward, Schedule::Reverse};
  static constexpr AsyncTiming timings[] = {AsyncTiming::Late, AsyncTiming::Early, AsyncTiming::Late};
  c.options.schedule = seed < 3 ? schedules[seed] : Schedule::Random;
  c.options.asyncTiming = seed < 3 ? timings[seed] : AsyncTiming::Random;
  c.options.seed = seed;
  c.options.checkRaces = true;
  c.options.maxWarpInstructionsPerBlock = 1000000;
  LaunchResult r = launch(module, memory, c);
  out.resize(OutWords * 4);
  memory.copyOut(result, out.data(), out.size());
  return r;
}

bool Kernel::checkOriginal(unsigned seeds, std::string &error) {
  std::vector<Diagnostic> errors;
  std::unique_ptr<Module> module = Module::parse(text, name + ".ptx", errors);
  if (!module) {
    error = errors[0].str();
    return false;
  }
  for (unsigned seed = 0; seed != seeds; ++seed) {
    std::vector<uint8_t> out;
    LaunchResult r = launchOnce(*module, seed, out);
    for (const Report &report : r.reports)
      error += "seed " + std::to_string(seed) + ": " + report.str() + "\n";
    if (!r.ok)
      return false;
    if (seed == 0)
      expected = out;
    if (out != expected) {
      error = name + ": seed " + std::to_string(seed) + " gives another result than seed 0";
      return false;
    }
    if (out == std::vector<uint8_t>(out.size())) {
      error = name + ": the kernel computes nothing";
      return false;
    }
  }
  return true;
}

Outcome Kernel::run(const Mutant &mutant, unsigned seeds) const {
  Outcome o;
  std::vector<Diagnostic> errors;
  std::unique_ptr<Module> module = Module::parse(mutant.text, name + ".ptx", errors);
  if (!module)
    return o;
  o.ran = true;
  o.seeds = seeds;
  for (unsigned seed = 0; seed != seeds; ++seed) {
    std::vector<uint8_t> out;
    LaunchResult r = launchOnce(*module, seed, out);
    std::set<std::string> kinds;
    for (const Report &report : r.reports)
      kinds.insert(reportKindName(report.kind));
    for (const std::string &kind : kinds)
      ++o.kinds[kind];
    o.byReport += !r.ok;
    o.byResult += r.ok && out != expected;
  }
  return o;
}

//===----------------------------------------------------------------------===//
// Mutations
//===----------------------------------------------------------------------===//

namespace {

/// A rewriting of one instruction (without guard and semicolon).
struct Operation {
  const char *name;
  std::regex pattern;
  const char *replacement; ///< in the format of std::regex_replace; "+1" and "-1" at the end: of the last number
};

const std::vector<Operation> &operations() {
  static const std::vector<Operation> list = [] {
    std::vector<Operation> v;
    auto add = [&](const char *name, const char *pattern, const char *replacement) {
      v.push_back({name, std::regex(pattern), replacement});
    };
    // Waits succeed at once; everything else disappears.
    add("remove", R"((?:mbarrier\.(?:try_wait|test_wait)\S*) (%p\d+),.*)", "setp.eq.u32 $1, 0, 0");
    add("remove",
        R"((?:bar|barrier|fence|membar|mbarrier\.arrive|mbarrier\.expect_tx|mbarrier\.init|cp\.async\.mbarrier)\b.*)",
        "");
    add("remove",
        R"((?:cp\.async\.(?:bulk\.)?(?:commit_group|wait_group|wait_all)|wgmma\.(?:fence|commit_group|wait_group)|tcgen05\.(?:commit|wait|fence|dealloc))\b.*)",
        "");
    add("twice", R"((mbarrier\.arrive.*|tcgen05\.commit.*))", "$1; $1");
    add("other fence", R"(tcgen05\.fence::before_thread_sync)", "tcgen05.fence::after_thread_sync");
    add("other fence", R"(tcgen05\.fence::after_thread_sync)", "tcgen05.fence::before_thread_sync");
    add("other wait", R"(tcgen05\.wait::ld(.*))", "tcgen05.wait::st$1");
    add("other wait", R"(tcgen05\.wait::st(.*))", "tcgen05.wait::ld$1");
    add("one block", R"((tcgen05\.commit.*)\.multicast::cluster(.*), %rs\d+)", "$1$2");
    add("weaken", R"((cp\.async\.(?:bulk\.)?wait_group\S*|wgmma\.wait_group\S*) (\d+))", "$1 $2+1");
    add("weaken", R"(cp\.async\.bulk\.wait_group (\d+))", "cp.async.bulk.wait_group.read $1");
    add("more bytes", R"((mbarrier\S*expect_tx\S* .*), (\d+))", "$1, $2+16");
    add("fewer bytes", R"((mbarrier\S*expect_tx\S* .*), (\d+))", "$1, $2-16");
    add("more arrivals", R"((mbarrier\.init\S* .*), (\d+))", "$1, $2+1");
    add("fewer arrivals", R"((mbarrier\.init\S* .*), (\d+))", "$1, $2-1");
    add("parity", R"((mbarrier\.(?:try_wait|test_wait)\.parity\S* %p\d+, .*), (%r\d+))",
        "xor.b32 %r97, $2, 1; $1, %r97");
    add("other barrier", R"((bar\.(?:sync|arrive)) (\d+)(,.*))", "$1 9$3");
    add("fewer threads", R"((bar\.sync) (\d+))", "$1 $2, 32");
    add("space", R"(fence\.proxy\.async\.shared::cta)", "fence.proxy.async.global");
    add("relax", R"(barrier\.cluster\.arrive(?:\.release)?)", "barrier.cluster.arrive.relaxed");
    add("relax", R"((ld)\.acquire(.*))", "$1.relaxed$2");
    add("relax", R"((st)\.release(.*))", "$1.relaxed$2");
    add("relax", R"((mbarrier\.arrive)\.release(\..*))", "$1.relaxed$2");
    add("relax", R"((mbarrier\.try_wait\.parity)\.acquire(\..*))", "$1.relaxed$2");
    add("scope", R"((fence\.acq_rel)\.gpu)", "$1.cta");
    add("scope", R"((atom\.relaxed)\.gpu(.*))", "$1.cta$2");
    return v;
  }();
  return list;
}

/// "4+1" at the end of the text becomes "5".
std::string evaluated(std::string text) {
  std::smatch m;
  if (std::regex_search(text, m, std::regex(R"((\d+)([+-])(\d+)$)"))) {
    long value = std::stol(m[1]), by = std::stol(m[3]);
    text = m.prefix().str() + std::to_string(m[2] == "+" ? value + by : value - by);
  }
  return text;
}

} // namespace

std::vector<Mutant> Kernel::mutants() const {
  std::vector<Mutant> result;
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  // Indentation, guard, instruction, comment.
  static const std::regex shape(R"(^(\s*)(@!?%p\d+ )?([a-z][^;]*);\s*(//.*)?$)");
  static const std::regex mark(R"(harmless: ([^:]+): (.*))");
  for (size_t n = 0; n != lines.size(); ++n) {
    std::smatch m;
    if (!std::regex_match(lines[n], m, shape))
      continue;
    std::string guard = m[2], instruction = m[3], comment = m[4];
    for (const Operation &o : operations()) {
      if (!std::regex_match(instruction, o.pattern))
        continue;
      std::string changed = evaluated(std::regex_replace(instruction, o.pattern, o.replacement));
      if (changed == instruction)
        continue;
      std::string line;
      std::istringstream parts(changed);
      for (std::string part; std::getline(parts, part, ';');)
        line += guard + part + "; ";
      Mutant mutant;
      mutant.line = uint32_t(n + 1);
      mutant.operation = o.name;
      mutant.instruction = guard + instruction;
      std::smatch why;
      for (std::string rest = comment; std::regex_search(rest, why, mark); rest = why.suffix())
        if (std::string names = ", " + why[1].str() + ",";
            names.find(std::string(", ") + o.name + ",") != std::string::npos)
          mutant.harmless = why[2];
      for (size_t k = 0; k != lines.size(); ++k)
        mutant.text += (k == n ? line : lines[k]) + "\n";
      result.push_back(std::move(mutant));
    }
  }
  return result;
}
