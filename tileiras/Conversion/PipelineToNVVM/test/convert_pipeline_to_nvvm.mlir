// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -convert-pipeline-to-nvvm | FileCheck %s

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
#b = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4]]>
#r = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<3 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<3 x (!tile)>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// One thread: full counts the 128 threads of the producer, empty the two warps of the consumer.
// CHECK-LABEL: func.func @ring
// CHECK: nvvm.read.ptx.sreg.tid.x
// CHECK: scf.if
// CHECK: llvm.mlir.constant(128 : i32)
// CHECK: llvm.call_intrinsic "llvm.nvvm.mbarrier.init.shared"
// CHECK: llvm.mlir.constant(2 : i32)
// CHECK: llvm.call_intrinsic "llvm.nvvm.mbarrier.init.shared"
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.mbarrier.init.shared"
// CHECK: nvvm.barrier0
// CHECK: agent_switch
// Iterators are carried as stage and parity. The producer waits for the other parity; the copy needs no barrier.
// CHECK: scf.for {{.*}} iter_args(%[[STAGE:.*]] = %{{.*}}, %[[PARITY:.*]] = %{{.*}}) -> (i32, i32)
// CHECK: %[[SIZE:.*]] = llvm.mlir.constant(16 : i32)
// CHECK: llvm.mul %[[STAGE]], %[[SIZE]]
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: llvm.xor %[[PARITY]], %[[ONE]]
// CHECK: scf.while
// CHECK: mbarrier.try_wait.parity.shared.b64
// CHECK: nv_tileas.copy {{.*}}no_war_barrier{{.*}}nv_tileas.no_raw_barrier
// CHECK: llvm.call_intrinsic "llvm.nvvm.mbarrier.arrive.shared"
// CHECK: %[[WRAPS:.*]] = llvm.icmp "eq"
// CHECK: %[[NEXT:.*]] = llvm.select %[[WRAPS]]
// CHECK: %[[TURNS:.*]] = llvm.zext %[[WRAPS]]
// CHECK: %[[OTHER:.*]] = llvm.xor %[[PARITY]], %[[TURNS]]
// CHECK: scf.yield %[[NEXT]], %[[OTHER]] : i32, i32
// CHECK: mbarrier.try_wait.parity.shared.b64
// Threads read the stage: the lanes of a warp meet, one of them arrives.
// CHECK: nv_tileas.convert_layout
// CHECK: nvvm.bar.warp.sync
// CHECK: @one mbarrier.arrive.shared.b64 _,
// CHECK-NOT: nv_tileas.async.pipeline.{{[cp]}}
func.func @ring(%n: i32) attributes {nvvm.reqntid = array<i32: 256>} {
  %v = arith.constant dense<1.0> : tensor<64xf32, #r>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s0 = nv_tileas.alloc_tensor {offset = 0 : i64} : !tile
  %s1 = nv_tileas.alloc_tensor {offset = 256 : i64} : !tile
  %s2 = nv_tileas.alloc_tensor {offset = 512 : i64} : !tile
  %bars = nv_tileas.alloc_tensor {offset = 768 : i64} : tensor<8xi64, #b>
  %p = nv_tileas.async.pipeline.create_pipeline %s0, %s1, %s2 barriers %bars : tensor<8xi64, #b> {numStages = 3 : i32} : (!tile, !tile, !tile) -> !pipe
  nv_tileas.async.pipeline.agent_switch %p : !pipe attributes {num_warps = array<i32: 4, 2>, warp_id = array<i32: 0, 4>, barrier_ids = array<i32: 1, 2>} {
  ^bb0(%q: !pipe):
    %i = nv_tileas.async.pipeline.create_iterator %q : !pipe -> !iter
    %e = scf.for %k = %c0 to %n step %c1 iter_args(%it = %i) -> (!iter) : i32 {
      %t0 = nv_tileas.async.pipeline.producer_acquire %q, %it : !pipe, !iter
      %t1 = nv_tileas.async.pipeline.producer_write %q, %t0 : !pipe {
      ^bb0(%stage: !tile):
        nv_tileas.copy %v, %stage : tensor<64xf32, #r>, !tile
        nv_tileas.async.pipeline.yield
      }
      nv_tileas.async.pipeline.producer_commit %q, %t1 : !pipe
      %j = nv_tileas.async.pipeline.inc_iter %it : !iter
      scf.yield %j : !iter
    }
  }, {
  ^bb0(%q: !pipe):
    %i = nv_tileas.async.pipeline.create_iterator %q : !pipe -> !iter
    %t0 = nv_tileas.async.pipeline.consumer_wait %q, %i : !pipe, !iter
    %t1, %x = nv_tileas.async.pipeline.consumer_read %q, %t0 : !pipe -> tensor<64xf32, #r> {
    ^bb0(%stage: !tile):
      %y = nv_tileas.convert_layout %stage {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : !tile -> tensor<64xf32, #r>
      nv_tileas.async.pipeline.yield %y : tensor<64xf32, #r>
    }
    nv_tileas.async.pipeline.consumer_release %q, %t1 : !pipe
  }
  return
}
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<1 x (!tile)>
func.func @unallocated() {
  %s0 = nv_tileas.alloc_tensor {offset = 0 : i64} : !tile
  // expected-error @below {{has no barriers; tileas-alloc-pipeline-barriers gives it two per stage}}
  %p = nv_tileas.async.pipeline.create_pipeline %s0 {numStages = 1 : i32} : (!tile) -> !pipe
  return
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
#b = #nv_tileas.shared<rank = 1, offset = [[1]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<1 x (!tile)>
func.func @one_sided() {
  %s0 = nv_tileas.alloc_tensor {offset = 0 : i64} : !tile
  %bars = nv_tileas.alloc_tensor {offset = 256 : i64} : tensor<2xi64, #b>
  // expected-error @below {{expects a producer that commits and consumers that release}}
  %p = nv_tileas.async.pipeline.create_pipeline %s0 barriers %bars : tensor<2xi64, #b> {numStages = 1 : i32} : (!tile) -> !pipe
  return
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<1 x (!tile)>
func.func @from_outside(%p: !pipe, %t: !nv_tileas.producer_token) {
  // expected-error @below {{expects a pipeline that create_pipeline has made before, directly or as a capture}}
  nv_tileas.async.pipeline.producer_commit %p, %t : !pipe
  return
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
#b = #nv_tileas.shared<rank = 1, offset = [[1]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<1 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<1 x (!tile)>
func.func @wrong_consumer(%t: !nv_tileas.producer_token) {
  %s0 = nv_tileas.alloc_tensor {offset = 0 : i64} : !tile
  %bars = nv_tileas.alloc_tensor {offset = 256 : i64} : tensor<2xi64, #b>
  %p = nv_tileas.async.pipeline.create_pipeline %s0 barriers %bars : tensor<2xi64, #b> {numStages = 1 : i32} : (!tile) -> !pipe
  %i = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  nv_tileas.async.pipeline.producer_commit %p, %t : !pipe
  // expected-error @below {{'consumer_idx' is 1, the pipeline has 1 consumers}}
  %u = nv_tileas.async.pipeline.consumer_wait %p, %i {consumer_idx = 1 : i32} : !pipe, !iter
  nv_tileas.async.pipeline.consumer_release %p, %u : !pipe
  return
}

// -----

// Sides of a pipeline come from the groups of agents that it names.
#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
#b = #nv_tileas.shared<rank = 1, offset = [[1]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<1 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<1 x (!tile)>
func.func @groups() {
  %s0 = nv_tileas.alloc_tensor {offset = 0 : i64} : !tile
  %bars = nv_tileas.alloc_tensor {offset = 256 : i64} : tensor<2xi64, #b>
  // expected-error @below {{names group 2 of agents, but agent 2, of group 1, releases its stages}}
  %p = nv_tileas.async.pipeline.create_pipeline %s0 barriers %bars : tensor<2xi64, #b> {numStages = 1 : i32, producerGroupId = 0 : i8, consumerGroupId = 2 : i8} : (!tile) -> !pipe
  nv_tileas.async.pipeline.agent_switch %p : !pipe attributes {num_warps = array<i32: 1, 1, 1, 1>, warp_id = array<i32: 0, 1, 2, 3>, num_agents_per_group = 2 : i32} {
  ^bb0(%q: !pipe):
    nv_tileas.async.pipeline.yield
  }, {
  ^bb0(%q: !pipe):
    %i = nv_tileas.async.pipeline.create_iterator %q : !pipe -> !iter
    %t = nv_tileas.async.pipeline.producer_acquire %q, %i : !pipe, !iter
    nv_tileas.async.pipeline.producer_commit %q, %t : !pipe
  }, {
  ^bb0(%q: !pipe):
    %i = nv_tileas.async.pipeline.create_iterator %q : !pipe -> !iter
    %t = nv_tileas.async.pipeline.consumer_wait %q, %i : !pipe, !iter
    nv_tileas.async.pipeline.consumer_release %q, %t : !pipe
  }, {
  ^bb0(%q: !pipe):
    nv_tileas.async.pipeline.yield
  }
  return
}
