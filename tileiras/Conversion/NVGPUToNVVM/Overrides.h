//===- Overrides.h - Our patterns in place of MLIR's ------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What MLIR's convert-nvgpu-to-nvvm gets wrong or leaves out, operation by operation (docs/upstream-mlir.md).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_NVGPUTONVVM_OVERRIDES_H
#define TILEIRAS_CONVERSION_NVGPUTONVVM_OVERRIDES_H

#include "mlir/Conversion/LLVMCommon/Pattern.h"

namespace tileiras {

void populateHostDescriptorPatterns(const mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateMatrixProductPatterns(const mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateWarpgroupPatterns(const mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);

/// Takes MLIR's patterns for the operations we convert ourselves out of the set and puts ours in, so that there
/// remains one pattern for each operation.
void overridePatterns(const mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);

/// Predicated operations become unpredicated ones under a condition.
void branchOnPredicates(mlir::Operation *root);

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_NVGPUTONVVM_OVERRIDES_H
