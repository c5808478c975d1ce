// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of several faults of one operation the first in this order is reported, and no other: types of operands and results, then what the
// operation's traits say of them together, then the rest. What a parser knows is reported where it stands in the text.
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

// A type, and shapes that differ.
cuda_tile.module @m {
  entry @f() {
    %a = constant <i32: 1> : tile<4xi32>
    %b = constant <f32: 1.0> : tile<8xf32>
    // expected-error @below {{operand #0 must be tile of}}
    %c = "cuda_tile.addf"(%a, %b) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<8xf32>) -> !cuda_tile.tile<8xf32>
    return
  }
}

// -----

// Shapes that differ, and an integer that does not become wider.
cuda_tile.module @m {
  entry @f() {
    %a = constant <i32: 1> : tile<4xi32>
    // expected-error @below {{failed to verify that all of {from, to} have same shape}}
    %b = "cuda_tile.exti"(%a) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<4xi32>) -> !cuda_tile.tile<8xi32>
    return
  }
}

// -----

// A type of a matrix, and extents that do not fit.
cuda_tile.module @m {
  entry @f() {
    %a = constant <i32: 1> : tile<4x8xi32>
    %b = constant <f32: 1.0> : tile<4x4xf32>
    %c = constant <f32: 0.0> : tile<4x4xf32>
    // expected-error @below {{operand #0 must be mmaf operand tile type of}}
    %d = "cuda_tile.mmaf"(%a, %b, %c) : (!cuda_tile.tile<4x8xi32>, !cuda_tile.tile<4x4xf32>, !cuda_tile.tile<4x4xf32>) -> !cuda_tile.tile<4x4xf32>
    return
  }
}

// -----

// A result of another type than the sums, and extents that do not fit.
cuda_tile.module @m {
  entry @f() {
    %a = constant <f32: 1.0> : tile<4x8xf32>
    %b = constant <f32: 1.0> : tile<4x4xf32>
    %c = constant <f32: 0.0> : tile<4x4xf32>
    // expected-error @below {{failed to verify that all of {acc, result} have same type}}
    %d = "cuda_tile.mmaf"(%a, %b, %c) : (!cuda_tile.tile<4x8xf32>, !cuda_tile.tile<4x4xf32>, !cuda_tile.tile<4x4xf32>) -> !cuda_tile.tile<8x4xf32>
    return
  }
}

// -----

// A type that does not exist is reported where it is written, before anything is known of the operation.
cuda_tile.module @m {
  entry @f(%p: tile<ptr<f32>>) {
    // expected-error @below {{all dimensions must be powers of two, got }}
    %a = constant <f32: 1.0> : tile<3xf32>
    return
  }
}
