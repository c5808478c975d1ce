// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-remove-layout-conversions))' | FileCheck %s

// Eight f16 of a thread meet four f32, as two passes may have left them: they change threads before they are widened, as half of the words.
// CHECK-LABEL: nv_tileaa.func @narrow
// CHECK: %[[H:.*]], %{{.*}} = nv_tileas.tiled_load {{.*}} -> tensor<1024xf16
// CHECK: %[[C:.*]] = nv_tileas.convert_layout %[[H]] : tensor<1024xf16
// CHECK: arith.extf %[[C]]
// CHECK-NOT: convert_layout
// CHECK: tiled_store
!view = !nv_tileaa.tiled_view<[1024], !nv_tileaa.memref<4096xf16, strides = [1]>>
!wide_view = !nv_tileaa.tiled_view<[1024], !nv_tileaa.memref<4096xf32, strides = [1]>>
#eight = #nv_tileas.blocked<size_per_thread = [8], threads_per_warp = [32], warps_per_cta = [4], order = [0]>
#four = #nv_tileas.blocked<size_per_thread = [4], threads_per_warp = [32], warps_per_cta = [4], order = [0]>
nv_tileaa.func @narrow(%v: !view, %w: !wide_view, %i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %t, %tok = nv_tileas.tiled_load %v[%i] {vec = 8 : i32} : !view, (i32) -> tensor<1024xf16, #eight>
  %u, %tok1 = nv_tileas.tiled_load %w[%i] {vec = 4 : i32} : !wide_view, (i32) -> tensor<1024xf32, #four>
  %e = arith.extf %t : tensor<1024xf16, #eight> to tensor<1024xf32, #eight>
  %c = nv_tileas.convert_layout %e : tensor<1024xf32, #eight> -> tensor<1024xf32, #four>
  %f = arith.addf %u, %c : tensor<1024xf32, #four>
  %tok2 = nv_tileas.tiled_store %w[%i], %f {vec = 4 : i32} : !wide_view, (i32), tensor<1024xf32, #four>
  nv_tileaa.return
}
