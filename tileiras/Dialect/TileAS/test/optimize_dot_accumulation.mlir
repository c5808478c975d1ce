// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-optimize-dot-accumulation))' | FileCheck %s

// The loop that adds products up itself: they add up.
// CHECK-LABEL: nv_tileaa.func @loop
// CHECK: scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}})
// CHECK: %[[D:.*]] = nv_tileaa.dot %arg0, %arg1, %[[S]]
// CHECK-NOT: addf
// CHECK: scf.yield %[[D]]
nv_tileaa.func @loop(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<64x64xf32>) : i32 {
    %d = nv_tileaa.dot %a, %b, %zero : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    %t = arith.addf %s, %d : tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  %p = nv_tileaa.print "%f", %r : tensor<64x64xf32>
  nv_tileaa.return
}

// Integers; and what is added is made behind the product.
// CHECK-LABEL: nv_tileaa.func @later
// CHECK: %[[M:.*]] = arith.muli
// CHECK-NEXT: nv_tileaa.dot %{{.*}}, %{{.*}}, %[[M]]
// CHECK-NOT: addi
nv_tileaa.func @later(%a: tensor<64x32xi8>, %b: tensor<32x64xi8>, %c: tensor<64x64xi32>, %z: i32) {
  %s = nv_tileaa.splat %z : i32 -> tensor<64x64xi32>
  %zero = arith.constant dense<0> : tensor<64x64xi32>
  %d = nv_tileaa.dot %a, %b, %zero {signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<signed>} : tensor<64x32xi8>, tensor<32x64xi8>, tensor<64x64xi32>
  %m = arith.muli %c, %s : tensor<64x64xi32>
  %t = arith.addi %d, %m : tensor<64x64xi32>
  %p = nv_tileaa.print "%d", %t : tensor<64x64xi32>
  nv_tileaa.return
}

// Products of f32 keep their order; sums that are not zero are not replaced; nor is a result that others want.
// CHECK-LABEL: nv_tileaa.func @kept
// CHECK-COUNT-3: arith.addf
nv_tileaa.func @kept(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>, %h: tensor<64x32xf16>, %k: tensor<32x64xf16>, %c: tensor<64x64xf32>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = nv_tileaa.dot %a, %b, %zero : tensor<64x32xf32>, tensor<32x64xf32>, tensor<64x64xf32>
  %t = arith.addf %d, %c : tensor<64x64xf32>
  %e = nv_tileaa.dot %h, %k, %c : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
  %u = arith.addf %e, %c : tensor<64x64xf32>
  %f = nv_tileaa.dot %h, %k, %zero : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
  %v = arith.addf %f, %c : tensor<64x64xf32>
  %w = arith.mulf %f, %v : tensor<64x64xf32>
  %p = nv_tileaa.print "%f %f %f", %t, %u, %w : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  nv_tileaa.return
}
