// A gpu.module that holds no tiles takes the same way to PTX as a kernel of tiles.
// RUN: tileiras --emit=ptx --gpu-name=sm_90 %s | FileCheck %s
// RUN: tileiras-opt --nvgpu-to-nvvm=chip=sm_90a %s | FileCheck %s --check-prefix=LLVM
// RUN: %{exits} 5 tileiras --emit=tileas --gpu-name=sm_90 %s 2>&1 | FileCheck %s --check-prefix=NOSTAGE

// NOSTAGE: error: the module holds no tiles, so it has no stage 'tileas'

// A memref whose shape and layout are known is one pointer.
// CHECK: .visible .entry copy(
// CHECK-NEXT: .param .u64 .ptr .align 1 copy_param_0,
// CHECK-NEXT: .param .u64 .ptr .align 1 copy_param_1
// CHECK-NEXT: )
// CHECK: cp.async.cg.shared.global [%{{.*}}], [%{{.*}}], 16;
// CHECK: cp.async.commit_group;
// CHECK: cp.async.wait_group 0;
// CHECK: bar.sync 0;
// CHECK: ld.shared.v4.b32
// LLVM: llvm.func @copy({{.*}}!llvm.ptr, {{.*}}!llvm.ptr) attributes {gpu.kernel, nvvm.kernel}
gpu.module @m {
  memref.global "private" @buf : memref<128xf32, 3> {alignment = 16}
  gpu.func @copy(%src: memref<128xf32>, %dst: memref<128xf32>) kernel {
    %buf = memref.get_global @buf : memref<128xf32, 3>
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %i = arith.muli %t, %c4 : index
    %0 = nvgpu.device_async_copy %src[%i], %buf[%i], 4 {bypassL1} : memref<128xf32> to memref<128xf32, 3>
    %1 = nvgpu.device_async_create_group %0
    nvgpu.device_async_wait %1 {numGroups = 0 : i32}
    gpu.barrier
    %v = vector.load %buf[%i] : memref<128xf32, 3>, vector<4xf32>
    vector.store %v, %dst[%i] : memref<128xf32>, vector<4xf32>
    gpu.return
  }
}
