// RUN: tileiras-opt %s -tileas-allocate-scratch -convert-nv-tileas-to-llvm | FileCheck %s

// Tokens become barriers where another thread may have done the earlier access.
#l = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
!pt = tensor<32x!nv_tileaa.ptr<f32>, #l>
!t = tensor<32xf32, #l>
!p1 = !llvm.struct<(ptr<1>)>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @no_token
// CHECK-NOT: barrier
// CHECK: return
func.func @no_token(%q: !p1) {
  %p = builtin.unrealized_conversion_cast %q : !p1 to !pt
  %v, %t = nv_tileas.load %p : !pt -> !t
  %s = nv_tileas.store %p, %v : !pt, !t
  return
}

// Reads do not wait for reads, nor for the first token.
// CHECK-LABEL: func.func @reads
// CHECK-NOT: barrier
// CHECK: return
func.func @reads(%q: !p1) {
  %p = builtin.unrealized_conversion_cast %q : !p1 to !pt
  %t0 = nv_tileaa.create_mem_token
  %v, %t1 = nv_tileas.load %p, token %t0 : !pt -> !t
  %w, %t2 = nv_tileas.load %p, token %t1 : !pt -> !t
  return
}

// CHECK-LABEL: func.func @chain
// CHECK: llvm.load
// CHECK: nvvm.barrier0
// CHECK: llvm.store
// CHECK: nvvm.barrier0
// CHECK: llvm.load
// CHECK-NOT: barrier
// CHECK: return
func.func @chain(%q: !p1) {
  %p = builtin.unrealized_conversion_cast %q : !p1 to !pt
  %v, %t1 = nv_tileas.load %p : !pt -> !t
  %t2 = nv_tileas.store %p, %v, token %t1 : !pt, !t
  %t0 = nv_tileaa.create_mem_token
  %t3 = nv_tileaa.join_mem_token %t0, %t2
  %w, %t4 = nv_tileas.load %p, token %t3 : !pt -> !t
  return
}

// The store of one iteration and the load of the next.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for
// CHECK: nvvm.barrier0
// CHECK: llvm.load
// CHECK-NOT: barrier
// CHECK: llvm.store
// CHECK: return
func.func @loop(%q: !p1, %n: i32) {
  %p = builtin.unrealized_conversion_cast %q : !p1 to !pt
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %t0 = nv_tileaa.create_mem_token
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %t0) -> (!nv_tileaa.mem_token) : i32 {
    %v, %t1 = nv_tileas.load %p, token %t : !pt -> !t
    %t2 = nv_tileas.store %p, %v : !pt, !t
    scf.yield %t2 : !nv_tileaa.mem_token
  }
  return
}

// One branch writes.
// CHECK-LABEL: func.func @branch
// CHECK: scf.if
// CHECK: llvm.store
// CHECK: nvvm.barrier0
// CHECK: llvm.load
func.func @branch(%q: !p1, %c: i1) {
  %p = builtin.unrealized_conversion_cast %q : !p1 to !pt
  %v, %t0 = nv_tileas.load %p : !pt -> !t
  %r = scf.if %c -> (!nv_tileaa.mem_token) {
    %t1 = nv_tileas.store %p, %v : !pt, !t
    scf.yield %t1 : !nv_tileaa.mem_token
  } else {
    scf.yield %t0 : !nv_tileaa.mem_token
  }
  %w, %t2 = nv_tileas.load %p, token %r : !pt -> !t
  return
}
}
