// A ring that an agent's threads fill with f32 that they round (tensor copies are not allowed): what a thread has stored itself is not among what
// cp.async.mbarrier.arrive waits for, so it arrives as for stores (convert-pipeline-to-nvvm). 2049 is a tie, and 2048 as tf32; 2051 is 2052.
// RUN: tileiras %s --gpu-name=sm_90 --emit=ptx -o %t.ptx --pipeline-options="pipeline-strategy=warp-specialize unspecialized-pipeline-num-stages=3"
// RUN: FileCheck %s --implicit-check-not=cp.async.bulk --implicit-check-not=noinc < %t.ptx
// RUN: tileiras-run %t.ptx --engine=emulator --check-races --schedules=8 --async=random a:f32[128x320]=2049 b:f32[128x320]=1 out:o:f32[128x128]=poison i32=128 i32=128 i32=320 --show=o | FileCheck %s --check-prefix=EVEN
// RUN: tileiras-run %t.ptx --engine=emulator --check-races --schedules=8 --async=random a:f32[128x320]=2051 b:f32[128x320]=1 out:o:f32[128x128]=poison i32=128 i32=128 i32=320 --show=o | FileCheck %s --check-prefix=UP
// The arrival of copies in its place is reported.
// RUN: sed -E 's/mbarrier.arrive.shared.b64 *\t?%%rd[0-9]+, (\[%%rd[0-9]+\])/cp.async.mbarrier.arrive.noinc.shared.b64 \1/' %t.ptx > %t.wrong.ptx
// RUN: not tileiras-run %t.wrong.ptx --engine=emulator --check-races --schedules=8 --async=random a:f32[128x320]=2049 b:f32[128x320]=1 out:o:f32[128x128]=poison i32=128 i32=128 i32=320
// CHECK: cvt.rn.tf32.f32
// EVEN: 655360
// UP: 656640

module {
  gpu.module @kernels attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
    nv_tileaa.func @gemm(%arg0: !nv_tileaa.ptr<f32>, %arg1: !nv_tileaa.ptr<f32>, %arg2: !nv_tileaa.ptr<f32>, %arg3: i32, %arg4: i32, %arg5: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
  %c1_i32 = arith.constant 1 : i32
  %c0_i32 = arith.constant 0 : i32
  %x, %y, %z = nv_tileaa.get_program_id
  %0 = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg0 : !nv_tileaa.ptr<f32>
  %1 = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg5 : i32
  %2 = nv_tileaa.make_memref %0, sizes[%arg3, %1], strides[%1] : <f32>, (i32, i32), (i32) -> <?x?xf32, strides = [?, 1]>
  %3 = nv_tileaa.block_tile %2 : <?x?xf32, strides = [?, 1]> -> <[128, 32], padding = zero, rounded = tf32, !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
  %4 = nv_tileaa.block_tile %2 : <?x?xf32, strides = [?, 1]> -> <[128, 32], padding = zero, !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
  %5 = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg1 : !nv_tileaa.ptr<f32>
  %6 = nv_tileaa.make_memref %5, sizes[%arg4, %1], strides[%1] : <f32>, (i32, i32), (i32) -> <?x?xf32, strides = [?, 1]>
  %7 = nv_tileaa.block_tile %6 : <?x?xf32, strides = [?, 1]> -> <[128, 32], padding = zero, rounded = tf32, !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
  %8 = nv_tileaa.block_tile %6 : <?x?xf32, strides = [?, 1]> -> <[128, 32], padding = zero, !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
  %9 = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg2 : !nv_tileaa.ptr<f32>
  %10 = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg4 : i32
  %11 = nv_tileaa.make_memref %9, sizes[%arg3, %10], strides[%10] : <f32>, (i32, i32), (i32) -> <?x?xf32, strides = [?, 1]>
  %12 = nv_tileaa.block_tile %11 : <?x?xf32, strides = [?, 1]> -> <[128, 128], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
  %13 = nv_tileaa.get_dim_size %4 {axis = 1 : i32} : !nv_tileaa.tiled_view<[128, 32], padding = zero, !nv_tileaa.memref<?x?xf32, strides = [?, 1]>> -> i32
  %14 = scf.for %arg6 = %c0_i32 to %13 step %c1_i32 iter_args(%arg7 = %cst) -> (tensor<128x128xf32>)  : i32 {
    %result, %result_token = nv_tileaa.tiled_load %3[%x, %arg6] {allow_tma = false} : <[128, 32], padding = zero, rounded = tf32, !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32) -> tensor<128x32xtf32>
    %result_0, %result_token_1 = nv_tileaa.tiled_load %7[%y, %arg6] {allow_tma = false} : <[128, 32], padding = zero, rounded = tf32, !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32) -> tensor<128x32xtf32>
    %16 = nv_tileaa.permute %result_0 [1, 0] : tensor<128x32xtf32> -> tensor<32x128xtf32>
    %17 = nv_tileaa.dot %result, %16, %arg7 : tensor<128x32xtf32>, tensor<32x128xtf32>, tensor<128x128xf32>
    scf.yield %17 : tensor<128x128xf32>
  }
  %15 = nv_tileaa.tiled_store %12[%x, %y], %14 : <[128, 128], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32), tensor<128x128xf32>
  nv_tileaa.return
}

}
}
