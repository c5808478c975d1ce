// RUN: tileiras-opt --convert-nvgpu-to-nvvm --canonicalize %s | FileCheck %s
// Along K a descriptor advances by 32 bytes where K is dense and by as many rows of 128 bytes where it is not (units of 16
// bytes); rows 64 and up are the next part of the tile, and are stored there.

!a = !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>
!b = !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
!acc = !nvgpu.warpgroup.accumulator<fragmented = vector<128x64xf32>>

// CHECK-LABEL: func.func @transposed
// CHECK-DAG: %[[HALF:.*]] = llvm.mlir.constant(512 : i64) : i64
// CHECK-DAG: %[[ROWS:.*]] = llvm.mlir.constant(128 : i64) : i64
// CHECK-DAG: %[[STEP:.*]] = llvm.mlir.constant(2 : i64) : i64
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: nvvm.wgmma.mma_async %[[A:.*]], %[[B:.*]], %{{.*}}, <m = 64, n = 64, k = 16>
// CHECK: %[[A1:.*]] = llvm.add %[[A]], %[[STEP]]
// CHECK: %[[B1:.*]] = llvm.add %[[B]], %[[ROWS]]
// CHECK: nvvm.wgmma.mma_async %[[A1]], %[[B1]]
// CHECK: %[[LOWER:.*]] = llvm.add %[[A]], %[[HALF]]
// CHECK: nvvm.wgmma.mma_async %[[LOWER]], %[[B]]
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
func.func @transposed(%a: !a, %b: !b, %out: memref<128x64xf32>) {
  %c = nvgpu.warpgroup.mma.init.accumulator -> !acc
  %d = nvgpu.warpgroup.mma %a, %b, %c {transposeB, waitGroup = 0 : i64} : !a, !b, !acc -> !acc
  nvgpu.warpgroup.mma.store %d, %out : !acc to memref<128x64xf32>
  return
}

// CHECK-LABEL: func.func @dense
// CHECK: nvvm.wgmma.mma_async %[[A:.*]], %[[B:.*]], %{{.*}}, <m = 64, n = 64, k = 16>
// CHECK: %[[B1:.*]] = llvm.add %[[B]], %{{.*}}
// CHECK: nvvm.wgmma.mma_async %{{.*}}, %[[B1]]
func.func @dense(%a: !b, %b: !b, %out: memref<64x64xf32>) {
  %c = nvgpu.warpgroup.mma.init.accumulator -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>
  %d = nvgpu.warpgroup.mma %a, %b, %c : !b, !b, !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>
    -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>
  nvgpu.warpgroup.mma.store %d, %out : !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>> to memref<64x64xf32>
  return
}
