// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-assign-dot-layouts,tileas-materialize-convert-layout,tileas-optimize-alloc-tensor)))' | FileCheck %s

// Both operands are staged in a row, with one fence and one barrier after the last write; the sums have the layout of
// the atom.
// CHECK-LABEL: @product
// CHECK: nv_tileas.alloc_tensor {offset = [[A:[0-9]+]] : i64}
// CHECK: nv_tileas.copy {{.*}}nv_tileas.no_raw_barrier
// CHECK: nv_tileas.copy {{.*}}nv_tileas.async_proxy
// CHECK: nv_tileas.dot {{.*}}atom = #nv_tileas.wgmma_atom<f16, n = 32, groups = [1, 1]>
#l = #nv_tileas.blocked<size_per_thread = [1, 8], threads_per_warp = [4, 8], warps_per_cta = [4, 1], order = [1, 0]>
#m = #nv_tileas.blocked<size_per_thread = [1, 8], threads_per_warp = [8, 4], warps_per_cta = [4, 1], order = [1, 0]>
module attributes {gpu.container_module} {
  gpu.module @kernels attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90"} {
    nv_tileaa.func @product(%a: tensor<64x64xf16, #l>, %b: tensor<64x32xf16, #m>, %c: tensor<64x32xf32, #m>) -> tensor<64x32xf32, #m> {
      %d = nv_tileas.dot %a, %b, %c : tensor<64x64xf16, #l>, tensor<64x32xf16, #m>, tensor<64x32xf32, #m>
      nv_tileaa.return %d : tensor<64x32xf32, #m>
    }
  }
}
