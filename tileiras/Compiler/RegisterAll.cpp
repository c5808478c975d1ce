//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/Register.h"

#include "mlir/Transforms/Passes.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"
#include "tileiras/Dialect/CudaTile/Transforms/Passes.h"

using namespace mlir;

void tileiras::registerAllDialects(DialectRegistry &registry) { registerCompilerDialects(registry); }

void tileiras::registerAllPasses() {
  cuda_tile::registerHintOptions();
  registerTransformsPasses();
  cuda_tile::registerCudaTilePasses();
  cuda_tile::registerOptimizePipeline();
  registerCompilerPasses();
}
