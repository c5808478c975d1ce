//===- StoreParts.h - Sums that are stored part by part ---------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sums of products that add up in tensor memory need no registers before they are read, and not all of them have to be
// read at once: what is made of them element by element and stored can be made and stored part by part.
//
//     %r = for ... { ... dot ... }                 %r = for ... { ... dot ... }
//     tiled_store %v[i, j], f(%r)          ->      tiled_store %half[i, 2 * j], f(extract_slice %r[0, 0])
//                                                  tiled_store %half[i, 2 * j + 1], f(extract_slice %r[0, 1])
//
// So are tiles that are loaded for the result: each part in front of the store of the same part, at the same place or
// in another array, so that no load sees what the store of another part has written. A row that all rows have is loaded
// in parts, too.
//
// A part are some of the columns, which a thread that holds rows has of all of them. tileas-place-sums reads each part
// where it is wanted.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_STOREPARTS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_STOREPARTS_H

#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Support/TargetTable.h"

namespace mlir::nv_tileas {

/// Has sums stored part by part, by so many warps, if the kernel needs no more than `room` words of registers then,
/// where operands of products have `shared` bytes of shared memory. Returns the words that it needs then; otherwise
/// nothing, and nothing has changed.
std::optional<int64_t> storeInParts(nv_tileaa::FuncOp func, const tileiras::TargetInfo *target, int64_t warps,
                                    int64_t room, int64_t shared);

/// Whether a tile is only read by extract_slice with blocks that are constants.
bool isReadInParts(Value tile);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_STOREPARTS_H
