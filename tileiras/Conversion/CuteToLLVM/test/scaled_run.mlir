// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mma.sync with block scales, by execution; targets without it are named.
// RUN: tileiras-run %S/Inputs/products.mlir --entry=scaled --engine=reference 'a:f8E4M3FN[16x64]=integers(seed=1)' 'b:f8E4M3FN[8x64]=integers(seed=2)' 's:f8E8M0FNU[16x2]=random(seed=3,lo=0.5,hi=8)' 'u:f8E8M0FNU[8x2]=random(seed=4,lo=0.5,hi=8)' 'out:c:f32[16x8]' --dump=c=%t.scaled.npy
// RUN: tileiras-run %s --entry=scaled --gpu-name=sm_120 --engine=emulator --check-races --block=32 'a:f8E4M3FN[16x64]=integers(seed=1)' 'b:f8E4M3FN[8x64]=integers(seed=2)' 's:f8E8M0FNU[16x2]=random(seed=3,lo=0.5,hi=8)' 'u:f8E8M0FNU[8x2]=random(seed=4,lo=0.5,hi=8)' 'out:c:f32[16x8]{expect=%t.scaled.npy}' 'out:d:f32[16x8]{expect=%t.scaled.npy}'
// RUN: not tileiras --gpu-name=sm_90 --emit=ptx %s 2>&1 | FileCheck %s
// CHECK: error: 'cute.gemm' op needs mma.sync with block scales, which sm_90 does not have

!word = !cute_nvgpu.universal_copy<32>
!byte = !cute_nvgpu.universal_copy<8>

gpu.module @kernels {
  gpu.func @scaled(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %s: !llvm.ptr<1>, %u: !llvm.ptr<1>, %c: !llvm.ptr<1>, %d: !llvm.ptr<1>) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %zero = arith.constant 0.0 : f32
    %mma = cute.make_atom : !cute.tiled_mma<!cute_nvgpu.SM120.mma_bs<16x8x32, f8E4M3FN, f8E4M3FN, f32>, "(1,1,1)">
    %word = cute.make_atom : !word
    %pa = cute.inttoptr(%a) : (!llvm.ptr<1>) -> !cute.ptr<f8E4M3FN, gmem, align<16>>
    %la = cute.static : !cute.layout<"(16,64):(64,1)">
    %ga = cute.make_view(%pa, %la) : (!cute.ptr<f8E4M3FN, gmem, align<16>>, !cute.layout<"(16,64):(64,1)">) -> !cute.memref<f8E4M3FN, gmem, align<16>, "(16,64):(64,1)">
    %ta = cute.tiled.mma.partition(%mma, %ga, %t) {operand = "A"} : (!cute.tiled_mma<!cute_nvgpu.SM120.mma_bs<16x8x32, f8E4M3FN, f8E4M3FN, f32>, "(1,1,1)">, !cute.memref<f8E4M3FN, gmem, align<16>, "(16,64):(64,1)">, i32) -> !cute.memref<f8E4M3FN, gmem, align<4>, "((4,2,2),1,2):((1,512,16),0,32)">
    %pb = cute.inttoptr(%b) : (!llvm.ptr<1>) -> !cute.ptr<f8E4M3FN, gmem, align<16>>
    %lb = cute.static : !cute.layout<"(8,64):(64,1)">
    %gb = cute.make_view(%pb, %lb) : (!cute.ptr<f8E4M3FN, gmem, align<16>>, !cute.layout<"(8,64):(64,1)">) -> !cute.memref<f8E4M3FN, gmem, align<16>, "(8,64):(64,1)">
    %tb = cute.tiled.mma.partition(%mma, %gb, %t) {operand = "B"} : (!cute.tiled_mma<!cute_nvgpu.SM120.mma_bs<16x8x32, f8E4M3FN, f8E4M3FN, f32>, "(1,1,1)">, !cute.memref<f8E4M3FN, gmem, align<16>, "(8,64):(64,1)">, i32) -> !cute.memref<f8E4M3FN, gmem, align<4>, "((4,2),1,2):((1,16),0,32)">
    %pc = cute.inttoptr(%c) : (!llvm.ptr<1>) -> !cute.ptr<f32, gmem, align<16>>
    %lc = cute.static : !cute.layout<"(16,8):(8,1)">
    %gc = cute.make_view(%pc, %lc) : (!cute.ptr<f32, gmem, align<16>>, !cute.layout<"(16,8):(8,1)">) -> !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">
    %tc = cute.tiled.mma.partition(%mma, %gc, %t) {operand = "C"} : (!cute.tiled_mma<!cute_nvgpu.SM120.mma_bs<16x8x32, f8E4M3FN, f8E4M3FN, f32>, "(1,1,1)">, !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">, i32) -> !cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">
    %ra = cute.make_fragment_like(%ta) : (!cute.memref<f8E4M3FN, gmem, align<4>, "((4,2,2),1,2):((1,512,16),0,32)">) -> !cute.memref<f8E4M3FN, rmem, "((4,2,2),1,2):((1,4,8),0,16)">
    %rb = cute.make_fragment_like(%tb) : (!cute.memref<f8E4M3FN, gmem, align<4>, "((4,2),1,2):((1,16),0,32)">) -> !cute.memref<f8E4M3FN, rmem, "((4,2),1,2):((1,4),0,8)">
    %rc = cute.make_fragment_like(%tc) : (!cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">) -> !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)">
    cute.memref.fill(%rc, %zero) : !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)">, f32
    cute.copy(%word, %ta, %ra) : !word, !cute.memref<f8E4M3FN, gmem, align<4>, "((4,2,2),1,2):((1,512,16),0,32)">, !cute.memref<f8E4M3FN, rmem, "((4,2,2),1,2):((1,4,8),0,16)">
    cute.copy(%word, %tb, %rb) : !word, !cute.memref<f8E4M3FN, gmem, align<4>, "((4,2),1,2):((1,16),0,32)">, !cute.memref<f8E4M3FN, rmem, "((4,2),1,2):((1,4),0,8)">
    %byte = cute.make_atom : !byte
    %ps = cute.inttoptr(%s) : (!llvm.ptr<1>) -> !cute.ptr<i8, gmem, align<16>>
    %ls = cute.static : !cute.layout<"(16,2):(2,1)">
    %gs = cute.make_view(%ps, %ls) : (!cute.ptr<i8, gmem, align<16>>, !cute.layout<"(16,2):(2,1)">) -> !cute.memref<i8, gmem, align<16>, "(16,2):(2,1)">
    %ts = cute.tiled.mma.partition(%mma, %gs, %t) {operand = "SFA"} : (!cute.tiled_mma<!cute_nvgpu.SM120.mma_bs<16x8x32, f8E4M3FN, f8E4M3FN, f32>, "(1,1,1)">, !cute.memref<i8, gmem, align<16>, "(16,2):(2,1)">, i32) -> !cute.memref<i8, gmem, "(1,1,2):(0,0,1)">
    %pu = cute.inttoptr(%u) : (!llvm.ptr<1>) -> !cute.ptr<i8, gmem, align<16>>
    %lu = cute.static : !cute.layout<"(8,2):(2,1)">
    %gu = cute.make_view(%pu, %lu) : (!cute.ptr<i8, gmem, align<16>>, !cute.layout<"(8,2):(2,1)">) -> !cute.memref<i8, gmem, align<16>, "(8,2):(2,1)">
    %tu = cute.tiled.mma.partition(%mma, %gu, %t) {operand = "SFB"} : (!cute.tiled_mma<!cute_nvgpu.SM120.mma_bs<16x8x32, f8E4M3FN, f8E4M3FN, f32>, "(1,1,1)">, !cute.memref<i8, gmem, align<16>, "(8,2):(2,1)">, i32) -> !cute.memref<i8, gmem, "(1,1,2):(0,0,1)">
    %rs = cute.make_fragment_like(%ts) : (!cute.memref<i8, gmem, "(1,1,2):(0,0,1)">) -> !cute.memref<i8, rmem, "(1,1,2):(0,0,1)">
    %ru = cute.make_fragment_like(%tu) : (!cute.memref<i8, gmem, "(1,1,2):(0,0,1)">) -> !cute.memref<i8, rmem, "(1,1,2):(0,0,1)">
    cute.copy(%byte, %ts, %rs) : !byte, !cute.memref<i8, gmem, "(1,1,2):(0,0,1)">, !cute.memref<i8, rmem, "(1,1,2):(0,0,1)">
    cute.copy(%byte, %tu, %ru) : !byte, !cute.memref<i8, gmem, "(1,1,2):(0,0,1)">, !cute.memref<i8, rmem, "(1,1,2):(0,0,1)">
    cute.gemm(%mma, %rc, %ra, %rb, %rc scaled by %rs, %ru) : !cute.tiled_mma<!cute_nvgpu.SM120.mma_bs<16x8x32, f8E4M3FN, f8E4M3FN, f32>, "(1,1,1)">, !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)">, !cute.memref<f8E4M3FN, rmem, "((4,2,2),1,2):((1,4,8),0,16)">, !cute.memref<f8E4M3FN, rmem, "((4,2),1,2):((1,4),0,8)">, !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)"> scaled by !cute.memref<i8, rmem, "(1,1,2):(0,0,1)">, !cute.memref<i8, rmem, "(1,1,2):(0,0,1)">
    cute.copy(%word, %rc, %tc) : !word, !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)">, !cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">
    // The same by the instruction: registers as words.
    %pd = cute.inttoptr(%d) : (!llvm.ptr<1>) -> !cute.ptr<f32, gmem, align<16>>
    %gd = cute.make_view(%pd, %lc) : (!cute.ptr<f32, gmem, align<16>>, !cute.layout<"(16,8):(8,1)">) -> !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">
    %td = cute.tiled.mma.partition(%mma, %gd, %t) {operand = "C"} : (!cute.tiled_mma<!cute_nvgpu.SM120.mma_bs<16x8x32, f8E4M3FN, f8E4M3FN, f32>, "(1,1,1)">, !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">, i32) -> !cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %i2 = arith.constant 2 : i32
    %i3 = arith.constant 3 : i32
    %i4 = arith.constant 4 : i32
    %i5 = arith.constant 5 : i32
    %i6 = arith.constant 6 : i32
    %i7 = arith.constant 7 : i32
    %qa = cute.get_iter(%ra) : (!cute.memref<f8E4M3FN, rmem, "((4,2,2),1,2):((1,4,8),0,16)">) -> !cute.ptr<f8E4M3FN, rmem>
    %va = cute.recast_iter(%qa) {element = i32} : (!cute.ptr<f8E4M3FN, rmem>) -> !cute.ptr<i32, rmem, align<1>>
    %na = cute.static : !cute.layout<"8:1">
    %wa = cute.make_view(%va, %na) : (!cute.ptr<i32, rmem, align<1>>, !cute.layout<"8:1">) -> !cute.memref<i32, rmem, align<1>, "8:1">
    %a0 = cute.memref.load(%wa, %i0) : (!cute.memref<i32, rmem, align<1>, "8:1">, i32) -> i32
    %a1 = cute.memref.load(%wa, %i1) : (!cute.memref<i32, rmem, align<1>, "8:1">, i32) -> i32
    %a2 = cute.memref.load(%wa, %i2) : (!cute.memref<i32, rmem, align<1>, "8:1">, i32) -> i32
    %a3 = cute.memref.load(%wa, %i3) : (!cute.memref<i32, rmem, align<1>, "8:1">, i32) -> i32
    %a4 = cute.memref.load(%wa, %i4) : (!cute.memref<i32, rmem, align<1>, "8:1">, i32) -> i32
    %a5 = cute.memref.load(%wa, %i5) : (!cute.memref<i32, rmem, align<1>, "8:1">, i32) -> i32
    %a6 = cute.memref.load(%wa, %i6) : (!cute.memref<i32, rmem, align<1>, "8:1">, i32) -> i32
    %a7 = cute.memref.load(%wa, %i7) : (!cute.memref<i32, rmem, align<1>, "8:1">, i32) -> i32
    %qb = cute.get_iter(%rb) : (!cute.memref<f8E4M3FN, rmem, "((4,2),1,2):((1,4),0,8)">) -> !cute.ptr<f8E4M3FN, rmem>
    %vb = cute.recast_iter(%qb) {element = i32} : (!cute.ptr<f8E4M3FN, rmem>) -> !cute.ptr<i32, rmem, align<1>>
    %nb = cute.static : !cute.layout<"4:1">
    %wb = cute.make_view(%vb, %nb) : (!cute.ptr<i32, rmem, align<1>>, !cute.layout<"4:1">) -> !cute.memref<i32, rmem, align<1>, "4:1">
    %b0 = cute.memref.load(%wb, %i0) : (!cute.memref<i32, rmem, align<1>, "4:1">, i32) -> i32
    %b1 = cute.memref.load(%wb, %i1) : (!cute.memref<i32, rmem, align<1>, "4:1">, i32) -> i32
    %b2 = cute.memref.load(%wb, %i2) : (!cute.memref<i32, rmem, align<1>, "4:1">, i32) -> i32
    %b3 = cute.memref.load(%wb, %i3) : (!cute.memref<i32, rmem, align<1>, "4:1">, i32) -> i32
    %sb0 = cute.memref.load(%rs, %i0) : (!cute.memref<i8, rmem, "(1,1,2):(0,0,1)">, i32) -> i8
    %s0 = arith.extui %sb0 : i8 to i32
    %sb1 = cute.memref.load(%rs, %i1) : (!cute.memref<i8, rmem, "(1,1,2):(0,0,1)">, i32) -> i8
    %s1 = arith.extui %sb1 : i8 to i32
    %ub0 = cute.memref.load(%ru, %i0) : (!cute.memref<i8, rmem, "(1,1,2):(0,0,1)">, i32) -> i8
    %u0 = arith.extui %ub0 : i8 to i32
    %ub1 = cute.memref.load(%ru, %i1) : (!cute.memref<i8, rmem, "(1,1,2):(0,0,1)">, i32) -> i8
    %u1 = arith.extui %ub1 : i8 to i32
    %d0:4 = cute_nvgpu.arch.mma.SM120.block_scaled !cute_nvgpu.SM120.mma_bs<16x8x32, f8E4M3FN, f8E4M3FN, f32> (%a0, %a1, %a2, %a3) (%b0, %b1) (%zero, %zero, %zero, %zero) scaled by %s0, %u0 : f32, f32, f32, f32 -> f32, f32, f32, f32
    %d1:4 = cute_nvgpu.arch.mma.SM120.block_scaled !cute_nvgpu.SM120.mma_bs<16x8x32, f8E4M3FN, f8E4M3FN, f32> (%a4, %a5, %a6, %a7) (%b2, %b3) (%d0#0, %d0#1, %d0#2, %d0#3) scaled by %s1, %u1 : f32, f32, f32, f32 -> f32, f32, f32, f32
    cute.memref.store(%td, %i0, %d1#0) : !cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">, i32, f32
    cute.memref.store(%td, %i1, %d1#1) : !cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">, i32, f32
    cute.memref.store(%td, %i2, %d1#2) : !cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">, i32, f32
    cute.memref.store(%td, %i3, %d1#3) : !cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">, i32, f32
    gpu.return
  }
}
