// RUN: tileiras-opt %s | FileCheck %s
// RUN: tileiras-opt %s -mlir-print-op-generic | tileiras-opt | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-alloc-pipeline-barriers,tileas-optimize-alloc-tensor)))' | FileCheck %s --check-prefix=ALLOC

#r = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<3 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<3 x (!tile)>
// CHECK-LABEL: nv_tileaa.func @ring
// CHECK: nv_tileas.async.pipeline.create_pipeline %{{.*}}, %{{.*}}, %{{.*}} {numStages = 3 : i32} : (tensor<64xf32, #shared>, tensor<64xf32, #shared>, tensor<64xf32, #shared>) -> !nv_tileas.pipeline<3 x (tensor<64xf32, #shared>)>
// CHECK: nv_tileas.async.pipeline.create_iterator %{{.*}} : !nv_tileas.pipeline<3 x (tensor<64xf32, #shared>)> -> !nv_tileas.pipeline_iterator<3 x (tensor<64xf32, #shared>)>
// CHECK: nv_tileas.async.pipeline.producer_acquire
// CHECK: nv_tileas.async.pipeline.producer_write
// CHECK: nv_tileas.async.pipeline.producer_commit
// CHECK: nv_tileas.async.pipeline.inc_iter
// CHECK: nv_tileas.async.pipeline.consumer_wait %{{.*}}, %{{.*}} {consumer_idx = 1 : i32}
// CHECK: nv_tileas.async.pipeline.consumer_read
// CHECK: nv_tileas.async.pipeline.consumer_release

// The stages, and the six barriers in a tile of eight, live as long as the pipeline is used: through the agents.
// ALLOC-DAG: alloc_tensor {offset = 0 : i64} : tensor<64xf32
// ALLOC-DAG: alloc_tensor {offset = 256 : i64} : tensor<64xf32
// ALLOC-DAG: alloc_tensor {offset = 512 : i64} : tensor<64xf32
// ALLOC-DAG: alloc_tensor {offset = 768 : i64} : tensor<8xi64
// ALLOC: create_pipeline {{.*}} barriers %{{.*}} : tensor<8xi64
// ALLOC: alloc_tensor {offset = 832 : i64} : tensor<16xf32
gpu.module @kernels {
  nv_tileaa.func @ring() {
    %v = arith.constant dense<1.0> : tensor<64xf32, #r>
    %w = arith.constant dense<1.0> : tensor<16xf32, #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [0]], warp = [[0], [0]]>>
    %a = nv_tileas.alloc_tensor : !tile
    %b = nv_tileas.alloc_tensor : !tile
    %c = nv_tileas.alloc_tensor : !tile
    %p = nv_tileas.async.pipeline.create_pipeline %a, %b, %c {numStages = 3 : i32} : (!tile, !tile, !tile) -> !pipe
    nv_tileas.async.pipeline.agent_switch %p : !pipe attributes {num_warps = array<i32: 4, 4>} {
    ^bb0(%q: !pipe):
      %own = nv_tileas.alloc_tensor : tensor<16xf32, #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8]]>>
      nv_tileas.copy %w, %own : tensor<16xf32, #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [0]], warp = [[0], [0]]>>, tensor<16xf32, #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8]]>>
      %i = nv_tileas.async.pipeline.create_iterator %q : !pipe -> !iter
      %t0 = nv_tileas.async.pipeline.producer_acquire %q, %i : !pipe, !iter
      %t1 = nv_tileas.async.pipeline.producer_write %q, %t0 : !pipe {
      ^bb0(%stage: !tile):
        nv_tileas.copy %v, %stage : tensor<64xf32, #r>, !tile
        nv_tileas.async.pipeline.yield
      }
      nv_tileas.async.pipeline.producer_commit %q, %t1 : !pipe
      %j = nv_tileas.async.pipeline.inc_iter %i : !iter
    }, {
    ^bb0(%q: !pipe):
      %i = nv_tileas.async.pipeline.create_iterator %q : !pipe -> !iter
      %t0 = nv_tileas.async.pipeline.consumer_wait %q, %i {consumer_idx = 1 : i32} : !pipe, !iter
      %t1, %x = nv_tileas.async.pipeline.consumer_read %q, %t0 {consumer_idx = 1 : i32} : !pipe -> tensor<64xf32, #r> {
      ^bb0(%stage: !tile):
        %y = nv_tileas.convert_layout %stage {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : !tile -> tensor<64xf32, #r>
        nv_tileas.async.pipeline.yield %y : tensor<64xf32, #r>
      }
      nv_tileas.async.pipeline.consumer_release %q, %t1 : !pipe
    }
    nv_tileaa.return
  }
}
