//===- NVGPUToNVVM.h - nvgpu and the gpu operations beside it ----*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_NVGPUTONVVM_NVGPUTONVVM_H
#define TILEIRAS_CONVERSION_NVGPUTONVVM_NVGPUTONVVM_H

namespace mlir {
class LLVMTypeConverter;
class RewritePatternSet;
} // namespace mlir

namespace tileiras {

/// What the types of nvgpu are in the llvm dialect. For every conversion that may meet one, in a signature say.
void populateNVGPUTypeConversions(mlir::LLVMTypeConverter &converter);

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_NVGPUTONVVM_NVGPUTONVVM_H
