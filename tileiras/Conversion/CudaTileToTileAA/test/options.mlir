// RUN: not tileiras-opt %s -convert-cudatile-to-tileaa 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not tileiras-opt %s -convert-cudatile-to-tileaa=compute-capability=sm_71 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tileiras-opt %s -convert-cudatile-to-tileaa="compute-capability=sm_90 num-warps=3" 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: not tileiras-opt %s -convert-cudatile-to-tileaa="compute-capability=sm_90 num-ctas=32" 2>&1 | FileCheck %s --check-prefix=CTAS
// RUN: tileiras-opt %s -convert-cudatile-to-tileaa="compute-capability=sm_90 num-warps=8 num-ctas=2" | FileCheck %s
// RUN: tileiras-opt %s -convert-cudatile-to-tileaa="compute-capability=sm_86 num-ctas=2" -mlir-print-debuginfo | FileCheck %s --check-prefix=SM86

// MISSING: options.mlir:{{.*}}: error: invalid or missing --compute-capability option{{$}}
// UNKNOWN: error: invalid or missing --compute-capability option: {{.*}}sm_71
// WARPS: error: invalid num-warps option: expected a power of two up to 32, got 3
// CTAS: error: invalid num-ctas option: expected a power of two up to 16, got 32
// CHECK: numWarps = 8, clusterDim = [2, 1, 1], numCTAs = 2
// SM86: nv_tileaa.compute_capability = 86 : i32, nv_tileaa.target_spec = "sm_86"
// SM86: numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1
#file = #cuda_tile.di_file<"kernel.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 5, name = "k", linkageName = "k", compileUnit = #unit>
cuda_tile.module @kernels {
  entry @k(%x: tile<i32>) {
    // Source positions stay; debug-info scopes are reduced to them.
    // SM86-NEXT: arith.addi %{{.*}} loc([[L:#loc.*]])
    %a = addi %x, %x : tile<i32> loc(#cuda_tile.di_loc<loc("kernel.py":7:3) in #sub>)
    // SM86-NEXT: arith.addi %{{.*}} loc([[N:#loc.*]])
    %b = addi %a, %x : tile<i32> loc("named"("kernel.py":8:3))
    return
  } loc(#cuda_tile.di_loc<loc("kernel.py":5:1) in #sub>)
}
// SM86-DAG: [[L]] = loc("kernel.py":7:3)
// SM86-DAG: [[N]] = loc("named"(
