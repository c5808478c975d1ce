//===- AxisInfoTransfer.h - How operations change axis information --------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Private to the analysis.
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_ANALYSIS_AXISINFOTRANSFER_H
#define TILEIRAS_DIALECT_TILEAA_ANALYSIS_AXISINFOTRANSFER_H

#include "tileiras/Dialect/TileAA/Analysis/AxisInfo.h"

namespace mlir::nv_tileaa {

/// What `op`, with one result, makes of its operands. All operands are initialized.
AxisInfo transferAxisInfo(Operation *op, ArrayRef<const AxisInfo *> operands);

/// Shape operations (AxisInfoShape.cpp); nullopt for any other operation.
std::optional<AxisInfo> transferShapeOp(Operation *op, ArrayRef<const AxisInfo *> operands);

/// The induction variable of a loop from `lower` with `step`.
AxisInfo inductionAxisInfo(const AxisInfo &lower, const AxisInfo &step, bool isSigned);

/// Largest power of two that divides `value`.
int64_t largestPowerOfTwoDivisor(int64_t value);

/// Bytes between neighbours for an element type: pointers, else 1. Sub-byte pointees give 0: two share a byte.
int64_t getAddressUnit(Type elementType);

/// Information on a constant; nullopt when the attribute is not one of numbers.
std::optional<AxisInfo> constantAxisInfo(Attribute value, Type type);

} // namespace mlir::nv_tileaa

#endif // TILEIRAS_DIALECT_TILEAA_ANALYSIS_AXISINFOTRANSFER_H
