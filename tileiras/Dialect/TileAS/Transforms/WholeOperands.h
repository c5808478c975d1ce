//===- WholeOperands.h - Which operands shared memory holds whole -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A product fetches operands from shared memory step by step, if they stand there whole. Where there is no room for all
// of them, the rest goes through it in pieces and is held in registers, by each warp all that it multiplies. So those
// stay whole that would take most registers, as long as the tiles have places: each from where it is loaded or
// converted to its last product, laid out as tileas-optimize-alloc-tensor is going to do it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_WHOLEOPERANDS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_WHOLEOPERANDS_H

#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::nv_tileas {

/// The conversions, of those that bring operands of products there (`feedsProducts`), whose tiles stay whole; none if
/// that would be no more than go in one piece anyway.
llvm::SmallPtrSet<Operation *, 8> chooseWholeOperands(nv_tileaa::FuncOp func, const SharedMemory &shared,
                                                      llvm::function_ref<bool(ConvertLayoutOp)> feedsProducts);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_WHOLEOPERANDS_H
