// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches and loops in the bodies of reductions and scans; tiles in them are refused.
// RUN: tileiras-run %s --engine=reference | FileCheck %s
// RUN: tileiras-run %s --engine=emulator | FileCheck %s
// RUN: sed -e 's/addi %e, %a : tile<i32>/iota : tile<4xi32>/' %s > %t.mlir
// RUN: not tileiras %t.mlir --gpu-name=sm_90 --emit=ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: test ! -e %t.ptx

cuda_tile.module @m {
  entry @k() {
    %x = iota : tile<32xi32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    // The largest.
    %largest = reduce %x dim=0 identities=[-1 : i32] : tile<32xi32> -> tile<i32>
    (%e: tile<i32>, %a: tile<i32>) {
      // TILE: error: 'cuda_tile.iota' op gives a {{.*}}tile<4xi32>{{.*}} in the body of a 'cuda_tile.reduce', where only tiles of rank 0 are supported
      %y = addi %e, %a : tile<i32>
      %more = cmpi greater_than %e, %a, signed : tile<i32> -> tile<i1>
      %r = if %more -> (tile<i32>) {
        yield %e : tile<i32>
      } else {
        yield %a : tile<i32>
      }
      yield %r : tile<i32>
    }
    // Sums, in a loop that runs once.
    %sums = scan %x dim=0 reverse=false identities=[0 : i32] : tile<32xi32> -> tile<32xi32>
    (%a: tile<i32>, %e: tile<i32>) {
      %s = for %i in (%zero to %one, step %three) : tile<i32> iter_values(%q = %a) -> (tile<i32>) {
        %n = addi %q, %e : tile<i32>
        continue %n : tile<i32>
      }
      yield %s : tile<i32>
    }
    // CHECK: 31 [0, 1, 3, 6, 10, {{.*}}, 465, 496]
    %p = print_tko "%d %d\n", %largest, %sums : tile<i32>, tile<32xi32> -> token
    return
  }
}
