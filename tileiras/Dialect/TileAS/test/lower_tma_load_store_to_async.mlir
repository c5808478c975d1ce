// The ring of a loop over two operands, as tileas-materialize-async leaves it: once filled by TMA, once as it was.
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(lower-tma-load-store-to-async)))' -verify-diagnostics | FileCheck %s
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(lower-tma-load-store-to-async,lower-tma-load-store-to-async)))' -verify-diagnostics | FileCheck %s
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=false tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(lower-tma-load-store-to-async)))' -verify-diagnostics | FileCheck %s --check-prefix=OFF
// OFF-NOT: tiled_tma

#t = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#sums = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
!tile = tensor<64x64xf16, #t>
!sum = tensor<64x64xf32, #sums>
!memref = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !memref>
!pipe = !nv_tileas.pipeline<2 x (!tile, !tile)>
!iter = !nv_tileas.pipeline_iterator<2 x (!tile, !tile)>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
// CHECK-LABEL: nv_tileaa.func @gemm
// CHECK: %[[DA:.*]], %[[UA:.*]] = nv_tileas.make_tiled_tma_desc %{{.*}} {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tmaIdx = 0 : i32}
// CHECK: %[[DB:.*]], %[[UB:.*]] = nv_tileas.make_tiled_tma_desc %{{.*}} {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tmaIdx = 1 : i32}
// CHECK: %[[USABLE:.*]] = arith.andi %[[UA]], %[[UB]]
// CHECK: scf.if %[[USABLE]] -> (tensor<64x64xf32
// CHECK-NOT: groups
// CHECK: producer_write
// CHECK: nv_tileas.async.tiled_tma_load %[[DA]], {{.*}}tmaIdx = 0 : i32, tx_count = 8192 : i32
// What counts as outside in a round has coordinates that no tensor map reaches.
// CHECK: %[[LAST:.*]] = arith.constant -1 : i32
// CHECK: %[[AT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[LAST]] : i32
// CHECK: nv_tileas.async.tiled_tma_load %[[DB]], %{{[^[]*}}[%[[AT]], {{.*}}tmaIdx = 1 : i32, tx_count = 8192 : i32
// CHECK-NOT: async.tiled_load
// CHECK-NOT: async_proxy
// CHECK: } else {
// CHECK: create_pipeline {{.*}}groups
// CHECK: nv_tileas.async.tiled_load
// CHECK: nv_tileas.async.tiled_load
// CHECK-NOT: tiled_tma
// CHECK: nv_tileaa.return
nv_tileaa.func @gemm(%a: !nv_tileaa.ptr<f16>, %m: i32, %k: i32, %n: i32, %out: !nv_tileaa.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %am = nv_tileaa.make_memref %a, sizes [%m, %k], strides [%k] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !memref
  %av = nv_tileaa.block_tile %am : !memref -> !view
  %bm = nv_tileaa.make_memref %a, sizes [%k, %n], strides [%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !memref
  %bv = nv_tileaa.block_tile %bm : !memref -> !view
  %om = nv_tileaa.make_memref %out, sizes [%m, %n], strides [%n] : !nv_tileaa.ptr<f32>, (i32, i32), (i32) -> !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
  %ov = nv_tileaa.block_tile %om : !nv_tileaa.memref<?x?xf32, strides = [?, 1]> -> !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
  %a0 = nv_tileas.alloc_tensor : !tile
  %b0 = nv_tileas.alloc_tensor : !tile
  %a1 = nv_tileas.alloc_tensor : !tile
  %b1 = nv_tileas.alloc_tensor : !tile
  %p = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1 {groups, numStages = 2 : i32} : (!tile, !tile, !tile, !tile) -> !pipe
  %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %sum, %its:2 = scf.for %i = %c0 to %k step %c1 iter_args(%acc = %zero, %in = %first, %o = %first) -> (!sum, !iter, !iter) : i32 {
    %t0 = nv_tileas.async.pipeline.producer_acquire %p, %in : !pipe, !iter
    %t1 = nv_tileas.async.pipeline.producer_write %p, %t0 : !pipe {
    ^bb0(%x: !tile, %y: !tile):
      %some = arith.cmpi ne, %i, %c0 : i32
      %d0, %m0 = nv_tileas.async.tiled_load %av[%c0, %i] into %x {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : !view, (i32, i32), !tile
      %d1, %m1 = nv_tileas.async.tiled_load %bv[%i, %c0] into %y if %some {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : !view, (i32, i32), !tile
      nv_tileas.async.pipeline.yield %d0, %d1 : !nv_tileas.async.token, !nv_tileas.async.token
    }
    nv_tileas.async.pipeline.producer_commit %p, %t1 : !pipe
    %in1 = nv_tileas.async.pipeline.inc_iter %in : !iter
    %q0 = nv_tileas.async.pipeline.consumer_wait %p, %o {nv_tileas.async_proxy} : !pipe, !iter
    %q1, %r = nv_tileas.async.pipeline.consumer_read %p, %q0 : !pipe -> !sum {
    ^bb0(%x: !tile, %y: !tile):
      %s = nv_tileas.dot %x, %y, %acc {atom = #nv_tileas.wgmma_atom<f16, n = 64, groups = [1, 1]>} : !tile, !tile, !sum
      nv_tileas.async.pipeline.yield %s : !sum
    }
    nv_tileas.async.pipeline.consumer_release %p, %q1 : !pipe
    %o1 = nv_tileas.async.pipeline.inc_iter %o : !iter
    scf.yield %r, %in1, %o1 : !sum, !iter, !iter
  }
  %t = nv_tileas.tiled_store %ov[%c0, %c0], %sum : !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32), !sum
  nv_tileaa.return
}
}

// -----

// A load that must not, and a kernel that does not say what it is.
#t = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
!tile = tensor<64x64xf16, #t>
!view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
!pipe = !nv_tileas.pipeline<1 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<1 x (!tile)>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
// CHECK-LABEL: nv_tileaa.func @forbidden
// CHECK-NOT: tma_desc
// CHECK: nv_tileaa.return
nv_tileaa.func @forbidden(%m: !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, %i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %v = nv_tileaa.block_tile %m : !nv_tileaa.memref<?x?xf16, strides = [?, 1]> -> !view
  %a0 = nv_tileas.alloc_tensor : !tile
  %p = nv_tileas.async.pipeline.create_pipeline %a0 {groups, numStages = 1 : i32} : (!tile) -> !pipe
  %it = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %t0 = nv_tileas.async.pipeline.producer_acquire %p, %it : !pipe, !iter
  %t1 = nv_tileas.async.pipeline.producer_write %p, %t0 : !pipe {
  ^bb0(%x: !tile):
    %d0, %m0 = nv_tileas.async.tiled_load %v[%i, %i] into %x {allow_tma = false, atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : !view, (i32, i32), !tile
    nv_tileas.async.pipeline.yield %d0 : !nv_tileas.async.token
  }
  nv_tileas.async.pipeline.producer_commit %p, %t1 : !pipe
  nv_tileaa.return
}
}
