// RUN: tileiras-opt %s -split-input-file -convert-pipeline-to-nvvm | FileCheck %s

// The producing side is two stages ahead of the reading one in a ring of three: its next stage is the one that is being
// read, a round later, and nothing is counted for it. The token that the loop begins with stands for the stage before the
// first, so that LLVM finds both to be the same.
#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
#b = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<3 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<3 x (!tile)>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @two_ahead
// CHECK-DAG: %[[BEFORE:.*]] = llvm.mlir.constant(2 : i32)
// CHECK: scf.for {{.*}} iter_args(%{{.*}}, %{{.*}}, %[[STAGE:.*]] = %{{.*}}, %[[PARITY:.*]] = %{{.*}}, %{{.*}} = %[[BEFORE]], %{{.*}}) -> (i32, i32, i32, i32, i32, i32)
// CHECK: %[[FLIPPED:.*]] = llvm.xor %[[PARITY]]
// CHECK: %[[NEXT:.*]] = llvm.select
// CHECK: %[[TURNED:.*]] = llvm.xor %[[PARITY]]
// CHECK: scf.yield %[[STAGE]], %[[FLIPPED]], %[[NEXT]], %[[TURNED]], %[[STAGE]], %[[PARITY]]
func.func @two_ahead(%n: i32) attributes {nvvm.reqntid = array<i32: 128>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s0 = nv_tileas.alloc_tensor {offset = 0 : i64} : !tile
  %s1 = nv_tileas.alloc_tensor {offset = 256 : i64} : !tile
  %s2 = nv_tileas.alloc_tensor {offset = 512 : i64} : !tile
  %bars = nv_tileas.alloc_tensor {offset = 768 : i64} : tensor<8xi64, #b>
  %p = nv_tileas.async.pipeline.create_pipeline %s0, %s1, %s2 barriers %bars : tensor<8xi64, #b> {numStages = 3 : i32} : (!tile, !tile, !tile) -> !pipe
  %i0 = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %i1 = nv_tileas.async.pipeline.inc_iter %i0 : !iter
  %i2 = nv_tileas.async.pipeline.inc_iter %i1 : !iter
  %none = ub.poison : !nv_tileas.consumer_token
  %e:3 = scf.for %k = %c0 to %n step %c1 iter_args(%in = %i2, %out = %i0, %last = %none) -> (!iter, !iter, !nv_tileas.consumer_token) : i32 {
    %w = nv_tileas.async.pipeline.consumer_wait %p, %out : !pipe, !iter
    nv_tileas.async.pipeline.consumer_release %p, %last : !pipe
    %t = nv_tileas.async.pipeline.producer_acquire %p, %in : !pipe, !iter
    nv_tileas.async.pipeline.producer_commit %p, %t : !pipe
    %in1 = nv_tileas.async.pipeline.inc_iter %in : !iter
    %out1 = nv_tileas.async.pipeline.inc_iter %out : !iter
    scf.yield %in1, %out1, %w : !iter, !iter, !nv_tileas.consumer_token
  }
  return
}
}

// -----

// One stage ahead in a ring of three: both are counted.
#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
#b = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<3 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<3 x (!tile)>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @one_ahead
// CHECK: scf.for
// CHECK-COUNT-2: llvm.select
// CHECK: scf.yield
func.func @one_ahead(%n: i32) attributes {nvvm.reqntid = array<i32: 128>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s0 = nv_tileas.alloc_tensor {offset = 0 : i64} : !tile
  %s1 = nv_tileas.alloc_tensor {offset = 256 : i64} : !tile
  %s2 = nv_tileas.alloc_tensor {offset = 512 : i64} : !tile
  %bars = nv_tileas.alloc_tensor {offset = 768 : i64} : tensor<8xi64, #b>
  %q = nv_tileas.async.pipeline.create_pipeline %s0, %s1, %s2 barriers %bars : tensor<8xi64, #b> {numStages = 3 : i32} : (!tile, !tile, !tile) -> !pipe
  %j0 = nv_tileas.async.pipeline.create_iterator %q : !pipe -> !iter
  %j1 = nv_tileas.async.pipeline.inc_iter %j0 : !iter
  %e:2 = scf.for %k = %c0 to %n step %c1 iter_args(%in = %j1, %out = %j0) -> (!iter, !iter) : i32 {
    %w = nv_tileas.async.pipeline.consumer_wait %q, %out : !pipe, !iter
    nv_tileas.async.pipeline.consumer_release %q, %w : !pipe
    %t = nv_tileas.async.pipeline.producer_acquire %q, %in : !pipe, !iter
    nv_tileas.async.pipeline.producer_commit %q, %t : !pipe
    %in1 = nv_tileas.async.pipeline.inc_iter %in : !iter
    %out1 = nv_tileas.async.pipeline.inc_iter %out : !iter
    scf.yield %in1, %out1 : !iter, !iter
  }
  return
}
}

// -----

// By a count of fillings: two rounds of a ring of three lead back to the same place, and what is left of the count wraps once or twice.
#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
#b = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<3 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<3 x (!tile)>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @by_count
// CHECK-SAME: (%{{.*}}: i32, %[[COUNT:.*]]: i32)
// CHECK: scf.for {{.*}} iter_args(%[[STAGE:.*]] = %{{.*}}, %[[PARITY:.*]] = %{{.*}}) -> (i32, i32)
// CHECK: %[[LEFT:.*]] = llvm.urem %[[COUNT]], %{{.*}} : i32
// CHECK: %[[SUM:.*]] = llvm.add %[[STAGE]], %[[LEFT]]
// CHECK: llvm.icmp "uge" %[[SUM]]
// CHECK: llvm.icmp "uge" %[[SUM]]
// CHECK: %[[NEXT:.*]] = llvm.sub %[[SUM]]
// CHECK: %[[TURNED:.*]] = llvm.xor %[[PARITY]]
// CHECK: scf.yield %[[NEXT]], %[[TURNED]]
func.func @by_count(%n: i32, %count: i32) attributes {nvvm.reqntid = array<i32: 128>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s0 = nv_tileas.alloc_tensor {offset = 0 : i64} : !tile
  %s1 = nv_tileas.alloc_tensor {offset = 256 : i64} : !tile
  %s2 = nv_tileas.alloc_tensor {offset = 512 : i64} : !tile
  %bars = nv_tileas.alloc_tensor {offset = 768 : i64} : tensor<8xi64, #b>
  %p = nv_tileas.async.pipeline.create_pipeline %s0, %s1, %s2 barriers %bars : tensor<8xi64, #b> {numStages = 3 : i32} : (!tile, !tile, !tile) -> !pipe
  %i0 = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %e = scf.for %k = %c0 to %n step %c1 iter_args(%at = %i0) -> (!iter) : i32 {
    %t = nv_tileas.async.pipeline.producer_acquire %p, %at : !pipe, !iter
    nv_tileas.async.pipeline.producer_commit %p, %t : !pipe
    %w = nv_tileas.async.pipeline.consumer_wait %p, %at : !pipe, !iter
    nv_tileas.async.pipeline.consumer_release %p, %w : !pipe
    %next = nv_tileas.async.pipeline.inc_iter %at by %count : !iter
    scf.yield %next : !iter
  }
  return
}
}
