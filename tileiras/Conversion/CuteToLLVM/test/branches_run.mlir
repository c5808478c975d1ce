// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of cute through cf.br, cf.cond_br and cf.switch: a loop of blocks that walks a tensor of unknown extents, in which blocks
// do not stand in the order in which they run.
// RUN: tileiras-opt %s --convert-cute-to-llvm | FileCheck %s
// CHECK-LABEL: gpu.func @walk
// A pointer, a coordinate with a number in it, and one in which all is known and nothing goes.
// CHECK: cf.br ^bb{{[0-9]+}}(%{{.*}}, %{{.*}} : !llvm.ptr<1>, i32)
// CHECK-NOT: cute.
// RUN: tileiras-run %s --entry=walk --gpu-name=sm_80 --engine=emulator --check-races --block=1 'in:i32[4x8]=iota(lo=0)' 'out:y:i32[8]=zeros' i32=3 i32=8 --show=y | FileCheck %s --check-prefix=DOWN
// DOWN: 0 9 18 0 0 0 0 0
// RUN: tileiras-run %s --entry=walk --gpu-name=sm_80 --engine=emulator --check-races --block=1 'in:i32[4x8]=iota(lo=0)' 'out:y:i32[8]=zeros' i32=4 i32=8 --show=y | FileCheck %s --check-prefix=ALL
// ALL: 0 9 18 27 0 0 0 0
// RUN: tileiras-run %s --entry=choose --gpu-name=sm_80 --engine=emulator --check-races --block=4 'in:i32[4x8]=iota(lo=0)' 'out:y:i32[4]=zeros' --show=y | FileCheck %s --check-prefix=CHOOSE
// CHOOSE: 1 8 0 1

!p = !cute.ptr<i32, gmem>
!y = !cute.memref<i32, gmem, "8:1">
gpu.module @kernels {
  gpu.func @walk(%in: !p, %y: !y, %n: i32, %width: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %one = cute.static : !cute.int_tuple<"1">
    %start = cute.make_coord(%c0) : (i32) -> !cute.coord<"?">
    cf.br ^head(%in, %start, %one : !p, !cute.coord<"?">, !cute.int_tuple<"1">)
  ^body:
    %l = cute.static : !cute.layout<"1:1">
    %m = cute.make_view(%at, %l) : (!p, !cute.layout<"1:1">) -> !cute.memref<i32, gmem, "1:1">
    %v = cute.memref.load(%m, %c0) : (!cute.memref<i32, gmem, "1:1">, i32) -> i32
    cute.memref.store(%y, %where, %v) : !y, !cute.coord<"?">, i32
    %more = arith.addi %width, %c1 : i32
    %step = cute.make_int_tuple(%more) : (i32) -> !cute.int_tuple<"?">
    %further = cute.add_offset(%at, %step) : (!p, !cute.int_tuple<"?">) -> !p
    %next = arith.addi %i, %c1 : i32
    %nextc = cute.make_coord(%next) : (i32) -> !cute.coord<"?">
    cf.br ^head(%further, %nextc, %by : !p, !cute.coord<"?">, !cute.int_tuple<"1">)
  ^never(%lost: !p):
    %never = cute.add_offset(%lost, %one) : (!p, !cute.int_tuple<"1">) -> !p
    cf.br ^never(%never : !p)
  ^head(%at: !p, %where: !cute.coord<"?">, %by: !cute.int_tuple<"1">):
    %number = cute.to_int_tuple(%where) : (!cute.coord<"?">) -> !cute.int_tuple<"?">
    %i0 = cute.unpack_tuple(%number) : (!cute.int_tuple<"?">) -> i32
    cf.br ^test(%i0 : i32)
  ^test(%i: i32):
    %go = arith.cmpi slt, %i, %n : i32
    cf.cond_br %go, ^body, ^end
  ^end:
    gpu.return
  }

  // Each thread another element: the next, the next row's, the first, the next.
  gpu.func @choose(%in: !p, %y: !cute.memref<i32, gmem, "4:1">) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %c0 = arith.constant 0 : i32
    %one = cute.static : !cute.int_tuple<"1">
    %eight = cute.static : !cute.int_tuple<"8">
    %a = cute.add_offset(%in, %one) : (!p, !cute.int_tuple<"1">) -> !p
    %b = cute.add_offset(%in, %eight) : (!p, !cute.int_tuple<"8">) -> !p
    cf.switch %t : i32, [
      default: ^done(%a : !p),
      1: ^done(%b : !p),
      2: ^done(%in : !p)
    ]
  ^done(%at: !p):
    %l = cute.static : !cute.layout<"1:1">
    %m = cute.make_view(%at, %l) : (!p, !cute.layout<"1:1">) -> !cute.memref<i32, gmem, "1:1">
    %v = cute.memref.load(%m, %c0) : (!cute.memref<i32, gmem, "1:1">, i32) -> i32
    cute.memref.store(%y, %t, %v) : !cute.memref<i32, gmem, "4:1">, i32, i32
    gpu.return
  }
}
