// RUN: tileiras-opt %s -verify-diagnostics -pass-pipeline='builtin.module(nv_tileaa.func(tileas-unspecialized-pipeline{num-stages=4}))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-unspecialized-pipeline{num-stages=4},tileas-unspecialized-pipeline{num-stages=4}))' | FileCheck %s

#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8]]>
!t = tensor<16xf32, #s>
!pipe = !nv_tileas.pipeline<3 x (!t)>
!iter = !nv_tileas.pipeline_iterator<3 x (!t)>

// The example of seed 004, D11, of three stages: two producers before the loop; in it the consumer of an iteration stands
// before the producer of two iterations later, which is switched off in the last two. Attributes that are no schedule stay.
// CHECK-LABEL: nv_tileaa.func @seed
// CHECK: %[[A:.*]]:2 = nv_tileas.async.pipeline.produce_one_async %arg0, %arg2 if
// CHECK: %[[B:.*]]:2 = nv_tileas.async.pipeline.produce_one_async %arg0, %[[A]]#0 if
// CHECK-NOT: produce_one_async
// CHECK: scf.for {{.*}} iter_args(%[[IN:.*]] = %[[B]]#0, %[[OUT:.*]] = %arg2
// CHECK: %[[MORE:.*]] = arith.cmpi slt
// CHECK: consume_one %arg0, %[[OUT]] {consumer_idx = 1 : i32} :
// CHECK: produce_one_async %arg0, %[[IN]] if %[[MORE]] {producer_kind = "sync"} :
// CHECK-NOT: consume_one
nv_tileaa.func @seed(%p: !pipe, %n: i32, %first: !iter) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%in = %first, %out = %first) -> (!iter, !iter) : i32 {
    %j, %ta = nv_tileas.async.pipeline.produce_one_async %p, %in {stage = 0 : i32, iter_offset = 0 : i32, producer_kind = "sync"} : !pipe, !iter -> !iter, !nv_tileas.async.token {
      %t = nv_tileas.async.pipeline.producer_acquire %p, %in : !pipe, !iter
      nv_tileas.async.pipeline.producer_commit %p, %t : !pipe
      %a = nv_tileas.async.token_to_async %t : !nv_tileas.producer_token
      %next = nv_tileas.async.pipeline.inc_iter %in : !iter
      nv_tileas.async.pipeline.yield %next, %a : !iter, !nv_tileas.async.token
    }
    %k = nv_tileas.async.pipeline.consume_one %p, %out {stage = 2 : i32, iter_offset = -2 : i32, consumer_idx = 1 : i32} : !pipe, !iter -> !iter {
      %t = nv_tileas.async.pipeline.consumer_wait %p, %out {consumer_idx = 1 : i32} : !pipe, !iter
      nv_tileas.async.pipeline.consumer_release %p, %t : !pipe
      %next = nv_tileas.async.pipeline.inc_iter %out : !iter
      nv_tileas.async.pipeline.yield %next : !iter
    }
    scf.yield %j, %k : !iter, !iter
  }
  nv_tileaa.return
}

// A schedule without an entry for each operation, and one that contradicts itself: the loop stays as it was.
// CHECK-LABEL: nv_tileaa.func @no_entry
// CHECK: scf.for
// CHECK-NEXT: consume_one {{.*}} {iter_offset = -1 : i32, stage = 1 : i32}
nv_tileaa.func @no_entry(%p: !pipe, %n: i32, %i: !iter) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-remark @below {{Failed to pipeline loop}}
  scf.for %m = %c0 to %n step %c1 : i32 {
    nv_tileas.async.pipeline.consume_one %p, %i {stage = 1 : i32, iter_offset = -1 : i32} : !pipe, !iter {
      nv_tileas.async.pipeline.yield
    }
    %x = arith.addi %m, %m : i32
  }
  nv_tileaa.return
}
// CHECK-LABEL: nv_tileaa.func @contradiction
// CHECK: scf.for
// CHECK-NEXT: consume_one {{.*}} {iter_offset = 1 : i32, stage = 1 : i32}
nv_tileaa.func @contradiction(%p: !pipe, %n: i32, %i: !iter) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-remark @below {{Failed to pipeline loop}}
  scf.for %m = %c0 to %n step %c1 : i32 {
    nv_tileas.async.pipeline.consume_one %p, %i {stage = 1 : i32, iter_offset = 1 : i32} : !pipe, !iter {
      nv_tileas.async.pipeline.yield
    }
  }
  nv_tileaa.return
}

// Work that has been divided among agents, and loops whose end is not counted, are left alone, silently.
// CHECK-LABEL: nv_tileaa.func @agents
// CHECK: nv_tileas.create_none {pipeline_stage = 0 : i32}
nv_tileaa.func @agents(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  nv_tileas.async.pipeline.agent_switch {
    scf.for %m = %c0 to %n step %c1 : i32 {
      %t = nv_tileas.create_none {pipeline_stage = 0 : i32}
      nv_tileas.async.wait %t {pipeline_stage = 1 : i32}
    }
  }
  nv_tileaa.return
}
// CHECK-LABEL: nv_tileaa.func @while
// CHECK: nv_tileas.create_none {pipeline_stage = 0 : i32}
// CHECK-NEXT: nv_tileas.async.wait {{.*}} {pipeline_stage = 1 : i32}
nv_tileaa.func @while(%n: i32) {
  %e = scf.while (%k = %n) : (i32) -> i32 {
    %more = arith.cmpi sgt, %k, %n : i32
    scf.condition(%more) %k : i32
  } do {
  ^bb0(%k: i32):
    %t = nv_tileas.create_none {pipeline_stage = 0 : i32}
    nv_tileas.async.wait %t {pipeline_stage = 1 : i32}
    scf.yield %k : i32
  }
  nv_tileaa.return
}
