// RUN: tileiras-opt %s -split-input-file -convert-nv-tileas-to-llvm -verify-diagnostics | FileCheck %s
module attributes {nv_tileaa.compute_capability = 80 : i64} {
// CHECK-LABEL: func.func @floats
func.func @floats(%f: f32, %d: f64, %h: f16) -> (f16, bf16, bf16, i32) {
  // CHECK: llvm.fptrunc %arg0 : f32 to f16
  %0 = arith.truncf %f : f32 to f16
  // f64 to bf16 in one rounding: to f32 toward zero, the last bit set when inexact, then to nearest.
  // CHECK: %[[Z:.*]] = llvm.call_intrinsic "llvm.nvvm.d2f.rz"(%arg1)
  // CHECK: %[[LOST:.*]] = llvm.fcmp "one"
  // CHECK: llvm.or
  // CHECK: llvm.fptrunc %{{.*}} : f32 to bf16
  %1 = arith.truncf %d : f64 to bf16
  // CHECK: llvm.fpext %arg2 : f16 to f32
  // CHECK: llvm.fptrunc %{{.*}} : f32 to bf16
  %2 = nv_tileaa.fp_to_fp %h : f16 -> bf16
  // tf32 is f32 with 13 fraction bits rounded away.
  // CHECK: %[[BITS:.*]] = llvm.bitcast %arg0 : f32 to i32
  // CHECK: llvm.lshr %[[BITS]]
  // CHECK: llvm.fcmp "uno"
  // CHECK: llvm.select
  %3 = nv_tileaa.fp_to_fp %f : f32 -> tf32
  %4 = nv_tileaa.fp_to_fp %3 : tf32 -> f32
  %5 = arith.bitcast %4 : f32 to i32
  return %0, %1, %2, %5 : f16, bf16, bf16, i32
}

// CHECK-LABEL: func.func @bytes
func.func @bytes(%b: i8, %f: f32) -> (f16, i8) {
  // e5m2 is the upper half of f16.
  // CHECK: llvm.zext %arg0 : i8 to i16
  // CHECK: llvm.shl
  // CHECK: llvm.bitcast %{{.*}} : i16 to f16
  %0 = arith.bitcast %b : i8 to f8E5M2
  %1 = arith.extf %0 : f8E5M2 to f16
  // CHECK: llvm.trunc %{{.*}} : i32 to i8
  %2 = arith.truncf %f : f32 to f8E4M3FN
  %3 = arith.bitcast %2 : f8E4M3FN to i8
  return %1, %3 : f16, i8
}

// CHECK-LABEL: func.func @ints
func.func @ints(%i: i32, %s: i16, %b: bf16) -> (f32, bf16, bf16, i8) {
  // CHECK: llvm.sitofp %arg0 : i32 to f32
  %0 = arith.sitofp %i : i32 to f32
  // 16 bits are exact in f32; 32 are not.
  // CHECK: llvm.uitofp %arg1 : i16 to f32
  // CHECK-NEXT: llvm.fptrunc
  %1 = arith.uitofp %s : i16 to bf16
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ll2f.rz"
  // CHECK: llvm.fptosi
  // CHECK: llvm.icmp "ne"
  // CHECK: llvm.fptrunc
  %2 = arith.sitofp %i : i32 to bf16
  // CHECK: llvm.fpext %arg2 : bf16 to f32
  // CHECK: llvm.fptosi %{{.*}} : f32 to i8
  %3 = arith.fptosi %b : bf16 to i8
  return %0, %1, %2, %3 : f32, bf16, bf16, i8
}
}

// -----

module attributes {nv_tileaa.compute_capability = 80 : i64} {
// CHECK-LABEL: func.func @modes
func.func @modes(%f: f32, %d: f64) -> (f16, f32, bf16, f32) {
  // CHECK: cvt.rz.f16.f32
  %0 = nv_tileaa.fp_to_fp %f {rounding_mode = #nv_tileaa.rounding_mode<zero>} : f32 -> f16
  // CHECK: "llvm.nvvm.d2f.rm"
  %1 = nv_tileaa.fp_to_fp %d {rounding_mode = #nv_tileaa.rounding_mode<negative_inf>} : f64 -> f32
  // CHECK: "llvm.nvvm.d2f.rz"
  // CHECK: llvm.lshr
  %2 = nv_tileaa.fp_to_fp %d {rounding_mode = #nv_tileaa.rounding_mode<zero>} : f64 -> bf16
  // CHECK: llvm.mlir.constant(4096 : i32)
  // CHECK: llvm.mlir.constant(-8192 : i32)
  %3 = nv_tileaa.fp_to_fp %f {rounding_mode = #nv_tileaa.rounding_mode<nearest_away>} : f32 -> tf32
  %4 = nv_tileaa.fp_to_fp %3 : tf32 -> f32
  return %0, %1, %2, %4 : f16, f32, bf16, f32
}
}

// -----

module attributes {nv_tileaa.compute_capability = 80 : i64} {
func.func @e8m0(%f: f32) -> i8 {
  // expected-error @below {{from 'f32' to 'f8E8M0FNU' is not supported in rounding mode nearest_away}}
  // expected-error @below {{failed to legalize}}
  %0 = nv_tileaa.fp_to_fp %f {rounding_mode = #nv_tileaa.rounding_mode<nearest_away>} : f32 -> f8E8M0FNU
  %1 = arith.bitcast %0 : f8E8M0FNU to i8
  return %1 : i8
}
}
