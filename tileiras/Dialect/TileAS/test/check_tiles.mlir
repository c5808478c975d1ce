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

// -----

// Shape operations move nothing between threads.
#a = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0], [0]]>
#b = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [0, 0]]>
#c = #nv_tileas.linear<rank = 2, register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [2, 0], [4, 0]], warp = [[0, 0], [0, 0]]>
nv_tileaa.func @view(%x: tensor<64xf32, #a>) {
  // The rows of #b are what lanes of #a have next to each other.
  %y = nv_tileaa.view %x : tensor<64xf32, #a> -> tensor<8x8xf32, #b>
  // expected-error @below {{layouts of operand and result disagree between threads}}
  %z = nv_tileaa.view %x : tensor<64xf32, #a> -> tensor<8x8xf32, #c>
  nv_tileaa.return
}

// -----

#b = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [0, 0]]>
#t = #nv_tileas.linear<rank = 2, register = [[1, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0]]>
nv_tileaa.func @permute(%x: tensor<8x8xf32, #b>) {
  %y = nv_tileaa.permute %x [1, 0] : tensor<8x8xf32, #b> -> tensor<8x8xf32, #t>
  // expected-error @below {{layouts of operand and result disagree between threads}}
  %z = nv_tileaa.permute %x [1, 0] : tensor<8x8xf32, #b> -> tensor<8x8xf32, #b>
  nv_tileaa.return
}

// -----

#b = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [0, 0]]>
#row = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>
#other = #nv_tileas.linear<rank = 2, register = [[0, 4]], lane = [[0, 1], [0, 2], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>
nv_tileaa.func @broadcast(%x: tensor<1x8xf32, #row>, %y: tensor<1x8xf32, #other>) {
  %z = nv_tileaa.broadcast %x : tensor<1x8xf32, #row> -> tensor<8x8xf32, #b>
  // expected-error @below {{layouts of operand and result disagree between threads}}
  %w = nv_tileaa.broadcast %y : tensor<1x8xf32, #other> -> tensor<8x8xf32, #b>
  nv_tileaa.return
}
