// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(tileas-allocate-scratch,nv_tileaa.func(tileas-optimize-alloc-tensor))' | FileCheck %s
// RUN: not tileiras-opt %s -split-input-file -convert-nv-tile-func-to-llvm -convert-nv-tileas-to-llvm 2>&1 | FileCheck %s --check-prefix=MISSING

#l = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#m = #nv_tileas.linear<rank = 1, register = [], lane = [[2], [1], [4], [8], [16]], warp = [[0], [0]]>
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16]]>
module attributes {nv_tileaa.compute_capability = 90 : i64, nv_tileaa.target_spec = "sm_90"} {
// Every warp wants the old values, one has them: 32 words of scratch memory. What comes later uses the same bytes, and is
// written after a barrier.
// CHECK-LABEL: nv_tileaa.func @old_values
// CHECK-SAME: nv_tileas.shared_bytes = 128
// CHECK: %[[TILE:.*]] = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<128xi8, #{{.*}}>
// CHECK: %{{.*}}:2 = nv_tileas.with_scratch %[[TILE]] : tensor<128xi8, #{{.*}}> -> tensor<32xi32, #{{.*}}>, !nv_tileaa.mem_token {
// CHECK: nv_tileaa.atomic_rmw
// CHECK: nv_tileas.yield
// CHECK: nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<32xi32, #{{.*}}>
// CHECK-NOT: no_war_barrier
// CHECK: nv_tileaa.return
// MISSING: 'nv_tileaa.atomic_rmw' op needs 128 bytes of scratch memory (tileas-allocate-scratch)
nv_tileaa.func @old_values(%p: tensor<32x!nv_tileaa.ptr<i32>, #l>, %v: tensor<32xi32, #l>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %old, %t = nv_tileaa.atomic_rmw %p, %v {rmw_mode = #nv_tileaa.rmw_mode<add>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>} : tensor<32x!nv_tileaa.ptr<i32>, #l> -> tensor<32xi32, #l>
  %s = nv_tileas.alloc_tensor : tensor<32xi32, #s>
  nv_tileas.copy %old, %s : tensor<32xi32, #l>, tensor<32xi32, #s>
  %x = nv_tileas.convert_layout %s : tensor<32xi32, #s> -> tensor<32xi32, #m>
  nv_tileaa.return
}
}
