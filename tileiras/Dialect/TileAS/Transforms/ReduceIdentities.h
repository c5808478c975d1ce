//===- ReduceIdentities.h - Identities that change nothing ------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_REDUCEIDENTITIES_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_REDUCEIDENTITIES_H

#include "tileiras/Dialect/TileAS/IR/TileAS.h"

namespace mlir::nv_tileas {

/// Gives a reduction of floats an identity that is one for every value, and so no instruction, where its users cannot
/// tell the difference: a sum that cannot be -0 begins with -0 instead of +0; a maximum that nothing but a larger
/// maximum takes begins with a NaN, which loses, instead of with a number that the other one is not below. True if it
/// has another one now.
bool relaxIdentity(ReduceOp op);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_REDUCEIDENTITIES_H
