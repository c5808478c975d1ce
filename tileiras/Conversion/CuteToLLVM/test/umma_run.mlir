// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix product of wgmma_run.mlir for sm_100: tcgen05.mma of tiles 128x128x64 by one thread, sums in tensor memory,
// which the driver takes as it is; and each of its synchronising operations left out.
// RUN: tileiras --gpu-name=sm_100 --emit=ptx %s | FileCheck %s
// CHECK: tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32
// CHECK: tcgen05.mma.cta_group::1.kind::f16
// CHECK: tcgen05.ld.sync.aligned.32x32b.x64.b32
// RUN: tileiras-run %S/Inputs/matmul.mlir --entry=wide --grid=2,6 --engine=reference 'a:f16[128x192]=random(lo=-2,hi=2,seed=1)' 'b:f16[384x192]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[128x384]' --dump=a=%t.a.npy --dump=b=%t.b.npy --dump=c=%t.c.npy
// RUN: tileiras-run %s --gpu-name=sm_100 --engine=emulator --check-races --schedules=3 --grid=1,3 --block=128 'a:f16[128x192]=%t.a.npy' 'b:f16[384x192]=%t.b.npy' 'out:c:f32[128x384]{expect=%t.c.npy}' i32=192 --tolerance=abs:1e-4
// RUN: not tileiras --gpu-name=sm_90 --emit=ptx %s 2>&1 | FileCheck %s --check-prefix=HOPPER
// HOPPER-DAG: error: 'cute.gemm' op needs tcgen05.mma, which sm_90 does not have
// HOPPER-DAG: error: 'cute_nvgpu.arch.sm100.alloc_tmem' op needs tensor memory, which sm_90 does not have
// Writes of threads are not ordered before reads by the unit.
// RUN: sed '/fence.proxy/d' %s > %t.unfenced.mlir
// RUN: not tileiras-run %t.unfenced.mlir --gpu-name=sm_100 --engine=emulator --check-races --schedules=3 --grid=1,3 --block=128 'a:f16[128x192]=%t.a.npy' 'b:f16[384x192]=%t.b.npy' 'out:c:f32[128x384]{expect=%t.c.npy}' i32=192 2>&1 | FileCheck %s --check-prefix=FENCE
// FENCE: proxy
// Nobody waits for the product: stages are overwritten, and sums read, while it runs.
// RUN: sed '/try_wait.parity/d' %s > %t.early.mlir
// RUN: not tileiras-run %t.early.mlir --gpu-name=sm_100 --engine=emulator --check-races --schedules=3 --async=late --grid=1,3 --block=128 'a:f16[128x192]=%t.a.npy' 'b:f16[384x192]=%t.b.npy' 'out:c:f32[128x384]{expect=%t.c.npy}' i32=192 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: race
// The product is never committed: everybody waits forever.
// RUN: sed '/tcgen05.commit/d' %s > %t.forever.mlir
// RUN: not tileiras-run %t.forever.mlir --gpu-name=sm_100 --engine=emulator --check-races --grid=1,3 --block=128 --max-steps=2000000 'a:f16[128x192]=%t.a.npy' 'b:f16[384x192]=%t.b.npy' 'out:c:f32[128x384]{expect=%t.c.npy}' i32=192
// Tensor memory is not given back.
// RUN: sed '/dealloc_tmem/d' %s > %t.kept.mlir
// RUN: not tileiras-run %t.kept.mlir --gpu-name=sm_100 --engine=emulator --check-races --grid=1,3 --block=128 'a:f16[128x192]=%t.a.npy' 'b:f16[384x192]=%t.b.npy' 'out:c:f32[128x384]{expect=%t.c.npy}' i32=192 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: tensor memory

!ptr16 = !cute.ptr<f16, gmem, align<16>>
!ptr32 = !cute.ptr<f32, gmem, align<16>>
!s = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (128,64):(64,1)">
!copy = !cute.tiled_copy<!cute_nvgpu.universal_copy<128>, "((8,16),(8,8)):((1024,1),(128,16))", "(128,64)">
!atom = !cute_nvgpu.sm100.mma<128x128x16, f16, f16, f32>
!mma = !cute.tiled_mma<!atom, "(1,1,1)">
!load = !cute.tiled_copy<!cute_nvgpu.tmem_load<64>, "(128,128):(1,128)", "(128,128)">
!row = !cute.layout<"(?{div=64},?{div=64}):(?{div=64},1)">
!mat = !cute.memref<f16, gmem, align<16>, "(?{div=64},?{div=64}):(?{div=64},1)">
!tiles = !cute.memref<f16, gmem, align<16>, "(128,64,?):(?{div=64},1,64)">
!from = !cute.memref<f16, gmem, align<16>, "((8,8),1,1,?):((1,?{div=1024}),0,0,64)">
!from1 = !cute.memref<f16, gmem, align<16>, "((8,8),1,1):((1,?{div=1024}),0,0)">
!to = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o ?{div=8} o ((8,8),1,1):((1,1024),0,0)">
!f = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o ((128,16),1,4):((64,1),0,16)">
!gc = !cute.memref<f32, gmem, align<16>, "(128,128):(384,1)">
!acc = !cute.memref<f32, tmem, "(128,128):(65536,1)">
!facc = !cute.memref<f32, tmem, "((128,128),1,1):((65536,1),0,0)">
!tacc = !cute.memref<f32, tmem, "(128,1,1):(1,0,0)">
!tc = !cute.memref<f32, gmem, align<16>, "(128,1,1):(1,0,0)">
!rc = !cute.memref<f32, rmem, "(128,1,1):(1,0,0)">
!bar = !cute.memref<i64, smem, "1:1">
!slot = !cute.memref<i32, smem, "1:1">

gpu.module @kernels {
  gpu.func @gemm(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>, %k: i32) kernel {
    %tx = gpu.thread_id x
    %by = gpu.block_id y
    %t = arith.index_cast %tx : index to i32
    %bn = arith.index_cast %by : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i32
    %c64 = arith.constant 64 : i32
    %ticks = arith.constant 1000000 : i32
    %columns = arith.constant 128 : i32
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
    %tile = cute.static : !cute.tile<"[128:1;64:1]">
    %tile_c = cute.static : !cute.tile<"[128:1;128:1]">
    %at_a = cute.make_coord(%c0, %any) : (i32, !cute.coord<"_">) -> !cute.coord<"(?,_)">
    %at_b = cute.make_coord(%bn, %any) : (i32, !cute.coord<"_">) -> !cute.coord<"(?,_)">
    %at_c = cute.make_coord(%c0, %bn) : (i32, i32) -> !cute.coord<"(?,?)">
    %ga = cute.local_tile(%ma, %tile, %at_a) : (!mat, !cute.tile<"[128:1;64:1]">, !cute.coord<"(?,_)">) -> !tiles
    %gb = cute.local_tile(%mb, %tile, %at_b) : (!mat, !cute.tile<"[128:1;64:1]">, !cute.coord<"(?,_)">) -> !tiles
    %gc = cute.local_tile(%mc, %tile_c, %at_c) : (!cute.memref<f32, gmem, align<16>, "(128,384):(384,1)">, !cute.tile<"[128:1;128:1]">, !cute.coord<"(?,?)">) -> !gc
    %sa = cute.memref.alloc_smem : !s
    %sb = cute.memref.alloc_smem : !s
    %bar = cute.memref.alloc_smem : !bar
    %slot = cute.memref.alloc_smem : !slot
    %pbar = cute.get_iter(%bar) : (!bar) -> !cute.ptr<i64, smem>
    %nbar = cute.ptrtoint(%pbar) : (!cute.ptr<i64, smem>) -> i64
    %mbar = llvm.inttoptr %nbar : i64 to !llvm.ptr<3>
    %pslot = cute.get_iter(%slot) : (!slot) -> !cute.ptr<i32, smem>

    // Tensor memory: one warp allocates it, and nobody else may.
    %lane_warp = arith.shrui %t, %c5 : i32
    %warp = cute_nvgpu.arch.make_warp_uniform(%lane_warp) : i32
    %warp0 = arith.cmpi eq, %warp, %c0 : i32
    %first = arith.cmpi eq, %t, %c0 : i32
    scf.if %warp0 {
      cute_nvgpu.arch.sm100.alloc_tmem(%columns, %pslot) : !cute.ptr<i32, smem>
      cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit
    }
    scf.if %first {
      nvvm.mbarrier.init %mbar, %c1 : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<before>
    gpu.barrier
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<after>
    %tmem = cute_nvgpu.arch.sm100.retrieve_tmem_ptr(%pslot) : (!cute.ptr<i32, smem>) -> !cute.ptr<f32, tmem>
    %lacc = cute.static : !cute.layout<"(128,128):(65536,1)">
    %acc = cute.make_view(%tmem, %lacc) : (!cute.ptr<f32, tmem>, !cute.layout<"(128,128):(65536,1)">) -> !acc

    %vector = cute.make_atom : !cute_nvgpu.universal_copy<128>
    %copy = cute.make_tiled_copy(%vector) : (!cute_nvgpu.universal_copy<128>) -> !copy
    %mma = cute.make_atom : !mma
    %load = cute.make_atom : !load
    %from_a = cute.tiled.copy.partition_S(%copy, %ga, %t) : (!copy, !tiles, i32) -> !from
    %from_b = cute.tiled.copy.partition_S(%copy, %gb, %t) : (!copy, !tiles, i32) -> !from
    %to_a = cute.tiled.copy.partition_D(%copy, %sa, %t) : (!copy, !s, i32) -> !to
    %to_b = cute.tiled.copy.partition_D(%copy, %sb, %t) : (!copy, !s, i32) -> !to
    %fa = cute.tiled.mma.partition(%mma, %sa, %c0) {operand = "A"} : (!mma, !s, i32) -> !f
    %fb = cute.tiled.mma.partition(%mma, %sb, %c0) {operand = "B"} : (!mma, !s, i32) -> !f
    %facc = cute.tiled.mma.partition(%mma, %acc, %c0) {operand = "C"} : (!mma, !acc, i32) -> !facc

    %steps = arith.divui %k, %c64 : i32
    scf.for %i = %c0 to %steps step %c1 : i32 {
      %at = cute.make_coord(%any, %any, %any, %i) : (!cute.coord<"_">, !cute.coord<"_">, !cute.coord<"_">, i32) -> !cute.coord<"(_,_,_,?)">
      %next_a = cute.slice(%from_a, %at) : (!from, !cute.coord<"(_,_,_,?)">) -> !from1
      %next_b = cute.slice(%from_b, %at) : (!from, !cute.coord<"(_,_,_,?)">) -> !from1
      cute.copy(%copy, %next_a, %to_a) : !copy, !from1, !to
      cute.copy(%copy, %next_b, %to_b) : !copy, !from1, !to
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      scf.if %first {
        nvvm.tcgen05.fence #nvvm.tcgen05_fence<after>
        %more = arith.cmpi ne, %i, %c0 : i32
        cute.gemm(%mma, %facc, %fa, %fb, %facc if %more) : !mma, !facc, !f, !f, !facc
        nvvm.tcgen05.commit %mbar : !llvm.ptr<3>
      }
      %phase = arith.andi %i, %c1 : i32
      nvvm.mbarrier.try_wait.parity %mbar, %phase, %ticks : !llvm.ptr<3>, i32, i32
    }
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<after>
    %tacc = cute.tiled.copy.partition_S(%load, %acc, %t) : (!load, !acc, i32) -> !tacc
    %tc = cute.tiled.copy.partition_D(%load, %gc, %t) : (!load, !gc, i32) -> !tc
    %rc = cute.memref.alloca : !rc
    cute.copy(%load, %tacc, %rc) : !load, !tacc, !rc
    cute.copy(%vector, %rc, %tc) : !cute_nvgpu.universal_copy<128>, !rc, !tc
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<before>
    gpu.barrier
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<after>
    scf.if %warp0 {
      cute_nvgpu.arch.sm100.dealloc_tmem(%tmem, %columns) : !cute.ptr<f32, tmem>
    }
    gpu.return
  }
}
