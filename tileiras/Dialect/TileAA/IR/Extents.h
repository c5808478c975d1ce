//===- Extents.h - What is known of extents ---------------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_DIALECT_TILEAA_IR_EXTENTS_H
#define TILEIRAS_DIALECT_TILEAA_IR_EXTENTS_H

#include "tileiras/Dialect/TileAA/IR/TileAA.h"

namespace mlir::nv_tileaa {

/// A power of two (at most 2^30, more for a constant) known to divide the extent of the array along dimension `dim` of
/// the tiles of `view`. Tiles that lie side by side and whose extent divides it are inside of the array as they are
/// inside of the index space: no access of theirs asks.
int64_t getExtentDivisor(Value view, unsigned dim);

/// A power of two known to divide, in bytes of elements of so many bytes, the address of the array of `view`, what its
/// rows are apart, and their length: how much of a row moves at once. 1 where nobody knows where the view comes from.
int64_t getRowDivisor(Value view, int64_t elementBytes);

/// Bits of the number, with a sign, that the extent of that array is.
unsigned getExtentBits(Value view, unsigned dim);

/// Whether the arrays of two views are known to extend equally far along dimensions of their tiles.
bool haveSameExtent(Value view, unsigned dim, Value other, unsigned otherDim);

/// How coordinates in the array are compared with its extent, dimension `dim` of the tile with number `index`.
enum class Comparison : int32_t {
  Wide,     ///< in 64 bits
  Signed,   ///< in 32 bits: all coordinates of the tile are numbers below 2^31
  Unsigned, ///< the same without a sign; the extent is not negative where the tile is accessed
};
Comparison getComparison(Value view, unsigned dim, Value index);

/// Whether the tile with number `index` is one of those that a loop over the tiles of the array counts, or a few ahead
/// of one, but no fewer than `ahead`: what is left of the array from where it begins, maybe a negative number, has 32
/// bits with a sign.
bool isNearArray(Value view, unsigned dim, Value index, int64_t ahead);

} // namespace mlir::nv_tileaa

#endif // TILEIRAS_DIALECT_TILEAA_IR_EXTENTS_H
