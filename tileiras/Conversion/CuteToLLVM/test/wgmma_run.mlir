// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix product of gemm_run.mlir for sm_90: C = A * B^T in tiles of 64x128x64, a warpgroup, wgmma on shared memory
// with the 128-byte swizzle. The driver takes it as it is.
// RUN: tileiras --gpu-name=sm_90 --emit=ptx %s | FileCheck %s
// CHECK: wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16
// RUN: tileiras-run %S/Inputs/matmul.mlir --entry=wide --grid=2,6 --engine=reference 'a:f16[128x192]=random(lo=-2,hi=2,seed=1)' 'b:f16[384x192]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[128x384]' --dump=a=%t.a.npy --dump=b=%t.b.npy --dump=c=%t.c.npy
// RUN: tileiras-run %s --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --grid=2,3 --block=128 'a:f16[128x192]=%t.a.npy' 'b:f16[384x192]=%t.b.npy' 'out:c:f32[128x384]{expect=%t.c.npy}' i32=192 --tolerance=abs:1e-4
// Without the fence between the proxies, and without a barrier, it is reported.
// RUN: sed '/fence.proxy/d' %s > %t.unfenced.mlir
// RUN: not tileiras-run %t.unfenced.mlir --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --grid=2,3 --block=128 'a:f16[128x192]=%t.a.npy' 'b:f16[384x192]=%t.b.npy' 'out:c:f32[128x384]{expect=%t.c.npy}' i32=192 2>&1 | FileCheck %s --check-prefix=FENCE
// FENCE: proxy
// RUN: sed '0,/^      gpu.barrier/s/^      gpu.barrier//' %s > %t.racy.mlir
// RUN: not tileiras-run %t.racy.mlir --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --grid=2,3 --block=128 'a:f16[128x192]=%t.a.npy' 'b:f16[384x192]=%t.b.npy' 'out:c:f32[128x384]{expect=%t.c.npy}' i32=192 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: race

!ptr16 = !cute.ptr<f16, gmem, align<16>>
!ptr32 = !cute.ptr<f32, gmem, align<16>>
!sa = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (64,64):(64,1)">
!sb = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (128,64):(64,1)">
!copy_a = !cute.tiled_copy<!cute_nvgpu.universal_copy<128>, "((8,16),(8,4)):((512,1),(64,16))", "(64,64)">
!copy_b = !cute.tiled_copy<!cute_nvgpu.universal_copy<128>, "((8,16),(8,8)):((1024,1),(128,16))", "(128,64)">
!atom = !cute_nvgpu.sm90.mma<64x128x16, f16, f16, f32>
!mma = !cute.tiled_mma<!atom, "(1,1,1)">
!row = !cute.layout<"(?{div=64},?{div=64}):(?{div=64},1)">
!mat = !cute.memref<f16, gmem, align<16>, "(?{div=64},?{div=64}):(?{div=64},1)">
!tiles_a = !cute.memref<f16, gmem, align<16>, "(64,64,?):(?{div=64},1,64)">
!tiles_b = !cute.memref<f16, gmem, align<16>, "(128,64,?):(?{div=64},1,64)">
!from_a = !cute.memref<f16, gmem, align<16>, "((8,4),1,1,?):((1,?{div=1024}),0,0,64)">
!from_b = !cute.memref<f16, gmem, align<16>, "((8,8),1,1,?):((1,?{div=1024}),0,0,64)">
!from_a1 = !cute.memref<f16, gmem, align<16>, "((8,4),1,1):((1,?{div=1024}),0,0)">
!from_b1 = !cute.memref<f16, gmem, align<16>, "((8,8),1,1):((1,?{div=1024}),0,0)">
!to_a = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o ?{div=8} o ((8,4),1,1):((1,1024),0,0)">
!to_b = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o ?{div=8} o ((8,8),1,1):((1,1024),0,0)">
!fa = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o ((64,16),1,4):((64,1),0,16)">
!fb = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o ((128,16),1,4):((64,1),0,16)">
!gc = !cute.memref<f32, gmem, align<16>, "(64,128):(384,1)">
!fc = !cute.memref<f32, gmem, align<8>, "((2,2,16),1,1):((1,3072,8),0,0)">
!rc = !cute.memref<f32, rmem, "((2,2,16),1,1):((1,2,4),0,0)">

gpu.module @kernels {
  gpu.func @gemm(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>, %k: i32) kernel {
    %tx = gpu.thread_id x
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %t = arith.index_cast %tx : index to i32
    %bm = arith.index_cast %bx : index to i32
    %bn = arith.index_cast %by : index to i32
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %one = cute.static : !cute.int_tuple<"1">
    %m = cute.static : !cute.int_tuple<"128">
    %n = cute.static : !cute.int_tuple<"384">
    %any = cute.static : !cute.coord<"_">
    %pa = cute.inttoptr(%a) : (!llvm.ptr<1>) -> !ptr16
    %pb = cute.inttoptr(%b) : (!llvm.ptr<1>) -> !ptr16
    %pc = cute.inttoptr(%c) : (!llvm.ptr<1>) -> !ptr32
    %mk = cute.make_shape(%m, %k) : (!cute.int_tuple<"128">, i32) -> !cute.shape<"(128,?{div=64})">
    %nk = cute.make_shape(%n, %k) : (!cute.int_tuple<"384">, i32) -> !cute.shape<"(384,?{div=64})">
    %sk = cute.make_stride(%k, %one) : (i32, !cute.int_tuple<"1">) -> !cute.stride<"(?{div=64},1)">
    %la0 = cute.make_layout(%mk, %sk) : (!cute.shape<"(128,?{div=64})">, !cute.stride<"(?{div=64},1)">) -> !cute.layout<"(128,?{div=64}):(?{div=64},1)">
    %lb0 = cute.make_layout(%nk, %sk) : (!cute.shape<"(384,?{div=64})">, !cute.stride<"(?{div=64},1)">) -> !cute.layout<"(384,?{div=64}):(?{div=64},1)">
    %la = cute.derefine(%la0) : (!cute.layout<"(128,?{div=64}):(?{div=64},1)">) -> !row
    %lb = cute.derefine(%lb0) : (!cute.layout<"(384,?{div=64}):(?{div=64},1)">) -> !row
    %lc = cute.static : !cute.layout<"(128,384):(384,1)">
    %ma = cute.make_view(%pa, %la) : (!ptr16, !row) -> !mat
    %mb = cute.make_view(%pb, %lb) : (!ptr16, !row) -> !mat
    %mc = cute.make_view(%pc, %lc) : (!ptr32, !cute.layout<"(128,384):(384,1)">) -> !cute.memref<f32, gmem, align<16>, "(128,384):(384,1)">

    %tile_a = cute.static : !cute.tile<"[64:1;64:1]">
    %tile_b = cute.static : !cute.tile<"[128:1;64:1]">
    %tile_c = cute.static : !cute.tile<"[64:1;128:1]">
    %at_a = cute.make_coord(%bm, %any) : (i32, !cute.coord<"_">) -> !cute.coord<"(?,_)">
    %at_b = cute.make_coord(%bn, %any) : (i32, !cute.coord<"_">) -> !cute.coord<"(?,_)">
    %at_c = cute.make_coord(%bm, %bn) : (i32, i32) -> !cute.coord<"(?,?)">
    %ga = cute.local_tile(%ma, %tile_a, %at_a) : (!mat, !cute.tile<"[64:1;64:1]">, !cute.coord<"(?,_)">) -> !tiles_a
    %gb = cute.local_tile(%mb, %tile_b, %at_b) : (!mat, !cute.tile<"[128:1;64:1]">, !cute.coord<"(?,_)">) -> !tiles_b
    %gc = cute.local_tile(%mc, %tile_c, %at_c) : (!cute.memref<f32, gmem, align<16>, "(128,384):(384,1)">, !cute.tile<"[64:1;128:1]">, !cute.coord<"(?,?)">) -> !gc
    %sa = cute.memref.alloc_smem : !sa
    %sb = cute.memref.alloc_smem : !sb

    %vector = cute.make_atom : !cute_nvgpu.universal_copy<128>
    %copy_a = cute.make_tiled_copy(%vector) : (!cute_nvgpu.universal_copy<128>) -> !copy_a
    %copy_b = cute.make_tiled_copy(%vector) : (!cute_nvgpu.universal_copy<128>) -> !copy_b
    %wgmma = cute.make_atom : !atom
    %mma = cute.make_tiled_mma(%wgmma) : (!atom) -> !mma
    %st = cute.make_atom : !cute_nvgpu.universal_copy<64>
    %from_a = cute.tiled.copy.partition_S(%copy_a, %ga, %t) : (!copy_a, !tiles_a, i32) -> !from_a
    %from_b = cute.tiled.copy.partition_S(%copy_b, %gb, %t) : (!copy_b, !tiles_b, i32) -> !from_b
    %to_a = cute.tiled.copy.partition_D(%copy_a, %sa, %t) : (!copy_a, !sa, i32) -> !to_a
    %to_b = cute.tiled.copy.partition_D(%copy_b, %sb, %t) : (!copy_b, !sb, i32) -> !to_b
    // All threads see the same of A and B: what the instructions read.
    %fa = cute.tiled.mma.partition(%mma, %sa, %t) {operand = "A"} : (!mma, !sa, i32) -> !fa
    %fb = cute.tiled.mma.partition(%mma, %sb, %t) {operand = "B"} : (!mma, !sb, i32) -> !fb
    %fc = cute.tiled.mma.partition(%mma, %gc, %t) {operand = "C"} : (!mma, !gc, i32) -> !fc
    %rc = cute.make_fragment_like(%fc) : (!fc) -> !rc
    cute.memref.fill(%rc, %zero) : !rc, f32

    %steps = arith.divui %k, %c64 : i32
    scf.for %i = %c0 to %steps step %c1 : i32 {
      %at = cute.make_coord(%any, %any, %any, %i) : (!cute.coord<"_">, !cute.coord<"_">, !cute.coord<"_">, i32) -> !cute.coord<"(_,_,_,?)">
      %next_a = cute.slice(%from_a, %at) : (!from_a, !cute.coord<"(_,_,_,?)">) -> !from_a1
      %next_b = cute.slice(%from_b, %at) : (!from_b, !cute.coord<"(_,_,_,?)">) -> !from_b1
      cute.copy(%copy_a, %next_a, %to_a) : !copy_a, !from_a1, !to_a
      cute.copy(%copy_b, %next_b, %to_b) : !copy_b, !from_b1, !to_b
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      cute.gemm(%mma, %rc, %fa, %fb, %rc) : !mma, !rc, !fa, !fb, !rc
      gpu.barrier
    }
    cute.copy(%st, %rc, %fc) : !cute_nvgpu.universal_copy<64>, !rc, !fc
    gpu.return
  }
}
