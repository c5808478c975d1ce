//===- CuteValues.h - Pictures of values of cute ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_TOOLS_TILEIRAS_LAYOUT_CUTEVALUES_H
#define TILEIRAS_TOOLS_TILEIRAS_LAYOUT_CUTEVALUES_H

#include "mlir/IR/Operation.h"
#include "tileiras/Layout/Picture.h"

namespace tileiras {

/// A value of an operation whose type is, or has, a layout of CuTe; `role` says whose.
struct CuteValue {
  std::string role;
  mlir::Type type;
};

/// Layouts and tensors, tiled copies and products among the operands and results, each type once.
llvm::SmallVector<CuteValue> cuteValuesOf(mlir::Operation *op);

/// What the list says of a value.
std::string summaryOf(mlir::Type type);

/// Offsets of a layout or tensor, coordinates of a tensor of coordinates, who has what of a tile of a copy, and of the
/// three operands of a product. A layout with ? has no picture: `error` says so.
std::optional<std::vector<cute::Panel>> panelsOf(const CuteValue &value, const cute::ViewOptions &view,
                                                 std::string &error);

} // namespace tileiras

#endif // TILEIRAS_TOOLS_TILEIRAS_LAYOUT_CUTEVALUES_H
