// RUN: tileiras-opt %s -tileas-allocate-scratch -convert-nv-tileas-to-llvm | FileCheck %s
// RUN: tileiras-opt %s -tileas-allocate-scratch -convert-nv-tileas-to-llvm='libdevice=false' | FileCheck %s --check-prefix=NOLIB
#l = #nv_tileas.blocked<size_per_thread = [2], threads_per_warp = [32], warps_per_cta = [1], order = [0]>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-DAG: llvm.func @__nv_expf(f32) -> f32
// CHECK-DAG: llvm.func @__nv_pow(f64, f64) -> f64
// CHECK-LABEL: func.func @functions
// NOLIB-NOT: __nv
// NOLIB-LABEL: func.func @functions
func.func @functions(%x: f16, %y: f32, %d: f64) -> (!llvm.struct<(f16, f16)>, f64, f32) {
  %a = nv_tileaa.splat %x : f16 -> tensor<64xf16, #l>
  // CHECK: llvm.fpext %{{.*}} : f16 to f32
  // CHECK: llvm.call @__nv_expf
  // CHECK: llvm.fptrunc
  // CHECK: llvm.call @__nv_expf
  // NOLIB: llvm.fpext %{{.*}} : f16 to f32
  // NOLIB: math.exp %{{.*}} : f32
  // NOLIB: llvm.fptrunc
  %b = math.exp %a : tensor<64xf16, #l>
  // CHECK: llvm.call @__nv_pow(
  // NOLIB: math.powf %{{.*}} : f64
  %c = math.powf %d, %d : f64
  // A square is a product (without libdevice, of tiles).
  // CHECK: llvm.fmul %[[D:.*]], %[[D]] : f64
  %two = arith.constant 2.0 : f64
  %square = math.powf %d, %two : f64
  // Instructions.
  // CHECK: llvm.call_intrinsic "llvm.floor"
  // CHECK: llvm.call_intrinsic "llvm.nvvm.sqrt.rn.f"
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"
  // CHECK: llvm.inline_asm {{.*}}"tanh.approx.f32 $0, $1;"
  // NOLIB: llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"
  // NOLIB: llvm.inline_asm {{.*}}"tanh.approx.f32 $0, $1;"
  %e = math.floor %y : f32
  %f = math.sqrt %e : f32
  %g = math.exp %f fastmath<afn> : f32
  %h = math.tanh %g fastmath<afn> : f32
  %r = builtin.unrealized_conversion_cast %b : tensor<64xf16, #l> to !llvm.struct<(f16, f16)>
  return %r, %c, %h : !llvm.struct<(f16, f16)>, f64, f32
}
}
