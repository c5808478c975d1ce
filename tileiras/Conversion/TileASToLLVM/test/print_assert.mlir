// RUN: tileiras-opt %s -split-input-file -tileas-allocate-scratch -convert-nv-tileas-to-llvm -verify-diagnostics | FileCheck %s
#l = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0]]>
#m = #nv_tileas.linear<rank = 2, register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = [[0, 0]]>
#n = #nv_tileas.linear<rank = 1, register = [[64], [128], [256]], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-DAG: llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
// CHECK-DAG: llvm.func @__assertfail(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64)
// CHECK-DAG: llvm.mlir.global internal constant @format_{{.*}}("n = %lld, x = %5.2f%%\0A\00") {addr_space = 1 : i32, alignment = 1 : i64}
// CHECK-DAG: llvm.mlir.global internal constant @format_{{.*}}("%s%s%f%s\00")
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
// A tile goes through shared memory to the thread that prints all of it, as a nested list; one print may have several shapes.
// CHECK-LABEL: func.func @tiles
// CHECK: llvm.call @vprintf
// CHECK: nvvm.barrier0
// CHECK: llvm.store %{{.*}} : i64, !llvm.ptr<3>
// CHECK: llvm.store %{{.*}} : i64, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: scf.if
// CHECK: scf.for
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i64
// CHECK: llvm.call @vprintf
// CHECK: nvvm.barrier0
// CHECK: scf.for
// CHECK: llvm.call @vprintf
// CHECK: llvm.call @vprintf
// CHECK-NOT: vprintf
func.func @tiles(%s: !llvm.struct<(f32, f32)>, %u: !llvm.struct<(i16)>, %n: i32) {
  %x = builtin.unrealized_conversion_cast %s : !llvm.struct<(f32, f32)> to tensor<64xf32, #l>
  %y = builtin.unrealized_conversion_cast %u : !llvm.struct<(i16)> to tensor<4x8xi16, #m>
  %t = nv_tileaa.print "x = %f%d, n = %d\0A", %x, %y, %n : tensor<64xf32, #l>, tensor<4x8xi16, #m>, i32
  return
}
// More elements than pass at a time: a loop around it all.
// CHECK-LABEL: func.func @long
// CHECK: scf.for
// CHECK: nvvm.barrier0
// CHECK: scf.for
// CHECK: llvm.call @vprintf
// CHECK-NOT: vprintf
func.func @long(%s: !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>) {
  %x = builtin.unrealized_conversion_cast %s : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)> to tensor<512xi32, #n>
  %t = nv_tileaa.print "%d", %x : tensor<512xi32, #n>
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
// Prints come first, and a kernel with one that cannot be taken apart is not converted.
// expected-error @below {{fails to decompose print ops}}
func.func @missing(%n: i32) {
  // expected-error @below {{format does not fit the arguments}}
  %t = nv_tileaa.print "%d %d", %n : i32
  return
}
}
