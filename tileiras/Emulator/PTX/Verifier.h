//===- Verifier.h - Instructions against the table --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_PTX_VERIFIER_H
#define TILEIRAS_EMULATOR_PTX_VERIFIER_H

#include "tileiras/Emulator/PTX/AST.h"
#include "tileiras/Emulator/PTX/Diagnostic.h"
#include "tileiras/Emulator/PTX/InstructionTable.h"

namespace tileiras::emu {

/// Finds the table row of every instruction and checks operand count, kinds and types, and that the module's target
/// has the instruction. Fills Instruction::row, types and mods. False if an error was added.
bool verifyPTX(ParsedModule &module, std::vector<Diagnostic> &errors);

/// Type an operand of `spec` has in an instruction with these type words.
Type operandType(const OperandSpec &spec, const std::vector<Type> &types);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_PTX_VERIFIER_H
