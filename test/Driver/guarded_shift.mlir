// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shift by 2^32 or more shifts everything out. PTX shifts have amounts of 32 bits: the rest of a 64-bit amount must not be lost.
// RUN: tileiras %s --emit=ptx -o - | FileCheck %s
// RUN: tileiras-run %s --check --show=o i64=1 i64=4294967296 'out:o:i64[4]=poison' | FileCheck %s --check-prefix=VALUES

// CHECK: setp
// CHECK: and.b{{32|64}}
// CHECK: shl.b64
// CHECK: selp.b64
// VALUES: o: 0 0 0 2
cuda_tile.module @kernels {
  entry @shift(%x: tile<i64>, %n: tile<i64>, %o: tile<ptr<i64>>) {
    %c1 = constant <i32: 1> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %c3 = constant <i32: 3> : tile<i32>
    %o1 = offset %o, %c1 : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
    %o2 = offset %o, %c2 : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
    %o3 = offset %o, %c3 : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
    %l = shli %x, %n : tile<i64>
    %r = shri %x, %n unsigned : tile<i64>
    %a = shri %x, %n signed : tile<i64>
    %s = shli %x, %x : tile<i64>
    %t0 = store_ptr_tko weak %o, %l : tile<ptr<i64>>, tile<i64> -> token
    %t1 = store_ptr_tko weak %o1, %r : tile<ptr<i64>>, tile<i64> -> token
    %t2 = store_ptr_tko weak %o2, %a : tile<ptr<i64>>, tile<i64> -> token
    %t3 = store_ptr_tko weak %o3, %s : tile<ptr<i64>>, tile<i64> -> token
    return
  }
}
