// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(nv_tileaa.func(convert-tileaa-to-tileas,tileas-assign-load-store-layouts,tileas-remove-layout-conversions,canonicalize,cse))' | FileCheck %s

!mem = !nv_tileaa.memref<4096xf16, strides = [1]>
!view = !nv_tileaa.tiled_view<[1024], !nv_tileaa.memref<4096xf16, strides = [1]>>
!wide = !nv_tileaa.memref<4096xf32, strides = [1]>
!wide_view = !nv_tileaa.tiled_view<[1024], !nv_tileaa.memref<4096xf32, strides = [1]>>

// Alone the load of f16 would bring eight neighbours to a thread, the others four of f32. Together all have four, and nothing is converted.
// CHECK-LABEL: nv_tileaa.func @narrow
// CHECK: nv_tileas.tiled_load {{.*}} {vec = 4 : i32} {{.*}} -> tensor<1024xf16, #[[L:linear]]>
// CHECK: nv_tileas.tiled_load {{.*}} {vec = 4 : i32} {{.*}} -> tensor<1024xf32, #[[L]]>
// CHECK-NOT: convert_layout
// CHECK: nv_tileas.tiled_store {{.*}} {vec = 4 : i32}
nv_tileaa.func @narrow(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f32>, %i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f16>
  %r = nv_tileaa.make_memref %pa, sizes [], strides [] : !nv_tileaa.ptr<f16>, (), () -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  %qa = nv_tileaa.assume #nv_tileaa.div_by<16>, %q : !nv_tileaa.ptr<f32>
  %s = nv_tileaa.make_memref %qa, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !wide
  %w = nv_tileaa.block_tile %s : !wide -> !wide_view
  %t, %tok = nv_tileaa.tiled_load %v[%i] : !view, (i32) -> tensor<1024xf16>
  %u, %tok1 = nv_tileaa.tiled_load %w[%i] : !wide_view, (i32) -> tensor<1024xf32>
  %e = arith.extf %t : tensor<1024xf16> to tensor<1024xf32>
  %f = arith.addf %u, %e : tensor<1024xf32>
  %tok2 = nv_tileaa.tiled_store %w[%i], %f : !wide_view, (i32), tensor<1024xf32>
  nv_tileaa.return
}

// In a loop everything is done in every round, what a group costs and what it saves.
// CHECK-LABEL: nv_tileaa.func @narrow_in_a_loop
// CHECK: nv_tileas.tiled_load {{.*}} {vec = 4 : i32} {{.*}} -> tensor<1024xf16, #[[L:linear]]>
// CHECK: nv_tileas.tiled_load {{.*}} {vec = 4 : i32} {{.*}} -> tensor<1024xf32, #[[L]]>
// CHECK-NOT: convert_layout
// CHECK: nv_tileas.tiled_store {{.*}} {vec = 4 : i32}
nv_tileaa.func @narrow_in_a_loop(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f32>, %i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f16>
  %r = nv_tileaa.make_memref %pa, sizes [], strides [] : !nv_tileaa.ptr<f16>, (), () -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  %qa = nv_tileaa.assume #nv_tileaa.div_by<16>, %q : !nv_tileaa.ptr<f32>
  %s = nv_tileaa.make_memref %qa, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !wide
  %w = nv_tileaa.block_tile %s : !wide -> !wide_view
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %j = %c0 to %i step %c1 : i32 {
  %t, %tok = nv_tileaa.tiled_load %v[%j] : !view, (i32) -> tensor<1024xf16>
  %u, %tok1 = nv_tileaa.tiled_load %w[%j] : !wide_view, (i32) -> tensor<1024xf32>
  %e = arith.extf %t : tensor<1024xf16> to tensor<1024xf32>
  %f = arith.addf %u, %e : tensor<1024xf32>
  %tok2 = nv_tileaa.tiled_store %w[%j], %f : !wide_view, (i32), tensor<1024xf32>
  }
  nv_tileaa.return
}

// -----

!mem = !nv_tileaa.memref<64x2048xf16, strides = [2048, 1]>
!view = !nv_tileaa.tiled_view<[1, 2048], !mem>
!line = !nv_tileaa.memref<2048xf32, strides = [1]>
!part = !nv_tileaa.tiled_view<[2048], !line>

// A row of f16, and weights of f32 that are spread over it: what is narrowed to be stored, too, has the layout of all.
// CHECK-LABEL: nv_tileaa.func @weights
// CHECK-COUNT-2: nv_tileas.tiled_load {{.*}} {vec = 4 : i32}
// CHECK-NOT: convert_layout
// CHECK: nv_tileas.tiled_store {{.*}} {vec = 4 : i32}
nv_tileaa.func @weights(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f32>, %i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f16>
  %r = nv_tileaa.make_memref %pa, sizes [], strides [] : !nv_tileaa.ptr<f16>, (), () -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  %qa = nv_tileaa.assume #nv_tileaa.div_by<16>, %q : !nv_tileaa.ptr<f32>
  %s = nv_tileaa.make_memref %qa, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !line
  %w = nv_tileaa.block_tile %s : !line -> !part
  %t, %tok = nv_tileaa.tiled_load %v[%i, %c0] : !view, (i32, i32) -> tensor<1x2048xf16>
  %u, %tok1 = nv_tileaa.tiled_load %w[%c0] : !part, (i32) -> tensor<2048xf32>
  %x = nv_tileaa.view %u : tensor<2048xf32> -> tensor<1x2048xf32>
  %e = arith.extf %t : tensor<1x2048xf16> to tensor<1x2048xf32>
  %f = arith.mulf %e, %x : tensor<1x2048xf32>
  %g = arith.truncf %f : tensor<1x2048xf32> to tensor<1x2048xf16>
  %tok2 = nv_tileaa.tiled_store %v[%i, %c0], %g : !view, (i32, i32), tensor<1x2048xf16>
  nv_tileaa.return
}

// -----

!mem = !nv_tileaa.memref<64x64xf32, strides = [64, 1]>
!view = !nv_tileaa.tiled_view<[32, 32], !mem>

// What is stored the other way round is converted: no layout suits rows and columns.
// CHECK-LABEL: nv_tileaa.func @across
// CHECK: nv_tileas.tiled_load {{.*}} {vec = 4 : i32}
// CHECK: convert_layout
// CHECK: nv_tileas.tiled_store {{.*}} {vec = 4 : i32}
nv_tileaa.func @across(%p: !nv_tileaa.ptr<f32>, %i: i32) {
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %r = nv_tileaa.make_memref %pa, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  %t, %tok = nv_tileaa.tiled_load %v[%i, %i] : !view, (i32, i32) -> tensor<32x32xf32>
  %u = nv_tileaa.permute %t [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
  %tok2 = nv_tileaa.tiled_store %v[%i, %i], %u : !view, (i32, i32), tensor<32x32xf32>
  nv_tileaa.return
}
