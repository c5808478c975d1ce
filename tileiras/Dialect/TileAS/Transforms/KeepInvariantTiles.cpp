//===- KeepInvariantTiles.cpp - tileas-keep-invariant-tiles ---------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A shared tile that a loop writes in every round with what it has been given from outside (the queries of attention,
// operand of the first product) is written once before the loop, if there is shared memory for it. That saves the
// writes, and the registers it came from.
//
// Where several loops do so with the same tile, one after the other (attention whose masked tiles have a loop of their
// own), the first one's is there for all: otherwise registers would hold the queries until the last loop begins.
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Dialect/TileAS/Transforms/SharedPlan.h"
#include "tileiras/Remark/Remark.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_KEEPINVARIANTTILESPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

struct KeepInvariantTilesPass : nv_tileas::impl::KeepInvariantTilesPassBase<KeepInvariantTilesPass> {
  /// A product, or the tile under another shape for products.
  static bool isForProducts(Operation *user) {
    return isa<DotOp>(user) || (isReshape(user) && llvm::all_of(user->getResult(0).getUsers(), isForProducts));
  }

  /// The one write of a tile that nobody but products reads; null if there is something else.
  static CopyOp onlyWrite(AllocTensorOp alloc) {
    CopyOp write;
    for (OpOperand &use : alloc->getUses()) {
      auto copy = dyn_cast<CopyOp>(use.getOwner());
      if (copy && copy.getDest() == alloc.getResult()) {
        if (write || copy->getBlock() != alloc->getBlock())
          return {};
        write = copy;
      } else if (!isForProducts(use.getOwner())) {
        return {}; // only products take their operands from where they lie
      }
    }
    return write;
  }

  /// The one write of a tile, if a loop repeats it with a value from outside.
  static CopyOp invariantWrite(AllocTensorOp alloc) {
    auto loop = dyn_cast<LoopLikeOpInterface>(alloc->getParentOp());
    CopyOp write = onlyWrite(alloc);
    if (!loop || !write)
      return {};
    // Another view of what comes from outside is registers by other names.
    SmallVector<Operation *> views;
    Value source = write.getSource();
    while (!loop.isDefinedOutsideOfLoop(source)) {
      Operation *view = source.getDefiningOp();
      if (!isa_and_nonnull<ViewOp, nv_tileaa::PermuteOp>(view) || view->getParentOp() != loop)
        return {};
      views.push_back(view);
      source = view->getOperand(0);
    }
    for (Operation *view : llvm::reverse(views))
      view->moveBefore(loop);
    return write;
  }

  /// Whether two tiles in registers are the same one under the same names.
  static bool isSame(Value a, Value b) {
    if (a == b)
      return true;
    Operation *one = a.getDefiningOp(), *other = b.getDefiningOp();
    return one && other && isa<ViewOp, nv_tileaa::PermuteOp>(one) && one->getName() == other->getName() &&
           one->getAttrDictionary() == other->getAttrDictionary() && a.getType() == b.getType() &&
           isSame(one->getOperand(0), other->getOperand(0));
  }

  /// Has the products that read `alloc` read what an earlier tile of its block has been given already.
  static void shareWrite(AllocTensorOp alloc, int64_t room) {
    CopyOp write = onlyWrite(alloc);
    if (!write)
      return;
    for (auto earlier : alloc->getBlock()->getOps<AllocTensorOp>()) {
      if (earlier == alloc)
        return;
      CopyOp first = earlier.getType() == alloc.getType() ? onlyWrite(earlier) : CopyOp();
      if (!first || !first->isBeforeInBlock(write) || first.getAtomPlanAttr() != write.getAtomPlanAttr() ||
          first->hasAttr(kAsyncProxyAttr) != write->hasAttr(kAsyncProxyAttr) ||
          !isSame(first.getSource(), write.getSource()))
        continue;
      // It lives from the first loop to the last one then.
      SmallVector<OpOperand *> uses(llvm::make_pointer_range(alloc->getUses()));
      for (OpOperand *use : uses)
        use->set(earlier);
      if (SharedPlan(alloc->getParentOfType<nv_tileaa::FuncOp>()).place() > room) {
        for (OpOperand *use : uses)
          use->set(alloc);
        return;
      }
      tileiras::remarks::passed(first, tileiras::remarks::kMemory, "InvariantTile")
          << tileiras::remarks::because("an operand that several loops read is written once before the first of them");
      write.erase();
      alloc.erase();
      return;
    }
  }

  void runOnOperation() override {
    SmallVector<AllocTensorOp> allocs;
    getOperation().walk([&](AllocTensorOp op) {
      if (isIn(op.getType(), MemoryKind::Shared))
        allocs.push_back(op);
    });
    int64_t room = SharedMemory(getOperation()).roomToKeep();
    for (AllocTensorOp alloc : allocs)
      while (CopyOp write = invariantWrite(alloc)) {
        Operation *loop = alloc->getParentOp(), *behindAlloc = alloc->getNextNode(),
                  *behindWrite = write->getNextNode();
        alloc->moveBefore(loop);
        write->moveBefore(loop);
        int64_t bytes = SharedPlan(getOperation()).place();
        auto report = [&](tileiras::remarks::InFlight remark, StringRef why) {
          remark << tileiras::remarks::figure("Bytes", bytes) << tileiras::remarks::figure("Room", room)
                 << tileiras::remarks::because(why);
        };
        if (bytes <= room) {
          ++numInvariant;
          report(tileiras::remarks::passed(alloc, tileiras::remarks::kMemory, "InvariantTile"),
                 "an operand that is the same in every round is written once before the loop");
          continue;
        }
        report(tileiras::remarks::missed(alloc, tileiras::remarks::kMemory, "InvariantTile"),
               "an operand that is the same in every round is written in each: all shared tiles have no room at once");
        write->moveBefore(behindWrite);
        alloc->moveBefore(behindAlloc == write ? write.getOperation() : behindAlloc);
        break;
      }
    for (AllocTensorOp alloc : allocs)
      shareWrite(alloc, room);
  }
};

} // namespace
