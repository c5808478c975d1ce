// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(convert-tileaa-to-tileas,tileas-assign-dot-layouts)))' | FileCheck %s

// How eight warps divide a square. Of 32-bit numbers with n first, each is fetched by itself, and a left factor by the matrix: each
// warp has fewer columns. With k first, or of 16 bits, both are fetched by the matrix.
!rows = !nv_tileaa.tiled_view<[128, 32], padding = zero, !nv_tileaa.memref<?x?xtf32, strides = [?, 1]>>
!columns = !nv_tileaa.tiled_view<[32, 128], padding = zero, !nv_tileaa.memref<?x?xtf32, strides = [?, 1]>>
!turned = !nv_tileaa.tiled_view<[32, 128], padding = zero, !nv_tileaa.memref<?x?xtf32, strides = [1, ?]>>
!halves = !nv_tileaa.tiled_view<[128, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
!across = !nv_tileaa.tiled_view<[32, 128], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
gpu.module @sm80 attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  // CHECK-LABEL: nv_tileaa.func @numbers
  // CHECK: #nv_tileas.mma_atom<tf32, shape = [16, 8, 8], warps = [1, 2, 4]>
  nv_tileaa.func @numbers(%a: !rows, %b: !columns, %i: i32, %c_s: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c = nv_tileaa.splat %c_s : f32 -> tensor<128x128xf32>
    %x, %t = nv_tileaa.tiled_load %a[%i, %i] : !rows, (i32, i32) -> tensor<128x32xtf32>
    %y, %u = nv_tileaa.tiled_load %b[%i, %i] : !columns, (i32, i32) -> tensor<32x128xtf32>
    %d = nv_tileaa.dot %x, %y, %c : tensor<128x32xtf32>, tensor<32x128xtf32>, tensor<128x128xf32>
    nv_tileaa.return
  }
  // CHECK-LABEL: nv_tileaa.func @by_the_matrix
  // CHECK: #nv_tileas.mma_atom<tf32, shape = [16, 8, 8], warps = [1, 4, 2]>
  nv_tileaa.func @by_the_matrix(%a: !rows, %b: !turned, %i: i32, %c_s: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c = nv_tileaa.splat %c_s : f32 -> tensor<128x128xf32>
    %x, %t = nv_tileaa.tiled_load %a[%i, %i] : !rows, (i32, i32) -> tensor<128x32xtf32>
    %y, %u = nv_tileaa.tiled_load %b[%i, %i] : !turned, (i32, i32) -> tensor<32x128xtf32>
    %d = nv_tileaa.dot %x, %y, %c : tensor<128x32xtf32>, tensor<32x128xtf32>, tensor<128x128xf32>
    nv_tileaa.return
  }
  // CHECK-LABEL: nv_tileaa.func @halves
  // CHECK: #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 2]>
  nv_tileaa.func @halves(%a: !halves, %b: !across, %i: i32, %c_s: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c = nv_tileaa.splat %c_s : f32 -> tensor<128x128xf32>
    %x, %t = nv_tileaa.tiled_load %a[%i, %i] : !halves, (i32, i32) -> tensor<128x32xf16>
    %y, %u = nv_tileaa.tiled_load %b[%i, %i] : !across, (i32, i32) -> tensor<32x128xf16>
    %d = nv_tileaa.dot %x, %y, %c : tensor<128x32xf16>, tensor<32x128xf16>, tensor<128x128xf32>
    nv_tileaa.return
  }
}
