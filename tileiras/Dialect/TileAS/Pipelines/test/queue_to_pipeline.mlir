// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-queue-to-pipeline))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-queue-to-pipeline))' | FileCheck %s --check-prefix=NONE
// NONE-NOT: nv_tileaa.{{queue|execute|create_queue|mark_for_reuse}}
// NONE-NOT: nv_tileaa.queue<

!q = !nv_tileaa.queue<tensor<64xf32>, i32>

// Two agents with a put in one and a get in the other (seed 003): a switch of two regions with one produce_one and one
// consume_one on one pipeline of three stages. Bodies stay whole, budgets of registers stay, constants go to those who
// use them.
// CHECK-LABEL: nv_tileaa.func @agents
// CHECK-COUNT-6: nv_tileas.alloc_tensor
// CHECK: %[[P:.*]] = nv_tileas.async.pipeline.create_pipeline {{.*}} {consumerGroupId = 1 : i8, numStages = 3 : i32, producerGroupId = 0 : i8}
// CHECK: agent_switch attributes {max_regs = array<i32: 40, 232>, num_warps = array<i32: 4, 4>} {
// CHECK: %[[I:.*]] = nv_tileas.async.pipeline.create_iterator %[[P]]
// CHECK: produce_one %[[P]], %[[I]]
// CHECK-NEXT: %[[A:.*]] = nv_tileas.async.pipeline.producer_acquire %[[P]], %[[I]]
// CHECK-NEXT: %[[W:.*]] = nv_tileas.async.pipeline.producer_write %[[P]], %[[A]]
// CHECK-NEXT: ^bb0(%[[S:.*]]: tensor<64xf32, #shared>, %[[N:.*]]: tensor<1xi32, #shared1>):
// CHECK-NEXT: %[[V:.*]] = arith.addf
// CHECK-NEXT: nv_tileas.copy %[[V]], %[[S]]
// CHECK-NEXT: %[[T:.*]] = nv_tileaa.splat %arg1 : i32 -> tensor<1xi32>
// CHECK-NEXT: nv_tileas.copy %[[T]], %[[N]]
// CHECK-NEXT: yield
// CHECK-NEXT: }
// CHECK-NEXT: producer_commit %[[P]], %[[W]]
// CHECK-NEXT: %[[J:.*]] = nv_tileas.async.pipeline.inc_iter %[[I]]
// CHECK-NEXT: yield %[[J]]
// CHECK: }, {
// CHECK: %[[I:.*]] = nv_tileas.async.pipeline.create_iterator %[[P]]
// CHECK: consume_one %[[P]], %[[I]]
// CHECK-NEXT: %[[A:.*]] = nv_tileas.async.pipeline.consumer_wait %[[P]], %[[I]]
// CHECK-NEXT: %[[R:.*]], %[[X:.*]]:2 = nv_tileas.async.pipeline.consumer_read %[[P]], %[[A]]
// CHECK-NEXT: ^bb0(%[[S:.*]]: tensor<64xf32, #shared>, %[[N:.*]]: tensor<1xi32, #shared1>):
// CHECK-NEXT: %[[V:.*]] = nv_tileas.convert_layout %[[S]]
// CHECK-NEXT: %[[T:.*]] = nv_tileas.convert_layout %[[N]]
// CHECK-NEXT: %[[M:.*]] = nv_tileaa.extract %[[T]]
// CHECK-NEXT: %[[D:.*]] = arith.mulf %[[V]], %[[V]]
// CHECK-NEXT: yield %[[D]], %[[M]]
// CHECK: consumer_release %[[P]], %[[R]]
// CHECK-NEXT: %[[J:.*]] = nv_tileas.async.pipeline.inc_iter %[[I]]
// CHECK-NEXT: yield %[[X]]#0, %[[X]]#1, %[[J]]
nv_tileaa.func @agents(%f: f32, %n: i32) {
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %q = nv_tileaa.create_queue {num_stages = 3 : i32} : !q
  nv_tileaa.execute [0, 7] attributes {max_regs = array<i32: 40, 232>} {
    nv_tileaa.queue.put %q : !q {
      %v = arith.addf %one, %one : tensor<64xf32>
      nv_tileaa.queue.yield %v, %n : tensor<64xf32>, i32
    }
  }, {
    %r:2 = nv_tileaa.queue.get %q {consumer_group = 7 : i32} : !q -> (tensor<64xf32>, i32) {
    ^bb0(%e: tensor<64xf32>, %m: i32):
      %d = arith.mulf %e, %e : tensor<64xf32>
      %s = nv_tileaa.mark_for_reuse %d : tensor<64xf32>
      nv_tileaa.queue.yield %s, %m : tensor<64xf32>, i32
    }
  }
  nv_tileaa.return
}

// Loops and branches carry the iterator of each side: argument, what is yielded, result; a branch that puts nothing hands
// on the iterator it got. Two stages, if nothing else is said.
// CHECK-LABEL: nv_tileaa.func @flow
// CHECK: create_pipeline {{.*}} {numStages = 2 : i32}
// CHECK: %[[I:.*]] = nv_tileas.async.pipeline.create_iterator
// CHECK: %[[E:.*]] = scf.for {{.*}} iter_args(%[[K:.*]] = %{{.*}}) -> (!nv_tileas.pipeline_iterator<2 x
// CHECK-NEXT: %[[B:.*]] = scf.if %arg0 -> (!nv_tileas.pipeline_iterator<2 x
// CHECK-NEXT: %[[N:.*]] = nv_tileas.async.pipeline.produce_one %{{.*}}, %[[K]]
// CHECK: scf.yield %[[N]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[K]]
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[B]]
// CHECK: produce_one %{{.*}}, %[[E]]
// CHECK: scf.while (%[[X:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}}) : (i32, !nv_tileas.pipeline_iterator<{{.*}}>) -> (i32, !nv_tileas.pipeline_iterator<
// CHECK: scf.condition(%{{.*}}) %[[X]], %[[Y]]
// CHECK: ^bb0(%{{.*}}: i32, %[[Z:.*]]: !nv_tileas.pipeline_iterator
// CHECK: %[[G:.*]]:2 = nv_tileas.async.pipeline.consume_one %{{.*}}, %[[Z]]
// CHECK: scf.yield %{{.*}}, %[[G]]#1
nv_tileaa.func @flow(%c: i1, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %q = nv_tileaa.create_queue : !nv_tileaa.queue<i32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    scf.if %c {
      nv_tileaa.queue.put %q : !nv_tileaa.queue<i32> {
        nv_tileaa.queue.yield %k : i32
      }
    }
  }
  nv_tileaa.queue.put %q : !nv_tileaa.queue<i32> {
    nv_tileaa.queue.yield %n : i32
  }
  %e = scf.while (%k = %c0) : (i32) -> i32 {
    %more = arith.cmpi slt, %k, %n : i32
    scf.condition(%more) %k : i32
  } do {
  ^bb0(%k: i32):
    %v = nv_tileaa.queue.get %q : !nv_tileaa.queue<i32> -> (i32)
    %next = arith.addi %k, %v : i32
    scf.yield %next : i32
  }
  nv_tileaa.return
}
