//===- OverlapProducts.cpp - Products go on into the next round -----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-overlap-products, for products whose unit works by itself (Completion::WaitGroup) and reads both factors from
// shared memory. Where a loop does nothing with the sums but add the next product to them,
//
//     for .. iter_args(%s = %zero) {                  if lb < ub {
//       copies into %a, %b                              for .. iter_args(%p = poison) {
//       %t = dot %a, %b, %s                               %s = async.dot_wait %p
//       yield %t                                          copies into %a, %b
//     }                                                   %q = async.dot %a, %b, %s if iv != lb
//                                                         yield %q
//                                                       }
//                                                       async.dot_wait
//                                                     } else { %zero }
//
// * The wait stands before the first operation that may let somebody write what the product reads: a write of shared
//   memory with the barrier before it, or anything that is not known to be harmless. What comes before it in the next
//   round (addresses, bounds, loads into registers) no longer waits. If such an operation follows the product in the
//   same round, the wait is there.
// * Sums that begin as zero are not written: the first product does not read them. A loop without a round has no
//   product that would write them, hence the branch; its zeros cost nothing where it is not taken.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Remark/Remark.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_OVERLAPPRODUCTSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

/// A product that its loop only adds up.
struct Sum {
  scf::ForOp loop;
  DotOp dot;
  unsigned index; ///< of the sums among what the loop carries
};

std::optional<Sum> findSum(DotOp dot) {
  if (!dot.getAtom() || dot.getSfa() || dot.getAtom()->getCompletion() != Completion::WaitGroup ||
      !isIn(dot.getA().getType(), MemoryKind::Shared) || !isIn(dot.getB().getType(), MemoryKind::Shared) ||
      !keepsSumsAs(dot.getAtom()->getElement(), dot.getType().getElementType()))
    return std::nullopt;
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  auto carried = dyn_cast<BlockArgument>(dot.getC());
  if (!loop || !carried || carried.getOwner() != loop.getBody() || !carried.hasOneUse() ||
      carried.getArgNumber() < loop.getNumInductionVars() || !dot.getResult().hasOneUse())
    return std::nullopt;
  OpOperand &use = *dot.getResult().use_begin();
  unsigned index = carried.getArgNumber() - loop.getNumInductionVars();
  if (use.getOwner() != loop.getBody()->getTerminator() || use.getOperandNumber() != index)
    return std::nullopt;
  return Sum{loop, dot, index};
}

/// Whether an operation lets nobody write what a product under way reads. Loads into registers may have a barrier, but
/// who writes shared memory behind it has one of his own.
bool isHarmless(Operation &op) {
  if (isa<TiledLoadOp, LoadOp, GatherLoadOp, AllocTensorOp, AsyncDotOp, AsyncDotWaitOp>(op))
    return true;
  return isMemoryEffectFree(&op);
}

/// The first operation of [begin, end) that is not; null if all are.
Operation *firstHarm(Block::iterator begin, Block::iterator end) {
  for (Operation &op : llvm::make_range(begin, end))
    if (!isHarmless(op))
      return &op;
  return nullptr;
}

struct OverlapProductsPass : nv_tileas::impl::OverlapProductsPassBase<OverlapProductsPass> {
  void runOnOperation() override {
    SmallVector<DotOp> dots;
    getOperation().walk([&](DotOp dot) { dots.push_back(dot); });
    for (DotOp dot : dots)
      if (std::optional<Sum> sum = findSum(dot))
        overlap(*sum);
  }

  void overlap(Sum sum) {
    auto [loop, dot, index] = sum;
    MLIRContext *context = &getContext();
    Location loc = dot.getLoc();
    Block *body = loop.getBody();
    BlockArgument carried = loop.getRegionIterArgs()[index];
    RankedTensorType tile = dot.getType();
    auto pending = PendingType::get(context, tile);
    Value init = loop.getInits()[index];
    bool fromZero = isZeroTile(init);

    Operation *after = firstHarm(std::next(dot->getIterator()), std::prev(body->end()));
    bool intoNextRound = !after;
    report(dot, intoNextRound, after);
    if (!intoNextRound && !fromZero)
      return;

    // What the loop begins with.
    OpBuilder builder(loop);
    Value begin = init;
    if (fromZero)
      begin = ub::PoisonOp::create(builder, loc, intoNextRound ? Type(pending) : Type(tile));
    else if (intoNextRound)
      begin = AsyncDotBeginOp::create(builder, loc, pending, init);
    loop.getInitsMutable()[index].assign(begin);
    if (intoNextRound) {
      carried.setType(pending);
      loop.getResult(index).setType(pending);
      ++numUnderWay;
    }

    builder.setInsertionPoint(dot);
    Value accumulate;
    if (fromZero)
      accumulate =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, loop.getInductionVar(), loop.getLowerBound());
    auto product =
        AsyncDotOp::create(builder, loc, pending, dot.getA(), dot.getB(), carried, accumulate, dot.getSignednessAAttr(),
                           dot.getSignednessBAttr(), dot.getFastAccAttr(), *dot.getAtom());
    Operation *yield = body->getTerminator();
    auto wait = [&](Operation *before, Value sums) -> Value {
      builder.setInsertionPoint(before);
      return AsyncDotWaitOp::create(builder, loc, TypeRange{tile}, sums, 0).getResult(0);
    };
    if (intoNextRound) {
      yield->setOperand(index, product.getResult());
      if (Operation *harm = firstHarm(body->begin(), product->getIterator()))
        product.getCMutable().assign(wait(harm, carried));
      OpResult result = loop->getResult(index);
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : result.getUses())
        uses.push_back(&use);
      Value sums = wait(loop->getNextNode(), result);
      for (OpOperand *use : uses)
        use->set(sums);
    } else {
      yield->setOperand(index, wait(after, product.getResult()));
    }
    dot.erase();
    if (fromZero)
      unlessEmpty(loop, index, init);
  }

  /// The loop, and the wait behind it, only if it has a round; without one its sums are `init`.
  static void unlessEmpty(scf::ForOp loop, unsigned index, Value init) {
    if (std::optional<APInt> rounds = loop.getStaticTripCount(); rounds && !rounds->isZero())
      return;
    Location loc = loop.getLoc();
    OpBuilder builder(loop);
    OpResult carried = loop->getResult(index);
    Operation *wait = isa<PendingType>(carried.getType()) ? *carried.user_begin() : nullptr;
    SmallVector<Value> results(loop.getResults());
    if (wait)
      results[index] = wait->getResult(0);
    auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    Value some = arith::CmpIOp::create(builder, loc, predicate, loop.getLowerBound(), loop.getUpperBound());
    auto branch = scf::IfOp::create(builder, loc, TypeRange(ValueRange(results)), some, /*withElseRegion=*/true);
    for (auto [old, now] : llvm::zip_equal(results, branch.getResults()))
      old.replaceUsesWithIf(now, [&](OpOperand &use) { return use.getOwner() != wait; });
    loop->moveBefore(branch.thenBlock(), branch.thenBlock()->end());
    if (wait)
      wait->moveAfter(loop);
    builder.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(builder, loc, results);
    SmallVector<Value> inits(loop.getInits());
    inits[index] = init;
    builder.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(builder, loc, inits);
  }

  static void report(DotOp dot, bool intoNextRound, Operation *after) {
    namespace remarks = tileiras::remarks;
    if (intoNextRound)
      remarks::passed(dot, remarks::kProduct, "Overlap")
          << remarks::because("the next round begins while the product is under way");
    else
      remarks::missed(dot, remarks::kProduct, "Overlap")
          << remarks::because(("'" + after->getName().getStringRef() + "' behind it waits for it").str());
  }
};

} // namespace
