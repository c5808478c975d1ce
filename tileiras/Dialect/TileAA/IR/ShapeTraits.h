//===- ShapeTraits.h - What an operation does to a shape --------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Traits of operations that some analysis of this dialect follows and that have a name of their own at the nv_tileas
// stage, which this dialect does not know.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_IR_SHAPETRAITS_H
#define TILEIRAS_DIALECT_TILEAA_IR_SHAPETRAITS_H

#include "mlir/IR/OpDefinition.h"

namespace mlir::nv_tileaa {

/// Element n of the source in row-major order is element n of the result: `view`.
template <typename Op> class ReshapesRowMajor : public OpTrait::TraitBase<Op, ReshapesRowMajor> {};

/// The result is one of the blocks of its own shape that the source is cut into: `extract_slice`.
template <typename Op> class TakesBlock : public OpTrait::TraitBase<Op, TakesBlock> {};

/// The result is the source, element by element, held by other threads: `convert_layout`.
template <typename Op> class KeepsElements : public OpTrait::TraitBase<Op, KeepsElements> {};

} // namespace mlir::nv_tileaa

#endif // TILEIRAS_DIALECT_TILEAA_IR_SHAPETRAITS_H
