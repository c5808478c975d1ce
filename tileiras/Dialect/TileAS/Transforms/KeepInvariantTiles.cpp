//===- KeepInvariantTiles.cpp - tileas-keep-invariant-tiles ---------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A shared tile that a loop writes in every round with what it has been given from outside (the queries of attention,
// operand of the first product) is written once before the loop, if there is shared memory for it. That saves the
// writes, and the registers it came from.
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/LoopLikeInterface.h"
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
  /// The one write of a tile, if a loop repeats it with a value from outside.
  static CopyOp invariantWrite(AllocTensorOp alloc) {
    auto loop = dyn_cast<LoopLikeOpInterface>(alloc->getParentOp());
    CopyOp write;
    for (OpOperand &use : alloc->getUses()) {
      auto copy = dyn_cast<CopyOp>(use.getOwner());
      if (copy && copy.getDest() == alloc.getResult()) {
        if (write || copy->getBlock() != alloc->getBlock())
          return {};
        write = copy;
      } else if (!isa<DotOp>(use.getOwner())) {
        return {}; // only products take their operands from where they lie
      }
    }
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
  }
};

} // namespace
