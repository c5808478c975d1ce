// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(sink-negf-through-shapes))' | FileCheck %s

// The negative maximum of each row: 64 of them and not 64 x 32.
// CHECK-LABEL: nv_tileaa.func @rows
// CHECK: %[[N:.*]] = arith.negf %arg0 : tensor<64xf32>
// CHECK: %[[C:.*]] = nv_tileaa.expand_dims %[[N]]
// CHECK: %[[B:.*]] = nv_tileaa.broadcast %[[C]]
// CHECK-NOT: negf
// CHECK: arith.addf %{{.*}}, %[[B]]
nv_tileaa.func @rows(%m: tensor<64xf32>, %x: tensor<64x32xf32>) {
  %c = nv_tileaa.expand_dims %m {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
  %b = nv_tileaa.broadcast %c : tensor<64x1xf32> -> tensor<64x32xf32>
  %n = arith.negf %b : tensor<64x32xf32>
  %y = arith.addf %x, %n : tensor<64x32xf32>
  %p = nv_tileaa.print "%f", %y : tensor<64x32xf32>
  nv_tileaa.return
}

// A value that others want as it is stays; so does what is computed.
// CHECK-LABEL: nv_tileaa.func @shared
// CHECK: %[[B:.*]] = nv_tileaa.broadcast %arg0
// CHECK: arith.negf %[[B]]
// CHECK: %[[S:.*]] = arith.addf
// CHECK: arith.negf %[[S]]
nv_tileaa.func @shared(%m: tensor<64x1xf32>, %x: tensor<64x32xf32>) {
  %b = nv_tileaa.broadcast %m : tensor<64x1xf32> -> tensor<64x32xf32>
  %n = arith.negf %b : tensor<64x32xf32>
  %s = arith.addf %b, %n : tensor<64x32xf32>
  %t = arith.negf %s : tensor<64x32xf32>
  %p = nv_tileaa.print "%f", %t : tensor<64x32xf32>
  nv_tileaa.return
}
