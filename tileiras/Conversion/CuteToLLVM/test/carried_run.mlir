// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of cute through loops, branches, calls and arguments: executed.
// RUN: tileiras-opt %s --convert-cute-to-llvm | FileCheck %s
// RUN: tileiras-run %s --entry=walk --gpu-name=sm_80 --engine=emulator --check-races --block=1 'in:i32[40]=iota(lo=0)' 'out:y:i32[8]' i32=8 i32=5 --show=y | FileCheck %s --check-prefix=WALK
// RUN: tileiras-run %s --entry=tensor --gpu-name=sm_80 --engine=emulator --check-races --block=32 'in:i32[4x8]=iota(lo=0)' i32=4 i32=8 i32=8 'out:y:i32[8x4]' --show=y | FileCheck %s --check-prefix=TENSOR

!p = !cute.ptr<i32, gmem>
!m = !cute.memref<i32, gmem, "(?,?):(?,1)">
!out = !cute.memref<i32, gmem, "(8,4):(4,1)">

// A tensor's parameter is its address and the numbers that its type leaves open.
// CHECK: gpu.func @tensor(%{{.*}}: !llvm.ptr<1>, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: !llvm.ptr<1>)
// What is known altogether is not carried.
// CHECK: gpu.func @walk
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (!llvm.ptr<1>, i32)
// CHECK-NOT: cute.
gpu.module @kernels {
  // Transposes; every thread an element, by a function that takes and returns values of cute.
  func.func private @at(%i: i32, %m: !m) -> !cute.coord<"(?,?)"> {
    %shape = cute.get_shape(%m) : (!m) -> !cute.shape<"(?,?)">
    %rows, %columns = cute.unpack_tuple(%shape) : (!cute.shape<"(?,?)">) -> (i32, i32)
    %r = arith.divui %i, %columns : i32
    %c = arith.remui %i, %columns : i32
    %coord = cute.make_coord(%r, %c) : (i32, i32) -> !cute.coord<"(?,?)">
    return %coord : !cute.coord<"(?,?)">
  }
  gpu.func @tensor(%m: !m, %y: !out) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %coord = func.call @at(%t, %m) : (i32, !m) -> !cute.coord<"(?,?)">
    %v = cute.memref.load(%m, %coord) : (!m, !cute.coord<"(?,?)">) -> i32
    %r, %c = cute.unpack_tuple(%coord) : (!cute.coord<"(?,?)">) -> (i32, i32)
    %turned = cute.make_coord(%c, %r) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.memref.store(%y, %turned, %v) : !out, !cute.coord<"(?,?)">, i32
    gpu.return
  }

  // y[i] = in[5 i], backwards from the middle on, by an address and a stride that go around.
  gpu.func @walk(%in: !p, %y: !p, %n: i32, %step: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %one = cute.static : !cute.int_tuple<"1">
    %stride = cute.make_int_tuple(%step) : (i32) -> !cute.int_tuple<"?">
    %last, %final, %unit = scf.for %i = %c0 to %c4 step %c1 iter_args(%q = %in, %s = %stride, %u = %one) -> (!p, !cute.int_tuple<"?">, !cute.int_tuple<"1">) : i32 {
      %layout = cute.make_layout(%one, %one) : (!cute.int_tuple<"1">, !cute.int_tuple<"1">) -> !cute.layout<"1:1">
      %view = cute.make_view(%q, %layout) : (!p, !cute.layout<"1:1">) -> !cute.memref<i32, gmem, "1:1">
      %v = cute.memref.load(%view, %c0) : (!cute.memref<i32, gmem, "1:1">, i32) -> i32
      %place = cute.add_offset(%y, %i) : (!p, i32) -> !p
      cute.ptr.store(%place, %v) : !p, i32
      %next = cute.add_offset(%q, %s) : (!p, !cute.int_tuple<"?">) -> !p
      scf.yield %next, %s, %u : !p, !cute.int_tuple<"?">, !cute.int_tuple<"1">
    }
    // y[4..7] = in[20], in[15], ... by a loop whose condition sees the address; the direction comes from a branch.
    %forward = arith.cmpi slt, %n, %c0 : i32
    %back = scf.if %forward -> (!cute.int_tuple<"?">) {
      scf.yield %final : !cute.int_tuple<"?">
    } else {
      %zero = cute.static : !cute.int_tuple<"0">
      %minus = cute.tuple_sub(%zero, %final) : (!cute.int_tuple<"0">, !cute.int_tuple<"?">) -> !cute.int_tuple<"?">
      scf.yield %minus : !cute.int_tuple<"?">
    }
    %end:2 = scf.while (%q = %last, %i = %c4) : (!p, i32) -> (!p, i32) {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %q, %i : !p, i32
    } do {
    ^bb0(%q: !p, %i: i32):
      %layout = cute.static : !cute.layout<"1:1">
      %view = cute.make_view(%q, %layout) : (!p, !cute.layout<"1:1">) -> !cute.memref<i32, gmem, "1:1">
      %v = cute.memref.load(%view, %c0) : (!cute.memref<i32, gmem, "1:1">, i32) -> i32
      %place = cute.add_offset(%y, %i) : (!p, i32) -> !p
      cute.ptr.store(%place, %v) : !p, i32
      %next = cute.add_offset(%q, %back) : (!p, !cute.int_tuple<"?">) -> !p
      %j = arith.addi %i, %c1 : i32
      scf.yield %next, %j : !p, i32
    }
    gpu.return
  }
}
// WALK: 0 5 10 15 20 15 10 5
// TENSOR: 0 8 16 24
// TENSOR: 7 15 23 31
