// A loop of produce_one and consume_one with the schedule of three stages in the spelling of the seeds (stage, iter_offset),
// pipelined by one agent and executed: each stage of each iteration runs once, in trip counts around the number of stages
// and with steps of 1 and 3, and what is stored is what was loaded. The log counts, per iteration: produced, consumed.
// RUN: tileiras %s --gpu-name=sm_90 --emit=tileas -o - | FileCheck %s
// RUN: tileiras %s --gpu-name=sm_90 --emit=ptx -o %t.ptx
// RUN: %python %S/Inputs/pipeline_log.py %s %t.ptx

// Two iterations are produced before the loop; in it the consumer stands before the producer of two iterations later.
// CHECK-COUNT-2: producer_acquire
// CHECK: scf.for
// CHECK-NOT: producer_acquire
// CHECK: consumer_wait
// CHECK: consumer_release
// CHECK: producer_acquire %{{.*}} if
// CHECK: producer_commit %{{.*}} if
// CHECK-NOT: pipeline.produce_one
// CHECK-NOT: pipeline.consume_one
// CHECK-NOT: iter_offset

!x = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!x_tile = !nv_tileaa.tiled_view<[1, 64], padding = zero, !x>
#loaded = #nv_tileas.linear<rank = 2, register = [[0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 0], [0, 0]]>
#shared = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]>
!tile = tensor<1x64xf32, #shared>
!pipe = !nv_tileas.pipeline<3 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<3 x (!tile)>
gpu.module @kernels {
  nv_tileaa.func @log(%x: !nv_tileaa.ptr<f32>, %y: !nv_tileaa.ptr<f32>, %log: !nv_tileaa.ptr<i32>, %n: i32, %step: i32)
      attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    %xm = nv_tileaa.make_memref %x, sizes [%c16], strides [] : !nv_tileaa.ptr<f32>, (i32), () -> !x
    %ym = nv_tileaa.make_memref %y, sizes [%c16], strides [] : !nv_tileaa.ptr<f32>, (i32), () -> !x
    %from = nv_tileaa.block_tile %xm : !x -> !x_tile
    %to = nv_tileaa.block_tile %ym : !x -> !x_tile
    %s0 = nv_tileas.alloc_tensor : !tile
    %s1 = nv_tileas.alloc_tensor : !tile
    %s2 = nv_tileas.alloc_tensor : !tile
    %p = nv_tileas.async.pipeline.create_pipeline %s0, %s1, %s2 {numStages = 3 : i32} : (!tile, !tile, !tile) -> !pipe
    %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
    %end:2 = scf.for %k = %c0 to %n step %step iter_args(%in = %first, %out = %first) -> (!iter, !iter) : i32 {
      %next_in = nv_tileas.async.pipeline.produce_one %p, %in {stage = 0 : i32, iter_offset = 0 : i32} : !pipe, !iter -> !iter {
        %t0 = nv_tileas.async.pipeline.producer_acquire %p, %in : !pipe, !iter
        %t1 = nv_tileas.async.pipeline.producer_write %p, %t0 : !pipe {
        ^bb0(%stage: !tile):
          %a, %m0 = nv_tileas.tiled_load %from[%k, %c0] {vec = 1 : i32} : !x_tile, (i32, i32) -> tensor<1x64xf32, #loaded>
          nv_tileas.copy %a, %stage : tensor<1x64xf32, #loaded>, !tile
          %where = nv_tileaa.addptr %log, %k : !nv_tileaa.ptr<i32>, i32
          %old, %m1 = nv_tileaa.atomic_rmw %where, %c1 {rmw_mode = #nv_tileaa.rmw_mode<add>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>} : !nv_tileaa.ptr<i32> -> i32
          nv_tileas.async.pipeline.yield
        }
        nv_tileas.async.pipeline.producer_commit %p, %t1 : !pipe
        %j = nv_tileas.async.pipeline.inc_iter %in : !iter
        nv_tileas.async.pipeline.yield %j : !iter
      }
      %next_out = nv_tileas.async.pipeline.consume_one %p, %out {stage = 2 : i32, iter_offset = -2 : i32} : !pipe, !iter -> !iter {
        %t0 = nv_tileas.async.pipeline.consumer_wait %p, %out : !pipe, !iter
        %t1, %a = nv_tileas.async.pipeline.consumer_read %p, %t0 : !pipe -> tensor<1x64xf32, #loaded> {
        ^bb0(%stage: !tile):
          %v = nv_tileas.convert_layout %stage {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : !tile -> tensor<1x64xf32, #loaded>
          nv_tileas.async.pipeline.yield %v : tensor<1x64xf32, #loaded>
        }
        nv_tileas.async.pipeline.consumer_release %p, %t1 : !pipe
        %m2 = nv_tileas.tiled_store %to[%k, %c0], %a : !x_tile, (i32, i32), tensor<1x64xf32, #loaded>
        %k16 = arith.addi %k, %c16 : i32
        %where = nv_tileaa.addptr %log, %k16 : !nv_tileaa.ptr<i32>, i32
        %old, %m1 = nv_tileaa.atomic_rmw %where, %c1 {rmw_mode = #nv_tileaa.rmw_mode<add>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>} : !nv_tileaa.ptr<i32> -> i32
        %j = nv_tileas.async.pipeline.inc_iter %out : !iter
        nv_tileas.async.pipeline.yield %j : !iter
      }
      scf.yield %next_in, %next_out : !iter, !iter
    }
    nv_tileaa.return
  }
}
