// RUN: tileiras-opt %s --convert-nvgpu-to-nvvm -split-input-file -verify-diagnostics | FileCheck %s

// Nothing in, nothing out: a branch, and the warp together again.
// CHECK-LABEL: @plain
func.func @plain(%lane: index, %m: memref<f32>, %x: f32) {
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0
  // CHECK: scf.if %[[FIRST]] {
  // CHECK-NEXT: memref.store
  // CHECK-NEXT: }
  // CHECK: nvvm.bar.warp.sync
  // CHECK-NOT: nvvm.shfl
  gpu.warp_execute_on_lane_0(%lane)[32] {
    memref.store %x, %m[] : memref<f32>
  }
  return
}

// -----

// Equal types: what lane 0 has. 64 bits travel in two halves.
// CHECK-LABEL: @broadcast
func.func @broadcast(%lane: index, %x: f64) -> f64 {
  // CHECK: %[[R:.*]] = scf.if %{{.*}} -> (f64)
  // CHECK: arith.addf
  // CHECK: } else {
  // CHECK: arith.bitcast %[[R]] : f64 to i64
  // CHECK-COUNT-2: nvvm.shfl.sync idx
  // CHECK-NOT: nvvm.shfl
  // CHECK: arith.bitcast %{{.*}} : i64 to f64
  %r = gpu.warp_execute_on_lane_0(%lane)[32] -> (f64) {
    %y = arith.addf %x, %x : f64
    gpu.yield %y : f64
  }
  return %r : f64
}

// -----

// One element of each lane in, two per lane out.
// CHECK-LABEL: @distributed
func.func @distributed(%lane: index, %v: vector<1xi32>) -> vector<2xi16> {
  // CHECK-COUNT-32: nvvm.shfl.sync idx
  // CHECK: scf.if
  // CHECK: vector.extract_strided_slice
  // CHECK-COUNT-64: nvvm.shfl.sync idx
  // CHECK-NOT: nvvm.shfl
  // CHECK: arith.remui
  %r = gpu.warp_execute_on_lane_0(%lane)[32] args(%v : vector<1xi32>) -> (vector<2xi16>) {
  ^bb0(%all: vector<32xi32>):
    %half = arith.trunci %all : vector<32xi32> to vector<32xi16>
    %low = vector.extract_strided_slice %half {offsets = [0], sizes = [16], strides = [1]} : vector<32xi16> to vector<16xi16>
    %both = vector.shuffle %half, %half [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63] : vector<32xi16>, vector<32xi16>
    gpu.yield %both : vector<64xi16>
  }
  return %r : vector<2xi16>
}

// -----

func.func @narrow(%lane: index) {
  // expected-error @below {{has a warp of 16 lanes; there are 32}}
  // expected-error @below {{failed to legalize}}
  gpu.warp_execute_on_lane_0(%lane)[16] {
  }
  return
}

// -----

func.func @memref(%lane: index, %m: memref<4xf32>) {
  // expected-error @below {{cannot move 'memref<4xf32>' between lanes}}
  // expected-error @below {{failed to legalize}}
  %r = gpu.warp_execute_on_lane_0(%lane)[32] -> (memref<4xf32>) {
    gpu.yield %m : memref<4xf32>
  }
  return
}
