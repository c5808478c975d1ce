// RUN: tileiras-opt %s -split-input-file -convert-nv-tileas-to-llvm -verify-diagnostics | FileCheck %s
#l = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0]]>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-DAG: llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
// CHECK-DAG: llvm.func @__assertfail(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64)
// CHECK-DAG: llvm.mlir.global internal constant @format_{{.*}}("n = %lld, x = %5.2f%%\0A\00") {addr_space = 1 : i32, alignment = 1 : i64}
// CHECK-DAG: llvm.mlir.global internal constant @format_{{.*}}("[%lld] %f\00")
// Once per block; integers as 64 bits, floats as doubles.
// CHECK-LABEL: func.func @scalars
// CHECK: llvm.alloca {{.*}} x i8 {alignment = 8 : i64}
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq"
// CHECK: scf.if %[[FIRST]] {
// CHECK: llvm.sext %arg0 : i32 to i64
// CHECK: llvm.fpext %arg1 : f16 to f64
// CHECK: llvm.call @vprintf
func.func @scalars(%n: i32, %x: f16) {
  %t = nv_tileaa.print "n = %d, x = %5.2f%%\0A", %n, %x : i32, f16
  return
}
// Once per element, from its owner, with its place.
// CHECK-LABEL: func.func @tile
// CHECK: scf.if
// CHECK-COUNT-2: llvm.call @vprintf
// CHECK-NOT: vprintf
func.func @tile(%s: !llvm.struct<(f32, f32)>) {
  %x = builtin.unrealized_conversion_cast %s : !llvm.struct<(f32, f32)> to tensor<64xf32, #l>
  %t = nv_tileaa.print "%f", %x : tensor<64xf32, #l>
  return
}
// CHECK-LABEL: func.func @asserts
// CHECK-COUNT-2: llvm.call @__assertfail
// CHECK-NOT: __assertfail
func.func @asserts(%s: !llvm.struct<(i1, i1)>) {
  %x = builtin.unrealized_conversion_cast %s : !llvm.struct<(i1, i1)> to tensor<64xi1, #l>
  nv_tileaa.assert %x, "all" : tensor<64xi1, #l>
  return
}
}

// -----

module attributes {nv_tileaa.compute_capability = 90 : i64} {
func.func @missing(%n: i32) {
  // expected-error @below {{format does not fit the arguments}}
  // expected-error @below {{failed to legalize}}
  %t = nv_tileaa.print "%d %d", %n : i32
  return
}
}
