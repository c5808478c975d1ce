// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tcgen05.mma with block scales, which tcgen05.cp brings from shared to tensor memory: 128x64x256 of e4m3, 32 along k with one scale. Eight
// instructions, whose scales are in two groups of four; and all of it again by the operations that are single instructions.
// RUN: tileiras --gpu-name=sm_100 --emit=ptx %s | FileCheck %s
// CHECK: tcgen05.cp.cta_group::1.32x128b.warpx4
// CHECK: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X
// RUN: tileiras-run %S/Inputs/umma_further_reference.mlir --entry=scaled --engine=reference 'a:f8E4M3FN[128x256]=integers(seed=1)' 'b:f8E4M3FN[64x256]=integers(seed=2)' 's:f8E8M0FNU[128x8]=random(seed=3,lo=0.5,hi=8)' 'u:f8E8M0FNU[64x8]=random(seed=4,lo=0.5,hi=8)' 'out:c:f32[128x64]' --dump=c=%t.npy
// RUN: tileiras-run %s --gpu-name=sm_100 --engine=emulator --check-races --schedules=3 --block=128 'a:f8E4M3FN[128x256]=integers(seed=1)' 'b:f8E4M3FN[64x256]=integers(seed=2)' 's:f8E8M0FNU[128x8]=random(seed=3,lo=0.5,hi=8)' 'u:f8E8M0FNU[64x8]=random(seed=4,lo=0.5,hi=8)' 'out:c:f32[128x64]{expect=%t.npy}' 'out:d:f32[128x64]{expect=%t.npy}'
// RUN: not tileiras --gpu-name=sm_120 --emit=ptx %s 2>&1 | FileCheck %s --check-prefix=CONSUMER
// CONSUMER-DAG: error: 'cute.gemm' op needs tcgen05.mma, which sm_120 does not have
// CONSUMER-DAG: error: 'cute.copy' op needs tensor memory, which sm_120 does not have
// The unit that copies reads shared memory through the async proxy, too.
// RUN: sed '/fence.proxy/d' %s > %t.unfenced.mlir
// RUN: not tileiras-run %t.unfenced.mlir --gpu-name=sm_100 --engine=emulator --check-races --schedules=3 --block=128 'a:f8E4M3FN[128x256]=integers(seed=1)' 'b:f8E4M3FN[64x256]=integers(seed=2)' 's:f8E8M0FNU[128x8]=random(seed=3,lo=0.5,hi=8)' 'u:f8E8M0FNU[64x8]=random(seed=4,lo=0.5,hi=8)' 'out:c:f32[128x64]{expect=%t.npy}' 'out:d:f32[128x64]{expect=%t.npy}' 2>&1 | FileCheck %s --check-prefix=FENCE
// FENCE: proxy
// Scales that nobody copied.
// RUN: sed '/cute.copy(%%s2t, %%from_u/d;/copy_s2t .*%%dug/d' %s > %t.unscaled.mlir
// RUN: not tileiras-run %t.unscaled.mlir --gpu-name=sm_100 --engine=emulator --check-races --block=128 'a:f8E4M3FN[128x256]=integers(seed=1)' 'b:f8E4M3FN[64x256]=integers(seed=2)' 's:f8E8M0FNU[128x8]=random(seed=3,lo=0.5,hi=8)' 'u:f8E8M0FNU[64x8]=random(seed=4,lo=0.5,hi=8)' 'out:c:f32[128x64]{expect=%t.npy}' 'out:d:f32[128x64]{expect=%t.npy}' 2>&1 | FileCheck %s --check-prefix=SCALES
// SCALES: uninitialized
// Scales of the wrong group.
// RUN: sed 's/(128,(4,2)):(65536,(1,4))/(128,(4,2)):(65536,(1,0))/;s/((128,4),1,2):((65536,1),0,4)/((128,4),1,2):((65536,1),0,0)/' %s > %t.wrong.mlir
// RUN: not tileiras-run %t.wrong.mlir --gpu-name=sm_100 --engine=emulator --check-races --block=128 'a:f8E4M3FN[128x256]=integers(seed=1)' 'b:f8E4M3FN[64x256]=integers(seed=2)' 's:f8E8M0FNU[128x8]=random(seed=3,lo=0.5,hi=8)' 'u:f8E8M0FNU[64x8]=random(seed=4,lo=0.5,hi=8)' 'out:c:f32[128x64]{expect=%t.npy}' 'out:d:f32[128x64]{expect=%t.npy}' 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: differ

!atom = !cute_nvgpu.sm100.mma_bs<128x64x32, f8E4M3FN, f8E4M3FN, f32>
!mma = !cute.tiled_mma<!atom, "(1,1,1)">
!s2t = !cute_nvgpu.s2t_copy<"32x128b.warpx4">
!ga = !cute.memref<f8E4M3FN, gmem, align<16>, "(128,256):(256,1)">
!gb = !cute.memref<f8E4M3FN, gmem, align<16>, "(64,256):(256,1)">
!gs = !cute.memref<i8, gmem, align<16>, "(128,8):(8,1)">
!gu = !cute.memref<i8, gmem, align<16>, "(64,8):(8,1)">
!gc = !cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">
!sa = !cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o 0 o (128,(128,2)):(128,(1,16384))">
!sb = !cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o 0 o (64,(128,2)):(128,(1,8192))">
!copy_a = !cute.tiled_copy<!cute_nvgpu.universal_copy<128>, "((8,16),(16,8)):((2048,1),(128,16))", "(128,128)">
!copy_b = !cute.tiled_copy<!cute_nvgpu.universal_copy<128>, "((8,16),(16,4)):((1024,1),(64,16))", "(64,128)">
// Bytes of 32 rows of 16: four rows further on by words, four steps of k in a word, further ones 512 bytes on.
!ss = !cute.memref<i8, smem, align<128>, "((32,4),(4,2)):((16,4),(1,512))">
!words = !cute.memref<i32, smem, align<128>, "((32,4),4,2):((4,0),1,128)">
!columns = !cute.memref<i32, tmem, "(128,4,2):(65536,1,4)">
!sfa = !cute.memref<i32, tmem, "(128,(4,2)):(65536,(1,4))">
!sfb = !cute.memref<i32, tmem, "(128,(2,2)):(65536,(1,4))">
!fsfa = !cute.memref<i32, tmem, "((128,4),1,2):((65536,1),0,4)">
!fsfb = !cute.memref<i32, tmem, "((128,2),1,2):((65536,1),0,4)">
!acc = !cute.memref<f32, tmem, "(128,64):(65536,1)">
!facc = !cute.memref<f32, tmem, "((128,64),1,1):((65536,1),0,0)">
!load = !cute.tiled_copy<!cute_nvgpu.tmem_load<64>, "(128,64):(1,128)", "(128,64)">
!tacc = !cute.memref<f32, tmem, "(64,1,1):(1,0,0)">
!tc = !cute.memref<f32, gmem, align<16>, "(64,1,1):(1,0,0)">
!rc = !cute.memref<f32, rmem, "(64,1,1):(1,0,0)">
!desc = !cute.desc_iter<k, 128, 0, 1024>
!words_desc = !cute.desc_iter<k, 0, 0, 128>
!words_rows = !cute.memref<i32, smem, align<128>, "((32,4),2):((4,1),128)">
!slot = !cute.memref<i32, smem, "1:1">
!bar = !cute.memref<i64, smem, "1:1">

gpu.module @kernels {
  gpu.func @scaled(%a: !ga, %b: !gb, %s: !gs, %u: !gu, %c: !gc, %d: !gc) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %c5 = arith.constant 5 : i32
    %c7 = arith.constant 7 : i32
    %n128 = arith.constant 128 : i32
    %n256 = arith.constant 256 : i32
    %n512 = arith.constant 512 : i32
    %n1024 = arith.constant 1024 : i32
    %none = arith.constant 0 : i8
    %ticks = arith.constant 1000000 : i32
    %no = arith.constant false
    %sa = cute.memref.alloc_smem : !sa
    %sb = cute.memref.alloc_smem : !sb
    %ss = cute.memref.alloc_smem : !ss
    %su = cute.memref.alloc_smem : !ss
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
      cute_nvgpu.arch.sm100.alloc_tmem(%n256, %pslot) : !cute.ptr<i32, smem>
      cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit
    }
    scf.if %first {
      nvvm.mbarrier.init %mbar, %c1 : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<before>
    gpu.barrier
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<after>
    // 64 columns of sums, 8 of scales of A, 8 of scales of B.
    %tmem = cute_nvgpu.arch.sm100.retrieve_tmem_ptr(%pslot) : (!cute.ptr<i32, smem>) -> !cute.ptr<f32, tmem>
    %n64 = cute.static : !cute.int_tuple<"64">
    %n72 = cute.static : !cute.int_tuple<"72">
    %psfa = cute.add_offset(%tmem, %n64) : (!cute.ptr<f32, tmem>, !cute.int_tuple<"64">) -> !cute.ptr<f32, tmem>
    %psfb = cute.add_offset(%tmem, %n72) : (!cute.ptr<f32, tmem>, !cute.int_tuple<"72">) -> !cute.ptr<f32, tmem>
    %isfa = cute.recast_iter(%psfa) {element = i32} : (!cute.ptr<f32, tmem>) -> !cute.ptr<i32, tmem>
    %isfb = cute.recast_iter(%psfb) {element = i32} : (!cute.ptr<f32, tmem>) -> !cute.ptr<i32, tmem>
    %lacc = cute.static : !cute.layout<"(128,64):(65536,1)">
    %lcol = cute.static : !cute.layout<"(128,4,2):(65536,1,4)">
    %lsfa = cute.static : !cute.layout<"(128,(4,2)):(65536,(1,4))">
    %lsfb = cute.static : !cute.layout<"(128,(2,2)):(65536,(1,4))">
    %acc = cute.make_view(%tmem, %lacc) : (!cute.ptr<f32, tmem>, !cute.layout<"(128,64):(65536,1)">) -> !acc
    %to_s = cute.make_view(%isfa, %lcol) : (!cute.ptr<i32, tmem>, !cute.layout<"(128,4,2):(65536,1,4)">) -> !columns
    %to_u = cute.make_view(%isfb, %lcol) : (!cute.ptr<i32, tmem>, !cute.layout<"(128,4,2):(65536,1,4)">) -> !columns
    %sfa = cute.make_view(%isfa, %lsfa) : (!cute.ptr<i32, tmem>, !cute.layout<"(128,(4,2)):(65536,(1,4))">) -> !sfa
    %sfb = cute.make_view(%isfb, %lsfb) : (!cute.ptr<i32, tmem>, !cute.layout<"(128,(2,2)):(65536,(1,4))">) -> !sfb

    // Matrices and scales to shared memory; of the scales of B, which are half as many, the rest is zero.
    %vector = cute.make_atom : !cute_nvgpu.universal_copy<128>
    %copy_a = cute.make_tiled_copy(%vector) : (!cute_nvgpu.universal_copy<128>) -> !copy_a
    %copy_b = cute.make_tiled_copy(%vector) : (!cute_nvgpu.universal_copy<128>) -> !copy_b
    %from_a = cute.tiled.copy.partition_S(%copy_a, %a, %t) : (!copy_a, !ga, i32) -> !cute.memref<f8E4M3FN, gmem, align<16>, "((16,8),1,2):((1,4096),0,128)">
    %to_a = cute.tiled.copy.partition_D(%copy_a, %sa, %t) : (!copy_a, !sa, i32) -> !cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o ?{div=16} o ((16,8),1,2):((1,2048),0,16384)">
    %from_b = cute.tiled.copy.partition_S(%copy_b, %b, %t) : (!copy_b, !gb, i32) -> !cute.memref<f8E4M3FN, gmem, align<16>, "((16,4),1,2):((1,4096),0,128)">
    %to_b = cute.tiled.copy.partition_D(%copy_b, %sb, %t) : (!copy_b, !sb, i32) -> !cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o ?{div=16} o ((16,4),1,2):((1,2048),0,8192)">
    cute.copy(%copy_a, %from_a, %to_a) : !copy_a, !cute.memref<f8E4M3FN, gmem, align<16>, "((16,8),1,2):((1,4096),0,128)">, !cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o ?{div=16} o ((16,8),1,2):((1,2048),0,16384)">
    cute.copy(%copy_b, %from_b, %to_b) : !copy_b, !cute.memref<f8E4M3FN, gmem, align<16>, "((16,4),1,2):((1,4096),0,128)">, !cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o ?{div=16} o ((16,4),1,2):((1,2048),0,8192)">
    scf.for %i = %t to %n1024 step %n128 : i32 {
      %row = arith.shrui %i, %c3 : i32
      %step = arith.andi %i, %c7 : i32
      %at = cute.make_coord(%row, %step) : (i32, i32) -> !cute.coord<"(?,?)">
      %v = cute.memref.load(%s, %at) : (!gs, !cute.coord<"(?,?)">) -> i8
      cute.memref.store(%ss, %at, %v) : !ss, !cute.coord<"(?,?)">, i8
      %there = arith.cmpi ult, %i, %n512 : i32
      %w = scf.if %there -> (i8) {
        %x = cute.memref.load(%u, %at) : (!gu, !cute.coord<"(?,?)">) -> i8
        scf.yield %x : i8
      } else {
        scf.yield %none : i8
      }
      cute.memref.store(%su, %at, %w) : !ss, !cute.coord<"(?,?)">, i8
    }
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %lwords = cute.static : !cute.layout<"((32,4),4,2):((4,0),1,128)">
    %ps = cute.get_iter(%ss) : (!ss) -> !cute.ptr<i8, smem, align<128>>
    %qs = cute.recast_iter(%ps) {element = i32} : (!cute.ptr<i8, smem, align<128>>) -> !cute.ptr<i32, smem, align<128>>
    %from_s = cute.make_view(%qs, %lwords) : (!cute.ptr<i32, smem, align<128>>, !cute.layout<"((32,4),4,2):((4,0),1,128)">) -> !words
    %pu = cute.get_iter(%su) : (!ss) -> !cute.ptr<i8, smem, align<128>>
    %qu = cute.recast_iter(%pu) {element = i32} : (!cute.ptr<i8, smem, align<128>>) -> !cute.ptr<i32, smem, align<128>>
    %from_u = cute.make_view(%qu, %lwords) : (!cute.ptr<i32, smem, align<128>>, !cute.layout<"((32,4),4,2):((4,0),1,128)">) -> !words

    %s2t = cute.make_atom : !s2t
    %mma = cute.make_atom : !mma
    %fa = cute.tiled.mma.partition(%mma, %sa, %c0) {operand = "A"} : (!mma, !sa, i32) -> !cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o 0 o ((128,32),1,(4,2)):((128,1),0,(32,16384))">
    %fb = cute.tiled.mma.partition(%mma, %sb, %c0) {operand = "B"} : (!mma, !sb, i32) -> !cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o 0 o ((64,32),1,(4,2)):((128,1),0,(32,8192))">
    %facc = cute.tiled.mma.partition(%mma, %acc, %c0) {operand = "C"} : (!mma, !acc, i32) -> !facc
    %fsfa = cute.tiled.mma.partition(%mma, %sfa, %c0) {operand = "SFA"} : (!mma, !sfa, i32) -> !fsfa
    %fsfb = cute.tiled.mma.partition(%mma, %sfb, %c0) {operand = "SFB"} : (!mma, !sfb, i32) -> !fsfb
    %ia = cute.make_desc_iter(%fa) : (!cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o 0 o ((128,32),1,(4,2)):((128,1),0,(32,16384))">) -> !desc
    %ib = cute.make_desc_iter(%fb) : (!cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o 0 o ((64,32),1,(4,2)):((128,1),0,(32,8192))">) -> !desc
    %da = cute.deref_desc_iter(%ia) : !desc
    %db = cute.deref_desc_iter(%ib) : !desc
    %lrows = cute.static : !cute.layout<"((32,4),2):((4,1),128)">
    %rows_s = cute.make_view(%qs, %lrows) : (!cute.ptr<i32, smem, align<128>>, !cute.layout<"((32,4),2):((4,1),128)">) -> !words_rows
    %rows_u = cute.make_view(%qu, %lrows) : (!cute.ptr<i32, smem, align<128>>, !cute.layout<"((32,4),2):((4,1),128)">) -> !words_rows
    %is = cute.make_desc_iter(%rows_s) : (!words_rows) -> !words_desc
    %iu = cute.make_desc_iter(%rows_u) : (!words_rows) -> !words_desc
    %ds = cute.deref_desc_iter(%is) : !words_desc
    %du = cute.deref_desc_iter(%iu) : !words_desc
    %yes = arith.constant true
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c1024 = arith.constant 1024 : i32
    %i2 = arith.constant 2 : i64
    %more128 = cute.static : !cute.int_tuple<"128">
    %tmem2 = cute.add_offset(%tmem, %more128) : (!cute.ptr<f32, tmem>, !cute.int_tuple<"128">) -> !cute.ptr<f32, tmem>
    %isfa2 = cute.add_offset(%isfa, %more128) : (!cute.ptr<i32, tmem>, !cute.int_tuple<"128">) -> !cute.ptr<i32, tmem>
    %isfb2 = cute.add_offset(%isfb, %more128) : (!cute.ptr<i32, tmem>, !cute.int_tuple<"128">) -> !cute.ptr<i32, tmem>
    scf.if %first {
      nvvm.tcgen05.fence #nvvm.tcgen05_fence<after>
      cute.copy(%s2t, %from_s, %to_s) : !s2t, !words, !columns
      cute.copy(%s2t, %from_u, %to_u) : !s2t, !words, !columns
      cute.gemm(%mma, %facc, %fa, %fb, %facc scaled by %fsfa, %fsfb if %no) : !mma, !facc, !cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o 0 o ((128,32),1,(4,2)):((128,1),0,(32,16384))">, !cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o 0 o ((64,32),1,(4,2)):((128,1),0,(32,8192))">, !facc scaled by !fsfa, !fsfb
      // The same by single instructions: sums in columns 128 to 191, scales behind them.
      scf.for %g = %c0 to %c2 step %c1 : i32 {
        %g4 = arith.muli %g, %c4 : i32
        %ga4 = arith.muli %g, %c1024 : i32
        %gb4 = arith.muli %g, %n512 : i32
        %gs4 = arith.muli %g, %c32 : i32
        %xa = arith.extui %ga4 : i32 to i64
        %xb = arith.extui %gb4 : i32 to i64
        %xs = arith.extui %gs4 : i32 to i64
        %as = cute.add_offset(%isfa2, %g4) : (!cute.ptr<i32, tmem>, i32) -> !cute.ptr<i32, tmem>
        %au = cute.add_offset(%isfb2, %g4) : (!cute.ptr<i32, tmem>, i32) -> !cute.ptr<i32, tmem>
        %dsg = arith.addi %ds, %xs : i64
        %dug = arith.addi %du, %xs : i64
        cute_nvgpu.arch.copy.SM100.copy_s2t "32x128b.warpx4" (%dsg, %as) : !cute.ptr<i32, tmem>
        cute_nvgpu.arch.copy.SM100.copy_s2t "32x128b.warpx4" (%dug, %au) : !cute.ptr<i32, tmem>
        %a0 = arith.addi %da, %xa : i64
        %b0 = arith.addi %db, %xb : i64
        %a1 = arith.addi %a0, %i2 : i64
        %b1 = arith.addi %b0, %i2 : i64
        %a2 = arith.addi %a1, %i2 : i64
        %b2 = arith.addi %b1, %i2 : i64
        %a3 = arith.addi %a2, %i2 : i64
        %b3 = arith.addi %b2, %i2 : i64
        %more = arith.cmpi ne, %g, %c0 : i32
        cute_nvgpu.arch.mma.SM100.umma_block_scaled !atom (%tmem2, %a0, %b0 if %more) scaled by %as 0, %au 0 : !cute.ptr<f32, tmem>, !cute.ptr<i32, tmem>, !cute.ptr<i32, tmem>
        cute_nvgpu.arch.mma.SM100.umma_block_scaled !atom (%tmem2, %a1, %b1 if %yes) scaled by %as 1, %au 1 : !cute.ptr<f32, tmem>, !cute.ptr<i32, tmem>, !cute.ptr<i32, tmem>
        cute_nvgpu.arch.mma.SM100.umma_block_scaled !atom (%tmem2, %a2, %b2 if %yes) scaled by %as 2, %au 2 : !cute.ptr<f32, tmem>, !cute.ptr<i32, tmem>, !cute.ptr<i32, tmem>
        cute_nvgpu.arch.mma.SM100.umma_block_scaled !atom (%tmem2, %a3, %b3 if %yes) scaled by %as 3, %au 3 : !cute.ptr<f32, tmem>, !cute.ptr<i32, tmem>, !cute.ptr<i32, tmem>
      }
      nvvm.tcgen05.commit %mbar : !llvm.ptr<3>
    }
    nvvm.mbarrier.try_wait.parity %mbar, %c0, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<after>
    %load = cute.make_atom : !load
    %tacc = cute.tiled.copy.partition_S(%load, %acc, %t) : (!load, !acc, i32) -> !tacc
    %tc = cute.tiled.copy.partition_D(%load, %c, %t) : (!load, !gc, i32) -> !tc
    %rc = cute.memref.alloca : !rc
    cute.copy(%load, %tacc, %rc) : !load, !tacc, !rc
    cute.copy(%vector, %rc, %tc) : !cute_nvgpu.universal_copy<128>, !rc, !tc
    %acc2 = cute.make_view(%tmem2, %lacc) : (!cute.ptr<f32, tmem>, !cute.layout<"(128,64):(65536,1)">) -> !acc
    %tacc2 = cute.tiled.copy.partition_S(%load, %acc2, %t) : (!load, !acc, i32) -> !tacc
    %td = cute.tiled.copy.partition_D(%load, %d, %t) : (!load, !gc, i32) -> !tc
    cute.copy(%load, %tacc2, %rc) : !load, !tacc, !rc
    cute.copy(%vector, %rc, %td) : !cute_nvgpu.universal_copy<128>, !rc, !tc
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<before>
    gpu.barrier
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<after>
    scf.if %warp0 {
      cute_nvgpu.arch.sm100.dealloc_tmem(%tmem, %n256) : !cute.ptr<f32, tmem>
    }
    gpu.return
  }
}
