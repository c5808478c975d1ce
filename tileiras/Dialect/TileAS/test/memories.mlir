// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s
// RUN: tileiras-opt %s -mlir-print-op-generic | tileiras-opt | FileCheck %s

// Every layout says in which memory the tile lives and keeps what the CTAs of a cluster hold.

// CHECK-DAG: #linear = #nv_tileas.linear<rank = 1, register = {{\[\[}}1]], lane = {{\[\[}}2], [4], [8], [16], [32]], warp = [], block = {{\[\[}}64]]>
#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], block = [[64]]>
// CHECK-DAG: #shared = #nv_tileas.shared<rank = 1, offset = {{\[\[}}1], [2], [4], [8], [16], [32]], block = {{\[\[}}64]]>
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]], block = [[64]]>
// CHECK-DAG: #tensor_memory = #nv_tileas.tensor_memory<rank = 2, row = {{\[\[}}1, 0], [2, 0], [4, 0]], column = {{\[\[}}0, 1], [0, 2]], block = {{\[\[}}8, 0]]>
#t = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0]], column = [[0, 1], [0, 2]], block = [[8, 0]]>
!view = !nv_tileaa.tiled_view<[8, 16], padding = zero, !nv_tileaa.memref<?x16xf32, strides = [16, 1]>>
#tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
#bytes = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8]]>
#copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = []>

// CHECK-LABEL: nv_tileaa.func @memories
nv_tileaa.func @memories(%x: tensor<128xf32, #l>, %v: !view, %i: i32) {
  // CHECK: nv_tileas.alloc_tensor : tensor<128xf32, #shared>
  %s = nv_tileas.alloc_tensor : tensor<128xf32, #s>
  // CHECK: nv_tileas.alloc_tensor : tensor<16x4xf32, #tensor_memory>
  %t = nv_tileas.alloc_tensor : tensor<16x4xf32, #t>
  // CHECK: nv_tileas.copy %{{.*}}, %{{.*}} : tensor<128xf32, #linear>, tensor<128xf32, #shared>
  nv_tileas.copy %x, %s : tensor<128xf32, #l>, tensor<128xf32, #s>
  %d = nv_tileas.alloc_tensor : tensor<8x16xf32, #tile>
  // CHECK: nv_tileas.async.tiled_load %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #linear1} :
  %a, %m = nv_tileas.async.tiled_load %v[%i, %i] into %d {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : !view, (i32, i32), tensor<8x16xf32, #tile>
  // CHECK: nv_tileas.async.wait %{{.*}} {pending = 1 : i32}
  nv_tileas.async.wait %a {pending = 1 : i32}
  %b = nv_tileas.alloc_tensor : tensor<16xi8, #bytes>
  // CHECK: nv_tileas.with_scratch %{{.*}} : tensor<16xi8, #{{.*}}> -> i32 {
  // CHECK: nv_tileas.yield %{{.*}} : i32
  %r = nv_tileas.with_scratch %b : tensor<16xi8, #bytes> -> i32 {
    nv_tileas.yield %i : i32
  }
  nv_tileaa.return
}
