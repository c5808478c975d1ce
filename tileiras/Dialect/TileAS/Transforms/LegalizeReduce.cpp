//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-legalize-reduce: a reduction whose axis is spread over warps needs
// shared memory. Each warp leaves its partial result there and all read the
// parts back; this pass provides the scratch tiles so that shared-memory assignment
// sees them like any other. Tile: (result elements * warps along the axis).
//
//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Support/ConvertPlan.h"
#include "tileiras/Support/LayoutBuilders.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::LinearLayout;

namespace {

struct LegalizeReducePass : PassWrapper<LegalizeReducePass, OperationPass<nv_tileaa::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LegalizeReducePass)
  StringRef getArgument() const override { return "tileas-legalize-reduce"; }
  StringRef getDescription() const override { return "Give reductions across warps their shared scratch tiles"; }

  void runOnOperation() override {
    if (failed(checkTiles(getOperation(), /*needLayouts=*/true)))
      return signalPassFailure();
    getOperation().walk([&](ReduceOp op) { legalize(op); });
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
    int64_t elements = type.getNumElements() / type.getDimSize(axis) * warps;
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

std::unique_ptr<Pass> nv_tileas::createLegalizeReducePass() { return std::make_unique<LegalizeReducePass>(); }
