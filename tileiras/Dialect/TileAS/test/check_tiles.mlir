// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(nv_tileaa.func(tileas-legalize-reduce))'
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(nv_tileaa.func(tileas-assign-load-store-layouts))'
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(nv_tileaa.func(tileas-remove-layout-conversions))'
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout))'
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(nv_tileaa.func(tileas-optimize-alloc-tensor))'

// What no pass of this stage can work on is refused with a place and a reason, not with a crash.

// expected-error @below {{tile of type 'tensor<64xf32>' has no layout; convert-tileaa-to-tileas gives it one}}
nv_tileaa.func @no_layout(%x: tensor<64xf32>) {
  %r = nv_tileas.reduce %x {axis = 0 : i32, identities = [0.0 : f32]} : tensor<64xf32> -> f32 {
  ^bb0(%a: f32, %b: f32):
    nv_tileas.yield %a : f32
  }
  nv_tileaa.return
}

// -----

// expected-error @below {{expects a power of two of at most 32 warps, got 3}}
nv_tileaa.func @warps() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 3, clusterDim = [1, 1, 1], numCTAs = 1>} {
  nv_tileaa.return
}
