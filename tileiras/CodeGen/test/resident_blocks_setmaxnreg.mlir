// A kernel whose warps hand on registers keeps the number that they were counted for (ResidentBlocks.h).
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_90 %s | FileCheck %s --check-prefix=HANDS

module {
  gpu.module @kernels {
    llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<49152 x i8>

    // Warps that hand registers on have counted those that a block begins with.
    // HANDS: .entry hands_on(
    // HANDS: .minnctapersm 1
    llvm.func @hands_on(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256>, nvvm.minctasm = 1 : i32} {
      nvvm.setmaxregister decrease 208
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %f = llvm.mlir.constant(0.0 : f32) : f32
      %base = llvm.mlir.addressof @tile : !llvm.ptr<3>
      llvm.br ^loop(%zero, %f : i32, f32)
    ^loop(%i: i32, %sum: f32):
      nvvm.barrier
      %w = llvm.load volatile %base : !llvm.ptr<3> -> i32
      %d = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k4.row.col.tf32"(%w, %w, %w, %sum, %sum, %sum, %sum) : (i32, i32, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      %next = llvm.extractvalue %d[0] : !llvm.struct<(f32, f32, f32, f32)>
      %j = llvm.add %i, %one : i32
      %more = llvm.icmp "slt" %j, %n : i32
      llvm.cond_br %more, ^loop(%j, %next : i32, f32), ^end
    ^end:
      llvm.store %next, %p : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}
