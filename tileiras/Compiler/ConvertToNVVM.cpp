//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileir-convert-to-nvvm: what is left of arith, cf, func, gpu, index, math,
// memref, ub and vector becomes llvm and nvvm, in one conversion.
//
// Upstream's convert-gpu-to-nvvm does nearly this, but asks for a second entry
// point with a C interface per func.func, and forbids the LLVM math intrinsics
// that tileir-legalize-math has chosen.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/Passes.h"

#include "mlir/Analysis/DataLayoutAnalysis.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "tileiras/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "tileiras/Dialect/NVGPU/Contract.h"

namespace tileiras {
#define GEN_PASS_DEF_CONVERTTONVVMPASS
#include "tileiras/Compiler/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

/// Whether every memref in the signature can be one pointer: nothing about it is known only at run time.
bool takesBarePointers(FunctionOpInterface function) {
  return llvm::all_of(function.getArgumentTypes(), [](Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    return !isa<UnrankedMemRefType>(type) && (!memref || LLVMTypeConverter::canConvertToBarePtr(memref));
  });
}

bool allOf(gpu::GPUModuleOp module, bool (*holds)(FunctionOpInterface)) {
  return llvm::all_of(module.getOps<FunctionOpInterface>(), holds);
}

/// A tensor map may itself be the kernel's parameter. nvvm.grid_constant, which says so, may stand on llvm.func only;
/// what says so before is lost in the conversion, which keeps attributes of functions, though. So it is noted there, by
/// the numbers that the parameters will have.
void noteGridConstants(gpu::GPUModuleOp module, LLVMTypeConverter &converter, bool bare) {
  for (auto func : module.getOps<gpu::GPUFuncOp>()) {
    FunctionType type = func.getFunctionType();
    TypeConverter::SignatureConversion signature(type.getNumInputs());
    SmallVector<int32_t> numbers;
    for (unsigned i = 0; i < type.getNumInputs(); ++i) {
      if (!func.getArgAttr(i, kGridConstantAttr))
        continue;
      if (numbers.empty() && !converter.convertFunctionSignature(type, /*isVariadic=*/false, bare, signature))
        return; // the conversion will say what is wrong
      numbers.push_back(signature.getInputMapping(i)->inputNo);
    }
    if (!numbers.empty())
      func->setAttr(kGridConstantAttr, DenseI32ArrayAttr::get(func.getContext(), numbers));
  }
}

/// The parameter is .param .align 64 .b8 p[128].
void makeGridConstants(gpu::GPUModuleOp module) {
  module.walk([](LLVM::LLVMFuncOp func) {
    auto numbers = dyn_cast_or_null<DenseI32ArrayAttr>(func->removeAttr(kGridConstantAttr));
    Builder b(func.getContext());
    for (int32_t i : numbers ? numbers.asArrayRef() : ArrayRef<int32_t>()) {
      func.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(64));
      func.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(),
                      TypeAttr::get(LLVM::LLVMArrayType::get(b.getI8Type(), 128)));
      func.setArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName(), b.getUnitAttr());
    }
  });
}

struct ConvertToNVVMPass : impl::ConvertToNVVMPassBase<ConvertToNVVMPass> {
  using Base::Base;

  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    MLIRContext *context = &getContext();

    LowerToLLVMOptions options(context, DataLayout(module));
    if (indexBitwidth != 0)
      options.overrideIndexBitwidth(indexBitwidth);
    options.useBarePtrCallConv = allOf(module, takesBarePointers);
    LLVMTypeConverter converter(context, options);
    configureGpuToNVVMTypeConverter(converter);
    populateNVGPUTypeConversions(converter);
    converter.addConversion([](gpu::MMAMatrixType type) -> Type { return convertMMAToLLVMType(type); });

    noteGridConstants(module, converter, options.useBarePtrCallConv);
    RewritePatternSet patterns(context);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns, /*approximateLog1p=*/false);
    // Where both have a pattern for a math function, libdevice is meant: NVPTX has no instruction for most of
    // LLVM's intrinsics.
    populateGpuToNVVMConversionPatterns(converter, patterns, /*benefit=*/10);
    populateGpuSubgroupReduceOpLoweringPattern(converter, patterns);
    populateGpuWMMAToNVVMConversionPatterns(converter, patterns);

    ConversionTarget target(*context);
    target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
    target.addLegalOp<gpu::GPUModuleOp, UnrealizedConversionCastOp>();
    target.addIllegalDialect<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect, gpu::GPUDialect,
                             index::IndexDialect, math::MathDialect, memref::MemRefDialect, ub::UBDialect,
                             vector::VectorDialect>();
    target.addLegalOp<gpu::GPUModuleOp>();
    if (failed(applyPartialConversion(module, target, std::move(patterns))))
      return signalPassFailure();
    makeGridConstants(module);
  }
};

} // namespace

} // namespace tileiras
