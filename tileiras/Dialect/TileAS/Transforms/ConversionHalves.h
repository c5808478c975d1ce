//===- ConversionHalves.h - Conversions half by half ------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A conversion through shared memory whose tile would take too much of it goes half by half, where a half is a matter
// of registers alone on both sides:
//
//     registers 0 and 1 of every thread hold rows 0-63 and 64-127, before and after: {dim 0, bit 6}
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_CONVERSIONHALVES_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_CONVERSIONHALVES_H

#include "tileiras/Support/LinearLayout.h"

namespace mlir::nv_tileas {

/// A bit of a coordinate.
struct CoordinateBit {
  int dim, bit;
};

/// A bit that tells apart different registers of every thread, and nothing else, in both layouts. The highest of the
/// largest dimension, as neighbours stay together then.
std::optional<CoordinateBit> splittableBit(const ::tileiras::LinearLayout &from, const ::tileiras::LinearLayout &to);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_CONVERSIONHALVES_H
