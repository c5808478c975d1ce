//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Addresses of a loop that are made from each other, and not each from an invariant of its own.
//
// A stage of a ring begins at a multiple of 1,024 bytes, and the matrices that a thread reads from it differ by some
// bits of what is added to that: stage + x, stage + (x ^ 32), stage + (x ^ 64). LLVM computes x ^ 32 in front of the
// loop and keeps it. Since those bits are 0 in the stage, the second is (stage + x) ^ 32: as many instructions, and
// a register less.
//
// Only where a sum is an instruction: from sm_90 on a load takes a thread's part and the stage, in a uniform register,
// as they are (TargetInfo::uniformAddresses), so it would be one more.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CODEGEN_DERIVEADDRESSES_H
#define TILEIRAS_CODEGEN_DERIVEADDRESSES_H

namespace llvm {
class Function;
} // namespace llvm

namespace tileiras {

/// Makes addresses of shared memory that vary in a loop from one that is computed before them in the same block, where
/// bits that an invariant has set or not are all that they differ by. True if anything has changed.
bool deriveAddresses(llvm::Function &function);

} // namespace tileiras

#endif // TILEIRAS_CODEGEN_DERIVEADDRESSES_H
