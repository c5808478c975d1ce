// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{'(4, 8):(1,4)' is written '(4,8):(1,4)'}}
func.func private @f(!cute.layout<"(4, 8):(1,4)">)

// -----

// expected-error @below {{at column 10 of '(4,8):(1)': shape and stride differ in profile}}
func.func private @f(!cute.layout<"(4,8):(1)">)

// -----

// expected-error @below {{an offset is a number, not (1,2)}}
func.func private @f(!cute.composed_layout<"(1,2) o (4,8):(1,4)">)

// -----

// expected-error @below {{expects S<B,M,S> with B > 0, S >= B and B+M+S <= 31, got 'S<3,0,2>'}}
func.func private @f(!cute.swizzle<"S<3,0,2>">)

// -----

// expected-error @below {{expects a power of two up to 4096 as alignment, got 3}}
func.func private @f(!cute.ptr<f16, gmem, align<3>>)

// -----

// expected-error @below {{mma.sync of this kind: 16x8x16 and 16x8x8 of f16 or bf16}}
func.func private @f(!cute_nvgpu.sm80.mma<16x8x4, f16, f16, f32>)

// -----

// expected-error @below {{cp.async copies 32, 64 or 128 bits, not 16}}
func.func private @f(!cute_nvgpu.simt_async_copy<16>)

// -----

func.func @f() {
  %0 = cute.static : !cute.layout<"(4,8):(8,1)">
  // expected-error @below {{expects the result to be (8,4):(4,1), got '!cute.layout<"(8,4):(1,8)">'}}
  %1 = cute.right_inverse(%0) : (!cute.layout<"(4,8):(8,1)">) -> !cute.layout<"(8,4):(1,8)">
  return
}

// -----

func.func @f() {
  %0 = cute.static : !cute.layout<"(4,6):(1,100)">
  %1 = cute.static : !cute.layout<"3:1">
  // expected-error @below {{failed to perform a valid division of (4,6):(1,100) by 3:1}}
  %2 = cute.logical_divide(%0, %1) : (!cute.layout<"(4,6):(1,100)">, !cute.layout<"3:1">) -> !cute.layout<"(3,8):(1,3)">
  return
}

// -----

func.func @f() {
  %0 = cute.static : !cute.layout<"4:1">
  %1 = cute.static : !cute.tile<"[2:1;2:1]">
  // expected-error @below {{expects rank(tiler) <= rank(input), but got input=4:1, tiler=[2:1;2:1]}}
  %2 = cute.zipped_divide(%0, %1) : (!cute.layout<"4:1">, !cute.tile<"[2:1;2:1]">) -> !cute.layout<"4:1">
  return
}

// -----

func.func @f() {
  %0 = cute.static : !cute.layout<"(4,2):(1,4)">
  // expected-error @below {{expects begin in the range of [-rank , rank-1], but got begin [2] and rank [2]}}
  %1 = cute.group_modes(%0) {begin = 2 : i64, end = 2 : i64} : (!cute.layout<"(4,2):(1,4)">) -> !cute.layout<"(4,2):(1,4)">
  return
}

// -----

func.func @f() {
  %0 = cute.static : !cute.composed_layout<"S<1,0,1> o 0 o (4,2):(1,4)">
  // expected-error @below {{unable to compute a right inverse for input S<1,0,1> o 0 o (4,2):(1,4)}}
  %1 = cute.right_inverse(%0) : (!cute.composed_layout<"S<1,0,1> o 0 o (4,2):(1,4)">) -> !cute.layout<"(4,2):(1,4)">
  return
}

// -----

func.func @f() {
  %0 = cute.static : !cute.layout<"(10,8):(8,1)">
  %1 = cute.static : !cute.shape<"(3,3)">
  %2 = cute.static : !cute.stride<"1">
  // expected-error @below {{Target and kernel shapes must be congruent.}}
  %3 = cute.stencil_divide(%0, %1, %2) : (!cute.layout<"(10,8):(8,1)">, !cute.shape<"(3,3)">, !cute.stride<"1">) -> !cute.layout<"(10,8):(8,1)">
  return
}

// -----

func.func @f() {
  // expected-error @below {{expects a tuple, layout, tile or swizzle without ?, got '!cute.layout<"?:1">'}}
  %0 = cute.static : !cute.layout<"?:1">
  return
}

// -----

func.func @f() {
  // expected-error @below {{a tensor of 100000 elements is larger than 4096 bytes}}
  %0 = cute.memref.alloca : !cute.memref<f32, rmem, "100000:1">
  return
}

// -----

func.func @f(%a: !cute.memref<f16, rmem, "8:1">, %b: !cute.memref<f16, rmem, "4:1">) {
  %atom = cute.make_atom : !cute_nvgpu.universal_copy<16>
  // expected-error @below {{copies 8 elements to 4}}
  cute.copy(%atom, %a, %b) : !cute_nvgpu.universal_copy<16>, !cute.memref<f16, rmem, "8:1">, !cute.memref<f16, rmem, "4:1">
  return
}

// -----

func.func @f(%d: !cute.memref<f32, rmem, "(4,1,1):(1,0,0)">, %a: !cute.memref<f16, rmem, "(8,1,1):(1,0,0)">) {
  %atom = cute.make_atom : !cute_nvgpu.sm80.mma<16x8x16, f16, f16, f32>
  // expected-error @below {{expects 4 values of B in a thread, got 8}}
  cute.gemm(%atom, %d, %a, %a, %d) : !cute_nvgpu.sm80.mma<16x8x16, f16, f16, f32>, !cute.memref<f32, rmem, "(4,1,1):(1,0,0)">, !cute.memref<f16, rmem, "(8,1,1):(1,0,0)">, !cute.memref<f16, rmem, "(8,1,1):(1,0,0)">, !cute.memref<f32, rmem, "(4,1,1):(1,0,0)">
  return
}

// -----

func.func @f(%a: !cute.memref<f16, rmem, "8:1">) {
  %atom = cute.make_atom : !cute_nvgpu.universal_copy<64>
  // expected-error @below {{an atom of 64 bits does not copy 8 elements of type 'f16'}}
  cute.copy_atom_call(%atom, %a, %a) : !cute_nvgpu.universal_copy<64>, !cute.memref<f16, rmem, "8:1">, !cute.memref<f16, rmem, "8:1">
  return
}

// -----

func.func @f(%d: !cute.memref<f32, rmem, "4:1">, %a: !cute.memref<f16, rmem, "8:1">) {
  %atom = cute.make_atom : !cute_nvgpu.sm80.mma<16x8x16, f16, f16, f32>
  // expected-error @below {{expects 4 values of B in a thread, got 8}}
  cute.mma_atom_call(%atom, %d, %a, %a, %d) : !cute_nvgpu.sm80.mma<16x8x16, f16, f16, f32>, !cute.memref<f32, rmem, "4:1">, !cute.memref<f16, rmem, "8:1">, !cute.memref<f16, rmem, "8:1">, !cute.memref<f32, rmem, "4:1">
  return
}

// -----

func.func @f() {
  %0 = cute.static : !cute.coord<"(1,_)">
  // expected-error @below {{_ is no integer}}
  %1 = cute.to_int_tuple(%0) : (!cute.coord<"(1,_)">) -> !cute.int_tuple<"(1,2)">
  return
}
