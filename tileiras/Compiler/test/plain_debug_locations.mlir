// Locations that MLIR's debug-scope pass meets a null position in: they are reduced before it.
// RUN: tileiras-opt %s -tileir-plain-debug-locations -mlir-print-debuginfo | FileCheck %s
// RUN: tileiras-opt %s -tileir-plain-debug-locations -ensure-debug-info-scope-on-llvm-func | FileCheck %s --check-prefix=SCOPES

// A global that stands for something in an inlined function: the text of an assertion.
// CHECK: llvm.mlir.global internal constant @text(1 : i32) {{.*}} loc(#[[INNER:loc[0-9]*]])
llvm.mlir.global internal constant @text(1 : i32) : i32 loc(callsite("a.py":1:2 at "a.py":3:4))
// CHECK: llvm.func @declared(!llvm.ptr) loc(#[[INNER]])
llvm.func @declared(!llvm.ptr) loc(callsite("a.py":1:2 at "a.py":3:4))

// CHECK-LABEL: llvm.func @f
// SCOPES-LABEL: llvm.func @f
llvm.func @f() -> i32 {
  // Constants that were merged, of one function inlined twice.
  // CHECK: llvm.mlir.constant(1 : i32) : i32 loc(#[[SITE:loc[0-9]*]])
  %0 = llvm.mlir.constant(1 : i32) : i32 loc(fused[callsite("a.py":1:2 at "a.py":3:4), callsite("a.py":1:2 at "a.py":5:4)])
  // CHECK: llvm.mlir.constant(2 : i32) : i32 loc(#[[SITE]])
  %1 = llvm.mlir.constant(2 : i32) : i32 loc(callsite(fused<"CSE">["a.py":1:2, "a.py":7:7] at "caller"("a.py":3:4)))
  // A callee without a position.
  // CHECK: llvm.mlir.constant(3 : i32) : i32 loc(#[[CALL:loc[0-9]*]])
  %2 = llvm.mlir.constant(3 : i32) : i32 loc(callsite(unknown at "a.py":3:4))
  // CHECK: llvm.mlir.constant(4 : i32) : i32 loc(#[[UNKNOWN:loc[0-9]*]])
  %3 = llvm.mlir.constant(4 : i32) : i32 loc(fused[unknown, "nothing"])
  llvm.return %0 : i32 loc("name"("a.py":9:1))
} loc("a.py":3:1)

// CHECK-DAG: #[[INNER]] = loc("a.py":1:2)
// CHECK-DAG: #[[CALL]] = loc("a.py":3:4)
// CHECK-DAG: #[[SITE]] = loc(callsite(#[[INNER]] at #[[CALL]]))
// CHECK-DAG: #[[UNKNOWN]] = loc(unknown)
