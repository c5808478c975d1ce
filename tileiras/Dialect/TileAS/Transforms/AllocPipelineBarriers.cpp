//===- AllocPipelineBarriers.cpp - tileas-alloc-pipeline-barriers ---------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Two mbarriers per stage are shared memory like any other: a tile of i64, allocated before addresses are given.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Support/LayoutBuilders.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_ALLOCPIPELINEBARRIERSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

struct AllocPipelineBarriersPass : nv_tileas::impl::AllocPipelineBarriersPassBase<AllocPipelineBarriersPass> {
  void runOnOperation() override {
    getOperation().walk([&](CreatePipelineOp op) {
      // A ring of groups has barriers only for stages that products release.
      auto byProducts = [](Operation *user) { return user->hasAttr(kByProductsAttr); };
      if (op.getBarriers() || (op.getGroups() && llvm::none_of(op->getUsers(), byProducts)))
        return;
      numBarriers += 2 * op.getNumStages();
      OpBuilder builder(op);
      // And one pair for a release that gives back nothing (convert-pipeline-to-nvvm).
      int32_t count = llvm::bit_ceil(2 * op.getNumStages() + 2);
      Attribute layout = getSharedLayoutAttr(op.getContext(), tileiras::sharedLayout({count}, {0}));
      auto type = RankedTensorType::get({count}, builder.getI64Type(), layout);
      op.getBarriersMutable().assign(AllocTensorOp::create(builder, op.getLoc(), type, IntegerAttr()).getResult());
    });
  }
};

} // namespace
