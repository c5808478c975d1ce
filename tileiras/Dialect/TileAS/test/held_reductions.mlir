// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-remove-layout-conversions))' | FileCheck %s

!view = !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
!turned = !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<64x?xf32, strides = [1, 64]>>
#a = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#b = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0]]>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#rows = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]]>
#columns = #nv_tileas.linear<rank = 2, register = [[1, 0], [2, 0], [0, 8], [0, 16], [0, 32]], lane = [[4, 0], [8, 0], [16, 0], [32, 0], [0, 1]], warp = [[0, 2], [0, 4]]>
module attributes {nv_tileaa.target_spec = "sm_90"} {
// Two sums of a thread and those of three others are a sector. Along the columns a thread has one of each, and the tile goes to those who
// have more; one that is not added up by vectors is left alone.
// CHECK-LABEL: nv_tileaa.func @sums
// CHECK: %[[SUMS:.*]] = nv_tileas.dot
// CHECK: nv_tileas.tiled_atomic_rmw %{{.*}}, %[[SUMS]] {{.*}}vec = 2 : i32
// CHECK: %[[TURNED:.*]] = nv_tileas.convert_layout %[[SUMS]]
// CHECK: nv_tileas.tiled_atomic_rmw %{{.*}}, %[[TURNED]] {{.*}}vec = 4 : i32
// CHECK: %[[ONE:.*]] = nv_tileas.convert_layout %[[SUMS]]
// CHECK: nv_tileas.tiled_atomic_rmw %{{.*}}, %[[ONE]]
nv_tileaa.func @sums(%v: !view, %w: !turned, %i: i32, %x: tensor<64x16xf16, #a>, %y: tensor<16x64xf16, #b>, %z: tensor<64x64xf32, #c>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %s = nv_tileas.dot %x, %y, %z {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 1]>} : tensor<64x16xf16, #a>, tensor<16x64xf16, #b>, tensor<64x64xf32, #c>
  %r = nv_tileas.convert_layout %s : tensor<64x64xf32, #c> -> tensor<64x64xf32, #rows>
  %t = nv_tileas.tiled_atomic_rmw %v[%i, %i], %r {rmw_mode = #nv_tileaa.rmw_mode<addf>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, vec = 4 : i32} : !view, (i32, i32), tensor<64x64xf32, #rows>
  %q = nv_tileas.convert_layout %s : tensor<64x64xf32, #c> -> tensor<64x64xf32, #columns>
  %t1 = nv_tileas.tiled_atomic_rmw %w[%i, %i], %q {rmw_mode = #nv_tileaa.rmw_mode<addf>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>, vec = 4 : i32} : !turned, (i32, i32), tensor<64x64xf32, #columns>
  %o = nv_tileas.convert_layout %s : tensor<64x64xf32, #c> -> tensor<64x64xf32, #rows>
  %t2 = nv_tileas.tiled_atomic_rmw %v[%i, %i], %o {rmw_mode = #nv_tileaa.rmw_mode<addf>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>} : !view, (i32, i32), tensor<64x64xf32, #rows>
  nv_tileaa.return
}
}
