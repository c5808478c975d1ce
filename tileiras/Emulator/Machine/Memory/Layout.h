//===- Layout.h - Addresses of variables ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_MEMORY_LAYOUT_H
#define TILEIRAS_EMULATOR_MACHINE_MEMORY_LAYOUT_H

#include "tileiras/Emulator/Machine/Program.h"
#include "tileiras/Emulator/PTX/Diagnostic.h"

namespace tileiras::emu {

/// Gives every variable its offset or address, builds the initial images and FunctionCode's sizes.
void layoutVariables(Program &program, uint64_t moduleId, std::vector<Diagnostic> &errors);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_MEMORY_LAYOUT_H
