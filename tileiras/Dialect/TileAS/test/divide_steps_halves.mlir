// Two blocks of four warps share 164 KiB, so that each has room for two iterations of 32 KiB and not for three: four of half the depth are as large, and three are on
// their way. Not if two stages were asked for, not for fewer sums than 128 x 128, not for eight warps, which have a multiprocessor to themselves, and not where a
// warpgroup multiplies.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-divide-steps{num-stages=4}))' --remarks-filter=".*" 2>&1 | FileCheck %s --check-prefixes=CHECK,HALVES
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-divide-steps{num-stages=4},tileas-divide-steps{num-stages=4}))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-divide-steps{num-stages=2}))' | FileCheck %s --check-prefix=WHOLE
// RUN: sed 's/numWarps = 4/numWarps = 8/' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-divide-steps{num-stages=4}))' | FileCheck %s --check-prefix=WHOLE
// RUN: sed 's/sm_80/sm_90/' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-divide-steps{num-stages=4}))' | FileCheck %s --check-prefix=WHOLE
// HALVES: remark: [Passed] Divided | Category:pipeline | Function=halves | Parts=2, Reason="shared memory has room for two iterations, and not for three: each is divided along k, and more of the ring is on its way"
// CHECK-LABEL: nv_tileaa.func @halves
// CHECK: nv_tileaa.dot {{.*}} : tensor<128x32xf16>, tensor<32x128xf16>, tensor<128x128xf32>
// CHECK-LABEL: nv_tileaa.func @fewer_sums
// CHECK: nv_tileaa.dot {{.*}} : tensor<64x128xf16>, tensor<128x64xf16>, tensor<64x64xf32>
// WHOLE: nv_tileaa.dot {{.*}} : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
// WHOLE: nv_tileaa.dot {{.*}} : tensor<64x128xf16>, tensor<128x64xf16>, tensor<64x64xf32>
!memref = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
module attributes {nv_tileaa.target_spec = "sm_80", nv_tileas.static_shared = "device"} {
nv_tileaa.func @halves(%ma: !memref, %mb: !memref, %n: i32, %z: tensor<128x128xf32>) -> tensor<128x128xf32> attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %va = nv_tileaa.block_tile %ma : <?x?xf16, strides = [?, 1]> -> <[128, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
  %vb = nv_tileaa.block_tile %mb : <?x?xf16, strides = [?, 1]> -> <[64, 128], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (tensor<128x128xf32>) : i32 {
    %a, %ta = nv_tileaa.tiled_load %va[%c0, %i] : <[128, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<128x64xf16>
    %b, %tb = nv_tileaa.tiled_load %vb[%i, %c0] : <[64, 128], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<64x128xf16>
    %d = nv_tileaa.dot %a, %b, %s : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  nv_tileaa.return %r : tensor<128x128xf32>
}

nv_tileaa.func @fewer_sums(%ma: !memref, %mb: !memref, %n: i32, %z: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %va = nv_tileaa.block_tile %ma : <?x?xf16, strides = [?, 1]> -> <[64, 128], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
  %vb = nv_tileaa.block_tile %mb : <?x?xf16, strides = [?, 1]> -> <[128, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (tensor<64x64xf32>) : i32 {
    %a, %ta = nv_tileaa.tiled_load %va[%c0, %i] : <[64, 128], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<64x128xf16>
    %b, %tb = nv_tileaa.tiled_load %vb[%i, %c0] : <[128, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<128x64xf16>
    %d = nv_tileaa.dot %a, %b, %s : tensor<64x128xf16>, tensor<128x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  nv_tileaa.return %r : tensor<64x64xf32>
}
}
