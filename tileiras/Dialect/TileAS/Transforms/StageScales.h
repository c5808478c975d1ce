//===- StageScales.h - Scales that tcgen05.cp brings ------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Products of tcgen05.mma read their scales from tensor memory (Support/Tcgen05Scales.h). Scales in registers are
// stored there by all threads, which have to wait for the product before to be done with its own. What is loaded for
// the product alone need not come by registers:
//
//     %s = convert_layout (load)              %t = alloc, copies into %t (cp.async, four bytes each), wait
//     dot %a, %b, %c scales(%s, ...)     ->   %u = alloc in tensor memory
//                                             dot %a, %b, %c scales(%t, ...) columns(%u)
//
// and the thread that issues the product has them copied first (tcgen05.cp), which a product of the same thread
// follows. In a loop `%t` becomes a tile of a ring's stage like the factors, and so does `%u`.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_STAGESCALES_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_STAGESCALES_H

#include "tileiras/Dialect/TileAA/IR/TileAA.h"

namespace mlir::nv_tileas {

/// Does that for all products of a function whose scales allow it, with a remark; returns of how many.
unsigned stageScales(nv_tileaa::FuncOp func);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_STAGESCALES_H
