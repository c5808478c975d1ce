// RUN: tileiras-opt %s -split-input-file -convert-nv-tile-func-to-llvm -verify-diagnostics

#spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>
module attributes {nv_tileaa.compute_capability = 90 : i64, nv_tileaa.target_spec = "sm_90a"} {
  nv_tileaa.func @returns_value() -> i32 attributes {nv_tileaa.kernel_spec = #spec} {
    %c = arith.constant 1 : i32
    // expected-error @below {{Kernel functions do not support return with operands}}
    // expected-error @below {{failed to legalize operation 'nv_tileaa.return'}}
    nv_tileaa.return %c : i32
  }
}

// -----

// expected-error @below {{failed to convert function signature type for: 'tensor<4xf32>'}}
// expected-error @below {{failed to legalize operation 'nv_tileaa.func'}}
nv_tileaa.func @no_layout(%t: tensor<4xf32>) {
  nv_tileaa.return
}

// -----

// The signature converts, and a later block has a tile without a layout.
// expected-error @below {{region types conversion failed}}
// expected-error @below {{failed to legalize operation 'nv_tileaa.func'}}
nv_tileaa.func @second_block(%x: i32) {
  %t = ub.poison : tensor<4xf32>
  cf.br ^bb1(%t : tensor<4xf32>)
^bb1(%y: tensor<4xf32>):
  nv_tileaa.return
}
