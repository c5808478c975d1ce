//===- Passes.h - Passes on nvgpu -------------------------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_NVGPU_TRANSFORMS_PASSES_H
#define TILEIRAS_DIALECT_NVGPU_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace tileiras {

/// What the operations' own verifiers leave open and the hardware does not; reported at `op`.
mlir::LogicalResult verifySemantics(mlir::Operation *op);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tileiras/Dialect/NVGPU/Transforms/Passes.h.inc"

} // namespace tileiras

#endif // TILEIRAS_DIALECT_NVGPU_TRANSFORMS_PASSES_H
