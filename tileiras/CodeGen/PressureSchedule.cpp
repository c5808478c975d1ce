//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/CodeGen/PressureSchedule.h"
#include "tileiras/CodeGen/LiveRegisters.h"
#include "tileiras/CodeGen/ResidentBlocks.h"
#include "tileiras/CodeGen/SinkInvariants.h"
#include "tileiras/CodeGen/SplitPhis.h"
#include "tileiras/Support/LoweringFacts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace llvm;
using tileiras::halfRegisters;

namespace {

enum class Kind {
  Pure,        ///< may go anywhere between its operands and its users
  Load,        ///< from shared memory: the same, but not across SharedStore and Fence
  GlobalLoad,  ///< Pinned, or the same but not across GlobalStore and Fence
  Part,        ///< a field of a result: follows what it is a field of
  Pinned,      ///< this and what follows keep their order
  GlobalStore, ///< may write global memory only
  SharedStore, ///< may write shared memory only
  Fence        ///< may write, or order accesses to, any memory
};

/// How to put a block in order.
struct Strategy {
  bool reorder = true;    ///< else only fields go after what they are fields of
  bool careful = true;    ///< what waits must not keep its operands alive
  bool lateLoads = false; ///< loads from global memory may wait
};

/// Inline PTX, of which LLVM only knows that it writes any memory, if its lowering has said what it does
/// (Support/LoweringFacts.h).
std::optional<Kind> kindOfAsm(const CallBase &call) {
  auto *text = dyn_cast<InlineAsm>(call.getCalledOperand());
  if (!text)
    return std::nullopt;
  if (text->getAsmString().empty()) // holds a value in its place
    return Kind::Pinned;
  const MDNode *fact = call.getMetadata(tileiras::kAccessFact);
  if (!fact)
    return std::nullopt;
  StringRef access = cast<MDString>(fact->getOperand(0))->getString();
  return access == tileiras::kReadsGlobal    ? std::optional(Kind::GlobalLoad)
         : access == tileiras::kWritesGlobal ? std::optional(Kind::GlobalStore)
                                             : std::nullopt;
}

/// Inline PTX with effects that nobody has described: it may be wgmma.mma_async, or a wait.
bool isUnknownAsm(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  auto *text = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
  return text && text->hasSideEffects() && !text->getAsmString().empty() && !call->getMetadata(tileiras::kAccessFact);
}

/// Whether the results may not be there when the instruction has been issued: they are to be used after a wait, which
/// LLVM does not connect with them. Loads from tensor memory, and products of warpgroups, which are inline PTX.
bool mayBeAsynchronous(const Instruction &instruction) {
  if (instruction.getType()->isVoidTy())
    return false;
  auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return isUnknownAsm(instruction) || (intrinsic && !intrinsic->doesNotAccessMemory() && intrinsic->isConvergent());
}

/// Whether the results of an asynchronous instruction may be there after this and not before.
bool mayBeWait(const Instruction &instruction) {
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction))
    return intrinsic->getIntrinsicID() == Intrinsic::nvvm_wgmma_wait_group_sync_aligned ||
           intrinsic->getIntrinsicID() == Intrinsic::nvvm_tcgen05_wait_ld;
  return isUnknownAsm(instruction);
}

Kind kindOf(const Instruction &instruction) {
  if (isa<ExtractValueInst>(instruction) ||
      (isa<ExtractElementInst>(instruction) && isa<ConstantInt>(instruction.getOperand(1))))
    return isa<Instruction>(instruction.getOperand(0)) ? Kind::Part : Kind::Pure;
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return !load->isUnordered()                  ? Kind::Fence
           : load->getPointerAddressSpace() == 3 ? Kind::Load
           : load->getPointerAddressSpace() == 1 ? Kind::GlobalLoad
                                                 : Kind::Pinned;
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return !store->isUnordered()                  ? Kind::Fence
           : store->getPointerAddressSpace() == 1 ? Kind::GlobalStore
           : store->getPointerAddressSpace() == 3 ? Kind::SharedStore
                                                  : Kind::Fence;
  if (auto *call = dyn_cast<CallBase>(&instruction)) {
    if (std::optional<Kind> kind = kindOfAsm(*call))
      return *kind;
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
  BlockSchedule(BasicBlock &block, const Loop *loop) : block(block), loop(loop) {
    for (Instruction &instruction : block)
      if (!isa<PHINode>(instruction) && !instruction.isTerminator())
        add(instruction);
    orderAfterWaits();
    for (unsigned i = nodes.size(); i-- > 0;)
      findUses(i);
  }

  std::vector<Instruction *> run(Strategy its) {
    strategy = its;
    waiting = waitingGlobal = {};
    order.clear();
    for (Node &node : nodes) {
      node.holds.clear();
      node.waits = node.done = false;
    }
    for (unsigned i = 0; i < nodes.size(); ++i)
      prepare(i);
    for (unsigned i = 0; i < nodes.size(); ++i)
      if (!nodes[i].done && !nodes[i].waits)
        emit(i);
    for (unsigned i = 0; i < nodes.size(); ++i)
      if (!nodes[i].done)
        emit(i);
    std::vector<Instruction *> instructions;
    for (unsigned i : order)
      instructions.push_back(nodes[i].instruction);
    return instructions;
  }

private:
  struct Node {
    Instruction *instruction;
    Kind kind;
    SmallVector<unsigned, 4> operands; ///< in this block, each once
    SmallVector<unsigned, 4> users;    ///< likewise
    unsigned weight;
    unsigned missing = 0;               ///< operands that have not been emitted
    unsigned remaining = 0;             ///< users that have not been emitted
    unsigned firstUse = 0, lastUse = 0; ///< fields and vectors are used where their users are
    SmallVector<unsigned, 4> holds;     ///< of what waits: nodes whose results it needs when its time has come
    bool leaves = false;                ///< used in other blocks
    bool waits = false;                 ///< emitted when a user is
    bool done = false;
  };

  /// Loads that wait, in the order of the program.
  struct WaitingLoads {
    void push_back(unsigned i) { loads.push_back(i); }
    std::optional<unsigned> nextBefore(unsigned end, ArrayRef<Node> nodes) {
      for (; next < loads.size() && loads[next] < end; ++next)
        if (!nodes[loads[next]].done)
          return loads[next];
      return std::nullopt;
    }
    SmallVector<unsigned> loads;
    unsigned next = 0;
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
    node.weight = halfRegisters(instruction.getType());
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

  /// What stands after a wait and uses the result of an asynchronous instruction before it, or a field of it, stays
  /// there: the wait becomes an operand.
  void orderAfterWaits() {
    DenseMap<unsigned, unsigned> waitedFor; // asynchronous results, and what is made of them; the first wait after it
    SmallVector<unsigned> pending;          // of these, what nothing has waited for yet
    for (unsigned i = 0; i < nodes.size(); ++i) {
      SmallVector<unsigned, 2> waits;
      bool uses = false;
      for (unsigned operand : nodes[i].operands)
        if (auto found = waitedFor.find(operand); found != waitedFor.end()) {
          uses |= found->second == kNothing;
          if (found->second != kNothing && !is_contained(waits, found->second))
            waits.push_back(found->second);
        }
      for (unsigned wait : waits)
        if (!is_contained(nodes[i].operands, wait)) {
          nodes[i].operands.push_back(wait);
          nodes[wait].users.push_back(i);
        }
      if (mayBeWait(*nodes[i].instruction)) {
        for (unsigned result : pending)
          waitedFor[result] = i;
        pending.clear();
      }
      if (uses || mayBeAsynchronous(*nodes[i].instruction)) {
        waitedFor[i] = kNothing;
        pending.push_back(i);
      }
    }
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

  static constexpr unsigned kNothing = ~0u;

  static bool isInsert(const Node &node) { return isa<InsertElementInst, InsertValueInst>(node.instruction); }

  void findUses(unsigned i) {
    Node &node = nodes[i];
    node.firstUse = node.leaves || node.users.empty() ? unsigned(nodes.size()) : ~0u;
    node.lastUse = node.leaves ? unsigned(nodes.size()) : i;
    for (unsigned user : node.users) {
      const Node &other = nodes[user];
      bool passes = other.kind == Kind::Part || isInsert(other);
      node.firstUse = std::min(node.firstUse, passes ? other.firstUse : user);
      node.lastUse = std::max(node.lastUse, passes ? other.lastUse : user);
    }
  }

  bool mayWait(const Node &node) const {
    return strategy.reorder && !node.leaves && !node.users.empty() &&
           (node.kind == Kind::Pure || node.kind == Kind::Load ||
            (node.kind == Kind::GlobalLoad && strategy.lateLoads));
  }

  void prepare(unsigned i) {
    Node &node = nodes[i];
    node.missing = node.operands.size();
    node.remaining = node.users.size();
    if (node.kind == Kind::Part) {
      node.waits = true;
      return;
    }
    if (isInsert(node) && strategy.reorder) {
      node.waits = !node.leaves;
      for (unsigned operand : node.operands)
        hold(node, operand);
      return;
    }
    if (!mayWait(node))
      return;
    for (unsigned operand : node.operands)
      hold(node, operand);
    // What becomes live longer if this waits for its first user.
    unsigned longer = 0;
    for (unsigned operand : node.holds)
      if (nodes[operand].lastUse <= (strategy.careful ? node.firstUse - 1 : i))
        longer += nodes[operand].weight;
    for (Value *operand : node.instruction->operands())
      if (auto found = outside.find(operand);
          found != outside.end() && found->second.dies && found->second.lastUser == i)
        longer += halfRegisters(operand->getType());
    if (node.weight <= longer || node.holds.size() > 16) {
      node.holds.clear();
      return;
    }
    node.waits = true;
    if (node.kind == Kind::Load)
      waiting.push_back(i);
    if (node.kind == Kind::GlobalLoad)
      waitingGlobal.push_back(i);
  }

  /// `operand`, or what it waits with.
  void hold(Node &node, unsigned operand) const {
    const Node &source = nodes[operand];
    if (!source.waits || source.kind == Kind::Part) {
      if (!is_contained(node.holds, operand))
        node.holds.push_back(operand);
      return;
    }
    for (unsigned other : source.holds)
      if (!is_contained(node.holds, other))
        node.holds.push_back(other);
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
      std::optional<unsigned> first;
      if (node.kind == Kind::Fence || node.kind == Kind::SharedStore)
        first = waiting.nextBefore(i, nodes);
      if (!first && (node.kind == Kind::Fence || node.kind == Kind::GlobalStore))
        first = waitingGlobal.nextBefore(i, nodes);
      if (first) {
        stack.push_back(lastWaiting(*first, i));
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
    SmallSetVector<unsigned, 4> packs;
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
          for (unsigned user : nodes[operand].users) {
            if (Node &other = nodes[user]; !other.done && other.missing == 0 && user != next && shrinks(user))
              placed.push_back(user);
            notePack(user, packs);
          }
      for (unsigned user : llvm::reverse(node.users)) {
        Node &other = nodes[user];
        if (--other.missing == 0 && !other.done && (other.kind == Kind::Part || shrinks(user)))
          placed.push_back(user);
        notePack(user, packs);
      }
    }
    for (unsigned pack : packs)
      if (!nodes[pack].done && isWorthPacking(nodes[pack]))
        emit(pack);
  }

  /// The vector that an insertion into one ends with.
  void notePack(unsigned i, SmallSetVector<unsigned, 4> &packs) const {
    if (nodes[i].done || !isInsert(nodes[i]))
      return;
    while (nodes[i].users.size() == 1 && isInsert(nodes[nodes[i].users.front()]))
      i = nodes[i].users.front();
    packs.insert(i);
  }

  /// Two halves in a register each become two halves in one.
  bool isWorthPacking(const Node &node) const {
    unsigned dying = 0;
    for (unsigned operand : node.holds) {
      if (!nodes[operand].done)
        return false;
      if (nodes[operand].remaining == 1 && !nodes[operand].leaves)
        dying += nodes[operand].weight;
    }
    return strategy.reorder && dying > node.weight;
  }

  /// Whether the operands that die with a node weigh more than its result.
  bool shrinks(unsigned i) const {
    const Node &node = nodes[i];
    if (node.kind != Kind::Pure || node.waits || !strategy.reorder)
      return false;
    unsigned dying = 0;
    for (unsigned operand : node.operands)
      if (nodes[operand].remaining == 1 && !nodes[operand].leaves)
        dying += nodes[operand].weight;
    // Rounding makes values that fit into a register in pairs.
    return dying > node.weight || (dying == node.weight && isa<FPTruncInst>(node.instruction));
  }

  BasicBlock &block;
  const Loop *loop;
  Strategy strategy;
  std::vector<Node> nodes;
  DenseMap<const Value *, unsigned> numbers;
  DenseMap<const Value *, Outside> outside;
  WaitingLoads waiting, waitingGlobal;
  SmallVector<unsigned> order;
};

/// Puts a block in order and says how many registers it needs.
unsigned schedule(BasicBlock &block, const Loop *loop, const tileiras::LiveRegisters &registers, unsigned available) {
  std::vector<Instruction *> best;
  unsigned least = ~0u, atEnds = 0;
  BlockSchedule orders(block, loop);
  auto attempt = [&](Strategy strategy) {
    if (least == atEnds)
      return; // no order needs less than what comes in, or leaves
    std::vector<Instruction *> order = orders.run(strategy);
    unsigned peak = registers.peak(block, SmallVector<const Instruction *>(order.begin(), order.end()), &atEnds);
    if (peak >= least)
      return;
    least = peak;
    best = std::move(order);
  };
  attempt({});
  attempt({.careful = false});
  attempt({.reorder = false});
  if (least > available) {
    attempt({.lateLoads = true});
    attempt({.careful = false, .lateLoads = true});
  }
  Instruction *end = block.getTerminator();
  for (Instruction *instruction : best)
    instruction->moveBefore(end->getIterator());
  return least;
}

/// What a block needs as it stands.
unsigned registersOf(const BasicBlock &block, const tileiras::LiveRegisters &registers) {
  SmallVector<const Instruction *> order;
  for (const Instruction &instruction : block)
    if (!isa<PHINode>(instruction) && !instruction.isTerminator())
      order.push_back(&instruction);
  return registers.peak(block, order);
}

/// What the function needs as it stands.
unsigned registersNeeded(Function &function) {
  tileiras::LiveRegisters registers(function);
  unsigned most = 0;
  for (const BasicBlock &block : function)
    most = std::max(most, registersOf(block, registers));
  return most;
}

/// What ptxas needs for itself, and for the latency of loads; products in registers need whole ranges.
constexpr unsigned kSpare = 56;
/// The same of warps that have been given so many registers or more, where sums are in tensor memory: what they compute
/// comes from there in one piece, and what is computed again in a round instead delays the next product.
constexpr unsigned kSpareBesideTensorMemory = 24, kManyRegisters = 220;
/// Loops with a block of so many multiply-adds, of products without tensor cores, run for thousands of cycles: ptxas
/// moves their fetches ahead until half of the registers are taken, and what is computed again in a round costs nothing
/// beside them.
constexpr unsigned kManyMultiplyAdds = 1024;

bool multipliesInTensorMemory(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    auto *text = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
    return text && StringRef(text->getAsmString()).contains("tcgen05.mma");
  });
}

unsigned multiplyAddsOf(const BasicBlock &block) {
  return count_if(block, [](const Instruction &instruction) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    return call && call->getIntrinsicID() == Intrinsic::fma;
  });
}

tileiras::ScheduleSummary scheduleFunction(Function &function, unsigned sparePercent) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  DenseMap<const BasicBlock *, unsigned> limits = tileiras::registersOfBlocks(function, dominators);
  const bool givesRegisters = tileiras::movesRegisters(function) && multipliesInTensorMemory(function);
  DenseSet<const BasicBlock *> multiplying;
  for (const BasicBlock &block : function)
    if (multiplyAddsOf(block) >= kManyMultiplyAdds) {
      multiplying.insert(&block);
      if (Loop *loop = loops.getLoopFor(&block))
        multiplying.insert(loop->block_begin(), loop->block_end());
    }
  auto available = [&](const BasicBlock *block) {
    unsigned limit = limits.lookup(block);
    unsigned spare = givesRegisters && limit >= kManyRegisters ? kSpareBesideTensorMemory : kSpare;
    spare = multiplying.contains(block) ? limit / 2 : std::min(spare, limit / 4);
    return limit - std::min(spare * sparePercent / 100, limit);
  };
  tileiras::ScheduleSummary summary;
  SmallPtrSet<Loop *, 4> sunk;
  tileiras::SunkCopies copies, behind;
  bool isShort = false; // when the first price has been paid
  SmallVector<Loop *> byDepth = loops.getLoopsInPreorder();
  std::reverse(byDepth.begin(), byDepth.end());
  DenseMap<const BasicBlock *, unsigned> needed;
  DenseMap<const BasicBlock *, size_t> sizes;
  SmallPtrSet<const BasicBlock *, 16> relieved; // blocks of loops into which something has been sunk
  constexpr unsigned firstPrice = 8;
  for (unsigned price : {firstPrice, 4u, 2u, 1u, 0u}) {
    std::optional<tileiras::LiveRegisters> registers;
    summary.registers = 0;
    for (BasicBlock &block : function) {
      // A block that has lost and gained nothing has its order already; what lives through it may have become less.
      auto [size, fresh] = sizes.try_emplace(&block, block.size());
      bool isStale = fresh || size->second != block.size() || relieved.contains(&block);
      if ((isStale || needed[&block] > available(&block)) && !registers)
        registers.emplace(function);
      if (isStale)
        needed[&block] = schedule(block, loops.getLoopFor(&block), *registers, available(&block));
      else if (needed[&block] > available(&block))
        needed[&block] = registersOf(block, *registers);
      size->second = block.size();
      if (summary.registers <= needed[&block]) {
        summary.registers = needed[&block];
        summary.available = available(&block);
      }
    }
    if (!price)
      break;
    bool changed = false;
    relieved.clear();
    for (Loop *loop : byDepth) {
      auto needs = [&](unsigned more) {
        return any_of(loop->blocks(), [&](BasicBlock *block) { return needed[block] + more > available(block); });
      };
      // What is computed again behind the loop costs nothing in it; where the estimate is as close as this, ptxas
      // would keep it in memory.
      constexpr unsigned close = 8;
      bool beside = price == firstPrice && needs(close) &&
                    tileiras::sinkInvariants(*loop, loops, dominators, price, tileiras::Sink::BehindLoop, behind);
      if (beside) {
        changed = true;
        relieved.insert(loop->block_begin(), loop->block_end());
      }
      if (!needs(0))
        continue;
      isShort |= price < firstPrice;
      // Around an inner loop instructions are executed once for all its rounds: at last they are worth no register.
      unsigned own = price == 1 && !loop->isInnermost() ? 0 : price;
      if (tileiras::sinkInvariants(*loop, loops, dominators, own,
                                   price < firstPrice ? tileiras::Sink::Everywhere : tileiras::Sink::InLoop, copies)) {
        changed = true;
        sunk.insert(loop);
        relieved.insert(loop->block_begin(), loop->block_end());
      }
    }
    if (!changed && none_of(needed, [&](auto &entry) {
          return entry.second > available(entry.first) && loops.getLoopFor(entry.first);
        }))
      break;
  }
  // Where that was enough the assembler has registers for what is the same expression.
  if (isShort)
    behind.insert(behind.end(), copies.begin(), copies.end());
  tileiras::keepApart(behind);
  summary.sunk = sunk.size();
  return summary;
}

} // namespace

void tileiras::scheduleForPressure(Module &module, bool countBefore,
                                   function_ref<void(Function &, const ScheduleSummary &)> report,
                                   unsigned sparePercent) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    tileiras::splitPhis(function);
    unsigned before = countBefore ? registersNeeded(function) : 0;
    ScheduleSummary summary = scheduleFunction(function, sparePercent);
    summary.before = before;
    report(function, summary);
  }
}
