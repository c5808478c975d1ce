// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// loop-split by execution: every combination of bounds, boundary and step at the edges of i8, before and after. The
// loops fold the order of their iterations and the branch taken in each into a number.
// RUN: tileiras-opt %s --loop-split > %t.split.mlir
// RUN: FileCheck %s --input-file=%t.split.mlir
// CHECK-COUNT-12: maxi
// CHECK-NOT: if %
// RUN: tileiras-run %s --entry=signed_loops --grid=8,8,8 --engine=reference out:y:i32[2048] i8=1 --dump=y=%t.s1.npy
// RUN: tileiras-run %t.split.mlir --entry=signed_loops --grid=8,8,8 --engine=reference,emulator 'out:y:i32[2048]{expect=%t.s1.npy}' i8=1
// RUN: tileiras-run %s --entry=signed_loops --grid=8,8,8 --engine=reference out:y:i32[2048] i8=3 --dump=y=%t.s3.npy
// RUN: tileiras-run %t.split.mlir --entry=signed_loops --grid=8,8,8 --engine=reference,emulator 'out:y:i32[2048]{expect=%t.s3.npy}' i8=3
// RUN: tileiras-run %s --entry=signed_loops --grid=8,8,8 --engine=reference out:y:i32[2048] i8=100 --dump=y=%t.s100.npy
// RUN: tileiras-run %t.split.mlir --entry=signed_loops --grid=8,8,8 --engine=reference,emulator 'out:y:i32[2048]{expect=%t.s100.npy}' i8=100
// RUN: tileiras-run %s --entry=unsigned_loops --grid=8,8,8 --engine=reference out:y:i32[2048] i8=200 --dump=y=%t.u200.npy
// RUN: tileiras-run %t.split.mlir --entry=unsigned_loops --grid=8,8,8 --engine=reference,emulator 'out:y:i32[2048]{expect=%t.u200.npy}' i8=200
// RUN: tileiras-run %s --entry=unsigned_loops --grid=8,8,8 --engine=reference out:y:i32[2048] i8=7 --dump=y=%t.u7.npy
// RUN: tileiras-run %t.split.mlir --entry=unsigned_loops --grid=8,8,8 --engine=reference,emulator 'out:y:i32[2048]{expect=%t.u7.npy}' i8=7
// RUN: tileiras-run %s --entry=unit_loops --grid=8,8,8 --engine=reference out:y:i32[2048] --dump=y=%t.unit.npy
// RUN: tileiras-run %t.split.mlir --entry=unit_loops --grid=8,8,8 --engine=reference,emulator 'out:y:i32[2048]{expect=%t.unit.npy}'

cuda_tile.module @m {
  global @edges <i8: [-128, -127, -1, 0, 1, 5, 126, 127]> : tile<8xi8>

  entry @signed_loops(%y: tile<ptr<i32>>, %step: tile<i8>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %g = get_global @edges : tile<ptr<i8>>
    %plb = offset %g, %bx : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %pub = offset %g, %by : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %pn = offset %g, %bz : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %lb, %t0 = load_ptr_tko weak %plb : tile<ptr<i8>> -> tile<i8>, token
    %ub, %t1 = load_ptr_tko weak %pub : tile<ptr<i8>> -> tile<i8>, token
    %n, %t2 = load_ptr_tko weak %pn : tile<ptr<i8>> -> tile<i8>, token
    %c0 = constant <i32: 0> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %c8 = constant <i32: 8> : tile<i32>
    %c31 = constant <i32: 31> : tile<i32>
    %c512 = constant <i32: 512> : tile<i32>
    %z8 = muli %bz, %c8 : tile<i32>
    %zy = addi %z8, %by : tile<i32>
    %zy8 = muli %zy, %c8 : tile<i32>
    %at0 = addi %zy8, %bx : tile<i32>
    %r0 = for %i in (%lb to %ub, step %step) : tile<i8> iter_values(%x = %c0) -> (tile<i32>) {
      %w = exti %i signed : tile<i8> -> tile<i32>
      %x31 = muli %x, %c31 : tile<i32>
      %c = cmpi less_than %i, %n, signed : tile<i8> -> tile<i1>
      %v = if %c -> (tile<i32>) {
        %a = addi %x31, %w : tile<i32>
        yield %a : tile<i32>
      } else {
        %b = subi %x31, %w : tile<i32>
        %d = xori %b, %c2 : tile<i32>
        yield %d : tile<i32>
      }
      continue %v : tile<i32>
    }
    %q0 = offset %y, %at0 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s0 = store_ptr_tko weak %q0, %r0 : tile<ptr<i32>>, tile<i32> -> token
    %at1 = addi %at0, %c512 : tile<i32>
    %r1 = for %i in (%lb to %ub, step %step) : tile<i8> iter_values(%x = %c0) -> (tile<i32>) {
      %w = exti %i signed : tile<i8> -> tile<i32>
      %x31 = muli %x, %c31 : tile<i32>
      %c = cmpi less_than_or_equal %i, %n, signed : tile<i8> -> tile<i1>
      %v = if %c -> (tile<i32>) {
        %a = addi %x31, %w : tile<i32>
        yield %a : tile<i32>
      } else {
        %b = subi %x31, %w : tile<i32>
        %d = xori %b, %c2 : tile<i32>
        yield %d : tile<i32>
      }
      continue %v : tile<i32>
    }
    %q1 = offset %y, %at1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s1 = store_ptr_tko weak %q1, %r1 : tile<ptr<i32>>, tile<i32> -> token
    %at2 = addi %at1, %c512 : tile<i32>
    %r2 = for %i in (%lb to %ub, step %step) : tile<i8> iter_values(%x = %c0) -> (tile<i32>) {
      %w = exti %i signed : tile<i8> -> tile<i32>
      %x31 = muli %x, %c31 : tile<i32>
      %c = cmpi greater_than %i, %n, signed : tile<i8> -> tile<i1>
      %v = if %c -> (tile<i32>) {
        %a = addi %x31, %w : tile<i32>
        yield %a : tile<i32>
      } else {
        %b = subi %x31, %w : tile<i32>
        %d = xori %b, %c2 : tile<i32>
        yield %d : tile<i32>
      }
      continue %v : tile<i32>
    }
    %q2 = offset %y, %at2 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s2 = store_ptr_tko weak %q2, %r2 : tile<ptr<i32>>, tile<i32> -> token
    %at3 = addi %at2, %c512 : tile<i32>
    %r3 = for %i in (%lb to %ub, step %step) : tile<i8> iter_values(%x = %c0) -> (tile<i32>) {
      %w = exti %i signed : tile<i8> -> tile<i32>
      %x31 = muli %x, %c31 : tile<i32>
      %c = cmpi greater_than_or_equal %i, %n, signed : tile<i8> -> tile<i1>
      %v = if %c -> (tile<i32>) {
        %a = addi %x31, %w : tile<i32>
        yield %a : tile<i32>
      } else {
        %b = subi %x31, %w : tile<i32>
        %d = xori %b, %c2 : tile<i32>
        yield %d : tile<i32>
      }
      continue %v : tile<i32>
    }
    %q3 = offset %y, %at3 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s3 = store_ptr_tko weak %q3, %r3 : tile<ptr<i32>>, tile<i32> -> token
    return
  }

  entry @unsigned_loops(%y: tile<ptr<i32>>, %step: tile<i8>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %g = get_global @edges : tile<ptr<i8>>
    %plb = offset %g, %bx : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %pub = offset %g, %by : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %pn = offset %g, %bz : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %lb, %t0 = load_ptr_tko weak %plb : tile<ptr<i8>> -> tile<i8>, token
    %ub, %t1 = load_ptr_tko weak %pub : tile<ptr<i8>> -> tile<i8>, token
    %n, %t2 = load_ptr_tko weak %pn : tile<ptr<i8>> -> tile<i8>, token
    %c0 = constant <i32: 0> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %c8 = constant <i32: 8> : tile<i32>
    %c31 = constant <i32: 31> : tile<i32>
    %c512 = constant <i32: 512> : tile<i32>
    %z8 = muli %bz, %c8 : tile<i32>
    %zy = addi %z8, %by : tile<i32>
    %zy8 = muli %zy, %c8 : tile<i32>
    %at0 = addi %zy8, %bx : tile<i32>
    %r0 = for unsigned %i in (%lb to %ub, step %step) : tile<i8> iter_values(%x = %c0) -> (tile<i32>) {
      %w = exti %i unsigned : tile<i8> -> tile<i32>
      %x31 = muli %x, %c31 : tile<i32>
      %c = cmpi less_than %i, %n, unsigned : tile<i8> -> tile<i1>
      %v = if %c -> (tile<i32>) {
        %a = addi %x31, %w : tile<i32>
        yield %a : tile<i32>
      } else {
        %b = subi %x31, %w : tile<i32>
        %d = xori %b, %c2 : tile<i32>
        yield %d : tile<i32>
      }
      continue %v : tile<i32>
    }
    %q0 = offset %y, %at0 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s0 = store_ptr_tko weak %q0, %r0 : tile<ptr<i32>>, tile<i32> -> token
    %at1 = addi %at0, %c512 : tile<i32>
    %r1 = for unsigned %i in (%lb to %ub, step %step) : tile<i8> iter_values(%x = %c0) -> (tile<i32>) {
      %w = exti %i unsigned : tile<i8> -> tile<i32>
      %x31 = muli %x, %c31 : tile<i32>
      %c = cmpi less_than_or_equal %i, %n, unsigned : tile<i8> -> tile<i1>
      %v = if %c -> (tile<i32>) {
        %a = addi %x31, %w : tile<i32>
        yield %a : tile<i32>
      } else {
        %b = subi %x31, %w : tile<i32>
        %d = xori %b, %c2 : tile<i32>
        yield %d : tile<i32>
      }
      continue %v : tile<i32>
    }
    %q1 = offset %y, %at1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s1 = store_ptr_tko weak %q1, %r1 : tile<ptr<i32>>, tile<i32> -> token
    %at2 = addi %at1, %c512 : tile<i32>
    %r2 = for unsigned %i in (%lb to %ub, step %step) : tile<i8> iter_values(%x = %c0) -> (tile<i32>) {
      %w = exti %i unsigned : tile<i8> -> tile<i32>
      %x31 = muli %x, %c31 : tile<i32>
      %c = cmpi greater_than %i, %n, unsigned : tile<i8> -> tile<i1>
      %v = if %c -> (tile<i32>) {
        %a = addi %x31, %w : tile<i32>
        yield %a : tile<i32>
      } else {
        %b = subi %x31, %w : tile<i32>
        %d = xori %b, %c2 : tile<i32>
        yield %d : tile<i32>
      }
      continue %v : tile<i32>
    }
    %q2 = offset %y, %at2 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s2 = store_ptr_tko weak %q2, %r2 : tile<ptr<i32>>, tile<i32> -> token
    %at3 = addi %at2, %c512 : tile<i32>
    %r3 = for unsigned %i in (%lb to %ub, step %step) : tile<i8> iter_values(%x = %c0) -> (tile<i32>) {
      %w = exti %i unsigned : tile<i8> -> tile<i32>
      %x31 = muli %x, %c31 : tile<i32>
      %c = cmpi greater_than_or_equal %i, %n, unsigned : tile<i8> -> tile<i1>
      %v = if %c -> (tile<i32>) {
        %a = addi %x31, %w : tile<i32>
        yield %a : tile<i32>
      } else {
        %b = subi %x31, %w : tile<i32>
        %d = xori %b, %c2 : tile<i32>
        yield %d : tile<i32>
      }
      continue %v : tile<i32>
    }
    %q3 = offset %y, %at3 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s3 = store_ptr_tko weak %q3, %r3 : tile<ptr<i32>>, tile<i32> -> token
    return
  }

  entry @unit_loops(%y: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %g = get_global @edges : tile<ptr<i8>>
    %plb = offset %g, %bx : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %pub = offset %g, %by : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %pn = offset %g, %bz : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %lb, %t0 = load_ptr_tko weak %plb : tile<ptr<i8>> -> tile<i8>, token
    %ub, %t1 = load_ptr_tko weak %pub : tile<ptr<i8>> -> tile<i8>, token
    %n, %t2 = load_ptr_tko weak %pn : tile<ptr<i8>> -> tile<i8>, token
    %step = constant <i8: 1> : tile<i8>
    %c0 = constant <i32: 0> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %c8 = constant <i32: 8> : tile<i32>
    %c31 = constant <i32: 31> : tile<i32>
    %c512 = constant <i32: 512> : tile<i32>
    %z8 = muli %bz, %c8 : tile<i32>
    %zy = addi %z8, %by : tile<i32>
    %zy8 = muli %zy, %c8 : tile<i32>
    %at0 = addi %zy8, %bx : tile<i32>
    %r0 = for %i in (%lb to %ub, step %step) : tile<i8> iter_values(%x = %c0) -> (tile<i32>) {
      %w = exti %i signed : tile<i8> -> tile<i32>
      %x31 = muli %x, %c31 : tile<i32>
      %c = cmpi less_than %i, %n, signed : tile<i8> -> tile<i1>
      %v = if %c -> (tile<i32>) {
        %a = addi %x31, %w : tile<i32>
        yield %a : tile<i32>
      } else {
        %b = subi %x31, %w : tile<i32>
        %d = xori %b, %c2 : tile<i32>
        yield %d : tile<i32>
      }
      continue %v : tile<i32>
    }
    %q0 = offset %y, %at0 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s0 = store_ptr_tko weak %q0, %r0 : tile<ptr<i32>>, tile<i32> -> token
    %at1 = addi %at0, %c512 : tile<i32>
    %r1 = for %i in (%lb to %ub, step %step) : tile<i8> iter_values(%x = %c0) -> (tile<i32>) {
      %w = exti %i signed : tile<i8> -> tile<i32>
      %x31 = muli %x, %c31 : tile<i32>
      %c = cmpi less_than_or_equal %i, %n, signed : tile<i8> -> tile<i1>
      %v = if %c -> (tile<i32>) {
        %a = addi %x31, %w : tile<i32>
        yield %a : tile<i32>
      } else {
        %b = subi %x31, %w : tile<i32>
        %d = xori %b, %c2 : tile<i32>
        yield %d : tile<i32>
      }
      continue %v : tile<i32>
    }
    %q1 = offset %y, %at1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s1 = store_ptr_tko weak %q1, %r1 : tile<ptr<i32>>, tile<i32> -> token
    %at2 = addi %at1, %c512 : tile<i32>
    %r2 = for %i in (%lb to %ub, step %step) : tile<i8> iter_values(%x = %c0) -> (tile<i32>) {
      %w = exti %i signed : tile<i8> -> tile<i32>
      %x31 = muli %x, %c31 : tile<i32>
      %c = cmpi greater_than %i, %n, signed : tile<i8> -> tile<i1>
      %v = if %c -> (tile<i32>) {
        %a = addi %x31, %w : tile<i32>
        yield %a : tile<i32>
      } else {
        %b = subi %x31, %w : tile<i32>
        %d = xori %b, %c2 : tile<i32>
        yield %d : tile<i32>
      }
      continue %v : tile<i32>
    }
    %q2 = offset %y, %at2 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s2 = store_ptr_tko weak %q2, %r2 : tile<ptr<i32>>, tile<i32> -> token
    %at3 = addi %at2, %c512 : tile<i32>
    %r3 = for %i in (%lb to %ub, step %step) : tile<i8> iter_values(%x = %c0) -> (tile<i32>) {
      %w = exti %i signed : tile<i8> -> tile<i32>
      %x31 = muli %x, %c31 : tile<i32>
      %c = cmpi greater_than_or_equal %i, %n, signed : tile<i8> -> tile<i1>
      %v = if %c -> (tile<i32>) {
        %a = addi %x31, %w : tile<i32>
        yield %a : tile<i32>
      } else {
        %b = subi %x31, %w : tile<i32>
        %d = xori %b, %c2 : tile<i32>
        yield %d : tile<i32>
      }
      continue %v : tile<i32>
    }
    %q3 = offset %y, %at3 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s3 = store_ptr_tko weak %q3, %r3 : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
