// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tileiras-run %s --grid=1 --engine=reference,emulator --check f64=-0.0 f64=-3.0 'out:o:f64[4]=poison' | FileCheck %s
// RUN: tileiras-run %s --grid=1 --engine=reference,emulator --check --opt-level=0 f64=-0.0 f64=-3.0 'out:o:f64[4]=poison' | FileCheck %s

// Odd powers keep the sign, of zeros too; f64 is computed in twice its precision, whose sums would lose it.
// CHECK: all 4 elements equal

cuda_tile.module @m {
  entry @k(%zero: tile<f64>, %x: tile<f64>, %o: tile<ptr<f64>>) {
    %odd = constant <i32: 11> : tile<i32>
    %even = constant <i32: 4> : tile<i32>
    %minus = constant <i32: -1> : tile<i32>
    %a = fpowi %zero, %odd : tile<f64>, tile<i32>
    %b = fpowi %zero, %minus : tile<f64>, tile<i32>
    %c = fpowi %x, %odd : tile<f64>, tile<i32>
    %d = fpowi %x, %even : tile<f64>, tile<i32>
    %i1 = constant <i32: 1> : tile<i32>
    %i2 = constant <i32: 2> : tile<i32>
    %i3 = constant <i32: 3> : tile<i32>
    %p1 = offset %o, %i1 : tile<ptr<f64>>, tile<i32> -> tile<ptr<f64>>
    %p2 = offset %o, %i2 : tile<ptr<f64>>, tile<i32> -> tile<ptr<f64>>
    %p3 = offset %o, %i3 : tile<ptr<f64>>, tile<i32> -> tile<ptr<f64>>
    %t0 = store_ptr_tko weak %o, %a : tile<ptr<f64>>, tile<f64> -> token
    %t1 = store_ptr_tko weak %p1, %b : tile<ptr<f64>>, tile<f64> -> token
    %t2 = store_ptr_tko weak %p2, %c : tile<ptr<f64>>, tile<f64> -> token
    %t3 = store_ptr_tko weak %p3, %d : tile<ptr<f64>>, tile<f64> -> token
    return
  }
}
