// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products by descriptors, one instruction each: wgmma of sm_90 and tcgen05.mma of sm_100, with tensor memory copied by
// instructions; executed, and with what synchronises them left out.
// RUN: split-file %s %t
// RUN: cat %t/types.mlir %t/wgmma.mlir > %t.wgmma.mlir
// RUN: cat %t/types.mlir %t/umma.mlir > %t.umma.mlir
// RUN: tileiras-run %S/Inputs/products.mlir --entry=descriptors --engine=reference 'a:f16[128x16]=random(lo=-2,hi=2,seed=1)' 'b:f16[16x16]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[128x16]' --dump=c=%t.npy
// RUN: tileiras-run %t.wgmma.mlir --entry=wgmma --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --block=128 --grid=2 'a:f16[128x16]=random(lo=-2,hi=2,seed=1)' 'b:f16[16x16]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[128x16]{expect=%t.npy}' --tolerance=abs:1e-4
// RUN: tileiras-run %t.umma.mlir --entry=umma --gpu-name=sm_100 --engine=emulator --check-races --schedules=3 --block=128 'a:f16[128x16]=random(lo=-2,hi=2,seed=1)' 'b:f16[16x16]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[128x16]{expect=%t.npy}' --tolerance=abs:1e-4
// The sums are read although nobody knows that they are there.
// RUN: sed '/try_wait.parity/d' %t.umma.mlir > %t.early.mlir
// RUN: not tileiras-run %t.early.mlir --entry=umma --gpu-name=sm_100 --engine=emulator --check-races --schedules=3 --async=late --block=128 'a:f16[128x16]=random(lo=-2,hi=2,seed=1)' 'b:f16[16x16]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[128x16]{expect=%t.npy}' --tolerance=abs:1e-4 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: nobody has waited for it
// What it is added to is not zero: it was never written.
// RUN: sed '/copy.SM100.tmem_store/d' %t.umma.mlir > %t.unwritten.mlir
// RUN: not tileiras-run %t.unwritten.mlir --entry=umma --gpu-name=sm_100 --engine=emulator --check-races --block=128 'a:f16[128x16]=random(lo=-2,hi=2,seed=1)' 'b:f16[16x16]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[128x16]{expect=%t.npy}' --tolerance=abs:1e-4
// RUN: sed '/fence.proxy/d' %t.wgmma.mlir > %t.unfenced.mlir
// RUN: not tileiras-run %t.unfenced.mlir --entry=wgmma --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --block=128 --grid=2 'a:f16[128x16]=random(lo=-2,hi=2,seed=1)' 'b:f16[16x16]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[128x16]{expect=%t.npy}' 2>&1 | FileCheck %s --check-prefix=FENCE
// FENCE: proxy

//--- types.mlir
!w = !cute_nvgpu.sm90.mma<64x16x16, f16, f16, f32>
!u = !cute_nvgpu.sm100.mma<128x16x16, f16, f16, f32>
!ga = !cute.memref<f16, gmem, align<16>, "(128,16):(16,1)">
!gb = !cute.memref<f16, gmem, align<16>, "(16,16):(16,1)">
!gc = !cute.memref<f32, gmem, align<16>, "(128,16):(16,1)">
// A swizzle of 32 bytes: rows of sixteen elements.
!sa = !cute.memref<f16, smem, align<256>, "S<1,3,3> o 0 o (128,16):(16,1)">
!sb = !cute.memref<f16, smem, align<256>, "S<1,3,3> o 0 o (16,16):(16,1)">
!fa64 = !cute.memref<f16, smem, align<256>, "S<1,3,3> o 0 o ((64,16),2,1):((16,1),1024,0)">
!fa = !cute.memref<f16, smem, align<256>, "S<1,3,3> o 0 o ((128,16),1,1):((16,1),0,0)">
!fb = !cute.memref<f16, smem, align<256>, "S<1,3,3> o 0 o ((16,16),1,1):((16,1),0,0)">
!desc = !cute.desc_iter<k, 32, 0, 256>
!slot = !cute.memref<i32, smem, "1:1">
!bar = !cute.memref<i64, smem, "1:1">

//--- wgmma.mlir
gpu.module @kernels {
  // A block of threads takes 64 rows.
  gpu.func @wgmma(%a: !ga, %b: !gb, %c: !gc) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %sa = cute.memref.alloc_smem : !sa
    %sb = cute.memref.alloc_smem : !sb
    %n16 = arith.constant 16 : i32
    %n128 = arith.constant 128 : i32
    %n2048 = arith.constant 2048 : i32
    %n256 = arith.constant 256 : i32
    scf.for %i = %t to %n2048 step %n128 : i32 {
      %r = arith.divui %i, %n16 : i32
      %k = arith.remui %i, %n16 : i32
      %at = cute.make_coord(%r, %k) : (i32, i32) -> !cute.coord<"(?,?)">
      %v = cute.memref.load(%a, %at) : (!ga, !cute.coord<"(?,?)">) -> f16
      cute.memref.store(%sa, %at, %v) : !sa, !cute.coord<"(?,?)">, f16
    }
    scf.for %i = %t to %n256 step %n128 : i32 {
      %r = arith.divui %i, %n16 : i32
      %k = arith.remui %i, %n16 : i32
      %at = cute.make_coord(%r, %k) : (i32, i32) -> !cute.coord<"(?,?)">
      %v = cute.memref.load(%b, %at) : (!gb, !cute.coord<"(?,?)">) -> f16
      cute.memref.store(%sb, %at, %v) : !sb, !cute.coord<"(?,?)">, f16
    }
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %mma = cute.make_atom : !cute.tiled_mma<!w, "(1,1,1)">
    %bx = gpu.block_id x
    %bm = arith.index_cast %bx : index to i32
    %any = cute.static : !cute.coord<"_">
    %fa2 = cute.tiled.mma.partition(%mma, %sa, %t) {operand = "A"} : (!cute.tiled_mma<!w, "(1,1,1)">, !sa, i32) -> !fa64
    %which = cute.make_coord(%any, %bm, %any) : (!cute.coord<"_">, i32, !cute.coord<"_">) -> !cute.coord<"(_,?,_)">
    %fa = cute.slice(%fa2, %which) : (!fa64, !cute.coord<"(_,?,_)">) -> !cute.memref<f16, smem, align<256>, "S<1,3,3> o ?{div=1024} o ((64,16),1):((16,1),0)">
    %fb = cute.tiled.mma.partition(%mma, %sb, %t) {operand = "B"} : (!cute.tiled_mma<!w, "(1,1,1)">, !sb, i32) -> !fb
    %ia = cute.make_desc_iter(%fa) : (!cute.memref<f16, smem, align<256>, "S<1,3,3> o ?{div=1024} o ((64,16),1):((16,1),0)">) -> !desc
    %ib = cute.make_desc_iter(%fb) : (!fb) -> !desc
    %da = cute.deref_desc_iter(%ia) : !desc
    %db = cute.deref_desc_iter(%ib) : !desc
    %s:8 = cute_nvgpu.arch.mma.SM90 !w (%da, %db) (%zero, %zero, %zero, %zero, %zero, %zero, %zero, %zero) : f32, f32, f32, f32, f32, f32, f32, f32 -> f32, f32, f32, f32, f32, f32, f32, f32
    %tile = cute.static : !cute.tile<"[64:1;16:1]">
    %place = cute.make_coord(%bm, %c0) : (i32, i32) -> !cute.coord<"(?,?)">
    %gc = cute.local_tile(%c, %tile, %place) : (!gc, !cute.tile<"[64:1;16:1]">, !cute.coord<"(?,?)">) -> !cute.memref<f32, gmem, align<16>, "(64,16):(16,1)">
    %tc = cute.tiled.mma.partition(%mma, %gc, %t) {operand = "C"} : (!cute.tiled_mma<!w, "(1,1,1)">, !cute.memref<f32, gmem, align<16>, "(64,16):(16,1)">, i32) -> !cute.memref<f32, gmem, align<8>, "((2,2,2),1,1):((1,128,8),0,0)">
    cute.memref.store(%tc, %c0, %s#0) : !cute.memref<f32, gmem, align<8>, "((2,2,2),1,1):((1,128,8),0,0)">, i32, f32
    cute.memref.store(%tc, %c1, %s#1) : !cute.memref<f32, gmem, align<8>, "((2,2,2),1,1):((1,128,8),0,0)">, i32, f32
    %c2 = arith.constant 2 : i32
    cute.memref.store(%tc, %c2, %s#2) : !cute.memref<f32, gmem, align<8>, "((2,2,2),1,1):((1,128,8),0,0)">, i32, f32
    %c3 = arith.constant 3 : i32
    cute.memref.store(%tc, %c3, %s#3) : !cute.memref<f32, gmem, align<8>, "((2,2,2),1,1):((1,128,8),0,0)">, i32, f32
    %c4 = arith.constant 4 : i32
    cute.memref.store(%tc, %c4, %s#4) : !cute.memref<f32, gmem, align<8>, "((2,2,2),1,1):((1,128,8),0,0)">, i32, f32
    %c5 = arith.constant 5 : i32
    cute.memref.store(%tc, %c5, %s#5) : !cute.memref<f32, gmem, align<8>, "((2,2,2),1,1):((1,128,8),0,0)">, i32, f32
    %c6 = arith.constant 6 : i32
    cute.memref.store(%tc, %c6, %s#6) : !cute.memref<f32, gmem, align<8>, "((2,2,2),1,1):((1,128,8),0,0)">, i32, f32
    %c7 = arith.constant 7 : i32
    cute.memref.store(%tc, %c7, %s#7) : !cute.memref<f32, gmem, align<8>, "((2,2,2),1,1):((1,128,8),0,0)">, i32, f32
    gpu.return
  }
}

//--- umma.mlir
gpu.module @kernels {
  // All 128 rows, sums that begin as zeros written to tensor memory.
  gpu.func @umma(%a: !ga, %b: !gb, %c: !gc) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %sa = cute.memref.alloc_smem : !sa
    %sb = cute.memref.alloc_smem : !sb
    %columns = arith.constant 32 : i32
    %c5 = arith.constant 5 : i32
    %ticks = arith.constant 1000000 : i32
    %yes = arith.constant true
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
    // A warp's 32 rows begin so many times 65536 further.
    %c21 = arith.constant 21 : i32
    %rows = arith.shli %warp, %c21 : i32
    %step = cute.make_int_tuple(%rows) : (i32) -> !cute.int_tuple<"?{div=2097152}">
    %own = cute.add_offset(%tmem, %step) : (!cute.ptr<f32, tmem>, !cute.int_tuple<"?{div=2097152}">) -> !cute.ptr<f32, tmem>
    cute_nvgpu.arch.copy.SM100.tmem_store(%own, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0, %c0) : !cute.ptr<f32, tmem>
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<before>
    %n16 = arith.constant 16 : i32
    %n128 = arith.constant 128 : i32
    %n2048 = arith.constant 2048 : i32
    %n256 = arith.constant 256 : i32
    scf.for %i = %t to %n2048 step %n128 : i32 {
      %r = arith.divui %i, %n16 : i32
      %k = arith.remui %i, %n16 : i32
      %at = cute.make_coord(%r, %k) : (i32, i32) -> !cute.coord<"(?,?)">
      %v = cute.memref.load(%a, %at) : (!ga, !cute.coord<"(?,?)">) -> f16
      cute.memref.store(%sa, %at, %v) : !sa, !cute.coord<"(?,?)">, f16
    }
    scf.for %i = %t to %n256 step %n128 : i32 {
      %r = arith.divui %i, %n16 : i32
      %k = arith.remui %i, %n16 : i32
      %at = cute.make_coord(%r, %k) : (i32, i32) -> !cute.coord<"(?,?)">
      %v = cute.memref.load(%b, %at) : (!gb, !cute.coord<"(?,?)">) -> f16
      cute.memref.store(%sb, %at, %v) : !sb, !cute.coord<"(?,?)">, f16
    }
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %mma = cute.make_atom : !cute.tiled_mma<!u, "(1,1,1)">
    %fa = cute.tiled.mma.partition(%mma, %sa, %c0) {operand = "A"} : (!cute.tiled_mma<!u, "(1,1,1)">, !sa, i32) -> !fa
    %fb = cute.tiled.mma.partition(%mma, %sb, %c0) {operand = "B"} : (!cute.tiled_mma<!u, "(1,1,1)">, !sb, i32) -> !fb
    %ia = cute.make_desc_iter(%fa) : (!fa) -> !desc
    %ib = cute.make_desc_iter(%fb) : (!fb) -> !desc
    %da = cute.deref_desc_iter(%ia) : !desc
    %db = cute.deref_desc_iter(%ib) : !desc
    scf.if %first {
      nvvm.tcgen05.fence #nvvm.tcgen05_fence<after>
      cute_nvgpu.arch.mma.SM100.umma !u (%tmem, %da, %db if %yes) : !cute.ptr<f32, tmem>
      nvvm.tcgen05.commit %mbar : !llvm.ptr<3>
    }
    nvvm.mbarrier.try_wait.parity %mbar, %c0, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<after>
    %w:16 = cute_nvgpu.arch.copy.SM100.tmem_load(%own) : (!cute.ptr<f32, tmem>) -> (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32)
    %k0 = arith.constant 0 : i32
    %x0 = arith.bitcast %w#0 : i32 to f32
    %p0 = cute.make_coord(%t, %k0) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.memref.store(%c, %p0, %x0) : !gc, !cute.coord<"(?,?)">, f32
    %k1 = arith.constant 1 : i32
    %x1 = arith.bitcast %w#1 : i32 to f32
    %p1 = cute.make_coord(%t, %k1) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.memref.store(%c, %p1, %x1) : !gc, !cute.coord<"(?,?)">, f32
    %k2 = arith.constant 2 : i32
    %x2 = arith.bitcast %w#2 : i32 to f32
    %p2 = cute.make_coord(%t, %k2) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.memref.store(%c, %p2, %x2) : !gc, !cute.coord<"(?,?)">, f32
    %k3 = arith.constant 3 : i32
    %x3 = arith.bitcast %w#3 : i32 to f32
    %p3 = cute.make_coord(%t, %k3) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.memref.store(%c, %p3, %x3) : !gc, !cute.coord<"(?,?)">, f32
    %k4 = arith.constant 4 : i32
    %x4 = arith.bitcast %w#4 : i32 to f32
    %p4 = cute.make_coord(%t, %k4) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.memref.store(%c, %p4, %x4) : !gc, !cute.coord<"(?,?)">, f32
    %k5 = arith.constant 5 : i32
    %x5 = arith.bitcast %w#5 : i32 to f32
    %p5 = cute.make_coord(%t, %k5) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.memref.store(%c, %p5, %x5) : !gc, !cute.coord<"(?,?)">, f32
    %k6 = arith.constant 6 : i32
    %x6 = arith.bitcast %w#6 : i32 to f32
    %p6 = cute.make_coord(%t, %k6) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.memref.store(%c, %p6, %x6) : !gc, !cute.coord<"(?,?)">, f32
    %k7 = arith.constant 7 : i32
    %x7 = arith.bitcast %w#7 : i32 to f32
    %p7 = cute.make_coord(%t, %k7) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.memref.store(%c, %p7, %x7) : !gc, !cute.coord<"(?,?)">, f32
    %k8 = arith.constant 8 : i32
    %x8 = arith.bitcast %w#8 : i32 to f32
    %p8 = cute.make_coord(%t, %k8) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.memref.store(%c, %p8, %x8) : !gc, !cute.coord<"(?,?)">, f32
    %k9 = arith.constant 9 : i32
    %x9 = arith.bitcast %w#9 : i32 to f32
    %p9 = cute.make_coord(%t, %k9) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.memref.store(%c, %p9, %x9) : !gc, !cute.coord<"(?,?)">, f32
    %k10 = arith.constant 10 : i32
    %x10 = arith.bitcast %w#10 : i32 to f32
    %p10 = cute.make_coord(%t, %k10) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.memref.store(%c, %p10, %x10) : !gc, !cute.coord<"(?,?)">, f32
    %k11 = arith.constant 11 : i32
    %x11 = arith.bitcast %w#11 : i32 to f32
    %p11 = cute.make_coord(%t, %k11) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.memref.store(%c, %p11, %x11) : !gc, !cute.coord<"(?,?)">, f32
    %k12 = arith.constant 12 : i32
    %x12 = arith.bitcast %w#12 : i32 to f32
    %p12 = cute.make_coord(%t, %k12) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.memref.store(%c, %p12, %x12) : !gc, !cute.coord<"(?,?)">, f32
    %k13 = arith.constant 13 : i32
    %x13 = arith.bitcast %w#13 : i32 to f32
    %p13 = cute.make_coord(%t, %k13) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.memref.store(%c, %p13, %x13) : !gc, !cute.coord<"(?,?)">, f32
    %k14 = arith.constant 14 : i32
    %x14 = arith.bitcast %w#14 : i32 to f32
    %p14 = cute.make_coord(%t, %k14) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.memref.store(%c, %p14, %x14) : !gc, !cute.coord<"(?,?)">, f32
    %k15 = arith.constant 15 : i32
    %x15 = arith.bitcast %w#15 : i32 to f32
    %p15 = cute.make_coord(%t, %k15) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.memref.store(%c, %p15, %x15) : !gc, !cute.coord<"(?,?)">, f32
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<before>
    gpu.barrier
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<after>
    scf.if %warp0 {
      cute_nvgpu.arch.sm100.dealloc_tmem(%tmem, %columns) : !cute.ptr<f32, tmem>
    }
    gpu.return
  }
}
