// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout))' | FileCheck %s
// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout,tileas-keep-invariant-tiles))' | FileCheck %s --check-prefix=KEPT

// A tile that two products multiply, once as it lies and once transposed: one place, filled past the registers, from which ldmatrix
// fetches the one's fragments by rows and the other's by columns.

!view = !nv_tileaa.tiled_view<[16, 16], padding = zero, !nv_tileaa.memref<?x16xf16, strides = [16, 1]>>
#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = []>
#t = #nv_tileas.linear<rank = 2, register = [[1, 0], [2, 0], [4, 0]], lane = [[8, 0], [0, 1], [0, 2], [0, 4], [0, 8]], warp = []>
#a = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#b = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
module attributes {nv_tileaa.target_spec = "sm_80"} {
// CHECK-LABEL: nv_tileaa.func @loaded
// CHECK: scf.for
// CHECK: %[[Q:.*]] = nv_tileas.alloc_tensor : tensor<16x16xf16
// CHECK: %[[D:.*]], %{{.*}} = nv_tileas.async.tiled_load %{{.*}} into %[[Q]]
// CHECK: nv_tileas.async.wait %[[D]]
// CHECK: nv_tileas.dot %[[Q]], %{{.*}} {{.*}}fetch_a = #nv_tileas.ldsm<matrices = 4>
// CHECK-NOT: async.wait
// CHECK: %[[T:.*]] = nv_tileaa.permute %[[Q]] [1, 0]
// CHECK: nv_tileas.dot %[[T]], %{{.*}} {{.*}}fetch_a = #nv_tileas.ldsm<matrices = 4, transposed = true>
// CHECK-NOT: nv_tileas.copy
// CHECK: scf.yield
nv_tileaa.func @loaded(%v: !view, %n: i32, %y: tensor<16x8xf16, #b>, %z: tensor<16x8xf32, #c>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (tensor<16x8xf32, #c>) : i32 {
    %q, %t0 = nv_tileas.tiled_load %v[%i, %c0] {vec = 8 : i32} : !view, (i32, i32) -> tensor<16x16xf16, #l>
    %qa = nv_tileas.convert_layout %q : tensor<16x16xf16, #l> -> tensor<16x16xf16, #a>
    %p = nv_tileas.dot %qa, %y, %s {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<16x16xf16, #a>, tensor<16x8xf16, #b>, tensor<16x8xf32, #c>
    %qt = nv_tileaa.permute %q [1, 0] : tensor<16x16xf16, #l> -> tensor<16x16xf16, #t>
    %qb = nv_tileas.convert_layout %qt : tensor<16x16xf16, #t> -> tensor<16x16xf16, #a>
    %r = nv_tileas.dot %qb, %y, %p {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<16x16xf16, #a>, tensor<16x8xf16, #b>, tensor<16x8xf32, #c>
    scf.yield %r : tensor<16x8xf32, #c>
  }
  nv_tileaa.return
}
}

// -----

// What comes from outside of the loop is written by the threads, once instead of for each product, and before the loop. If somebody
// else has the tile, too, it is the same.

#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = []>
#t = #nv_tileas.linear<rank = 2, register = [[1, 0], [2, 0], [4, 0]], lane = [[8, 0], [0, 1], [0, 2], [0, 4], [0, 8]], warp = []>
#a = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#b = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
module attributes {nv_tileaa.target_spec = "sm_80"} {
// CHECK-LABEL: nv_tileaa.func @written
// CHECK: scf.for
// CHECK: %[[K:.*]] = nv_tileas.alloc_tensor : tensor<16x16xf16
// CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[K]]
// CHECK: nv_tileas.dot %[[K]], %{{.*}} {{.*}}fetch_a = #nv_tileas.ldsm<matrices = 4>
// CHECK: %[[T:.*]] = nv_tileaa.permute %[[K]] [1, 0]
// CHECK: nv_tileas.dot %[[T]], %{{.*}} {{.*}}fetch_a = #nv_tileas.ldsm<matrices = 4, transposed = true>
// CHECK-NOT: nv_tileas.copy
// CHECK: scf.yield
// KEPT-LABEL: nv_tileaa.func @written
// KEPT: nv_tileas.copy
// KEPT: scf.for
// KEPT-NOT: nv_tileas.copy
// KEPT: nv_tileaa.return
nv_tileaa.func @written(%k: tensor<16x16xf16, #l>, %n: i32, %y: tensor<16x8xf16, #b>, %z: tensor<16x8xf32, #c>) -> tensor<16x16xf16, #l> attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %kt = nv_tileaa.permute %k [1, 0] : tensor<16x16xf16, #l> -> tensor<16x16xf16, #t>
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (tensor<16x8xf32, #c>) : i32 {
    %ka = nv_tileas.convert_layout %k : tensor<16x16xf16, #l> -> tensor<16x16xf16, #a>
    %p = nv_tileas.dot %ka, %y, %s {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<16x16xf16, #a>, tensor<16x8xf16, #b>, tensor<16x8xf32, #c>
    %kb = nv_tileas.convert_layout %kt : tensor<16x16xf16, #t> -> tensor<16x16xf16, #a>
    %r = nv_tileas.dot %kb, %y, %p {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<16x16xf16, #a>, tensor<16x8xf16, #b>, tensor<16x8xf32, #c>
    scf.yield %r : tensor<16x8xf32, #c>
  }
  nv_tileaa.return %k : tensor<16x16xf16, #l>
}
}
