// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(nv_tileaa.func(convert-tileaa-to-tileas,tileas-assign-load-store-layouts))' | FileCheck %s

!mem = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[16, 64], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
#spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>

// Base, extent and stride divisible by 16: four f32 per access.
// CHECK-DAG: #[[V4:blocked[0-9]*]] = #nv_tileas.blocked<size_per_thread = [1, 4], threads_per_warp = [2, 16], warps_per_cta = [4, 1], order = [1, 0]>
// CHECK-LABEL: nv_tileaa.func @aligned
nv_tileaa.func @aligned(%p: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %i: i32) attributes {nv_tileaa.kernel_spec = #spec} {
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %na = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
  %r = nv_tileaa.make_memref %pa, sizes [%m, %na], strides [%na] : !nv_tileaa.ptr<f32>, (i32, i32), (i32) -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  // CHECK: nv_tileas.tiled_load {{.*}} {vec = 4 : i32} {{.*}} -> tensor<16x64xf32, #[[V4]]>
  %t, %tok = nv_tileaa.tiled_load %v[%i, %i] : !view, (i32, i32) -> tensor<16x64xf32>
  // CHECK: nv_tileas.tiled_store {{.*}} {vec = 4 : i32} {{.*}} tensor<16x64xf32, #[[V4]]>
  %tok2 = nv_tileaa.tiled_store %v[%i, %i], %t : !view, (i32, i32), tensor<16x64xf32>
  nv_tileaa.return
}

// -----

// Sixteen neighbours lie on one side of a multiple of sixteen.
// CHECK-LABEL: nv_tileaa.func @one_side
// CHECK: arith.cmpi slt, %{{.*}} {nv_tileas.equal_blocks = array<i64: 16>} : tensor<512xi32
// CHECK: arith.cmpi sgt, %{{.*}}, %{{[^ ]*}} : tensor<512xi32
nv_tileaa.func @one_side(%n: i32) {
  %na = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
  %i = nv_tileaa.make_range (0, 512) : tensor<512xi32>
  %s = nv_tileaa.splat %na : i32 -> tensor<512xi32>
  %c = arith.cmpi slt, %i, %s : tensor<512xi32>
  %d = arith.cmpi sgt, %i, %s : tensor<512xi32>
  %e = arith.xori %c, %d : tensor<512xi1>
  %p = nv_tileaa.print "%d", %e : tensor<512xi1>
  nv_tileaa.return
}

// -----

// Beside products only comparisons for selections are marked: masks of memory would take registers.
// CHECK-LABEL: nv_tileaa.func @one_side_beside_products
// CHECK: arith.cmpi slt, %{{.*}} {nv_tileas.equal_blocks = array<i64: 16>} : tensor<32xi32
// CHECK: arith.cmpi slt, %{{.*}}, %{{[^ ]*}} : tensor<32xi32
nv_tileaa.func @one_side_beside_products(%m: i32, %n: i32, %pointer: !nv_tileaa.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<16x32xf16>
  %b = arith.constant dense<2.0> : tensor<32x32xf16>
  %p = nv_tileaa.splat %pointer : !nv_tileaa.ptr<f32> -> tensor<32x!nv_tileaa.ptr<f32>>
  %ma = nv_tileaa.assume #nv_tileaa.div_by<16>, %m : i32
  %na = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
  %i = nv_tileaa.make_range (0, 32) : tensor<32xi32>
  %s = nv_tileaa.splat %ma : i32 -> tensor<32xi32>
  %c = arith.cmpi slt, %i, %s : tensor<32xi32>
  %row = nv_tileaa.view %c : tensor<32xi1> -> tensor<1x32xi1>
  %mask = nv_tileaa.broadcast %row : tensor<1x32xi1> -> tensor<16x32xi1>
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %d = nv_tileaa.dot %a, %b, %zero : tensor<16x32xf16>, tensor<32x32xf16>, tensor<16x32xf32>
  %x = arith.select %mask, %d, %zero : tensor<16x32xi1>, tensor<16x32xf32>
  %q = nv_tileaa.print "%f", %x : tensor<16x32xf32>
  %t = nv_tileaa.splat %na : i32 -> tensor<32xi32>
  %e = arith.cmpi slt, %i, %t : tensor<32xi32>
  %y, %tok = nv_tileaa.load %p, mask %e : tensor<32x!nv_tileaa.ptr<f32>>, mask tensor<32xi1> -> tensor<32xf32>
  %r = nv_tileaa.print "%f", %y : tensor<32xf32>
  nv_tileaa.return
}

// -----

!mem = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[16, 64], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>

// The extent may be anything: runs that cross the edge are the lowering's business. Without an aligned base elements move one by one.
// CHECK-LABEL: nv_tileaa.func @unaligned
nv_tileaa.func @unaligned(%p: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %i: i32) {
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %na = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
  %r = nv_tileaa.make_memref %pa, sizes [%m, %n], strides [%na] : !nv_tileaa.ptr<f32>, (i32, i32), (i32) -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  // CHECK: nv_tileas.tiled_load {{.*}} {vec = 4 : i32}
  %t, %tok = nv_tileaa.tiled_load %v[%i, %i] : !view, (i32, i32) -> tensor<16x64xf32>
  // The inner dimension is promised to stay inside.
  // CHECK: nv_tileas.tiled_load {{.*}} {in_bounds = array<i1: false, true>, vec = 4 : i32}
  %u, %tok1 = nv_tileaa.tiled_load %v[%i, %i] {in_bounds = array<i1: false, true>} : !view, (i32, i32) -> tensor<16x64xf32>
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @unaligned_base
nv_tileaa.func @unaligned_base(%p: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %i: i32) {
  %na = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
  %r2 = nv_tileaa.make_memref %p, sizes [%m, %na], strides [%na] : !nv_tileaa.ptr<f32>, (i32, i32), (i32) -> !mem
  %v2 = nv_tileaa.block_tile %r2 : !mem -> !view
  // CHECK: nv_tileas.tiled_load {{.*}} {vec = 1 : i32}
  %w, %tok2 = nv_tileaa.tiled_load %v2[%i, %i] : !view, (i32, i32) -> tensor<16x64xf32>
  nv_tileaa.return
}

!line = !nv_tileaa.memref<?xf32, strides = [1]>
!part = !nv_tileaa.tiled_view<[64], !line>

// Weights beside rows that start anywhere: both narrow, or their tiles would need a conversion where they meet. Alone they are wide.
// CHECK-LABEL: nv_tileaa.func @weights
nv_tileaa.func @weights(%p: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %i: i32) {
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %r = nv_tileaa.make_memref %pa, sizes [%m, %n], strides [%n] : !nv_tileaa.ptr<f32>, (i32, i32), (i32) -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  // CHECK: nv_tileas.tiled_load {{.*}} {vec = 1 : i32}
  %t, %tok = nv_tileaa.tiled_load %v[%i, %i] : !view, (i32, i32) -> tensor<16x64xf32>
  %w = nv_tileaa.make_memref %pa, sizes [%n], strides [] : !nv_tileaa.ptr<f32>, (i32), () -> !line
  %wv = nv_tileaa.block_tile %w : !line -> !part
  // CHECK: nv_tileas.tiled_load {{.*}} {vec = 1 : i32}
  %u, %tok1 = nv_tileaa.tiled_load %wv[%i] : !part, (i32) -> tensor<64xf32>
  nv_tileaa.return
}

!mem4 = !nv_tileaa.memref<?x?xf4E2M1FN, strides = [?, 1]>
!view4 = !nv_tileaa.tiled_view<[16, 64], !mem4>

// Halves of bytes are merged one by one where the edge cuts, so here the extent counts.
// CHECK-LABEL: nv_tileaa.func @halves
nv_tileaa.func @halves(%p: !nv_tileaa.ptr<f4E2M1FN>, %m: i32, %n: i32, %i: i32) {
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f4E2M1FN>
  %na = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
  %r = nv_tileaa.make_memref %pa, sizes [%m, %n], strides [%na] : !nv_tileaa.ptr<f4E2M1FN>, (i32, i32), (i32) -> !mem4
  %v = nv_tileaa.block_tile %r : !mem4 -> !view4
  // CHECK: nv_tileas.tiled_load {{.*}} {vec = 1 : i32}
  %t, %tok = nv_tileaa.tiled_load %v[%i, %i] : !view4, (i32, i32) -> tensor<16x64xf4E2M1FN>
  nv_tileaa.return
}

// -----

// A column-major tensor: registers and lanes run along dimension 0.
// CHECK-DAG: #[[COL:blocked[0-9]*]] = #nv_tileas.blocked<size_per_thread = [8, 1], threads_per_warp = [8, 4], {{.*}} order = [0, 1]>
!mem = !nv_tileaa.memref<64x?xf16, strides = [1, 64]>
!view = !nv_tileaa.tiled_view<[64, 32], !nv_tileaa.memref<64x?xf16, strides = [1, 64]>>
// CHECK-LABEL: nv_tileaa.func @column_major
nv_tileaa.func @column_major(%p: !nv_tileaa.ptr<f16>, %n: i32, %i: i32) {
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f16>
  %r = nv_tileaa.make_memref %pa, sizes [%n], strides [] : !nv_tileaa.ptr<f16>, (i32), () -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  // CHECK: nv_tileas.tiled_load {{.*}} {vec = 8 : i32} {{.*}} -> tensor<64x32xf16, #[[COL]]>
  %t, %tok = nv_tileaa.tiled_load %v[%i, %i] : !view, (i32, i32) -> tensor<64x32xf16>
  nv_tileaa.return
}

// -----

// Pointers: contiguity from the offsets, alignment from the assumption; the mask must be uniform over a run.
// CHECK-LABEL: nv_tileaa.func @pointers
nv_tileaa.func @pointers(%p: !nv_tileaa.ptr<f32>, %n: i32) {
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %na = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
  %r = nv_tileaa.make_range (0, 1024) : tensor<1024xi32>
  %s = nv_tileaa.splat %pa : !nv_tileaa.ptr<f32> -> tensor<1024x!nv_tileaa.ptr<f32>>
  %a = nv_tileaa.addptr %s, %r : tensor<1024x!nv_tileaa.ptr<f32>>, tensor<1024xi32>
  %nb = nv_tileaa.splat %n : i32 -> tensor<1024xi32>
  %nab = nv_tileaa.splat %na : i32 -> tensor<1024xi32>
  %loose = arith.cmpi slt, %r, %nb : tensor<1024xi32>
  %tight = arith.cmpi slt, %r, %nab : tensor<1024xi32>
  // CHECK: nv_tileas.load {{.*}} {vec = 4 : i32}
  %v0, %t0 = nv_tileaa.load %a : tensor<1024x!nv_tileaa.ptr<f32>> -> tensor<1024xf32>
  // CHECK: nv_tileas.load {{.*}} {vec = 1 : i32}
  %v1, %t1 = nv_tileaa.load %a, mask %loose : tensor<1024x!nv_tileaa.ptr<f32>>, mask tensor<1024xi1> -> tensor<1024xf32>
  // CHECK: nv_tileas.load {{.*}} {vec = 4 : i32}
  %v2, %t2 = nv_tileaa.load %a, mask %tight : tensor<1024x!nv_tileaa.ptr<f32>>, mask tensor<1024xi1> -> tensor<1024xf32>
  // Ordered accesses stay element by element.
  // CHECK: nv_tileas.load {{.*}} vec = 1 : i32
  %v3, %t3 = nv_tileaa.load %a {mem_semantic = #nv_tileaa.mem_semantic<acquire>, mem_scope = #nv_tileaa.mem_scope<gpu>} : tensor<1024x!nv_tileaa.ptr<f32>> -> tensor<1024xf32>
  nv_tileaa.return
}

// -----

!mem = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[16, 64], !mem>

// Sums of f32 go together from sm_90 on, where they are relaxed and nobody uses the old values; as far as base and rows are aligned.
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-DAG: #[[R4:blocked[0-9]*]] = #nv_tileas.blocked<size_per_thread = [1, 4], threads_per_warp = [2, 16], warps_per_cta = [4, 1], order = [1, 0]>
// CHECK-DAG: #[[R2:blocked[0-9]*]] = #nv_tileas.blocked<size_per_thread = [1, 2], threads_per_warp = [1, 32], warps_per_cta = [4, 1], order = [1, 0]>
// CHECK-LABEL: nv_tileaa.func @sums
nv_tileaa.func @sums(%p: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %i: i32) {
  %x = arith.constant dense<1.0> : tensor<16x64xf32>
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %sa = nv_tileaa.assume #nv_tileaa.div_by<4>, %n : i32
  %r = nv_tileaa.make_memref %pa, sizes [%m, %n], strides [%sa] : !nv_tileaa.ptr<f32>, (i32, i32), (i32) -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  // CHECK: nv_tileas.tiled_atomic_rmw {{.*}} vec = 4 : i32} {{.*}} tensor<16x64xf32, #[[R4]]>
  %t = nv_tileaa.tiled_atomic_rmw %v[%i, %i], %x {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>} : !view, (i32, i32), tensor<16x64xf32>
  %pb = nv_tileaa.assume #nv_tileaa.div_by<8>, %p : !nv_tileaa.ptr<f32>
  %rb = nv_tileaa.make_memref %pb, sizes [%m, %n], strides [%sa] : !nv_tileaa.ptr<f32>, (i32, i32), (i32) -> !mem
  %vb = nv_tileaa.block_tile %rb : !mem -> !view
  // CHECK: nv_tileas.tiled_atomic_rmw {{.*}} vec = 2 : i32} {{.*}} tensor<16x64xf32, #[[R2]]>
  %tb = nv_tileaa.tiled_atomic_rmw %vb[%i, %i], %x {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>} : !view, (i32, i32), tensor<16x64xf32>
  // A release orders them.
  // CHECK: nv_tileas.tiled_atomic_rmw {{.*}} vec = 1 : i32}
  %tc = nv_tileaa.tiled_atomic_rmw %v[%i, %i], %x {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<release>, rmw_mode = #nv_tileaa.rmw_mode<addf>} : !view, (i32, i32), tensor<16x64xf32>
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @at_pointers
nv_tileaa.func @at_pointers(%p: !nv_tileaa.ptr<f32>, %n: i32) {
  %x = arith.constant dense<1.0> : tensor<512xf32>
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %na = nv_tileaa.assume #nv_tileaa.div_by<4>, %n : i32
  %i = nv_tileaa.make_range (0, 512) : tensor<512xi32>
  %b = nv_tileaa.splat %pa : !nv_tileaa.ptr<f32> -> tensor<512x!nv_tileaa.ptr<f32>>
  %q = nv_tileaa.addptr %b, %i : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512xi32>
  %s = nv_tileaa.splat %na : i32 -> tensor<512xi32>
  %k = arith.cmpi slt, %i, %s : tensor<512xi32>
  // CHECK: nv_tileaa.atomic_rmw {{.*}} vec = 4 : i32}
  %o, %t = nv_tileaa.atomic_rmw %q, %x, mask %k {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>} : tensor<512x!nv_tileaa.ptr<f32>>, mask tensor<512xi1> -> tensor<512xf32>
  // Somebody looks at the old values.
  // CHECK: nv_tileaa.atomic_rmw {{.*}} vec = 1 : i32}
  %old, %t1 = nv_tileaa.atomic_rmw %q, %x, mask %k {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>} : tensor<512x!nv_tileaa.ptr<f32>>, mask tensor<512xi1> -> tensor<512xf32>
  %u = nv_tileaa.store %q, %old, mask %k : tensor<512x!nv_tileaa.ptr<f32>>, tensor<512xf32>, mask tensor<512xi1>
  nv_tileaa.return
}
}

// -----

!mem = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[16, 64], !mem>

// sm_89 has no vectors of them.
module attributes {nv_tileaa.compute_capability = 89 : i64} {
// CHECK-LABEL: nv_tileaa.func @sums
nv_tileaa.func @sums(%p: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %i: i32) {
  %x = arith.constant dense<1.0> : tensor<16x64xf32>
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %na = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
  %r = nv_tileaa.make_memref %pa, sizes [%m, %na], strides [%na] : !nv_tileaa.ptr<f32>, (i32, i32), (i32) -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !view
  // CHECK: nv_tileas.tiled_atomic_rmw {{.*}} vec = 1 : i32}
  %t = nv_tileaa.tiled_atomic_rmw %v[%i, %i], %x {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>} : !view, (i32, i32), tensor<16x64xf32>
  nv_tileaa.return
}
}

// -----

!mem = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!wide = !nv_tileaa.tiled_view<[16, 256], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
!left = !nv_tileaa.tiled_view<[16, 16], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
#spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>

// Sums are stored by warps that have rows each, whose halves a thread has both; what is loaded comes in the order of memory.
// CHECK-DAG: #[[ROWS:blocked[0-9]*]] = #nv_tileas.blocked<size_per_thread = [1, 4], threads_per_warp = [1, 32], warps_per_cta = [4, 1], order = [1, 0]>
// CHECK-DAG: #[[LINES:blocked[0-9]*]] = #nv_tileas.blocked<size_per_thread = [1, 4], threads_per_warp = [1, 32], warps_per_cta = [2, 2], order = [1, 0]>
// CHECK-LABEL: nv_tileaa.func @sums
nv_tileaa.func @sums(%p: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %i: i32) attributes {nv_tileaa.kernel_spec = #spec} {
  %zero = arith.constant dense<0.0> : tensor<16x256xf32>
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %na = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
  %r = nv_tileaa.make_memref %pa, sizes [%m, %na], strides [%na] : !nv_tileaa.ptr<f32>, (i32, i32), (i32) -> !mem
  %v = nv_tileaa.block_tile %r : !mem -> !wide
  %l = nv_tileaa.block_tile %r : !mem -> !left
  %a, %tok = nv_tileaa.tiled_load %l[%i, %i] : !left, (i32, i32) -> tensor<16x16xf32>
  // CHECK: nv_tileas.tiled_load {{.*}} -> tensor<16x256xf32, #[[LINES]]>
  %b, %tok1 = nv_tileaa.tiled_load %v[%i, %i] : !wide, (i32, i32) -> tensor<16x256xf32>
  %c = nv_tileaa.dot %a, %b, %zero : tensor<16x16xf32>, tensor<16x256xf32>, tensor<16x256xf32>
  // CHECK: nv_tileas.tiled_store {{.*}} tensor<16x256xf32, #[[ROWS]]>
  %tok2 = nv_tileaa.tiled_store %v[%i, %i], %c : !wide, (i32, i32), tensor<16x256xf32>
  nv_tileaa.return
}
