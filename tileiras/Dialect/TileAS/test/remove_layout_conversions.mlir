// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(nv_tileaa.func(convert-tileaa-to-tileas,tileas-assign-load-store-layouts,tileas-remove-layout-conversions,canonicalize,cse))' | FileCheck %s

!mem = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!view = !nv_tileaa.tiled_view<[16, 64], !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>

// Load, row reduction, broadcast back, store: everything in the load's layout, no conversion.
// CHECK-LABEL: nv_tileaa.func @row_norm
// CHECK-NOT: convert_layout
// CHECK: nv_tileaa.return
nv_tileaa.func @row_norm(%p: !nv_tileaa.ptr<f32>, %m: i32, %i: i32) {
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %r = nv_tileaa.make_memref %pa, sizes [%m], strides [] : !nv_tileaa.ptr<f32>, (i32), () -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  %t, %tok = nv_tileaa.tiled_load %v[%i, %i] : !view, (i32, i32) -> tensor<16x64xf32>
  %s = nv_tileaa.reduce %t {axis = 1 : i32, identities = [0.0 : f32]} : tensor<16x64xf32> -> tensor<16xf32> {
  ^bb0(%a: f32, %b: f32):
    %x = arith.addf %a, %b : f32
    nv_tileaa.yield %x : f32
  }
  %w = nv_tileaa.view %s : tensor<16xf32> -> tensor<16x1xf32>
  %b = nv_tileaa.broadcast %w : tensor<16x1xf32> -> tensor<16x64xf32>
  %d = arith.divf %t, %b : tensor<16x64xf32>
  %tok2 = nv_tileaa.tiled_store %v[%i, %i], %d : !view, (i32, i32), tensor<16x64xf32>
  nv_tileaa.return
}

// -----

!mem = !nv_tileaa.memref<64x64xf32, strides = [64, 1]>
!view = !nv_tileaa.tiled_view<[32, 32], !nv_tileaa.memref<64x64xf32, strides = [64, 1]>>

// A transposition needs exactly one.
// CHECK-LABEL: nv_tileaa.func @transpose
// CHECK: tiled_load
// CHECK: nv_tileaa.permute
// CHECK: nv_tileas.convert_layout
// CHECK-NOT: convert_layout
// CHECK: tiled_store
nv_tileaa.func @transpose(%p: !nv_tileaa.ptr<f32>, %i: i32) {
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %r = nv_tileaa.make_memref %pa, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  %t, %tok = nv_tileaa.tiled_load %v[%i, %i] : !view, (i32, i32) -> tensor<32x32xf32>
  %u = nv_tileaa.permute %t [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
  %tok2 = nv_tileaa.tiled_store %v[%i, %i], %u : !view, (i32, i32), tensor<32x32xf32>
  nv_tileaa.return
}

// -----

// Two vector widths meet on one set of indices: the indices are computed twice, not moved.
// CHECK-LABEL: nv_tileaa.func @rematerialize
// CHECK: nv_tileaa.make_range
// CHECK: nv_tileaa.make_range
// CHECK-NOT: convert_layout %{{.*}} : tensor<512xi32
// CHECK: nv_tileaa.return
nv_tileaa.func @rematerialize(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>) {
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %r = nv_tileaa.make_range (0, 512) : tensor<512xi32>
  %s = nv_tileaa.splat %pa : !nv_tileaa.ptr<f32> -> tensor<512x!nv_tileaa.ptr<f32>>
  %s2 = nv_tileaa.splat %q : !nv_tileaa.ptr<f32> -> tensor<512x!nv_tileaa.ptr<f32>>
  %a = nv_tileaa.addptr %s, %r : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512xi32>
  %b = nv_tileaa.addptr %s2, %r : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512xi32>
  %v, %t = nv_tileaa.load %a : tensor<512x!nv_tileaa.ptr<f32>> -> tensor<512xf32>
  %w = arith.addf %v, %v : tensor<512xf32>
  %t1 = nv_tileaa.store %a, %w : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512xf32>
  %z = arith.constant dense<0.0> : tensor<512xf32>
  %t2 = nv_tileaa.store %b, %z : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512xf32>
  nv_tileaa.return
}

// -----

!mem = !nv_tileaa.memref<64x64xf32, strides = [64, 1]>
!view = !nv_tileaa.tiled_view<[32, 32], !nv_tileaa.memref<64x64xf32, strides = [64, 1]>>

// A loop-carried accumulator takes the layout of what is added to it.
// CHECK-LABEL: nv_tileaa.func @accumulate
// CHECK-NOT: convert_layout
// CHECK: nv_tileaa.return
nv_tileaa.func @accumulate(%p: !nv_tileaa.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant dense<0.0> : tensor<32x32xf32>
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %r = nv_tileaa.make_memref %pa, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (tensor<32x32xf32>) : i32 {
    %t, %tok = nv_tileaa.tiled_load %v[%i, %i] : !view, (i32, i32) -> tensor<32x32xf32>
    %u = arith.addf %a, %t : tensor<32x32xf32>
    scf.yield %u : tensor<32x32xf32>
  }
  %tok2 = nv_tileaa.tiled_store %v[%c0, %c0], %s : !view, (i32, i32), tensor<32x32xf32>
  nv_tileaa.return
}

// -----

!mem = !nv_tileaa.memref<64x64xf32, strides = [64, 1]>
!view = !nv_tileaa.tiled_view<[32, 32], !nv_tileaa.memref<64x64xf32, strides = [64, 1]>>

// The same tile in every iteration is turned once.
// CHECK-LABEL: nv_tileaa.func @invariant
// CHECK: nv_tileas.convert_layout
// CHECK: scf.for
// CHECK-NOT: convert_layout
// CHECK: tiled_store
nv_tileaa.func @invariant(%p: !nv_tileaa.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %r = nv_tileaa.make_memref %pa, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  %t, %tok = nv_tileaa.tiled_load %v[%c0, %c0] : !view, (i32, i32) -> tensor<32x32xf32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %u = nv_tileaa.permute %t [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
    %tok2 = nv_tileaa.tiled_store %v[%i, %c1], %u : !view, (i32, i32), tensor<32x32xf32>
  }
  nv_tileaa.return
}
