//===- Rounding.h - Rounding modes of the dialect, as arithmetic has them ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_REFERENCE_ROUNDING_H
#define TILEIRAS_REFERENCE_ROUNDING_H

#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"
#include "tileiras/Support/NumericTypes.h"

namespace tileiras::reference {

/// `approx` and `full` allow errors; the oracle takes the exact result. Truncation to an integer is none of
/// arithmetic's modes.
inline Rounding roundingOf(mlir::cuda_tile::RoundingMode mode) {
  using mlir::cuda_tile::RoundingMode;
  switch (mode) {
  case RoundingMode::Zero:
    return Rounding::Zero;
  case RoundingMode::NegativeInf:
    return Rounding::NegativeInf;
  case RoundingMode::PositiveInf:
    return Rounding::PositiveInf;
  case RoundingMode::NearestAway:
    return Rounding::NearestAway;
  case RoundingMode::NearestEven:
  case RoundingMode::Approx:
  case RoundingMode::Full:
  case RoundingMode::NearestIntToZero:
    break;
  }
  return Rounding::NearestEven;
}

} // namespace tileiras::reference

#endif // TILEIRAS_REFERENCE_ROUNDING_H
