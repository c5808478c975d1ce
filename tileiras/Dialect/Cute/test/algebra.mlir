// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The algebra in types: what is declared is what the operations compute. Static values fold to cute.static.
// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s
// RUN: tileiras-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD
// RUN: tileiras-opt %s --convert-cute-to-llvm | FileCheck %s --check-prefix=LOWER

// The worked examples of CuTe's documentation.
// CHECK-LABEL: func @documented
// CHECK: cute.composition({{.*}}) : (!cute.layout<"(6,2):(8,2)">, !cute.layout<"(4,3):(3,1)">) -> !cute.layout<"((2,2),3):((24,2),8)">
// FOLD-LABEL: func @documented
// FOLD-NOT: cute.zipped_divide
// FOLD: cute.static : !cute.int_tuple<"24">
// FOLD-NOT: cute.static : !cute.layout
// LOWER-LABEL: func @documented
// LOWER: %[[S:.*]] = arith.constant 24 : i32
// LOWER: return %[[S]] : i32
func.func @documented() -> i32 {
  %0 = cute.static : !cute.layout<"(6,2):(8,2)">
  %1 = cute.static : !cute.layout<"(4,3):(3,1)">
  %2 = cute.composition(%0, %1) : (!cute.layout<"(6,2):(8,2)">, !cute.layout<"(4,3):(3,1)">) -> !cute.layout<"((2,2),3):((24,2),8)">
  %3 = cute.static : !cute.layout<"4:32">
  %4 = cute.static : !cute.int_tuple<"256">
  %5 = cute.complement(%3, %4) : (!cute.layout<"4:32">, !cute.int_tuple<"256">) -> !cute.layout<"(32,2):(1,128)">
  %6 = cute.static : !cute.layout<"(9,(4,8)):(59,(13,1))">
  %7 = cute.static : !cute.tile<"[3:3;(2,4):(1,8)]">
  %8 = cute.zipped_divide(%6, %7) : (!cute.layout<"(9,(4,8)):(59,(13,1))">, !cute.tile<"[3:3;(2,4):(1,8)]">) -> !cute.layout<"((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))">
  %9 = cute.static : !cute.layout<"(4,8):(8,1)">
  %10 = cute.right_inverse(%9) : (!cute.layout<"(4,8):(8,1)">) -> !cute.layout<"(8,4):(4,1)">
  %11 = cute.static : !cute.layout<"(2,5):(5,1)">
  %12 = cute.static : !cute.layout<"(3,4):(1,3)">
  %13 = cute.blocked_product(%11, %12) : (!cute.layout<"(2,5):(5,1)">, !cute.layout<"(3,4):(1,3)">) -> !cute.layout<"(6,(5,4)):(5,(1,30))">
  %14 = cute.recast_layout(%9) {from = 16 : i64, to = 32 : i64} : (!cute.layout<"(4,8):(8,1)">) -> !cute.layout<"(4,4):(4,1)">
  %15 = cute.group_modes(%6) {begin = 0 : i64, end = 2 : i64} : (!cute.layout<"(9,(4,8)):(59,(13,1))">) -> !cute.layout<"((9,(4,8))):((59,(13,1)))">
  %16 = cute.size(%8) {mode = 0 : i64} : (!cute.layout<"((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))">) -> !cute.int_tuple<"24">
  %mma = cute.make_atom : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, f16, f16, f32>, "(2,2,1)">
  %tile = cute.static : !cute.shape<"(64,32)">
  %part = cute.tiled.mma.partition_shape(%mma, %tile) {operand = "A"} : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, f16, f16, f32>, "(2,2,1)">, !cute.shape<"(64,32)">) -> !cute.shape<"((2,2,2),2,2)">
  %tuple = cute.to_int_tuple(%part) : (!cute.shape<"((2,2,2),2,2)">) -> !cute.int_tuple<"((2,2,2),2,2)">
  %pair = cute.make_tuple(%tuple, %4) : (!cute.int_tuple<"((2,2,2),2,2)">, !cute.int_tuple<"256">) -> !cute.int_tuple<"(((2,2,2),2,2),256)">
  %17 = cute.unpack_tuple(%16) : (!cute.int_tuple<"24">) -> i32
  return %17 : i32
}

// What is not known is computed: the tiles of a matrix of any size, and an offset in it.
// CHECK-LABEL: func @dynamic
// LOWER-LABEL: func @dynamic(
// LOWER-SAME: %[[M:.*]]: i32, %[[K:.*]]: i32, %[[I:.*]]: i32, %[[J:.*]]: i32)
// LOWER-NOT: cute.
// LOWER: arith.muli %[[I]], %[[K]]
// LOWER: arith.addi
// LOWER: %[[UP:.*]] = arith.addi %[[M]],
// LOWER-NEXT: arith.divui %[[UP]],
// LOWER: return
func.func @dynamic(%m: i32, %k: i32, %i: i32, %j: i32) -> (i32, i32) {
  %one = cute.static : !cute.int_tuple<"1">
  %shape = cute.make_shape(%m, %k) : (i32, i32) -> !cute.shape<"(?,?{div=64})">
  %stride = cute.make_stride(%k, %one) : (i32, !cute.int_tuple<"1">) -> !cute.stride<"(?{div=64},1)">
  %layout = cute.make_layout(%shape, %stride) : (!cute.shape<"(?,?{div=64})">, !cute.stride<"(?{div=64},1)">) -> !cute.layout<"(?,?{div=64}):(?{div=64},1)">
  %coord = cute.make_coord(%i, %j) : (i32, i32) -> !cute.coord<"(?,?)">
  %index = cute.crd2idx(%coord, %layout) : (!cute.coord<"(?,?)">, !cute.layout<"(?,?{div=64}):(?{div=64},1)">) -> !cute.int_tuple<"?">
  %0 = cute.unpack_tuple(%index) : (!cute.int_tuple<"?">) -> i32
  %tile = cute.static : !cute.tile<"[128:1;64:1]">
  %tiles = cute.zipped_divide(%layout, %tile) : (!cute.layout<"(?,?{div=64}):(?{div=64},1)">, !cute.tile<"[128:1;64:1]">) -> !cute.layout<"((128,64),(?,?)):((?{div=64},1),(?{div=8192},64))">
  %rest = cute.get_shape(%tiles) : (!cute.layout<"((128,64),(?,?)):((?{div=64},1),(?{div=8192},64))">) -> !cute.shape<"((128,64),(?,?))">
  %a, %b, %c, %d = cute.unpack_tuple(%rest) : (!cute.shape<"((128,64),(?,?))">) -> (i32, i32, i32, i32)
  return %0, %c : i32, i32
}
