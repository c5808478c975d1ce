// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one, four and sixty-four bits need that thirty-two do not.
// RUN: tileiras-opt %s -convert-cudatile-to-tileaa=compute-capability=sm_90 | FileCheck %s

cuda_tile.module @kernels {
  // LLVM makes a guarded shift one PTX shift and forgets the upper half of a 64-bit amount; masked, it is not recognised.
  // CHECK-LABEL: nv_tileaa.func @shifts
  entry @shifts(%x: tile<i64>, %n: tile<i64>) {
    // CHECK: %[[IN:.*]] = arith.cmpi ult, %arg1, %{{.*}} : i64
    // CHECK: %[[LOW:.*]] = arith.andi %arg1, %{{.*}} : i64
    // CHECK: %[[S:.*]] = arith.shli %arg0, %[[LOW]]
    // CHECK: arith.select %[[IN]], %[[S]]
    %0 = shli %x, %n : tile<i64>
    // CHECK: arith.andi
    // CHECK: arith.shrui
    %1 = shri %x, %n unsigned : tile<i64>
    %p = int_to_ptr %0 : tile<i64> -> tile<ptr<i64>>
    %t = store_ptr_tko weak %p, %1 : tile<ptr<i64>>, tile<i64> -> token
  }

  // scf.for counts with a positive signed step, which one bit does not hold.
  // CHECK-LABEL: nv_tileaa.func @counts
  entry @counts(%p: tile<ptr<i1>>) {
    // CHECK: %[[LO:.*]] = arith.extui %{{.*}} : i1 to i32
    // CHECK: %[[HI:.*]] = arith.extui %{{.*}} : i1 to i32
    // CHECK: %[[STEP:.*]] = arith.extui %{{.*}} : i1 to i32
    // CHECK: scf.for unsigned %[[I:.*]] = %[[LO]] to %[[HI]] step %[[STEP]]
    // CHECK: arith.trunci %[[I]] : i32 to i1
    %no = constant <i1: false> : tile<i1>
    %yes = constant <i1: true> : tile<i1>
    for unsigned %i in (%no to %yes, step %yes) : tile<i1> {
      %t = store_ptr_tko weak %p, %i : tile<ptr<i1>>, tile<i1> -> token
    }
  }

  // CHECK-LABEL: nv_tileaa.func @nibbles(%arg0: i8,
  entry @nibbles(%x: tile<i4>, %p: tile<ptr<i8>>) {
    // CHECK: %[[X:.*]] = arith.trunci %arg0 : i8 to i4
    // CHECK: arith.extsi %[[X]] : i4 to i8
    %y = exti %x signed : tile<i4> -> tile<i8>
    %t = store_ptr_tko weak %p, %y : tile<ptr<i8>>, tile<i8> -> token
  }
}
