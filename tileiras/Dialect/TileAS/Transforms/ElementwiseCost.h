//===- ElementwiseCost.h - What arithmetic on tiles costs -------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Arithmetic, element by element, as the unit that does it and the cycles that a multiprocessor takes
// (Schedule/MachineModel.h). Operations of nv_tileaa and of nv_tileas.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ELEMENTWISECOST_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ELEMENTWISECOST_H

#include "mlir/IR/Operation.h"
#include "tileiras/Schedule/MachineModel.h"

namespace mlir::nv_tileas {

struct ElementwiseCost {
  tileiras::schedule::Slot unit;
  double cycles;
};

/// Of an operation that computes `elements` elements.
ElementwiseCost getElementwiseCost(Operation *op, double elements, const tileiras::schedule::TargetCosts &costs);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ELEMENTWISECOST_H
