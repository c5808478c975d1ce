//===- Cutlass.h - The cutlass dialect --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUTLASS_IR_CUTLASS_H
#define TILEIRAS_DIALECT_CUTLASS_IR_CUTLASS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <optional>

#include "tileiras/Dialect/Cutlass/IR/CutlassDialect.h.inc"
#include "tileiras/Dialect/Cutlass/IR/CutlassEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "tileiras/Dialect/Cutlass/IR/CutlassAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tileiras/Dialect/Cutlass/IR/CutlassTypes.h.inc"
#define GET_OP_CLASSES
#include "tileiras/Dialect/Cutlass/IR/CutlassOps.h.inc"

namespace mlir::cutlass {

/// The numbers that the parameters of a scheduler consist of, in this order.
enum Params { TilesM, TilesN, TilesL, KTiles, Units, StreamKTiles, kNumParams };
/// The numbers that work consists of. `Left` are the steps along k that a block has to compute yet, `Next` the number
/// of the whole tile that comes behind them (of SM100: how many answers have been read).
enum Info { M, N, L, KStart, KCount, Valid, Tile, Left, Next, kNumInfo };

/// Which number has the name, if one has.
std::optional<Params> getParam(StringRef name);
std::optional<Info> getInfo(StringRef name);

/// Of a named barrier and how many threads meet there, if they are known; both or neither are there.
LogicalResult verifyNamed(Operation *op, Value id, Value threads);
/// Of a barrier of words in global memory.
LogicalResult verifyGeneric(Operation *op, Value flags, Value id, Value threads);

/// Elements that a thread moves at once of a fragment: a power of two that divides it, up to 16 bytes.
int64_t getStripedPiece(VectorType fragment);

} // namespace mlir::cutlass

#endif // TILEIRAS_DIALECT_CUTLASS_IR_CUTLASS_H
