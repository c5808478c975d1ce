// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-legalize-reduce,tileas-optimize-alloc-tensor))' | FileCheck %s

#lanes = #nv_tileas.linear<rank = 2, register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0]]>
#warps = #nv_tileas.linear<rank = 2, register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [0, 64]]>
#r4 = #nv_tileas.linear<rank = 1, register = [], lane = [[0], [0], [0], [0], [0]], warp = [[1], [2]]>
#r2 = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]]>

// CHECK-LABEL: nv_tileaa.func @reduce
nv_tileaa.func @reduce(%s: f32, %h: f16) {
  // One warp holds a whole row: lanes suffice.
  %x = nv_tileaa.splat %s : f32 -> tensor<4x32xf32, #lanes>
  // CHECK: nv_tileas.reduce %{{[^ ]*}} {axis = 1 : i32
  %a = nv_tileas.reduce %x {axis = 1 : i32, identities = [0.0 : f32]} : tensor<4x32xf32, #lanes> -> tensor<4xf32, #r4> {
  ^bb0(%e: f32, %acc: f32):
    %u = arith.addf %e, %acc : f32
    nv_tileas.yield %u : f32
  }
  // Four warps along the axis, two rows: eight partial results per operand, each operand with its own element type.
  %y = nv_tileaa.splat %s : f32 -> tensor<2x128xf32, #warps>
  %z = nv_tileaa.splat %h : f16 -> tensor<2x128xf16, #warps>
  // CHECK: %[[A:.*]] = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<8xf32, #shared>
  // CHECK: %[[B:.*]] = nv_tileas.alloc_tensor {offset = 32 : i64} : tensor<8xf16, #shared>
  // CHECK: nv_tileas.reduce %{{.*}}, %{{.*}} scratch %[[A]], %[[B]]
  %b:2 = nv_tileas.reduce %y, %z {axis = 1 : i32, identities = [0.0 : f32, 1.0 : f16]} : tensor<2x128xf32, #warps>, tensor<2x128xf16, #warps> -> tensor<2xf32, #r2>, tensor<2xf16, #r2> {
  ^bb0(%e: f32, %acc: f32, %f: f16, %acc2: f16):
    %u = arith.addf %e, %acc : f32
    %v = arith.mulf %f, %acc2 : f16
    nv_tileas.yield %u, %v : f32, f16
  }
  nv_tileaa.return
}

#across = #nv_tileas.linear<rank = 1, register = [[128], [256], [512], [1024]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>

// Sixteen prefixes per thread would each have to go through all lanes and warps; with neighbours in one thread it is one.
// CHECK-LABEL: nv_tileaa.func @scan
// CHECK: %[[IN:.*]] = nv_tileas.convert_layout
// CHECK: %[[OUT:.*]] = nv_tileas.scan %[[IN]]
// CHECK: nv_tileas.convert_layout %[[OUT]]
nv_tileaa.func @scan(%s: f32) {
  %x = nv_tileaa.splat %s : f32 -> tensor<2048xf32, #across>
  %y = nv_tileas.scan %x {axis = 0 : i32, identities = [0.0 : f32]} : tensor<2048xf32, #across> -> tensor<2048xf32, #across> {
  ^bb0(%acc: f32, %e: f32):
    %u = arith.addf %acc, %e : f32
    nv_tileas.yield %u : f32
  }
  %z = arith.negf %y : tensor<2048xf32, #across>
  nv_tileaa.return
}
