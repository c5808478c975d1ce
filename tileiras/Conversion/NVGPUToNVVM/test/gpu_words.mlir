// RUN: tileiras-opt --pass-pipeline='builtin.module(gpu.module(tileir-lower-gpu-ops))' %s | FileCheck %s

gpu.module @m {
  // Shared memory of unknown size is a declaration, one for all kernels.
  // CHECK: memref.global @__dynamic_shmem__0 : memref<0xi8, #gpu.address_space<workgroup>> {alignment = 16 : i64}
  // CHECK-NOT: memref.global
  // CHECK-LABEL: gpu.func @dynamic
  // CHECK-COUNT-2: memref.get_global @__dynamic_shmem__0
  gpu.func @dynamic() -> (memref<?xi8, #gpu.address_space<workgroup>>, memref<?xi8, #gpu.address_space<workgroup>>) {
    %0 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %1 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    gpu.return %0, %1 : memref<?xi8, #gpu.address_space<workgroup>>, memref<?xi8, #gpu.address_space<workgroup>>
  }
  // The lowest source lane of an upward shuffle is 0, whatever the width.
  // CHECK-LABEL: gpu.func @up
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK: nvvm.shfl.sync up %{{.*}}, %{{.*}}, %{{.*}}, %[[ZERO]] {return_value_and_is_valid}
  gpu.func @up(%v: i32, %w: i32) -> (i32, i1) {
    %c1 = arith.constant 1 : i32
    %r, %ok = gpu.shuffle up %v, %c1, %w : i32
    gpu.return %r, %ok : i32, i1
  }
  // CHECK-LABEL: gpu.func @halves
  // CHECK: arith.extui {{.*}} : i16 to i32
  // CHECK: gpu.shuffle xor {{.*}} : i32
  // CHECK: arith.trunci {{.*}} : i32 to i16
  gpu.func @halves(%v: f16, %w: i32) -> f16 {
    %r, %ok = gpu.shuffle xor %v, %w, %w : f16
    gpu.return %r : f16
  }
  // CHECK-LABEL: gpu.func @unsigned
  // CHECK: nvvm.redux.sync umin
  // CHECK: nvvm.redux.sync umax
  gpu.func @unsigned(%v: i32) -> (i32, i32) {
    %0 = gpu.subgroup_reduce minui %v uniform : (i32) -> i32
    %1 = gpu.subgroup_reduce maxui %v uniform : (i32) -> i32
    gpu.return %0, %1 : i32, i32
  }
  // CHECK-LABEL: gpu.func @sizes
  // CHECK-NOT: gpu.subgroup_size
  // CHECK-NOT: gpu.num_subgroups
  // CHECK: gpu.return
  gpu.func @sizes() -> (index, index) {
    %0 = gpu.subgroup_size : index
    %1 = gpu.num_subgroups : index
    gpu.return %0, %1 : index, index
  }
}
