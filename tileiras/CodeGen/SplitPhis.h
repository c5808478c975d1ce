//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tile that a loop carries is a PHI of a struct, taken apart at the start of an iteration and put together at its
// end. In PTX nothing is left of that: every field is a register. What counts registers or puts instructions in order
// must see it as it will be, or it counts each sum of a product twice, once in the struct and once beside it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CODEGEN_SPLITPHIS_H
#define TILEIRAS_CODEGEN_SPLITPHIS_H

namespace llvm {
class Function;
} // namespace llvm

namespace tileiras {

/// Replaces PHIs of structs by a PHI for each field, where all that flows into them has been put together by
/// insertvalue. Results of an instruction stay whole: sums of an asynchronous product are to be touched by nobody
/// before its wait, not even by an extractvalue. True if anything has changed.
bool splitPhis(llvm::Function &function);

} // namespace tileiras

#endif // TILEIRAS_CODEGEN_SPLITPHIS_H
