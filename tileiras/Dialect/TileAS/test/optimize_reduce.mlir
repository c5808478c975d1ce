// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-optimize-reduce))' | FileCheck %s
// (Executed: tileiras/Compiler/test/optimize_reduce_run.mlir.)

#lanes = #nv_tileas.linear<rank = 2, register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0]]>
#warps = #nv_tileas.linear<rank = 2, register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [0, 64]]>
#r2 = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]]>
#r4 = #nv_tileas.linear<rank = 1, register = [], lane = [[0], [0], [0], [0], [0]], warp = [[1], [2]]>

// Independent reductions over the same warps: one, with the bodies side by side.
// CHECK-LABEL: nv_tileaa.func @together
// CHECK: %[[B:.*]]:2 = nv_tileas.reduce %[[X:.*]], %[[Y:.*]] {axis = 1 : i32, identities = [0.000000e+00 : f32, 0xFF800000 : f32]}
// CHECK-NEXT: ^bb0(%[[E:.*]]: f32, %[[A:.*]]: f32, %[[F:.*]]: f32, %[[G:.*]]: f32):
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[E]], %[[A]]
// CHECK-NEXT: %[[M:.*]] = arith.maximumf %[[F]], %[[G]]
// CHECK-NEXT: nv_tileas.yield %[[S]], %[[M]] : f32, f32
// CHECK-NOT: nv_tileas.reduce
// CHECK: nv_tileaa.print "%f", %[[B]]#0
// CHECK: nv_tileaa.print "%f", %[[B]]#1
nv_tileaa.func @together(%x: tensor<2x128xf32, #warps>) {
  %a = nv_tileas.reduce %x {axis = 1 : i32, identities = [0.0 : f32]} : tensor<2x128xf32, #warps> -> tensor<2xf32, #r2> {
  ^bb0(%e: f32, %acc: f32):
    %u = arith.addf %e, %acc : f32
    nv_tileas.yield %u : f32
  }
  %y = arith.mulf %x, %x : tensor<2x128xf32, #warps>
  %p = nv_tileaa.print "%f", %a : tensor<2xf32, #r2>
  %b = nv_tileas.reduce %y {axis = 1 : i32, identities = [0xFF800000 : f32]} : tensor<2x128xf32, #warps> -> tensor<2xf32, #r2> {
  ^bb0(%e: f32, %acc: f32):
    %u = arith.maximumf %e, %acc : f32
    nv_tileas.yield %u : f32
  }
  %q = nv_tileaa.print "%f", %b : tensor<2xf32, #r2>
  nv_tileaa.return
}

// The second depends on the first (as the sum of a softmax on its maximum): two trips.
// CHECK-LABEL: nv_tileaa.func @one_after_the_other
// CHECK-COUNT-2: nv_tileas.reduce %{{[^,]*}} {
nv_tileaa.func @one_after_the_other(%x: tensor<2x128xf32, #warps>) {
  %a = nv_tileas.reduce %x {axis = 1 : i32, identities = [0.0 : f32]} : tensor<2x128xf32, #warps> -> tensor<2xf32, #r2> {
  ^bb0(%e: f32, %acc: f32):
    %u = arith.addf %e, %acc : f32
    nv_tileas.yield %u : f32
  }
  %c = nv_tileaa.expand_dims %a {axis = 1 : i32} : tensor<2xf32, #r2> -> tensor<2x1xf32, #nv_tileas.linear<rank = 2, register = [[1, 0]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>>
  %w = nv_tileaa.broadcast %c : tensor<2x1xf32, #nv_tileas.linear<rank = 2, register = [[1, 0]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>> -> tensor<2x128xf32, #warps>
  %y = arith.subf %x, %w : tensor<2x128xf32, #warps>
  %b = nv_tileas.reduce %y {axis = 1 : i32, identities = [0.0 : f32]} : tensor<2x128xf32, #warps> -> tensor<2xf32, #r2> {
  ^bb0(%e: f32, %acc: f32):
    %u = arith.addf %e, %acc : f32
    nv_tileas.yield %u : f32
  }
  %q = nv_tileaa.print "%f", %b : tensor<2xf32, #r2>
  nv_tileaa.return
}

// The maximum of integers is carried element by element.
// CHECK-LABEL: nv_tileaa.func @behind
// CHECK: %[[T:.*]] = nv_tileaa.splat %{{.*}} : i32 -> tensor<4x32xi32, #[[L:.*]]>
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[OLD:.*]] = %arg1, %[[C:.*]] = %[[T]])
// CHECK-NOT: nv_tileas.reduce
// CHECK: %[[N:.*]] = arith.maxsi %[[C]], %{{.*}} : tensor<4x32xi32
// CHECK: scf.yield %[[OLD]], %[[N]]
// CHECK: %[[ALL:.*]] = nv_tileas.reduce %[[R]]#1
// CHECK: arith.maxsi %arg1, %[[ALL]] : tensor<4xi32
nv_tileaa.func @behind(%x: tensor<4x32xi32, #lanes>, %first: tensor<4xi32, #r4>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %first) -> (tensor<4xi32, #r4>) : i32 {
    %s = nv_tileaa.splat %i : i32 -> tensor<4x32xi32, #lanes>
    %y = arith.muli %x, %s : tensor<4x32xi32, #lanes>
    %m = nv_tileas.reduce %y {axis = 1 : i32, identities = [-2147483648 : i32]} : tensor<4x32xi32, #lanes> -> tensor<4xi32, #r4> {
    ^bb0(%e: i32, %acc: i32):
      %u = arith.maxsi %e, %acc : i32
      nv_tileas.yield %u : i32
    }
    %d = arith.maxsi %c, %m : tensor<4xi32, #r4>
    scf.yield %d : tensor<4xi32, #r4>
  }
  %p = nv_tileaa.print "%d", %r : tensor<4xi32, #r4>
  nv_tileaa.return
}

// Sums of floats are rounded in the order of the program; an identity that is not neutral counts in every iteration.
// CHECK-LABEL: nv_tileaa.func @stays
// CHECK: scf.for
// CHECK: nv_tileas.reduce
// CHECK: nv_tileas.reduce
// CHECK: scf.yield
nv_tileaa.func @stays(%x: tensor<4x32xf32, #lanes>, %z: tensor<4x32xi32, #lanes>, %first: tensor<4xf32, #r4>, %other: tensor<4xi32, #r4>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %first, %k = %other) -> (tensor<4xf32, #r4>, tensor<4xi32, #r4>) : i32 {
    %m = nv_tileas.reduce %x {axis = 1 : i32, identities = [0.0 : f32]} : tensor<4x32xf32, #lanes> -> tensor<4xf32, #r4> {
    ^bb0(%e: f32, %acc: f32):
      %u = arith.addf %e, %acc : f32
      nv_tileas.yield %u : f32
    }
    %d = arith.addf %c, %m : tensor<4xf32, #r4>
    %o = nv_tileas.reduce %z {axis = 1 : i32, identities = [5 : i32]} : tensor<4x32xi32, #lanes> -> tensor<4xi32, #r4> {
    ^bb0(%e: i32, %acc: i32):
      %u = arith.addi %e, %acc : i32
      nv_tileas.yield %u : i32
    }
    %q = arith.addi %k, %o : tensor<4xi32, #r4>
    scf.yield %d, %q : tensor<4xf32, #r4>, tensor<4xi32, #r4>
  }
  %p = nv_tileaa.print "%f", %r#0 : tensor<4xf32, #r4>
  %p2 = nv_tileaa.print "%d", %r#1 : tensor<4xi32, #r4>
  nv_tileaa.return
}
