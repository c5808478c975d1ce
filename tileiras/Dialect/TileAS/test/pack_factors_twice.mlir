// A tile of 4-bit floats that is multiplied and read in another way, too, is loaded twice; what is ordered behind the load by its
// token stays behind both.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-legalize-fma-dot)))' | FileCheck %s

!f4 = !nv_tileaa.memref<?x?xf4E2M1FN, strides = [?, 1]>
!a = !nv_tileaa.tiled_view<[128, 128], dim_map = [0, 1], steps = [128, 128], padding = zero, !f4>
!b = !nv_tileaa.tiled_view<[64, 128], dim_map = [0, 1], steps = [64, 128], padding = zero, !f4>
gpu.module @sm100 attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
  // CHECK-LABEL: nv_tileaa.func @read_twice
  // CHECK: %{{.*}}, %[[ELEMENTS:.*]] = nv_tileaa.tiled_load {{.*}} -> tensor<64x128xf4E2M1FN>
  // CHECK: %{{.*}}, %[[BYTES:.*]] = nv_tileaa.tiled_load {{.*}}token %[[ELEMENTS]] {{.*}} -> tensor<64x64xi8>
  // CHECK: nv_tileaa.tiled_store {{.*}}token %[[BYTES]]
  nv_tileaa.func @read_twice(%qq: !nv_tileaa.ptr<i8>, %m: i32, %k_: i32, %c: tensor<128x64xf32>, %s: tensor<128x8xf8E4M3FN>, %t: tensor<8x64xf8E4M3FN>) {
    %i = arith.constant 0 : i32
    %pd = nv_tileaa.bitcast %qq : !nv_tileaa.ptr<i8> -> !nv_tileaa.ptr<f4E2M1FN>
    %k = nv_tileaa.assume #nv_tileaa.div_by<32>, %k_ : i32
    %ma = nv_tileaa.make_memref %pd, sizes[%m, %k], strides[%k] : <f4E2M1FN>, (i32, i32), (i32) -> <?x?xf4E2M1FN, strides = [?, 1]>
    %va = nv_tileaa.block_tile %ma : !f4 -> !a
    %vb = nv_tileaa.block_tile %ma : !f4 -> !b
    %x, %tx = nv_tileaa.tiled_load %va[%i, %i] : !a, (i32, i32) -> tensor<128x128xf4E2M1FN>
    %y0, %ty = nv_tileaa.tiled_load %vb[%i, %i], token %tx : !b, (i32, i32) -> tensor<64x128xf4E2M1FN>
    %y = nv_tileaa.permute %y0 [1, 0] : tensor<64x128xf4E2M1FN> -> tensor<128x64xf4E2M1FN>
    %d = nv_tileaa.mma_block_scale %x, %y, %c, %s, %t : tensor<128x128xf4E2M1FN>, tensor<128x64xf4E2M1FN>, tensor<128x64xf32>, tensor<128x8xf8E4M3FN>, tensor<8x64xf8E4M3FN>
    %o = nv_tileaa.print "%f", %d : tensor<128x64xf32>
    %ye = arith.extf %y : tensor<128x64xf4E2M1FN> to tensor<128x64xf32>
    %o2 = nv_tileaa.print "%f", %ye : tensor<128x64xf32>
    %z = arith.constant dense<0.0> : tensor<64x128xf4E2M1FN>
    %st = nv_tileaa.tiled_store %vb[%i, %i], %z, token %ty : !b, (i32, i32), tensor<64x128xf4E2M1FN>
    nv_tileaa.return
  }
}
