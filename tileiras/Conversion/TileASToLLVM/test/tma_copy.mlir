// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tileiras-opt %s -tileas-allocate-scratch -convert-nv-tileas-to-llvm | FileCheck %s

// A tensor copy on a barrier of its own: nobody uses the tile's bytes any more; one thread arrives there for the bytes and
// issues it, with the shared address, the map, the coordinates with the dense dimension first, and the mbarrier. That tells
// when it is complete: the tokens of the copy are the number 0.
!view = !nv_tileaa.tiled_view<[64, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>
#word = #nv_tileas.shared<rank = 1, offset = []>
#held = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [32, 0], [16, 0]], lane = [[0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], warp = []>
!held = !llvm.struct<(f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f16)>
#load = #nv_tileas.tma_load<box = [64, 32], order = [1, 0], swizzle = 0>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @copy
// CHECK-SAME: %[[MAP:[a-z0-9]*]]: !llvm.ptr, %[[ROW:[a-z0-9]*]]: i32, %[[COLUMN:[a-z0-9]*]]: i32
// CHECK: %[[TILE:.*]] = llvm.mlir.addressof @global_smem{{.*}} : !llvm.ptr<3>
// CHECK: %[[BARRIER:.*]] = llvm.getelementptr %{{.*}}[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT: nvvm.barrier0
// CHECK: %[[ONE:.*]] = nvvm.elect.sync
// CHECK: %[[ISSUES:.*]] = llvm.and %{{.*}}, %[[ONE]]
// CHECK: scf.if %[[ISSUES]] {
// CHECK: %[[R:.*]] = llvm.intr.umin(%[[ROW]],
// CHECK: %[[Y:.*]] = llvm.mul %[[R]],
// CHECK: %[[C:.*]] = llvm.intr.umin(%[[COLUMN]],
// CHECK: %[[X:.*]] = llvm.mul %[[C]],
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(4096 : i32)
// CHECK: "mbarrier.arrive.expect_tx.shared.b64 _, [$0], $1;", {{.*}} %[[BARRIER]], %[[BYTES]] :
// CHECK: "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$3, $4}], [$2];", {{.*}} %[[TILE]], %[[MAP]], %[[BARRIER]], %[[X]], %[[Y]] :
// CHECK-NOT: cp.async
// CHECK: %[[DONE:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK: %[[MEMORY:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK: return %[[DONE]], %[[MEMORY]] : i32, i32
func.func @copy(%m: !llvm.struct<(ptr<1>, i64, i64, i64)>, %map: !llvm.ptr, %row: i32, %column: i32) -> (i32, i32) {
  %v = builtin.unrealized_conversion_cast %m : !llvm.struct<(ptr<1>, i64, i64, i64)> to !view
  %s = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<64x32xf16, #tile>
  %b = nv_tileas.alloc_tensor {offset = 8192 : i64} : tensor<1xi64, #word>
  %d = builtin.unrealized_conversion_cast %map : !llvm.ptr to !nv_tileas.tma_descriptor_iter<[64, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
  %done, %t = nv_tileas.async.tiled_tma_load %d, %v[%row, %column] into %s barrier %b : tensor<1xi64, #word> {atom = #load, tx_count = 4096 : i32} : !view, (i32, i32), tensor<64x32xf16, #tile>
  %x = builtin.unrealized_conversion_cast %done : !nv_tileas.async.token to i32
  %y = builtin.unrealized_conversion_cast %t : !nv_tileaa.mem_token to i32
  return %x, %y : i32, i32
}

// What a token orders before the copy, threads have written by the generic proxy: behind each write they fence the proxies and meet,
// however far it is from the copy. A load on the way is no reason for a fence.
// CHECK-LABEL: func.func @behind_a_store
// CHECK: st.global
// CHECK-NOT: fence
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
// CHECK-NEXT: nvvm.barrier0
// CHECK-NOT: nvvm.proxy_kind<async>
// CHECK: cp.async.bulk.tensor
func.func @behind_a_store(%m: !llvm.struct<(ptr<1>, i64, i64, i64)>, %map: !llvm.ptr, %row: i32) {
  %v = builtin.unrealized_conversion_cast %m : !llvm.struct<(ptr<1>, i64, i64, i64)> to !view
  %s = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<64x32xf16, #tile>
  %b = nv_tileas.alloc_tensor {offset = 8192 : i64} : tensor<1xi64, #word>
  %d = builtin.unrealized_conversion_cast %map : !llvm.ptr to !nv_tileas.tma_descriptor_iter<[64, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
  %x, %u = nv_tileas.tiled_load %v[%row, %row] : !view, (i32, i32) -> tensor<64x32xf16, #held>
  %t0 = nv_tileas.tiled_store %v[%row, %row], %x : !view, (i32, i32), tensor<64x32xf16, #held>
  %y, %t1 = nv_tileas.tiled_load %v[%row, %row], token %t0 : !view, (i32, i32) -> tensor<64x32xf16, #held>
  %done, %t = nv_tileas.async.tiled_tma_load %d, %v[%row, %row] into %s barrier %b : tensor<1xi64, #word>, token %t1 {atom = #load, tx_count = 4096 : i32} : !view, (i32, i32), tensor<64x32xf16, #tile>
  return
}

// CHECK-LABEL: func.func @behind_a_load
// CHECK-NOT: nvvm.proxy_kind<async>
// CHECK: cp.async.bulk.tensor
func.func @behind_a_load(%m: !llvm.struct<(ptr<1>, i64, i64, i64)>, %map: !llvm.ptr, %row: i32) {
  %v = builtin.unrealized_conversion_cast %m : !llvm.struct<(ptr<1>, i64, i64, i64)> to !view
  %s = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<64x32xf16, #tile>
  %b = nv_tileas.alloc_tensor {offset = 8192 : i64} : tensor<1xi64, #word>
  %d = builtin.unrealized_conversion_cast %map : !llvm.ptr to !nv_tileas.tma_descriptor_iter<[64, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
  %y, %t1 = nv_tileas.tiled_load %v[%row, %row] : !view, (i32, i32) -> tensor<64x32xf16, #held>
  %done, %t = nv_tileas.async.tiled_tma_load %d, %v[%row, %row] into %s barrier %b : tensor<1xi64, #word>, token %t1 {atom = #load, tx_count = 4096 : i32} : !view, (i32, i32), tensor<64x32xf16, #tile>
  return
}

// Two copies one after the other: the threads meet once in front of both.
// CHECK-LABEL: func.func @two
// CHECK-COUNT-1: nvvm.barrier0
// CHECK-NOT: nvvm.barrier0
// CHECK-COUNT-2: cp.async.bulk.tensor
func.func @two(%m: !llvm.struct<(ptr<1>, i64, i64, i64)>, %map: !llvm.ptr, %row: i32, %h: !held) -> !held {
  %v = builtin.unrealized_conversion_cast %m : !llvm.struct<(ptr<1>, i64, i64, i64)> to !view
  %s0 = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<64x32xf16, #tile>
  %s1 = nv_tileas.alloc_tensor {offset = 4096 : i64} : tensor<64x32xf16, #tile>
  %b0 = nv_tileas.alloc_tensor {offset = 8192 : i64} : tensor<1xi64, #word>
  %b1 = nv_tileas.alloc_tensor {offset = 8200 : i64} : tensor<1xi64, #word>
  %d = builtin.unrealized_conversion_cast %map : !llvm.ptr to !nv_tileas.tma_descriptor_iter<[64, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
  %x = builtin.unrealized_conversion_cast %h : !held to tensor<64x32xf16, #held>
  %done0, %t0 = nv_tileas.async.tiled_tma_load %d, %v[%row, %row] into %s0 barrier %b0 : tensor<1xi64, #word> {atom = #load, tx_count = 4096 : i32} : !view, (i32, i32), tensor<64x32xf16, #tile>
  %y = arith.addf %x, %x : tensor<64x32xf16, #held>
  %done1, %t1 = nv_tileas.async.tiled_tma_load %d, %v[%row, %row] into %s1 barrier %b1 : tensor<1xi64, #word> {atom = #load, tx_count = 4096 : i32} : !view, (i32, i32), tensor<64x32xf16, #tile>
  %z = builtin.unrealized_conversion_cast %y : tensor<64x32xf16, #held> to !held
  return %z : !held
}
}
