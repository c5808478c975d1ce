// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-recompute-for-scheduling))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-recompute-for-scheduling,tileas-unspecialized-pipeline{num-stages=3}))' | FileCheck %s --check-prefix=PIPELINED
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-unspecialized-pipeline{num-stages=3}))' | FileCheck %s --check-prefix=CARRIED

#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8]]>
!t = tensor<16xf32, #s>
!pipe = !nv_tileas.pipeline<3 x (!t)>
!iter = !nv_tileas.pipeline_iterator<3 x (!t)>

// The row is computed from the counter by the producer, and again by the consumer two iterations later; what the first stage
// has loaded is not. Without that the loop carries a row for each iteration between them.
// CHECK-LABEL: nv_tileaa.func @two_sides
// CHECK: %[[A:.*]] = arith.muli %[[K:.*]], %arg2 {pipeline_stage = 0 : i32}
// CHECK-NEXT: %[[B:.*]] = arith.addi %[[A]], %arg2 {pipeline_stage = 0 : i32}
// CHECK: producer_acquire
// CHECK: %[[C:.*]] = arith.muli %[[K]], %arg2 {pipeline_stage = 2 : i32}
// CHECK-NEXT: %[[D:.*]] = arith.addi %[[C]], %arg2 {pipeline_stage = 2 : i32}
// CHECK-NEXT: nv_tileaa.print "%d", %[[D]]
// CHECK-NEXT: nv_tileaa.print "%d", %[[D]]
// PIPELINED: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{[^,]*}} = %{{[^,]*}}) -> (!nv_tileas.pipeline_iterator<{{.*}}>, !nv_tileas.pipeline_iterator<{{.*}}>)
// CARRIED: scf.for {{.*}} -> (!nv_tileas.pipeline_iterator<{{.*}}>, !nv_tileas.pipeline_iterator<{{.*}}>, i32, i32)
nv_tileaa.func @two_sides(%n: i32, %p: !pipe, %x: i32, %first: !iter) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %e:2 = scf.for %k = %c0 to %n step %c1 iter_args(%in = %first, %out = %first) -> (!iter, !iter) : i32 {
    %a = arith.muli %k, %x {pipeline_stage = 0 : i32} : i32
    %row = arith.addi %a, %x {pipeline_stage = 0 : i32} : i32
    %t0 = nv_tileas.async.pipeline.producer_acquire %p, %in {pipeline_stage = 0 : i32} : !pipe, !iter
    nv_tileas.async.pipeline.producer_commit %p, %t0 {pipeline_stage = 0 : i32} : !pipe
    %in1 = nv_tileas.async.pipeline.inc_iter %in {pipeline_stage = 0 : i32} : !iter
    %c2 = nv_tileas.async.pipeline.consumer_wait %p, %out {pipeline_stage = 2 : i32} : !pipe, !iter
    nv_tileas.async.pipeline.consumer_release %p, %c2 {pipeline_stage = 2 : i32} : !pipe
    nv_tileaa.print "%d", %row : i32
    nv_tileaa.print "%d", %row : i32
    %out1 = nv_tileas.async.pipeline.inc_iter %out {pipeline_stage = 2 : i32} : !iter
    scf.yield %in1, %out1 : !iter, !iter
  }
  nv_tileaa.return
}
