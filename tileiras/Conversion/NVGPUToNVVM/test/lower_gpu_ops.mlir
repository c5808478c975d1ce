// RUN: tileiras-opt %s --tileir-lower-gpu-ops | FileCheck %s

gpu.module @m {
  // CHECK-LABEL: gpu.func @warp
  gpu.func @warp(%f: f32, %n: i32, %h: vector<2xf16>) -> (f32, i32, i32, vector<2xf16>) {
    // CHECK-COUNT-5: gpu.shuffle xor
    %0 = gpu.subgroup_reduce add %f : (f32) -> f32
    // One instruction: redux.sync.
    // CHECK: gpu.subgroup_reduce add %{{.*}} uniform : (i32) -> i32
    %1 = gpu.subgroup_reduce add %n uniform : (i32) -> i32
    // Clusters of four lanes are two steps.
    // CHECK-COUNT-2: gpu.shuffle xor
    // CHECK-NOT: gpu.subgroup_reduce
    %2 = gpu.subgroup_reduce maxsi %n cluster(size = 4) : (i32) -> i32
    // Two halves share a register.
    // CHECK-COUNT-5: gpu.shuffle xor
    // CHECK-NOT: gpu.shuffle
    %3 = gpu.subgroup_reduce add %h : (vector<2xf16>) -> vector<2xf16>
    // CHECK: gpu.return
    gpu.return %0, %1, %2, %3 : f32, i32, i32, vector<2xf16>
  }
  // CHECK-LABEL: gpu.func @block
  gpu.func @block(%f: f32) -> (f32, index) {
    // Warps by shuffles, then their results through shared memory.
    // CHECK-NOT: gpu.all_reduce
    // CHECK: gpu.shuffle
    // CHECK: gpu.barrier
    %0 = gpu.all_reduce add %f uniform {} : (f32) -> f32
    // CHECK-NOT: gpu.global_id
    // CHECK: gpu.block_id x
    %1 = gpu.global_id x
    gpu.return %0, %1 : f32, index
  }
}
