// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tileiras-opt %s -allow-unregistered-dialect -tileir-guard-loop-counters | FileCheck %s

gpu.module @m {
  // The last step ends at the upper bound.
  // CHECK-LABEL: func @may_wrap
  // CHECK: scf.while (%[[I:.*]] = %arg0, %[[A:.*]] = %arg2)
  // CHECK:   arith.cmpi slt, %[[I]], %arg1
  // CHECK: ^bb0(%[[J:.*]]: i32, %[[B:.*]]: i32):
  // CHECK:   %[[SUM:.*]] = arith.addi %[[B]], %[[J]]
  // CHECK:   %[[ROOM:.*]] = arith.subi %arg1, %[[J]]
  // CHECK:   %[[STEP:.*]] = arith.minui %{{.*}}, %[[ROOM]]
  // CHECK:   %[[NEXT:.*]] = arith.addi %[[J]], %[[STEP]]
  // CHECK:   scf.yield %[[NEXT]], %[[SUM]]
  func.func @may_wrap(%lower: i32, %upper: i32, %start: i32) -> i32 {
    %step = arith.constant 8 : i32
    %r = scf.for %i = %lower to %upper step %step iter_args(%x = %start) -> (i32) : i32 {
      %y = arith.addi %x, %i : i32
      scf.yield %y : i32
    }
    return %r : i32
  }

  // CHECK-LABEL: func @unsigned_constants
  // CHECK: scf.while
  // CHECK: arith.cmpi ult
  func.func @unsigned_constants() {
    %lower = arith.constant 250 : i8
    %upper = arith.constant 255 : i8
    %step = arith.constant 2 : i8
    scf.for unsigned %i = %lower to %upper step %step : i8 {
      "test.use"(%i) : (i8) -> ()
    }
    return
  }

  // Two loops, each handing on the other's values.
  // CHECK-LABEL: func @nested
  // CHECK: scf.while (%{{.*}} = %arg0, %[[P:.*]] = %arg2, %[[Q:.*]] = %arg3)
  // CHECK: ^bb0(%{{.*}}: i64, %[[C:.*]]: i64, %[[D:.*]]: i64):
  // CHECK:   scf.while (%{{.*}} = %arg0, %{{.*}} = %[[D]])
  // CHECK:   scf.yield %{{.*}}, %[[D]], %[[C]]
  func.func @nested(%lower: i64, %step: i64, %a: i64, %b: i64) -> i64 {
    %upper = arith.constant 5 : i64
    %r:2 = scf.for %i = %lower to %upper step %step iter_args(%p = %a, %q = %b) -> (i64, i64) : i64 {
      %s = scf.for %j = %lower to %upper step %step iter_args(%t = %q) -> (i64) : i64 {
        scf.yield %t : i64
      }
      "test.use"(%s) : (i64) -> ()
      scf.yield %q, %p : i64, i64
    }
    return %r#0 : i64
  }

  // One step below the upper bound there is always room for one more; constants that leave room for the step.
  // CHECK-LABEL: func @cannot_wrap
  // CHECK-NOT: scf.while
  // CHECK: scf.for
  // CHECK-NOT: scf.while
  // CHECK: scf.for
  // CHECK-NOT: scf.while
  // CHECK: return
  func.func @cannot_wrap(%lower: i32, %upper: i32) {
    %one = arith.constant 1 : i32
    %hundred = arith.constant 100 : i32
    %many = arith.constant 2147483548 : i32
    scf.for %i = %lower to %upper step %one : i32 {
      "test.use"(%i) : (i32) -> ()
    }
    scf.for %i = %lower to %many step %hundred : i32 {
      "test.use"(%i) : (i32) -> ()
    }
    return
  }
}
