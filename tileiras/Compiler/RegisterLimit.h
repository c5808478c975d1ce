//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// ptxas takes as many registers for a thread as make its code shortest, and does not know what keeps blocks out of a
// multiprocessor. Where registers alone keep out one more block, and a few fewer would let it in, the kernel is
// assembled once more with that limit (.maxnreg): ptxas is the only one to know whether it can do with them. What it
// makes then is kept if nothing more is spilled and the code is about as long.
//
// Told that one block is enough (.minnctapersm 1) it also takes registers that make no code shorter: attention of
// mma.sync may get 200 where it does with 164 in the same code. Where it took more than three quarters of what there
// is for a thread, and no limit is in reach, it is asked once more without being told anything.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_REGISTERLIMIT_H
#define TILEIRAS_COMPILER_REGISTERLIMIT_H

#include "mlir/IR/BuiltinOps.h"
#include "tileiras/Compiler/PtxasResources.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tileiras {

struct TargetInfo;

/// What PTX text says of one of its kernels, as far as it matters to how many of its blocks fit.
struct PtxKernel {
  std::string name;
  unsigned threads = 0;                  ///< of a block; 0 if the launch decides
  unsigned blocks = 0;                   ///< .minnctapersm, 0 if there is none
  unsigned tensorColumns = 0;            ///< of tensor memory
  bool limited = false;                  ///< .maxnreg is there
  bool movesRegisters = false;           ///< setmaxnreg
  bool staysResident = false;            ///< asks how many multiprocessors there are, and has one block for each
  bool multiplies = false;               ///< matrices
  bool bySync = false;                   ///< by mma.sync
  bool byWgmma = false;                  ///< by wgmma
  bool exponentials = false;             ///< of f32 or f16, by the special function unit
  size_t directives = 0;                 ///< where in the text they end: the brace of its body
  size_t blocksAt = 0, blocksLength = 0; ///< the line of .minnctapersm
};
std::vector<PtxKernel> findPtxKernels(llvm::StringRef ptx);

/// A kernel that was, or is to be, assembled with a limit on registers, or without being told how many blocks do.
struct RegisterTrial {
  std::string kernel;
  unsigned limit = 0;                         ///< .maxnreg; 0: ptxas decides
  unsigned forMore = 0;                       ///< registers that let one more block in; 0 if none do
  unsigned blocksWithLess = 0;                ///< then
  unsigned blocksBefore = 0, blocksAfter = 0; ///< that a multiprocessor has room for
  unsigned registersBefore = 0, registersAfter = 0;
  uint64_t codeBefore = 0, codeAfter = 0; ///< bytes
  bool kept = false;
  std::string reason;
};

/// Whether a kernel may get a limit at all, whatever ptxas makes of it. Not without products of matrices: others wait
/// for memory, and the model sees none gain from one more block (docs/performance.md).
bool mayLimitRegisters(const PtxKernel &kernel);

/// The kernels of which registers alone keep one more block out, with the limit that would let it in, if that is within
/// reach of what they took; and those that took so many that they are assembled without .minnctapersm. `shared`: bytes
/// of dynamic shared memory, by kernel.
std::vector<RegisterTrial> planRegisterTrials(llvm::ArrayRef<PtxKernel> kernels,
                                              llvm::ArrayRef<PtxasResources> resources,
                                              const std::map<std::string, uint64_t> &shared, const TargetInfo &target);

/// A trial of a kernel of which ptxas has made `resources`, without a limit.
RegisterTrial beginTrial(const PtxKernel &kernel, const PtxasResources &resources,
                         const std::map<std::string, uint64_t> &shared, const TargetInfo &target);

/// Says what became of `trial`, and whether the second attempt is kept.
void judge(RegisterTrial &trial, const PtxasResources &before, const PtxasResources &after);

/// The text with `.maxnreg`, or nothing, in the place of `.minnctapersm` for kernels of `trials`; `onlyKept`: for those
/// that are.
std::string withRegisterLimits(llvm::StringRef ptx, llvm::ArrayRef<PtxKernel> kernels,
                               llvm::ArrayRef<RegisterTrial> trials, bool onlyKept);

/// A remark in the category `resources` for each trial, at its kernel in `module` (in the llvm dialect).
void remarkTrials(mlir::ModuleOp module, llvm::ArrayRef<RegisterTrial> trials);

} // namespace tileiras

#endif // TILEIRAS_COMPILER_REGISTERLIMIT_H
