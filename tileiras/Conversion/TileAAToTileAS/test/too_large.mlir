// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(convert-tileaa-to-tileas))' -verify-diagnostics

nv_tileaa.func @too_large(%x: f32) {
  // expected-error @below {{tile of 262144 elements needs 2048 registers in each of 128 threads; at most 1024 elements per thread are supported}}
  %t = nv_tileaa.splat %x : f32 -> tensor<512x512xf32>
  nv_tileaa.return
}
