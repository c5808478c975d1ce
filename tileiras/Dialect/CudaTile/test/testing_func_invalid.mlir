// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tileiras-opt %s --cuda-tile-testing-ops -split-input-file -verify-diagnostics

cuda_tile.module @m {
  testing$func @f(%a: tile<i32>) -> tile<i32> {
    // expected-error @+1 {{has 2 operands, but enclosing function (@f) returns 1}}
    return %a, %a : tile<i32>, tile<i32>
  }
}

// -----

// The return that the parser adds returns nothing.
cuda_tile.module @m {
  // expected-error @+1 {{has 0 operands, but enclosing function (@f) returns 1}}
  testing$func @f(%a: tile<i32>) -> tile<i32> {
  }
}

// -----

cuda_tile.module @m {
  testing$func @f(%c: tile<i1>, %a: tile<i32>) -> tile<i32> {
    if %c {
      // expected-error @+1 {{has 0 operands, but enclosing function (@f) returns 1}}
      return
    }
    return %a : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  testing$func @f(%a: tile<i32>) -> tile<f32> {
    // expected-error @+1 {{type of return operand 0 ('!cuda_tile.tile<i32>') doesn't match function result type ('!cuda_tile.tile<f32>') in function @f}}
    return %a : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @f(%a: tile<i32>) {
    // expected-error @+1 {{has 1 operands, but enclosing function (@f) returns 0}}
    return %a : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  testing$func @f(%a: tile<i32>) {
    // expected-note @+1 {{see unexpected ancestor operation}}
    for %i in (%a to %a, step %a) : tile<i32> {
      // expected-error @+1 {{must be used within a cuda_tile.testing$func, cuda_tile.entry, or cuda_tile.if operation}}
      return
    }
  }
}

// -----

// Only functions of this dialect.
// expected-note @+1 {{see unexpected ancestor operation}}
func.func @f() {
  // expected-error @+1 {{must be used within a cuda_tile.testing$func, cuda_tile.entry, or cuda_tile.if operation}}
  cuda_tile.return
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{entry block must have 2 arguments to match function signature}}
  "cuda_tile.testing$func"() <{function_type = (i32, i32) -> (), sym_name = "f"}> ({
  ^bb0(%a: i32):
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{region #0 ('body') failed to verify constraint: region with 1 blocks}}
  "cuda_tile.testing$func"() <{function_type = () -> (), sym_name = "f"}> ({
  }) : () -> ()
}

// -----

cuda_tile.module @m {
  // expected-note @+1 {{see existing symbol definition here}}
  testing$func @f() {}
  // expected-error @+1 {{redefinition of symbol named 'f'}}
  entry @f() {}
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{expected '('}}
  testing$func @f {}
}

// -----

cuda_tile.module @m {
  testing$func @f(%a: tile<i32>) {
    // expected-error @+1 {{symbol's parent must have the SymbolTable trait}}
    testing$func @g() {}
  }
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{expected ')'}}
  testing$func @f() -> (tile<i32> {}
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{expects different type than prior uses}}
  testing$func @f(%a: tile<i32>) -> tile<f32> { return %a : tile<f32> }
  // expected-note @-1 {{prior use here}}
}
