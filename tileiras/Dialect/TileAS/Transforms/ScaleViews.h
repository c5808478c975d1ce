//===- ScaleViews.h - Scales that lie in blocks -----------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Libraries keep the scales of 4-bit and 8-bit elements in the order in which tcgen05.cp wants them in shared memory
// (Support/Tcgen05Scales.h): four scales of 128 rows side by side, 512 bytes, in an array of such blocks. Kernels see
// it as an array of up to five dimensions and bring a tile of it into the shape that products take:
//
//     %x = tiled_load %s[%i, %k, 0, 0, 0] : 2x4x32x4x4           blocks of 32 x 4 x 4
//     %y = view (permute %x [0, 3, 2, 1, 4])   : 256x16
//
// The dimensions of a block are one run of memory. As far as copies are concerned it has rows of 256 elements, which is
// what a box of a tensor map may have of one dimension, so one instruction copies the tile:
//
//     %x = view (tiled_load %t[%i, %k, 0, 0] : 2x4x2x256)        : 2x4x32x4x4
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SCALEVIEWS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SCALEVIEWS_H

#include "tileiras/Dialect/TileAA/IR/TileAA.h"

namespace mlir::nv_tileas {

/// Loads the scales of `product` in this way where they come by one load, through an array whose last dimensions the
/// tile has whole, and which are known to lie side by side. Returns of how many factors.
int loadScalesInRows(nv_tileaa::MmaBlockScaleOp product);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SCALEVIEWS_H
