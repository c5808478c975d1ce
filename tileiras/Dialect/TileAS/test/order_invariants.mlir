// The order of the passes of pipelines (docs/pipelines.md), each rule broken once, in functions that are written by hand;
// the same rules in lists of passes that are: test/Driver/pass_order.test.
// RUN: split-file %s %t

// 1. Queues become pipelines before loops get rings.
// RUN: not tileiras-opt %t/queue.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async))' 2>&1 | FileCheck %s --check-prefix=QUEUE
// QUEUE: queue.mlir:3:8: error: 'nv_tileaa.create_queue' op has not become part of a pipeline: 'tileas-queue-to-pipeline' has to run before 'tileas-materialize-async'
// RUN: tileiras-opt %t/queue.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-queue-to-pipeline,tileas-materialize-async))' | FileCheck %s --check-prefix=QUEUED
// QUEUED: create_pipeline

// 2. Loops get rings before they are scheduled. One that gets none says so.
// RUN: not tileiras-opt %t/copies.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule))' 2>&1 | FileCheck %s --check-prefix=RING
// RING: copies.mlir:14:14: error: 'nv_tileas.async.tiled_load' op has no ring, and nothing says that its loop gets none: 'tileas-materialize-async' has to run before 'tileas-materialize-schedule'
// RUN: tileiras-opt %t/copies.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async,tileas-generate-schedule,tileas-materialize-schedule))' | FileCheck %s --check-prefix=RUNG
// RUNG: create_pipeline
// RUN: tileiras-opt %t/copies.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async{num-stages=1},tileas-generate-schedule,tileas-materialize-schedule))' | FileCheck %s --check-prefix=MARKED
// MARKED-NOT: create_pipeline
// MARKED: tileas.not_pipelined

// 3. Conversions have plans before somebody relies on the number of stages.
// RUN: not tileiras-opt %t/conversion.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule))' 2>&1 | FileCheck %s --check-prefix=AGENTS
// AGENTS: conversion.mlir:5:10: error: 'nv_tileas.convert_layout' op has no plan and may take shared memory from rings: 'tileas-materialize-convert-layout' has to run before 'tileas-materialize-schedule'
// RUN: not tileiras-opt %t/conversion.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-unspecialized-pipeline))' 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: conversion.mlir:5:10: error: 'nv_tileas.convert_layout' op has no plan and may take shared memory from rings: 'tileas-materialize-convert-layout' has to run before 'tileas-unspecialized-pipeline'
// RUN: tileiras-opt %t/conversion.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout,tileas-unspecialized-pipeline))' -o /dev/null

// 4. Agents take loops as they are; what agents do one agent does not pipeline.
// RUN: tileiras-opt %t/loop.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-unspecialized-pipeline{num-stages=3}))' -o %t/ahead.mlir
// RUN: not tileiras-opt %t/ahead.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule))' 2>&1 | FileCheck %s --check-prefix=AHEAD
// AHEAD: ahead.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'nv_tileas.async.pipeline.producer_acquire' op runs ahead of the loop's counter already: 'tileas-materialize-schedule' has to run before 'tileas-unspecialized-pipeline'
// RUN: tileiras-opt %t/agents.mlir -o %t/agents.before
// RUN: tileiras-opt %t/agents.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-unspecialized-pipeline{num-stages=3}))' -o %t/agents.after
// RUN: diff %t/agents.before %t/agents.after

// 5. Regions shrink when they are final.
// RUN: tileiras-opt %t/regions.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-optimize-pipeline-region))' --remarks-filter=".*" -o %t/regions.after 2>&1 | FileCheck %s --check-prefix=REGION
// REGION: regions.mlir:11:10: remark: [Missed] Region | Category:pipeline | Function=regions | Reason="it is not final: tileas-unspecialized-pipeline has to run right before tileas-optimize-pipeline-region"
// RUN: tileiras-opt %t/regions.mlir -o %t/regions.before
// RUN: diff %t/regions.before %t/regions.after
// RUN: tileiras-opt %t/regions.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-unspecialized-pipeline,tileas-optimize-pipeline-region))' | FileCheck %s --check-prefix=FINAL
// RUN: tileiras-opt %t/regions.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-unspecialized-pipeline{num-stages=1},tileas-optimize-pipeline-region))' | FileCheck %s --check-prefix=FINAL
// FINAL: produce_one
// FINAL-NEXT: inc_iter
// FINAL-NEXT: yield

// 6. Products with scales are verified wherever they change, also where MLIR has been told not to.
// RUN: not tileiras-opt %t/scales.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-assign-dot-layouts))' 2>&1 | FileCheck %s --check-prefix=SCALES
// RUN: not tileiras-opt %t/scales.mlir --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 \
// RUN:   -pass-pipeline='builtin.module(nv_tileaa.func(tileas-assign-dot-layouts))' 2>&1 | FileCheck %s --check-prefix=SCALES
// SCALES: scales.mlir:3:8: error: 'nv_tileas.dot' op Scale factor vector size mismatch

// The two sides of a ring agree on their stages. As many iterations ahead as the ring has stages is the most.
// RUN: tileiras-opt %t/loop.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule))' | FileCheck %s --check-prefix=AGREE
// AGREE: create_pipeline
// RUN: sed 's/producer_commit %%p, %%t1 {pipeline_stage = 0 : i32}/producer_commit %%p, %%t1 {pipeline_stage = 1 : i32}/' %t/loop.mlir > %t/commit.mlir
// RUN: not tileiras-opt %t/commit.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule))' 2>&1 | FileCheck %s --check-prefix=COMMIT
// COMMIT: commit.mlir:[[LINE:[0-9]+]]:5: error: 'nv_tileas.async.pipeline.producer_commit' op Alias is not expected here.
// COMMIT: note: one stage of a pipeline has one that fills it
// COMMIT: commit.mlir:[[LINE]]:5: note: this is of stage 1
// COMMIT: note: this is of stage 0
// RUN: sed '/consumer_\|%%out1/s/ {pipeline_stage = 2 : i32}//' %t/loop.mlir > %t/none.mlir
// RUN: not tileiras-opt %t/none.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule))' 2>&1 | FileCheck %s --check-prefix=NOSTAGE
// NOSTAGE: none.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'nv_tileas.async.pipeline.consumer_wait' op Alias is not expected here.
// NOSTAGE: note: this has no stage of the schedule
// RUN: sed 's/pipeline_stage = 2/pipeline_stage = 4/' %t/loop.mlir > %t/far.mlir
// RUN: not tileiras-opt %t/far.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-generate-schedule,tileas-materialize-schedule))' 2>&1 | FileCheck %s --check-prefix=FAR
// FAR: far.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'nv_tileas.async.pipeline.consumer_wait' op Alias is not expected here.

//--- queue.mlir
module attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90"} {
nv_tileaa.func @queue(%x: i32) {
  %q = nv_tileaa.create_queue : !nv_tileaa.queue<i32>
  nv_tileaa.queue.put %q : !nv_tileaa.queue<i32> {
    nv_tileaa.queue.yield %x : i32
  }
  %y = nv_tileaa.queue.get %q : !nv_tileaa.queue<i32> -> (i32)
  nv_tileaa.return
}
}
//--- copies.mlir
!view = !nv_tileaa.tiled_view<[16, 64], padding = zero, !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[0, 0], [0, 0], [0, 0]]>
#s = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0]]>
#b = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0], [16, 0], [32, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0], [0, 0]]>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [0, 0], [0, 0]]>
module attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
nv_tileaa.func @copies(%v: !view, %n: i32, %y: tensor<64x8xf16, #b>, %z: tensor<16x8xf32, #c>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (tensor<16x8xf32, #c>) : i32 {
    %t = nv_tileas.alloc_tensor : tensor<16x64xf16, #s>

    // The copy's address follows from the counter.
    %a, %m = nv_tileas.async.tiled_load %v[%i, %c0] into %t {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #l} : !view, (i32, i32), tensor<16x64xf16, #s>
    nv_tileas.async.wait %a
    %p = nv_tileas.dot %t, %y, %s {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 8]>, fetch_a = #nv_tileas.ldsm<matrices = 4>} : tensor<16x64xf16, #s>, tensor<64x8xf16, #b>, tensor<16x8xf32, #c>
    scf.yield %p : tensor<16x8xf32, #c>
  }
  nv_tileaa.return
}
}
//--- conversion.mlir
#a = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
#b = #nv_tileas.linear<rank = 1, register = [], lane = [[4], [8], [16], [32], [64]], warp = [[1], [2]]>
module attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90"} {
nv_tileaa.func @conversion(%x: tensor<128xf32, #a>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %y = nv_tileas.convert_layout %x : tensor<128xf32, #a> -> tensor<128xf32, #b>
  nv_tileaa.return
}
}
//--- loop.mlir
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8]]>
!t = tensor<16xf32, #s>
!pipe = !nv_tileas.pipeline<3 x (!t)>
!iter = !nv_tileas.pipeline_iterator<3 x (!t)>
module attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90"} {
nv_tileaa.func @loop(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = nv_tileas.alloc_tensor : !t
  %b = nv_tileas.alloc_tensor : !t
  %c = nv_tileas.alloc_tensor : !t
  %p = nv_tileas.async.pipeline.create_pipeline %a, %b, %c {numStages = 3 : i32} : (!t, !t, !t) -> !pipe
  %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%in = %first, %out = %first) -> (!iter, !iter) : i32 {
    %t0 = nv_tileas.async.pipeline.producer_acquire %p, %in {pipeline_stage = 0 : i32} : !pipe, !iter
    %t1 = nv_tileas.async.pipeline.producer_write %p, %t0 {pipeline_stage = 0 : i32} : !pipe {
    ^bb0(%stage: !t):
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.producer_commit %p, %t1 {pipeline_stage = 0 : i32} : !pipe
    %in1 = nv_tileas.async.pipeline.inc_iter %in {pipeline_stage = 0 : i32} : !iter
    %c2 = nv_tileas.async.pipeline.consumer_wait %p, %out {pipeline_stage = 2 : i32} : !pipe, !iter
    %c3 = nv_tileas.async.pipeline.consumer_read %p, %c2 {pipeline_stage = 2 : i32} : !pipe {
    ^bb0(%stage: !t):
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.consumer_release %p, %c3 {pipeline_stage = 2 : i32} : !pipe
    %out1 = nv_tileas.async.pipeline.inc_iter %out {pipeline_stage = 2 : i32} : !iter
    scf.yield %in1, %out1 : !iter, !iter
  }
  nv_tileaa.return
}
}
//--- agents.mlir
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8]]>
!t = tensor<16xf32, #s>
!pipe = !nv_tileas.pipeline<2 x (!t)>
!iter = !nv_tileas.pipeline_iterator<2 x (!t)>
module attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90"} {
nv_tileaa.func @agents(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = nv_tileas.alloc_tensor : !t
  %b = nv_tileas.alloc_tensor : !t
  %p = nv_tileas.async.pipeline.create_pipeline %a, %b {numStages = 2 : i32} : (!t, !t) -> !pipe
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4>} {
    %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
    %e = scf.for %i = %c0 to %n step %c1 iter_args(%in = %first) -> (!iter) : i32 {
      %t0 = nv_tileas.async.pipeline.producer_acquire %p, %in {pipeline_stage = 0 : i32} : !pipe, !iter
      %in1 = nv_tileas.async.pipeline.inc_iter %in {pipeline_stage = 0 : i32} : !iter
      %late = arith.addi %i, %n {pipeline_stage = 1 : i32} : i32
      scf.yield %in1 : !iter
    }
  }
  nv_tileaa.return
}
}
//--- regions.mlir
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8]]>
!t = tensor<16xf32, #s>
!pipe = !nv_tileas.pipeline<2 x (!t)>
!iter = !nv_tileas.pipeline_iterator<2 x (!t)>
module attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90"} {
nv_tileaa.func @regions(%p: !pipe, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %e = scf.for %i = %c0 to %n step %c1 iter_args(%in = %first) -> (!iter) : i32 {
    %j = nv_tileas.async.pipeline.produce_one %p, %in {pipeline_stage = 0 : i32} : !pipe, !iter -> !iter {
      %next = nv_tileas.async.pipeline.inc_iter %in : !iter
      %dead = nv_tileas.async.pipeline.inc_iter %in : !iter
      nv_tileas.async.pipeline.yield %next : !iter
    }
    scf.yield %j : !iter
  }
  nv_tileaa.return
}
}
//--- scales.mlir
module attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100"} {
nv_tileaa.func @scales(%a: tensor<16x64xf8E4M3FN>, %b: tensor<64x16xf8E4M3FN>, %c: tensor<16x16xf32>, %s: tensor<16x2xf8E8M0FNU>) {
  %d = nv_tileas.dot %a, %b, %c scales(%s : tensor<16x2xf8E8M0FNU>, %s : tensor<16x2xf8E8M0FNU>) : tensor<16x64xf8E4M3FN>, tensor<64x16xf8E4M3FN>, tensor<16x16xf32>
  nv_tileaa.return
}
}
