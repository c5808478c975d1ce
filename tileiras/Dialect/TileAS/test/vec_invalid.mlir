// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

// `vec` of loads and stores: what one access moves. Everything the layout, the view or the instruction cannot serve is refused.

// Two neighbours in registers 0 and 1, four elements of 2 bytes in all.
#l = #nv_tileas.linear<rank = 1, register = [[1], [128]], lane = [[2], [4], [8], [16], [32]], warp = [[64]]>
nv_tileaa.func @served(%p: tensor<256x!nv_tileaa.ptr<f16>, #l>, %x: tensor<256xf16, #l>) {
  %a, %t = nv_tileas.load %p {vec = 1 : i32} : tensor<256x!nv_tileaa.ptr<f16>, #l> -> tensor<256xf16, #l>
  %b, %u = nv_tileas.load %p {vec = 2 : i32} : tensor<256x!nv_tileaa.ptr<f16>, #l> -> tensor<256xf16, #l>
  %s = nv_tileas.store %p, %x {vec = 2 : i32} : tensor<256x!nv_tileaa.ptr<f16>, #l>, tensor<256xf16, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[1], [128]], lane = [[2], [4], [8], [16], [32]], warp = [[64]]>
nv_tileaa.func @zero(%p: tensor<256x!nv_tileaa.ptr<f16>, #l>, %x: tensor<256xf16, #l>) {
  // expected-error @below {{'vec' (0) must be a power of two}}
  %a, %t = nv_tileas.load %p {vec = 0 : i32} : tensor<256x!nv_tileaa.ptr<f16>, #l> -> tensor<256xf16, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[1], [128]], lane = [[2], [4], [8], [16], [32]], warp = [[64]]>
nv_tileaa.func @three(%p: tensor<256x!nv_tileaa.ptr<f16>, #l>, %x: tensor<256xf16, #l>) {
  // expected-error @below {{'vec' (3) must be a power of two}}
  %s = nv_tileas.store %p, %x {vec = 3 : i32} : tensor<256x!nv_tileaa.ptr<f16>, #l>, tensor<256xf16, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[1], [128]], lane = [[2], [4], [8], [16], [32]], warp = [[64]]>
nv_tileaa.func @negative(%p: tensor<256x!nv_tileaa.ptr<f16>, #l>, %x: tensor<256xf16, #l>) {
  // expected-error @below {{'vec' (-2) must be a power of two}}
  %a, %t = nv_tileas.load %p {vec = -2 : i32} : tensor<256x!nv_tileaa.ptr<f16>, #l> -> tensor<256xf16, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[1], [128]], lane = [[2], [4], [8], [16], [32]], warp = [[64]]>
nv_tileaa.func @most_negative(%p: tensor<256x!nv_tileaa.ptr<f16>, #l>, %x: tensor<256xf16, #l>) {
  // expected-error @below {{'vec' (-2147483648) must be a power of two}}
  %a, %t = nv_tileas.load %p {vec = -2147483648 : i32} : tensor<256x!nv_tileaa.ptr<f16>, #l> -> tensor<256xf16, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[1], [128]], lane = [[2], [4], [8], [16], [32]], warp = [[64]]>
nv_tileaa.func @bytes(%p: tensor<256x!nv_tileaa.ptr<f64>, #l>, %x: tensor<256xf64, #l>) {
  // expected-error @below {{'vec' (4) times 8 bytes is more than the 16 bytes that one access moves}}
  %s = nv_tileas.store %p, %x {vec = 4 : i32} : tensor<256x!nv_tileaa.ptr<f64>, #l>, tensor<256xf64, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[1], [128]], lane = [[2], [4], [8], [16], [32]], warp = [[64]]>
nv_tileaa.func @huge(%p: tensor<256x!nv_tileaa.ptr<i8>, #l>, %x: tensor<256xi8, #l>) {
  // expected-error @below {{'vec' (1073741824) times 1 bytes is more than the 16 bytes that one access moves}}
  %a, %t = nv_tileas.load %p {vec = 1073741824 : i32} : tensor<256x!nv_tileaa.ptr<i8>, #l> -> tensor<256xi8, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[1], [128]], lane = [[2], [4], [8], [16], [32]], warp = [[64]]>
nv_tileaa.func @ordered(%p: tensor<256x!nv_tileaa.ptr<f16>, #l>, %x: tensor<256xf16, #l>) {
  // expected-error @below {{'vec' (2) is for weak accesses; an ordered one moves one element}}
  %a, %t = nv_tileas.load %p {vec = 2 : i32, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>} : tensor<256x!nv_tileaa.ptr<f16>, #l> -> tensor<256xf16, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[1], [128]], lane = [[2], [4], [8], [16], [32]], warp = [[64]]>
nv_tileaa.func @layout(%p: tensor<256x!nv_tileaa.ptr<f16>, #l>, %x: tensor<256xf16, #l>) {
  // expected-error @below {{'vec' (4) needs 4 neighbours along dimension 0 in the registers of one thread, which the layout does not have}}
  %s = nv_tileas.store %p, %x {vec = 4 : i32} : tensor<256x!nv_tileaa.ptr<f16>, #l>, tensor<256xf16, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[64], [128]]>
nv_tileaa.func @lanes(%p: tensor<256x!nv_tileaa.ptr<f16>, #l>, %x: tensor<256xf16, #l>) {
  // expected-error @below {{'vec' (2) needs 2 neighbours along dimension 0 in the registers of one thread}}
  %a, %t = nv_tileas.load %p {vec = 2 : i32} : tensor<256x!nv_tileaa.ptr<f16>, #l> -> tensor<256xf16, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[3]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128]]>
nv_tileaa.func @skewed(%p: tensor<256x!nv_tileaa.ptr<f16>, #l>, %x: tensor<256xf16, #l>) {
  // expected-error @below {{'vec' (2) needs 2 neighbours along dimension 0 in the registers of one thread}}
  %a, %t = nv_tileas.load %p {vec = 2 : i32} : tensor<256x!nv_tileaa.ptr<f16>, #l> -> tensor<256xf16, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]]>
nv_tileaa.func @extent(%p: tensor<2x!nv_tileaa.ptr<f16>, #l>, %x: tensor<2xf16, #l>) {
  // expected-error @below {{'vec' (4) is more than the 2 elements along dimension 0}}
  %a, %t = nv_tileas.load %p {vec = 4 : i32} : tensor<2x!nv_tileaa.ptr<f16>, #l> -> tensor<2xf16, #l>
  nv_tileaa.return
}

// -----

nv_tileaa.func @scalar(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{'vec' (2) needs a tile; the access moves one element}}
  %a, %t = nv_tileas.load %p {vec = 2 : i32} : !nv_tileaa.ptr<f32> -> f32
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [1, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [2, 0]], warp = []>
!view = !nv_tileaa.tiled_view<[4, 64], !nv_tileaa.memref<?x?xf32, strides = [64, 1]>>
nv_tileaa.func @rows(%v: !view, %x: tensor<4x64xf32, #l>, %i: i32) {
  %a, %t = nv_tileas.tiled_load %v[%i, %i] {vec = 4 : i32} : !view, (i32, i32) -> tensor<4x64xf32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [1, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [2, 0]], warp = []>
!view = !nv_tileaa.tiled_view<[4, 64], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
nv_tileaa.func @rows_dynamic(%v: !view, %x: tensor<4x64xf32, #l>, %i: i32) {
  %s = nv_tileas.tiled_store %v[%i, %i], %x {vec = 4 : i32} : !view, (i32, i32), tensor<4x64xf32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [1, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [2, 0]], warp = []>
!view = !nv_tileaa.tiled_view<[4, 64], !nv_tileaa.memref<?x?xf32, strides = [?, ?]>>
nv_tileaa.func @no_neighbours(%v: !view, %x: tensor<4x64xf32, #l>, %i: i32) {
  // expected-error @below {{'vec' (2) needs a dimension along which the elements lie next to each other in memory}}
  %a, %t = nv_tileas.tiled_load %v[%i, %i] {vec = 2 : i32} : !view, (i32, i32) -> tensor<4x64xf32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [1, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [2, 0]], warp = []>
!view = !nv_tileaa.tiled_view<[4, 64], !nv_tileaa.memref<?x?xf32, strides = [1, ?]>>
nv_tileaa.func @wrong_dimension(%v: !view, %x: tensor<4x64xf32, #l>, %i: i32) {
  // expected-error @below {{'vec' (4) needs 4 neighbours along dimension 0 in the registers of one thread}}
  %s = nv_tileas.tiled_store %v[%i, %i], %x {vec = 4 : i32} : !view, (i32, i32), tensor<4x64xf32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [1, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [2, 0]], warp = []>
!view = !nv_tileaa.tiled_view<[4, 64], !nv_tileaa.memref<?x?xf32, strides = [66, 1]>>
nv_tileaa.func @stride(%v: !view, %x: tensor<4x64xf32, #l>, %i: i32) {
  // expected-error @below {{'vec' (4) needs a stride that is a multiple of it along dimension 0, but got 66}}
  %a, %t = nv_tileas.tiled_load %v[%i, %i] {vec = 4 : i32} : !view, (i32, i32) -> tensor<4x64xf32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [1, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [2, 0]], warp = []>
!view = !nv_tileaa.tiled_view<[4, 64], !nv_tileaa.memref<?x?xf32, strides = [64, 1]>>
nv_tileaa.func @mem_semantic(%v: !view, %x: tensor<4x64xf32, #l>, %i: i32) {
  // expected-error @below {{'vec' (4) is for weak accesses}}
  %s = nv_tileas.tiled_store %v[%i, %i], %x {vec = 4 : i32, mem_semantic = #nv_tileaa.mem_semantic<release>, mem_scope = #nv_tileaa.mem_scope<gpu>} : !view, (i32, i32), tensor<4x64xf32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [1, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [2, 0]], warp = []>
!view = !nv_tileaa.tiled_view<[4, 64], !nv_tileaa.memref<?x?xf32, strides = [64, 1]>>
nv_tileaa.func @wide(%v: !view, %x: tensor<4x64xf32, #l>, %i: i32) {
  // expected-error @below {{'vec' (8) times 4 bytes is more than the 16 bytes}}
  %a, %t = nv_tileas.tiled_load %v[%i, %i] {vec = 8 : i32} : !view, (i32, i32) -> tensor<4x64xf32, #l>
  nv_tileaa.return
}

// -----

// Tiles begin at every second element; a dimension of stride 1 that a gather scatters has no neighbours.
#l = #nv_tileas.linear<rank = 1, register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
!view = !nv_tileaa.tiled_view<[128], steps = [130], !nv_tileaa.memref<?xf32, strides = [1]>>
nv_tileaa.func @steps(%v: !view, %i: i32) {
  // expected-error @below {{'vec' (4) needs tiles that begin at multiples of it along dimension 0, but got 130}}
  %a, %t = nv_tileas.tiled_load %v[%i] {vec = 4 : i32} : !view, (i32) -> tensor<128xf32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [1, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [2, 0]], warp = []>
#c = #nv_tileas.linear<rank = 1, register = [[1], [2]], lane = [[4], [8], [16], [32], [0]], warp = []>
!view = !nv_tileaa.tiled_view<[4, 64], !nv_tileaa.memref<?x?xf32, strides = [64, 1]>>
nv_tileaa.func @gather(%v: !view, %x: tensor<4x64xf32, #l>, %i: i32, %c: tensor<64xi32, #c>) {
  // expected-error @below {{'vec' (4) needs a dimension along which the elements lie next to each other in memory}}
  %a, %t = nv_tileas.gather_load %v[%i, %c] {axis = 1 : i32, vec = 4 : i32} : !view, (i32, tensor<64xi32, #c>) -> tensor<4x64xf32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [1, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [2, 0]], warp = []>
#c = #nv_tileas.linear<rank = 1, register = [[1], [2]], lane = [[4], [8], [16], [32], [0]], warp = []>
!view = !nv_tileaa.tiled_view<[4, 64], !nv_tileaa.memref<?x?xf32, strides = [64, 1]>>
nv_tileaa.func @scatter(%v: !view, %x: tensor<4x64xf32, #l>, %i: i32, %c: tensor<64xi32, #c>) {
  // expected-error @below {{'vec' (4) needs a dimension along which the elements lie next to each other in memory}}
  %t = nv_tileas.scatter_store %v[%i, %c], %x {axis = 1 : i32, vec = 4 : i32} : !view, (i32, tensor<64xi32, #c>), tensor<4x64xf32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [1, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [2, 0]], warp = []>
!view = !nv_tileaa.tiled_view<[4, 64], !nv_tileaa.memref<?x?xf32, strides = [64, 1]>>
nv_tileaa.func @sums_wide(%v: !view, %x: tensor<4x64xf32, #l>, %i: i32) {
  // expected-error @below {{'vec' (8) times 4 bytes is more than the 16 bytes}}
  %t = nv_tileas.tiled_atomic_rmw %v[%i, %i], %x {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>, vec = 8 : i32} : !view, (i32, i32), tensor<4x64xf32, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [1, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [2, 0]], warp = []>
!view = !nv_tileaa.tiled_view<[4, 64], !nv_tileaa.memref<?x?xf64, strides = [64, 1]>>
nv_tileaa.func @sums_f64(%v: !view, %x: tensor<4x64xf64, #l>, %i: i32) {
  // expected-error @below {{'vec' (2) is for relaxed sums of f32, f16 and bf16}}
  %t = nv_tileas.tiled_atomic_rmw %v[%i, %i], %x {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>, vec = 2 : i32} : !view, (i32, i32), tensor<4x64xf64, #l>
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [1, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [2, 0]], warp = []>
!view = !nv_tileaa.tiled_view<[4, 64], !nv_tileaa.memref<?x?xf32, strides = [64, 1]>>
nv_tileaa.func @sums_ordered(%v: !view, %x: tensor<4x64xf32, #l>, %i: i32) {
  // expected-error @below {{'vec' (4) is for relaxed sums of f32, f16 and bf16}}
  %t = nv_tileas.tiled_atomic_rmw %v[%i, %i], %x {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<release>, rmw_mode = #nv_tileaa.rmw_mode<addf>, vec = 4 : i32} : !view, (i32, i32), tensor<4x64xf32, #l>
  nv_tileaa.return
}
