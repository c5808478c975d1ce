//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How directives of a `pragma` travel once its region is inlined.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_IR_DIRECTIVES_H
#define TILEIRAS_DIALECT_TILEAA_IR_DIRECTIVES_H

#include "llvm/ADT/StringRef.h"

namespace mlir::nv_tileaa {

/// Unit, on `message`: the text is a directive for NVIDIA's assembler, for tileas-insert-OCG-knobs.
inline constexpr llvm::StringLiteral kOcgDirectiveAttr = "nv_tileaa.ocg_directive";

} // namespace mlir::nv_tileaa

#endif // TILEIRAS_DIALECT_TILEAA_IR_DIRECTIVES_H
