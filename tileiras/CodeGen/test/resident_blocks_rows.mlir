// Where no matrices are multiplied ptxas decides how many blocks are worth the registers (ResidentBlocks.h).
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_80 %s | FileCheck %s
// Forty-eight warps have registers for as many blocks as there is room for.
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_120 %s | FileCheck %s --check-prefix=FEWER
// FEWER-LABEL: .entry rows(
// FEWER: .minnctapersm 1

module {
  gpu.module @kernels {
    // No products, and more registers than would let all warps in: ptxas weighs them against blocks by itself.
    // CHECK-LABEL: .entry rows(
    // CHECK: .reqntid 256
    // CHECK-NOT: .minnctapersm
    // CHECK: ret
    llvm.func @rows(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256>, nvvm.minctasm = 1 : i32} {
      %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x0 = llvm.load volatile %p0 : !llvm.ptr<1> -> f32
      %p1 = llvm.getelementptr %p[256] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x1 = llvm.load volatile %p1 : !llvm.ptr<1> -> f32
      %p2 = llvm.getelementptr %p[512] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x2 = llvm.load volatile %p2 : !llvm.ptr<1> -> f32
      %p3 = llvm.getelementptr %p[768] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x3 = llvm.load volatile %p3 : !llvm.ptr<1> -> f32
      %p4 = llvm.getelementptr %p[1024] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x4 = llvm.load volatile %p4 : !llvm.ptr<1> -> f32
      %p5 = llvm.getelementptr %p[1280] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x5 = llvm.load volatile %p5 : !llvm.ptr<1> -> f32
      %p6 = llvm.getelementptr %p[1536] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x6 = llvm.load volatile %p6 : !llvm.ptr<1> -> f32
      %p7 = llvm.getelementptr %p[1792] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x7 = llvm.load volatile %p7 : !llvm.ptr<1> -> f32
      %p8 = llvm.getelementptr %p[2048] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x8 = llvm.load volatile %p8 : !llvm.ptr<1> -> f32
      %p9 = llvm.getelementptr %p[2304] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x9 = llvm.load volatile %p9 : !llvm.ptr<1> -> f32
      %p10 = llvm.getelementptr %p[2560] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x10 = llvm.load volatile %p10 : !llvm.ptr<1> -> f32
      %p11 = llvm.getelementptr %p[2816] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x11 = llvm.load volatile %p11 : !llvm.ptr<1> -> f32
      %p12 = llvm.getelementptr %p[3072] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x12 = llvm.load volatile %p12 : !llvm.ptr<1> -> f32
      %p13 = llvm.getelementptr %p[3328] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x13 = llvm.load volatile %p13 : !llvm.ptr<1> -> f32
      %p14 = llvm.getelementptr %p[3584] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x14 = llvm.load volatile %p14 : !llvm.ptr<1> -> f32
      %p15 = llvm.getelementptr %p[3840] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x15 = llvm.load volatile %p15 : !llvm.ptr<1> -> f32
      %p16 = llvm.getelementptr %p[4096] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x16 = llvm.load volatile %p16 : !llvm.ptr<1> -> f32
      %p17 = llvm.getelementptr %p[4352] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x17 = llvm.load volatile %p17 : !llvm.ptr<1> -> f32
      %p18 = llvm.getelementptr %p[4608] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x18 = llvm.load volatile %p18 : !llvm.ptr<1> -> f32
      %p19 = llvm.getelementptr %p[4864] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x19 = llvm.load volatile %p19 : !llvm.ptr<1> -> f32
      %y1 = llvm.fadd %x0, %x19 : f32
      %y2 = llvm.fadd %y1, %x18 : f32
      %y3 = llvm.fadd %y2, %x17 : f32
      %y4 = llvm.fadd %y3, %x16 : f32
      %y5 = llvm.fadd %y4, %x15 : f32
      %y6 = llvm.fadd %y5, %x14 : f32
      %y7 = llvm.fadd %y6, %x13 : f32
      %y8 = llvm.fadd %y7, %x12 : f32
      %y9 = llvm.fadd %y8, %x11 : f32
      %y10 = llvm.fadd %y9, %x10 : f32
      %y11 = llvm.fadd %y10, %x9 : f32
      %y12 = llvm.fadd %y11, %x8 : f32
      %y13 = llvm.fadd %y12, %x7 : f32
      %y14 = llvm.fadd %y13, %x6 : f32
      %y15 = llvm.fadd %y14, %x5 : f32
      %y16 = llvm.fadd %y15, %x4 : f32
      %y17 = llvm.fadd %y16, %x3 : f32
      %y18 = llvm.fadd %y17, %x2 : f32
      %y19 = llvm.fadd %y18, %x1 : f32
      llvm.store volatile %y1, %p1 : f32, !llvm.ptr<1>
      llvm.store volatile %y2, %p2 : f32, !llvm.ptr<1>
      llvm.store volatile %y3, %p3 : f32, !llvm.ptr<1>
      llvm.store volatile %y4, %p4 : f32, !llvm.ptr<1>
      llvm.store volatile %y5, %p5 : f32, !llvm.ptr<1>
      llvm.store volatile %y6, %p6 : f32, !llvm.ptr<1>
      llvm.store volatile %y7, %p7 : f32, !llvm.ptr<1>
      llvm.store volatile %y8, %p8 : f32, !llvm.ptr<1>
      llvm.store volatile %y9, %p9 : f32, !llvm.ptr<1>
      llvm.store volatile %y10, %p10 : f32, !llvm.ptr<1>
      llvm.store volatile %y11, %p11 : f32, !llvm.ptr<1>
      llvm.store volatile %y12, %p12 : f32, !llvm.ptr<1>
      llvm.store volatile %y13, %p13 : f32, !llvm.ptr<1>
      llvm.store volatile %y14, %p14 : f32, !llvm.ptr<1>
      llvm.store volatile %y15, %p15 : f32, !llvm.ptr<1>
      llvm.store volatile %y16, %p16 : f32, !llvm.ptr<1>
      llvm.store volatile %y17, %p17 : f32, !llvm.ptr<1>
      llvm.store volatile %y18, %p18 : f32, !llvm.ptr<1>
      llvm.store volatile %y19, %p19 : f32, !llvm.ptr<1>
      llvm.return
    }
    // As many, and more accesses with predicates of their own than the estimate can leave out: seven predicates, and registers for the others.
    // CHECK-LABEL: .entry guarded(
    // CHECK: .minnctapersm 1
    llvm.func @guarded(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256>, nvvm.minctasm = 1 : i32} {
      %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x0 = llvm.load volatile %p0 : !llvm.ptr<1> -> f32
      %p1 = llvm.getelementptr %p[256] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x1 = llvm.load volatile %p1 : !llvm.ptr<1> -> f32
      %p2 = llvm.getelementptr %p[512] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x2 = llvm.load volatile %p2 : !llvm.ptr<1> -> f32
      %p3 = llvm.getelementptr %p[768] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x3 = llvm.load volatile %p3 : !llvm.ptr<1> -> f32
      %p4 = llvm.getelementptr %p[1024] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x4 = llvm.load volatile %p4 : !llvm.ptr<1> -> f32
      %p5 = llvm.getelementptr %p[1280] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x5 = llvm.load volatile %p5 : !llvm.ptr<1> -> f32
      %p6 = llvm.getelementptr %p[1536] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x6 = llvm.load volatile %p6 : !llvm.ptr<1> -> f32
      %p7 = llvm.getelementptr %p[1792] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x7 = llvm.load volatile %p7 : !llvm.ptr<1> -> f32
      %p8 = llvm.getelementptr %p[2048] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x8 = llvm.load volatile %p8 : !llvm.ptr<1> -> f32
      %p9 = llvm.getelementptr %p[2304] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x9 = llvm.load volatile %p9 : !llvm.ptr<1> -> f32
      %p10 = llvm.getelementptr %p[2560] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x10 = llvm.load volatile %p10 : !llvm.ptr<1> -> f32
      %p11 = llvm.getelementptr %p[2816] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x11 = llvm.load volatile %p11 : !llvm.ptr<1> -> f32
      %p12 = llvm.getelementptr %p[3072] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x12 = llvm.load volatile %p12 : !llvm.ptr<1> -> f32
      %p13 = llvm.getelementptr %p[3328] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x13 = llvm.load volatile %p13 : !llvm.ptr<1> -> f32
      %p14 = llvm.getelementptr %p[3584] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x14 = llvm.load volatile %p14 : !llvm.ptr<1> -> f32
      %p15 = llvm.getelementptr %p[3840] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x15 = llvm.load volatile %p15 : !llvm.ptr<1> -> f32
      %p16 = llvm.getelementptr %p[4096] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x16 = llvm.load volatile %p16 : !llvm.ptr<1> -> f32
      %p17 = llvm.getelementptr %p[4352] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x17 = llvm.load volatile %p17 : !llvm.ptr<1> -> f32
      %p18 = llvm.getelementptr %p[4608] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x18 = llvm.load volatile %p18 : !llvm.ptr<1> -> f32
      %p19 = llvm.getelementptr %p[4864] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %x19 = llvm.load volatile %p19 : !llvm.ptr<1> -> f32
      %y1 = llvm.fadd %x0, %x19 : f32
      %y2 = llvm.fadd %y1, %x18 : f32
      %y3 = llvm.fadd %y2, %x17 : f32
      %y4 = llvm.fadd %y3, %x16 : f32
      %y5 = llvm.fadd %y4, %x15 : f32
      %y6 = llvm.fadd %y5, %x14 : f32
      %y7 = llvm.fadd %y6, %x13 : f32
      %y8 = llvm.fadd %y7, %x12 : f32
      %y9 = llvm.fadd %y8, %x11 : f32
      %y10 = llvm.fadd %y9, %x10 : f32
      %y11 = llvm.fadd %y10, %x9 : f32
      %y12 = llvm.fadd %y11, %x8 : f32
      %y13 = llvm.fadd %y12, %x7 : f32
      %y14 = llvm.fadd %y13, %x6 : f32
      %y15 = llvm.fadd %y14, %x5 : f32
      %y16 = llvm.fadd %y15, %x4 : f32
      %y17 = llvm.fadd %y16, %x3 : f32
      %y18 = llvm.fadd %y17, %x2 : f32
      %y19 = llvm.fadd %y18, %x1 : f32
      llvm.store volatile %y1, %p1 : f32, !llvm.ptr<1>
      llvm.store volatile %y2, %p2 : f32, !llvm.ptr<1>
      llvm.store volatile %y3, %p3 : f32, !llvm.ptr<1>
      llvm.store volatile %y4, %p4 : f32, !llvm.ptr<1>
      llvm.store volatile %y5, %p5 : f32, !llvm.ptr<1>
      llvm.store volatile %y6, %p6 : f32, !llvm.ptr<1>
      llvm.store volatile %y7, %p7 : f32, !llvm.ptr<1>
      llvm.store volatile %y8, %p8 : f32, !llvm.ptr<1>
      llvm.store volatile %y9, %p9 : f32, !llvm.ptr<1>
      llvm.store volatile %y10, %p10 : f32, !llvm.ptr<1>
      llvm.store volatile %y11, %p11 : f32, !llvm.ptr<1>
      llvm.store volatile %y12, %p12 : f32, !llvm.ptr<1>
      llvm.store volatile %y13, %p13 : f32, !llvm.ptr<1>
      llvm.store volatile %y14, %p14 : f32, !llvm.ptr<1>
      llvm.store volatile %y15, %p15 : f32, !llvm.ptr<1>
      llvm.store volatile %y16, %p16 : f32, !llvm.ptr<1>
      llvm.store volatile %y17, %p17 : f32, !llvm.ptr<1>
      llvm.store volatile %y18, %p18 : f32, !llvm.ptr<1>
      llvm.store volatile %y19, %p19 : f32, !llvm.ptr<1>
      %some = llvm.fcmp "olt" %y1, %y2 : f32
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p0, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p1, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p2, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p3, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p4, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p5, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p6, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p7, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p8, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p9, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p10, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p11, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p12, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p13, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p14, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p15, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p16, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p17, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p18, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p19, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p0, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p1, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p2, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p3, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p4, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p5, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p6, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p7, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p8, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p9, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p10, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p11, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.inline_asm has_side_effects "@$1 st.volatile.global.b32 [$0], 0;", "l,b" %p12, %some : (!llvm.ptr<1>, i1) -> ()
      llvm.return
    }

    // Few: all warps have room anyway.
    // CHECK-LABEL: .entry few(
    // CHECK: .minnctapersm 1
    llvm.func @few(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256>, nvvm.minctasm = 1 : i32} {
      %x = llvm.load %p : !llvm.ptr<1> -> f32
      %y = llvm.fadd %x, %x : f32
      llvm.store %y, %p : f32, !llvm.ptr<1>
      llvm.return
    }

    // Unless somebody has asked for blocks, or products are the text of assembly.
    // CHECK-LABEL: .entry rows_asked(
    // CHECK: .minnctapersm 2
    llvm.func @rows_asked(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256>, nvvm.minctasm = 2 : i32} {
      %x = llvm.load %p : !llvm.ptr<1> -> f32
      llvm.store %x, %p : f32, !llvm.ptr<1>
      llvm.return
    }
    // CHECK-LABEL: .entry text(
    // CHECK: .minnctapersm 1
    llvm.func @text(%p: !llvm.ptr<1>, %w: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256>, nvvm.minctasm = 1 : i32} {
      %d = llvm.inline_asm has_side_effects "mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32 {$0, $1}, {$2}, {$2}, {$2, $2};", "=r,=r,r" %w : (i32) -> !llvm.struct<(i32, i32)>
      %x = llvm.extractvalue %d[0] : !llvm.struct<(i32, i32)>
      llvm.store %x, %p : i32, !llvm.ptr<1>
      llvm.return
    }
  }
}
