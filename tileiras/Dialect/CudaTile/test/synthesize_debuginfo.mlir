// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tileiras-opt %s --split-input-file --synthesize-debug-info-scopes --mlir-print-debuginfo | FileCheck %s
// Once is enough: a second run finds the scopes and changes nothing.
// RUN: tileiras-opt %s --split-input-file --synthesize-debug-info-scopes --synthesize-debug-info-scopes \
// RUN:   --mlir-print-debuginfo | FileCheck %s

// CHECK: global {{.*}} loc(#[[G:.*]])
// CHECK: addi {{.*}} loc(#[[A:.*]])
// CHECK-NEXT: muli {{.*}} loc(#[[A]])
// CHECK-NEXT: subi {{.*}} loc(#[[C:.*]])
// CHECK-NEXT: xori {{.*}} loc(#[[H:.*]])
// CHECK-NEXT: andi {{.*}} loc(#[[C]])
// CHECK-NEXT: ori {{.*}} loc(#[[NONE:.*]])
// CHECK: print_tko {{.*}} loc(#[[C]])
// CHECK: return loc(#[[A]])
// CHECK-NEXT: } loc(#[[F:.*]])
// CHECK-DAG: #[[G]] = loc("/src/a/k.py":1:1)
// CHECK-DAG: #[[NONE]] = loc(unknown)
// CHECK-DAG: #[[FILE:.*]] = #cuda_tile.di_file<"k.py" in "/src/a">
// CHECK-DAG: #[[HELP:.*]] = #cuda_tile.di_file<"h.py" in "/src/b">
// CHECK-DAG: #[[MAIN:.*]] = #cuda_tile.di_file<"main.py" in "">
// CHECK-DAG: #[[CU:.*]] = #cuda_tile.di_compile_unit<file = #[[MAIN]]>
// CHECK-DAG: #[[SP:.*]] = #cuda_tile.di_subprogram<file = #[[FILE]], line = 4, name = "k", linkageName = "k", compileUnit = #[[CU]], scopeLine = 4>
// CHECK-DAG: #[[BLOCK:.*]] = #cuda_tile.di_lexical_block<scope = #[[SP]], file = #[[HELP]], line = 70, column = 2>
// CHECK-DAG: #[[P4:.*]] = loc("/src/a/k.py":4:1)
// CHECK-DAG: #[[P5:.*]] = loc("/src/a/k.py":5:3)
// CHECK-DAG: #[[P6:.*]] = loc("/src/a/k.py":6:9)
// CHECK-DAG: #[[P70:.*]] = loc("/src/b/h.py":70:2)
// CHECK-DAG: #[[F]] = #cuda_tile.di_loc<#[[P4]] in #[[SP]]>
// CHECK-DAG: #[[A]] = #cuda_tile.di_loc<#[[P5]] in #[[SP]]>
// CHECK-DAG: #[[C]] = #cuda_tile.di_loc<#[[P6]] in #[[SP]]>
// CHECK-DAG: #[[H]] = #cuda_tile.di_loc<#[[P70]] in #[[BLOCK]]>
cuda_tile.module @m {
  global @g <i32: 1> : tile<1xi32> loc("/src/a/k.py":1:1)
  entry @k(%a: tile<i32>, %b: tile<i1>) {
    %0 = addi %a, %a : tile<i32> loc("/src/a/k.py":5:3)
    %1 = muli %a, %a : tile<i32> loc("name"("/src/a/k.py":5:3))
    %2 = subi %a, %a : tile<i32> loc(fused["/src/a/k.py":6:9, "/src/a/k.py":5:3])
    %3 = xori %a, %a : tile<i32> loc("/src/b/h.py":70:2)
    %4 = andi %a, %a : tile<i32> loc(callsite("/src/b/h.py":70:2 at "/src/a/k.py":6:9))
    %5 = ori %a, %a : tile<i32> loc(unknown)
    if %b {
      %t = print_tko "x" -> token loc("/src/a/k.py":6:9)
      yield loc("/src/a/k.py":6:9)
    } loc("/src/a/k.py":5:3)
    return loc("/src/a/k.py":5:3)
  } loc("/src/a/k.py":4:1)
} loc("main.py":1:1)

// -----

// An entry without a position of its own takes the first one inside; without a position in the module its file is the
// compile unit's. An entry without any position is a subprogram of an unknown file.
// CHECK: entry @found
// CHECK-NEXT: addi {{.*}} loc(#[[A:.*]])
// CHECK: } loc(#[[A]])
// CHECK-NEXT: entry @none
// CHECK-NEXT: return loc(#[[NONE:.*]])
// CHECK-NEXT: } loc(#[[U:.*]])
// CHECK-DAG: #[[NONE]] = loc(unknown)
// CHECK-DAG: #[[UFILE:.*]] = #cuda_tile.di_file<"<unknown>" in "">
// CHECK-DAG: #[[USP:.*]] = #cuda_tile.di_subprogram<file = #[[UFILE]], line = 1, name = "none", linkageName = "none",
// CHECK-DAG: #[[U]] = #cuda_tile.di_loc<{{.*}} in #[[USP]]>
// CHECK-DAG: #[[FILE:.*]] = #cuda_tile.di_file<"b.py" in "d">
// CHECK-DAG: #[[CU:.*]] = #cuda_tile.di_compile_unit<file = #[[FILE]]>
// CHECK-DAG: #[[SP:.*]] = #cuda_tile.di_subprogram<file = #[[FILE]], line = 9, name = "found", linkageName = "found", compileUnit = #[[CU]], scopeLine = 9>
// CHECK-DAG: #[[P:.*]] = loc("d/b.py":9:9)
// CHECK-DAG: #[[A]] = #cuda_tile.di_loc<#[[P]] in #[[SP]]>
cuda_tile.module @m {
  entry @found(%a: tile<i32>) {
    %0 = addi %a, %a : tile<i32> loc("d/b.py":9:9)
    return loc(unknown)
  } loc(unknown)
  entry @none() {
    return loc(unknown)
  } loc(unknown)
} loc(unknown)

// -----

// Scopes that are there already stay.
// CHECK: entry @k
// CHECK-NEXT: addi {{.*}} loc(#[[A:.*]])
// CHECK-DAG: #[[A]] = loc("a.py":4:1)
// CHECK-DAG: #{{.*}} = #cuda_tile.di_subprogram<{{.*}} line = 3, name = "pretty"
// CHECK-NOT: di_subprogram<
#f = #cuda_tile.di_file<"a.py" in "/src">
#cu = #cuda_tile.di_compile_unit<file = #f>
#sp = #cuda_tile.di_subprogram<file = #f, line = 3, name = "pretty", linkageName = "k", compileUnit = #cu>
#loc = #cuda_tile.di_loc<loc("a.py":3:1) in #sp>
cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
    %0 = addi %a, %a : tile<i32> loc("a.py":4:1)
    return loc("a.py":5:1)
  } loc(#loc)
} loc(unknown)
