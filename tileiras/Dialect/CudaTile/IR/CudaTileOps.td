//===- CudaTileOps.td - All ops of the dialect ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
include "tileiras/Dialect/CudaTile/IR/CudaTileArithOps.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileControlFlowOps.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileConversionOps.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileCoreOps.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileMemoryOps.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileMiscOps.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileViewOps.td"
