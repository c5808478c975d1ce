//===- ScaleColumns.h - Where products have their scales --------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Products whose unit multiplies by scales in tensor memory (Support/Tcgen05Scales.h) write them there themselves,
// before each of them: those of A, then those of B.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_SCALECOLUMNS_H
#define TILEIRAS_DIALECT_TILEAS_IR_SCALECOLUMNS_H

#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Support/Tcgen05Scales.h"

namespace mlir::nv_tileas {

/// The scales of both factors of a product that has some, in tensor memory.
inline std::pair<tileiras::Tcgen05Scales, tileiras::Tcgen05Scales> getScales(DotOp dot) {
  tileiras::DotShape shape = getDotShape(dot);
  int32_t count = cast<RankedTensorType>(dot.getSfa().getType()).getShape().back();
  return {{shape.m, count}, {shape.n, count}};
}

/// How many columns they take; 0 if the product has none there.
inline int64_t getScaleColumns(DotOp dot) {
  if (!dot.getSfa() || !isa_and_present<Sm100MmaAtomAttr>(dot.getAtomAttr()))
    return 0;
  auto [a, b] = getScales(dot);
  return a.columns() + b.columns();
}

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_SCALECOLUMNS_H
