//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The order of instructions inside a block, for few live registers.
//
// The lowering spells out one tile operation after the other, each for all registers of a thread: sixty-four
// selects, then the sixty-four additions that use them. NVPTX keeps the order of the LLVM IR, and what ptxas makes of
// three hundred live values is spills. Two moves, each of which only ever shortens what is live in between:
//
//   later    an instruction whose operands stay live anyway (constants, loop invariants, addresses with further
//            users) goes directly before its first user: its result need not wait in a register;
//   earlier  an instruction whose operands die with it and weigh more than its result (additions of a reduction,
//            roundings to 16 bits) goes directly after the last of them.
//
// Results of asynchronous instructions (wgmma, tcgen05.ld) are ordinary values to LLVM, which does not know that the
// wait makes them. What uses them after the wait stays after it.
//
// Accesses to global memory, matrix instructions, shuffles and everything with side effects keep their order; loads
// from shared memory move between barriers and writes.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CODEGEN_PRESSURESCHEDULE_H
#define TILEIRAS_CODEGEN_PRESSURESCHEDULE_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace tileiras {

/// What has become of a function: registers, as estimated (LiveRegisters.h).
struct ScheduleSummary {
  unsigned registers = 0; ///< that the block that needs most of them needs
  unsigned available = 0; ///< that a thread has there
  unsigned before = 0;    ///< needed in the order that LLVM left
  unsigned sunk = 0;      ///< loops that compute some of their invariants themselves
};

/// Reorders every block of every function, and tells about each that has a body. `countBefore`: what it needed before,
/// too. `sparePercent`: of the registers that are usually left to ptxas, how many are.
void scheduleForPressure(llvm::Module &module, bool countBefore,
                         llvm::function_ref<void(llvm::Function &, const ScheduleSummary &)> report,
                         unsigned sparePercent = 100);

} // namespace tileiras

#endif // TILEIRAS_CODEGEN_PRESSURESCHEDULE_H
