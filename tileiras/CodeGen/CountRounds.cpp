//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/CodeGen/CountRounds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// for (i = 0; ; ++i) { ...; if (i + 1 == rounds) break; }
struct Count {
  PHINode *phi = nullptr;
  BinaryOperator *next = nullptr;
  Value *rounds = nullptr;
  BranchInst *end = nullptr; ///< of the latch, on `atEnd`
  ICmpInst *atEnd = nullptr;
};

/// Rounds that a loop looks ahead, at most: a sum of those and what it has counted has 32 bits.
constexpr int64_t kMostAhead = 1 << 16;

class Rounds {
public:
  explicit Rounds(Function &function) : dominators(function), loops(dominators) {}

  bool run() {
    for (Loop *loop : loops.getLoopsInPreorder())
      if (Count count; find(*loop, count)) {
        askOnce(count);
        askAhead(count);
        scaleNext(count);
      }
    bool changed = !dead.empty();
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
    return changed;
  }

private:
  static bool find(const Loop &loop, Count &count) {
    BasicBlock *latch = loop.getLoopLatch();
    auto *end = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
    if (!end || !end->isConditional() || loop.getExitingBlock() != latch)
      return false;
    auto *atEnd = dyn_cast<ICmpInst>(end->getCondition());
    if (!atEnd || !atEnd->hasOneUse() || !atEnd->isEquality() || !loop.contains(atEnd) ||
        !loop.isLoopInvariant(atEnd->getOperand(1)))
      return false;
    // Only where it leaves when they are equal.
    bool leavesIfTrue = !loop.contains(end->getSuccessor(0));
    if (leavesIfTrue != (atEnd->getPredicate() == ICmpInst::ICMP_EQ))
      return false;
    for (PHINode &phi : loop.getHeader()->phis()) {
      if (phi.getNumIncomingValues() != 2)
        continue;
      auto *next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch));
      Value *first = phi.getIncomingValue(phi.getIncomingBlock(0) == latch);
      if (next != atEnd->getOperand(0) || !match(first, m_Zero()) || !match(next, m_Add(m_Specific(&phi), m_One())) ||
          !next->hasNoSignedWrap())
        continue;
      count = {&phi, next, atEnd->getOperand(1), end, atEnd};
      return true;
    }
    return false;
  }

  /// Whether `compare` is i < n - 1, or its opposite, and stands before what is asked at the end.
  bool asksForNext(const ICmpInst &compare, const Count &count) const {
    if (!dominators.dominates(&compare, count.atEnd))
      return false;
    ICmpInst::Predicate predicate = compare.getPredicate();
    Value *bound = compare.getOperand(1), *rounds = nullptr;
    if (bound == count.phi) {
      bound = compare.getOperand(0);
      predicate = ICmpInst::getSwappedPredicate(predicate);
    }
    // A loop that is in a round has some, so it does not matter whether none are 0.
    return (predicate == ICmpInst::ICMP_SLT || predicate == ICmpInst::ICMP_SGE) &&
           match(bound, m_NSWAdd(m_Value(rounds), m_AllOnes())) &&
           (rounds == count.rounds || match(rounds, m_SMax(m_Specific(count.rounds), m_Zero())));
  }

  /// i < n - 1, as i + 1 != n: neither overflows, and i + 1 is at most n, or the loop would not end where they are
  /// equal.
  void askOnce(Count &count) {
    auto found = find_if(count.phi->users(), [&](User *user) {
      auto *compare = dyn_cast<ICmpInst>(user);
      return compare && asksForNext(*compare, count);
    });
    if (found == count.phi->user_end())
      return;
    auto *compare = cast<ICmpInst>(*found);
    if (!dominators.dominates(count.next, compare)) {
      auto *next = BinaryOperator::CreateAdd(count.phi, count.next->getOperand(1), "", compare->getIterator());
      for (User *user : make_early_inc_range(count.phi->users())) {
        auto *same = dyn_cast<BinaryOperator>(user);
        if (same && same != next && match(same, m_Add(m_Specific(count.phi), m_One())) &&
            dominators.dominates(compare, same)) {
          same->replaceAllUsesWith(next);
          dead.push_back(same);
        }
      }
      count.next = next;
    }
    auto *more = new ICmpInst(compare->getIterator(), ICmpInst::ICMP_NE, count.next, count.rounds);
    bool isOpposite =
        compare->getPredicate() == (compare->getOperand(0) == count.phi ? ICmpInst::ICMP_SGE : ICmpInst::ICMP_SLE);
    compare->replaceAllUsesWith(isOpposite ? BinaryOperator::CreateNot(more, "", compare->getIterator())
                                           : static_cast<Value *>(more));
    dead.push_back(compare);
    if (count.atEnd->getPredicate() == ICmpInst::ICMP_EQ)
      count.end->swapSuccessors();
    count.end->setCondition(more);
    dead.push_back(count.atEnd);
  }

  /// i < n - 2 as i + 2 < n, where i + 2 is there anyway: n - 2 would be alive beside n. Without a sign, as i + 2 may
  /// have 32 bits; n is no less than 1 in a round.
  void askAhead(Count &count) {
    SmallVector<std::pair<ICmpInst *, const APInt *>> found;
    for (User *user : count.phi->users()) {
      auto *compare = dyn_cast<ICmpInst>(user);
      Value *rounds = nullptr;
      const APInt *less = nullptr;
      if (compare && compare->getOperand(0) == count.phi &&
          (compare->getPredicate() == ICmpInst::ICMP_SLT || compare->getPredicate() == ICmpInst::ICMP_SGE) &&
          match(compare->getOperand(1), m_NSWAdd(m_Value(rounds), m_APInt(less))) && less->slt(-1) &&
          less->sgt(-kMostAhead) &&
          (rounds == count.rounds || match(rounds, m_SMax(m_Specific(count.rounds), m_Zero()))))
        found.push_back({compare, less});
    }
    for (auto [compare, less] : found) {
      // Where it is added already, before the question or behind it.
      BinaryOperator *ahead = nullptr;
      SmallVector<BinaryOperator *> behind;
      for (User *user : count.phi->users()) {
        auto *sum = dyn_cast<BinaryOperator>(user);
        if (!sum || !match(sum, m_Add(m_Specific(count.phi), m_SpecificInt(-*less))))
          continue;
        if (dominators.dominates(sum, compare))
          ahead = sum;
        else if (dominators.dominates(compare, sum))
          behind.push_back(sum);
      }
      if (!ahead && behind.empty())
        continue;
      if (!ahead)
        ahead = BinaryOperator::CreateAdd(count.phi, ConstantInt::get(count.phi->getType(), -*less), "",
                                          compare->getIterator());
      for (BinaryOperator *sum : behind) {
        sum->replaceAllUsesWith(ahead);
        dead.push_back(sum);
      }
      auto predicate = compare->getPredicate() == ICmpInst::ICMP_SLT ? ICmpInst::ICMP_ULT : ICmpInst::ICMP_UGE;
      compare->replaceAllUsesWith(new ICmpInst(compare->getIterator(), predicate, ahead, count.rounds));
      dead.push_back(compare);
    }
  }

  /// i * 64 + 64 as (i + 1) * 64.
  void scaleNext(const Count &count) {
    SmallVector<BinaryOperator *> sums;
    for (User *scaled : count.phi->users()) {
      const APInt *factor = nullptr;
      if (!scaled->hasOneUse() || !match(scaled, m_CombineOr(m_Shl(m_Specific(count.phi), m_APInt(factor)),
                                                             m_Mul(m_Specific(count.phi), m_APInt(factor)))))
        continue;
      APInt step = *factor;
      if (cast<Instruction>(scaled)->getOpcode() == Instruction::Shl) {
        if (factor->uge(factor->getBitWidth()))
          continue;
        step = APInt::getOneBitSet(factor->getBitWidth(), factor->getZExtValue());
      }
      auto *sum = dyn_cast<BinaryOperator>(*scaled->user_begin());
      if (sum && match(sum, m_Add(m_Specific(scaled), m_SpecificInt(step))) && dominators.dominates(count.next, sum))
        sums.push_back(sum);
    }
    for (BinaryOperator *sum : sums) {
      auto *scaled = cast<BinaryOperator>(sum->getOperand(0));
      auto *same =
          BinaryOperator::Create(scaled->getOpcode(), count.next, scaled->getOperand(1), "", sum->getIterator());
      sum->replaceAllUsesWith(same);
      dead.push_back(sum);
    }
  }

  DominatorTree dominators;
  LoopInfo loops;
  SmallVector<WeakTrackingVH> dead;
};

} // namespace

bool tileiras::countRounds(Function &function) { return !function.isDeclaration() && Rounds(function).run(); }
