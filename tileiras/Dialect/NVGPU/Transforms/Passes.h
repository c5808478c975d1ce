//===- Passes.h - Passes on nvgpu -------------------------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_NVGPU_TRANSFORMS_PASSES_H
#define TILEIRAS_DIALECT_NVGPU_TRANSFORMS_PASSES_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
}

namespace tileiras {

/// What the operations' own verifiers leave open and the hardware does not; reported at `op`.
mlir::LogicalResult verifySemantics(mlir::Operation *op);

/// nvgpu-verify-target: the above, and whether the target has what is used.
void registerVerifyTargetPass();

} // namespace tileiras

#endif // TILEIRAS_DIALECT_NVGPU_TRANSFORMS_PASSES_H
