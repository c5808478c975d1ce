//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The nv_tileaa dialect: public C++ header.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_IR_TILEAA_H
#define TILEIRAS_DIALECT_TILEAA_IR_TILEAA_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tileiras/Dialect/TileAA/IR/ShapeTraits.h"

#include "tileiras/Dialect/TileAA/IR/TileAADialect.h.inc"
#include "tileiras/Dialect/TileAA/IR/TileAAEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "tileiras/Dialect/TileAA/IR/TileAAAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tileiras/Dialect/TileAA/IR/TileAATypes.h.inc"
// After the types, before the operations.
#include "tileiras/Dialect/TileAA/IR/MemoryAccessOpInterface.h.inc"
#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAA/IR/TileAAOps.h.inc"

namespace mlir::nv_tileaa {

/// Discardable attribute names that travel on modules and functions (docs/contract.md).
inline constexpr llvm::StringLiteral kKernelSpecAttr = "nv_tileaa.kernel_spec";
inline constexpr llvm::StringLiteral kOccupancyAttr = "nv_tileaa.occupancy";
/// Unit, on kernels: f32 sums of products of 8-bit floats lose no digits, but for fast_acc (tileaa-expand-ops).
inline constexpr llvm::StringLiteral kExactSumsAttr = "nv_tileaa.exact_sums";
inline constexpr llvm::StringLiteral kComputeCapabilityAttr = "nv_tileaa.compute_capability";
inline constexpr llvm::StringLiteral kTargetSpecAttr = "nv_tileaa.target_spec";

/// Element type of a scalar or ranked tensor.
inline Type getElementTypeOrSelf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getElementType();
  return type;
}

/// compute_capability (major * 10 + minor) and target_spec ("sm_90a") found on `op` or the nearest
/// parent that carries them.
FailureOr<int64_t> getComputeCapability(Operation *op);
FailureOr<StringRef> getTargetSpec(Operation *op);

} // namespace mlir::nv_tileaa

#endif // TILEIRAS_DIALECT_TILEAA_IR_TILEAA_H
