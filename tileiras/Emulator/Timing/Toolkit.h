//===- Toolkit.h - What the assembler says of a kernel ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where there is a `ptxas` on the PATH (or in TILEIRAS_PTXAS), the model asks it for registers and spills instead of
// estimating them, and for the machine instructions of each line of PTX.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_TIMING_TOOLKIT_H
#define TILEIRAS_EMULATOR_TIMING_TOOLKIT_H

#include "tileiras/Emulator/Timing/Costs.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tileiras::emu::timing {

struct ToolkitFacts {
  uint32_t registers = 0;
  uint32_t spillStores = 0, spillLoads = 0; ///< bytes per thread
  bool wgmmaSerialised = false;             ///< warnings C7510 to C7520
  uint32_t stack = 0;                       ///< bytes of local memory of a thread, spills included
  MachineCounts lines;
};

/// Reads the output of `ptxas -v` for one kernel; nothing if the kernel is not in it.
std::optional<ToolkitFacts> readAssemblerOutput(std::string_view text, const std::string &kernel);
/// Assembles `ptx` for `target`; nothing, with a reason, if there is no assembler or it refuses. `lines`: where its
/// instructions stand, in order.
std::optional<ToolkitFacts> askAssembler(const std::string &ptx, const std::string &kernel, const std::string &target,
                                         const std::vector<uint32_t> &lines, std::string &reason);

/// The text with a `.loc` before each of `lines` that names it, and without other debug information.
std::string withOwnLines(std::string_view ptx, const std::vector<uint32_t> &lines);
/// From the line table of a cubin: machine instructions of `kernel` by line of the PTX. Empty if there is none.
MachineCounts readLineCounts(std::string_view cubin, const std::string &kernel);

} // namespace tileiras::emu::timing

#endif // TILEIRAS_EMULATOR_TIMING_TOOLKIT_H
