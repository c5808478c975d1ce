//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_PASSES_H
#define TILEIRAS_COMPILER_PASSES_H

#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace tileiras {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tileiras/Compiler/Passes.h.inc"

} // namespace tileiras

#endif // TILEIRAS_COMPILER_PASSES_H
