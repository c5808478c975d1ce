//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes on pipelines that are written down as such (Passes.td).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_PIPELINES_PASSES_H
#define TILEIRAS_DIALECT_TILEAS_PIPELINES_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::nv_tileas {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tileiras/Dialect/TileAS/Pipelines/Passes.h.inc"

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_PIPELINES_PASSES_H
