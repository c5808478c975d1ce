//===- Convert.h - Conversions between any two types ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_EXEC_CONVERT_H
#define TILEIRAS_EMULATOR_MACHINE_EXEC_CONVERT_H

#include "tileiras/Emulator/Machine/Program.h"

namespace tileiras::emu {

/// Handler for any cvt; `imm` receives what Inst::imm must hold.
Handler selectGeneralConvert(const Instruction &inst, unsigned dstBits, unsigned srcBits, uint64_t &imm);
/// cvt.pack: count = field width, flags = 1 signed, 2 with a third source.
Handler selectConvertPack();

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_EXEC_CONVERT_H
