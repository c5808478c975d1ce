//===- CudaTileToTileAA.h - From the public dialect to nv_tileaa ----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// convert-cudatile-to-tileaa: the front door of the compiler.
//
//   cuda_tile.module @m { entry @k ... }   ->   gpu.module @m { nv_tileaa.func @k ... }
//
// Tiles become builtin tensors (rank 0: scalars). Arithmetic becomes arith and math where those mean exactly the
// same, nv_tileaa operations where a rounding mode, flush to zero or a format asks for more. Control flow with
// early exits becomes structured scf.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_CUDATILETOTILEAA_CUDATILETOTILEAA_H
#define TILEIRAS_CONVERSION_CUDATILETOTILEAA_CUDATILETOTILEAA_H

#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace mlir {

struct ConvertCudaTileToTileAAOptions {
  /// Any name of a target: "sm_90", "sm_90a", "90".
  std::string computeCapability;
  /// For entries whose optimization hints do not say; 0: as many as their tiles need.
  int numWarps = 0;
  int numCTAs = 1;
};

std::unique_ptr<Pass> createConvertCudaTileToTileAAPass();
std::unique_ptr<Pass> createConvertCudaTileToTileAAPass(const ConvertCudaTileToTileAAOptions &options);
void registerConvertCudaTileToTileAAPass();

} // namespace mlir

#endif // TILEIRAS_CONVERSION_CUDATILETOTILEAA_CUDATILETOTILEAA_H
