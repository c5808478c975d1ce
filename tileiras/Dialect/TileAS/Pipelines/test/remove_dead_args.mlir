// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-remove-dead-args))' | FileCheck %s

#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8]]>
!pipe = !nv_tileas.pipeline<2 x (tensor<16xf32, #s>)>
!iter = !nv_tileas.pipeline_iterator<2 x (tensor<16xf32, #s>)>

// A capture goes that no agent uses.
// CHECK-LABEL: nv_tileaa.func @captures
// CHECK: agent_switch %arg1, %arg2 : i32, f32 {
// CHECK-NEXT: ^bb0(%[[I:.*]]: i32, %{{.*}}: f32):
// CHECK-NEXT: nv_tileaa.print
nv_tileaa.func @captures(%a: i32, %b: i32, %c: f32) {
  nv_tileas.async.pipeline.agent_switch %a, %b, %c : i32, i32, f32 {
  ^bb0(%x: i32, %y: i32, %z: f32):
    nv_tileaa.print "%d", %y : i32
  }, {
  ^bb0(%x: i32, %y: i32, %z: f32):
    nv_tileaa.print "%f", %z : f32
  }
  nv_tileaa.return
}

// What a loop counts for nobody, with the counting; the number of the argument with the producer's place follows.
// CHECK-LABEL: nv_tileaa.func @carried
// CHECK: %[[E:.*]]:2 = scf.for %{{.*}} iter_args(%[[A:.*]] = %arg2, %[[S:.*]] = %arg1) -> (!nv_tileas.pipeline_iterator<{{.*}}>, i32)
// CHECK-NOT: arith.muli
// CHECK: %[[N:.*]] = nv_tileas.async.pipeline.inc_iter %[[A]]
// CHECK-NEXT: %[[T:.*]] = arith.addi %[[S]],
// CHECK-NEXT: scf.yield %[[N]], %[[T]]
// CHECK-NEXT: } {token_iter_idx = 0 : i32}
nv_tileaa.func @carried(%n: i32, %start: i32, %i: !iter) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %e:4 = scf.for %k = %c0 to %n step %c1 iter_args(%dead = %start, %it = %i, %sum = %start, %out = %start) -> (i32, !iter, i32, i32) : i32 {
    %twice = arith.muli %dead, %dead : i32
    %next = nv_tileas.async.pipeline.inc_iter %it : !iter
    %more = arith.addi %sum, %k : i32
    scf.yield %twice, %next, %more, %out : i32, !iter, i32, i32
  } {token_iter_idx = 1 : i32}
  nv_tileaa.print "%d", %e#2 : i32
  %v = nv_tileas.async.pipeline.inc_iter %e#1 : !iter
  nv_tileaa.return %e#2 : i32
}

// CHECK-LABEL: nv_tileaa.func @branch
// CHECK: scf.if %arg0 -> (i32) {
nv_tileaa.func @branch(%c: i1, %x: i32) -> i32 {
  %a:2 = scf.if %c -> (i32, i32) {
    scf.yield %x, %x : i32, i32
  } else {
    %y = arith.addi %x, %x : i32
    scf.yield %y, %y : i32, i32
  }
  nv_tileaa.return %a#1 : i32
}
