// RUN: tileiras-opt %s -tileas-allocate-scratch -convert-nv-tileas-to-llvm -split-input-file -verify-diagnostics | FileCheck %s
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @modes
func.func @modes(%x: f32, %y: f32, %d: f64) -> (f32, f64) {
  // Nearest even without ftz is the plain operation.
  // CHECK: llvm.fadd %arg0, %arg1 : f32
  %0 = nv_tileaa.addf %x, %y : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.add.rz.f"
  %1 = nv_tileaa.addf %0, %y {rounding_mode = #nv_tileaa.rounding_mode<zero>} : f32
  // CHECK: %[[N:.*]] = llvm.fneg %arg1 : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.add.rm.ftz.f"(%{{.*}}, %[[N]])
  %2 = nv_tileaa.subf %1, %y {rounding_mode = #nv_tileaa.rounding_mode<negative_inf>, ftz} : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.mul.rp.f"
  %3 = nv_tileaa.mulf %2, %y {rounding_mode = #nv_tileaa.rounding_mode<positive_inf>} : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.fma.rn.ftz.f"
  %4 = nv_tileaa.fma %3, %y, %x {ftz} : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.div.approx.f"
  %5 = nv_tileaa.divf %4, %y {rounding_mode = #nv_tileaa.rounding_mode<approx>} : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.div.full.ftz"
  %6 = nv_tileaa.divf %5, %y {rounding_mode = #nv_tileaa.rounding_mode<full>, ftz} : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.div.rn.f"
  %7 = nv_tileaa.divf %6, %y : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.sqrt.rz.f"
  %8 = nv_tileaa.sqrt %7 {rounding_mode = #nv_tileaa.rounding_mode<zero>} : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.sqrt.approx.ftz.f"
  %9 = nv_tileaa.sqrt %8 {rounding_mode = #nv_tileaa.rounding_mode<approx>, ftz} : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"
  %10 = nv_tileaa.rsqrt %9 : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
  %11 = nv_tileaa.exp2 %10 {ftz} : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.fmax.ftz.nan.f"
  %12 = nv_tileaa.maxf %11, %y {ftz, propagate_nan} : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.fmin.ftz.f"
  %13 = nv_tileaa.minf %12, %y {ftz} : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.mul.rz.d"
  %14 = nv_tileaa.mulf %d, %d {rounding_mode = #nv_tileaa.rounding_mode<zero>} : f64
  // f64 has no accurate rsqrt instruction.
  // CHECK: llvm.call_intrinsic "llvm.nvvm.sqrt.rn.d"
  // CHECK: llvm.call_intrinsic "llvm.nvvm.div.rn.d"
  %15 = nv_tileaa.rsqrt %14 : f64
  return %13, %15 : f32, f64
}

// f16 and bf16: nearest even in hardware, other modes through f32 with two roundings in one direction.
// CHECK-LABEL: func.func @narrow
func.func @narrow(%h: f16, %b: bf16) -> (f16, bf16) {
  // CHECK: llvm.fmul %arg0, %arg0 : f16
  %0 = nv_tileaa.mulf %h, %h : f16
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.add.rz.f"
  // CHECK: llvm.inline_asm {{.*}}"cvt.rz.f16.f32 $0, $1;", "=h,f"
  %1 = nv_tileaa.addf %0, %h {rounding_mode = #nv_tileaa.rounding_mode<zero>} : f16
  // bf16 has no conversion rounding up: a step away from zero for positive, inexact values; NaN stays NaN.
  // CHECK: %[[S:.*]] = llvm.call_intrinsic "llvm.nvvm.mul.rp.f"
  // CHECK: %[[BITS:.*]] = llvm.bitcast %[[S]] : f32 to i32
  // CHECK: %[[NEG:.*]] = llvm.icmp "slt" %[[BITS]]
  // CHECK: %[[POS:.*]] = llvm.xor %[[NEG]]
  // CHECK: %[[INEXACT:.*]] = llvm.icmp "ne"
  // CHECK: llvm.and %[[POS]], %[[INEXACT]]
  // CHECK: llvm.fcmp "uno"
  %2 = nv_tileaa.mulf %b, %b {rounding_mode = #nv_tileaa.rounding_mode<positive_inf>} : bf16
  // Division is always done in f32.
  // CHECK: llvm.call_intrinsic "llvm.nvvm.div.rn.f"
  // CHECK: llvm.fptrunc %{{.*}} : f32 to bf16
  %3 = nv_tileaa.divf %2, %b : bf16
  return %1, %3 : f16, bf16
}
}

// -----

module attributes {nv_tileaa.compute_capability = 90 : i64} {
func.func @ftz_f16(%h: f16) -> f16 {
  // expected-error @below {{flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
  // expected-error @below {{failed to legalize}}
  %0 = nv_tileaa.addf %h, %h {ftz} : f16
  return %0 : f16
}
}

// -----

module attributes {nv_tileaa.compute_capability = 90 : i64} {
func.func @approx_f64(%h: f64) -> f64 {
  // expected-error @below {{approx modifier only supported for f32 data type, but got: 'f64'}}
  %0 = nv_tileaa.divf %h, %h {rounding_mode = #nv_tileaa.rounding_mode<approx>} : f64
  return %0 : f64
}
}
