// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-optimize-pipeline-region))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-optimize-pipeline-region,tileas-optimize-pipeline-region))' | FileCheck %s
// RUN: tileiras-opt %s -verify-diagnostics -pass-pipeline='builtin.module(nv_tileaa.func(tileas-unspecialized-pipeline{num-stages=3},tileas-optimize-pipeline-region))' | FileCheck %s --check-prefix=BEHIND
// RUN: tileiras-opt --help | FileCheck %s --check-prefix=HELP
// HELP: --tileas-optimize-pipeline-region {{ *}}- Optimize the region scope of tileas.async.pipeline.produce_one/consume_one ops

#acc = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#b = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2], [0, 4], [8, 0]]>
#own = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>
!a = tensor<64x16xf16, #a>
!b = tensor<16x8xf16, #b>
!c = tensor<64x8xf32, #acc>
!pipe = !nv_tileas.pipeline<2 x (!a, !b)>
!iter = !nv_tileas.pipeline_iterator<2 x (!a, !b)>

// The example of seed 004, D13: products read their operands from shared memory. Both dead operations go, the release
// stays, and so does the order.
// CHECK-LABEL: nv_tileaa.func @dead_dot
// CHECK: consume_one
// CHECK-NEXT: %[[T:.*]] = nv_tileas.async.pipeline.consumer_wait
// CHECK-NEXT: %[[R:.*]], %[[AB:.*]]:2 = nv_tileas.async.pipeline.consumer_read
// CHECK-NEXT: ^bb0
// CHECK-NEXT: yield
// CHECK-NEXT: }
// CHECK-NEXT: %[[C:.*]] = nv_tileas.dot %[[AB]]#0, %[[AB]]#1, %arg2
// CHECK-NEXT: nv_tileas.async.pipeline.consumer_release %{{.*}}, %[[R]]
// CHECK-NEXT: yield %[[C]]
nv_tileaa.func @dead_dot(%p: !pipe, %i: !iter, %acc: !c, %dead: !c) -> !c {
  %r = nv_tileas.async.pipeline.consume_one %p, %i : !pipe, !iter -> !c {
    %t = nv_tileas.async.pipeline.consumer_wait %p, %i : !pipe, !iter
    %u, %a, %b = nv_tileas.async.pipeline.consumer_read %p, %t : !pipe -> !a, !b {
    ^bb0(%x: !a, %y: !b):
      nv_tileas.async.pipeline.yield %x, %y : !a, !b
    }
    %x_dead = nv_tileas.dot %a, %b, %dead {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : !a, !b, !c
    %y_dead = nv_tileas.shuffle %x_dead {atom_plan = #nv_tileas.atom_plan<tag = 0, vec = 4>} : !c -> !c
    %c = nv_tileas.dot %a, %b, %acc {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : !a, !b, !c
    nv_tileas.async.pipeline.consumer_release %p, %u : !pipe
    nv_tileas.async.pipeline.yield %c : !c
  }
  nv_tileaa.return %r : !c
}

// Handshakes and writes are kept though nothing is yielded; what is computed for nobody goes, also in front of an
// operation with a region that something inside of it needs.
// CHECK-LABEL: nv_tileaa.func @producer
// CHECK: produce_one
// CHECK-NEXT: %[[F:.*]] = nv_tileaa.splat %arg2
// CHECK-NEXT: %[[A:.*]] = nv_tileas.async.pipeline.producer_acquire
// CHECK-NEXT: %[[W:.*]] = nv_tileas.async.pipeline.producer_write
// CHECK-NEXT: ^bb0
// CHECK-NEXT: scf.if
// CHECK-NEXT: nv_tileas.alloc_tensor
// CHECK-NEXT: nv_tileas.copy %[[F]]
// CHECK-NEXT: }
// CHECK-NEXT: yield
// CHECK-NEXT: }
// CHECK-NEXT: nv_tileas.async.pipeline.producer_commit %{{.*}}, %[[W]]
// CHECK-NEXT: %[[J:.*]] = nv_tileas.async.pipeline.inc_iter
// CHECK-NEXT: yield %[[J]]
nv_tileaa.func @producer(%p: !pipe, %i: !iter, %v: f32, %if: i1) -> !iter {
  %j = nv_tileas.async.pipeline.produce_one %p, %i : !pipe, !iter -> !iter {
    %fill = nv_tileaa.splat %v : f32 -> tensor<64x8xf32, #acc>
    %two = arith.addf %v, %v : f32
    %four = arith.addf %two, %two : f32
    %t = nv_tileas.async.pipeline.producer_acquire %p, %i : !pipe, !iter
    %w = nv_tileas.async.pipeline.producer_write %p, %t : !pipe {
    ^bb0(%x: !a, %y: !b):
      scf.if %if {
        %own = nv_tileas.alloc_tensor : tensor<64x8xf32, #own>
        nv_tileas.copy %fill, %own : tensor<64x8xf32, #acc>, tensor<64x8xf32, #own>
      }
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.producer_commit %p, %w : !pipe
    %k = nv_tileas.async.pipeline.inc_iter %i : !iter
    nv_tileas.async.pipeline.yield %k : !iter
  }
  nv_tileaa.return %j : !iter
}

// Everything is needed: the same operation, with its attributes. What comes from outside is used as before, an argument of
// the loop included. The asynchronous forms are not looked at.
// CHECK-LABEL: nv_tileaa.func @whole
// CHECK: scf.for {{.*}} iter_args(%[[K:.*]] = %arg1)
// CHECK: consume_one %arg0, %[[K]] {consumer_idx = 1 : i32, pipeline_stage = 1 : i32}
// CHECK: consumer_wait %arg0, %[[K]]
// CHECK: consume_one_async
// CHECK-NEXT: consumer_wait
// CHECK-NEXT: arith.addi
nv_tileaa.func @whole(%p: !pipe, %i: !iter, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %e = scf.for %m = %c0 to %n step %c1 iter_args(%k = %i) -> (!iter) : i32 {
    %j = nv_tileas.async.pipeline.consume_one %p, %k {consumer_idx = 1 : i32, pipeline_stage = 1 : i32} : !pipe, !iter -> !iter {
      %t = nv_tileas.async.pipeline.consumer_wait %p, %k : !pipe, !iter
      nv_tileas.async.pipeline.consumer_release %p, %t : !pipe
      %l = nv_tileas.async.pipeline.inc_iter %k : !iter
      nv_tileas.async.pipeline.yield %l : !iter
    }
    scf.yield %j : !iter
  }
  %none = nv_tileas.create_none
  %t = nv_tileas.async.pipeline.consume_one_async %p, %i : !pipe, !iter -> !nv_tileas.async.token {
    %u = nv_tileas.async.pipeline.consumer_wait %p, %i : !pipe, !iter
    %two = arith.addi %n, %n : i32
    nv_tileas.async.pipeline.yield %none : !nv_tileas.async.token
  }
  nv_tileaa.return
}

// A stage that is filled inside of a region is kept for its effect, with what it needs; what is computed for it alone by
// way of its result is not followed any further.
// CHECK-LABEL: nv_tileaa.func @nested
// CHECK: consume_one
// CHECK-NEXT: %[[X:.*]] = arith.addi
// CHECK-NEXT: %[[J:.*]] = nv_tileas.async.pipeline.produce_one
// CHECK-NEXT: nv_tileaa.splat %[[X]]
// CHECK: nv_tileas.async.pipeline.producer_commit
// CHECK-NOT: arith.muli
// CHECK: yield %[[J]]
nv_tileaa.func @nested(%p: !pipe, %q: !pipe, %i: !iter, %n: i32) -> !iter {
  %e = nv_tileas.async.pipeline.consume_one %p, %i : !pipe, !iter -> !iter {
    %x = arith.addi %n, %n : i32
    %j = nv_tileas.async.pipeline.produce_one %q, %i : !pipe, !iter -> !iter {
      %fill = nv_tileaa.splat %x : i32 -> tensor<64x8xi32, #acc>
      %t = nv_tileas.async.pipeline.producer_acquire %q, %i : !pipe, !iter
      %w = nv_tileas.async.pipeline.producer_write %q, %t : !pipe {
      ^bb0(%k: !a, %l: !b):
        %own = nv_tileas.alloc_tensor : tensor<64x8xi32, #own>
        nv_tileas.copy %fill, %own : tensor<64x8xi32, #acc>, tensor<64x8xi32, #own>
        nv_tileas.async.pipeline.yield
      }
      nv_tileas.async.pipeline.producer_commit %q, %w : !pipe
      %next = nv_tileas.async.pipeline.inc_iter %i : !iter
      nv_tileas.async.pipeline.yield %next : !iter
    }
    %dead = arith.muli %x, %n : i32
    nv_tileas.async.pipeline.yield %j : !iter
  }
  nv_tileaa.return %e : !iter
}

// Siblings, each of which uses what the one before it yields: as if each had been alone.
// CHECK-LABEL: nv_tileaa.func @siblings
// CHECK: %[[A:.*]] = nv_tileas.async.pipeline.consume_one
// CHECK-NOT: arith.muli
// CHECK: %[[B:.*]] = nv_tileas.async.pipeline.consume_one
// CHECK: arith.addi %[[A]]
// CHECK-NOT: arith.muli
// CHECK: nv_tileas.async.pipeline.consume_one
// CHECK: arith.addi %[[B]]
// CHECK-NOT: arith.muli
// CHECK: return
nv_tileaa.func @siblings(%p: !pipe, %i: !iter, %n: i32) -> i32 {
  %a = nv_tileas.async.pipeline.consume_one %p, %i : !pipe, !iter -> i32 {
    %x = arith.addi %n, %n : i32
    %y = arith.muli %x, %n : i32
    nv_tileas.async.pipeline.yield %x : i32
  }
  %b = nv_tileas.async.pipeline.consume_one %p, %i : !pipe, !iter -> i32 {
    %x = arith.addi %a, %n : i32
    %y = arith.muli %x, %a : i32
    nv_tileas.async.pipeline.yield %x : i32
  }
  %c = nv_tileas.async.pipeline.consume_one %p, %i : !pipe, !iter -> i32 {
    %x = arith.addi %b, %n : i32
    %y = arith.muli %x, %b : i32
    nv_tileas.async.pipeline.yield %x : i32
  }
  nv_tileaa.return %c : i32
}

// A loop that tileas-unspecialized-pipeline refuses (here for an effect in an early stage) keeps its regions if the two
// passes follow each other. Alone, this one takes them for regions that are not final, and they stay as well.
// CHECK-LABEL: nv_tileaa.func @refused
// CHECK: arith.muli
// CHECK: return
// BEHIND-LABEL: nv_tileaa.func @siblings
// BEHIND-NOT: arith.muli
// BEHIND-LABEL: nv_tileaa.func @refused
// BEHIND: arith.muli
nv_tileaa.func @refused(%p: !pipe, %i: !iter, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-remark @below {{Failed to pipeline loop}}
  scf.for %m = %c0 to %n step %c1 : i32 {
    nv_tileas.async.wait {pipeline_stage = 0 : i32}
    nv_tileas.async.pipeline.consume_one %p, %i {pipeline_stage = 1 : i32} : !pipe, !iter {
      %t = nv_tileas.async.pipeline.consumer_wait %p, %i : !pipe, !iter
      %y = arith.muli %m, %n : i32
      nv_tileas.async.pipeline.yield
    }
  }
  nv_tileaa.return
}
