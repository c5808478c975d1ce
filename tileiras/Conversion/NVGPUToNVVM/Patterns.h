//===- Patterns.h - Our patterns of convert-nvgpu-to-nvvm -------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_NVGPUTONVVM_PATTERNS_H
#define TILEIRAS_CONVERSION_NVGPUTONVVM_PATTERNS_H

#include "mlir/Conversion/LLVMCommon/Pattern.h"

namespace tileiras {

// One function per file.
void populateBarrierAndTmaPatterns(const mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateTensorMapPatterns(const mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);
void populatePackedPatterns(const mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateWarpPatterns(mlir::RewritePatternSet &patterns);

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_NVGPUTONVVM_PATTERNS_H
