//===- Passes.h - Passes on cuda_tile -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes that take cuda_tile to cuda_tile, and the pipeline made of them. The
// compiler does not run them: they are for front ends, which may optimize
// before they write bytecode (cuda-tile-optimize).
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_DIALECT_CUDATILE_TRANSFORMS_PASSES_H
#define TILEIRAS_DIALECT_CUDATILE_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"
#include <memory>

namespace mlir::cuda_tile {

/// The attribute that overrides loop-split's threshold on an if, its for or its entry; 0 forbids the split.
inline constexpr llvm::StringLiteral loopSplitAttrName = "cuda_tile.loop_split";

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tileiras/Dialect/CudaTile/Transforms/Passes.h.inc"

struct OptimizePipelineOptions : public PassPipelineOptions<OptimizePipelineOptions> {
  Option<int> optLevel{*this, "opt-level", llvm::cl::desc("0 to 3"), llvm::cl::init(3)};
  Option<bool> fuseFma{*this, "fuse-fma", llvm::cl::desc("fuse products and sums; changes rounding"),
                       llvm::cl::init(false)};
  Option<int64_t> splitThreshold{*this, "split-threshold", llvm::cl::desc("see loop-split"), llvm::cl::init(1)};
};

/// [fuse-fma]; from level 1 canonicalize and cse; from 2 loop-invariant-code-motion; from 3 loop-split, canonicalize.
void buildOptimizePipeline(OpPassManager &manager, const OptimizePipelineOptions &options);

/// Makes the pipeline `cuda-tile-optimize{...}` known to command lines.
void registerOptimizePipeline();

} // namespace mlir::cuda_tile

#endif // TILEIRAS_DIALECT_CUDATILE_TRANSFORMS_PASSES_H
