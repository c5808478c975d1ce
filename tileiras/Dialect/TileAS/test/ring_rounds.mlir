// A tile that is copied before a loop and multiplied behind it is one more round of the loop's ring, if the agent that
// fills the ring can know which tile it is.
// RUN: tileiras-opt --split-input-file --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))' %s | FileCheck %s
// RUN: tileiras-opt --split-input-file --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule)))' %s --remarks-filter=pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// WHY: remark: [Passed] RingRound | Category:pipeline | Function=round | Reason="what is multiplied behind a loop is one more round of its ring", Tiles=1
// WHY: remark: [Missed] RingRound | Category:pipeline | Function=ordered | Reason="something comes after the copy"
// WHY: remark: [Missed] RingRound | Category:pipeline | Function=other_view | Reason="no loop before its products has stages of its kind"
// WHY: remark: [Passed] RingRound | Category:pipeline | Function=two_loops | Reason="what is multiplied behind a loop is one more round of its ring", Tiles=1
// WHY: remark: [Missed] RingRound | Category:pipeline | Function=in_between | Reason="its ring goes on before its product"

#acc = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#rows = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [32, 0], [16, 0], [2, 8], [4, 16]]>
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [2, 8], [4, 16]]>
!array = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[32, 32], padding = zero, !array>
!stage = tensor<32x32xf16, #b>
!pipe = !nv_tileas.pipeline<2 x (tensor<32x32xf16, #b>)>
!iter = !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #b>)>
!sums = tensor<64x32xf32, #acc>

// Which column it is both agents have computed, and which row only the one that multiplies.
// CHECK-LABEL: nv_tileaa.func @round
// CHECK: agent_switch
// CHECK: %[[SUMS0:.*]]:2 = scf.for
// CHECK: consumer_release
// CHECK: scf.yield
// CHECK-NOT: async.wait
// CHECK: %[[FULL:.*]] = nv_tileas.async.pipeline.consumer_wait %[[RING:[^,]*]], %[[SUMS0]]#1
// CHECK: %[[READ:.*]], %[[SUMS:.*]] = nv_tileas.async.pipeline.consumer_read %[[RING]], %[[FULL]]
// CHECK-NEXT: ^bb0(%[[STAGE:.*]]: tensor
// CHECK-NEXT: nv_tileas.dot {{.*}}, %[[STAGE]], %[[SUMS0]]#0
// CHECK-NEXT: pipeline.yield
// CHECK: consumer_release %[[RING]], %[[READ]]
// CHECK: inc_iter %[[SUMS0]]#1
// CHECK: nv_tileas.tiled_store {{.*}}%[[SUMS]]
// CHECK: }, {
// CHECK: %[[COLUMN:.*]] = scf.if
// CHECK: %[[END:.*]] = scf.for
// CHECK: producer_commit
// CHECK: scf.yield
// CHECK: %[[ROW:.*]] = scf.if
// CHECK: arith.remsi
// CHECK-NOT: scf.if
// CHECK: %[[EMPTY:.*]] = nv_tileas.async.pipeline.producer_acquire %[[RING]], %[[END]]
// CHECK: %[[WRITTEN:.*]] = nv_tileas.async.pipeline.producer_write %[[RING]], %[[EMPTY]]
// CHECK-NEXT: ^bb0(%[[STAGE:.*]]: tensor
// CHECK-NEXT: nv_tileas.async.tiled_load {{.*}}[%[[ROW]], %[[COLUMN]]] into %[[STAGE]]
// CHECK-NEXT: pipeline.yield
// CHECK: producer_commit %[[RING]], %[[WRITTEN]]
// CHECK: inc_iter %[[END]]
gpu.module @kernels attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @round(%pa: !nv_tileaa.ptr<f16>, %pb: !nv_tileaa.ptr<f16>, %po: !nv_tileaa.ptr<f32>, %n: i32, %k: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant 0.0 : f32
    %x, %y, %z = nv_tileaa.get_program_id
    %arrayb = nv_tileaa.make_memref %pb, sizes[%n, %k], strides[%k] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %b = nv_tileaa.block_tile %arrayb : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arraya = nv_tileaa.make_memref %pa, sizes[%c64, %k], strides[%k] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %a = nv_tileaa.block_tile %arraya : <?x?xf16, strides = [?, 1]> -> <[64, 32], padding = zero, !array>
    %arrayo = nv_tileaa.make_memref %po, sizes[%c64, %k], strides[%k] : <f32>, (i32, i32), (i32) -> <?x?xf32, strides = [?, 1]>
    %o = nv_tileaa.block_tile %arrayo : <?x?xf32, strides = [?, 1]> -> <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
    %rows, %t0 = nv_tileas.tiled_load %a[%x, %c0] {vec = 8 : i32} : <[64, 32], padding = zero, !array>, (i32, i32) -> tensor<64x32xf16, #rows>
    %left = nv_tileas.alloc_tensor : tensor<64x32xf16, #a>
    nv_tileas.copy %rows, %left {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<64x32xf16, #rows>, tensor<64x32xf16, #a>
    %none = nv_tileaa.splat %zero : f32 -> !sums
    %any = arith.cmpi sgt, %n, %c0 : i32
    %column = scf.if %any -> i32 {
      %c = arith.divsi %k, %n : i32
      scf.yield %c : i32
    } else {
      scf.yield %c0 : i32
    }
    %last = scf.if %any -> i32 {
      %c = arith.remsi %k, %n : i32
      scf.yield %c : i32
    } else {
      scf.yield %c0 : i32
    }
    %tile = nv_tileas.alloc_tensor : !stage
    %copied, %t1 = nv_tileas.async.tiled_load %b[%last, %column] into %tile {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : <[32, 32], padding = zero, !array>, (i32, i32), !stage
    %s0 = nv_tileas.alloc_tensor : !stage
    %s1 = nv_tileas.alloc_tensor : !stage
    %ring = nv_tileas.async.pipeline.create_pipeline %s0, %s1 {groups, numStages = 2 : i32} : (!stage, !stage) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
    %sums, %w, %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none, %fill = %first, %read = %first) -> (!sums, !iter, !iter) : i32 {
      %empty = nv_tileas.async.pipeline.producer_acquire %ring, %fill {pipeline_stage = 0 : i32} : !pipe, !iter
      %written = nv_tileas.async.pipeline.producer_write %ring, %empty {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%stage: !stage):
        %done, %t2 = nv_tileas.async.tiled_load %b[%i, %column] into %stage {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : <[32, 32], padding = zero, !array>, (i32, i32), !stage
        nv_tileas.async.pipeline.yield %done : !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %written {pipeline_stage = 0 : i32} : !pipe
      %fill1 = nv_tileas.async.pipeline.inc_iter %fill {pipeline_stage = 0 : i32} : !iter
      %full = nv_tileas.async.pipeline.consumer_wait %ring, %read {pipeline_stage = 1 : i32} : !pipe, !iter
      %consumed, %next = nv_tileas.async.pipeline.consumer_read %ring, %full {pipeline_stage = 1 : i32} : !pipe -> !sums {
      ^bb0(%stage: !stage):
        %d = nv_tileas.dot %left, %stage, %acc {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : tensor<64x32xf16, #a>, !stage, !sums
        nv_tileas.async.pipeline.yield %d : !sums
      }
      nv_tileas.async.pipeline.consumer_release %ring, %consumed {pipeline_stage = 1 : i32} : !pipe
      %read1 = nv_tileas.async.pipeline.inc_iter %read {pipeline_stage = 1 : i32} : !iter
      scf.yield %next, %fill1, %read1 : !sums, !iter, !iter
    }
    nv_tileas.async.wait %copied
    %all = nv_tileas.dot %left, %tile, %sums {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : tensor<64x32xf16, #a>, !stage, !sums
    %t3 = nv_tileas.tiled_store %o[%x, %c0], %all {vec = 2 : i32} : <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32), !sums
    nv_tileaa.return
  }
}

// -----

#acc = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#rows = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [32, 0], [16, 0], [2, 8], [4, 16]]>
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [2, 8], [4, 16]]>
!array = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[32, 32], padding = zero, !array>
!stage = tensor<32x32xf16, #b>
!pipe = !nv_tileas.pipeline<2 x (tensor<32x32xf16, #b>)>
!iter = !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #b>)>
!sums = tensor<64x32xf32, #acc>

gpu.module @kernels attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @ordered(%pa: !nv_tileaa.ptr<f16>, %pb: !nv_tileaa.ptr<f16>, %po: !nv_tileaa.ptr<f32>, %n: i32, %k: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant 0.0 : f32
    %x, %y, %z = nv_tileaa.get_program_id
    %arrayb = nv_tileaa.make_memref %pb, sizes[%n, %k], strides[%k] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %b = nv_tileaa.block_tile %arrayb : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arraya = nv_tileaa.make_memref %pa, sizes[%c64, %k], strides[%k] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %a = nv_tileaa.block_tile %arraya : <?x?xf16, strides = [?, 1]> -> <[64, 32], padding = zero, !array>
    %arrayo = nv_tileaa.make_memref %po, sizes[%c64, %k], strides[%k] : <f32>, (i32, i32), (i32) -> <?x?xf32, strides = [?, 1]>
    %o = nv_tileaa.block_tile %arrayo : <?x?xf32, strides = [?, 1]> -> <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
    %rows, %t0 = nv_tileas.tiled_load %a[%x, %c0] {vec = 8 : i32} : <[64, 32], padding = zero, !array>, (i32, i32) -> tensor<64x32xf16, #rows>
    %left = nv_tileas.alloc_tensor : tensor<64x32xf16, #a>
    nv_tileas.copy %rows, %left {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<64x32xf16, #rows>, tensor<64x32xf16, #a>
    %none = nv_tileaa.splat %zero : f32 -> !sums
    %any = arith.cmpi sgt, %n, %c0 : i32
    %column = scf.if %any -> i32 {
      %c = arith.divsi %k, %n : i32
      scf.yield %c : i32
    } else {
      scf.yield %c0 : i32
    }
    %last = scf.if %any -> i32 {
      %c = arith.remsi %k, %n : i32
      scf.yield %c : i32
    } else {
      scf.yield %c0 : i32
    }
    %tile = nv_tileas.alloc_tensor : !stage
    %copied, %t1 = nv_tileas.async.tiled_load %b[%last, %column] into %tile {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : <[32, 32], padding = zero, !array>, (i32, i32), !stage
    %s0 = nv_tileas.alloc_tensor : !stage
    %s1 = nv_tileas.alloc_tensor : !stage
    %ring = nv_tileas.async.pipeline.create_pipeline %s0, %s1 {groups, numStages = 2 : i32} : (!stage, !stage) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
    %sums, %w, %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none, %fill = %first, %read = %first) -> (!sums, !iter, !iter) : i32 {
      %empty = nv_tileas.async.pipeline.producer_acquire %ring, %fill {pipeline_stage = 0 : i32} : !pipe, !iter
      %written = nv_tileas.async.pipeline.producer_write %ring, %empty {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%stage: !stage):
        %done, %t2 = nv_tileas.async.tiled_load %b[%i, %column] into %stage {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : <[32, 32], padding = zero, !array>, (i32, i32), !stage
        nv_tileas.async.pipeline.yield %done : !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %written {pipeline_stage = 0 : i32} : !pipe
      %fill1 = nv_tileas.async.pipeline.inc_iter %fill {pipeline_stage = 0 : i32} : !iter
      %full = nv_tileas.async.pipeline.consumer_wait %ring, %read {pipeline_stage = 1 : i32} : !pipe, !iter
      %consumed, %next = nv_tileas.async.pipeline.consumer_read %ring, %full {pipeline_stage = 1 : i32} : !pipe -> !sums {
      ^bb0(%stage: !stage):
        %d = nv_tileas.dot %left, %stage, %acc {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : tensor<64x32xf16, #a>, !stage, !sums
        nv_tileas.async.pipeline.yield %d : !sums
      }
      nv_tileas.async.pipeline.consumer_release %ring, %consumed {pipeline_stage = 1 : i32} : !pipe
      %read1 = nv_tileas.async.pipeline.inc_iter %read {pipeline_stage = 1 : i32} : !iter
      scf.yield %next, %fill1, %read1 : !sums, !iter, !iter
    }
    nv_tileas.async.wait %copied
    %all = nv_tileas.dot %left, %tile, %sums {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : tensor<64x32xf16, #a>, !stage, !sums
    %t3 = nv_tileas.tiled_store %o[%x, %c0], %all, token %t1 {vec = 2 : i32} : <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32), !sums
    nv_tileaa.return
  }
}

// -----

#acc = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#rows = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [32, 0], [16, 0], [2, 8], [4, 16]]>
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [2, 8], [4, 16]]>
!array = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[32, 32], padding = zero, !array>
!stage = tensor<32x32xf16, #b>
!pipe = !nv_tileas.pipeline<2 x (tensor<32x32xf16, #b>)>
!iter = !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #b>)>
!sums = tensor<64x32xf32, #acc>

gpu.module @kernels attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @other_view(%pa: !nv_tileaa.ptr<f16>, %pb: !nv_tileaa.ptr<f16>, %po: !nv_tileaa.ptr<f32>, %n: i32, %k: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant 0.0 : f32
    %x, %y, %z = nv_tileaa.get_program_id
    %arrayb = nv_tileaa.make_memref %pb, sizes[%n, %k], strides[%k] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %b = nv_tileaa.block_tile %arrayb : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arraya = nv_tileaa.make_memref %pa, sizes[%c64, %k], strides[%k] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %a = nv_tileaa.block_tile %arraya : <?x?xf16, strides = [?, 1]> -> <[64, 32], padding = zero, !array>
    %arrayo = nv_tileaa.make_memref %po, sizes[%c64, %k], strides[%k] : <f32>, (i32, i32), (i32) -> <?x?xf32, strides = [?, 1]>
    %o = nv_tileaa.block_tile %arrayo : <?x?xf32, strides = [?, 1]> -> <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
    %b1 = nv_tileaa.block_tile %arrayb : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %rows, %t0 = nv_tileas.tiled_load %a[%x, %c0] {vec = 8 : i32} : <[64, 32], padding = zero, !array>, (i32, i32) -> tensor<64x32xf16, #rows>
    %left = nv_tileas.alloc_tensor : tensor<64x32xf16, #a>
    nv_tileas.copy %rows, %left {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<64x32xf16, #rows>, tensor<64x32xf16, #a>
    %none = nv_tileaa.splat %zero : f32 -> !sums
    %any = arith.cmpi sgt, %n, %c0 : i32
    %column = scf.if %any -> i32 {
      %c = arith.divsi %k, %n : i32
      scf.yield %c : i32
    } else {
      scf.yield %c0 : i32
    }
    %last = scf.if %any -> i32 {
      %c = arith.remsi %k, %n : i32
      scf.yield %c : i32
    } else {
      scf.yield %c0 : i32
    }
    %tile = nv_tileas.alloc_tensor : !stage
    %copied, %t1 = nv_tileas.async.tiled_load %b1[%last, %column] into %tile {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : <[32, 32], padding = zero, !array>, (i32, i32), !stage
    %s0 = nv_tileas.alloc_tensor : !stage
    %s1 = nv_tileas.alloc_tensor : !stage
    %ring = nv_tileas.async.pipeline.create_pipeline %s0, %s1 {groups, numStages = 2 : i32} : (!stage, !stage) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
    %sums, %w, %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none, %fill = %first, %read = %first) -> (!sums, !iter, !iter) : i32 {
      %empty = nv_tileas.async.pipeline.producer_acquire %ring, %fill {pipeline_stage = 0 : i32} : !pipe, !iter
      %written = nv_tileas.async.pipeline.producer_write %ring, %empty {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%stage: !stage):
        %done, %t2 = nv_tileas.async.tiled_load %b[%i, %column] into %stage {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : <[32, 32], padding = zero, !array>, (i32, i32), !stage
        nv_tileas.async.pipeline.yield %done : !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %written {pipeline_stage = 0 : i32} : !pipe
      %fill1 = nv_tileas.async.pipeline.inc_iter %fill {pipeline_stage = 0 : i32} : !iter
      %full = nv_tileas.async.pipeline.consumer_wait %ring, %read {pipeline_stage = 1 : i32} : !pipe, !iter
      %consumed, %next = nv_tileas.async.pipeline.consumer_read %ring, %full {pipeline_stage = 1 : i32} : !pipe -> !sums {
      ^bb0(%stage: !stage):
        %d = nv_tileas.dot %left, %stage, %acc {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : tensor<64x32xf16, #a>, !stage, !sums
        nv_tileas.async.pipeline.yield %d : !sums
      }
      nv_tileas.async.pipeline.consumer_release %ring, %consumed {pipeline_stage = 1 : i32} : !pipe
      %read1 = nv_tileas.async.pipeline.inc_iter %read {pipeline_stage = 1 : i32} : !iter
      scf.yield %next, %fill1, %read1 : !sums, !iter, !iter
    }
    nv_tileas.async.wait %copied
    %all = nv_tileas.dot %left, %tile, %sums {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : tensor<64x32xf16, #a>, !stage, !sums
    %t3 = nv_tileas.tiled_store %o[%x, %c0], %all {vec = 2 : i32} : <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32), !sums
    nv_tileaa.return
  }
}

// -----

#acc = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#rows = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [32, 0], [16, 0], [2, 8], [4, 16]]>
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [2, 8], [4, 16]]>
!array = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[32, 32], padding = zero, !array>
!stage = tensor<32x32xf16, #b>
!pipe = !nv_tileas.pipeline<2 x (tensor<32x32xf16, #b>)>
!iter = !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #b>)>
!sums = tensor<64x32xf32, #acc>

// Behind the second loop, which has the ring after the first.
// CHECK-LABEL: nv_tileaa.func @two_loops
// CHECK: agent_switch
// CHECK: scf.for
// CHECK: %[[END:.*]]:2 = scf.for
// CHECK: scf.yield
// CHECK: consumer_wait %{{.*}}, %[[END]]#1
// CHECK: }, {
// CHECK: scf.for
// CHECK: %[[END:.*]] = scf.for
// CHECK: scf.yield
// CHECK: producer_acquire %{{.*}}, %[[END]]
gpu.module @kernels attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @two_loops(%pa: !nv_tileaa.ptr<f16>, %pb: !nv_tileaa.ptr<f16>, %po: !nv_tileaa.ptr<f32>, %n: i32, %k: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant 0.0 : f32
    %x, %y, %z = nv_tileaa.get_program_id
    %arrayb = nv_tileaa.make_memref %pb, sizes[%n, %k], strides[%k] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %b = nv_tileaa.block_tile %arrayb : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arraya = nv_tileaa.make_memref %pa, sizes[%c64, %k], strides[%k] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %a = nv_tileaa.block_tile %arraya : <?x?xf16, strides = [?, 1]> -> <[64, 32], padding = zero, !array>
    %arrayo = nv_tileaa.make_memref %po, sizes[%c64, %k], strides[%k] : <f32>, (i32, i32), (i32) -> <?x?xf32, strides = [?, 1]>
    %o = nv_tileaa.block_tile %arrayo : <?x?xf32, strides = [?, 1]> -> <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
    %b1 = nv_tileaa.block_tile %arrayb : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %rows, %t0 = nv_tileas.tiled_load %a[%x, %c0] {vec = 8 : i32} : <[64, 32], padding = zero, !array>, (i32, i32) -> tensor<64x32xf16, #rows>
    %left = nv_tileas.alloc_tensor : tensor<64x32xf16, #a>
    nv_tileas.copy %rows, %left {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<64x32xf16, #rows>, tensor<64x32xf16, #a>
    %none = nv_tileaa.splat %zero : f32 -> !sums
    %any = arith.cmpi sgt, %n, %c0 : i32
    %column = scf.if %any -> i32 {
      %c = arith.divsi %k, %n : i32
      scf.yield %c : i32
    } else {
      scf.yield %c0 : i32
    }
    %last = scf.if %any -> i32 {
      %c = arith.remsi %k, %n : i32
      scf.yield %c : i32
    } else {
      scf.yield %c0 : i32
    }
    %tile = nv_tileas.alloc_tensor : !stage
    %copied, %t1 = nv_tileas.async.tiled_load %b[%last, %column] into %tile {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : <[32, 32], padding = zero, !array>, (i32, i32), !stage
    %s0 = nv_tileas.alloc_tensor : !stage
    %s1 = nv_tileas.alloc_tensor : !stage
    %ring = nv_tileas.async.pipeline.create_pipeline %s0, %s1 {groups, numStages = 2 : i32} : (!stage, !stage) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
    %sums, %w, %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none, %fill = %first, %read = %first) -> (!sums, !iter, !iter) : i32 {
      %empty = nv_tileas.async.pipeline.producer_acquire %ring, %fill {pipeline_stage = 0 : i32} : !pipe, !iter
      %written = nv_tileas.async.pipeline.producer_write %ring, %empty {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%stage: !stage):
        %done, %t2 = nv_tileas.async.tiled_load %b[%i, %column] into %stage {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : <[32, 32], padding = zero, !array>, (i32, i32), !stage
        nv_tileas.async.pipeline.yield %done : !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %written {pipeline_stage = 0 : i32} : !pipe
      %fill1 = nv_tileas.async.pipeline.inc_iter %fill {pipeline_stage = 0 : i32} : !iter
      %full = nv_tileas.async.pipeline.consumer_wait %ring, %read {pipeline_stage = 1 : i32} : !pipe, !iter
      %consumed, %next = nv_tileas.async.pipeline.consumer_read %ring, %full {pipeline_stage = 1 : i32} : !pipe -> !sums {
      ^bb0(%stage: !stage):
        %d = nv_tileas.dot %left, %stage, %acc {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : tensor<64x32xf16, #a>, !stage, !sums
        nv_tileas.async.pipeline.yield %d : !sums
      }
      nv_tileas.async.pipeline.consumer_release %ring, %consumed {pipeline_stage = 1 : i32} : !pipe
      %read1 = nv_tileas.async.pipeline.inc_iter %read {pipeline_stage = 1 : i32} : !iter
      scf.yield %next, %fill1, %read1 : !sums, !iter, !iter
    }
    %sums2, %w2, %r2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %sums, %fill = %w, %read = %r) -> (!sums, !iter, !iter) : i32 {
      %empty = nv_tileas.async.pipeline.producer_acquire %ring, %fill {pipeline_stage = 0 : i32} : !pipe, !iter
      %written = nv_tileas.async.pipeline.producer_write %ring, %empty {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%stage: !stage):
        %done, %t2 = nv_tileas.async.tiled_load %b[%i, %column] into %stage {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : <[32, 32], padding = zero, !array>, (i32, i32), !stage
        nv_tileas.async.pipeline.yield %done : !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %written {pipeline_stage = 0 : i32} : !pipe
      %fill1 = nv_tileas.async.pipeline.inc_iter %fill {pipeline_stage = 0 : i32} : !iter
      %full = nv_tileas.async.pipeline.consumer_wait %ring, %read {pipeline_stage = 1 : i32} : !pipe, !iter
      %consumed, %next = nv_tileas.async.pipeline.consumer_read %ring, %full {pipeline_stage = 1 : i32} : !pipe -> !sums {
      ^bb0(%stage: !stage):
        %d = nv_tileas.dot %left, %stage, %acc {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : tensor<64x32xf16, #a>, !stage, !sums
        nv_tileas.async.pipeline.yield %d : !sums
      }
      nv_tileas.async.pipeline.consumer_release %ring, %consumed {pipeline_stage = 1 : i32} : !pipe
      %read1 = nv_tileas.async.pipeline.inc_iter %read {pipeline_stage = 1 : i32} : !iter
      scf.yield %next, %fill1, %read1 : !sums, !iter, !iter
    }
    nv_tileas.async.wait %copied
    %all = nv_tileas.dot %left, %tile, %sums2 {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : tensor<64x32xf16, #a>, !stage, !sums
    %t3 = nv_tileas.tiled_store %o[%x, %c0], %all {vec = 2 : i32} : <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32), !sums
    nv_tileaa.return
  }
}

// -----

#acc = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#rows = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]>
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [32, 0], [16, 0], [2, 8], [4, 16]]>
#b = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [2, 8], [4, 16]]>
!array = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[32, 32], padding = zero, !array>
!stage = tensor<32x32xf16, #b>
!pipe = !nv_tileas.pipeline<2 x (tensor<32x32xf16, #b>)>
!iter = !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf16, #b>)>
!sums = tensor<64x32xf32, #acc>

gpu.module @kernels attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @in_between(%pa: !nv_tileaa.ptr<f16>, %pb: !nv_tileaa.ptr<f16>, %po: !nv_tileaa.ptr<f32>, %n: i32, %k: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant 0.0 : f32
    %x, %y, %z = nv_tileaa.get_program_id
    %arrayb = nv_tileaa.make_memref %pb, sizes[%n, %k], strides[%k] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %b = nv_tileaa.block_tile %arrayb : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %arraya = nv_tileaa.make_memref %pa, sizes[%c64, %k], strides[%k] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %a = nv_tileaa.block_tile %arraya : <?x?xf16, strides = [?, 1]> -> <[64, 32], padding = zero, !array>
    %arrayo = nv_tileaa.make_memref %po, sizes[%c64, %k], strides[%k] : <f32>, (i32, i32), (i32) -> <?x?xf32, strides = [?, 1]>
    %o = nv_tileaa.block_tile %arrayo : <?x?xf32, strides = [?, 1]> -> <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
    %b1 = nv_tileaa.block_tile %arrayb : <?x?xf16, strides = [?, 1]> -> <[32, 32], padding = zero, !array>
    %rows, %t0 = nv_tileas.tiled_load %a[%x, %c0] {vec = 8 : i32} : <[64, 32], padding = zero, !array>, (i32, i32) -> tensor<64x32xf16, #rows>
    %left = nv_tileas.alloc_tensor : tensor<64x32xf16, #a>
    nv_tileas.copy %rows, %left {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<64x32xf16, #rows>, tensor<64x32xf16, #a>
    %none = nv_tileaa.splat %zero : f32 -> !sums
    %any = arith.cmpi sgt, %n, %c0 : i32
    %column = scf.if %any -> i32 {
      %c = arith.divsi %k, %n : i32
      scf.yield %c : i32
    } else {
      scf.yield %c0 : i32
    }
    %last = scf.if %any -> i32 {
      %c = arith.remsi %k, %n : i32
      scf.yield %c : i32
    } else {
      scf.yield %c0 : i32
    }
    %tile = nv_tileas.alloc_tensor : !stage
    %copied, %t1 = nv_tileas.async.tiled_load %b[%last, %column] into %tile {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : <[32, 32], padding = zero, !array>, (i32, i32), !stage
    %s0 = nv_tileas.alloc_tensor : !stage
    %s1 = nv_tileas.alloc_tensor : !stage
    %ring = nv_tileas.async.pipeline.create_pipeline %s0, %s1 {groups, numStages = 2 : i32} : (!stage, !stage) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %ring : !pipe -> !iter
    %sums, %w, %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none, %fill = %first, %read = %first) -> (!sums, !iter, !iter) : i32 {
      %empty = nv_tileas.async.pipeline.producer_acquire %ring, %fill {pipeline_stage = 0 : i32} : !pipe, !iter
      %written = nv_tileas.async.pipeline.producer_write %ring, %empty {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%stage: !stage):
        %done, %t2 = nv_tileas.async.tiled_load %b[%i, %column] into %stage {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : <[32, 32], padding = zero, !array>, (i32, i32), !stage
        nv_tileas.async.pipeline.yield %done : !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %written {pipeline_stage = 0 : i32} : !pipe
      %fill1 = nv_tileas.async.pipeline.inc_iter %fill {pipeline_stage = 0 : i32} : !iter
      %full = nv_tileas.async.pipeline.consumer_wait %ring, %read {pipeline_stage = 1 : i32} : !pipe, !iter
      %consumed, %next = nv_tileas.async.pipeline.consumer_read %ring, %full {pipeline_stage = 1 : i32} : !pipe -> !sums {
      ^bb0(%stage: !stage):
        %d = nv_tileas.dot %left, %stage, %acc {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : tensor<64x32xf16, #a>, !stage, !sums
        nv_tileas.async.pipeline.yield %d : !sums
      }
      nv_tileas.async.pipeline.consumer_release %ring, %consumed {pipeline_stage = 1 : i32} : !pipe
      %read1 = nv_tileas.async.pipeline.inc_iter %read {pipeline_stage = 1 : i32} : !iter
      scf.yield %next, %fill1, %read1 : !sums, !iter, !iter
    }
    %sums2, %w2, %r2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %sums, %fill = %w, %read = %r) -> (!sums, !iter, !iter) : i32 {
      %empty = nv_tileas.async.pipeline.producer_acquire %ring, %fill {pipeline_stage = 0 : i32} : !pipe, !iter
      %written = nv_tileas.async.pipeline.producer_write %ring, %empty {pipeline_stage = 0 : i32, producer_kind = "async_copy"} : !pipe {
      ^bb0(%stage: !stage):
        %done, %t2 = nv_tileas.async.tiled_load %b1[%i, %column] into %stage {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : <[32, 32], padding = zero, !array>, (i32, i32), !stage
        nv_tileas.async.pipeline.yield %done : !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %ring, %written {pipeline_stage = 0 : i32} : !pipe
      %fill1 = nv_tileas.async.pipeline.inc_iter %fill {pipeline_stage = 0 : i32} : !iter
      %full = nv_tileas.async.pipeline.consumer_wait %ring, %read {pipeline_stage = 1 : i32} : !pipe, !iter
      %consumed, %next = nv_tileas.async.pipeline.consumer_read %ring, %full {pipeline_stage = 1 : i32} : !pipe -> !sums {
      ^bb0(%stage: !stage):
        %d = nv_tileas.dot %left, %stage, %acc {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : tensor<64x32xf16, #a>, !stage, !sums
        nv_tileas.async.pipeline.yield %d : !sums
      }
      nv_tileas.async.pipeline.consumer_release %ring, %consumed {pipeline_stage = 1 : i32} : !pipe
      %read1 = nv_tileas.async.pipeline.inc_iter %read {pipeline_stage = 1 : i32} : !iter
      scf.yield %next, %fill1, %read1 : !sums, !iter, !iter
    }
    nv_tileas.async.wait %copied
    %all = nv_tileas.dot %left, %tile, %sums2 {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>, fetch_b = #nv_tileas.ldsm<matrices = 4, transposed = true>} : tensor<64x32xf16, #a>, !stage, !sums
    %t3 = nv_tileas.tiled_store %o[%x, %c0], %all {vec = 2 : i32} : <[64, 32], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32), !sums
    nv_tileaa.return
  }
}
