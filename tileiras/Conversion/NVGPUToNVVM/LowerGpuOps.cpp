//===- LowerGpuOps.cpp - The tileir-lower-gpu-ops pass --------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The gpu operations that have no instruction of their own become some that have: a reduction over a block one over
// warps and shared memory, a reduction over a warp shuffles, a global id block ids. Only the uniform reduction of i32
// stays: it is one redux.sync.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tileiras/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"

using namespace mlir;

namespace tileiras {
namespace {

constexpr unsigned kLanes = 32, kShuffleBits = 32;

/// What redux.sync computes (PTX ISA, "redux.sync"; sm_80 and later).
bool isRedux(gpu::SubgroupReduceOp op) {
  return op.getUniform() && op.getType().isInteger(32) && !op.getClusterSize();
}

class LowerGpuOps : public PassWrapper<LowerGpuOps, OperationPass<gpu::GPUModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerGpuOps)

  StringRef getArgument() const override { return "tileir-lower-gpu-ops"; }
  StringRef getDescription() const override { return "Spell out the gpu operations that are no instruction"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect, index::IndexDialect, memref::MemRefDialect,
                    scf::SCFDialect, vector::VectorDialect>();
  }

  void runOnOperation() override {
    GreedyRewriteConfig config;
    config.enableFolding(false).setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);

    // The reduction over a block rewrites its whole function, so it goes first and alone.
    RewritePatternSet blocks(&getContext());
    populateGpuRewritePatterns(blocks);
    populateGpuSubgroupIdPatterns(blocks);
    (void)applyPatternsGreedily(getOperation(), std::move(blocks), config);

    SmallVector<Operation *> reductions;
    getOperation()->walk([&](gpu::SubgroupReduceOp op) {
      if (!isRedux(op))
        reductions.push_back(op);
    });
    if (reductions.empty())
      return;
    RewritePatternSet warps(&getContext());
    populateGpuBreakDownSubgroupReducePatterns(warps, kShuffleBits, PatternBenefit(2));
    populateGpuLowerSubgroupReduceToShufflePatterns(warps, kLanes, kShuffleBits);
    populateGpuLowerClusteredSubgroupReduceToShufflePatterns(warps, kLanes, kShuffleBits);
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    (void)applyOpPatternsGreedily(reductions, std::move(warps), config);
  }
};

} // namespace

void registerLowerGpuOpsPass() { PassRegistration<LowerGpuOps>(); }

} // namespace tileiras
