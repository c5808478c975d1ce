// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-optimize-alloc-tensor)))' -verify-diagnostics

#r = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!tile = tensor<64xf32, #m>
gpu.module @kernels {
  nv_tileaa.func @leaves(%v: tensor<64xf32, #r>) -> !tile {
    // expected-error @+1 {{fails to resolve lifetime: nv_tileaa.return passes the tile on to where it cannot be followed}}
    %a = nv_tileas.alloc_tensor : !tile
    nv_tileas.copy %v, %a : tensor<64xf32, #r>, !tile
    // expected-note @+1 {{here}}
    nv_tileaa.return %a : !tile
  }
}
