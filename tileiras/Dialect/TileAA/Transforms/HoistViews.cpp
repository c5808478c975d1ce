//===- HoistViews.cpp - Views in front of loops and branches --------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A front end writes a view of an array where its tiles are loaded: in the loop over a block's tiles, and in the branch
// that skips those without rows. A tensor map is made once, so only a view outside of loops has one:
//
//     scf.for ...                                        %view = nv_tileaa.block_tile %array
//       scf.if %rows                                     scf.for ...
//         %view = nv_tileaa.block_tile %array      ->      scf.if %rows
//         scf.for ...                                        scf.for ...
//           nv_tileaa.tiled_load %view[...]                    nv_tileaa.tiled_load %view[...]
//
// It leaves as many loops as it can, and the branches in these. With it go the numbers and pointers that it is made of
// and nothing else: others would only be alive for longer. What may fail where the branch is not taken stays, as a
// division does, and in functions whose threads multiply f32 all do. So do promises (nv_tileaa.assume), which hold
// where they stand, unless the loops are known to have a round.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAA/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::nv_tileaa {
#define GEN_PASS_DEF_HOISTVIEWSPASS
#include "tileiras/Dialect/TileAA/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileaa

using namespace mlir;
using namespace mlir::nv_tileaa;

namespace {

/// The loops and branches around `op`, up to the first operation that is neither.
SmallVector<Operation *> getControl(Operation *op) {
  SmallVector<Operation *> control;
  for (Operation *around = op->getParentOp(); isa_and_nonnull<LoopLikeOpInterface, Branch>(around);
       around = around->getParentOp())
    control.push_back(around);
  return control;
}

/// Whether `op` happens whenever `around` does, of its control flow.
bool happensWith(Operation *op, Operation *around) {
  for (Operation *inner = op->getParentOp();; inner = inner->getParentOp()) {
    auto loop = dyn_cast<CountedLoop>(inner);
    std::optional<APInt> rounds = loop ? loop.getStaticTripCount() : std::nullopt;
    if (!rounds || rounds->isZero())
      return false;
    if (inner == around)
      return true;
  }
}

/// Whether `op` can stand in front of `around`, of its control flow, with operations in there, which are added to
/// `with` in the order they stand in then.
bool canLeave(Operation *op, Operation *around, llvm::SetVector<Operation *> &with) {
  if (!around->isProperAncestor(op) || with.contains(op))
    return true;
  auto isTile = [](Type type) { return isa<RankedTensorType>(type); };
  if (!llvm::is_contained(getControl(op), around) || op->getNumRegions() || !isPure(op) ||
      llvm::any_of(op->getResultTypes(), isTile) || (isa<AssumeOp>(op) && !happensWith(op, around)))
    return false;
  for (Value operand : op->getOperands()) {
    Operation *from = operand.getDefiningOp();
    if (from ? !canLeave(from, around, with) : around->isAncestor(operand.getParentBlock()->getParentOp()))
      return false;
  }
  with.insert(op);
  return true;
}

struct HoistViewsPass : nv_tileaa::impl::HoistViewsPassBase<HoistViewsPass> {
  using Base::Base;

  void runOnOperation() override {
    // Functions whose threads multiply f32: registers are what is short there, and what stands in front of a loop takes
    // them.
    llvm::SmallPtrSet<Operation *, 4> byThreads;
    getOperation()->walk([&](DotOp dot) {
      if (cast<RankedTensorType>(dot.getA().getType()).getElementType().isF32())
        byThreads.insert(dot->getParentOfType<FuncOp>());
    });
    SmallVector<Operation *> views;
    getOperation()->walk([&](BlockTileOp op) {
      if (!byThreads.contains(op->getParentOfType<FuncOp>()))
        views.push_back(op);
    });
    for (Operation *view : views) {
      SmallVector<Operation *> control = getControl(view);
      for (Operation *around : llvm::reverse(control)) {
        llvm::SetVector<Operation *> with;
        if (!isa<LoopLikeOpInterface>(around) || !canLeave(view, around, with))
          continue;
        for (Operation *op : with)
          op->moveBefore(around);
        ++numViews;
        break;
      }
    }
  }
};

} // namespace
