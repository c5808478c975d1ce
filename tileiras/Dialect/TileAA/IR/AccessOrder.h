//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which memory semantics, scopes and modes an access may have: the rules that nv_tileaa and nv_tileas share.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_IR_ACCESSORDER_H
#define TILEIRAS_DIALECT_TILEAA_IR_ACCESSORDER_H

#include "tileiras/Dialect/TileAA/IR/TileAA.h"

namespace mlir::nv_tileaa {

/// Loads may be weak, relaxed or acquire, stores weak, relaxed or release; all but weak ones name a scope.
LogicalResult verifyAccessOrder(Operation *op, MemSemantic semantic, std::optional<MemScope> scope, bool isLoad);

/// Atomics may have any semantics but weak.
LogicalResult verifyAtomicOrder(Operation *op, MemSemantic semantic);

/// For which element types an atomic has this mode (CUDA Tile IR specification, "Atomics").
LogicalResult verifyAtomicMode(Operation *op, RMWMode mode, Type element);

} // namespace mlir::nv_tileaa

#endif // TILEIRAS_DIALECT_TILEAA_IR_ACCESSORDER_H
