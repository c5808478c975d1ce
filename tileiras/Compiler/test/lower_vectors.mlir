// Fragments of two dimensions are reshaped row by row.
// RUN: tileiras-opt --pass-pipeline='builtin.module(gpu.module(tileir-lower-vectors))' %s | FileCheck %s

gpu.module @m {
  // CHECK-LABEL: @reshape
  // CHECK-NOT: shape_cast
  // CHECK: vector.shuffle
  // CHECK: vector.insert {{.*}} [0] : vector<2xf16> into vector<2x2xf16>
  // CHECK: vector.insert {{.*}} [1] : vector<2xf16> into vector<2x2xf16>
  gpu.func @reshape(%a: vector<4xf16>) -> vector<2x2xf16> {
    %0 = vector.shape_cast %a : vector<4xf16> to vector<2x2xf16>
    gpu.return %0 : vector<2x2xf16>
  }
  // CHECK-LABEL: @transposed
  // CHECK-NOT: vector.transpose
  // CHECK-COUNT-8: vector.insert {{.*}} : f32 into vector<4x2xf32>
  gpu.func @transposed(%a: vector<2x4xf32>) -> vector<4x2xf32> {
    %0 = vector.transpose %a, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
    gpu.return %0 : vector<4x2xf32>
  }
}
