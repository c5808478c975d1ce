//===- LoadSlices.h - Loads of a tile's slices ------------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tile of which only slices along one dimension are used need not be loaded whole:
//
//     %x = tiled_load %v[%i] : tile of 128        %x0 = tiled_load %w[2 * %i]       %w: the same view in tiles of 64
//     use(slice 0 of %x), use(slice 1 of %x)  ->  %x1 = tiled_load %w[2 * %i + 1]
//                                                 use(%x0), use(%x1)
//
// so that each slice can be copied, waited for and forgotten by itself.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_LOADSLICES_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_LOADSLICES_H

#include "tileiras/Dialect/TileAS/IR/TileAS.h"

namespace mlir::nv_tileas {

/// The dimension of an operation's operand that dimension `dim` of its result is, where the operation permutes
/// dimensions, or adds and drops extents of one.
std::optional<unsigned> throughShape(Operation *shape, unsigned dim);

/// Where `tile` is loaded for slices along `dim` alone: gives each of them a load of its own, with the unit attribute
/// `mark`, and returns true. The load and the shapes, which are used no more, are erased.
bool loadSlices(Value tile, unsigned dim, StringRef mark);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_LOADSLICES_H
