// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

#l = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
!view = !nv_tileaa.tiled_view<[8, 8], !nv_tileaa.memref<16x16xf32, strides = [16, 1]>>
nv_tileaa.func @coordinates(%v: !view, %i: i32) {
  // expected-error @below {{expects 2 coordinates, but got 1}}
  %x, %t = nv_tileas.tiled_load %v[%i] : !view, (i32) -> tensor<8x8xf32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 2, register = [], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = []>
!view = !nv_tileaa.tiled_view<[8, 8], !nv_tileaa.memref<16x16xf32, strides = [16, 1]>>
nv_tileaa.func @shape(%v: !view, %i: i32) {
  // expected-error @below {{requires the same shape for tileSize and tensor value}}
  %x, %t = nv_tileas.tiled_load %v[%i, %i] : !view, (i32, i32) -> tensor<8x4xf32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
!view = !nv_tileaa.tiled_view<[8, 8], !nv_tileaa.memref<16x16xf32, strides = [16, 1]>>
nv_tileaa.func @element(%v: !view, %i: i32) {
  // expected-error @below {{view elementType not equal with tensor element type: }}
  %x, %t = nv_tileas.tiled_load %v[%i, %i] : !view, (i32, i32) -> tensor<8x8xi32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
!view = !nv_tileaa.tiled_view<[8, 8], !nv_tileaa.memref<16x16xf32, strides = [16, 1]>>
nv_tileaa.func @store(%v: !view, %i: i32, %x: tensor<8x8xi32, #l>) {
  // expected-error @below {{view elementType not equal with tensor element type: }}
  %t = nv_tileas.tiled_store %v[%i, %i], %x : !view, (i32, i32), tensor<8x8xi32, #l>
  nv_tileaa.return
}
