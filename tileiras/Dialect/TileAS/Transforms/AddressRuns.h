//===- AddressRuns.h - Neighbours that share an address ---------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ADDRESSRUNS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ADDRESSRUNS_H

#include "tileiras/Dialect/TileAA/IR/TileAA.h"

namespace mlir::nv_tileas {

/// Of tiles of numbers and pointers that are used for addresses and masks of accesses and nothing else: how many
/// neighbours a thread has one number for. Eight elements of 16 bits that one instruction loads have one pointer, that
/// of the first, and what the pointer was computed from there is once as well. Tiles of which every element counts are
/// left out.
DenseMap<Value, int64_t> findAddressRuns(nv_tileaa::FuncOp func);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ADDRESSRUNS_H
