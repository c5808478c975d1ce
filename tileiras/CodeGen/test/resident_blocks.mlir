// Registers for a second block on a multiprocessor (ResidentBlocks.h).
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_80 %s | FileCheck %s
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_89 %s | FileCheck %s --check-prefix=ADA

module {
  gpu.module @kernels {
    llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<49152 x i8>

    // Eight warps that meet between products, and 48 KiB.
    // CHECK-LABEL: .entry meets(
    // CHECK: .reqntid 256
    // CHECK: .minnctapersm 2
    // Ada has 100 KiB of shared memory on a multiprocessor, Ampere 164.
    // ADA-LABEL: .entry meets(
    // ADA: .minnctapersm 2
    llvm.func @meets(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256>, nvvm.minctasm = 1 : i32} {
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

    // Four: others are beside them anyway.
    // CHECK-LABEL: .entry small(
    // CHECK: .minnctapersm 1
    llvm.func @small(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.minctasm = 1 : i32} {
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

    // Nobody waits.
    // CHECK-LABEL: .entry apart(
    // CHECK: .minnctapersm 1
    llvm.func @apart(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256>, nvvm.minctasm = 1 : i32} {
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %f = llvm.mlir.constant(0.0 : f32) : f32
      %base = llvm.mlir.addressof @tile : !llvm.ptr<3>
      llvm.br ^loop(%zero, %f : i32, f32)
    ^loop(%i: i32, %sum: f32):
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

    // Asked for.
    // CHECK-LABEL: .entry asked(
    // CHECK: .minnctapersm 3
    llvm.func @asked(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256>, nvvm.minctasm = 3 : i32} {
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
