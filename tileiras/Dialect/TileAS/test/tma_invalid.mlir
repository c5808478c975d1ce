// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

// expected-error@below {{tmaBoxDim and atomBoxDim length mismatch}}
#atom = #nv_tileas.tma_load<box = [64, 64], order = [0], swizzle = 128>

// -----

// expected-error@below {{expects 1 to 256 elements along each dimension of the box, got 512}}
#atom = #nv_tileas.tma_load<box = [512, 64], order = [1, 0], swizzle = 128>

// -----

// expected-error@below {{expects each dimension once in the order}}
#atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 1], swizzle = 128>

// -----

!words = !nv_tileaa.tiled_view<[16, 64], padding = zero, !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
#panels = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 8], [2, 16], [4, 0], [8, 0], [0, 32]]>
nv_tileaa.func @pieces(%d: !nv_tileas.tma_descriptor_iter, %v: !words, %i: i32) {
  %s = nv_tileas.alloc_tensor : tensor<16x64xf32, #panels>
  // expected-error@below {{layout of the tile needs box = [16, 32], order = [1, 0], swizzle = 160}}
  %done, %t = nv_tileas.async.tiled_tma_load %d, %v[%i, %i] into %s {atom = #nv_tileas.tma_load<box = [16, 32], order = [1, 0], swizzle = 128>, tx_count = 4096 : i32} : !words, (i32, i32), tensor<16x64xf32, #panels>
  nv_tileaa.return
}

// -----

// expected-error@below {{expects a swizzle of 0, 32, 64 or 128 bytes, got 96}}
#atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 96>

// -----

// expected-error@below {{expects a box of 1 to 5 dimensions, got 6}}
#atom = #nv_tileas.tma_store<box = [1, 1, 1, 1, 1, 64], order = [5, 4, 3, 2, 1, 0], swizzle = 128>

// -----

!view = !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<?x?xf16, strides = [?, ?]>>
nv_tileaa.func @dense(%v: !view) {
  // expected-error@below {{only support element_stride = 1 tma desc}}
  %d, %u = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>} : !view
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<?x?xf16, strides = [100, 1]>>
nv_tileaa.func @stride(%v: !view) {
  // expected-error@below {{a stride is not a multiple of 16 bytes}}
  %d, %u = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>} : !view
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[64, 64], padding = nan, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
nv_tileaa.func @padding(%v: !view) {
  // expected-error@below {{TmaLoad only support zero padding now}}
  %d, %u = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>} : !view
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<?x?xf4E2M1FN, strides = [?, 1]>>
nv_tileaa.func @element(%v: !view) {
  // expected-error@below {{no tensor map has such elements}}
  %d, %u = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 0>} : !view
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<0x64xf16, strides = [64, 1]>>
nv_tileaa.func @empty(%v: !view) {
  // expected-error@below {{an extent is 0, or too large for 32-bit coordinates}}
  %d, %u = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>} : !view
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[64, 4], !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
nv_tileaa.func @row(%v: !view) {
  // expected-error@below {{tma boxDims[0] * elemTypeBitWidth is not a multiple of 16 bytes}}
  %d, %u = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.tma_load<box = [64, 4], order = [1, 0], swizzle = 0>} : !view
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
nv_tileaa.func @wide(%v: !view) {
  // expected-error@below {{expects a row of the box, 128 bytes, to be no longer than the swizzle}}
  %d, %u = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 64>} : !view
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
nv_tileaa.func @kind(%v: !view) {
  // expected-error@below {{expects an atom of tensor copies}}
  %d, %u = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.simt_async_copy<bytes = 16>} : !view
  nv_tileaa.return
}

// -----

// Row-major without a swizzle: other boxes than the atom says.
!view = !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#plain = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>
nv_tileaa.func @box(%d: !nv_tileas.tma_descriptor_iter, %v: !view, %i: i32) {
  %s = nv_tileas.alloc_tensor : tensor<64x64xf16, #plain>
  // expected-error@below {{layout of the tile needs box = [64, 64], order = [1, 0], swizzle = 0}}
  %done, %t = nv_tileas.async.tiled_tma_load %d, %v[%i, %i] into %s {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tx_count = 8192 : i32} : !view, (i32, i32), tensor<64x64xf16, #plain>
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#other = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 1], [2, 2], [4, 4], [8, 0], [16, 0], [32, 0]]>
nv_tileaa.func @layout(%d: !nv_tileas.tma_descriptor_iter, %v: !view, %i: i32) {
  %s = nv_tileas.alloc_tensor : tensor<64x64xf16, #other>
  // expected-error@below {{smem layout is not TMA compatible}}
  %done, %t = nv_tileas.async.tiled_tma_load %d, %v[%i, %i] into %s {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tx_count = 8192 : i32} : !view, (i32, i32), tensor<64x64xf16, #other>
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#plain = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>
nv_tileaa.func @count(%d: !nv_tileas.tma_descriptor_iter, %v: !view, %i: i32) {
  %s = nv_tileas.alloc_tensor : tensor<64x64xf16, #plain>
  // expected-error@below {{expects 'tx_count' to be the 8192 bytes of the tile, got 4096}}
  %done, %t = nv_tileas.async.tiled_tma_load %d, %v[%i, %i] into %s {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 0>, tx_count = 4096 : i32} : !view, (i32, i32), tensor<64x64xf16, #plain>
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<?x?xf64, strides = [?, 1]>>
#plain = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>
nv_tileaa.func @reduction(%d: !nv_tileas.tma_descriptor_iter, %v: !view, %i: i32) {
  %s = nv_tileas.alloc_tensor : tensor<64x64xf64, #plain>
  // expected-error@below {{with 'addf' on 'f64' is no tensor copy}}
  %done, %t = nv_tileas.async.tiled_tma_store %d, %s, %v[%i, %i] {atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 0>, rmw_mode = #nv_tileaa.rmw_mode<addf>} : tensor<64x64xf64, #plain>, !view, (i32, i32)
  nv_tileaa.return
}

// -----

// A producer may fill the stage that it owns, and no other.
!view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
!t = tensor<64x64xf16, #tile>
nv_tileaa.func @other_stage(%view: !view, %desc: !nv_tileas.tma_descriptor_iter, %other: !t, %i: i32, %p: !nv_tileas.pipeline<2 x (!t)>, %k: !nv_tileas.producer_token) {
  %w = nv_tileas.async.pipeline.producer_write %p, %k : !nv_tileas.pipeline<2 x (!t)> {
  ^bb0(%stage: !t):
    // expected-error@below {{in a producer_write expects a tile of the stage that this one fills, or a barrier of its own}}
    %done, %t = nv_tileas.async.tiled_tma_load %desc, %view[%i, %i] into %other {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tx_count = 8192 : i32} : !view, (i32, i32), !t
    nv_tileas.async.pipeline.yield %done : !nv_tileas.async.token
  }
  nv_tileaa.return
}

// -----

// Which of two numbers is larger, the type in the tensor map says.
!view = !nv_tileaa.tiled_view<[64, 32], !nv_tileaa.memref<?x?xi32, strides = [?, 1]>>
#plain = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>
#store = #nv_tileas.tma_store<box = [64, 32], order = [1, 0], swizzle = 0>
nv_tileaa.func @without_sign(%v: !view, %i: i32) {
  %d, %u = nv_tileas.make_tiled_tma_desc %v {atom = #store} : !view
  %s = nv_tileas.alloc_tensor : tensor<64x32xi32, #plain>
  // expected-error@below {{with 'max' expects a tensor map of numbers with sign}}
  %done, %t = nv_tileas.async.tiled_tma_store %d, %s, %v[%i, %i] {atom = #store, rmw_mode = #nv_tileaa.rmw_mode<max>} : tensor<64x32xi32, #plain>, !view, (i32, i32)
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[64, 32], !nv_tileaa.memref<?x?xi32, strides = [?, 1]>>
#plain = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>
#store = #nv_tileas.tma_store<box = [64, 32], order = [1, 0], swizzle = 0>
nv_tileaa.func @with_sign(%v: !view, %i: i32) {
  %d, %u = nv_tileas.make_tiled_tma_desc %v signed {atom = #store} : !view
  %s = nv_tileas.alloc_tensor : tensor<64x32xi32, #plain>
  // expected-error@below {{with 'umin' expects a tensor map of numbers without sign}}
  %done, %t = nv_tileas.async.tiled_tma_store %d, %s, %v[%i, %i] {atom = #store, rmw_mode = #nv_tileaa.rmw_mode<umin>} : tensor<64x32xi32, #plain>, !view, (i32, i32)
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
nv_tileaa.func @float_with_sign(%v: !view) {
  // expected-error@below {{expects i32 or i64 for numbers with sign, got 'f16'}}
  %d, %u = nv_tileas.make_tiled_tma_desc %v signed {atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 0>} : !view
  nv_tileaa.return
}

// -----

#b = #nv_tileas.blocked<size_per_thread = [1, 2], threads_per_warp = [4, 8], warps_per_cta = [2, 2], order = [1, 0]>
!view = !nv_tileaa.tiled_view<[8, 16], padding = zero, !nv_tileaa.memref<?x16xf32, strides = [16, 1]>>
nv_tileaa.func @zero(%v: !view, %i: i32, %x: tensor<8x16xf32, #b>) {
  // expected-error@below {{expects a view whose padding is not zero: copies leave zero by themselves}}
  %y = nv_tileas.pad %x outside %v[%i, %i] : tensor<8x16xf32, #b>, !view, (i32, i32)
  nv_tileaa.return
}

// -----

#b = #nv_tileas.blocked<size_per_thread = [1, 2], threads_per_warp = [4, 8], warps_per_cta = [2, 2], order = [1, 0]>
!view = !nv_tileaa.tiled_view<[8, 32], padding = nan, !nv_tileaa.memref<?x16xf32, strides = [16, 1]>>
nv_tileaa.func @other_tile(%v: !view, %i: i32, %x: tensor<8x16xf32, #b>) {
  // expected-error@below {{expects a tile of the shape and element type of the view's tiles}}
  %y = nv_tileas.pad %x outside %v[%i, %i] : tensor<8x16xf32, #b>, !view, (i32, i32)
  nv_tileaa.return
}

// -----

#b = #nv_tileas.blocked<size_per_thread = [1, 2], threads_per_warp = [4, 8], warps_per_cta = [2, 2], order = [1, 0]>
!view = !nv_tileaa.tiled_view<[8, 16], padding = nan, !nv_tileaa.memref<?x16xf32, strides = [16, 1]>>
nv_tileaa.func @few_coordinates(%v: !view, %i: i32, %x: tensor<8x16xf32, #b>) {
  // expected-error@below {{expects 2 coordinates, but got 1}}
  %y = nv_tileas.pad %x outside %v[%i] : tensor<8x16xf32, #b>, !view, (i32)
  nv_tileaa.return
}

// -----

#s = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
!view = !nv_tileaa.tiled_view<[8, 16], padding = nan, !nv_tileaa.memref<?x16xf32, strides = [16, 1]>>
nv_tileaa.func @in_shared_memory(%v: !view, %i: i32) {
  %x = nv_tileas.alloc_tensor : tensor<8x16xf32, #s>
  // expected-error@below {{expects a tile in registers}}
  %y = nv_tileas.pad %x outside %v[%i, %i] : tensor<8x16xf32, #s>, !view, (i32, i32)
  nv_tileaa.return
}
