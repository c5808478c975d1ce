// Two agents that have every other tile block have to have turns: what tileas-take-turns cannot give them is an error, and so is a ring that nobody has given any.
// RUN: split-file %s %t
// RUN: not tileiras-opt %t/elsewhere.mlir --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-take-turns)))' 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// RUN: not tileiras-opt %t/alone.mlir --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-take-turns)))' 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not tileiras-opt %t/ring.mlir -convert-pipeline-to-nvvm 2>&1 | FileCheck %s --check-prefix=RING
// ELSEWHERE: elsewhere.mlir:14:7: error: {{.*}}of every other tile block expects its agent to wait for stages in it, and nowhere else
// ALONE: alone.mlir:{{.*}}: error: {{.*}}of every other tile block expects to be that of the first agent or the second, and two barriers
// RING: ring.mlir:{{.*}}: error: {{.*}}has consumers of every other tile block, whose turns tileas-take-turns gives them

//--- elsewhere.mlir
#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<1 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<1 x (!tile)>
gpu.module @m {
  nv_tileaa.func @f(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %s0 = nv_tileas.alloc_tensor : !tile
    %p = nv_tileas.async.pipeline.create_pipeline %s0 {numStages = 1 : i32} : (!tile) -> !pipe
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4, 4>} {
      %i = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
      %w = nv_tileas.async.pipeline.consumer_wait %p, %i : !pipe, !iter
      scf.for %t = %c0 to %n step %c2 : i32 {
        %v = nv_tileas.async.pipeline.consumer_wait %p, %i : !pipe, !iter
      } {nv_tileas.tile_turns = array<i32: 13, 14>}
    }, {
    }, {
    }
    nv_tileaa.return
  }
}

//--- alone.mlir
gpu.module @m {
  nv_tileaa.func @f(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    scf.for %t = %c0 to %n step %c2 : i32 {
    } {nv_tileas.tile_turns = array<i32: 13, 14>}
    nv_tileaa.return
  }
}

//--- ring.mlir
#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
#b = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<1 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<1 x (!tile)>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
  func.func @f() attributes {nvvm.reqntid = array<i32: 128>} {
    %s0 = nv_tileas.alloc_tensor {offset = 0 : i64} : !tile
    %bars = nv_tileas.alloc_tensor {offset = 768 : i64} : tensor<8xi64, #b>
    %p = nv_tileas.async.pipeline.create_pipeline %s0 barriers %bars : tensor<8xi64, #b> {numStages = 1 : i32, nv_tileas.in_turn, nv_tileas.tile_turns = array<i32: 13, 14>} : (!tile) -> !pipe
    %i = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
    %t = nv_tileas.async.pipeline.producer_acquire %p, %i : !pipe, !iter
    nv_tileas.async.pipeline.producer_commit %p, %t : !pipe
    %w = nv_tileas.async.pipeline.consumer_wait %p, %i : !pipe, !iter
    nv_tileas.async.pipeline.consumer_release %p, %w : !pipe
    return
  }
}
