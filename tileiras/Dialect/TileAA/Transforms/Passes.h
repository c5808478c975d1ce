//===- Passes.h - Passes of nv_tileaa ----------------------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_TRANSFORMS_PASSES_H
#define TILEIRAS_DIALECT_TILEAA_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::nv_tileaa {

/// tileaa-expand-ops: operations that others can express (clampf, generate, histogram, pragma, calls, annotations)
/// are expressed by them; those that nothing lowers yet are refused by name.
std::unique_ptr<Pass> createExpandOpsPass();

void registerTileAAPasses();

} // namespace mlir::nv_tileaa

#endif // TILEIRAS_DIALECT_TILEAA_TRANSFORMS_PASSES_H
