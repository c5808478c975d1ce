// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytecode has no form for functions of tests.
// RUN: tileiras-translate -mlir-to-cudatilebc -cuda-tile-testing-ops -split-input-file -verify-diagnostics %s -o %t

// expected-error @+1 {{only function and global ops are allowed in the body}}
cuda_tile.module @kernels {
  entry @k() {}
  // expected-note @+1 {{invalid op: cuda_tile.testing$func}}
  testing$func @f() {}
}
