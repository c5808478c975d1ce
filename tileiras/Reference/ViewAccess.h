//===- ViewAccess.h - Which tensor elements a view access touches --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_REFERENCE_VIEWACCESS_H
#define TILEIRAS_REFERENCE_VIEWACCESS_H

#include "tileiras/Reference/Evaluator.h"

namespace tileiras::reference {

/// How a view cuts its tensor, with the differences between the kinds of views worked out.
struct ViewGeometry {
  explicit ViewGeometry(const View &view);

  const TensorView &tensor;
  llvm::SmallVector<int64_t> tileShape;
  llvm::SmallVector<int64_t> step;      ///< distance of neighbouring tiles, per tile dimension
  llvm::SmallVector<int64_t> tensorDim; ///< tile dimension -> tensor dimension
  int64_t sparseDim = -1;               ///< of a gather/scatter view

  /// Number of tiles along a tile dimension; the extent itself along the sparse one.
  int64_t indexSpace(unsigned dim) const;
};

/// Where one element of a tile lies.
struct ViewElement {
  int64_t position;   ///< in the tile, row-major
  bool inside;        ///< of the tensor, along every dimension
  int64_t outsideDim; ///< the first tile dimension along which it is not
  uint64_t address;   ///< of the byte, if inside
  int64_t nibble;     ///< 0 or 1 for 4-bit elements, else 0
};

/// Visits every element of the tile at `indices`; stops when `visit` fails. An index outside the
/// view's index space is an error at `op`.
mlir::LogicalResult forEachViewElement(Evaluator &e, mlir::Operation *op, const View &view, mlir::ValueRange indices,
                                       llvm::function_ref<mlir::LogicalResult(const ViewElement &)> visit);

} // namespace tileiras::reference

#endif // TILEIRAS_REFERENCE_VIEWACCESS_H
