//===- CudaTileOps.td - All ops of the dialect ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every description ends with a runnable module. Its first lines are a transcript: `// $ tileiras-run NAME.mlir ARGS`,
// then what the command prints. test/Dialect/descriptions.py runs them all and compares.
//
//===----------------------------------------------------------------------===//
include "tileiras/Dialect/CudaTile/IR/CudaTileAggregateOps.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileAtomicOps.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileControlFlowOps.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileConversionOps.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileFloatOps.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileIntegerOps.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileMathOps.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileMatrixOps.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileMemoryOps.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileMiscOps.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileModuleOps.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileShapeOps.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileViewOps.td"
