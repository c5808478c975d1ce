// RUN: tileiras-opt %s -tileas-allocate-scratch -convert-nv-tileas-to-llvm | FileCheck %s

#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#wide = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#tile = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#axis = #nv_tileas.linear<rank = 1, register = [], lane = [[0], [0], [1], [2], [4]], warp = []>
!mem = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!view = !nv_tileaa.tiled_view<[8, 8], dim_map = [0, 1], steps = [1, 8], padding = zero, !mem>
module attributes {nv_tileaa.compute_capability = 90 : i64, nv_tileaa.target_spec = "sm_90a"} {
// Little endian bytes; two 4-bit elements share one, the first in the low half.
// CHECK: llvm.mlir.global external @count("\07\00\00\00") {addr_space = 1 : i32, alignment = 16 : i64}
nv_tileaa.global @count align 0 dense<7> : tensor<1xi32>
// CHECK: llvm.mlir.global internal constant @table("!2") {addr_space = 1 : i32, alignment = 32 : i64}
nv_tileaa.global "private" @table align 32 constant dense<[0.5, 1.0, 1.0, 1.5]> : tensor<4xf4E2M1FN>

// CHECK-LABEL: func.func @address
// CHECK: llvm.mlir.addressof @count : !llvm.ptr<1>
func.func @address() -> !llvm.ptr<1> {
  %g = nv_tileaa.get_global @count : !nv_tileaa.ptr<i32>
  %p = builtin.unrealized_conversion_cast %g : !nv_tileaa.ptr<i32> to !llvm.ptr<1>
  return %p : !llvm.ptr<1>
}

// The first thread takes memory and gives it back when all are done with it.
// CHECK-LABEL: func.func @scratch
// CHECK: nvvm.barrier0
// CHECK: scf.if
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(256 : i64)
// CHECK: llvm.call @malloc(%[[BYTES]])
// CHECK: llvm.intr.trap
// CHECK: nvvm.barrier0
// CHECK: %[[P:.*]] = llvm.inttoptr %{{.*}} : i64 to !llvm.ptr<1>
// CHECK: llvm.call @use(%[[P]])
// CHECK: nvvm.barrier0
// CHECK: scf.if
// CHECK: llvm.call @free
// CHECK: return
llvm.func @use(!llvm.ptr<1>)
func.func @scratch() {
  %s = nv_tileaa.alloca 64 align 4 : !nv_tileaa.ptr<f32>
  %p = builtin.unrealized_conversion_cast %s : !nv_tileaa.ptr<f32> to !llvm.ptr<1>
  llvm.call @use(%p) : (!llvm.ptr<1>) -> ()
  return
}

// CHECK-LABEL: func.func @fences
// CHECK: nvvm.barrier0
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
// CHECK: nvvm.barrier0
// CHECK: nvvm.griddepcontrol wait
// CHECK: nvvm.griddepcontrol launch_dependents
func.func @fences() {
  %t0 = nv_tileaa.fence_alias
  %t1 = nv_tileaa.gdc_wait
  %t2 = nv_tileaa.gdc_launch_dependents
  return
}

// Two halves in a thread make a word: the first is the low one.
// CHECK-LABEL: func.func @join
// CHECK-SAME: (%[[S:.*]]: !llvm.struct<(f16, f16)>)
// CHECK: %[[A:.*]] = llvm.extractvalue %[[S]][0]
// CHECK: %[[B:.*]] = llvm.extractvalue %[[S]][1]
// CHECK: %[[X:.*]] = llvm.bitcast %[[A]] : f16 to i16
// CHECK: %[[Y:.*]] = llvm.bitcast %[[B]] : f16 to i16
// CHECK: %[[LOW:.*]] = llvm.zext %[[X]] : i16 to i32
// CHECK: %[[HIGH:.*]] = llvm.zext %[[Y]] : i16 to i32
// CHECK: %[[UP:.*]] = llvm.shl %[[HIGH]], %{{.*}} : i32
// CHECK: llvm.or %[[LOW]], %[[UP]] : i32
func.func @join(%q: !llvm.struct<(f16, f16)>) -> !llvm.struct<(i32)> {
  %x = builtin.unrealized_conversion_cast %q : !llvm.struct<(f16, f16)> to tensor<64xf16, #l>
  %y = nv_tileas.reinterpret %x : tensor<64xf16, #l> -> tensor<32xi32, #wide>
  %r = builtin.unrealized_conversion_cast %y : tensor<32xi32, #wide> to !llvm.struct<(i32)>
  return %r : !llvm.struct<(i32)>
}

// Rows by coordinates: address and predicate from the coordinate, one access of two elements.
// CHECK-LABEL: func.func @gather
// CHECK: %[[COORDINATE:.*]] = llvm.extractvalue %{{.*}}[0] : !llvm.struct<(i32)>
// CHECK: %[[ROW:.*]] = llvm.zext %[[COORDINATE]] : i32 to i64
// CHECK: %[[OFFSET:.*]] = llvm.mul %{{.*}}, %[[ROW]] : i64
// CHECK: llvm.getelementptr %{{.*}}[%[[OFFSET]]]
// CHECK: %[[IN:.*]] = llvm.icmp "ult" %{{.*}}, %{{.*}} : i64
// CHECK: "@$5 ld.global.v2.b32 {$0, $1}, [$4];", "=r,=r,0,1,l,b" %{{.*}}, %{{.*}}, %{{.*}}, %[[IN]]
func.func @gather(%q: !llvm.ptr<1>, %n: i32, %i: i32, %w: !llvm.struct<(i32)>) {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<f32>
  %rows = builtin.unrealized_conversion_cast %w : !llvm.struct<(i32)> to tensor<8xi32, #axis>
  %r = nv_tileaa.make_memref %p, sizes [%n], strides [] : !nv_tileaa.ptr<f32>, (i32), () -> !mem
  %b = nv_tileaa.block_tile %r : !mem -> !view
  %x, %t = nv_tileas.gather_load %b[%rows, %i] {axis = 0 : i32, vec = 2 : i32} : !view, (tensor<8xi32, #axis>, i32) -> tensor<8x8xf32, #tile>
  return
}
}
