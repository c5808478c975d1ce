//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/CodeGen/SinkInvariants.h"
#include "tileiras/CodeGen/LiveRegisters.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"
#include <queue>

using namespace llvm;

namespace {

/// What one more execution of an instruction costs, in instructions of the machine; nothing if it has to stay where it
/// is.
std::optional<unsigned> costOf(const Instruction &instruction) {
  unsigned words = std::max(1u, tileiras::halfRegisters(instruction.getType()) / 2);
  if (auto *step = dyn_cast<GetElementPtrInst>(&instruction))
    return step->hasAllConstantIndices() ? 0 : words;
  if (isa<CastInst>(instruction)) // integers and pointers
    return instruction.getType()->isFPOrFPVectorTy() || instruction.getOperand(0)->getType()->isFPOrFPVectorTy()
               ? std::nullopt
               : std::optional(words - 1);
  if (isa<ICmpInst, SelectInst>(instruction)) // two freezes of one value need not agree
    return words;
  if (auto *binary = dyn_cast<BinaryOperator>(&instruction)) {
    if (!binary->getType()->isIntegerTy() || binary->isIntDivRem())
      return std::nullopt;
    return binary->getOpcode() == Instruction::Mul ? 2 * words * words : words;
  }
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call || !call->doesNotAccessMemory() || call->isConvergent() || call->mayHaveSideEffects() ||
      !call->getType()->isIntegerTy())
    return std::nullopt;
  switch (call->getIntrinsicID()) {
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::smin:
  case Intrinsic::smax:
    return 2 * words;
  default:
    return call->arg_empty() ? std::optional(4) : std::nullopt; // the thread's number
  }
}

/// Maximum flow by shortest augmenting paths: some hundred nodes, and what flows is at most the registers of the loop.
class Network {
public:
  static constexpr int kInfinite = 1 << 28;

  unsigned addNode() {
    nodes.emplace_back();
    return nodes.size() - 1;
  }
  void addEdge(unsigned from, unsigned to, int capacity) {
    nodes[from].push_back(edges.size());
    edges.push_back({to, capacity});
    nodes[to].push_back(edges.size());
    edges.push_back({from, 0});
  }
  /// Nodes on the side of `source` of a minimum cut.
  std::vector<bool> cut(unsigned source, unsigned sink) {
    for (;;) {
      std::vector<int> reachedBy(nodes.size(), -1);
      std::vector<bool> seen(nodes.size());
      std::queue<unsigned> queue;
      queue.push(source);
      seen[source] = true;
      while (!queue.empty() && !seen[sink]) {
        unsigned node = queue.front();
        queue.pop();
        for (unsigned e : nodes[node])
          if (edges[e].capacity > 0 && !seen[edges[e].to]) {
            seen[edges[e].to] = true;
            reachedBy[edges[e].to] = e;
            queue.push(edges[e].to);
          }
      }
      if (!seen[sink])
        return seen;
      int amount = kInfinite;
      for (unsigned node = sink; node != source; node = edges[reachedBy[node] ^ 1].to)
        amount = std::min(amount, edges[reachedBy[node]].capacity);
      if (amount == kInfinite)
        return {}; // nothing can be cut
      for (unsigned node = sink; node != source; node = edges[reachedBy[node] ^ 1].to) {
        edges[reachedBy[node]].capacity -= amount;
        edges[reachedBy[node] ^ 1].capacity += amount;
      }
    }
  }

private:
  struct Edge {
    unsigned to;
    int capacity;
  };
  std::vector<SmallVector<unsigned, 4>> nodes;
  std::vector<Edge> edges;
};

class Sinking {
public:
  Sinking(Loop &loop, const LoopInfo &loops, const DominatorTree &dominators, unsigned price, tileiras::Sink which,
          tileiras::SunkCopies &made)
      : loop(loop), loops(loops), dominators(dominators), price(price), which(which), made(made) {}

  bool run() {
    for (BasicBlock &block : *loop.getHeader()->getParent())
      if (!loop.contains(&block) && dominators.dominates(&block, loop.getHeader()))
        for (Instruction &instruction : block)
          visit(instruction);
    if (wanted.empty())
      return false;
    unsigned source = network.addNode(), sink = network.addNode();
    for (Instruction *instruction : wanted)
      if (!staysAlive.contains(instruction))
        network.addEdge(build(instruction, source) + 1, sink, Network::kInfinite);
    outsideSide = network.cut(source, sink);
    if (outsideSide.empty())
      return false;
    bool changed = false;
    for (Instruction *instruction : wanted)
      if (!staysAlive.contains(instruction) && isComputedAgain(instruction)) {
        replaceUses(*instruction);
        changed = true;
      }
    SmallVector<WeakTrackingVH> dead(wanted.begin(), wanted.end());
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
    return changed;
  }

private:
  static BasicBlock *blockOf(const Use &use) {
    if (auto *phi = dyn_cast<PHINode>(use.getUser()))
      return phi->getIncomingBlock(use);
    return cast<Instruction>(use.getUser())->getParent();
  }

  /// A use in the loop or after it, where its value may be computed again without entering another loop.
  bool isReplaceable(const Use &use) const {
    const Loop *inner = loops.getLoopFor(blockOf(use));
    return inner == &loop || !inner || inner->contains(&loop);
  }
  /// Whether a use gets what was computed before the loop, after the loop has begun: in it or behind it, perhaps where
  /// one gets without the loop, too.
  bool isInsideOrBehind(Instruction &instruction, const Use &use) {
    if (which == tileiras::Sink::InLoop)
      return dominators.dominates(loop.getHeader(), blockOf(use));
    BasicBlock *definition = instruction.getParent();
    auto [entry, fresh] = reached.try_emplace(definition);
    if (fresh) {
      SmallVector<BasicBlock *> work = {loop.getHeader()};
      while (!work.empty())
        for (BasicBlock *next : successors(work.pop_back_val()))
          if (next != definition && entry->second.insert(next).second)
            work.push_back(next);
      entry->second.insert(loop.getHeader());
    }
    return entry->second.contains(blockOf(use));
  }

  void visit(Instruction &instruction) {
    bool used = false, stays = !costOf(instruction);
    for (const Use &use : instruction.uses())
      if (isInsideOrBehind(instruction, use)) {
        used = true;
        stays |= !isReplaceable(use) || (which == tileiras::Sink::BehindLoop && loop.contains(blockOf(use)));
      }
    if (!used)
      return;
    wanted.insert(&instruction);
    if (stays)
      staysAlive.insert(&instruction);
  }

  /// The node where `instruction` enters; the next one is where it leaves.
  unsigned build(Instruction *instruction, unsigned source) {
    auto [entry, fresh] = nodes.try_emplace(instruction, 0);
    if (!fresh)
      return entry->second;
    unsigned node = network.addNode();
    network.addNode();
    nodes[instruction] = node;
    std::optional<unsigned> cost = costOf(*instruction);
    bool step = cost == 0u && isa<GetElementPtrInst>(instruction); // part of the loads and stores that use it
    // A predicate is half a register: there are some for nothing.
    int keep = std::max(1u, tileiras::halfRegisters(instruction->getType()) / 2) * tileiras::kRegisterCost;
    keep = instruction->getType()->isIntegerTy(1) ? keep / 2 : keep;
    network.addEdge(node, node + 1, step ? Network::kInfinite : keep);
    network.addEdge(source, node, cost ? int(*cost * price) : Network::kInfinite);
    if (cost)
      for (Value *operand : instruction->operands())
        if (auto *definition = dyn_cast<Instruction>(operand); definition && !staysAlive.contains(definition))
          network.addEdge(build(definition, source) + 1, node, Network::kInfinite);
    return node;
  }

  bool isComputedAgain(Instruction *instruction) const {
    auto found = nodes.find(instruction);
    return found != nodes.end() && !outsideSide[found->second] && costOf(*instruction);
  }

  void replaceUses(Instruction &instruction) {
    SmallVector<Use *> uses;
    for (Use &use : instruction.uses())
      if (isInsideOrBehind(instruction, use))
        uses.push_back(&use);
    for (Use *use : uses)
      use->set(computeIn(*blockOf(*use), instruction));
  }

  Instruction *computeIn(BasicBlock &block, Instruction &instruction) {
    if (!isComputedAgain(&instruction))
      return &instruction;
    if (Instruction *there = copies.lookup({&block, &instruction}))
      return there;
    Instruction *copy = instruction.clone();
    for (Use &operand : copy->operands())
      if (auto *definition = dyn_cast<Instruction>(operand.get()))
        operand.set(computeIn(block, *definition));
    // Behind the copies of its operands; PressureSchedule moves it to its users.
    Instruction *&last = lastCopy[&block];
    if (last)
      copy->insertAfter(last->getIterator());
    else
      copy->insertBefore(block.getFirstInsertionPt());
    last = copy;
    copies[{&block, &instruction}] = copy;
    made.emplace_back(&instruction, copy);
    return copy;
  }

  Loop &loop;
  const LoopInfo &loops;
  const DominatorTree &dominators;
  unsigned price;
  tileiras::Sink which;
  tileiras::SunkCopies &made;
  SmallSetVector<Instruction *, 32> wanted; ///< used in the loop or after it, in order
  DenseSet<Instruction *> staysAlive;       ///< whatever is decided
  DenseMap<Instruction *, unsigned> nodes;
  Network network;
  std::vector<bool> outsideSide;
  DenseMap<BasicBlock *, DenseSet<BasicBlock *>> reached; ///< from the loop, without passing a definition again
  DenseMap<std::pair<BasicBlock *, Instruction *>, Instruction *> copies;
  DenseMap<BasicBlock *, Instruction *> lastCopy;
};

} // namespace

bool tileiras::sinkInvariants(Loop &loop, const LoopInfo &loops, const DominatorTree &dominators, unsigned price,
                              Sink which, SunkCopies &copies) {
  return Sinking(loop, loops, dominators, price, which, copies).run();
}

/// The same value by another name, in front of `before`; null if it is none that is kept in a register.
static Instruction *rename(Value *value, BasicBlock::iterator before, unsigned number) {
  Type *type = value->getType();
  bool isPlain = !isa<Constant>(value) && (type->isIntegerTy() || type->isPointerTy());
  unsigned bits = isPlain ? before->getDataLayout().getTypeSizeInBits(type).getFixedValue() : 0;
  if (bits != 32 && bits != 64)
    return nullptr;
  auto *text = InlineAsm::get(FunctionType::get(type, {type}, false), "// again " + std::to_string(number),
                              bits == 32 ? "=r,0" : "=l,0", /*hasSideEffects=*/false);
  auto *same = CallInst::Create(text, {value}, "", before);
  same->setDoesNotAccessMemory();
  same->setDoesNotThrow();
  return same;
}

void tileiras::keepApart(SunkCopies &copies) {
  DenseSet<const Value *> all;
  for (auto &[original, copy] : copies)
    if (copy)
      all.insert(copy);
  SmallVector<Instruction *> first;
  for (auto &[original, copy] : copies)
    if (original && copy && none_of(cast<Instruction>(copy)->operands(), [&](Use &use) { return all.contains(use); }))
      first.push_back(cast<Instruction>(copy));
  for (auto [number, copy] : enumerate(first)) {
    Use *renamed = find_if(copy->operands(), [&, number = number, copy = copy](Use &operand) {
      Instruction *same = rename(operand, copy->getIterator(), number);
      if (same)
        operand.set(same);
      return same;
    });
    // The thread's number is computed from nothing.
    if (renamed == copy->op_end())
      if (Instruction *same = rename(copy, std::next(copy->getIterator()), number))
        copy->replaceUsesWithIf(same, [&](Use &use) { return use.getUser() != same; });
  }
}
