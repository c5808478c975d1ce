// Tensor stores in loops are waited for before their tile is written again. Executed: test/EndToEnd/tensor_stores.py.
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-stores,tileas-defer-store-waits)))' --remarks-filter=memory --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true tileiras-opt %s -o %t.mlir -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-stores,tileas-defer-store-waits)))' --remarks-filter=memory --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not='DeferStoreWait{{.*}}Function=ordered' --implicit-check-not='DeferStoreWait{{.*}}Function=once'
// RUN: tileiras-opt %t.mlir -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-optimize-alloc-tensor)))' | FileCheck %s --check-prefix=PLACED

#sums = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#rows = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[16, 0], [32, 0]]>
#bytes = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096]]>
!memref = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[64, 64], !memref>
!ctile = tensor<64x64xf16, #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {

// CHECK-DAG: [Passed] DeferStoreWait | Category:memory | Function=rounds | Reason="the tile is written again a round later"
// CHECK-DAG: [Missed] DeferStoreWait | Category:memory | Function=differs | Reason="whether the tile is stored by TMA differs from round to round"
// CHECK-DAG: [Missed] DeferStoreWait | Category:memory | Function=room | Reason="a tile that lives as long as the loop would take more shared memory"
// REMARK: DeferStoreWait{{.*}}Function=rounds

// CHECK-LABEL: nv_tileaa.func @rounds
// CHECK: %[[MAP:.*]], %[[USABLE:.*]] = nv_tileas.make_tiled_tma_desc
// CHECK: %[[TILE:.*]] = nv_tileas.alloc_tensor
// CHECK: scf.for
// CHECK: scf.if %[[USABLE]] {
// CHECK-NOT: alloc_tensor
// CHECK: nv_tileas.async.wait {nv_tileas.source_read, nv_tileas.waits_for_stores}
// CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[TILE]] {{{.*}}no_war_barrier
// CHECK: %{{.*}}, %{{.*}} = nv_tileas.async.tiled_tma_store %[[MAP]], %[[TILE]]
// CHECK-NEXT: } else {
// CHECK: nv_tileas.tiled_store
// CHECK-NEXT: {{^ *}}}
// CHECK-NEXT: {{^ *}}}
// CHECK-NEXT: nv_tileas.async.wait {nv_tileas.source_read, nv_tileas.waits_for_stores}
nv_tileaa.func @rounds(%o: !nv_tileaa.ptr<f16>, %n: i32, %low: i32, %high: i32, %x: tensor<64x64xf16, #sums>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c1 = arith.constant 1 : i32
  %m = nv_tileaa.make_memref %o, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !memref
  %v = nv_tileaa.block_tile %m : !memref -> !view
  scf.for %i = %low to %high step %c1 : i32 {
    %r = nv_tileas.convert_layout %x : tensor<64x64xf16, #sums> -> tensor<64x64xf16, #rows>
    %t = nv_tileas.tiled_store %v[%i, %i], %r {vec = 8 : i32} : !view, (i32, i32), tensor<64x64xf16, #rows>
  }
  nv_tileaa.return
}

// What comes behind the store waits until memory has been written.
// CHECK-LABEL: nv_tileaa.func @ordered
// CHECK: nv_tileas.async.tiled_tma_store
// CHECK-NEXT: nv_tileas.async.wait %{{.*}}
// CHECK-NOT: waits_for_stores
// CHECK: nv_tileaa.func @once
nv_tileaa.func @ordered(%o: !nv_tileaa.ptr<f16>, %n: i32, %low: i32, %high: i32, %x: tensor<64x64xf16, #sums>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c1 = arith.constant 1 : i32
  %m = nv_tileaa.make_memref %o, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !memref
  %v = nv_tileaa.block_tile %m : !memref -> !view
  %t0 = nv_tileaa.create_mem_token
  %e = scf.for %i = %low to %high step %c1 iter_args(%before = %t0) -> (!nv_tileaa.mem_token) : i32 {
    %r = nv_tileas.convert_layout %x : tensor<64x64xf16, #sums> -> tensor<64x64xf16, #rows>
    %t = nv_tileas.tiled_store %v[%i, %i], %r, token %before {vec = 8 : i32} : !view, (i32, i32), tensor<64x64xf16, #rows>
    scf.yield %t : !nv_tileaa.mem_token
  }
  nv_tileaa.return
}

// Nobody writes the tile again.
// CHECK-NOT: waits_for_stores
// CHECK: nv_tileaa.func @differs
nv_tileaa.func @once(%o: !nv_tileaa.ptr<f16>, %n: i32, %i: i32, %x: tensor<64x64xf16, #sums>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %m = nv_tileaa.make_memref %o, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !memref
  %v = nv_tileaa.block_tile %m : !memref -> !view
  %r = nv_tileas.convert_layout %x : tensor<64x64xf16, #sums> -> tensor<64x64xf16, #rows>
  %t = nv_tileas.tiled_store %v[%i, %i], %r {vec = 8 : i32} : !view, (i32, i32), tensor<64x64xf16, #rows>
  nv_tileaa.return
}

// The last round may store nothing, and would not wait.
// CHECK-NOT: waits_for_stores
// CHECK: nv_tileaa.func @room
nv_tileaa.func @differs(%map: !nv_tileas.tma_descriptor_iter, %v: !view, %low: i32, %high: i32, %x: tensor<64x64xf16, #sums>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c1 = arith.constant 1 : i32
  scf.for %i = %low to %high step %c1 : i32 {
    %some = arith.cmpi slt, %i, %c1 : i32
    scf.if %some {
      %tile = nv_tileas.alloc_tensor : !ctile
      nv_tileas.copy %x, %tile {nv_tileas.async_proxy, nv_tileas.no_raw_barrier} : tensor<64x64xf16, #sums>, !ctile
      %done, %t = nv_tileas.async.tiled_tma_store %map, %tile, %v[%i, %i] {atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 128>} : !ctile, !view, (i32, i32)
      nv_tileas.async.wait %done {nv_tileas.source_read}
    }
  }
  nv_tileaa.return
}

// Another tile of the round has had its bytes.
// CHECK-NOT: waits_for_stores
nv_tileaa.func @room(%o: !nv_tileaa.ptr<f16>, %n: i32, %low: i32, %high: i32, %x: tensor<64x64xf16, #sums>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c1 = arith.constant 1 : i32
  %m = nv_tileaa.make_memref %o, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !memref
  %v = nv_tileaa.block_tile %m : !memref -> !view
  scf.for %i = %low to %high step %c1 : i32 {
    %bytes = nv_tileas.alloc_tensor : tensor<8192xi8, #bytes>
    nv_tileas.with_scratch %bytes : tensor<8192xi8, #bytes> {
      nv_tileas.yield
    }
    %r = nv_tileas.convert_layout %x : tensor<64x64xf16, #sums> -> tensor<64x64xf16, #rows>
    %t = nv_tileas.tiled_store %v[%i, %i], %r {vec = 8 : i32} : !view, (i32, i32), tensor<64x64xf16, #rows>
  }
  nv_tileaa.return
}

// A tile that is not moved is where it was: behind the tile whose bytes it takes.
// CHECK: nv_tileaa.func @behind
// CHECK: scf.for
// CHECK-NEXT: %[[IN:.*]] = nv_tileas.alloc_tensor
// CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[IN]]
// CHECK-NEXT: nv_tileas.copy %[[IN]]
// CHECK-NEXT: %[[TILE:.*]] = nv_tileas.alloc_tensor
// CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[TILE]]
// PLACED: nv_tileaa.func @behind
// PLACED-COUNT-2: nv_tileas.alloc_tensor {{.*}}offset = 0 : i64
nv_tileaa.func @behind(%map: !nv_tileas.tma_descriptor_iter, %v: !view, %low: i32, %high: i32, %x: tensor<64x64xf16, #sums>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %low to %high step %c1 iter_args(%y = %x) -> (tensor<64x64xf16, #sums>) : i32 {
    %in = nv_tileas.alloc_tensor : !ctile
    nv_tileas.copy %y, %in : tensor<64x64xf16, #sums>, !ctile
    %n = nv_tileas.copy %in : !ctile -> tensor<64x64xf16, #sums>
    %tile = nv_tileas.alloc_tensor : !ctile
    nv_tileas.copy %n, %tile {nv_tileas.async_proxy, nv_tileas.no_raw_barrier} : tensor<64x64xf16, #sums>, !ctile
    %done, %t = nv_tileas.async.tiled_tma_store %map, %tile, %v[%i, %i] {atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 128>} : !ctile, !view, (i32, i32)
    nv_tileas.async.wait %done {nv_tileas.source_read}
    scf.yield %n : tensor<64x64xf16, #sums>
  }
  nv_tileaa.return
}

// Combined with memory while a stage is read: products of the round would wait for it, so the tile has bytes of its own.
// CHECK: nv_tileaa.func @among
// CHECK: nv_tileas.async.pipeline.create_iterator
// CHECK-NEXT: %[[TILE:.*]] = nv_tileas.alloc_tensor
// CHECK-NEXT: scf.for
// CHECK: nv_tileas.async.pipeline.consumer_read
// CHECK: nv_tileas.async.wait {nv_tileas.source_read, nv_tileas.waits_for_stores}
// CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[TILE]] {{{.*}}no_war_barrier
// CHECK-NEXT: nv_tileas.async.tiled_tma_store %{{.*}}, %[[TILE]]
// CHECK-NOT: nv_tileas.async.wait
// CHECK: scf.yield
// CHECK-NEXT: {{^ *}}}
// CHECK-NEXT: nv_tileas.async.wait {nv_tileas.source_read, nv_tileas.waits_for_stores}
// CHECK-NEXT: nv_tileaa.return
// PLACED: nv_tileaa.func @among
// PLACED: create_iterator
// PLACED: nv_tileas.alloc_tensor {offset = [[AT:[0-9]+]] : i64}
// PLACED: consumer_read
// PLACED-NOT: offset = [[AT]] :
// PLACED: nv_tileaa.return
nv_tileaa.func @among(%map: !nv_tileas.tma_descriptor_iter, %v: !view, %low: i32, %high: i32, %x: tensor<64x64xf16, #sums>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c1 = arith.constant 1 : i32
  %s0 = nv_tileas.alloc_tensor : !ctile
  %s1 = nv_tileas.alloc_tensor : !ctile
  %ring = nv_tileas.async.pipeline.create_pipeline %s0, %s1 {groups, numStages = 2 : i32} : (!ctile, !ctile) -> !nv_tileas.pipeline<2 x (!ctile)>
  %first = nv_tileas.async.pipeline.create_iterator %ring : !nv_tileas.pipeline<2 x (!ctile)> -> !nv_tileas.pipeline_iterator<2 x (!ctile)>
  %r:2 = scf.for %i = %low to %high step %c1 iter_args(%y = %x, %out = %first) -> (tensor<64x64xf16, #sums>, !nv_tileas.pipeline_iterator<2 x (!ctile)>) : i32 {
    %full = nv_tileas.async.pipeline.consumer_wait %ring, %out : !nv_tileas.pipeline<2 x (!ctile)>, !nv_tileas.pipeline_iterator<2 x (!ctile)>
    %read, %n = nv_tileas.async.pipeline.consumer_read %ring, %full : !nv_tileas.pipeline<2 x (!ctile)> -> tensor<64x64xf16, #sums> {
    ^bb0(%stage: !ctile):
      %in = nv_tileas.alloc_tensor : !ctile
      nv_tileas.copy %y, %in : tensor<64x64xf16, #sums>, !ctile
      %next = nv_tileas.copy %in : !ctile -> tensor<64x64xf16, #sums>
      %tile = nv_tileas.alloc_tensor : !ctile
      nv_tileas.copy %next, %tile {nv_tileas.async_proxy, nv_tileas.no_raw_barrier} : tensor<64x64xf16, #sums>, !ctile
      %done, %t = nv_tileas.async.tiled_tma_store %map, %tile, %v[%i, %i] {atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 128>, rmw_mode = #nv_tileaa.rmw_mode<addf>} : !ctile, !view, (i32, i32)
      nv_tileas.async.wait %done {nv_tileas.source_read}
      nv_tileas.async.pipeline.yield %next : tensor<64x64xf16, #sums>
    }
    nv_tileas.async.pipeline.consumer_release %ring, %read : !nv_tileas.pipeline<2 x (!ctile)>
    %then = nv_tileas.async.pipeline.inc_iter %out : !nv_tileas.pipeline_iterator<2 x (!ctile)>
    scf.yield %n, %then : tensor<64x64xf16, #sums>, !nv_tileas.pipeline_iterator<2 x (!ctile)>
  }
  nv_tileaa.return
}
}
