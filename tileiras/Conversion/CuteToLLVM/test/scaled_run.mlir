// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mma.sync with block scales, by execution; targets without it are named.
// RUN: tileiras-run %S/Inputs/products.mlir --entry=scaled --engine=reference 'a:f8E4M3FN[16x64]=integers(seed=1)' 'b:f8E4M3FN[8x64]=integers(seed=2)' 's:f8E8M0FNU[16x2]=random(seed=3,lo=0.5,hi=8)' 'u:f8E8M0FNU[8x2]=random(seed=4,lo=0.5,hi=8)' 'out:c:f32[16x8]' --dump=c=%t.scaled.npy
// RUN: tileiras-run %s --entry=scaled --gpu-name=sm_120 --engine=emulator --check-races --block=32 'a:f8E4M3FN[16x64]=integers(seed=1)' 'b:f8E4M3FN[8x64]=integers(seed=2)' 's:f8E8M0FNU[16x2]=random(seed=3,lo=0.5,hi=8)' 'u:f8E8M0FNU[8x2]=random(seed=4,lo=0.5,hi=8)' 'out:c:f32[16x8]{expect=%t.scaled.npy}'
// RUN: not tileiras --gpu-name=sm_90 --emit=ptx %s 2>&1 | FileCheck %s
// CHECK: error: 'cute.gemm' op needs mma.sync with block scales, which sm_90 does not have

!word = !cute_nvgpu.universal_copy<32>
!byte = !cute_nvgpu.universal_copy<8>

gpu.module @kernels {
  gpu.func @scaled(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %s: !llvm.ptr<1>, %u: !llvm.ptr<1>, %c: !llvm.ptr<1>) kernel {
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
    gpu.return
  }
}
