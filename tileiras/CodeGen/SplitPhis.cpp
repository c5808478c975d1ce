//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/CodeGen/SplitPhis.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace {

using Phis = SmallSetVector<PHINode *, 8>;

bool isFlat(const Type *type) {
  auto *structure = dyn_cast<StructType>(type);
  return structure && structure->getNumElements() &&
         none_of(structure->elements(), [](const Type *field) { return field->isAggregateType(); });
}

/// Whether every field of `value` is a value of its own, if those of `phis` are.
bool isPutTogether(Value *value, const Phis &phis) {
  while (auto *insert = dyn_cast<InsertValueInst>(value))
    value = insert->getAggregateOperand();
  auto *phi = dyn_cast<PHINode>(value);
  return phi ? phis.contains(phi) : isa<Constant>(value);
}

/// What can be split: a PHI that cannot keeps those it flows into from it.
Phis findPhis(Function &function) {
  Phis phis;
  for (BasicBlock &block : function)
    for (PHINode &phi : block.phis())
      if (isFlat(phi.getType()))
        phis.insert(&phi);
  auto stays = [&](PHINode *phi) {
    return any_of(phi->incoming_values(), [&](Value *value) { return !isPutTogether(value, phis); });
  };
  while (phis.remove_if(stays))
    ;
  return phis;
}

class Splitting {
public:
  explicit Splitting(const Phis &phis) : phis(phis) {}

  void run() {
    for (PHINode *phi : phis) {
      SmallVector<PHINode *> &parts = fields[phi];
      IRBuilder<> builder(phi);
      for (Type *type : cast<StructType>(phi->getType())->elements())
        parts.push_back(builder.CreatePHI(type, phi->getNumIncomingValues()));
    }
    for (PHINode *phi : phis)
      for (auto [i, part] : enumerate(fields[phi]))
        for (unsigned j = 0; j < phi->getNumIncomingValues(); ++j)
          part->addIncoming(fieldOf(phi->getIncomingValue(j), i), phi->getIncomingBlock(j));
    SmallVector<WeakTrackingVH> dead;
    for (PHINode *phi : phis)
      for (Value *value : phi->incoming_values())
        if (isa<InsertValueInst>(value))
          dead.push_back(value);
    for (PHINode *phi : phis)
      replaceUses(phi);
    for (PHINode *phi : phis)
      phi->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
  }

private:
  Value *fieldOf(Value *value, unsigned i) const {
    while (auto *insert = dyn_cast<InsertValueInst>(value)) {
      if (insert->getIndices().front() == i)
        return insert->getInsertedValueOperand();
      value = insert->getAggregateOperand();
    }
    if (auto *phi = dyn_cast<PHINode>(value))
      return fields.find(phi)->second[i];
    return cast<Constant>(value)->getAggregateElement(i);
  }

  void replaceUses(PHINode *phi) {
    Value *whole = nullptr; // for whom a field is not enough
    for (Use &use : make_early_inc_range(phi->uses())) {
      auto *user = cast<Instruction>(use.getUser());
      if (auto *old = dyn_cast<PHINode>(user); old && phis.contains(old)) {
        use.set(PoisonValue::get(phi->getType()));
        continue;
      }
      if (auto *extract = dyn_cast<ExtractValueInst>(user)) {
        extract->replaceAllUsesWith(fields[phi][extract->getIndices().front()]);
        extract->eraseFromParent();
        continue;
      }
      if (!whole) {
        IRBuilder<> builder(phi->getParent(), phi->getParent()->getFirstInsertionPt());
        whole = PoisonValue::get(phi->getType());
        for (auto [i, part] : enumerate(fields[phi]))
          whole = builder.CreateInsertValue(whole, part, unsigned(i));
      }
      use.set(whole);
    }
  }

  const Phis &phis;
  DenseMap<PHINode *, SmallVector<PHINode *>> fields;
};

} // namespace

bool tileiras::splitPhis(Function &function) {
  Phis phis = findPhis(function);
  if (phis.empty())
    return false;
  Splitting(phis).run();
  return true;
}
