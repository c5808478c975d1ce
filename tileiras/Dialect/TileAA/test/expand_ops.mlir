// RUN: tileiras-opt %s -tileaa-expand-ops -verify-diagnostics | FileCheck %s

// CHECK-LABEL: @clamp
nv_tileaa.func @clamp(%x: tensor<8xf32>, %a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: %[[L:.*]] = arith.maxnumf %arg0, %arg1
  // CHECK: %[[R:.*]] = arith.minnumf %[[L]], %arg2
  %0 = nv_tileaa.clampf %x, %a, %b : tensor<8xf32>
  // CHECK: %[[M:.*]] = arith.maximumf %arg0, %arg1
  // CHECK: %[[N:.*]] = arith.minimumf %[[M]], %arg2
  %1 = nv_tileaa.clampf %x, %a, %b {propagate_nan = #nv_tileaa.propagate_nan<all>} : tensor<8xf32>
  // CHECK: nv_tileaa.return %[[R]], %[[N]]
  nv_tileaa.return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: @generate
nv_tileaa.func @generate(%k: i32) -> tensor<4x8xi32> {
  // CHECK: nv_tileaa.make_range(0, 4) : tensor<4xi32>
  // CHECK: nv_tileaa.broadcast %{{.*}} : tensor<4x1xi32> -> tensor<4x8xi32>
  // CHECK: nv_tileaa.make_range(0, 8) : tensor<8xi32>
  // CHECK: nv_tileaa.broadcast %{{.*}} : tensor<1x8xi32> -> tensor<4x8xi32>
  // CHECK: arith.muli %{{.*}}, %{{.*}} : tensor<4x8xi32>
  // CHECK: arith.addi %{{.*}}, %{{.*}} : tensor<4x8xi32>
  %0 = nv_tileaa.generate : tensor<4x8xi32> {
  ^bb0(%r: i32, %c: i32):
    %e = arith.constant 8 : i32
    %m = arith.muli %r, %e : i32
    %s = arith.addi %m, %c : i32
    %t = arith.addi %s, %k : i32
    nv_tileaa.yield %t : i32
  }
  nv_tileaa.return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: @histogram
nv_tileaa.func @histogram(%x: tensor<64xi8>, %m: tensor<64xi1>) -> tensor<16xi32> {
  // CHECK: arith.extui %arg0 : tensor<64xi8> to tensor<64xi32>
  // CHECK: arith.cmpi eq, %{{.*}}, %{{.*}} : tensor<64x16xi32>
  // CHECK: arith.andi %{{.*}}, %{{.*}} : tensor<64x16xi1>
  // CHECK: nv_tileaa.reduce %{{.*}} {axis = 0 : i32, identities = [0 : i32]} : tensor<64x16xi32> -> tensor<16xi32>
  %0 = nv_tileaa.histogram %x, mask %m : tensor<64xi1> : tensor<64xi8> -> tensor<16xi32>
  nv_tileaa.return %0 : tensor<16xi32>
}

// Helpers are inlined and gone.
// CHECK-NOT: @twice
nv_tileaa.func private @twice(%x: f32) -> f32 {
  %0 = arith.addf %x, %x : f32
  nv_tileaa.return %0 : f32
}
// CHECK-NOT: @four
nv_tileaa.func private @four(%x: f32) -> f32 {
  %0 = nv_tileaa.call @twice(%x) : (f32) -> f32
  %1 = nv_tileaa.call @twice(%0) : (f32) -> f32
  nv_tileaa.return %1 : f32
}
// CHECK-LABEL: @kernel
nv_tileaa.func @kernel(%p: !nv_tileaa.ptr<f32>, %x: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  // CHECK: %[[A:.*]] = arith.addf %arg1, %arg1
  // CHECK: %[[B:.*]] = arith.addf %[[A]], %[[A]]
  %0 = nv_tileaa.call @four(%x) : (f32) -> f32
  // expected-remark @below {{for your information}}
  nv_tileaa.message "for your information"
  // CHECK: %[[M:.*]] = nv_tileaa.mark_for_reuse %[[B]]
  %1 = nv_tileaa.mark_for_reuse %0 : f32
  %2 = nv_tileaa.optimization_barrier %1 : f32
  // CHECK: nv_tileaa.message "a" {nv_tileaa.ocg_directive}
  // CHECK: %[[N:.*]] = arith.negf %[[M]]
  // CHECK: nv_tileaa.message "b" {nv_tileaa.ocg_directive}
  %3 = nv_tileaa.pragma {ocgEnterDirectives = ["a"], ocgLeaveDirectives = ["b"]} -> (f32) {
    %n = arith.negf %2 : f32
    nv_tileaa.yield %n : f32
  }
  // CHECK: nv_tileaa.store %arg0, %[[N]]
  %t = nv_tileaa.store %p, %3 : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}
