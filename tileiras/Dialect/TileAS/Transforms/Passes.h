//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes of nv_tileas, under their contract names (docs/contract.md).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PASSES_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace mlir::nv_tileas {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PASSES_H
