//===- ShareExponentials.h - Powers on two pipes ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SHAREEXPONENTIALS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SHAREEXPONENTIALS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::nv_tileas {

/// i64, on nv_tileaa.exp2: of so many pairs of a thread's registers one is computed by multiply-adds
/// (tileas-share-exponentials).
inline constexpr llvm::StringLiteral kPairsWithPolynomialAttr = "nv_tileas.pairs_with_polynomial";

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SHAREEXPONENTIALS_H
