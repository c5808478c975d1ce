// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tileiras-opt %s --loop-split | FileCheck %s
// RUN: tileiras-opt %s --pass-pipeline='builtin.module(loop-split{split-threshold=3})' | FileCheck %s --check-prefix=THREE
// RUN: tileiras-opt %s --pass-pipeline='builtin.module(loop-split{split-threshold=0})' | FileCheck %s --check-prefix=ZERO

// ZERO-NOT: maxi
// ZERO-LABEL: entry @by_for
// ZERO: maxi

cuda_tile.module @m {
  // CHECK-LABEL: entry @less(
  // CHECK: %[[ONE:.*]] = constant <i32: 1>
  // CHECK: %[[MIN:.*]] = mini %arg2, %arg1 signed : tile<i32>
  // CHECK-NEXT: %[[B:.*]] = maxi %[[MIN]], %arg0 signed : tile<i32>
  // CHECK-NEXT: for %[[I:.*]] in (%arg0 to %[[B]], step %[[ONE]]) : tile<i32> {
  // CHECK-NEXT: print_tko "then %i", %[[I]]
  // CHECK-NEXT: }
  // CHECK-NEXT: for %[[J:.*]] in (%[[B]] to %arg1, step %[[ONE]]) : tile<i32> {
  // CHECK-NEXT: print_tko "else %i", %[[J]]
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  // THREE-LABEL: entry @less(
  // THREE: if
  // THREE-LABEL: entry @less_or_equal
  entry @less(%lb: tile<i32>, %ub: tile<i32>, %n: tile<i32>) {
    %c1 = constant <i32: 1> : tile<i32>
    for %i in (%lb to %ub, step %c1) : tile<i32> {
      %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
      if %c {
        %t = print_tko "then %i", %i : tile<i32> -> token
      } else {
        %t = print_tko "else %i", %i : tile<i32> -> token
      }
    }
  }

  // CHECK-LABEL: entry @less_or_equal
  // CHECK: %[[ONE:.*]] = constant <i64: 1> : tile<i64>
  // CHECK: %[[NEXT:.*]] = addi %arg2, %{{.*}} : tile<i64>
  // CHECK-NEXT: %[[IN:.*]] = cmpi less_than %arg2, %arg1, unsigned
  // CHECK-NEXT: %[[F:.*]] = select %[[IN]], %[[NEXT]], %arg1
  // CHECK-NEXT: %[[MIN:.*]] = mini %[[F]], %arg1 unsigned
  // CHECK-NEXT: %[[B:.*]] = maxi %[[MIN]], %arg0 unsigned
  // CHECK-NEXT: for unsigned %{{.*}} in (%arg0 to %[[B]],
  // CHECK-NEXT: print_tko "then"
  // CHECK-NEXT: }
  // CHECK-NEXT: for unsigned %{{.*}} in (%[[B]] to %arg1,
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  entry @less_or_equal(%lb: tile<i64>, %ub: tile<i64>, %n: tile<i64>) {
    %c1 = constant <i64: 1> : tile<i64>
    for unsigned %i in (%lb to %ub, step %c1) : tile<i64> {
      %c = cmpi less_than_or_equal %i, %n, unsigned : tile<i64> -> tile<i1>
      if %c {
        %t = print_tko "then" -> token
      }
    }
  }

  // False first, and the index on the right: n < i.
  // CHECK-LABEL: entry @greater
  // CHECK: addi
  // CHECK: for
  // CHECK-NEXT: print_tko "else"
  // CHECK-NEXT: }
  // CHECK-NEXT: for
  // CHECK-NEXT: print_tko "then"
  // CHECK-NEXT: }
  entry @greater(%lb: tile<i32>, %ub: tile<i32>, %n: tile<i32>) {
    %c1 = constant <i32: 1> : tile<i32>
    for %i in (%lb to %ub, step %c1) : tile<i32> {
      %c = cmpi less_than %n, %i, signed : tile<i32> -> tile<i1>
      if %c {
        %t = print_tko "then" -> token
      } else {
        %t = print_tko "else" -> token
      }
    }
  }

  // CHECK-LABEL: entry @greater_or_equal
  // CHECK-NOT: addi
  // CHECK: for
  // CHECK-NEXT: }
  // CHECK-NEXT: for
  // CHECK-NEXT: print_tko "then"
  entry @greater_or_equal(%lb: tile<i32>, %ub: tile<i32>, %n: tile<i32>) {
    %c1 = constant <i32: 1> : tile<i32>
    for %i in (%lb to %ub, step %c1) : tile<i32> {
      %c = cmpi greater_than_or_equal %i, %n, signed : tile<i32> -> tile<i1>
      if %c {
        %t = print_tko "then" -> token
      }
    }
  }

  // Other steps: the second loop starts at an index of the loop, and never beyond its end.
  // CHECK-LABEL: entry @step
  // CHECK: %[[B:.*]] = maxi
  // CHECK-NEXT: %[[D:.*]] = subi %[[B]], %arg0
  // CHECK-NEXT: %[[Q:.*]] = divi %[[D]], %arg3 unsigned rounding<positive_inf>
  // CHECK-NEXT: %[[M:.*]] = muli %[[Q]], %arg3
  // CHECK-NEXT: %[[S:.*]] = addi %arg0, %[[M]]
  // CHECK-NEXT: %[[SKIP:.*]] = subi %[[S]], %[[B]]
  // CHECK-NEXT: %[[LEFT:.*]] = subi %arg1, %[[B]]
  // CHECK-NEXT: %[[C:.*]] = cmpi less_than %[[LEFT]], %[[SKIP]], unsigned
  // CHECK-NEXT: %[[START:.*]] = select %[[C]], %arg1, %[[S]]
  // CHECK-NEXT: for %{{.*}} in (%arg0 to %[[B]], step %arg3)
  // CHECK: for %{{.*}} in (%[[START]] to %arg1, step %arg3)
  entry @step(%lb: tile<i32>, %ub: tile<i32>, %n: tile<i32>, %step: tile<i32>) {
    for %i in (%lb to %ub, step %step) : tile<i32> {
      %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
      if %c {
        %t = print_tko "then" -> token
      }
    }
  }

  // Values go from the first loop to the second and out; results of the branch too. Other uses of the comparison see a constant.
  // CHECK-LABEL: entry @values
  // CHECK: %[[H:.*]] = for %[[I:.*]] in {{.*}} iter_values(%[[X:.*]] = %arg2) -> (tile<i32>) {
  // CHECK-NEXT: %[[C:.*]] = constant <i1: true>
  // CHECK-NEXT: %[[U:.*]] = addi %[[X]], %[[I]]
  // CHECK-NEXT: %[[E:.*]] = exti %[[C]]
  // CHECK-NEXT: %[[Y:.*]] = addi %[[U]], %[[E]]
  // CHECK-NEXT: continue %[[Y]]
  // CHECK: %[[T:.*]] = for %{{.*}} in {{.*}} iter_values(%[[Z:.*]] = %[[H]]) -> (tile<i32>) {
  // CHECK-NEXT: %[[D:.*]] = constant <i1: false>
  // CHECK-NEXT: subi %[[Z]]
  // CHECK-NEXT: exti %[[D]]
  // CHECK: print_tko "%i", %[[T]]
  // THREE-LABEL: entry @values
  // THREE: if
  entry @values(%ub: tile<i32>, %n: tile<i32>, %x0: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %r = for %i in (%c0 to %ub, step %c1) : tile<i32> iter_values(%x = %x0) -> (tile<i32>) {
      %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
      %u = if %c -> (tile<i32>) {
        %v = addi %x, %i : tile<i32>
        yield %v : tile<i32>
      } else {
        %v = subi %x, %i : tile<i32>
        yield %v : tile<i32>
      }
      %e = exti %c unsigned : tile<i1> -> tile<i32>
      %y = addi %u, %e : tile<i32>
      continue %y : tile<i32>
    }
    %t = print_tko "%i", %r : tile<i32> -> token
  }

  // A branch that ends the iteration cuts off the rest, in its loop only.
  // CHECK-LABEL: entry @ends_iteration
  // CHECK: for
  // CHECK-NEXT: print_tko "skip"
  // CHECK-NEXT: }
  // CHECK-NEXT: for
  // CHECK-NEXT: print_tko "rest"
  // CHECK-NEXT: }
  entry @ends_iteration(%ub: tile<i32>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    for %i in (%c0 to %ub, step %c1) : tile<i32> {
      %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
      if %c {
        %t = print_tko "skip" -> token
        continue
      }
      %t2 = print_tko "rest" -> token
    }
  }

  // Both ifs on one comparison are decided by one split.
  // CHECK-LABEL: entry @two_ifs
  // CHECK: for
  // CHECK-NEXT: print_tko "a"
  // CHECK-NEXT: print_tko "b"
  // CHECK-NEXT: print_tko "c"
  // CHECK-NEXT: }
  // CHECK-NEXT: for
  // CHECK-NEXT: print_tko "b"
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  entry @two_ifs(%ub: tile<i32>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    for %i in (%c0 to %ub, step %c1) : tile<i32> {
      %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
      if %c {
        %t = print_tko "a" -> token
      }
      %tb = print_tko "b" -> token
      if %c {
        %t = print_tko "c" -> token
      }
    }
  }

  // Two comparisons: each half is split again, and no further.
  // CHECK-LABEL: entry @three_bounds
  // CHECK-COUNT-4: for {{.*}} in
  // CHECK-NOT: for {{.*}} in
  // CHECK-LABEL: entry @nest
  entry @three_bounds(%ub: tile<i32>, %n: tile<i32>, %m: tile<i32>, %k: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    for %i in (%c0 to %ub, step %c1) : tile<i32> {
      %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
      if %c {
        %t = print_tko "a" -> token
      }
      %d = cmpi less_than %i, %m, signed : tile<i32> -> tile<i1>
      if %d {
        %t = print_tko "b" -> token
      }
      %e = cmpi less_than %i, %k, signed : tile<i32> -> tile<i1>
      if %e {
        %t = print_tko "c" -> token
      }
    }
  }

  // The inner loop is split at the outer index, which is invariant in it.
  // CHECK: for %[[O:.*]] in
  // CHECK: mini %[[O]]
  // CHECK: for
  // CHECK: for
  // CHECK-NOT: if
  // CHECK-LABEL: entry @equal
  entry @nest(%ub: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    for %o in (%c0 to %ub, step %c1) : tile<i32> {
      for %i in (%c0 to %ub, step %c1) : tile<i32> {
        %c = cmpi less_than %i, %o, signed : tile<i32> -> tile<i1>
        if %c {
          %t = print_tko "a" -> token
        }
      }
    }
  }

  // From here on: not split.
  // CHECK-NOT: maxi
  entry @equal(%ub: tile<i32>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    for %i in (%c0 to %ub, step %c1) : tile<i32> {
      %c = cmpi equal %i, %n, signed : tile<i32> -> tile<i1>
      if %c {
        %t = print_tko "a" -> token
      }
    }
  }
  // CHECK-LABEL: entry @other_signedness
  // CHECK-NOT: maxi
  entry @other_signedness(%ub: tile<i32>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    for %i in (%c0 to %ub, step %c1) : tile<i32> {
      %c = cmpi less_than %i, %n, unsigned : tile<i32> -> tile<i1>
      if %c {
        %t = print_tko "a" -> token
      }
    }
    for unsigned %i in (%c0 to %ub, step %c1) : tile<i32> {
      %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
      if %c {
        %t = print_tko "a" -> token
      }
    }
  }
  // CHECK-LABEL: entry @not_invariant
  // CHECK-NOT: maxi
  entry @not_invariant(%ub: tile<i32>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %r = for %i in (%c0 to %ub, step %c1) : tile<i32> iter_values(%x = %n) -> (tile<i32>) {
      %c = cmpi less_than %i, %x, signed : tile<i32> -> tile<i1>
      if %c {
        %t = print_tko "a" -> token
      }
      %d = cmpi less_than %n, %ub, signed : tile<i32> -> tile<i1>
      if %d {
        %t = print_tko "b" -> token
      }
      %e = cmpi less_than %i, %i, signed : tile<i32> -> tile<i1>
      if %e {
        %t = print_tko "c" -> token
      }
      continue %i : tile<i32>
    }
  }
  // An if under another condition counts as well.
  // CHECK-LABEL: entry @deeper
  // CHECK: maxi
  // CHECK: for
  // CHECK-NEXT: if %arg2 {
  // CHECK-NEXT: print_tko "a"
  // CHECK: for
  // CHECK-NEXT: if %arg2 {
  // CHECK-NEXT: }
  entry @deeper(%ub: tile<i32>, %n: tile<i32>, %b: tile<i1>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    for %i in (%c0 to %ub, step %c1) : tile<i32> {
      if %b {
        %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
        if %c {
          %t = print_tko "a" -> token
        }
      }
    }
  }
  // An empty branch is not worth a second loop.
  // CHECK-LABEL: entry @empty
  // CHECK-NOT: maxi
  entry @empty(%ub: tile<i32>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    for %i in (%c0 to %ub, step %c1) : tile<i32> {
      %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
      if %c {
      }
    }
  }

  // The attribute: on the if first, then on the for, then on the entry; it beats the option.
  // CHECK-LABEL: entry @by_if
  // CHECK: if
  // THREE-LABEL: entry @by_if
  // THREE: if
  // THREE-LABEL: entry @by_for
  // THREE: maxi
  // THREE-LABEL: entry @by_entry
  // THREE: maxi
  entry @by_if(%ub: tile<i32>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    for %i in (%c0 to %ub, step %c1) : tile<i32> {
      %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
      if %c {
        %t = print_tko "a" -> token
      } {cuda_tile.loop_split = 0 : i32}
    } {cuda_tile.loop_split = 1 : i64}
  }
  // CHECK-LABEL: entry @by_for
  // CHECK: maxi
  entry @by_for(%ub: tile<i32>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    for %i in (%c0 to %ub, step %c1) : tile<i32> {
      %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
      if %c {
        %t = print_tko "a" -> token
      }
    } {cuda_tile.loop_split = 1 : i64}
  }
  // CHECK-LABEL: entry @by_entry
  // CHECK: maxi
  // CHECK: } {cuda_tile.loop_split = 1 : i64}
  entry @by_entry(%ub: tile<i32>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    for %i in (%c0 to %ub, step %c1) : tile<i32> {
      %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
      if %c {
        %t = print_tko "a" -> token
      }
    }
  } {cuda_tile.loop_split = 1}
}
