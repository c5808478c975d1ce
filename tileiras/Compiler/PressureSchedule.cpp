//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/PressureSchedule.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

/// Half registers that a value takes.
unsigned weightOf(const Type *type) {
  if (type->isVoidTy() || type->isTokenTy() || type->isMetadataTy() || type->isLabelTy())
    return 0;
  if (auto *structure = dyn_cast<StructType>(type)) {
    unsigned sum = 0;
    for (Type *field : structure->elements())
      sum += weightOf(field);
    return sum;
  }
  if (auto *array = dyn_cast<ArrayType>(type))
    return array->getNumElements() * weightOf(array->getElementType());
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return vector->getNumElements() * weightOf(vector->getElementType());
  if (auto *pointer = dyn_cast<PointerType>(type))
    return pointer->getAddressSpace() == 3 ? 2 : 4; // ptxas knows that shared addresses have 32 bits
  unsigned bits = type->getPrimitiveSizeInBits();
  return bits <= 16 ? 1 : 2 * ((bits + 31) / 32);
}

enum class Kind {
  Pure,   ///< may go anywhere between its operands and its users
  Load,   ///< from shared memory: the same, but not across Fence
  Part,   ///< a field of a result: follows what it is a field of
  Pinned, ///< keeps its place among Pinned and Fence
  Fence   ///< may write shared memory
};

/// Weak accesses with a predicate are inline PTX (MemoryAccess.cpp); LLVM takes them for writes of any memory.
bool isGlobalAsm(const CallBase &call) {
  auto *text = dyn_cast<InlineAsm>(call.getCalledOperand());
  if (!text)
    return false;
  StringRef code = text->getAsmString();
  if (code.empty()) // holds a value in its place
    return true;
  return (code.contains("ld.global.") || code.contains("st.global.")) && code.count(';') == 1 &&
         !StringRef(text->getConstraintString()).contains("memory");
}

Kind kindOf(const Instruction &instruction) {
  if (isa<ExtractValueInst>(instruction) ||
      (isa<ExtractElementInst>(instruction) && isa<ConstantInt>(instruction.getOperand(1))))
    return isa<Instruction>(instruction.getOperand(0)) ? Kind::Part : Kind::Pure;
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return !load->isUnordered()                  ? Kind::Fence
           : load->getPointerAddressSpace() == 3 ? Kind::Load
                                                 : Kind::Pinned;
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return store->isUnordered() && store->getPointerAddressSpace() == 1 ? Kind::Pinned : Kind::Fence;
  if (auto *call = dyn_cast<CallBase>(&instruction)) {
    if (isGlobalAsm(*call))
      return Kind::Pinned;
    if (call->doesNotAccessMemory() && !call->mayHaveSideEffects())
      return call->isConvergent() ? Kind::Pinned : Kind::Pure;
    return call->onlyReadsMemory() && !call->mayHaveSideEffects() && !call->isConvergent() ? Kind::Pinned : Kind::Fence;
  }
  return instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects() || isa<AllocaInst>(instruction)
             ? Kind::Fence
             : Kind::Pure;
}

class BlockSchedule {
public:
  BlockSchedule(BasicBlock &block, const Loop *loop) : block(block), loop(loop) {}

  void run() {
    for (Instruction &instruction : block)
      if (!isa<PHINode>(instruction) && !instruction.isTerminator())
        add(instruction);
    if (nodes.size() < 16)
      return;
    for (unsigned i = 0; i < nodes.size(); ++i)
      prepare(i);
    for (unsigned i = 0; i < nodes.size(); ++i)
      if (!nodes[i].done && !nodes[i].waits)
        emit(i);
    for (unsigned i = 0; i < nodes.size(); ++i)
      if (!nodes[i].done)
        emit(i);
    Instruction *end = block.getTerminator();
    for (unsigned i : order)
      nodes[i].instruction->moveBefore(end->getIterator());
  }

private:
  struct Node {
    Instruction *instruction;
    Kind kind;
    SmallVector<unsigned, 4> operands; ///< in this block, each once
    SmallVector<unsigned, 4> users;    ///< likewise
    unsigned weight;
    unsigned missing = 0;   ///< operands that have not been emitted
    unsigned remaining = 0; ///< users that have not been emitted
    unsigned longer = 0;    ///< what becomes live longer if this waits for its first user
    bool leaves = false;    ///< used in other blocks
    bool waits = false;     ///< emitted when a user is
    bool done = false;
  };

  /// A value from outside of this block, or a PHI of it.
  struct Outside {
    unsigned lastUser = 0;
    bool dies = false; ///< its register is free after that
  };

  void add(Instruction &instruction) {
    unsigned i = nodes.size();
    numbers[&instruction] = i;
    Node &node = nodes.emplace_back();
    node.instruction = &instruction;
    node.kind = kindOf(instruction);
    node.weight = weightOf(instruction.getType());
    SmallPtrSet<Value *, 4> seen;
    for (Value *operand : instruction.operands()) {
      if (isa<Constant, MetadataAsValue, BasicBlock, InlineAsm>(operand) || !seen.insert(operand).second)
        continue;
      auto found = numbers.find(operand);
      if (found != numbers.end()) {
        node.operands.push_back(found->second);
        nodes[found->second].users.push_back(i);
        continue;
      }
      auto [entry, fresh] = outside.try_emplace(operand);
      if (fresh)
        entry->second.dies = diesHere(operand);
      entry->second.lastUser = i;
    }
    for (User *user : instruction.users())
      node.leaves |= cast<Instruction>(user)->getParent() != &block || isa<PHINode>(user) ||
                     cast<Instruction>(user)->isTerminator();
  }

  bool diesHere(Value *value) const {
    if (isa<Argument>(value))
      return false; // read from the parameter space wherever it is needed
    auto *definition = cast<Instruction>(value);
    if (loop && !loop->contains(definition))
      return false;
    return llvm::all_of(value->users(), [&](User *user) {
      auto *instruction = cast<Instruction>(user);
      return instruction->getParent() == &block && !isa<PHINode>(instruction) && !instruction->isTerminator();
    });
  }

  void prepare(unsigned i) {
    Node &node = nodes[i];
    node.missing = node.operands.size();
    node.remaining = node.users.size();
    if (node.kind == Kind::Part) {
      node.waits = true;
      return;
    }
    if (isa<InsertElementInst, InsertValueInst>(node.instruction)) {
      node.waits = !node.leaves;
      return;
    }
    if ((node.kind != Kind::Pure && node.kind != Kind::Load) || node.leaves || node.users.empty())
      return;
    unsigned longer = 0;
    for (unsigned operand : node.operands) {
      const Node &source = nodes[operand];
      if (source.waits && source.kind != Kind::Part)
        longer += source.longer;
      else if (!source.leaves && source.users.back() == i)
        longer += source.weight;
    }
    for (Value *operand : node.instruction->operands())
      if (auto found = outside.find(operand); found != outside.end() && found->second.dies && found->second.lastUser == i)
        longer += weightOf(operand->getType());
    if (node.weight <= longer)
      return;
    node.longer = longer;
    node.waits = true;
    if (node.kind == Kind::Load)
      waitingLoads.push_back(i);
  }

  void emit(unsigned first) {
    // An explicit stack: chains of a reduction are long.
    SmallVector<unsigned> stack = {first};
    while (!stack.empty()) {
      unsigned i = stack.back();
      Node &node = nodes[i];
      if (node.done) {
        stack.pop_back();
        continue;
      }
      if (node.missing) {
        for (unsigned operand : llvm::reverse(node.operands))
          if (!nodes[operand].done)
            stack.push_back(operand);
        continue;
      }
      // Loads that stand before a write in the program must not see it.
      if (node.kind == Kind::Fence) {
        bool found = false;
        for (; nextLoad < waitingLoads.size() && waitingLoads[nextLoad] < i; ++nextLoad)
          if (!nodes[waitingLoads[nextLoad]].done) {
            stack.push_back(lastWaiting(waitingLoads[nextLoad], i));
            found = true;
            break;
          }
        if (found)
          continue;
      }
      stack.pop_back();
      place(i);
    }
  }

  /// What is computed from a load and waits like it, before `end`: a sum rather than all that is summed.
  unsigned lastWaiting(unsigned i, unsigned end) const {
    for (;;) {
      auto next = llvm::find_if(nodes[i].users, [&](unsigned user) {
        const Node &node = nodes[user];
        return !node.done && node.waits && (node.kind == Kind::Pure || node.kind == Kind::Part) && user < end;
      });
      if (next == nodes[i].users.end())
        return i;
      i = *next;
    }
  }

  void place(unsigned i) {
    SmallVector<unsigned> placed = {i};
    while (!placed.empty()) {
      unsigned next = placed.pop_back_val();
      Node &node = nodes[next];
      if (node.done)
        continue;
      node.done = true;
      order.push_back(next);
      // What is left with one user may die there now.
      for (unsigned operand : node.operands)
        if (--nodes[operand].remaining == 1)
          for (unsigned user : nodes[operand].users)
            if (Node &other = nodes[user]; !other.done && other.missing == 0 && user != next && shrinks(user))
              placed.push_back(user);
      for (unsigned user : llvm::reverse(node.users)) {
        Node &other = nodes[user];
        if (--other.missing == 0 && !other.done && (other.kind == Kind::Part || shrinks(user)))
          placed.push_back(user);
      }
    }
  }

  /// Whether the operands that die with a node weigh more than its result.
  bool shrinks(unsigned i) const {
    const Node &node = nodes[i];
    if (node.kind != Kind::Pure || node.waits)
      return false;
    unsigned dying = 0;
    for (unsigned operand : node.operands)
      if (nodes[operand].remaining == 1 && !nodes[operand].leaves)
        dying += nodes[operand].weight;
    return dying > node.weight;
  }

  BasicBlock &block;
  const Loop *loop;
  std::vector<Node> nodes;
  DenseMap<const Value *, unsigned> numbers;
  DenseMap<const Value *, Outside> outside;
  SmallVector<unsigned> waitingLoads, order;
  unsigned nextLoad = 0;
};

} // namespace

void tileiras::scheduleForPressure(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    for (BasicBlock &block : function)
      BlockSchedule(block, loops.getLoopFor(&block)).run();
  }
}
