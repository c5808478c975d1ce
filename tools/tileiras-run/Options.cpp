//===- Options.cpp - The command line of tileiras-run -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Options.h"

#include <cerrno>
#include <cstdlib>
#include <string_view>

using namespace tileiras;

namespace {

enum class Kind { Text, Number, Flag, Switch, List, CommaList };

/// One row per option: where its value goes, and its line of --help.
struct Row {
  const char *name;
  Kind kind;
  void *(*field)(Options &);
  const char *value, *help;
};

#define FIELD(member) [](Options &o) -> void * { return &o.member; }
const Row kRows[] = {
    {"entry", Kind::Text, FIELD(entry), "NAME", "kernel to run; not needed if there is one"},
    {"grid", Kind::Text, FIELD(grid), "X,Y,Z", "tile blocks (default 1)"},
    {"blocks", Kind::Number, FIELD(blocks), "N", "run only the first N tile blocks of the grid"},
    {"engine", Kind::CommaList, FIELD(engines), "LIST", "reference, emulator, cuda; several run after each other"},
    {"arg", Kind::List, FIELD(arguments), "ARG", "kernel argument, like the ones after FILE"},
    {"arrays", Kind::Text, FIELD(arrays), "MODE", "how arrays are passed: ptr, array, array64"},
    {"seed", Kind::Number, FIELD(seed), "N", "of random inputs and schedules"},
    {"check", Kind::Flag, FIELD(check), nullptr,
     "compare every run with the first, which is the reference if it can run"},
    {"check-races", Kind::Switch, FIELD(checkRaces), nullptr,
     "emulator: report races and missing waits (default with --check; =false for speed)"},
    {"tolerance", Kind::Text, FIELD(tolerance), "T", "exact, ulp:N, rel:X, abs:X or rel:X,abs:Y"},
    {"dump", Kind::List, FIELD(dumps), "NAME=FILE", "write an array as .npy after the run"},
    {"show", Kind::List, FIELD(shows), "NAME", "print an array after the run"},
    {"stats", Kind::Flag, FIELD(stats), nullptr, "print counters of each run"},
    {"summary", Kind::Flag, FIELD(summary), nullptr, "print a table of the runs, ending in PASS or FAIL"},
    {"max-steps", Kind::Number, FIELD(maxSteps), "N",
     "operations (emulator: warp instructions of a block) before a run is stopped"},
    {"ignore-assumptions", Kind::Flag, FIELD(ignoreAssumptions), nullptr, "reference: a false assume is no error"},
    {"gpu-name", Kind::Text, FIELD(gpuName), "SM", "target to compile for (default sm_90, or that of --time)"},
    {"opt-level", Kind::Number, FIELD(optLevel), "N", "of the compiler (default 3)"},
    {"lineinfo", Kind::Flag, FIELD(lineInfo), nullptr, "compile with line tables, as front ends do"},
    {"pipeline-options", Kind::Text, FIELD(pipelineOptions), "TEXT", "further options of the compiler"},
    {"static-shared", Kind::Text, FIELD(staticShared), "48k|device",
     "shared memory of compiled kernels (docs/tileiras.md)"},
    {"register-limits", Kind::Text, FIELD(registerLimits), "none|cubin|ptx|least",
     "kernels assembled with fewer registers, or in another order: those of --time (cubin, default), or all"},
    {"save-ptx", Kind::Text, FIELD(savePTX), "FILE", "write the compiled PTX"},
    {"schedules", Kind::Number, FIELD(schedules), "N", "emulator: repeat under N warp schedules"},
    {"launches", Kind::Number, FIELD(launches), "N", "emulator: launch N times in one memory, and show the last"},
    {"async", Kind::Text, FIELD(timing), "WHEN",
     "emulator: asynchronous operations land early, late (default) or random"},
    {"rules", Kind::Text, FIELD(rules), "RULES",
     "emulator: report what is missing by the PTX 'isa' (default), or only what today's 'hardware' needs"},
    {"tensor-load-interlock", Kind::Flag, FIELD(tensorLoadInterlock), nullptr,
     "emulator: the same as --rules=hardware"},
    {"suppressions", Kind::Text, FIELD(suppressions), "FILE",
     "emulator: do not show reports that a rule of FILE covers (kind=... kernel=... file=... line=...)"},
    {"trace", Kind::Text, FIELD(trace), "FILE", "emulator: write a timeline for Perfetto or chrome://tracing"},
    {"coverage", Kind::Text, FIELD(coverage), "FOLDER",
     "emulator: count the lines that threads reach, of all schedules: FOLDER/coverage.info (lcov) and .html"},
    {"multiprocessors", Kind::Number, FIELD(multiprocessors), "N",
     "emulator: multiprocessors of the device, 0 for as many as the best-known one of the target has"},
    {"threads", Kind::Number, FIELD(threads), "N", "emulator: host threads, 0 for one per core"},
    {"block", Kind::Text, FIELD(block), "X,Y,Z", "threads per block, for PTX without .reqntid"},
    {"dynamic-shared", Kind::Number, FIELD(dynamicShared), "BYTES", "dynamic shared memory of the launch"},
    {"device", Kind::Number, FIELD(device), "N", "cuda: device number"},
    {"libcuda", Kind::Text, FIELD(libcuda), "FILE", "cuda: driver library instead of libcuda.so.1"},
    {"time", Kind::CommaList, FIELD(time), "GPUS",
     "predict how long the launch takes: a100, h100, h200, rtx4090, b200, rtx5090, or FILE.gpu"},
    {"time-report", Kind::Text, FIELD(timeReport), "FILE", "write the prediction as a page (.html)"},
    {"time-json", Kind::Text, FIELD(timeJson), "FILE", "write the prediction as JSON"},
    {"time-samples", Kind::Number, FIELD(timeSamples), "N", "clusters of the grid that are run for it (default 4)"},
    {"time-clock", Kind::Number, FIELD(timeClock), "MHZ", "clock, instead of that of the GPU's description"},
    {"time-warm", Kind::Flag, FIELD(timeWarm), nullptr, "arrays that fit into L2 are there already"},
    {"time-empty", Kind::Flag, FIELD(timeEmpty), nullptr, "L2 is empty, as after a profiler's cache control"},
    {"compare", Kind::Text, FIELD(compare), "FILE", "predict another PTX file with the same arguments, and compare"},
    {"rank", Kind::List, FIELD(rank), "OPTIONS",
     "development: with --time, compile with these pipeline options, too, and rank (repeatable; may be empty)"},
    {"help", Kind::Flag, FIELD(help), nullptr, "this text"},
};
#undef FIELD

bool assign(const Row &row, std::string_view text, Options &options, std::string &error) {
  void *field = row.field(options);
  switch (row.kind) {
  case Kind::Text:
    *static_cast<std::string *>(field) = text;
    return true;
  case Kind::List:
    static_cast<std::vector<std::string> *>(field)->emplace_back(text);
    return true;
  case Kind::CommaList:
    while (!text.empty()) {
      size_t comma = text.find(',');
      static_cast<std::vector<std::string> *>(field)->emplace_back(text.substr(0, comma));
      text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
    }
    return true;
  case Kind::Number: {
    std::string copy(text);
    char *end = nullptr;
    errno = 0;
    uint64_t value = std::strtoull(copy.c_str(), &end, 0);
    if (copy.empty() || copy[0] == '-' || *end || errno) {
      error = "--" + std::string(row.name) + ": '" + copy + "' is not a number";
      return false;
    }
    *static_cast<uint64_t *>(field) = value;
    return true;
  }
  case Kind::Flag:
  case Kind::Switch:
    break;
  }
  if (text != "true" && text != "false") {
    error = "--" + std::string(row.name) + " takes no value";
    return false;
  }
  if (row.kind == Kind::Switch)
    *static_cast<std::optional<bool> *>(field) = text == "true";
  else
    *static_cast<bool *>(field) = text == "true";
  return true;
}

} // namespace

bool tileiras::parseOptions(int argc, char **argv, Options &options, std::string &error) {
  bool onlyPositional = false;
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    if (word == "--" && !onlyPositional) {
      onlyPositional = true;
      continue;
    }
    if (onlyPositional || word.size() < 2 || word[0] != '-') {
      if (options.inputFile.empty())
        options.inputFile = word;
      else
        options.arguments.emplace_back(word);
      continue;
    }
    word.remove_prefix(word.substr(0, 2) == "--" ? 2 : 1);
    size_t equals = word.find('=');
    std::string_view name = word.substr(0, equals);
    const Row *row = nullptr;
    for (const Row &candidate : kRows)
      if (name == candidate.name)
        row = &candidate;
    if (name == "h")
      row = &kRows[std::size(kRows) - 1];
    if (!row) {
      error = "unknown option '" + std::string(argv[i]) + "' (see --help)";
      return false;
    }
    std::string_view value;
    if (equals != std::string_view::npos) {
      value = word.substr(equals + 1);
    } else if (row->kind == Kind::Flag || row->kind == Kind::Switch) {
      value = "true";
    } else if (++i < argc) {
      value = argv[i];
    } else {
      error = "--" + std::string(row->name) + " needs a value";
      return false;
    }
    if (!assign(*row, value, options, error))
      return false;
  }
  if (options.inputFile.empty() && !options.help) {
    error = "no input file (see --help)";
    return false;
  }
  return true;
}

std::string tileiras::helpText() {
  std::string text = "Runs a CUDA Tile IR kernel and checks it.\n\n"
                     "usage: tileiras-run FILE [options] ARG...\n\n"
                     "  FILE   cuda_tile text (.mlir) or bytecode, PTX (.ptx), cubin; - reads standard input\n"
                     "  ARG    one per kernel argument: a scalar (i32=5, f32=1.5) or an array\n"
                     "         ([out:]NAME:TYPE[AxB]{options}=init), see docs/tileiras-run.md\n\n";
  for (const Row &row : kRows) {
    std::string head = std::string("  --") + row.name + (row.value ? std::string("=") + row.value : "");
    head.resize(std::max<size_t>(head.size() + 1, 27), ' ');
    text += head + row.help + "\n";
  }
  return text + "\nexit status: 0 ok, 1 usage, 3 parse error, 5 compile error, 6 the run failed or reported\n"
                "something, 7 other results than expected\n";
}
