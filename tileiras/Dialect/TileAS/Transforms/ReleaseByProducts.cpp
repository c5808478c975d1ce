//===- ReleaseByProducts.cpp - tileas-release-by-products -----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A product in tensor memory that nobody waits for in its loop:
//
//     for {                                        for {
//       wait %out                                    wait %out
//       acquire %in, write, commit                   read { dot }                  issued, not waited for
//       read { dot; all threads wait }        ->     release by products           arrives when the product is done
//       release                                      acquire %in, write, commit    waits for the product before
//     }                                            }
//     sums                                         acquire %last                   waits for the last product
//                                                  sums
//
// The stage itself says when its product is done, so only who fills it again waits, and who reads the sums: behind the
// loop, where an acquire of the stage that was read last waits for the product that read it. One thread issues all
// products, and they end in order.
//
// That is so where the region of consumer_read holds products and arithmetic, their factors are tiles of the stage or
// such as the loop does not write, and nobody else in the loop touches their sums.
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/ProductRing.h"
#include "tileiras/Remark/Remark.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_RELEASEBYPRODUCTSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;

namespace {

/// tileas-defer-products has said why.
constexpr StringRef kAwaitedLater = "threads wait for products where they need them";

/// A ring of one loop, whose stages products read and nobody else.
struct Candidate : ProductRing {
  SmallVector<DotOp> dots;
};

/// Whether nobody changes a factor while the loop runs that is not of the stage.
bool isFactor(Value factor, ConsumerReadOp read, CountedLoop loop) {
  while (Operation *def = factor.getDefiningOp()) {
    if (!loop->isAncestor(def))
      return llvm::all_of(factor.getUsers(), [&](Operation *user) {
        return isa<DotOp>(user) || isReshape(user) || !loop->isAncestor(user);
      });
    if (!isReshape(def))
      return false;
    factor = def->getOperand(0);
  }
  return cast<BlockArgument>(factor).getOwner() == &read.getBody().front();
}

/// Why the products of a ring have to be waited for in the loop, or nothing. Fills the candidate as far as it gets.
StringRef find(Candidate &candidate) {
  if (StringRef why = candidate.ProductRing::find(); !why.empty())
    return why;
  CreatePipelineOp ring = candidate.ring;
  ConsumerReadOp read = candidate.read;
  CountedLoop loop = candidate.loop;
  for (auto dot : read.getBody().front().getOps<DotOp>())
    if (dot->hasAttr(kAwaitedAsAttr))
      return kAwaitedLater;
  for (Operation &op : read.getBody().front().without_terminator()) {
    auto dot = dyn_cast<DotOp>(op);
    if (!dot) {
      if (!isMemoryEffectFree(&op) || op.getNumRegions())
        return "threads read its stages, too";
      continue;
    }
    if (!dot.getAtom() || dot.getAtom()->getCompletion() != Completion::Mbarrier)
      return "products wait for themselves";
    if (dot.getSfa() && !hasColumnsOfStage(dot, &read.getBody().front()))
      return "scales are written for each product";
    candidate.dots.push_back(dot);
  }
  if (candidate.dots.empty() || read.getBody().front().getTerminator()->getNumOperands())
    return "nothing is multiplied there";
  for (DotOp dot : candidate.dots) {
    auto sums = dot.getC().getDefiningOp<AllocTensorOp>();
    if (!sums || loop->isAncestor(sums) || !isIn(sums.getType(), MemoryKind::Tensor) || !dot.getResult().use_empty())
      return "sums do not stay in tensor memory";
    for (Operation *user : sums->getUsers()) {
      if (loop->isAncestor(user) && !llvm::is_contained(candidate.dots, user))
        return "others in the loop read or write the sums";
      // Threads meet in the waits for groups; else they have met where the ring is made.
      if (!ring.getGroups() && isa<CopyOp>(user) &&
          !(user->getBlock() == ring->getBlock() && user->isBeforeInBlock(ring)))
        return "sums are written behind the making of the ring";
    }
    for (Value factor : {Value(dot.getA()), Value(dot.getB()), Value(dot.getSfa()), Value(dot.getSfb())})
      if (factor && !isFactor(factor, read, loop))
        return "factors are written in the loop";
  }
  return {};
}

/// Moves the reading and the release right behind the wait, with the arithmetic that they need; where that is not
/// possible they stay.
void moveUp(Candidate &candidate) {
  Block *body = candidate.loop.getBody();
  SmallVector<Operation *> between;
  for (Operation *op = candidate.wait->getNextNode(); op != candidate.read; op = op->getNextNode())
    between.push_back(op);
  llvm::SmallPtrSet<Operation *, 16> needed;
  auto need = [&](Operation *user) {
    user->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *def = operand.getDefiningOp(); def && def->getBlock() == body)
          needed.insert(def);
    });
  };
  need(candidate.read);
  for (Operation *op : llvm::reverse(between))
    if (needed.contains(op)) {
      if (!isPure(op))
        return;
      need(op);
    }
  Operation *after = candidate.wait;
  for (Operation *op : between)
    if (needed.contains(op)) {
      op->moveAfter(after);
      after = op;
    }
  candidate.read->moveAfter(after);
  candidate.release->moveAfter(candidate.read);
}

struct ReleaseByProductsPass : nv_tileas::impl::ReleaseByProductsPassBase<ReleaseByProductsPass> {
  void runOnOperation() override {
    SmallVector<CreatePipelineOp> rings;
    getOperation().walk([&](CreatePipelineOp ring) { rings.push_back(ring); });
    for (CreatePipelineOp ring : rings) {
      Candidate candidate;
      candidate.ring = ring;
      StringRef why = getAgentSwitch(ring) ? StringRef("agents do") : find(candidate);
      namespace remarks = tileiras::remarks;
      if (candidate.dots.empty() || why == kAwaitedLater)
        continue;
      if (!why.empty()) {
        remarks::missed(candidate.dots.front(), remarks::kProduct, "Overlap") << remarks::because(why);
        continue;
      }
      remarks::passed(candidate.dots.front(), remarks::kProduct, "Overlap")
          << remarks::because("the stage is released when the product is done");
      ++numReleased;
      rewrite(candidate);
    }
  }

  void rewrite(Candidate &candidate) {
    auto unit = UnitAttr::get(&getContext());
    for (DotOp dot : candidate.dots)
      dot->setAttr(kUnderWayAttr, unit);
    moveUp(candidate);
    candidate.releaseByProducts();
  }
};

} // namespace
