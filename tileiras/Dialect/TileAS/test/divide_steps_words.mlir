// Tiles that are converted wait in registers, unless they take too many of them: then two halves of an iteration have room in shared memory. Twice
// as many warps hold them; and of wider tiles halves would not have room either.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-divide-steps))' | FileCheck %s
// RUN: sed 's/numWarps = 8/numWarps = 16/' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-divide-steps))' | FileCheck %s --check-prefix=WHOLE
// RUN: sed 's/64x128/64x256/g; s/\[64, 128\]/[64, 256]/g; s/128x128xf32/128x256xf32/g' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-divide-steps))' | FileCheck %s --check-prefix=WHOLE
// CHECK: nv_tileaa.tiled_load {{.*}} -> tensor<128x32xf32>
// CHECK: nv_tileaa.tiled_load {{.*}} -> tensor<32x128xf32>
// CHECK: nv_tileaa.dot {{.*}} : tensor<128x32xtf32>, tensor<32x128xtf32>, tensor<128x128xf32>
// WHOLE: nv_tileaa.tiled_load {{.*}} -> tensor<128x64xf32>

!memref = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!va = !nv_tileaa.tiled_view<[128, 64], padding = zero, !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
!vb = !nv_tileaa.tiled_view<[64, 128], padding = zero, !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
module attributes {nv_tileaa.target_spec = "sm_120"} {
nv_tileaa.func @tf32(%ma: !memref, %mb: !memref, %n: i32, %z: tensor<128x128xf32>) -> tensor<128x128xf32> attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %va = nv_tileaa.block_tile %ma : !memref -> !va
  %vb = nv_tileaa.block_tile %mb : !memref -> !vb
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (tensor<128x128xf32>) : i32 {
    %a, %ta = nv_tileaa.tiled_load %va[%c0, %i] : !va, (i32, i32) -> tensor<128x64xf32>
    %b, %tb = nv_tileaa.tiled_load %vb[%i, %c0] : !vb, (i32, i32) -> tensor<64x128xf32>
    %at = nv_tileaa.fp_to_fp %a : tensor<128x64xf32> -> tensor<128x64xtf32>
    %bt = nv_tileaa.fp_to_fp %b : tensor<64x128xf32> -> tensor<64x128xtf32>
    %d = nv_tileaa.dot %at, %bt, %s : tensor<128x64xtf32>, tensor<64x128xtf32>, tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  nv_tileaa.return %r : tensor<128x128xf32>
}
}
