// RUN: tileiras-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: @splat
nv_tileaa.func @splat(%x: f32, %i: i32) -> (tensor<4x8xf32>, tensor<8x4xf32>, tensor<2x8xf32>, tensor<4x1x8xf32>) {
  // CHECK-DAG: %[[A:.*]] = nv_tileaa.splat %arg0 : f32 -> tensor<4x8xf32>
  // CHECK-DAG: %[[B:.*]] = nv_tileaa.splat %arg0 : f32 -> tensor<8x4xf32>
  // CHECK-DAG: %[[C:.*]] = nv_tileaa.splat %arg0 : f32 -> tensor<2x8xf32>
  // CHECK-DAG: %[[D:.*]] = nv_tileaa.splat %arg0 : f32 -> tensor<4x1x8xf32>
  %0 = nv_tileaa.splat %x : f32 -> tensor<1xf32>
  %1 = nv_tileaa.view %0 : tensor<1xf32> -> tensor<1x1xf32>
  %2 = nv_tileaa.broadcast %1 : tensor<1x1xf32> -> tensor<4x8xf32>
  %3 = nv_tileaa.permute %2 [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  %4 = nv_tileaa.extract_slice %2[%i, %i] : tensor<4x8xf32> -> tensor<2x8xf32>
  %5 = nv_tileaa.expand_dims %2 {axis = 1 : i32} : tensor<4x8xf32> -> tensor<4x1x8xf32>
  // CHECK: nv_tileaa.return %[[A]], %[[B]], %[[C]], %[[D]]
  nv_tileaa.return %2, %3, %4, %5 : tensor<4x8xf32>, tensor<8x4xf32>, tensor<2x8xf32>, tensor<4x1x8xf32>
}

// CHECK-LABEL: @constant
nv_tileaa.func @constant() -> (tensor<4x8xi32>, tensor<2x2xi32>) {
  // CHECK-DAG: %[[C:.*]] = arith.constant dense<7> : tensor<4x8xi32>
  %0 = arith.constant dense<7> : tensor<1xi32>
  %1 = nv_tileaa.expand_dims %0 {axis = 0 : i32} : tensor<1xi32> -> tensor<1x1xi32>
  %2 = nv_tileaa.broadcast %1 : tensor<1x1xi32> -> tensor<4x8xi32>
  // A table is not spread.
  // CHECK-DAG: %[[T:.*]] = arith.constant dense<[1, 2, 3, 4]>
  // CHECK: %[[V:.*]] = nv_tileaa.view %[[T]]
  %3 = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %4 = nv_tileaa.view %3 : tensor<4xi32> -> tensor<2x2xi32>
  // CHECK: nv_tileaa.return %[[C]], %[[V]]
  nv_tileaa.return %2, %4 : tensor<4x8xi32>, tensor<2x2xi32>
}

// CHECK-LABEL: @views
nv_tileaa.func @views(%a: tensor<8xf32>, %b: tensor<8xf32, "layout">) -> (tensor<8xf32>, tensor<2x4xf32, "layout">) {
  %0 = nv_tileaa.view %a : tensor<8xf32> -> tensor<2x4xf32>
  %1 = nv_tileaa.view %0 : tensor<2x4xf32> -> tensor<8xf32>
  // Layouts say more than shapes.
  // CHECK-NEXT: %[[X:.*]] = nv_tileaa.view %arg1 : tensor<8xf32, "layout"> -> tensor<4x2xf32, "layout">
  // CHECK-NEXT: %[[Y:.*]] = nv_tileaa.view %[[X]]
  %2 = nv_tileaa.view %b : tensor<8xf32, "layout"> -> tensor<4x2xf32, "layout">
  %3 = nv_tileaa.view %2 : tensor<4x2xf32, "layout"> -> tensor<2x4xf32, "layout">
  // CHECK-NEXT: nv_tileaa.return %arg0, %[[Y]]
  nv_tileaa.return %1, %3 : tensor<8xf32>, tensor<2x4xf32, "layout">
}
