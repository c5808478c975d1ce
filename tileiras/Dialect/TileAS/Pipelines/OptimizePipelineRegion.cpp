//===- OptimizePipelineRegion.cpp - tileas-optimize-pipeline-region -------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What stays in the region of a produce_one or consume_one: what has an effect (handshakes, writes; a read is none),
// what is yielded, and all that is computed from. Definitions are followed up to
//
//   1. values that no operation defines (arguments),
//   2. operations of another region than the body,
//   3. a produce_one, or one of the asynchronous forms: stages pass by tokens.
//
// From the last region to the first: what a region needs of those before it stands while it is looked at.
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/TileASRegions.h"
#include "tileiras/Dialect/TileAS/Pipelines/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/PipelineMisses.h"
#include "tileiras/Remark/Remark.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_OPTIMIZEPIPELINEREGIONPASS
#include "tileiras/Dialect/TileAS/Pipelines/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;

namespace {

/// The operations of a body that have to stay.
class Slice {
public:
  explicit Slice(Block &body) : body(body) {
    for (Operation &op : body)
      if (!wouldOpBeTriviallyDead(&op)) // terminators would not
        add(&op);
    while (!work.empty()) {
      // Also what operations inside of it use.
      work.pop_back_val()->walk([&](Operation *op) {
        for (Value operand : op->getOperands())
          follow(operand);
      });
    }
  }

  bool contains(Operation *op) const { return members.contains(op); }
  size_t size() const { return members.size(); }

private:
  void follow(Value value) {
    Operation *def = value.getDefiningOp();
    if (!def)
      return;
    if (def->getParentRegion() != body.getParent())
      return;
    if (isa<ProduceOneOp, ProduceOneAsyncOp, ConsumeOneAsyncOp>(def))
      return;
    add(def);
  }
  void add(Operation *op) {
    if (members.insert(op).second)
      work.push_back(op);
  }

  Block &body;
  llvm::DenseSet<Operation *> members;
  SmallVector<Operation *> work;
};

struct OptimizePipelineRegionPass : nv_tileas::impl::OptimizePipelineRegionPassBase<OptimizePipelineRegionPass> {
  void runOnOperation() override {
    const PipelineMisses *misses = nullptr;
    if (auto cached = getCachedAnalysis<PipelineMisses>())
      misses = &cached->get();
    SmallVector<Operation *, 48> regions;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isa<ProduceOneOp, ConsumeOneOp>(op) || (misses && misses->isInside(op)))
        return;
      if (!misses && isWaiting(op))
        tileiras::remarks::missed(op, tileiras::remarks::kPipeline, "Region") << tileiras::remarks::because(
            "it is not final: tileas-unspecialized-pipeline has to run right before tileas-optimize-pipeline-region");
      else
        regions.push_back(op);
    });
    for (Operation *op : llvm::reverse(regions))
      shrink(op);
  }

private:
  /// Whether the operation is to be made to run ahead, which makes other regions of it.
  static bool isWaiting(Operation *op) {
    return op->getParentOfType<CountedLoop>() && (op->hasAttr(kPipelineStageAttr) || op->hasAttr("iter_offset"));
  }

  void shrink(Operation *op) {
    Block &body = op->getRegion(0).front();
    Slice slice(body);
    size_t surplus = body.getOperations().size() - slice.size();
    if (!surplus)
      return;
    for (Operation &inner : llvm::make_early_inc_range(llvm::reverse(body)))
      if (!slice.contains(&inner))
        inner.erase();
    ++numShrunk;
    namespace remarks = tileiras::remarks;
    if (auto remark = remarks::passed(op, remarks::kPipeline, "Region"))
      remark << remarks::figure("Removed", int64_t(surplus))
             << remarks::because("nothing that leaves the region is computed from them");
  }
};

} // namespace
