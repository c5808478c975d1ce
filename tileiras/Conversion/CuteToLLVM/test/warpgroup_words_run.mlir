// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words that describe matrices in shared memory are the same in cute and in nvgpu: those that cute makes for its own atoms
// are operands of nvgpu.warpgroup.mma, here in the product of wgmma_run.mlir.
// RUN: tileiras --gpu-name=sm_90 --emit=ptx %s | FileCheck %s
// CHECK: wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16
// RUN: tileiras-run %S/Inputs/matmul.mlir --entry=wide --grid=2,6 --engine=reference 'a:f16[128x192]=random(lo=-2,hi=2,seed=1)' 'b:f16[384x192]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[128x384]' --dump=a=%t.a.npy --dump=b=%t.b.npy --dump=c=%t.c.npy
// RUN: tileiras-run %s --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --grid=2,3 --block=128 'a:f16[128x192]=%t.a.npy' 'b:f16[384x192]=%t.b.npy' 'out:c:f32[128x384]{expect=%t.c.npy}' i32=192 --tolerance=abs:1e-4
// Another matrix in the word: its rows begin 256 bytes later.
// RUN: sed 's/%wb = builtin.unrealized_conversion_cast %db/%c16 = arith.constant 16 : i64 %off = arith.addi %db, %c16 : i64 %wb = builtin.unrealized_conversion_cast %off/' %s > %t.off.mlir
// RUN: not tileiras-run %t.off.mlir --gpu-name=sm_90 --engine=emulator --grid=2,3 --block=128 'a:f16[128x192]=%t.a.npy' 'b:f16[384x192]=%t.b.npy' 'out:c:f32[128x384]{expect=%t.c.npy}' i32=192 --tolerance=abs:1e-4

!ptr16 = !cute.ptr<f16, gmem, align<16>>
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

!iter = !cute.desc_iter<k, 128, 0, 1024>
!da = !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
!db = !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>
!acc = !nvgpu.warpgroup.accumulator<fragmented = vector<64x128xf32>>

gpu.module @kernels {
  gpu.func @gemm(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: memref<128x384xf32>, %k: i32) kernel {
    %tx = gpu.thread_id x
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %t = arith.index_cast %tx : index to i32
    %bm = arith.index_cast %bx : index to i32
    %bn = arith.index_cast %by : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %one = cute.static : !cute.int_tuple<"1">
    %m = cute.static : !cute.int_tuple<"128">
    %n = cute.static : !cute.int_tuple<"384">
    %any = cute.static : !cute.coord<"_">
    %pa = cute.inttoptr(%a) : (!llvm.ptr<1>) -> !ptr16
    %pb = cute.inttoptr(%b) : (!llvm.ptr<1>) -> !ptr16
    %mk = cute.make_shape(%m, %k) : (!cute.int_tuple<"128">, i32) -> !cute.shape<"(128,?{div=64})">
    %nk = cute.make_shape(%n, %k) : (!cute.int_tuple<"384">, i32) -> !cute.shape<"(384,?{div=64})">
    %sk = cute.make_stride(%k, %one) : (i32, !cute.int_tuple<"1">) -> !cute.stride<"(?{div=64},1)">
    %la0 = cute.make_layout(%mk, %sk) : (!cute.shape<"(128,?{div=64})">, !cute.stride<"(?{div=64},1)">) -> !cute.layout<"(128,?{div=64}):(?{div=64},1)">
    %lb0 = cute.make_layout(%nk, %sk) : (!cute.shape<"(384,?{div=64})">, !cute.stride<"(?{div=64},1)">) -> !cute.layout<"(384,?{div=64}):(?{div=64},1)">
    %la = cute.derefine(%la0) : (!cute.layout<"(128,?{div=64}):(?{div=64},1)">) -> !row
    %lb = cute.derefine(%lb0) : (!cute.layout<"(384,?{div=64}):(?{div=64},1)">) -> !row
    %ma = cute.make_view(%pa, %la) : (!ptr16, !row) -> !mat
    %mb = cute.make_view(%pb, %lb) : (!ptr16, !row) -> !mat

    %tile_a = cute.static : !cute.tile<"[64:1;64:1]">
    %tile_b = cute.static : !cute.tile<"[128:1;64:1]">
    %at_a = cute.make_coord(%bm, %any) : (i32, !cute.coord<"_">) -> !cute.coord<"(?,_)">
    %at_b = cute.make_coord(%bn, %any) : (i32, !cute.coord<"_">) -> !cute.coord<"(?,_)">
    %ga = cute.local_tile(%ma, %tile_a, %at_a) : (!mat, !cute.tile<"[64:1;64:1]">, !cute.coord<"(?,_)">) -> !tiles_a
    %gb = cute.local_tile(%mb, %tile_b, %at_b) : (!mat, !cute.tile<"[128:1;64:1]">, !cute.coord<"(?,_)">) -> !tiles_b
    %sa = cute.memref.alloc_smem : !sa
    %sb = cute.memref.alloc_smem : !sb

    %vector = cute.make_atom : !cute_nvgpu.universal_copy<128>
    %copy_a = cute.make_tiled_copy(%vector) : (!cute_nvgpu.universal_copy<128>) -> !copy_a
    %copy_b = cute.make_tiled_copy(%vector) : (!cute_nvgpu.universal_copy<128>) -> !copy_b
    %wgmma = cute.make_atom : !atom
    %mma = cute.make_tiled_mma(%wgmma) : (!atom) -> !mma
    %from_a = cute.tiled.copy.partition_S(%copy_a, %ga, %t) : (!copy_a, !tiles_a, i32) -> !from_a
    %from_b = cute.tiled.copy.partition_S(%copy_b, %gb, %t) : (!copy_b, !tiles_b, i32) -> !from_b
    %to_a = cute.tiled.copy.partition_D(%copy_a, %sa, %t) : (!copy_a, !sa, i32) -> !to_a
    %to_b = cute.tiled.copy.partition_D(%copy_b, %sb, %t) : (!copy_b, !sb, i32) -> !to_b
    %fa = cute.tiled.mma.partition(%mma, %sa, %t) {operand = "A"} : (!mma, !sa, i32) -> !fa
    %fb = cute.tiled.mma.partition(%mma, %sb, %t) {operand = "B"} : (!mma, !sb, i32) -> !fb
    %ia = cute.make_desc_iter(%fa) : (!fa) -> !iter
    %ib = cute.make_desc_iter(%fb) : (!fb) -> !iter
    %da = cute.deref_desc_iter(%ia) : !iter
    %db = cute.deref_desc_iter(%ib) : !iter
    %wa = builtin.unrealized_conversion_cast %da : i64 to !da
    %wb = builtin.unrealized_conversion_cast %db : i64 to !db
    %none = nvgpu.warpgroup.mma.init.accumulator -> !acc

    %steps = arith.divui %k, %c64 : i32
    %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %none) -> (!acc) : i32 {
      %at = cute.make_coord(%any, %any, %any, %i) : (!cute.coord<"_">, !cute.coord<"_">, !cute.coord<"_">, i32) -> !cute.coord<"(_,_,_,?)">
      %next_a = cute.slice(%from_a, %at) : (!from_a, !cute.coord<"(_,_,_,?)">) -> !from_a1
      %next_b = cute.slice(%from_b, %at) : (!from_b, !cute.coord<"(_,_,_,?)">) -> !from_b1
      cute.copy(%copy_a, %next_a, %to_a) : !copy_a, !from_a1, !to_a
      cute.copy(%copy_b, %next_b, %to_b) : !copy_b, !from_b1, !to_b
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      %next = nvgpu.warpgroup.mma %wa, %wb, %acc {waitGroup = 0 : i64} : !da, !db, !acc -> !acc
      gpu.barrier
      scf.yield %next : !acc
    }
    %m64 = arith.constant 64 : index
    %n128 = arith.constant 128 : index
    %row = arith.muli %bx, %m64 : index
    %column = arith.muli %by, %n128 : index
    %out = memref.subview %c[%row, %column] [64, 128] [1, 1] : memref<128x384xf32> to memref<64x128xf32, strided<[384, 1], offset: ?>>
    nvgpu.warpgroup.mma.store %sum, %out : !acc to memref<64x128xf32, strided<[384, 1], offset: ?>>
    gpu.return
  }
}
