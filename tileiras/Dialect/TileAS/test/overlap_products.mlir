// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-overlap-products)))' | FileCheck %s
// Products of a loop go on into the next round; sums that begin as zero are not written.

#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#b = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2], [0, 4], [8, 0]]>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#r = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
// CHECK-LABEL: @from_zero
nv_tileaa.func @from_zero(%x: tensor<64x16xf16, #r>, %b: tensor<16x8xf16, #b>, %n: i32) -> tensor<64x8xf32, #c> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  // CHECK: %[[ZERO:.*]] = nv_tileaa.splat
  %z = nv_tileaa.splat %f0 : f32 -> tensor<64x8xf32, #c>
  // CHECK: %[[SUMS:.*]] = ub.poison : !nv_tileas.pending
  // CHECK: %[[LOOP:.*]] = scf.for %[[I:.*]] = %[[LB:.*]] to {{.*}} iter_args(%[[P:.*]] = %[[SUMS]])
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (tensor<64x8xf32, #c>) : i32 {
    // CHECK: alloc_tensor
    %a = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<64x16xf16, #a>
    // CHECK: %[[W:.*]] = nv_tileas.async.dot_wait %[[P]]
    // CHECK-NEXT: nv_tileas.copy
    nv_tileas.copy %x, %a : tensor<64x16xf16, #r>, tensor<64x16xf16, #a>
    // CHECK: %[[MORE:.*]] = arith.cmpi ne, %[[I]], %[[LB]]
    // CHECK: %[[Q:.*]] = nv_tileas.async.dot %{{.*}}, %{{.*}}, %[[W]] if %[[MORE]]
    %t = nv_tileas.dot %a, %b, %s {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : tensor<64x16xf16, #a>, tensor<16x8xf16, #b>, tensor<64x8xf32, #c>
    // CHECK: scf.yield %[[Q]]
    scf.yield %t : tensor<64x8xf32, #c>
  }
  // CHECK: %[[SOME:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : i32
  // CHECK: %[[D:.*]] = nv_tileas.async.dot_wait %[[LOOP]] if %[[SOME]]
  // CHECK: nv_tileaa.return %[[D]]
  nv_tileaa.return %r : tensor<64x8xf32, #c>
}

// What follows the product and writes shared memory has to wait for it.
// CHECK-LABEL: @written_behind
nv_tileaa.func @written_behind(%x: tensor<64x16xf16, #r>, %b: tensor<16x8xf16, #b>, %n: i32) -> tensor<64x8xf32, #c> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %z = nv_tileaa.splat %f0 : f32 -> tensor<64x8xf32, #c>
  %a = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<64x16xf16, #a>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (tensor<64x8xf32, #c>) : i32 {
    // CHECK: %[[Q:.*]] = nv_tileas.async.dot
    // CHECK: %[[T:.*]] = nv_tileas.async.dot_wait %[[Q]]
    // CHECK-NEXT: nv_tileas.copy
    // CHECK: scf.yield %[[T]]
    %t = nv_tileas.dot %a, %b, %s {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : tensor<64x16xf16, #a>, tensor<16x8xf16, #b>, tensor<64x8xf32, #c>
    nv_tileas.copy %x, %a : tensor<64x16xf16, #r>, tensor<64x16xf16, #a>
    scf.yield %t : tensor<64x8xf32, #c>
  }
  nv_tileaa.return %r : tensor<64x8xf32, #c>
}

// Sums that begin with something are given to the loop as they are; of a known number of rounds no branch is made.
// CHECK-LABEL: @from_something
nv_tileaa.func @from_something(%x: tensor<64x16xf16, #r>, %b: tensor<16x8xf16, #b>, %c: tensor<64x8xf32, #c>) -> tensor<64x8xf32, #c> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  // CHECK: nv_tileas.async.dot_begin
  // CHECK-NOT: scf.if
  // CHECK: scf.for
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %c) -> (tensor<64x8xf32, #c>) : i32 {
    %a = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<64x16xf16, #a>
    nv_tileas.copy %x, %a : tensor<64x16xf16, #r>, tensor<64x16xf16, #a>
    // CHECK: nv_tileas.async.dot %{{.*}}, %{{.*}}, %{{.*}} {atom
    %t = nv_tileas.dot %a, %b, %s {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : tensor<64x16xf16, #a>, tensor<16x8xf16, #b>, tensor<64x8xf32, #c>
    scf.yield %t : tensor<64x8xf32, #c>
  }
  nv_tileaa.return %r : tensor<64x8xf32, #c>
}

// Sums that the loop reads are not under way: the product is as it was.
// CHECK-LABEL: @read_in_the_loop
nv_tileaa.func @read_in_the_loop(%x: tensor<64x16xf16, #r>, %b: tensor<16x8xf16, #b>, %c: tensor<64x8xf32, #c>, %n: i32) -> tensor<64x8xf32, #c> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c) -> (tensor<64x8xf32, #c>) : i32 {
    %a = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<64x16xf16, #a>
    nv_tileas.copy %x, %a : tensor<64x16xf16, #r>, tensor<64x16xf16, #a>
    // CHECK: nv_tileas.dot
    %t = nv_tileas.dot %a, %b, %s {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : tensor<64x16xf16, #a>, tensor<16x8xf16, #b>, tensor<64x8xf32, #c>
    %u = arith.addf %t, %t : tensor<64x8xf32, #c>
    scf.yield %u : tensor<64x8xf32, #c>
  }
  nv_tileaa.return %r : tensor<64x8xf32, #c>
}

// A loop that is there twice: each waits for its sums, which are zero if it has no round.
// CHECK-LABEL: @twice
nv_tileaa.func @twice(%x: tensor<64x16xf16, #r>, %b: tensor<16x8xf16, #b>, %n: i32, %which: i1) -> tensor<64x8xf32, #c> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  // CHECK: %[[ZERO:.*]] = nv_tileaa.splat
  %z = nv_tileaa.splat %f0 : f32 -> tensor<64x8xf32, #c>
  // CHECK: %[[SUMS:.*]] = scf.if
  // CHECK: %[[L1:.*]] = scf.for
  // CHECK: %[[ONE:.*]] = nv_tileas.async.dot_wait %[[L1]] if %
  // CHECK: scf.yield %[[ONE]]
  // CHECK-NEXT: } else {
  // CHECK: %[[L2:.*]] = scf.for
  // CHECK: %[[OTHER:.*]] = nv_tileas.async.dot_wait %[[L2]] if %
  // CHECK: scf.yield %[[OTHER]]
  // CHECK-NEXT: }
  // CHECK-NEXT: nv_tileaa.return %[[SUMS]]
  %r = scf.if %which -> (tensor<64x8xf32, #c>) {
    // What tileas-unspecialized-pipeline makes of the bound.
    %most = arith.maxsi %c0, %n : i32
    %s1 = scf.for %i = %c0 to %most step %c1 iter_args(%s = %z) -> (tensor<64x8xf32, #c>) : i32 {
      %a = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<64x16xf16, #a>
      nv_tileas.copy %x, %a : tensor<64x16xf16, #r>, tensor<64x16xf16, #a>
      %t = nv_tileas.dot %a, %b, %s {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : tensor<64x16xf16, #a>, tensor<16x8xf16, #b>, tensor<64x8xf32, #c>
      scf.yield %t : tensor<64x8xf32, #c>
    }
    scf.yield %s1 : tensor<64x8xf32, #c>
  } else {
    %most = arith.maxsi %c0, %n : i32
    %s2 = scf.for %i = %c0 to %most step %c1 iter_args(%s = %z) -> (tensor<64x8xf32, #c>) : i32 {
      %a = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<64x16xf16, #a>
      nv_tileas.copy %x, %a : tensor<64x16xf16, #r>, tensor<64x16xf16, #a>
      %t = nv_tileas.dot %a, %b, %s {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : tensor<64x16xf16, #a>, tensor<16x8xf16, #b>, tensor<64x8xf32, #c>
      scf.yield %t : tensor<64x8xf32, #c>
    }
    scf.yield %s2 : tensor<64x8xf32, #c>
  }
  nv_tileaa.return %r : tensor<64x8xf32, #c>
}
}

// -----

// The stage of a product is released when the product is done, one round later.
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#b = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2], [0, 4], [8, 0]]>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#written = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
!a = tensor<64x16xf16, #a>
!b = tensor<16x8xf16, #b>
!sum = tensor<64x8xf32, #c>
!pipe = !nv_tileas.pipeline<2 x (tensor<64x16xf16, #a>, tensor<16x8xf16, #b>)>
!iter = !nv_tileas.pipeline_iterator<2 x (tensor<64x16xf16, #a>, tensor<16x8xf16, #b>)>
gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
// CHECK-LABEL: @consumer
nv_tileaa.func @consumer(%p: !pipe, %n: i32) -> !sum {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  // CHECK: %[[LOOP:.*]]:3 = scf.for %[[I:.*]] = %[[LB:.*]] to {{.*}} iter_args(%[[S:.*]] = %{{.*}}, %[[IT:.*]] = %{{.*}}, %[[LAST:.*]] = %{{.*}})
  %sum, %end = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %it = %first) -> (!sum, !iter) : i32 {
    // CHECK: %[[T:.*]] = nv_tileas.async.pipeline.consumer_wait %{{.*}}, %[[IT]]
    %q0 = nv_tileas.async.pipeline.consumer_wait %p, %it : !pipe, !iter
    // CHECK: %[[READ:.*]], %[[Q:.*]] = nv_tileas.async.pipeline.consumer_read {{.*}} -> !nv_tileas.pending
    %q1, %r = nv_tileas.async.pipeline.consumer_read %p, %q0 : !pipe -> !sum {
    ^bb0(%x: !a, %y: !b):
      // CHECK: nv_tileas.async.dot %{{.*}}, %{{.*}}, %[[S]] if
      %s = nv_tileas.dot %x, %y, %acc {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : !a, !b, !sum
      nv_tileas.async.pipeline.yield %s : !sum
    }
    // CHECK: %[[W:.*]] = nv_tileas.async.dot_wait %[[Q]] {pending = 1 : i32}
    // CHECK-NEXT: %[[MORE:.*]] = arith.cmpi ne, %[[I]], %[[LB]]
    // CHECK-NEXT: scf.if %[[MORE]]
    // CHECK-NEXT: consumer_release %{{.*}}, %[[LAST]]
    nv_tileas.async.pipeline.consumer_release %p, %q1 : !pipe
    %next = nv_tileas.async.pipeline.inc_iter %it : !iter
    // CHECK: scf.yield %[[W]], %{{.*}}, %[[READ]]
    scf.yield %r, %next : !sum, !iter
  }
  // CHECK: nv_tileas.async.dot_wait %[[LOOP]]#0 if %
  // CHECK: scf.if
  // CHECK-NEXT: consumer_release %{{.*}}, %[[LOOP]]#2
  nv_tileaa.return %sum : !sum
}

// Who fills the ring himself releases a stage before he waits for one to fill.
// CHECK-LABEL: @both
nv_tileaa.func @both(%p: !pipe, %n: i32, %c: !sum) -> !sum {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  // CHECK: scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[LAST:.*]] = %{{.*}})
  %sum, %end = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c, %it = %first) -> (!sum, !iter) : i32 {
    // CHECK: %[[W:.*]] = nv_tileas.async.dot_wait %[[S]]
    // CHECK: scf.if
    // CHECK-NEXT: consumer_release %{{.*}}, %[[LAST]]
    // CHECK: producer_acquire
    %t0 = nv_tileas.async.pipeline.producer_acquire %p, %it : !pipe, !iter
    nv_tileas.async.pipeline.producer_commit %p, %t0 : !pipe
    %q0 = nv_tileas.async.pipeline.consumer_wait %p, %it : !pipe, !iter
    %q1, %r = nv_tileas.async.pipeline.consumer_read %p, %q0 : !pipe -> !sum {
    ^bb0(%x: !a, %y: !b):
      // CHECK: nv_tileas.async.dot %{{.*}}, %{{.*}}, %[[W]] {atom
      %s = nv_tileas.dot %x, %y, %acc {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : !a, !b, !sum
      nv_tileas.async.pipeline.yield %s : !sum
    }
    nv_tileas.async.pipeline.consumer_release %p, %q1 : !pipe
    %next = nv_tileas.async.pipeline.inc_iter %it : !iter
    scf.yield %r, %next : !sum, !iter
  }
  nv_tileaa.return %sum : !sum
}

// Two products of a stage, and between them a write of shared memory, where the first one's factor may have been: that waits for it.
// CHECK-LABEL: @written_in_the_region
nv_tileaa.func @written_in_the_region(%p: !pipe, %n: i32, %f: tensor<64x16xf16, #written>) -> (!sum, !sum) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sum
  %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %sum:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %other = %zero, %it = %first) -> (!sum, !sum, !iter) : i32 {
    %q0 = nv_tileas.async.pipeline.consumer_wait %p, %it : !pipe, !iter
    // CHECK: consumer_read
    %q1, %r:2 = nv_tileas.async.pipeline.consumer_read %p, %q0 : !pipe -> !sum, !sum {
    ^bb0(%x: !a, %y: !b):
      // CHECK: %[[ONE:.*]] = nv_tileas.async.dot
      %s = nv_tileas.dot %x, %y, %acc {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : !a, !b, !sum
      %l = nv_tileas.alloc_tensor : !a
      // CHECK: nv_tileas.async.dot_wait %[[ONE]]
      // CHECK-NEXT: nv_tileas.copy
      nv_tileas.copy %f, %l {nv_tileas.async_proxy} : tensor<64x16xf16, #written>, !a
      // CHECK: %[[TWO:.*]] = nv_tileas.async.dot
      // CHECK-NEXT: nv_tileas.async.dot_wait %[[TWO]]
      %t = nv_tileas.dot %l, %y, %other {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : !a, !b, !sum
      nv_tileas.async.pipeline.yield %s, %t : !sum, !sum
    }
    nv_tileas.async.pipeline.consumer_release %p, %q1 : !pipe
    %next = nv_tileas.async.pipeline.inc_iter %it : !iter
    scf.yield %r#0, %r#1, %next : !sum, !sum, !iter
  }
  nv_tileaa.return %sum#0, %sum#1 : !sum, !sum
}
}

// -----

// Products of one round that do not need each other go on side by side. The left factor in registers goes through the
// wait, which stands apart from the first one; the stage is released when both have read it.
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#b = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2], [0, 4], [8, 0]]>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#f = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#c16 = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [0, 0]]>
!b = tensor<16x8xf16, #b>
!sum = tensor<64x8xf32, #c>
!wide = tensor<64x16xf32, #f>
!pipe = !nv_tileas.pipeline<2 x (tensor<16x8xf16, #b>, tensor<16x8xf16, #b>)>
!iter = !nv_tileas.pipeline_iterator<2 x (tensor<16x8xf16, #b>, tensor<16x8xf16, #b>)>
gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
// CHECK-LABEL: @side_by_side
nv_tileaa.func @side_by_side(%p: !pipe, %q: tensor<64x16xf16, #a>, %w: !wide, %n: i32, %out: tensor<64x8xf32, #c>) -> !sum {
  // CHECK: %[[LB:.*]] = arith.constant 0 : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = nv_tileaa.splat %f0 : f32 -> !sum
  %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  // CHECK: scf.for %[[I:[^ ]*]] =
  %sum, %top, %end = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %t0 = %zero, %it = %first) -> (!sum, !sum, !iter) : i32 {
    // CHECK: %[[LEFT:.*]] = arith.truncf
    %left = arith.truncf %w : !wide to tensor<64x16xf16, #f>
    // CHECK: consumer_wait
    %q0 = nv_tileas.async.pipeline.consumer_wait %p, %it : !pipe, !iter
    // CHECK: %[[TOKEN:.*]], %[[READ:.*]]:2 = nv_tileas.async.pipeline.consumer_read
    %q1, %s, %d = nv_tileas.async.pipeline.consumer_read %p, %q0 : !pipe -> !sum, !sum {
    ^bb0(%x: !b, %y: !b):
      // CHECK: nv_tileas.async.dot
      // CHECK: nv_tileas.async.dot %[[LEFT]]
      %s0 = nv_tileas.dot %q, %x, %zero {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : tensor<64x16xf16, #a>, !b, !sum
      %d0 = nv_tileas.dot %left, %y, %acc {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1], registers_a = true>} : tensor<64x16xf16, #f>, !b, !sum
      nv_tileas.async.pipeline.yield %s0, %d0 : !sum, !sum
    }
    nv_tileas.async.pipeline.consumer_release %p, %q1 : !pipe
    %next = nv_tileas.async.pipeline.inc_iter %it : !iter
    // CHECK-NOT: consumer_release
    // CHECK: %[[S:.*]] = nv_tileas.async.dot_wait %[[READ]]#0 {pending = 1 : i32}
    // CHECK-NEXT: nv_tileaa.exp2 %[[S]]
    %t1 = nv_tileaa.exp2 %s : !sum
    // CHECK: %[[MORE:.*]] = arith.cmpi ne, %[[I]], %[[LB]]
    // CHECK-NEXT: %[[D:.*]]:2 = nv_tileas.async.dot_wait %[[READ]]#1, %[[LEFT]] apart %[[MORE]]
    // CHECK-NEXT: consumer_release %{{.*}}, %[[TOKEN]]
    // CHECK: arith.mulf %[[D]]#0
    %c = arith.mulf %d, %t1 : !sum
    scf.yield %c, %t1, %next : !sum, !sum, !iter
  }
  nv_tileaa.return %sum : !sum
}

// What writes shared memory waits for both.
// CHECK-LABEL: @written_between
nv_tileaa.func @written_between(%q: tensor<64x16xf16, #a>, %x: !b, %y: !b, %w: tensor<16x8xf16, #c16>, %n: i32, %c: !sum) -> !sum {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (!sum) : i32 {
    // CHECK: async.dot
    // CHECK: async.dot
    %s = nv_tileas.dot %q, %x, %c {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : tensor<64x16xf16, #a>, !b, !sum
    %d = nv_tileas.dot %q, %y, %c {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : tensor<64x16xf16, #a>, !b, !sum
    // CHECK-NEXT: async.dot_wait {{.*}} {pending = 1 : i32}
    // CHECK-NEXT: async.dot_wait
    // CHECK-NEXT: nv_tileas.copy
    nv_tileas.copy %w, %x : tensor<16x8xf16, #c16>, !b
    %u = arith.addf %s, %d : !sum
    %v = arith.addf %u, %acc : !sum
    scf.yield %v : !sum
  }
  nv_tileaa.return %sum : !sum
}
}

// -----

// A stage that threads have copied, and a factor that they write: the fence behind what they write is for both. Not where the
// product reads something else.
#a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#b = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2], [0, 4], [8, 0]]>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#c16 = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [0, 0]]>
!a = tensor<64x16xf16, #a>
!b = tensor<16x8xf16, #b>
!sum = tensor<64x8xf32, #c>
!pipe = !nv_tileas.pipeline<1 x (tensor<64x16xf16, #a>)>
!iter = !nv_tileas.pipeline_iterator<1 x (tensor<64x16xf16, #a>)>
gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
// CHECK-LABEL: @fenced_once
nv_tileaa.func @fenced_once(%s: !a, %w: tensor<16x8xf16, #c16>, %other: !b, %c: !sum) -> (!sum, !sum) {
  %p = nv_tileas.async.pipeline.create_pipeline %s {groups, numStages = 1 : i32} : (!a) -> !pipe
  %it = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %tile = nv_tileas.alloc_tensor : !b
  // CHECK: consumer_wait
  // CHECK-NOT: async_proxy
  // CHECK: consumer_read
  // CHECK: nv_tileas.copy {{.*}}async_proxy
  %q0 = nv_tileas.async.pipeline.consumer_wait %p, %it {nv_tileas.async_proxy} : !pipe, !iter
  %q1, %d = nv_tileas.async.pipeline.consumer_read %p, %q0 : !pipe -> !sum {
  ^bb0(%x: !a):
    nv_tileas.copy %w, %tile {nv_tileas.async_proxy} : tensor<16x8xf16, #c16>, !b
    %r = nv_tileas.dot %x, %tile, %c {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : !a, !b, !sum
    nv_tileas.async.pipeline.yield %r : !sum
  }
  nv_tileas.async.pipeline.consumer_release %p, %q1 : !pipe
  // CHECK: consumer_wait {{.*}}async_proxy
  %q2 = nv_tileas.async.pipeline.consumer_wait %p, %it {nv_tileas.async_proxy} : !pipe, !iter
  %q3, %e = nv_tileas.async.pipeline.consumer_read %p, %q2 : !pipe -> !sum {
  ^bb0(%x: !a):
    nv_tileas.copy %w, %tile {nv_tileas.async_proxy} : tensor<16x8xf16, #c16>, !b
    %r = nv_tileas.dot %x, %other, %c {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : !a, !b, !sum
    nv_tileas.async.pipeline.yield %r : !sum
  }
  nv_tileas.async.pipeline.consumer_release %p, %q3 : !pipe
  nv_tileaa.return %d, %e : !sum, !sum
}
}
