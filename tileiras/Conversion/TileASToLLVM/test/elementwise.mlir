// RUN: tileiras-opt %s -tileas-allocate-scratch -convert-nv-tileas-to-llvm | FileCheck %s

// One warp, 64 elements: two registers per thread. Every operation appears once per register.
#l = #nv_tileas.blocked<size_per_thread = [2], threads_per_warp = [32], warps_per_cta = [1], order = [0]>
#slice = #nv_tileas.linear<rank = 2, register = [[0, 1], [1, 0]], lane = [[2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], warp = []>
!tf = tensor<64xf32, #l>
!ti = tensor<64xi32, #l>
!tb = tensor<64xi1, #l>
module attributes {nv_tileaa.compute_capability = 90 : i64} {

// CHECK-LABEL: func.func @add
// CHECK-SAME: -> !llvm.struct<(f32, f32)>
func.func @add(%x: f32, %y: f32) -> !llvm.struct<(f32, f32)> {
  %a = nv_tileaa.splat %x : f32 -> !tf
  %b = nv_tileaa.splat %y : f32 -> !tf
  // CHECK: %[[R0:.*]] = llvm.fadd %{{.*}}, %{{.*}} : f32
  // CHECK: %[[R1:.*]] = llvm.fadd %{{.*}}, %{{.*}} : f32
  // CHECK: %[[S:.*]] = llvm.insertvalue %[[R0]], %{{.*}}[0]
  // CHECK: llvm.insertvalue %[[R1]], %[[S]][1]
  %c = arith.addf %a, %b : !tf
  %r = builtin.unrealized_conversion_cast %c : !tf to !llvm.struct<(f32, f32)>
  return %r : !llvm.struct<(f32, f32)>
}

// Pairs of neighbours are known to compare alike: one comparison for both registers.
// CHECK-LABEL: func.func @equal_pairs
// CHECK: %[[C:.*]] = llvm.icmp "slt"
// CHECK-NOT: llvm.icmp
// CHECK: %[[S:.*]] = llvm.insertvalue %[[C]], %{{.*}}[0]
// CHECK: llvm.insertvalue %[[C]], %[[S]][1]
func.func @equal_pairs(%x: i32, %y: i32) -> !llvm.struct<(i1, i1)> {
  %a = nv_tileaa.splat %x : i32 -> !ti
  %b = nv_tileaa.make_range (0, 64) : !ti
  %c = arith.cmpi slt, %b, %a {nv_tileas.equal_blocks = array<i64: 2>} : !ti
  %r = builtin.unrealized_conversion_cast %c : !tb to !llvm.struct<(i1, i1)>
  return %r : !llvm.struct<(i1, i1)>
}

// A slice may be smaller than the blocks of the tile that it was cut from: the other dimension's elements still differ.
// CHECK-LABEL: func.func @equal_slice
// CHECK: %[[C0:.*]] = llvm.icmp "slt"
// CHECK: %[[C1:.*]] = llvm.icmp "slt"
// CHECK-NOT: llvm.icmp
// CHECK: %[[S0:.*]] = llvm.insertvalue %[[C0]], %{{.*}}[0]
// CHECK: %[[S1:.*]] = llvm.insertvalue %[[C0]], %[[S0]][1]
// CHECK: %[[S2:.*]] = llvm.insertvalue %[[C1]], %[[S1]][2]
// CHECK: llvm.insertvalue %[[C1]], %[[S2]][3]
func.func @equal_slice(%x: i32, %y: i32) -> !llvm.struct<(i1, i1, i1, i1)> {
  %a = nv_tileaa.splat %x : i32 -> tensor<64x2xi32, #slice>
  %b = nv_tileaa.splat %y : i32 -> tensor<64x2xi32, #slice>
  %c = arith.cmpi slt, %a, %b {nv_tileas.equal_blocks = array<i64: 1, 8>} : tensor<64x2xi32, #slice>
  %r = builtin.unrealized_conversion_cast %c : tensor<64x2xi1, #slice> to !llvm.struct<(i1, i1, i1, i1)>
  return %r : !llvm.struct<(i1, i1, i1, i1)>
}

// Blocks of another rank say nothing.
// CHECK-LABEL: func.func @equal_elsewhere
// CHECK-COUNT-2: llvm.icmp "slt"
func.func @equal_elsewhere(%x: i32, %y: i32) -> !llvm.struct<(i1, i1)> {
  %a = nv_tileaa.splat %x : i32 -> !ti
  %b = nv_tileaa.make_range (0, 64) : !ti
  %c = arith.cmpi slt, %b, %a {nv_tileas.equal_blocks = array<i64: 1, 2>} : !ti
  %r = builtin.unrealized_conversion_cast %c : !tb to !llvm.struct<(i1, i1)>
  return %r : !llvm.struct<(i1, i1)>
}

// A scalar condition holds for all registers.
// CHECK-LABEL: func.func @select
// CHECK-COUNT-2: llvm.select %arg0, %{{.*}}, %{{.*}} : i1, f32
func.func @select(%c: i1, %x: f32, %y: f32) -> !llvm.struct<(f32, f32)> {
  %a = nv_tileaa.splat %x : f32 -> !tf
  %b = nv_tileaa.splat %y : f32 -> !tf
  %s = arith.select %c, %a, %b : !tf
  %r = builtin.unrealized_conversion_cast %s : !tf to !llvm.struct<(f32, f32)>
  return %r : !llvm.struct<(f32, f32)>
}

// Rounded division from the truncated one.
// CHECK-LABEL: func.func @floordiv
// CHECK: %[[Q:.*]] = llvm.sdiv %arg0, %arg1 : i32
// CHECK: %[[M:.*]] = llvm.mul %[[Q]], %arg1
// CHECK: %[[REST:.*]] = llvm.sub %arg0, %[[M]]
// CHECK: %[[INEXACT:.*]] = llvm.icmp "ne" %[[REST]]
// CHECK: %[[X:.*]] = llvm.xor %arg0, %arg1
// CHECK: %[[DIFFER:.*]] = llvm.icmp "slt" %[[X]]
// CHECK: %[[C:.*]] = llvm.and %[[INEXACT]], %[[DIFFER]]
// CHECK: %[[LOWER:.*]] = llvm.sub %[[Q]]
// CHECK: llvm.select %[[C]], %[[LOWER]], %[[Q]]
func.func @floordiv(%x: i32, %y: i32) -> i32 {
  %r = arith.floordivsi %x, %y : i32
  return %r : i32
}

// CHECK-LABEL: func.func @mulhi
// CHECK: llvm.zext %{{.*}} : i32 to i64
// CHECK: llvm.mul %{{.*}} : i64
// CHECK: llvm.lshr
// CHECK: llvm.trunc %{{.*}} : i64 to i32
func.func @mulhi(%x: i32, %y: i32) -> i32 {
  %r = nv_tileaa.mulhiui %x, %y : i32
  return %r : i32
}

// fmod is exact, frem is not.
// CHECK-LABEL: func.func @rem
// CHECK-NOT: frem
// CHECK: llvm.fpext %arg0 : bf16 to f32
// CHECK: llvm.call @__nv_fmodf
// CHECK: llvm.fptrunc
// CHECK: llvm.call @__nv_fmod(
func.func @rem(%x: bf16, %y: bf16, %d: f64) -> (bf16, f64) {
  %r = arith.remf %x, %y : bf16
  %s = arith.remf %d, %d : f64
  return %r, %s : bf16, f64
}

// Bytes and 8-bit floats are the same in registers.
// CHECK-LABEL: func.func @bitcast
// CHECK-NEXT: return %arg0 : i8
func.func @bitcast(%x: i8) -> i8 {
  %f = arith.bitcast %x : i8 to f8E4M3FN
  %r = arith.bitcast %f : f8E4M3FN to i8
  return %r : i8
}
}
