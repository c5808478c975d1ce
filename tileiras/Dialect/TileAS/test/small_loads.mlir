// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-remove-layout-conversions))' | FileCheck %s

!line = !nv_tileaa.tiled_view<[64], padding = zero, !nv_tileaa.memref<?xf32, strides = [1]>>
!tile = !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
#each = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#rows = #nv_tileas.linear<rank = 1, register = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]]>
#column = #nv_tileas.linear<rank = 2, register = [[8, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
module attributes {nv_tileaa.target_spec = "sm_80"} {
// Each thread loads the two numbers of its rows.
// CHECK: #[[ROWS:linear[0-9]*]] = #nv_tileas.linear<rank = 1, register = {{\[\[}}8]], lane = {{\[\[}}0], [0], [1], [2], [4]], warp = {{\[\[}}16], [32]]>
// CHECK-LABEL: nv_tileaa.func @rows
// CHECK: nv_tileas.tiled_load %{{.*}} -> tensor<64xf32, #[[ROWS]]>
// CHECK-NOT: convert_layout
// CHECK: nv_tileaa.return
nv_tileaa.func @rows(%m: !line, %o: !tile, %i: i32, %x: tensor<64x64xf32, #c>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %l, %t = nv_tileas.tiled_load %m[%i] {vec = 1 : i32} : !line, (i32) -> tensor<64xf32, #each>
  %r = nv_tileas.convert_layout %l : tensor<64xf32, #each> -> tensor<64xf32, #rows>
  %v = nv_tileas.view %r : tensor<64xf32, #rows> -> tensor<64x1xf32, #column>
  %b = nv_tileaa.broadcast %v : tensor<64x1xf32, #column> -> tensor<64x64xf32, #c>
  %y = arith.subf %x, %b : tensor<64x64xf32, #c>
  %t1 = nv_tileas.tiled_store %o[%i, %i], %y : !tile, (i32, i32), tensor<64x64xf32, #c>
  nv_tileaa.return
}

// What somebody else has, too, is loaded as before.
// CHECK-LABEL: nv_tileaa.func @others
// CHECK: convert_layout
// CHECK: nv_tileaa.return
nv_tileaa.func @others(%m: !line, %o: !tile, %n: !line, %i: i32, %x: tensor<64x64xf32, #c>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %l, %t = nv_tileas.tiled_load %m[%i] {vec = 1 : i32} : !line, (i32) -> tensor<64xf32, #each>
  %stored = nv_tileas.tiled_store %n[%i], %l {vec = 1 : i32} : !line, (i32), tensor<64xf32, #each>
  %r = nv_tileas.convert_layout %l : tensor<64xf32, #each> -> tensor<64xf32, #rows>
  %v = nv_tileas.view %r : tensor<64xf32, #rows> -> tensor<64x1xf32, #column>
  %b = nv_tileaa.broadcast %v : tensor<64x1xf32, #column> -> tensor<64x64xf32, #c>
  %y = arith.subf %x, %b : tensor<64x64xf32, #c>
  %t1 = nv_tileas.tiled_store %o[%i, %i], %y : !tile, (i32, i32), tensor<64x64xf32, #c>
  nv_tileaa.return
}
}
