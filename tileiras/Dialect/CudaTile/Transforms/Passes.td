//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes on cuda_tile, which a front end may run before it writes bytecode.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUDATILE_TRANSFORMS_PASSES
#define TILEIRAS_DIALECT_CUDATILE_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def FuseFmaPass : Pass<"fuse-fma"> {
  let summary = "Fuse products and sums into fma (changes rounding)";
  let description = [{
    A product that is used once, by a sum or difference with the same modes, becomes part of an `fma`, which rounds
    once.

    ```mlir
    %p = mulf %a, %b rounding<nearest_even> : tile<8xf32>
    %s = addf %p, %c rounding<nearest_even> : tile<8xf32>
    // becomes
    %s = fma %a, %b, %c rounding<nearest_even> : tile<8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::cuda_tile::CudaTileDialect"];
}

def LoopSplitPass : Pass<"loop-split"> {
  let summary = "Split loops at comparisons of their index with an invariant";
  let description = [{
    A loop that branches on a comparison of its index with a value from outside becomes two loops that do not branch.
    The attribute `cuda_tile.loop_split` on the `if`, its `for` or its entry overrides the threshold there; 0 forbids
    the split.
  }];
  let dependentDialects = ["::mlir::cuda_tile::CudaTileDialect"];
  let options = [Option<"splitThreshold", "split-threshold", "int64_t", /*default=*/"1",
                        "least number of operations in a branch; 0 splits nothing">];
  let statistics = [Statistic<"numSplit", "num-split", "Loops that became two">];
}

def SynthesizeDebugInfoScopesPass : Pass<"synthesize-debug-info-scopes", "::mlir::cuda_tile::ModuleOp"> {
  let summary = "Make debug-info scopes from plain source positions";
  let description = [{
    Functions whose operations have source positions and no scopes get a file, a compile unit and a subprogram, and
    every position the scope of its function.
  }];
  let dependentDialects = ["::mlir::cuda_tile::CudaTileDialect"];
}

#endif // TILEIRAS_DIALECT_CUDATILE_TRANSFORMS_PASSES
