// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Canonicalisations of `if` and `select` by execution: each entry before and after, on the reference and, after, on the
// emulator, too. What each pattern makes of its entry is checked first.
// RUN: tileiras-opt %s --canonicalize > %t.after.mlir
// RUN: FileCheck %s --input-file=%t.after.mlir
// RUN: tileiras-run %s --entry=selects --grid=4 --engine=reference out:y:i32[128] --dump=y=%t.selects.npy
// RUN: tileiras-run %t.after.mlir --entry=selects --grid=4 --engine=reference,emulator 'out:y:i32[128]{expect=%t.selects.npy}'
// RUN: tileiras-run %s --entry=returns --grid=8 --engine=reference out:y:i32[64] --dump=y=%t.returns.npy
// RUN: tileiras-run %t.after.mlir --entry=returns --grid=8 --engine=reference,emulator 'out:y:i32[64]{expect=%t.returns.npy}'
// RUN: tileiras-run %s --entry=leaves --grid=8 --engine=reference out:y:i32[8] --dump=y=%t.leaves.npy
// RUN: tileiras-run %t.after.mlir --entry=leaves --grid=8 --engine=reference,emulator 'out:y:i32[8]{expect=%t.leaves.npy}'

cuda_tile.module @m {
  // Some results become selects, a wide one with its condition spread; select(c, 0, 1).
  // CHECK-LABEL: entry @selects
  // CHECK: broadcast
  // CHECK: select
  // CHECK: select
  // CHECK: exti
  entry @selects(%y: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c32 = constant <i32: 32> : tile<i32>
    %c100 = constant <i32: 100> : tile<i32>
    %odd = andi %bx, %c1 : tile<i32>
    %c = cmpi equal %odd, %c1, signed : tile<i32> -> tile<i1>
    %wide0 = iota : tile<16xi32>
    %wide1 = constant <i32: 7> : tile<16xi32>
    %base = muli %bx, %c32 : tile<i32>
    %p = offset %y, %base : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %w, %a, %b = if %c -> (tile<16xi32>, tile<i32>, tile<i32>) {
      %s = addi %bx, %c100 : tile<i32>
      yield %wide0, %c32, %s : tile<16xi32>, tile<i32>, tile<i32>
    } else {
      %s = muli %bx, %c100 : tile<i32>
      yield %wide1, %c100, %s : tile<16xi32>, tile<i32>, tile<i32>
    }
    %z = select %c, %c0, %c1 : tile<i1>, tile<i32>
    %pr = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %pb = broadcast %pr : tile<1xptr<i32>> -> tile<16xptr<i32>>
    %pw = offset %pb, %wide0 : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %t0 = store_ptr_tko weak %pw, %w : tile<16xptr<i32>>, tile<16xi32> -> token
    %c16 = constant <i32: 16> : tile<i32>
    %c17 = constant <i32: 17> : tile<i32>
    %c18 = constant <i32: 18> : tile<i32>
    %p0 = offset %p, %c16 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %p1 = offset %p, %c17 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %p2 = offset %p, %c18 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t1 = store_ptr_tko weak %p0, %a : tile<ptr<i32>>, tile<i32> -> token
    %t2 = store_ptr_tko weak %p1, %b : tile<ptr<i32>>, tile<i32> -> token
    %t3 = store_ptr_tko weak %p2, %z : tile<ptr<i32>>, tile<i32> -> token
  }

  // A yield past a branch that returns; two `if`s of which the first, or the second, returns; both branches return.
  // CHECK-LABEL: entry @returns
  // CHECK: if
  // CHECK-NOT: 777
  // CHECK-LABEL: entry @leaves
  entry @returns(%y: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %c4 = constant <i32: 4> : tile<i32>
    %c8 = constant <i32: 8> : tile<i32>
    %bit0 = andi %bx, %c1 : tile<i32>
    %bit1 = andi %bx, %c2 : tile<i32>
    %bit2 = andi %bx, %c4 : tile<i32>
    %a = cmpi not_equal %bit0, %c0, signed : tile<i32> -> tile<i1>
    %b = cmpi not_equal %bit1, %c0, signed : tile<i32> -> tile<i1>
    %c = cmpi not_equal %bit2, %c0, signed : tile<i32> -> tile<i1>
    %base = muli %bx, %c8 : tile<i32>
    %p0 = offset %y, %base : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %p1 = offset %p0, %c1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %p2 = offset %p0, %c2 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %p4 = offset %p0, %c4 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %r = if %a -> (tile<i32>) {
      %t = store_ptr_tko weak %p0, %c1 : tile<ptr<i32>>, tile<i32> -> token
      return
    } else {
      yield %bx : tile<i32>
    }
    %t0 = store_ptr_tko weak %p1, %r : tile<ptr<i32>>, tile<i32> -> token
    if %b {
      %t = store_ptr_tko weak %p2, %c2 : tile<ptr<i32>>, tile<i32> -> token
      return
    }
    %s = if %b -> (tile<i32>) {
      yield %c1 : tile<i32>
    } else {
      %v = addi %r, %c8 : tile<i32>
      yield %v : tile<i32>
    }
    %t1 = store_ptr_tko weak %p4, %s : tile<ptr<i32>>, tile<i32> -> token
    %never = constant <i32: 777> : tile<i32>
    %d = if %c -> (tile<i32>) {
      %t = store_ptr_tko weak %p0, %c4 : tile<ptr<i32>>, tile<i32> -> token
      return
    } else {
      %t = store_ptr_tko weak %p0, %c8 : tile<ptr<i32>>, tile<i32> -> token
      return
    }
    %t2 = store_ptr_tko weak %p0, %never : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK-NOT: 777
  // CHECK: break
  // CHECK-NOT: 777
  entry @leaves(%y: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c3 = constant <i32: 3> : tile<i32>
    %c50 = constant <i32: 50> : tile<i32>
    %never = constant <i32: 777> : tile<i32>
    %r = loop iter_values(%n = %bx) : tile<i32> -> tile<i32> {
      %big = cmpi greater_than %n, %c50, signed : tile<i32> -> tile<i1>
      %x = muli %n, %c3 : tile<i32>
      %m = addi %x, %c3 : tile<i32>
      if %big {
        break %n : tile<i32>
      } else {
        continue %m : tile<i32>
      }
      %dead = addi %n, %never : tile<i32>
      continue %dead : tile<i32>
    }
    %p = offset %y, %bx : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
  }
}
