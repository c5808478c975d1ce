// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Debug-info attributes print as aliases and read back.
// RUN: tileiras-opt %s -mlir-print-debuginfo | FileCheck %s
// RUN: tileiras-opt %s -mlir-print-debuginfo | tileiras-opt -mlir-print-debuginfo | FileCheck %s
// RUN: tileiras-opt %s -mlir-print-debuginfo -mlir-print-op-generic | tileiras-opt -mlir-print-debuginfo | FileCheck %s

#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 3, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 4>
#inner = #cuda_tile.di_subprogram<file = #file, line = 30, name = "f", linkageName = "f", compileUnit = #unit>
#block = #cuda_tile.di_lexical_block<scope = #sub, file = #file, line = 5, column = 2>
#nested = #cuda_tile.di_lexical_block<scope = #block, file = #file, line = 6>

// CHECK-DAG: #[[FILE:.*]] = #cuda_tile.di_file<"a.py" in "/src">
// CHECK-DAG: #[[UNIT:.*]] = #cuda_tile.di_compile_unit<file = #[[FILE]]>
// CHECK-DAG: #[[SUB:.*]] = #cuda_tile.di_subprogram<file = #[[FILE]], line = 3, name = "k", linkageName = "k", compileUnit = #[[UNIT]], scopeLine = 4>
// CHECK-DAG: #[[INNER:.*]] = #cuda_tile.di_subprogram<file = #[[FILE]], line = 30, name = "f", linkageName = "f", compileUnit = #[[UNIT]]>
// CHECK-DAG: #[[BLOCK:.*]] = #cuda_tile.di_lexical_block<scope = #[[SUB]], file = #[[FILE]], line = 5, column = 2>
// CHECK-DAG: #[[NESTED:.*]] = #cuda_tile.di_lexical_block<scope = #[[BLOCK]], file = #[[FILE]], line = 6>

cuda_tile.module @m {
  entry @k(%x: tile<i32> loc("a.py":3:8)) {
    %0 = iota : tile<8xi32> loc(#cuda_tile.di_loc<loc("a.py":6:3) in #nested>)
    %1 = iota : tile<4xi32> loc(callsite(#cuda_tile.di_loc<loc("a.py":31:3) in #inner> at #cuda_tile.di_loc<loc("a.py":7:3) in #sub>))
    return
  } loc(#cuda_tile.di_loc<loc("a.py":3:1) in #sub>)
}
// CHECK-DAG: #[[L0:.*]] = #cuda_tile.di_loc<{{.*}} in #[[NESTED]]>
// CHECK-DAG: #[[A:.*]] = #cuda_tile.di_loc<{{.*}} in #[[INNER]]>
// CHECK-DAG: #[[L1:.*]] = loc(callsite(#[[A]] at #{{.*}}))
// CHECK-DAG: iota : tile<8xi32> loc(#[[L0]])
// CHECK-DAG: iota : tile<4xi32> loc(#[[L1]])
// CHECK-DAG: entry @k(%arg0 loc("a.py":3:8): tile<i32>) {
