// The back end alone: what the llvm dialect becomes.
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_90 %s | FileCheck %s
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_80 %s | FileCheck %s --check-prefix=AMPERE

// CHECK: .version 8.0
// CHECK-NEXT: .target sm_90a
// CHECK-NEXT: .address_size 64
// AMPERE: .version 8.0
// AMPERE-NEXT: .target sm_80
module {
  gpu.module @kernels {
    // Kernel symbol, 8-byte pointers and scalars by value, in order; thread count and occupancy inside.
    // CHECK: .visible .entry axpy(
    // CHECK-NEXT: .param .u64 {{.*}}axpy_param_0
    // CHECK-NEXT: .param .u64 {{.*}}axpy_param_1
    // CHECK-NEXT: .param .f32 axpy_param_2
    // CHECK: .reqntid 128
    // CHECK: .minnctapersm 2
    // Rounded twice: the product and the sum are never contracted.
    // CHECK-NOT: fma.rn
    // CHECK: mul.rn.f32
    // CHECK-NEXT: add.rn.f32
    // CHECK-NOT: fma.rn
    // CHECK: st.global
    llvm.func @axpy(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %a: f32)
        attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.minctasm = 2 : i32} {
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %g = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %h = llvm.getelementptr %q[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %x = llvm.load %g : !llvm.ptr<1> -> f32
      %y = llvm.load %h : !llvm.ptr<1> -> f32
      %ax = llvm.fmul %a, %x : f32
      %s = llvm.fadd %ax, %y : f32
      llvm.store %s, %h : f32, !llvm.ptr<1>
      llvm.return
    }

    // An fma that is asked for stays one; square roots and divisions are the rounded ones.
    // CHECK-LABEL: .entry exact(
    // CHECK: fma.rn.f32
    // CHECK: sqrt.rn.f32
    // CHECK: div.rn.f32
    llvm.func @exact(%p: !llvm.ptr<1>, %a: f32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      %x = llvm.load %p : !llvm.ptr<1> -> f32
      %f = llvm.intr.fma(%x, %a, %x) : (f32, f32, f32) -> f32
      %s = llvm.intr.sqrt(%f) : (f32) -> f32
      %d = llvm.fdiv %s, %a : f32
      llvm.store %d, %p : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}
