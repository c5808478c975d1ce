// RUN: tileiras-opt --convert-nvgpu-to-nvvm %s | FileCheck %s
// The runtime gets the driver's number of the element type: 8 and 16 bits are u8 and u16 whatever they mean.

// CHECK-LABEL: func.func @bytes
// CHECK: llvm.mlir.constant(0 : i64) : i64
// CHECK: llvm.call @mgpuTensorMapEncodeTiledMemref
func.func @bytes(%m: memref<*xi8>) -> !nvgpu.tensormap.descriptor<tensor = memref<4x32xi8, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none> {
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %d = nvgpu.tma.create.descriptor %m box[%c4, %c32] : memref<*xi8> -> !nvgpu.tensormap.descriptor<tensor = memref<4x32xi8, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
  return %d : !nvgpu.tensormap.descriptor<tensor = memref<4x32xi8, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
}

// In a gpu.module the callee is there.
// CHECK: gpu.module @inside
// CHECK-NEXT: llvm.func @mgpuTensorMapEncodeTiledMemref(i64, !llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr) -> !llvm.ptr
gpu.module @inside {
  func.func @signed(%m: memref<*xsi32>) -> !nvgpu.tensormap.descriptor<tensor = memref<8xsi32, 3>, swizzle = none, l2promo = l2promo_64b, oob = zero, interleave = none> {
    // CHECK: llvm.mlir.constant(3 : i64) : i64
    %c8 = arith.constant 8 : index
    %d = nvgpu.tma.create.descriptor %m box[%c8] : memref<*xsi32> -> !nvgpu.tensormap.descriptor<tensor = memref<8xsi32, 3>, swizzle = none, l2promo = l2promo_64b, oob = zero, interleave = none>
    return %d : !nvgpu.tensormap.descriptor<tensor = memref<8xsi32, 3>, swizzle = none, l2promo = l2promo_64b, oob = zero, interleave = none>
  }
}
