//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-legalize-reduce: a reduction whose axis is spread over warps needs
// shared memory. Each warp leaves its partial result there and all read the
// parts back; this pass provides the scratch tiles so that shared-memory assignment
// sees them like any other. Tile: (result elements * warps along the axis).
//
// One whose lanes an instruction combines gets that as its witness (ReduceAtoms.h), unless it has one.
//
// A scan works through the bits of its axis from the lowest. Where the lowest are lanes or warps, every register has a
// prefix of its own to be combined over them; where they are registers, one remains for all registers of a row. So a
// scan of many registers gets a layout with the neighbours along the axis in one thread.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/ReduceAtoms.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/ConvertPlan.h"
#include "tileiras/Support/LayoutBuilders.h"
#include "tileiras/Support/LinearLayout.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_LEGALIZEREDUCEPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::LinearLayout;

namespace {

struct LegalizeReducePass : nv_tileas::impl::LegalizeReducePassBase<LegalizeReducePass> {
  void runOnOperation() override {
    if (failed(checkTiles(getOperation(), /*needLayouts=*/true)))
      return signalPassFailure();
    getOperation().walk([&](ReduceOp op) {
      if (!op->hasAttr(kReduceAtomAttr) && whyNotRedux(op).empty())
        op->setAttr(kReduceAtomAttr, StringAttr::get(&getContext(), kRedux));
      legalize(op);
    });
    SmallVector<ScanOp> scans;
    getOperation().walk([&](ScanOp op) { scans.push_back(op); });
    for (ScanOp op : scans)
      legalize(op);
  }

  /// Registers that are not joined before the first lane or warp bit of the axis.
  static int64_t totalsBetweenThreads(const LinearLayout &layout, int axis) {
    int32_t lowest = layout.shape()[axis];
    for (tileiras::DimName in : {tileiras::kLane, tileiras::kWarp, tileiras::kBlock})
      for (int bit = 0; bit < layout.inBits(in); ++bit)
        if (int32_t moved = layout.basis(in, bit)[axis])
          lowest = std::min(lowest, moved & -moved);
    int64_t totals = layout.inSize(tileiras::kRegister);
    for (int bit = 0; bit < layout.inBits(tileiras::kRegister); ++bit)
      if (int32_t moved = layout.basis(tileiras::kRegister, bit)[axis]; moved && moved < lowest)
        totals /= 2;
    return lowest == layout.shape()[axis] ? 0 : totals;
  }

  void legalize(ScanOp op) {
    constexpr int64_t few = 8; // totals: what two trips through shared memory cost is more than they save
    auto type = cast<RankedTensorType>(op.getSources().front().getType());
    int axis = op.getAxis();
    int64_t before = totalsBetweenThreads(getLinearLayout(type), axis);
    if (before <= few)
      return;
    SmallVector<int32_t> order = {axis};
    for (int d = type.getRank() - 1; d >= 0; --d)
      if (d != axis)
        order.push_back(d);
    Attribute blocked =
        getCoalescedLayout(op.getContext(), type.getShape(), order, type.getNumElements(), getNumWarps(op));
    LinearLayout along = cast<LayoutAttrInterface>(blocked)
                             .toLinearLayout(type.getShape())
                             .removeRedundantBasesAlongDim(tileiras::kRegister);
    if (totalsBetweenThreads(along, axis) * 2 > before)
      return;
    Attribute layout = getLayoutAttr(op.getContext(), along);
    OpBuilder builder(op);
    for (OpOperand &operand : op->getOpOperands())
      operand.set(ConvertLayoutOp::create(
          builder, op.getLoc(), withLayout(cast<RankedTensorType>(operand.get().getType()), layout), operand.get()));
    builder.setInsertionPointAfter(op);
    for (OpResult result : op->getResults()) {
      auto wanted = cast<RankedTensorType>(result.getType());
      result.setType(withLayout(wanted, layout));
      auto back = ConvertLayoutOp::create(builder, op.getLoc(), wanted, result);
      result.replaceAllUsesExcept(back, back);
    }
  }

  void legalize(ReduceOp op) {
    if (!op.getScratch().empty())
      return;
    auto type = cast<RankedTensorType>(op.getSources().front().getType());
    LinearLayout layout = getLinearLayout(type);
    int axis = op.getAxis();
    int64_t warps = 1;
    for (int bit = 0; bit < layout.inBits(tileiras::kWarp); ++bit)
      if (layout.basis(tileiras::kWarp, bit)[axis] != 0)
        warps *= 2;
    if (warps == 1)
      return;
    OpBuilder builder(op);
    int64_t whole = type.getNumElements() / type.getDimSize(axis) * warps, elements = whole;
    // In rounds where this is much, as far as each thread's share of the results can be cut.
    if (auto result = dyn_cast<RankedTensorType>(op.getResult(0).getType())) {
      int64_t bytes = 0, most = getSharedPieceBytes(op);
      for (Value source : op.getSources())
        bytes += elements * getStorageBytes(cast<RankedTensorType>(source.getType()).getElementType());
      int wanted = 0;
      while (bytes >> wanted > most)
        ++wanted;
      elements >>= tileiras::splitIntoRounds(getLinearLayout(result), wanted).registerBits.size();
    }
    ++numAcrossWarps;
    tileiras::remarks::analysis(op, tileiras::remarks::kMemory, "Reduction")
        << tileiras::remarks::figure("Warps", warps) << tileiras::remarks::figure("Parts", elements)
        << tileiras::remarks::figure("Rounds", whole / elements)
        << tileiras::remarks::because("warps hold different elements of the axis");
    Attribute shared = getSharedLayoutAttr(op.getContext(), tileiras::sharedLayout({int32_t(elements)}, {0}));
    SmallVector<Value> tiles;
    for (Value source : op.getSources()) {
      Type element = cast<RankedTensorType>(source.getType()).getElementType();
      auto tile = RankedTensorType::get({elements}, element, shared);
      tiles.push_back(AllocTensorOp::create(builder, op.getLoc(), tile, IntegerAttr()));
    }
    op.getScratchMutable().assign(tiles);
  }
};

} // namespace
