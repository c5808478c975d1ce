// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tileiras-run %s --engine=reference | FileCheck %s
// RUN: tileiras-run %s --engine=emulator --gpu-name=sm_80 | FileCheck %s
// RUN: tileiras-run %s --engine=emulator --gpu-name=sm_90 | FileCheck %s
// RUN: tileiras-run %s --engine=emulator --gpu-name=sm_100 | FileCheck %s

// itof beyond the largest number gives an infinity, or NaN in a format without: 464 and 61440 are half way to the next number
// that the format would have. ftof saturates.

cuda_tile.module @m {
  entry @k() {
    %x = constant <i32: [448, 464, 465, -465, 1000000, -464, 16777217, 0]> : tile<8xi32>
    %a = itof %x signed : tile<8xi32> -> tile<8xf8E4M3FN>
    // CHECK: [126, 126, 127, 127, 127, 254, 127, 0]
    %i = bitcast %a : tile<8xf8E4M3FN> -> tile<8xi8>
    %n = constant <i8: 127> : tile<8xi8>
    %m = andi %i, %n : tile<8xi8>
    %isnan = cmpi equal %m, %n, signed : tile<8xi8> -> tile<8xi1>
    %c = select %isnan, %n, %i : tile<8xi1>, tile<8xi8>
    %p0 = print_tko "%u\n", %c : tile<8xi8> -> token
    %y = constant <i32: [57344, 61439, 61440, -61439, -61440, 2147483647, -2147483648, 1]> : tile<8xi32>
    %b = itof %y signed : tile<8xi32> -> tile<8xf8E5M2>
    %j = bitcast %b : tile<8xf8E5M2> -> tile<8xi8>
    // CHECK: [123, 123, 124, 251, 252, 124, 252, 60]
    %p1 = print_tko "%u\n", %j : tile<8xi8> -> token
    %z = itof %y unsigned : tile<8xi32> -> tile<8xf8E5M2>
    %k = bitcast %z : tile<8xf8E5M2> -> tile<8xi8>
    // CHECK: [123, 123, 124, 124, 124, 124, 124, 60]
    %p2 = print_tko "%u\n", %k : tile<8xi8> -> token
    %f = itof %y signed : tile<8xi32> -> tile<8xf32>
    %g = ftof %f : tile<8xf32> -> tile<8xf8E5M2>
    %l = bitcast %g : tile<8xf8E5M2> -> tile<8xi8>
    // CHECK: [123, 123, 123, 251, 251, 123, 251, 60]
    %p3 = print_tko "%u\n", %l : tile<8xi8> -> token
    return
  }
}
