//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_TRANSFORMS_PASSES_H
#define TILEIRAS_DIALECT_TILEAA_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace mlir::nv_tileaa {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tileiras/Dialect/TileAA/Transforms/Passes.h.inc"

} // namespace mlir::nv_tileaa

#endif // TILEIRAS_DIALECT_TILEAA_TRANSFORMS_PASSES_H
