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

/// How many neighbouring elements one instruction combines with memory at most, where nobody asks for the old values
/// and the target has vectors of them: 16 bytes of f32, f16 and bf16, which are added (PTX ISA, "red", .vec_32_bit). 1:
/// one at a time. Each element is an atomic access of its own (PTX ISA, "Memory Consistency Model", vector and packed
/// types). Ordered ones stay one by one.
int64_t widestReduction(RMWMode mode, MemSemantic semantic, Type element);

} // namespace mlir::nv_tileaa

#endif // TILEIRAS_DIALECT_TILEAA_IR_ACCESSORDER_H
