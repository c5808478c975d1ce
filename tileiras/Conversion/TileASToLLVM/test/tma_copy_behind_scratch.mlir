// Two tensor copies with barriers of their own, and between them something that goes through shared memory without saying so by an
// effect: the threads meet in front of the second copy, too, which may write over what somebody still reads there.
// RUN: tileiras-opt %s -tileas-allocate-scratch -convert-nv-tileas-to-llvm | FileCheck %s

!view = !nv_tileaa.tiled_view<[64, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>
#word = #nv_tileas.shared<rank = 1, offset = []>
#two = #nv_tileas.shared<rank = 1, offset = [[1]]>
#warps = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
#load = #nv_tileas.tma_load<box = [64, 32], order = [1, 0], swizzle = 0>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// Totals of warps, in a scratch tile that is an operand of the operation around the scan.
// CHECK-LABEL: func.func @scan
// CHECK: cp.async.bulk.tensor
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK-NOT: cp.async.bulk.tensor
// CHECK: nvvm.fence.proxy
// CHECK-NEXT: nvvm.barrier0
// CHECK: cp.async.bulk.tensor
func.func @scan(%m: !llvm.struct<(ptr<1>, i64, i64, i64)>, %map: !llvm.ptr, %row: i32, %h: !llvm.struct<(f32)>) -> !llvm.struct<(f32)> {
  %v = builtin.unrealized_conversion_cast %m : !llvm.struct<(ptr<1>, i64, i64, i64)> to !view
  %s0 = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<64x32xf16, #tile>
  %s1 = nv_tileas.alloc_tensor {offset = 4096 : i64} : tensor<64x32xf16, #tile>
  %b0 = nv_tileas.alloc_tensor {offset = 8192 : i64} : tensor<1xi64, #word>
  %b1 = nv_tileas.alloc_tensor {offset = 8200 : i64} : tensor<1xi64, #word>
  %d = builtin.unrealized_conversion_cast %map : !llvm.ptr to !nv_tileas.tma_descriptor_iter<[64, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
  %x = builtin.unrealized_conversion_cast %h : !llvm.struct<(f32)> to tensor<64xf32, #warps>
  %done0, %t0 = nv_tileas.async.tiled_tma_load %d, %v[%row, %row] into %s0 barrier %b0 : tensor<1xi64, #word> {atom = #load, tx_count = 4096 : i32} : !view, (i32, i32), tensor<64x32xf16, #tile>
  %y = nv_tileas.scan %x {axis = 0 : i32, identities = [0.0 : f32]} : tensor<64xf32, #warps> -> tensor<64xf32, #warps> {
  ^bb0(%a: f32, %e: f32):
    %z = arith.addf %a, %e : f32
    nv_tileas.yield %z : f32
  }
  %done1, %t1 = nv_tileas.async.tiled_tma_load %d, %v[%row, %row] into %s1 barrier %b1 : tensor<1xi64, #word> {atom = #load, tx_count = 4096 : i32} : !view, (i32, i32), tensor<64x32xf16, #tile>
  %r = builtin.unrealized_conversion_cast %y : tensor<64xf32, #warps> to !llvm.struct<(f32)>
  return %r : !llvm.struct<(f32)>
}

// Parts of warps, in a scratch tile that is an operand.
// CHECK-LABEL: func.func @reduce
// CHECK: cp.async.bulk.tensor
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3>
// CHECK-NOT: cp.async.bulk.tensor
// CHECK: nvvm.fence.proxy
// CHECK-NEXT: nvvm.barrier0
// CHECK: cp.async.bulk.tensor
func.func @reduce(%m: !llvm.struct<(ptr<1>, i64, i64, i64)>, %map: !llvm.ptr, %row: i32, %h: !llvm.struct<(f32)>) -> f32 {
  %v = builtin.unrealized_conversion_cast %m : !llvm.struct<(ptr<1>, i64, i64, i64)> to !view
  %s0 = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<64x32xf16, #tile>
  %s1 = nv_tileas.alloc_tensor {offset = 4096 : i64} : tensor<64x32xf16, #tile>
  %b0 = nv_tileas.alloc_tensor {offset = 8192 : i64} : tensor<1xi64, #word>
  %b1 = nv_tileas.alloc_tensor {offset = 8200 : i64} : tensor<1xi64, #word>
  %d = builtin.unrealized_conversion_cast %map : !llvm.ptr to !nv_tileas.tma_descriptor_iter<[64, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
  %x = builtin.unrealized_conversion_cast %h : !llvm.struct<(f32)> to tensor<64xf32, #warps>
  %done0, %t0 = nv_tileas.async.tiled_tma_load %d, %v[%row, %row] into %s0 barrier %b0 : tensor<1xi64, #word> {atom = #load, tx_count = 4096 : i32} : !view, (i32, i32), tensor<64x32xf16, #tile>
  %parts = nv_tileas.alloc_tensor {offset = 4096 : i64} : tensor<2xf32, #two>
  %y = nv_tileas.reduce %x scratch %parts : tensor<2xf32, #two> {axis = 0 : i32, identities = [0.0 : f32]} : tensor<64xf32, #warps> -> f32 {
  ^bb0(%a: f32, %e: f32):
    %z = arith.addf %a, %e : f32
    nv_tileas.yield %z : f32
  }
  %done1, %t1 = nv_tileas.async.tiled_tma_load %d, %v[%row, %row] into %s1 barrier %b1 : tensor<1xi64, #word> {atom = #load, tx_count = 4096 : i32} : !view, (i32, i32), tensor<64x32xf16, #tile>
  return %y : f32
}

// Arithmetic alone: they meet once in front of both.
// CHECK-LABEL: func.func @neither
// CHECK-COUNT-1: nvvm.barrier0
// CHECK-NOT: nvvm.barrier0
// CHECK-COUNT-2: cp.async.bulk.tensor
func.func @neither(%m: !llvm.struct<(ptr<1>, i64, i64, i64)>, %map: !llvm.ptr, %row: i32, %h: !llvm.struct<(f32)>) -> !llvm.struct<(f32)> {
  %v = builtin.unrealized_conversion_cast %m : !llvm.struct<(ptr<1>, i64, i64, i64)> to !view
  %s0 = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<64x32xf16, #tile>
  %s1 = nv_tileas.alloc_tensor {offset = 4096 : i64} : tensor<64x32xf16, #tile>
  %b0 = nv_tileas.alloc_tensor {offset = 8192 : i64} : tensor<1xi64, #word>
  %b1 = nv_tileas.alloc_tensor {offset = 8200 : i64} : tensor<1xi64, #word>
  %d = builtin.unrealized_conversion_cast %map : !llvm.ptr to !nv_tileas.tma_descriptor_iter<[64, 32], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
  %x = builtin.unrealized_conversion_cast %h : !llvm.struct<(f32)> to tensor<64xf32, #warps>
  %done0, %t0 = nv_tileas.async.tiled_tma_load %d, %v[%row, %row] into %s0 barrier %b0 : tensor<1xi64, #word> {atom = #load, tx_count = 4096 : i32} : !view, (i32, i32), tensor<64x32xf16, #tile>
  %y = arith.addf %x, %x : tensor<64xf32, #warps>
  %done1, %t1 = nv_tileas.async.tiled_tma_load %d, %v[%row, %row] into %s1 barrier %b1 : tensor<1xi64, #word> {atom = #load, tx_count = 4096 : i32} : !view, (i32, i32), tensor<64x32xf16, #tile>
  %r = builtin.unrealized_conversion_cast %y : tensor<64xf32, #warps> to !llvm.struct<(f32)>
  return %r : !llvm.struct<(f32)>
}
}
