// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-remove-buffer-alias))' | FileCheck %s

#r = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
#t = #nv_tileas.shared<rank = 1, offset = [[2], [1], [4], [8], [16], [32]]>

// What a loop carries round, through an inner one, too, is the tile from outside.
// CHECK-LABEL: nv_tileaa.func @carried
// CHECK: %[[A:.*]] = nv_tileas.alloc_tensor
// CHECK: %{{.*}} = scf.for %{{.*}} iter_args(%{{.*}} = %arg1) -> (tensor<64xf32, #linear>)
// CHECK-NEXT: scf.for
// CHECK-NOT: iter_args
// CHECK: nv_tileas.copy %{{.*}}, %[[A]]
// CHECK: nv_tileas.convert_layout %[[A]]
// CHECK: nv_tileas.convert_layout %[[A]]
nv_tileaa.func @carried(%n: i32, %x: tensor<64xf32, #r>) -> tensor<64xf32, #r> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = nv_tileas.alloc_tensor : tensor<64xf32, #s>
  %e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%tile = %a, %sum = %x) -> (tensor<64xf32, #s>, tensor<64xf32, #r>) : i32 {
    %f = scf.for %j = %c0 to %n step %c1 iter_args(%same = %tile) -> (tensor<64xf32, #s>) : i32 {
      nv_tileas.copy %sum, %same : tensor<64xf32, #r>, tensor<64xf32, #s>
      scf.yield %same : tensor<64xf32, #s>
    }
    %v = nv_tileas.convert_layout %f : tensor<64xf32, #s> -> tensor<64xf32, #r>
    %w = arith.addf %v, %sum : tensor<64xf32, #r>
    scf.yield %f, %w : tensor<64xf32, #s>, tensor<64xf32, #r>
  }
  %v = nv_tileas.convert_layout %e#0 : tensor<64xf32, #s> -> tensor<64xf32, #r>
  nv_tileaa.return %v : tensor<64xf32, #r>
}

// Of two tiles both are read, and the one is written that is chosen.
// CHECK-LABEL: nv_tileaa.func @selected
// CHECK-DAG: %[[A:.*]] = nv_tileas.alloc_tensor
// CHECK-DAG: %[[B:.*]] = nv_tileas.alloc_tensor
// CHECK: scf.if %arg0 {
// CHECK-NEXT: nv_tileas.copy %arg1, %{{[0-9]+}}
// CHECK-NEXT: } else {
// CHECK-NEXT: nv_tileas.copy %arg1, %{{[0-9]+}}
// CHECK: %[[V:.*]] = nv_tileas.convert_layout
// CHECK-NEXT: %[[W:.*]] = nv_tileas.convert_layout
// CHECK-NEXT: arith.select %arg0, %[[V]], %[[W]] : tensor<64xf32, #linear>
nv_tileaa.func @selected(%c: i1, %x: tensor<64xf32, #r>) -> tensor<64xf32, #r> {
  %a = nv_tileas.alloc_tensor : tensor<64xf32, #s>
  %b = nv_tileas.alloc_tensor : tensor<64xf32, #s>
  %t = arith.select %c, %a, %b : tensor<64xf32, #s>
  nv_tileas.copy %x, %t : tensor<64xf32, #r>, tensor<64xf32, #s>
  %v = nv_tileas.convert_layout %t : tensor<64xf32, #s> -> tensor<64xf32, #r>
  nv_tileaa.return %v : tensor<64xf32, #r>
}
