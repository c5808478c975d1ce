// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s
// RUN: tileiras-opt %s -mlir-print-op-generic | tileiras-opt | FileCheck %s

#b = #nv_tileas.blocked<size_per_thread = [1, 2], threads_per_warp = [4, 8], warps_per_cta = [2, 2], order = [1, 0]>
#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0]]>
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!view = !nv_tileaa.tiled_view<[8, 16], padding = zero, !nv_tileaa.memref<?x16xf32, strides = [16, 1]>>

// CHECK-LABEL: nv_tileaa.func @ops
nv_tileaa.func @ops(%x: tensor<64xf32, #l>, %p: tensor<64x!nv_tileaa.ptr<f32>, #l>, %m: tensor<64xi1, #l>, %v: !view, %i: i32, %q: !nv_tileaa.ptr<i32>) {
  // CHECK: nv_tileas.load %{{.*}}, mask %{{.*}}, other %{{.*}} {vec = 2 : i32} :
  %a, %t0 = nv_tileas.load %p, mask %m, other %x {vec = 2 : i32} : tensor<64x!nv_tileaa.ptr<f32>, #l>, mask tensor<64xi1, #l> -> tensor<64xf32, #l>
  // CHECK: nv_tileas.load %{{.*}} : !nv_tileaa.ptr<i32> -> i32
  %sc, %t1 = nv_tileas.load %q, token %t0 : !nv_tileaa.ptr<i32> -> i32
  // CHECK: nv_tileas.store
  %t2 = nv_tileas.store %p, %a, mask %m, token %t1 {mem_semantic = #nv_tileaa.mem_semantic<release>, mem_scope = #nv_tileaa.mem_scope<gpu>} : tensor<64x!nv_tileaa.ptr<f32>, #l>, tensor<64xf32, #l>, mask tensor<64xi1, #l>
  // CHECK: nv_tileas.tiled_load
  %b, %t3 = nv_tileas.tiled_load %v[%i, %i] {in_bounds = array<i1: false, true>} : !view, (i32, i32) -> tensor<8x16xf32, #b>
  // CHECK: nv_tileas.tiled_store
  %t4 = nv_tileas.tiled_store %v[%i, %i], %b : !view, (i32, i32), tensor<8x16xf32, #b>
  // CHECK: nv_tileas.alloc_tensor {offset = 128 : i64}
  %s = nv_tileas.alloc_tensor {offset = 128 : i64} : tensor<64xf32, #s>
  // CHECK: nv_tileas.copy %{{.*}}, %{{.*}} {no_war_barrier}
  nv_tileas.copy %a, %s {no_war_barrier} : tensor<64xf32, #l>, tensor<64xf32, #s>
  // CHECK: nv_tileas.convert_layout %{{.*}} {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 8>}
  %c = nv_tileas.convert_layout %s {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 8>} : tensor<64xf32, #s> -> tensor<64xf32, #l>
  // CHECK: nv_tileas.copy %{{.*}} : tensor<64xf32, #{{.*}}> -> tensor<64xf32, #{{.*}}>
  %d = nv_tileas.copy %c : tensor<64xf32, #l> -> tensor<64xf32, #l>
  // CHECK: nv_tileas.shuffle
  %e = nv_tileas.shuffle %d : tensor<64xf32, #l> -> tensor<64xf32, #l>
  // CHECK: nv_tileas.reduce %{{.*}} scratch %{{.*}} : tensor<64xf32, #{{.*}}> {axis = 0 : i32
  %f = nv_tileas.reduce %e scratch %s : tensor<64xf32, #s> {axis = 0 : i32, identities = [0.0 : f32]} : tensor<64xf32, #l> -> f32 {
  ^bb0(%k: f32, %acc: f32):
    %u = arith.addf %k, %acc : f32
    nv_tileas.yield %u : f32
  }
  nv_tileaa.return
}
