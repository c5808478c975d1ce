//===- ShapeLayoutInterface.h - What a dialect of layouts asks of shapes -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_IR_SHAPELAYOUTINTERFACE_H
#define TILEIRAS_DIALECT_TILEAA_IR_SHAPELAYOUTINTERFACE_H

#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/Operation.h"

namespace mlir::nv_tileaa {

/// Views, permutations and broadcasts move no data, so the layouts of their tiles belong together. nv_tileaa does not
/// know what a layout is: the dialect whose attribute is the encoding of the result says whether they do, and the
/// verifiers of the operations ask it. With the encodings of nv_tileas, for example, `permute [1, 0]` of a tile whose
/// lanes hold columns has a result whose lanes hold rows, and any other is refused.
struct ShapeLayoutInterface : DialectInterface::Base<ShapeLayoutInterface> {
  ShapeLayoutInterface(Dialect *dialect) : Base(dialect) {}
  /// Emits an error where the layouts of the first operand and the result of \p op do not belong together.
  virtual LogicalResult verifyShapeLayouts(Operation *op) const = 0;
};

} // namespace mlir::nv_tileaa

#endif // TILEIRAS_DIALECT_TILEAA_IR_SHAPELAYOUTINTERFACE_H
