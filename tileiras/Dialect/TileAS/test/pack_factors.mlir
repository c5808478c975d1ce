// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-legalize-fma-dot)))' --remarks-filter=product -o %t 2> %t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// (Products of each kind are executed by the suite tcgen05.)

!f4 = !nv_tileaa.memref<?x?xf4E2M1FN, strides = [?, 1]>
!a = !nv_tileaa.tiled_view<[128, 128], dim_map = [0, 1], steps = [128, 128], padding = zero, !f4>
!b = !nv_tileaa.tiled_view<[128, 64], dim_map = [1, 0], steps = [128, 64], padding = zero, !f4>
!none = !nv_tileaa.tiled_view<[128, 128], dim_map = [0, 1], steps = [128, 128], padding = nan, !f4>

gpu.module @sm100 attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
  // Loads of elements become loads of bytes, whose base, extent and stride are as even as those were known to be.
  // REMARK: Legalized {{.*}}Function=loads {{.*}}As="pairs of 4-bit elements"
  // REMARK-NOT: Packed {{.*}}Function=loads
  // CHECK-LABEL: nv_tileaa.func @loads
  // CHECK: %[[BASE:.*]] = nv_tileaa.bitcast %{{.*}} : !nv_tileaa.ptr<f4E2M1FN> -> !nv_tileaa.ptr<i8>
  // CHECK: %[[ALIGNED:.*]] = nv_tileaa.assume #nv_tileaa.div_by<16>, %[[BASE]]
  // CHECK: %[[HALF:.*]] = arith.shrsi %[[K:.*]], %{{.*}} : i32
  // CHECK: %[[COLUMNS:.*]] = nv_tileaa.assume #nv_tileaa.div_by<16>, %[[HALF]]
  // CHECK: arith.shrsi %[[K]],
  // CHECK: nv_tileaa.make_memref %[[ALIGNED]], sizes[%arg2, %[[COLUMNS]]], strides[%{{.*}}] : <i8>, {{.*}} -> <?x?xi8, strides = [?, 1]>
  // CHECK: nv_tileaa.block_tile {{.*}} -> <[128, 64], padding = zero, !nv_tileaa.memref<?x?xi8, strides = [?, 1]>>
  // CHECK: nv_tileaa.block_tile {{.*}} -> <[64, 64], dim_map = [1, 0], padding = zero, !nv_tileaa.memref<?x?xi8, strides = [?, 1]>>
  // CHECK-NOT: tiled_load {{.*}}f4E2M1FN
  // CHECK: nv_tileaa.mma_block_scale {{.*}} tensor<128x64xi8>, tensor<64x64xi8>, tensor<128x64xf32>, tensor<128x8xf8E4M3FN>, tensor<8x64xf8E4M3FN>
  nv_tileaa.func @loads(%p: !nv_tileaa.ptr<f4E2M1FN>, %q: !nv_tileaa.ptr<f4E2M1FN>, %m: i32, %k_: i32, %c: tensor<128x64xf32>, %s: tensor<128x8xf8E4M3FN>, %t: tensor<8x64xf8E4M3FN>) {
    %i = arith.constant 0 : i32
    %pd = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f4E2M1FN>
    %k = nv_tileaa.assume #nv_tileaa.div_by<32>, %k_ : i32
    %ma = nv_tileaa.make_memref %pd, sizes[%m, %k], strides[%k] : <f4E2M1FN>, (i32, i32), (i32) -> <?x?xf4E2M1FN, strides = [?, 1]>
    %mb = nv_tileaa.make_memref %q, sizes[%m, %k], strides[%k] : <f4E2M1FN>, (i32, i32), (i32) -> <?x?xf4E2M1FN, strides = [?, 1]>
    %va = nv_tileaa.block_tile %ma : !f4 -> !a
    %vb = nv_tileaa.block_tile %mb : !f4 -> !b
    %x, %tx = nv_tileaa.tiled_load %va[%i, %i] : !a, (i32, i32) -> tensor<128x128xf4E2M1FN>
    %y, %ty = nv_tileaa.tiled_load %vb[%i, %i], token %tx : !b, (i32, i32) -> tensor<128x64xf4E2M1FN>
    %d = nv_tileaa.mma_block_scale %x, %y, %c, %s, %t : tensor<128x128xf4E2M1FN>, tensor<128x64xf4E2M1FN>, tensor<128x64xf32>, tensor<128x8xf8E4M3FN>, tensor<8x64xf8E4M3FN>
    %o = nv_tileaa.print "%f", %d : tensor<128x64xf32>
    nv_tileaa.return
  }

  // Unpacked bytes are those bytes, turned.
  // CHECK-LABEL: nv_tileaa.func @unpacked
  // CHECK-NOT: f4E2M1FN
  // CHECK: %[[TURNED:.*]] = nv_tileaa.permute %arg1 [1, 0] : tensor<64x64xi8> -> tensor<64x64xi8>
  // CHECK: nv_tileaa.mma_block_scale %arg0, %[[TURNED]], {{.*}} : tensor<128x64xi8>, tensor<64x64xi8>
  // CHECK-NOT: f4E2M1FN
  nv_tileaa.func @unpacked(%x: tensor<128x64xi8>, %y: tensor<64x64xi8>, %c: tensor<128x64xf32>, %s: tensor<128x4xf8E8M0FNU>, %t: tensor<4x64xf8E8M0FNU>) {
    %x1 = nv_tileaa.view %x : tensor<128x64xi8> -> tensor<8192xi8>
    %x2 = nv_tileaa.reinterpret %x1 : tensor<8192xi8> -> tensor<16384xf4E2M1FN>
    %x3 = nv_tileaa.view %x2 : tensor<16384xf4E2M1FN> -> tensor<128x128xf4E2M1FN>
    %y1 = nv_tileaa.view %y : tensor<64x64xi8> -> tensor<4096xi8>
    %y2 = nv_tileaa.reinterpret %y1 : tensor<4096xi8> -> tensor<8192xf4E2M1FN>
    %y3 = nv_tileaa.view %y2 : tensor<8192xf4E2M1FN> -> tensor<64x128xf4E2M1FN>
    %y4 = nv_tileaa.permute %y3 [1, 0] : tensor<64x128xf4E2M1FN> -> tensor<128x64xf4E2M1FN>
    %d = nv_tileaa.mma_block_scale %x3, %y4, %c, %s, %t : tensor<128x128xf4E2M1FN>, tensor<128x64xf4E2M1FN>, tensor<128x64xf32>, tensor<128x4xf8E8M0FNU>, tensor<4x64xf8E8M0FNU>
    %o = nv_tileaa.print "%f", %d : tensor<128x64xf32>
    nv_tileaa.return
  }

  // An extent that may be odd, padding that is no zero, an offset that may be odd, and what is computed.
  // REMARK: Packed {{.*}}Function=odd {{.*}}Factors=2
  // CHECK-LABEL: nv_tileaa.func @odd
  // CHECK-COUNT-2: nv_tileaa.tiled_load {{.*}} -> tensor<128x128xf4E2M1FN>
  // CHECK: %[[FLAT:.*]] = nv_tileaa.view %{{.*}} : tensor<128x128xf4E2M1FN> -> tensor<16384xf4E2M1FN>
  // CHECK: %[[BYTES:.*]] = nv_tileaa.reinterpret %[[FLAT]] : tensor<16384xf4E2M1FN> -> tensor<8192xi8>
  // CHECK: nv_tileaa.view %[[BYTES]] : tensor<8192xi8> -> tensor<128x64xi8>
  // CHECK: nv_tileaa.mma_block_scale {{.*}} tensor<128x64xi8>, tensor<64x128xi8>
  nv_tileaa.func @odd(%p: !nv_tileaa.ptr<f4E2M1FN>, %m: i32, %k: i32, %c: tensor<128x128xf32>, %s: tensor<128x4xf8E8M0FNU>, %t: tensor<4x128xf8E8M0FNU>) {
    %i = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %even = arith.muli %k, %c32 : i32
    %ma = nv_tileaa.make_memref %p, sizes[%m, %k], strides[%even] : <f4E2M1FN>, (i32, i32), (i32) -> <?x?xf4E2M1FN, strides = [?, 1]>
    %mb = nv_tileaa.make_memref %p, sizes[%m, %even], strides[%even] : <f4E2M1FN>, (i32, i32), (i32) -> <?x?xf4E2M1FN, strides = [?, 1]>
    %va = nv_tileaa.block_tile %ma : !f4 -> !a
    %vb = nv_tileaa.block_tile %mb : !f4 -> !none
    %x, %tx = nv_tileaa.tiled_load %va[%i, %i] : !a, (i32, i32) -> tensor<128x128xf4E2M1FN>
    %y, %ty = nv_tileaa.tiled_load %vb[%i, %i] : !none, (i32, i32) -> tensor<128x128xf4E2M1FN>
    %z = nv_tileaa.permute %y [1, 0] : tensor<128x128xf4E2M1FN> -> tensor<128x128xf4E2M1FN>
    %d = nv_tileaa.mma_block_scale %x, %z, %c, %s, %t : tensor<128x128xf4E2M1FN>, tensor<128x128xf4E2M1FN>, tensor<128x128xf32>, tensor<128x4xf8E8M0FNU>, tensor<4x128xf8E8M0FNU>
    %o = nv_tileaa.print "%f", %d : tensor<128x128xf32>
    nv_tileaa.return
  }
  // REMARK: Packed {{.*}}Function=moved {{.*}}Factors=1
  // CHECK-LABEL: nv_tileaa.func @moved
  // CHECK-COUNT-1: nv_tileaa.tiled_load {{.*}} -> tensor<128x128xf4E2M1FN>
  // CHECK: nv_tileaa.tiled_load {{.*}} -> tensor<128x64xi8>
  nv_tileaa.func @moved(%p: !nv_tileaa.ptr<f4E2M1FN>, %by: i32, %k_: i32, %c: tensor<128x128xf32>, %s: tensor<128x4xf8E8M0FNU>, %t: tensor<4x128xf8E8M0FNU>) {
    %i = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %k = nv_tileaa.assume #nv_tileaa.div_by<32>, %k_ : i32
    %twice = arith.muli %by, %c2 : i32
    %pa = nv_tileaa.addptr %p, %by : !nv_tileaa.ptr<f4E2M1FN>, i32
    %pb = nv_tileaa.addptr %p, %twice : !nv_tileaa.ptr<f4E2M1FN>, i32
    %ma = nv_tileaa.make_memref %pa, sizes[%k, %k], strides[%k] : <f4E2M1FN>, (i32, i32), (i32) -> <?x?xf4E2M1FN, strides = [?, 1]>
    %mb = nv_tileaa.make_memref %pb, sizes[%k, %k], strides[%k] : <f4E2M1FN>, (i32, i32), (i32) -> <?x?xf4E2M1FN, strides = [?, 1]>
    %va = nv_tileaa.block_tile %ma : !f4 -> !a
    %vb = nv_tileaa.block_tile %mb : !f4 -> !a
    %x, %tx = nv_tileaa.tiled_load %va[%i, %i] : !a, (i32, i32) -> tensor<128x128xf4E2M1FN>
    %y, %ty = nv_tileaa.tiled_load %vb[%i, %i] : !a, (i32, i32) -> tensor<128x128xf4E2M1FN>
    %z = nv_tileaa.permute %y [1, 0] : tensor<128x128xf4E2M1FN> -> tensor<128x128xf4E2M1FN>
    %d = nv_tileaa.mma_block_scale %x, %z, %c, %s, %t : tensor<128x128xf4E2M1FN>, tensor<128x128xf4E2M1FN>, tensor<128x128xf32>, tensor<128x4xf8E8M0FNU>, tensor<4x128xf8E8M0FNU>
    %o = nv_tileaa.print "%f", %d : tensor<128x128xf32>
    nv_tileaa.return
  }

  // 64 rows are no instruction's.
  // CHECK-LABEL: nv_tileaa.func @few
  // CHECK-NOT: xi8
  nv_tileaa.func @few(%a: tensor<64x64xf4E2M1FN>, %b: tensor<64x64xf4E2M1FN>, %c: tensor<64x64xf32>, %s: tensor<64x4xf8E4M3FN>, %t: tensor<4x64xf8E4M3FN>) {
    %d = nv_tileaa.mma_block_scale %a, %b, %c, %s, %t : tensor<64x64xf4E2M1FN>, tensor<64x64xf4E2M1FN>, tensor<64x64xf32>, tensor<64x4xf8E4M3FN>, tensor<4x64xf8E4M3FN>
    %o = nv_tileaa.print "%f", %d : tensor<64x64xf32>
    nv_tileaa.return
  }
}
