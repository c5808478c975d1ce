// Products that stay as they are. Executed where they do not: Conversion/TileASToLLVM/test/refine_atom_run.mlir.
// RUN: tileiras-opt %s -split-input-file --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-refine-atom-by-resource)))' -o %t.mlir --remarks-filter=resources --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.mlir
// REMARK: [Missed] RefinedAtom {{.*}}Function=slices | Reason="an element's place along k decides about another dimension, too"
// REMARK: [Missed] RefinedAtom {{.*}}Function=few | Reason="threads have too few registers of the tile to change places with lanes and warps"
// REMARK: [Missed] RefinedAtom {{.*}}Function=short | Reason="a slice along k would be less than an instruction takes"

// Registers of the right factor of the first product are places of both dimensions: the load of its left one keeps its layout, which is that of the other load.
// CHECK: scf.for
// CHECK: tiled_load {{.*}} -> tensor<64x512xf16, #[[L:linear[0-9]*]]>
// CHECK-NEXT: tiled_load {{.*}} -> tensor<64x512xf16, #[[L]]>
// CHECK: nv_tileas.dot {{.*}} tensor<64x512xf16, #{{.*}}>, tensor<512x32xf16,
#linear = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [16, 0], [32, 0]]>
#linear1 = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [128, 0], [256, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#linear2 = #nv_tileas.linear<rank = 2, register = [[1, 256], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [0, 64], [0, 128]]>
#linear3 = #nv_tileas.linear<rank = 2, register = [[256, 1], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [128, 0]]>
#linear4 = #nv_tileas.linear<rank = 2, register = [[0, 256], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [0, 64], [0, 128]]>
#linear5 = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128], [0, 256]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [16, 0], [32, 0]]>
#linear6 = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 8], [0, 0], [0, 0]]>
#linear7 = #nv_tileas.linear<rank = 2, register = [[256, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [128, 0]]>
#linear8 = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [128, 0], [256, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#linear9 = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0], [16, 0], [32, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0], [0, 0]]>
#linear10 = #nv_tileas.linear<rank = 2, register = [[8, 0], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0], [4, 0]]>
module {
  gpu.module @m attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
    nv_tileaa.func @slices(%arg0: !nv_tileaa.tiled_view<[32, 512], !nv_tileaa.memref<32x512xf16, strides = [512, 1]>>, %arg1: !nv_tileaa.tiled_view<[64, 512], !nv_tileaa.memref<128x512xf16, strides = [512, 1]>>, %arg2: !nv_tileaa.tiled_view<[512, 32], !nv_tileaa.memref<512x32xf32, strides = [32, 1]>>, %arg3: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %cst = arith.constant 0.000000e+00 : f32
      %0 = nv_tileaa.splat %cst : f32 -> tensor<64x32xf32, #linear>
      %cst_0 = arith.constant 0.000000e+00 : f32
      %1 = nv_tileaa.splat %cst_0 : f32 -> tensor<512x32xf32, #linear1>
      %result, %result_token = nv_tileas.tiled_load %arg0[%c0_i32, %c0_i32] {vec = 1 : i32} : <[32, 512], !nv_tileaa.memref<32x512xf16, strides = [512, 1]>>, (i32, i32) -> tensor<32x512xf16, #linear2>
      %2 = nv_tileaa.permute %result [1, 0] : tensor<32x512xf16, #linear2> -> tensor<512x32xf16, #linear3>
      %3 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %1) -> (tensor<512x32xf32, #linear1>)  : i32 {
        %result_1, %result_token_2 = nv_tileas.tiled_load %arg1[%arg4, %c0_i32] {vec = 1 : i32} : <[64, 512], !nv_tileaa.memref<128x512xf16, strides = [512, 1]>>, (i32, i32) -> tensor<64x512xf16, #linear4>
        %result_3, %result_token_4 = nv_tileas.tiled_load %arg1[%arg4, %c0_i32] {vec = 1 : i32} : <[64, 512], !nv_tileaa.memref<128x512xf16, strides = [512, 1]>>, (i32, i32) -> tensor<64x512xf16, #linear4>
        %6 = nv_tileas.convert_layout %result_1 : tensor<64x512xf16, #linear4> -> tensor<64x512xf16, #linear5>
        %7 = nv_tileas.convert_layout %2 : tensor<512x32xf16, #linear3> -> tensor<512x32xf16, #linear6>
        %8 = nv_tileas.dot %6, %7, %0 {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 2]>} : tensor<64x512xf16, #linear5>, tensor<512x32xf16, #linear6>, tensor<64x32xf32, #linear>
        %9 = arith.truncf %8 : tensor<64x32xf32, #linear> to tensor<64x32xf16, #linear>
        %10 = nv_tileaa.permute %result_3 [1, 0] : tensor<64x512xf16, #linear4> -> tensor<512x64xf16, #linear7>
        %11 = nv_tileas.convert_layout %10 : tensor<512x64xf16, #linear7> -> tensor<512x64xf16, #linear8>
        %12 = nv_tileas.convert_layout %9 : tensor<64x32xf16, #linear> -> tensor<64x32xf16, #linear9>
        %13 = nv_tileas.dot %11, %12, %arg5 {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 8, 1]>} : tensor<512x64xf16, #linear8>, tensor<64x32xf16, #linear9>, tensor<512x32xf32, #linear1>
        scf.yield %13 : tensor<512x32xf32, #linear1>
      }
      %4 = nv_tileas.convert_layout %3 : tensor<512x32xf32, #linear1> -> tensor<512x32xf32, #linear10>
      %5 = nv_tileas.tiled_store %arg2[%c0_i32, %c0_i32], %4 {vec = 1 : i32} : <[512, 32], !nv_tileaa.memref<512x32xf32, strides = [32, 1]>>, (i32, i32), tensor<512x32xf32, #linear10>
      nv_tileaa.return
    }
  }
}

// -----

// A factor that is in shared memory has no slices in registers.
// CHECK: scf.for
// CHECK: nv_tileas.dot {{.*}}tensor<512x64xf16, #{{[a-z0-9]*}}>, tensor<64x32xf16, #shared>
#sh = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>
#linear = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [16, 0], [32, 0]]>
#linear1 = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [128, 0], [256, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#linear2 = #nv_tileas.linear<rank = 2, register = [[0, 256], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [0, 64], [0, 128]]>
#linear3 = #nv_tileas.linear<rank = 2, register = [[256, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [128, 0]]>
#linear4 = #nv_tileas.linear<rank = 2, register = [[0, 256], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [0, 64], [0, 128]]>
#linear5 = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128], [0, 256]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [16, 0], [32, 0]]>
#linear6 = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 8], [0, 0], [0, 0]]>
#linear7 = #nv_tileas.linear<rank = 2, register = [[256, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [128, 0]]>
#linear8 = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [128, 0], [256, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#linear9 = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0], [16, 0], [32, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0], [0, 0]]>
#linear10 = #nv_tileas.linear<rank = 2, register = [[8, 0], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0], [4, 0]]>
module {
  gpu.module @m attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
    nv_tileaa.func @slices(%arg0: !nv_tileaa.tiled_view<[32, 512], !nv_tileaa.memref<32x512xf16, strides = [512, 1]>>, %arg1: !nv_tileaa.tiled_view<[64, 512], !nv_tileaa.memref<128x512xf16, strides = [512, 1]>>, %arg2: !nv_tileaa.tiled_view<[512, 32], !nv_tileaa.memref<512x32xf32, strides = [32, 1]>>, %arg3: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %cst = arith.constant 0.000000e+00 : f32
      %0 = nv_tileaa.splat %cst : f32 -> tensor<64x32xf32, #linear>
      %cst_0 = arith.constant 0.000000e+00 : f32
      %1 = nv_tileaa.splat %cst_0 : f32 -> tensor<512x32xf32, #linear1>
      %result, %result_token = nv_tileas.tiled_load %arg0[%c0_i32, %c0_i32] {vec = 1 : i32} : <[32, 512], !nv_tileaa.memref<32x512xf16, strides = [512, 1]>>, (i32, i32) -> tensor<32x512xf16, #linear2>
      %2 = nv_tileaa.permute %result [1, 0] : tensor<32x512xf16, #linear2> -> tensor<512x32xf16, #linear3>
      %3 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %1) -> (tensor<512x32xf32, #linear1>)  : i32 {
        %result_1, %result_token_2 = nv_tileas.tiled_load %arg1[%arg4, %c0_i32] {vec = 1 : i32} : <[64, 512], !nv_tileaa.memref<128x512xf16, strides = [512, 1]>>, (i32, i32) -> tensor<64x512xf16, #linear4>
        %result_3, %result_token_4 = nv_tileas.tiled_load %arg1[%arg4, %c0_i32] {vec = 1 : i32} : <[64, 512], !nv_tileaa.memref<128x512xf16, strides = [512, 1]>>, (i32, i32) -> tensor<64x512xf16, #linear4>
        %6 = nv_tileas.convert_layout %result_1 : tensor<64x512xf16, #linear4> -> tensor<64x512xf16, #linear5>
        %7 = nv_tileas.convert_layout %2 : tensor<512x32xf16, #linear3> -> tensor<512x32xf16, #linear6>
        %8 = nv_tileas.dot %6, %7, %0 {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 2]>} : tensor<64x512xf16, #linear5>, tensor<512x32xf16, #linear6>, tensor<64x32xf32, #linear>
        %9 = arith.truncf %8 : tensor<64x32xf32, #linear> to tensor<64x32xf16, #linear>
        %10 = nv_tileaa.permute %result_3 [1, 0] : tensor<64x512xf16, #linear4> -> tensor<512x64xf16, #linear7>
        %11 = nv_tileas.convert_layout %10 : tensor<512x64xf16, #linear7> -> tensor<512x64xf16, #linear8>
        %12 = nv_tileas.alloc_tensor : tensor<64x32xf16, #sh>
        %13 = nv_tileas.dot %11, %12, %arg5 {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 8, 1]>} : tensor<512x64xf16, #linear8>, tensor<64x32xf16, #sh>, tensor<512x32xf32, #linear1>
        scf.yield %13 : tensor<512x32xf32, #linear1>
      }
      %4 = nv_tileas.convert_layout %3 : tensor<512x32xf32, #linear1> -> tensor<512x32xf32, #linear10>
      %5 = nv_tileas.tiled_store %arg2[%c0_i32, %c0_i32], %4 {vec = 1 : i32} : <[512, 32], !nv_tileaa.memref<512x32xf32, strides = [32, 1]>>, (i32, i32), tensor<512x32xf32, #linear10>
      nv_tileaa.return
    }
  }
}

// -----

// One register of the right factor tells slices apart, and so does a warp, which none of the others can change places with.
// CHECK-LABEL: nv_tileaa.func @few
// CHECK: nv_tileas.dot {{.*}} tensor<64x512xf16, #{{.*}}>, tensor<512x32xf16,
#linear = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [16, 0], [32, 0]]>
#linear1 = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [128, 0], [256, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#linear2 = #nv_tileas.linear<rank = 2, register = [[0, 256], [3, 0], [6, 0], [12, 0], [24, 0], [31, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [0, 64], [0, 128]]>
#linear3 = #nv_tileas.linear<rank = 2, register = [[256, 0], [0, 3], [0, 6], [0, 12], [0, 24], [0, 31]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [128, 0]]>
#linear4 = #nv_tileas.linear<rank = 2, register = [[0, 256], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [0, 64], [0, 128]]>
#linear5 = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128], [0, 256]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [16, 0], [32, 0]]>
#linear6 = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 8], [0, 0], [0, 0]]>
#linear7 = #nv_tileas.linear<rank = 2, register = [[256, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [128, 0]]>
#linear8 = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [128, 0], [256, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#linear9 = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0], [16, 0], [32, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0], [0, 0]]>
#linear10 = #nv_tileas.linear<rank = 2, register = [[8, 0], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0], [4, 0]]>
module {
  gpu.module @m attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
    nv_tileaa.func @few(%arg0: !nv_tileaa.tiled_view<[32, 512], !nv_tileaa.memref<32x512xf16, strides = [512, 1]>>, %arg1: !nv_tileaa.tiled_view<[64, 512], !nv_tileaa.memref<128x512xf16, strides = [512, 1]>>, %arg2: !nv_tileaa.tiled_view<[512, 32], !nv_tileaa.memref<512x32xf32, strides = [32, 1]>>, %arg3: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %cst = arith.constant 0.000000e+00 : f32
      %0 = nv_tileaa.splat %cst : f32 -> tensor<64x32xf32, #linear>
      %cst_0 = arith.constant 0.000000e+00 : f32
      %1 = nv_tileaa.splat %cst_0 : f32 -> tensor<512x32xf32, #linear1>
      %result, %result_token = nv_tileas.tiled_load %arg0[%c0_i32, %c0_i32] {vec = 1 : i32} : <[32, 512], !nv_tileaa.memref<32x512xf16, strides = [512, 1]>>, (i32, i32) -> tensor<32x512xf16, #linear2>
      %2 = nv_tileaa.permute %result [1, 0] : tensor<32x512xf16, #linear2> -> tensor<512x32xf16, #linear3>
      %3 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %1) -> (tensor<512x32xf32, #linear1>)  : i32 {
        %result_1, %result_token_2 = nv_tileas.tiled_load %arg1[%arg4, %c0_i32] {vec = 1 : i32} : <[64, 512], !nv_tileaa.memref<128x512xf16, strides = [512, 1]>>, (i32, i32) -> tensor<64x512xf16, #linear4>
        %result_3, %result_token_4 = nv_tileas.tiled_load %arg1[%arg4, %c0_i32] {vec = 1 : i32} : <[64, 512], !nv_tileaa.memref<128x512xf16, strides = [512, 1]>>, (i32, i32) -> tensor<64x512xf16, #linear4>
        %6 = nv_tileas.convert_layout %result_1 : tensor<64x512xf16, #linear4> -> tensor<64x512xf16, #linear5>
        %7 = nv_tileas.convert_layout %2 : tensor<512x32xf16, #linear3> -> tensor<512x32xf16, #linear6>
        %8 = nv_tileas.dot %6, %7, %0 {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 4, 2]>} : tensor<64x512xf16, #linear5>, tensor<512x32xf16, #linear6>, tensor<64x32xf32, #linear>
        %9 = arith.truncf %8 : tensor<64x32xf32, #linear> to tensor<64x32xf16, #linear>
        %10 = nv_tileaa.permute %result_3 [1, 0] : tensor<64x512xf16, #linear4> -> tensor<512x64xf16, #linear7>
        %11 = nv_tileas.convert_layout %10 : tensor<512x64xf16, #linear7> -> tensor<512x64xf16, #linear8>
        %12 = nv_tileas.convert_layout %9 : tensor<64x32xf16, #linear> -> tensor<64x32xf16, #linear9>
        %13 = nv_tileas.dot %11, %12, %arg5 {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 8, 1]>} : tensor<512x64xf16, #linear8>, tensor<64x32xf16, #linear9>, tensor<512x32xf32, #linear1>
        scf.yield %13 : tensor<512x32xf32, #linear1>
      }
      %4 = nv_tileas.convert_layout %3 : tensor<512x32xf32, #linear1> -> tensor<512x32xf32, #linear10>
      %5 = nv_tileas.tiled_store %arg2[%c0_i32, %c0_i32], %4 {vec = 1 : i32} : <[512, 32], !nv_tileaa.memref<512x32xf32, strides = [32, 1]>>, (i32, i32), tensor<512x32xf32, #linear10>
      nv_tileaa.return
    }
  }
}

// -----

// All of k is what one instruction takes.
// CHECK-LABEL: nv_tileaa.func @short
// CHECK: nv_tileas.dot {{.*}} tensor<2048x16xf16,
#linear = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [128, 0], [256, 0], [512, 0], [1024, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#linear1 = #nv_tileas.linear<rank = 2, register = [[16, 0], [32, 0], [64, 0], [128, 0], [256, 0], [512, 0], [1024, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]], warp = [[2, 0], [4, 0], [8, 0]]>
#linear2 = #nv_tileas.linear<rank = 2, register = [[8, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0], [4, 0]]>
#linear3 = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [128, 0], [256, 0], [512, 0], [1024, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#linear4 = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0], [0, 0]]>
#linear5 = #nv_tileas.linear<rank = 2, register = [[8, 0], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0], [512, 0], [1024, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0], [4, 0]]>
module {
  gpu.module @m attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
    nv_tileaa.func @short(%arg0: !nv_tileaa.tiled_view<[2048, 16], !nv_tileaa.memref<2048x16xf16, strides = [16, 1]>>, %arg1: !nv_tileaa.tiled_view<[16, 32], !nv_tileaa.memref<16x32xf16, strides = [32, 1]>>, %arg2: !nv_tileaa.tiled_view<[2048, 32], !nv_tileaa.memref<2048x32xf32, strides = [32, 1]>>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
      %c0_i32 = arith.constant 0 : i32
      %cst = arith.constant 0.000000e+00 : f32
      %0 = nv_tileaa.splat %cst : f32 -> tensor<2048x32xf32, #linear>
      %result, %result_token = nv_tileas.tiled_load %arg0[%c0_i32, %c0_i32] {vec = 1 : i32} : <[2048, 16], !nv_tileaa.memref<2048x16xf16, strides = [16, 1]>>, (i32, i32) -> tensor<2048x16xf16, #linear1>
      %result_0, %result_token_1 = nv_tileas.tiled_load %arg1[%c0_i32, %c0_i32] {vec = 1 : i32} : <[16, 32], !nv_tileaa.memref<16x32xf16, strides = [32, 1]>>, (i32, i32) -> tensor<16x32xf16, #linear2>
      %1 = nv_tileas.convert_layout %result : tensor<2048x16xf16, #linear1> -> tensor<2048x16xf16, #linear3>
      %2 = nv_tileas.convert_layout %result_0 : tensor<16x32xf16, #linear2> -> tensor<16x32xf16, #linear4>
      %3 = nv_tileas.dot %1, %2, %0 {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 8, 1]>} : tensor<2048x16xf16, #linear3>, tensor<16x32xf16, #linear4>, tensor<2048x32xf32, #linear>
      %4 = nv_tileas.convert_layout %3 : tensor<2048x32xf32, #linear> -> tensor<2048x32xf32, #linear5>
      %5 = nv_tileas.tiled_store %arg2[%c0_i32, %c0_i32], %4 {vec = 1 : i32} : <[2048, 32], !nv_tileaa.memref<2048x32xf32, strides = [32, 1]>>, (i32, i32), tensor<2048x32xf32, #linear5>
      nv_tileaa.return
    }
  }
}

