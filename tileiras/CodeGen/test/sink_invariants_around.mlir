// Where no price makes a nest of loops fit, the code around the inner loop computes whatever it can again: there an
// instruction is executed once for all rounds of the inner loop, and a register is taken for all of them.
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_90 %s | FileCheck %s

module {
  gpu.module @kernels {
    // A thread of 1,024 has 64 registers, and the sums of the inner loop take 52. The number that the outer loop stores takes six products,
    // more than a pair of registers is worth in a loop.
    // CHECK-LABEL: .visible .entry around(
    // CHECK-NOT: mul.lo.s64
    // CHECK: [[OUTER:\$L__BB0_[0-9]+]]:
    // CHECK-COUNT-6: mul.lo.s64
    // CHECK: bra
    llvm.func @around(%p: !llvm.ptr<1>, %s: !llvm.ptr<3>, %n: i32, %m: i64) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 1024>} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %zero = llvm.mlir.constant(0.0 : f64) : f64
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %x0 = llvm.zext %tid : i32 to i64
      %x1 = llvm.mul %x0, %m : i64
      %x2 = llvm.mul %x1, %x1 : i64
      %x3 = llvm.mul %x2, %x2 : i64
      %x4 = llvm.mul %x3, %x3 : i64
      %x5 = llvm.mul %x4, %x4 : i64
      %x6 = llvm.mul %x5, %x5 : i64
      llvm.br ^outer(%c0 : i32)
    ^outer(%j: i32):
      %at = llvm.getelementptr %p[%j] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i64
      llvm.store volatile %x6, %at : i64, !llvm.ptr<1>
      llvm.br ^loop(%c0, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero : i32, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64)
    ^loop(%i: i32, %a0: f64, %a1: f64, %a2: f64, %a3: f64, %a4: f64, %a5: f64, %a6: f64, %a7: f64, %a8: f64, %a9: f64, %a10: f64, %a11: f64, %a12: f64, %a13: f64, %a14: f64, %a15: f64, %a16: f64, %a17: f64, %a18: f64, %a19: f64, %a20: f64, %a21: f64, %a22: f64, %a23: f64, %a24: f64, %a25: f64):
      nvvm.barrier0
      %v = llvm.load %s : !llvm.ptr<3> -> f64
      %f0 = llvm.mlir.constant(2.0 : f64) : f64
      %b0 = llvm.intr.fma(%v, %f0, %a0) : (f64, f64, f64) -> f64
      %f1 = llvm.mlir.constant(3.0 : f64) : f64
      %b1 = llvm.intr.fma(%v, %f1, %a1) : (f64, f64, f64) -> f64
      %f2 = llvm.mlir.constant(4.0 : f64) : f64
      %b2 = llvm.intr.fma(%v, %f2, %a2) : (f64, f64, f64) -> f64
      %f3 = llvm.mlir.constant(5.0 : f64) : f64
      %b3 = llvm.intr.fma(%v, %f3, %a3) : (f64, f64, f64) -> f64
      %f4 = llvm.mlir.constant(6.0 : f64) : f64
      %b4 = llvm.intr.fma(%v, %f4, %a4) : (f64, f64, f64) -> f64
      %f5 = llvm.mlir.constant(7.0 : f64) : f64
      %b5 = llvm.intr.fma(%v, %f5, %a5) : (f64, f64, f64) -> f64
      %f6 = llvm.mlir.constant(8.0 : f64) : f64
      %b6 = llvm.intr.fma(%v, %f6, %a6) : (f64, f64, f64) -> f64
      %f7 = llvm.mlir.constant(9.0 : f64) : f64
      %b7 = llvm.intr.fma(%v, %f7, %a7) : (f64, f64, f64) -> f64
      %f8 = llvm.mlir.constant(10.0 : f64) : f64
      %b8 = llvm.intr.fma(%v, %f8, %a8) : (f64, f64, f64) -> f64
      %f9 = llvm.mlir.constant(11.0 : f64) : f64
      %b9 = llvm.intr.fma(%v, %f9, %a9) : (f64, f64, f64) -> f64
      %f10 = llvm.mlir.constant(12.0 : f64) : f64
      %b10 = llvm.intr.fma(%v, %f10, %a10) : (f64, f64, f64) -> f64
      %f11 = llvm.mlir.constant(13.0 : f64) : f64
      %b11 = llvm.intr.fma(%v, %f11, %a11) : (f64, f64, f64) -> f64
      %f12 = llvm.mlir.constant(14.0 : f64) : f64
      %b12 = llvm.intr.fma(%v, %f12, %a12) : (f64, f64, f64) -> f64
      %f13 = llvm.mlir.constant(15.0 : f64) : f64
      %b13 = llvm.intr.fma(%v, %f13, %a13) : (f64, f64, f64) -> f64
      %f14 = llvm.mlir.constant(16.0 : f64) : f64
      %b14 = llvm.intr.fma(%v, %f14, %a14) : (f64, f64, f64) -> f64
      %f15 = llvm.mlir.constant(17.0 : f64) : f64
      %b15 = llvm.intr.fma(%v, %f15, %a15) : (f64, f64, f64) -> f64
      %f16 = llvm.mlir.constant(18.0 : f64) : f64
      %b16 = llvm.intr.fma(%v, %f16, %a16) : (f64, f64, f64) -> f64
      %f17 = llvm.mlir.constant(19.0 : f64) : f64
      %b17 = llvm.intr.fma(%v, %f17, %a17) : (f64, f64, f64) -> f64
      %f18 = llvm.mlir.constant(20.0 : f64) : f64
      %b18 = llvm.intr.fma(%v, %f18, %a18) : (f64, f64, f64) -> f64
      %f19 = llvm.mlir.constant(21.0 : f64) : f64
      %b19 = llvm.intr.fma(%v, %f19, %a19) : (f64, f64, f64) -> f64
      %f20 = llvm.mlir.constant(22.0 : f64) : f64
      %b20 = llvm.intr.fma(%v, %f20, %a20) : (f64, f64, f64) -> f64
      %f21 = llvm.mlir.constant(23.0 : f64) : f64
      %b21 = llvm.intr.fma(%v, %f21, %a21) : (f64, f64, f64) -> f64
      %f22 = llvm.mlir.constant(24.0 : f64) : f64
      %b22 = llvm.intr.fma(%v, %f22, %a22) : (f64, f64, f64) -> f64
      %f23 = llvm.mlir.constant(25.0 : f64) : f64
      %b23 = llvm.intr.fma(%v, %f23, %a23) : (f64, f64, f64) -> f64
      %f24 = llvm.mlir.constant(26.0 : f64) : f64
      %b24 = llvm.intr.fma(%v, %f24, %a24) : (f64, f64, f64) -> f64
      %f25 = llvm.mlir.constant(27.0 : f64) : f64
      %b25 = llvm.intr.fma(%v, %f25, %a25) : (f64, f64, f64) -> f64
      %next = llvm.add %i, %c1 : i32
      %more = llvm.icmp "slt" %next, %n : i32
      llvm.cond_br %more, ^loop(%next, %b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7, %b8, %b9, %b10, %b11, %b12, %b13, %b14, %b15, %b16, %b17, %b18, %b19, %b20, %b21, %b22, %b23, %b24, %b25 : i32, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64), ^behind
    ^behind:
      %q0 = llvm.getelementptr %at[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b0, %q0 : f64, !llvm.ptr<1>
      %q1 = llvm.getelementptr %at[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b1, %q1 : f64, !llvm.ptr<1>
      %q2 = llvm.getelementptr %at[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b2, %q2 : f64, !llvm.ptr<1>
      %q3 = llvm.getelementptr %at[24] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b3, %q3 : f64, !llvm.ptr<1>
      %q4 = llvm.getelementptr %at[32] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b4, %q4 : f64, !llvm.ptr<1>
      %q5 = llvm.getelementptr %at[40] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b5, %q5 : f64, !llvm.ptr<1>
      %q6 = llvm.getelementptr %at[48] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b6, %q6 : f64, !llvm.ptr<1>
      %q7 = llvm.getelementptr %at[56] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b7, %q7 : f64, !llvm.ptr<1>
      %q8 = llvm.getelementptr %at[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b8, %q8 : f64, !llvm.ptr<1>
      %q9 = llvm.getelementptr %at[72] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b9, %q9 : f64, !llvm.ptr<1>
      %q10 = llvm.getelementptr %at[80] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b10, %q10 : f64, !llvm.ptr<1>
      %q11 = llvm.getelementptr %at[88] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b11, %q11 : f64, !llvm.ptr<1>
      %q12 = llvm.getelementptr %at[96] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b12, %q12 : f64, !llvm.ptr<1>
      %q13 = llvm.getelementptr %at[104] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b13, %q13 : f64, !llvm.ptr<1>
      %q14 = llvm.getelementptr %at[112] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b14, %q14 : f64, !llvm.ptr<1>
      %q15 = llvm.getelementptr %at[120] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b15, %q15 : f64, !llvm.ptr<1>
      %q16 = llvm.getelementptr %at[128] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b16, %q16 : f64, !llvm.ptr<1>
      %q17 = llvm.getelementptr %at[136] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b17, %q17 : f64, !llvm.ptr<1>
      %q18 = llvm.getelementptr %at[144] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b18, %q18 : f64, !llvm.ptr<1>
      %q19 = llvm.getelementptr %at[152] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b19, %q19 : f64, !llvm.ptr<1>
      %q20 = llvm.getelementptr %at[160] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b20, %q20 : f64, !llvm.ptr<1>
      %q21 = llvm.getelementptr %at[168] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b21, %q21 : f64, !llvm.ptr<1>
      %q22 = llvm.getelementptr %at[176] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b22, %q22 : f64, !llvm.ptr<1>
      %q23 = llvm.getelementptr %at[184] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b23, %q23 : f64, !llvm.ptr<1>
      %q24 = llvm.getelementptr %at[192] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b24, %q24 : f64, !llvm.ptr<1>
      %q25 = llvm.getelementptr %at[200] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %b25, %q25 : f64, !llvm.ptr<1>
      %nextj = llvm.add %j, %c1 : i32
      %morej = llvm.icmp "slt" %nextj, %n : i32
      llvm.cond_br %morej, ^outer(%nextj : i32), ^end
    ^end:
      llvm.return
    }
  }
}
