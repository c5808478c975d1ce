//===- PlanCTA.cpp - tileas-plan-cta --------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Layouts of tiles that the blocks of a cluster divide.
//
// Conversions that say in which direction they want to go (`plancta.direction`) are on their way until they meet
// (DirectedConversions.h).
//
// Two blocks that divide the rows of products in tensor memory multiply together (PairProducts.h): the right factor's
// layout gets a basis of `block`, from the product back to the loads that fill it. What one of several tests refuses
// stays as it is, with a remark; then its loads may still be shared (tileas-multicast-loads).
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/ExecutionContext.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/DirectedConversions.h"
#include "tileiras/Dialect/TileAS/Transforms/PairProducts.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/TargetTable.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_PLANCTAPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
namespace remarks = tileiras::remarks;

namespace {

struct PlanCTAPass : nv_tileas::impl::PlanCTAPassBase<PlanCTAPass> {
  void runOnOperation() override {
    nv_tileaa::FuncOp func = getOperation();
    int32_t blocks = ExecutionContext::of(func.getOperation()).numCtas;
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(func);
    if (blocks == 1 || !target)
      return markAllAnalysesPreserved();
    int64_t moved = 0;
    if (failed(moveDirectedConversions(func, moved)))
      return signalPassFailure();
    numMoved += moved;
    if (blocks == 2 && target->hasTcgen05() && func->hasAttr(kDividedClusterAttr))
      planPairs(func);
  }

private:
  void planPairs(nv_tileaa::FuncOp func) {
    int64_t products = 0;
    std::string why = pairProducts(func, products);
    numPairs += products;
    if (!why.empty())
      remarks::missed(func, remarks::kProduct, "Pairs")
          << remarks::figure("Alternatives", "each block multiplies by itself") << remarks::because(why);
    else if (products)
      remarks::passed(func, remarks::kProduct, "Pairs")
          << remarks::figure("Products", products) << remarks::figure("Alternatives", "each block multiplies by itself")
          << remarks::because("two blocks multiply together, and each has half of the right factor");
  }
};

} // namespace
