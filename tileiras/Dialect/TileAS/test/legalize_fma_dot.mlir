// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-legalize-fma-dot)))' --remarks-filter=product -o %t 2> %t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// (Products of each kind are executed by the suite end-to-end: k of 1, 2 and 4, scales for 16 and 32.)

gpu.module @sm80 attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  // REMARK: Legalized {{.*}}Function=short {{.*}}As="zeros along k"
  // CHECK-LABEL: nv_tileaa.func @short
  // CHECK: nv_tileaa.cat %{{.*}}, %{{.*}} {axis = 1 : i32} : tensor<32x2xf16>, tensor<32x2xf16> -> tensor<32x4xf16>
  // CHECK: nv_tileaa.cat {{.*}} {axis = 0 : i32} {{.*}} -> tensor<4x32xf16>
  // CHECK: nv_tileaa.cat {{.*}} -> tensor<32x8xf16>
  // CHECK: nv_tileaa.cat {{.*}} -> tensor<8x32xf16>
  // CHECK: nv_tileaa.dot {{.*}} tensor<32x8xf16>, tensor<8x32xf16>, tensor<32x32xf32>
  nv_tileaa.func @short(%a: tensor<32x2xf16>, %b: tensor<2x32xf16>, %c: tensor<32x32xf32>) {
    %d = nv_tileaa.dot %a, %b, %c : tensor<32x2xf16>, tensor<2x32xf16>, tensor<32x32xf32>
    %p = nv_tileaa.print "%f", %d : tensor<32x32xf32>
    nv_tileaa.return
  }
  // Exact products of f32 have no instruction; long ones of f16 need nothing.
  // CHECK-LABEL: nv_tileaa.func @stays
  // CHECK-NOT: nv_tileaa.cat
  nv_tileaa.func @stays(%a: tensor<32x2xf32>, %b: tensor<2x32xf32>, %c: tensor<32x32xf32>, %e: tensor<32x16xf16>, %f: tensor<16x32xf16>) {
    %d = nv_tileaa.dot %a, %b, %c : tensor<32x2xf32>, tensor<2x32xf32>, tensor<32x32xf32>
    %g = nv_tileaa.dot %e, %f, %d : tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>
    %p = nv_tileaa.print "%f", %g : tensor<32x32xf32>
    nv_tileaa.return
  }
  // REMARK: Legalized {{.*}}Function=wider {{.*}}As="factors of a wider type"
  // CHECK-LABEL: nv_tileaa.func @wider
  // CHECK-COUNT-2: arith.extf {{.*}} to tensor<{{.*}}xf16>
  // CHECK: nv_tileaa.dot {{.*}} tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>
  nv_tileaa.func @wider(%a: tensor<32x32xf8E4M3FN>, %b: tensor<32x32xf8E4M3FN>, %c: tensor<32x32xf32>) {
    %d = nv_tileaa.dot %a, %b, %c : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN>, tensor<32x32xf32>
    %p = nv_tileaa.print "%f", %d : tensor<32x32xf32>
    nv_tileaa.return
  }
  // Two blocks of 32: a product of f16 for each, times two roots of its scales.
  // REMARK: Legalized {{.*}}Function=blocks {{.*}}As="a product for each block"
  // CHECK-LABEL: nv_tileaa.func @blocks
  // CHECK: arith.shrsi
  // CHECK: nv_tileaa.extract_slice {{.*}} -> tensor<32x32xf16>
  // CHECK: %[[P:.*]] = nv_tileaa.dot {{.*}} tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>
  // CHECK: %[[S:.*]] = arith.mulf %[[P]]
  // CHECK: %[[C:.*]] = nv_tileaa.fma %[[S]], %{{.*}}, %arg2
  // CHECK: nv_tileaa.dot
  // CHECK: nv_tileaa.fma %{{.*}}, %{{.*}}, %[[C]]
  // CHECK-NOT: mma_block_scale
  nv_tileaa.func @blocks(%a: tensor<32x64xf8E4M3FN>, %b: tensor<64x32xf8E4M3FN>, %c: tensor<32x32xf32>, %s: tensor<32x2xf8E8M0FNU>, %t: tensor<2x32xf8E8M0FNU>) {
    %d = nv_tileaa.mma_block_scale %a, %b, %c, %s, %t : tensor<32x64xf8E4M3FN>, tensor<64x32xf8E4M3FN>, tensor<32x32xf32>, tensor<32x2xf8E8M0FNU>, tensor<2x32xf8E8M0FNU>
    %p = nv_tileaa.print "%f", %d : tensor<32x32xf32>
    nv_tileaa.return
  }
}
gpu.module @sm120 attributes {nv_tileaa.compute_capability = 120 : i32, nv_tileaa.target_spec = "sm_120a"} {
  // REMARK: Legalized {{.*}}Function=sixteen {{.*}}As="zeros between blocks"
  // CHECK-LABEL: nv_tileaa.func @sixteen
  // CHECK: nv_tileaa.view {{.*}} -> tensor<32x4x16xf4E2M1FN>
  // CHECK: nv_tileaa.cat {{.*}} {axis = 2 : i32} {{.*}} -> tensor<32x4x32xf4E2M1FN>
  // CHECK: nv_tileaa.view {{.*}} -> tensor<32x128xf4E2M1FN>
  // CHECK: nv_tileaa.cat {{.*}} {axis = 1 : i32} {{.*}} -> tensor<4x32x32xf4E2M1FN>
  // CHECK: nv_tileaa.mma_block_scale {{.*}} tensor<32x128xf4E2M1FN>, tensor<128x32xf4E2M1FN>, tensor<32x32xf32>, tensor<32x4xf8E8M0FNU>
  nv_tileaa.func @sixteen(%a: tensor<32x64xf4E2M1FN>, %b: tensor<64x32xf4E2M1FN>, %c: tensor<32x32xf32>, %s: tensor<32x4xf8E8M0FNU>, %t: tensor<4x32xf8E8M0FNU>) {
    %d = nv_tileaa.mma_block_scale %a, %b, %c, %s, %t : tensor<32x64xf4E2M1FN>, tensor<64x32xf4E2M1FN>, tensor<32x32xf32>, tensor<32x4xf8E8M0FNU>, tensor<4x32xf8E8M0FNU>
    %p = nv_tileaa.print "%f", %d : tensor<32x32xf32>
    nv_tileaa.return
  }
}
// Sums of 256x256 have no room in tensor memory beside their scales. Two blocks would have it, but what is printed they do not divide: the first one does all.
gpu.module @sm100 attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
  // REMARK-NOT: Function=printed
  // CHECK-LABEL: nv_tileaa.func @printed
  // CHECK: nv_tileaa.mma_block_scale {{.*}} : tensor<256x256xf4E2M1FN>, tensor<256x256xf4E2M1FN>
  nv_tileaa.func @printed(%a: tensor<256x256xf4E2M1FN>, %b: tensor<256x256xf4E2M1FN>, %c: tensor<256x256xf32>, %s: tensor<256x16xf8E4M3FN>, %t: tensor<16x256xf8E4M3FN>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [2, 1, 1], numCTAs = 2>} {
    %d = nv_tileaa.mma_block_scale %a, %b, %c, %s, %t : tensor<256x256xf4E2M1FN>, tensor<256x256xf4E2M1FN>, tensor<256x256xf32>, tensor<256x16xf8E4M3FN>, tensor<16x256xf8E4M3FN>
    %p = nv_tileaa.print "%f", %d : tensor<256x256xf32>
    nv_tileaa.return
  }
}
