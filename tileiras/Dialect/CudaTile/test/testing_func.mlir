// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tileiras-opt %s --cuda-tile-testing-ops | FileCheck %s
// RUN: tileiras-opt %s --cuda-tile-testing-ops | tileiras-opt --cuda-tile-testing-ops | FileCheck %s
// RUN: tileiras-opt %s --cuda-tile-testing-ops --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tileiras-opt %s --cuda-tile-testing-ops --mlir-print-op-generic | tileiras-opt --cuda-tile-testing-ops | FileCheck %s
// Passes of functions run on it as on kernels.
// RUN: tileiras-opt %s --pass-pipeline='builtin.module(cuda_tile.module(cuda_tile.testing$func(fuse-fma)))' \
// RUN:   --cuda-tile-testing-ops | FileCheck %s --check-prefix=FMA
// RUN: tileiras-opt %s --canonicalize --cuda-tile-testing-ops | FileCheck %s --check-prefix=CANON
// RUN: tileiras-opt %s --pass-pipeline='builtin.module(cuda_tile.module(cuda_tile.testing$func(loop-split)))' \
// RUN:   --cuda-tile-testing-ops | FileCheck %s --check-prefix=SPLIT

// CHECK-LABEL: cuda_tile.module @m
cuda_tile.module @m {
  // The return is written even where the source leaves it out.
  // CHECK: testing$func @empty() {
  // CHECK-NEXT: return
  // CHECK-NEXT: }
  // GENERIC: "cuda_tile.testing$func"() <{function_type = () -> (), sym_name = "empty"}> ({
  // GENERIC-NEXT: "cuda_tile.return"() : () -> ()
  testing$func @empty() {}

  // CHECK: testing$func @no_results() {
  testing$func @no_results() -> () {
  }

  // Arguments that a kernel could not have, in both spellings.
  // CHECK: testing$func @arguments(%{{.*}}: tile<4x8xf32>, %{{.*}}: tensor_view<?x16xf32, strides=[16,1]>, %{{.*}}: partition_view<tile=(4x2), tensor_view<8x16xf32, strides=[16,1]>>, %{{.*}}: token, %{{.*}}: i32) {
  // GENERIC: function_type = (!cuda_tile.tile<4x8xf32>, !cuda_tile.tensor_view<?x16xf32, strides=[16,1]>,
  testing$func @arguments(%a: !cuda_tile.tile<4x8xf32>, %b: tensor_view<?x16xf32, strides=[16,1]>,
                          %c: partition_view<tile=(4x2), tensor_view<8x16xf32, strides=[16,1]>>, %d: token,
                          %e: i32) {
    return
  }

  // CHECK: testing$func @one(%[[A:.*]]: tile<4xf32>) -> tile<4xf32> {
  // CHECK-NEXT: return %[[A]] : tile<4xf32>
  // GENERIC: function_type = (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>, sym_name = "one"
  // GENERIC: "cuda_tile.return"(%{{.*}}) : (!cuda_tile.tile<4xf32>) -> ()
  testing$func @one(%a: tile<4xf32>) -> tile<4xf32> {
    return %a : tile<4xf32>
  }

  // CHECK: testing$func @two(%[[A:.*]]: tile<4xf32>, %[[T:.*]]: token) -> (token, tile<4xf32>) {
  // CHECK-NEXT: return %[[T]], %[[A]] : token, tile<4xf32>
  testing$func @two(%a: tile<4xf32>, %t: token) -> (token, tile<4xf32>) {
    return %t, %a : token, tile<4xf32>
  }

  // A result that is a function keeps its parentheses.
  // CHECK: testing$func @function(%{{.*}}: () -> i32) -> (() -> i32) {
  testing$func @function(%f: () -> i32) -> (() -> i32) {
    return %f : () -> i32
  }

  // CHECK: testing$func @attributes(%{{.*}}: tile<i32> {test.a = 1 : i32}) -> (tile<i32> {test.b}, tile<i32>) attributes {test.c = "x"} {
  testing$func @attributes(%a: tile<i32> {test.a = 1 : i32}) -> (tile<i32> {test.b}, tile<i32>)
      attributes {test.c = "x"} {
    return %a, %a : tile<i32>, tile<i32>
  }

  // CHECK: testing$func @one_attribute(%{{.*}}: tile<i32>) -> (tile<i32> {test.b}) {
  testing$func @one_attribute(%a: tile<i32>) -> (tile<i32> {test.b}) {
    return %a : tile<i32>
  }

  // Values leave from below branches and loops as well.
  // CHECK: testing$func @early
  // CHECK: if %{{.*}} {
  // CHECK-NEXT: return %[[X:.*]] : tile<i32>
  // CHECK: loop {
  // CHECK-NEXT: return %[[X]] : tile<i32>
  testing$func @early(%c: tile<i1>, %x: tile<i32>) -> tile<i32> {
    if %c {
      return %x : tile<i32>
    }
    loop {
      return %x : tile<i32>
    }
    return %x : tile<i32>
  }

  // FMA-LABEL: testing$func @fma
  // FMA-NEXT: %[[R:.*]] = fma %arg0, %arg1, %arg2 : tile<4xf32>
  // FMA-NEXT: return %[[R]] : tile<4xf32>
  testing$func @fma(%a: tile<4xf32>, %b: tile<4xf32>, %c: tile<4xf32>) -> tile<4xf32> {
    %p = mulf %a, %b : tile<4xf32>
    %r = addf %p, %c : tile<4xf32>
    return %r : tile<4xf32>
  }

  // CANON-LABEL: testing$func @fold
  // CANON-NEXT: %[[C:.*]] = constant <i32: 5> : tile<i32>
  // CANON-NEXT: return %[[C]] : tile<i32>
  testing$func @fold() -> tile<i32> {
    %t = constant <i1: true> : tile<i1>
    %a = constant <i32: 5> : tile<i32>
    %b = constant <i32: 6> : tile<i32>
    %r = select %t, %a, %b : tile<i1>, tile<i32>
    return %r : tile<i32>
  }

  // SPLIT-LABEL: testing$func @split
  // SPLIT: for
  // SPLIT-NOT: if
  // SPLIT: for
  // SPLIT-NOT: if
  // SPLIT: return
  // SPLIT-LABEL: entry @neighbour
  testing$func @split(%n: tile<i32>, %lb: tile<i32>, %ub: tile<i32>, %step: tile<i32>) {
    for %i in (%lb to %ub, step %step) : tile<i32> {
      %below = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
      if %below {
        %t = print_tko "below" -> token
      } else {
        %t = print_tko "above" -> token
      }
    }
  }

  // Kernels stand beside it as before.
  // CHECK: entry @neighbour(%{{.*}}: tile<i32>) {
  entry @neighbour(%a: tile<i32>) {}
}
