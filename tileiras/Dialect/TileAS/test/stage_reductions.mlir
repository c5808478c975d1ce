// Tiles that are combined with a view atomically leave by TMA where that is asked for, if all accesses of the kernel that are not weak can.
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-stores,lower-tma-load-store-to-async)))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-stores,lower-tma-load-store-to-async)))' | FileCheck %s --check-prefix=OFF
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=false tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-stores)))' | FileCheck %s --check-prefix=OFF
// RUN: sed 's/= 90 : i32/= 80 : i32/;s/sm_90a/sm_80/' %s | env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true tileiras-opt -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-stores)))' | FileCheck %s --check-prefix=OFF
// OFF-NOT: tma

#sums = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!memref = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[64, 64], !memref>
!tile = tensor<64x64xf32, #sums>
!imemref = !nv_tileaa.memref<?x?xi32, strides = [?, 1]>
!iview = !nv_tileaa.tiled_view<[64, 64], !imemref>
!itile = tensor<64x64xi32, #sums>
#relaxed = #nv_tileaa.mem_semantic<relaxed>
#device = #nv_tileaa.mem_scope<gpu>
#spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {

// CHECK-LABEL: nv_tileaa.func @add
// CHECK: %[[MAP:.*]], %[[USABLE:.*]] = nv_tileas.make_tiled_tma_desc %{{.*}} {atom = #nv_tileas.tma_store<box = [64, 32], order = [1, 0], swizzle = 128>, tmaIdx = 0 : i32}
// CHECK: scf.if %[[USABLE]] {
// CHECK: %[[TILE:.*]] = nv_tileas.alloc_tensor
// CHECK: nv_tileas.copy %{{.*}}, %[[TILE]] {{{.*}}nv_tileas.async_proxy
// CHECK: %[[DONE:.*]], %{{.*}} = nv_tileas.async.tiled_tma_store %[[MAP]], %[[TILE]], %{{.*}} {atom = {{.*}}, rmw_mode = #nv_tileaa.rmw_mode<addf>}
// CHECK: nv_tileas.async.wait %[[DONE]] {nv_tileas.source_read}
// CHECK: } else {
// CHECK: nv_tileas.tiled_atomic_rmw
nv_tileaa.func @add(%o: !nv_tileaa.ptr<f32>, %n: i32, %i: i32, %x: !tile) attributes {nv_tileaa.kernel_spec = #spec} {
  %m = nv_tileaa.make_memref %o, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<f32>, (i32, i32), (i32) -> !memref
  %v = nv_tileaa.block_tile %m : !memref -> !view
  %t = nv_tileas.tiled_atomic_rmw %v[%i, %i], %x {rmw_mode = #nv_tileaa.rmw_mode<addf>, mem_semantic = #relaxed, mem_scope = #device} : !view, (i32, i32), !tile
  nv_tileaa.return
}

// Numbers with sign have a tensor map of their own. There are both of them, or none is used. What comes after by a token waits until memory
// has been written.
// CHECK-LABEL: nv_tileaa.func @signs
// CHECK-DAG: %[[S:.*]], %[[US:.*]] = nv_tileas.make_tiled_tma_desc %{{[0-9]+}} signed {
// CHECK-DAG: %[[U:.*]], %[[UU:.*]] = nv_tileas.make_tiled_tma_desc %{{[0-9]+}} {
// CHECK: %[[BOTH:.*]] = arith.andi %[[US]], %[[UU]] : i1
// CHECK: %[[T:.*]] = scf.if %[[BOTH]] -> (!nv_tileaa.mem_token) {
// CHECK: tiled_tma_store %[[S]], {{.*}}rmw_mode<max>
// CHECK-NEXT: nv_tileas.async.wait %{{[a-z0-9_]+}}{{$}}
// CHECK: %[[BOTH2:.*]] = arith.andi %[[UU]], %[[US]] : i1
// CHECK: scf.if %[[BOTH2]] {
// CHECK: tiled_tma_store %[[U]], {{.*}}, token %[[T]] {{.*}}rmw_mode<umin>
nv_tileaa.func @signs(%o: !nv_tileaa.ptr<i32>, %n: i32, %i: i32, %x: !itile) attributes {nv_tileaa.kernel_spec = #spec} {
  %m = nv_tileaa.make_memref %o, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<i32>, (i32, i32), (i32) -> !imemref
  %v = nv_tileaa.block_tile %m : !imemref -> !iview
  %t = nv_tileas.tiled_atomic_rmw %v[%i, %i], %x {rmw_mode = #nv_tileaa.rmw_mode<max>, mem_semantic = #relaxed, mem_scope = #device} : !iview, (i32, i32), !itile
  %u = nv_tileas.tiled_atomic_rmw %v[%i, %i], %x, token %t {rmw_mode = #nv_tileaa.rmw_mode<umin>, mem_semantic = #relaxed, mem_scope = #device} : !iview, (i32, i32), !itile
  nv_tileaa.return
}

// Accesses by another proxy would not be morally strong with those of TMA.
// CHECK-LABEL: nv_tileaa.func @another
// CHECK-NOT: tma
// CHECK: nv_tileas.tiled_atomic_rmw
nv_tileaa.func @another(%o: !nv_tileaa.ptr<f32>, %p: !nv_tileaa.ptr<i32>, %n: i32, %i: i32, %x: !tile) attributes {nv_tileaa.kernel_spec = #spec} {
  %m = nv_tileaa.make_memref %o, sizes [%n, %n], strides [%n] : !nv_tileaa.ptr<f32>, (i32, i32), (i32) -> !memref
  %v = nv_tileaa.block_tile %m : !memref -> !view
  %t = nv_tileas.tiled_atomic_rmw %v[%i, %i], %x {rmw_mode = #nv_tileaa.rmw_mode<addf>, mem_semantic = #relaxed, mem_scope = #device} : !view, (i32, i32), !tile
  %was, %u = nv_tileaa.atomic_rmw %p, %n {rmw_mode = #nv_tileaa.rmw_mode<add>, mem_semantic = #relaxed, mem_scope = #device} : !nv_tileaa.ptr<i32> -> i32
  nv_tileaa.return
}

}
