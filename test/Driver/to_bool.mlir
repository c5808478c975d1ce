// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A float becomes true unless it is zero, as front ends' conversions to bool need: 0.5 and -3 do not, by truncation, become 0.
// RUN: tileiras-run %s --check --show=o 'x:f32[8]=iota(lo=-3)' 'out:o:i1[16]=poison' | FileCheck %s

// CHECK: o: true true true false true true true true true true true false true true true true
cuda_tile.module @kernels {
  entry @to_bool(%x: tile<ptr<f32>>, %o: tile<ptr<i1>>) {
    %i = iota : tile<8xi32>
    %c8 = constant <i32: 8> : tile<8xi32>
    %quarter = constant <f32: 0.25> : tile<8xf32>
    %x1 = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %xb = broadcast %x1 : tile<1xptr<f32>> -> tile<8xptr<f32>>
    %xp = offset %xb, %i : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
    %v, %t0 = load_ptr_tko weak %xp : tile<8xptr<f32>> -> tile<8xf32>, token
    %small = mulf %v, %quarter : tile<8xf32>
    %half = ftof %small : tile<8xf32> -> tile<8xf16>
    %b = ftoi %v unsigned : tile<8xf32> -> tile<8xi1>
    %c = ftoi %half signed : tile<8xf16> -> tile<8xi1>
    %o1 = reshape %o : tile<ptr<i1>> -> tile<1xptr<i1>>
    %ob = broadcast %o1 : tile<1xptr<i1>> -> tile<8xptr<i1>>
    %op = offset %ob, %i : tile<8xptr<i1>>, tile<8xi32> -> tile<8xptr<i1>>
    %oq = offset %op, %c8 : tile<8xptr<i1>>, tile<8xi32> -> tile<8xptr<i1>>
    %t1 = store_ptr_tko weak %op, %b : tile<8xptr<i1>>, tile<8xi1> -> token
    %t2 = store_ptr_tko weak %oq, %c : tile<8xptr<i1>>, tile<8xi1> -> token
    return
  }
}
