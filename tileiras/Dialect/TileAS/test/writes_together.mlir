// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-optimize-alloc-tensor))' | FileCheck %s

#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = []>
#s = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#b = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#bb = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0], [0, 8]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = []>
#cc = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
!read = tensor<16x16xf16, #s>
module attributes {nv_tileaa.target_spec = "sm_80"} {
// The second tile is known when the first one is written: behind it, with one barrier before both and one behind.
// CHECK-LABEL: nv_tileaa.func @together
// CHECK: scf.for
// CHECK: %[[A:.*]] = nv_tileas.alloc_tensor {offset = 0 : i64}
// CHECK: nv_tileas.copy %{{.*}}, %[[A]] {{.*}}nv_tileas.no_raw_barrier
// CHECK: arith.truncf
// CHECK: %[[B:.*]] = nv_tileas.alloc_tensor {offset = 512 : i64}
// CHECK: nv_tileas.copy %{{.*}}, %[[B]] {{.*}}no_war_barrier
// CHECK: nv_tileas.dot %[[A]]
// CHECK: nv_tileas.dot %[[B]]
nv_tileaa.func @together(%x: tensor<16x16xf16, #l>, %p: tensor<16x16xf32, #l>, %n: i32, %y: tensor<16x8xf16, #b>, %z: tensor<16x8xf32, #c>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (tensor<16x8xf32, #c>) : i32 {
    %t = nv_tileas.alloc_tensor : !read
    nv_tileas.copy %x, %t {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<16x16xf16, #l>, !read
    %q = nv_tileas.dot %t, %y, %s {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>} : !read, tensor<16x8xf16, #b>, tensor<16x8xf32, #c>
    %h = arith.truncf %p : tensor<16x16xf32, #l> to tensor<16x16xf16, #l>
    %u = nv_tileas.alloc_tensor : !read
    nv_tileas.copy %h, %u {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<16x16xf16, #l>, !read
    %r = nv_tileas.dot %u, %y, %q {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>} : !read, tensor<16x8xf16, #b>, tensor<16x8xf32, #c>
    scf.yield %r : tensor<16x8xf32, #c>
  }
  nv_tileaa.return
}
// A tile that the product before it gives cannot be written earlier: the second one takes the first one's place behind it.
// CHECK-LABEL: nv_tileaa.func @one_by_one
// CHECK: nv_tileas.dot
// CHECK: nv_tileas.alloc_tensor {offset = 0 : i64}
// CHECK-NEXT: nv_tileas.copy
// CHECK: nv_tileas.dot
nv_tileaa.func @one_by_one(%x: tensor<16x16xf16, #l>, %n: i32, %y: tensor<16x16xf16, #bb>, %z: tensor<16x16xf32, #cc>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 1, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %t = nv_tileas.alloc_tensor : !read
  nv_tileas.copy %x, %t {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 16>} : tensor<16x16xf16, #l>, !read
  %q = nv_tileas.dot %t, %y, %z {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>} : !read, tensor<16x16xf16, #bb>, tensor<16x16xf32, #cc>
  %h = arith.truncf %q : tensor<16x16xf32, #cc> to tensor<16x16xf16, #cc>
  %u = nv_tileas.alloc_tensor : !read
  nv_tileas.copy %h, %u {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : tensor<16x16xf16, #cc>, !read
  %r = nv_tileas.dot %u, %y, %z {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 1, 1]>, fetch_a = #nv_tileas.ldsm<matrices = 4>} : !read, tensor<16x16xf16, #bb>, tensor<16x16xf32, #cc>
  nv_tileaa.return
}
}
