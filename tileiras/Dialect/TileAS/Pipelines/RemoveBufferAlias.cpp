//===- RemoveBufferAlias.cpp - tileas-remove-buffer-alias -----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shared memory is assigned to tiles by name, so a tile has one. Two operations give it others:
//
//   what a loop carries, a shared tile that comes back as it was     the tile from outside of the loop
//   %t = arith.select %c, %a, %b of shared tiles
//     a read of %t (convert_layout)                                  both are read, and the values selected
//     a write to %t (copy)                                           scf.if %c: a write to %a, else one to %b
//
// until none is left. Where a loop comes back with another tile, the two would exchange their places.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Dialect/TileAS/Pipelines/Passes.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_REMOVEBUFFERALIASPASS
#include "tileiras/Dialect/TileAS/Pipelines/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;

namespace {

/// Tiles in tensor memory are values that loops carry (tileas-place-sums).
bool isBuffer(Value value) { return isIn(value.getType(), MemoryKind::Shared); }

/// Rounds after which a fixed point is given up.
constexpr int kMostRounds = 64;

struct RemoveBufferAliasPass : nv_tileas::impl::RemoveBufferAliasPassBase<RemoveBufferAliasPass> {
  void runOnOperation() override {
    for (int round = 0; round < kMostRounds; ++round) {
      SmallVector<Operation *> aliases;
      getOperation().walk([&](Operation *op) {
        bool carries = isa<CountedLoop>(op) && llvm::any_of(cast<CountedLoop>(op).getRegionIterArgs(), isBuffer);
        if (carries || (isa<arith::SelectOp>(op) && isBuffer(op->getResult(0))))
          aliases.push_back(op);
      });
      if (aliases.empty())
        return;
      IRRewriter rewriter(&getContext());
      // Outer loops, which the walk comes to later, go first: what they carry inner ones pass on.
      Operation *op = aliases.back();
      auto loop = dyn_cast<CountedLoop>(op);
      if (failed(loop ? removeCarried(rewriter, loop) : removeSelect(rewriter, cast<arith::SelectOp>(op))))
        return signalPassFailure();
    }
    getOperation().emitError("TileASRemoveBufferAliasPass failed to converge");
    signalPassFailure();
  }

private:
  /// The tile that a loop yields in an argument's place is the argument itself, by way of inner loops or not.
  static bool comesBack(Value value, BlockArgument argument, Value init) {
    for (;;) {
      if (value == argument || value == init)
        return true;
      auto inner = value.getDefiningOp<CountedLoop>();
      if (!inner)
        return false;
      unsigned number = cast<OpResult>(value).getResultNumber();
      if (!comesBack(inner.getYieldedValues()[number], inner.getRegionIterArg(number), inner.getInits()[number]))
        return false;
      value = inner.getInits()[number];
    }
  }

  LogicalResult removeCarried(IRRewriter &rewriter, CountedLoop loop) {
    for (auto [init, argument, yielded] :
         llvm::zip_equal(loop.getInits(), loop.getRegionIterArgs(), loop.getYieldedValues()))
      if (isBuffer(argument) && !comesBack(yielded, argument, init))
        return loop.emitOpError("Yielded alias not implemented yet");
    llvm::BitVector dead(loop.getNumRegionIterArgs());
    for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs()))
      if (isBuffer(argument))
        dead.set(i);
    numRemoved += dead.count();
    nv_tileaa::eraseCarried(rewriter, loop, dead);
    return success();
  }

  LogicalResult removeSelect(IRRewriter &rewriter, arith::SelectOp select) {
    if (!select.getCondition().getType().isInteger(1))
      return select.emitOpError("RemoveBufferAlias: not supported operation type");
    Value condition = select.getCondition(), tiles[] = {select.getTrueValue(), select.getFalseValue()};
    for (Operation *user : llvm::make_early_inc_range(select->getUsers())) {
      rewriter.setInsertionPoint(user);
      Location loc = user->getLoc();
      if (auto read = dyn_cast<ConvertLayoutOp>(user)) {
        Value values[2];
        for (auto [tile, value] : llvm::zip_equal(tiles, values))
          value = ConvertLayoutOp::create(rewriter, loc, read.getType(), tile,
                                          tile.getType() == select.getType() ? read.getAtomPlanAttr() : AtomPlanAttr(),
                                          read.getReinterpretByteAttr());
        rewriter.replaceOpWithNewOp<arith::SelectOp>(read, condition, values[0], values[1]);
        continue;
      }
      auto write = dyn_cast<CopyOp>(user);
      if (!write || write.getDest() != select.getResult() || write.getResult())
        return user->emitOpError("RemoveBufferAlias: not supported operation type");
      auto branch = scf::IfOp::create(rewriter, loc, condition, /*withElseRegion=*/true);
      for (auto [region, tile] : llvm::zip_equal(branch->getRegions(), tiles)) {
        rewriter.setInsertionPoint(region.front().getTerminator());
        cast<CopyOp>(rewriter.clone(*write)).getDestMutable().assign(tile);
      }
      rewriter.eraseOp(write);
    }
    rewriter.eraseOp(select);
    ++numRemoved;
    return success();
  }
};

} // namespace
