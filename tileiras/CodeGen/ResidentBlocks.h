//===- ResidentBlocks.h - Blocks that share a multiprocessor ----*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The warps of a block that multiplies by mma.sync meet in every iteration, for the tiles that they share. Meanwhile
// the tensor cores have nothing to do, unless there is another block. ptxas takes registers as it likes, up to the
// number that .minnctapersm leaves, so a kernel that would get along with half of them may end up alone.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CODEGEN_RESIDENTBLOCKS_H
#define TILEIRAS_CODEGEN_RESIDENTBLOCKS_H

namespace llvm {
class Function;
} // namespace llvm

namespace tileiras {

struct TargetInfo;

/// Whether warps give registers to each other (setmaxnreg): how many has been computed from what a thread begins with.
bool movesRegisters(const llvm::Function &kernel);

/// The number of blocks for which ptxas is to leave registers on a multiprocessor, if that is more than the kernel asks
/// for: two, where warps meet between products, one block would be alone, and both have room. `registers`: that a
/// thread needs at once, as estimated. 0: as it stands.
unsigned moreResidentBlocks(llvm::Function &kernel, unsigned registers, const TargetInfo &target);

/// Whether ptxas is to find out by itself how many blocks are worth the registers. Told that one is enough
/// (.minnctapersm 1) it takes what makes the code of a thread shortest; told nothing it weighs that against blocks that
/// would have no room. Where matrices are multiplied the tiles decide, and a thread has as many registers as they take;
/// elsewhere other blocks are what hides the time that memory takes. Where more than 64 of `registers` are needed at
/// once, it would spill some for another block; and where warps or shared memory let no more blocks in than registers
/// do, there is nothing to weigh.
bool leavesBlocksToAssembler(const llvm::Function &kernel, unsigned registers, const TargetInfo &target);

} // namespace tileiras

#endif // TILEIRAS_CODEGEN_RESIDENTBLOCKS_H
