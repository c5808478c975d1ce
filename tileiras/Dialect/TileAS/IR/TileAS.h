//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The nv_tileas dialect: public C++ header.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_TILEAS_H
#define TILEIRAS_DIALECT_TILEAS_IR_TILEAS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/TensorEncoding.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAS/IR/Atoms.h"
#include "tileiras/Support/DotLayouts.h"
#include "tileiras/Support/LinearLayout.h"
#include <optional>

#include "tileiras/Dialect/TileAS/IR/TileASAttrInterfaces.h.inc"
#include "tileiras/Dialect/TileAS/IR/TileASDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "tileiras/Dialect/TileAS/IR/TileASAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tileiras/Dialect/TileAS/IR/AsyncCopyOpInterface.h.inc"
#include "tileiras/Dialect/TileAS/IR/TileASTypes.h.inc"
#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/IR/TileASOps.h.inc"

namespace mlir::nv_tileas {

/// The layout attribute of a tensor type; null when it has none.
LayoutAttrInterface getLayout(Type type);

/// Where a tile lives; nothing for what is no tile with a layout.
std::optional<MemoryKind> getMemory(Type type);
inline bool isIn(Type type, MemoryKind memory) { return getMemory(type) == memory; }

/// The linear layout of a layout-carrying tensor. Register bases are never zero.
tileiras::LinearLayout getLinearLayout(RankedTensorType type);

/// A distributed linear layout as attribute.
Attribute getLayoutAttr(MLIRContext *context, const tileiras::LinearLayout &layout);

/// A shared linear layout ((offset, block) -> coordinates) as attribute.
Attribute getSharedLayoutAttr(MLIRContext *context, const tileiras::LinearLayout &layout);

/// A linear layout of tensor memory ((row, column, block) -> coordinates) as attribute.
Attribute getTensorMemoryLayoutAttr(MLIRContext *context, const tileiras::LinearLayout &layout);

/// The same tensor type with another layout.
RankedTensorType withLayout(RankedTensorType type, Attribute layout);

/// Bytes an element takes in shared memory and in registers (i1 and sub-byte types: 1; pointers: 8).
int64_t getStorageBytes(Type elementType);

/// Bits a number takes in global memory: 4 for 4-bit types, a byte for i1, 32 for tf32.
int64_t getMemoryBits(Type elementType);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEAS_H
