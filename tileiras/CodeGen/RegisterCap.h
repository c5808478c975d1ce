//===- RegisterCap.h - Registers that a thread may take ---------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// ptxas takes registers as far as the launch bounds let it, for loads that begin earlier and addresses that are kept.
// In a loop of mma.sync, whose operands come from shared memory and are few beside the sums, that buys next to nothing,
// and a register that a block does not take is another block's, of this kernel or another one.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CODEGEN_REGISTERCAP_H
#define TILEIRAS_CODEGEN_REGISTERCAP_H

namespace llvm {
class Function;
} // namespace llvm

namespace tileiras {

/// The limit for `.maxnreg`, in eights as registers are given out, of a kernel that needs so many `registers` at once,
/// as estimated, of those `available`. 0: none, since the kernel does not multiply by mma.sync in a loop, has a limit
/// of its own or from somebody who asked for blocks, needs nearly all of them, or does something whose registers the
/// estimate does not know.
unsigned registerCap(llvm::Function &kernel, unsigned registers, unsigned available);

} // namespace tileiras

#endif // TILEIRAS_CODEGEN_REGISTERCAP_H
