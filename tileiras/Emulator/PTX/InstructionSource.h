//===- InstructionSource.h - Rows of the instruction table ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The instruction table as it is written down: PTX/Table*.cpp, one file per family. InstructionTable.h explains the
// two little languages.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_PTX_INSTRUCTIONSOURCE_H
#define TILEIRAS_EMULATOR_PTX_INSTRUCTIONSOURCE_H

#include "tileiras/Emulator/PTX/InstructionTable.h"

#include <span>

namespace tileiras::emu {

struct InstructionSource {
  std::string_view opcode;
  Op op;
  InstClass cls;
  std::string_view words, operands;
  unsigned sm;
};
using InstructionSources = std::span<const InstructionSource>;

InstructionSources arithmeticInstructions();
InstructionSources memoryInstructions();
InstructionSources videoInstructions();
InstructionSources warpInstructions();
InstructionSources matrixInstructions();
InstructionSources asyncInstructions();
InstructionSources wgmmaInstructions();
InstructionSources tmaInstructions();
InstructionSources tcgen05Instructions();
InstructionSources textureInstructions();

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_PTX_INSTRUCTIONSOURCE_H
