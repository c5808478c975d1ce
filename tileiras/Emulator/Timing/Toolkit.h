//===- Toolkit.h - What the assembler says of a kernel ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where there is a `ptxas` on the PATH (or in TILEIRAS_PTXAS), the model asks it for registers and spills instead of
// estimating them.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_TIMING_TOOLKIT_H
#define TILEIRAS_EMULATOR_TIMING_TOOLKIT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tileiras::emu::timing {

struct ToolkitFacts {
  uint32_t registers = 0;
  uint32_t spillStores = 0, spillLoads = 0; ///< bytes per thread
  bool wgmmaSerialised = false;             ///< warnings C7510 to C7520
};

/// Reads the output of `ptxas -v` for one kernel; nothing if the kernel is not in it.
std::optional<ToolkitFacts> readAssemblerOutput(std::string_view text, const std::string &kernel);
/// Assembles `ptx` for `target`; nothing, with a reason, if there is no assembler or it refuses.
std::optional<ToolkitFacts> askAssembler(const std::string &ptx, const std::string &kernel, const std::string &target,
                                         std::string &reason);

} // namespace tileiras::emu::timing

#endif // TILEIRAS_EMULATOR_TIMING_TOOLKIT_H
