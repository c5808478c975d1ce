// RUN: tileiras-opt %s | FileCheck %s
// RUN: tileiras-opt %s -mlir-print-op-generic | tileiras-opt | FileCheck %s

!view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
!turned = !nv_tileaa.tiled_view<[64, 64], dim_map = [1, 0], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#k_fast = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#m_fast = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8], [0, 16], [0, 32]]>
#word = #nv_tileas.shared<rank = 1, offset = []>
nv_tileaa.func @ops(%v: !view, %w: !turned, %i: i32, %k: i64, %token: !nv_tileaa.mem_token) {
  %s = nv_tileas.alloc_tensor : tensor<64x64xf16, #k_fast>
  %t = nv_tileas.alloc_tensor : tensor<64x64xf16, #m_fast>
  %b = nv_tileas.alloc_tensor : tensor<1xi64, #word>
  // CHECK: %[[DESC:.*]], %{{.*}} = nv_tileas.make_tiled_tma_desc %{{.*}} {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tmaIdx = 0 : i32} : <[64, 64], padding = zero
  %d, %usable = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tmaIdx = 0 : i32} : !view
  // The view's dimension 0 is the dense one where it is turned.
  %e, %too = nv_tileas.make_tiled_tma_desc %w {atom = #nv_tileas.tma_load<box = [64, 64], order = [0, 1], swizzle = 128>, tmaIdx = 1 : i32} : !turned
  // CHECK: nv_tileas.async.tiled_tma_load %[[DESC]], %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} barrier %{{.*}} : tensor<1xi64, #shared{{[0-9]*}}>, token %{{.*}} {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tx_count = 8192 : i32}
  %done, %t0 = nv_tileas.async.tiled_tma_load %d, %v[%i, %k] into %s barrier %b : tensor<1xi64, #word>, token %token {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tx_count = 8192 : i32} : !view, (i32, i64), tensor<64x64xf16, #k_fast>
  %done1, %t1 = nv_tileas.async.tiled_tma_load %e, %w[%i, %k] into %t {atom = #nv_tileas.tma_load<box = [64, 64], order = [0, 1], swizzle = 128>, tx_count = 8192 : i32} : !turned, (i32, i64), tensor<64x64xf16, #m_fast>
  // CHECK: nv_tileas.async.tiled_tma_store %[[DESC]], %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] {atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 128>} : tensor<64x64xf16
  %done2, %t2 = nv_tileas.async.tiled_tma_store %d, %s, %v[%i, %k] {atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 128>} : tensor<64x64xf16, #k_fast>, !view, (i32, i64)
  // CHECK: rmw_mode = #nv_tileaa.rmw_mode<addf>
  %done3, %t3 = nv_tileas.async.tiled_tma_store %d, %s, %v[%i, %k] {atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 128>, rmw_mode = #nv_tileaa.rmw_mode<addf>} : tensor<64x64xf16, #k_fast>, !view, (i32, i64)
  nv_tileaa.return
}

// Rows of 32 words, whose pieces of 32 bytes the copy exchanges.
!words = !nv_tileaa.tiled_view<[16, 64], padding = zero, !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
#panels = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 8], [2, 16], [4, 0], [8, 0], [0, 32]]>
// CHECK-LABEL: @wide_atoms
nv_tileaa.func @wide_atoms(%v: !words, %i: i32) {
  %s = nv_tileas.alloc_tensor : tensor<16x64xf32, #panels>
  // CHECK: make_tiled_tma_desc %{{.*}} {atom = #nv_tileas.tma_load<box = [16, 32], order = [1, 0], swizzle = 160>}
  %d, %usable = nv_tileas.make_tiled_tma_desc %v {atom = #nv_tileas.tma_load<box = [16, 32], order = [1, 0], swizzle = 160>} : !words
  // CHECK: async.tiled_tma_load {{.*}}swizzle = 160>
  %done, %t = nv_tileas.async.tiled_tma_load %d, %v[%i, %i] into %s {atom = #nv_tileas.tma_load<box = [16, 32], order = [1, 0], swizzle = 160>, tx_count = 4096 : i32} : !words, (i32, i32), tensor<16x64xf32, #panels>
  nv_tileaa.return
}
