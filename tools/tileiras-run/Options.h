//===- Options.h - The command line of tileiras-run ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// llvm::cl shares one table with every option of LLVM itself (`--stats` among them), so
// the tool has a small parser of its own.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_TOOLS_RUN_OPTIONS_H
#define TILEIRAS_TOOLS_RUN_OPTIONS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tileiras {

struct Options {
  std::string inputFile;
  std::vector<std::string> arguments; ///< of the kernel, in order
  std::string entry;
  std::string grid = "1", block = "1";
  std::vector<std::string> engines;
  bool check = false;
  std::optional<bool> checkRaces; ///< else as `check`
  std::string tolerance = "exact";
  std::string arrays = "ptr";
  uint64_t seed = 0;
  std::vector<std::string> dumps, shows;
  bool tensorLoadInterlock = false;
  std::string rules = "isa", suppressions;
  bool stats = false;
  bool summary = false;
  uint64_t schedules = 1;
  uint64_t launches = 1;
  uint64_t threads = 0;
  uint64_t multiprocessors = 0;
  std::string trace, coverage, timing;
  bool ignoreAssumptions = false;
  uint64_t blocks = 0;
  uint64_t maxSteps = uint64_t(1) << 32;
  std::string gpuName; ///< empty: that of the machine of --time, else sm_90
  uint64_t optLevel = 3;
  bool lineInfo = false;
  std::string pipelineOptions;
  std::string savePTX;
  uint64_t dynamicShared = 0;
  std::string staticShared = "48k";
  std::string registerLimits = "cubin";
  uint64_t device = 0;
  std::string libcuda;
  std::vector<std::string> time, rank;
  std::string timeReport, timeJson, compare;
  uint64_t timeSamples = 4, timeClock = 0;
  bool timeWarm = false, timeEmpty = false;
  bool help = false;
};

/// False with a message on a bad command line.
bool parseOptions(int argc, char **argv, Options &options, std::string &error);

/// The text of --help.
std::string helpText();

} // namespace tileiras

#endif // TILEIRAS_TOOLS_RUN_OPTIONS_H
