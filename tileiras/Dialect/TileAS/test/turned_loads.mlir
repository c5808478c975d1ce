// Words that wgmma wants with k side by side and that lie across: a thread loads four neighbours of four k, to write four at once.
// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(nv_tileaa.func(convert-tileaa-to-tileas,tileas-assign-dot-layouts,tileas-assign-load-store-layouts))' | FileCheck %s

!mem = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!across = !nv_tileaa.tiled_view<[32, 128], padding = zero, !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
!along = !nv_tileaa.tiled_view<[128, 32], padding = zero, !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
!sums = !nv_tileaa.tiled_view<[128, 128], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
#spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>

module attributes {nv_tileaa.target_spec = "sm_90"} {
// CHECK-DAG: #[[SQUARE:.*]] = #nv_tileas.linear<rank = 2, register = {{\[\[}}0, 1], [0, 2], [1, 0], [2, 0]], lane = {{\[\[}}4, 0], [8, 0], [0, 4], [0, 8], [0, 16]], warp = {{\[\[}}16, 0], [0, 32], [0, 64]]>
// CHECK-DAG: #[[ROWS:.*]] = #nv_tileas.blocked<size_per_thread = [1, 4], threads_per_warp = [4, 8], warps_per_cta = [8, 1], order = [1, 0]>
// CHECK-LABEL: nv_tileaa.func @product
// CHECK: nv_tileas.tiled_load {{.*}} {vec = 4 : i32} {{.*}} -> tensor<128x32xf32, #[[ROWS]]>
// CHECK: nv_tileas.tiled_load {{.*}} {vec = 4 : i32} {{.*}} -> tensor<32x128xf32, #[[SQUARE]]>
// On its own it is loaded as it lies.
// CHECK: nv_tileas.tiled_load {{.*}} {vec = 4 : i32} {{.*}} -> tensor<32x128xf32, #blocked
nv_tileaa.func @product(%p: !nv_tileaa.ptr<f32>, %n: i32, %i: i32) attributes {nv_tileaa.kernel_spec = #spec} {
  %z = arith.constant dense<0.0> : tensor<128x128xf32>
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %na = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
  %r = nv_tileaa.make_memref %pa, sizes [%na, %na], strides [%na] : !nv_tileaa.ptr<f32>, (i32, i32), (i32) -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !along
  %w = nv_tileaa.block_tile %r : !mem -> !across
  %a, %t = nv_tileaa.tiled_load %v[%i, %i] : !along, (i32, i32) -> tensor<128x32xf32>
  %b, %t1 = nv_tileaa.tiled_load %w[%i, %i] : !across, (i32, i32) -> tensor<32x128xf32>
  %c, %t2 = nv_tileaa.tiled_load %w[%i, %i] : !across, (i32, i32) -> tensor<32x128xf32>
  %at = nv_tileaa.fp_to_fp %a : tensor<128x32xf32> -> tensor<128x32xtf32>
  %bt = nv_tileaa.fp_to_fp %b : tensor<32x128xf32> -> tensor<32x128xtf32>
  %d = nv_tileaa.dot %at, %bt, %z : tensor<128x32xtf32>, tensor<32x128xtf32>, tensor<128x128xf32>
  %s = nv_tileaa.block_tile %r : !mem -> !sums
  %t3 = nv_tileaa.tiled_store %s[%i, %i], %d : !sums, (i32, i32), tensor<128x128xf32>
  %t4 = nv_tileaa.tiled_store %w[%i, %i], %c : !across, (i32, i32), tensor<32x128xf32>
  nv_tileaa.return
}
}
