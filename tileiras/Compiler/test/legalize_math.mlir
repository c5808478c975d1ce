// RUN: tileiras-opt %s -split-input-file -tileir-legalize-math | FileCheck %s
// RUN: tileiras-opt %s -split-input-file -tileir-legalize-math="libdevice=false" -verify-diagnostics | FileCheck %s --check-prefix=ALONE

gpu.module @native {
  // Instructions of the GPU, with and without libdevice.
  // CHECK-LABEL: llvm.func @f32
  // ALONE-LABEL: llvm.func @f32
  llvm.func @f32(%a: f32, %b: f32) -> f32 {
    // CHECK: llvm.intr.sqrt
    // CHECK: llvm.intr.fma
    // CHECK: llvm.intr.fabs
    // CHECK: llvm.intr.floor
    // CHECK: llvm.intr.ceil
    // CHECK: llvm.intr.rint
    // CHECK: llvm.intr.copysign
    // CHECK-NOT: math.
    // ALONE: llvm.intr.sqrt
    // ALONE: llvm.intr.copysign
    %0 = math.sqrt %a : f32
    %1 = math.fma %0, %a, %b : f32
    %2 = math.absf %1 : f32
    %3 = math.floor %2 : f32
    %4 = math.ceil %3 : f32
    %5 = math.roundeven %4 : f32
    %6 = math.copysign %5, %b : f32
    llvm.return %6 : f32
  }
  // Narrow types round once, from f32.
  // CHECK-LABEL: llvm.func @bf16
  llvm.func @bf16(%a: bf16) -> bf16 {
    // CHECK: %[[WIDE:.*]] = llvm.fpext %{{.*}} : bf16 to f32
    // CHECK: %[[ROOT:.*]] = llvm.intr.sqrt(%[[WIDE]]) : (f32) -> f32
    // CHECK: llvm.fptrunc %[[ROOT]] : f32 to bf16
    %0 = math.sqrt %a : bf16
    llvm.return %0 : bf16
  }
}

// -----

gpu.module @functions {
  // CHECK-LABEL: llvm.func @exp
  // CHECK: math.exp
  // CHECK: math.tanh
  // ALONE-LABEL: llvm.func @exp
  // ALONE-NOT: math.
  // ALONE: llvm.intr.fma
  llvm.func @exp(%a: f32, %b: f16) -> f32 {
    // expected-warning @below {{libdevice.10.bc is not in use}}
    %0 = math.exp %a : f32
    %1 = math.tanh %b : f16
    %2 = arith.extf %1 : f16 to f32
    %3 = arith.addf %0, %2 : f32
    llvm.return %3 : f32
  }
}

// -----

gpu.module @wide {
  llvm.func @f64(%a: f64) -> f64 {
    // expected-warning @below {{libdevice.10.bc is not in use}}
    // expected-error @below {{'math.exp' on 'f64' needs libdevice.10.bc of a CUDA toolkit, which was not found}}
    %0 = math.exp %a : f64
    llvm.return %0 : f64
  }
}
