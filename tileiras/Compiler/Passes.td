//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes that belong to no dialect: what stands between the conversions in the pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_PASSES
#define TILEIRAS_COMPILER_PASSES

include "mlir/Pass/PassBase.td"

def GuardLoopCountersPass : Pass<"tileir-guard-loop-counters", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Keep loop counters from wrapping around their type";
  let description = [{
    A loop whose next counter may leave its type (a step other than one, an upper bound not known to leave room)
    becomes `scf.while` whose last step is cut short.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [Statistic<"numGuarded", "num-guarded", "Loops that might have wrapped around">];
}

def LegalizeMathPass : Pass<"tileir-legalize-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Choose instructions, libdevice or expansions for math";
  let description = [{
    Operations of `math` that are one instruction become it. The others stay for calls of libdevice, or, without one,
    become polynomials.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let options = [Option<"libdevice", "libdevice", "bool", /*default=*/"true", "libdevice will be linked">];
}

def RecordPtxNeedsPass : Pass<"tileir-record-ptx-needs", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Record what a module's operations need of the code generator";
  let description = [{
    The least PTX version, and whether there are asynchronous products, as attributes of the module. Runs before
    `convert-nvvm-to-llvm`, which makes inline PTX of operations that have names here.
  }];
}

def ConvertToNVVMPass : Pass<"tileir-convert-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Convert the remaining dialects of a GPU module to llvm and nvvm";
  let description = [{
    All in one sweep (`arith`, `cf`, `func`, `gpu`, `index`, `math`, `memref`, `ub`, `vector`), because they use each
    other's types.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
  let options = [Option<"indexBitwidth", "index-bitwidth", "int", /*default=*/"32",
                        "bits of index; 0 takes the host word">];
}

def LaunchAbiPass : Pass<"tileir-launch-abi", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Choose the directives that carry a kernel's thread count";
  let description = [{
    `reqntid` is what the lowering writes; `blocksareclusters` adds that directive and a cluster of one block;
    `simt` gives kernels without a cluster `maxntid` instead.
  }];
  let options = [
    Option<"abi", "abi", "std::string", /*default=*/"\"reqntid\"", "reqntid, blocksareclusters or simt">,
    Option<"computeCapability", "compute-capability", "std::string", /*default=*/"",
           "the target: sm_90, sm_90a or 90">];
}

def PlainDebugLocationsPass : Pass<"tileir-plain-debug-locations", "::mlir::ModuleOp"> {
  let summary = "Reduce locations to positions and call sites of positions";
  let description = [{
    Which is all that `ensure-debug-info-scope-on-llvm-func` understands: of a fused location the first part with a
    position, of names what they name; globals and declarations get the position where their text stands.
  }];
}

def ConvertTargetToNVVMPass : Pass<"nv-tile-ir-convert-target-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Attach #nvvm.target to GPU modules";
  let description = [{
    The chip from `nv_tileaa.target_spec` or `nv_tileaa.compute_capability`, and as flags what the code generator must
    respect.

    Also known as `convert-target-to-nvvm`.
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
  let options = [
    Option<"optLevel", "opt-level", "int", /*default=*/"3", "optimization level recorded in the target">,
    Option<"deviceDebug", "device-debug", "bool", /*default=*/"false", "record -g">,
    Option<"useNvGpuComp", "use-nvgpucomp", "bool", /*default=*/"false", "record libNVVMUseNVGpuComp">];
}

#endif // TILEIRAS_COMPILER_PASSES
