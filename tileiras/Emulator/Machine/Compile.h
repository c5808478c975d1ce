//===- Compile.h - From the AST to pre-decoded code -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_COMPILE_H
#define TILEIRAS_EMULATOR_MACHINE_COMPILE_H

#include "tileiras/Emulator/Machine/Program.h"
#include "tileiras/Emulator/PTX/Diagnostic.h"

namespace tileiras::emu {

/// Lays out variables and registers and links every instruction of a verified module to its handler.
std::unique_ptr<Program> compileProgram(std::unique_ptr<ParsedModule> ast, uint64_t moduleId,
                                        std::vector<Diagnostic> &errors);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_COMPILE_H
