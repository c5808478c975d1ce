//===- TensorCoordinates.h - Coordinates of tensor copies -------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tensor copy takes elements as coordinates, in 32 bits with sign; an index counts tiles. So that none wraps around
// into the array an index is cut to a place outside of all arrays, unless it is known to number tiles of one.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_TENSORCOORDINATES_H
#define TILEIRAS_DIALECT_TILEAS_IR_TENSORCOORDINATES_H

#include "llvm/ADT/StringRef.h"

namespace mlir::nv_tileas {

/// Array of bool, on async.tiled_tma_load, an entry for each dimension of the tile: wherever the operation runs, the
/// coordinates of the tile's elements along it fit in 32 bits with sign (lower-tma-load-store-to-async).
inline constexpr llvm::StringLiteral kInRangeAttr = "nv_tileas.in_range";

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_TENSORCOORDINATES_H
