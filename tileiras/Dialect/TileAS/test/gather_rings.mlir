// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout))' | FileCheck %s --check-prefix=COPY
// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout,tileas-materialize-async{num-stages=3}))' | FileCheck %s --check-prefix=RING

// Rows named by a list, whose pointers the loop carries and moves on: copies in the place of the load, and in a ring those of a later
// round, whose pointers are the first ones and as much as so many rounds move them.

#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = []>
#a = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#b = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0], [16, 0], [32, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
module attributes {nv_tileaa.target_spec = "sm_80"} {
// COPY-LABEL: nv_tileaa.func @carried
// COPY: scf.for
// COPY: %[[TILE:.*]] = nv_tileas.alloc_tensor : tensor<16x64xf16
// COPY: %[[DONE:.*]], %{{.*}} = nv_tileas.async.load %{{.*}} into %[[TILE]] if %{{.*}} {atom = #nv_tileas.simt_async_copy<bytes = 16>}
// COPY: nv_tileas.async.wait %[[DONE]]
// COPY-NEXT: nv_tileas.dot %[[TILE]]
// RING-LABEL: nv_tileaa.func @carried
// RING-SAME: %[[FIRST:[^:]*]]: tensor<16x64x!nv_tileaa.ptr<f16>
// RING: create_pipeline {{.*}}numStages = 3
// RING: scf.for %[[I:[^ ]*]] =
// RING: producer_write
// RING: ^bb0(%[[STAGE:.*]]: tensor<16x64xf16
// RING: %[[ROUND:.*]] = arith.extui {{.*}} : i32 to i64
// RING: %[[MOVED:.*]] = arith.muli %[[ROUND]], %{{.*}} : i64
// RING: %[[ALL:.*]] = nv_tileaa.splat %[[MOVED]]
// RING: %[[P:.*]] = nv_tileaa.addptr %[[FIRST]], %[[ALL]]
// RING: nv_tileas.async.load %[[P]] into %[[STAGE]] if %{{.*}}
// RING: consumer_wait {{.*}}pipeline_stage = 2
// RING-NOT: nv_tileas.async.wait
nv_tileaa.func @carried(%first: tensor<16x64x!nv_tileaa.ptr<f16>, #l>, %in: tensor<16x64xi1, #l>, %n: i32, %y: tensor<64x8xf16, #b>, %z: tensor<16x8xf32, #c>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %by = arith.constant dense<64> : tensor<16x64xi32, #l>
  %zero = arith.constant dense<0.0> : tensor<16x64xf16, #l>
  %d:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z, %p = %first) -> (tensor<16x8xf32, #c>, tensor<16x64x!nv_tileaa.ptr<f16>, #l>) : i32 {
    %x, %t0 = nv_tileas.load %p, mask %in, other %zero {vec = 8 : i32} : tensor<16x64x!nv_tileaa.ptr<f16>, #l>, mask tensor<16x64xi1, #l> -> tensor<16x64xf16, #l>
    %xa = nv_tileas.convert_layout %x : tensor<16x64xf16, #l> -> tensor<16x64xf16, #a>
    %q = nv_tileas.dot %xa, %y, %s {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<16x64xf16, #a>, tensor<64x8xf16, #b>, tensor<16x8xf32, #c>
    %p1 = nv_tileaa.addptr %p, %by : tensor<16x64x!nv_tileaa.ptr<f16>, #l>, tensor<16x64xi32, #l>
    scf.yield %q, %p1 : tensor<16x8xf32, #c>, tensor<16x64x!nv_tileaa.ptr<f16>, #l>
  }
  nv_tileaa.return
}
}

// -----

// What masked elements are if not zero; pointers that depend on what the loop has loaded; what is loaded outside of loops; a load
// behind what the loop stores: through registers.

#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = []>
#a = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#b = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0], [16, 0], [32, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
module attributes {nv_tileaa.target_spec = "sm_80"} {
// COPY-LABEL: nv_tileaa.func @by_registers
// COPY-NOT: async.load
// COPY: nv_tileaa.return
// RING-LABEL: nv_tileaa.func @by_registers
// RING-NOT: create_pipeline
// RING: nv_tileaa.return
nv_tileaa.func @by_registers(%first: tensor<16x64x!nv_tileaa.ptr<f16>, #l>, %in: tensor<16x64xi1, #l>, %list: !nv_tileaa.ptr<i32>, %n: i32, %y: tensor<64x8xf16, #b>, %z: tensor<16x8xf32, #c>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant dense<1.0> : tensor<16x64xf16, #l>
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (tensor<16x8xf32, #c>) : i32 {
    %x, %t0 = nv_tileas.load %first, mask %in, other %one {vec = 8 : i32} : tensor<16x64x!nv_tileaa.ptr<f16>, #l>, mask tensor<16x64xi1, #l> -> tensor<16x64xf16, #l>
    %xa = nv_tileas.convert_layout %x : tensor<16x64xf16, #l> -> tensor<16x64xf16, #a>
    %q = nv_tileas.dot %xa, %y, %s {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<16x64xf16, #a>, tensor<64x8xf16, #b>, tensor<16x8xf32, #c>
    %at = nv_tileaa.addptr %list, %i : !nv_tileaa.ptr<i32>, i32
    %row, %t1 = nv_tileas.load %at : !nv_tileaa.ptr<i32> -> i32
    %rows = nv_tileaa.splat %row : i32 -> tensor<16x64xi32, #l>
    %there = nv_tileaa.addptr %first, %rows : tensor<16x64x!nv_tileaa.ptr<f16>, #l>, tensor<16x64xi32, #l>
    %x2, %t2 = nv_tileas.load %there {vec = 8 : i32} : tensor<16x64x!nv_tileaa.ptr<f16>, #l> -> tensor<16x64xf16, #l>
    %xa2 = nv_tileas.convert_layout %x2 : tensor<16x64xf16, #l> -> tensor<16x64xf16, #a>
    %q2 = nv_tileas.dot %xa2, %y, %q {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<16x64xf16, #a>, tensor<64x8xf16, #b>, tensor<16x8xf32, #c>
    %stored = nv_tileas.store %first, %one : tensor<16x64x!nv_tileaa.ptr<f16>, #l>, tensor<16x64xf16, #l>
    %x3, %t3 = nv_tileas.load %first, token %stored {vec = 8 : i32} : tensor<16x64x!nv_tileaa.ptr<f16>, #l> -> tensor<16x64xf16, #l>
    %xa3 = nv_tileas.convert_layout %x3 : tensor<16x64xf16, #l> -> tensor<16x64xf16, #a>
    %q3 = nv_tileas.dot %xa3, %y, %q2 {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<16x64xf16, #a>, tensor<64x8xf16, #b>, tensor<16x8xf32, #c>
    scf.yield %q3 : tensor<16x8xf32, #c>
  }
  %x4, %t4 = nv_tileas.load %first {vec = 8 : i32} : tensor<16x64x!nv_tileaa.ptr<f16>, #l> -> tensor<16x64xf16, #l>
  %xa4 = nv_tileas.convert_layout %x4 : tensor<16x64xf16, #l> -> tensor<16x64xf16, #a>
  %q4 = nv_tileas.dot %xa4, %y, %d {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : tensor<16x64xf16, #a>, tensor<64x8xf16, #b>, tensor<16x8xf32, #c>
  %e = arith.negf %q4 : tensor<16x8xf32, #c>
  nv_tileaa.return
}
}
