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

// What exp2 gives is never -0, and neither are sums of it, which may begin with -0 as well. What a running maximum began with wins over the
// identity, or is as good: it may begin with a NaN, which loses.
// CHECK-LABEL: nv_tileaa.func @nobody_can_tell
// CHECK: nv_tileas.reduce %{{.*}} {axis = 1 : i32, identities = [0x7FC00000 : f32]}
// CHECK: nv_tileas.reduce %{{.*}} {axis = 1 : i32, identities = [-0.000000e+00 : f32]}
nv_tileaa.func @nobody_can_tell(%x: tensor<4x32xf32, #lanes>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %low = arith.constant -1.0e+30 : f32
  %zero = arith.constant 0.0 : f32
  %first = nv_tileaa.splat %low : f32 -> tensor<4xf32, #r4>
  %none = nv_tileaa.splat %zero : f32 -> tensor<4xf32, #r4>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%top = %first, %all = %none) -> (tensor<4xf32, #r4>, tensor<4xf32, #r4>) : i32 {
    %m = nv_tileas.reduce %x {axis = 1 : i32, identities = [-1.0e+30 : f32]} : tensor<4x32xf32, #lanes> -> tensor<4xf32, #r4> {
    ^bb0(%e: f32, %acc: f32):
      %u = arith.maxnumf %e, %acc : f32
      nv_tileas.yield %u : f32
    }
    %t = arith.maxnumf %top, %m : tensor<4xf32, #r4>
    %w = math.exp2 %x : tensor<4x32xf32, #lanes>
    %s = nv_tileas.reduce %w {axis = 1 : i32, identities = [0.0 : f32]} : tensor<4x32xf32, #lanes> -> tensor<4xf32, #r4> {
    ^bb0(%e: f32, %acc: f32):
      %u = arith.addf %e, %acc : f32
      nv_tileas.yield %u : f32
    }
    %d = arith.subf %top, %t : tensor<4xf32, #r4>
    %f = arith.mulf %all, %d : tensor<4xf32, #r4>
    %a = arith.addf %f, %s : tensor<4xf32, #r4>
    scf.yield %t, %a : tensor<4xf32, #r4>, tensor<4xf32, #r4>
  }
  %p = nv_tileaa.print "%f", %r#0 : tensor<4xf32, #r4>
  %p2 = nv_tileaa.print "%f", %r#1 : tensor<4xf32, #r4>
  nv_tileaa.return
}

// A sum of what may be -0; a maximum that somebody else sees; one that began with less than the identity, or with who knows what; one beside a
// maximum in which a NaN wins; a zero, of which there are two.
// CHECK-LABEL: nv_tileaa.func @somebody_can_tell
// CHECK-COUNT-2: nv_tileas.reduce %{{.*}} {axis = 1 : i32, identities = [0.000000e+00 : f32]}
// CHECK-COUNT-4: nv_tileas.reduce %{{.*}} {axis = 1 : i32, identities = [-1.000000e+30 : f32]}
// CHECK-NOT: identities = [0x7FC00000
nv_tileaa.func @somebody_can_tell(%x: tensor<4x32xf32, #lanes>, %given: tensor<4xf32, #r4>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lower = arith.constant -2.0e+30 : f32
  %low = arith.constant -1.0e+30 : f32
  %no = arith.constant 0.0 : f32
  %f0 = nv_tileaa.splat %lower : f32 -> tensor<4xf32, #r4>
  %f1 = nv_tileaa.splat %low : f32 -> tensor<4xf32, #r4>
  %f2 = nv_tileaa.splat %no : f32 -> tensor<4xf32, #r4>
  %r:6 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f0, %b = %f1, %c = %given, %d = %f1, %z = %f2, %y = %f2)
      -> (tensor<4xf32, #r4>, tensor<4xf32, #r4>, tensor<4xf32, #r4>, tensor<4xf32, #r4>, tensor<4xf32, #r4>, tensor<4xf32, #r4>) : i32 {
    %s = nv_tileas.reduce %x {axis = 1 : i32, identities = [0.0 : f32]} : tensor<4x32xf32, #lanes> -> tensor<4xf32, #r4> {
    ^bb0(%e: f32, %acc: f32):
      %u = arith.addf %e, %acc : f32
      nv_tileas.yield %u : f32
    }
    %yn = arith.addf %y, %s : tensor<4xf32, #r4>
    %mz = nv_tileas.reduce %x {axis = 1 : i32, identities = [0.0 : f32]} : tensor<4x32xf32, #lanes> -> tensor<4xf32, #r4> {
    ^bb0(%e: f32, %acc: f32):
      %u = arith.maxnumf %e, %acc : f32
      nv_tileas.yield %u : f32
    }
    %zn = arith.maxnumf %z, %mz : tensor<4xf32, #r4>
    %m0 = nv_tileas.reduce %x {axis = 1 : i32, identities = [-1.0e+30 : f32]} : tensor<4x32xf32, #lanes> -> tensor<4xf32, #r4> {
    ^bb0(%e: f32, %acc: f32):
      %u = arith.maxnumf %e, %acc : f32
      nv_tileas.yield %u : f32
    }
    %an = arith.maxnumf %a, %m0 : tensor<4xf32, #r4>
    %m1 = nv_tileas.reduce %x {axis = 1 : i32, identities = [-1.0e+30 : f32]} : tensor<4x32xf32, #lanes> -> tensor<4xf32, #r4> {
    ^bb0(%e: f32, %acc: f32):
      %u = arith.maxnumf %e, %acc : f32
      nv_tileas.yield %u : f32
    }
    %bn = arith.maxnumf %b, %m1 : tensor<4xf32, #r4>
    %seen = nv_tileaa.print "%f", %m1 : tensor<4xf32, #r4>
    %m2 = nv_tileas.reduce %x {axis = 1 : i32, identities = [-1.0e+30 : f32]} : tensor<4x32xf32, #lanes> -> tensor<4xf32, #r4> {
    ^bb0(%e: f32, %acc: f32):
      %u = arith.maxnumf %e, %acc : f32
      nv_tileas.yield %u : f32
    }
    %cn = arith.maxnumf %c, %m2 : tensor<4xf32, #r4>
    %m3 = nv_tileas.reduce %x {axis = 1 : i32, identities = [-1.0e+30 : f32]} : tensor<4x32xf32, #lanes> -> tensor<4xf32, #r4> {
    ^bb0(%e: f32, %acc: f32):
      %u = arith.maxnumf %e, %acc : f32
      nv_tileas.yield %u : f32
    }
    %dn = arith.maximumf %d, %m3 : tensor<4xf32, #r4>
    scf.yield %an, %bn, %cn, %dn, %zn, %yn : tensor<4xf32, #r4>, tensor<4xf32, #r4>, tensor<4xf32, #r4>, tensor<4xf32, #r4>, tensor<4xf32, #r4>, tensor<4xf32, #r4>
  }
  %p0 = nv_tileaa.print "%f %f %f %f %f %f", %r#0, %r#1, %r#2, %r#3, %r#4, %r#5 : tensor<4xf32, #r4>, tensor<4xf32, #r4>, tensor<4xf32, #r4>, tensor<4xf32, #r4>, tensor<4xf32, #r4>, tensor<4xf32, #r4>
  nv_tileaa.return
}
