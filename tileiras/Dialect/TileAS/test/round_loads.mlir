// f32 that products take as tf32: tensor copies round it.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-round-loads))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-round-loads{num-stages=1}))' | FileCheck %s --check-prefix=ONE
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=false tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-round-loads))' | FileCheck %s --check-prefix=ONE

// ONE-NOT: rounded
!array = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[64, 32], padding = zero, !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
!across = !nv_tileaa.tiled_view<[32, 64], padding = zero, !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>

module attributes {nv_tileaa.target_spec = "sm_90"} {
// Both factors have k side by side. The view is for loads that round; the other one stays.
// CHECK-LABEL: @both
// CHECK: nv_tileaa.block_tile %{{.*}} : {{.*}} -> <[64, 32], padding = zero, rounded = tf32, !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
// CHECK: scf.for
// CHECK: nv_tileaa.tiled_load {{.*}} rounded = tf32, {{.*}} -> tensor<64x32xtf32>
// CHECK: nv_tileaa.tiled_load {{.*}} rounded = tf32, {{.*}} -> tensor<64x32xtf32>
// CHECK: nv_tileaa.permute {{.*}} : tensor<64x32xtf32> -> tensor<32x64xtf32>
// CHECK-NOT: fp_to_fp
nv_tileaa.func @both(%p: !nv_tileaa.ptr<f32>, %n: i64, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %t = nv_tileaa.create_mem_token
  %array = nv_tileaa.make_memref %p, sizes[%n, %n], strides[%n] : !nv_tileaa.ptr<f32>, (i64, i64), (i64) -> !array
  %view = nv_tileaa.block_tile %array : !array -> !view
  %sum = scf.for %i = %c0 to %m step %c1 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %a, %t0 = nv_tileaa.tiled_load %view[%c0, %i], token %t : !view, (i32, i32) -> tensor<64x32xf32>
    %b, %t1 = nv_tileaa.tiled_load %view[%c1, %i], token %t : !view, (i32, i32) -> tensor<64x32xf32>
    %bt = nv_tileaa.permute %b [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
    %at = nv_tileaa.fp_to_fp %a : tensor<64x32xf32> -> tensor<64x32xtf32>
    %btt = nv_tileaa.fp_to_fp %bt : tensor<32x64xf32> -> tensor<32x64xtf32>
    %r = nv_tileaa.dot %at, %btt, %s : tensor<64x32xtf32>, tensor<32x64xtf32>, tensor<64x64xf32>
    scf.yield %r : tensor<64x64xf32>
  }
  nv_tileaa.return
}

// A factor that lies across, one that is used as it is, too, one that is rounded another way: not these.
// CHECK-LABEL: @others
// CHECK-NOT: rounded = tf32
// CHECK: nv_tileaa.return
nv_tileaa.func @others(%p: !nv_tileaa.ptr<f32>, %n: i64, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %t = nv_tileaa.create_mem_token
  %array = nv_tileaa.make_memref %p, sizes[%n, %n], strides[%n] : !nv_tileaa.ptr<f32>, (i64, i64), (i64) -> !array
  %view = nv_tileaa.block_tile %array : !array -> !view
  %across = nv_tileaa.block_tile %array : !array -> !across
  %sums:2 = scf.for %i = %c0 to %m step %c1 iter_args(%s = %zero, %u = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>) : i32 {
    %a, %t0 = nv_tileaa.tiled_load %view[%c0, %i], token %t : !view, (i32, i32) -> tensor<64x32xf32>
    %twice = arith.addf %a, %a : tensor<64x32xf32>
    %b, %t1 = nv_tileaa.tiled_load %across[%i, %c1], token %t : !across, (i32, i32) -> tensor<32x64xf32>
    %c, %t2 = nv_tileaa.tiled_load %view[%c1, %i], token %t : !view, (i32, i32) -> tensor<64x32xf32>
    %at = nv_tileaa.fp_to_fp %a : tensor<64x32xf32> -> tensor<64x32xtf32>
    %wt = nv_tileaa.fp_to_fp %twice : tensor<64x32xf32> -> tensor<64x32xtf32>
    %bt = nv_tileaa.fp_to_fp %b : tensor<32x64xf32> -> tensor<32x64xtf32>
    %ct = nv_tileaa.fp_to_fp %c {rounding_mode = #nv_tileaa.rounding_mode<zero>} : tensor<64x32xf32> -> tensor<64x32xtf32>
    %r = nv_tileaa.dot %at, %bt, %s : tensor<64x32xtf32>, tensor<32x64xtf32>, tensor<64x64xf32>
    %r1 = nv_tileaa.dot %wt, %bt, %r : tensor<64x32xtf32>, tensor<32x64xtf32>, tensor<64x64xf32>
    %v = nv_tileaa.dot %ct, %bt, %u : tensor<64x32xtf32>, tensor<32x64xtf32>, tensor<64x64xf32>
    scf.yield %r1, %v : tensor<64x64xf32>, tensor<64x64xf32>
  }
  nv_tileaa.return
}
}
