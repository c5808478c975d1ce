//===- CudaTile.h - The public cuda_tile dialect --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Dialect, types, attributes and ops of CUDA Tile IR 13.4 (a superset of 13.1-13.3). Accessors carry the public
// attribute and operand names.
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_DIALECT_CUDATILE_IR_CUDATILE_H
#define TILEIRAS_DIALECT_CUDATILE_IR_CUDATILE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tileiras/Dialect/CudaTile/IR/CudaTileDialect.h.inc"
#include "tileiras/Dialect/CudaTile/IR/CudaTileEnums.h.inc"

namespace mlir::cuda_tile {
class TileType;
class TensorViewType;
class PaddingValueAttr;
} // namespace mlir::cuda_tile

#include "tileiras/Dialect/CudaTile/IR/CudaTileAttrInterfaces.h.inc"
#define GET_ATTRDEF_CLASSES
#include "tileiras/Dialect/CudaTile/IR/CudaTileAttrs.h.inc"
#include "tileiras/Dialect/CudaTile/IR/CudaTileTypeInterfaces.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tileiras/Dialect/CudaTile/IR/CudaTileTypes.h.inc"

namespace mlir::cuda_tile {

/// Classes of tile element types.
bool isInt(Type type); // i1 i8 i16 i32 i64
bool isIntOrI4(Type type);
bool isIntUpTo32(Type type); // i1 i8 i16 i32
bool isBaseFloat(Type type); // f16 bf16 f32 f64
bool isFloat(Type type);     // the above, tf32 and the 8- and 4-bit formats
bool isNumber(Type type);    // what memory can hold
bool isNumberOrI4(Type type);
bool isPointer(Type type);
bool isI1(Type type);
bool isI8(Type type);
bool isI32(Type type);
bool isI64(Type type);
bool isF32(Type type);
bool isMmaFOperand(Type type);
bool isMmaFAcc(Type type);
bool isMmaFScaledOperand(Type type);
bool isMmaFScaledScale(Type type);

/// Whether `type` is a tile (of rank 0) whose element type satisfies the predicate.
bool isTileOf(Type type, bool (*element)(Type));
bool isScalarTileOf(Type type, bool (*element)(Type));

/// Bits that one element takes in memory: tf32 takes 32, i1 takes 8, pointers 64.
unsigned getStorageBits(Type elementType);

/// Parses a type in its short (`tile<4xf32>`) or long (`!cuda_tile.tile<4xf32>`) spelling, or a builtin type.
ParseResult parseCudaTileType(AsmParser &parser, Type &type);
/// Prints cuda_tile types in the short spelling.
void printCudaTileType(AsmPrinter &printer, Type type);

/// Registers the command-line options -Wunsupported-hints and -Werr-hints, which dialects loaded afterwards obey.
void registerHintOptions();

} // namespace mlir::cuda_tile

#define GET_OP_CLASSES
#include "tileiras/Dialect/CudaTile/IR/CudaTileOps.h.inc"

#endif // TILEIRAS_DIALECT_CUDATILE_IR_CUDATILE_H
