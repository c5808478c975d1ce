//===- CudaTileTestingOps.h - Ops for tests only --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_DIALECT_CUDATILE_IR_CUDATILETESTINGOPS_H
#define TILEIRAS_DIALECT_CUDATILE_IR_CUDATILETESTINGOPS_H

#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"

#define GET_OP_CLASSES
#include "tileiras/Dialect/CudaTile/IR/CudaTileTestingOps.h.inc"

namespace mlir::cuda_tile {

/// The option of the testing tools that calls addTestingOps.
inline constexpr llvm::StringLiteral testingOpsFlag = "cuda-tile-testing-ops";

/// Makes the ops for tests part of the dialect in contexts that load it from this registry. Without this, and so in
/// the compiler, the dialect refuses them.
void addTestingOps(DialectRegistry &registry);

} // namespace mlir::cuda_tile

#endif // TILEIRAS_DIALECT_CUDATILE_IR_CUDATILETESTINGOPS_H
