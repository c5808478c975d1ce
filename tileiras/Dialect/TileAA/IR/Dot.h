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

/// Whether a product with scales has pairs of f4E2M1FN as factors: bytes, each of which has two neighbours along k, the
/// first in the low half. That is how such elements lie in memory, and how tcgen05.mma multiplies them (PTX ISA,
/// "tcgen05.mma", packing of 4-bit types for .kind::mxf4). M x K/2 times K/2 x N; the scales count elements.
inline bool isPairOfF4(Type element) { return element.isInteger(8); }

/// Of a product with scales, or of elements that have to have some: the shape of its atom, the k of the instruction in
/// the upper 32 bits and the number of elements with one scale in the lower ones. 0 is no shape: then a diagnostic at
/// `op` has said why. The ranks and extents of a, b and c are those of a product.
uint64_t verifyBlockScaled(Operation *op, RankedTensorType a, RankedTensorType b, RankedTensorType c,
                           RankedTensorType sfa, RankedTensorType sfb);

} // namespace mlir::nv_tileaa

#endif // TILEIRAS_DIALECT_TILEAA_IR_DOT_H
