//===- SkipScaling.h - Sums that need no factor -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SKIPSCALING_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SKIPSCALING_H

#include "tileiras/Dialect/TileAS/IR/TileAS.h"

namespace mlir::nv_tileas {

/// Sums in tensor memory that are multiplied there between two of their products: what is multiplied and put back, and
/// by what.
struct Scaling {
  CopyOp copy;
  Operation *product = nullptr;
  ConvertLayoutOp read;
  SmallVector<Operation *> shapes; ///< of the factors, for this product alone, the last one first
  Value factors;                   ///< before they were spread over the rows here
  bool isUsual = true;             ///< whether most rounds multiply
};

/// Why what `s.copy` puts into tensor memory is nothing that a factor of 1 leaves as it is, or nothing. Fills the rest
/// of `s` as far as it gets.
llvm::StringRef findScaling(Scaling &s);

/// Unit, on the branch around sums that are multiplied: most rounds take it, as some row's maximum has grown. Where the
/// kernel raises its maximum only when that has grown far, few do.
inline constexpr llvm::StringLiteral kUsualAttr = "nv_tileas.usual";

/// In the loops of a function, sums in tensor memory that are multiplied by how far a running maximum has grown stay
/// where they are for the warps all of whose factors are 1. Says how many it has found.
unsigned skipScaling(Operation *func);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SKIPSCALING_H
