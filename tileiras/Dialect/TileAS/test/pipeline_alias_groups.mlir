// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(nv_tileaa.func(tileas-assign-load-store-layouts))'
// RUN: not tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(nv_tileaa.func(tileas-assign-load-store-layouts))' --remarks-filter=layout --remark-format=emitRemark 2>&1 | FileCheck %s

#r = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
#half = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16]]>
#word = #nv_tileas.shared<rank = 1, offset = []>
!t = tensor<64xf32, #s>
!w = tensor<1xi32, #word>
!pipe = !nv_tileas.pipeline<2 x (!t, !w)>
!iter = !nv_tileas.pipeline_iterator<2 x (!t, !w)>

// Two elements of a stage are two groups. Those of another pipeline whose place arrives at the same branch join them:
// two tiles of each pipeline, the argument of a region, and of the first element what a branch passes on, what is chosen,
// a slice and a view. What a conversion reads is none of them.
// CHECK: PipelineAliasGroup {{.*}}Memory="shared memory", Names=9
// CHECK: PipelineAliasGroup {{.*}}Memory="shared memory", Names=5
nv_tileaa.func @joined(%a0: !t, %a1: !t, %b0: !w, %b1: !w, %c0: !t, %c1: !t, %d0: !w, %d1: !w, %if: i1, %at: i32) {
  %p = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a1, %b1 {numStages = 2 : i32} : (!t, !w, !t, !w) -> !pipe
  %q = nv_tileas.async.pipeline.create_pipeline %c0, %d0, %c1, %d1 {numStages = 2 : i32} : (!t, !w, !t, !w) -> !pipe
  %i = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %j = nv_tileas.async.pipeline.create_iterator %q : !pipe -> !iter
  %k = scf.if %if -> !iter {
    scf.yield %i : !iter
  } else {
    %next = nv_tileas.async.pipeline.inc_iter %j : !iter
    scf.yield %next : !iter
  }
  %t0 = nv_tileas.async.pipeline.consumer_wait %p, %k : !pipe, !iter
  %t1, %x = nv_tileas.async.pipeline.consumer_read %p, %t0 : !pipe -> tensor<64xf32, #r> {
  ^bb0(%stage: !t, %word: !w):
    %passed = scf.if %if -> !t {
      scf.yield %stage : !t
    } else {
      scf.yield %a0 : !t
    }
    %chosen = arith.select %if, %passed, %stage : !t
    %slice = nv_tileas.extract_slice %chosen[%at] : !t -> tensor<32xf32, #half>
    %whole = nv_tileas.view %chosen : !t -> !t
    %v = nv_tileas.convert_layout %whole : !t -> tensor<64xf32, #r>
    nv_tileas.async.pipeline.yield %v : tensor<64xf32, #r>
  }
  nv_tileaa.return
}

// -----

#r = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!t = tensor<64xf32, #s>
!pipe = !nv_tileas.pipeline<1 x (!t)>
!iter = !nv_tileas.pipeline_iterator<1 x (!t)>

// A loop carries a stage beside sums in registers: each result is what its own argument was.
// CHECK: PipelineAliasGroup {{.*}}Memory="shared memory", Names=4
nv_tileaa.func @carried(%n: i32, %acc: tensor<64xf32, #r>) {
  %a = nv_tileas.alloc_tensor : !t
  %p = nv_tileas.async.pipeline.create_pipeline %a {numStages = 1 : i32} : (!t) -> !pipe
  %i = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %t0 = nv_tileas.async.pipeline.consumer_wait %p, %i : !pipe, !iter
  %t1, %x = nv_tileas.async.pipeline.consumer_read %p, %t0 : !pipe -> tensor<64xf32, #r> {
  ^bb0(%stage: !t):
    %q:2 = scf.for %k = %z to %n step %one iter_args(%st = %stage, %sum = %acc) -> (!t, tensor<64xf32, #r>) : i32 {
      %more = arith.addf %sum, %sum : tensor<64xf32, #r>
      scf.yield %st, %more : !t, tensor<64xf32, #r>
    }
    %v = nv_tileas.convert_layout %q#0 : !t -> tensor<64xf32, #r>
    %w = arith.addf %v, %q#1 : tensor<64xf32, #r>
    nv_tileas.async.pipeline.yield %w : tensor<64xf32, #r>
  }
  nv_tileaa.return
}

// -----

#r = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#h = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!t = tensor<64xf32, #s>
!pipe = !nv_tileas.pipeline<1 x (!t)>
!iter = !nv_tileas.pipeline_iterator<1 x (!t)>

// A slice of a stage without a copy, as a tile of registers.
nv_tileaa.func @slice_in_registers() {
  // expected-note @below {{one of its tiles is of type 'tensor<64xf32, #nv_tileas.shared<}}
  %a = nv_tileas.alloc_tensor : !t
  // expected-error @below {{ can not find common memKind among pipeline alias group}}
  %p = nv_tileas.async.pipeline.create_pipeline %a {numStages = 1 : i32} : (!t) -> !pipe
  %i = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %t0 = nv_tileas.async.pipeline.consumer_wait %p, %i : !pipe, !iter
  %t1, %x = nv_tileas.async.pipeline.consumer_read %p, %t0 : !pipe -> tensor<32xf32, #h> {
  ^bb0(%stage: !t):
    %z = arith.constant 0 : i32
    // expected-note @below {{one of its tiles is of type 'tensor<32xf32, #nv_tileas.linear<}}
    %slice = nv_tileas.extract_slice %stage[%z] : !t -> tensor<32xf32, #h>
    nv_tileas.async.pipeline.yield %slice : tensor<32xf32, #h>
  }
  nv_tileaa.return
}

// -----

#r = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#h = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!t = tensor<64xf32, #s>
!pipe = !nv_tileas.pipeline<1 x (!t)>
!iter = !nv_tileas.pipeline_iterator<1 x (!t)>

// In an agent, behind a loop that passes on the pipeline's place.
nv_tileaa.func @in_an_agent(%n: i32) {
  // expected-note @below {{one of its tiles is of type 'tensor<64xf32, #nv_tileas.shared<}}
  %a = nv_tileas.alloc_tensor : !t
  // expected-error @below {{ can not find common memKind among pipeline alias group}}
  %p = nv_tileas.async.pipeline.create_pipeline %a {numStages = 1 : i32} : (!t) -> !pipe
  nv_tileas.async.pipeline.agent_switch %p : !pipe attributes {num_warps = array<i32: 4>} {
  ^bb0(%q: !pipe):
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %i = nv_tileas.async.pipeline.create_iterator %q : !pipe -> !iter
    scf.for %k = %z to %n step %one iter_args(%j = %i) -> (!iter) : i32 {
      %t0 = nv_tileas.async.pipeline.consumer_wait %q, %j : !pipe, !iter
      %t1 = nv_tileas.async.pipeline.consumer_read %q, %t0 : !pipe {
      ^bb0(%stage: !t):
        // expected-note @below {{one of its tiles is of type 'tensor<64xi32, #nv_tileas.linear<}}
        %bits = nv_tileas.reinterpret %stage : !t -> tensor<64xi32, #r>
        nv_tileas.async.pipeline.yield
      }
      %next = nv_tileas.async.pipeline.inc_iter %j : !iter
      scf.yield %next : !iter
    }
    nv_tileas.async.pipeline.yield
  }
  nv_tileaa.return
}
