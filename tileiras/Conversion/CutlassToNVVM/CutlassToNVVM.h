//===- CutlassToNVVM.h - cutlass to NVVM ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_CUTLASSTONVVM_CUTLASSTONVVM_H
#define TILEIRAS_CONVERSION_CUTLASSTONVVM_CUTLASSTONVVM_H

#include "mlir/Pass/Pass.h"

namespace tileiras {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tileiras/Conversion/CutlassToNVVM/Passes.h.inc"

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_CUTLASSTONVVM_CUTLASSTONVVM_H
