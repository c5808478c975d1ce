//===- Passes.td - cutlass to NVVM ---------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_CUTLASSTONVVM_PASSES
#define TILEIRAS_CONVERSION_CUTLASSTONVVM_PASSES

include "mlir/Pass/PassBase.td"

def ConvertCutlassToNVVMPass : Pass<"convert-cutlass-to-nvvm"> {
  let summary = "Convert cutlass to llvm, nvvm and scf";
  let description = [{
    Pipelines become mbarriers in shared memory, states and work of schedulers numbers, and what is done with them instructions and
    arithmetic. Where such a value goes through an argument, a loop, a branch or a call, its numbers go instead. All else stays.
  }];
  let options = [Option<"chip", "chip", "std::string", /*default=*/"",
                        "sm_90, ...: operations that it does not have are refused; empty: none is">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"];
}

#endif // TILEIRAS_CONVERSION_CUTLASSTONVVM_PASSES
