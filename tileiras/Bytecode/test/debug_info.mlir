// Locations with scopes survive; positions without a scope are dropped, as the format has no place for them.
// RUN: tileiras-translate -test-cudatile-roundtrip -no-implicit-module --mlir-print-debuginfo %s > %t.1
// RUN: FileCheck %s --input-file=%t.1
// RUN: FileCheck %s --input-file=%t.1 --check-prefix=SCOPE
// RUN: tileiras-translate -test-cudatile-roundtrip -no-implicit-module --mlir-print-debuginfo %t.1 | diff %t.1 -
// RUN: tileiras-translate -test-cudatile-roundtrip -no-implicit-module --mlir-print-debuginfo --bytecode-version=13.1 %s | diff %t.1 -

#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 3, name = "kernel", linkageName = "k", compileUnit = #unit, scopeLine = 4>
#block = #cuda_tile.di_lexical_block<scope = #sub, file = #file, line = 5, column = 2>
#callee = loc(#cuda_tile.di_loc<loc("b.py":70:1) in #sub>)
#caller = loc(#cuda_tile.di_loc<loc("a.py":7:3) in #block>)

// SCOPE-DAG: #[[FILE:.*]] = #cuda_tile.di_file<"a.py" in "/src">
// SCOPE-DAG: #[[UNIT:.*]] = #cuda_tile.di_compile_unit<file = #[[FILE]]>
// SCOPE-DAG: #[[SUB:.*]] = #cuda_tile.di_subprogram<file = #[[FILE]], line = 3, name = "kernel", linkageName = "k", compileUnit = #[[UNIT]], scopeLine = 4>
// SCOPE-DAG: #[[BLOCK:.*]] = #cuda_tile.di_lexical_block<scope = #[[SUB]], file = #[[FILE]], line = 5, column = 2>
cuda_tile.module @kernels {
  // CHECK: entry @k(%[[N:[a-z0-9]+]]
  entry @k(%n: tile<i32>) {
    // CHECK: addi %[[N]], %[[N]] : tile<i32> loc(#[[A:.*]])
    %0 = addi %n, %n : tile<i32> loc(#cuda_tile.di_loc<loc("a.py":6:5) in #block>)
    // CHECK: muli {{.*}} loc(#[[CALL:.*]])
    %1 = muli %0, %n : tile<i32> loc(callsite(#callee at #caller))
    // CHECK: subi {{.*}} loc(#[[UNKNOWN:.*]])
    %2 = subi %1, %n : tile<i32> loc("elsewhere.py":1:1)
    // CHECK: return loc(#[[UNKNOWN]])
    return
  // CHECK: } loc(#[[K:.*]])
  } loc(#cuda_tile.di_loc<loc("a.py":3:1) in #sub>)
}
// SCOPE-DAG: #[[A:.*]] = loc("a.py":6:5)
// SCOPE-DAG: = #cuda_tile.di_loc<#[[A]] in #[[BLOCK]]>
// SCOPE-DAG: = loc(callsite(
// SCOPE-DAG: #[[K:.*]] = loc("a.py":3:1)
// SCOPE-DAG: = #cuda_tile.di_loc<#[[K]] in #[[SUB]]>
// SCOPE-NOT: elsewhere
