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

static bool isProduct(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return false;
  if (auto *text = dyn_cast<InlineAsm>(call->getCalledOperand()))
    return text->getAsmString().contains("mma");
  const Function *called = call->getCalledFunction();
  return called && called->getName().starts_with("llvm.nvvm.") && called->getName().contains("mma.");
}

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

/// Whether warps give registers to each other: how many, has been computed from what a thread begins with.
static bool movesRegisters(const Function &kernel) {
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

/// The number of threads of a block in one dimension, which launches have to have; 0 if there is none.
static unsigned threadsOf(const Function &kernel) {
  unsigned threads = 0;
  StringRef extents = kernel.getFnAttribute("nvvm.reqntid").getValueAsString();
  return extents.split(',').first.trim().getAsInteger(10, threads) ? 0 : threads;
}

unsigned tileiras::moreResidentBlocks(Function &kernel, unsigned registers, const TargetInfo &target) {
  unsigned threads = threadsOf(kernel);
  // What a launch or a front end has decided stays.
  if (!threads || threads % 32 || kernel.hasFnAttribute("nvvm.maxnreg") || movesRegisters(kernel))
    return 0;
  unsigned asked = 1;
  if (!kernel.getFnAttribute("nvvm.minctasm").getValueAsString().getAsInteger(10, asked) && asked > 1)
    return 0;
  std::optional<uint64_t> bytes = staticSharedBytes(kernel);
  if (!bytes)
    return 0;
  // What the runtime takes of shared memory for each block.
  uint64_t reserved = target.sharedPerSm - target.maxDynamicShared;
  unsigned blocks = std::min<unsigned>(target.maxBlocksPerSm, target.maxWarpsPerSm / (threads / 32));
  blocks = std::min<unsigned>(blocks, target.sharedPerSm / (*bytes + reserved));
  // A loop has loads of several rounds under way by the registers that ptxas finds for them; without one, all loads
  // are under way however few registers there are. Estimates know little of factors, which come in whole registers, and
  // of what it takes to get tiles through shared memory (addresses, and more predicates than there are). Nor do they
  // count addresses that are arguments.
  constexpr uint64_t forReductions = 1024;
  bool streams = threads <= 128 && *bytes <= forReductions && LoopInfo(DominatorTree(kernel)).empty() &&
                 none_of(instructions(kernel), isProduct);
  constexpr unsigned uncounted = 6;
  unsigned needed = registers + (streams ? uncounted : 0);
  while (blocks > 1 && target.registersPerSm / (blocks * threads) / 8 * 8 < needed)
    --blocks;
  if (blocks < 2)
    return 0;
  if (streams)
    return blocks;
  return threads == 256 && meetsBetweenProducts(kernel) ? 2 : 0;
}
