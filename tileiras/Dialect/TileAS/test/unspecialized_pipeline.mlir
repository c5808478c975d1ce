// RUN: tileiras-opt %s -verify-diagnostics -pass-pipeline='builtin.module(nv_tileaa.func(tileas-unspecialized-pipeline{num-stages=4}))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-unspecialized-pipeline{num-stages=4},tileas-unspecialized-pipeline{num-stages=4}))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-unspecialized-pipeline{num-stages=1}))' | FileCheck %s --check-prefix=ONE
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-unspecialized-pipeline))' | FileCheck %s --check-prefix=TWO

#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8]]>
!t = tensor<16xf32, #s>
!pipe = !nv_tileas.pipeline<3 x (!t)>
!iter = !nv_tileas.pipeline_iterator<3 x (!t)>

// Two stages are filled before the loop; in it the wait comes first, then the stage two iterations ahead is filled, if
// there is one.
// CHECK-LABEL: nv_tileaa.func @three
// CHECK: %[[FIRST:.*]] = nv_tileas.async.pipeline.create_iterator
// CHECK: arith.maxsi
// CHECK: producer_acquire %{{.*}}, %[[FIRST]] if
// CHECK: producer_write %{{.*}}, %{{.*}} if
// CHECK: producer_commit %{{.*}}, %{{.*}} if
// CHECK: %[[SECOND:.*]] = nv_tileas.async.pipeline.inc_iter %[[FIRST]]
// CHECK: producer_acquire %{{.*}}, %[[SECOND]] if
// CHECK: %[[THIRD:.*]] = nv_tileas.async.pipeline.inc_iter %[[SECOND]]
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[IN:.*]] = %[[THIRD]], %[[OUT:.*]] = %[[FIRST]])
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[I]], %{{.*}} : i32
// CHECK: %[[R:.*]] = nv_tileas.async.pipeline.consumer_wait %{{.*}}, %[[OUT]]
// CHECK: producer_acquire %{{.*}}, %[[IN]] if %[[MORE]]
// CHECK: producer_write %{{.*}}, %{{.*}} if %[[MORE]]
// CHECK: producer_commit %{{.*}}, %{{.*}} if %[[MORE]]
// CHECK: consumer_read %{{.*}}, %[[R]]
// CHECK: consumer_release
// CHECK-NOT: pipeline_stage
// With fewer stages than the ring has, the producer is one iteration ahead.
// TWO-LABEL: nv_tileaa.func @three
// TWO-COUNT-1: producer_acquire
// TWO: scf.for
// TWO-COUNT-1: producer_acquire
// TWO-NOT: producer_acquire
// TWO: scf.for
// ONE-LABEL: nv_tileaa.func @three
// ONE-NOT: producer_acquire
// ONE: scf.for
// ONE: pipeline_stage
nv_tileaa.func @three(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = nv_tileas.alloc_tensor : !t
  %b = nv_tileas.alloc_tensor : !t
  %c = nv_tileas.alloc_tensor : !t
  %p = nv_tileas.async.pipeline.create_pipeline %a, %b, %c {numStages = 3 : i32} : (!t, !t, !t) -> !pipe
  %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%in = %first, %out = %first) -> (!iter, !iter) : i32 {
    %t0 = nv_tileas.async.pipeline.producer_acquire %p, %in {pipeline_stage = 0 : i32} : !pipe, !iter
    %t1 = nv_tileas.async.pipeline.producer_write %p, %t0 {pipeline_stage = 0 : i32} : !pipe {
    ^bb0(%stage: !t):
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.producer_commit %p, %t1 {pipeline_stage = 0 : i32} : !pipe
    %in1 = nv_tileas.async.pipeline.inc_iter %in {pipeline_stage = 0 : i32} : !iter
    %c2 = nv_tileas.async.pipeline.consumer_wait %p, %out {pipeline_stage = 2 : i32} : !pipe, !iter
    %c3 = nv_tileas.async.pipeline.consumer_read %p, %c2 {pipeline_stage = 2 : i32} : !pipe {
    ^bb0(%stage: !t):
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.consumer_release %p, %c3 {pipeline_stage = 2 : i32} : !pipe
    %out1 = nv_tileas.async.pipeline.inc_iter %out {pipeline_stage = 2 : i32} : !iter
    scf.yield %in1, %out1 : !iter, !iter
  }
  nv_tileaa.return
}

// The bounds are any numbers, and so is the step: the counter could leave its type on the way.
// CHECK-LABEL: nv_tileaa.func @wide
// CHECK: arith.extsi
// CHECK: scf.for {{.*}} : i64
nv_tileaa.func @wide(%l: i16, %n: i16, %s: i16) {
  %x = scf.for %i = %l to %n step %s iter_args(%v = %n) -> (i16) : i16 {
    %a = arith.addi %i, %i {pipeline_stage = 0 : i32} : i16
    %b = arith.addi %a, %v {pipeline_stage = 1 : i32} : i16
    scf.yield %b : i16
  }
  nv_tileaa.return
}

// A barrier cannot be switched off.
// CHECK-LABEL: nv_tileaa.func @refused
// CHECK: nvvm.barrier0 {pipeline_stage = 0 : i32}
// CHECK-NEXT: arith.addi {{.*}} {pipeline_stage = 1 : i32}
nv_tileaa.func @refused(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-remark @below {{Failed to pipeline loop}}
  %x = scf.for %i = %c0 to %n step %c1 iter_args(%v = %n) -> (i32) : i32 {
    nvvm.barrier0 {pipeline_stage = 0 : i32}
    %b = arith.addi %i, %v {pipeline_stage = 1 : i32} : i32
    scf.yield %b : i32
  }
  nv_tileaa.return
}

// No stages, and stages in an order that nothing can have: nobody says anything.
// CHECK-LABEL: nv_tileaa.func @silent
// CHECK: arith.addi {{.*}} {pipeline_stage = 1 : i32}
// CHECK: arith.addi {{.*}} {pipeline_stage = 0 : i32}
nv_tileaa.func @silent(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = scf.for %i = %c0 to %n step %c1 iter_args(%v = %n) -> (i32) : i32 {
    %b = arith.addi %i, %v : i32
    scf.yield %b : i32
  }
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%v = %n) -> (i32) : i32 {
    %a = arith.addi %i, %n {pipeline_stage = 1 : i32} : i32
    %b = arith.addi %a, %i {pipeline_stage = 0 : i32} : i32
    scf.yield %b : i32
  }
  nv_tileaa.return
}
