//===- AccessWidths.h - How wide an access to memory may be -----*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How many neighbouring elements one instruction may move is a matter of proof: contiguity and alignment come from the
// axis analysis (pointers) or from the view's strides, extents and base (views).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ACCESSWIDTHS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ACCESSWIDTHS_H

#include "tileiras/Dialect/TileAA/Analysis/AxisInfo.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"

namespace mlir::nv_tileas {

/// What the addresses of an access allow.
struct AccessWidth {
  SmallVector<int32_t> order; ///< fastest dimension first
  int64_t vec = 1;            ///< elements one access may move along order[0]
  int64_t uncut = 1;          ///< of these, those that the edge of the array is known not to cut
  std::string why;            ///< why not more

  void atMost(int64_t elements, const Twine &reason) {
    if (elements >= vec)
      return;
    vec = elements;
    why = reason.str();
  }
};

/// Of an access that moves a tile.
AccessWidth analyzeAccess(nv_tileaa::MemoryAccessOpInterface op, nv_tileaa::AxisInfoAnalysisResult &axis);

/// Only plain accesses may be split and merged by the hardware as it likes; ordered ones and atomics stay element by
/// element, but for those of which the hardware has vectors (widestReduction).
inline bool isPlain(nv_tileaa::MemoryAccessOpInterface op) { return op.isWeak() && !op.isAtomic(); }

/// How many elements the target combines with memory at once, of a reduction whose old values nobody uses; 1 of all
/// other accesses.
int64_t widestReduction(nv_tileaa::MemoryAccessOpInterface op);

/// 16 bytes: ld.global.v4.b32 (PTX ISA "ld"); the 32-byte forms of sm_100 are left for later.
inline int64_t widestAccess(int64_t elementBytes) { return std::max<int64_t>(1, 16 / elementBytes); }

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ACCESSWIDTHS_H
