//===- Register.cpp - The passes' registration and the optimizer pipeline -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Dialect/CudaTile/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void cuda_tile::buildOptimizePipeline(OpPassManager &manager, const OptimizePipelineOptions &options) {
  // None of these passes asks for a particular operation, so the pipeline fits any anchor.
  if (options.fuseFma)
    manager.addPass(createFuseFmaPass());
  if (options.optLevel >= 1) {
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createCSEPass());
  }
  if (options.optLevel >= 2)
    manager.addPass(createLoopInvariantCodeMotionPass());
  if (options.optLevel >= 3) {
    manager.addPass(createLoopSplitPass({options.splitThreshold}));
    manager.addPass(createCanonicalizerPass());
  }
}

void cuda_tile::registerOptimizePipeline() {
  PassPipelineRegistration<OptimizePipelineOptions>(
      "cuda-tile-optimize", "What a front end may run before it writes bytecode", buildOptimizePipeline);
}
