//===- ResidentBlocks.h - Blocks that share a multiprocessor ----*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The warps of a block that multiplies by mma.sync meet in every iteration, for the tiles that they share. Meanwhile
// the tensor cores have nothing to do, unless there is another block. ptxas takes registers as it likes, up to the
// number that .minnctapersm leaves, so a kernel that would get along with half of them may end up alone.
//
// Likewise a kernel that loads, computes and stores once, which is limited by what is under way: ptxas takes 54
// registers where live values need 32, and a multiprocessor has 9 blocks where it has room for 16.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CODEGEN_RESIDENTBLOCKS_H
#define TILEIRAS_CODEGEN_RESIDENTBLOCKS_H

namespace llvm {
class Function;
} // namespace llvm

namespace tileiras {

struct TargetInfo;

/// The number of blocks for which ptxas is to leave registers on a multiprocessor, if that is more than the kernel asks
/// for: two, where warps meet between products, one block would be alone, and both have room; as many as have room,
/// where a small block has neither loops nor products. `registers`: that a thread needs at once, as estimated, which it
/// gets in any case. 0: as it stands.
unsigned moreResidentBlocks(llvm::Function &kernel, unsigned registers, const TargetInfo &target);

} // namespace tileiras

#endif // TILEIRAS_CODEGEN_RESIDENTBLOCKS_H
