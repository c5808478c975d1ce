// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout,tileas-optimize-alloc-tensor))' | FileCheck %s

// Tiles loaded for a product alone go to shared memory by cp.async, and come from there by ldmatrix. All threads meet
// once before the copies and once after them.

!view = !nv_tileaa.tiled_view<[16, 64], padding = zero, !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
!right = !nv_tileaa.tiled_view<[64, 8], padding = zero, !nv_tileaa.memref<?x8xf16, strides = [8, 1]>>
#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = []>
#r = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = []>
#a = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#b = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0], [16, 0], [32, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
// CHECK-LABEL: nv_tileaa.func @loop
// CHECK: scf.for
// CHECK: %[[A:.*]] = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<16x64xf16, #shared{{[0-9]*}}>
// CHECK: %[[DA:.*]], %{{.*}} = nv_tileas.async.tiled_load %{{.*}} into %[[A]] {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #{{.*}}} :
// CHECK: %[[B:.*]] = nv_tileas.alloc_tensor {offset = 2048 : i64} : tensor<64x8xf16, #shared{{[0-9]*}}>
// CHECK: %[[DB:.*]], %{{.*}} = nv_tileas.async.tiled_load %{{.*}} into %[[B]] {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #{{.*}}, no_war_barrier} :
// CHECK-NOT: nv_tileas.async.wait
// CHECK: nv_tileas.async.wait %{{.*}}, %{{.*}}
// CHECK-NEXT: nv_tileas.dot %[[A]], %[[B]], %{{.*}} {atom = {{.*}}, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>}
nv_tileaa.func @loop(%v: !view, %w: !right, %n: i32, %z: tensor<16x8xf32, #c>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (tensor<16x8xf32, #c>) : i32 {
    %x, %t0 = nv_tileas.tiled_load %v[%i, %c0] {vec = 8 : i32} : !view, (i32, i32) -> tensor<16x64xf16, #l>
    %y, %t1 = nv_tileas.tiled_load %w[%i, %c0] {vec = 8 : i32} : !right, (i32, i32) -> tensor<64x8xf16, #r>
    %xa = nv_tileas.convert_layout %x : tensor<16x64xf16, #l> -> tensor<16x64xf16, #a>
    %yb = nv_tileas.convert_layout %y : tensor<64x8xf16, #r> -> tensor<64x8xf16, #b>
    %p = nv_tileas.dot %xa, %yb, %s {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<16x64xf16, #a>, tensor<64x8xf16, #b>, tensor<16x8xf32, #c>
    scf.yield %p : tensor<16x8xf32, #c>
  }
  %e = arith.negf %d : tensor<16x8xf32, #c>
  nv_tileaa.return
}

// -----

// Somebody else looks at the tile; what is padded with something else than zero; an ordered load: all by way of registers.
!view = !nv_tileaa.tiled_view<[16, 64], padding = zero, !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
!nan = !nv_tileaa.tiled_view<[16, 64], padding = nan, !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = []>
#a = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#b = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0], [16, 0], [32, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
// CHECK-LABEL: nv_tileaa.func @by_registers
// CHECK-NOT: async.tiled_load
// CHECK: nv_tileaa.return
nv_tileaa.func @by_registers(%v: !view, %n: !nan, %i: i32, %z: tensor<16x8xf32, #c>, %y: tensor<64x8xf16, #b>) {
  %x, %t0 = nv_tileas.tiled_load %v[%i, %i] {vec = 8 : i32} : !view, (i32, i32) -> tensor<16x64xf16, #l>
  %more = arith.negf %x : tensor<16x64xf16, #l>
  %xa = nv_tileas.convert_layout %x : tensor<16x64xf16, #l> -> tensor<16x64xf16, #a>
  %p = nv_tileas.dot %xa, %y, %z {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<16x64xf16, #a>, tensor<64x8xf16, #b>, tensor<16x8xf32, #c>
  %x2, %t2 = nv_tileas.tiled_load %n[%i, %i] {vec = 8 : i32} : !nan, (i32, i32) -> tensor<16x64xf16, #l>
  %xa2 = nv_tileas.convert_layout %x2 : tensor<16x64xf16, #l> -> tensor<16x64xf16, #a>
  %p2 = nv_tileas.dot %xa2, %y, %p {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<16x64xf16, #a>, tensor<64x8xf16, #b>, tensor<16x8xf32, #c>
  %x3, %t3 = nv_tileas.tiled_load %v[%i, %i] {mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>} : !view, (i32, i32) -> tensor<16x64xf16, #l>
  %xa3 = nv_tileas.convert_layout %x3 : tensor<16x64xf16, #l> -> tensor<16x64xf16, #a>
  %p3 = nv_tileas.dot %xa3, %y, %p2 {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<16x64xf16, #a>, tensor<64x8xf16, #b>, tensor<16x8xf32, #c>
  %e = arith.negf %p3 : tensor<16x8xf32, #c>
  nv_tileaa.return
}

// -----

// Operands that arrive row by row, one element per access (nothing is known of their address): wide writes would put
// elements of two rows into a word, and every word of a fragment would have to be put together; ldmatrix costs less.
#sa = #nv_tileas.linear<rank = 2, register = [[2, 0], [4, 0], [8, 0], [16, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [1, 0]]>
#sb = #nv_tileas.linear<rank = 2, register = [[4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0]]>
#a = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [16, 0]]>
#b = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0], [16, 0], [32, 0], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 8], [0, 0]]>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [16, 0]]>
// CHECK-LABEL: nv_tileaa.func @rows_without_alignment
// CHECK: nv_tileas.dot {{.*}}fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>
nv_tileaa.func @rows_without_alignment(%x: tensor<32x64xf16, #sa>, %y: tensor<64x32xf16, #sb>, %z: tensor<32x32xf32, #c>) {
  %xa = nv_tileas.convert_layout %x : tensor<32x64xf16, #sa> -> tensor<32x64xf16, #a>
  %yb = nv_tileas.convert_layout %y : tensor<64x32xf16, #sb> -> tensor<64x32xf16, #b>
  %p = nv_tileas.dot %xa, %yb, %z {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 2, 2]>} : tensor<32x64xf16, #a>, tensor<64x32xf16, #b>, tensor<32x32xf32, #c>
  nv_tileaa.return
}
