//===- ProductSlices.h - Products slice by slice ----------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A product of several slices along k, which are a matter of registers (RefineAtomByResource.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PRODUCTSLICES_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PRODUCTSLICES_H

#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Support/LinearLayout.h"

namespace mlir::nv_tileas {

/// A conversion that brings a factor, or more of them, in the block where they are multiplied.
bool bringsFactors(ConvertLayoutOp op);

/// The slice that a use takes by naming registers of its tile; null if it does something else with it.
ExtractSliceOp namedBy(OpOperand &use);

/// Which dimension of a factor k is.
int kOf(OpOperand &factor);

/// A load for one user, and what its tile goes through on the way.
struct WayOfLoad {
  TiledLoadOp load;
  SmallVector<std::pair<Operation *, tileiras::LinearLayout>> steps; ///< with the layouts of their results, last first
  tileiras::LinearLayout loaded;
};

/// How a tile comes to a layout whose slices are a matter of registers.
struct SlicedFactor {
  Value tile;
  std::optional<tileiras::LinearLayout> layout; ///< another one than it has
  std::optional<WayOfLoad> way;                 ///< of the load that brings it; without, a conversion does
};

/// A product of which it is known how its factors come to slices.
struct SlicedProduct {
  DotOp dot;
  int64_t slices = 0;
  SmallVector<SlicedFactor, 2> found = {};
  SmallVector<ConvertLayoutOp> conversions = {};
};

/// Nothing, and why, if slices are not to be had.
std::optional<SlicedProduct> planSlices(DotOp dot, int64_t slices, StringRef &why);

/// Returns the tiles of which the factors are slices. `erases` is told of conversions that are erased.
SmallVector<Value> multiplySlices(const SlicedProduct &plan, function_ref<void(Operation *)> erases);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PRODUCTSLICES_H
