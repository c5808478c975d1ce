// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tcgen05.mma.sp with block scales: 128x64x128 of e4m3 in two instructions of 64 along k, each with one scale of a row and of a column; 64 of 128
// elements of A are stored, as Inputs/umma_sparse.mlir.in says. And all of it again by the operations that are single instructions.
// RUN: tileiras --gpu-name=sm_100 --emit=ptx %s | FileCheck %s
// CHECK: tcgen05.mma.sp.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X
// RUN: tileiras-run %S/Inputs/umma_scaled_sparse_reference.mlir --engine=reference 'a:f8E4M3FN[128x128]=integers(seed=1)' 'b:f8E4M3FN[64x128]=integers(seed=2)' 's:f8E8M0FNU[128x2]=random(seed=3,lo=0.5,hi=8)' 'u:f8E8M0FNU[64x2]=random(seed=4,lo=0.5,hi=8)' 'out:c:f32[128x64]' --dump=c=%t.npy
// RUN: tileiras-run %s --gpu-name=sm_100 --engine=emulator --check-races --schedules=3 --block=128 'a:f8E4M3FN[128x128]=integers(seed=1)' 'b:f8E4M3FN[64x128]=integers(seed=2)' 's:f8E8M0FNU[128x2]=random(seed=3,lo=0.5,hi=8)' 'u:f8E8M0FNU[64x2]=random(seed=4,lo=0.5,hi=8)' 'out:c:f32[128x64]{expect=%t.npy}' 'out:d:f32[128x64]{expect=%t.npy}'
// RUN: not tileiras --gpu-name=sm_120 --emit=ptx %s 2>&1 | FileCheck %s --check-prefix=CONSUMER
// CONSUMER-DAG: error: 'cute.gemm' op needs tcgen05.mma, which sm_120 does not have
// CONSUMER-DAG: error: 'cute_nvgpu.arch.mma.SM100.umma_block_scaled_sparse' op needs tcgen05.mma, which sm_120 does not have
// Metadata and scales written, but no fence in front of the barrier.
// RUN: sed '/of metadata and scales$/d' %s > %t.unordered.mlir
// RUN: not tileiras-run %t.unordered.mlir --gpu-name=sm_100 --engine=emulator --check-races --schedules=3 --block=128 'a:f8E4M3FN[128x128]=integers(seed=1)' 'b:f8E4M3FN[64x128]=integers(seed=2)' 's:f8E8M0FNU[128x2]=random(seed=3,lo=0.5,hi=8)' 'u:f8E8M0FNU[64x2]=random(seed=4,lo=0.5,hi=8)' 'out:c:f32[128x64]{expect=%t.npy}' 'out:d:f32[128x64]{expect=%t.npy}' 2>&1 | FileCheck %s --check-prefix=FENCE
// FENCE: tcgen05.fence
// The second instruction by the byte of the first.
// RUN: sed 's/scaled by %%isfa 1, %%isfb 1/scaled by %%isfa 0, %%isfb 1/' %s > %t.byte.mlir
// RUN: not tileiras-run %t.byte.mlir --gpu-name=sm_100 --engine=emulator --check-races --schedules=3 --block=128 'a:f8E4M3FN[128x128]=integers(seed=1)' 'b:f8E4M3FN[64x128]=integers(seed=2)' 's:f8E8M0FNU[128x2]=random(seed=3,lo=0.5,hi=8)' 'u:f8E8M0FNU[64x2]=random(seed=4,lo=0.5,hi=8)' 'out:c:f32[128x64]{expect=%t.npy}' 'out:d:f32[128x64]{expect=%t.npy}' 2>&1 | FileCheck %s --check-prefix=WRONG
// The scales of A for those of B.
// RUN: sed 's/scaled by %%isfa 0, %%isfb 0/scaled by %%isfa 0, %%isfa 0/' %s > %t.swapped.mlir
// RUN: not tileiras-run %t.swapped.mlir --gpu-name=sm_100 --engine=emulator --check-races --schedules=3 --block=128 'a:f8E4M3FN[128x128]=integers(seed=1)' 'b:f8E4M3FN[64x128]=integers(seed=2)' 's:f8E8M0FNU[128x2]=random(seed=3,lo=0.5,hi=8)' 'u:f8E8M0FNU[64x2]=random(seed=4,lo=0.5,hi=8)' 'out:c:f32[128x64]{expect=%t.npy}' 'out:d:f32[128x64]{expect=%t.npy}' 2>&1 | FileCheck %s --check-prefix=WRONG
// The metadata of the first column for the second.
// RUN: sed 's/arith.xori %%mixed0, %%i /arith.xori %%mixed0, %%c0 /' %s > %t.metadata.mlir
// RUN: not tileiras-run %t.metadata.mlir --gpu-name=sm_100 --engine=emulator --check-races --schedules=3 --block=128 'a:f8E4M3FN[128x128]=integers(seed=1)' 'b:f8E4M3FN[64x128]=integers(seed=2)' 's:f8E8M0FNU[128x2]=random(seed=3,lo=0.5,hi=8)' 'u:f8E8M0FNU[64x2]=random(seed=4,lo=0.5,hi=8)' 'out:c:f32[128x64]{expect=%t.npy}' 'out:d:f32[128x64]{expect=%t.npy}' 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: differ

!atom = !cute_nvgpu.sm100.mma_bs_sp<128x64x64, f8E4M3FN, f8E4M3FN, f32>
!mma = !cute.tiled_mma<!atom, "(1,1,1)">
!ga = !cute.memref<i8, gmem, align<16>, "(128,128):(128,1)">
!gb = !cute.memref<i8, gmem, align<16>, "(64,128):(128,1)">
!gc = !cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">
!sa = !cute.memref<i8, smem, align<1024>, "S<2,4,3> o 0 o (128,64):(64,1)">
!sb = !cute.memref<i8, smem, align<1024>, "S<3,4,3> o 0 o (64,128):(128,1)">
!ma = !cute.memref<f8E4M3FN, smem, align<1024>, "S<2,4,3> o 0 o (128,64):(64,1)">
!mb = !cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o 0 o (64,128):(128,1)">
!fa = !cute.memref<f8E4M3FN, smem, align<1024>, "S<2,4,3> o 0 o ((128,32),1,2):((64,1),0,32)">
!fb = !cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o 0 o ((64,64),1,2):((128,1),0,64)">
!me = !cute.memref<i32, tmem, "(128,4):(65536,1)">
!fe = !cute.memref<i32, tmem, "((128,2),1,2):((65536,1),0,2)">
!te = !cute.memref<i32, tmem, "(4,1,1):(1,0,0)">
!re = !cute.memref<i32, rmem, "(4,1,1):(1,0,0)">
!store = !cute.tiled_copy<!cute_nvgpu.tmem_store<4>, "(128,4):(1,128)", "(128,4)">
!gs = !cute.memref<i8, gmem, align<16>, "(128,2):(2,1)">
!gu = !cute.memref<i8, gmem, align<16>, "(64,2):(2,1)">
!sfa = !cute.memref<i32, tmem, "(128,4):(65536,1)">
!sfb = !cute.memref<i32, tmem, "(128,2):(65536,1)">
!fsfa = !cute.memref<i32, tmem, "((128,4),1,1):((65536,1),0,0)">
!fsfb = !cute.memref<i32, tmem, "((128,2),1,1):((65536,1),0,0)">
!tsb = !cute.memref<i32, tmem, "(2,1,1):(1,0,0)">
!rsb = !cute.memref<i32, rmem, "(2,1,1):(1,0,0)">
!store2 = !cute.tiled_copy<!cute_nvgpu.tmem_store<2>, "(128,2):(1,128)", "(128,2)">
!acc = !cute.memref<f32, tmem, "(128,64):(65536,1)">
!facc = !cute.memref<f32, tmem, "((128,64),1,1):((65536,1),0,0)">
!load = !cute.tiled_copy<!cute_nvgpu.tmem_load<64>, "(128,64):(1,128)", "(128,64)">
!tacc = !cute.memref<f32, tmem, "(64,1,1):(1,0,0)">
!tc = !cute.memref<f32, gmem, align<16>, "(64,1,1):(1,0,0)">
!rc = !cute.memref<f32, rmem, "(64,1,1):(1,0,0)">
!desc_a = !cute.desc_iter<k, 64, 0, 512>
!desc_b = !cute.desc_iter<k, 128, 0, 1024>
!slot = !cute.memref<i32, smem, "1:1">
!bar = !cute.memref<i64, smem, "1:1">

gpu.module @kernels {
  gpu.func @sparse(%a: !ga, %b: !gb, %s: !gs, %u: !gu, %c: !gc, %d: !gc) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c5 = arith.constant 5 : i32
    %n128 = arith.constant 128 : i32
    %n256 = arith.constant 256 : i32
    %nkk = arith.constant 128 : i32
    %nhh = arith.constant 64 : i32
    %ncc = arith.constant 4 : i32
    %na = arith.constant 8192 : i32
    %nb = arith.constant 8192 : i32
    %even = arith.constant -1717973812 : i32 // 0x9999cccc
    %odd = arith.constant -859006567 : i32   // 0xcccc9999
    %ticks = arith.constant 1000000 : i32
    %no = arith.constant false
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
    // 64 columns of sums, four of metadata, four of scales of A and two of B.
    %tmem = cute_nvgpu.arch.sm100.retrieve_tmem_ptr(%pslot) : (!cute.ptr<i32, smem>) -> !cute.ptr<f32, tmem>
    %n64 = cute.static : !cute.int_tuple<"64">
    %pme = cute.add_offset(%tmem, %n64) : (!cute.ptr<f32, tmem>, !cute.int_tuple<"64">) -> !cute.ptr<f32, tmem>
    %ime = cute.recast_iter(%pme) {element = i32} : (!cute.ptr<f32, tmem>) -> !cute.ptr<i32, tmem>
    %lacc = cute.static : !cute.layout<"(128,64):(65536,1)">
    %lme = cute.static : !cute.layout<"(128,4):(65536,1)">
    %acc = cute.make_view(%tmem, %lacc) : (!cute.ptr<f32, tmem>, !cute.layout<"(128,64):(65536,1)">) -> !acc
    %n68 = cute.static : !cute.int_tuple<"68">
    %n72 = cute.static : !cute.int_tuple<"72">
    %psfa = cute.add_offset(%tmem, %n68) : (!cute.ptr<f32, tmem>, !cute.int_tuple<"68">) -> !cute.ptr<f32, tmem>
    %psfb = cute.add_offset(%tmem, %n72) : (!cute.ptr<f32, tmem>, !cute.int_tuple<"72">) -> !cute.ptr<f32, tmem>
    %isfa = cute.recast_iter(%psfa) {element = i32} : (!cute.ptr<f32, tmem>) -> !cute.ptr<i32, tmem>
    %isfb = cute.recast_iter(%psfb) {element = i32} : (!cute.ptr<f32, tmem>) -> !cute.ptr<i32, tmem>
    %lsfb = cute.static : !cute.layout<"(128,2):(65536,1)">
    %sfa = cute.make_view(%isfa, %lme) : (!cute.ptr<i32, tmem>, !cute.layout<"(128,4):(65536,1)">) -> !sfa
    %sfb = cute.make_view(%isfb, %lsfb) : (!cute.ptr<i32, tmem>, !cute.layout<"(128,2):(65536,1)">) -> !sfb
    %me = cute.make_view(%ime, %lme) : (!cute.ptr<i32, tmem>, !cute.layout<"(128,4):(65536,1)">) -> !me
    scf.for %i = %t to %na step %n128 : i32 {
      %row = arith.divui %i, %nhh : i32
      %place = arith.remui %i, %nhh : i32
      %four = arith.shrui %place, %c1 : i32
      %which = arith.andi %place, %c1 : i32
      %base = arith.muli %four, %c4 : i32
      %row8 = arith.shrui %row, %c3 : i32
      %base16 = arith.shrui %base, %c4 : i32
      %base32 = arith.shrui %base, %c5 : i32
      %mixed0 = arith.xori %row, %row8 : i32
      %mixed1 = arith.xori %base16, %base32 : i32
      %mixed = arith.xori %mixed0, %mixed1 : i32
      %isodd = arith.andi %mixed, %c1 : i32
      // 0, 3 or 1, 2.
      %outer = arith.muli %which, %c3 : i32
      %inner = arith.addi %which, %c1 : i32
      %o = arith.cmpi ne, %isodd, %c0 : i32
      %of = arith.select %o, %inner, %outer : i32
      %column = arith.addi %base, %of : i32
      %from = cute.make_coord(%row, %column) : (i32, i32) -> !cute.coord<"(?,?)">
      %to = cute.make_coord(%row, %place) : (i32, i32) -> !cute.coord<"(?,?)">
      %v = cute.memref.load(%a, %from) : (!ga, !cute.coord<"(?,?)">) -> i8
      cute.memref.store(%sa, %to, %v) : !sa, !cute.coord<"(?,?)">, i8
    }
    scf.for %i = %t to %nb step %n128 : i32 {
      %r = arith.divui %i, %nkk : i32
      %k = arith.remui %i, %nkk : i32
      %at = cute.make_coord(%r, %k) : (i32, i32) -> !cute.coord<"(?,?)">
      %v = cute.memref.load(%b, %at) : (!gb, !cute.coord<"(?,?)">) -> i8
      cute.memref.store(%sb, %at, %v) : !sb, !cute.coord<"(?,?)">, i8
    }
    %store = cute.make_atom : !store
    %te = cute.tiled.copy.partition_D(%store, %me, %t) : (!store, !me, i32) -> !te
    %re = cute.memref.alloca : !re
    scf.for %i = %c0 to %ncc step %c1 : i32 {
      %t8 = arith.shrui %t, %c3 : i32
      %mixed0 = arith.xori %t, %t8 : i32
      %mixed = arith.xori %mixed0, %i : i32
      %isodd = arith.andi %mixed, %c1 : i32
      %o = arith.cmpi ne, %isodd, %c0 : i32
      %word = arith.select %o, %odd, %even : i32
      cute.memref.store(%re, %i, %word) : !re, i32, i32
    }
    cute.copy(%store, %re, %te) : !store, !re, !te
    // Lane l of column c has the scales of row 32 c + l % 32, that of the first 64 along k in the lowest byte.
    %c8 = arith.constant 8 : i32
    %c31 = arith.constant 31 : i32
    %lane = arith.andi %t, %c31 : i32
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      %i32 = arith.shli %i, %c5 : i32
      %row = arith.addi %i32, %lane : i32
      %at0 = cute.make_coord(%row, %c0) : (i32, i32) -> !cute.coord<"(?,?)">
      %at1 = cute.make_coord(%row, %c1) : (i32, i32) -> !cute.coord<"(?,?)">
      %b0 = cute.memref.load(%s, %at0) : (!gs, !cute.coord<"(?,?)">) -> i8
      %b1 = cute.memref.load(%s, %at1) : (!gs, !cute.coord<"(?,?)">) -> i8
      %w0 = arith.extui %b0 : i8 to i32
      %w1 = arith.extui %b1 : i8 to i32
      %high = arith.shli %w1, %c8 : i32
      %word = arith.ori %w0, %high : i32 // scales of A
      cute.memref.store(%re, %i, %word) : !re, i32, i32
    }
    %tsfa = cute.tiled.copy.partition_D(%store, %sfa, %t) : (!store, !sfa, i32) -> !te
    cute.copy(%store, %re, %tsfa) : !store, !re, !te
    %rsb = cute.memref.alloca : !rsb
    scf.for %i = %c0 to %c2 step %c1 : i32 {
      %i32 = arith.shli %i, %c5 : i32
      %row = arith.addi %i32, %lane : i32
      %at0 = cute.make_coord(%row, %c0) : (i32, i32) -> !cute.coord<"(?,?)">
      %at1 = cute.make_coord(%row, %c1) : (i32, i32) -> !cute.coord<"(?,?)">
      %b0 = cute.memref.load(%u, %at0) : (!gu, !cute.coord<"(?,?)">) -> i8
      %b1 = cute.memref.load(%u, %at1) : (!gu, !cute.coord<"(?,?)">) -> i8
      %w0 = arith.extui %b0 : i8 to i32
      %w1 = arith.extui %b1 : i8 to i32
      %high = arith.shli %w1, %c8 : i32
      %word = arith.ori %w0, %high : i32 // scales of B
      cute.memref.store(%rsb, %i, %word) : !rsb, i32, i32
    }
    %store2 = cute.make_atom : !store2
    %tsfb = cute.tiled.copy.partition_D(%store2, %sfb, %t) : (!store2, !sfb, i32) -> !tsb
    cute.copy(%store2, %rsb, %tsfb) : !store2, !rsb, !tsb
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<before> // of metadata and scales
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %pa = cute.get_iter(%sa) : (!sa) -> !cute.ptr<i8, smem, align<1024>>
    %qa = cute.recast_iter(%pa) {element = f8E4M3FN} : (!cute.ptr<i8, smem, align<1024>>) -> !cute.ptr<f8E4M3FN, smem, align<1024>>
    %la = cute.static : !cute.composed_layout<"S<2,4,3> o 0 o (128,64):(64,1)">
    %ma = cute.make_view(%qa, %la) : (!cute.ptr<f8E4M3FN, smem, align<1024>>, !cute.composed_layout<"S<2,4,3> o 0 o (128,64):(64,1)">) -> !ma
    %pb = cute.get_iter(%sb) : (!sb) -> !cute.ptr<i8, smem, align<1024>>
    %qb = cute.recast_iter(%pb) {element = f8E4M3FN} : (!cute.ptr<i8, smem, align<1024>>) -> !cute.ptr<f8E4M3FN, smem, align<1024>>
    %lb = cute.static : !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(128,1)">
    %mb = cute.make_view(%qb, %lb) : (!cute.ptr<f8E4M3FN, smem, align<1024>>, !cute.composed_layout<"S<3,4,3> o 0 o (64,128):(128,1)">) -> !mb
    %vector = cute.make_atom : !cute_nvgpu.universal_copy<128>
    %mma = cute.make_atom : !mma
    %fa = cute.tiled.mma.partition(%mma, %ma, %c0) {operand = "A"} : (!mma, !ma, i32) -> !fa
    %fb = cute.tiled.mma.partition(%mma, %mb, %c0) {operand = "B"} : (!mma, !mb, i32) -> !fb
    %fe = cute.tiled.mma.partition(%mma, %me, %c0) {operand = "E"} : (!mma, !me, i32) -> !fe
    %fsfa = cute.tiled.mma.partition(%mma, %sfa, %c0) {operand = "SFA"} : (!mma, !sfa, i32) -> !fsfa
    %fsfb = cute.tiled.mma.partition(%mma, %sfb, %c0) {operand = "SFB"} : (!mma, !sfb, i32) -> !fsfb
    %facc = cute.tiled.mma.partition(%mma, %acc, %c0) {operand = "C"} : (!mma, !acc, i32) -> !facc
    %ia = cute.make_desc_iter(%fa) : (!fa) -> !desc_a
    %ib = cute.make_desc_iter(%fb) : (!fb) -> !desc_b
    %da = cute.deref_desc_iter(%ia) : !desc_a
    %db = cute.deref_desc_iter(%ib) : !desc_b
    // 32 bytes of A and 64 of B further on, and 2 columns of metadata.
    %i2 = arith.constant 2 : i64
    %i4 = arith.constant 4 : i64
    %da2 = arith.addi %da, %i2 : i64
    %db2 = arith.addi %db, %i4 : i64
    %yes = arith.constant true
    %next = cute.static : !cute.int_tuple<"2">
    %ime2 = cute.add_offset(%ime, %next) : (!cute.ptr<i32, tmem>, !cute.int_tuple<"2">) -> !cute.ptr<i32, tmem>
    %more128 = cute.static : !cute.int_tuple<"128">
    %tmem2 = cute.add_offset(%tmem, %more128) : (!cute.ptr<f32, tmem>, !cute.int_tuple<"128">) -> !cute.ptr<f32, tmem>
    scf.if %first {
      nvvm.tcgen05.fence #nvvm.tcgen05_fence<after>
      cute.gemm(%mma, %facc, %fa, %fb, %facc scaled by %fsfa, %fsfb stored by %fe if %no) : !mma, !facc, !fa, !fb, !facc scaled by !fsfa, !fsfb stored by !fe
      // The same by single instructions, to columns 128 to 191.
      cute_nvgpu.arch.mma.SM100.umma_block_scaled_sparse !atom (%tmem2, %da, %db if %no) scaled by %isfa 0, %isfb 0 stored by %ime 0 : !cute.ptr<f32, tmem>, !cute.ptr<i32, tmem>, !cute.ptr<i32, tmem>, !cute.ptr<i32, tmem>
      cute_nvgpu.arch.mma.SM100.umma_block_scaled_sparse !atom (%tmem2, %da2, %db2 if %yes) scaled by %isfa 1, %isfb 1 stored by %ime2 0 : !cute.ptr<f32, tmem>, !cute.ptr<i32, tmem>, !cute.ptr<i32, tmem>, !cute.ptr<i32, tmem>
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
