//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The conversions between dialects, in the order in which they run.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_PASSES
#define TILEIRAS_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def ConvertCudaTileToTileAAPass : Pass<"convert-cudatile-to-tileaa", "::mlir::ModuleOp"> {
  let summary = "Lower cuda_tile to nv_tileaa, arith, math and scf";
  let description = [{
    Tiles become builtin tensors (rank 0: scalars). Arithmetic becomes `arith` and `math` where those mean exactly the
    same, nv_tileaa operations where a rounding mode, flush to zero or a format asks for more. Control flow with early
    exits becomes structured `scf`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::mlir::nv_tileaa::TileAADialect"];
  let options = [
    Option<"computeCapability", "compute-capability", "std::string", /*default=*/"",
           "the target: sm_90, sm_90a or 90">,
    Option<"numWarps", "num-warps", "int", /*default=*/"0",
           "warps per CTA of entries without a hint; 0: by the size of their tiles">,
    Option<"numCTAs", "num-ctas", "int", /*default=*/"1", "CTAs per cluster of entries without a hint">,
    Option<"alternate", "alternate", "bool", /*default=*/"false",
           "Two agents of four warps are to have every other tile block: entries with one product have four warps, if "
           "these can hold its sums">];
}

def ConvertTileAAToTileASPass : Pass<"convert-tileaa-to-tileas", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Give tensors layouts and convert nv_tileaa to nv_tileas";
  let description = [{
    Every tensor gets the default layout of its shape, and a `convert_layout` stands wherever an operation ties two
    layouts together.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect", "::mlir::nv_tileaa::TileAADialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"];
}

def SeparateHostTMAPass : Pass<"tileas-separate-host-tma", "::mlir::ModuleOp"> {
  let summary = "Host code for the tensor maps that kernels can be given";
  let description = [{
    Beside the kernels a module `host` is made with a function for each of them, which computes the views of its tensor
    maps from the kernel's parameters, calls the driver (`cuTensorMapEncodeTiled`, `cuTensorMapEncodeIm2col`), and adds
    the addresses of the maps to the list of parameters; `tileas-attach-tma-desc-args` makes parameters of them. A map
    whose view depends on more than parameters stays the kernel's, unless only the host can make it.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::nv_tileas::TileASDialect"];
}

def AllocateScratchPass : Pass<"tileas-allocate-scratch"> {
  let summary = "Shared tiles for operations that exchange data between threads";
  let description = [{
    Atomics and ordered loads whose result several threads have, scans across warps, prints of tiles and `alloca` hand
    values from thread to thread through shared memory. Each gets a tile for that, in `nv_tileas.with_scratch`. Where
    addresses have been assigned already, these tiles come after the others.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
}

def ConvertTileFuncToLLVMPass : Pass<"convert-nv-tile-func-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert nv_tileaa functions to functions with LLVM signatures";
  let description = [{
    `nv_tileaa.func` and `return` become `func.func` and `return` with LLVM-typed signatures; kernels get their launch
    shape as nvvm attributes and the marker `cute.kernel`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::func::FuncDialect",
                           "::mlir::nv_tileaa::TileAADialect", "::mlir::cutlass::CutlassDialect"];
  let options = [
    Option<"indexBitwidth", "index-bitwidth", "unsigned", /*default=*/"32", "Width of index; 0 means the host word">,
    ListOption<"pdlFiles", "pdl-files", "std::string", "Files with PDL patterns for what no pattern of this pass takes">];
}

def ConvertPipelineToNVVMPass : Pass<"convert-pipeline-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "Convert asynchronous pipelines to mbarriers";
  let description = [{
    The nv_tileas.async.pipeline operations but agent_switch. Runs when function signatures have been converted and
    shared tiles have their offsets, before the conversion of the bodies, which lowers what is in their regions.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
                           "::mlir::nv_tileas::TileASDialect"];
}

def ConvertTileASToLLVMPass : Pass<"convert-nv-tileas-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert nv_tileas and nv_tileaa to LLVM and NVVM";
  let description = [{
    The bodies of functions whose signatures `convert-nv-tile-func-to-llvm` has converted. A tile becomes a struct with
    a field per register. Leaves `func`, `scf`, `llvm` and `nvvm`.

    Also known as `convert-tileas-to-llvm`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::func::FuncDialect", "::mlir::nv_tileaa::TileAADialect",
                           "::mlir::nv_tileas::TileASDialect", "::mlir::vector::VectorDialect",
                           "::mlir::cutlass::CutlassDialect"];
  let options = [
    Option<"indexBitwidth", "index-bitwidth", "unsigned", /*default=*/"32", "Width of index; 0 means the host word">,
    Option<"libdevice", "libdevice", "bool", /*default=*/"true", "Call libdevice for mathematical functions">,
    Option<"dynamicShared", "dynamic-shared", "bool", /*default=*/"false",
           "Shared memory that does not fit a static array is given at launch">,
    Option<"extendedSharedBytes", "extended-shared-bytes", "unsigned", /*default=*/"0",
           "Bytes of shared memory that somebody has planned for each kernel; 0: as many as its tiles take">,
    ListOption<"pdlFiles", "pdl-files", "std::string", "Files with PDL patterns for what no pattern of this pass takes">];
}

def LowerPluginsPass : Pass<"tileas-lower-plugins", "::mlir::ModuleOp"> {
  let summary = "Have patterns lower nv_tileaa.plugin";
  let description = [{
    Behind the conversion of the bodies, where `nv_tileaa.plugin` has operands and results of LLVM's types: patterns in PDL say what a plugin is.
    What no pattern takes stays, for whoever comes later.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
  let options = [ListOption<"pdlFiles", "pdl-files", "std::string", "Files with PDL patterns for plugins">];
}

def CuteKernelToNvvmPass : Pass<"cute-kernel-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "Turn cute.kernel into nvvm.kernel and lift grid constants";
  let description = [{
    After functions have become `llvm.func`, the only place for `nvvm.kernel`. An argument's
    `cute_nvgpu.grid_constant` becomes `{llvm.align = 64, llvm.byval, nvvm.grid_constant}`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

def ConvertNVGPUToNVVMPass : Pass<"convert-nvgpu-to-nvvm"> {
  let summary = "Convert nvgpu, and gpu.warp_execute_on_lane_0, to nvvm";
  let description = [{
    One sweep, one stateless pattern per operation, benefit 1: MLIR's patterns for what MLIR does right, ours for the
    operations it lacks. It stands in for MLIR's pass of the same name.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect", "::mlir::arith::ArithDialect"];
}

def LowerGpuOpsPass : Pass<"tileir-lower-gpu-ops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Spell out the gpu operations that are no instruction";
  let description = [{
    A reduction over a block becomes one over warps and shared memory, a reduction over a warp shuffles, a global id
    block ids, a shuffle of anything shuffles of 32 bits. Uniform reductions of i32 are one `redux.sync`.
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect", "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::index::IndexDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerVectorsPass : Pass<"tileir-lower-vectors", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Operations on vectors of several dimensions become ones on rows";
  let description = [{
    Fragments of matrices are vectors of two dimensions, registers are vectors of one. What reshapes, reduces or
    contracts the former, or moves them from and to memory, becomes operations on rows.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"];
}

#endif // TILEIRAS_CONVERSION_PASSES
