// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(convert-tileaa-to-tileas))' -verify-diagnostics

nv_tileaa.func @too_large(%x: f32) {
  // expected-error @below {{tile of 1048576 elements needs 8192 registers in each of 128 threads; at most 4096 elements per thread are supported}}
  %t = nv_tileaa.splat %x : f32 -> tensor<1024x1024xf32>
  nv_tileaa.return
}
