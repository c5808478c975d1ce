// The order of instructions for few live registers (PressureSchedule.h).
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_90 %s | FileCheck %s

module {
  gpu.module @kernels {
    // Written operation by operation: eight selects, then eight additions. Selects of constants wait for the addition that uses them.
    // CHECK-LABEL: .visible .entry later(
    // CHECK: selp.f32
    // CHECK-NEXT: add.rn.f32
    // CHECK-NEXT: setp
    // CHECK-NEXT: selp.f32
    // CHECK-NEXT: add.rn.f32
    llvm.func @later(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
      %one = llvm.mlir.constant(1.0 : f32) : f32
      %two = llvm.mlir.constant(2.0 : f32) : f32
      %k0 = llvm.mlir.constant(0 : i32) : i32
      %k1 = llvm.mlir.constant(1 : i32) : i32
      %k2 = llvm.mlir.constant(2 : i32) : i32
      %k3 = llvm.mlir.constant(3 : i32) : i32
      %k4 = llvm.mlir.constant(4 : i32) : i32
      %k5 = llvm.mlir.constant(5 : i32) : i32
      %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %p3 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %p4 = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %p5 = llvm.getelementptr %p[5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %v0 = llvm.load %p : !llvm.ptr<1> -> f32
      %v1 = llvm.load %p1 : !llvm.ptr<1> -> f32
      %v2 = llvm.load %p2 : !llvm.ptr<1> -> f32
      %v3 = llvm.load %p3 : !llvm.ptr<1> -> f32
      %v4 = llvm.load %p4 : !llvm.ptr<1> -> f32
      %v5 = llvm.load %p5 : !llvm.ptr<1> -> f32
      %c0 = llvm.icmp "sgt" %n, %k0 : i32
      %c1 = llvm.icmp "sgt" %n, %k1 : i32
      %c2 = llvm.icmp "sgt" %n, %k2 : i32
      %c3 = llvm.icmp "sgt" %n, %k3 : i32
      %c4 = llvm.icmp "sgt" %n, %k4 : i32
      %c5 = llvm.icmp "sgt" %n, %k5 : i32
      %s0 = llvm.select %c0, %one, %two : i1, f32
      %s1 = llvm.select %c1, %one, %two : i1, f32
      %s2 = llvm.select %c2, %one, %two : i1, f32
      %s3 = llvm.select %c3, %one, %two : i1, f32
      %s4 = llvm.select %c4, %one, %two : i1, f32
      %s5 = llvm.select %c5, %one, %two : i1, f32
      %a0 = llvm.fadd %v0, %s0 : f32
      %a1 = llvm.fadd %v1, %s1 : f32
      %a2 = llvm.fadd %v2, %s2 : f32
      %a3 = llvm.fadd %v3, %s3 : f32
      %a4 = llvm.fadd %v4, %s4 : f32
      %a5 = llvm.fadd %v5, %s5 : f32
      llvm.store %a0, %p : f32, !llvm.ptr<1>
      llvm.store %a1, %p1 : f32, !llvm.ptr<1>
      llvm.store %a2, %p2 : f32, !llvm.ptr<1>
      llvm.store %a3, %p3 : f32, !llvm.ptr<1>
      llvm.store %a4, %p4 : f32, !llvm.ptr<1>
      llvm.store %a5, %p5 : f32, !llvm.ptr<1>
      llvm.return
    }

    // Sums of loaded pairs, loads first: each addition follows the second of its operands.
    // CHECK-LABEL: .visible .entry earlier(
    // CHECK: ld.global
    // CHECK-NEXT: ld.global
    // CHECK-NEXT: add.rn.f32
    // CHECK-NEXT: ld.global
    // CHECK-NEXT: ld.global
    // CHECK-NEXT: add.rn.f32
    llvm.func @earlier(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
      %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %p4 = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %p6 = llvm.getelementptr %p[6] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %p8 = llvm.getelementptr %p[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %p10 = llvm.getelementptr %p[10] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %p12 = llvm.getelementptr %p[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %p14 = llvm.getelementptr %p[14] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %v0 = llvm.load %p : !llvm.ptr<1> -> f32
      %v1 = llvm.load %p2 : !llvm.ptr<1> -> f32
      %v2 = llvm.load %p4 : !llvm.ptr<1> -> f32
      %v3 = llvm.load %p6 : !llvm.ptr<1> -> f32
      %v4 = llvm.load %p8 : !llvm.ptr<1> -> f32
      %v5 = llvm.load %p10 : !llvm.ptr<1> -> f32
      %v6 = llvm.load %p12 : !llvm.ptr<1> -> f32
      %v7 = llvm.load %p14 : !llvm.ptr<1> -> f32
      %a0 = llvm.fadd %v0, %v1 : f32
      %a1 = llvm.fadd %v2, %v3 : f32
      %a2 = llvm.fadd %v4, %v5 : f32
      %a3 = llvm.fadd %v6, %v7 : f32
      llvm.store %a0, %p : f32, !llvm.ptr<1>
      llvm.store %a1, %p2 : f32, !llvm.ptr<1>
      llvm.store %a2, %p4 : f32, !llvm.ptr<1>
      llvm.store %a3, %p6 : f32, !llvm.ptr<1>
      llvm.return
    }

    // A load from shared memory waits for its user, but not beyond a barrier or a write.
    // CHECK-LABEL: .visible .entry barrier(
    // CHECK-COUNT-6: ld.shared
    // CHECK: bar.sync
    // CHECK-NOT: ld.shared
    // CHECK: ret
    llvm.func @barrier(%s: !llvm.ptr<3>, %p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
      %s2 = llvm.getelementptr %s[2] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
      %s4 = llvm.getelementptr %s[4] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
      %s6 = llvm.getelementptr %s[6] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
      %s8 = llvm.getelementptr %s[8] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
      %s10 = llvm.getelementptr %s[10] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
      %v0 = llvm.load %s : !llvm.ptr<3> -> f32
      %v1 = llvm.load %s2 : !llvm.ptr<3> -> f32
      %v2 = llvm.load %s4 : !llvm.ptr<3> -> f32
      %v3 = llvm.load %s6 : !llvm.ptr<3> -> f32
      %v4 = llvm.load %s8 : !llvm.ptr<3> -> f32
      %v5 = llvm.load %s10 : !llvm.ptr<3> -> f32
      nvvm.barrier0
      %a0 = llvm.fmul %v0, %v5 : f32
      %a1 = llvm.fmul %v1, %v4 : f32
      %a2 = llvm.fmul %v2, %v3 : f32
      %b0 = llvm.fmul %a0, %a1 : f32
      %b1 = llvm.fmul %b0, %a2 : f32
      llvm.store %b1, %p : f32, !llvm.ptr<1>
      llvm.return
    }

    // Chains of multiply-adds: those of one step use its two factors and follow each other. If a chain waited for its end, which is used last,
    // all factors would be alive.
    // CHECK-LABEL: .visible .entry chains(
    // CHECK: ld.shared
    // CHECK-COUNT-4: fma.rn.f32
    // CHECK: ld.shared
    // CHECK-COUNT-4: fma.rn.f32
    // CHECK: ld.shared
    // CHECK-COUNT-4: fma.rn.f32
    // CHECK: ld.shared
    // CHECK-COUNT-4: fma.rn.f32
    // CHECK: ld.shared
    // CHECK-COUNT-4: fma.rn.f32
    // CHECK: ld.shared
    // CHECK-COUNT-4: fma.rn.f32
    // CHECK: ld.shared
    // CHECK-COUNT-4: fma.rn.f32
    // CHECK: ld.shared
    // CHECK-COUNT-4: fma.rn.f32
    // CHECK: bar.sync
    // CHECK: ret
    llvm.func @chains(%s: !llvm.ptr<3>, %p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
      %zero = llvm.mlir.constant(0.0 : f32) : f32
      %a0 = llvm.getelementptr %s[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
      %x0 = llvm.load %a0 : !llvm.ptr<3> -> f32
      %g0 = llvm.getelementptr %p[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %y0 = llvm.load %g0 : !llvm.ptr<1> -> f32
      %s0_0 = llvm.intr.fma(%x0, %y0, %zero) : (f32, f32, f32) -> f32
      %g1 = llvm.getelementptr %p[65] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %y1 = llvm.load %g1 : !llvm.ptr<1> -> f32
      %s0_1 = llvm.intr.fma(%x0, %y1, %zero) : (f32, f32, f32) -> f32
      %g2 = llvm.getelementptr %p[66] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %y2 = llvm.load %g2 : !llvm.ptr<1> -> f32
      %s0_2 = llvm.intr.fma(%x0, %y2, %zero) : (f32, f32, f32) -> f32
      %g3 = llvm.getelementptr %p[67] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %y3 = llvm.load %g3 : !llvm.ptr<1> -> f32
      %s0_3 = llvm.intr.fma(%x0, %y3, %zero) : (f32, f32, f32) -> f32
      %a1 = llvm.getelementptr %s[257] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
      %x1 = llvm.load %a1 : !llvm.ptr<3> -> f32
      %s1_0 = llvm.intr.fma(%x1, %y0, %s0_0) : (f32, f32, f32) -> f32
      %s1_1 = llvm.intr.fma(%x1, %y1, %s0_1) : (f32, f32, f32) -> f32
      %s1_2 = llvm.intr.fma(%x1, %y2, %s0_2) : (f32, f32, f32) -> f32
      %s1_3 = llvm.intr.fma(%x1, %y3, %s0_3) : (f32, f32, f32) -> f32
      %a2 = llvm.getelementptr %s[514] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
      %x2 = llvm.load %a2 : !llvm.ptr<3> -> f32
      %s2_0 = llvm.intr.fma(%x2, %y0, %s1_0) : (f32, f32, f32) -> f32
      %s2_1 = llvm.intr.fma(%x2, %y1, %s1_1) : (f32, f32, f32) -> f32
      %s2_2 = llvm.intr.fma(%x2, %y2, %s1_2) : (f32, f32, f32) -> f32
      %s2_3 = llvm.intr.fma(%x2, %y3, %s1_3) : (f32, f32, f32) -> f32
      %a3 = llvm.getelementptr %s[771] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
      %x3 = llvm.load %a3 : !llvm.ptr<3> -> f32
      %s3_0 = llvm.intr.fma(%x3, %y0, %s2_0) : (f32, f32, f32) -> f32
      %s3_1 = llvm.intr.fma(%x3, %y1, %s2_1) : (f32, f32, f32) -> f32
      %s3_2 = llvm.intr.fma(%x3, %y2, %s2_2) : (f32, f32, f32) -> f32
      %s3_3 = llvm.intr.fma(%x3, %y3, %s2_3) : (f32, f32, f32) -> f32
      %a4 = llvm.getelementptr %s[1028] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
      %x4 = llvm.load %a4 : !llvm.ptr<3> -> f32
      %s4_0 = llvm.intr.fma(%x4, %y0, %s3_0) : (f32, f32, f32) -> f32
      %s4_1 = llvm.intr.fma(%x4, %y1, %s3_1) : (f32, f32, f32) -> f32
      %s4_2 = llvm.intr.fma(%x4, %y2, %s3_2) : (f32, f32, f32) -> f32
      %s4_3 = llvm.intr.fma(%x4, %y3, %s3_3) : (f32, f32, f32) -> f32
      %a5 = llvm.getelementptr %s[1285] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
      %x5 = llvm.load %a5 : !llvm.ptr<3> -> f32
      %s5_0 = llvm.intr.fma(%x5, %y0, %s4_0) : (f32, f32, f32) -> f32
      %s5_1 = llvm.intr.fma(%x5, %y1, %s4_1) : (f32, f32, f32) -> f32
      %s5_2 = llvm.intr.fma(%x5, %y2, %s4_2) : (f32, f32, f32) -> f32
      %s5_3 = llvm.intr.fma(%x5, %y3, %s4_3) : (f32, f32, f32) -> f32
      %a6 = llvm.getelementptr %s[1542] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
      %x6 = llvm.load %a6 : !llvm.ptr<3> -> f32
      %s6_0 = llvm.intr.fma(%x6, %y0, %s5_0) : (f32, f32, f32) -> f32
      %s6_1 = llvm.intr.fma(%x6, %y1, %s5_1) : (f32, f32, f32) -> f32
      %s6_2 = llvm.intr.fma(%x6, %y2, %s5_2) : (f32, f32, f32) -> f32
      %s6_3 = llvm.intr.fma(%x6, %y3, %s5_3) : (f32, f32, f32) -> f32
      %a7 = llvm.getelementptr %s[1799] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
      %x7 = llvm.load %a7 : !llvm.ptr<3> -> f32
      %s7_0 = llvm.intr.fma(%x7, %y0, %s6_0) : (f32, f32, f32) -> f32
      %s7_1 = llvm.intr.fma(%x7, %y1, %s6_1) : (f32, f32, f32) -> f32
      %s7_2 = llvm.intr.fma(%x7, %y2, %s6_2) : (f32, f32, f32) -> f32
      %s7_3 = llvm.intr.fma(%x7, %y3, %s6_3) : (f32, f32, f32) -> f32
      nvvm.barrier0
      %o0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      llvm.store %s7_0, %o0 : f32, !llvm.ptr<1>
      %o1 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      llvm.store %s7_1, %o1 : f32, !llvm.ptr<1>
      %o2 = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      llvm.store %s7_2, %o2 : f32, !llvm.ptr<1>
      %o3 = llvm.getelementptr %p[6] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      llvm.store %s7_3, %o3 : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}
