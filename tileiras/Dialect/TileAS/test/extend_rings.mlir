// A tile that is copied for a product behind a loop is one more round of the loop's ring: the loop fills stages for its
// next round, and the last one for the product. Other tiles of a stage are left out of that round.
// RUN: tileiras-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-extend-rings)))' | FileCheck %s
// RUN: tileiras-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-extend-rings)))' --remarks-filter=pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// Three stages are filled as far ahead as without: one before the loop, and two rounds of it less one.
// RUN: tileiras-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-extend-rings,tileas-unspecialized-pipeline{num-stages=3})))' | FileCheck %s --check-prefix=AHEAD
// RUN: not tileiras-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-extend-rings,tileas-generate-schedule,tileas-materialize-schedule)))' 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: 'tileas-extend-rings' (pass 1 of 3) has to come behind 'tileas-materialize-schedule'
// A loop that is there twice, for TMA and without, takes both rounds beside it along.
// RUN: sed 's/compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"/compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90"/' %s | env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true tileiras-opt --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-extend-rings,lower-tma-load-store-to-async)))' | FileCheck %s --check-prefix=TMA

// WHY-DAG: remark: [Passed] RingRound | Category:pipeline | Function=rotated | Reason="what is multiplied behind a loop is one more round of its ring", Tiles=1
// WHY-DAG: remark: [Passed] RingRound | Category:pipeline | Function=last_behind | Reason="what is multiplied behind a loop is one more round of its ring", Tiles=1
// WHY-DAG: remark: [Passed] RingRound | Category:pipeline | Function=behind | Reason="what is multiplied behind a loop is one more round of its ring", Tiles=1
// WHY-DAG: remark: [Passed] RingRound | Category:pipeline | Function=steps | Reason="what is multiplied behind a loop is one more round of its ring", Tiles=1
// WHY-DAG: remark: [Missed] RingRound | Category:pipeline | Function=ordered | Reason="something comes between its copy and those of the loop"
// WHY-DAG: remark: [Missed] RingRound | Category:pipeline | Function=other_view | Reason="no loop before its products has stages of its kind"
// WHY-DAG: remark: [Missed] RingRound | Category:pipeline | Function=not_ahead | Reason="its ring is not filled a round ahead"
// WHY-DAG: remark: [Missed] RingRound | Category:pipeline | Function=promised | Reason="not all tiles of its ring follow from the loop's counter"

#acc = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [32, 0], [16, 0], [2, 8], [4, 16]]>
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0]]>
#atom = #nv_tileas.simt_async_copy<bytes = 16>
#mma = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 1]>
!array = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[32, 32], padding = zero, !array>
!left = tensor<64x32xf16, #a>
!stage = tensor<32x32xf16, #b>
!pipe = !nv_tileas.pipeline<3 x (tensor<32x32xf16, #b>, tensor<32x32xf16, #b>)>
!iter = !nv_tileas.pipeline_iterator<3 x (tensor<32x32xf16, #b>, tensor<32x32xf16, #b>)>
!sums = tensor<64x32xf32, #acc>
#fetch = #nv_tileas.ldsm<matrices = 4>
#turned = #nv_tileas.ldsm<matrices = 4, transposed = true>

gpu.module @kernels attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  // The second tile of a round is that of the round before, and the last one behind the loop: of the next round it is that
  // of this one. Before the loop there is none, whether it has a round or not.
  // CHECK-LABEL: nv_tileaa.func @rotated
  // CHECK: %[[SOME:[^ ,:]*]] = arith.cmpi slt, %[[C0:[^ ,:]*]], %[[N:[^ ,:]*]] : i32
  // CHECK: %[[LAST:[^ ,:]*]] = arith.select %[[SOME]]
  // CHECK-NOT: async.tiled_load
  // CHECK: %[[FIRST:[^ ,:]*]] = nv_tileas.async.pipeline.create_iterator %[[RING:[^ ,:]*]] :
  // CHECK: %[[EMPTY:[^ ,:]*]] = nv_tileas.async.pipeline.producer_acquire %[[RING]], %[[FIRST]] :
  // CHECK-NEXT: %[[WRITTEN:[^ ,:]*]] = nv_tileas.async.pipeline.producer_write %[[RING]], %[[EMPTY]] {producer_kind = "async_copy"}
  // CHECK-NEXT: ^bb0(%[[K:[^ ,:]*]]: tensor{{.*}}, %[[V:[^ ,:]*]]: tensor
  // CHECK: %[[FALSE:[^ ,:]*]] = arith.constant false
  // CHECK: async.tiled_load %[[KEYS:[^ ,:]*]][%[[C0]], %[[C0]]] into %[[K]] if %[[SOME]] {
  // CHECK: async.tiled_load %[[VALUES:[^ ,:]*]][%[[C0]], %[[C0]]] into %[[V]] if %[[FALSE]] {
  // CHECK: producer_commit %[[RING]], %[[WRITTEN]] :
  // CHECK-NEXT: %[[SECOND:[^ ,:]*]] = nv_tileas.async.pipeline.inc_iter %[[FIRST]] :
  // CHECK-NEXT: %[[SUMS:[^ ,:]*]]:3 = scf.for %[[I:[^ ]*]] = %[[C0]] to %[[N]] step %[[C1:[^ ,:]*]] iter_args(%{{.*}} = %{{.*}}, %[[FILL:[^ ,:]*]] = %[[SECOND]], %[[READ:[^ ,:]*]] = %[[FIRST]])
  // CHECK-NEXT: consumer_wait %[[RING]], %[[READ]] {pipeline_stage = 1 : i32}
  // CHECK-NEXT: %[[EMPTY:[^ ,:]*]] = nv_tileas.async.pipeline.producer_acquire %[[RING]], %[[FILL]] {pipeline_stage = 0 : i32}
  // CHECK-NEXT: producer_write %[[RING]], %[[EMPTY]] {pipeline_stage = 0 : i32
  // CHECK-NEXT: ^bb0(%[[K:[^ ,:]*]]: tensor{{.*}}, %[[V:[^ ,:]*]]: tensor
  // CHECK-NEXT: %[[MORE:[^ ,:]*]] = arith.cmpi ne, %[[I]], %[[LAST]] : i32
  // CHECK-NEXT: %[[NEXT:[^ ,:]*]] = arith.addi %[[I]], %[[C1]] : i32
  // CHECK: async.tiled_load %[[KEYS]][%[[NEXT]], %[[C0]]] into %[[K]] if %[[MORE]] {
  // CHECK: async.tiled_load %[[VALUES]][%[[I]], %[[C0]]] into %[[V]] {
  // CHECK: producer_commit {{.*}}pipeline_stage = 0 : i32
  // CHECK-NEXT: inc_iter %[[FILL]] {pipeline_stage = 0 : i32}
  // CHECK-NEXT: consumer_read {{.*}}pipeline_stage = 1 : i32
  // CHECK: consumer_release {{.*}}pipeline_stage = 1 : i32
  // CHECK: scf.yield
  // CHECK-NOT: async.wait
  // CHECK: %[[FULL:[^ ,:]*]] = nv_tileas.async.pipeline.consumer_wait %[[RING]], %[[SUMS]]#2 :
  // CHECK-NEXT: %[[DONE:[^ ,:]*]], %[[ALL:[^ ,:]*]] = nv_tileas.async.pipeline.consumer_read %[[RING]], %[[FULL]]
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor{{.*}}, %[[V:[^ ,:]*]]: tensor
  // CHECK-NEXT: nv_tileas.dot %{{.*}}, %[[V]], %[[SUMS]]#0
  // CHECK: consumer_release %[[RING]], %[[DONE]] :
  // CHECK-NEXT: tiled_store {{.*}}%[[ALL]]

  // AHEAD-LABEL: nv_tileaa.func @rotated
  // AHEAD-COUNT-2: producer_commit
  // AHEAD: scf.for
  // AHEAD: consumer_wait
  // AHEAD: producer_acquire
  // AHEAD: producer_commit
  // AHEAD: consumer_read
  // AHEAD: scf.yield
  // AHEAD: consumer_wait

  // TMA-LABEL: nv_tileaa.func @rotated
  // TMA: %[[ALL:[^ ,:]*]] = scf.if
  // TMA: create_pipeline
  // TMA: producer_write
  // TMA-COUNT-2: async.tiled_tma_load
  // TMA: scf.for
  // TMA-COUNT-2: async.tiled_tma_load
  // TMA: consumer_read
  // TMA: scf.yield
  // TMA: consumer_wait
  // TMA: %{{.*}}, %[[SUMS:[^ ,:]*]] = nv_tileas.async.pipeline.consumer_read
  // TMA: consumer_release
  // TMA: scf.yield %[[SUMS]] :
  // TMA: } else {
  // TMA: create_pipeline
  // TMA: producer_write
  // TMA-COUNT-2: async.tiled_load
  // TMA: scf.for
  // TMA: consumer_read
  // TMA: scf.yield
  // TMA: consumer_wait
  // TMA: %{{.*}}, %[[SUMS:[^ ,:]*]] = nv_tileas.async.pipeline.consumer_read
  // TMA: scf.yield %[[SUMS]] :
  // TMA: tiled_store {{.*}}%[[ALL]]
  nv_tileaa.func @rotated(%pk: !nv_tileaa.ptr<f16>, %pv: !nv_tileaa.ptr<f16>, %po: !nv_tileaa.ptr<f32>, %n: i32, %at: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant 0.0 : f32
    %none = nv_tileaa.splat %zero : f32 -> !sums
    %left = nv_tileas.alloc_tensor : !left
    %arrayk = nv_tileaa.make_memref %pk, sizes[%c64, %c64], strides[%c64] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %k = nv_tileaa.block_tile %arrayk : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arrayv = nv_tileaa.make_memref %pv, sizes[%c64, %c64], strides[%c64] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %v = nv_tileaa.block_tile %arrayv : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arrayo = nv_tileaa.make_memref %po, sizes[%c64, %c64], strides[%c64] : <f32>, (i32, i32), (i32) -> <?x?xf32, strides = [?, 1]>
    %o = nv_tileaa.block_tile %arrayo : <?x?xf32, strides = [?, 1]> -> <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
    %some = arith.cmpi slt, %c0, %n : i32
    %less = arith.subi %n, %c1 : i32
    %last = arith.select %some, %less, %c0 : i32
    %tile = nv_tileas.alloc_tensor : !stage
    %copied, %t1 = nv_tileas.async.tiled_load %v[%last, %c0] into %tile if %some {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
    %s0 = nv_tileas.alloc_tensor : !stage
    %s1 = nv_tileas.alloc_tensor : !stage
    %s2 = nv_tileas.alloc_tensor : !stage
    %s3 = nv_tileas.alloc_tensor : !stage
    %s4 = nv_tileas.alloc_tensor : !stage
    %s5 = nv_tileas.alloc_tensor : !stage
    %ring = nv_tileas.async.pipeline.create_pipeline %s0, %s1, %s2, %s3, %s4, %s5 {groups, numStages = 3 : i32} : (!stage, !stage, !stage, !stage, !stage, !stage) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
    %sums, %w, %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none, %fill = %first, %read = %first) -> (!sums, !iter, !iter) : i32 {
      %empty = nv_tileas.async.pipeline.producer_acquire %ring, %fill {pipeline_stage = 0 : i32} : !pipe, !iter
      %written = nv_tileas.async.pipeline.producer_write %ring, %empty {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%stage0: !stage, %stage1: !stage):
        %after = arith.cmpi ne, %i, %c0 : i32
        %back = arith.subi %i, %c1 : i32
        %before = arith.select %after, %back, %c0 : i32
        %done0, %t2 = nv_tileas.async.tiled_load %k[%i, %c0] into %stage0 {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
        %done1, %t3 = nv_tileas.async.tiled_load %v[%before, %c0] into %stage1 if %after {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
        nv_tileas.async.pipeline.yield %done0, %done1 : !nv_tileas.async.token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %written {pipeline_stage = 0 : i32} : !pipe
      %fill1 = nv_tileas.async.pipeline.inc_iter %fill {pipeline_stage = 0 : i32} : !iter
      %full = nv_tileas.async.pipeline.consumer_wait %ring, %read {pipeline_stage = 2 : i32} : !pipe, !iter
      %consumed, %next = nv_tileas.async.pipeline.consumer_read %ring, %full {pipeline_stage = 2 : i32} : !pipe -> !sums {
      ^bb0(%stage0: !stage, %stage1: !stage):
        %d0 = nv_tileas.dot %left, %stage0, %acc {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
        %d1 = nv_tileas.dot %left, %stage1, %d0 {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
        nv_tileas.async.pipeline.yield %d1 : !sums
      }
      nv_tileas.async.pipeline.consumer_release %ring, %consumed {pipeline_stage = 2 : i32} : !pipe
      %read1 = nv_tileas.async.pipeline.inc_iter %read {pipeline_stage = 2 : i32} : !iter
      scf.yield %next, %fill1, %read1 : !sums, !iter, !iter
    }
    nv_tileas.async.wait %copied
    %all = nv_tileas.dot %left, %tile, %sums {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
    %t4 = nv_tileas.tiled_store %o[%c0, %c0], %all {vec = 2 : i32} : <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32), !sums
    nv_tileaa.return
  }

  // A tile of which nobody knows that it is the next one is chosen.
  // CHECK-LABEL: nv_tileaa.func @last_behind
  // CHECK-SAME: %[[AT:[a-z0-9]*]]: i32) attributes
  // CHECK: %[[SOME:[^ ,:]*]] = arith.cmpi slt
  // CHECK: producer_write
  // CHECK: async.tiled_load {{.*}} if %[[SOME]] {
  // CHECK: %[[WHICH:[^ ,:]*]] = arith.select %[[SOME]], %[[C0:[^ ,:]*]], %[[AT]] : i32
  // CHECK: async.tiled_load {{.*}}[%[[WHICH]], %[[C0]]] into %{{[^ ]*}} {
  // CHECK: scf.for %[[I:[^ ]*]] =
  // CHECK: producer_write
  // CHECK: %[[LEFT:[^ ,:]*]] = arith.subi %{{.*}}, %[[I]] : i32
  // CHECK-NEXT: %[[MORE:[^ ,:]*]] = arith.cmpi ugt, %[[LEFT]], %{{.*}} : i32
  // CHECK-NEXT: %[[NEXT:[^ ,:]*]] = arith.addi %[[I]]
  // CHECK: async.tiled_load {{.*}}[%[[NEXT]], %{{.*}} if %[[MORE]] {
  // CHECK: %[[WHICH:[^ ,:]*]] = arith.select %[[MORE]], %[[NEXT]], %[[AT]] : i32
  // CHECK: async.tiled_load {{.*}}[%[[WHICH]], %{{[^ ]*}} into %{{[^ ]*}} {
  // CHECK: scf.yield
  // CHECK: consumer_wait
  nv_tileaa.func @last_behind(%pk: !nv_tileaa.ptr<f16>, %pv: !nv_tileaa.ptr<f16>, %po: !nv_tileaa.ptr<f32>, %n: i32, %at: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant 0.0 : f32
    %none = nv_tileaa.splat %zero : f32 -> !sums
    %left = nv_tileas.alloc_tensor : !left
    %arrayk = nv_tileaa.make_memref %pk, sizes[%c64, %c64], strides[%c64] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %k = nv_tileaa.block_tile %arrayk : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arrayv = nv_tileaa.make_memref %pv, sizes[%c64, %c64], strides[%c64] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %v = nv_tileaa.block_tile %arrayv : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arrayo = nv_tileaa.make_memref %po, sizes[%c64, %c64], strides[%c64] : <f32>, (i32, i32), (i32) -> <?x?xf32, strides = [?, 1]>
    %o = nv_tileaa.block_tile %arrayo : <?x?xf32, strides = [?, 1]> -> <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
    %tile = nv_tileas.alloc_tensor : !stage
    %copied, %t1 = nv_tileas.async.tiled_load %v[%at, %c0] into %tile {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
    %s0 = nv_tileas.alloc_tensor : !stage
    %s1 = nv_tileas.alloc_tensor : !stage
    %s2 = nv_tileas.alloc_tensor : !stage
    %s3 = nv_tileas.alloc_tensor : !stage
    %s4 = nv_tileas.alloc_tensor : !stage
    %s5 = nv_tileas.alloc_tensor : !stage
    %ring = nv_tileas.async.pipeline.create_pipeline %s0, %s1, %s2, %s3, %s4, %s5 {groups, numStages = 3 : i32} : (!stage, !stage, !stage, !stage, !stage, !stage) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
    %sums, %w, %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none, %fill = %first, %read = %first) -> (!sums, !iter, !iter) : i32 {
      %empty = nv_tileas.async.pipeline.producer_acquire %ring, %fill {pipeline_stage = 0 : i32} : !pipe, !iter
      %written = nv_tileas.async.pipeline.producer_write %ring, %empty {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%stage0: !stage, %stage1: !stage):
        %done0, %t2 = nv_tileas.async.tiled_load %k[%i, %c0] into %stage0 {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
        %done1, %t3 = nv_tileas.async.tiled_load %v[%i, %c0] into %stage1 {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
        nv_tileas.async.pipeline.yield %done0, %done1 : !nv_tileas.async.token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %written {pipeline_stage = 0 : i32} : !pipe
      %fill1 = nv_tileas.async.pipeline.inc_iter %fill {pipeline_stage = 0 : i32} : !iter
      %full = nv_tileas.async.pipeline.consumer_wait %ring, %read {pipeline_stage = 2 : i32} : !pipe, !iter
      %consumed, %next = nv_tileas.async.pipeline.consumer_read %ring, %full {pipeline_stage = 2 : i32} : !pipe -> !sums {
      ^bb0(%stage0: !stage, %stage1: !stage):
        %d0 = nv_tileas.dot %left, %stage0, %acc {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
        %d1 = nv_tileas.dot %left, %stage1, %d0 {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
        nv_tileas.async.pipeline.yield %d1 : !sums
      }
      nv_tileas.async.pipeline.consumer_release %ring, %consumed {pipeline_stage = 2 : i32} : !pipe
      %read1 = nv_tileas.async.pipeline.inc_iter %read {pipeline_stage = 2 : i32} : !iter
      scf.yield %next, %fill1, %read1 : !sums, !iter, !iter
    }
    nv_tileas.async.wait %copied
    %all = nv_tileas.dot %left, %tile, %sums {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
    %t4 = nv_tileas.tiled_store %o[%c0, %c0], %all {vec = 2 : i32} : <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32), !sums
    nv_tileaa.return
  }

  // The tile behind the last one of the loop.
  // CHECK-LABEL: nv_tileaa.func @behind
  // CHECK-SAME: %[[N:[^ ,:]*]]: i32, %{{[^ ,:]*}}: i32) attributes
  // CHECK: scf.for %[[I:[^ ]*]] =
  // CHECK: %[[NEXT:[^ ,:]*]] = arith.addi %[[I]]
  // CHECK: async.tiled_load {{.*}}[%[[NEXT]], %{{.*}} if %{{[^ ]*}} {
  // CHECK-NOT: arith.select
  // CHECK: async.tiled_load {{.*}}[%[[NEXT]], %{{[^ ]*}} into %{{[^ ]*}} {
  // CHECK: scf.yield
  nv_tileaa.func @behind(%pk: !nv_tileaa.ptr<f16>, %pv: !nv_tileaa.ptr<f16>, %po: !nv_tileaa.ptr<f32>, %n: i32, %at: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant 0.0 : f32
    %none = nv_tileaa.splat %zero : f32 -> !sums
    %left = nv_tileas.alloc_tensor : !left
    %arrayk = nv_tileaa.make_memref %pk, sizes[%c64, %c64], strides[%c64] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %k = nv_tileaa.block_tile %arrayk : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arrayv = nv_tileaa.make_memref %pv, sizes[%c64, %c64], strides[%c64] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %v = nv_tileaa.block_tile %arrayv : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arrayo = nv_tileaa.make_memref %po, sizes[%c64, %c64], strides[%c64] : <f32>, (i32, i32), (i32) -> <?x?xf32, strides = [?, 1]>
    %o = nv_tileaa.block_tile %arrayo : <?x?xf32, strides = [?, 1]> -> <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
    %tile = nv_tileas.alloc_tensor : !stage
    %copied, %t1 = nv_tileas.async.tiled_load %v[%n, %c0] into %tile {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
    %s0 = nv_tileas.alloc_tensor : !stage
    %s1 = nv_tileas.alloc_tensor : !stage
    %s2 = nv_tileas.alloc_tensor : !stage
    %s3 = nv_tileas.alloc_tensor : !stage
    %s4 = nv_tileas.alloc_tensor : !stage
    %s5 = nv_tileas.alloc_tensor : !stage
    %ring = nv_tileas.async.pipeline.create_pipeline %s0, %s1, %s2, %s3, %s4, %s5 {groups, numStages = 3 : i32} : (!stage, !stage, !stage, !stage, !stage, !stage) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
    %sums, %w, %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none, %fill = %first, %read = %first) -> (!sums, !iter, !iter) : i32 {
      %empty = nv_tileas.async.pipeline.producer_acquire %ring, %fill {pipeline_stage = 0 : i32} : !pipe, !iter
      %written = nv_tileas.async.pipeline.producer_write %ring, %empty {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%stage0: !stage, %stage1: !stage):
        %done0, %t2 = nv_tileas.async.tiled_load %k[%i, %c0] into %stage0 {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
        %done1, %t3 = nv_tileas.async.tiled_load %v[%i, %c0] into %stage1 {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
        nv_tileas.async.pipeline.yield %done0, %done1 : !nv_tileas.async.token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %written {pipeline_stage = 0 : i32} : !pipe
      %fill1 = nv_tileas.async.pipeline.inc_iter %fill {pipeline_stage = 0 : i32} : !iter
      %full = nv_tileas.async.pipeline.consumer_wait %ring, %read {pipeline_stage = 2 : i32} : !pipe, !iter
      %consumed, %next = nv_tileas.async.pipeline.consumer_read %ring, %full {pipeline_stage = 2 : i32} : !pipe -> !sums {
      ^bb0(%stage0: !stage, %stage1: !stage):
        %d0 = nv_tileas.dot %left, %stage0, %acc {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
        %d1 = nv_tileas.dot %left, %stage1, %d0 {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
        nv_tileas.async.pipeline.yield %d1 : !sums
      }
      nv_tileas.async.pipeline.consumer_release %ring, %consumed {pipeline_stage = 2 : i32} : !pipe
      %read1 = nv_tileas.async.pipeline.inc_iter %read {pipeline_stage = 2 : i32} : !iter
      scf.yield %next, %fill1, %read1 : !sums, !iter, !iter
    }
    nv_tileas.async.wait %copied
    %all = nv_tileas.dot %left, %tile, %sums {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
    %t4 = nv_tileas.tiled_store %o[%c0, %c0], %all {vec = 2 : i32} : <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32), !sums
    nv_tileaa.return
  }

  // The counter of the last round of other steps than one.
  // CHECK-LABEL: nv_tileaa.func @steps
  // CHECK: %[[SOME:[^ ,:]*]] = arith.cmpi slt
  // CHECK: %[[LAST:[^ ,:]*]] = arith.select %[[SOME]]
  // CHECK: scf.for %[[I:[^ ]*]] =
  // CHECK: producer_write
  // CHECK: arith.cmpi ne, %[[I]], %[[LAST]]
  // CHECK: async.tiled_load {{.*}}[%[[I]], %{{[^ ]*}} into %{{[^ ]*}} {
  // CHECK-NOT: async.wait
  // CHECK: consumer_release
  // CHECK: scf.yield
  // CHECK: consumer_wait
  nv_tileaa.func @steps(%pk: !nv_tileaa.ptr<f16>, %pv: !nv_tileaa.ptr<f16>, %po: !nv_tileaa.ptr<f32>, %n: i32, %at: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant 0.0 : f32
    %none = nv_tileaa.splat %zero : f32 -> !sums
    %left = nv_tileas.alloc_tensor : !left
    %arrayk = nv_tileaa.make_memref %pk, sizes[%c64, %c64], strides[%c64] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %k = nv_tileaa.block_tile %arrayk : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arrayv = nv_tileaa.make_memref %pv, sizes[%c64, %c64], strides[%c64] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %v = nv_tileaa.block_tile %arrayv : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arrayo = nv_tileaa.make_memref %po, sizes[%c64, %c64], strides[%c64] : <f32>, (i32, i32), (i32) -> <?x?xf32, strides = [?, 1]>
    %o = nv_tileaa.block_tile %arrayo : <?x?xf32, strides = [?, 1]> -> <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
    %some = arith.cmpi slt, %c0, %n : i32
    %under = arith.subi %n, %c1 : i32
    %beyond = arith.remui %under, %c2 : i32
    %less = arith.subi %under, %beyond : i32
    %last = arith.select %some, %less, %c0 : i32
    %tile = nv_tileas.alloc_tensor : !stage
    %copied, %t1 = nv_tileas.async.tiled_load %v[%last, %c0] into %tile if %some {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
    %s0 = nv_tileas.alloc_tensor : !stage
    %s1 = nv_tileas.alloc_tensor : !stage
    %s2 = nv_tileas.alloc_tensor : !stage
    %s3 = nv_tileas.alloc_tensor : !stage
    %s4 = nv_tileas.alloc_tensor : !stage
    %s5 = nv_tileas.alloc_tensor : !stage
    %ring = nv_tileas.async.pipeline.create_pipeline %s0, %s1, %s2, %s3, %s4, %s5 {groups, numStages = 3 : i32} : (!stage, !stage, !stage, !stage, !stage, !stage) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
    %sums, %w, %r = scf.for %i = %c0 to %n step %c2 iter_args(%acc = %none, %fill = %first, %read = %first) -> (!sums, !iter, !iter) : i32 {
      %empty = nv_tileas.async.pipeline.producer_acquire %ring, %fill {pipeline_stage = 0 : i32} : !pipe, !iter
      %written = nv_tileas.async.pipeline.producer_write %ring, %empty {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%stage0: !stage, %stage1: !stage):
        %after = arith.cmpi ne, %i, %c0 : i32
        %back = arith.subi %i, %c2 : i32
        %before = arith.select %after, %back, %c0 : i32
        %done0, %t2 = nv_tileas.async.tiled_load %k[%i, %c0] into %stage0 {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
        %done1, %t3 = nv_tileas.async.tiled_load %v[%before, %c0] into %stage1 if %after {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
        nv_tileas.async.pipeline.yield %done0, %done1 : !nv_tileas.async.token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %written {pipeline_stage = 0 : i32} : !pipe
      %fill1 = nv_tileas.async.pipeline.inc_iter %fill {pipeline_stage = 0 : i32} : !iter
      %full = nv_tileas.async.pipeline.consumer_wait %ring, %read {pipeline_stage = 2 : i32} : !pipe, !iter
      %consumed, %next = nv_tileas.async.pipeline.consumer_read %ring, %full {pipeline_stage = 2 : i32} : !pipe -> !sums {
      ^bb0(%stage0: !stage, %stage1: !stage):
        %d0 = nv_tileas.dot %left, %stage0, %acc {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
        %d1 = nv_tileas.dot %left, %stage1, %d0 {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
        nv_tileas.async.pipeline.yield %d1 : !sums
      }
      nv_tileas.async.pipeline.consumer_release %ring, %consumed {pipeline_stage = 2 : i32} : !pipe
      %read1 = nv_tileas.async.pipeline.inc_iter %read {pipeline_stage = 2 : i32} : !iter
      scf.yield %next, %fill1, %read1 : !sums, !iter, !iter
    }
    nv_tileas.async.wait %copied
    %all = nv_tileas.dot %left, %tile, %sums {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
    %t4 = nv_tileas.tiled_store %o[%c0, %c0], %all {vec = 2 : i32} : <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32), !sums
    nv_tileaa.return
  }

  // A tile that is copied behind the loop stays there.
  // CHECK-LABEL: nv_tileaa.func @late
  // CHECK: scf.for
  // CHECK: scf.yield
  // CHECK: async.tiled_load
  // CHECK: async.wait
  nv_tileaa.func @late(%pk: !nv_tileaa.ptr<f16>, %pv: !nv_tileaa.ptr<f16>, %po: !nv_tileaa.ptr<f32>, %n: i32, %at: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant 0.0 : f32
    %none = nv_tileaa.splat %zero : f32 -> !sums
    %left = nv_tileas.alloc_tensor : !left
    %arrayk = nv_tileaa.make_memref %pk, sizes[%c64, %c64], strides[%c64] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %k = nv_tileaa.block_tile %arrayk : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arrayv = nv_tileaa.make_memref %pv, sizes[%c64, %c64], strides[%c64] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %v = nv_tileaa.block_tile %arrayv : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arrayo = nv_tileaa.make_memref %po, sizes[%c64, %c64], strides[%c64] : <f32>, (i32, i32), (i32) -> <?x?xf32, strides = [?, 1]>
    %o = nv_tileaa.block_tile %arrayo : <?x?xf32, strides = [?, 1]> -> <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
    %some = arith.cmpi slt, %c0, %n : i32
    %under = arith.subi %n, %c1 : i32
    %beyond = arith.remui %under, %c2 : i32
    %less = arith.subi %under, %beyond : i32
    %last = arith.select %some, %less, %c0 : i32
    %s0 = nv_tileas.alloc_tensor : !stage
    %s1 = nv_tileas.alloc_tensor : !stage
    %s2 = nv_tileas.alloc_tensor : !stage
    %s3 = nv_tileas.alloc_tensor : !stage
    %s4 = nv_tileas.alloc_tensor : !stage
    %s5 = nv_tileas.alloc_tensor : !stage
    %ring = nv_tileas.async.pipeline.create_pipeline %s0, %s1, %s2, %s3, %s4, %s5 {groups, numStages = 3 : i32} : (!stage, !stage, !stage, !stage, !stage, !stage) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
    %sums, %w, %r = scf.for %i = %c0 to %n step %c2 iter_args(%acc = %none, %fill = %first, %read = %first) -> (!sums, !iter, !iter) : i32 {
      %empty = nv_tileas.async.pipeline.producer_acquire %ring, %fill {pipeline_stage = 0 : i32} : !pipe, !iter
      %written = nv_tileas.async.pipeline.producer_write %ring, %empty {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%stage0: !stage, %stage1: !stage):
        %after = arith.cmpi ne, %i, %c0 : i32
        %back = arith.subi %i, %c2 : i32
        %before = arith.select %after, %back, %c0 : i32
        %done0, %t2 = nv_tileas.async.tiled_load %k[%i, %c0] into %stage0 {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
        %done1, %t3 = nv_tileas.async.tiled_load %v[%before, %c0] into %stage1 if %after {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
        nv_tileas.async.pipeline.yield %done0, %done1 : !nv_tileas.async.token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %written {pipeline_stage = 0 : i32} : !pipe
      %fill1 = nv_tileas.async.pipeline.inc_iter %fill {pipeline_stage = 0 : i32} : !iter
      %full = nv_tileas.async.pipeline.consumer_wait %ring, %read {pipeline_stage = 2 : i32} : !pipe, !iter
      %consumed, %next = nv_tileas.async.pipeline.consumer_read %ring, %full {pipeline_stage = 2 : i32} : !pipe -> !sums {
      ^bb0(%stage0: !stage, %stage1: !stage):
        %d0 = nv_tileas.dot %left, %stage0, %acc {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
        %d1 = nv_tileas.dot %left, %stage1, %d0 {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
        nv_tileas.async.pipeline.yield %d1 : !sums
      }
      nv_tileas.async.pipeline.consumer_release %ring, %consumed {pipeline_stage = 2 : i32} : !pipe
      %read1 = nv_tileas.async.pipeline.inc_iter %read {pipeline_stage = 2 : i32} : !iter
      scf.yield %next, %fill1, %read1 : !sums, !iter, !iter
    }
    %tile = nv_tileas.alloc_tensor : !stage
    %copied, %t1 = nv_tileas.async.tiled_load %v[%last, %c0] into %tile if %some {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
    nv_tileas.async.wait %copied
    %all = nv_tileas.dot %left, %tile, %sums {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
    %t4 = nv_tileas.tiled_store %o[%c0, %c0], %all {vec = 2 : i32} : <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32), !sums
    nv_tileaa.return
  }

  // Something is ordered behind the copy.
  // CHECK-LABEL: nv_tileaa.func @ordered
  // CHECK: async.tiled_load
  // CHECK: scf.for
  // CHECK: async.wait
  nv_tileaa.func @ordered(%pk: !nv_tileaa.ptr<f16>, %pv: !nv_tileaa.ptr<f16>, %po: !nv_tileaa.ptr<f32>, %n: i32, %at: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant 0.0 : f32
    %none = nv_tileaa.splat %zero : f32 -> !sums
    %left = nv_tileas.alloc_tensor : !left
    %arrayk = nv_tileaa.make_memref %pk, sizes[%c64, %c64], strides[%c64] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %k = nv_tileaa.block_tile %arrayk : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arrayv = nv_tileaa.make_memref %pv, sizes[%c64, %c64], strides[%c64] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %v = nv_tileaa.block_tile %arrayv : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arrayo = nv_tileaa.make_memref %po, sizes[%c64, %c64], strides[%c64] : <f32>, (i32, i32), (i32) -> <?x?xf32, strides = [?, 1]>
    %o = nv_tileaa.block_tile %arrayo : <?x?xf32, strides = [?, 1]> -> <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
    %some = arith.cmpi slt, %c0, %n : i32
    %less = arith.subi %n, %c1 : i32
    %last = arith.select %some, %less, %c0 : i32
    %tile = nv_tileas.alloc_tensor : !stage
    %copied, %t1 = nv_tileas.async.tiled_load %v[%last, %c0] into %tile if %some {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
    %s0 = nv_tileas.alloc_tensor : !stage
    %s1 = nv_tileas.alloc_tensor : !stage
    %s2 = nv_tileas.alloc_tensor : !stage
    %s3 = nv_tileas.alloc_tensor : !stage
    %s4 = nv_tileas.alloc_tensor : !stage
    %s5 = nv_tileas.alloc_tensor : !stage
    %ring = nv_tileas.async.pipeline.create_pipeline %s0, %s1, %s2, %s3, %s4, %s5 {groups, numStages = 3 : i32} : (!stage, !stage, !stage, !stage, !stage, !stage) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
    %sums, %w, %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none, %fill = %first, %read = %first) -> (!sums, !iter, !iter) : i32 {
      %empty = nv_tileas.async.pipeline.producer_acquire %ring, %fill {pipeline_stage = 0 : i32} : !pipe, !iter
      %written = nv_tileas.async.pipeline.producer_write %ring, %empty {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%stage0: !stage, %stage1: !stage):
        %after = arith.cmpi ne, %i, %c0 : i32
        %back = arith.subi %i, %c1 : i32
        %before = arith.select %after, %back, %c0 : i32
        %done0, %t2 = nv_tileas.async.tiled_load %k[%i, %c0] into %stage0 {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
        %done1, %t3 = nv_tileas.async.tiled_load %v[%before, %c0] into %stage1 if %after {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
        nv_tileas.async.pipeline.yield %done0, %done1 : !nv_tileas.async.token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %written {pipeline_stage = 0 : i32} : !pipe
      %fill1 = nv_tileas.async.pipeline.inc_iter %fill {pipeline_stage = 0 : i32} : !iter
      %full = nv_tileas.async.pipeline.consumer_wait %ring, %read {pipeline_stage = 2 : i32} : !pipe, !iter
      %consumed, %next = nv_tileas.async.pipeline.consumer_read %ring, %full {pipeline_stage = 2 : i32} : !pipe -> !sums {
      ^bb0(%stage0: !stage, %stage1: !stage):
        %d0 = nv_tileas.dot %left, %stage0, %acc {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
        %d1 = nv_tileas.dot %left, %stage1, %d0 {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
        nv_tileas.async.pipeline.yield %d1 : !sums
      }
      nv_tileas.async.pipeline.consumer_release %ring, %consumed {pipeline_stage = 2 : i32} : !pipe
      %read1 = nv_tileas.async.pipeline.inc_iter %read {pipeline_stage = 2 : i32} : !iter
      scf.yield %next, %fill1, %read1 : !sums, !iter, !iter
    }
    nv_tileas.async.wait %copied
    %all = nv_tileas.dot %left, %tile, %sums {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
    %t4 = nv_tileas.tiled_store %o[%c0, %c0], %all, token %t1 {vec = 2 : i32} : <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32), !sums
    nv_tileaa.return
  }

  // A tile of another view.
  // CHECK-LABEL: nv_tileaa.func @other_view
  // CHECK: async.tiled_load
  // CHECK: scf.for
  // CHECK: async.wait
  nv_tileaa.func @other_view(%pk: !nv_tileaa.ptr<f16>, %pv: !nv_tileaa.ptr<f16>, %po: !nv_tileaa.ptr<f32>, %n: i32, %at: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant 0.0 : f32
    %none = nv_tileaa.splat %zero : f32 -> !sums
    %left = nv_tileas.alloc_tensor : !left
    %arrayk = nv_tileaa.make_memref %pk, sizes[%c64, %c64], strides[%c64] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %k = nv_tileaa.block_tile %arrayk : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arrayv = nv_tileaa.make_memref %pv, sizes[%c64, %c64], strides[%c64] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %v = nv_tileaa.block_tile %arrayv : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %other = nv_tileaa.block_tile %arrayk : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arrayo = nv_tileaa.make_memref %po, sizes[%c64, %c64], strides[%c64] : <f32>, (i32, i32), (i32) -> <?x?xf32, strides = [?, 1]>
    %o = nv_tileaa.block_tile %arrayo : <?x?xf32, strides = [?, 1]> -> <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
    %tile = nv_tileas.alloc_tensor : !stage
    %copied, %t1 = nv_tileas.async.tiled_load %other[%at, %c0] into %tile {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
    %s0 = nv_tileas.alloc_tensor : !stage
    %s1 = nv_tileas.alloc_tensor : !stage
    %s2 = nv_tileas.alloc_tensor : !stage
    %s3 = nv_tileas.alloc_tensor : !stage
    %s4 = nv_tileas.alloc_tensor : !stage
    %s5 = nv_tileas.alloc_tensor : !stage
    %ring = nv_tileas.async.pipeline.create_pipeline %s0, %s1, %s2, %s3, %s4, %s5 {groups, numStages = 3 : i32} : (!stage, !stage, !stage, !stage, !stage, !stage) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
    %sums, %w, %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none, %fill = %first, %read = %first) -> (!sums, !iter, !iter) : i32 {
      %empty = nv_tileas.async.pipeline.producer_acquire %ring, %fill {pipeline_stage = 0 : i32} : !pipe, !iter
      %written = nv_tileas.async.pipeline.producer_write %ring, %empty {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%stage0: !stage, %stage1: !stage):
        %after = arith.cmpi ne, %i, %c0 : i32
        %back = arith.subi %i, %c1 : i32
        %before = arith.select %after, %back, %c0 : i32
        %done0, %t2 = nv_tileas.async.tiled_load %k[%i, %c0] into %stage0 {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
        %done1, %t3 = nv_tileas.async.tiled_load %v[%before, %c0] into %stage1 if %after {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
        nv_tileas.async.pipeline.yield %done0, %done1 : !nv_tileas.async.token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %written {pipeline_stage = 0 : i32} : !pipe
      %fill1 = nv_tileas.async.pipeline.inc_iter %fill {pipeline_stage = 0 : i32} : !iter
      %full = nv_tileas.async.pipeline.consumer_wait %ring, %read {pipeline_stage = 2 : i32} : !pipe, !iter
      %consumed, %next = nv_tileas.async.pipeline.consumer_read %ring, %full {pipeline_stage = 2 : i32} : !pipe -> !sums {
      ^bb0(%stage0: !stage, %stage1: !stage):
        %d0 = nv_tileas.dot %left, %stage0, %acc {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
        %d1 = nv_tileas.dot %left, %stage1, %d0 {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
        nv_tileas.async.pipeline.yield %d1 : !sums
      }
      nv_tileas.async.pipeline.consumer_release %ring, %consumed {pipeline_stage = 2 : i32} : !pipe
      %read1 = nv_tileas.async.pipeline.inc_iter %read {pipeline_stage = 2 : i32} : !iter
      scf.yield %next, %fill1, %read1 : !sums, !iter, !iter
    }
    nv_tileas.async.wait %copied
    %all = nv_tileas.dot %left, %tile, %sums {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
    %t4 = nv_tileas.tiled_store %o[%c0, %c0], %all {vec = 2 : i32} : <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32), !sums
    nv_tileaa.return
  }

  // A ring that is filled in the round that reads it.
  // CHECK-LABEL: nv_tileaa.func @not_ahead
  // CHECK: async.tiled_load
  // CHECK: scf.for
  // CHECK: async.wait
  nv_tileaa.func @not_ahead(%pk: !nv_tileaa.ptr<f16>, %pv: !nv_tileaa.ptr<f16>, %po: !nv_tileaa.ptr<f32>, %n: i32, %at: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant 0.0 : f32
    %none = nv_tileaa.splat %zero : f32 -> !sums
    %left = nv_tileas.alloc_tensor : !left
    %arrayk = nv_tileaa.make_memref %pk, sizes[%c64, %c64], strides[%c64] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %k = nv_tileaa.block_tile %arrayk : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arrayv = nv_tileaa.make_memref %pv, sizes[%c64, %c64], strides[%c64] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %v = nv_tileaa.block_tile %arrayv : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arrayo = nv_tileaa.make_memref %po, sizes[%c64, %c64], strides[%c64] : <f32>, (i32, i32), (i32) -> <?x?xf32, strides = [?, 1]>
    %o = nv_tileaa.block_tile %arrayo : <?x?xf32, strides = [?, 1]> -> <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
    %some = arith.cmpi slt, %c0, %n : i32
    %less = arith.subi %n, %c1 : i32
    %last = arith.select %some, %less, %c0 : i32
    %tile = nv_tileas.alloc_tensor : !stage
    %copied, %t1 = nv_tileas.async.tiled_load %v[%last, %c0] into %tile if %some {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
    %s0 = nv_tileas.alloc_tensor : !stage
    %s1 = nv_tileas.alloc_tensor : !stage
    %s2 = nv_tileas.alloc_tensor : !stage
    %s3 = nv_tileas.alloc_tensor : !stage
    %s4 = nv_tileas.alloc_tensor : !stage
    %s5 = nv_tileas.alloc_tensor : !stage
    %ring = nv_tileas.async.pipeline.create_pipeline %s0, %s1, %s2, %s3, %s4, %s5 {groups, numStages = 3 : i32} : (!stage, !stage, !stage, !stage, !stage, !stage) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
    %sums, %w, %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none, %fill = %first, %read = %first) -> (!sums, !iter, !iter) : i32 {
      %empty = nv_tileas.async.pipeline.producer_acquire %ring, %fill {pipeline_stage = 0 : i32} : !pipe, !iter
      %written = nv_tileas.async.pipeline.producer_write %ring, %empty {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%stage0: !stage, %stage1: !stage):
        %after = arith.cmpi ne, %i, %c0 : i32
        %back = arith.subi %i, %c1 : i32
        %before = arith.select %after, %back, %c0 : i32
        %done0, %t2 = nv_tileas.async.tiled_load %k[%i, %c0] into %stage0 {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
        %done1, %t3 = nv_tileas.async.tiled_load %v[%before, %c0] into %stage1 if %after {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
        nv_tileas.async.pipeline.yield %done0, %done1 : !nv_tileas.async.token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %written {pipeline_stage = 0 : i32} : !pipe
      %fill1 = nv_tileas.async.pipeline.inc_iter %fill {pipeline_stage = 0 : i32} : !iter
      %full = nv_tileas.async.pipeline.consumer_wait %ring, %read {pipeline_stage = 0 : i32} : !pipe, !iter
      %consumed, %next = nv_tileas.async.pipeline.consumer_read %ring, %full {pipeline_stage = 0 : i32} : !pipe -> !sums {
      ^bb0(%stage0: !stage, %stage1: !stage):
        %d0 = nv_tileas.dot %left, %stage0, %acc {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
        %d1 = nv_tileas.dot %left, %stage1, %d0 {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
        nv_tileas.async.pipeline.yield %d1 : !sums
      }
      nv_tileas.async.pipeline.consumer_release %ring, %consumed {pipeline_stage = 0 : i32} : !pipe
      %read1 = nv_tileas.async.pipeline.inc_iter %read {pipeline_stage = 0 : i32} : !iter
      scf.yield %next, %fill1, %read1 : !sums, !iter, !iter
    }
    nv_tileas.async.wait %copied
    %all = nv_tileas.dot %left, %tile, %sums {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
    %t4 = nv_tileas.tiled_store %o[%c0, %c0], %all {vec = 2 : i32} : <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32), !sums
    nv_tileaa.return
  }

  // What is promised of a tile may hold in rounds of the loop only.
  // CHECK-LABEL: nv_tileaa.func @promised
  // CHECK: async.tiled_load
  // CHECK: scf.for
  // CHECK: async.wait
  nv_tileaa.func @promised(%pk: !nv_tileaa.ptr<f16>, %pv: !nv_tileaa.ptr<f16>, %po: !nv_tileaa.ptr<f32>, %n: i32, %at: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant 0.0 : f32
    %none = nv_tileaa.splat %zero : f32 -> !sums
    %left = nv_tileas.alloc_tensor : !left
    %arrayk = nv_tileaa.make_memref %pk, sizes[%c64, %c64], strides[%c64] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %k = nv_tileaa.block_tile %arrayk : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arrayv = nv_tileaa.make_memref %pv, sizes[%c64, %c64], strides[%c64] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %v = nv_tileaa.block_tile %arrayv : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arrayo = nv_tileaa.make_memref %po, sizes[%c64, %c64], strides[%c64] : <f32>, (i32, i32), (i32) -> <?x?xf32, strides = [?, 1]>
    %o = nv_tileaa.block_tile %arrayo : <?x?xf32, strides = [?, 1]> -> <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
    %some = arith.cmpi slt, %c0, %n : i32
    %less = arith.subi %n, %c1 : i32
    %last = arith.select %some, %less, %c0 : i32
    %tile = nv_tileas.alloc_tensor : !stage
    %copied, %t1 = nv_tileas.async.tiled_load %v[%last, %c0] into %tile if %some {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
    %s0 = nv_tileas.alloc_tensor : !stage
    %s1 = nv_tileas.alloc_tensor : !stage
    %s2 = nv_tileas.alloc_tensor : !stage
    %s3 = nv_tileas.alloc_tensor : !stage
    %s4 = nv_tileas.alloc_tensor : !stage
    %s5 = nv_tileas.alloc_tensor : !stage
    %ring = nv_tileas.async.pipeline.create_pipeline %s0, %s1, %s2, %s3, %s4, %s5 {groups, numStages = 3 : i32} : (!stage, !stage, !stage, !stage, !stage, !stage) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
    %sums, %w, %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none, %fill = %first, %read = %first) -> (!sums, !iter, !iter) : i32 {
      %empty = nv_tileas.async.pipeline.producer_acquire %ring, %fill {pipeline_stage = 0 : i32} : !pipe, !iter
      %written = nv_tileas.async.pipeline.producer_write %ring, %empty {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%stage0: !stage, %stage1: !stage):
        %p = nv_tileaa.assume #nv_tileaa.bounded<lb = 0>, %i : i32
        %after = arith.cmpi ne, %i, %c0 : i32
        %back = arith.subi %i, %c1 : i32
        %before = arith.select %after, %back, %c0 : i32
        %done0, %t2 = nv_tileas.async.tiled_load %k[%p, %c0] into %stage0 {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
        %done1, %t3 = nv_tileas.async.tiled_load %v[%before, %c0] into %stage1 if %after {atom = #atom, copies = #copies} : !view, (i32, i32), !stage
        nv_tileas.async.pipeline.yield %done0, %done1 : !nv_tileas.async.token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %written {pipeline_stage = 0 : i32} : !pipe
      %fill1 = nv_tileas.async.pipeline.inc_iter %fill {pipeline_stage = 0 : i32} : !iter
      %full = nv_tileas.async.pipeline.consumer_wait %ring, %read {pipeline_stage = 2 : i32} : !pipe, !iter
      %consumed, %next = nv_tileas.async.pipeline.consumer_read %ring, %full {pipeline_stage = 2 : i32} : !pipe -> !sums {
      ^bb0(%stage0: !stage, %stage1: !stage):
        %d0 = nv_tileas.dot %left, %stage0, %acc {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
        %d1 = nv_tileas.dot %left, %stage1, %d0 {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
        nv_tileas.async.pipeline.yield %d1 : !sums
      }
      nv_tileas.async.pipeline.consumer_release %ring, %consumed {pipeline_stage = 2 : i32} : !pipe
      %read1 = nv_tileas.async.pipeline.inc_iter %read {pipeline_stage = 2 : i32} : !iter
      scf.yield %next, %fill1, %read1 : !sums, !iter, !iter
    }
    nv_tileas.async.wait %copied
    %all = nv_tileas.dot %left, %tile, %sums {atom = #mma, fetch_a = #fetch, fetch_b = #turned} : !left, !stage, !sums
    %t4 = nv_tileas.tiled_store %o[%c0, %c0], %all {vec = 2 : i32} : <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32), !sums
    nv_tileaa.return
  }
}
