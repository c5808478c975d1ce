// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{layout has two places for one element: basis 2 of offset is zero or a sum of those before it}}
nv_tileaa.func @two_places(%x: tensor<4xf32, #nv_tileas.shared<rank = 1, offset = [[1], [2], [3]]>>) { nv_tileaa.return }

// -----

// expected-error @below {{layout does not cover the tile}}
nv_tileaa.func @lost(%x: tensor<8xf32, #nv_tileas.shared<rank = 1, offset = [[1], [2]]>>) { nv_tileaa.return }

// -----

// expected-error @below {{layout does not cover the tile}}
nv_tileaa.func @lost_block(%x: tensor<128xf32, #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], block = [[0]]>>) { nv_tileaa.return }

// -----

// expected-error @below {{expects 1 coordinates per basis}}
#l = #nv_tileas.shared<rank = 1, offset = [[1], [2]], block = [[4, 0]]>

// -----

// expected-error @below {{expects a tile of two dimensions in tensor memory, got 1}}
nv_tileaa.func @flat(%x: tensor<4xf32, #nv_tileas.tensor_memory<rank = 1, row = [[1]], column = [[2]]>>) { nv_tileaa.return }

// -----

// expected-error @below {{expects elements of at least 8 bits in tensor memory, got 'f4E2M1FN'}}
nv_tileaa.func @narrow(%x: tensor<2x2xf4E2M1FN, #nv_tileas.tensor_memory<rank = 2, row = [[1, 0]], column = [[0, 1]]>>) { nv_tileaa.return }

// -----

#rows = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0]], column = [[0, 1]]>
// expected-error @below {{expects at most 128 rows in tensor memory, got 256}}
nv_tileaa.func @rows(%x: tensor<256x2xf32, #rows>) { nv_tileaa.return }

// -----

#columns = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128], [0, 256], [0, 512]]>
// expected-error @below {{expects at most 512 columns of 32 bits in tensor memory, got 1024}}
nv_tileaa.func @columns(%x: tensor<2x1024xf32, #columns>) { nv_tileaa.return }

// -----

#columns = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0]], column = [[0, 1], [0, 0], [0, 1]]>
// expected-error @below {{layout has two places for one element: basis 1 of column is zero or a sum of those before it}}
nv_tileaa.func @column(%x: tensor<2x2xf16, #columns>) { nv_tileaa.return }

// -----

#rows = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [0, 0]], column = [[0, 1]]>
// expected-error @below {{layout has two places for one element: basis 1 of row is zero}}
nv_tileaa.func @row(%x: tensor<2x2xf16, #rows>) { nv_tileaa.return }

// -----

// Columns that stay free.
#free = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0]], column = [[0, 1], [0, 0]]>
nv_tileaa.func @free(%x: tensor<2x2xf16, #free>) { nv_tileaa.return }

// -----

// expected-error @below {{expects an access of 4, 8, 16 bytes, got 2}}
#c = #nv_tileas.simt_async_copy<bytes = 2>

// -----

// expected-error @below {{expects 1, 2 or 4 matrices, got 3}}
#c = #nv_tileas.ldsm<matrices = 3>

// -----

!view = !nv_tileaa.tiled_view<[4], padding = nan, !nv_tileaa.memref<?xf32, strides = [1]>>
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2]]>
#l = #nv_tileas.linear<rank = 1, register = [[1], [2]], lane = [[0], [0], [0], [0], [0]], warp = []>
nv_tileaa.func @padding(%v: !view, %i: i32) {
  %d = nv_tileas.alloc_tensor : tensor<4xf32, #s>
  // expected-error @below {{pads with zero only}}
  %a, %m = nv_tileas.async.tiled_load %v[%i] into %d {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #l} : !view, (i32), tensor<4xf32, #s>
  nv_tileaa.return
}

// -----

!view = !nv_tileaa.tiled_view<[4], padding = zero, !nv_tileaa.memref<?xf32, strides = [1]>>
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2]]>
#l = #nv_tileas.linear<rank = 1, register = [[1], [2]], lane = [[0], [0], [0], [0], [0]], warp = []>
nv_tileaa.func @by_hand(%v: !view, %i: i32) {
  %d = nv_tileas.alloc_tensor : tensor<4xf32, #s>
  // expected-error @below {{atom does not copy from global to shared memory on its own}}
  %a, %m = nv_tileas.async.tiled_load %v[%i] into %d {atom = #nv_tileas.universal_copy<bytes = 16>, copies = #l} : !view, (i32), tensor<4xf32, #s>
  nv_tileaa.return
}

// -----

#s = #nv_tileas.shared<rank = 1, offset = [[1], [2]]>
#l = #nv_tileas.linear<rank = 1, register = [[1], [2]], lane = [[0], [0], [0], [0], [0]], warp = []>
nv_tileaa.func @other_elements(%p: tensor<4x!nv_tileaa.ptr<f16>, #l>) {
  %d = nv_tileas.alloc_tensor : tensor<4xf32, #s>
  // expected-error @below {{expects a destination of the shape of the pointers and of elements that they point to}}
  %a, %m = nv_tileas.async.load %p into %d {atom = #nv_tileas.simt_async_copy<bytes = 16>} : tensor<4x!nv_tileaa.ptr<f16>, #l>, tensor<4xf32, #s>
  nv_tileaa.return
}

// -----

#s = #nv_tileas.shared<rank = 1, offset = [[1], [2]]>
#l = #nv_tileas.linear<rank = 1, register = [[1], [2]], lane = [[0], [0], [0], [0], [0]], warp = []>
nv_tileaa.func @pointers_by_hand(%p: tensor<4x!nv_tileaa.ptr<f32>, #l>) {
  %d = nv_tileas.alloc_tensor : tensor<4xf32, #s>
  // expected-error @below {{atom does not copy from global to shared memory on its own}}
  %a, %m = nv_tileas.async.load %p into %d {atom = #nv_tileas.universal_copy<bytes = 16>} : tensor<4x!nv_tileaa.ptr<f32>, #l>, tensor<4xf32, #s>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[1], [2]], lane = [[0], [0], [0], [0], [0]], warp = []>
nv_tileaa.func @into_registers(%p: tensor<4x!nv_tileaa.ptr<f32>, #l>, %d: tensor<4xf32, #l>) {
  // expected-error @below {{expects a destination in shared memory}}
  %a, %m = nv_tileas.async.load %p into %d {atom = #nv_tileas.simt_async_copy<bytes = 16>} : tensor<4x!nv_tileaa.ptr<f32>, #l>, tensor<4xf32, #l>
  nv_tileaa.return
}

// -----

#s = #nv_tileas.shared<rank = 1, offset = [[1], [2]]>
nv_tileaa.func @pointers_in_shared(%p: tensor<4x!nv_tileaa.ptr<f32>, #s>, %d: tensor<4xf32, #s>) {
  // expected-error @below {{expects pointers in registers: their layout says which thread copies what}}
  %a, %m = nv_tileas.async.load %p into %d {atom = #nv_tileas.simt_async_copy<bytes = 16>} : tensor<4x!nv_tileaa.ptr<f32>, #s>, tensor<4xf32, #s>
  nv_tileaa.return
}

// -----

#s = #nv_tileas.shared<rank = 1, offset = [[1], [2]]>
#l = #nv_tileas.linear<rank = 1, register = [[1], [2]], lane = [[0], [0], [0], [0], [0]], warp = []>
#other = #nv_tileas.linear<rank = 1, register = [[2], [1]], lane = [[0], [0], [0], [0], [0]], warp = []>
nv_tileaa.func @mask_of_others(%p: tensor<4x!nv_tileaa.ptr<f32>, #l>, %in: tensor<4xi1, #other>) {
  %d = nv_tileas.alloc_tensor : tensor<4xf32, #s>
  // expected-error @below {{expects a mask of the shape and layout of the pointers}}
  %a, %m = nv_tileas.async.load %p into %d if %in {atom = #nv_tileas.simt_async_copy<bytes = 16>} : tensor<4x!nv_tileaa.ptr<f32>, #l>, tensor<4xf32, #s>, mask tensor<4xi1, #other>
  nv_tileaa.return
}
