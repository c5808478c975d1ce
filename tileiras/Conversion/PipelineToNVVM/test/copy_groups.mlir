// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -convert-pipeline-to-nvvm | FileCheck %s

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
#l = #nv_tileas.linear<rank = 1, register = [[1], [2]], lane = [[4], [8], [16], [32], [0]], warp = [[0], [0]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<3 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<3 x (!tile)>
!view = !nv_tileaa.tiled_view<[64], padding = zero, !nv_tileaa.memref<?xf32, strides = [1]>>
module attributes {nv_tileaa.compute_capability = 80 : i64} {
// Two stages filled before the loop: in it one group may still be under way behind the wait, and the threads that have met
// in it are done with the stage that is filled next.
// CHECK-LABEL: func.func @ahead
// CHECK: nvvm.barrier0
// CHECK-COUNT-2: nvvm.cp.async.commit.group
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 1
// CHECK: nvvm.barrier0
// CHECK-NOT: nvvm.barrier
// CHECK: scf.if
// CHECK: nv_tileas.async.tiled_load {{.*}}no_war_barrier
// CHECK: }
// CHECK: nvvm.cp.async.commit.group
// CHECK-NOT: nvvm.barrier
// CHECK: scf.yield
func.func @ahead(%v: !view, %n: i32, %more: i1) attributes {nvvm.reqntid = array<i32: 128>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s0 = nv_tileas.alloc_tensor {offset = 0 : i64} : !tile
  %s1 = nv_tileas.alloc_tensor {offset = 256 : i64} : !tile
  %s2 = nv_tileas.alloc_tensor {offset = 512 : i64} : !tile
  %p = nv_tileas.async.pipeline.create_pipeline %s0, %s1, %s2 {groups, numStages = 3 : i32} : (!tile, !tile, !tile) -> !pipe
  %i0 = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %a0 = nv_tileas.async.pipeline.producer_acquire %p, %i0 : !pipe, !iter
  nv_tileas.async.pipeline.producer_commit %p, %a0 : !pipe
  %i1 = nv_tileas.async.pipeline.inc_iter %i0 : !iter
  %a1 = nv_tileas.async.pipeline.producer_acquire %p, %i1 : !pipe, !iter
  nv_tileas.async.pipeline.producer_commit %p, %a1 : !pipe
  %i2 = nv_tileas.async.pipeline.inc_iter %i1 : !iter
  %e:2 = scf.for %k = %c0 to %n step %c1 iter_args(%in = %i2, %out = %i0) -> (!iter, !iter) : i32 {
    %w = nv_tileas.async.pipeline.consumer_wait %p, %out : !pipe, !iter
    %t0 = nv_tileas.async.pipeline.producer_acquire %p, %in if %more : !pipe, !iter
    %t1 = nv_tileas.async.pipeline.producer_write %p, %t0 if %more : !pipe {
    ^bb0(%stage: !tile):
      %d, %m0 = nv_tileas.async.tiled_load %v[%k] into %stage {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #l} : !view, (i32), !tile
      nv_tileas.async.pipeline.yield %d : !nv_tileas.async.token
    }
    nv_tileas.async.pipeline.producer_commit %p, %t1 if %more : !pipe
    nv_tileas.async.pipeline.consumer_release %p, %w : !pipe
    %in1 = nv_tileas.async.pipeline.inc_iter %in : !iter
    %out1 = nv_tileas.async.pipeline.inc_iter %out : !iter
    scf.yield %in1, %out1 : !iter, !iter
  }
  return
}

// Filled in the iteration that reads it, behind the last release: nothing is under way behind the wait, and where there is
// one stage the acquire makes the threads meet.
// CHECK-LABEL: func.func @one
// CHECK-NOT: nvvm.barrier
// CHECK: scf.for
// CHECK: nvvm.barrier0
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: nvvm.barrier0
func.func @one(%n: i32) attributes {nvvm.reqntid = array<i32: 128>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s0 = nv_tileas.alloc_tensor {offset = 0 : i64} : !tile
  %p = nv_tileas.async.pipeline.create_pipeline %s0 {groups, no_war_barrier, numStages = 1 : i32} : (!tile) -> !nv_tileas.pipeline<1 x (!tile)>
  %i0 = nv_tileas.async.pipeline.create_iterator %p : !nv_tileas.pipeline<1 x (!tile)> -> !nv_tileas.pipeline_iterator<1 x (!tile)>
  %e = scf.for %k = %c0 to %n step %c1 iter_args(%in = %i0) -> (!nv_tileas.pipeline_iterator<1 x (!tile)>) : i32 {
    %t0 = nv_tileas.async.pipeline.producer_acquire %p, %in : !nv_tileas.pipeline<1 x (!tile)>, !nv_tileas.pipeline_iterator<1 x (!tile)>
    nv_tileas.async.pipeline.producer_commit %p, %t0 : !nv_tileas.pipeline<1 x (!tile)>
    %w = nv_tileas.async.pipeline.consumer_wait %p, %in : !nv_tileas.pipeline<1 x (!tile)>, !nv_tileas.pipeline_iterator<1 x (!tile)>
    nv_tileas.async.pipeline.consumer_release %p, %w : !nv_tileas.pipeline<1 x (!tile)>
    %in1 = nv_tileas.async.pipeline.inc_iter %in : !nv_tileas.pipeline_iterator<1 x (!tile)>
    scf.yield %in1 : !nv_tileas.pipeline_iterator<1 x (!tile)>
  }
  return
}
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<2 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<2 x (!tile)>
// The stage that is read next has not been committed to.
func.func @early(%n: i32) attributes {nvvm.reqntid = array<i32: 128>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s0 = nv_tileas.alloc_tensor {offset = 0 : i64} : !tile
  %s1 = nv_tileas.alloc_tensor {offset = 256 : i64} : !tile
  %p = nv_tileas.async.pipeline.create_pipeline %s0, %s1 {groups, numStages = 2 : i32} : (!tile, !tile) -> !pipe
  %i0 = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %e = scf.for %k = %c0 to %n step %c1 iter_args(%in = %i0) -> (!iter) : i32 {
    // expected-error @below {{of a ring of groups expects a stage that has been committed to}}
    %w = nv_tileas.async.pipeline.consumer_wait %p, %in : !pipe, !iter
    nv_tileas.async.pipeline.consumer_release %p, %w : !pipe
    %t0 = nv_tileas.async.pipeline.producer_acquire %p, %in : !pipe, !iter
    nv_tileas.async.pipeline.producer_commit %p, %t0 : !pipe
    %in1 = nv_tileas.async.pipeline.inc_iter %in : !iter
    scf.yield %in1 : !iter
  }
  return
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<2 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<2 x (!tile)>
// Two stages ahead in a ring of two: what is overwritten is read later in the iteration.
func.func @overwritten(%n: i32) attributes {nvvm.reqntid = array<i32: 128>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s0 = nv_tileas.alloc_tensor {offset = 0 : i64} : !tile
  %s1 = nv_tileas.alloc_tensor {offset = 256 : i64} : !tile
  %p = nv_tileas.async.pipeline.create_pipeline %s0, %s1 {groups, numStages = 2 : i32} : (!tile, !tile) -> !pipe
  %i0 = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %a0 = nv_tileas.async.pipeline.producer_acquire %p, %i0 : !pipe, !iter
  nv_tileas.async.pipeline.producer_commit %p, %a0 : !pipe
  %i1 = nv_tileas.async.pipeline.inc_iter %i0 : !iter
  %a1 = nv_tileas.async.pipeline.producer_acquire %p, %i1 : !pipe, !iter
  nv_tileas.async.pipeline.producer_commit %p, %a1 : !pipe
  %i2 = nv_tileas.async.pipeline.inc_iter %i1 : !iter
  %e:2 = scf.for %k = %c0 to %n step %c1 iter_args(%in = %i2, %out = %i0) -> (!iter, !iter) : i32 {
    %w = nv_tileas.async.pipeline.consumer_wait %p, %out : !pipe, !iter
    // expected-error @below {{of a ring of groups fills a stage that has not been read}}
    %t0 = nv_tileas.async.pipeline.producer_acquire %p, %in : !pipe, !iter
    nv_tileas.async.pipeline.producer_commit %p, %t0 : !pipe
    nv_tileas.async.pipeline.consumer_release %p, %w : !pipe
    %in1 = nv_tileas.async.pipeline.inc_iter %in : !iter
    %out1 = nv_tileas.async.pipeline.inc_iter %out : !iter
    scf.yield %in1, %out1 : !iter, !iter
  }
  return
}
