// A loop that copies a round ahead asks once whether there is another one (CountRounds.h).
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_120 %s | FileCheck %s

module {
  gpu.module @kernels {
    // CHECK-LABEL: .visible .entry ahead(
    // CHECK-NOT: add.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, -1;
    // CHECK: setp.ne.b32 %p{{[0-9]+}}, [[NEXT:%r[0-9]+]], [[ROUNDS:%r[0-9]+]];
    // CHECK: add.s32 [[NEXT]], %r{{[0-9]+}}, 1;
    // CHECK-NEXT: setp.eq.b32 %p{{[0-9]+}}, [[NEXT]], [[ROUNDS]];
    // CHECK: shl.b32 [[AT:%r[0-9]+]], [[NEXT]], 6;
    // CHECK: prefetch.global.L2 {{\[}}[[AT]]];
    // CHECK: ret;
    llvm.func @ahead(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c6 = llvm.mlir.constant(6 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      %minus = llvm.mlir.constant(-1 : i32) : i32
      %rounds = llvm.intr.smax(%n, %c0) : (i32, i32) -> i32
      %last = llvm.add %rounds, %minus overflow<nsw> : i32
      %any = llvm.icmp "sgt" %n, %c0 : i32
      llvm.cond_br %any, ^loop(%c0 : i32), ^end
    ^loop(%i: i32):
      llvm.inline_asm has_side_effects "bar.warp.sync -1;", "" : () -> ()
      %more = llvm.icmp "slt" %i, %last : i32
      llvm.cond_br %more, ^ahead, ^now
    ^ahead:
      %scaled = llvm.shl %i, %c6 : i32
      %at = llvm.add %scaled, %c64 : i32
      llvm.inline_asm has_side_effects "prefetch.global.L2 [$0];", "r" %at : (i32) -> ()
      llvm.br ^now
    ^now:
      %place = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      llvm.store volatile %i, %place : i32, !llvm.ptr<1>
      %next = llvm.add %i, %c1 overflow<nsw> : i32
      %done = llvm.icmp "eq" %next, %n : i32
      llvm.cond_br %done, ^end, ^loop(%next : i32)
    ^end:
      llvm.return
    }

    // Two rounds ahead: n - 2 is not alive beside n. Not where nobody else has counted so far ahead.
    // CHECK-LABEL: .visible .entry two(
    // CHECK-NOT: add.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, -2;
    // CHECK: setp.ne.b32 %p{{[0-9]+}}, %r{{[0-9]+}}, [[N:%r[0-9]+]];
    // CHECK: add.s32 [[TWO:%r[0-9]+]], %r{{[0-9]+}}, 2;
    // CHECK-NEXT: setp.ge.u32 %p{{[0-9]+}}, [[TWO]], [[N]];
    // CHECK: prefetch.global.L2 {{\[}}[[TWO]]];
    // CHECK: ret;
    // CHECK-LABEL: .visible .entry three(
    // CHECK: add.s32 [[LAST:%r[0-9]+]], %r{{[0-9]+}}, -3;
    // CHECK: setp.ge.s32 %p{{[0-9]+}}, %r{{[0-9]+}}, [[LAST]];
    // CHECK: ret;
    llvm.func @two(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c2 = llvm.mlir.constant(2 : i32) : i32
      %minus = llvm.mlir.constant(-2 : i32) : i32
      %rounds = llvm.intr.smax(%n, %c0) : (i32, i32) -> i32
      %last = llvm.add %rounds, %minus overflow<nsw> : i32
      %any = llvm.icmp "sgt" %n, %c0 : i32
      llvm.cond_br %any, ^loop(%c0 : i32), ^end
    ^loop(%i: i32):
      %more = llvm.icmp "slt" %i, %last : i32
      llvm.cond_br %more, ^ahead, ^now
    ^ahead:
      %at = llvm.add %i, %c2 : i32
      llvm.inline_asm has_side_effects "prefetch.global.L2 [$0];", "r" %at : (i32) -> ()
      llvm.br ^now
    ^now:
      %place = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      llvm.store volatile %i, %place : i32, !llvm.ptr<1>
      %next = llvm.add %i, %c1 overflow<nsw> : i32
      %done = llvm.icmp "eq" %next, %n : i32
      llvm.cond_br %done, ^end, ^loop(%next : i32)
    ^end:
      llvm.return
    }
    llvm.func @three(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c2 = llvm.mlir.constant(5 : i32) : i32
      %minus = llvm.mlir.constant(-3 : i32) : i32
      %rounds = llvm.intr.smax(%n, %c0) : (i32, i32) -> i32
      %last = llvm.add %rounds, %minus overflow<nsw> : i32
      %any = llvm.icmp "sgt" %n, %c0 : i32
      llvm.cond_br %any, ^loop(%c0 : i32), ^end
    ^loop(%i: i32):
      %more = llvm.icmp "slt" %i, %last : i32
      llvm.cond_br %more, ^ahead, ^now
    ^ahead:
      %at = llvm.add %i, %c2 : i32
      llvm.inline_asm has_side_effects "prefetch.global.L2 [$0];", "r" %at : (i32) -> ()
      llvm.br ^now
    ^now:
      %place = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      llvm.store volatile %i, %place : i32, !llvm.ptr<1>
      %next = llvm.add %i, %c1 overflow<nsw> : i32
      %done = llvm.icmp "eq" %next, %n : i32
      llvm.cond_br %done, ^end, ^loop(%next : i32)
    ^end:
      llvm.return
    }

    // Rounds of which nobody knows that they end at the same number stay as they are.
    // CHECK-LABEL: .visible .entry other(
    // CHECK: add.s32 [[LAST:%r[0-9]+]], %r{{[0-9]+}}, -1;
    // CHECK: setp.ge.s32 %p{{[0-9]+}}, %r{{[0-9]+}}, [[LAST]];
    // CHECK: ret;
    llvm.func @other(%p: !llvm.ptr<1>, %n: i32, %m: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %minus = llvm.mlir.constant(-1 : i32) : i32
      %last = llvm.add %m, %minus overflow<nsw> : i32
      %any = llvm.icmp "sgt" %n, %c0 : i32
      llvm.cond_br %any, ^loop(%c0 : i32), ^end
    ^loop(%i: i32):
      %more = llvm.icmp "slt" %i, %last : i32
      llvm.cond_br %more, ^ahead, ^now
    ^ahead:
      llvm.inline_asm has_side_effects "prefetch.global.L2 [$0];", "r" %i : (i32) -> ()
      llvm.br ^now
    ^now:
      %place = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      llvm.store volatile %i, %place : i32, !llvm.ptr<1>
      %next = llvm.add %i, %c1 overflow<nsw> : i32
      %done = llvm.icmp "eq" %next, %n : i32
      llvm.cond_br %done, ^end, ^loop(%next : i32)
    ^end:
      llvm.return
    }
  }
}
