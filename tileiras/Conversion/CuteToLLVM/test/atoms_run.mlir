// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every atom by execution: cp.async and multiply-adds, mma.sync of bf16 and with sums in f16; partitions by threads, and
// elements at coordinates.
// RUN: tileiras-opt %s --convert-cute-to-llvm > %t.mlir
// RUN: tileiras-run %S/Inputs/atoms.mlir --entry=simt --engine=reference 'a:f32[16x32]=random(seed=1)' 'b:f32[16x32]=random(seed=2)' 'out:c:f32[16x16]' --dump=a=%t.a.npy --dump=b=%t.b.npy --dump=c=%t.c.npy
// RUN: tileiras-run %t.mlir --entry=simt --gpu-name=sm_80 --engine=emulator --check-races --schedules=3 --block=64 'a:f32[16x32]=%t.a.npy' 'b:f32[16x32]=%t.b.npy' 'out:c:f32[16x16]{expect=%t.c.npy}' --tolerance=abs:1e-5
// RUN: tileiras-run %S/Inputs/atoms.mlir --entry=bf16 --engine=reference 'a:bf16[16x16]=random(seed=3)' 'b:bf16[8x16]=random(seed=4)' 'out:c:f32[16x8]' --dump=c=%t.c16.npy
// RUN: tileiras-run %t.mlir --entry=bf16 --gpu-name=sm_80 --engine=emulator --check-races --block=32 'a:bf16[16x16]=random(seed=3)' 'b:bf16[8x16]=random(seed=4)' 'out:c:f32[16x8]{expect=%t.c16.npy}' 'out:d:f32[16x8]{expect=%t.c16.npy}' --tolerance=abs:1e-5
// RUN: tileiras-run %S/Inputs/atoms.mlir --entry=f16 --engine=reference 'a:f16[16x8]=random(seed=5)' 'b:f16[8x8]=random(seed=6)' 'out:c:f16[16x8]' --dump=c=%t.ch.npy
// RUN: tileiras-run %t.mlir --entry=f16 --gpu-name=sm_90 --engine=emulator --check-races --block=32 'a:f16[16x8]=random(seed=5)' 'b:f16[8x8]=random(seed=6)' 'out:c:f16[16x8]{expect=%t.ch.npy}' --tolerance=abs:4e-3
// RUN: tileiras-run %t.mlir --entry=transpose --gpu-name=sm_80 --engine=emulator --check-races --block=32 'a:i32[8x12]=iota(lo=0)' 'out:c:i32[12x8]' i32=8 i32=12 --show=c | FileCheck %s --check-prefix=T
// T: 0 12 24 36 48 60 72 84
// T: 11 23 35 47 59 71 83 95
// Without the wait the copies may land later than they are read.
// RUN: sed '/cp.async.wait.group/d' %t.mlir > %t.hasty.mlir
// RUN: not tileiras-run %t.hasty.mlir --entry=simt --gpu-name=sm_80 --engine=emulator --check-races --schedules=3 --block=64 'a:f32[16x32]=%t.a.npy' 'b:f32[16x32]=%t.b.npy' 'out:c:f32[16x16]{expect=%t.c.npy}' --tolerance=abs:1e-5

!f = !cute.ptr<f32, gmem, align<16>>
!m = !cute.memref<f32, gmem, align<16>, "(16,32):(32,1)">
!s = !cute.memref<f32, smem, align<16>, "(16,32):(32,1)">
!async = !cute.tiled_copy<!cute_nvgpu.simt_async_copy<128>, "((4,16),4):((64,1),16)", "(16,16)">
!fma = !cute.tiled_mma<!cute_nvgpu.universal_fma<f32>, "(8,8,1)">
!g1 = !cute.memref<f32, gmem, align<16>, "(4,1,2):(1,0,16)">
!s1 = !cute.memref<f32, smem, align<16>, "(4,1,2):(1,0,16)">
!ps = !cute.memref<f32, smem, align<16>, "(1,2,32):(0,256,1)">
!pr = !cute.memref<f32, rmem, "(1,2,32):(0,1,2)">
!pc = !cute.memref<f32, rmem, "(1,2,2):(0,1,2)">
!pg = !cute.memref<f32, gmem, "(1,2,2):(0,128,8)">
!word = !cute_nvgpu.universal_copy<32>
!half = !cute_nvgpu.universal_copy<16>

gpu.module @kernels {
  gpu.func @simt(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %zero = arith.constant 0.0 : f32
    %l = cute.static : !cute.layout<"(16,32):(32,1)">
    %lc = cute.static : !cute.layout<"(16,16):(16,1)">
    %pa = cute.inttoptr(%a) : (!llvm.ptr<1>) -> !f
    %pb = cute.inttoptr(%b) : (!llvm.ptr<1>) -> !f
    %pc = cute.inttoptr(%c) : (!llvm.ptr<1>) -> !f
    %ga = cute.make_view(%pa, %l) : (!f, !cute.layout<"(16,32):(32,1)">) -> !m
    %gb = cute.make_view(%pb, %l) : (!f, !cute.layout<"(16,32):(32,1)">) -> !m
    %gc = cute.make_view(%pc, %lc) : (!f, !cute.layout<"(16,16):(16,1)">) -> !cute.memref<f32, gmem, align<16>, "(16,16):(16,1)">
    %sa = cute.memref.alloc_smem : !s
    %sb = cute.memref.alloc_smem : !s
    %async = cute.make_atom : !async
    %mma = cute.make_atom : !fma
    %word = cute.make_atom : !word
    %a0 = cute.tiled.copy.partition_S(%async, %ga, %t) : (!async, !m, i32) -> !g1
    %b0 = cute.tiled.copy.partition_S(%async, %gb, %t) : (!async, !m, i32) -> !g1
    %a1 = cute.tiled.copy.partition_D(%async, %sa, %t) : (!async, !s, i32) -> !s1
    %b1 = cute.tiled.copy.partition_D(%async, %sb, %t) : (!async, !s, i32) -> !s1
    cute.copy(%async, %a0, %a1) : !async, !g1, !s1
    cute.copy(%async, %b0, %b1) : !async, !g1, !s1
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    gpu.barrier
    %a2 = cute.tiled.mma.partition(%mma, %sa, %t) {operand = "A"} : (!fma, !s, i32) -> !ps
    %b2 = cute.tiled.mma.partition(%mma, %sb, %t) {operand = "B"} : (!fma, !s, i32) -> !ps
    %c2 = cute.tiled.mma.partition(%mma, %gc, %t) {operand = "C"} : (!fma, !cute.memref<f32, gmem, align<16>, "(16,16):(16,1)">, i32) -> !pg
    %ra = cute.make_fragment_like(%a2) : (!ps) -> !pr
    %rb = cute.make_fragment_like(%b2) : (!ps) -> !pr
    %rc = cute.make_fragment_like(%c2) : (!pg) -> !pc
    cute.memref.fill(%rc, %zero) : !pc, f32
    cute.copy(%word, %a2, %ra) : !word, !ps, !pr
    cute.copy(%word, %b2, %rb) : !word, !ps, !pr
    cute.gemm(%mma, %rc, %ra, %rb, %rc) : !fma, !pc, !pr, !pr, !pc
    cute.copy(%word, %rc, %c2) : !word, !pc, !pg
    gpu.return
  }

  gpu.func @bf16(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>, %d: !llvm.ptr<1>) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %zero = arith.constant 0.0 : f32
    %la = cute.static : !cute.layout<"(16,16):(16,1)">
    %lb = cute.static : !cute.layout<"(8,16):(16,1)">
    %lc = cute.static : !cute.layout<"(16,8):(8,1)">
    %pa = cute.inttoptr(%a) : (!llvm.ptr<1>) -> !cute.ptr<bf16, gmem, align<16>>
    %pb = cute.inttoptr(%b) : (!llvm.ptr<1>) -> !cute.ptr<bf16, gmem, align<16>>
    %pc = cute.inttoptr(%c) : (!llvm.ptr<1>) -> !f
    %ga = cute.make_view(%pa, %la) : (!cute.ptr<bf16, gmem, align<16>>, !cute.layout<"(16,16):(16,1)">) -> !cute.memref<bf16, gmem, align<16>, "(16,16):(16,1)">
    %gb = cute.make_view(%pb, %lb) : (!cute.ptr<bf16, gmem, align<16>>, !cute.layout<"(8,16):(16,1)">) -> !cute.memref<bf16, gmem, align<16>, "(8,16):(16,1)">
    %gc = cute.make_view(%pc, %lc) : (!f, !cute.layout<"(16,8):(8,1)">) -> !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">
    %mma = cute.make_atom : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, bf16, bf16, f32>, "(1,1,1)">
    %word = cute.make_atom : !word
    %ta = cute.tiled.mma.partition(%mma, %ga, %t) {operand = "A"} : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, bf16, bf16, f32>, "(1,1,1)">, !cute.memref<bf16, gmem, align<16>, "(16,16):(16,1)">, i32) -> !cute.memref<bf16, gmem, align<4>, "((2,2,2),1,1):((1,128,8),0,0)">
    %tb = cute.tiled.mma.partition(%mma, %gb, %t) {operand = "B"} : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, bf16, bf16, f32>, "(1,1,1)">, !cute.memref<bf16, gmem, align<16>, "(8,16):(16,1)">, i32) -> !cute.memref<bf16, gmem, align<4>, "((2,2),1,1):((1,8),0,0)">
    %tc = cute.tiled.mma.partition(%mma, %gc, %t) {operand = "C"} : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, bf16, bf16, f32>, "(1,1,1)">, !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">, i32) -> !cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">
    %ra = cute.make_fragment_like(%ta) : (!cute.memref<bf16, gmem, align<4>, "((2,2,2),1,1):((1,128,8),0,0)">) -> !cute.memref<bf16, rmem, "((2,2,2),1,1):((1,2,4),0,0)">
    %rb = cute.make_fragment_like(%tb) : (!cute.memref<bf16, gmem, align<4>, "((2,2),1,1):((1,8),0,0)">) -> !cute.memref<bf16, rmem, "((2,2),1,1):((1,2),0,0)">
    %rc = cute.make_fragment_like(%tc) : (!cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">) -> !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)">
    cute.memref.fill(%rc, %zero) : !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)">, f32
    cute.copy(%word, %ta, %ra) : !word, !cute.memref<bf16, gmem, align<4>, "((2,2,2),1,1):((1,128,8),0,0)">, !cute.memref<bf16, rmem, "((2,2,2),1,1):((1,2,4),0,0)">
    cute.copy(%word, %tb, %rb) : !word, !cute.memref<bf16, gmem, align<4>, "((2,2),1,1):((1,8),0,0)">, !cute.memref<bf16, rmem, "((2,2),1,1):((1,2),0,0)">
    cute.gemm(%mma, %rc, %ra, %rb, %rc) : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, bf16, bf16, f32>, "(1,1,1)">, !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)">, !cute.memref<bf16, rmem, "((2,2,2),1,1):((1,2,4),0,0)">, !cute.memref<bf16, rmem, "((2,2),1,1):((1,2),0,0)">, !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)">
    cute.copy(%word, %rc, %tc) : !word, !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)">, !cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">
    // The same by the instruction: registers as words.
    %pd = cute.inttoptr(%d) : (!llvm.ptr<1>) -> !cute.ptr<f32, gmem, align<16>>
    %gd = cute.make_view(%pd, %lc) : (!cute.ptr<f32, gmem, align<16>>, !cute.layout<"(16,8):(8,1)">) -> !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">
    %td = cute.tiled.mma.partition(%mma, %gd, %t) {operand = "C"} : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, bf16, bf16, f32>, "(1,1,1)">, !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">, i32) -> !cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %i2 = arith.constant 2 : i32
    %i3 = arith.constant 3 : i32
    %qa = cute.get_iter(%ra) : (!cute.memref<bf16, rmem, "((2,2,2),1,1):((1,2,4),0,0)">) -> !cute.ptr<bf16, rmem>
    %va = cute.recast_iter(%qa) {element = i32} : (!cute.ptr<bf16, rmem>) -> !cute.ptr<i32, rmem, align<2>>
    %na = cute.static : !cute.layout<"4:1">
    %wa = cute.make_view(%va, %na) : (!cute.ptr<i32, rmem, align<2>>, !cute.layout<"4:1">) -> !cute.memref<i32, rmem, align<2>, "4:1">
    %a0 = cute.memref.load(%wa, %i0) : (!cute.memref<i32, rmem, align<2>, "4:1">, i32) -> i32
    %a1 = cute.memref.load(%wa, %i1) : (!cute.memref<i32, rmem, align<2>, "4:1">, i32) -> i32
    %a2 = cute.memref.load(%wa, %i2) : (!cute.memref<i32, rmem, align<2>, "4:1">, i32) -> i32
    %a3 = cute.memref.load(%wa, %i3) : (!cute.memref<i32, rmem, align<2>, "4:1">, i32) -> i32
    %qb = cute.get_iter(%rb) : (!cute.memref<bf16, rmem, "((2,2),1,1):((1,2),0,0)">) -> !cute.ptr<bf16, rmem>
    %vb = cute.recast_iter(%qb) {element = i32} : (!cute.ptr<bf16, rmem>) -> !cute.ptr<i32, rmem, align<2>>
    %nb = cute.static : !cute.layout<"2:1">
    %wb = cute.make_view(%vb, %nb) : (!cute.ptr<i32, rmem, align<2>>, !cute.layout<"2:1">) -> !cute.memref<i32, rmem, align<2>, "2:1">
    %b0 = cute.memref.load(%wb, %i0) : (!cute.memref<i32, rmem, align<2>, "2:1">, i32) -> i32
    %b1 = cute.memref.load(%wb, %i1) : (!cute.memref<i32, rmem, align<2>, "2:1">, i32) -> i32
    %d0:4 = cute_nvgpu.arch.mma.SM80 !cute_nvgpu.sm80.mma<16x8x16, bf16, bf16, f32> (%a0, %a1, %a2, %a3) (%b0, %b1) (%zero, %zero, %zero, %zero) : f32, f32, f32, f32 -> f32, f32, f32, f32
    cute.memref.store(%td, %i0, %d0#0) : !cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">, i32, f32
    cute.memref.store(%td, %i1, %d0#1) : !cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">, i32, f32
    cute.memref.store(%td, %i2, %d0#2) : !cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">, i32, f32
    cute.memref.store(%td, %i3, %d0#3) : !cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">, i32, f32
    gpu.return
  }

  gpu.func @f16(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %zero = arith.constant 0.0 : f16
    %la = cute.static : !cute.layout<"(16,8):(8,1)">
    %lb = cute.static : !cute.layout<"(8,8):(8,1)">
    %pa = cute.inttoptr(%a) : (!llvm.ptr<1>) -> !cute.ptr<f16, gmem, align<16>>
    %pb = cute.inttoptr(%b) : (!llvm.ptr<1>) -> !cute.ptr<f16, gmem, align<16>>
    %pi = cute.inttoptr(%c) : (!llvm.ptr<1>) -> !cute.ptr<i32, gmem, align<16>>
    %pc = cute.recast_iter(%pi) {element = f16} : (!cute.ptr<i32, gmem, align<16>>) -> !cute.ptr<f16, gmem, align<16>>
    %ga = cute.make_view(%pa, %la) : (!cute.ptr<f16, gmem, align<16>>, !cute.layout<"(16,8):(8,1)">) -> !cute.memref<f16, gmem, align<16>, "(16,8):(8,1)">
    %gb = cute.make_view(%pb, %lb) : (!cute.ptr<f16, gmem, align<16>>, !cute.layout<"(8,8):(8,1)">) -> !cute.memref<f16, gmem, align<16>, "(8,8):(8,1)">
    %gc = cute.make_view(%pc, %la) : (!cute.ptr<f16, gmem, align<16>>, !cute.layout<"(16,8):(8,1)">) -> !cute.memref<f16, gmem, align<16>, "(16,8):(8,1)">
    %mma = cute.make_atom : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x8, f16, f16, f16>, "(1,1,1)">
    %one = cute.make_atom : !cute_nvgpu.sm80.mma<16x8x8, f16, f16, f16>
    %half = cute.make_atom : !half
    %word = cute.make_atom : !word
    %ta = cute.tiled.mma.partition(%mma, %ga, %t) {operand = "A"} : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x8, f16, f16, f16>, "(1,1,1)">, !cute.memref<f16, gmem, align<16>, "(16,8):(8,1)">, i32) -> !cute.memref<f16, gmem, "((2,2),1,1):((1,64),0,0)">
    %tb = cute.tiled.mma.partition(%mma, %gb, %t) {operand = "B"} : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x8, f16, f16, f16>, "(1,1,1)">, !cute.memref<f16, gmem, align<16>, "(8,8):(8,1)">, i32) -> !cute.memref<f16, gmem, align<4>, "(2,1,1):(1,0,0)">
    %tc = cute.tiled.mma.partition(%mma, %gc, %t) {operand = "C"} : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x8, f16, f16, f16>, "(1,1,1)">, !cute.memref<f16, gmem, align<16>, "(16,8):(8,1)">, i32) -> !cute.memref<f16, gmem, "((2,2),1,1):((1,64),0,0)">
    %ra = cute.make_fragment_like(%ta) : (!cute.memref<f16, gmem, "((2,2),1,1):((1,64),0,0)">) -> !cute.memref<f16, rmem, "((2,2),1,1):((1,2),0,0)">
    %rb = cute.make_fragment_like(%tb) : (!cute.memref<f16, gmem, align<4>, "(2,1,1):(1,0,0)">) -> !cute.memref<f16, rmem, "(2,1,1):(1,0,0)">
    %rc = cute.make_fragment_like(%tc) : (!cute.memref<f16, gmem, "((2,2),1,1):((1,64),0,0)">) -> !cute.memref<f16, rmem, "((2,2),1,1):((1,2),0,0)">
    cute.memref.fill(%rc, %zero) : !cute.memref<f16, rmem, "((2,2),1,1):((1,2),0,0)">, f16
    cute.copy(%half, %ta, %ra) : !half, !cute.memref<f16, gmem, "((2,2),1,1):((1,64),0,0)">, !cute.memref<f16, rmem, "((2,2),1,1):((1,2),0,0)">
    cute.copy_atom_call(%word, %tb, %rb) : !word, !cute.memref<f16, gmem, align<4>, "(2,1,1):(1,0,0)">, !cute.memref<f16, rmem, "(2,1,1):(1,0,0)">
    cute.mma_atom_call(%one, %rc, %ra, %rb, %rc) : !cute_nvgpu.sm80.mma<16x8x8, f16, f16, f16>, !cute.memref<f16, rmem, "((2,2),1,1):((1,2),0,0)">, !cute.memref<f16, rmem, "((2,2),1,1):((1,2),0,0)">, !cute.memref<f16, rmem, "(2,1,1):(1,0,0)">, !cute.memref<f16, rmem, "((2,2),1,1):((1,2),0,0)">
    cute.copy(%half, %rc, %tc) : !half, !cute.memref<f16, rmem, "((2,2),1,1):((1,2),0,0)">, !cute.memref<f16, gmem, "((2,2),1,1):((1,64),0,0)">
    gpu.return
  }

  // C = A^T of run-time extents, element by element: sixteen threads, each every fourth row and column.
  gpu.func @transpose(%a: !llvm.ptr<1>, %c: !llvm.ptr<1>, %m: i32, %n: i32) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %one = cute.static : !cute.int_tuple<"1">
    %pa = cute.inttoptr(%a) : (!llvm.ptr<1>) -> !cute.ptr<i32, gmem>
    %pc = cute.inttoptr(%c) : (!llvm.ptr<1>) -> !cute.ptr<i32, gmem>
    %shape = cute.make_shape(%m, %n) : (i32, i32) -> !cute.shape<"(?{div=4},?)">
    %sa = cute.make_stride(%n, %one) : (i32, !cute.int_tuple<"1">) -> !cute.stride<"(?,1)">
    %sc = cute.make_stride(%one, %m) : (!cute.int_tuple<"1">, i32) -> !cute.stride<"(1,?)">
    %la = cute.make_layout(%shape, %sa) : (!cute.shape<"(?{div=4},?)">, !cute.stride<"(?,1)">) -> !cute.layout<"(?{div=4},?):(?,1)">
    %lc = cute.make_layout(%shape, %sc) : (!cute.shape<"(?{div=4},?)">, !cute.stride<"(1,?)">) -> !cute.layout<"(?{div=4},?):(1,?)">
    %va = cute.make_view(%pa, %la) : (!cute.ptr<i32, gmem>, !cute.layout<"(?{div=4},?):(?,1)">) -> !cute.memref<i32, gmem, "(?{div=4},?):(?,1)">
    %vc = cute.make_view(%pc, %lc) : (!cute.ptr<i32, gmem>, !cute.layout<"(?{div=4},?):(1,?)">) -> !cute.memref<i32, gmem, "(?{div=4},?):(1,?)">
    %threads = cute.static : !cute.layout<"(4,4):(4,1)">
    %low = arith.constant 16 : i32
    %half = arith.divui %t, %low : i32
    %t16 = arith.remui %t, %low : i32
    %ta = cute.local_partition(%va, %threads, %t16) : (!cute.memref<i32, gmem, "(?{div=4},?):(?,1)">, !cute.layout<"(4,4):(4,1)">, i32) -> !cute.memref<i32, gmem, "(?,?):(?{div=4},4)">
    %tc = cute.local_partition(%vc, %threads, %t16) : (!cute.memref<i32, gmem, "(?{div=4},?):(1,?)">, !cute.layout<"(4,4):(4,1)">, i32) -> !cute.memref<i32, gmem, "(?,?):(4,?{div=4})">
    %rows = cute.size(%ta) {mode = 0 : i64} : (!cute.memref<i32, gmem, "(?,?):(?{div=4},4)">) -> !cute.int_tuple<"?">
    %columns = cute.size(%ta) {mode = 1 : i64} : (!cute.memref<i32, gmem, "(?,?):(?{div=4},4)">) -> !cute.int_tuple<"?">
    %r = cute.unpack_tuple(%rows) : (!cute.int_tuple<"?">) -> i32
    %s = cute.unpack_tuple(%columns) : (!cute.int_tuple<"?">) -> i32
    %first = arith.cmpi eq, %half, %c0 : i32
    scf.if %first {
      scf.for %i = %c0 to %r step %c1 : i32 {
        scf.for %j = %c0 to %s step %c1 : i32 {
          %at = cute.make_coord(%i, %j) : (i32, i32) -> !cute.coord<"(?,?)">
          %v = cute.memref.load(%ta, %at) : (!cute.memref<i32, gmem, "(?,?):(?{div=4},4)">, !cute.coord<"(?,?)">) -> i32
          cute.memref.store(%tc, %at, %v) : !cute.memref<i32, gmem, "(?,?):(4,?{div=4})">, !cute.coord<"(?,?)">, i32
        }
      }
    }
    gpu.return
  }
}
