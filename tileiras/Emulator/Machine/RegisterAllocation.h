//===- RegisterAllocation.h - Rows for virtual registers --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compilers emit PTX in nearly SSA form: thousands of registers, few alive at a time. Sharing rows between registers
// that are never alive together keeps a warp's frame small enough for the host's caches.
//
// Rows may be shared although the lanes of a warp can be at different places: a lane only ever touches its own cell
// of a row, and for one lane the program is ordinary sequential code. Registers that an asynchronous instruction uses
// after it was issued (accumulators of wgmma, ...) are the exception: they share with nobody.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_REGISTERALLOCATION_H
#define TILEIRAS_EMULATOR_MACHINE_REGISTERALLOCATION_H

#include "tileiras/Emulator/Machine/Program.h"
#include "tileiras/Emulator/PTX/ControlFlow.h"

#include <functional>

namespace tileiras::emu {

/// Predicates every frame has: 0 is always true, 1 takes what nobody wants, 2 is the carry flag of add.cc.
enum : uint32_t { PredTrue, PredSink, PredCarry, FirstPred };
/// Every frame begins with a row that takes what nobody wants.
constexpr Row SinkRow = 0;
constexpr uint32_t SinkBytes = 16;

/// Calls f(register, isDefinition) for all registers of an instruction.
void forEachRegister(const Instruction &inst, const std::function<void(int32_t, bool)> &f);
/// Whether the registers of operand k are read or written some time after the instruction was issued.
bool isAsyncOperand(const Instruction &inst, size_t k);

/// Fills FunctionCode::regs, frameBytes, predicates and asyncNumber. Distinct registers of one instruction never share
/// a row.
void allocateRegisters(FunctionCode &code, const ControlFlow &cf);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_REGISTERALLOCATION_H
