// What async.give_factors and async.scale_sums refuse.
// RUN: tileiras-opt %s -verify-diagnostics -split-input-file -o /dev/null

#row1 = #nv_tileas.linear<rank = 2, register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[64, 0], [32, 0], [128, 0]]>
#place = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32], [64], [128]]>
nv_tileaa.func @rows_of_other_warps(%factors: tensor<256x1xf32, #row1>) {
  %place = nv_tileas.alloc_tensor : tensor<256xf32, #place>
  // expected-error @below {{expects factors of which each thread has that of its row}}
  nv_tileas.async.give_factors %factors, %place {number = 1 : i64} : tensor<256x1xf32, #row1>, tensor<256xf32, #place>
  nv_tileaa.return
}

// -----

#row1 = #nv_tileas.linear<rank = 2, register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [128, 0]]>
#place = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32], [64]]>
nv_tileaa.func @small_place(%factors: tensor<256x1xf32, #row1>) {
  %place = nv_tileas.alloc_tensor : tensor<128xf32, #place>
  // expected-error @below {{expects a place for each of 256 rows, got 128}}
  nv_tileas.async.give_factors %factors, %place {number = 1 : i64} : tensor<256x1xf32, #row1>, tensor<128xf32, #place>
  nv_tileaa.return
}

// -----

#sums = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [128, 0]]>
#place = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32], [64], [128]]>
#rows = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [128, 0]]>
nv_tileaa.func @other_tile(%sums: tensor<256x32xf32, #sums>) {
  %place = nv_tileas.alloc_tensor : tensor<256xf32, #place>
  // expected-error @below {{expects 'registers' to be the same tile in registers}}
  nv_tileas.async.scale_sums %sums, %place {number = 1 : i64, registers = tensor<256x32xbf16, #rows>} : tensor<256x32xf32, #sums>, tensor<256xf32, #place>
  nv_tileaa.return
}
