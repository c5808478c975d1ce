//===- WarpHints.h - How many warps a kernel has, and who said so -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_IR_WARPHINTS_H
#define TILEIRAS_DIALECT_TILEAA_IR_WARPHINTS_H

#include "tileiras/Dialect/TileAA/IR/TileAA.h"

namespace mlir::nv_tileaa {

/// Unit, on kernels: a hint says how many warps they have (convert-cudatile-to-tileaa). Without it the compiler has
/// chosen, unless its options say, and may choose again (tileas-choose-turns).
inline constexpr llvm::StringLiteral kHintedWarpsAttr = "nv_tileaa.hinted_warps";

/// Gives a kernel that says how many warps it has other ones.
inline void setNumWarps(FuncOp func, int64_t warps) {
  if (auto spec = func->getAttrOfType<KernelSpecAttr>(kKernelSpecAttr))
    func->setAttr(kKernelSpecAttr,
                  KernelSpecAttr::get(func.getContext(), warps, spec.getClusterDimX(), spec.getClusterDimY(),
                                      spec.getClusterDimZ(), spec.getNumCTAs()));
}

} // namespace mlir::nv_tileaa

#endif // TILEIRAS_DIALECT_TILEAA_IR_WARPHINTS_H
