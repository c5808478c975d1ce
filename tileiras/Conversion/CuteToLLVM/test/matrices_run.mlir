// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mma.sync of every kind, ldmatrix and stmatrix, by execution.
// RUN: tileiras-run %S/Inputs/products.mlir --entry=half --engine=reference 'a:f16[32x32]=integers(seed=1)' 'b:f16[16x32]=integers(seed=2)' 'out:c:f16[32x16]' --dump=c=%t.half.npy
// RUN: tileiras-run %s --entry=half --gpu-name=sm_90 --engine=emulator --check-races --schedules=3 --block=32 'a:f16[32x32]=integers(seed=1)' 'b:f16[16x32]=integers(seed=2)' 'out:c:f16[32x16]{expect=%t.half.npy}'
// RUN: not tileiras --gpu-name=sm_89 --emit=ptx %s 2>&1 | FileCheck %s
// CHECK: error: 'cute.copy' op needs stmatrix, which sm_89 does not have
// RUN: tileiras-run %S/Inputs/products.mlir --entry=tf32 --engine=reference 'a:tf32[16x16]=integers(seed=1)' 'b:tf32[8x16]=integers(seed=2)' 'out:c:f32[16x8]' --dump=c=%t.tf32.npy
// RUN: tileiras-run %s --entry=tf32 --gpu-name=sm_90 --engine=emulator --check-races --block=32 'a:f32[16x16]=integers(seed=1)' 'b:f32[8x16]=integers(seed=2)' 'out:c:f32[16x8]{expect=%t.tf32.npy}'
// RUN: tileiras-run %S/Inputs/products.mlir --entry=bytes --engine=reference 'a:i8[16x64]=random(seed=1)' 'b:i8[8x64]=random(seed=2)' 'out:c:i32[16x8]' --dump=c=%t.bytes.npy
// RUN: tileiras-run %s --entry=bytes --gpu-name=sm_90 --engine=emulator --check-races --block=32 'a:i8[16x64]=random(seed=1)' 'b:i8[8x64]=random(seed=2)' 'out:c:i32[16x8]{expect=%t.bytes.npy}'

!word = !cute_nvgpu.universal_copy<32>
!vec = !cute_nvgpu.universal_copy<128>

!h = !cute.ptr<f16, gmem, align<16>>
!mma = !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, f16, f16, f16>, "(1,1,1)">
!fill_a = !cute.tiled_copy<!vec, "((4,8),(8,4)):((256,1),(32,8))", "(32,32)">
!fill_b = !cute.tiled_copy<!vec, "((4,8),(8,2)):((128,1),(16,8))", "(16,32)">
!fill_c = !cute.tiled_copy<!vec, "((2,16),(8,2)):((256,1),(32,16))", "(32,16)">
// Of the fragments: one product's A; B for two along k; C for two along N.
!ld_a = !cute.tiled_copy<!cute_nvgpu.ldsm<4>, "((4,8),(2,2,2)):((32,1),(16,8,128))", "(16,16)">
!ld_b = !cute.tiled_copy<!cute_nvgpu.ldsm<4>, "((4,8),(2,2,2)):((16,1),(8,64,128))", "(8,32)">
!st_c = !cute.tiled_copy<!cute_nvgpu.stsm<4>, "((4,8),(2,2,2)):((32,1),(16,8,128))", "(16,16)">
!ga = !cute.memref<f16, gmem, align<16>, "(32,32):(32,1)">
!gb = !cute.memref<f16, gmem, align<16>, "(16,32):(32,1)">
!gc = !cute.memref<f16, gmem, align<16>, "(32,16):(16,1)">
!sa = !cute.memref<f16, smem, align<128>, "S<2,3,3> o 0 o (32,32):(32,1)">
!sb = !cute.memref<f16, smem, align<128>, "S<2,3,3> o 0 o (16,32):(32,1)">
!sc = !cute.memref<f16, smem, align<128>, "(32,16):(16,1)">

gpu.module @kernels {
  gpu.func @half(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %zero = arith.constant 0.0 : f16
    %pa = cute.inttoptr(%a) : (!llvm.ptr<1>) -> !h
    %pb = cute.inttoptr(%b) : (!llvm.ptr<1>) -> !h
    %pc = cute.inttoptr(%c) : (!llvm.ptr<1>) -> !h
    %la = cute.static : !cute.layout<"(32,32):(32,1)">
    %lb = cute.static : !cute.layout<"(16,32):(32,1)">
    %lc = cute.static : !cute.layout<"(32,16):(16,1)">
    %ga = cute.make_view(%pa, %la) : (!h, !cute.layout<"(32,32):(32,1)">) -> !ga
    %gb = cute.make_view(%pb, %lb) : (!h, !cute.layout<"(16,32):(32,1)">) -> !gb
    %gc = cute.make_view(%pc, %lc) : (!h, !cute.layout<"(32,16):(16,1)">) -> !gc
    %sa = cute.memref.alloc_smem : !sa
    %sb = cute.memref.alloc_smem : !sb
    %sc = cute.memref.alloc_smem : !sc
    %fill_a = cute.make_atom : !fill_a
    %fill_b = cute.make_atom : !fill_b
    %fill_c = cute.make_atom : !fill_c
    %ld_a = cute.make_atom : !ld_a
    %ld_b = cute.make_atom : !ld_b
    %st_c = cute.make_atom : !st_c
    %mma = cute.make_atom : !mma
    %fa = cute.tiled.copy.partition_S(%fill_a, %ga, %t) : (!fill_a, !ga, i32) -> !cute.memref<f16, gmem, align<16>, "((8,4),1,1):((1,256),0,0)">
    %ta = cute.tiled.copy.partition_D(%fill_a, %sa, %t) : (!fill_a, !sa, i32) -> !cute.memref<f16, smem, align<128>, "S<2,3,3> o ?{div=8} o ((8,4),1,1):((1,256),0,0)">
    %fb = cute.tiled.copy.partition_S(%fill_b, %gb, %t) : (!fill_b, !gb, i32) -> !cute.memref<f16, gmem, align<16>, "((8,2),1,1):((1,256),0,0)">
    %tb = cute.tiled.copy.partition_D(%fill_b, %sb, %t) : (!fill_b, !sb, i32) -> !cute.memref<f16, smem, align<128>, "S<2,3,3> o ?{div=8} o ((8,2),1,1):((1,256),0,0)">
    cute.copy(%fill_a, %fa, %ta) : !fill_a, !cute.memref<f16, gmem, align<16>, "((8,4),1,1):((1,256),0,0)">, !cute.memref<f16, smem, align<128>, "S<2,3,3> o ?{div=8} o ((8,4),1,1):((1,256),0,0)">
    cute.copy(%fill_b, %fb, %tb) : !fill_b, !cute.memref<f16, gmem, align<16>, "((8,2),1,1):((1,256),0,0)">, !cute.memref<f16, smem, align<128>, "S<2,3,3> o ?{div=8} o ((8,2),1,1):((1,256),0,0)">
    gpu.barrier
    // Fragments as the product has them, and the same registers as the copies have them.
    %ma = cute.tiled.mma.partition(%mma, %sa, %t) {operand = "A"} : (!mma, !sa, i32) -> !cute.memref<f16, smem, align<128>, "S<2,3,3> o ?{div=2} o ((2,2,2),2,2):((1,256,8),512,16)">
    %mb = cute.tiled.mma.partition(%mma, %sb, %t) {operand = "B"} : (!mma, !sb, i32) -> !cute.memref<f16, smem, align<128>, "S<2,3,3> o ?{div=2} o ((2,2),2,2):((1,8),256,16)">
    %mc = cute.tiled.mma.partition(%mma, %sc, %t) {operand = "C"} : (!mma, !sc, i32) -> !cute.memref<f16, smem, align<4>, "((2,2),2,2):((1,128),256,8)">
    %ra = cute.make_fragment_like(%ma) : (!cute.memref<f16, smem, align<128>, "S<2,3,3> o ?{div=2} o ((2,2,2),2,2):((1,256,8),512,16)">) -> !cute.memref<f16, rmem, "((2,2,2),2,2):((1,2,4),8,16)">
    %rb = cute.make_fragment_like(%mb) : (!cute.memref<f16, smem, align<128>, "S<2,3,3> o ?{div=2} o ((2,2),2,2):((1,8),256,16)">) -> !cute.memref<f16, rmem, "((2,2),2,2):((1,2),4,8)">
    %rc = cute.make_fragment_like(%mc) : (!cute.memref<f16, smem, align<4>, "((2,2),2,2):((1,128),256,8)">) -> !cute.memref<f16, rmem, "((2,2),2,2):((1,2),4,8)">
    %xa = cute.tiled.copy.retile(%ld_a, %ra) : (!ld_a, !cute.memref<f16, rmem, "((2,2,2),2,2):((1,2,4),8,16)">) -> !cute.memref<f16, rmem, "((8,1),2,2):((1,0),8,16)">
    %xb = cute.tiled.copy.retile(%ld_b, %rb) : (!ld_b, !cute.memref<f16, rmem, "((2,2),2,2):((1,2),4,8)">) -> !cute.memref<f16, rmem, "(((4,2),1),2,1):(((1,8),0),4,0)">
    %xc = cute.tiled.copy.retile(%st_c, %rc) : (!st_c, !cute.memref<f16, rmem, "((2,2),2,2):((1,2),4,8)">) -> !cute.memref<f16, rmem, "(((4,2),1),2,1):(((1,8),0),4,0)">
    %rows_a = cute.tiled.copy.partition_S(%ld_a, %sa, %t) : (!ld_a, !sa, i32) -> !cute.memref<f16, smem, align<128>, "S<2,3,3> o ?{div=8} o ((2,4,1),2,2):((1,2,0),512,16)">
    %rows_b = cute.tiled.copy.partition_S(%ld_b, %sb, %t) : (!ld_b, !sb, i32) -> !cute.memref<f16, smem, align<128>, "S<2,3,3> o ?{div=8} o ((2,4,1),2,1):((1,2,0),256,0)">
    %rows_c = cute.tiled.copy.partition_D(%st_c, %sc, %t) : (!st_c, !sc, i32) -> !cute.memref<f16, smem, align<16>, "((2,4,1),2,1):((1,2,0),256,0)">
    cute.copy(%ld_a, %rows_a, %xa) : !ld_a, !cute.memref<f16, smem, align<128>, "S<2,3,3> o ?{div=8} o ((2,4,1),2,2):((1,2,0),512,16)">, !cute.memref<f16, rmem, "((8,1),2,2):((1,0),8,16)">
    cute.copy(%ld_b, %rows_b, %xb) : !ld_b, !cute.memref<f16, smem, align<128>, "S<2,3,3> o ?{div=8} o ((2,4,1),2,1):((1,2,0),256,0)">, !cute.memref<f16, rmem, "(((4,2),1),2,1):(((1,8),0),4,0)">
    cute.memref.fill(%rc, %zero) : !cute.memref<f16, rmem, "((2,2),2,2):((1,2),4,8)">, f16
    cute.gemm(%mma, %rc, %ra, %rb, %rc) : !mma, !cute.memref<f16, rmem, "((2,2),2,2):((1,2),4,8)">, !cute.memref<f16, rmem, "((2,2,2),2,2):((1,2,4),8,16)">, !cute.memref<f16, rmem, "((2,2),2,2):((1,2),4,8)">, !cute.memref<f16, rmem, "((2,2),2,2):((1,2),4,8)">
    cute.copy(%st_c, %xc, %rows_c) : !st_c, !cute.memref<f16, rmem, "(((4,2),1),2,1):(((1,8),0),4,0)">, !cute.memref<f16, smem, align<16>, "((2,4,1),2,1):((1,2,0),256,0)">
    gpu.barrier
    %fc = cute.tiled.copy.partition_S(%fill_c, %sc, %t) : (!fill_c, !sc, i32) -> !cute.memref<f16, smem, align<16>, "((8,2),1,1):((1,256),0,0)">
    %tc = cute.tiled.copy.partition_D(%fill_c, %gc, %t) : (!fill_c, !gc, i32) -> !cute.memref<f16, gmem, align<16>, "((8,2),1,1):((1,256),0,0)">
    cute.copy(%fill_c, %fc, %tc) : !fill_c, !cute.memref<f16, smem, align<16>, "((8,2),1,1):((1,256),0,0)">, !cute.memref<f16, gmem, align<16>, "((8,2),1,1):((1,256),0,0)">
    gpu.return
  }
  gpu.func @tf32(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %zero = arith.constant 0.0 : f32
    %mma = cute.make_atom : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x8, tf32, tf32, f32>, "(1,1,1)">
    %word = cute.make_atom : !word
    %pa = cute.inttoptr(%a) : (!llvm.ptr<1>) -> !cute.ptr<f32, gmem, align<16>>
    %la = cute.static : !cute.layout<"(16,16):(16,1)">
    %ga = cute.make_view(%pa, %la) : (!cute.ptr<f32, gmem, align<16>>, !cute.layout<"(16,16):(16,1)">) -> !cute.memref<f32, gmem, align<16>, "(16,16):(16,1)">
    %ta = cute.tiled.mma.partition(%mma, %ga, %t) {operand = "A"} : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x8, tf32, tf32, f32>, "(1,1,1)">, !cute.memref<f32, gmem, align<16>, "(16,16):(16,1)">, i32) -> !cute.memref<f32, gmem, "((2,2),1,2):((128,4),0,8)">
    %pb = cute.inttoptr(%b) : (!llvm.ptr<1>) -> !cute.ptr<f32, gmem, align<16>>
    %lb = cute.static : !cute.layout<"(8,16):(16,1)">
    %gb = cute.make_view(%pb, %lb) : (!cute.ptr<f32, gmem, align<16>>, !cute.layout<"(8,16):(16,1)">) -> !cute.memref<f32, gmem, align<16>, "(8,16):(16,1)">
    %tb = cute.tiled.mma.partition(%mma, %gb, %t) {operand = "B"} : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x8, tf32, tf32, f32>, "(1,1,1)">, !cute.memref<f32, gmem, align<16>, "(8,16):(16,1)">, i32) -> !cute.memref<f32, gmem, "(2,1,2):(4,0,8)">
    %pc = cute.inttoptr(%c) : (!llvm.ptr<1>) -> !cute.ptr<f32, gmem, align<16>>
    %lc = cute.static : !cute.layout<"(16,8):(8,1)">
    %gc = cute.make_view(%pc, %lc) : (!cute.ptr<f32, gmem, align<16>>, !cute.layout<"(16,8):(8,1)">) -> !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">
    %tc = cute.tiled.mma.partition(%mma, %gc, %t) {operand = "C"} : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x8, tf32, tf32, f32>, "(1,1,1)">, !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">, i32) -> !cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">
    %ra = cute.make_fragment_like(%ta) : (!cute.memref<f32, gmem, "((2,2),1,2):((128,4),0,8)">) -> !cute.memref<f32, rmem, "((2,2),1,2):((1,2),0,4)">
    %rb = cute.make_fragment_like(%tb) : (!cute.memref<f32, gmem, "(2,1,2):(4,0,8)">) -> !cute.memref<f32, rmem, "(2,1,2):(1,0,2)">
    %rc = cute.make_fragment_like(%tc) : (!cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">) -> !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)">
    cute.memref.fill(%rc, %zero) : !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)">, f32
    cute.copy(%word, %ta, %ra) : !word, !cute.memref<f32, gmem, "((2,2),1,2):((128,4),0,8)">, !cute.memref<f32, rmem, "((2,2),1,2):((1,2),0,4)">
    cute.copy(%word, %tb, %rb) : !word, !cute.memref<f32, gmem, "(2,1,2):(4,0,8)">, !cute.memref<f32, rmem, "(2,1,2):(1,0,2)">
    cute.gemm(%mma, %rc, %ra, %rb, %rc) : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x8, tf32, tf32, f32>, "(1,1,1)">, !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)">, !cute.memref<f32, rmem, "((2,2),1,2):((1,2),0,4)">, !cute.memref<f32, rmem, "(2,1,2):(1,0,2)">, !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)">
    cute.copy(%word, %rc, %tc) : !word, !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)">, !cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">
    gpu.return
  }
  gpu.func @bytes(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %zero = arith.constant 0 : i32
    %mma = cute.make_atom : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x32, i8, i8, i32>, "(1,1,1)">
    %word = cute.make_atom : !word
    %pa = cute.inttoptr(%a) : (!llvm.ptr<1>) -> !cute.ptr<i8, gmem, align<16>>
    %la = cute.static : !cute.layout<"(16,64):(64,1)">
    %ga = cute.make_view(%pa, %la) : (!cute.ptr<i8, gmem, align<16>>, !cute.layout<"(16,64):(64,1)">) -> !cute.memref<i8, gmem, align<16>, "(16,64):(64,1)">
    %ta = cute.tiled.mma.partition(%mma, %ga, %t) {operand = "A"} : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x32, i8, i8, i32>, "(1,1,1)">, !cute.memref<i8, gmem, align<16>, "(16,64):(64,1)">, i32) -> !cute.memref<i8, gmem, align<4>, "((4,2,2),1,2):((1,512,16),0,32)">
    %pb = cute.inttoptr(%b) : (!llvm.ptr<1>) -> !cute.ptr<i8, gmem, align<16>>
    %lb = cute.static : !cute.layout<"(8,64):(64,1)">
    %gb = cute.make_view(%pb, %lb) : (!cute.ptr<i8, gmem, align<16>>, !cute.layout<"(8,64):(64,1)">) -> !cute.memref<i8, gmem, align<16>, "(8,64):(64,1)">
    %tb = cute.tiled.mma.partition(%mma, %gb, %t) {operand = "B"} : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x32, i8, i8, i32>, "(1,1,1)">, !cute.memref<i8, gmem, align<16>, "(8,64):(64,1)">, i32) -> !cute.memref<i8, gmem, align<4>, "((4,2),1,2):((1,16),0,32)">
    %pc = cute.inttoptr(%c) : (!llvm.ptr<1>) -> !cute.ptr<i32, gmem, align<16>>
    %lc = cute.static : !cute.layout<"(16,8):(8,1)">
    %gc = cute.make_view(%pc, %lc) : (!cute.ptr<i32, gmem, align<16>>, !cute.layout<"(16,8):(8,1)">) -> !cute.memref<i32, gmem, align<16>, "(16,8):(8,1)">
    %tc = cute.tiled.mma.partition(%mma, %gc, %t) {operand = "C"} : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x32, i8, i8, i32>, "(1,1,1)">, !cute.memref<i32, gmem, align<16>, "(16,8):(8,1)">, i32) -> !cute.memref<i32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">
    %ra = cute.make_fragment_like(%ta) : (!cute.memref<i8, gmem, align<4>, "((4,2,2),1,2):((1,512,16),0,32)">) -> !cute.memref<i8, rmem, "((4,2,2),1,2):((1,4,8),0,16)">
    %rb = cute.make_fragment_like(%tb) : (!cute.memref<i8, gmem, align<4>, "((4,2),1,2):((1,16),0,32)">) -> !cute.memref<i8, rmem, "((4,2),1,2):((1,4),0,8)">
    %rc = cute.make_fragment_like(%tc) : (!cute.memref<i32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">) -> !cute.memref<i32, rmem, "((2,2),1,1):((1,2),0,0)">
    cute.memref.fill(%rc, %zero) : !cute.memref<i32, rmem, "((2,2),1,1):((1,2),0,0)">, i32
    cute.copy(%word, %ta, %ra) : !word, !cute.memref<i8, gmem, align<4>, "((4,2,2),1,2):((1,512,16),0,32)">, !cute.memref<i8, rmem, "((4,2,2),1,2):((1,4,8),0,16)">
    cute.copy(%word, %tb, %rb) : !word, !cute.memref<i8, gmem, align<4>, "((4,2),1,2):((1,16),0,32)">, !cute.memref<i8, rmem, "((4,2),1,2):((1,4),0,8)">
    cute.gemm(%mma, %rc, %ra, %rb, %rc) : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x32, i8, i8, i32>, "(1,1,1)">, !cute.memref<i32, rmem, "((2,2),1,1):((1,2),0,0)">, !cute.memref<i8, rmem, "((4,2,2),1,2):((1,4,8),0,16)">, !cute.memref<i8, rmem, "((4,2),1,2):((1,4),0,8)">, !cute.memref<i32, rmem, "((2,2),1,1):((1,2),0,0)">
    cute.copy(%word, %rc, %tc) : !word, !cute.memref<i32, rmem, "((2,2),1,1):((1,2),0,0)">, !cute.memref<i32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">
    gpu.return
  }
}
