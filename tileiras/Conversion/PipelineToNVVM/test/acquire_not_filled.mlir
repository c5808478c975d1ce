// RUN: tileiras-opt %s -allow-unregistered-dialect -convert-pipeline-to-nvvm | FileCheck %s
// An acquire that nothing follows, of stages that products release.

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
#b = #nv_tileas.shared<rank = 1, offset = [[1], [2]]>
#r = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<2 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<2 x (!tile)>
module attributes {nv_tileaa.compute_capability = 100 : i64} {
// The agent that multiplies reads the sums then: one thread waits, the others meet it, and fences order the products.
// CHECK-LABEL: func.func @reads_sums
// CHECK: agent_switch
// CHECK: nv_tileas.issuer
// CHECK: tcgen05.commit
// CHECK: scf.if
// CHECK: mbarrier.try_wait
// CHECK: tcgen05.fence::before_thread_sync
// CHECK: nvvm.barrier id
// CHECK: tcgen05.fence::after_thread_sync
// CHECK-NEXT: test.read_sums
func.func @reads_sums(%n: i32) attributes {nvvm.reqntid = array<i32: 256>} {
  %v = arith.constant dense<1.0> : tensor<64xf32, #r>
  %s0 = nv_tileas.alloc_tensor {offset = 0 : i64} : !tile
  %s1 = nv_tileas.alloc_tensor {offset = 256 : i64} : !tile
  %bars = nv_tileas.alloc_tensor {offset = 512 : i64} : tensor<4xi64, #b>
  %p = nv_tileas.async.pipeline.create_pipeline %s0, %s1 barriers %bars : tensor<4xi64, #b> {numStages = 2 : i32} : (!tile, !tile) -> !pipe
  nv_tileas.async.pipeline.agent_switch %p : !pipe attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>, barrier_ids = array<i32: 1, 2>} {
  ^bb0(%q: !pipe):
    %i = nv_tileas.async.pipeline.create_iterator %q : !pipe -> !iter
    %t0 = nv_tileas.async.pipeline.producer_acquire %q, %i : !pipe, !iter
    %t1 = nv_tileas.async.pipeline.producer_write %q, %t0 : !pipe {
    ^bb0(%stage: !tile):
      nv_tileas.copy %v, %stage : tensor<64xf32, #r>, !tile
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.producer_commit %q, %t1 : !pipe
    nv_tileas.async.pipeline.yield
  }, {
  ^bb0(%q: !pipe):
    %i = nv_tileas.async.pipeline.create_iterator %q : !pipe -> !iter
    %t0 = nv_tileas.async.pipeline.consumer_wait %q, %i : !pipe, !iter
    nv_tileas.async.pipeline.consumer_release %q, %t0 {nv_tileas.by_products} : !pipe
    %j = nv_tileas.async.pipeline.inc_iter %i : !iter
    %k = nv_tileas.async.pipeline.inc_iter %j : !iter
    %last = nv_tileas.async.pipeline.producer_acquire %q, %k : !pipe, !iter
    %sums = "test.read_sums"() : () -> i32
    nv_tileas.async.pipeline.yield
  }
  return
}

// The agent that fills the stages: each thread for itself.
// CHECK-LABEL: func.func @fills
// CHECK: agent_switch
// CHECK: mbarrier.arrive.shared
// CHECK-NOT: {{scf.if|tcgen05|nvvm.barrier}}
// CHECK: mbarrier.try_wait
// CHECK-NOT: {{scf.if|tcgen05|nvvm.barrier}}
// CHECK: test.end_of_agent
// CHECK: tcgen05.commit
func.func @fills(%n: i32) attributes {nvvm.reqntid = array<i32: 256>} {
  %v = arith.constant dense<1.0> : tensor<64xf32, #r>
  %s0 = nv_tileas.alloc_tensor {offset = 0 : i64} : !tile
  %s1 = nv_tileas.alloc_tensor {offset = 256 : i64} : !tile
  %bars = nv_tileas.alloc_tensor {offset = 512 : i64} : tensor<4xi64, #b>
  %p = nv_tileas.async.pipeline.create_pipeline %s0, %s1 barriers %bars : tensor<4xi64, #b> {numStages = 2 : i32} : (!tile, !tile) -> !pipe
  nv_tileas.async.pipeline.agent_switch %p : !pipe attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>, barrier_ids = array<i32: 1, 2>} {
  ^bb0(%q: !pipe):
    %i = nv_tileas.async.pipeline.create_iterator %q : !pipe -> !iter
    %t0 = nv_tileas.async.pipeline.producer_acquire %q, %i : !pipe, !iter
    %t1 = nv_tileas.async.pipeline.producer_write %q, %t0 : !pipe {
    ^bb0(%stage: !tile):
      nv_tileas.copy %v, %stage : tensor<64xf32, #r>, !tile
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.producer_commit %q, %t1 : !pipe
    %j = nv_tileas.async.pipeline.inc_iter %i : !iter
    %k = nv_tileas.async.pipeline.inc_iter %j : !iter
    %last = nv_tileas.async.pipeline.producer_acquire %q, %k : !pipe, !iter
    %end = "test.end_of_agent"() : () -> i32
    nv_tileas.async.pipeline.yield
  }, {
  ^bb0(%q: !pipe):
    %i = nv_tileas.async.pipeline.create_iterator %q : !pipe -> !iter
    %t0 = nv_tileas.async.pipeline.consumer_wait %q, %i : !pipe, !iter
    nv_tileas.async.pipeline.consumer_release %q, %t0 {nv_tileas.by_products} : !pipe
    nv_tileas.async.pipeline.yield
  }
  return
}
}
