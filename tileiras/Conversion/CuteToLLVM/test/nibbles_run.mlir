// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mma.sync of 4-bit integers by execution, signed or not on either side, words where the PTX ISA ("Matrix fragments for mma.m16n8k64" and
// "m16n8k32" with .u4/.s4) has them. Which element is where: fragments of the atoms, element by element.
// RUN: %python %S/Inputs/nibble_fragments.py tileiras-layout %S/Inputs/nibble_atoms.mlir
// RUN: tileiras-run %S/Inputs/nibbles.mlir --entry=long_ss --engine=reference 'a:i8[16x64]=random(seed=1)' 'b:i8[8x64]=random(seed=2)' 'out:c:i32[16x8]' --dump=c=%t.ss.npy
// RUN: tileiras-run %s --entry=long_ss --gpu-name=sm_80 --engine=emulator --check-races --block=32 'a:i8[16x64]=random(seed=1)' 'b:i8[8x64]=random(seed=2)' 'out:c:i32[16x8]{expect=%t.ss.npy}'
// RUN: tileiras-run %S/Inputs/nibbles.mlir --entry=long_su --engine=reference 'a:i8[16x64]=random(seed=3)' 'b:i8[8x64]=random(seed=4)' 'out:c:i32[16x8]' --dump=c=%t.su.npy
// RUN: tileiras-run %s --entry=long_su --gpu-name=sm_89 --engine=emulator --check-races --block=32 'a:i8[16x64]=random(seed=3)' 'b:i8[8x64]=random(seed=4)' 'out:c:i32[16x8]{expect=%t.su.npy}'
// RUN: tileiras-run %S/Inputs/nibbles.mlir --entry=long_us --engine=reference 'a:i8[16x64]=random(seed=5)' 'b:i8[8x64]=random(seed=6)' 'out:c:i32[16x8]' --dump=c=%t.us.npy
// RUN: tileiras-run %s --entry=long_us --gpu-name=sm_86 --engine=emulator --check-races --block=32 'a:i8[16x64]=random(seed=5)' 'b:i8[8x64]=random(seed=6)' 'out:c:i32[16x8]{expect=%t.us.npy}'
// RUN: tileiras-run %S/Inputs/nibbles.mlir --entry=long_uu --engine=reference 'a:i8[16x64]=random(seed=7)' 'b:i8[8x64]=random(seed=8)' 'out:c:i32[16x8]' --dump=c=%t.uu.npy
// RUN: tileiras-run %s --entry=long_uu --gpu-name=sm_89 --engine=emulator --check-races --block=32 'a:i8[16x64]=random(seed=7)' 'b:i8[8x64]=random(seed=8)' 'out:c:i32[16x8]{expect=%t.uu.npy}'
// RUN: tileiras-run %S/Inputs/nibbles.mlir --entry=short_us --engine=reference 'a:i8[16x16]=random(seed=9)' 'b:i8[8x16]=random(seed=10)' 'out:c:i32[16x8]' --dump=c=%t.short.npy
// RUN: tileiras-run %s --entry=short_us --gpu-name=sm_90 --engine=emulator --check-races --block=32 'a:i8[16x16]=random(seed=9)' 'b:i8[8x16]=random(seed=10)' 'out:c:i32[16x8]{expect=%t.short.npy}'
// RUN: tileiras --gpu-name=sm_80 --emit=ptx %s | FileCheck %s
// CHECK: mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32
// CHECK: mma.sync.aligned.m16n8k64.row.col.s32.s4.u4.s32
// CHECK: mma.sync.aligned.m16n8k64.row.col.s32.u4.s4.s32
// CHECK: mma.sync.aligned.m16n8k64.row.col.s32.u4.u4.s32
// CHECK: mma.sync.aligned.m16n8k32.row.col.s32.u4.s4.s32
// Another order of the words is another product.
// RUN: sed 's/(%u0w0, %l0w0, %u1w0, %l1w0)/(%u0w0, %u1w0, %l0w0, %l1w0)/' %s > %t.turned.mlir
// RUN: not tileiras-run %t.turned.mlir --entry=long_ss --gpu-name=sm_80 --engine=emulator --block=32 'a:i8[16x64]=random(seed=1)' 'b:i8[8x64]=random(seed=2)' 'out:c:i32[16x8]{expect=%t.ss.npy}'

gpu.module @kernels {
  gpu.func @long_ss(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) kernel {
    %tx = gpu.thread_id x
    %lane = arith.index_cast %tx : index to i32
    %zero = arith.constant 0 : i32
    %i2 = arith.constant 2 : i32
    %i3 = arith.constant 3 : i32
    %i8 = arith.constant 8 : i32
    %row = arith.constant 16 : i32
    %g = arith.shrui %lane, %i2 : i32
    %t = arith.andi %lane, %i3 : i32
    %h = arith.addi %g, %i8 : i32
    %gr = arith.muli %g, %row : i32
    %hr = arith.muli %h, %row : i32
    %upper = arith.addi %gr, %t : i32
    %lower = arith.addi %hr, %t : i32
    %pu = llvm.getelementptr %a[%upper] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %pl = llvm.getelementptr %a[%lower] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %pb = llvm.getelementptr %b[%upper] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %u0p0 = llvm.getelementptr %pu[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %u0w0 = llvm.load %u0p0 : !llvm.ptr<1> -> i32
    %l0p0 = llvm.getelementptr %pl[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %l0w0 = llvm.load %l0p0 : !llvm.ptr<1> -> i32
    %b0p0 = llvm.getelementptr %pb[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %b0w0 = llvm.load %b0p0 : !llvm.ptr<1> -> i32
    %u1p0 = llvm.getelementptr %pu[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %u1w0 = llvm.load %u1p0 : !llvm.ptr<1> -> i32
    %l1p0 = llvm.getelementptr %pl[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %l1w0 = llvm.load %l1p0 : !llvm.ptr<1> -> i32
    %b1p0 = llvm.getelementptr %pb[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %b1w0 = llvm.load %b1p0 : !llvm.ptr<1> -> i32
    %d0:4 = cute_nvgpu.arch.mma.SM80 !cute_nvgpu.sm80.mma<16x8x64, i4, i4, i32> (%u0w0, %l0w0, %u1w0, %l1w0) (%b0w0, %b1w0) (%zero, %zero, %zero, %zero) : i32, i32, i32, i32 -> i32, i32, i32, i32
    %u0p1 = llvm.getelementptr %pu[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %u0w1 = llvm.load %u0p1 : !llvm.ptr<1> -> i32
    %l0p1 = llvm.getelementptr %pl[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %l0w1 = llvm.load %l0p1 : !llvm.ptr<1> -> i32
    %b0p1 = llvm.getelementptr %pb[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %b0w1 = llvm.load %b0p1 : !llvm.ptr<1> -> i32
    %u1p1 = llvm.getelementptr %pu[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %u1w1 = llvm.load %u1p1 : !llvm.ptr<1> -> i32
    %l1p1 = llvm.getelementptr %pl[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %l1w1 = llvm.load %l1p1 : !llvm.ptr<1> -> i32
    %b1p1 = llvm.getelementptr %pb[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %b1w1 = llvm.load %b1p1 : !llvm.ptr<1> -> i32
    %d1:4 = cute_nvgpu.arch.mma.SM80 !cute_nvgpu.sm80.mma<16x8x64, i4, i4, i32> (%u0w1, %l0w1, %u1w1, %l1w1) (%b0w1, %b1w1) (%d0#0, %d0#1, %d0#2, %d0#3) : i32, i32, i32, i32 -> i32, i32, i32, i32
    %eight = arith.muli %g, %i8 : i32
    %twice = arith.muli %t, %i2 : i32
    %at = arith.addi %eight, %twice : i32
    %pc = llvm.getelementptr %c[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %c0 = llvm.getelementptr %pc[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %d1#0, %c0 : i32, !llvm.ptr<1>
    %c1 = llvm.getelementptr %pc[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %d1#1, %c1 : i32, !llvm.ptr<1>
    %c2 = llvm.getelementptr %pc[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %d1#2, %c2 : i32, !llvm.ptr<1>
    %c3 = llvm.getelementptr %pc[65] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %d1#3, %c3 : i32, !llvm.ptr<1>
    gpu.return
  }
  gpu.func @long_su(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) kernel {
    %tx = gpu.thread_id x
    %lane = arith.index_cast %tx : index to i32
    %zero = arith.constant 0 : i32
    %i2 = arith.constant 2 : i32
    %i3 = arith.constant 3 : i32
    %i8 = arith.constant 8 : i32
    %row = arith.constant 16 : i32
    %g = arith.shrui %lane, %i2 : i32
    %t = arith.andi %lane, %i3 : i32
    %h = arith.addi %g, %i8 : i32
    %gr = arith.muli %g, %row : i32
    %hr = arith.muli %h, %row : i32
    %upper = arith.addi %gr, %t : i32
    %lower = arith.addi %hr, %t : i32
    %pu = llvm.getelementptr %a[%upper] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %pl = llvm.getelementptr %a[%lower] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %pb = llvm.getelementptr %b[%upper] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %u0p0 = llvm.getelementptr %pu[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %u0w0 = llvm.load %u0p0 : !llvm.ptr<1> -> i32
    %l0p0 = llvm.getelementptr %pl[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %l0w0 = llvm.load %l0p0 : !llvm.ptr<1> -> i32
    %b0p0 = llvm.getelementptr %pb[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %b0w0 = llvm.load %b0p0 : !llvm.ptr<1> -> i32
    %u1p0 = llvm.getelementptr %pu[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %u1w0 = llvm.load %u1p0 : !llvm.ptr<1> -> i32
    %l1p0 = llvm.getelementptr %pl[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %l1w0 = llvm.load %l1p0 : !llvm.ptr<1> -> i32
    %b1p0 = llvm.getelementptr %pb[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %b1w0 = llvm.load %b1p0 : !llvm.ptr<1> -> i32
    %d0:4 = cute_nvgpu.arch.mma.SM80 !cute_nvgpu.sm80.mma<16x8x64, i4, ui4, i32> (%u0w0, %l0w0, %u1w0, %l1w0) (%b0w0, %b1w0) (%zero, %zero, %zero, %zero) : i32, i32, i32, i32 -> i32, i32, i32, i32
    %u0p1 = llvm.getelementptr %pu[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %u0w1 = llvm.load %u0p1 : !llvm.ptr<1> -> i32
    %l0p1 = llvm.getelementptr %pl[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %l0w1 = llvm.load %l0p1 : !llvm.ptr<1> -> i32
    %b0p1 = llvm.getelementptr %pb[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %b0w1 = llvm.load %b0p1 : !llvm.ptr<1> -> i32
    %u1p1 = llvm.getelementptr %pu[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %u1w1 = llvm.load %u1p1 : !llvm.ptr<1> -> i32
    %l1p1 = llvm.getelementptr %pl[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %l1w1 = llvm.load %l1p1 : !llvm.ptr<1> -> i32
    %b1p1 = llvm.getelementptr %pb[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %b1w1 = llvm.load %b1p1 : !llvm.ptr<1> -> i32
    %d1:4 = cute_nvgpu.arch.mma.SM80 !cute_nvgpu.sm80.mma<16x8x64, i4, ui4, i32> (%u0w1, %l0w1, %u1w1, %l1w1) (%b0w1, %b1w1) (%d0#0, %d0#1, %d0#2, %d0#3) : i32, i32, i32, i32 -> i32, i32, i32, i32
    %eight = arith.muli %g, %i8 : i32
    %twice = arith.muli %t, %i2 : i32
    %at = arith.addi %eight, %twice : i32
    %pc = llvm.getelementptr %c[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %c0 = llvm.getelementptr %pc[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %d1#0, %c0 : i32, !llvm.ptr<1>
    %c1 = llvm.getelementptr %pc[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %d1#1, %c1 : i32, !llvm.ptr<1>
    %c2 = llvm.getelementptr %pc[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %d1#2, %c2 : i32, !llvm.ptr<1>
    %c3 = llvm.getelementptr %pc[65] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %d1#3, %c3 : i32, !llvm.ptr<1>
    gpu.return
  }
  gpu.func @long_us(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) kernel {
    %tx = gpu.thread_id x
    %lane = arith.index_cast %tx : index to i32
    %zero = arith.constant 0 : i32
    %i2 = arith.constant 2 : i32
    %i3 = arith.constant 3 : i32
    %i8 = arith.constant 8 : i32
    %row = arith.constant 16 : i32
    %g = arith.shrui %lane, %i2 : i32
    %t = arith.andi %lane, %i3 : i32
    %h = arith.addi %g, %i8 : i32
    %gr = arith.muli %g, %row : i32
    %hr = arith.muli %h, %row : i32
    %upper = arith.addi %gr, %t : i32
    %lower = arith.addi %hr, %t : i32
    %pu = llvm.getelementptr %a[%upper] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %pl = llvm.getelementptr %a[%lower] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %pb = llvm.getelementptr %b[%upper] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %u0p0 = llvm.getelementptr %pu[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %u0w0 = llvm.load %u0p0 : !llvm.ptr<1> -> i32
    %l0p0 = llvm.getelementptr %pl[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %l0w0 = llvm.load %l0p0 : !llvm.ptr<1> -> i32
    %b0p0 = llvm.getelementptr %pb[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %b0w0 = llvm.load %b0p0 : !llvm.ptr<1> -> i32
    %u1p0 = llvm.getelementptr %pu[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %u1w0 = llvm.load %u1p0 : !llvm.ptr<1> -> i32
    %l1p0 = llvm.getelementptr %pl[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %l1w0 = llvm.load %l1p0 : !llvm.ptr<1> -> i32
    %b1p0 = llvm.getelementptr %pb[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %b1w0 = llvm.load %b1p0 : !llvm.ptr<1> -> i32
    %d0:4 = cute_nvgpu.arch.mma.SM80 !cute_nvgpu.sm80.mma<16x8x64, ui4, i4, i32> (%u0w0, %l0w0, %u1w0, %l1w0) (%b0w0, %b1w0) (%zero, %zero, %zero, %zero) : i32, i32, i32, i32 -> i32, i32, i32, i32
    %u0p1 = llvm.getelementptr %pu[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %u0w1 = llvm.load %u0p1 : !llvm.ptr<1> -> i32
    %l0p1 = llvm.getelementptr %pl[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %l0w1 = llvm.load %l0p1 : !llvm.ptr<1> -> i32
    %b0p1 = llvm.getelementptr %pb[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %b0w1 = llvm.load %b0p1 : !llvm.ptr<1> -> i32
    %u1p1 = llvm.getelementptr %pu[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %u1w1 = llvm.load %u1p1 : !llvm.ptr<1> -> i32
    %l1p1 = llvm.getelementptr %pl[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %l1w1 = llvm.load %l1p1 : !llvm.ptr<1> -> i32
    %b1p1 = llvm.getelementptr %pb[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %b1w1 = llvm.load %b1p1 : !llvm.ptr<1> -> i32
    %d1:4 = cute_nvgpu.arch.mma.SM80 !cute_nvgpu.sm80.mma<16x8x64, ui4, i4, i32> (%u0w1, %l0w1, %u1w1, %l1w1) (%b0w1, %b1w1) (%d0#0, %d0#1, %d0#2, %d0#3) : i32, i32, i32, i32 -> i32, i32, i32, i32
    %eight = arith.muli %g, %i8 : i32
    %twice = arith.muli %t, %i2 : i32
    %at = arith.addi %eight, %twice : i32
    %pc = llvm.getelementptr %c[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %c0 = llvm.getelementptr %pc[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %d1#0, %c0 : i32, !llvm.ptr<1>
    %c1 = llvm.getelementptr %pc[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %d1#1, %c1 : i32, !llvm.ptr<1>
    %c2 = llvm.getelementptr %pc[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %d1#2, %c2 : i32, !llvm.ptr<1>
    %c3 = llvm.getelementptr %pc[65] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %d1#3, %c3 : i32, !llvm.ptr<1>
    gpu.return
  }
  gpu.func @long_uu(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) kernel {
    %tx = gpu.thread_id x
    %lane = arith.index_cast %tx : index to i32
    %zero = arith.constant 0 : i32
    %i2 = arith.constant 2 : i32
    %i3 = arith.constant 3 : i32
    %i8 = arith.constant 8 : i32
    %row = arith.constant 16 : i32
    %g = arith.shrui %lane, %i2 : i32
    %t = arith.andi %lane, %i3 : i32
    %h = arith.addi %g, %i8 : i32
    %gr = arith.muli %g, %row : i32
    %hr = arith.muli %h, %row : i32
    %upper = arith.addi %gr, %t : i32
    %lower = arith.addi %hr, %t : i32
    %pu = llvm.getelementptr %a[%upper] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %pl = llvm.getelementptr %a[%lower] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %pb = llvm.getelementptr %b[%upper] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %u0p0 = llvm.getelementptr %pu[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %u0w0 = llvm.load %u0p0 : !llvm.ptr<1> -> i32
    %l0p0 = llvm.getelementptr %pl[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %l0w0 = llvm.load %l0p0 : !llvm.ptr<1> -> i32
    %b0p0 = llvm.getelementptr %pb[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %b0w0 = llvm.load %b0p0 : !llvm.ptr<1> -> i32
    %u1p0 = llvm.getelementptr %pu[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %u1w0 = llvm.load %u1p0 : !llvm.ptr<1> -> i32
    %l1p0 = llvm.getelementptr %pl[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %l1w0 = llvm.load %l1p0 : !llvm.ptr<1> -> i32
    %b1p0 = llvm.getelementptr %pb[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %b1w0 = llvm.load %b1p0 : !llvm.ptr<1> -> i32
    %d0:4 = cute_nvgpu.arch.mma.SM80 !cute_nvgpu.sm80.mma<16x8x64, ui4, ui4, i32> (%u0w0, %l0w0, %u1w0, %l1w0) (%b0w0, %b1w0) (%zero, %zero, %zero, %zero) : i32, i32, i32, i32 -> i32, i32, i32, i32
    %u0p1 = llvm.getelementptr %pu[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %u0w1 = llvm.load %u0p1 : !llvm.ptr<1> -> i32
    %l0p1 = llvm.getelementptr %pl[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %l0w1 = llvm.load %l0p1 : !llvm.ptr<1> -> i32
    %b0p1 = llvm.getelementptr %pb[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %b0w1 = llvm.load %b0p1 : !llvm.ptr<1> -> i32
    %u1p1 = llvm.getelementptr %pu[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %u1w1 = llvm.load %u1p1 : !llvm.ptr<1> -> i32
    %l1p1 = llvm.getelementptr %pl[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %l1w1 = llvm.load %l1p1 : !llvm.ptr<1> -> i32
    %b1p1 = llvm.getelementptr %pb[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %b1w1 = llvm.load %b1p1 : !llvm.ptr<1> -> i32
    %d1:4 = cute_nvgpu.arch.mma.SM80 !cute_nvgpu.sm80.mma<16x8x64, ui4, ui4, i32> (%u0w1, %l0w1, %u1w1, %l1w1) (%b0w1, %b1w1) (%d0#0, %d0#1, %d0#2, %d0#3) : i32, i32, i32, i32 -> i32, i32, i32, i32
    %eight = arith.muli %g, %i8 : i32
    %twice = arith.muli %t, %i2 : i32
    %at = arith.addi %eight, %twice : i32
    %pc = llvm.getelementptr %c[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %c0 = llvm.getelementptr %pc[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %d1#0, %c0 : i32, !llvm.ptr<1>
    %c1 = llvm.getelementptr %pc[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %d1#1, %c1 : i32, !llvm.ptr<1>
    %c2 = llvm.getelementptr %pc[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %d1#2, %c2 : i32, !llvm.ptr<1>
    %c3 = llvm.getelementptr %pc[65] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %d1#3, %c3 : i32, !llvm.ptr<1>
    gpu.return
  }
  gpu.func @short_us(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) kernel {
    %tx = gpu.thread_id x
    %lane = arith.index_cast %tx : index to i32
    %zero = arith.constant 0 : i32
    %i2 = arith.constant 2 : i32
    %i3 = arith.constant 3 : i32
    %i8 = arith.constant 8 : i32
    %row = arith.constant 4 : i32
    %g = arith.shrui %lane, %i2 : i32
    %t = arith.andi %lane, %i3 : i32
    %h = arith.addi %g, %i8 : i32
    %gr = arith.muli %g, %row : i32
    %hr = arith.muli %h, %row : i32
    %upper = arith.addi %gr, %t : i32
    %lower = arith.addi %hr, %t : i32
    %pu = llvm.getelementptr %a[%upper] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %pl = llvm.getelementptr %a[%lower] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %pb = llvm.getelementptr %b[%upper] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %u0p0 = llvm.getelementptr %pu[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %u0w0 = llvm.load %u0p0 : !llvm.ptr<1> -> i32
    %l0p0 = llvm.getelementptr %pl[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %l0w0 = llvm.load %l0p0 : !llvm.ptr<1> -> i32
    %b0p0 = llvm.getelementptr %pb[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %b0w0 = llvm.load %b0p0 : !llvm.ptr<1> -> i32
    %d0:4 = cute_nvgpu.arch.mma.SM80 !cute_nvgpu.sm80.mma<16x8x32, ui4, i4, i32> (%u0w0, %l0w0) (%b0w0) (%zero, %zero, %zero, %zero) : i32, i32, i32, i32 -> i32, i32, i32, i32
    %eight = arith.muli %g, %i8 : i32
    %twice = arith.muli %t, %i2 : i32
    %at = arith.addi %eight, %twice : i32
    %pc = llvm.getelementptr %c[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %c0 = llvm.getelementptr %pc[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %d0#0, %c0 : i32, !llvm.ptr<1>
    %c1 = llvm.getelementptr %pc[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %d0#1, %c1 : i32, !llvm.ptr<1>
    %c2 = llvm.getelementptr %pc[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %d0#2, %c2 : i32, !llvm.ptr<1>
    %c3 = llvm.getelementptr %pc[65] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %d0#3, %c3 : i32, !llvm.ptr<1>
    gpu.return
  }
}
