//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/CodeGen/DeriveAddresses.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// The number of bytes that `step` adds, if it is one value; nothing for arrays and structs.
Value *offsetOf(const GEPOperator &step) {
  return step.getNumIndices() == 1 && step.getSourceElementType()->isIntegerTy(8) ? step.getOperand(1) : nullptr;
}

/// An address of shared memory: root + variables + (value ^ flips) + constant.
struct Swizzled {
  GlobalVariable *root = nullptr;
  SmallVector<Value *, 2> variables; ///< that vary in the loop
  Value *offset = nullptr;           ///< value ^ flips, in the type of an address
  Value *value = nullptr;            ///< an invariant, in the type that it is xored in
  uint64_t flips = 0;
  int64_t constant = 0;
};

class Derivation {
public:
  explicit Derivation(Function &function)
      : function(function), layout(function.getDataLayout()), dominators(function), loops(dominators) {}

  bool run() {
    if (loops.empty())
      return false;
    for (BasicBlock *block : depth_first(&function.getEntryBlock()))
      if (Loop *loop = loops.getLoopFor(block))
        shareSwizzles(*block, *loop);
    bool changed = !dead.empty();
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
    return changed;
  }

private:
  std::optional<Swizzled> asSwizzled(GetElementPtrInst &address, const Loop &loop) const {
    if (address.getAddressSpace() != 3 || loop.isLoopInvariant(&address))
      return std::nullopt;
    Swizzled result;
    Value *pointer = &address;
    while (auto *step = dyn_cast<GEPOperator>(pointer)) {
      Value *bytes = offsetOf(*step);
      if (!bytes)
        return std::nullopt;
      if (auto *number = dyn_cast<ConstantInt>(bytes))
        result.constant += number->getSExtValue();
      else if (!loop.isLoopInvariant(bytes))
        result.variables.push_back(bytes);
      else if (!result.offset)
        result.offset = bytes;
      else
        return std::nullopt; // which of them is swizzled?
      pointer = step->getPointerOperand();
    }
    result.root = dyn_cast<GlobalVariable>(pointer);
    if (!result.root || !result.offset || result.variables.empty())
      return std::nullopt;
    result.value = result.offset;
    match(result.offset, m_ZExt(m_Value(result.value)));
    const APInt *flips = nullptr;
    if (match(result.value, m_Xor(m_Value(result.value), m_APInt(flips))))
      result.flips = flips->getZExtValue();
    return result;
  }

  /// The lowest bits that are 0 in the root and in each of the variables.
  unsigned freeBits(const Swizzled &address) const {
    unsigned bits = Log2(address.root->getAlign().valueOrOne());
    for (const Value *bytes : address.variables)
      bits = std::min(bits, computeKnownBits(bytes, layout).countMinTrailingZeros());
    return bits;
  }

  void shareSwizzles(BasicBlock &block, const Loop &loop) {
    using Key = std::pair<std::vector<Value *>, Value *>;
    std::map<Key, SmallVector<std::pair<GetElementPtrInst *, Swizzled>, 4>> groups;
    SmallVector<const Key *> order;
    for (Instruction &instruction : block)
      if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
        if (std::optional<Swizzled> parts = asSwizzled(*address, loop)) {
          std::vector<Value *> where{parts->root};
          append_range(where, parts->variables);
          auto [entry, isNew] = groups.try_emplace({std::move(where), parts->value});
          if (isNew)
            order.push_back(&entry->first);
          entry->second.emplace_back(address, std::move(*parts));
        }
    for (const Key *key : order) {
      auto &group = groups.at(*key);
      const Swizzled &first = group.front().second;
      uint64_t flips = 0;
      for (auto &[address, parts] : group)
        flips |= parts.flips ^ first.flips;
      if (!flips || Log2_64(flips) >= freeBits(first))
        continue;
      // From the one that comes first, without its constant, which loads and stores have room for.
      IRBuilder<> builder(group.front().first);
      Value *base = first.root;
      for (Value *bytes : reverse(first.variables))
        base = builder.CreatePtrAdd(base, bytes);
      base = builder.CreatePtrAdd(base, first.offset);
      Type *type = layout.getIntPtrType(base->getType());
      Value *number = nullptr;
      SmallDenseMap<uint64_t, Value *> made{{first.flips, base}};
      for (auto &[address, parts] : group) {
        builder.SetInsertPoint(address);
        Value *&here = made[parts.flips];
        if (!here) {
          if (!number) {
            IRBuilder<> behind(cast<Instruction>(base)->getNextNode());
            number = behind.CreatePtrToInt(base, type);
          }
          here = builder.CreateIntToPtr(builder.CreateXor(number, parts.flips ^ first.flips), base->getType());
        }
        Value *same = here;
        if (parts.constant)
          same = builder.CreatePtrAdd(here, ConstantInt::getSigned(type, parts.constant));
        address->replaceAllUsesWith(same);
        dead.push_back(address);
      }
    }
  }

  Function &function;
  const DataLayout &layout;
  DominatorTree dominators;
  LoopInfo loops;
  SmallVector<WeakTrackingVH> dead;
};

} // namespace

bool tileiras::deriveAddresses(Function &function) { return !function.isDeclaration() && Derivation(function).run(); }
