// Loops without products whose tiles are to come by TMA, as the environment asks. Copies leave zero outside of an array: another padding is put
// there when threads have the tile, and the copies have a view of their own.
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-loads)))' | FileCheck %s
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-loads,tileas-stage-loads)))' | FileCheck %s
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-loads,tileas-materialize-async{num-stages=3},lower-tma-load-store-to-async)))' | FileCheck %s --check-prefix=RING
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-loads)))' | FileCheck %s --check-prefix=OFF
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-loads{num-stages=1})))' | FileCheck %s --check-prefix=OFF
// RUN: sed 's/= 90 : i32/= 80 : i32/;s/sm_90a/sm_80/' %s | env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true tileiras-opt -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-loads)))' | FileCheck %s --check-prefix=OFF
// OFF-NOT: async.tiled_load
// OFF-NOT: nv_tileas.pad

#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [4, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = [[1, 0], [2, 0]]>
!memref = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[8, 128], padding = neg_inf, !memref>
!zeros = !nv_tileaa.tiled_view<[8, 128], padding = zero, !memref>
!held = tensor<8x128xf32, #l>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {

// CHECK-LABEL: nv_tileaa.func @largest
// CHECK: %[[VIEW:.*]] = nv_tileaa.block_tile %{{.*}} -> <[8, 128], padding = neg_inf
// CHECK: %[[ZERO:.*]] = nv_tileaa.block_tile %{{.*}} -> <[8, 128], padding = zero
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[TILE:.*]] = nv_tileas.alloc_tensor : tensor<8x128xf32
// CHECK: %[[DONE:.*]], %{{.*}} = nv_tileas.async.tiled_load %[[ZERO]][%{{.*}}, %[[I]]] into %[[TILE]]
// CHECK-NOT: allow_tma
// CHECK: nv_tileas.async.wait %[[DONE]]
// CHECK: %[[X:.*]] = nv_tileas.convert_layout %[[TILE]] {{{.*}}tag = 1, vec = 16
// CHECK: %[[Y:.*]] = nv_tileas.pad %[[X]] outside %[[VIEW]][%{{.*}}, %[[I]]]
// CHECK: arith.maximumf %{{.*}}, %[[Y]]
// RING-LABEL: nv_tileaa.func @largest
// RING: scf.if
// RING: create_pipeline {{.*}}numStages = 3
// RING: tiled_tma_load
// RING: consumer_read
// RING: convert_layout
// RING: consumer_release
// RING: nv_tileas.pad
// RING: } else {
// RING: async.tiled_load
// RING: nv_tileas.pad
nv_tileaa.func @largest(%a: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %k: i32, %z: !held) -> !held attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %am = nv_tileaa.make_memref %a, sizes [%m, %n], strides [%n] : !nv_tileaa.ptr<f32>, (i32, i32), (i32) -> !memref
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%s = %z) -> (!held) : i32 {
    %av = nv_tileaa.block_tile %am : !memref -> !view
    %x, %t = nv_tileas.tiled_load %av[%c0, %i] {vec = 4 : i32} : !view, (i32, i32) -> !held
    %y = arith.maximumf %s, %x : !held
    scf.yield %y : !held
  }
  nv_tileaa.return %r : !held
}

// Zero need not be put there, and who does not want TMA does not get it.
// CHECK-LABEL: nv_tileaa.func @sum
// CHECK: async.tiled_load
// CHECK-NOT: nv_tileas.pad
// CHECK: nv_tileas.tiled_load %{{.*}} {allow_tma = false
nv_tileaa.func @sum(%a: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %k: i32, %z: !held) -> !held attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %am = nv_tileaa.make_memref %a, sizes [%m, %n], strides [%n] : !nv_tileaa.ptr<f32>, (i32, i32), (i32) -> !memref
  %av = nv_tileaa.block_tile %am : !memref -> !zeros
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%s = %z) -> (!held) : i32 {
    %x, %t = nv_tileas.tiled_load %av[%c0, %i] {vec = 4 : i32} : !zeros, (i32, i32) -> !held
    %y, %u = nv_tileas.tiled_load %av[%c1, %i] {allow_tma = false, vec = 4 : i32} : !zeros, (i32, i32) -> !held
    %xy = arith.addf %x, %y : !held
    %sum = arith.addf %s, %xy : !held
    scf.yield %sum : !held
  }
  nv_tileaa.return %r : !held
}
}
