// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-legalize-fma-dot)))' --remarks-filter=product -o %t 2> %t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// Blocks of scales are loaded in rows of 256 elements. (Executed by the suites tcgen05 and clusters.)

!e = f8E8M0FNU
!blocks = !nv_tileaa.memref<?x?x32x4x4xf8E8M0FNU, strides = [?, 512, 16, 4, 1]>
!runs = !nv_tileaa.memref<?x?x512xf8E8M0FNU, strides = [?, 512, 1]>
!rows = !nv_tileaa.memref<?x?x2x256xf8E8M0FNU, strides = [?, 512, 256, 1]>
!apart = !nv_tileaa.memref<?x?x32x4x4xf8E8M0FNU, strides = [?, 1024, 32, 8, 1]>
!all = !nv_tileaa.memref<1x2x32x4x4xf8E8M0FNU, strides = [1024, 512, 16, 4, 1]>
!tiles = !nv_tileaa.tiled_view<[1, 2, 32, 4, 4], dim_map = [0, 1, 2, 3, 4], steps = [1, 2, 32, 4, 4], padding = zero, !blocks>
!longs = !nv_tileaa.tiled_view<[1, 2, 512], dim_map = [0, 1, 2], steps = [1, 2, 512], padding = zero, !runs>
!twos = !nv_tileaa.tiled_view<[1, 2, 2, 256], dim_map = [0, 1, 2, 3], steps = [1, 2, 2, 256], padding = zero, !rows>
!aparts = !nv_tileaa.tiled_view<[1, 2, 32, 4, 4], dim_map = [0, 1, 2, 3, 4], steps = [1, 2, 32, 4, 4], padding = zero, !apart>
!wholes = !nv_tileaa.tiled_view<[1, 2, 32, 4, 4], dim_map = [0, 1, 2, 3, 4], steps = [1, 2, 32, 4, 4], padding = zero, !all>
!a = tensor<128x256xf8E4M3FN>
!b = tensor<256x128xf8E4M3FN>
!c = tensor<128x128xf32>
!five = tensor<1x2x32x4x4xf8E8M0FNU>
!turned = tensor<1x4x32x2x4xf8E8M0FNU>
!s = tensor<128x8xf8E8M0FNU>
!t = tensor<8x128xf8E8M0FNU>

gpu.module @sm100 attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
  // Of A blocks of 32 x 4 x 4, of B runs of 512.
  // REMARK: ScaleBlocks {{.*}}Function=blocks {{.*}}Factors=2
  // CHECK-LABEL: nv_tileaa.func @blocks
  // CHECK: nv_tileaa.block_tile {{.*}} -> <[1, 2, 2, 256], padding = zero, !nv_tileaa.memref<?x?x2x256xf8E8M0FNU, strides = [?, 512, 256, 1]>>
  // CHECK: nv_tileaa.block_tile {{.*}} -> <[1, 2, 2, 256], padding = zero, !nv_tileaa.memref<?x?x2x256xf8E8M0FNU, strides = [?, 512, 256, 1]>>
  // CHECK: %[[A:.*]], %[[TOKEN:.*]] = nv_tileaa.tiled_load %{{.*}}[%arg3, %arg4, %[[ZERO:.*]], %[[ZERO]]] {in_bounds = array<i1: false, true, true, true>, latency = 3 : i32} : {{.*}} -> tensor<1x2x2x256xf8E8M0FNU>
  // CHECK: nv_tileaa.view %[[A]] : tensor<1x2x2x256xf8E8M0FNU> -> tensor<1x2x32x4x4xf8E8M0FNU>
  // CHECK: %[[B:.*]], %{{.*}} = nv_tileaa.tiled_load %{{.*}}, token %[[TOKEN]] {{.*}} -> tensor<1x2x2x256xf8E8M0FNU>
  // CHECK: nv_tileaa.view %[[B]] : tensor<1x2x2x256xf8E8M0FNU> -> tensor<1x2x512xf8E8M0FNU>
  // CHECK-NOT: tiled_load
  nv_tileaa.func @blocks(%p: !nv_tileaa.ptr<!e>, %m: i32, %k: i32, %i: i32, %j: i32, %x: !a, %y: !b, %z: !c) {
    %zero = arith.constant 0 : i32
    %ma = nv_tileaa.make_memref %p, sizes[%m, %k], strides[%k] : <!e>, (i32, i32), (i32) -> !blocks
    %mb = nv_tileaa.make_memref %p, sizes[%m, %k], strides[%k] : <!e>, (i32, i32), (i32) -> !runs
    %va = nv_tileaa.block_tile %ma : !blocks -> !tiles
    %vb = nv_tileaa.block_tile %mb : !runs -> !longs
    %la, %ta = nv_tileaa.tiled_load %va[%i, %j, %zero, %zero, %zero] {in_bounds = array<i1: false, true, false, false, false>, latency = 3 : i32} : !tiles, (i32, i32, i32, i32, i32) -> !five
    %pa = nv_tileaa.permute %la [0, 3, 2, 1, 4] : !five -> !turned
    %sa = nv_tileaa.view %pa : !turned -> !s
    %lb, %tb = nv_tileaa.tiled_load %vb[%i, %j, %zero], token %ta : !longs, (i32, i32, i32) -> tensor<1x2x512xf8E8M0FNU>
    %wb = nv_tileaa.view %lb : tensor<1x2x512xf8E8M0FNU> -> !five
    %pb = nv_tileaa.permute %wb [0, 3, 2, 1, 4] : !five -> !turned
    %sb = nv_tileaa.view %pb : !turned -> !s
    %ct = nv_tileaa.permute %sb [1, 0] : !s -> !t
    %d = nv_tileaa.mma_block_scale %x, %y, %z, %sa, %ct : !a, !b, !c, !s, !t
    %o = nv_tileaa.print "%f", %d : !c
    nv_tileaa.return
  }

  // An array that is a tile is one run.
  // REMARK: ScaleBlocks {{.*}}Function=whole {{.*}}Factors=1
  // CHECK-LABEL: nv_tileaa.func @whole
  // CHECK: nv_tileaa.tiled_load {{.*}} -> tensor<4x256xf8E8M0FNU>
  nv_tileaa.func @whole(%p: !nv_tileaa.ptr<!e>, %x: !a, %y: !b, %z: !c, %ct: !t) {
    %zero = arith.constant 0 : i32
    %ma = nv_tileaa.make_memref %p, sizes[], strides[] : <!e>, (), () -> !all
    %va = nv_tileaa.block_tile %ma : !all -> !wholes
    %la, %ta = nv_tileaa.tiled_load %va[%zero, %zero, %zero, %zero, %zero] : !wholes, (i32, i32, i32, i32, i32) -> !five
    %pa = nv_tileaa.permute %la [0, 3, 2, 1, 4] : !five -> !turned
    %sa = nv_tileaa.view %pa : !turned -> !s
    %d = nv_tileaa.mma_block_scale %x, %y, %z, %sa, %ct : !a, !b, !c, !s, !t
    %o = nv_tileaa.print "%f", %d : !c
    nv_tileaa.return
  }

  // Rows of 256 already, blocks that lie apart, another tile than the first, and a tile that somebody else has: as they are.
  // REMARK-NOT: Function=stay
  // CHECK-LABEL: nv_tileaa.func @stay
  // CHECK: nv_tileaa.tiled_load {{.*}} -> tensor<1x2x2x256xf8E8M0FNU>
  // CHECK: nv_tileaa.tiled_load {{.*}} -> tensor<1x2x32x4x4xf8E8M0FNU>
  // CHECK: nv_tileaa.tiled_load {{.*}} -> tensor<1x2x512xf8E8M0FNU>
  // CHECK: nv_tileaa.tiled_load {{.*}} -> tensor<1x2x32x4x4xf8E8M0FNU>
  nv_tileaa.func @stay(%p: !nv_tileaa.ptr<!e>, %m: i32, %k: i32, %i: i32, %x: !a, %y: !b, %z: !c) {
    %zero = arith.constant 0 : i32
    %ma = nv_tileaa.make_memref %p, sizes[%m, %k], strides[%k] : <!e>, (i32, i32), (i32) -> !rows
    %mb = nv_tileaa.make_memref %p, sizes[%m, %k], strides[%k] : <!e>, (i32, i32), (i32) -> !apart
    %mc = nv_tileaa.make_memref %p, sizes[%m, %k], strides[%k] : <!e>, (i32, i32), (i32) -> !runs
    %md = nv_tileaa.make_memref %p, sizes[%m, %k], strides[%k] : <!e>, (i32, i32), (i32) -> !blocks
    %va = nv_tileaa.block_tile %ma : !rows -> !twos
    %vb = nv_tileaa.block_tile %mb : !apart -> !aparts
    %vc = nv_tileaa.block_tile %mc : !runs -> !longs
    %vd = nv_tileaa.block_tile %md : !blocks -> !tiles
    %la, %ta = nv_tileaa.tiled_load %va[%i, %i, %zero, %zero] : !twos, (i32, i32, i32, i32) -> tensor<1x2x2x256xf8E8M0FNU>
    %wa = nv_tileaa.view %la : tensor<1x2x2x256xf8E8M0FNU> -> !five
    %pa = nv_tileaa.permute %wa [0, 3, 2, 1, 4] : !five -> !turned
    %sa = nv_tileaa.view %pa : !turned -> !s
    %lb, %tb = nv_tileaa.tiled_load %vb[%i, %i, %zero, %zero, %zero] : !aparts, (i32, i32, i32, i32, i32) -> !five
    %pb = nv_tileaa.permute %lb [0, 3, 2, 1, 4] : !five -> !turned
    %sb = nv_tileaa.view %pb : !turned -> !s
    %ctb = nv_tileaa.permute %sb [1, 0] : !s -> !t
    %d = nv_tileaa.mma_block_scale %x, %y, %z, %sa, %ctb : !a, !b, !c, !s, !t
    %lc, %tc = nv_tileaa.tiled_load %vc[%i, %i, %i] : !longs, (i32, i32, i32) -> tensor<1x2x512xf8E8M0FNU>
    %wc = nv_tileaa.view %lc : tensor<1x2x512xf8E8M0FNU> -> !five
    %pc = nv_tileaa.permute %wc [0, 3, 2, 1, 4] : !five -> !turned
    %sc = nv_tileaa.view %pc : !turned -> !s
    %ld, %td = nv_tileaa.tiled_load %vd[%i, %i, %zero, %zero, %zero] : !tiles, (i32, i32, i32, i32, i32) -> !five
    %q = nv_tileaa.print "%f", %ld : !five
    %pd = nv_tileaa.permute %ld [0, 3, 2, 1, 4] : !five -> !turned
    %sd = nv_tileaa.view %pd : !turned -> !s
    %ctd = nv_tileaa.permute %sd [1, 0] : !s -> !t
    %f = nv_tileaa.mma_block_scale %x, %y, %d, %sc, %ctd : !a, !b, !c, !s, !t
    %o = nv_tileaa.print "%f", %f : !c
    nv_tileaa.return
  }
}

// Where scales do not go to tensor memory, threads load them as they are laid out.
gpu.module @sm120 attributes {nv_tileaa.compute_capability = 120 : i32, nv_tileaa.target_spec = "sm_120a"} {
  // REMARK-NOT: Function=registers
  // CHECK-LABEL: nv_tileaa.func @registers
  // CHECK: nv_tileaa.tiled_load {{.*}} -> tensor<1x2x32x4x4xf8E8M0FNU>
  nv_tileaa.func @registers(%p: !nv_tileaa.ptr<!e>, %x: !a, %y: !b, %z: !c, %ct: !t) {
    %zero = arith.constant 0 : i32
    %ma = nv_tileaa.make_memref %p, sizes[], strides[] : <!e>, (), () -> !all
    %va = nv_tileaa.block_tile %ma : !all -> !wholes
    %la, %ta = nv_tileaa.tiled_load %va[%zero, %zero, %zero, %zero, %zero] : !wholes, (i32, i32, i32, i32, i32) -> !five
    %pa = nv_tileaa.permute %la [0, 3, 2, 1, 4] : !five -> !turned
    %sa = nv_tileaa.view %pa : !turned -> !s
    %d = nv_tileaa.mma_block_scale %x, %y, %z, %sa, %ct : !a, !b, !c, !s, !t
    %o = nv_tileaa.print "%f", %d : !c
    nv_tileaa.return
  }
}
