//===- ShapeLayouts.h - Layouts that shape operations tie together -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_SHAPELAYOUTS_H
#define TILEIRAS_DIALECT_TILEAS_IR_SHAPELAYOUTS_H

#include "mlir/IR/Operation.h"

namespace mlir::nv_tileas {

/// Operations that move no data between threads (views, permutations, broadcasts), whose tiles are in registers: emits
/// an error where a thread would need what another one holds. Of other operations it says nothing.
LogicalResult verifyShapeLayouts(Operation *op);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_SHAPELAYOUTS_H
