// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tileiras-run %s --engine=reference,emulator --check --gpu-name=sm_80 --tolerance=exact out:y:i32[16384]=zeros i32=2147483500 i32=2147483600
// RUN: tileiras-run %s --engine=reference,emulator --check --gpu-name=sm_80 --tolerance=exact out:y:i32[16384]=zeros i32=2147483500 i32=-2147483600
// RUN: tileiras-run %s --engine=reference,emulator --check --gpu-name=sm_80 --tolerance=exact out:y:i32[16384]=zeros i32=-2147483648 i32=-2147483640
// RUN: tileiras-run %s --engine=reference,emulator --check --gpu-name=sm_80 --tolerance=exact out:y:i32[16384]=zeros i32=-2147483648 i32=2147483600
// RUN: tileiras-run %s --engine=reference,emulator --check --gpu-name=sm_80 --tolerance=exact out:y:i32[16384]=zeros i32=-130 i32=-100
// RUN: tileiras-run %s --engine=reference,emulator --check --gpu-name=sm_80 --tolerance=exact out:y:i32[16384]=zeros i32=2147483647 i32=2147483647
// RUN: tileiras-run %s --engine=reference,emulator --check --gpu-name=sm_80 --tolerance=exact out:y:i32[16384]=zeros i32=-2147483500 i32=-2147483648
// RUN: tileiras-run %s --engine=reference,emulator --check --gpu-name=sm_80 --tolerance=exact out:y:i32[16384]=zeros i32=2147483400 i32=2147483584
// RUN: tileiras %s --gpu-name=sm_80 --emit=ptx -o /dev/null --remarks=schedule 2>&1 | FileCheck %s

// Positions that wrap around at either end of an i32, in the middle of a tile or between the rounds of a loop: masks of four
// comparisons, two of them the other way round, are skipped (tileas-skip-masks) only where all elements are as the two
// ends say.
// CHECK-COUNT-6: [Passed] Mask

cuda_tile.module @m {
  entry @k(%py: tile<ptr<i32>>, %a: tile<i32>, %b: tile<i32>) {
    %line = iota : tile<64xi32>
    %rowline = reshape %line : tile<64xi32> -> tile<64x1xi32>
    %keyline = reshape %line : tile<64xi32> -> tile<1x64xi32>
    %b1 = reshape %b : tile<i32> -> tile<1x1xi32>
    %bs = broadcast %b1 : tile<1x1xi32> -> tile<64x1xi32>
    %r1 = addi %bs, %rowline : tile<64x1xi32>
    %rows = broadcast %r1 : tile<64x1xi32> -> tile<64x64xi32>
    %back = constant <i32: -40> : tile<64x64xi32>
    %rowsback = addi %rows, %back : tile<64x64xi32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c4 = constant <i32: 4> : tile<i32>
    %c64 = constant <i32: 64> : tile<i32>
    %c3 = constant <i32: 3> : tile<64x64xi32>
    %hidden = constant <i32: -7> : tile<64x64xi32>
    for %i in (%c0 to %c4, step %c1) : tile<i32> {
      %step = muli %i, %c64 : tile<i32>
      %first = addi %a, %step : tile<i32>
      %f1 = reshape %first : tile<i32> -> tile<1x1xi32>
      %fs = broadcast %f1 : tile<1x1xi32> -> tile<1x64xi32>
      %k1 = addi %fs, %keyline : tile<1x64xi32>
      %keys = broadcast %k1 : tile<1x64xi32> -> tile<64x64xi32>
      %keysback = addi %keys, %back : tile<64x64xi32>
      %sum0 = muli %keys, %c3 : tile<64x64xi32>
      %x = xori %sum0, %rows : tile<64x64xi32>
      %m0 = cmpi less_than_or_equal %keys, %rows, signed : tile<64x64xi32> -> tile<64x64xi1>
      %t0 = select %m0, %x, %hidden : tile<64x64xi1>, tile<64x64xi32>
      %s0 = muli %t0, %c3 : tile<64x64xi32>
      %u0 = addi %s0, %x : tile<64x64xi32>
      %m1 = cmpi less_than %keysback, %rows, signed : tile<64x64xi32> -> tile<64x64xi1>
      %t1 = select %m1, %u0, %hidden : tile<64x64xi1>, tile<64x64xi32>
      %s1 = muli %t1, %c3 : tile<64x64xi32>
      %u1 = addi %s1, %x : tile<64x64xi32>
      %m2 = cmpi greater_than_or_equal %keys, %rowsback, signed : tile<64x64xi32> -> tile<64x64xi1>
      %t2 = select %m2, %u1, %hidden : tile<64x64xi1>, tile<64x64xi32>
      %s2 = muli %t2, %c3 : tile<64x64xi32>
      %u2 = addi %s2, %x : tile<64x64xi32>
      %m3 = cmpi greater_than %keysback, %rowsback, signed : tile<64x64xi32> -> tile<64x64xi1>
      %t3 = select %m3, %u2, %hidden : tile<64x64xi1>, tile<64x64xi32>
      %s3 = muli %t3, %c3 : tile<64x64xi32>
      %u3 = addi %s3, %x : tile<64x64xi32>
      %m4 = cmpi greater_than %keys, %rowsback, signed : tile<64x64xi32> -> tile<64x64xi1>
      %t4 = select %m4, %hidden, %u3 : tile<64x64xi1>, tile<64x64xi32>
      %s4 = muli %t4, %c3 : tile<64x64xi32>
      %u4 = addi %s4, %x : tile<64x64xi32>
      %m5 = cmpi less_than_or_equal %keysback, %rows, signed : tile<64x64xi32> -> tile<64x64xi1>
      %t5 = select %m5, %hidden, %u4 : tile<64x64xi1>, tile<64x64xi32>
      %s5 = muli %t5, %c3 : tile<64x64xi32>
      %u5 = addi %s5, %x : tile<64x64xi32>
      %p1 = reshape %py : tile<ptr<i32>> -> tile<1x1xptr<i32>>
      %ps = broadcast %p1 : tile<1x1xptr<i32>> -> tile<64x64xptr<i32>>
      %sixtyfour = constant <i32: 64> : tile<64x1xi32>
      %w1 = muli %rowline, %sixtyfour : tile<64x1xi32>
      %w2 = broadcast %w1 : tile<64x1xi32> -> tile<64x64xi32>
      %w3 = broadcast %keyline : tile<1x64xi32> -> tile<64x64xi32>
      %w4 = addi %w2, %w3 : tile<64x64xi32>
      %block = constant <i32: 4096> : tile<i32>
      %w5 = muli %i, %block : tile<i32>
      %w6 = reshape %w5 : tile<i32> -> tile<1x1xi32>
      %w7 = broadcast %w6 : tile<1x1xi32> -> tile<64x64xi32>
      %w = addi %w4, %w7 : tile<64x64xi32>
      %q = offset %ps, %w : tile<64x64xptr<i32>>, tile<64x64xi32> -> tile<64x64xptr<i32>>
      %t = store_ptr_tko weak %q, %u5 : tile<64x64xptr<i32>>, tile<64x64xi32> -> token
    }
    return
  }
}
