// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(nv_tileaa.func(convert-tileaa-to-tileas))' | FileCheck %s

// The coordinates of a gather come in the layout of the tile's axis.
!mr = !nv_tileaa.memref<64x64xf32, strides = [64, 1]>
!gv = !nv_tileaa.tiled_view<[8, 16], dim_map = [0, 1], steps = [1, 16], padding = zero, !mr>
!av = !nv_tileaa.tiled_view<[8, 16], dim_map = [0, 1], steps = [8, 16], !mr>
// CHECK-LABEL: @slices
nv_tileaa.func @slices(%g: !gv, %a: !av, %rows: tensor<8xi32>, %i: i32) {
  // CHECK: %[[R:.*]] = nv_tileas.convert_layout %{{.*}} : tensor<8xi32, #blocked{{.*}}> -> tensor<8xi32, #linear{{.*}}>
  // CHECK: nv_tileas.gather_load %{{.*}}[%[[R]], %{{.*}}] {axis = 0 : i32}
  %x, %t0 = nv_tileaa.gather_load %g[%rows, %i] {axis = 0 : i32} : !gv, (tensor<8xi32>, i32) -> tensor<8x16xf32>
  // CHECK: %[[S:.*]] = nv_tileas.convert_layout
  // CHECK: nv_tileas.scatter_store %{{.*}}[%[[S]], %{{.*}}], %{{.*}} {axis = 0 : i32}
  %t1 = nv_tileaa.scatter_store %g[%rows, %i], %x {axis = 0 : i32} : !gv, (tensor<8xi32>, i32), tensor<8x16xf32>
  // CHECK: nv_tileas.tiled_atomic_rmw
  %t2 = nv_tileaa.tiled_atomic_rmw %a[%i, %i], %x {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>} : !av, (i32, i32), tensor<8x16xf32>
  nv_tileaa.return
}

// -----

// Atomics through pointers stay nv_tileaa operations; their tensors get layouts.
!pi = !nv_tileaa.ptr<i32>
// CHECK-LABEL: @atomic
nv_tileaa.func @atomic(%p: tensor<64x!pi>, %v: tensor<64xi32>) {
  // CHECK: nv_tileaa.atomic_rmw %{{.*}} : tensor<64x!nv_tileaa.ptr<i32>, #blocked{{.*}}> -> tensor<64xi32, #blocked
  %a, %t = nv_tileaa.atomic_rmw %p, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<add>} : tensor<64x!pi> -> tensor<64xi32>
  nv_tileaa.return
}

// -----

// To narrower elements in the thread that has the wider ones, also the other way.
// CHECK-LABEL: @bytes
nv_tileaa.func @bytes(%h: tensor<256xf16>) {
  // CHECK: %[[B:.*]] = nv_tileas.reinterpret %{{.*}} : tensor<256xf16, #blocked{{.*}}> -> tensor<512xi8, #linear{{.*}}>
  // CHECK: nv_tileas.convert_layout %[[B]]
  %b = nv_tileaa.reinterpret %h : tensor<256xf16> -> tensor<512xi8>
  // CHECK: %[[C:.*]] = nv_tileas.convert_layout
  // CHECK: nv_tileas.reinterpret %[[C]] : tensor<512xi8, #linear{{.*}}> -> tensor<128xi32, #blocked
  %w = nv_tileaa.reinterpret %b : tensor<512xi8> -> tensor<128xi32>
  nv_tileaa.return
}
