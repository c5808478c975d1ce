//===- Isa.h - Choosing handlers for the host's vector units ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_EXEC_ISA_H
#define TILEIRAS_EMULATOR_MACHINE_EXEC_ISA_H

#include "tileiras/Emulator/Machine/Program.h"

namespace tileiras::emu {

struct MatrixKernels;

/// Handler selection for one instruction set extension. Each function returns null if the instruction is not its.
struct IsaTable {
  const char *name; ///< "baseline", "avx2", "avx512"
  Handler (*integer)(const Instruction &inst);
  Handler (*floating)(const Instruction &inst);
  /// Conversions; the registers may be wider than the types. Null: the general routine of Convert.cpp does it.
  Handler (*convert)(const Instruction &inst, unsigned dstBits, unsigned srcBits);
  /// Loads and stores of elements of `bytes`; the data registers have `registerBits`.
  Handler (*memory)(bool store, unsigned bytes, unsigned registerBits, bool isSigned);
  Handler (*move)(unsigned bytes);
  Handler (*shuffle)(const Instruction &inst);
  const MatrixKernels *matrix; ///< MatrixKernels.h
};

/// Sets this machine can run, best first.
const std::vector<const IsaTable *> &availableIsas();
/// The set that modules parsed from now on use: the best one unless setIsa or the environment variable
/// TILEIRAS_EMULATOR_ISA names another.
const IsaTable &currentIsa();
bool setIsa(const char *name);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_EXEC_ISA_H
