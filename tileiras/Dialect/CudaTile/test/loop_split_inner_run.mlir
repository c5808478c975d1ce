// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// loop-split at an `if` inside another `if` and inside an inner loop, and what becomes of other uses of the comparison:
// checked, and executed before and after.
// RUN: tileiras-opt %s --loop-split > %t.split.mlir
// RUN: FileCheck %s --input-file=%t.split.mlir
// RUN: tileiras-run %s --entry=inner --grid=9,3 --engine=reference out:y:i32[81] --dump=y=%t.npy
// RUN: tileiras-run %t.split.mlir --entry=inner --grid=9,3 --engine=reference,emulator 'out:y:i32[81]{expect=%t.npy}'

cuda_tile.module @m {
  // CHECK-LABEL: entry @inner
  // In an `if`: both halves keep the outer one.
  // CHECK: maxi
  // CHECK: for
  // CHECK: if
  // CHECK: muli
  // CHECK-NOT: if
  // CHECK: continue
  // CHECK: for
  // CHECK: if
  // CHECK: subi
  // CHECK-NOT: if
  // CHECK: continue
  // In a loop: both halves have a copy of it.
  // CHECK: maxi
  // CHECK: for
  // CHECK: for
  // CHECK-NOT: if
  // CHECK: for
  // CHECK: for
  // CHECK-NOT: if
  // The comparison itself: true here, false there.
  // CHECK: maxi
  // CHECK: for
  // CHECK: constant <i1: true>
  // CHECK: exti
  // CHECK: for
  // CHECK: constant <i1: false>
  // CHECK: exti
  entry @inner(%y: tile<ptr<i32>>) {
    %n, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c3 = constant <i32: 3> : tile<i32>
    %c7 = constant <i32: 7> : tile<i32>
    %c9 = constant <i32: 9> : tile<i32>
    %c27 = constant <i32: 27> : tile<i32>
    %c54 = constant <i32: 54> : tile<i32>
    %lb = addi %by, %c0 : tile<i32>
    %row = muli %by, %c9 : tile<i32>
    %at = addi %row, %n : tile<i32>
    %p0 = offset %y, %at : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %r0 = for %i in (%lb to %c7, step %c1) : tile<i32> iter_values(%x = %c1) -> (tile<i32>) {
      %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
      %low = andi %x, %c1 : tile<i32>
      %odd = cmpi equal %low, %c1, signed : tile<i32> -> tile<i1>
      %v = if %odd -> (tile<i32>) {
        %u = if %c -> (tile<i32>) {
          %a = muli %x, %c3 : tile<i32>
          yield %a : tile<i32>
        } else {
          %b = subi %x, %i : tile<i32>
          yield %b : tile<i32>
        }
        yield %u : tile<i32>
      } else {
        %b = addi %x, %c9 : tile<i32>
        yield %b : tile<i32>
      }
      continue %v : tile<i32>
    }
    %t0 = store_ptr_tko weak %p0, %r0 : tile<ptr<i32>>, tile<i32> -> token
    %p1 = offset %p0, %c27 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %r1 = for %i in (%lb to %c7, step %c3) : tile<i32> iter_values(%x = %c1) -> (tile<i32>) {
      %c = cmpi greater_than_or_equal %i, %n, signed : tile<i32> -> tile<i1>
      %s = for %j in (%c0 to %i, step %c1) : tile<i32> iter_values(%z = %x) -> (tile<i32>) {
        %v = if %c -> (tile<i32>) {
          %a = addi %z, %j : tile<i32>
          yield %a : tile<i32>
        } else {
          %b = muli %z, %c3 : tile<i32>
          yield %b : tile<i32>
        }
        continue %v : tile<i32>
      }
      continue %s : tile<i32>
    }
    %t1 = store_ptr_tko weak %p1, %r1 : tile<ptr<i32>>, tile<i32> -> token
    %p2 = offset %p0, %c54 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %r2 = for %i in (%lb to %c7, step %c1) : tile<i32> iter_values(%x = %c1) -> (tile<i32>) {
      %c = cmpi less_than_or_equal %i, %n, signed : tile<i32> -> tile<i1>
      %w = exti %c unsigned : tile<i1> -> tile<i32>
      %v = if %c -> (tile<i32>) {
        %a = addi %x, %i : tile<i32>
        yield %a : tile<i32>
      } else {
        %b = muli %x, %c3 : tile<i32>
        yield %b : tile<i32>
      }
      %q = addi %v, %w : tile<i32>
      continue %q : tile<i32>
    }
    %t2 = store_ptr_tko weak %p2, %r2 : tile<ptr<i32>>, tile<i32> -> token
  }
}
