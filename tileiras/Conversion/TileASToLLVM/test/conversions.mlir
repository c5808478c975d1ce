// RUN: tileiras-opt %s -split-input-file -tileas-allocate-scratch -convert-nv-tileas-to-llvm -verify-diagnostics | FileCheck %s
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

// bf16 is the upper half of an f32.
// CHECK-LABEL: func.func @upper_half
// CHECK: llvm.insertelement %{{.*}} : vector<2xbf16>
// CHECK: %[[V:.*]] = llvm.insertelement %arg0, %{{.*}} : vector<2xbf16>
// CHECK: llvm.bitcast %[[V]] : vector<2xbf16> to f32
// CHECK-NOT: llvm.fpext
func.func @upper_half(%b: bf16) -> f32 {
  %0 = arith.extf %b : bf16 to f32
  return %0 : f32
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
  // CHECK: "llvm.nvvm.f2tf32.rna"
  %3 = nv_tileaa.fp_to_fp %f {rounding_mode = #nv_tileaa.rounding_mode<nearest_away>} : f32 -> tf32
  %4 = nv_tileaa.fp_to_fp %3 : tf32 -> f32
  return %0, %1, %2, %4 : f16, f32, bf16, f32
}
}

// -----

// From sm_89 two at a time, by instructions.
#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
module attributes {nv_tileaa.compute_capability = 89 : i64} {
// CHECK-LABEL: func.func @pairs
func.func @pairs(%f: f32, %b: i8, %d: f64) -> (i8, f16, i8) {
  %t = nv_tileaa.splat %f : f32 -> tensor<64xf32, #l>
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"(%{{.*}}, %{{.*}}) : (f32, f32) -> i16
  // CHECK: llvm.trunc %{{.*}} : i16 to i8
  // CHECK: llvm.lshr
  // CHECK: llvm.trunc %{{.*}} : i16 to i8
  // CHECK-NOT: e4m3x2
  %p = arith.truncf %t : tensor<64xf32, #l> to tensor<64xf8E4M3FN, #l>
  // CHECK: llvm.call_intrinsic "llvm.nvvm.e4m3x2.to.f16x2.rn"(%{{.*}}) : (i16) -> vector<2xf16>
  // CHECK: llvm.extractelement
  // CHECK: llvm.extractelement
  %q = arith.extf %p : tensor<64xf8E4M3FN, #l> to tensor<64xf16, #l>
  // A lone number has company. f64 is rounded to odd first.
  // CHECK: "llvm.nvvm.d2f.rz"
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ff.to.e5m2x2.rn"
  %x = arith.truncf %d : f64 to f8E5M2
  %y = arith.bitcast %x : f8E5M2 to i8
  %8 = arith.bitcast %b : i8 to f8E4M3FN
  // CHECK: llvm.call_intrinsic "llvm.nvvm.e4m3x2.to.f16x2.rn"
  %h = arith.extf %8 : f8E4M3FN to f16
  // e2m1 needs sm_100, tf32 to nearest even sm_90.
  // CHECK-NOT: e2m1x2
  // CHECK-NOT: f2tf32
  %4 = arith.truncf %f : f32 to f4E2M1FN
  %5 = nv_tileaa.fp_to_fp %4 : f4E2M1FN -> f16
  %6 = nv_tileaa.fp_to_fp %f : f32 -> tf32
  // CHECK: return
  return %y, %h, %y : i8, f16, i8
}
}

// -----

module attributes {nv_tileaa.compute_capability = 100 : i64} {
// CHECK-LABEL: func.func @fours
func.func @fours(%f: f32) -> (f16, f32, f32) {
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ff.to.e2m1x2.rn.satfinite"
  %4 = arith.truncf %f : f32 to f4E2M1FN
  // CHECK: llvm.call_intrinsic "llvm.nvvm.e2m1x2.to.f16x2.rn"
  %5 = nv_tileaa.fp_to_fp %4 : f4E2M1FN -> f16
  // CHECK: "llvm.nvvm.f2tf32.rn"
  %6 = nv_tileaa.fp_to_fp %f : f32 -> tf32
  %7 = nv_tileaa.fp_to_fp %6 : tf32 -> f32
  // CHECK: "llvm.nvvm.f2tf32.rz"
  %8 = nv_tileaa.fp_to_fp %f {rounding_mode = #nv_tileaa.rounding_mode<zero>} : f32 -> tf32
  %9 = nv_tileaa.fp_to_fp %8 : tf32 -> f32
  return %5, %7, %9 : f16, f32, f32
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

// -----

// Additions of sm_100 take bf16 from either half of a register, if it is `cvt` that widens.
module attributes {nv_tileaa.compute_capability = 100 : i64} {
// CHECK-LABEL: func.func @widened_by_addition
// CHECK: llvm.fpext %arg0 : bf16 to f32
func.func @widened_by_addition(%b: bf16) -> f32 {
  %0 = arith.extf %b : bf16 to f32
  return %0 : f32
}
}
