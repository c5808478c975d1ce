// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(nv_tileaa.func(tileas-remove-buffer-alias))'

// Tiles that change places.
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
nv_tileaa.func @exchanged(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = nv_tileas.alloc_tensor : tensor<64xf32, #s>
  %b = nv_tileas.alloc_tensor : tensor<64xf32, #s>
  // expected-error @below {{Yielded alias not implemented yet}}
  %e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<64xf32, #s>, tensor<64xf32, #s>) : i32 {
    scf.yield %y, %x : tensor<64xf32, #s>, tensor<64xf32, #s>
  }
  nv_tileaa.return
}

// -----

#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
#h = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16]]>
nv_tileaa.func @other(%c: i1, %i: i32) -> tensor<32xf32, #h> {
  %a = nv_tileas.alloc_tensor : tensor<64xf32, #s>
  %b = nv_tileas.alloc_tensor : tensor<64xf32, #s>
  %t = arith.select %c, %a, %b : tensor<64xf32, #s>
  // expected-error @below {{RemoveBufferAlias: not supported operation type}}
  %v = nv_tileas.extract_slice %t[%i] : tensor<64xf32, #s> -> tensor<32xf32, #h>
  nv_tileaa.return %v : tensor<32xf32, #h>
}
