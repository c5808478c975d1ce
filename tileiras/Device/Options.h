//===- Options.h - What the environment asks of the device ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_DEVICE_OPTIONS_H
#define TILEIRAS_DEVICE_OPTIONS_H

#include "tileiras/Emulator/Machine/Launch.h"

#include <memory>
#include <string>

namespace tileiras::device {

/// docs/device.md has the table.
struct Options {
  std::string target = "sm_90";                          ///< TILEIRAS_DEVICE
  unsigned sm = 90;                                      ///< its number
  bool checkRaces = false;                               ///< TILEIRAS_CHECK: race
  bool checkUninitialized = false;                       ///< TILEIRAS_CHECK: init
  bool checkIdioms = false;                              ///< TILEIRAS_CHECK: idioms
  emu::Rules rules = emu::Rules::Hardware;               ///< TILEIRAS_RULES
  std::shared_ptr<const emu::Suppressions> suppressions; ///< TILEIRAS_SUPPRESSIONS
  std::string log;                                       ///< TILEIRAS_LOG: "" nothing, "-" stderr, else a file
  std::string summary;                                   ///< TILEIRAS_SUMMARY: a file that gets the summary at the end
  std::string reports;                                   ///< TILEIRAS_REPORTS: a file that gets each report as JSON
  std::string trace;                                     ///< TILEIRAS_TRACE: a folder for timelines
  std::string coverage;                                  ///< TILEIRAS_COVERAGE: a folder for lcov and HTML
  std::string time;                                      ///< TILEIRAS_TIME: a machine of the timing model
  uint64_t maxSteps = 0;                                 ///< TILEIRAS_MAX_STEPS: warp instructions of a block
  unsigned threads = 0;                                  ///< TILEIRAS_THREADS: host threads; 0: one per core
  std::string error;                                     ///< a variable that says something unknown
};

/// Read once.
const Options &options();

} // namespace tileiras::device

#endif // TILEIRAS_DEVICE_OPTIONS_H
