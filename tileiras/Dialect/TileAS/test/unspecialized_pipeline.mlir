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

// Products that threads issue come before the copies where these have two iterations to arrive, behind them where they
// have one; behind them also where the product goes on by itself or the ring has barriers of its own.
#left = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]]>
#right = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 1], [0, 2], [0, 4]]>
#sums = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
!a = tensor<16x16xf16, #left>
!b = tensor<16x8xf16, #right>
!c = tensor<16x8xf32, #sums>
!three = !nv_tileas.pipeline<3 x (!a, !b)>
!in3 = !nv_tileas.pipeline_iterator<3 x (!a, !b)>
// CHECK-LABEL: nv_tileaa.func @products_first
// CHECK: scf.for
// CHECK: consumer_wait
// CHECK: consumer_read
// CHECK: nv_tileas.dot
// CHECK: consumer_release
// CHECK: producer_acquire
// CHECK: producer_write
// CHECK: producer_commit
// CHECK: scf.yield
// With one iteration to arrive copies come first.
// TWO-LABEL: nv_tileaa.func @products_first
// TWO: scf.for
// TWO: consumer_wait
// TWO: producer_commit
// TWO: consumer_read
// CHECK-LABEL: nv_tileaa.func @barriers_of_its_own
// CHECK: scf.for
// CHECK: consumer_wait
// CHECK: producer_commit
// CHECK: consumer_read
nv_tileaa.func @products_first(%zero: !c, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a0 = nv_tileas.alloc_tensor : !a
  %b0 = nv_tileas.alloc_tensor : !b
  %p = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a0, %b0, %a0, %b0 {groups, numStages = 3 : i32} : (!a, !b, !a, !b, !a, !b) -> !three
  %first = nv_tileas.async.pipeline.create_iterator %p : !three -> !in3
  %e:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %in = %first, %out = %first) -> (!c, !in3, !in3) : i32 {
    %t0 = nv_tileas.async.pipeline.producer_acquire %p, %in {pipeline_stage = 0 : i32} : !three, !in3
    %t1 = nv_tileas.async.pipeline.producer_write %p, %t0 {pipeline_stage = 0 : i32} : !three {
    ^bb0(%x: !a, %y: !b):
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.producer_commit %p, %t1 {pipeline_stage = 0 : i32} : !three
    %in1 = nv_tileas.async.pipeline.inc_iter %in {pipeline_stage = 0 : i32} : !in3
    %c2 = nv_tileas.async.pipeline.consumer_wait %p, %out {pipeline_stage = 2 : i32} : !three, !in3
    %c3, %next = nv_tileas.async.pipeline.consumer_read %p, %c2 {pipeline_stage = 2 : i32} : !three -> !c {
    ^bb0(%x: !a, %y: !b):
      %d = nv_tileas.dot %x, %y, %acc {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : !a, !b, !c
      nv_tileas.async.pipeline.yield %d : !c
    }
    nv_tileas.async.pipeline.consumer_release %p, %c3 {pipeline_stage = 2 : i32} : !three
    %out1 = nv_tileas.async.pipeline.inc_iter %out {pipeline_stage = 2 : i32} : !in3
    scf.yield %next, %in1, %out1 : !c, !in3, !in3
  }
  nv_tileaa.return
}

nv_tileaa.func @barriers_of_its_own(%zero: !c, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a0 = nv_tileas.alloc_tensor : !a
  %b0 = nv_tileas.alloc_tensor : !b
  %p = nv_tileas.async.pipeline.create_pipeline %a0, %b0, %a0, %b0, %a0, %b0 {numStages = 3 : i32} : (!a, !b, !a, !b, !a, !b) -> !three
  %first = nv_tileas.async.pipeline.create_iterator %p : !three -> !in3
  %e:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %in = %first, %out = %first) -> (!c, !in3, !in3) : i32 {
    %t0 = nv_tileas.async.pipeline.producer_acquire %p, %in {pipeline_stage = 0 : i32} : !three, !in3
    %t1 = nv_tileas.async.pipeline.producer_write %p, %t0 {pipeline_stage = 0 : i32} : !three {
    ^bb0(%x: !a, %y: !b):
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.producer_commit %p, %t1 {pipeline_stage = 0 : i32} : !three
    %in1 = nv_tileas.async.pipeline.inc_iter %in {pipeline_stage = 0 : i32} : !in3
    %c2 = nv_tileas.async.pipeline.consumer_wait %p, %out {pipeline_stage = 2 : i32} : !three, !in3
    %c3, %next = nv_tileas.async.pipeline.consumer_read %p, %c2 {pipeline_stage = 2 : i32} : !three -> !c {
    ^bb0(%x: !a, %y: !b):
      %d = nv_tileas.dot %x, %y, %acc {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>} : !a, !b, !c
      nv_tileas.async.pipeline.yield %d : !c
    }
    nv_tileas.async.pipeline.consumer_release %p, %c3 {pipeline_stage = 2 : i32} : !three
    %out1 = nv_tileas.async.pipeline.inc_iter %out {pipeline_stage = 2 : i32} : !in3
    scf.yield %next, %in1, %out1 : !c, !in3, !in3
  }
  nv_tileaa.return
}
