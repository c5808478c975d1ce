// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tcgen05.mma of two blocks of a cluster: 256x64x64 of f16. Each block has 128 rows of A, 32 columns of B and 128 rows of the sums; one thread of
// the even block issues the product for both, and its commit reaches a barrier in each.
// RUN: tileiras --gpu-name=sm_100 --emit=ptx %s | FileCheck %s
// CHECK: .reqnctapercluster 2
// CHECK: tcgen05.alloc.cta_group::2
// CHECK: tcgen05.mma.cta_group::2.kind::f16
// CHECK: tcgen05.commit.cta_group::2{{.*}}multicast::cluster
// RUN: tileiras-run %S/Inputs/umma_further_reference.mlir --entry=pair --engine=reference 'a:f16[256x64]=random(lo=-2,hi=2,seed=1)' 'b:f16[64x64]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[256x64]' --dump=c=%t.npy
// RUN: tileiras-run %s --gpu-name=sm_100 --engine=emulator --check-races --schedules=3 --grid=2 --block=128 'a:f16[256x64]=random(lo=-2,hi=2,seed=1)' 'b:f16[64x64]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[256x64]{expect=%t.npy}' --tolerance=abs:1e-4
// The blocks do not meet before the product: the other's operands may not be there.
// RUN: sed '/^    .. The operands of both/,/^    .. The end of operands/d' %s > %t.alone.mlir
// RUN: not tileiras-run %t.alone.mlir --gpu-name=sm_100 --engine=emulator --check-races --schedules=3 --grid=2 --block=128 'a:f16[256x64]=random(lo=-2,hi=2,seed=1)' 'b:f16[64x64]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[256x64]{expect=%t.npy}' 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: race
// The commit reaches the even block alone: the odd one waits forever.
// RUN: sed 's/arith.constant 3 : i16/arith.constant 1 : i16/' %s > %t.half.mlir
// RUN: not tileiras-run %t.half.mlir --gpu-name=sm_100 --engine=emulator --check-races --grid=2 --block=128 --max-steps=2000000 'a:f16[256x64]=random(lo=-2,hi=2,seed=1)' 'b:f16[64x64]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[256x64]{expect=%t.npy}'
// Issued by both: the odd block may not.
// RUN: sed 's/%%chosen = arith.andi %%first, %%even/%%chosen = arith.andi %%first, %%first/' %s > %t.both.mlir
// RUN: not tileiras-run %t.both.mlir --gpu-name=sm_100 --engine=emulator --check-races --grid=2 --block=128 --max-steps=2000000 'a:f16[256x64]=random(lo=-2,hi=2,seed=1)' 'b:f16[64x64]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[256x64]{expect=%t.npy}' 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: a thread of the even block of the pair issues this instruction

!atom = !cute_nvgpu.sm100.mma<256x64x16, f16, f16, f32, ctas = 2>
!mma = !cute.tiled_mma<!atom, "(1,1,1)">
!ga = !cute.memref<f16, gmem, align<16>, "(256,64):(64,1)">
!gb = !cute.memref<f16, gmem, align<16>, "(64,64):(64,1)">
!gc = !cute.memref<f32, gmem, align<16>, "(256,64):(64,1)">
!tile_a = !cute.memref<f16, gmem, align<16>, "(128,64):(64,1)">
!tile_b = !cute.memref<f16, gmem, align<16>, "(32,64):(64,1)">
!tile_c = !cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">
!sa = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (128,64):(64,1)">
!sb = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (32,64):(64,1)">
!copy_a = !cute.tiled_copy<!cute_nvgpu.universal_copy<128>, "((8,16),(8,8)):((1024,1),(128,16))", "(128,64)">
!copy_b = !cute.tiled_copy<!cute_nvgpu.universal_copy<128>, "((8,16),(8,2)):((256,1),(32,16))", "(32,64)">
!from_a = !cute.memref<f16, gmem, align<16>, "((8,8),1,1):((1,1024),0,0)">
!to_a = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o ?{div=8} o ((8,8),1,1):((1,1024),0,0)">
!from_b = !cute.memref<f16, gmem, align<16>, "((8,2),1,1):((1,1024),0,0)">
!to_b = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o ?{div=8} o ((8,2),1,1):((1,1024),0,0)">
!fa = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o ((128,16),1,4):((64,1),0,16)">
!fb = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o ((32,16),1,4):((64,1),0,16)">
!acc = !cute.memref<f32, tmem, "(128,64):(65536,1)">
!facc = !cute.memref<f32, tmem, "((128,64),1,1):((65536,1),0,0)">
!load = !cute.tiled_copy<!cute_nvgpu.tmem_load<64>, "(128,64):(1,128)", "(128,64)">
!tacc = !cute.memref<f32, tmem, "(64,1,1):(1,0,0)">
!tc = !cute.memref<f32, gmem, align<16>, "(64,1,1):(1,0,0)">
!rc = !cute.memref<f32, rmem, "(64,1,1):(1,0,0)">
!slot = !cute.memref<i32, smem, "1:1">
!bar = !cute.memref<i64, smem, "1:1">

gpu.module @kernels {
  gpu.func @pair(%a: !ga, %b: !gb, %c: !gc) kernel attributes {nvvm.cluster_dim = array<i32: 2>} {
    %tx = gpu.thread_id x
    %bx = gpu.block_id x
    %t = arith.index_cast %tx : index to i32
    %rank = arith.index_cast %bx : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i32
    %n64 = arith.constant 64 : i32
    %ticks = arith.constant 1000000 : i32
    %no = arith.constant false
    %mask = arith.constant 3 : i16
    %sa = cute.memref.alloc_smem : !sa
    %sb = cute.memref.alloc_smem : !sb
    %bar = cute.memref.alloc_smem : !bar
    %slot = cute.memref.alloc_smem : !slot
    %pbar = cute.get_iter(%bar) : (!bar) -> !cute.ptr<i64, smem>
    %nbar = cute.ptrtoint(%pbar) : (!cute.ptr<i64, smem>) -> i64
    %mbar = llvm.inttoptr %nbar : i64 to !llvm.ptr<3>
    %pslot = cute.get_iter(%slot) : (!slot) -> !cute.ptr<i32, smem>
    %warps = arith.shrui %t, %c5 : i32
    %warp = cute_nvgpu.arch.make_warp_uniform(%warps) : i32
    %warp0 = arith.cmpi eq, %warp, %c0 : i32
    %first = arith.cmpi eq, %t, %c0 : i32
    %even = arith.cmpi eq, %rank, %c0 : i32
    %chosen = arith.andi %first, %even : i1
    // A warp of each block, and both get the same columns.
    scf.if %warp0 {
      cute_nvgpu.arch.sm100.alloc_tmem(%n64, %pslot) two_cta : !cute.ptr<i32, smem>
      cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit two_cta
    }
    scf.if %first {
      nvvm.mbarrier.init %mbar, %c1 : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<before>
    gpu.barrier
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<after>
    %tmem = cute_nvgpu.arch.sm100.retrieve_tmem_ptr(%pslot) : (!cute.ptr<i32, smem>) -> !cute.ptr<f32, tmem>
    %lacc = cute.static : !cute.layout<"(128,64):(65536,1)">
    %acc = cute.make_view(%tmem, %lacc) : (!cute.ptr<f32, tmem>, !cute.layout<"(128,64):(65536,1)">) -> !acc
    %at = cute.make_coord(%rank, %c0) : (i32, i32) -> !cute.coord<"(?,?)">
    %ta = cute.static : !cute.tile<"[128:1;64:1]">
    %tb = cute.static : !cute.tile<"[32:1;64:1]">
    %ga = cute.local_tile(%a, %ta, %at) : (!ga, !cute.tile<"[128:1;64:1]">, !cute.coord<"(?,?)">) -> !tile_a
    %gb = cute.local_tile(%b, %tb, %at) : (!gb, !cute.tile<"[32:1;64:1]">, !cute.coord<"(?,?)">) -> !tile_b
    %gc = cute.local_tile(%c, %ta, %at) : (!gc, !cute.tile<"[128:1;64:1]">, !cute.coord<"(?,?)">) -> !tile_c
    %vector = cute.make_atom : !cute_nvgpu.universal_copy<128>
    %copy_a = cute.make_tiled_copy(%vector) : (!cute_nvgpu.universal_copy<128>) -> !copy_a
    %copy_b = cute.make_tiled_copy(%vector) : (!cute_nvgpu.universal_copy<128>) -> !copy_b
    %from_a = cute.tiled.copy.partition_S(%copy_a, %ga, %t) : (!copy_a, !tile_a, i32) -> !from_a
    %to_a = cute.tiled.copy.partition_D(%copy_a, %sa, %t) : (!copy_a, !sa, i32) -> !to_a
    %from_b = cute.tiled.copy.partition_S(%copy_b, %gb, %t) : (!copy_b, !tile_b, i32) -> !from_b
    %to_b = cute.tiled.copy.partition_D(%copy_b, %sb, %t) : (!copy_b, !sb, i32) -> !to_b
    cute.copy(%copy_a, %from_a, %to_a) : !copy_a, !from_a, !to_a
    cute.copy(%copy_b, %from_b, %to_b) : !copy_b, !from_b, !to_b
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    // The operands of both blocks are there, and their barriers.
    nvvm.cluster.arrive
    nvvm.cluster.wait
    // The end of operands.
    %mma = cute.make_atom : !mma
    %fa = cute.tiled.mma.partition(%mma, %sa, %c0) {operand = "A"} : (!mma, !sa, i32) -> !fa
    %fb = cute.tiled.mma.partition(%mma, %sb, %c0) {operand = "B"} : (!mma, !sb, i32) -> !fb
    %facc = cute.tiled.mma.partition(%mma, %acc, %c0) {operand = "C"} : (!mma, !acc, i32) -> !facc
    scf.if %chosen {
      nvvm.tcgen05.fence #nvvm.tcgen05_fence<after>
      cute.gemm(%mma, %facc, %fa, %fb, %facc if %no) : !mma, !facc, !fa, !fb, !facc
      nvvm.tcgen05.commit %mbar, multicast_mask = %mask {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i16
    }
    nvvm.mbarrier.try_wait.parity %mbar, %c0, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<after>
    %load = cute.make_atom : !load
    %tacc = cute.tiled.copy.partition_S(%load, %acc, %t) : (!load, !acc, i32) -> !tacc
    %tc = cute.tiled.copy.partition_D(%load, %gc, %t) : (!load, !tile_c, i32) -> !tc
    %rc = cute.memref.alloca : !rc
    cute.copy(%load, %tacc, %rc) : !load, !tacc, !rc
    cute.copy(%vector, %rc, %tc) : !cute_nvgpu.universal_copy<128>, !rc, !tc
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<before>
    nvvm.cluster.arrive
    nvvm.cluster.wait
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<after>
    scf.if %warp0 {
      cute_nvgpu.arch.sm100.dealloc_tmem(%tmem, %n64) two_cta : !cute.ptr<f32, tmem>
    }
    gpu.return
  }
}
