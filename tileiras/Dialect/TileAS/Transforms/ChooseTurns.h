//===- ChooseTurns.h - tileas-choose-turns ----------------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_CHOOSETURNS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_CHOOSETURNS_H

#include "mlir/Pass/Pass.h"

namespace mlir::nv_tileas {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tileiras/Dialect/TileAS/Transforms/ChooseTurns.h.inc"

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_CHOOSETURNS_H
