// RUN: tileiras-opt %s -split-input-file -tileas-allocate-scratch -convert-nv-tileas-to-llvm -verify-diagnostics | FileCheck %s

// One warp, 4 x 64 of f32: pairs along the row.
#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [1, 0], [2, 0]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], warp = []>
!mem = !nv_tileaa.memref<?x64xf32, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[4, 64], padding = neg_inf, !mem>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// A memref carries its pointer and what its type does not say.
// CHECK-LABEL: func.func @edge
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1>, %[[M:.*]]: i32, %[[STRIDE:.*]]: i64, %[[I:.*]]: i32)
// CHECK: llvm.sext %[[M]] : i32 to i64
// Rows may overhang: the part of the memref behind the tile's first row. There are fewer than 2^31, so if the tile is one of those that begin
// inside, it is what the low words say.
// CHECK: %[[SIZE:.*]] = llvm.intr.smax({{.*}}) : (i32, i32) -> i32
// CHECK: %[[COUNT:.*]] = llvm.lshr %{{.*}}, %{{.*}} : i32
// CHECK: %[[LEFT:.*]] = llvm.sub %[[SIZE]], %{{.*}} : i32
// CHECK: %[[BEGINS:.*]] = llvm.icmp "ult" %[[I]], %[[COUNT]] : i32
// CHECK: %[[LIMIT:.*]] = llvm.select %[[BEGINS]], %[[LEFT]], %{{.*}} : i1, i32
// Row 0 and row 1: one predicate each, two elements per access; columns are a whole number of tiles. The thread's part is on the side of
// the limit, so rows are compared as constants.
// CHECK: %[[ROOM:.*]] = llvm.sub %[[LIMIT]], %{{.*}} : i32
// CHECK: %[[IN0:.*]] = llvm.icmp "sgt" %[[ROOM]], %{{.*}} : i32
// CHECK: llvm.inline_asm {{.*}}"@$5 ld.global.v2.b32 {$0, $1}, [$4];", "=r,=r,0,1,l,b"
// CHECK: llvm.icmp "sgt" %[[ROOM]], %{{.*}} : i32
// CHECK: ld.global.v2.b32
// CHECK: ld.global.v2.b32
// CHECK: ld.global.v2.b32
// CHECK-NOT: ld.global
func.func @edge(%q: !llvm.ptr<1>, %m: i32, %s: i64, %i: i32) {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<f32>
  %r = nv_tileaa.make_memref %p, sizes [%m], strides [%s] : !nv_tileaa.ptr<f32>, (i32), (i64) -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  %t, %tok = nv_tileas.tiled_load %v[%i, %i] {vec = 2 : i32} : !view, (i32, i32) -> tensor<4x64xf32, #l>
  return
}

// Of an extent of 64 bits all of them count.
// CHECK-LABEL: func.func @edge_of_many
// CHECK: %[[START:.*]] = llvm.mul %{{.*}}, %{{.*}} : i64
// CHECK: %[[REST:.*]] = llvm.sub %{{.*}}, %[[START]] : i64
// CHECK: llvm.intr.smax(%[[REST]]
// CHECK: llvm.intr.smin
// CHECK: %[[LIMIT:.*]] = llvm.trunc %{{.*}} : i64 to i32
// CHECK: llvm.sub %[[LIMIT]], %{{.*}} : i32
func.func @edge_of_many(%q: !llvm.ptr<1>, %m: i64, %s: i64, %i: i32) {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<f32>
  %r = nv_tileaa.make_memref %p, sizes [%m], strides [%s] : !nv_tileaa.ptr<f32>, (i64), (i64) -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  %t, %tok = nv_tileas.tiled_load %v[%i, %i] {vec = 2 : i32} : !view, (i32, i32) -> tensor<4x64xf32, #l>
  return
}

// An extent that may cut a pair: tiles without a cut one (the limit is even) have an access per pair. The others move what the last pair
// has inside by itself.
// CHECK-LABEL: func.func @ragged
// CHECK: %[[LIMIT:.*]] = llvm.intr.umin({{.*}}) : (i32, i32) -> i32
// CHECK: %[[ODD:.*]] = llvm.and %[[LIMIT]], %{{.*}} : i32
// CHECK: %[[EVEN:.*]] = llvm.icmp "eq" %[[ODD]], %{{.*}} : i32
// CHECK: %[[MOSTLY:.*]] = llvm.intr.expect %[[EVEN]]
// CHECK: %{{.*}}:8 = scf.if %[[MOSTLY]]
// CHECK-COUNT-4: ld.global.v2.b32
// CHECK-NOT: ld.global
// CHECK: } else {
// CHECK: ld.global.v2.b32
// CHECK: ld.global.b32
// CHECK: ld.global.b32
// CHECK: llvm.intr.expect
// CHECK: scf.if
// CHECK-COUNT-4: st.global.v2.b32
// CHECK-NOT: st.global
// CHECK: } else {
// CHECK: st.global.v2.b32
// CHECK: st.global.b32
// CHECK: st.global.b32
func.func @ragged(%q: !llvm.ptr<1>, %m: i32, %n: i32, %s: i64, %i: i32) {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<f32>
  %r = nv_tileaa.make_memref %p, sizes [%m, %n], strides [%s] : !nv_tileaa.ptr<f32>, (i32, i32), (i64) -> !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
  %v = nv_tileaa.block_tile %r : !nv_tileaa.memref<?x?xf32, strides = [?, 1]> -> !nv_tileaa.tiled_view<[4, 64], padding = neg_inf, !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
  %t, %tok = nv_tileas.tiled_load %v[%i, %i] {vec = 2 : i32} : !nv_tileaa.tiled_view<[4, 64], padding = neg_inf, !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32) -> tensor<4x64xf32, #l>
  %st = nv_tileas.tiled_store %v[%i, %i], %t {vec = 2 : i32} : !nv_tileaa.tiled_view<[4, 64], padding = neg_inf, !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32), tensor<4x64xf32, #l>
  return
}

// in_bounds: no predicate, plain vector accesses; the four rows differ by a constant where the stride is known.
// CHECK-LABEL: func.func @inside
// CHECK-NOT: inline_asm
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xi32>
// CHECK: llvm.getelementptr %{{.*}}[256] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
// CHECK: llvm.getelementptr %{{.*}}[512]
// CHECK: llvm.getelementptr %{{.*}}[768]
// CHECK: llvm.store %{{.*}} {alignment = 8 : i64} : vector<2xi32>, !llvm.ptr<1>
func.func @inside(%q: !llvm.ptr<1>, %m: i32, %i: i32) {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<f32>
  %r = nv_tileaa.make_memref %p, sizes [%m], strides [] : !nv_tileaa.ptr<f32>, (i32), () -> !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
  %v = nv_tileaa.block_tile %r : !nv_tileaa.memref<?x64xf32, strides = [64, 1]> -> !nv_tileaa.tiled_view<[4, 64], !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
  %t, %tok = nv_tileas.tiled_load %v[%i, %i] {vec = 2 : i32, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<[4, 64], !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>, (i32, i32) -> tensor<4x64xf32, #l>
  %s = nv_tileas.tiled_store %v[%i, %i], %t {vec = 2 : i32, in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<[4, 64], !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>, (i32, i32), tensor<4x64xf32, #l>
  return
}

// An extent of which nothing is known may cut a vector: all of it if its last element is inside, else one by one.
// CHECK-LABEL: func.func @cut
// CHECK: ld.global.v2.b32
// CHECK: %[[CUT:.*]] = llvm.xor
// CHECK: llvm.and %[[CUT]], %{{.*}} : i1
// CHECK: ld.global.b32
// CHECK: llvm.and %[[CUT]], %{{.*}} : i1
// CHECK: ld.global.b32
func.func @cut(%q: !llvm.ptr<1>, %m: i32, %n: i32, %i: i32) {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<f32>
  %r = nv_tileaa.make_memref %p, sizes [%m, %n], strides [] : !nv_tileaa.ptr<f32>, (i32, i32), () -> !nv_tileaa.memref<?x?xf32, strides = [64, 1]>
  %v = nv_tileaa.block_tile %r : !nv_tileaa.memref<?x?xf32, strides = [64, 1]> -> !nv_tileaa.tiled_view<[4, 64], !nv_tileaa.memref<?x?xf32, strides = [64, 1]>>
  %t, %tok = nv_tileas.tiled_load %v[%i, %i] {vec = 2 : i32} : !nv_tileaa.tiled_view<[4, 64], !nv_tileaa.memref<?x?xf32, strides = [64, 1]>>, (i32, i32) -> tensor<4x64xf32, #l>
  return
}

// Tiles of a view: rounded up.
// CHECK-LABEL: func.func @dim_size
// CHECK: %[[S:.*]] = llvm.sext %arg1 : i32 to i64
// CHECK: %[[SUM:.*]] = llvm.add %{{.*}}, %{{.*}} : i64
// CHECK: %[[Q:.*]] = llvm.udiv %[[SUM]], %{{.*}} : i64
// CHECK: llvm.trunc %[[Q]] : i64 to i32
func.func @dim_size(%q: !llvm.ptr<1>, %m: i32, %s: i64) -> i32 {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<f32>
  %r = nv_tileaa.make_memref %p, sizes [%m], strides [%s] : !nv_tileaa.ptr<f32>, (i32), (i64) -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  %d = nv_tileaa.get_dim_size %v {axis = 0 : i32} : !view -> i32
  return %d : i32
}
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
!mem = !nv_tileaa.memref<?xi4, strides = [1]>
!view = !nv_tileaa.tiled_view<[32], !mem>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
func.func @sub_byte(%v: !llvm.struct<(ptr<1>, i64)>, %i: i32) {
  %w = builtin.unrealized_conversion_cast %v : !llvm.struct<(ptr<1>, i64)> to !view
  // expected-error @below {{of elements of 'i4' is not supported}}
  // expected-error @below {{failed to legalize}}
  %t, %tok = nv_tileas.tiled_load %w[%i] : !view, (i32) -> tensor<32xi4, #l>
  return
}
}
