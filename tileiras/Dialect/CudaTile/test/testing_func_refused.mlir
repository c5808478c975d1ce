// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without its option the dialect has no testing$func, and nothing can bring it back.
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics --cuda-tile-testing-ops=false
// RUN: tileiras-translate -mlir-to-cudatilebc %s -split-input-file -verify-diagnostics -o %t

cuda_tile.module @m {
  // expected-error @+1 {{'cuda_tile.testing$func' is only available with --cuda-tile-testing-ops}}
  testing$func @f() {
  }
}

// -----

// expected-error @+1 {{'cuda_tile.testing$func' is only available with --cuda-tile-testing-ops}}
cuda_tile.testing$func @f() {
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{unregistered operation 'cuda_tile.testing$func' found in dialect ('cuda_tile') that does not allow unknown operations}}
  "cuda_tile.testing$func"() <{function_type = () -> (), sym_name = "f"}> ({
  }) : () -> ()
}
