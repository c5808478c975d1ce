// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What code motion and elimination may do with our ops.
// RUN: tileiras-opt %s -loop-invariant-code-motion -cse | FileCheck %s

cuda_tile.module @m {
  // Pure ops leave the loop; a division, and a reduction that divides, do not: the loop may never run.
  // CHECK-LABEL: entry @hoist
  // CHECK: muli
  // CHECK: reduce
  // CHECK: for
  // CHECK-NEXT: divi
  // CHECK: reduce
  // CHECK: print_tko
  entry @hoist(%i: tile<i32>, %j: tile<i32>) {
    %v = iota : tile<8xi32>
    for %k in (%i to %j, step %i) : tile<i32> {
      %q = divi %i, %j signed : tile<i32>
      %m = muli %i, %j : tile<i32>
      %r = reduce %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32>
      (%a: tile<i32>, %b: tile<i32>) {
        %s = addi %a, %b : tile<i32>
        yield %s : tile<i32>
      }
      %d = reduce %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32>
      (%a: tile<i32>, %b: tile<i32>) {
        %s = divi %a, %b signed : tile<i32>
        yield %s : tile<i32>
      }
      %t = print_tko "%i %i %i %i", %q, %m, %r, %d : tile<i32>, tile<i32>, tile<i32>, tile<i32> -> token
    }
  }

  // Two weak loads of one address are one load, unless something may have been written in between.
  // CHECK-LABEL: entry @loads
  // CHECK: load_ptr_tko weak
  // CHECK-NOT: load_ptr_tko weak
  // CHECK: store_ptr_tko
  // CHECK: load_ptr_tko weak
  // CHECK: load_ptr_tko acquire
  // CHECK: load_ptr_tko acquire
  entry @loads(%p: tile<ptr<i32>>) {
    %a, %t0 = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %b, %t1 = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %t2 = store_ptr_tko weak %p, %a : tile<ptr<i32>>, tile<i32> -> token
    %c, %t3 = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %d, %t4 = load_ptr_tko acquire sys %p : tile<ptr<i32>> -> tile<i32>, token
    %e, %t5 = load_ptr_tko acquire sys %p : tile<ptr<i32>> -> tile<i32>, token
    %t6 = print_tko "%i %i %i %i", %b, %c, %d, %e : tile<i32>, tile<i32>, tile<i32>, tile<i32> -> token
  }

  // A branch that leaves the loop is not dead, whatever else it does.
  // CHECK-LABEL: entry @leave
  // CHECK: loop
  // CHECK: if
  // CHECK: break
  entry @leave(%c: tile<i1>) {
    loop {
      if %c {
        break
      }
    }
  }
}
