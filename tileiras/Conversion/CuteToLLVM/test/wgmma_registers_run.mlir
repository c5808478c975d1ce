// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix product of wgmma_run.mlir with A in registers: its tiles come from global memory as the instruction has
// them, and only those of B are in shared memory. Then two instructions of every type, one below the other.
// RUN: tileiras --gpu-name=sm_90 --emit=ptx %s | FileCheck %s
// CHECK: wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {{.*}}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, %rd{{[0-9]+}}, always, 1, 1, 0;
// RUN: tileiras-run %S/Inputs/matmul.mlir --entry=wide --grid=2,6 --engine=reference 'a:f16[128x192]=random(lo=-2,hi=2,seed=1)' 'b:f16[384x192]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[128x384]' --dump=a=%t.a.npy --dump=b=%t.b.npy --dump=c=%t.c.npy
// RUN: tileiras-run %s --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --grid=2,3 --block=128 'a:f16[128x192]=%t.a.npy' 'b:f16[384x192]=%t.b.npy' 'out:c:f32[128x384]{expect=%t.c.npy}' --tolerance=abs:1e-4
// RUN: sed '/fence.proxy/d' %s > %t.unfenced.mlir
// RUN: not tileiras-run %t.unfenced.mlir --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --grid=2,3 --block=128 'a:f16[128x192]=%t.a.npy' 'b:f16[384x192]=%t.b.npy' 'out:c:f32[128x384]{expect=%t.c.npy}' 2>&1 | FileCheck %s --check-prefix=FENCE
// FENCE: proxy
// The registers of A belong to the group until it is done: without the wait, the next tile is loaded too early.
// RUN: tileiras --gpu-name=sm_90 --emit=ptx %s -o %t.ptx
// RUN: sed '/wgmma.wait_group/d' %t.ptx > %t.early.ptx
// RUN: not tileiras-run %t.early.ptx --entry=gemm --gpu-name=sm_90 --engine=emulator --check-races --async=late --grid=2,3 --block=128 'a:f16[128x192]=%t.a.npy' 'b:f16[384x192]=%t.b.npy' 'out:c:f32[128x384]{expect=%t.c.npy}' 2>&1 | FileCheck %s --check-prefix=WAIT
// WAIT: wgmma
// RUN: sed 's/MUL/bf16/g;s/MEM/bf16/g;s/FILL/i16/g;s/SUM/f32/g;s/KK/16/g;s/MK/1024/g;s/NK/256/g;s/BASE/3/g;s/ZERO/0.0/g;s/MMA/mmaf/g;s/SIGNS//g' %S/Inputs/umma_reference.mlir.in > %t.bf16.reference.mlir
// RUN: sed 's/MUL/bf16/g;s/MEM/bf16/g;s/FILL/i16/g;s/SUM/f32/g;s/KK/16/g;s/MK/1024/g;s/NK/256/g;s/BASE/3/g;s/ZERO/0.0/g;s/MMA/mmaf/g;s/SIGNS//g;s/FA/(2,2,2)/g;s/SA/(1,128,8)/g;s/TA/(1,2,4)/g;s/QQ/8/g' %S/Inputs/wgmma_registers.mlir.in > %t.bf16.mlir
// RUN: tileiras-run %t.bf16.reference.mlir --engine=reference 'a:bf16[128x16]=random(lo=-2,hi=2,seed=1)' 'b:bf16[16x16]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[128x16]' --dump=c=%t.bf16.npy
// RUN: tileiras-run %t.bf16.mlir --gpu-name=sm_90 --engine=emulator --check-races --schedules=2 --block=128 'a:bf16[128x16]=random(lo=-2,hi=2,seed=1)' 'b:bf16[16x16]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[128x16]{expect=%t.bf16.npy}' --tolerance=abs:1e-4
// RUN: sed 's/MUL/tf32/g;s/MEM/f32/g;s/FILL/i32/g;s/SUM/f32/g;s/KK/8/g;s/MK/512/g;s/NK/128/g;s/BASE/2/g;s/ZERO/0.0/g;s/MMA/mmaf/g;s/SIGNS//g' %S/Inputs/umma_reference.mlir.in > %t.tf32.reference.mlir
// RUN: sed 's/MUL/tf32/g;s/MEM/f32/g;s/FILL/i32/g;s/SUM/f32/g;s/KK/8/g;s/MK/512/g;s/NK/128/g;s/BASE/2/g;s/ZERO/0.0/g;s/MMA/mmaf/g;s/SIGNS//g;s/FA/(2,2)/g;s/SA/(64,4)/g;s/TA/(1,2)/g;s/QQ/4/g' %S/Inputs/wgmma_registers.mlir.in > %t.tf32.mlir
// RUN: tileiras-run %t.tf32.reference.mlir --engine=reference 'a:tf32[128x8]=integers(seed=1)' 'b:tf32[16x8]=integers(seed=2)' 'out:c:f32[128x16]' --dump=c=%t.tf32.npy
// RUN: tileiras-run %t.tf32.mlir --gpu-name=sm_90 --engine=emulator --check-races --schedules=2 --block=128 'a:tf32[128x8]=integers(seed=1)' 'b:tf32[16x8]=integers(seed=2)' 'out:c:f32[128x16]{expect=%t.tf32.npy}'
// RUN: sed 's/MUL/f8E4M3FN/g;s/MEM/f8E4M3FN/g;s/FILL/i8/g;s/SUM/f32/g;s/KK/32/g;s/MK/2048/g;s/NK/512/g;s/BASE/4/g;s/ZERO/0.0/g;s/MMA/mmaf/g;s/SIGNS//g' %S/Inputs/umma_reference.mlir.in > %t.f8E4M3FN.reference.mlir
// RUN: sed 's/MUL/f8E4M3FN/g;s/MEM/f8E4M3FN/g;s/FILL/i8/g;s/SUM/f32/g;s/KK/32/g;s/MK/2048/g;s/NK/512/g;s/BASE/4/g;s/ZERO/0.0/g;s/MMA/mmaf/g;s/SIGNS//g;s/FA/(4,2,2)/g;s/SA/(1,256,16)/g;s/TA/(1,4,8)/g;s/QQ/16/g' %S/Inputs/wgmma_registers.mlir.in > %t.f8E4M3FN.mlir
// RUN: tileiras-run %t.f8E4M3FN.reference.mlir --engine=reference 'a:f8E4M3FN[128x32]=integers(seed=1)' 'b:f8E4M3FN[16x32]=integers(seed=2)' 'out:c:f32[128x16]' --dump=c=%t.f8E4M3FN.npy
// RUN: tileiras-run %t.f8E4M3FN.mlir --gpu-name=sm_90 --engine=emulator --check-races --schedules=2 --block=128 'a:f8E4M3FN[128x32]=integers(seed=1)' 'b:f8E4M3FN[16x32]=integers(seed=2)' 'out:c:f32[128x16]{expect=%t.f8E4M3FN.npy}'
// RUN: sed 's/MUL/i8/g;s/MEM/i8/g;s/FILL/i8/g;s/SUM/i32/g;s/KK/32/g;s/MK/2048/g;s/NK/512/g;s/BASE/4/g;s/ZERO/0/g;s/MMA/mmai/g;s/SIGNS/signed signed/g' %S/Inputs/umma_reference.mlir.in > %t.i8.reference.mlir
// RUN: sed 's/MUL/i8/g;s/MEM/i8/g;s/FILL/i8/g;s/SUM/i32/g;s/KK/32/g;s/MK/2048/g;s/NK/512/g;s/BASE/4/g;s/ZERO/0/g;s/MMA/mmai/g;s/SIGNS/signed signed/g;s/FA/(4,2,2)/g;s/SA/(1,256,16)/g;s/TA/(1,4,8)/g;s/QQ/16/g' %S/Inputs/wgmma_registers.mlir.in > %t.i8.mlir
// RUN: tileiras-run %t.i8.reference.mlir --engine=reference 'a:i8[128x32]=bits(seed=1)' 'b:i8[16x32]=bits(seed=2)' 'out:c:i32[128x16]' --dump=c=%t.i8.npy
// RUN: tileiras-run %t.i8.mlir --gpu-name=sm_90 --engine=emulator --check-races --schedules=2 --block=128 'a:i8[128x32]=bits(seed=1)' 'b:i8[16x32]=bits(seed=2)' 'out:c:i32[128x16]{expect=%t.i8.npy}'

!ga = !cute.memref<f16, gmem, align<16>, "(128,192):(192,1)">
!gb = !cute.memref<f16, gmem, align<16>, "(384,192):(192,1)">
!gc = !cute.memref<f32, gmem, align<16>, "(128,384):(384,1)">
!sb = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (128,64):(64,1)">
!copy = !cute.tiled_copy<!cute_nvgpu.universal_copy<128>, "((8,16),(8,8)):((1024,1),(128,16))", "(128,64)">
!atom = !cute_nvgpu.sm90.mma<64x128x16, f16, f16, f32, a = rmem>
!mma = !cute.tiled_mma<!atom, "(1,1,1)">
!tiles_a = !cute.memref<f16, gmem, align<16>, "(64,64,3):(192,1,64)">
!tiles_b = !cute.memref<f16, gmem, align<16>, "(128,64,3):(192,1,64)">
!tile_c = !cute.memref<f32, gmem, align<16>, "(64,128):(384,1)">
!from_a = !cute.memref<f16, gmem, align<4>, "((2,2,2),1,4,3):((1,1536,8),0,16,64)">
!from_a1 = !cute.memref<f16, gmem, align<4>, "((2,2,2),1,4):((1,1536,8),0,16)">
!from_b = !cute.memref<f16, gmem, align<16>, "((8,8),1,1,3):((1,3072),0,0,64)">
!from_b1 = !cute.memref<f16, gmem, align<16>, "((8,8),1,1):((1,3072),0,0)">
!to_b = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o ?{div=8} o ((8,8),1,1):((1,1024),0,0)">
!ra = !cute.memref<f16, rmem, "((2,2,2),1,4):((1,2,4),0,8)">
!fb = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o ((128,16),1,4):((64,1),0,16)">
!fc = !cute.memref<f32, gmem, align<8>, "((2,2,16),1,1):((1,3072,8),0,0)">
!rc = !cute.memref<f32, rmem, "((2,2,16),1,1):((1,2,4),0,0)">

gpu.module @kernels {
  gpu.func @gemm(%a: !ga, %b: !gb, %c: !gc) kernel {
    %tx = gpu.thread_id x
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %t = arith.index_cast %tx : index to i32
    %bm = arith.index_cast %bx : index to i32
    %bn = arith.index_cast %by : index to i32
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %any = cute.static : !cute.coord<"_">
    %tile_a = cute.static : !cute.tile<"[64:1;64:1]">
    %tile_b = cute.static : !cute.tile<"[128:1;64:1]">
    %tile_c = cute.static : !cute.tile<"[64:1;128:1]">
    %at_a = cute.make_coord(%bm, %any) : (i32, !cute.coord<"_">) -> !cute.coord<"(?,_)">
    %at_b = cute.make_coord(%bn, %any) : (i32, !cute.coord<"_">) -> !cute.coord<"(?,_)">
    %at_c = cute.make_coord(%bm, %bn) : (i32, i32) -> !cute.coord<"(?,?)">
    %ga = cute.local_tile(%a, %tile_a, %at_a) : (!ga, !cute.tile<"[64:1;64:1]">, !cute.coord<"(?,_)">) -> !tiles_a
    %gb = cute.local_tile(%b, %tile_b, %at_b) : (!gb, !cute.tile<"[128:1;64:1]">, !cute.coord<"(?,_)">) -> !tiles_b
    %gc = cute.local_tile(%c, %tile_c, %at_c) : (!gc, !cute.tile<"[64:1;128:1]">, !cute.coord<"(?,?)">) -> !tile_c
    %sb = cute.memref.alloc_smem : !sb
    %vector = cute.make_atom : !cute_nvgpu.universal_copy<128>
    %word = cute.make_atom : !cute_nvgpu.universal_copy<32>
    %copy = cute.make_tiled_copy(%vector) : (!cute_nvgpu.universal_copy<128>) -> !copy
    %mma = cute.make_atom : !mma
    %st = cute.make_atom : !cute_nvgpu.universal_copy<64>
    %from_a = cute.tiled.mma.partition(%mma, %ga, %t) {operand = "A"} : (!mma, !tiles_a, i32) -> !from_a
    %from_b = cute.tiled.copy.partition_S(%copy, %gb, %t) : (!copy, !tiles_b, i32) -> !from_b
    %to_b = cute.tiled.copy.partition_D(%copy, %sb, %t) : (!copy, !sb, i32) -> !to_b
    %fb = cute.tiled.mma.partition(%mma, %sb, %t) {operand = "B"} : (!mma, !sb, i32) -> !fb
    %fc = cute.tiled.mma.partition(%mma, %gc, %t) {operand = "C"} : (!mma, !tile_c, i32) -> !fc
    %rc = cute.make_fragment_like(%fc) : (!fc) -> !rc
    %ra = cute.memref.alloca : !ra
    cute.memref.fill(%rc, %zero) : !rc, f32
    scf.for %i = %c0 to %c3 step %c1 : i32 {
      %at = cute.make_coord(%any, %any, %any, %i) : (!cute.coord<"_">, !cute.coord<"_">, !cute.coord<"_">, i32) -> !cute.coord<"(_,_,_,?)">
      %next_a = cute.slice(%from_a, %at) : (!from_a, !cute.coord<"(_,_,_,?)">) -> !from_a1
      %next_b = cute.slice(%from_b, %at) : (!from_b, !cute.coord<"(_,_,_,?)">) -> !from_b1
      cute.copy(%word, %next_a, %ra) : !cute_nvgpu.universal_copy<32>, !from_a1, !ra
      cute.copy(%copy, %next_b, %to_b) : !copy, !from_b1, !to_b
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      cute.gemm(%mma, %rc, %ra, %fb, %rc) : !mma, !rc, !ra, !fb, !rc
      gpu.barrier
    }
    cute.copy(%st, %rc, %fc) : !cute_nvgpu.universal_copy<64>, !rc, !fc
    gpu.return
  }
}
