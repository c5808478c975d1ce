//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A loop that copies a round ahead asks twice whether there is another one: before it copies (i < n - 1), and at its
// end (i + 1 == n). LLVM keeps n and n - 1 for that, compares both, and makes the coordinate of what is copied,
// (i + 1) * 64, of i: i * 64 + 64. With i + 1 computed once, at the first question, all three are about it: a register
// and up to three instructions less in each round. One that looks two rounds ahead (i < n - 2) asks about i + 2, where
// that is counted anyway: n - 2 is not alive beside n.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CODEGEN_COUNTROUNDS_H
#define TILEIRAS_CODEGEN_COUNTROUNDS_H

namespace llvm {
class Function;
} // namespace llvm

namespace tileiras {

/// Compares and scales what loops from 0 on in steps of 1 count next, instead of what they have counted. True if
/// anything has changed.
bool countRounds(llvm::Function &function);

} // namespace tileiras

#endif // TILEIRAS_CODEGEN_COUNTROUNDS_H
