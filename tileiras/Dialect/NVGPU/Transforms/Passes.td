//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes on nvgpu.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_NVGPU_TRANSFORMS_PASSES
#define TILEIRAS_DIALECT_NVGPU_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def VerifyTargetPass : Pass<"nvgpu-verify-target", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Check that nvgpu operations are legal and the target has them";
  let description = [{
    What the operations' own verifiers leave open and the hardware does not, and whether target and PTX version have
    what is used (`tileiras/Dialect/NVGPU/contract.json`). Records both on the module.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "sm_90a, ...; else what the module's #nvvm.target says">,
    Option<"ptxVersion", "ptx-version", "std::string", /*default=*/"", "8.0, ...; else as the module needs">];
}

#endif // TILEIRAS_DIALECT_NVGPU_TRANSFORMS_PASSES
