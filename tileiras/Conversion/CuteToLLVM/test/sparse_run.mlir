// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of a matrix of which half is stored: by an atom and by the instruction itself, both by execution. The kernel
// packs A and says what it packed: of four neighbours 0 and 3 (code 1100) in even rows, 1 and 2 (1001) in odd ones.
// RUN: tileiras-run %S/Inputs/products.mlir --entry=sparse --engine=reference 'a:f16[16x64]=random(lo=-2,hi=2,seed=1)' 'b:f16[8x64]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[16x8]' --dump=c=%t.npy
// RUN: tileiras-run %s --gpu-name=sm_80 --engine=emulator --check-races --schedules=3 --block=32 'a:f16[16x64]=random(lo=-2,hi=2,seed=1)' 'b:f16[8x64]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[16x8]{expect=%t.npy}' 'out:d:f32[16x8]{expect=%t.npy}' --tolerance=abs:1e-4
// RUN: tileiras-run %s --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --block=32 'a:f16[16x64]=random(lo=-2,hi=2,seed=1)' 'b:f16[8x64]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[16x8]{expect=%t.npy}' 'out:d:f32[16x8]{expect=%t.npy}' --tolerance=abs:1e-4
// RUN: tileiras --gpu-name=sm_80 --emit=ptx %s | FileCheck %s
// CHECK: .version 8.5
// CHECK: mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32
// Words that name one element twice.
// RUN: sed 's/arith.constant -13108 /arith.constant 0 /' %s > %t.wrong.mlir
// RUN: not tileiras-run %t.wrong.mlir --gpu-name=sm_80 --engine=emulator --check-races --block=32 'a:f16[16x64]=random(lo=-2,hi=2,seed=1)' 'b:f16[8x64]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[16x8]' 'out:d:f32[16x8]' 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: sparsity metadata 0 of row 0

!atom = !cute_nvgpu.sm80.sparse_mma<16x8x32, f16, f16, f32>
!mma = !cute.tiled_mma<!atom, "(1,1,1)">
!word = !cute_nvgpu.universal_copy<32>
!half = !cute_nvgpu.universal_copy<16>
!sa = !cute.memref<f16, smem, align<16>, "(16,32):(32,1)">
!se = !cute.memref<i16, smem, align<16>, "(16,4):(4,1)">
!gb = !cute.memref<f16, gmem, align<16>, "(8,64):(64,1)">
!gc = !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">
!ta = !cute.memref<f16, smem, align<4>, "((2,2,2),1,2):((1,256,8),0,16)">
!te = !cute.memref<i16, smem, "(2,1,2):(32,0,2)">
!tb = !cute.memref<f16, gmem, align<4>, "((2,4),1,2):((1,8),0,32)">
!tc = !cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">
!ra = !cute.memref<f16, rmem, "((2,2,2),1,2):((1,2,4),0,8)">
!re = !cute.memref<i16, rmem, "(2,1,2):(1,0,2)">
!rb = !cute.memref<f16, rmem, "((2,4),1,2):((1,2),0,8)">
!rc = !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)">
!wa = !cute.memref<i32, rmem, "8:1">
!we = !cute.memref<i32, rmem, "2:1">

gpu.module @kernels {
  gpu.func @sparse(%a: !cute.memref<f16, gmem, align<16>, "(16,64):(64,1)">, %b: !gb, %c: !gc, %d: !gc) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c5 = arith.constant 5 : i32
    %c6 = arith.constant 6 : i32
    %c7 = arith.constant 7 : i32
    %c31 = arith.constant 31 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %c512 = arith.constant 512 : i32
    %zero = arith.constant 0.0 : f32
    %even = arith.constant -13108 : i16
    %odd = arith.constant -26215 : i16
    %sa = cute.memref.alloc_smem : !sa
    %se = cute.memref.alloc_smem : !se
    scf.for %i = %t to %c512 step %c32 : i32 {
      %row = arith.shrui %i, %c5 : i32
      %place = arith.andi %i, %c31 : i32
      %four = arith.shrui %place, %c1 : i32
      %which = arith.andi %place, %c1 : i32
      %isodd = arith.andi %row, %c1 : i32
      // 0, 3 or 1, 2.
      %outer = arith.muli %which, %c3 : i32
      %inner = arith.addi %which, %c1 : i32
      %o = arith.cmpi ne, %isodd, %c0 : i32
      %of = arith.select %o, %inner, %outer : i32
      %base = arith.muli %four, %c4 : i32
      %column = arith.addi %base, %of : i32
      %from = cute.make_coord(%row, %column) : (i32, i32) -> !cute.coord<"(?,?)">
      %to = cute.make_coord(%row, %place) : (i32, i32) -> !cute.coord<"(?,?)">
      %v = cute.memref.load(%a, %from) : (!cute.memref<f16, gmem, align<16>, "(16,64):(64,1)">, !cute.coord<"(?,?)">) -> f16
      cute.memref.store(%sa, %to, %v) : !sa, !cute.coord<"(?,?)">, f16
    }
    scf.for %i = %t to %c64 step %c32 : i32 {
      %row = arith.shrui %i, %c2 : i32
      %block = arith.andi %i, %c3 : i32
      %isodd = arith.andi %row, %c1 : i32
      %o = arith.cmpi ne, %isodd, %c0 : i32
      %code = arith.select %o, %odd, %even : i16
      %to = cute.make_coord(%row, %block) : (i32, i32) -> !cute.coord<"(?,?)">
      cute.memref.store(%se, %to, %code) : !se, !cute.coord<"(?,?)">, i16
    }
    gpu.barrier
    %mma = cute.make_atom : !mma
    %word = cute.make_atom : !word
    %half = cute.make_atom : !half
    %ta = cute.tiled.mma.partition(%mma, %sa, %t) {operand = "A"} : (!mma, !sa, i32) -> !ta
    %te = cute.tiled.mma.partition(%mma, %se, %t) {operand = "E"} : (!mma, !se, i32) -> !te
    %tb = cute.tiled.mma.partition(%mma, %b, %t) {operand = "B"} : (!mma, !gb, i32) -> !tb
    %tc = cute.tiled.mma.partition(%mma, %c, %t) {operand = "C"} : (!mma, !gc, i32) -> !tc
    %td = cute.tiled.mma.partition(%mma, %d, %t) {operand = "C"} : (!mma, !gc, i32) -> !tc
    %ra = cute.make_fragment_like(%ta) : (!ta) -> !ra
    %re = cute.make_fragment_like(%te) : (!te) -> !re
    %rb = cute.make_fragment_like(%tb) : (!tb) -> !rb
    %rc = cute.make_fragment_like(%tc) : (!tc) -> !rc
    cute.memref.fill(%rc, %zero) : !rc, f32
    cute.copy(%word, %ta, %ra) : !word, !ta, !ra
    cute.copy(%half, %te, %re) : !half, !te, !re
    cute.copy(%word, %tb, %rb) : !word, !tb, !rb
    cute.gemm(%mma, %rc, %ra, %rb, %rc stored by %re) : !mma, !rc, !ra, !rb, !rc stored by !re
    cute.copy(%word, %rc, %tc) : !word, !rc, !tc

    // The same by the instruction: registers as words.
    %pa = cute.get_iter(%ra) : (!ra) -> !cute.ptr<f16, rmem>
    %pe = cute.get_iter(%re) : (!re) -> !cute.ptr<i16, rmem>
    %pb = cute.get_iter(%rb) : (!rb) -> !cute.ptr<f16, rmem>
    %qa = cute.recast_iter(%pa) {element = i32} : (!cute.ptr<f16, rmem>) -> !cute.ptr<i32, rmem, align<2>>
    %qe = cute.recast_iter(%pe) {element = i32} : (!cute.ptr<i16, rmem>) -> !cute.ptr<i32, rmem, align<2>>
    %qb = cute.recast_iter(%pb) {element = i32} : (!cute.ptr<f16, rmem>) -> !cute.ptr<i32, rmem, align<2>>
    %eight = cute.static : !cute.layout<"8:1">
    %two = cute.static : !cute.layout<"2:1">
    %wa = cute.make_view(%qa, %eight) : (!cute.ptr<i32, rmem, align<2>>, !cute.layout<"8:1">) -> !cute.memref<i32, rmem, align<2>, "8:1">
    %we = cute.make_view(%qe, %two) : (!cute.ptr<i32, rmem, align<2>>, !cute.layout<"2:1">) -> !cute.memref<i32, rmem, align<2>, "2:1">
    %wb = cute.make_view(%qb, %eight) : (!cute.ptr<i32, rmem, align<2>>, !cute.layout<"8:1">) -> !cute.memref<i32, rmem, align<2>, "8:1">
    %a0 = cute.memref.load(%wa, %c0) : (!cute.memref<i32, rmem, align<2>, "8:1">, i32) -> i32
    %b0 = cute.memref.load(%wb, %c0) : (!cute.memref<i32, rmem, align<2>, "8:1">, i32) -> i32
    %a1 = cute.memref.load(%wa, %c1) : (!cute.memref<i32, rmem, align<2>, "8:1">, i32) -> i32
    %b1 = cute.memref.load(%wb, %c1) : (!cute.memref<i32, rmem, align<2>, "8:1">, i32) -> i32
    %a2 = cute.memref.load(%wa, %c2) : (!cute.memref<i32, rmem, align<2>, "8:1">, i32) -> i32
    %b2 = cute.memref.load(%wb, %c2) : (!cute.memref<i32, rmem, align<2>, "8:1">, i32) -> i32
    %a3 = cute.memref.load(%wa, %c3) : (!cute.memref<i32, rmem, align<2>, "8:1">, i32) -> i32
    %b3 = cute.memref.load(%wb, %c3) : (!cute.memref<i32, rmem, align<2>, "8:1">, i32) -> i32
    %a4 = cute.memref.load(%wa, %c4) : (!cute.memref<i32, rmem, align<2>, "8:1">, i32) -> i32
    %b4 = cute.memref.load(%wb, %c4) : (!cute.memref<i32, rmem, align<2>, "8:1">, i32) -> i32
    %a5 = cute.memref.load(%wa, %c5) : (!cute.memref<i32, rmem, align<2>, "8:1">, i32) -> i32
    %b5 = cute.memref.load(%wb, %c5) : (!cute.memref<i32, rmem, align<2>, "8:1">, i32) -> i32
    %a6 = cute.memref.load(%wa, %c6) : (!cute.memref<i32, rmem, align<2>, "8:1">, i32) -> i32
    %b6 = cute.memref.load(%wb, %c6) : (!cute.memref<i32, rmem, align<2>, "8:1">, i32) -> i32
    %a7 = cute.memref.load(%wa, %c7) : (!cute.memref<i32, rmem, align<2>, "8:1">, i32) -> i32
    %b7 = cute.memref.load(%wb, %c7) : (!cute.memref<i32, rmem, align<2>, "8:1">, i32) -> i32
    %e0 = cute.memref.load(%we, %c0) : (!cute.memref<i32, rmem, align<2>, "2:1">, i32) -> i32
    %e1 = cute.memref.load(%we, %c1) : (!cute.memref<i32, rmem, align<2>, "2:1">, i32) -> i32
    %s:4 = cute_nvgpu.arch.mma.SM80.sparse !atom (%a0, %a1, %a2, %a3) (%b0, %b1, %b2, %b3) (%zero, %zero, %zero, %zero) stored by %e0 : f32, f32, f32, f32 -> f32, f32, f32, f32
    %u:4 = cute_nvgpu.arch.mma.SM80.sparse !atom (%a4, %a5, %a6, %a7) (%b4, %b5, %b6, %b7) (%s#0, %s#1, %s#2, %s#3) stored by %e1 : f32, f32, f32, f32 -> f32, f32, f32, f32
    cute.memref.store(%td, %c0, %u#0) : !tc, i32, f32
    cute.memref.store(%td, %c1, %u#1) : !tc, i32, f32
    cute.memref.store(%td, %c2, %u#2) : !tc, i32, f32
    cute.memref.store(%td, %c3, %u#3) : !tc, i32, f32
    gpu.return
  }
}
