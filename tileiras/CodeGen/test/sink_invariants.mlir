// Loops that are short of registers compute cheap invariants themselves (SinkInvariants.h).
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_90 %s | FileCheck %s

module {
  gpu.module @kernels {
    // A thread of 1,024 has 64 registers, of which 26 sums of 64 bits take 52: the loop makes the address from the thread's number.
    // CHECK-LABEL: .visible .entry short(
    // CHECK: $L__BB0_1:
    // CHECK: xor.b32
    // CHECK: bra
    llvm.func @short(%p: !llvm.ptr<1>, %s: !llvm.ptr<3>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 1024>} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c48 = llvm.mlir.constant(48 : i32) : i32
      %zero = llvm.mlir.constant(0.0 : f64) : f64
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %shifted = llvm.shl %tid, %c4 : i32
      %place = llvm.xor %shifted, %c48 : i32
      %address = llvm.getelementptr %s[%place] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      llvm.br ^loop(%c0, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero : i32, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64)
    ^loop(%i: i32, %a0: f64, %a1: f64, %a2: f64, %a3: f64, %a4: f64, %a5: f64, %a6: f64, %a7: f64, %a8: f64, %a9: f64, %a10: f64, %a11: f64, %a12: f64, %a13: f64, %a14: f64, %a15: f64, %a16: f64, %a17: f64, %a18: f64, %a19: f64, %a20: f64, %a21: f64, %a22: f64, %a23: f64, %a24: f64, %a25: f64):
      nvvm.barrier0
      %v = llvm.load %address : !llvm.ptr<3> -> f64
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
      %again = llvm.icmp "slt" %next, %n : i32
      llvm.cond_br %again, ^loop(%next, %b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7, %b8, %b9, %b10, %b11, %b12, %b13, %b14, %b15, %b16, %b17, %b18, %b19, %b20, %b21, %b22, %b23, %b24, %b25 : i32, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64), ^end
    ^end:
      %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b0, %p0 : f64, !llvm.ptr<1>
      %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b1, %p1 : f64, !llvm.ptr<1>
      %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b2, %p2 : f64, !llvm.ptr<1>
      %p3 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b3, %p3 : f64, !llvm.ptr<1>
      %p4 = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b4, %p4 : f64, !llvm.ptr<1>
      %p5 = llvm.getelementptr %p[5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b5, %p5 : f64, !llvm.ptr<1>
      %p6 = llvm.getelementptr %p[6] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b6, %p6 : f64, !llvm.ptr<1>
      %p7 = llvm.getelementptr %p[7] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b7, %p7 : f64, !llvm.ptr<1>
      %p8 = llvm.getelementptr %p[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b8, %p8 : f64, !llvm.ptr<1>
      %p9 = llvm.getelementptr %p[9] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b9, %p9 : f64, !llvm.ptr<1>
      %p10 = llvm.getelementptr %p[10] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b10, %p10 : f64, !llvm.ptr<1>
      %p11 = llvm.getelementptr %p[11] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b11, %p11 : f64, !llvm.ptr<1>
      %p12 = llvm.getelementptr %p[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b12, %p12 : f64, !llvm.ptr<1>
      %p13 = llvm.getelementptr %p[13] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b13, %p13 : f64, !llvm.ptr<1>
      %p14 = llvm.getelementptr %p[14] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b14, %p14 : f64, !llvm.ptr<1>
      %p15 = llvm.getelementptr %p[15] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b15, %p15 : f64, !llvm.ptr<1>
      %p16 = llvm.getelementptr %p[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b16, %p16 : f64, !llvm.ptr<1>
      %p17 = llvm.getelementptr %p[17] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b17, %p17 : f64, !llvm.ptr<1>
      %p18 = llvm.getelementptr %p[18] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b18, %p18 : f64, !llvm.ptr<1>
      %p19 = llvm.getelementptr %p[19] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b19, %p19 : f64, !llvm.ptr<1>
      %p20 = llvm.getelementptr %p[20] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b20, %p20 : f64, !llvm.ptr<1>
      %p21 = llvm.getelementptr %p[21] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b21, %p21 : f64, !llvm.ptr<1>
      %p22 = llvm.getelementptr %p[22] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b22, %p22 : f64, !llvm.ptr<1>
      %p23 = llvm.getelementptr %p[23] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b23, %p23 : f64, !llvm.ptr<1>
      %p24 = llvm.getelementptr %p[24] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b24, %p24 : f64, !llvm.ptr<1>
      %p25 = llvm.getelementptr %p[25] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b25, %p25 : f64, !llvm.ptr<1>
      llvm.return
    }

    // Of 128, it has enough: the address stays before the loop.
    // CHECK-LABEL: .visible .entry enough(
    // CHECK: xor.b32
    // CHECK: $L__BB1_1:
    // CHECK-NOT: xor.b32
    // CHECK: ret
    llvm.func @enough(%p: !llvm.ptr<1>, %s: !llvm.ptr<3>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c48 = llvm.mlir.constant(48 : i32) : i32
      %zero = llvm.mlir.constant(0.0 : f64) : f64
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %shifted = llvm.shl %tid, %c4 : i32
      %place = llvm.xor %shifted, %c48 : i32
      %address = llvm.getelementptr %s[%place] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      llvm.br ^loop(%c0, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero : i32, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64)
    ^loop(%i: i32, %a0: f64, %a1: f64, %a2: f64, %a3: f64, %a4: f64, %a5: f64, %a6: f64, %a7: f64, %a8: f64, %a9: f64, %a10: f64, %a11: f64, %a12: f64, %a13: f64, %a14: f64, %a15: f64, %a16: f64, %a17: f64, %a18: f64, %a19: f64, %a20: f64, %a21: f64, %a22: f64, %a23: f64, %a24: f64, %a25: f64):
      nvvm.barrier0
      %v = llvm.load %address : !llvm.ptr<3> -> f64
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
      %again = llvm.icmp "slt" %next, %n : i32
      llvm.cond_br %again, ^loop(%next, %b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7, %b8, %b9, %b10, %b11, %b12, %b13, %b14, %b15, %b16, %b17, %b18, %b19, %b20, %b21, %b22, %b23, %b24, %b25 : i32, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64), ^end
    ^end:
      %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b0, %p0 : f64, !llvm.ptr<1>
      %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b1, %p1 : f64, !llvm.ptr<1>
      %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b2, %p2 : f64, !llvm.ptr<1>
      %p3 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b3, %p3 : f64, !llvm.ptr<1>
      %p4 = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b4, %p4 : f64, !llvm.ptr<1>
      %p5 = llvm.getelementptr %p[5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b5, %p5 : f64, !llvm.ptr<1>
      %p6 = llvm.getelementptr %p[6] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b6, %p6 : f64, !llvm.ptr<1>
      %p7 = llvm.getelementptr %p[7] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b7, %p7 : f64, !llvm.ptr<1>
      %p8 = llvm.getelementptr %p[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b8, %p8 : f64, !llvm.ptr<1>
      %p9 = llvm.getelementptr %p[9] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b9, %p9 : f64, !llvm.ptr<1>
      %p10 = llvm.getelementptr %p[10] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b10, %p10 : f64, !llvm.ptr<1>
      %p11 = llvm.getelementptr %p[11] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b11, %p11 : f64, !llvm.ptr<1>
      %p12 = llvm.getelementptr %p[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b12, %p12 : f64, !llvm.ptr<1>
      %p13 = llvm.getelementptr %p[13] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b13, %p13 : f64, !llvm.ptr<1>
      %p14 = llvm.getelementptr %p[14] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b14, %p14 : f64, !llvm.ptr<1>
      %p15 = llvm.getelementptr %p[15] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b15, %p15 : f64, !llvm.ptr<1>
      %p16 = llvm.getelementptr %p[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b16, %p16 : f64, !llvm.ptr<1>
      %p17 = llvm.getelementptr %p[17] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b17, %p17 : f64, !llvm.ptr<1>
      %p18 = llvm.getelementptr %p[18] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b18, %p18 : f64, !llvm.ptr<1>
      %p19 = llvm.getelementptr %p[19] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b19, %p19 : f64, !llvm.ptr<1>
      %p20 = llvm.getelementptr %p[20] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b20, %p20 : f64, !llvm.ptr<1>
      %p21 = llvm.getelementptr %p[21] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b21, %p21 : f64, !llvm.ptr<1>
      %p22 = llvm.getelementptr %p[22] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b22, %p22 : f64, !llvm.ptr<1>
      %p23 = llvm.getelementptr %p[23] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b23, %p23 : f64, !llvm.ptr<1>
      %p24 = llvm.getelementptr %p[24] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b24, %p24 : f64, !llvm.ptr<1>
      %p25 = llvm.getelementptr %p[25] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b25, %p25 : f64, !llvm.ptr<1>
      llvm.return
    }

    // What is used before the loop as well is computed twice all the same: by another name, or the code generator would find that they are one.
    // CHECK-LABEL: .visible .entry twice(
    // CHECK: xor.b32
    // CHECK: ld.shared
    // CHECK: $L__BB2_1:
    // CHECK: // again
    // CHECK: xor.b32
    // CHECK: bra
    llvm.func @twice(%p: !llvm.ptr<1>, %s: !llvm.ptr<3>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 1024>} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c48 = llvm.mlir.constant(48 : i32) : i32
      %zero = llvm.mlir.constant(0.0 : f64) : f64
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %shifted = llvm.shl %tid, %c4 : i32
      %place = llvm.xor %shifted, %c48 : i32
      %address = llvm.getelementptr %s[%place] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      %w = llvm.load %address : !llvm.ptr<3> -> f64
      %pw = llvm.getelementptr %p[30] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %w, %pw : f64, !llvm.ptr<1>
      llvm.br ^loop(%c0, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero : i32, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64)
    ^loop(%i: i32, %a0: f64, %a1: f64, %a2: f64, %a3: f64, %a4: f64, %a5: f64, %a6: f64, %a7: f64, %a8: f64, %a9: f64, %a10: f64, %a11: f64, %a12: f64, %a13: f64, %a14: f64, %a15: f64, %a16: f64, %a17: f64, %a18: f64, %a19: f64, %a20: f64, %a21: f64, %a22: f64, %a23: f64, %a24: f64, %a25: f64):
      nvvm.barrier0
      %v = llvm.load %address : !llvm.ptr<3> -> f64
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
      %again = llvm.icmp "slt" %next, %n : i32
      llvm.cond_br %again, ^loop(%next, %b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7, %b8, %b9, %b10, %b11, %b12, %b13, %b14, %b15, %b16, %b17, %b18, %b19, %b20, %b21, %b22, %b23, %b24, %b25 : i32, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64), ^end
    ^end:
      %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b0, %p0 : f64, !llvm.ptr<1>
      %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b1, %p1 : f64, !llvm.ptr<1>
      %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b2, %p2 : f64, !llvm.ptr<1>
      %p3 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b3, %p3 : f64, !llvm.ptr<1>
      %p4 = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b4, %p4 : f64, !llvm.ptr<1>
      %p5 = llvm.getelementptr %p[5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b5, %p5 : f64, !llvm.ptr<1>
      %p6 = llvm.getelementptr %p[6] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b6, %p6 : f64, !llvm.ptr<1>
      %p7 = llvm.getelementptr %p[7] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b7, %p7 : f64, !llvm.ptr<1>
      %p8 = llvm.getelementptr %p[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b8, %p8 : f64, !llvm.ptr<1>
      %p9 = llvm.getelementptr %p[9] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b9, %p9 : f64, !llvm.ptr<1>
      %p10 = llvm.getelementptr %p[10] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b10, %p10 : f64, !llvm.ptr<1>
      %p11 = llvm.getelementptr %p[11] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b11, %p11 : f64, !llvm.ptr<1>
      %p12 = llvm.getelementptr %p[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b12, %p12 : f64, !llvm.ptr<1>
      %p13 = llvm.getelementptr %p[13] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b13, %p13 : f64, !llvm.ptr<1>
      %p14 = llvm.getelementptr %p[14] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b14, %p14 : f64, !llvm.ptr<1>
      %p15 = llvm.getelementptr %p[15] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b15, %p15 : f64, !llvm.ptr<1>
      %p16 = llvm.getelementptr %p[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b16, %p16 : f64, !llvm.ptr<1>
      %p17 = llvm.getelementptr %p[17] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b17, %p17 : f64, !llvm.ptr<1>
      %p18 = llvm.getelementptr %p[18] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b18, %p18 : f64, !llvm.ptr<1>
      %p19 = llvm.getelementptr %p[19] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b19, %p19 : f64, !llvm.ptr<1>
      %p20 = llvm.getelementptr %p[20] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b20, %p20 : f64, !llvm.ptr<1>
      %p21 = llvm.getelementptr %p[21] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b21, %p21 : f64, !llvm.ptr<1>
      %p22 = llvm.getelementptr %p[22] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b22, %p22 : f64, !llvm.ptr<1>
      %p23 = llvm.getelementptr %p[23] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b23, %p23 : f64, !llvm.ptr<1>
      %p24 = llvm.getelementptr %p[24] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b24, %p24 : f64, !llvm.ptr<1>
      %p25 = llvm.getelementptr %p[25] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b25, %p25 : f64, !llvm.ptr<1>
      llvm.return
    }

    // Used behind a loop that may be left out, the address is not kept in it, either.
    // CHECK-LABEL: .visible .entry behind(
    // CHECK: xor.b32
    // CHECK: ld.shared
    // CHECK: fma.rn.f64
    // CHECK: bra
    // CHECK: // again
    // CHECK: xor.b32
    // CHECK: ld.shared
    // CHECK: ret
    llvm.func @behind(%p: !llvm.ptr<1>, %s: !llvm.ptr<3>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 1024>} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c48 = llvm.mlir.constant(48 : i32) : i32
      %zero = llvm.mlir.constant(0.0 : f64) : f64
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %shifted = llvm.shl %tid, %c4 : i32
      %place = llvm.xor %shifted, %c48 : i32
      %address = llvm.getelementptr %s[%place] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      %w = llvm.load %address : !llvm.ptr<3> -> f64
      %pw = llvm.getelementptr %p[30] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %w, %pw : f64, !llvm.ptr<1>
      %some = llvm.icmp "sgt" %n, %c0 : i32
      llvm.cond_br %some, ^loop(%c0, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero : i32, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64), ^last
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
      %again = llvm.icmp "slt" %next, %n : i32
      llvm.cond_br %again, ^loop(%next, %b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7, %b8, %b9, %b10, %b11, %b12, %b13, %b14, %b15, %b16, %b17, %b18, %b19, %b20, %b21, %b22, %b23, %b24, %b25 : i32, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64), ^end
    ^end:
      %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b0, %p0 : f64, !llvm.ptr<1>
      %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b1, %p1 : f64, !llvm.ptr<1>
      %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b2, %p2 : f64, !llvm.ptr<1>
      %p3 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b3, %p3 : f64, !llvm.ptr<1>
      %p4 = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b4, %p4 : f64, !llvm.ptr<1>
      %p5 = llvm.getelementptr %p[5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b5, %p5 : f64, !llvm.ptr<1>
      %p6 = llvm.getelementptr %p[6] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b6, %p6 : f64, !llvm.ptr<1>
      %p7 = llvm.getelementptr %p[7] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b7, %p7 : f64, !llvm.ptr<1>
      %p8 = llvm.getelementptr %p[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b8, %p8 : f64, !llvm.ptr<1>
      %p9 = llvm.getelementptr %p[9] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b9, %p9 : f64, !llvm.ptr<1>
      %p10 = llvm.getelementptr %p[10] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b10, %p10 : f64, !llvm.ptr<1>
      %p11 = llvm.getelementptr %p[11] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b11, %p11 : f64, !llvm.ptr<1>
      %p12 = llvm.getelementptr %p[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b12, %p12 : f64, !llvm.ptr<1>
      %p13 = llvm.getelementptr %p[13] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b13, %p13 : f64, !llvm.ptr<1>
      %p14 = llvm.getelementptr %p[14] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b14, %p14 : f64, !llvm.ptr<1>
      %p15 = llvm.getelementptr %p[15] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b15, %p15 : f64, !llvm.ptr<1>
      %p16 = llvm.getelementptr %p[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b16, %p16 : f64, !llvm.ptr<1>
      %p17 = llvm.getelementptr %p[17] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b17, %p17 : f64, !llvm.ptr<1>
      %p18 = llvm.getelementptr %p[18] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b18, %p18 : f64, !llvm.ptr<1>
      %p19 = llvm.getelementptr %p[19] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b19, %p19 : f64, !llvm.ptr<1>
      %p20 = llvm.getelementptr %p[20] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b20, %p20 : f64, !llvm.ptr<1>
      %p21 = llvm.getelementptr %p[21] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b21, %p21 : f64, !llvm.ptr<1>
      %p22 = llvm.getelementptr %p[22] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b22, %p22 : f64, !llvm.ptr<1>
      %p23 = llvm.getelementptr %p[23] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b23, %p23 : f64, !llvm.ptr<1>
      %p24 = llvm.getelementptr %p[24] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b24, %p24 : f64, !llvm.ptr<1>
      %p25 = llvm.getelementptr %p[25] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b25, %p25 : f64, !llvm.ptr<1>
      llvm.br ^last
    ^last:
      %l = llvm.load %address : !llvm.ptr<3> -> f64
      %pl = llvm.getelementptr %p[31] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %l, %pl : f64, !llvm.ptr<1>
      llvm.return
    }

    // What is frozen is one number for all who use it (n and m, which the loop has anyway, may be anything): it is
    // not frozen again in the loop, so the address is not made there.
    // CHECK-LABEL: .visible .entry frozen(
    // CHECK: xor.b32
    // CHECK: $L__BB4_1:
    // CHECK-NOT: xor.b32
    // CHECK: bra
    llvm.func @frozen(%p: !llvm.ptr<1>, %s: !llvm.ptr<3>, %n: i32, %m: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 1024>} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c48 = llvm.mlir.constant(48 : i32) : i32
      %zero = llvm.mlir.constant(0.0 : f64) : f64
      %sum = llvm.add %n, %m : i32
      %frozen = llvm.freeze %sum : i32
      %shifted = llvm.shl %frozen, %c4 : i32
      %place = llvm.xor %shifted, %c48 : i32
      %address = llvm.getelementptr %s[%place] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      llvm.br ^loop(%c0, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero : i32, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64)
    ^loop(%i: i32, %a0: f64, %a1: f64, %a2: f64, %a3: f64, %a4: f64, %a5: f64, %a6: f64, %a7: f64, %a8: f64, %a9: f64, %a10: f64, %a11: f64, %a12: f64, %a13: f64, %a14: f64, %a15: f64, %a16: f64, %a17: f64, %a18: f64, %a19: f64, %a20: f64, %a21: f64, %a22: f64, %a23: f64, %a24: f64, %a25: f64):
      nvvm.barrier0
      %v = llvm.load %address : !llvm.ptr<3> -> f64
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
      %next = llvm.add %i, %m : i32
      %again = llvm.icmp "slt" %next, %n : i32
      llvm.cond_br %again, ^loop(%next, %b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7, %b8, %b9, %b10, %b11, %b12, %b13, %b14, %b15, %b16, %b17, %b18, %b19, %b20, %b21, %b22, %b23, %b24, %b25 : i32, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64), ^end
    ^end:
      %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b0, %p0 : f64, !llvm.ptr<1>
      %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b1, %p1 : f64, !llvm.ptr<1>
      %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b2, %p2 : f64, !llvm.ptr<1>
      %p3 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b3, %p3 : f64, !llvm.ptr<1>
      %p4 = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b4, %p4 : f64, !llvm.ptr<1>
      %p5 = llvm.getelementptr %p[5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b5, %p5 : f64, !llvm.ptr<1>
      %p6 = llvm.getelementptr %p[6] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b6, %p6 : f64, !llvm.ptr<1>
      %p7 = llvm.getelementptr %p[7] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b7, %p7 : f64, !llvm.ptr<1>
      %p8 = llvm.getelementptr %p[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b8, %p8 : f64, !llvm.ptr<1>
      %p9 = llvm.getelementptr %p[9] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b9, %p9 : f64, !llvm.ptr<1>
      %p10 = llvm.getelementptr %p[10] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b10, %p10 : f64, !llvm.ptr<1>
      %p11 = llvm.getelementptr %p[11] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b11, %p11 : f64, !llvm.ptr<1>
      %p12 = llvm.getelementptr %p[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b12, %p12 : f64, !llvm.ptr<1>
      %p13 = llvm.getelementptr %p[13] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b13, %p13 : f64, !llvm.ptr<1>
      %p14 = llvm.getelementptr %p[14] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b14, %p14 : f64, !llvm.ptr<1>
      %p15 = llvm.getelementptr %p[15] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b15, %p15 : f64, !llvm.ptr<1>
      %p16 = llvm.getelementptr %p[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b16, %p16 : f64, !llvm.ptr<1>
      %p17 = llvm.getelementptr %p[17] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b17, %p17 : f64, !llvm.ptr<1>
      %p18 = llvm.getelementptr %p[18] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b18, %p18 : f64, !llvm.ptr<1>
      %p19 = llvm.getelementptr %p[19] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b19, %p19 : f64, !llvm.ptr<1>
      %p20 = llvm.getelementptr %p[20] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b20, %p20 : f64, !llvm.ptr<1>
      %p21 = llvm.getelementptr %p[21] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b21, %p21 : f64, !llvm.ptr<1>
      %p22 = llvm.getelementptr %p[22] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b22, %p22 : f64, !llvm.ptr<1>
      %p23 = llvm.getelementptr %p[23] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b23, %p23 : f64, !llvm.ptr<1>
      %p24 = llvm.getelementptr %p[24] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b24, %p24 : f64, !llvm.ptr<1>
      %p25 = llvm.getelementptr %p[25] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
      llvm.store %b25, %p25 : f64, !llvm.ptr<1>
      llvm.return
    }
  }
}
