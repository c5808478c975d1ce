// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async))' --log-actions-to=%t.log -o /dev/null
// RUN: FileCheck %s --check-prefix=NAMES < %t.log
// The names by which patterns can be told apart.
// NAMES-DAG: AsyncWaitOpRemoval
// NAMES-DAG: ExtractSliceOpToAsync

#two = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
#one = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16]]>
#r = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
!t = tensor<64xf32, #two>

// A wait behind a wait for the same goes; with a consumer of the token, an effect or another token between them, or where
// the second waits for more, both stay.
// CHECK-LABEL: nv_tileaa.func @twice
// CHECK: nv_tileas.async.wait %arg0
// CHECK-NEXT: arith.addi
// CHECK-NEXT: nv_tileaa.return
nv_tileaa.func @twice(%t: !nv_tileas.async.token, %i: i32) -> i32 {
  nv_tileas.async.wait %t
  %j = arith.addi %i, %i : i32
  nv_tileas.async.wait %t
  nv_tileaa.return %j : i32
}
// CHECK-LABEL: nv_tileaa.func @consumer_between
// CHECK: nv_tileas.async.wait %arg0
// CHECK-NEXT: async.extract_slice
// CHECK-NEXT: nv_tileas.async.wait %arg0
nv_tileaa.func @consumer_between(%t: !nv_tileas.async.token, %x: !t, %i: i32) {
  nv_tileas.async.wait %t
  %s, %u = nv_tileas.async.extract_slice %x[%i] after %t : !t -> tensor<32xf32, #one>
  nv_tileas.async.wait %t
  nv_tileaa.return
}
// CHECK-LABEL: nv_tileaa.func @effect_between
// CHECK: nv_tileas.async.wait
// CHECK-NEXT: nv_tileas.copy
// CHECK-NEXT: nv_tileas.async.wait
nv_tileaa.func @effect_between(%t: !nv_tileas.async.token, %v: tensor<64xf32, #r>, %x: !t) {
  nv_tileas.async.wait %t
  nv_tileas.copy %v, %x : tensor<64xf32, #r>, !t
  nv_tileas.async.wait %t
  nv_tileaa.return
}
// CHECK-LABEL: nv_tileaa.func @more
// CHECK: nv_tileas.async.wait %arg0 {pending = 1 : i32}
// CHECK-NEXT: nv_tileas.async.wait %arg0
// CHECK-NEXT: nv_tileas.async.wait %arg0, %arg1
// CHECK-NEXT: nv_tileaa.return
nv_tileaa.func @more(%t: !nv_tileas.async.token, %u: !nv_tileas.async.token) {
  nv_tileas.async.wait %t {pending = 1 : i32}
  nv_tileas.async.wait %t
  nv_tileas.async.wait %t, %u
  nv_tileas.async.wait %u
  nv_tileaa.return
}

// A slice of a tile that something is under way into carries the token, and who waited for the tile waits for the slice.
// CHECK-LABEL: nv_tileaa.func @slice
// CHECK: %[[S:.*]] = nv_tileas.async.to_async %arg0 {kind = "storage"}
// CHECK-NEXT: %[[T:.*]] = nv_tileas.async.to_async %arg0 {kind = "token"}
// CHECK-NEXT: %[[H:.*]], %[[U:.*]] = nv_tileas.async.extract_slice %[[S]][%arg1] after %[[T]]
// CHECK-NEXT: nv_tileas.async.wait %[[U]]
// CHECK-NEXT: nv_tileas.extract_slice %arg0
nv_tileaa.func @slice(%x: !t, %i: i32) -> (tensor<32xf32, #one>, tensor<32xf32, #one>) {
  %s = nv_tileas.async.to_async %x {kind = "storage"} : !t -> !t
  %t = nv_tileas.async.to_async %x {kind = "token"} : !t -> !nv_tileas.async.token
  %h = nv_tileas.extract_slice %s[%i] : !t -> tensor<32xf32, #one>
  nv_tileas.async.wait %t
  %plain = nv_tileas.extract_slice %x[%i] : !t -> tensor<32xf32, #one>
  nv_tileaa.return %h, %plain : tensor<32xf32, #one>, tensor<32xf32, #one>
}
