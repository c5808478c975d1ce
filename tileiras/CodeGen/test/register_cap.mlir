// Loops of mma.sync get no more registers than they need (RegisterCap.h).
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_80 %s | FileCheck %s
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_120 %s | FileCheck %s

module {
  gpu.module @kernels {
    llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4096 x i8>

    // CHECK-LABEL: .entry multiplies(
    // CHECK: .minnctapersm 1
    // CHECK-NEXT: .maxnreg 64
    llvm.func @multiplies(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.minctasm = 1 : i32} {
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

    // What somebody asked for stays.
    // CHECK-LABEL: .entry asked(
    // CHECK: .maxnreg 128
    // CHECK-NOT: .maxnreg 64
    llvm.func @asked(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.minctasm = 4 : i32, nvvm.maxnreg = 128 : i32} {
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

    // Eight blocks of four warps leave 64 registers anyway.
    // CHECK-LABEL: .entry many(
    // CHECK: .minnctapersm 8
    // CHECK-NOT: .maxnreg
    llvm.func @many(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.minctasm = 8 : i32} {
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

    // Without products ptxas weighs registers against blocks itself.
    // CHECK-LABEL: .entry adds(
    // CHECK-NOT: .maxnreg
    llvm.func @adds(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.minctasm = 1 : i32} {
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %f = llvm.mlir.constant(0.0 : f32) : f32
      %base = llvm.mlir.addressof @tile : !llvm.ptr<3>
      llvm.br ^loop(%zero, %f : i32, f32)
    ^loop(%i: i32, %sum: f32):
      %w = llvm.load volatile %base : !llvm.ptr<3> -> i32
      %v = llvm.bitcast %w : i32 to f32
      %next = llvm.fadd %sum, %v : f32
      %j = llvm.add %i, %one : i32
      %more = llvm.icmp "slt" %j, %n : i32
      llvm.cond_br %more, ^loop(%j, %next : i32, f32), ^end
    ^end:
      llvm.store %next, %p : f32, !llvm.ptr<1>
      llvm.return
    }

    // A division of f64 is a function inside ptxas, with registers of its own.
    // CHECK-LABEL: .entry divides(
    // CHECK-NOT: .maxnreg
    // CHECK: div.rn.f64
    llvm.func @divides(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.minctasm = 1 : i32} {
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %f = llvm.mlir.constant(0.0 : f32) : f32
      %base = llvm.mlir.addressof @tile : !llvm.ptr<3>
      llvm.br ^loop(%zero, %f : i32, f32)
    ^loop(%i: i32, %sum: f32):
      %w = llvm.load volatile %base : !llvm.ptr<3> -> i32
      %d = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k4.row.col.tf32"(%w, %w, %w, %sum, %sum, %sum, %sum) : (i32, i32, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      %next = llvm.extractvalue %d[0] : !llvm.struct<(f32, f32, f32, f32)>
      %x = llvm.load volatile %p : !llvm.ptr<1> -> f64
      %y = llvm.fdiv %x, %x : f64
      llvm.store volatile %y, %p : f64, !llvm.ptr<1>
      %j = llvm.add %i, %one : i32
      %more = llvm.icmp "slt" %j, %n : i32
      llvm.cond_br %more, ^loop(%j, %next : i32, f32), ^end
    ^end:
      llvm.store %next, %p : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}
