//===- LineCoverage.h - What no thread ever reached -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A clean run says nothing about code that it did not reach. This counts how often warps execute each line: of the
// source, where the PTX has .loc, else of the PTX.
//
//   LineCoverage coverage;
//   config.options.observers.push_back(coverage.watch(*module));
//   launch(...); launch(...);
//   coverage.lcov();                         // for genhtml and editors
//   coverage.unreachedSynchronisation();     // "k.cu:12: bar.sync 0"
//
// One object may watch several modules and launches, on several host threads.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_CHECK_LINECOVERAGE_H
#define TILEIRAS_EMULATOR_CHECK_LINECOVERAGE_H

#include "tileiras/Emulator/Machine/Observer.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tileiras::emu {

class Module;

class LineCoverage {
public:
  /// Makes the observers of a launch of `module`, all of whose lines count from now on.
  std::function<std::unique_ptr<Observer>()> watch(const Module &module);

  /// A tracefile of lcov: records SF, DA, LF, LH for every file.
  std::string lcov() const;
  /// One page: every file with its lines and counts, unreached ones marked. Source text is shown where it can be read.
  std::string html() const;
  /// Barriers, fences, waits and atomic operations that no thread reached, one text each, with their places.
  std::vector<std::string> unreachedSynchronisation() const;
  /// Lines reached, and lines with code.
  void totals(uint64_t &reached, uint64_t &all) const;

private:
  friend class LineCoverageObserver;
  struct Line {
    uint64_t count = 0;
    std::string synchronisation; ///< the first such instruction
  };
  using Blocks = std::vector<std::vector<Line *>>; ///< the lines of each basic block
  mutable std::mutex mutex;
  std::map<std::string, std::map<uint32_t, Line>> files;
  std::map<uint64_t, std::shared_ptr<Blocks>> modules; ///< by id
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_CHECK_LINECOVERAGE_H
