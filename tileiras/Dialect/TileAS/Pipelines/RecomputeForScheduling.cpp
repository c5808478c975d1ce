//===- RecomputeForScheduling.cpp - tileas-recompute-for-scheduling -------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A value that a stage computes and a later one uses is carried by the loop, once for each iteration between them. What
// is made of the loop's counter and of values from outside by cheap arithmetic is computed again where it is used: each
// operation of a later stage that uses such a value gets it from a clone of its own stage.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Pipelines/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_RECOMPUTEFORSCHEDULINGPASS
#include "tileiras/Dialect/TileAS/Pipelines/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;

namespace {

/// Operations that a value may take to be computed again.
constexpr size_t kMostOps = 8;

class StagedLoop {
public:
  explicit StagedLoop(CountedLoop loop) : loop(loop) {
    for (Operation &op : loop.getBody()->without_terminator())
      if (auto stage = op.getAttrOfType<IntegerAttr>(kPipelineStageAttr))
        last = std::max(last, stage.getInt());
  }
  bool hasStages() const { return last > 0; }
  int64_t stageOf(Operation *op) const {
    auto stage = op->getAttrOfType<IntegerAttr>(kPipelineStageAttr);
    return stage ? stage.getInt() : last; // as tileas-unspecialized-pipeline has it
  }

  /// Returns how many operations were cloned.
  int64_t run() {
    int64_t cloned = 0;
    for (Operation &op : llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
      int64_t stage = stageOf(&op);
      op.walk([&](Operation *inner) {
        for (OpOperand &operand : inner->getOpOperands()) {
          Operation *def = operand.get().getDefiningOp();
          if (!def || def->getBlock() != loop.getBody() || stageOf(def) >= stage)
            continue;
          llvm::SetVector<Operation *> ops;
          if (!collect(def, ops))
            continue;
          IRMapping &map = clones[stage];
          OpBuilder builder(&op);
          for (Operation *again : ops) {
            if (map.contains(again->getResult(0)))
              continue;
            builder.clone(*again, map)->setAttr(kPipelineStageAttr, builder.getI32IntegerAttr(stage));
            ++cloned;
          }
          operand.set(map.lookup(operand.get()));
        }
      });
    }
    return cloned;
  }

private:
  /// What has to be done again, in order; false if that is not cheap.
  bool collect(Operation *op, llvm::SetVector<Operation *> &ops) {
    if (ops.contains(op))
      return true;
    bool cheap = isa_and_nonnull<arith::ArithDialect>(op->getDialect()) ||
                 isa<nv_tileaa::SplatOp, nv_tileaa::MakeRangeOp, nv_tileaa::ConstantTensorOp, nv_tileaa::AddPtrOp>(op);
    if (!cheap || !isPure(op) || op->getNumResults() != 1 || op->getNumRegions())
      return false;
    for (Value operand : op->getOperands()) {
      if (loop.isDefinedOutsideOfLoop(operand) || operand == loop.getInductionVar())
        continue;
      Operation *def = operand.getDefiningOp(); // what the loop carries has one value in each iteration
      if (!def || def->getBlock() != loop.getBody() || !collect(def, ops))
        return false;
    }
    ops.insert(op);
    return ops.size() <= kMostOps;
  }

  CountedLoop loop;
  int64_t last = 0;
  llvm::MapVector<int64_t, IRMapping> clones; ///< by stage
};

struct RecomputeForSchedulingPass : nv_tileas::impl::RecomputeForSchedulingPassBase<RecomputeForSchedulingPass> {
  void runOnOperation() override {
    getOperation().walk([&](CountedLoop loop) {
      if (StagedLoop staged(loop); staged.hasStages())
        numRecomputed += staged.run();
    });
  }
};

} // namespace
