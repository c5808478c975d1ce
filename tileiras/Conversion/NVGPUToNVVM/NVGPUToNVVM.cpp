//===- NVGPUToNVVM.cpp - The convert-nvgpu-to-nvvm pass -------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One sweep, one stateless pattern per operation, benefit 1: MLIR's patterns for what MLIR does right, ours for the
// operations it lacks (docs/seeds.md: nvgpu, "Pattern-Set Construction").
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"

#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tileiras/Conversion/NVGPUToNVVM/Overrides.h"
#include "tileiras/Conversion/NVGPUToNVVM/Patterns.h"
#include "tileiras/Conversion/Passes.h"

namespace tileiras {
#define GEN_PASS_DEF_CONVERTNVGPUTONVVMPASS
#include "tileiras/Conversion/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {

void populateNVGPUTypeConversions(LLVMTypeConverter &converter) {
  nvgpu::populateCommonGPUTypeAndAttributeConversions(converter);
  // Memory holds f32; only the product reads it as tf32.
  converter.addConversion([](FloatTF32Type type) -> Type { return Float32Type::get(type.getContext()); });
  // Tokens order, they carry no data; the LLVM type only has to exist while casts are resolved.
  converter.addConversion(
      [](nvgpu::DeviceAsyncTokenType type) -> Type { return IntegerType::get(type.getContext(), 32); });
  converter.addConversion(
      [](nvgpu::MBarrierTokenType type) -> Type { return IntegerType::get(type.getContext(), 64); });
  converter.addConversion(
      [](nvgpu::WarpgroupMatrixDescriptorType type) -> Type { return IntegerType::get(type.getContext(), 64); });
  converter.addConversion(
      [](nvgpu::TensorMapDescriptorType type) -> Type { return LLVM::LLVMPointerType::get(type.getContext()); });
  converter.addConversion([&converter](nvgpu::MBarrierGroupType type) -> Type {
    return converter.convertType(nvgpu::getMBarrierMemrefType(type.getContext(), type));
  });
  // A struct per 64 rows, of a register per element a thread holds of them: every wgmma of 64 rows spreads over 128
  // threads (PTX ISA, "Register Fragments for wgmma.mma_async").
  converter.addConversion([](nvgpu::WarpgroupAccumulatorType type) -> std::optional<Type> {
    VectorType fragmented = type.getFragmented();
    Type element = fragmented.getElementType();
    if (fragmented.getRank() != 2 || !element.isIntOrFloat())
      return std::nullopt;
    int64_t registers = fragmented.getDimSize(1) / 2;
    if (element.isF16()) { // two to a register
      registers /= 2;
      element = IntegerType::get(type.getContext(), 32);
    }
    auto slice = LLVM::LLVMStructType::getLiteral(type.getContext(), SmallVector<Type>(registers, element));
    return LLVM::LLVMStructType::getLiteral(
        type.getContext(), SmallVector<Type>(llvm::divideCeil(fragmented.getDimSize(0), kWgmmaSizeM), slice));
  });
}

namespace {

struct ConvertNVGPUToNVVMPass : impl::ConvertNVGPUToNVVMPassBase<ConvertNVGPUToNVVMPass> {
  void runOnOperation() override {
    branchOnPredicates(getOperation());
    MLIRContext *context = &getContext();
    LLVMTypeConverter converter(context, LowerToLLVMOptions(context));
    populateNVGPUTypeConversions(converter);

    RewritePatternSet patterns(context);
    populateNVGPUToNVVMConversionPatterns(converter, patterns);
    overridePatterns(converter, patterns);
    populateTensorMapPatterns(converter, patterns);
    populatePackedPatterns(converter, patterns);
    populateWarpPatterns(patterns);

    LLVMConversionTarget target(*context);
    target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect, arith::ArithDialect, memref::MemRefDialect>();
    target.addLegalDialect<vector::VectorDialect>();
    target.addIllegalDialect<nvgpu::NVGPUDialect>();
    target.addIllegalOp<gpu::WarpExecuteOnLane0Op>();
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

} // namespace tileiras
