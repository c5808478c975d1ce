//===- Passes.td - cute to LLVM ------------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_CUTETOLLVM_PASSES
#define TILEIRAS_CONVERSION_CUTETOLLVM_PASSES

include "mlir/Pass/PassBase.td"

def ConvertCuteToLLVMPass : Pass<"convert-cute-to-llvm"> {
  let summary = "Convert cute and cute_nvgpu to arith, llvm and nvvm";
  let description = [{
    Layouts become the arithmetic that is left of them, tensors addresses, copies loads and stores (or `cp.async`), products
    `mma.sync` or multiply-adds. Around them everything stays: functions, loops, barriers. Values of cute may not go
    through block arguments.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

#endif // TILEIRAS_CONVERSION_CUTETOLLVM_PASSES
