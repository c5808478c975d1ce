// RUN: tileiras-opt %s -split-input-file -tileas-allocate-scratch -convert-nv-tileas-to-llvm -verify-diagnostics | FileCheck %s

#l1 = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// iota: lane * 2 + register.
// CHECK-LABEL: func.func @range
// CHECK: %[[T:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[LANE:.*]] = llvm.and %[[T]], %{{.*}}
// CHECK: %[[C:.*]] = llvm.shl %[[LANE]]
// CHECK: %[[E0:.*]] = llvm.add %[[C]]
// CHECK: %[[C1:.*]] = llvm.add %[[C]]
// CHECK: %[[E1:.*]] = llvm.add %[[C1]]
// CHECK: llvm.insertvalue %[[E0]], %{{.*}}[0]
// CHECK: llvm.insertvalue %[[E1]], %{{.*}}[1]
func.func @range() -> !llvm.struct<(i32, i32)> {
  %a = nv_tileaa.make_range (5, 69) : tensor<64xi32, #l1>
  %r = builtin.unrealized_conversion_cast %a : tensor<64xi32, #l1> to !llvm.struct<(i32, i32)>
  return %r : !llvm.struct<(i32, i32)>
}

// A dense constant is a table in global memory; a splat is immediate.
// CHECK-LABEL: func.func @constant
// CHECK: llvm.mlir.addressof @constant_{{.*}} : !llvm.ptr<1>
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr<1> -> i8
func.func @constant() -> !llvm.struct<(i8, i8)> {
  %a = nv_tileaa.constant_tensor dense<"0x000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F"> : tensor<64xi8> : tensor<64xi8, #l1>
  %r = builtin.unrealized_conversion_cast %a : tensor<64xi8, #l1> to !llvm.struct<(i8, i8)>
  return %r : !llvm.struct<(i8, i8)>
}
}

// -----

// 4x32: registers along dim 0.
#row = #nv_tileas.linear<rank = 2, register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = []>
#rep = #nv_tileas.linear<rank = 2, register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = []>
#col = #nv_tileas.linear<rank = 2, register = [[0, 2], [0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = []>
#flat = #nv_tileas.linear<rank = 1, register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = []>
!v4 = !llvm.struct<(i32, i32, i32, i32)>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// One source register for four of the result.
// CHECK-LABEL: func.func @broadcast
// CHECK: %[[V:.*]] = llvm.extractvalue %arg0[0]
// CHECK: llvm.insertvalue %[[V]], %{{.*}}[0]
// CHECK: llvm.insertvalue %[[V]], %{{.*}}[1]
// CHECK: llvm.insertvalue %[[V]], %{{.*}}[2]
// CHECK: llvm.insertvalue %[[V]], %{{.*}}[3]
func.func @broadcast(%s: !llvm.struct<(i32)>) -> !v4 {
  %a = builtin.unrealized_conversion_cast %s : !llvm.struct<(i32)> to tensor<1x32xi32, #rep>
  %b = nv_tileaa.broadcast %a : tensor<1x32xi32, #rep> -> tensor<4x32xi32, #row>
  %r = builtin.unrealized_conversion_cast %b : tensor<4x32xi32, #row> to !v4
  return %r : !v4
}

// The result's registers count columns in the other order: 0 2 1 3.
// CHECK-LABEL: func.func @permute
// CHECK-DAG: %[[V1:.*]] = llvm.extractvalue %arg0[1]
// CHECK-DAG: %[[V2:.*]] = llvm.extractvalue %arg0[2]
// CHECK: llvm.insertvalue %[[V2]], %{{.*}}[1]
// CHECK: llvm.insertvalue %[[V1]], %{{.*}}[2]
func.func @permute(%s: !v4) -> !v4 {
  %a = builtin.unrealized_conversion_cast %s : !v4 to tensor<4x32xi32, #row>
  %b = nv_tileaa.permute %a [1, 0] : tensor<4x32xi32, #row> -> tensor<32x4xi32, #col>
  %r = builtin.unrealized_conversion_cast %b : tensor<32x4xi32, #col> to !v4
  return %r : !v4
}

// CHECK-LABEL: func.func @view
// CHECK: %[[V3:.*]] = llvm.extractvalue %arg0[3]
// CHECK: llvm.insertvalue %[[V3]], %{{.*}}[3]
func.func @view(%s: !v4) -> !v4 {
  %a = builtin.unrealized_conversion_cast %s : !v4 to tensor<4x32xi32, #row>
  %b = nv_tileas.view %a : tensor<4x32xi32, #row> -> tensor<128xi32, #flat>
  %r = builtin.unrealized_conversion_cast %b : tensor<128xi32, #flat> to !v4
  return %r : !v4
}
}

// -----

#full = #nv_tileas.linear<rank = 1, register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = []>
#half = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>
!v2 = !llvm.struct<(i32, i32)>
!v4 = !llvm.struct<(i32, i32, i32, i32)>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @cat
// CHECK-DAG: %[[A1:.*]] = llvm.extractvalue %arg0[1]
// CHECK-DAG: %[[B1:.*]] = llvm.extractvalue %arg1[1]
// CHECK: llvm.insertvalue %[[A1]], %{{.*}}[1]
// CHECK: llvm.insertvalue %[[B1]], %{{.*}}[3]
func.func @cat(%x: !v2, %y: !v2) -> !v4 {
  %a = builtin.unrealized_conversion_cast %x : !v2 to tensor<64xi32, #half>
  %b = builtin.unrealized_conversion_cast %y : !v2 to tensor<64xi32, #half>
  %c = nv_tileaa.cat %a, %b {axis = 0 : i32} : tensor<64xi32, #half>, tensor<64xi32, #half> -> tensor<128xi32, #full>
  %r = builtin.unrealized_conversion_cast %c : tensor<128xi32, #full> to !v4
  return %r : !v4
}

// The second half: registers 2 and 3.
// CHECK-LABEL: func.func @slice(
// CHECK-DAG: %[[V2:.*]] = llvm.extractvalue %arg0[2]
// CHECK-DAG: %[[V3:.*]] = llvm.extractvalue %arg0[3]
// CHECK: llvm.insertvalue %[[V2]], %{{.*}}[0]
// CHECK: llvm.insertvalue %[[V3]], %{{.*}}[1]
func.func @slice(%x: !v4) -> !v2 {
  %c1 = arith.constant 1 : i32
  %a = builtin.unrealized_conversion_cast %x : !v4 to tensor<128xi32, #full>
  %b = nv_tileas.extract_slice %a[%c1] : tensor<128xi32, #full> -> tensor<64xi32, #half>
  %r = builtin.unrealized_conversion_cast %b : tensor<64xi32, #half> to !v2
  return %r : !v2
}

// An index outside of the tile is undefined where it runs, not an error of compilation.
// CHECK-LABEL: func.func @slice_outside
// CHECK-DAG: %[[V2:.*]] = llvm.extractvalue %arg0[2]
// CHECK-DAG: %[[V3:.*]] = llvm.extractvalue %arg0[3]
// CHECK: llvm.insertvalue %[[V2]], %{{.*}}[0]
// CHECK: llvm.insertvalue %[[V3]], %{{.*}}[1]
func.func @slice_outside(%x: !v4) -> !v2 {
  %c3 = arith.constant 3 : i32
  %a = builtin.unrealized_conversion_cast %x : !v4 to tensor<128xi32, #full>
  %b = nv_tileas.extract_slice %a[%c3] : tensor<128xi32, #full> -> tensor<64xi32, #half>
  %r = builtin.unrealized_conversion_cast %b : tensor<64xi32, #half> to !v2
  return %r : !v2
}

// At a run-time index every block is at hand, and the bits of the index choose.
// CHECK-LABEL: func.func @slice_anywhere
// CHECK: %[[BIT:.*]] = llvm.and %arg1, %{{.*}} : i32
// CHECK: %[[HIGH:.*]] = llvm.icmp "ne" %[[BIT]]
// CHECK: llvm.select %[[HIGH]], %{{.*}}, %{{.*}} : i1, i32
// CHECK: llvm.select %[[HIGH]], %{{.*}}, %{{.*}} : i1, i32
func.func @slice_anywhere(%x: !v4, %i: i32) -> !v2 {
  %a = builtin.unrealized_conversion_cast %x : !v4 to tensor<128xi32, #full>
  %b = nv_tileas.extract_slice %a[%i] : tensor<128xi32, #full> -> tensor<64xi32, #half>
  %r = builtin.unrealized_conversion_cast %b : tensor<64xi32, #half> to !v2
  return %r : !v2
}
}

// -----

#a = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#b = #nv_tileas.linear<rank = 1, register = [], lane = [[16], [8], [4], [2], [1]], warp = []>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
func.func @other_threads(%x: !llvm.struct<(i32)>) {
  %s = builtin.unrealized_conversion_cast %x : !llvm.struct<(i32)> to tensor<32xi32, #a>
  // expected-error @below {{layouts of operand and result disagree between threads}}
  %v = nv_tileaa.view %s : tensor<32xi32, #a> -> tensor<32xi32, #b>
  return
}
}
