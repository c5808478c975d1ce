//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the matrix products of nv_tileaa and nv_tileas have in common.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_IR_DOT_H
#define TILEIRAS_DIALECT_TILEAA_IR_DOT_H

#include "tileiras/Dialect/TileAA/IR/TileAA.h"

namespace mlir::nv_tileaa {

/// Checks ranks, extents and element types of a product; the scales may be null (both).
LogicalResult verifyDot(Operation *op, RankedTensorType a, RankedTensorType b, RankedTensorType c, RankedTensorType sfa,
                        RankedTensorType sfb);

} // namespace mlir::nv_tileaa

#endif // TILEIRAS_DIALECT_TILEAA_IR_DOT_H
