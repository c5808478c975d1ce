// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix product written in cute and cute_nvgpu, C = A * B^T with run-time extents: tiles of 64x64x32, four warps, mma.sync,
// shared memory with swizzles. Compiled for two targets, executed with the race checker, equal to the reference's
// product; and with a barrier missing, which the checker reports.
// RUN: tileiras-opt %s --convert-cute-to-llvm > %t.mlir
// RUN: FileCheck %s --check-prefix=NOCUTE --input-file=%t.mlir
// NOCUTE-NOT: cute.
// NOCUTE: mma.sync.aligned.m16n8k16
// RUN: tileiras-run %S/Inputs/matmul.mlir --entry=matmul --grid=2,3 --engine=reference 'a:f16[128x96]=random(lo=-2,hi=2,seed=1)' 'b:f16[192x96]=random(lo=-2,hi=2,seed=2)' out:c:f32[128x192] --dump=a=%t.a.npy --dump=b=%t.b.npy --dump=c=%t.c.npy
// RUN: tileiras-run %t.mlir --gpu-name=sm_80 --engine=emulator --check-races --schedules=3 --grid=2,3 --block=128 'a:f16[128x96]=%t.a.npy' 'b:f16[192x96]=%t.b.npy' 'out:c:f32[128x192]{expect=%t.c.npy}' i32=128 i32=192 i32=96 --tolerance=abs:1e-4
// RUN: tileiras-run %t.mlir --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --grid=2,3 --block=128 'a:f16[128x96]=%t.a.npy' 'b:f16[192x96]=%t.b.npy' 'out:c:f32[128x192]{expect=%t.c.npy}' i32=128 i32=192 i32=96 --tolerance=abs:1e-4
// RUN: sed '0,/gpu.barrier/s/gpu.barrier//' %t.mlir > %t.racy.mlir
// RUN: not tileiras-run %t.racy.mlir --gpu-name=sm_80 --engine=emulator --check-races --schedules=3 --grid=2,3 --block=128 'a:f16[128x96]=%t.a.npy' 'b:f16[192x96]=%t.b.npy' 'out:c:f32[128x192]{expect=%t.c.npy}' i32=128 i32=192 i32=96 --tolerance=abs:1e-4 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: race

!ptr16 = !cute.ptr<f16, gmem, align<16>>
!ptr32 = !cute.ptr<f32, gmem, align<16>>
!sa = !cute.memref<f16, smem, align<128>, "S<2,3,3> o 0 o (64,32):(32,1)">
!copy = !cute.tiled_copy<!cute_nvgpu.universal_copy<128>, "((4,32),8):((256,1),32)", "(32,32)">
!atom = !cute_nvgpu.sm80.mma<16x8x16, f16, f16, f32>
!mma = !cute.tiled_mma<!atom, "(2,2,1)">
!mat16 = !cute.memref<f16, gmem, align<16>, "(?{div=64},?{div=32}):(?{div=32},1)">
!tiles16 = !cute.memref<f16, gmem, align<16>, "(64,32,?):(?{div=32},1,32)">
!from = !cute.memref<f16, gmem, align<16>, "(8,2,1,?):(1,?{div=1024},0,32)">
!from1 = !cute.memref<f16, gmem, align<16>, "(8,2,1):(1,?{div=1024},0)">
!to = !cute.memref<f16, smem, align<128>, "S<2,3,3> o ?{div=8} o (8,2,1):(1,1024,0)">
!sfa = !cute.memref<f16, smem, align<128>, "S<2,3,3> o ?{div=2} o ((2,2,2),2,2):((1,256,8),1024,16)">
!sfb = !cute.memref<f16, smem, align<128>, "S<2,3,3> o ?{div=2} o ((2,2),4,2):((1,8),512,16)">
!ra = !cute.memref<f16, rmem, "((2,2,2),2,2):((1,2,4),8,16)">
!rb = !cute.memref<f16, rmem, "((2,2),4,2):((1,2),4,16)">
!rc = !cute.memref<f32, rmem, "((2,2),2,4):((1,2),4,8)">
!gc = !cute.memref<f32, gmem, align<16>, "(64,64):(?{div=64},1)">
!tc = !cute.memref<f32, gmem, align<8>, "((2,2),2,4):((1,?{div=512}),?{div=2048},16)">

gpu.module @kernels {
  gpu.func @gemm(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>, %m: i32, %n: i32, %k: i32) kernel {
    %tx = gpu.thread_id x
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %t = arith.index_cast %tx : index to i32
    %bm = arith.index_cast %bx : index to i32
    %bn = arith.index_cast %by : index to i32
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32

    // Matrices: A (M, K), B (N, K), C (M, N), rows contiguous.
    %one = cute.static : !cute.int_tuple<"1">
    %any = cute.static : !cute.coord<"_">
    %pa = cute.inttoptr(%a) : (!llvm.ptr<1>) -> !ptr16
    %pb = cute.inttoptr(%b) : (!llvm.ptr<1>) -> !ptr16
    %pc = cute.inttoptr(%c) : (!llvm.ptr<1>) -> !ptr32
    %mk = cute.make_shape(%m, %k) : (i32, i32) -> !cute.shape<"(?{div=64},?{div=32})">
    %nk = cute.make_shape(%n, %k) : (i32, i32) -> !cute.shape<"(?{div=64},?{div=32})">
    %mn = cute.make_shape(%m, %n) : (i32, i32) -> !cute.shape<"(?{div=64},?{div=64})">
    %sk = cute.make_stride(%k, %one) : (i32, !cute.int_tuple<"1">) -> !cute.stride<"(?{div=32},1)">
    %sn = cute.make_stride(%n, %one) : (i32, !cute.int_tuple<"1">) -> !cute.stride<"(?{div=64},1)">
    %la = cute.make_layout(%mk, %sk) : (!cute.shape<"(?{div=64},?{div=32})">, !cute.stride<"(?{div=32},1)">) -> !cute.layout<"(?{div=64},?{div=32}):(?{div=32},1)">
    %lb = cute.make_layout(%nk, %sk) : (!cute.shape<"(?{div=64},?{div=32})">, !cute.stride<"(?{div=32},1)">) -> !cute.layout<"(?{div=64},?{div=32}):(?{div=32},1)">
    %lc = cute.make_layout(%mn, %sn) : (!cute.shape<"(?{div=64},?{div=64})">, !cute.stride<"(?{div=64},1)">) -> !cute.layout<"(?{div=64},?{div=64}):(?{div=64},1)">
    %ma = cute.make_view(%pa, %la) : (!ptr16, !cute.layout<"(?{div=64},?{div=32}):(?{div=32},1)">) -> !mat16
    %mb = cute.make_view(%pb, %lb) : (!ptr16, !cute.layout<"(?{div=64},?{div=32}):(?{div=32},1)">) -> !mat16
    %mc = cute.make_view(%pc, %lc) : (!ptr32, !cute.layout<"(?{div=64},?{div=64}):(?{div=64},1)">) -> !cute.memref<f32, gmem, align<16>, "(?{div=64},?{div=64}):(?{div=64},1)">

    // The tiles of this block.
    %tile = cute.static : !cute.tile<"[64:1;32:1]">
    %tile_c = cute.static : !cute.tile<"[64:1;64:1]">
    %at_a = cute.make_coord(%bm, %any) : (i32, !cute.coord<"_">) -> !cute.coord<"(?,_)">
    %at_b = cute.make_coord(%bn, %any) : (i32, !cute.coord<"_">) -> !cute.coord<"(?,_)">
    %at_c = cute.make_coord(%bm, %bn) : (i32, i32) -> !cute.coord<"(?,?)">
    %ga = cute.local_tile(%ma, %tile, %at_a) : (!mat16, !cute.tile<"[64:1;32:1]">, !cute.coord<"(?,_)">) -> !tiles16
    %gb = cute.local_tile(%mb, %tile, %at_b) : (!mat16, !cute.tile<"[64:1;32:1]">, !cute.coord<"(?,_)">) -> !tiles16
    %gc = cute.local_tile(%mc, %tile_c, %at_c) : (!cute.memref<f32, gmem, align<16>, "(?{div=64},?{div=64}):(?{div=64},1)">, !cute.tile<"[64:1;64:1]">, !cute.coord<"(?,?)">) -> !gc
    %sa = cute.memref.alloc_smem : !sa
    %sb = cute.memref.alloc_smem : !sa

    // What this thread copies and multiplies.
    %copy = cute.make_atom : !copy
    %mma = cute.make_atom : !mma
    %ld = cute.make_atom : !cute_nvgpu.universal_copy<32>
    %st = cute.make_atom : !cute_nvgpu.universal_copy<64>
    %from_a = cute.tiled.copy.partition_S(%copy, %ga, %t) : (!copy, !tiles16, i32) -> !from
    %from_b = cute.tiled.copy.partition_S(%copy, %gb, %t) : (!copy, !tiles16, i32) -> !from
    %to_a = cute.tiled.copy.partition_D(%copy, %sa, %t) : (!copy, !sa, i32) -> !to
    %to_b = cute.tiled.copy.partition_D(%copy, %sb, %t) : (!copy, !sa, i32) -> !to
    %fa = cute.tiled.mma.partition(%mma, %sa, %t) {operand = "A"} : (!mma, !sa, i32) -> !sfa
    %fb = cute.tiled.mma.partition(%mma, %sb, %t) {operand = "B"} : (!mma, !sa, i32) -> !sfb
    %fc = cute.tiled.mma.partition(%mma, %gc, %t) {operand = "C"} : (!mma, !gc, i32) -> !tc
    %ra = cute.make_fragment_like(%fa) : (!sfa) -> !ra
    %rb = cute.make_fragment_like(%fb) : (!sfb) -> !rb
    %rc = cute.make_fragment_like(%fc) : (!tc) -> !rc
    cute.memref.fill(%rc, %zero) : !rc, f32

    %steps = arith.divui %k, %c32 : i32
    scf.for %i = %c0 to %steps step %c1 : i32 {
      %at = cute.make_coord(%any, %any, %any, %i) : (!cute.coord<"_">, !cute.coord<"_">, !cute.coord<"_">, i32) -> !cute.coord<"(_,_,_,?)">
      %next_a = cute.slice(%from_a, %at) : (!from, !cute.coord<"(_,_,_,?)">) -> !from1
      %next_b = cute.slice(%from_b, %at) : (!from, !cute.coord<"(_,_,_,?)">) -> !from1
      cute.copy(%copy, %next_a, %to_a) : !copy, !from1, !to
      cute.copy(%copy, %next_b, %to_b) : !copy, !from1, !to
      gpu.barrier
      cute.copy(%ld, %fa, %ra) : !cute_nvgpu.universal_copy<32>, !sfa, !ra
      cute.copy(%ld, %fb, %rb) : !cute_nvgpu.universal_copy<32>, !sfb, !rb
      cute.gemm(%mma, %rc, %ra, %rb, %rc) : !mma, !rc, !ra, !rb, !rc
      gpu.barrier
    }
    cute.copy(%st, %rc, %fc) : !cute_nvgpu.universal_copy<64>, !rc, !tc
    gpu.return
  }
}
