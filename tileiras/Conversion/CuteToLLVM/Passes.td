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
    `mma.sync`, `wgmma` or multiply-adds. Around them everything stays: functions, loops, barriers. Where a value of cute goes
    through an argument, a loop or a call, its address and the numbers that its type leaves open go instead.
  }];
  let options = [Option<"chip", "chip", "std::string", /*default=*/"",
                        "sm_90, ...: atoms that it does not have are refused; empty: none is">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

#endif // TILEIRAS_CONVERSION_CUTETOLLVM_PASSES
