//===- DirectedConversions.h - Conversions that are on their way -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A convert_layout with a direction moves through the function until it meets one that undoes it, or something that has
// no layout of its own:
//
//     %y = convert_layout %x {plancta.direction = "backward"}      what computes %x computes it in the layout of %y;
//                                                                  its operands are converted, backward
//     %y = convert_layout %x {plancta.direction = "forward"}       who uses %y uses %x; results are converted, forward
//
// Where directions meet (convert_layout of a convert_layout), one conversion is left, or none. Loads, constants and
// numbers have any layout that is asked for. What a loop carries, reductions and stores stop a conversion: it stays
// there, without direction. No operation changes its layout twice, so all come to an end.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_DIRECTEDCONVERSIONS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_DIRECTEDCONVERSIONS_H

#include "tileiras/Dialect/TileAA/IR/TileAA.h"

namespace mlir::nv_tileas {

/// Moves all of them. Fails with a diagnostic if a direction is none. `numMoved`: operations that have another layout.
LogicalResult moveDirectedConversions(nv_tileaa::FuncOp func, int64_t &numMoved);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_DIRECTEDCONVERSIONS_H
