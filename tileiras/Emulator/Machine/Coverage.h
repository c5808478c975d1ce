//===- Coverage.h - Which instructions the tests execute --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For <build>/docs/ptx-coverage.md: while the environment variable TILEIRAS_EMULATOR_COVERAGE names a file, the process
// appends to it, when it ends, the rows of the instruction table that were executed, and those whose memory accesses
// or synchronisation an observer was told of. scripts/ptx_coverage.py makes the table out of it.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_COVERAGE_H
#define TILEIRAS_EMULATOR_MACHINE_COVERAGE_H

#include "tileiras/Emulator/Machine/Observer.h"
#include "tileiras/Emulator/Machine/Program.h"

#include <memory>
#include <vector>

namespace tileiras::emu {

bool coverageWanted();
/// Counts of basic blocks, as in Warp::blockWarps.
void recordExecuted(const Program &program, const std::vector<uint64_t> &blockWarps);
std::unique_ptr<Observer> makeCoverageObserver();

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_COVERAGE_H
