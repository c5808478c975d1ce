//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/CodeGen/ResidentBlocks.h"
#include "tileiras/CodeGen/LiveRegisters.h"
#include "tileiras/Support/TargetTable.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace llvm;

/// Whether an innermost loop has products and a barrier of the block.
static bool meetsBetweenProducts(Function &kernel) {
  DominatorTree dominators(kernel);
  LoopInfo loops(dominators);
  return any_of(loops.getLoopsInPreorder(), [](const Loop *loop) {
    bool products = false, meets = false;
    if (!loop->isInnermost())
      return false;
    for (const BasicBlock *block : loop->blocks())
      for (const Instruction &instruction : *block)
        if (auto *call = dyn_cast<CallBase>(&instruction); call && call->getCalledFunction()) {
          StringRef name = call->getCalledFunction()->getName();
          products |= name.starts_with("llvm.nvvm.mma.");
          meets |= name.starts_with("llvm.nvvm.barrier.cta.sync");
        }
    return products && meets;
  });
}

bool tileiras::movesRegisters(const Function &kernel) {
  return any_of(instructions(kernel), [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return call && call->getCalledFunction() &&
           call->getCalledFunction()->getName().starts_with("llvm.nvvm.setmaxnreg.");
  });
}

/// Bytes of shared memory that the kernel declares; none if a launch decides.
static std::optional<uint64_t> staticSharedBytes(const Function &kernel) {
  uint64_t bytes = 0;
  const Module &module = *kernel.getParent();
  for (const GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != 3)
      continue;
    if (variable.isDeclaration() || module.getDataLayout().getTypeAllocSize(variable.getValueType()).isZero())
      return std::nullopt;
    bytes += module.getDataLayout().getTypeAllocSize(variable.getValueType());
  }
  return bytes;
}

unsigned tileiras::moreResidentBlocks(Function &kernel, unsigned registers, const TargetInfo &target) {
  constexpr unsigned blocks = 2;
  // Tensor cores of a smaller block have other blocks beside it whatever ptxas does; and of a thread of a larger one
  // nothing is left.
  constexpr unsigned threads = 256;
  // What the runtime takes of shared memory for each block.
  uint64_t reserved = target.sharedPerSm - target.maxDynamicShared;
  unsigned half = target.registersPerSm / (blocks * threads) / 8 * 8;
  if (!kernel.hasFnAttribute("nvvm.reqntid") || registersPerThread(kernel) != 255 ||
      target.registersPerSm / threads != 256 || registers > half || target.maxWarpsPerSm < int(blocks * threads / 32))
    return 0;
  StringRef extents = kernel.getFnAttribute("nvvm.reqntid").getValueAsString();
  unsigned number = 0;
  if (extents.split(',').first.trim().getAsInteger(10, number) || number != threads)
    return 0;
  std::optional<uint64_t> bytes = staticSharedBytes(kernel);
  if (!bytes || blocks * (*bytes + reserved) > uint64_t(target.sharedPerSm) || kernel.hasFnAttribute("nvvm.maxnreg") ||
      movesRegisters(kernel))
    return 0;
  return meetsBetweenProducts(kernel) ? blocks : 0;
}

bool tileiras::leavesBlocksToAssembler(const Function &kernel, unsigned registers, const TargetInfo &target) {
  // `more`: what ptxas takes beside those that are live, for addresses and constants.
  constexpr unsigned most = 64, more = 16;
  unsigned threads = 0;
  if (registers > most || kernel.getFnAttribute("nvvm.minctasm").getValueAsString() != "1" ||
      kernel.hasFnAttribute("nvvm.maxnreg") ||
      kernel.getFnAttribute("nvvm.reqntid").getValueAsString().split(',').first.trim().getAsInteger(10, threads) ||
      threads == 0)
    return false;
  std::optional<uint64_t> bytes = staticSharedBytes(kernel);
  uint64_t reserved = target.sharedPerSm - target.maxDynamicShared;
  uint64_t blocks = std::min<uint64_t>(target.maxBlocksPerSm, target.maxWarpsPerSm * 32 / threads);
  if (bytes)
    blocks = std::min(blocks, target.sharedPerSm / (*bytes + reserved));
  if (registers + more <= target.registersPerSm / (threads * std::max<uint64_t>(blocks, 1)))
    return false;
  // Accesses and branches with a predicate of their own: there are seven, and the others take registers which the
  // estimate does not count.
  constexpr int mostGuarded = 32;
  if (count_if(instructions(kernel), [](const Instruction &instruction) {
        if (auto *branch = dyn_cast<BranchInst>(&instruction))
          return branch->isConditional();
        auto *call = dyn_cast<CallBase>(&instruction);
        auto *text = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
        return text && StringRef(text->getAsmString()).contains("@");
      }) > mostGuarded)
    return false;
  return none_of(instructions(kernel), [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call)
      return false;
    if (auto *text = dyn_cast<InlineAsm>(call->getCalledOperand())) {
      StringRef assembly = text->getAsmString();
      return assembly.contains("mma") || assembly.contains("tcgen05.") || assembly.contains("setmaxnreg");
    }
    StringRef name = call->getCalledFunction() ? call->getCalledFunction()->getName() : "";
    return any_of(ArrayRef<StringRef>{"llvm.nvvm.mma.", "llvm.nvvm.wgmma.", "llvm.nvvm.tcgen05.", "llvm.nvvm.wmma.",
                                      "llvm.nvvm.setmaxnreg."},
                  [&](StringRef prefix) { return name.starts_with(prefix); });
  });
}
