// RUN: tileiras-opt %s -split-input-file -tileas-allocate-scratch -convert-nv-tileas-to-llvm -verify-diagnostics | FileCheck %s

!view = !nv_tileaa.tiled_view<[8, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [64, 1]>>
#copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = []>
#tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16]]>
!ref = !llvm.struct<(ptr<1>, i64, i64)>
module attributes {nv_tileaa.compute_capability = 80 : i64} {
// One run of 16 bytes for each thread; what the view does not have is not read: the size of the source says so.
// CHECK-LABEL: func.func @copy
// CHECK: nvvm.barrier0
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %{{.*}} : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: nvvm.barrier0
func.func @copy(%r: !ref, %i: i32) {
  %v = builtin.unrealized_conversion_cast %r : !ref to !view
  %d = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<8x32xf16, #tile>
  %t, %m = nv_tileas.async.tiled_load %v[%i, %i] into %d {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : !view, (i32, i32), tensor<8x32xf16, #tile>
  nv_tileas.async.wait %t
  return
}
}

// -----

!view = !nv_tileaa.tiled_view<[8, 32], padding = zero, !nv_tileaa.memref<64x64xf16, strides = [64, 1]>>
#copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = []>
#tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16]]>
!ref = !llvm.struct<(ptr<1>)>
module attributes {nv_tileaa.compute_capability = 80 : i64} {
// A tile that is never cut by an edge, but may count as outside.
// CHECK-LABEL: func.func @valid
// CHECK-SAME: %[[VALID:[^ ]*]]: i1
// CHECK: %[[BYTES:.*]] = llvm.inline_asm {{.*}}"selp.b32 $0, 16, 0, $1;", {{.*}} %[[VALID]]
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = {{ *}}cg, %[[BYTES]]
func.func @valid(%r: !ref, %i: i32, %valid: i1) {
  %v = builtin.unrealized_conversion_cast %r : !ref to !view
  %d = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<8x32xf16, #tile>
  %t, %m = nv_tileas.async.tiled_load %v[%i, %i] into %d if %valid {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : !view, (i32, i32), tensor<8x32xf16, #tile>
  nv_tileas.async.wait %t
  return
}
}

// -----

!view = !nv_tileaa.tiled_view<[16, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [64, 1]>>
#copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [8, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = []>
#tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0]]>
!ref = !llvm.struct<(ptr<1>, i64, i64)>
module attributes {nv_tileaa.compute_capability = 80 : i64} {
// An extent that no vector divides cuts runs at the edge, where bytes are counted. All other tiles ask once.
// CHECK-LABEL: func.func @ragged
// CHECK: %[[ALL:.*]] = llvm.intr.expect
// CHECK: scf.if %[[ALL]]
// CHECK-COUNT-2: selp.b32 $0, 16, 0, $1;
// CHECK: else
// CHECK-NOT: selp
// CHECK-COUNT-2: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = {{ *}}cg, %{{.*}} : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK: nvvm.cp.async.commit.group
func.func @ragged(%r: !ref, %i: i32) {
  %v = builtin.unrealized_conversion_cast %r : !ref to !view
  %d = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<16x32xf16, #tile>
  %t, %m = nv_tileas.async.tiled_load %v[%i, %i] into %d {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : !view, (i32, i32), tensor<16x32xf16, #tile>
  nv_tileas.async.wait %t
  return
}
}

// -----

!view = !nv_tileaa.tiled_view<[16, 32], padding = zero, !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
#copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [8, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = []>
#tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0]]>
!ref = !llvm.struct<(ptr<1>, i64)>
module attributes {nv_tileaa.compute_capability = 80 : i64} {
// A run is inside or outside as a whole: one predicate, which ptxas makes the instruction's.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: scf.if
// CHECK: %[[SIZE:.*]] = llvm.inline_asm {{.*}}"selp.b32 $0, 16, 0, $1;"
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %[[SIZE]] : !llvm.ptr<3>, !llvm.ptr<1>, i32
func.func @rows(%r: !ref, %i: i32) {
  %v = builtin.unrealized_conversion_cast %r : !ref to !view
  %d = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<16x32xf16, #tile>
  %t, %m = nv_tileas.async.tiled_load %v[%i, %i] into %d {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : !view, (i32, i32), tensor<16x32xf16, #tile>
  nv_tileas.async.wait %t
  return
}
}

// -----

!view = !nv_tileaa.tiled_view<[8, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [64, 1]>>
#copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = []>
#apart = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [1, 0], [0, 4], [0, 8], [0, 16], [2, 0], [4, 0]]>
!ref = !llvm.struct<(ptr<1>, i64, i64)>
module attributes {nv_tileaa.compute_capability = 80 : i64} {
func.func @apart(%r: !ref, %i: i32) {
  %v = builtin.unrealized_conversion_cast %r : !ref to !view
  %d = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<8x32xf16, #apart>
  // expected-error @below {{cannot be copied 16 bytes at a time}}
  // expected-error @below {{failed to legalize operation 'nv_tileas.async.tiled_load'}}
  %t, %m = nv_tileas.async.tiled_load %v[%i, %i] into %d {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : !view, (i32, i32), tensor<8x32xf16, #apart>
  return
}
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[1], [64]], lane = [[2], [4], [8], [16], [32]], warp = []>
#tile = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32], [64]]>
module attributes {nv_tileaa.compute_capability = 80 : i64} {
// Through pointers: a copy for each run, of the bytes that its mask gives.
// CHECK-LABEL: func.func @pointers
// CHECK: nvvm.barrier0
// CHECK: %[[SOME:.*]] = llvm.inline_asm {{.*}}"selp.b32 $0, 8, 0, $1;"
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache = {{ *}}ca, %[[SOME]]
// CHECK: %[[MORE:.*]] = llvm.inline_asm {{.*}}"selp.b32 $0, 8, 0, $1;"
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache = {{ *}}ca, %[[MORE]]
// CHECK-NOT: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.wait.group 0
func.func @pointers(%r: !llvm.ptr<1>, %n: i32) {
  %base = builtin.unrealized_conversion_cast %r : !llvm.ptr<1> to !nv_tileaa.ptr<f32>
  %i = nv_tileaa.make_range(0, 128) : tensor<128xi32, #l>
  %b = nv_tileaa.splat %base : !nv_tileaa.ptr<f32> -> tensor<128x!nv_tileaa.ptr<f32>, #l>
  %p = nv_tileaa.addptr %b, %i : tensor<128x!nv_tileaa.ptr<f32>, #l>, tensor<128xi32, #l>
  %e = nv_tileaa.splat %n : i32 -> tensor<128xi32, #l>
  %in = arith.cmpi slt, %i, %e : tensor<128xi32, #l>
  %d = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<128xf32, #tile>
  %t, %m = nv_tileas.async.load %p into %d if %in {atom = #nv_tileas.simt_async_copy<bytes = 8>} : tensor<128x!nv_tileaa.ptr<f32>, #l>, tensor<128xf32, #tile>, mask tensor<128xi1, #l>
  nv_tileas.async.wait %t
  return
}
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
#tile = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
module attributes {nv_tileaa.compute_capability = 80 : i64} {
func.func @apart(%r: !llvm.ptr<1>) {
  %base = builtin.unrealized_conversion_cast %r : !llvm.ptr<1> to !nv_tileaa.ptr<f32>
  %i = nv_tileaa.make_range(0, 64) : tensor<64xi32, #l>
  %b = nv_tileaa.splat %base : !nv_tileaa.ptr<f32> -> tensor<64x!nv_tileaa.ptr<f32>, #l>
  %p = nv_tileaa.addptr %b, %i : tensor<64x!nv_tileaa.ptr<f32>, #l>, tensor<64xi32, #l>
  %d = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<64xf32, #tile>
  // expected-error @below {{cannot be copied 8 bytes at a time}}
  // expected-error @below {{failed to legalize operation 'nv_tileas.async.load'}}
  %t, %m = nv_tileas.async.load %p into %d {atom = #nv_tileas.simt_async_copy<bytes = 8>} : tensor<64x!nv_tileaa.ptr<f32>, #l>, tensor<64xf32, #tile>
  nv_tileas.async.wait %t
  return
}
}
