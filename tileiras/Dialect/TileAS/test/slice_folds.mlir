// Slices of what is known, and of what was put together before. None of it moves an access to memory: slices are of values.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async,tileas-materialize-async))' -o %t.twice
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async))' -o %t.once
// RUN: diff %t.once %t.twice

#k = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0]]>
#half = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0]]>
#m = #nv_tileas.linear<rank = 2, register = [[0, 1], [2, 0]], lane = [[1, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0]]>
#q = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[1, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0]]>

// CHECK-LABEL: nv_tileaa.func @whole
// CHECK-NOT: extract_slice
// CHECK: return %arg0
nv_tileaa.func @whole(%x: tensor<64xf32, #k>) -> tensor<64xf32, #k> {
  %c0 = arith.constant 0 : i32
  %y = nv_tileas.extract_slice %x[%c0] : tensor<64xf32, #k> -> tensor<64xf32, #k>
  nv_tileaa.return %y : tensor<64xf32, #k>
}

// At any place all elements are equal.
// CHECK-LABEL: nv_tileaa.func @splat
// CHECK: %[[S:.*]] = nv_tileaa.splat %arg0 : f32 -> tensor<32xf32
// CHECK-NOT: extract_slice
// CHECK: return %[[S]]
nv_tileaa.func @splat(%v: f32, %i: i32) -> tensor<32xf32, #half> {
  %x = nv_tileaa.splat %v : f32 -> tensor<64xf32, #k>
  %y = nv_tileas.extract_slice %x[%i] : tensor<64xf32, #k> -> tensor<32xf32, #half>
  nv_tileaa.return %y : tensor<32xf32, #half>
}

// CHECK-LABEL: nv_tileaa.func @constant
// CHECK: nv_tileaa.constant_tensor dense<{{\[}}[5, 6], [7, 8]{{\]}}> : tensor<2x2xi32>
// CHECK-NOT: extract_slice
// CHECK: return
nv_tileaa.func @constant() -> tensor<2x2xi32, #q> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = nv_tileaa.constant_tensor dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi32> : tensor<4x2xi32, #m>
  %y = nv_tileas.extract_slice %x[%c1, %c0] : tensor<4x2xi32, #m> -> tensor<2x2xi32, #q>
  nv_tileaa.return %y : tensor<2x2xi32, #q>
}

// CHECK-LABEL: nv_tileaa.func @joined
// CHECK-NOT: extract_slice
// CHECK: return %arg1, %arg0
nv_tileaa.func @joined(%a: tensor<32xf32, #half>, %b: tensor<32xf32, #half>) -> (tensor<32xf32, #half>, tensor<32xf32, #half>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = nv_tileaa.cat %a, %b {axis = 0 : i32} : tensor<32xf32, #half>, tensor<32xf32, #half> -> tensor<64xf32, #k>
  %y = nv_tileas.extract_slice %x[%c1] : tensor<64xf32, #k> -> tensor<32xf32, #half>
  %z = nv_tileas.extract_slice %x[%c0] : tensor<64xf32, #k> -> tensor<32xf32, #half>
  nv_tileaa.return %y, %z : tensor<32xf32, #half>, tensor<32xf32, #half>
}

// Which one is known at run time only; and what is loaded in order stays where it is.
// CHECK-LABEL: nv_tileaa.func @stays
// CHECK: nv_tileas.extract_slice
// CHECK: nv_tileas.load {{.*}}mem_semantic<acquire>
// CHECK: nv_tileas.extract_slice
// CHECK: nv_tileas.store
nv_tileaa.func @stays(%a: tensor<32xf32, #half>, %b: tensor<32xf32, #half>, %i: i32, %p: !nv_tileaa.ptr<f32>, %to: tensor<32x!nv_tileaa.ptr<f32>, #half>) {
  %x = nv_tileaa.cat %a, %b {axis = 0 : i32} : tensor<32xf32, #half>, tensor<32xf32, #half> -> tensor<64xf32, #k>
  %y = nv_tileas.extract_slice %x[%i] : tensor<64xf32, #k> -> tensor<32xf32, #half>
  %t0 = nv_tileas.store %to, %y : tensor<32x!nv_tileaa.ptr<f32>, #half>, tensor<32xf32, #half>
  %v, %t1 = nv_tileas.load %p {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acquire>} : !nv_tileaa.ptr<f32> -> f32
  %j = arith.addi %i, %i : i32
  %z = nv_tileas.extract_slice %x[%j] : tensor<64xf32, #k> -> tensor<32xf32, #half>
  %t2 = nv_tileas.store %to, %z, token %t1 : tensor<32x!nv_tileaa.ptr<f32>, #half>, tensor<32xf32, #half>
  nv_tileaa.return
}
