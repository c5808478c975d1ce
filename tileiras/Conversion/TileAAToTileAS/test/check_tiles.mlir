// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(nv_tileaa.func(convert-tileaa-to-tileas))'

// expected-error @below {{tile of type 'tensor<3x5xf32>': all dimensions must be constants and powers of two}}
nv_tileaa.func @odd(%x: tensor<3x5xf32>) {
  nv_tileaa.return
}

// -----

// expected-error @below {{tile of type 'tensor<?xf32>': all dimensions must be constants and powers of two}}
nv_tileaa.func @dynamic(%x: tensor<?xf32>) {
  nv_tileaa.return
}

// -----

// expected-error @below {{tile of type 'tensor<f32>': all dimensions must be constants and powers of two}}
nv_tileaa.func @rank_zero(%x: tensor<f32>) {
  nv_tileaa.return
}

// -----

// expected-error @below {{expects a power of two of at most 32 warps, got 3}}
nv_tileaa.func @warps() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 3, clusterDim = [1, 1, 1], numCTAs = 1>} {
  nv_tileaa.return
}
