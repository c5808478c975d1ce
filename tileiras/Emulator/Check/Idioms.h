//===- Idioms.h - Wrong by the letter, written everywhere -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Some code is a race by the PTX ISA's memory model and stands in NVIDIA's own samples, because compilers and devices
// do what its author means. With Rules::Hardware it is no fault, unless LaunchOptions::checkIdioms asks for a report:
//
//   seed of a CAS loop   A plain load of what others change by atom.cas, whose value only says where the loop begins:
//                        a stale value costs one round. (Double-precision atomicAdd of the Programming Guide.)
//   last block           Threads fence and count themselves by a relaxed atomic operation; the block that counts last
//                        reads what the others wrote behind a barrier, without a fence of its own
//                        (threadFenceReduction of the CUDA samples).
//   speculative load     A load of shared memory that nobody has written, whose value is selected away: compilers turn
//                        `in ? tile[i] : 0` into a load and a selection.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_CHECK_IDIOMS_H
#define TILEIRAS_EMULATOR_CHECK_IDIOMS_H

#include "tileiras/Emulator/PTX/AST.h"

namespace tileiras::emu {

/// Does the value of the plain load number `inst` of the body go nowhere but into what atom.cas operations compare with
/// or compute from, and at least once into the former?
bool isSeedOfCasLoop(const Function &function, size_t inst);
/// Is the value of this load used by selections (selp, slct) alone?
bool isSpeculativeLoad(const Function &function, size_t inst);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_CHECK_IDIOMS_H
