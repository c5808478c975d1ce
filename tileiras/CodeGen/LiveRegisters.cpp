//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/CodeGen/LiveRegisters.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

unsigned tileiras::halfRegisters(const Type *type) {
  if (type->isVoidTy() || type->isTokenTy() || type->isMetadataTy() || type->isLabelTy())
    return 0;
  if (auto *structure = dyn_cast<StructType>(type)) {
    unsigned sum = 0;
    for (Type *field : structure->elements())
      sum += halfRegisters(field);
    return sum;
  }
  if (auto *array = dyn_cast<ArrayType>(type))
    return array->getNumElements() * halfRegisters(array->getElementType());
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return vector->getPrimitiveSizeInBits() ? std::max<unsigned>(2, (vector->getPrimitiveSizeInBits() + 15) / 16)
                                            : vector->getNumElements() * halfRegisters(vector->getElementType());
  if (auto *pointer = dyn_cast<PointerType>(type))
    return pointer->getAddressSpace() == 3 ? 2 : 4; // ptxas knows that shared addresses have 32 bits
  unsigned bits = type->getPrimitiveSizeInBits();
  return bits == 1 ? 1 : 2 * ((bits + 31) / 32); // of halves, only vectors share a register
}

unsigned tileiras::registersPerThread(const Function &function) {
  // A multiprocessor has 65,536; a thread gets a multiple of 8.
  unsigned threads = 1, blocks = 1, number = 0;
  SmallVector<StringRef> extents;
  for (StringRef name : {"nvvm.reqntid", "nvvm.maxntid"})
    function.getFnAttribute(name).getValueAsString().split(extents, ',');
  for (StringRef extent : extents)
    if (!extent.trim().getAsInteger(10, number) && number)
      threads *= number;
  if (!function.getFnAttribute("nvvm.minctasm").getValueAsString().getAsInteger(10, number) && number)
    blocks = number;
  return std::clamp<unsigned>(65536 / std::max(1u, threads * blocks) / 8 * 8, 16, 255);
}

DenseMap<const BasicBlock *, unsigned> tileiras::registersOfBlocks(const Function &function,
                                                                   const DominatorTree &dominators) {
  DenseMap<const BasicBlock *, unsigned> registers;
  for (const DomTreeNode *node : depth_first(dominators.getRootNode())) {
    const DomTreeNode *above = node->getIDom();
    unsigned here = above ? registers.lookup(above->getBlock()) : registersPerThread(function);
    for (const Instruction &instruction : *node->getBlock())
      if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction))
        if (is_contained(
                {Intrinsic::nvvm_setmaxnreg_inc_sync_aligned_u32, Intrinsic::nvvm_setmaxnreg_dec_sync_aligned_u32},
                intrinsic->getIntrinsicID()))
          here = std::min<unsigned>(cast<ConstantInt>(intrinsic->getArgOperand(0))->getZExtValue(), 255);
    registers[node->getBlock()] = here;
  }
  return registers;
}

const Value *tileiras::copiedBy(const Value &value) {
  auto *call = dyn_cast<CallInst>(&value);
  auto *text = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
  bool isCopy = text && !text->hasSideEffects() && call->arg_size() == 1 &&
                StringRef(text->getAsmString()).starts_with("// again");
  return isCopy ? call->getArgOperand(0) : nullptr;
}

/// An address that differs by a constant: loads and stores have room for that. And what is the same by another name
/// or type.
static const Value *baseOf(const Value *value) {
  for (;;) {
    if (const Value *same = tileiras::copiedBy(*value)) {
      value = same;
      continue;
    }
    if (isa<PtrToIntInst, IntToPtrInst>(value) && isa<Instruction>(cast<CastInst>(value)->getOperand(0))) {
      value = cast<CastInst>(value)->getOperand(0);
      continue;
    }
    auto *step = dyn_cast<GetElementPtrInst>(value);
    if (!step || !step->hasAllConstantIndices())
      return value;
    value = step->getPointerOperand();
  }
}

static bool isField(const User *user) {
  return isa<ExtractValueInst>(user) || (isa<ExtractElementInst>(user) && isa<ConstantInt>(user->getOperand(1)));
}

int tileiras::LiveRegisters::numberOf(const Value *value) const {
  if (!isa<Instruction>(value))
    return -1;
  auto found = numbers.find(baseOf(value));
  return found == numbers.end() ? -1 : int(found->second);
}

void tileiras::LiveRegisters::noteUses(const Instruction &instruction) {
  if (baseOf(&instruction) != &instruction)
    return; // its users use what it stands for
  unsigned first = used.size();
  for (const Value *operand : instruction.operands())
    if (int number = numberOf(operand); number >= 0)
      used.push_back(number);
  if (used.size() != first)
    uses[&instruction] = {first, used.size() - first};
}

template <typename Visit> void tileiras::LiveRegisters::visitUses(const Instruction &instruction, Visit visit) const {
  auto found = uses.find(&instruction);
  if (found != uses.end())
    for (unsigned number : ArrayRef(used).slice(found->second.first, found->second.second))
      visit(number);
}

tileiras::LiveRegisters::LiveRegisters(const Function &function) {
  unsigned instructions = function.getInstructionCount();
  numbers.reserve(instructions);
  uses.reserve(instructions);
  for (const BasicBlock &block : function)
    for (const Instruction &instruction : block) {
      Type *type = instruction.getType();
      unsigned weight = halfRegisters(type);
      bool whole = type->isAggregateType() || type->isVectorTy();
      if (!weight || type->isIntegerTy(1) || baseOf(&instruction) != &instruction ||
          (whole && all_of(instruction.users(), isField)))
        continue;
      numbers.try_emplace(&instruction, weights.size());
      weights.push_back(weight);
    }
  for (const BasicBlock &block : function)
    for (const Instruction &instruction : block)
      noteUses(instruction);
  // What a block needs of those before it, and what it makes, does not change while liveness spreads.
  unsigned count = weights.size();
  struct Facts {
    const BasicBlock *block;
    BitVector needs, makes, in, *out;
  };
  std::vector<Facts> facts;
  DenseMap<const BasicBlock *, unsigned> places;
  for (const BasicBlock &block : function)
    liveOut[&block].resize(count); // of those that nothing reaches, too
  for (const BasicBlock *block : post_order(&function)) {
    places[block] = facts.size();
    facts.push_back({block, BitVector(count), BitVector(count), BitVector(count), &liveOut[block]});
    Facts &its = facts.back();
    for (const Instruction &instruction : reverse(*block)) {
      if (auto found = numbers.find(&instruction); found != numbers.end()) {
        its.needs.reset(found->second);
        its.makes.set(found->second);
      }
      if (!isa<PHINode>(instruction))
        visitUses(instruction, [&](unsigned number) { its.needs.set(number); });
    }
    for (const BasicBlock *next : successors(block))
      for (const PHINode &phi : next->phis())
        if (int number = numberOf(phi.getIncomingValueForBlock(block)); number >= 0)
          its.out->set(number); // is needed at the end of this block
    its.in = its.needs;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (Facts &its : facts) {
      for (const BasicBlock *next : successors(its.block))
        *its.out |= facts[places.lookup(next)].in;
      BitVector in = *its.out;
      in.reset(its.makes);
      in |= its.needs;
      if (in != its.in) {
        its.in = std::move(in);
        changed = true;
      }
    }
  }
}

unsigned tileiras::LiveRegisters::peak(const BasicBlock &block, ArrayRef<const Instruction *> order,
                                       unsigned *atEnds) const {
  BitVector live = liveOut.lookup(&block);
  unsigned sum = 0, most = 0;
  for (unsigned number : live.set_bits())
    sum += weights[number];
  auto step = [&](const Instruction *instruction) {
    most = std::max(most, sum);
    if (auto found = numbers.find(instruction); found != numbers.end() && live.test(found->second)) {
      live.reset(found->second);
      sum -= weights[found->second];
    }
    visitUses(*instruction, [&](unsigned number) {
      if (!live.test(number)) {
        live.set(number);
        sum += weights[number];
      }
    });
    most = std::max(most, sum);
  };
  step(block.getTerminator());
  unsigned leaving = most;
  for (const Instruction *instruction : reverse(order))
    step(instruction);
  if (atEnds)
    *atEnds = (std::max(leaving, sum) + 1) / 2;
  return (most + 1) / 2;
}
