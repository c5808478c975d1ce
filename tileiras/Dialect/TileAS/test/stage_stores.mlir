// Tiles that go through shared memory in order to be stored. In a kernel whose loops TMA does not fill, they are stored as they were.
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-stores)))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-stores)))' | FileCheck %s --check-prefix=DEFAULT
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-stores,lower-tma-load-store-to-async)))' | FileCheck %s --check-prefix=OFF
// RUN: sed 's/= 90 : i32/= 80 : i32/;s/sm_90a/sm_80/' %s | tileiras-opt -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-stores)))' | FileCheck %s --check-prefix=OFF
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=false tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-stores)))' | FileCheck %s --check-prefix=OFF
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-stores,lower-tma-load-store-to-async)))' | FileCheck %s --check-prefix=ALWAYS
// OFF-NOT: tma_desc
// OFF-NOT: tma_store
// OFF-NOT: scf.if
// ALWAYS: make_tiled_tma_desc %{{[0-9]+}} {atom = #nv_tileas.tma_store<{{.*}}>, tmaIdx = 0 : i32}

// stmatrix has no bank conflicts; words of two in a row have, and then it takes somebody who asks for TMA.
// DEFAULT-LABEL: nv_tileaa.func @half
// DEFAULT: tiled_tma_store
// DEFAULT-LABEL: nv_tileaa.func @slices
// DEFAULT-NOT: tma_store

// Sums of products of 64x64 and 64x256 as four warps hold them, and the layouts that store rows of 16 bytes.
#sums = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#rows = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[16, 0], [32, 0]]>
#wide = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#widerows = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [4, 0], [8, 0], [1, 0], [2, 0], [0, 128]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = [[16, 0], [32, 0]]>
!memref = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[64, 64], !memref>
!memref32 = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!view32 = !nv_tileaa.tiled_view<[64, 256], !memref32>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {

// CHECK-LABEL: nv_tileaa.func @half
// CHECK: %[[VIEW:.*]] = nv_tileaa.block_tile
// CHECK: %[[MAP:.*]], %[[USABLE:.*]] = nv_tileas.make_tiled_tma_desc %[[VIEW]] {atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 128>, nv_tileas.with_loads}
// CHECK: scf.if %[[USABLE]] {
// CHECK: %[[TILE:.*]] = nv_tileas.alloc_tensor
// CHECK: nv_tileas.copy %{{.*}}, %[[TILE]] {{{.*}}nv_tileas.async_proxy, nv_tileas.no_raw_barrier, nv_tileas.store_atom = #nv_tileas.stsm<matrices = 4>}
// CHECK: %[[DONE:.*]], %{{.*}} = nv_tileas.async.tiled_tma_store %[[MAP]], %[[TILE]], %[[VIEW]][%arg2, %arg3]
// CHECK: nv_tileas.async.wait %[[DONE]] {nv_tileas.source_read}
// CHECK: } else {
// CHECK: %[[ROWS:.*]] = nv_tileas.convert_layout
// CHECK: nv_tileas.tiled_store %[[VIEW]][%arg2, %arg3], %[[ROWS]]
nv_tileaa.func @half(%o: !nv_tileaa.ptr<f16>, %n: i32, %i: i32, %j: i32, %x: tensor<64x64xf16, #sums>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %m = nv_tileaa.make_memref %o, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !memref
  %v = nv_tileaa.block_tile %m : !memref -> !view
  %r = nv_tileas.convert_layout %x : tensor<64x64xf16, #sums> -> tensor<64x64xf16, #rows>
  %t = nv_tileas.tiled_store %v[%i, %j], %r {vec = 8 : i32} : !view, (i32, i32), tensor<64x64xf16, #rows>
  nv_tileaa.return
}

// 64 KiB, in slices of 32 KiB; what comes after is ordered by the token, so the last wait is until memory has been written.
// CHECK-LABEL: nv_tileaa.func @slices
// CHECK: %[[SLICES:.*]] = nv_tileaa.block_tile %{{.*}} -> <[64, 128], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
// CHECK: %[[MAP:.*]], %[[USABLE:.*]] = nv_tileas.make_tiled_tma_desc %[[SLICES]] {atom = #nv_tileas.tma_store<box = [64, 32], order = [1, 0], swizzle = 128>
// CHECK: %[[TOKEN:.*]] = scf.if %[[USABLE]] -> (!nv_tileaa.mem_token) {
// CHECK: %[[T0:.*]] = nv_tileas.alloc_tensor
// CHECK: %[[T1:.*]] = nv_tileas.alloc_tensor
// CHECK: %[[P0:.*]] = nv_tileas.extract_slice
// CHECK: nv_tileas.copy %[[P0]], %[[T0]] {{{.*}}nv_tileas.async_proxy, nv_tileas.no_raw_barrier}
// CHECK: nv_tileas.async.tiled_tma_store %[[MAP]], %[[T0]], %[[SLICES]][%arg2, %{{.*}}]
// CHECK: %[[P1:.*]] = nv_tileas.extract_slice
// CHECK: nv_tileas.copy %[[P1]], %[[T1]] {{{.*}}no_war_barrier
// CHECK: %[[DONE:.*]], %[[AFTER:.*]] = nv_tileas.async.tiled_tma_store %[[MAP]], %[[T1]], %[[SLICES]][%arg2, %{{.*}}]
// CHECK-NEXT: nv_tileas.async.wait %[[DONE]]{{$}}
// CHECK: scf.yield %[[AFTER]]
// CHECK: } else {
// CHECK: %[[OTHER:.*]] = nv_tileas.tiled_store
// CHECK: scf.yield %[[OTHER]]
// CHECK: nv_tileas.tiled_load %{{.*}} token %[[TOKEN]]
nv_tileaa.func @slices(%o: !nv_tileaa.ptr<f32>, %n: i32, %i: i32, %j: i32, %x: tensor<64x256xf32, #wide>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %m = nv_tileaa.make_memref %o, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<f32>, (i32, i32), (i32) -> !memref32
  %v = nv_tileaa.block_tile %m : !memref32 -> !view32
  %r = nv_tileas.convert_layout %x : tensor<64x256xf32, #wide> -> tensor<64x256xf32, #widerows>
  %t = nv_tileas.tiled_store %v[%i, %j], %r {vec = 4 : i32} : !view32, (i32, i32), tensor<64x256xf32, #widerows>
  %again, %t1 = nv_tileas.tiled_load %v[%j, %i], token %t {vec = 4 : i32} : !view32, (i32, i32) -> tensor<64x256xf32, #widerows>
  nv_tileaa.return
}

// Threads hold rows as they are stored; the store is not to be a tensor copy; it releases.
// CHECK-LABEL: nv_tileaa.func @not
// CHECK-NOT: make_tiled_tma_desc
nv_tileaa.func @not(%o: !nv_tileaa.ptr<f16>, %n: i32, %i: i32, %j: i32, %x: tensor<64x64xf16, #sums>, %y: tensor<64x64xf16, #rows>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %m = nv_tileaa.make_memref %o, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !memref
  %v = nv_tileaa.block_tile %m : !memref -> !view
  %t0 = nv_tileas.tiled_store %v[%i, %j], %y {vec = 8 : i32} : !view, (i32, i32), tensor<64x64xf16, #rows>
  %r1 = nv_tileas.convert_layout %x : tensor<64x64xf16, #sums> -> tensor<64x64xf16, #rows>
  %t1 = nv_tileas.tiled_store %v[%i, %j], %r1 {allow_tma = false, vec = 8 : i32} : !view, (i32, i32), tensor<64x64xf16, #rows>
  %r2 = nv_tileas.convert_layout %x : tensor<64x64xf16, #sums> -> tensor<64x64xf16, #rows>
  %t2 = nv_tileas.tiled_store %v[%i, %j], %r2 {mem_semantic = #nv_tileaa.mem_semantic<release>, mem_scope = #nv_tileaa.mem_scope<gpu>} : !view, (i32, i32), tensor<64x64xf16, #rows>
  nv_tileaa.return
}
}
