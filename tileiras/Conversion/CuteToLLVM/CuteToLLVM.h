//===- CuteToLLVM.h - cute to LLVM ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_CUTETOLLVM_CUTETOLLVM_H
#define TILEIRAS_CONVERSION_CUTETOLLVM_CUTETOLLVM_H

#include "mlir/Pass/Pass.h"

namespace tileiras {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tileiras/Conversion/CuteToLLVM/Passes.h.inc"

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_CUTETOLLVM_CUTETOLLVM_H
