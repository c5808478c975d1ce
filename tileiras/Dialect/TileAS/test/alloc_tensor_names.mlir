// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-optimize-alloc-tensor)))' | FileCheck %s

// A tile lives as long as it is used under any name; in each case the tile made last would fit into the bytes of the
// first if only uses by its own name counted.

#r = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#h = #nv_tileas.linear<rank = 2, register = [[4, 0]], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = [[0, 0], [0, 0]]>
#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
#n = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!tile = tensor<64xf32, #m>
gpu.module @kernels {
  // CHECK-LABEL: @view
  // CHECK: alloc_tensor {offset = 0 : i64}
  // CHECK: alloc_tensor {offset = 256 : i64}
  nv_tileaa.func @view(%v: tensor<64xf32, #r>) -> tensor<8x8xf32, #h> {
    %a = nv_tileas.alloc_tensor : !tile
    nv_tileas.copy %v, %a : tensor<64xf32, #r>, !tile
    %other = nv_tileas.view %a : !tile -> tensor<8x8xf32, #n>
    %b = nv_tileas.alloc_tensor : !tile
    nv_tileas.copy %v, %b : tensor<64xf32, #r>, !tile
    %x = nv_tileas.convert_layout %other {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : tensor<8x8xf32, #n> -> tensor<8x8xf32, #h>
    nv_tileaa.return %x : tensor<8x8xf32, #h>
  }

  // What a branch chooses.
  // CHECK-LABEL: @branch
  // CHECK: alloc_tensor {offset = 0 : i64}
  // CHECK: alloc_tensor {offset = 256 : i64}
  // CHECK: alloc_tensor {offset = 512 : i64}
  nv_tileaa.func @branch(%v: tensor<64xf32, #r>, %c: i1) -> tensor<64xf32, #r> {
    %a = nv_tileas.alloc_tensor : !tile
    %b = nv_tileas.alloc_tensor : !tile
    nv_tileas.copy %v, %a : tensor<64xf32, #r>, !tile
    nv_tileas.copy %v, %b : tensor<64xf32, #r>, !tile
    %chosen = scf.if %c -> !tile {
      scf.yield %a : !tile
    } else {
      scf.yield %b : !tile
    }
    %d = nv_tileas.alloc_tensor : !tile
    nv_tileas.copy %v, %d : tensor<64xf32, #r>, !tile
    %x = nv_tileas.convert_layout %chosen {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : !tile -> tensor<64xf32, #r>
    nv_tileaa.return %x : tensor<64xf32, #r>
  }

  // What a loop carries: read under the name of an argument, and, made anew in a round, still there in the next.
  // CHECK-LABEL: @loop
  // CHECK: alloc_tensor {offset = 0 : i64}
  // CHECK: scf.for
  // CHECK: alloc_tensor {offset = 256 : i64}
  // CHECK: alloc_tensor {offset = 512 : i64}
  // CHECK: }
  // CHECK: alloc_tensor {offset = 256 : i64}
  nv_tileaa.func @loop(%v: tensor<64xf32, #r>, %n: i32) -> tensor<64xf32, #r> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %a = nv_tileas.alloc_tensor : !tile
    nv_tileas.copy %v, %a : tensor<64xf32, #r>, !tile
    %last, %sum = scf.for %i = %zero to %n step %one iter_args(%tile = %a, %s = %v) -> (!tile, tensor<64xf32, #r>) : i32 {
      %b = nv_tileas.alloc_tensor : !tile
      nv_tileas.copy %s, %b : tensor<64xf32, #r>, !tile
      %x = nv_tileas.convert_layout %tile {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : !tile -> tensor<64xf32, #r>
      %y = nv_tileas.convert_layout %b {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : !tile -> tensor<64xf32, #r>
      %next = nv_tileas.alloc_tensor : !tile
      nv_tileas.copy %x, %next : tensor<64xf32, #r>, !tile
      scf.yield %next, %y : !tile, tensor<64xf32, #r>
    }
    %d = nv_tileas.alloc_tensor : !tile
    nv_tileas.copy %sum, %d : tensor<64xf32, #r>, !tile
    %z = nv_tileas.convert_layout %last {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : !tile -> tensor<64xf32, #r>
    nv_tileaa.return %z : tensor<64xf32, #r>
  }

  // Two agents, one of which reads what the other has written under the name of a capture. Its own tile is made after
  // the last use of the first in program order, and at the same time.
  // CHECK-LABEL: @agents
  // CHECK: alloc_tensor {offset = 0 : i64}
  // CHECK: agent_switch
  // CHECK: }, {
  // CHECK: alloc_tensor {offset = 256 : i64}
  nv_tileaa.func @agents() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %a = nv_tileas.alloc_tensor : !tile
    nv_tileas.async.pipeline.agent_switch %a : !tile attributes {num_warps = array<i32: 4, 4>} {
    ^bb0(%tile: !tile):
      %v = arith.constant dense<1.0> : tensor<64xf32, #r>
      nv_tileas.copy %v, %tile : tensor<64xf32, #r>, !tile
    }, {
    ^bb0(%tile: !tile):
      %v = arith.constant dense<2.0> : tensor<64xf32, #r>
      %own = nv_tileas.alloc_tensor : !tile
      nv_tileas.copy %v, %own : tensor<64xf32, #r>, !tile
    }
    nv_tileaa.return
  }
}
