// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-prepare-for-scheduling)))' | FileCheck %s
// A further run finds nothing to do.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-prepare-for-scheduling)))' -o %t.once
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-prepare-for-scheduling,tileas-prepare-for-scheduling)))' | diff %t.once -
// Tiles that follow each other have the same bytes only where the second does not live from the start on.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-optimize-alloc-tensor)))' | FileCheck %s --check-prefix=APART
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-prepare-for-scheduling,tileas-optimize-alloc-tensor)))' | FileCheck %s --check-prefix=TOGETHER

#r1 = #nv_tileas.linear<rank = 1, register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#r2 = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = []>
#r2t = #nv_tileas.linear<rank = 2, register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = []>
#b2 = #nv_tileas.blocked<size_per_thread = [1, 4], threads_per_warp = [8, 4], warps_per_cta = [1, 1], order = [1, 0]>
#r3 = #nv_tileas.linear<rank = 3, register = [[0, 0, 1], [0, 0, 2]], lane = [[0, 0, 4], [0, 0, 8], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warp = []>
#r3m = #nv_tileas.linear<rank = 3, register = [[0, 0, 1], [0, 0, 2]], lane = [[0, 0, 4], [0, 0, 8], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = []>
#s1 = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32], [64]]>
#s2 = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
#s3 = #nv_tileas.shared<rank = 3, offset = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 0, 8], [0, 1, 0], [0, 2, 0], [0, 4, 0]]>
#box = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#held = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = []>
!view = !nv_tileaa.tiled_view<[128], !nv_tileaa.memref<?xf32, strides = [1]>>
!rows = !nv_tileaa.tiled_view<[8, 16], !nv_tileaa.memref<8x16xf32, strides = [16, 1]>>
!square = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>

gpu.module @kernels attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {

// decomposeTiledLoadStoreView: the reader sees what was allocated by one view. So does the other one by one permutation, and
// what has come back to its own shape is what it was.
// CHECK-LABEL: nv_tileaa.func @views
// CHECK: %[[TILE:.*]] = nv_tileas.alloc_tensor : tensor<1x8x16xf32
// CHECK: %[[DIRECT:.*]] = nv_tileas.view %[[TILE]] : tensor<1x8x16xf32, #{{.*}}> -> tensor<128xf32
// CHECK-NEXT: nv_tileas.convert_layout %[[DIRECT]]
// CHECK: %[[X:.*]], %{{.*}} = nv_tileas.tiled_load
// CHECK-NOT: nv_tileaa.permute
// CHECK-NOT: nv_tileas.view
// CHECK: nv_tileas.tiled_store %{{.*}}[%{{.*}}], %[[X]]
// CHECK: nv_tileaa.return
nv_tileaa.func @views(%v: !view, %i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %tile = nv_tileas.alloc_tensor : tensor<1x8x16xf32, #s3>
  %rows = nv_tileas.view %tile : tensor<1x8x16xf32, #s3> -> tensor<8x16xf32, #s2>
  %flat = nv_tileas.view %rows : tensor<8x16xf32, #s2> -> tensor<128xf32, #s1>
  %y = nv_tileas.convert_layout %flat {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<128xf32, #s1> -> tensor<128xf32, #r1>
  %t0 = nv_tileas.tiled_store %v[%i], %y : !view, (i32), tensor<128xf32, #r1>
  %x, %t1 = nv_tileas.tiled_load %v[%i] : !view, (i32) -> tensor<128xf32, #r1>
  %a = nv_tileas.view %x : tensor<128xf32, #r1> -> tensor<1x8x16xf32, #r3>
  %moved = nv_tileaa.permute %a [1, 0, 2] : tensor<1x8x16xf32, #r3> -> tensor<8x1x16xf32, #r3m>
  %b = nv_tileas.view %moved : tensor<8x1x16xf32, #r3m> -> tensor<8x16xf32, #r2>
  %c = nv_tileaa.permute %b [1, 0] : tensor<8x16xf32, #r2> -> tensor<16x8xf32, #r2t>
  %d = nv_tileaa.permute %c [1, 0] : tensor<16x8xf32, #r2t> -> tensor<8x16xf32, #r2>
  %e = nv_tileas.view %d : tensor<8x16xf32, #r2> -> tensor<128xf32, #r1>
  %t2 = nv_tileas.tiled_store %v[%i], %e : !view, (i32), tensor<128xf32, #r1>
  nv_tileaa.return
}

// What comes back to its shape in a layout that is written in another way is a view of what it was.
// CHECK-LABEL: nv_tileaa.func @written_in_another_way
// CHECK: %[[X:.*]], %{{.*}} = nv_tileas.tiled_load
// CHECK-NEXT: %[[SAME:.*]] = nv_tileas.view %[[X]] : tensor<8x16xf32, #{{.*}}> -> tensor<8x16xf32
// CHECK-NEXT: arith.addf %[[SAME]], %[[SAME]]
nv_tileaa.func @written_in_another_way(%v: !rows, %i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %x, %t1 = nv_tileas.tiled_load %v[%i, %i] : !rows, (i32, i32) -> tensor<8x16xf32, #b2>
  %c = nv_tileaa.permute %x [1, 0] : tensor<8x16xf32, #b2> -> tensor<16x8xf32, #r2t>
  %d = nv_tileaa.permute %c [1, 0] : tensor<16x8xf32, #r2t> -> tensor<8x16xf32, #r2>
  %e = arith.addf %d, %d : tensor<8x16xf32, #r2>
  %t2 = nv_tileas.tiled_store %v[%i, %i], %e : !rows, (i32, i32), tensor<8x16xf32, #r2>
  nv_tileaa.return
}

// refineVecSizeOfAtoms: a thread has four neighbours, the base is aligned and the edge cuts no four of them. Where the edge may cut,
// or nothing is known of the base, the access stays as it is; and a wider one never becomes narrower.
// CHECK-LABEL: nv_tileaa.func @widths
// CHECK: tiled_load %{{.*}}[%{{.*}}] {vec = 4 : i32}
// CHECK: tiled_load %{{.*}}[%{{.*}}] : <
// CHECK: tiled_load %{{.*}}[%{{.*}}] {vec = 2 : i32}
nv_tileaa.func @widths(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>, %n: i32, %i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %aligned = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  %fours = nv_tileaa.assume #nv_tileaa.div_by<4>, %n : i32
  %m0 = nv_tileaa.make_memref %aligned, sizes [%fours], strides [] : !nv_tileaa.ptr<f32>, (i32), () -> !nv_tileaa.memref<?xf32, strides = [1]>
  %m1 = nv_tileaa.make_memref %aligned, sizes [%n], strides [] : !nv_tileaa.ptr<f32>, (i32), () -> !nv_tileaa.memref<?xf32, strides = [1]>
  %v0 = nv_tileaa.block_tile %m0 : !nv_tileaa.memref<?xf32, strides = [1]> -> !view
  %v1 = nv_tileaa.block_tile %m1 : !nv_tileaa.memref<?xf32, strides = [1]> -> !view
  %a, %t0 = nv_tileas.tiled_load %v0[%i] : !view, (i32) -> tensor<128xf32, #r1>
  %b, %t1 = nv_tileas.tiled_load %v1[%i] : !view, (i32) -> tensor<128xf32, #r1>
  %c, %t2 = nv_tileas.tiled_load %v1[%i] {vec = 2 : i32} : !view, (i32) -> tensor<128xf32, #r1>
  %s0 = arith.addf %a, %b : tensor<128xf32, #r1>
  %s1 = arith.addf %s0, %c : tensor<128xf32, #r1>
  %t3 = nv_tileas.tiled_store %v0[%i], %s1 {vec = 4 : i32} : !view, (i32), tensor<128xf32, #r1>
  nv_tileaa.return
}

// sliceAndFuse: in a loop, what one operation alone uses goes with it; what two use does not.
// CHECK-LABEL: nv_tileaa.func @fuse
// CHECK: arith.addf {{.*}} {nv_tileas.slice_and_fuse} :
// CHECK: arith.mulf {{.*}} {nv_tileas.slice_and_fuse} :
// CHECK: %[[TWICE:.*]] = math.exp2 %{{[0-9]+}} :
// CHECK: arith.mulf %[[TWICE]], %[[TWICE]] :
nv_tileaa.func @fuse(%n: i32, %x: tensor<128xf32, #r1>, %v: !view) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%c = %x) -> (tensor<128xf32, #r1>) : i32 {
    %0 = arith.addf %c, %x : tensor<128xf32, #r1>
    %1 = arith.mulf %0, %x : tensor<128xf32, #r1>
    %2 = math.exp2 %1 : tensor<128xf32, #r1>
    %3 = arith.mulf %2, %2 : tensor<128xf32, #r1>
    scf.yield %3 : tensor<128xf32, #r1>
  }
  %t = nv_tileas.tiled_store %v[%n], %s : !view, (i32), tensor<128xf32, #r1>
  nv_tileaa.return
}

// runCanonicalizer: a loop of one round, a tiny one of arithmetic alone, a branch that is decided, one that does nothing. A loop
// that loads in each of its rounds stays.
// CHECK-LABEL: nv_tileaa.func @wrappers
// CHECK-SAME: %[[V:.*]]: {{.*}}, %[[N:[^:]*]]: i32
// CHECK-NOT: scf.
// CHECK: %[[X:.*]], %{{.*}} = nv_tileas.tiled_load
// CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK: %[[Z:.*]] = arith.mulf %[[Y]], %[[Y]]
// CHECK: nv_tileas.tiled_store %{{.*}}[%[[N]]], %[[Z]]
// CHECK: scf.for
// CHECK-NEXT: nv_tileas.tiled_load
nv_tileaa.func @wrappers(%v: !view, %n: i32, %some: i1) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %no = arith.constant false
  %f0 = arith.constant 0.0 : f32
  %zero = nv_tileaa.splat %f0 : f32 -> tensor<128xf32, #r1>
  %x = scf.for %i = %c0 to %c1 step %c1 iter_args(%c = %zero) -> (tensor<128xf32, #r1>) : i32 {
    %l, %t0 = nv_tileas.tiled_load %v[%n] : !view, (i32) -> tensor<128xf32, #r1>
    scf.yield %l : tensor<128xf32, #r1>
  }
  %y = scf.for %i = %c0 to %c2 step %c1 iter_args(%c = %x) -> (tensor<128xf32, #r1>) : i32 {
    %p = arith.mulf %c, %c : tensor<128xf32, #r1>
    scf.yield %p : tensor<128xf32, #r1>
  }
  scf.if %no {
    %t1 = nv_tileas.tiled_store %v[%c0], %x : !view, (i32), tensor<128xf32, #r1>
  } else {
    %t2 = nv_tileas.tiled_store %v[%n], %y : !view, (i32), tensor<128xf32, #r1>
  }
  scf.if %some {
    %unused = arith.addi %n, %c1 : i32
  }
  scf.for %i = %c0 to %c2 step %c1 : i32 {
    %l, %t3 = nv_tileas.tiled_load %v[%i] : !view, (i32) -> tensor<128xf32, #r1>
    %t4 = nv_tileas.tiled_store %v[%i], %l : !view, (i32), tensor<128xf32, #r1>
  }
  nv_tileaa.return
}

// compactMemLayout, behind runCanonicalizer: the second tile is allocated where it is first used once the branch that never happens
// is gone.
// CHECK-LABEL: nv_tileaa.func @bytes
// CHECK: %[[FIRST:.*]] = nv_tileas.alloc_tensor
// CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[FIRST]]
// CHECK-NEXT: nv_tileas.convert_layout %[[FIRST]]
// CHECK-NEXT: %[[SECOND:.*]] = nv_tileas.alloc_tensor
// CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[SECOND]]
// APART-LABEL: nv_tileaa.func @bytes
// APART: alloc_tensor {offset = 0 : i64}
// APART: alloc_tensor {offset = 512 : i64}
// TOGETHER-LABEL: nv_tileaa.func @bytes
// TOGETHER: alloc_tensor {offset = 0 : i64}
// TOGETHER: alloc_tensor {offset = 0 : i64}
nv_tileaa.func @bytes(%v: !view, %n: i32, %x: tensor<128xf32, #r1>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %no = arith.constant false
  %first = nv_tileas.alloc_tensor : tensor<128xf32, #s1>
  %second = nv_tileas.alloc_tensor : tensor<128xf32, #s1>
  scf.if %no {
    nv_tileas.copy %x, %second {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<128xf32, #r1>, tensor<128xf32, #s1>
  }
  nv_tileas.copy %x, %first {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<128xf32, #r1>, tensor<128xf32, #s1>
  %y = nv_tileas.convert_layout %first {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<128xf32, #s1> -> tensor<128xf32, #r1>
  nv_tileas.copy %y, %second {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<128xf32, #r1>, tensor<128xf32, #s1>
  %z = nv_tileas.convert_layout %second {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<128xf32, #s1> -> tensor<128xf32, #r1>
  %t = nv_tileas.tiled_store %v[%n], %z : !view, (i32), tensor<128xf32, #r1>
  nv_tileaa.return
}

// A tile that a tensor copy may still read when the next one is written stays where it was allocated, beside the other.
// CHECK-LABEL: nv_tileaa.func @under_way
// CHECK: alloc_tensor
// CHECK-NEXT: alloc_tensor
// TOGETHER-LABEL: nv_tileaa.func @under_way
// TOGETHER: alloc_tensor {offset = 0 : i64}
// TOGETHER: alloc_tensor {offset = 8192 : i64}
nv_tileaa.func @under_way(%v: !square, %i: i32, %x: tensor<64x64xf16, #held>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %d, %usable = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 128>} : !square
  %a = nv_tileas.alloc_tensor : tensor<64x64xf16, #box>
  %b = nv_tileas.alloc_tensor : tensor<64x64xf16, #box>
  nv_tileas.copy %x, %a {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>, nv_tileas.async_proxy} : tensor<64x64xf16, #held>, tensor<64x64xf16, #box>
  %done0, %t0 = nv_tileas.async.tiled_tma_store %d, %a, %v[%i, %i] {atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 128>} : tensor<64x64xf16, #box>, !square, (i32, i32)
  nv_tileas.copy %x, %b {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>, nv_tileas.async_proxy, no_war_barrier} : tensor<64x64xf16, #held>, tensor<64x64xf16, #box>
  %done1, %t1 = nv_tileas.async.tiled_tma_store %d, %b, %v[%i, %c0] {atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 128>} : tensor<64x64xf16, #box>, !square, (i32, i32)
  nv_tileas.async.wait %done1
  nv_tileaa.return
}

// refreshBoxDim: the tensor map has the box with which the tile is copied.
// CHECK-LABEL: nv_tileaa.func @boxes
// CHECK: make_tiled_tma_desc %{{.*}} {atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 128>}
// CHECK: tiled_tma_store {{.*}} {atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 128>}
nv_tileaa.func @boxes(%v: !square, %i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %d, %usable = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.tma_store<box = [32, 64], order = [1, 0], swizzle = 128>} : !square
  %tile = nv_tileas.alloc_tensor : tensor<64x64xf16, #box>
  %done, %t = nv_tileas.async.tiled_tma_store %d, %tile, %v[%i, %i] {atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 128>} : tensor<64x64xf16, #box>, !square, (i32, i32)
  nv_tileas.async.wait %done
  nv_tileaa.return
}
}
