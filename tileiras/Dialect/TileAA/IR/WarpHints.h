//===- WarpHints.h - Who said how many warps a kernel has -------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_IR_WARPHINTS_H
#define TILEIRAS_DIALECT_TILEAA_IR_WARPHINTS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::nv_tileaa {

/// Unit, on kernels: a hint says how many warps they have (convert-cudatile-to-tileaa). Without it the compiler has
/// chosen, unless its options say, and may choose again (tileas-choose-turns).
inline constexpr llvm::StringLiteral kHintedWarpsAttr = "nv_tileaa.hinted_warps";

} // namespace mlir::nv_tileaa

#endif // TILEIRAS_DIALECT_TILEAA_IR_WARPHINTS_H
