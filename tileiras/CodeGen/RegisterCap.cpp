//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/CodeGen/RegisterCap.h"
#include "tileiras/CodeGen/LiveRegisters.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace {

/// What a call does, as far as it matters here.
enum class Kind { Other, Product, Unknown };

} // namespace

static Kind kindOf(const CallBase &call) {
  if (auto *text = dyn_cast<InlineAsm>(call.getCalledOperand())) {
    StringRef assembly = text->getAsmString();
    if (assembly.contains("wgmma.") || assembly.contains("tcgen05.") || assembly.contains("setmaxnreg"))
      return Kind::Unknown;
    return assembly.contains("mma.sync") ? Kind::Product : Kind::Other;
  }
  const Function *called = call.getCalledFunction();
  if (!called || !called->isIntrinsic())
    return Kind::Unknown; // a function has registers of its own
  StringRef name = called->getName();
  // wgmma takes whole ranges of registers, and what tcgen05.ld reads is there before anybody wants it.
  for (StringRef other : {"llvm.nvvm.wgmma.", "llvm.nvvm.tcgen05.", "llvm.nvvm.setmaxnreg."})
    if (name.starts_with(other))
      return Kind::Unknown;
  return name.starts_with("llvm.nvvm.mma.") ? Kind::Product : Kind::Other;
}

/// Whether ptxas makes many instructions of this one, with registers that nobody sees here.
static bool expands(const Instruction &instruction) {
  auto isDouble = [&] { return instruction.getType()->getScalarType()->isDoubleTy(); };
  switch (instruction.getOpcode()) {
  case Instruction::FDiv:
  case Instruction::FRem:
    return isDouble();
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return instruction.getType()->getScalarSizeInBits() > 32;
  case Instruction::Call: {
    auto *text = dyn_cast<InlineAsm>(cast<CallInst>(instruction).getCalledOperand());
    if (!text)
      return isa<IntrinsicInst>(instruction) && isDouble();
    StringRef assembly = text->getAsmString();
    return assembly.contains(".f64");
  }
  default:
    return false;
  }
}

unsigned tileiras::registerCap(Function &kernel, unsigned registers, unsigned available) {
  // Where live values have been squeezed into what there is, a limit costs instructions: up to 6 % of a loop.
  constexpr unsigned squeezed = 16;
  if (registers + squeezed > available)
    return 0;
  if (!kernel.hasFnAttribute("nvvm.reqntid") || kernel.hasFnAttribute("nvvm.maxnreg"))
    return 0;
  // Predicates beyond the seven that there are take registers which the estimate does not count.
  constexpr unsigned mostGuarded = 32;
  unsigned guarded = 0;
  for (const Instruction &instruction : instructions(kernel)) {
    if (expands(instruction))
      return 0;
    auto *call = dyn_cast<CallBase>(&instruction);
    if (call && kindOf(*call) == Kind::Unknown)
      return 0;
    auto *branch = dyn_cast<BranchInst>(&instruction);
    auto *text = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
    guarded += (branch && branch->isConditional()) || (text && StringRef(text->getAsmString()).contains("@"));
  }
  if (guarded > mostGuarded)
    return 0;
  DominatorTree dominators(kernel);
  LoopInfo loops(dominators);
  bool multiplies = any_of(loops.getLoopsInPreorder(), [](const Loop *loop) {
    return loop->isInnermost() && any_of(loop->blocks(), [](const BasicBlock *block) {
             return any_of(*block, [](const Instruction &instruction) {
               auto *call = dyn_cast<CallBase>(&instruction);
               return call && kindOf(*call) == Kind::Product;
             });
           });
  });
  if (!multiplies)
    return 0;
  // `least`: with so few, 32 warps have room; below it addresses and constants are more than what the estimate counts.
  constexpr unsigned margin = 8, least = 64;
  unsigned cap = std::max<unsigned>(alignTo(registers + margin, 8), least);
  return cap < registersPerThread(kernel) / 8 * 8 ? cap : 0;
}
