// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tileiras-opt %s --convert-cute-to-llvm -split-input-file -verify-diagnostics

func.func @argument(%a: !cute.memref<f16, gmem, "8:1">, %i: i32) -> f16 {
  // expected-error @below {{cannot be lowered: its operand of type '!cute.memref<f16, gmem, "8:1">' comes through a block argument or from another dialect}}
  %0 = cute.memref.load(%a, %i) : (!cute.memref<f16, gmem, "8:1">, i32) -> f16
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

func.func @carried(%p: i64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ptr = cute.inttoptr(%p) : (i64) -> !cute.ptr<f16, gmem>
  // expected-error @below {{cannot take a value of cute: '!cute.ptr<f16, gmem>'}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %ptr) -> (!cute.ptr<f16, gmem>) {
    scf.yield %q : !cute.ptr<f16, gmem>
  }
  return
}
