// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async{num-stages=3}))' | FileCheck %s
// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async{num-stages=3}))' --remarks-filter=".*" 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async{num-stages=3},tileas-materialize-async{num-stages=3}))' | FileCheck %s --check-prefix=TWICE

!view = !nv_tileaa.tiled_view<[16, 64], padding = zero, !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[0, 0], [0, 0], [0, 0]]>
#s = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]]>
#b = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0], [16, 0], [32, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0], [0, 0]]>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [0, 0], [0, 0]]>
module attributes {nv_tileaa.target_spec = "sm_80"} {
// The addresses go into the region of the producer, the products into that of the consumer.
// REMARK: remark: [Passed] Loop | Category:pipeline | Function=ring | Bytes=6144, Products=1, Reason="the number of stages is limited by num-stages", Room=49152, Stages=3
// CHECK-LABEL: nv_tileaa.func @ring
// CHECK: %[[T0:.*]] = nv_tileas.alloc_tensor : tensor<16x64xf16
// CHECK: %[[T1:.*]] = nv_tileas.alloc_tensor : tensor<16x64xf16
// CHECK: %[[T2:.*]] = nv_tileas.alloc_tensor : tensor<16x64xf16
// CHECK: %[[P:.*]] = nv_tileas.async.pipeline.create_pipeline %[[T0]], %[[T1]], %[[T2]] {groups, numStages = 3 : i32}
// CHECK: %[[FIRST:.*]] = nv_tileas.async.pipeline.create_iterator %[[P]]
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[IN:.*]] = %[[FIRST]], %[[OUT:.*]] = %[[FIRST]])
// CHECK-NEXT: %[[A:.*]] = nv_tileas.async.pipeline.producer_acquire %[[P]], %[[IN]] {pipeline_stage = 0 : i32}
// CHECK-NEXT: %[[W:.*]] = nv_tileas.async.pipeline.producer_write %[[P]], %[[A]] {pipeline_stage = 0 : i32, producer_kind = "async_copy"}
// CHECK: ^bb0(%[[STAGE:.*]]: tensor<16x64xf16
// CHECK: %[[AT:.*]] = arith.muli %[[I]]
// CHECK: %[[D:.*]], %{{.*}} = nv_tileas.async.tiled_load %{{.*}}[%[[AT]], %{{.*}}] into %[[STAGE]]
// CHECK: nv_tileas.async.pipeline.yield %[[D]]
// CHECK: nv_tileas.async.pipeline.producer_commit %[[P]], %[[W]] {pipeline_stage = 0 : i32}
// CHECK: %[[IN1:.*]] = nv_tileas.async.pipeline.inc_iter %[[IN]] {pipeline_stage = 0 : i32}
// CHECK: %[[R:.*]] = nv_tileas.async.pipeline.consumer_wait %[[P]], %[[OUT]] {pipeline_stage = 2 : i32}
// CHECK: %[[DONE:.*]], %[[X:.*]] = nv_tileas.async.pipeline.consumer_read %[[P]], %[[R]] {pipeline_stage = 2 : i32}
// CHECK: ^bb0(%[[STAGE:.*]]: tensor<16x64xf16
// CHECK: %[[DOT:.*]] = nv_tileas.dot %[[STAGE]], %{{.*}}, %[[SUM]]
// CHECK: nv_tileas.async.pipeline.yield %[[DOT]]
// CHECK: nv_tileas.async.pipeline.consumer_release %[[P]], %[[DONE]] {pipeline_stage = 2 : i32}
// CHECK: %[[OUT1:.*]] = nv_tileas.async.pipeline.inc_iter %[[OUT]] {pipeline_stage = 2 : i32}
// CHECK: scf.yield %[[X]], %[[IN1]], %[[OUT1]]
// CHECK-NEXT: } {token_iter_idx = 1 : i32}
// CHECK-NOT: nv_tileas.async.wait
// TWICE-LABEL: nv_tileaa.func @ring
// TWICE-COUNT-1: create_pipeline
// TWICE-NOT: create_pipeline
// TWICE-NOT: not_pipelined
// TWICE: nv_tileaa.return
nv_tileaa.func @ring(%v: !view, %n: i32, %y: tensor<64x8xf16, #b>, %z: tensor<16x8xf32, #c>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (tensor<16x8xf32, #c>) : i32 {
    %t = nv_tileas.alloc_tensor : tensor<16x64xf16, #s>
    %at = arith.muli %i, %n : i32
    %a, %m = nv_tileas.async.tiled_load %v[%at, %c0] into %t {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #l} : !view, (i32, i32), tensor<16x64xf16, #s>
    nv_tileas.async.wait %a
    %p = nv_tileas.dot %t, %y, %s {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 8]>, fetch_a = #nv_tileas.ldsm<matrices = 4>} : tensor<16x64xf16, #s>, tensor<64x8xf16, #b>, tensor<16x8xf32, #c>
    scf.yield %p : tensor<16x8xf32, #c>
  }
  nv_tileaa.return
}
}

// -----

!view = !nv_tileaa.tiled_view<[16, 64], padding = zero, !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[0, 0], [0, 0], [0, 0]]>
#s = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]]>
#big = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0]]>
module attributes {nv_tileaa.target_spec = "sm_80"} {
// Where the copy comes from depends on what the loop computes.
// REMARK: remark: [Missed] Loop | Category:pipeline | Function=chased | Products=0, Reason="loads cannot be made ahead: where they come from depends on what the loop computes"
// REMARK: remark: [Missed] Loop | Category:pipeline | Function=ordered | Products=0, Reason="loads cannot be made ahead: a token orders them after what the loop writes"
// REMARK: remark: [Missed] Loop | Category:pipeline | Function=no_room | Bytes=65536, Products=0, Reason="two stages have no room in shared memory", Room=49152
// CHECK-LABEL: nv_tileaa.func @chased
// CHECK: scf.for
// CHECK-NEXT: alloc_tensor
// CHECK-NEXT: nv_tileas.async.tiled_load
// CHECK: } {tileas.not_pipelined}
nv_tileaa.func @chased(%v: !view, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c0) -> (i32) : i32 {
    %t = nv_tileas.alloc_tensor : tensor<16x64xf16, #s>
    %a, %m = nv_tileas.async.tiled_load %v[%k, %c0] into %t {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #l} : !view, (i32, i32), tensor<16x64xf16, #s>
    nv_tileas.async.wait %a
    %next = arith.muli %k, %n : i32
    scf.yield %next : i32
  }
  nv_tileaa.return
}
// CHECK-LABEL: nv_tileaa.func @ordered
// CHECK: } {tileas.not_pipelined}
nv_tileaa.func @ordered(%v: !view, %n: i32, %x: tensor<16x64xf16, #l>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %m0 = nv_tileaa.create_mem_token
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%m = %m0) -> (!nv_tileaa.mem_token) : i32 {
    %t = nv_tileas.alloc_tensor : tensor<16x64xf16, #s>
    %a, %m1 = nv_tileas.async.tiled_load %v[%i, %c0] into %t, token %m {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #l} : !view, (i32, i32), tensor<16x64xf16, #s>
    nv_tileas.async.wait %a
    %m2 = nv_tileas.tiled_store %v[%i, %c0], %x, token %m1 : !view, (i32, i32), tensor<16x64xf16, #l>
    scf.yield %m2 : !nv_tileaa.mem_token
  }
  nv_tileaa.return
}
// Tokens that go round over loads alone order nothing.
// CHECK-LABEL: nv_tileaa.func @only_loads
// CHECK: create_pipeline
nv_tileaa.func @only_loads(%v: !view, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %m0 = nv_tileaa.create_mem_token
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%m = %m0) -> (!nv_tileaa.mem_token) : i32 {
    %t = nv_tileas.alloc_tensor : tensor<16x64xf16, #s>
    %a, %m1 = nv_tileas.async.tiled_load %v[%i, %c0] into %t, token %m {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #l} : !view, (i32, i32), tensor<16x64xf16, #s>
    nv_tileas.async.wait %a
    scf.yield %m1 : !nv_tileaa.mem_token
  }
  nv_tileaa.return
}
// CHECK-LABEL: nv_tileaa.func @no_room
// CHECK-NOT: create_pipeline
// CHECK: } {tileas.not_pipelined}
nv_tileaa.func @no_room(%v: !nv_tileaa.tiled_view<[256, 64], padding = zero, !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %t = nv_tileas.alloc_tensor : tensor<256x64xf16, #big>
    %a, %m = nv_tileas.async.tiled_load %v[%i, %c0] into %t {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0], [128, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]>} : !nv_tileaa.tiled_view<[256, 64], padding = zero, !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>, (i32, i32), tensor<256x64xf16, #big>
    nv_tileas.async.wait %a
  }
  nv_tileaa.return
}
}

// -----

// Two tiles that are read one after the other, and no room for two stages of both: a ring of one stage each. The first
// is filled for the next iteration, the second for this one, while the first is read.
!view = !nv_tileaa.tiled_view<[128, 64], padding = zero, !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]>
#s = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]>
!tile = tensor<128x64xf16, #s>
!x = tensor<128x64xf16, #l>
module attributes {nv_tileaa.target_spec = "sm_80"} {
// REMARK: remark: [Passed] Loop | Category:pipeline | Function=streams | Bytes=32768, Products=0, Reason="two stages have no room: the stage of one stream is filled while another is read", Room=49152, Stages=1, Streams=2
// CHECK-LABEL: nv_tileaa.func @streams
// CHECK: %[[V:.*]] = nv_tileas.async.pipeline.create_pipeline %{{.*}} {groups, numStages = 1 : i32}
// CHECK: %[[K:.*]] = nv_tileas.async.pipeline.create_pipeline %{{.*}} {groups, numStages = 1 : i32}
// CHECK: scf.for
// CHECK: producer_acquire %[[K]], %{{.*}} {pipeline_stage = 0 : i32}
// CHECK: producer_commit %[[K]], %{{.*}} {pipeline_stage = 0 : i32}
// CHECK: consumer_wait %[[K]], %{{.*}} {pipeline_stage = 1 : i32}
// CHECK-NEXT: producer_acquire %[[V]], %{{.*}} {pipeline_stage = 1 : i32}
// CHECK: producer_commit %[[V]], %{{.*}} {pipeline_stage = 1 : i32}
// CHECK: consumer_release %[[K]]
// CHECK: consumer_wait %[[V]], %{{.*}} {pipeline_stage = 1 : i32}
// CHECK: consumer_release %[[V]]
nv_tileaa.func @streams(%v: !view, %w: !view, %n: i32, %z: !x) -> !x attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (!x) : i32 {
    %t0 = nv_tileas.alloc_tensor : !tile
    %a0, %m0 = nv_tileas.async.tiled_load %v[%i, %c0] into %t0 {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #l} : !view, (i32, i32), !tile
    nv_tileas.async.wait %a0
    %x0 = nv_tileas.convert_layout %t0 : !tile -> !x
    %s0 = arith.addf %s, %x0 : !x
    %t1 = nv_tileas.alloc_tensor : !tile
    %a1, %m1 = nv_tileas.async.tiled_load %w[%i, %c0] into %t1 {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #l} : !view, (i32, i32), !tile
    nv_tileas.async.wait %a1
    %x1 = nv_tileas.convert_layout %t1 : !tile -> !x
    %s1 = arith.mulf %s0, %x1 : !x
    scf.yield %s1 : !x
  }
  nv_tileaa.return %r : !x
}
// A tile's number that the loop carries beside its counter is computed from that.
// CHECK-LABEL: nv_tileaa.func @counted
// CHECK: scf.for %[[I:.*]] = %[[LB:.*]] to %{{.*}} step %[[ST:.*]] iter_args
// CHECK: producer_write
// CHECK: %[[D:.*]] = arith.subi %[[I]], %[[LB]] : i32
// CHECK: %[[Q:.*]] = arith.divui %[[D]], %[[ST]] : i32
// CHECK: %[[G:.*]] = arith.muli %[[Q]], %{{.*}} : i32
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[G]] : i32
// CHECK: async.tiled_load %{{.*}}[%[[AT]], %{{.*}}]
nv_tileaa.func @counted(%v: !view, %n: i32, %by: i32, %z: !x) -> !x attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %e, %r = scf.for %i = %c0 to %n step %c3 iter_args(%j = %n, %s = %z) -> (i32, !x) : i32 {
    %t0 = nv_tileas.alloc_tensor : !tile
    %a0, %m0 = nv_tileas.async.tiled_load %v[%j, %c0] into %t0 {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #l} : !view, (i32, i32), !tile
    nv_tileas.async.wait %a0
    %x0 = nv_tileas.convert_layout %t0 : !tile -> !x
    %s0 = arith.addf %s, %x0 : !x
    %j1 = arith.addi %j, %by : i32
    scf.yield %j1, %s0 : i32, !x
  }
  nv_tileaa.return %r : !x
}
}
