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
