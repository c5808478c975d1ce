// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(nv_tileaa.func(tileas-assign-pipeline-layouts))' | FileCheck %s

// A tile that is written by rows and read by columns: an exclusive-or of both keeps its threads off each other's banks.
// The type of the pipeline, of its iterators and of what loops, branches and regions have of them follows.
// CHECK: #[[S:.*]] = #nv_tileas.shared<rank = 2, offset = {{.*}}>
// CHECK-LABEL: nv_tileaa.func @turned
// CHECK-COUNT-2: nv_tileas.alloc_tensor : tensor<32x32xf32, #[[S]]>
// CHECK: create_pipeline {{.*}} -> !nv_tileas.pipeline<2 x (tensor<32x32xf32, #[[S]]>)>
// CHECK: %[[I:.*]] = nv_tileas.async.pipeline.create_iterator {{.*}} -> !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf32, #[[S]]>)>
// CHECK: scf.for {{.*}} -> (!nv_tileas.pipeline_iterator<2 x (tensor<32x32xf32, #[[S]]>)>)
// CHECK: scf.if %arg2 -> (!nv_tileas.pipeline_iterator<2 x (tensor<32x32xf32, #[[S]]>)>)
// CHECK: ^bb0(%{{.*}}: tensor<32x32xf32, #[[S]]>):
// CHECK: nv_tileas.copy {{.*}} {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>}
// CHECK: scf.while {{.*}} -> !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf32, #[[S]]>)>
// CHECK: ^bb0(%{{.*}}: !nv_tileas.pipeline_iterator<2 x (tensor<32x32xf32, #[[S]]>)>):
// CHECK: nv_tileas.convert_layout {{.*}} {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>}
#rows = #nv_tileas.linear<rank = 2, register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[8, 0], [16, 0]]>
#columns = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 8], [0, 16]]>
#plain = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
!t = tensor<32x32xf32, #plain>
!pipe = !nv_tileas.pipeline<2 x (!t)>
!iter = !nv_tileas.pipeline_iterator<2 x (!t)>
nv_tileaa.func @turned(%n: i32, %x: tensor<32x32xf32, #rows>, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = nv_tileas.alloc_tensor : !t
  %b = nv_tileas.alloc_tensor : !t
  %p = nv_tileas.async.pipeline.create_pipeline %a, %b {numStages = 2 : i32} : (!t, !t) -> !pipe
  %i = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %e = scf.for %k = %c0 to %n step %c1 iter_args(%j = %i) -> (!iter) : i32 {
    %u = scf.if %c -> !iter {
      %next = nv_tileas.async.pipeline.produce_one %p, %j : !pipe, !iter -> !iter {
        %t = nv_tileas.async.pipeline.producer_acquire %p, %j : !pipe, !iter
        %w = nv_tileas.async.pipeline.producer_write %p, %t : !pipe {
        ^bb0(%s: !t):
          nv_tileas.copy %x, %s : tensor<32x32xf32, #rows>, !t
          nv_tileas.async.pipeline.yield
        }
        nv_tileas.async.pipeline.producer_commit %p, %w : !pipe
        %l = nv_tileas.async.pipeline.inc_iter %j : !iter
        nv_tileas.async.pipeline.yield %l : !iter
      }
      scf.yield %next : !iter
    } else {
      scf.yield %j : !iter
    }
    scf.yield %u : !iter
  }
  %f = scf.while (%j = %i) : (!iter) -> !iter {
    scf.condition(%c) %j : !iter
  } do {
  ^bb0(%j: !iter):
    %t = nv_tileas.async.pipeline.consumer_wait %p, %j : !pipe, !iter
    %r, %v = nv_tileas.async.pipeline.consumer_read %p, %t : !pipe -> tensor<32x32xf32, #columns> {
    ^bb0(%s: !t):
      %y = nv_tileas.convert_layout %s : !t -> tensor<32x32xf32, #columns>
      nv_tileas.async.pipeline.yield %y : tensor<32x32xf32, #columns>
    }
    nv_tileas.async.pipeline.consumer_release %p, %r : !pipe
    %l = nv_tileas.async.pipeline.inc_iter %j : !iter
    scf.yield %l : !iter
  }
  nv_tileaa.return
}

// -----

// A branch that yields the iterator of the one pipeline or of the other: after the choice they are of two types.
#rows = #nv_tileas.linear<rank = 2, register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[8, 0], [16, 0]]>
#columns = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 8], [0, 16]]>
#plain = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
!t = tensor<32x32xf32, #plain>
!pipe = !nv_tileas.pipeline<1 x (!t)>
!iter = !nv_tileas.pipeline_iterator<1 x (!t)>
nv_tileaa.func @merged(%x: tensor<32x32xf32, #rows>, %c: i1) {
  %a = nv_tileas.alloc_tensor : !t
  %b = nv_tileas.alloc_tensor : !t
  %p = nv_tileas.async.pipeline.create_pipeline %a {numStages = 1 : i32} : (!t) -> !pipe
  %q = nv_tileas.async.pipeline.create_pipeline %b {numStages = 1 : i32} : (!t) -> !pipe
  %i = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %j = nv_tileas.async.pipeline.create_iterator %q : !pipe -> !iter
  %t = nv_tileas.async.pipeline.producer_acquire %p, %i : !pipe, !iter
  %w = nv_tileas.async.pipeline.producer_write %p, %t : !pipe {
  ^bb0(%s: !t):
    nv_tileas.copy %x, %s : tensor<32x32xf32, #rows>, !t
    nv_tileas.async.pipeline.yield
  }
  %u = nv_tileas.async.pipeline.consumer_wait %p, %i : !pipe, !iter
  %r, %v = nv_tileas.async.pipeline.consumer_read %p, %u : !pipe -> tensor<32x32xf32, #columns> {
  ^bb0(%s: !t):
    %y = nv_tileas.convert_layout %s : !t -> tensor<32x32xf32, #columns>
    nv_tileas.async.pipeline.yield %y : tensor<32x32xf32, #columns>
  }
  %k = scf.if %c -> !iter {
    scf.yield %i : !iter
  } else {
    // expected-error @below {{passes on the iterator of one pipeline where that of another arrives}}
    scf.yield %j : !iter
  }
  nv_tileaa.return
}
