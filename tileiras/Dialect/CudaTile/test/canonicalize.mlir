// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tileiras-opt %s -canonicalize | FileCheck %s
// RUN: tileiras-opt %s -canonicalize | tileiras-opt -canonicalize | FileCheck %s

cuda_tile.module @m {
  // CHECK-LABEL: entry @product_left
  // CHECK: %[[M:.*]] = mulf
  // CHECK: addf %[[M]], %arg0 : tile<f32>
  entry @product_left(%a: tile<f32>, %p: tile<ptr<f32>>) {
    %m = mulf %a, %a : tile<f32>
    %r = addf %a, %m : tile<f32>
    %t = store_ptr_tko weak %p, %r : tile<ptr<f32>>, tile<f32> -> token
  }

  // CHECK-LABEL: entry @same_fact
  // CHECK-NEXT: %[[A:.*]] = assume div_by<8>, %arg0
  // CHECK-NEXT: %[[B:.*]] = assume bounded<0, ?>, %[[A]]
  // CHECK-NEXT: store_ptr_tko weak %arg1, %[[B]]
  entry @same_fact(%i: tile<i32>, %p: tile<ptr<i32>>) {
    %0 = assume div_by<8>, %i : tile<i32>
    %1 = assume bounded<0, ?>, %0 : tile<i32>
    %2 = assume div_by<8>, %1 : tile<i32>
    %t = store_ptr_tko weak %p, %2 : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK-LABEL: entry @select_bool
  // CHECK: %[[T:.*]] = constant <i1: true>
  // CHECK: %[[N:.*]] = xori %arg0, %[[T]] : tile<i1>
  // CHECK: print_tko "%i %i %i", %[[N]], %arg0, %{{.*}} :
  entry @select_bool(%c: tile<i1>) {
    %true = constant <i1: true> : tile<i1>
    %false = constant <i1: false> : tile<i1>
    %one = constant <i32: 1> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %0 = select %c, %false, %true : tile<i1>, tile<i1>
    %1 = select %c, %true, %false : tile<i1>, tile<i1>
    // CHECK-NOT: select
    %2 = select %c, %one, %zero : tile<i1>, tile<i32>
    %t = print_tko "%i %i %i", %0, %1, %2 : tile<i1>, tile<i1>, tile<i32> -> token
  }

  // CHECK-LABEL: entry @select_ext
  // CHECK: exti %arg0 unsigned : tile<i1> -> tile<i32>
  entry @select_ext(%c: tile<i1>) {
    %one = constant <i32: 1> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %2 = select %c, %one, %zero : tile<i1>, tile<i32>
    %t = print_tko "%i", %2 : tile<i32> -> token
  }

  // CHECK-LABEL: entry @select_folds
  // CHECK-NEXT: print_tko "%i %i %i %i", %arg1, %arg1, %arg2, %arg1 :
  entry @select_folds(%c: tile<i1>, %a: tile<i32>, %b: tile<i32>) {
    %true = constant <i1: true> : tile<i1>
    %0 = select %c, %a, %a : tile<i1>, tile<i32>
    %1 = select %true, %a, %b : tile<i1>, tile<i32>
    %eq = cmpi equal %a, %b, signed : tile<i32> -> tile<i1>
    %2 = select %eq, %a, %b : tile<i1>, tile<i32>
    %ne = cmpi not_equal %b, %a, signed : tile<i32> -> tile<i1>
    %3 = select %ne, %a, %b : tile<i1>, tile<i32>
    %t = print_tko "%i %i %i %i", %0, %1, %2, %3 : tile<i32>, tile<i32>, tile<i32>, tile<i32> -> token
  }

  // CHECK-LABEL: entry @select_nested
  // CHECK-NEXT: select %arg0, %arg1, %arg3 : tile<i1>, tile<i32>
  // CHECK-NEXT: print_tko
  entry @select_nested(%c: tile<i1>, %x: tile<i32>, %y: tile<i32>, %z: tile<i32>) {
    %true = constant <i1: true> : tile<i1>
    %0 = select %c, %x, %y : tile<i1>, tile<i32>
    %1 = select %c, %0, %z : tile<i1>, tile<i32>
    %t = print_tko "%i", %1 : tile<i32> -> token
  }

  // CHECK-LABEL: entry @select_negated
  // CHECK-NEXT: select %arg0, %arg2, %arg1 : tile<i1>, tile<i32>
  entry @select_negated(%c: tile<i1>, %x: tile<i32>, %y: tile<i32>) {
    %true = constant <i1: true> : tile<i1>
    %n = xori %c, %true : tile<i1>
    %1 = select %n, %x, %y : tile<i1>, tile<i32>
    %t = print_tko "%i", %1 : tile<i32> -> token
  }

  // CHECK-LABEL: entry @select_constants
  // CHECK: constant <f32: [1.000000e+00, 4.000000e+00]> : tile<2xf32>
  // CHECK-NOT: select
  entry @select_constants() {
    %c = constant <i1: [true, false]> : tile<2xi1>
    %x = constant <f32: [1.0, 2.0]> : tile<2xf32>
    %y = constant <f32: [3.0, 4.0]> : tile<2xf32>
    %1 = select %c, %x, %y : tile<2xi1>, tile<2xf32>
    %t = print_tko "%f", %1 : tile<2xf32> -> token
  }

  // CHECK-LABEL: entry @if_unused_result
  // CHECK: %[[R:.*]] = if %arg0 -> (tile<i32>) {
  // CHECK: print_tko "%i", %[[R]]
  entry @if_unused_result(%c: tile<i1>, %x: tile<i32>, %p: tile<ptr<i32>>) {
    %a, %b = if %c -> (tile<i32>, tile<i32>) {
      %t = store_ptr_tko weak %p, %x : tile<ptr<i32>>, tile<i32> -> token
      %s = addi %x, %x : tile<i32>
      yield %x, %s : tile<i32>, tile<i32>
    } else {
      yield %x, %x : tile<i32>, tile<i32>
    }
    %t = print_tko "%i", %b : tile<i32> -> token
  }

  // Both branches agree on the first result, and the second is the condition.
  // CHECK-LABEL: entry @if_same_values
  // CHECK: if %arg0 {
  // CHECK-NEXT: store_ptr_tko
  // CHECK-NEXT: }
  // CHECK-NEXT: print_tko "%i %i", %arg1, %arg0
  entry @if_same_values(%c: tile<i1>, %x: tile<i32>, %p: tile<ptr<i32>>) {
    %true = constant <i1: true> : tile<i1>
    %false = constant <i1: false> : tile<i1>
    %a, %b = if %c -> (tile<i32>, tile<i1>) {
      %t = store_ptr_tko weak %p, %x : tile<ptr<i32>>, tile<i32> -> token
      yield %x, %true : tile<i32>, tile<i1>
    } else {
      yield %x, %false : tile<i32>, tile<i1>
    }
    %t = print_tko "%i %i", %a, %b : tile<i32>, tile<i1> -> token
  }

  // CHECK-LABEL: entry @if_static
  // CHECK-NEXT: print_tko "yes"
  // CHECK-NEXT: return
  entry @if_static() {
    %true = constant <i1: true> : tile<i1>
    %false = constant <i1: false> : tile<i1>
    if %true {
      %t = print_tko "yes" -> token
    } else {
      %t = print_tko "no" -> token
    }
    if %false {
      %t = print_tko "never" -> token
    }
    if %true {
      return
    }
    %t = print_tko "not reached" -> token
  }

  // The only way on is the branch that leaves; a `for` keeps its own terminator.
  // CHECK-LABEL: entry @if_static_leaving
  // CHECK: for
  // CHECK-NEXT: print_tko "once"
  // CHECK-NEXT: }
  entry @if_static_leaving(%i: tile<i32>) {
    %true = constant <i1: true> : tile<i1>
    for %k in (%i to %i, step %i) : tile<i32> {
      if %true {
        %t = print_tko "once" -> token
        continue
      }
      %t = print_tko "not reached" -> token
    }
  }

  // CHECK-LABEL: entry @if_to_select
  // CHECK-NEXT: select %arg0, %arg1, %arg2 : tile<i1>, tile<i32>
  entry @if_to_select(%c: tile<i1>, %x: tile<i32>, %y: tile<i32>) {
    %r = if %c -> (tile<i32>) {
      yield %x : tile<i32>
    } else {
      yield %y : tile<i32>
    }
    %t = print_tko "%i", %r : tile<i32> -> token
  }

  // A tile wider than the condition has it spread; a token has no select.
  // CHECK-LABEL: entry @if_wide_select
  // CHECK: %[[R:.*]] = reshape %arg0 : tile<i1> -> tile<1x1xi1>
  // CHECK-NEXT: %[[B:.*]] = broadcast %[[R]] : tile<1x1xi1> -> tile<2x8xi1>
  // CHECK-NEXT: select %[[B]], %{{.*}}, %{{.*}} : tile<2x8xi1>, tile<2x8xi32>
  // CHECK: if %arg1
  entry @if_wide_select(%c: tile<i1>, %d: tile<i1>, %p: tile<ptr<i32>>) {
    %x = constant <i32: 2> : tile<2x8xi32>
    %y = constant <i32: 1> : tile<2x8xi32>
    %r = if %c -> (tile<2x8xi32>) {
      yield %x : tile<2x8xi32>
    } else {
      yield %y : tile<2x8xi32>
    }
    %t = print_tko "%i", %r : tile<2x8xi32> -> token
    %k = if %d -> (token) {
      yield %t : token
    } else {
      %n = make_token : token
      yield %n : token
    }
    %u = print_tko "x" token=%k -> token
  }

  // Results whose values are there before the `if` become selects; the others stay.
  // CHECK-LABEL: entry @if_some_selects
  // CHECK-NEXT: %[[S:.*]] = select %arg0, %arg1, %arg2 : tile<i1>, tile<i32>
  // CHECK-NEXT: %[[R:.*]] = if %arg0 -> (tile<i32>) {
  // CHECK: print_tko "%i %i", %[[S]], %[[R]]
  entry @if_some_selects(%c: tile<i1>, %x: tile<i32>, %y: tile<i32>, %p: tile<ptr<i32>>) {
    %a, %b = if %c -> (tile<i32>, tile<i32>) {
      %v, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
      yield %x, %v : tile<i32>, tile<i32>
    } else {
      yield %y, %y : tile<i32>, tile<i32>
    }
    %t = print_tko "%i %i", %a, %b : tile<i32>, tile<i32> -> token
  }

  // Behind a branch that returns there is only what the other one yields.
  // CHECK-LABEL: entry @if_yield_past_return
  // CHECK-NEXT: if %arg0 {
  // CHECK: return
  // CHECK-NEXT: }
  // CHECK-NEXT: print_tko "%i", %arg1
  entry @if_yield_past_return(%c: tile<i1>, %x: tile<i32>) {
    %a = if %c -> (tile<i32>) {
      %t = print_tko "leaving" -> token
      return
    } else {
      yield %x : tile<i32>
    }
    %t = print_tko "%i", %a : tile<i32> -> token
  }

  // CHECK-LABEL: entry @select_negated_ext
  // CHECK: %[[N:.*]] = xori %arg0, %{{.*}} : tile<i1>
  // CHECK-NEXT: exti %[[N]] unsigned : tile<i1> -> tile<i32>
  // CHECK-NOT: select
  entry @select_negated_ext(%c: tile<i1>) {
    %one = constant <i32: 1> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %0 = select %c, %zero, %one : tile<i1>, tile<i32>
    %t = print_tko "%i", %0 : tile<i32> -> token
  }

  // CHECK-LABEL: entry @if_empty_else
  // CHECK: print_tko
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  entry @if_empty_else(%c: tile<i1>) {
    if %c {
      %t = print_tko "x" -> token
    } else {
    }
  }

  // CHECK-LABEL: entry @if_negated
  // CHECK: if %arg0 {
  // CHECK-NEXT: print_tko "no"
  // CHECK-NEXT: } else {
  // CHECK-NEXT: print_tko "yes"
  entry @if_negated(%c: tile<i1>) {
    %true = constant <i1: true> : tile<i1>
    %n = xori %c, %true : tile<i1>
    if %n {
      %t = print_tko "yes" -> token
    } else {
      %t = print_tko "no" -> token
    }
  }

  // CHECK-LABEL: entry @if_adjacent
  // CHECK-NEXT: %[[R:.*]]:2 = if %arg0 -> (tile<i32>, tile<i32>) {
  // CHECK-NEXT:   %[[A:.*]] = addi
  // CHECK-NEXT:   print_tko "then %i", %[[A]]
  // CHECK-NEXT:   yield %[[A]], %[[A]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   %[[B:.*]] = muli
  // CHECK-NEXT:   yield %[[B]], %arg1
  // CHECK-NEXT: }
  // CHECK-NEXT: print_tko "%i %i", %[[R]]#0, %[[R]]#1
  entry @if_adjacent(%c: tile<i1>, %x: tile<i32>) {
    %a = if %c -> (tile<i32>) {
      %s = addi %x, %x : tile<i32>
      yield %s : tile<i32>
    } else {
      %s = muli %x, %x : tile<i32>
      yield %s : tile<i32>
    }
    %b = if %c -> (tile<i32>) {
      %t = print_tko "then %i", %a : tile<i32> -> token
      yield %a : tile<i32>
    } else {
      yield %x : tile<i32>
    }
    %t = print_tko "%i %i", %a, %b : tile<i32>, tile<i32> -> token
  }

  // A first branch that leaves does not reach the same branch of the second `if`.
  // CHECK-LABEL: entry @if_adjacent_leaving
  // CHECK: if %arg0 {
  // CHECK-NEXT: print_tko "first"
  // CHECK-NEXT: break
  // CHECK-NEXT: } else {
  // CHECK-NEXT: print_tko "other"
  // CHECK-NEXT: }
  // CHECK-NOT: "second"
  entry @if_adjacent_leaving(%c: tile<i1>) {
    loop {
      if %c {
        %t = print_tko "first" -> token
        break
      }
      if %c {
        %t = print_tko "second" -> token
      } else {
        %t = print_tko "other" -> token
      }
    }
  }

  // The other way round, and with results on both sides.
  // CHECK-LABEL: entry @if_adjacent_second_leaving
  // CHECK: %[[R:.*]]:2 = if %arg0 -> (tile<i32>, tile<i32>) {
  // CHECK-NEXT: addi
  // CHECK-NEXT: print_tko "second
  // CHECK-NEXT: return
  // CHECK-NEXT: } else {
  // CHECK: muli
  // CHECK-NEXT: addi
  // CHECK-NEXT: yield
  // CHECK: print_tko "%i %i"
  entry @if_adjacent_second_leaving(%c: tile<i1>, %x: tile<i32>) {
    %a = if %c -> (tile<i32>) {
      %s = addi %x, %x : tile<i32>
      yield %s : tile<i32>
    } else {
      %s = muli %x, %x : tile<i32>
      yield %s : tile<i32>
    }
    %b = if %c -> (tile<i32>) {
      %t = print_tko "second %i", %a : tile<i32> -> token
      return
    } else {
      %s = addi %a, %x : tile<i32>
      yield %s : tile<i32>
    }
    %t = print_tko "%i %i", %a, %b : tile<i32>, tile<i32> -> token
  }

  // CHECK-LABEL: entry @if_both_return
  // CHECK-NEXT: if %arg0 {
  // CHECK-NEXT: print_tko "a"
  // CHECK-NEXT: } else {
  // CHECK-NEXT: print_tko "b"
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  entry @if_both_return(%c: tile<i1>, %x: tile<i32>) {
    %a = if %c -> (tile<i32>) {
      %t = print_tko "a" -> token
      return
    } else {
      %t = print_tko "b" -> token
      return
    }
    %t = print_tko "not reached %i", %a : tile<i32> -> token
  }

  // Leaving in two ways is leaving, too.
  // CHECK-LABEL: entry @if_both_leave
  // CHECK: loop
  // CHECK-NOT: not reached
  entry @if_both_leave(%c: tile<i1>, %x: tile<i32>) {
    %r = loop iter_values(%n = %x) : tile<i32> -> tile<i32> {
      if %c {
        break %n : tile<i32>
      } else {
        continue %x : tile<i32>
      }
      %t = print_tko "not reached" -> token
      %m = addi %n, %n : tile<i32>
      continue %m : tile<i32>
    }
    %t = print_tko "%i", %r : tile<i32> -> token
  }

  // CHECK-LABEL: entry @if_nested
  // CHECK-NEXT: %[[B:.*]] = andi %arg0, %arg1 : tile<i1>
  // CHECK-NEXT: if %[[B]] {
  // CHECK-NEXT: print_tko
  // CHECK-NEXT: }
  entry @if_nested(%c: tile<i1>, %d: tile<i1>) {
    if %c {
      if %d {
        %t = print_tko "x" -> token
      }
    }
  }

  // CHECK-LABEL: entry @if_common_exit
  // CHECK: loop : tile<i32> {
  // CHECK: %[[V:.*]] = select %arg0, %arg1, %arg2
  // CHECK-NEXT: if %arg0 {
  // CHECK: break %[[V]] : tile<i32>
  // CHECK-NOT: not reached
  entry @if_common_exit(%c: tile<i1>, %x: tile<i32>, %y: tile<i32>) {
    %r = loop : tile<i32> {
      if %c {
        %t = print_tko "x" -> token
        break %x : tile<i32>
      } else {
        break %y : tile<i32>
      }
      %t = print_tko "not reached" -> token
    }
    %t = print_tko "%i", %r : tile<i32> -> token
  }

  // Loads that order or are ordered stay, dead weak ones and pure ops go.
  // CHECK-LABEL: entry @dead
  // CHECK-NEXT: load_ptr_tko acquire
  // CHECK-NEXT: return
  entry @dead(%p: tile<ptr<i32>>, %x: tile<i32>) {
    %v, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %w, %u = load_ptr_tko acquire sys %p : tile<ptr<i32>> -> tile<i32>, token
    %d = divi %v, %x signed : tile<i32>
    %j = join_tokens %t, %u : token
  }
}
