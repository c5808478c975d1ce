//===- ScaleColumns.h - Where products have their scales --------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Products whose unit multiplies by scales in tensor memory (Support/Tcgen05Scales.h) put them there themselves, before
// each of them: those of A, then those of B. Scales in registers are stored by all threads, to columns that
// tileas-optimize-alloc-tensor gives the product. Scales in shared memory are copied by the thread that issues the
// product, to a tile that is an operand of it; in a ring the stage has such a tile, so that the scales of one stage are
// copied while the product of another one reads its own.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_SCALECOLUMNS_H
#define TILEIRAS_DIALECT_TILEAS_IR_SCALECOLUMNS_H

#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Support/Tcgen05Scales.h"

namespace mlir::nv_tileas {

/// Unit, on kernels with nv_tileas.cta_pair (Attributes.h): threads of both blocks copy a part of each stage, as
/// scales. Copies by threads arrive at mbarriers of their own block only, so in the odd block the thread that issues
/// products in the even one waits there, and arrives at the even block's mbarrier. (tileas-plan-cta)
inline constexpr llvm::StringLiteral kPairRelaysAttr = "nv_tileas.pair_relays";

/// The scales of both factors of a product that has some, in tensor memory.
inline std::pair<tileiras::Tcgen05Scales, tileiras::Tcgen05Scales> getScales(DotOp dot) {
  tileiras::DotShape shape = getDotShape(dot);
  int32_t count = cast<RankedTensorType>(dot.getSfa().getType()).getShape().back();
  return {{shape.m, count}, {shape.n, count}};
}

/// A tile of columns for copies of both; null if they are not such as tcgen05.cp fills whole columns with.
inline RankedTensorType getScaleTile(DotOp dot) {
  auto [a, b] = getScales(dot);
  if (!a.fillsCopies() || !b.fillsCopies())
    return {};
  tileiras::LinearLayout::InDim rows{kRow, {}}, columns{kColumn, {}};
  for (int32_t row = 1; row < 128; row *= 2)
    rows.bases.push_back({row, 0});
  int32_t count = llvm::PowerOf2Ceil(a.columns() + b.columns());
  for (int32_t column = 1; column < count; column *= 2)
    columns.bases.push_back({0, column});
  tileiras::LinearLayout layout({rows, columns, {tileiras::kBlock, {}}}, {128, count});
  MLIRContext *context = dot.getContext();
  return RankedTensorType::get({128, count}, IntegerType::get(context, 32), getTensorMemoryLayoutAttr(context, layout));
}

/// How many columns the product has for scales in registers; 0 if it needs none.
inline int64_t getScaleColumns(DotOp dot) {
  if (dot.getColumns() || !dot.getSfa() || !isa_and_present<Sm100MmaAtomAttr>(dot.getAtomAttr()))
    return 0;
  auto [a, b] = getScales(dot);
  return a.columns() + b.columns();
}

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_SCALECOLUMNS_H
