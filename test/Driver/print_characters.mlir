// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A character takes four bytes of vprintf's arguments, everything else eight.
// RUN: tileiras-run %s --engine=reference | FileCheck %s
// RUN: tileiras-run %s --engine=emulator | FileCheck %s

cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 65> : tile<i32>
    %b = constant <i8: 66> : tile<i8>
    %c = constant <i64: [67, 68]> : tile<2xi64>
    // CHECK: AB|65|BA|65.000000|A
    // CHECK-NEXT: [C, D] A
    %t0 = print_tko "%c%c|%d|%c%c|%f|%c\n", %a, %b, %a, %b, %a, %a, %a : tile<i32>, tile<i8>, tile<i32>, tile<i8>, tile<i32>, tile<i32>, tile<i32> -> token
    %t1 = print_tko "%c %c\n", %c, %a : tile<2xi64>, tile<i32> -> token
    return
  }
}
