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
#include <memory>

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

/// Maximum flow by Dinic's method, all shortest paths at a time: some hundred nodes, and what flows is at most the
/// registers of the loop.
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
  /// Nodes on the side of `source` of a minimum cut; none if nothing can be cut.
  std::vector<bool> cut(unsigned source, unsigned sink) {
    while (measure(source, sink)) {
      next.assign(nodes.size(), 0);
      while (int amount = push(source, sink, kInfinite))
        if (amount > kInfinite / 2)
          return {};
    }
    std::vector<bool> side(nodes.size());
    for (auto [node, far] : enumerate(distance))
      side[node] = far >= 0;
    return side;
  }

private:
  /// How far nodes are from `source` by edges with room, -1 where none leads; whether one gets to `sink`.
  bool measure(unsigned source, unsigned sink) {
    distance.assign(nodes.size(), -1);
    distance[source] = 0;
    std::vector<unsigned> queue = {source};
    for (unsigned at = 0; at != queue.size(); ++at)
      for (unsigned e : nodes[queue[at]])
        if (edges[e].capacity > 0 && distance[edges[e].to] < 0) {
          distance[edges[e].to] = distance[queue[at]] + 1;
          queue.push_back(edges[e].to);
        }
    return distance[sink] >= 0;
  }
  /// Sends at most `most` along one path on which the distance grows with each edge; 0 if there is none any more.
  int push(unsigned node, unsigned sink, int most) {
    if (node == sink)
      return most;
    for (unsigned &i = next[node]; i != nodes[node].size(); ++i) {
      unsigned e = nodes[node][i];
      if (edges[e].capacity <= 0 || distance[edges[e].to] != distance[node] + 1)
        continue;
      if (int amount = push(edges[e].to, sink, std::min(most, edges[e].capacity))) {
        edges[e].capacity -= amount;
        edges[e ^ 1].capacity += amount;
        return amount;
      }
    }
    return 0;
  }

  struct Edge {
    unsigned to;
    int capacity;
  };
  std::vector<SmallVector<unsigned, 4>> nodes;
  std::vector<Edge> edges;
  std::vector<int> distance;
  std::vector<unsigned> next; ///< the edge of each node to try
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
    // What the loop does not reach cannot lie on a path of it: nearly every definition, so that one set does for all.
    BasicBlock *definition = instruction.getParent();
    return reachedWithout(reachedWithout(nullptr).contains(definition) ? definition : nullptr).contains(blockOf(use));
  }
  /// The blocks that one gets to from the loop without passing `block`.
  const SmallPtrSet<BasicBlock *, 16> &reachedWithout(BasicBlock *block) {
    std::unique_ptr<SmallPtrSet<BasicBlock *, 16>> &found = reached[block];
    if (!found) {
      found = std::make_unique<SmallPtrSet<BasicBlock *, 16>>();
      SmallVector<BasicBlock *> work = {loop.getHeader()};
      while (!work.empty())
        for (BasicBlock *next : successors(work.pop_back_val()))
          if (next != block && found->insert(next).second)
            work.push_back(next);
      found->insert(loop.getHeader());
    }
    return *found;
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
  DenseMap<BasicBlock *, std::unique_ptr<SmallPtrSet<BasicBlock *, 16>>> reached;
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
