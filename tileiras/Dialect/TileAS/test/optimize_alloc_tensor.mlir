// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(convert-tileaa-to-tileas,tileas-assign-dot-layouts,tileas-assign-load-store-layouts,tileas-remove-layout-conversions,canonicalize,cse,tileas-materialize-convert-layout,tileas-keep-invariant-tiles,tileas-optimize-alloc-tensor)))' | FileCheck %s

!ma = !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
!va = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
!mc = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!vc = !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>

// The left operand is the same in every round, though transposed there: it is written once, into bytes that nobody else gets.
gpu.module @once attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
  // CHECK-LABEL: nv_tileaa.func @once
  // CHECK: %[[X:.*]], %{{.*}} = nv_tileas.tiled_load
  // CHECK: %[[XT:.*]] = nv_tileaa.permute %[[X]]
  // CHECK: %[[A:.*]] = nv_tileas.alloc_tensor {offset = 0 : i64}
  // CHECK: nv_tileas.copy %[[XT]], %[[A]] {
  // CHECK: scf.for
  // CHECK: %[[B:.*]] = nv_tileas.alloc_tensor {offset = 8192 : i64}
  // CHECK: nv_tileas.copy %{{.*}}, %[[B]] {
  // CHECK-NOT: nv_tileas.copy
  // CHECK: nv_tileas.dot %[[A]], %[[B]]
  nv_tileaa.func @once(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f32>, %m: i32, %i: i32) {
    %r = nv_tileaa.make_memref %p, sizes [%m], strides [] : !nv_tileaa.ptr<f16>, (i32), () -> !ma
    %o = nv_tileaa.make_memref %q, sizes [%m], strides [] : !nv_tileaa.ptr<f32>, (i32), () -> !mc
    %a = nv_tileaa.block_tile %r : !ma -> !va
    %c = nv_tileaa.block_tile %o : !mc -> !vc
    %t = nv_tileaa.create_mem_token
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %x, %t1 = nv_tileaa.tiled_load %a[%i, %c0], token %t : !va, (i32, i32) -> tensor<64x64xf16>
    %sum = scf.for %k = %c0 to %i step %c1 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
      %y, %t2 = nv_tileaa.tiled_load %a[%k, %c0], token %t : !va, (i32, i32) -> tensor<64x64xf16>
      %xt = nv_tileaa.permute %x [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
      %d = nv_tileaa.dot %xt, %y, %s : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %t3 = nv_tileaa.tiled_store %c[%i, %c0], %sum, token %t : !vc, (i32, i32), tensor<64x64xf32>
    nv_tileaa.return
  }
}

// -----

!ma = !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
!va = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
!mc = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!vc = !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>

// Sixteen blocks are asked for, each may take a sixteenth of a multiprocessor's memory: both operands are written in every round.
gpu.module @everytime attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  // CHECK-LABEL: nv_tileaa.func @everytime
  // CHECK: scf.for
  // CHECK: nv_tileas.copy %{{.*}}, %[[A:.*]] {
  // CHECK: nv_tileas.copy %{{.*}}, %[[B:.*]] {
  // CHECK: nv_tileas.dot %[[A]], %[[B]]
  nv_tileaa.func @everytime(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f32>, %m: i32, %i: i32)
      attributes {nv_tileaa.occupancy = 16 : i32, nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %r = nv_tileaa.make_memref %p, sizes [%m], strides [] : !nv_tileaa.ptr<f16>, (i32), () -> !ma
    %o = nv_tileaa.make_memref %q, sizes [%m], strides [] : !nv_tileaa.ptr<f32>, (i32), () -> !mc
    %a = nv_tileaa.block_tile %r : !ma -> !va
    %c = nv_tileaa.block_tile %o : !mc -> !vc
    %t = nv_tileaa.create_mem_token
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %x, %t1 = nv_tileaa.tiled_load %a[%i, %c0], token %t : !va, (i32, i32) -> tensor<64x64xf16>
    %sum = scf.for %k = %c0 to %i step %c1 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
      %y, %t2 = nv_tileaa.tiled_load %a[%k, %c0], token %t : !va, (i32, i32) -> tensor<64x64xf16>
      %xt = nv_tileaa.permute %x [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
      %d = nv_tileaa.dot %xt, %y, %s : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %t3 = nv_tileaa.tiled_store %c[%i, %c0], %sum, token %t : !vc, (i32, i32), tensor<64x64xf32>
    nv_tileaa.return
  }
}
