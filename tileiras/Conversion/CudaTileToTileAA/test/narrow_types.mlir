// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one and four bits need that thirty-two do not.
// RUN: tileiras-opt %s -convert-cudatile-to-tileaa=compute-capability=sm_90 | FileCheck %s

cuda_tile.module @kernels {
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
