//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/Register.h"

#include "tileiras/Compiler/Passes.h"
#include "tileiras/Compiler/Pipelines.h"
#include "tileiras/Conversion/CuteToLLVM/CuteToLLVM.h"
#include "tileiras/Conversion/CutlassToNVVM/CutlassToNVVM.h"
#include "tileiras/Conversion/Passes.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"
#include "tileiras/Dialect/Cute/IR/Cute.h"
#include "tileiras/Dialect/Cutlass/IR/Cutlass.h"
#include "tileiras/Dialect/NVGPU/IR/NVGPUExtension.h"
#include "tileiras/Dialect/NVGPU/Transforms/Passes.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAA/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Dialect/TileAS/Pipelines/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/ChooseTurns.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"
#include <mutex>

using namespace mlir;

namespace tileiras {

void registerCompilerDialects(DialectRegistry &registry) {
  registry.insert<cuda_tile::CudaTileDialect, nv_tileaa::TileAADialect, nv_tileas::TileASDialect>();
  registry.insert<mlir::cute::CuteDialect, mlir::cute_nvgpu::CuteNvgpuDialect, mlir::cutlass::CutlassDialect>();
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect, gpu::GPUDialect, index::IndexDialect,
                  LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect, NVVM::NVVMDialect, scf::SCFDialect,
                  ub::UBDialect, vector::VectorDialect>();

  mlir::nvgpu::registerNVGPUExtension(registry);

  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  registerFactTranslation(registry);
}

/// Another spelling of a registered pass, with the same options.
static void registerPassAlias(llvm::StringLiteral alias, llvm::StringLiteral pass) {
  auto add = [pass](OpPassManager &manager, StringRef options, function_ref<LogicalResult(const Twine &)> onError) {
    return PassInfo::lookup(pass)->addToPipeline(manager, options, onError);
  };
  registerPassPipeline(alias, pass, add, [](function_ref<void(const mlir::detail::PassOptions &)>) {});
}

void registerCompilerPasses() {
  static std::once_flag once;
  std::call_once(once, [] {
    registerTileirasConversionPasses();
    registerTileirasCompilerPasses();
    registerVerifyTargetPass();
    registerConvertCuteToLLVMPass();
    registerConvertCutlassToNVVMPass();
    nv_tileaa::registerTileAAPasses();
    nv_tileas::registerTileASPasses();
    nv_tileas::registerTileASPipelinePasses();
    nv_tileas::registerTileASTurnsPasses();
    registerPassAlias("convert-tileas-to-llvm", "convert-nv-tileas-to-llvm");
    registerPassAlias("tileas-slice-and-fuse", "tileas-slice-tiles");
    registerPassAlias("tileas-slicing", "tileas-slice-tiles");
    registerPassAlias("tileas-generate-schedule-constraints", "tileas-generate-schedule");
    registerPassAlias("convert-target-to-nvvm", "nv-tile-ir-convert-target-to-nvvm");
    registerTileIRPipelines();

    registerPass([] { return arith::createIntRangeOptimizationsPass(); });
    registerPass([] { return createCanonicalizerPass(); });
    registerPass([] { return createCSEPass(); });
    registerPass([] { return createSCFToControlFlowPass(); });
    registerPass([] { return createConvertVectorToSCFPass(); });
    registerPass([] { return createLowerAffinePass(); });
    registerPass([] { return memref::createExpandStridedMetadataPass(); });
    registerPass([] { return createConvertNVVMToLLVMPass(); });
    registerPass([] { return createReconcileUnrealizedCastsPass(); });
    registerPass([] { return LLVM::createDIScopeForLLVMFuncOpPass(); });
  });
}

} // namespace tileiras
