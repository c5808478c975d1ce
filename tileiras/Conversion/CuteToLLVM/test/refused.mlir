// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tileiras-opt %s --convert-cute-to-llvm -split-input-file -verify-diagnostics -allow-unregistered-dialect

func.func @foreign(%i: i32) -> f16 {
  %b = "test.make"() : () -> !cute.memref<f16, gmem, "8:1">
  // expected-error @below {{cannot be lowered: its operand of type '!cute.memref<f16, gmem, "8:1">' comes from an operation that knows nothing of cute}}
  %0 = cute.memref.load(%b, %i) : (!cute.memref<f16, gmem, "8:1">, i32) -> f16
  return %0 : f16
}

// -----

func.func @strided(%p: i64) {
  %atom = cute.make_atom : !cute_nvgpu.universal_copy<32>
  %r = cute.memref.alloca : !cute.memref<f16, rmem, "8:1">
  %ptr = cute.inttoptr(%p) : (i64) -> !cute.ptr<f16, gmem, align<16>>
  %layout = cute.static : !cute.layout<"8:2">
  %a = cute.make_view(%ptr, %layout) : (!cute.ptr<f16, gmem, align<16>>, !cute.layout<"8:2">) -> !cute.memref<f16, gmem, align<16>, "8:2">
  // expected-error @below {{cannot copy 32 bits at once: of the source, its elements are not side by side in this number}}
  cute.copy(%atom, %a, %r) : !cute_nvgpu.universal_copy<32>, !cute.memref<f16, gmem, align<16>, "8:2">, !cute.memref<f16, rmem, "8:1">
  return
}

// -----

func.func @unaligned(%p: i64) {
  %atom = cute.make_atom : !cute_nvgpu.universal_copy<128>
  %r = cute.memref.alloca : !cute.memref<f16, rmem, "8:1">
  %ptr = cute.inttoptr(%p) : (i64) -> !cute.ptr<f16, gmem>
  %layout = cute.static : !cute.layout<"8:1">
  %a = cute.make_view(%ptr, %layout) : (!cute.ptr<f16, gmem>, !cute.layout<"8:1">) -> !cute.memref<f16, gmem, "8:1">
  // expected-error @below {{cannot copy 128 bits at once: of the source, its addresses are not known to be multiples of 16}}
  cute.copy(%atom, %a, %r) : !cute_nvgpu.universal_copy<128>, !cute.memref<f16, gmem, "8:1">, !cute.memref<f16, rmem, "8:1">
  return
}

// -----

func.func @endless(%p: i64) {
  %atom = cute.make_atom : !cute_nvgpu.universal_copy<16>
  %ptr = cute.inttoptr(%p) : (i64) -> !cute.ptr<f16, gmem>
  %layout = cute.static : !cute.layout<"1000000000:1">
  %a = cute.make_view(%ptr, %layout) : (!cute.ptr<f16, gmem>, !cute.layout<"1000000000:1">) -> !cute.memref<f16, gmem, "1000000000:1">
  // expected-error @below {{1000000000 copies are more than the 4096 that are unrolled}}
  cute.copy(%atom, %a, %a) : !cute_nvgpu.universal_copy<16>, !cute.memref<f16, gmem, "1000000000:1">, !cute.memref<f16, gmem, "1000000000:1">
  return
}

// -----

func.func @taken(%p: i64) {
  %ptr = cute.inttoptr(%p) : (i64) -> !cute.ptr<f16, gmem>
  // expected-error @below {{cannot take a value of cute: '!cute.ptr<f16, gmem>'}}
  "test.use"(%ptr) : (!cute.ptr<f16, gmem>) -> ()
  return
}

// -----

// The rest of the roster is known by name.
func.func @tensor_memory(%p: i64) {
  // expected-error @below {{'cute_nvgpu.atom.s2t_copy' op cannot be lowered: a copy from shared to tensor memory is cute.copy with !cute_nvgpu.s2t_copy}}
  cute_nvgpu.atom.s2t_copy(%p) : (i64) -> ()
  return
}

// -----

// Lanes 0 and 32 get the same row.
func.func @rows(%from: !cute.memref<i32, smem, align<128>, "((32,4),4):((4,128),1)">, %to: !cute.memref<i32, tmem, "(128,4):(65536,1)">) {
  %copy = cute.make_atom : !cute_nvgpu.s2t_copy<"32x128b.warpx4">
  // expected-error @below {{32x128b.warpx4 gives lanes 0 and 32 the same row, which are two of the source}}
  cute.copy(%copy, %from, %to) : !cute_nvgpu.s2t_copy<"32x128b.warpx4">, !cute.memref<i32, smem, align<128>, "((32,4),4):((4,128),1)">, !cute.memref<i32, tmem, "(128,4):(65536,1)">
  return
}

// -----

func.func @lanes(%from: !cute.memref<i32, smem, align<128>, "((32,4),4):((4,0),1)">, %to: !cute.memref<i32, tmem, "(128,4):(1,128)">) {
  %copy = cute.make_atom : !cute_nvgpu.s2t_copy<"32x128b.warpx4">
  // expected-error @below {{copies to lanes of tensor memory: expects (128,4,...):(65536,1,...), got (128,4):(1,128)}}
  cute.copy(%copy, %from, %to) : !cute_nvgpu.s2t_copy<"32x128b.warpx4">, !cute.memref<i32, smem, align<128>, "((32,4),4):((4,0),1)">, !cute.memref<i32, tmem, "(128,4):(1,128)">
  return
}

// -----

func.func @apart(%from: !cute.memref<i32, smem, align<128>, "((32,4),4):((8,0),1)">, %to: !cute.memref<i32, tmem, "(128,4):(65536,1)">) {
  %copy = cute.make_atom : !cute_nvgpu.s2t_copy<"32x128b.warpx4">
  // expected-error @below {{the source: Not a canonical GMMA_MN Layout}}
  cute.copy(%copy, %from, %to) : !cute_nvgpu.s2t_copy<"32x128b.warpx4">, !cute.memref<i32, smem, align<128>, "((32,4),4):((8,0),1)">, !cute.memref<i32, tmem, "(128,4):(65536,1)">
  return
}

// -----

func.func @turned_scales(%a: !cute.memref<f32, tmem, "((128,64),1,1):((65536,1),0,0)">, %s: !cute.memref<i32, tmem, "((128,4),1,1):((1,65536),0,0)">, %u: !cute.memref<i32, tmem, "((128,2),1,1):((65536,1),0,0)">) {
  %mma = cute.make_atom : !cute_nvgpu.sm100.mma_bs<128x64x32, f8E4M3FN, f8E4M3FN, f32>
  %x = cute.memref.alloc_smem : !cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o 0 o ((128,32),1,1):((128,1),0,0)">
  %y = cute.memref.alloc_smem : !cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o 0 o ((64,32),1,1):((128,1),0,0)">
  // expected-error @below {{the scales of A lie in the lanes of tensor memory: expects ((128,4),...):((65536,1),...), got ((128,4),1,1):((1,65536),0,0)}}
  cute.gemm(%mma, %a, %x, %y, %a scaled by %s, %u) : !cute_nvgpu.sm100.mma_bs<128x64x32, f8E4M3FN, f8E4M3FN, f32>, !cute.memref<f32, tmem, "((128,64),1,1):((65536,1),0,0)">, !cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o 0 o ((128,32),1,1):((128,1),0,0)">, !cute.memref<f8E4M3FN, smem, align<1024>, "S<3,4,3> o 0 o ((64,32),1,1):((128,1),0,0)">, !cute.memref<f32, tmem, "((128,64),1,1):((65536,1),0,0)"> scaled by !cute.memref<i32, tmem, "((128,4),1,1):((1,65536),0,0)">, !cute.memref<i32, tmem, "((128,2),1,1):((65536,1),0,0)">
  return
}

// -----

func.func @columns(%a: !cute.memref<f32, tmem, "(128,64):(65536,2)">, %t: i32) {
  %load = cute.make_atom : !cute.tiled_copy<!cute_nvgpu.tmem_load<64>, "(128,64):(1,128)", "(128,64)">
  %p = cute.tiled.copy.partition_S(%load, %a, %t) : (!cute.tiled_copy<!cute_nvgpu.tmem_load<64>, "(128,64):(1,128)", "(128,64)">, !cute.memref<f32, tmem, "(128,64):(65536,2)">, i32) -> !cute.memref<f32, tmem, "(64,1,1):(2,0,0)">
  %r = cute.memref.alloca : !cute.memref<f32, rmem, "(64,1,1):(1,0,0)">
  // expected-error @below {{cannot copy 64 columns at once: in tensor memory, they are not side by side}}
  cute.copy(%load, %p, %r) : !cute.tiled_copy<!cute_nvgpu.tmem_load<64>, "(128,64):(1,128)", "(128,64)">, !cute.memref<f32, tmem, "(64,1,1):(2,0,0)">, !cute.memref<f32, rmem, "(64,1,1):(1,0,0)">
  return
}

// -----

func.func @only_copied(%a: !cute.memref<f32, tmem, "(128,64):(65536,1)">, %t: i32) -> f32 {
  // expected-error @below {{tensor memory is only copied and added to}}
  %0 = cute.memref.load(%a, %t) : (!cute.memref<f32, tmem, "(128,64):(65536,1)">, i32) -> f32
  return %0 : f32
}

// -----

func.func @turned_sums(%a: !cute.memref<f32, tmem, "((128,64),1,1):((1,65536),0,0)">) {
  %mma = cute.make_atom : !cute_nvgpu.sm100.mma<128x64x16, f16, f16, f32>
  %x = cute.memref.alloc_smem : !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o ((128,16),1,1):((64,1),0,0)">
  %y = cute.memref.alloc_smem : !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o ((64,16),1,1):((64,1),0,0)">
  // expected-error @below {{sums of tcgen05.mma lie in rows of tensor memory: expects ((128,64),M,N):((65536,1),...), got ((128,64),1,1):((1,65536),0,0)}}
  cute.gemm(%mma, %a, %x, %y, %a) : !cute_nvgpu.sm100.mma<128x64x16, f16, f16, f32>, !cute.memref<f32, tmem, "((128,64),1,1):((1,65536),0,0)">, !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o ((128,16),1,1):((64,1),0,0)">, !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o ((64,16),1,1):((64,1),0,0)">, !cute.memref<f32, tmem, "((128,64),1,1):((1,65536),0,0)">
  return
}

// -----

func.func @map(%p: i64) {
  // expected-error @below {{'cute_nvgpu.make_tma_desc_tiled' op cannot be lowered: tensor maps are made by the host, and come as parameters {cute_nvgpu.grid_constant}, or are made in memory by cute_nvgpu.make_tma_desc_tiled_at}}
  %0 = cute_nvgpu.make_tma_desc_tiled(%p) : (i64) -> i64
  return
}

// -----

func.func @pattern(%p: i64) {
  %mma = cute.make_atom : !cute_nvgpu.sm90.mma<64x64x16, f16, f16, f32>
  %s = cute.memref.alloc_smem : !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 16 o ((64,16),1,1):((64,1),0,0)">
  %u = cute.memref.alloc_smem : !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 64 o ((64,16),1,1):((64,1),0,0)">
  %r = cute.memref.alloca : !cute.memref<f32, rmem, "((2,2,8),1,1):((1,2,4),0,0)">
  // expected-error @below {{A: an instruction begins inside a pattern of 1024 bytes}}
  cute.gemm(%mma, %r, %u, %s, %r) : !cute_nvgpu.sm90.mma<64x64x16, f16, f16, f32>, !cute.memref<f32, rmem, "((2,2,8),1,1):((1,2,4),0,0)">, !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 64 o ((64,16),1,1):((64,1),0,0)">, !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 16 o ((64,16),1,1):((64,1),0,0)">, !cute.memref<f32, rmem, "((2,2,8),1,1):((1,2,4),0,0)">
  return
}
