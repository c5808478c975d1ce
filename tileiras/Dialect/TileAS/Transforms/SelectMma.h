//===- SelectMma.h - Which instruction multiplies ---------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The atom of a matrix product follows from its shape, its types and the target alone, so those who have to know it
// before tiles have layouts (tileas-slice-tiles) and tileas-assign-dot-layouts, which writes it down, ask the same
// function.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SELECTMMA_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SELECTMMA_H

#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Support/TargetTable.h"

namespace mlir::nv_tileas {

/// What is multiplied.
struct MmaProblem {
  tileiras::DotShape shape;
  Type element;        ///< of the operands in memory
  bool scaled = false; ///< block-scaled

  /// Of nv_tileaa.dot, nv_tileaa.mma_block_scale or nv_tileas.dot; nothing for other operations.
  static std::optional<MmaProblem> of(Operation *product);
};

/// The atom for `warps` warps; `rowsOnly`: all of them along the rows of the result.
MmaAtomAttrInterface selectMmaAtom(const MmaProblem &problem, const tileiras::TargetInfo &target, int warps,
                                   bool rowsOnly = false);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SELECTMMA_H
