// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma of every type, K-major and MN-major, with and without swizzle, by one warpgroup and by two: executed.
// RUN: tileiras-run %S/Inputs/warpgroups.mlir --entry=tf32 --engine=reference 'a:tf32[64x16]=integers(seed=1)' 'b:tf32[16x16]=integers(seed=2)' 'out:c:f32[64x16]' --dump=c=%t.tf32.npy
// RUN: tileiras-run %s --entry=tf32 --gpu-name=sm_90 --engine=emulator --check-races --block=128 'a:f32[64x16]=integers(seed=1)' 'b:f32[16x16]=integers(seed=2)' 'out:c:f32[64x16]{expect=%t.tf32.npy}'
// RUN: tileiras-run %S/Inputs/warpgroups.mlir --entry=fp8 --engine=reference 'a:f8E4M3FN[64x64]=integers(seed=1)' 'b:f8E4M3FN[32x64]=integers(seed=2)' 'out:c:f32[64x32]' --dump=c=%t.fp8.npy
// RUN: tileiras-run %s --entry=fp8 --gpu-name=sm_90 --engine=emulator --check-races --block=128 'a:f8E4M3FN[64x64]=integers(seed=1)' 'b:f8E4M3FN[32x64]=integers(seed=2)' 'out:c:f32[64x32]{expect=%t.fp8.npy}'
// RUN: tileiras-run %S/Inputs/warpgroups.mlir --entry=bytes --engine=reference 'a:i8[64x64]=integers(seed=1)' 'b:i8[16x64]=integers(seed=2)' 'out:c:i32[64x16]' --dump=c=%t.bytes.npy
// RUN: tileiras-run %s --entry=bytes --gpu-name=sm_90 --engine=emulator --check-races --block=128 'a:i8[64x64]=integers(seed=1)' 'b:i8[16x64]=integers(seed=2)' 'out:c:i32[64x16]{expect=%t.bytes.npy}'
// RUN: tileiras-run %S/Inputs/warpgroups.mlir --entry=turned --engine=reference 'a:f16[64x32]=integers(seed=1)' 'b:f16[64x32]=integers(seed=2)' 'out:c:f32[64x64]' --dump=c=%t.turned.npy
// RUN: tileiras-run %s --entry=turned --gpu-name=sm_90 --engine=emulator --check-races --block=128 'a:f16[64x32]=integers(seed=1)' 'b:f16[64x32]=integers(seed=2)' 'out:c:f32[64x64]{expect=%t.turned.npy}'
// RUN: tileiras-run %S/Inputs/warpgroups.mlir --entry=plain --engine=reference 'a:bf16[64x32]=integers(seed=1)' 'b:bf16[8x32]=integers(seed=2)' 'out:c:f32[64x8]' --dump=c=%t.plain.npy
// RUN: tileiras-run %s --entry=plain --gpu-name=sm_90 --engine=emulator --check-races --block=128 'a:bf16[64x32]=integers(seed=1)' 'b:bf16[8x32]=integers(seed=2)' 'out:c:f32[64x8]{expect=%t.plain.npy}'
// RUN: tileiras-run %S/Inputs/warpgroups.mlir --entry=two_groups --engine=reference 'a:f16[256x64]=integers(seed=1)' 'b:f16[16x64]=integers(seed=2)' 'out:c:f32[256x16]' --dump=c=%t.two_groups.npy
// RUN: tileiras-run %s --entry=two_groups --gpu-name=sm_90 --engine=emulator --check-races --block=256 'a:f16[256x64]=integers(seed=1)' 'b:f16[16x64]=integers(seed=2)' 'out:c:f32[256x16]{expect=%t.two_groups.npy}'

gpu.module @kernels {
  gpu.func @tf32(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %zero = arith.constant 0.0 : f32
    %mma = cute.make_atom : !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x16x8, tf32, tf32, f32>, "(1,1,1)">
    %one = cute.make_atom : !cute_nvgpu.universal_copy<32>
    %word = cute.make_atom : !cute_nvgpu.universal_copy<32>
    %threads = cute.static : !cute.layout<"(8,16):(16,1)">
    %pa = cute.inttoptr(%a) : (!llvm.ptr<1>) -> !cute.ptr<f32, gmem, align<16>>
    %la = cute.static : !cute.layout<"(64,16):(16,1)">
    %ga = cute.make_view(%pa, %la) : (!cute.ptr<f32, gmem, align<16>>, !cute.layout<"(64,16):(16,1)">) -> !cute.memref<f32, gmem, align<16>, "(64,16):(16,1)">
    %sa = cute.memref.alloc_smem : !cute.memref<f32, smem, align<1024>, "S<2,2,3> o 0 o (64,16):(16,1)">
    %from_a = cute.local_partition(%ga, %threads, %t) : (!cute.memref<f32, gmem, align<16>, "(64,16):(16,1)">, !cute.layout<"(8,16):(16,1)">, i32) -> !cute.memref<f32, gmem, "(8,1):(128,0)">
    %to_a = cute.local_partition(%sa, %threads, %t) : (!cute.memref<f32, smem, align<1024>, "S<2,2,3> o 0 o (64,16):(16,1)">, !cute.layout<"(8,16):(16,1)">, i32) -> !cute.memref<f32, smem, align<1024>, "S<2,2,3> o ? o (8,1):(128,0)">
    cute.copy(%one, %from_a, %to_a) : !cute_nvgpu.universal_copy<32>, !cute.memref<f32, gmem, "(8,1):(128,0)">, !cute.memref<f32, smem, align<1024>, "S<2,2,3> o ? o (8,1):(128,0)">
    %fa = cute.tiled.mma.partition(%mma, %sa, %t) {operand = "A"} : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x16x8, tf32, tf32, f32>, "(1,1,1)">, !cute.memref<f32, smem, align<1024>, "S<2,2,3> o 0 o (64,16):(16,1)">, i32) -> !cute.memref<f32, smem, align<1024>, "S<2,2,3> o 0 o ((64,8),1,2):((16,1),0,8)">
    %pb = cute.inttoptr(%b) : (!llvm.ptr<1>) -> !cute.ptr<f32, gmem, align<16>>
    %lb = cute.static : !cute.layout<"(16,16):(16,1)">
    %gb = cute.make_view(%pb, %lb) : (!cute.ptr<f32, gmem, align<16>>, !cute.layout<"(16,16):(16,1)">) -> !cute.memref<f32, gmem, align<16>, "(16,16):(16,1)">
    %sb = cute.memref.alloc_smem : !cute.memref<f32, smem, align<1024>, "S<2,2,3> o 0 o (16,16):(16,1)">
    %from_b = cute.local_partition(%gb, %threads, %t) : (!cute.memref<f32, gmem, align<16>, "(16,16):(16,1)">, !cute.layout<"(8,16):(16,1)">, i32) -> !cute.memref<f32, gmem, "(2,1):(128,0)">
    %to_b = cute.local_partition(%sb, %threads, %t) : (!cute.memref<f32, smem, align<1024>, "S<2,2,3> o 0 o (16,16):(16,1)">, !cute.layout<"(8,16):(16,1)">, i32) -> !cute.memref<f32, smem, align<1024>, "S<2,2,3> o ? o (2,1):(128,0)">
    cute.copy(%one, %from_b, %to_b) : !cute_nvgpu.universal_copy<32>, !cute.memref<f32, gmem, "(2,1):(128,0)">, !cute.memref<f32, smem, align<1024>, "S<2,2,3> o ? o (2,1):(128,0)">
    %fb = cute.tiled.mma.partition(%mma, %sb, %t) {operand = "B"} : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x16x8, tf32, tf32, f32>, "(1,1,1)">, !cute.memref<f32, smem, align<1024>, "S<2,2,3> o 0 o (16,16):(16,1)">, i32) -> !cute.memref<f32, smem, align<1024>, "S<2,2,3> o 0 o ((16,8),1,2):((16,1),0,8)">
    %pc = cute.inttoptr(%c) : (!llvm.ptr<1>) -> !cute.ptr<f32, gmem, align<16>>
    %lc = cute.static : !cute.layout<"(64,16):(16,1)">
    %gc = cute.make_view(%pc, %lc) : (!cute.ptr<f32, gmem, align<16>>, !cute.layout<"(64,16):(16,1)">) -> !cute.memref<f32, gmem, align<16>, "(64,16):(16,1)">
    %fc = cute.tiled.mma.partition(%mma, %gc, %t) {operand = "C"} : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x16x8, tf32, tf32, f32>, "(1,1,1)">, !cute.memref<f32, gmem, align<16>, "(64,16):(16,1)">, i32) -> !cute.memref<f32, gmem, align<8>, "((2,2,2),1,1):((1,128,8),0,0)">
    %rc = cute.make_fragment_like(%fc) : (!cute.memref<f32, gmem, align<8>, "((2,2,2),1,1):((1,128,8),0,0)">) -> !cute.memref<f32, rmem, "((2,2,2),1,1):((1,2,4),0,0)">
    cute.memref.fill(%rc, %zero) : !cute.memref<f32, rmem, "((2,2,2),1,1):((1,2,4),0,0)">, f32
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    cute.gemm(%mma, %rc, %fa, %fb, %rc) : !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x16x8, tf32, tf32, f32>, "(1,1,1)">, !cute.memref<f32, rmem, "((2,2,2),1,1):((1,2,4),0,0)">, !cute.memref<f32, smem, align<1024>, "S<2,2,3> o 0 o ((64,8),1,2):((16,1),0,8)">, !cute.memref<f32, smem, align<1024>, "S<2,2,3> o 0 o ((16,8),1,2):((16,1),0,8)">, !cute.memref<f32, rmem, "((2,2,2),1,1):((1,2,4),0,0)">
    cute.copy(%word, %rc, %fc) : !cute_nvgpu.universal_copy<32>, !cute.memref<f32, rmem, "((2,2,2),1,1):((1,2,4),0,0)">, !cute.memref<f32, gmem, align<8>, "((2,2,2),1,1):((1,128,8),0,0)">
    gpu.return
  }

  gpu.func @fp8(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %zero = arith.constant 0.0 : f32
    %mma = cute.make_atom : !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x32x32, f8E4M3FN, f8E4M3FN, f32>, "(1,1,1)">
    %one = cute.make_atom : !cute_nvgpu.universal_copy<8>
    %word = cute.make_atom : !cute_nvgpu.universal_copy<32>
    %threads = cute.static : !cute.layout<"(8,16):(16,1)">
    %pa = cute.inttoptr(%a) : (!llvm.ptr<1>) -> !cute.ptr<f8E4M3FN, gmem, align<16>>
    %la = cute.static : !cute.layout<"(64,64):(64,1)">
    %ga = cute.make_view(%pa, %la) : (!cute.ptr<f8E4M3FN, gmem, align<16>>, !cute.layout<"(64,64):(64,1)">) -> !cute.memref<f8E4M3FN, gmem, align<16>, "(64,64):(64,1)">
    %sa = cute.memref.alloc_smem : !cute.memref<f8E4M3FN, smem, align<1024>, "S<2,4,3> o 0 o (64,64):(64,1)">
    %from_a = cute.local_partition(%ga, %threads, %t) : (!cute.memref<f8E4M3FN, gmem, align<16>, "(64,64):(64,1)">, !cute.layout<"(8,16):(16,1)">, i32) -> !cute.memref<f8E4M3FN, gmem, "(8,4):(512,16)">
    %to_a = cute.local_partition(%sa, %threads, %t) : (!cute.memref<f8E4M3FN, smem, align<1024>, "S<2,4,3> o 0 o (64,64):(64,1)">, !cute.layout<"(8,16):(16,1)">, i32) -> !cute.memref<f8E4M3FN, smem, align<1024>, "S<2,4,3> o ? o (8,4):(512,16)">
    cute.copy(%one, %from_a, %to_a) : !cute_nvgpu.universal_copy<8>, !cute.memref<f8E4M3FN, gmem, "(8,4):(512,16)">, !cute.memref<f8E4M3FN, smem, align<1024>, "S<2,4,3> o ? o (8,4):(512,16)">
    %fa = cute.tiled.mma.partition(%mma, %sa, %t) {operand = "A"} : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x32x32, f8E4M3FN, f8E4M3FN, f32>, "(1,1,1)">, !cute.memref<f8E4M3FN, smem, align<1024>, "S<2,4,3> o 0 o (64,64):(64,1)">, i32) -> !cute.memref<f8E4M3FN, smem, align<1024>, "S<2,4,3> o 0 o ((64,32),1,2):((64,1),0,32)">
    %pb = cute.inttoptr(%b) : (!llvm.ptr<1>) -> !cute.ptr<f8E4M3FN, gmem, align<16>>
    %lb = cute.static : !cute.layout<"(32,64):(64,1)">
    %gb = cute.make_view(%pb, %lb) : (!cute.ptr<f8E4M3FN, gmem, align<16>>, !cute.layout<"(32,64):(64,1)">) -> !cute.memref<f8E4M3FN, gmem, align<16>, "(32,64):(64,1)">
    %sb = cute.memref.alloc_smem : !cute.memref<f8E4M3FN, smem, align<1024>, "S<2,4,3> o 0 o (32,64):(64,1)">
    %from_b = cute.local_partition(%gb, %threads, %t) : (!cute.memref<f8E4M3FN, gmem, align<16>, "(32,64):(64,1)">, !cute.layout<"(8,16):(16,1)">, i32) -> !cute.memref<f8E4M3FN, gmem, "(4,4):(512,16)">
    %to_b = cute.local_partition(%sb, %threads, %t) : (!cute.memref<f8E4M3FN, smem, align<1024>, "S<2,4,3> o 0 o (32,64):(64,1)">, !cute.layout<"(8,16):(16,1)">, i32) -> !cute.memref<f8E4M3FN, smem, align<1024>, "S<2,4,3> o ? o (4,4):(512,16)">
    cute.copy(%one, %from_b, %to_b) : !cute_nvgpu.universal_copy<8>, !cute.memref<f8E4M3FN, gmem, "(4,4):(512,16)">, !cute.memref<f8E4M3FN, smem, align<1024>, "S<2,4,3> o ? o (4,4):(512,16)">
    %fb = cute.tiled.mma.partition(%mma, %sb, %t) {operand = "B"} : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x32x32, f8E4M3FN, f8E4M3FN, f32>, "(1,1,1)">, !cute.memref<f8E4M3FN, smem, align<1024>, "S<2,4,3> o 0 o (32,64):(64,1)">, i32) -> !cute.memref<f8E4M3FN, smem, align<1024>, "S<2,4,3> o 0 o ((32,32),1,2):((64,1),0,32)">
    %pc = cute.inttoptr(%c) : (!llvm.ptr<1>) -> !cute.ptr<f32, gmem, align<16>>
    %lc = cute.static : !cute.layout<"(64,32):(32,1)">
    %gc = cute.make_view(%pc, %lc) : (!cute.ptr<f32, gmem, align<16>>, !cute.layout<"(64,32):(32,1)">) -> !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">
    %fc = cute.tiled.mma.partition(%mma, %gc, %t) {operand = "C"} : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x32x32, f8E4M3FN, f8E4M3FN, f32>, "(1,1,1)">, !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, i32) -> !cute.memref<f32, gmem, align<8>, "((2,2,4),1,1):((1,256,8),0,0)">
    %rc = cute.make_fragment_like(%fc) : (!cute.memref<f32, gmem, align<8>, "((2,2,4),1,1):((1,256,8),0,0)">) -> !cute.memref<f32, rmem, "((2,2,4),1,1):((1,2,4),0,0)">
    cute.memref.fill(%rc, %zero) : !cute.memref<f32, rmem, "((2,2,4),1,1):((1,2,4),0,0)">, f32
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    cute.gemm(%mma, %rc, %fa, %fb, %rc) : !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x32x32, f8E4M3FN, f8E4M3FN, f32>, "(1,1,1)">, !cute.memref<f32, rmem, "((2,2,4),1,1):((1,2,4),0,0)">, !cute.memref<f8E4M3FN, smem, align<1024>, "S<2,4,3> o 0 o ((64,32),1,2):((64,1),0,32)">, !cute.memref<f8E4M3FN, smem, align<1024>, "S<2,4,3> o 0 o ((32,32),1,2):((64,1),0,32)">, !cute.memref<f32, rmem, "((2,2,4),1,1):((1,2,4),0,0)">
    cute.copy(%word, %rc, %fc) : !cute_nvgpu.universal_copy<32>, !cute.memref<f32, rmem, "((2,2,4),1,1):((1,2,4),0,0)">, !cute.memref<f32, gmem, align<8>, "((2,2,4),1,1):((1,256,8),0,0)">
    gpu.return
  }

  gpu.func @bytes(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %zero = arith.constant 0 : i32
    %mma = cute.make_atom : !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x16x32, i8, i8, i32>, "(1,1,1)">
    %one = cute.make_atom : !cute_nvgpu.universal_copy<8>
    %word = cute.make_atom : !cute_nvgpu.universal_copy<32>
    %threads = cute.static : !cute.layout<"(8,16):(16,1)">
    %pa = cute.inttoptr(%a) : (!llvm.ptr<1>) -> !cute.ptr<i8, gmem, align<16>>
    %la = cute.static : !cute.layout<"(64,64):(64,1)">
    %ga = cute.make_view(%pa, %la) : (!cute.ptr<i8, gmem, align<16>>, !cute.layout<"(64,64):(64,1)">) -> !cute.memref<i8, gmem, align<16>, "(64,64):(64,1)">
    %sa = cute.memref.alloc_smem : !cute.memref<i8, smem, align<1024>, "S<2,4,3> o 0 o (64,64):(64,1)">
    %from_a = cute.local_partition(%ga, %threads, %t) : (!cute.memref<i8, gmem, align<16>, "(64,64):(64,1)">, !cute.layout<"(8,16):(16,1)">, i32) -> !cute.memref<i8, gmem, "(8,4):(512,16)">
    %to_a = cute.local_partition(%sa, %threads, %t) : (!cute.memref<i8, smem, align<1024>, "S<2,4,3> o 0 o (64,64):(64,1)">, !cute.layout<"(8,16):(16,1)">, i32) -> !cute.memref<i8, smem, align<1024>, "S<2,4,3> o ? o (8,4):(512,16)">
    cute.copy(%one, %from_a, %to_a) : !cute_nvgpu.universal_copy<8>, !cute.memref<i8, gmem, "(8,4):(512,16)">, !cute.memref<i8, smem, align<1024>, "S<2,4,3> o ? o (8,4):(512,16)">
    %fa = cute.tiled.mma.partition(%mma, %sa, %t) {operand = "A"} : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x16x32, i8, i8, i32>, "(1,1,1)">, !cute.memref<i8, smem, align<1024>, "S<2,4,3> o 0 o (64,64):(64,1)">, i32) -> !cute.memref<i8, smem, align<1024>, "S<2,4,3> o 0 o ((64,32),1,2):((64,1),0,32)">
    %pb = cute.inttoptr(%b) : (!llvm.ptr<1>) -> !cute.ptr<i8, gmem, align<16>>
    %lb = cute.static : !cute.layout<"(16,64):(64,1)">
    %gb = cute.make_view(%pb, %lb) : (!cute.ptr<i8, gmem, align<16>>, !cute.layout<"(16,64):(64,1)">) -> !cute.memref<i8, gmem, align<16>, "(16,64):(64,1)">
    %sb = cute.memref.alloc_smem : !cute.memref<i8, smem, align<1024>, "S<2,4,3> o 0 o (16,64):(64,1)">
    %from_b = cute.local_partition(%gb, %threads, %t) : (!cute.memref<i8, gmem, align<16>, "(16,64):(64,1)">, !cute.layout<"(8,16):(16,1)">, i32) -> !cute.memref<i8, gmem, "(2,4):(512,16)">
    %to_b = cute.local_partition(%sb, %threads, %t) : (!cute.memref<i8, smem, align<1024>, "S<2,4,3> o 0 o (16,64):(64,1)">, !cute.layout<"(8,16):(16,1)">, i32) -> !cute.memref<i8, smem, align<1024>, "S<2,4,3> o ? o (2,4):(512,16)">
    cute.copy(%one, %from_b, %to_b) : !cute_nvgpu.universal_copy<8>, !cute.memref<i8, gmem, "(2,4):(512,16)">, !cute.memref<i8, smem, align<1024>, "S<2,4,3> o ? o (2,4):(512,16)">
    %fb = cute.tiled.mma.partition(%mma, %sb, %t) {operand = "B"} : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x16x32, i8, i8, i32>, "(1,1,1)">, !cute.memref<i8, smem, align<1024>, "S<2,4,3> o 0 o (16,64):(64,1)">, i32) -> !cute.memref<i8, smem, align<1024>, "S<2,4,3> o 0 o ((16,32),1,2):((64,1),0,32)">
    %pc = cute.inttoptr(%c) : (!llvm.ptr<1>) -> !cute.ptr<i32, gmem, align<16>>
    %lc = cute.static : !cute.layout<"(64,16):(16,1)">
    %gc = cute.make_view(%pc, %lc) : (!cute.ptr<i32, gmem, align<16>>, !cute.layout<"(64,16):(16,1)">) -> !cute.memref<i32, gmem, align<16>, "(64,16):(16,1)">
    %fc = cute.tiled.mma.partition(%mma, %gc, %t) {operand = "C"} : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x16x32, i8, i8, i32>, "(1,1,1)">, !cute.memref<i32, gmem, align<16>, "(64,16):(16,1)">, i32) -> !cute.memref<i32, gmem, align<8>, "((2,2,2),1,1):((1,128,8),0,0)">
    %rc = cute.make_fragment_like(%fc) : (!cute.memref<i32, gmem, align<8>, "((2,2,2),1,1):((1,128,8),0,0)">) -> !cute.memref<i32, rmem, "((2,2,2),1,1):((1,2,4),0,0)">
    cute.memref.fill(%rc, %zero) : !cute.memref<i32, rmem, "((2,2,2),1,1):((1,2,4),0,0)">, i32
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    cute.gemm(%mma, %rc, %fa, %fb, %rc) : !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x16x32, i8, i8, i32>, "(1,1,1)">, !cute.memref<i32, rmem, "((2,2,2),1,1):((1,2,4),0,0)">, !cute.memref<i8, smem, align<1024>, "S<2,4,3> o 0 o ((64,32),1,2):((64,1),0,32)">, !cute.memref<i8, smem, align<1024>, "S<2,4,3> o 0 o ((16,32),1,2):((64,1),0,32)">, !cute.memref<i32, rmem, "((2,2,2),1,1):((1,2,4),0,0)">
    cute.copy(%word, %rc, %fc) : !cute_nvgpu.universal_copy<32>, !cute.memref<i32, rmem, "((2,2,2),1,1):((1,2,4),0,0)">, !cute.memref<i32, gmem, align<8>, "((2,2,2),1,1):((1,128,8),0,0)">
    gpu.return
  }

  gpu.func @turned(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %zero = arith.constant 0.0 : f32
    %mma = cute.make_atom : !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x64x16, f16, f16, f32>, "(1,1,1)">
    %one = cute.make_atom : !cute_nvgpu.universal_copy<16>
    %word = cute.make_atom : !cute_nvgpu.universal_copy<32>
    %threads = cute.static : !cute.layout<"(8,16):(16,1)">
    %pa = cute.inttoptr(%a) : (!llvm.ptr<1>) -> !cute.ptr<f16, gmem, align<16>>
    %la = cute.static : !cute.layout<"(64,32):(32,1)">
    %ga = cute.make_view(%pa, %la) : (!cute.ptr<f16, gmem, align<16>>, !cute.layout<"(64,32):(32,1)">) -> !cute.memref<f16, gmem, align<16>, "(64,32):(32,1)">
    %sa = cute.memref.alloc_smem : !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (64,32):(1,64)">
    %from_a = cute.local_partition(%ga, %threads, %t) : (!cute.memref<f16, gmem, align<16>, "(64,32):(32,1)">, !cute.layout<"(8,16):(16,1)">, i32) -> !cute.memref<f16, gmem, "(8,2):(256,16)">
    %to_a = cute.local_partition(%sa, %threads, %t) : (!cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (64,32):(1,64)">, !cute.layout<"(8,16):(16,1)">, i32) -> !cute.memref<f16, smem, align<1024>, "S<3,3,3> o ? o (8,2):(8,1024)">
    cute.copy(%one, %from_a, %to_a) : !cute_nvgpu.universal_copy<16>, !cute.memref<f16, gmem, "(8,2):(256,16)">, !cute.memref<f16, smem, align<1024>, "S<3,3,3> o ? o (8,2):(8,1024)">
    %fa = cute.tiled.mma.partition(%mma, %sa, %t) {operand = "A"} : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x64x16, f16, f16, f32>, "(1,1,1)">, !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (64,32):(1,64)">, i32) -> !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o ((64,16),1,2):((1,64),0,1024)">
    %pb = cute.inttoptr(%b) : (!llvm.ptr<1>) -> !cute.ptr<f16, gmem, align<16>>
    %lb = cute.static : !cute.layout<"(64,32):(32,1)">
    %gb = cute.make_view(%pb, %lb) : (!cute.ptr<f16, gmem, align<16>>, !cute.layout<"(64,32):(32,1)">) -> !cute.memref<f16, gmem, align<16>, "(64,32):(32,1)">
    %sb = cute.memref.alloc_smem : !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (64,32):(1,64)">
    %from_b = cute.local_partition(%gb, %threads, %t) : (!cute.memref<f16, gmem, align<16>, "(64,32):(32,1)">, !cute.layout<"(8,16):(16,1)">, i32) -> !cute.memref<f16, gmem, "(8,2):(256,16)">
    %to_b = cute.local_partition(%sb, %threads, %t) : (!cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (64,32):(1,64)">, !cute.layout<"(8,16):(16,1)">, i32) -> !cute.memref<f16, smem, align<1024>, "S<3,3,3> o ? o (8,2):(8,1024)">
    cute.copy(%one, %from_b, %to_b) : !cute_nvgpu.universal_copy<16>, !cute.memref<f16, gmem, "(8,2):(256,16)">, !cute.memref<f16, smem, align<1024>, "S<3,3,3> o ? o (8,2):(8,1024)">
    %fb = cute.tiled.mma.partition(%mma, %sb, %t) {operand = "B"} : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x64x16, f16, f16, f32>, "(1,1,1)">, !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (64,32):(1,64)">, i32) -> !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o ((64,16),1,2):((1,64),0,1024)">
    %pc = cute.inttoptr(%c) : (!llvm.ptr<1>) -> !cute.ptr<f32, gmem, align<16>>
    %lc = cute.static : !cute.layout<"(64,64):(64,1)">
    %gc = cute.make_view(%pc, %lc) : (!cute.ptr<f32, gmem, align<16>>, !cute.layout<"(64,64):(64,1)">) -> !cute.memref<f32, gmem, align<16>, "(64,64):(64,1)">
    %fc = cute.tiled.mma.partition(%mma, %gc, %t) {operand = "C"} : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x64x16, f16, f16, f32>, "(1,1,1)">, !cute.memref<f32, gmem, align<16>, "(64,64):(64,1)">, i32) -> !cute.memref<f32, gmem, align<8>, "((2,2,8),1,1):((1,512,8),0,0)">
    %rc = cute.make_fragment_like(%fc) : (!cute.memref<f32, gmem, align<8>, "((2,2,8),1,1):((1,512,8),0,0)">) -> !cute.memref<f32, rmem, "((2,2,8),1,1):((1,2,4),0,0)">
    cute.memref.fill(%rc, %zero) : !cute.memref<f32, rmem, "((2,2,8),1,1):((1,2,4),0,0)">, f32
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    cute.gemm(%mma, %rc, %fa, %fb, %rc) : !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x64x16, f16, f16, f32>, "(1,1,1)">, !cute.memref<f32, rmem, "((2,2,8),1,1):((1,2,4),0,0)">, !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o ((64,16),1,2):((1,64),0,1024)">, !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o ((64,16),1,2):((1,64),0,1024)">, !cute.memref<f32, rmem, "((2,2,8),1,1):((1,2,4),0,0)">
    cute.copy(%word, %rc, %fc) : !cute_nvgpu.universal_copy<32>, !cute.memref<f32, rmem, "((2,2,8),1,1):((1,2,4),0,0)">, !cute.memref<f32, gmem, align<8>, "((2,2,8),1,1):((1,512,8),0,0)">
    gpu.return
  }

  gpu.func @plain(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %zero = arith.constant 0.0 : f32
    %mma = cute.make_atom : !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x8x16, bf16, bf16, f32>, "(1,1,1)">
    %one = cute.make_atom : !cute_nvgpu.universal_copy<16>
    %word = cute.make_atom : !cute_nvgpu.universal_copy<32>
    %threads = cute.static : !cute.layout<"(8,16):(16,1)">
    %pa = cute.inttoptr(%a) : (!llvm.ptr<1>) -> !cute.ptr<bf16, gmem, align<16>>
    %la = cute.static : !cute.layout<"(64,32):(32,1)">
    %ga = cute.make_view(%pa, %la) : (!cute.ptr<bf16, gmem, align<16>>, !cute.layout<"(64,32):(32,1)">) -> !cute.memref<bf16, gmem, align<16>, "(64,32):(32,1)">
    %sa = cute.memref.alloc_smem : !cute.memref<bf16, smem, align<1024>, "((8,8),(8,4)):((8,64),(1,512))">
    %from_a = cute.local_partition(%ga, %threads, %t) : (!cute.memref<bf16, gmem, align<16>, "(64,32):(32,1)">, !cute.layout<"(8,16):(16,1)">, i32) -> !cute.memref<bf16, gmem, "(8,2):(256,16)">
    %to_a = cute.local_partition(%sa, %threads, %t) : (!cute.memref<bf16, smem, align<1024>, "((8,8),(8,4)):((8,64),(1,512))">, !cute.layout<"(8,16):(16,1)">, i32) -> !cute.memref<bf16, smem, "(8,2):(64,1024)">
    cute.copy(%one, %from_a, %to_a) : !cute_nvgpu.universal_copy<16>, !cute.memref<bf16, gmem, "(8,2):(256,16)">, !cute.memref<bf16, smem, "(8,2):(64,1024)">
    %fa = cute.tiled.mma.partition(%mma, %sa, %t) {operand = "A"} : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x8x16, bf16, bf16, f32>, "(1,1,1)">, !cute.memref<bf16, smem, align<1024>, "((8,8),(8,4)):((8,64),(1,512))">, i32) -> !cute.memref<bf16, smem, align<1024>, "((64,(8,2)),1,2):((8,(1,512)),0,1024)">
    %pb = cute.inttoptr(%b) : (!llvm.ptr<1>) -> !cute.ptr<bf16, gmem, align<16>>
    %lb = cute.static : !cute.layout<"(8,32):(32,1)">
    %gb = cute.make_view(%pb, %lb) : (!cute.ptr<bf16, gmem, align<16>>, !cute.layout<"(8,32):(32,1)">) -> !cute.memref<bf16, gmem, align<16>, "(8,32):(32,1)">
    %sb = cute.memref.alloc_smem : !cute.memref<bf16, smem, align<1024>, "(8,(8,4)):(8,(1,64))">
    %from_b = cute.local_partition(%gb, %threads, %t) : (!cute.memref<bf16, gmem, align<16>, "(8,32):(32,1)">, !cute.layout<"(8,16):(16,1)">, i32) -> !cute.memref<bf16, gmem, "(1,2):(0,16)">
    %to_b = cute.local_partition(%sb, %threads, %t) : (!cute.memref<bf16, smem, align<1024>, "(8,(8,4)):(8,(1,64))">, !cute.layout<"(8,16):(16,1)">, i32) -> !cute.memref<bf16, smem, "(1,2):(0,128)">
    cute.copy(%one, %from_b, %to_b) : !cute_nvgpu.universal_copy<16>, !cute.memref<bf16, gmem, "(1,2):(0,16)">, !cute.memref<bf16, smem, "(1,2):(0,128)">
    %fb = cute.tiled.mma.partition(%mma, %sb, %t) {operand = "B"} : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x8x16, bf16, bf16, f32>, "(1,1,1)">, !cute.memref<bf16, smem, align<1024>, "(8,(8,4)):(8,(1,64))">, i32) -> !cute.memref<bf16, smem, align<1024>, "((8,(8,2)),1,2):((8,(1,64)),0,128)">
    %pc = cute.inttoptr(%c) : (!llvm.ptr<1>) -> !cute.ptr<f32, gmem, align<16>>
    %lc = cute.static : !cute.layout<"(64,8):(8,1)">
    %gc = cute.make_view(%pc, %lc) : (!cute.ptr<f32, gmem, align<16>>, !cute.layout<"(64,8):(8,1)">) -> !cute.memref<f32, gmem, align<16>, "(64,8):(8,1)">
    %fc = cute.tiled.mma.partition(%mma, %gc, %t) {operand = "C"} : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x8x16, bf16, bf16, f32>, "(1,1,1)">, !cute.memref<f32, gmem, align<16>, "(64,8):(8,1)">, i32) -> !cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">
    %rc = cute.make_fragment_like(%fc) : (!cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">) -> !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)">
    cute.memref.fill(%rc, %zero) : !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)">, f32
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    cute.gemm(%mma, %rc, %fa, %fb, %rc) : !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x8x16, bf16, bf16, f32>, "(1,1,1)">, !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)">, !cute.memref<bf16, smem, align<1024>, "((64,(8,2)),1,2):((8,(1,512)),0,1024)">, !cute.memref<bf16, smem, align<1024>, "((8,(8,2)),1,2):((8,(1,64)),0,128)">, !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)">
    cute.copy(%word, %rc, %fc) : !cute_nvgpu.universal_copy<32>, !cute.memref<f32, rmem, "((2,2),1,1):((1,2),0,0)">, !cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,64),0,0)">
    gpu.return
  }

  gpu.func @two_groups(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %zero = arith.constant 0.0 : f32
    %mma = cute.make_atom : !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x16x16, f16, f16, f32>, "(2,1,1)">
    %one = cute.make_atom : !cute_nvgpu.universal_copy<16>
    %word = cute.make_atom : !cute_nvgpu.universal_copy<32>
    %threads = cute.static : !cute.layout<"(8,32):(32,1)">
    %pa = cute.inttoptr(%a) : (!llvm.ptr<1>) -> !cute.ptr<f16, gmem, align<16>>
    %la = cute.static : !cute.layout<"(256,64):(64,1)">
    %ga = cute.make_view(%pa, %la) : (!cute.ptr<f16, gmem, align<16>>, !cute.layout<"(256,64):(64,1)">) -> !cute.memref<f16, gmem, align<16>, "(256,64):(64,1)">
    %sa = cute.memref.alloc_smem : !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (256,64):(64,1)">
    %from_a = cute.local_partition(%ga, %threads, %t) : (!cute.memref<f16, gmem, align<16>, "(256,64):(64,1)">, !cute.layout<"(8,32):(32,1)">, i32) -> !cute.memref<f16, gmem, "(32,2):(512,32)">
    %to_a = cute.local_partition(%sa, %threads, %t) : (!cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (256,64):(64,1)">, !cute.layout<"(8,32):(32,1)">, i32) -> !cute.memref<f16, smem, align<1024>, "S<3,3,3> o ? o (32,2):(512,32)">
    cute.copy(%one, %from_a, %to_a) : !cute_nvgpu.universal_copy<16>, !cute.memref<f16, gmem, "(32,2):(512,32)">, !cute.memref<f16, smem, align<1024>, "S<3,3,3> o ? o (32,2):(512,32)">
    %fa = cute.tiled.mma.partition(%mma, %sa, %t) {operand = "A"} : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x16x16, f16, f16, f32>, "(2,1,1)">, !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (256,64):(64,1)">, i32) -> !cute.memref<f16, smem, align<1024>, "S<3,3,3> o ?{div=4096} o ((64,16),2,4):((64,1),8192,16)">
    %pb = cute.inttoptr(%b) : (!llvm.ptr<1>) -> !cute.ptr<f16, gmem, align<16>>
    %lb = cute.static : !cute.layout<"(16,64):(64,1)">
    %gb = cute.make_view(%pb, %lb) : (!cute.ptr<f16, gmem, align<16>>, !cute.layout<"(16,64):(64,1)">) -> !cute.memref<f16, gmem, align<16>, "(16,64):(64,1)">
    %sb = cute.memref.alloc_smem : !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (16,64):(64,1)">
    %from_b = cute.local_partition(%gb, %threads, %t) : (!cute.memref<f16, gmem, align<16>, "(16,64):(64,1)">, !cute.layout<"(8,32):(32,1)">, i32) -> !cute.memref<f16, gmem, "(2,2):(512,32)">
    %to_b = cute.local_partition(%sb, %threads, %t) : (!cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (16,64):(64,1)">, !cute.layout<"(8,32):(32,1)">, i32) -> !cute.memref<f16, smem, align<1024>, "S<3,3,3> o ? o (2,2):(512,32)">
    cute.copy(%one, %from_b, %to_b) : !cute_nvgpu.universal_copy<16>, !cute.memref<f16, gmem, "(2,2):(512,32)">, !cute.memref<f16, smem, align<1024>, "S<3,3,3> o ? o (2,2):(512,32)">
    %fb = cute.tiled.mma.partition(%mma, %sb, %t) {operand = "B"} : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x16x16, f16, f16, f32>, "(2,1,1)">, !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (16,64):(64,1)">, i32) -> !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o ((16,16),1,4):((64,1),0,16)">
    %pc = cute.inttoptr(%c) : (!llvm.ptr<1>) -> !cute.ptr<f32, gmem, align<16>>
    %lc = cute.static : !cute.layout<"(256,16):(16,1)">
    %gc = cute.make_view(%pc, %lc) : (!cute.ptr<f32, gmem, align<16>>, !cute.layout<"(256,16):(16,1)">) -> !cute.memref<f32, gmem, align<16>, "(256,16):(16,1)">
    %fc = cute.tiled.mma.partition(%mma, %gc, %t) {operand = "C"} : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x16x16, f16, f16, f32>, "(2,1,1)">, !cute.memref<f32, gmem, align<16>, "(256,16):(16,1)">, i32) -> !cute.memref<f32, gmem, align<8>, "((2,2,2),2,1):((1,128,8),2048,0)">
    %rc = cute.make_fragment_like(%fc) : (!cute.memref<f32, gmem, align<8>, "((2,2,2),2,1):((1,128,8),2048,0)">) -> !cute.memref<f32, rmem, "((2,2,2),2,1):((1,2,4),8,0)">
    cute.memref.fill(%rc, %zero) : !cute.memref<f32, rmem, "((2,2,2),2,1):((1,2,4),8,0)">, f32
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    cute.gemm(%mma, %rc, %fa, %fb, %rc) : !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x16x16, f16, f16, f32>, "(2,1,1)">, !cute.memref<f32, rmem, "((2,2,2),2,1):((1,2,4),8,0)">, !cute.memref<f16, smem, align<1024>, "S<3,3,3> o ?{div=4096} o ((64,16),2,4):((64,1),8192,16)">, !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o ((16,16),1,4):((64,1),0,16)">, !cute.memref<f32, rmem, "((2,2,2),2,1):((1,2,4),8,0)">
    cute.copy(%word, %rc, %fc) : !cute_nvgpu.universal_copy<32>, !cute.memref<f32, rmem, "((2,2,2),2,1):((1,2,4),8,0)">, !cute.memref<f32, gmem, align<8>, "((2,2,2),2,1):((1,128,8),2048,0)">
    gpu.return
  }
}
