// Registers for as many blocks of a multiprocessor as have room (ResidentBlocks.h).
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_80 %s | FileCheck %s
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_89 %s | FileCheck %s --check-prefix=ADA

module {
  gpu.module @kernels {
    // 16 words are under way, and a few more for addresses: 16 blocks of 4 warps are all that Ampere has room for, 12 on Ada.
    // CHECK-LABEL: .entry few(
    // CHECK: .minnctapersm 16
    // ADA-LABEL: .entry few(
    // ADA: .minnctapersm 12
    llvm.func @few(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.minctasm = 1 : i32} {
      %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v0 = llvm.load volatile %p0 : !llvm.ptr<1> -> vector<4xi32>
      %p1 = llvm.getelementptr %p[2048] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v1 = llvm.load volatile %p1 : !llvm.ptr<1> -> vector<4xi32>
      %p2 = llvm.getelementptr %p[4096] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v2 = llvm.load volatile %p2 : !llvm.ptr<1> -> vector<4xi32>
      %p3 = llvm.getelementptr %p[6144] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v3 = llvm.load volatile %p3 : !llvm.ptr<1> -> vector<4xi32>
      %q0 = llvm.getelementptr %q[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v0, %q0 : vector<4xi32>, !llvm.ptr<1>
      %q1 = llvm.getelementptr %q[2048] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v1, %q1 : vector<4xi32>, !llvm.ptr<1>
      %q2 = llvm.getelementptr %q[4096] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v2, %q2 : vector<4xi32>, !llvm.ptr<1>
      %q3 = llvm.getelementptr %q[6144] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v3, %q3 : vector<4xi32>, !llvm.ptr<1>
      llvm.return
    }

    // 64 words: a thread gets them.
    // CHECK-LABEL: .entry many(
    // CHECK: .minnctapersm 7
    llvm.func @many(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.minctasm = 1 : i32} {
      %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v0 = llvm.load volatile %p0 : !llvm.ptr<1> -> vector<4xi32>
      %p1 = llvm.getelementptr %p[2048] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v1 = llvm.load volatile %p1 : !llvm.ptr<1> -> vector<4xi32>
      %p2 = llvm.getelementptr %p[4096] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v2 = llvm.load volatile %p2 : !llvm.ptr<1> -> vector<4xi32>
      %p3 = llvm.getelementptr %p[6144] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v3 = llvm.load volatile %p3 : !llvm.ptr<1> -> vector<4xi32>
      %p4 = llvm.getelementptr %p[8192] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v4 = llvm.load volatile %p4 : !llvm.ptr<1> -> vector<4xi32>
      %p5 = llvm.getelementptr %p[10240] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v5 = llvm.load volatile %p5 : !llvm.ptr<1> -> vector<4xi32>
      %p6 = llvm.getelementptr %p[12288] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v6 = llvm.load volatile %p6 : !llvm.ptr<1> -> vector<4xi32>
      %p7 = llvm.getelementptr %p[14336] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v7 = llvm.load volatile %p7 : !llvm.ptr<1> -> vector<4xi32>
      %p8 = llvm.getelementptr %p[16384] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v8 = llvm.load volatile %p8 : !llvm.ptr<1> -> vector<4xi32>
      %p9 = llvm.getelementptr %p[18432] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v9 = llvm.load volatile %p9 : !llvm.ptr<1> -> vector<4xi32>
      %p10 = llvm.getelementptr %p[20480] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v10 = llvm.load volatile %p10 : !llvm.ptr<1> -> vector<4xi32>
      %p11 = llvm.getelementptr %p[22528] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v11 = llvm.load volatile %p11 : !llvm.ptr<1> -> vector<4xi32>
      %p12 = llvm.getelementptr %p[24576] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v12 = llvm.load volatile %p12 : !llvm.ptr<1> -> vector<4xi32>
      %p13 = llvm.getelementptr %p[26624] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v13 = llvm.load volatile %p13 : !llvm.ptr<1> -> vector<4xi32>
      %p14 = llvm.getelementptr %p[28672] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v14 = llvm.load volatile %p14 : !llvm.ptr<1> -> vector<4xi32>
      %p15 = llvm.getelementptr %p[30720] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v15 = llvm.load volatile %p15 : !llvm.ptr<1> -> vector<4xi32>
      %q0 = llvm.getelementptr %q[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v0, %q0 : vector<4xi32>, !llvm.ptr<1>
      %q1 = llvm.getelementptr %q[2048] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v1, %q1 : vector<4xi32>, !llvm.ptr<1>
      %q2 = llvm.getelementptr %q[4096] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v2, %q2 : vector<4xi32>, !llvm.ptr<1>
      %q3 = llvm.getelementptr %q[6144] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v3, %q3 : vector<4xi32>, !llvm.ptr<1>
      %q4 = llvm.getelementptr %q[8192] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v4, %q4 : vector<4xi32>, !llvm.ptr<1>
      %q5 = llvm.getelementptr %q[10240] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v5, %q5 : vector<4xi32>, !llvm.ptr<1>
      %q6 = llvm.getelementptr %q[12288] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v6, %q6 : vector<4xi32>, !llvm.ptr<1>
      %q7 = llvm.getelementptr %q[14336] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v7, %q7 : vector<4xi32>, !llvm.ptr<1>
      %q8 = llvm.getelementptr %q[16384] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v8, %q8 : vector<4xi32>, !llvm.ptr<1>
      %q9 = llvm.getelementptr %q[18432] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v9, %q9 : vector<4xi32>, !llvm.ptr<1>
      %q10 = llvm.getelementptr %q[20480] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v10, %q10 : vector<4xi32>, !llvm.ptr<1>
      %q11 = llvm.getelementptr %q[22528] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v11, %q11 : vector<4xi32>, !llvm.ptr<1>
      %q12 = llvm.getelementptr %q[24576] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v12, %q12 : vector<4xi32>, !llvm.ptr<1>
      %q13 = llvm.getelementptr %q[26624] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v13, %q13 : vector<4xi32>, !llvm.ptr<1>
      %q14 = llvm.getelementptr %q[28672] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v14, %q14 : vector<4xi32>, !llvm.ptr<1>
      %q15 = llvm.getelementptr %q[30720] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v15, %q15 : vector<4xi32>, !llvm.ptr<1>
      llvm.return
    }

    // Of a larger block.
    // CHECK-LABEL: .entry large(
    // CHECK: .minnctapersm 1
    llvm.func @large(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256>, nvvm.minctasm = 1 : i32} {
      %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v0 = llvm.load volatile %p0 : !llvm.ptr<1> -> vector<4xi32>
      %p1 = llvm.getelementptr %p[2048] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v1 = llvm.load volatile %p1 : !llvm.ptr<1> -> vector<4xi32>
      %p2 = llvm.getelementptr %p[4096] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v2 = llvm.load volatile %p2 : !llvm.ptr<1> -> vector<4xi32>
      %p3 = llvm.getelementptr %p[6144] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v3 = llvm.load volatile %p3 : !llvm.ptr<1> -> vector<4xi32>
      %q0 = llvm.getelementptr %q[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v0, %q0 : vector<4xi32>, !llvm.ptr<1>
      %q1 = llvm.getelementptr %q[2048] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v1, %q1 : vector<4xi32>, !llvm.ptr<1>
      %q2 = llvm.getelementptr %q[4096] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v2, %q2 : vector<4xi32>, !llvm.ptr<1>
      %q3 = llvm.getelementptr %q[6144] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v3, %q3 : vector<4xi32>, !llvm.ptr<1>
      llvm.return
    }

    // As asked for.
    // CHECK-LABEL: .entry asked(
    // CHECK: .minnctapersm 3
    llvm.func @asked(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.minctasm = 3 : i32} {
      %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v0 = llvm.load volatile %p0 : !llvm.ptr<1> -> vector<4xi32>
      %p1 = llvm.getelementptr %p[2048] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v1 = llvm.load volatile %p1 : !llvm.ptr<1> -> vector<4xi32>
      %p2 = llvm.getelementptr %p[4096] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v2 = llvm.load volatile %p2 : !llvm.ptr<1> -> vector<4xi32>
      %p3 = llvm.getelementptr %p[6144] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v3 = llvm.load volatile %p3 : !llvm.ptr<1> -> vector<4xi32>
      %q0 = llvm.getelementptr %q[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v0, %q0 : vector<4xi32>, !llvm.ptr<1>
      %q1 = llvm.getelementptr %q[2048] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v1, %q1 : vector<4xi32>, !llvm.ptr<1>
      %q2 = llvm.getelementptr %q[4096] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v2, %q2 : vector<4xi32>, !llvm.ptr<1>
      %q3 = llvm.getelementptr %q[6144] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v3, %q3 : vector<4xi32>, !llvm.ptr<1>
      llvm.return
    }

    // In a loop registers are what loads of other rounds are under way by.
    // CHECK-LABEL: .entry rounds(
    // CHECK: .minnctapersm 1
    llvm.func @rounds(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.minctasm = 1 : i32} {
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      llvm.br ^loop(%zero : i32)
    ^loop(%i: i32):
      %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v0 = llvm.load volatile %p0 : !llvm.ptr<1> -> vector<4xi32>
      %p1 = llvm.getelementptr %p[2048] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v1 = llvm.load volatile %p1 : !llvm.ptr<1> -> vector<4xi32>
      %p2 = llvm.getelementptr %p[4096] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v2 = llvm.load volatile %p2 : !llvm.ptr<1> -> vector<4xi32>
      %p3 = llvm.getelementptr %p[6144] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v3 = llvm.load volatile %p3 : !llvm.ptr<1> -> vector<4xi32>
      %q0 = llvm.getelementptr %q[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v0, %q0 : vector<4xi32>, !llvm.ptr<1>
      %q1 = llvm.getelementptr %q[2048] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v1, %q1 : vector<4xi32>, !llvm.ptr<1>
      %q2 = llvm.getelementptr %q[4096] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v2, %q2 : vector<4xi32>, !llvm.ptr<1>
      %q3 = llvm.getelementptr %q[6144] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store volatile %v3, %q3 : vector<4xi32>, !llvm.ptr<1>
      %j = llvm.add %i, %one : i32
      %more = llvm.icmp "slt" %j, %n : i32
      llvm.cond_br %more, ^loop(%j : i32), ^end
    ^end:
      llvm.return
    }
  }
}
