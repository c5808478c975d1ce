// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dense literals that must be refused.
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-note @+2 {{add a trailing dot to make the literal a float}}
    // expected-error @below {{unexpected decimal integer literal for a floating point value}}
    %x = constant <f32: 1> : tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expect element type to be one of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got 'i4'}}
    %x = constant <i4: 1> : tile<i4>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{mismatch between the element type: 'i32' and the tile element type 'i64'}}
    %x = constant <i32: 1> : tile<i64>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{inferred shape of elements literal ([3]) does not match type ([8])}}
    %x = constant <i32: [1, 2, 3]> : tile<8xi32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{tensor literal is invalid; ranks are not consistent between elements}}
    %x = constant <i32: [[1, 2], 3]> : tile<2x2xi32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{tensor literal is invalid; ranks are not consistent between elements}}
    %x = constant <i32: [[1, 2], [3]]> : tile<2x2xi32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{integer constant out of range for type}}
    %x = constant <i8: 256> : tile<i8>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{integer constant out of range for type}}
    %x = constant <i8: -129> : tile<i8>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{integer constant out of range for type}}
    %x = constant <i1: 2> : tile<i1>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected integer value}}
    %x = constant <i32: true> : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected integer value}}
    %x = constant <i32: 1.5> : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{result #0 must be tile of i1}}
    %x = constant <i32: 1> : token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{elements hex data size is invalid for provided type: '!cuda_tile.tile<2xi32>'}}
    %x = constant <i32: "0x0102"> : tile<2xi32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected a string of hexadecimal digits starting with 0x}}
    %x = constant <i32: "nothex"> : tile<2xi32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{tensor literal is nested too deeply}}
    %x = constant <i32: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]> : tile<1xi32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{failed to verify that all of {value, result} have same type}}
    %x = "cuda_tile.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> !cuda_tile.tile<2xi32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{Invalid attribute `value` in property conversion: 1 : i32}}
    %x = "cuda_tile.constant"() <{value = 1 : i32}> : () -> !cuda_tile.tile<i32>
  }
}
