//===- Register.cpp - Everything the tools know ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Compiler/Register.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/Passes.h"

#include "tileiras/Conversion/TileAAToTileAS/TileAAToTileAS.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"
#include "tileiras/Dialect/TileAA/Analysis/AxisInfo.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"

using namespace mlir;

void tileiras::registerAllDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                  math::MathDialect, memref::MemRefDialect, nvgpu::NVGPUDialect, NVVM::NVVMDialect, scf::SCFDialect,
                  vector::VectorDialect>();
  registry.insert<cuda_tile::CudaTileDialect>();
  registry.insert<nv_tileaa::TileAADialect>();
  registry.insert<nv_tileas::TileASDialect>();
}

void tileiras::registerAllPasses() {
  cuda_tile::registerHintOptions();
  mlir::registerTransformsPasses();
  registerConvertTileAAToTileASPass();
  registerTestPrintAxisInfoPass();
  nv_tileas::registerTileASPasses();
}
