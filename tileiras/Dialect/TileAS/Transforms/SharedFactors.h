//===- SharedFactors.h - One place for a factor of several products -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Attention backward multiplies a tile of queries twice: from the left by keys, from the right of the gradient of the
// logits. Each product has its fragments, so that the tile goes from registers to shared memory once for each. Where
// ldmatrix finds both in one place without bank conflicts, rows or columns of matrices,
//
//     %q = tiled_load                               %t = alloc, copies into %t (cp.async), wait
//     %a = convert_layout %q ; dot %a, ...     ->   dot %t, ... {fetch_a = ldsm<4>}
//     %b = convert_layout %q ; dot ..., %b, ...     dot ..., %t, ... {fetch_b = ldsm<4, transposed>}
//
// it is copied there past the registers, and in a loop an iteration ahead. What is not loaded beside its products, as
// the keys, which stay for the whole loop, is written once instead of once for each.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SHAREDFACTORS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SHAREDFACTORS_H

#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::nv_tileas {

/// Does that for the tiles of a function that several conversions bring to products, if `mayStay` says of each of them
/// that its operand may be in shared memory whole; a remark each. Returns of how many loads.
unsigned shareFactors(nv_tileaa::FuncOp func, llvm::function_ref<bool(ConvertLayoutOp)> mayStay);

/// The conversions, if `mayStay` says so, that would read what an earlier one of their block has brought already: they
/// take no shared memory of their own.
llvm::SmallPtrSet<Operation *, 8> readersOfShared(nv_tileaa::FuncOp func,
                                                  llvm::function_ref<bool(ConvertLayoutOp)> mayStay);

/// A tile in shared memory as `shapes` make it, the first one first, where the builder is.
Value reshapeShared(OpBuilder &builder, Value tile, ArrayRef<Operation *> shapes);

/// What `value` has been before reshapes that are free in shared memory; `memory`, the layout that it has there,
/// becomes that of the result, and `shapes` are what was left out, the first one first.
Value unshaped(Value value, tileiras::LinearLayout &memory, SmallVectorImpl<Operation *> &shapes);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SHAREDFACTORS_H
