// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-unroll-register-loops,canonicalize))' | FileCheck %s

// CHECK-LABEL: nv_tileaa.func @slices
// CHECK-NOT: scf.for
// CHECK-DAG: nv_tileaa.extract_slice %arg0[%c0_i32
// CHECK-DAG: nv_tileaa.extract_slice %arg0[%c1_i32
// CHECK-DAG: nv_tileaa.extract_slice %arg0[%c2_i32
// CHECK-DAG: nv_tileaa.extract_slice %arg0[%c3_i32
// CHECK: nv_tileaa.return
nv_tileaa.func @slices(%x: tensor<64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %zero) -> (tensor<16xf32>) : i32 {
    %y = nv_tileaa.extract_slice %x[%i] : tensor<64xf32> -> tensor<16xf32>
    %a = arith.addf %s, %y : tensor<16xf32>
    scf.yield %a : tensor<16xf32>
  }
  %tr = nv_tileaa.print "%f", %r : tensor<16xf32>
  nv_tileaa.return
}

// Loops that take no slices, or of a length nobody knows, stay.
// CHECK-LABEL: nv_tileaa.func @kept
// CHECK-COUNT-2: scf.for
nv_tileaa.func @kept(%x: tensor<64xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %zeros = arith.constant dense<0.0> : tensor<64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<16xf32>) : i32 {
    %y = nv_tileaa.extract_slice %x[%i] : tensor<64xf32> -> tensor<16xf32>
    %a = arith.addf %s, %y : tensor<16xf32>
    scf.yield %a : tensor<16xf32>
  }
  %q = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %zeros) -> (tensor<64xf32>) : i32 {
    %a = arith.addf %s, %x : tensor<64xf32>
    scf.yield %a : tensor<64xf32>
  }
  %tr = nv_tileaa.print "%f", %r : tensor<16xf32>
  %tq = nv_tileaa.print "%f", %q : tensor<64xf32>
  nv_tileaa.return
}
