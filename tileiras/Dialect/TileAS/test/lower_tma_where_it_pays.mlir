// Where nobody asks for TMA: stages of 32 KiB take 16 rounds to win back what tensor maps cost. Whether there are as many is
// asked before anybody looks for them; smaller stages never win it back.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(lower-tma-load-store-to-async)))' | FileCheck %s
// RUN: sed 's/%i = %c0 to %k step/%i = %c0 to %c15 step/' %s | tileiras-opt -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(lower-tma-load-store-to-async)))' | FileCheck %s --check-prefix=OFF
// RUN: sed 's/%i = %c0 to %k step/%i = %c0 to %c16 step/' %s | tileiras-opt -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(lower-tma-load-store-to-async)))' | FileCheck %s --check-prefix=ENOUGH
// RUN: sed 's/%i = %c0 to %k step/%i = %c0 to %c16 step/;s/= 90 : i32/= 100 : i32/;s/sm_90a/sm_100a/' %s | tileiras-opt -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(lower-tma-load-store-to-async)))' | FileCheck %s --check-prefix=OFF
// RUN: sed 's/128x64/32x64/g;s/\[128, 64\]/[32, 64]/;s/, \[32, 0\], \[64, 0\]//' %s | tileiras-opt -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(lower-tma-load-store-to-async)))' | FileCheck %s --check-prefix=OFF
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(lower-tma-load-store-to-async)))' | FileCheck %s --check-prefix=ENOUGH
// An empty variable is none.
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE= tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(lower-tma-load-store-to-async)))' | FileCheck %s
// Where threads multiply, five rounds are enough.
// RUN: sed 's/%i = %c0 to %k step/%i = %c0 to %c4 step/;s/= 90 : i32/= 120 : i32/;s/sm_90a/sm_120a/' %s | tileiras-opt -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(lower-tma-load-store-to-async)))' | FileCheck %s --check-prefix=OFF
// RUN: sed 's/%i = %c0 to %k step/%i = %c0 to %c5 step/;s/= 90 : i32/= 120 : i32/;s/sm_90a/sm_120a/' %s | tileiras-opt -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(lower-tma-load-store-to-async)))' | FileCheck %s --check-prefix=ENOUGH
// OFF-NOT: tiled_tma
// ENOUGH: make_tiled_tma_desc %{{[0-9]+}} {
// ENOUGH: tiled_tma_load

#t = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]>
#copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0], [64, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
!tile = tensor<128x64xf16, #t>
!memref = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[128, 64], padding = zero, !memref>
!pipe = !nv_tileas.pipeline<2 x (!tile, !tile)>
!iter = !nv_tileas.pipeline_iterator<2 x (!tile, !tile)>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
// CHECK-LABEL: nv_tileaa.func @rounds
// CHECK: %[[MORE:.*]] = arith.cmpi sgt, %arg2, %{{.*}} : i32
// CHECK: make_tiled_tma_desc %{{.*}} if %[[MORE]] {
// CHECK: make_tiled_tma_desc %{{.*}} if %[[MORE]] {
// CHECK: scf.if
// CHECK: tiled_tma_load
nv_tileaa.func @rounds(%a: !nv_tileaa.ptr<f16>, %m: i32, %k: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c5 = arith.constant 5 : i32
  %c15 = arith.constant 15 : i32
  %c16 = arith.constant 16 : i32
  %am = nv_tileaa.make_memref %a, sizes [%m, %k], strides [%k] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !memref
  %av = nv_tileaa.block_tile %am : !memref -> !view
  %bm = nv_tileaa.make_memref %a, sizes [%k, %m], strides [%m] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !memref
  %bv = nv_tileaa.block_tile %bm : !memref -> !view
  %a0 = nv_tileas.alloc_tensor : !tile
  %b0 = nv_tileas.alloc_tensor : !tile
  %a1 = nv_tileas.alloc_tensor : !tile
  %b1 = nv_tileas.alloc_tensor : !tile
  %p = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1 {groups, numStages = 2 : i32} : (!tile, !tile, !tile, !tile) -> !pipe
  %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %its:2 = scf.for %i = %c0 to %k step %c1 iter_args(%in = %first, %o = %first) -> (!iter, !iter) : i32 {
    %t0 = nv_tileas.async.pipeline.producer_acquire %p, %in : !pipe, !iter
    %t1 = nv_tileas.async.pipeline.producer_write %p, %t0 : !pipe {
    ^bb0(%x: !tile, %y: !tile):
      %d0, %m0 = nv_tileas.async.tiled_load %av[%c0, %i] into %x {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : !view, (i32, i32), !tile
      %d1, %m1 = nv_tileas.async.tiled_load %bv[%i, %c0] into %y {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : !view, (i32, i32), !tile
      nv_tileas.async.pipeline.yield %d0, %d1 : !nv_tileas.async.token, !nv_tileas.async.token
    }
    nv_tileas.async.pipeline.producer_commit %p, %t1 : !pipe
    %in1 = nv_tileas.async.pipeline.inc_iter %in : !iter
    %q0 = nv_tileas.async.pipeline.consumer_wait %p, %o : !pipe, !iter
    nv_tileas.async.pipeline.consumer_release %p, %q0 : !pipe
    %o1 = nv_tileas.async.pipeline.inc_iter %o : !iter
    scf.yield %in1, %o1 : !iter, !iter
  }
  nv_tileaa.return
}
}
