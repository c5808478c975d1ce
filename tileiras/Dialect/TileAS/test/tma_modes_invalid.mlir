// Rules of im2col copies, of rows that are chosen one by one, and of descriptors.
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

// expected-error@below {{im2col expects a box of 3 to 5 dimensions, got 2}}
#atom = #nv_tileas.tma_im2col_load<box = [64, 64], order = [1, 0], swizzle = 128, lower = [0], upper = [0], steps = [1, 1]>

// -----

// expected-error@below {{im2col expects the dimensions in order, channels first}}
#atom = #nv_tileas.tma_im2col_load<box = [1, 64, 64], order = [2, 0, 1], swizzle = 128, lower = [0], upper = [0], steps = [1, 1, 1]>

// -----

// expected-error@below {{im2col expects a box of pixels along one dimension and channels}}
#atom = #nv_tileas.tma_im2col_load<box = [2, 64, 64], order = [2, 1, 0], swizzle = 128, lower = [0], upper = [0], steps = [1, 1, 1]>

// -----

// expected-error@below {{im2col expects 2 offsets of a corner, got 1}}
#atom = #nv_tileas.tma_im2col_load<box = [1, 1, 64, 64], order = [3, 2, 1, 0], swizzle = 128, lower = [0, 0], upper = [0], steps = [1, 1, 1, 1]>

// -----

// expected-error@below {{im2col expects offsets of corners from -16 to 15, got 16}}
#atom = #nv_tileas.tma_im2col_load<box = [1, 1, 1, 64, 64], order = [4, 3, 2, 1, 0], swizzle = 128, lower = [0, 0, 0], upper = [0, 16, 0], steps = [1, 1, 1, 1, 1]>

// -----

// expected-error@below {{im2col expects offsets of corners from -128 to 127, got -129}}
#atom = #nv_tileas.tma_im2col_load<box = [1, 1, 64, 64], order = [3, 2, 1, 0], swizzle = 128, lower = [-129, 0], upper = [0, 0], steps = [1, 1, 1, 1]>

// -----

// expected-error@below {{im2col expects 3 steps, got 2}}
#atom = #nv_tileas.tma_im2col_load<box = [1, 64, 64], order = [2, 1, 0], swizzle = 128, lower = [0], upper = [0], steps = [1, 1]>

// -----

// expected-error@below {{im2col expects steps from 1 to 8, got 9}}
#atom = #nv_tileas.tma_im2col_load<box = [1, 64, 64], order = [2, 1, 0], swizzle = 128, lower = [0], upper = [0], steps = [1, 9, 1]>

// -----

!view = !nv_tileaa.tiled_view<[1, 64, 64], dim_map = [1, 0, 2], steps = [1, 1, 64], !nv_tileaa.memref<?x?x64xf16, strides = [?, 64, 1]>>
nv_tileaa.func @order(%v: !view) {
  // expected-error@below {{in im2col mode expects the dimensions of the view in the memref's order}}
  %d, %u = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.tma_im2col_load<box = [1, 64, 64], order = [2, 1, 0], swizzle = 128, lower = [0], upper = [0], steps = [1, 1, 1]>} : !view
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[1, 64, 64], !nv_tileaa.memref<?x?x64xf16, strides = [?, 64, 1]>>
nv_tileaa.func @steps(%v: !view) {
  // expected-error@below {{in im2col mode expects steps of 1 along images and pixels}}
  %d, %u = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.tma_im2col_load<box = [1, 64, 64], order = [2, 1, 0], swizzle = 128, lower = [0], upper = [0], steps = [1, 1, 1]>} : !view
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[1, 4, 64], steps = [1, 1, 64], !nv_tileaa.memref<?x?x64xf16, strides = [?, 64, 1]>>
#tile = #nv_tileas.shared<rank = 3, offset = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 0, 8], [0, 0, 16], [0, 0, 32], [0, 1, 8], [0, 2, 16]]>
#load = #nv_tileas.tma_im2col_load<box = [1, 4, 64], order = [2, 1, 0], swizzle = 128, lower = [0], upper = [0], steps = [1, 1, 1]>
nv_tileaa.func @offsets(%d: !nv_tileas.tma_descriptor_iter, %v: !view, %t: tensor<1x4x64xf16, #tile>, %i: i32) {
  // expected-error@below {{expects 1 offsets, but got 0}}
  %done, %m = nv_tileas.async.tiled_tma_load %d, %v[%i, %i, %i] into %t {atom = #load, tx_count = 512 : i32} : !view, (i32, i32, i32), tensor<1x4x64xf16, #tile>
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[8, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]>
#load = #nv_tileas.tma_load<box = [8, 64], order = [1, 0], swizzle = 128>
nv_tileaa.func @offsets_of_tiles(%d: !nv_tileas.tma_descriptor_iter, %v: !view, %t: tensor<8x64xf16, #tile>, %i: i32) {
  // expected-error@below {{expects 0 offsets, but got 1}}
  %done, %m = nv_tileas.async.tiled_tma_load %d, %v[%i, %i] into %t offsets [%i : i32] {atom = #load, tx_count = 1024 : i32} : !view, (i32, i32), tensor<8x64xf16, #tile>
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[2, 2, 64], steps = [1, 1, 64], !nv_tileaa.memref<?x?x64xf16, strides = [?, 64, 1]>>
#tile = #nv_tileas.shared<rank = 3, offset = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 0, 8], [0, 0, 16], [0, 0, 32], [0, 1, 8], [1, 0, 16]]>
#load = #nv_tileas.tma_im2col_load<box = [1, 2, 64], order = [2, 1, 0], swizzle = 128, lower = [0], upper = [0], steps = [1, 1, 1]>
nv_tileaa.func @pixels(%d: !nv_tileas.tma_descriptor_iter, %v: !view, %t: tensor<2x2x64xf16, #tile>, %i: i32) {
  // expected-error@below {{in im2col mode expects a tile of at most 256 pixels, side by side in shared memory}}
  %done, %m = nv_tileas.async.tiled_tma_load %d, %v[%i, %i, %i] into %t offsets [%i : i32] {atom = #load, tx_count = 512 : i32} : !view, (i32, i32, i32), tensor<2x2x64xf16, #tile>
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[8, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#rows = #nv_tileas.shared<rank = 1, offset = [[1], [2]]>
#tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]>
nv_tileaa.func @numbers(%d: !nv_tileas.tma_descriptor_iter, %v: !view, %t: tensor<8x64xf16, #tile>, %r: tensor<4xi32, #rows>, %i: i32) {
  // expected-error@below {{expects 8 numbers of rows, i32 side by side in shared memory, got}}
  %done, %m = nv_tileas.async.gather_tma_load %d, %v[%r, %i] into %t {atom = #nv_tileas.tma_load<box = [1, 64], order = [1, 0], swizzle = 128>, tx_count = 1024 : i32} : !view, (tensor<4xi32, #rows>, i32), tensor<8x64xf16, #tile>
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[8, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#rows = #nv_tileas.shared<rank = 1, offset = [[2], [1], [4]]>
#tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]>
nv_tileaa.func @numbers_out_of_order(%d: !nv_tileas.tma_descriptor_iter, %v: !view, %t: tensor<8x64xf16, #tile>, %r: tensor<8xi32, #rows>, %i: i32) {
  // expected-error@below {{expects 8 numbers of rows, i32 side by side in shared memory, got}}
  %done, %m = nv_tileas.async.scatter_tma_store %d, %t, %v[%r, %i] {atom = #nv_tileas.tma_store<box = [1, 64], order = [1, 0], swizzle = 128>} : tensor<8x64xf16, #tile>, !view, (tensor<8xi32, #rows>, i32)
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[8, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#rows = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4]]>
#tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]>
nv_tileaa.func @box(%d: !nv_tileas.tma_descriptor_iter, %v: !view, %t: tensor<8x64xf16, #tile>, %r: tensor<8xi32, #rows>, %i: i32) {
  // expected-error@below {{layout of the tile needs box = [1, 64], order = [1, 0], swizzle = 128}}
  %done, %m = nv_tileas.async.gather_tma_load %d, %v[%r, %i] into %t {atom = #nv_tileas.tma_load<box = [8, 64], order = [1, 0], swizzle = 128>, tx_count = 1024 : i32} : !view, (tensor<8xi32, #rows>, i32), tensor<8x64xf16, #tile>
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[8, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#rows = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4]]>
#tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]>
nv_tileaa.func @count(%d: !nv_tileas.tma_descriptor_iter, %v: !view, %t: tensor<8x64xf16, #tile>, %r: tensor<8xi32, #rows>, %i: i32) {
  // expected-error@below {{expects 'tx_count' to be the 1024 bytes of the tile, got 512}}
  %done, %m = nv_tileas.async.gather_tma_load %d, %v[%r, %i] into %t {atom = #nv_tileas.tma_load<box = [1, 64], order = [1, 0], swizzle = 128>, tx_count = 512 : i32} : !view, (tensor<8xi32, #rows>, i32), tensor<8x64xf16, #tile>
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[8, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#rows = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4]]>
#tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]>
nv_tileaa.func @direction(%d: !nv_tileas.tma_descriptor_iter, %v: !view, %t: tensor<8x64xf16, #tile>, %r: tensor<8xi32, #rows>, %i: i32) {
  // expected-error@below {{expects #nv_tileas.tma_store as atom}}
  %done, %m = nv_tileas.async.scatter_tma_store %d, %t, %v[%r, %i] {atom = #nv_tileas.tma_load<box = [1, 64], order = [1, 0], swizzle = 128>} : tensor<8x64xf16, #tile>, !view, (tensor<8xi32, #rows>, i32)
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[2, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#rows = #nv_tileas.shared<rank = 1, offset = [[1]]>
#tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8]]>
nv_tileaa.func @few(%d: !nv_tileas.tma_descriptor_iter, %v: !view, %t: tensor<2x64xf16, #tile>, %r: tensor<2xi32, #rows>, %i: i32) {
  // expected-error@below {{expects from 4 to 256 rows, one behind the other in shared memory, and parts of at least 32 bytes of each}}
  %done, %m = nv_tileas.async.gather_tma_load %d, %v[%r, %i] into %t {atom = #nv_tileas.tma_load<box = [1, 64], order = [1, 0], swizzle = 128>, tx_count = 256 : i32} : !view, (tensor<2xi32, #rows>, i32), tensor<2x64xf16, #tile>
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[8, 64], dim_map = [1, 0], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [1, ?]>>
#rows = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4]]>
#tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]>
nv_tileaa.func @turned(%d: !nv_tileas.tma_descriptor_iter, %v: !view, %t: tensor<8x64xf16, #tile>, %r: tensor<8xi32, #rows>, %i: i32) {
  // expected-error@below {{expects a view of two dimensions in the memref's order}}
  %done, %m = nv_tileas.async.gather_tma_load %d, %v[%r, %i] into %t {atom = #nv_tileas.tma_load<box = [1, 64], order = [1, 0], swizzle = 128>, tx_count = 1024 : i32} : !view, (tensor<8xi32, #rows>, i32), tensor<8x64xf16, #tile>
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[8, 64], padding = nan, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#rows = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4]]>
#tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]>
nv_tileaa.func @padding_value(%d: !nv_tileas.tma_descriptor_iter, %v: !view, %t: tensor<8x64xf16, #tile>, %r: tensor<8xi32, #rows>, %i: i32) {
  // expected-error@below {{GatherTmaLoad only support zero padding now}}
  %done, %m = nv_tileas.async.gather_tma_load %d, %v[%r, %i] into %t {atom = #nv_tileas.tma_load<box = [1, 64], order = [1, 0], swizzle = 128>, tx_count = 1024 : i32} : !view, (tensor<8xi32, #rows>, i32), tensor<8x64xf16, #tile>
  nv_tileaa.return
}

// -----

// A descriptor is what an operation or the host has made, and no control flow chooses it.
!view = !nv_tileaa.tiled_view<[8, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]>
#load = #nv_tileas.tma_load<box = [8, 64], order = [1, 0], swizzle = 128>
nv_tileaa.func @by_branch(%d: !nv_tileas.tma_descriptor_iter, %e: !nv_tileas.tma_descriptor_iter, %c: i1, %v: !view, %t: tensor<8x64xf16, #tile>, %i: i32) {
  %one = scf.if %c -> !nv_tileas.tma_descriptor_iter {
    scf.yield %d : !nv_tileas.tma_descriptor_iter
  } else {
    scf.yield %e : !nv_tileas.tma_descriptor_iter
  }
  // expected-error@below {{expects a descriptor that does not depend on control flow, but 'scf.if' chooses it}}
  %done, %m = nv_tileas.async.tiled_tma_load %one, %v[%i, %i] into %t {atom = #load, tx_count = 1024 : i32} : !view, (i32, i32), tensor<8x64xf16, #tile>
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[8, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]>
#store = #nv_tileas.tma_store<box = [8, 64], order = [1, 0], swizzle = 128>
nv_tileaa.func @by_round(%d: !nv_tileas.tma_descriptor_iter, %e: !nv_tileas.tma_descriptor_iter, %v: !view, %t: tensor<8x64xf16, #tile>, %i: i32) {
  %c1 = arith.constant 1 : i32
  %last:2 = scf.for %k = %c1 to %i step %c1 iter_args(%a = %d, %b = %e) -> (!nv_tileas.tma_descriptor_iter, !nv_tileas.tma_descriptor_iter) : i32 {
    // expected-error@below {{expects a descriptor that does not depend on control flow, but 'scf.for' chooses it}}
    %done, %m = nv_tileas.async.tiled_tma_store %a, %t, %v[%k, %k] {atom = #store} : tensor<8x64xf16, #tile>, !view, (i32, i32)
    scf.yield %b, %a : !nv_tileas.tma_descriptor_iter, !nv_tileas.tma_descriptor_iter
  }
  nv_tileaa.return
}
