// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-optimize-alloc-tensor)))' | FileCheck %s

// Agents run at the same time: their tiles never share bytes. Those of one agent do, one after the other, and what was
// used up before the agents began may be used again.
#r = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
gpu.module @kernels {
  // CHECK-LABEL: @agents
  // CHECK: alloc_tensor {offset = 0 : i64}
  // CHECK: alloc_tensor {offset = 0 : i64}
  // CHECK: agent_switch
  // CHECK: alloc_tensor {offset = 256 : i64}
  // CHECK: alloc_tensor {offset = 256 : i64}
  // CHECK: }, {
  // CHECK: alloc_tensor {offset = 512 : i64}
  // CHECK: }
  // CHECK: alloc_tensor {offset = 0 : i64}
  nv_tileaa.func @agents() {
    %v = arith.constant dense<1.0> : tensor<64xf32, #r>
    %before = nv_tileas.alloc_tensor : tensor<64xf32, #m>
    nv_tileas.copy %v, %before : tensor<64xf32, #r>, tensor<64xf32, #m>
    %between = nv_tileas.alloc_tensor : tensor<64xf32, #m>
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>} {
      %a = nv_tileas.alloc_tensor : tensor<64xf32, #m>
      nv_tileas.copy %v, %a : tensor<64xf32, #r>, tensor<64xf32, #m>
      %b = nv_tileas.alloc_tensor : tensor<64xf32, #m>
      nv_tileas.copy %v, %b : tensor<64xf32, #r>, tensor<64xf32, #m>
      nv_tileas.copy %v, %between : tensor<64xf32, #r>, tensor<64xf32, #m>
    }, {
      %c = nv_tileas.alloc_tensor : tensor<64xf32, #m>
      nv_tileas.copy %v, %c : tensor<64xf32, #r>, tensor<64xf32, #m>
    }
    %after = nv_tileas.alloc_tensor : tensor<64xf32, #m>
    nv_tileas.copy %v, %after : tensor<64xf32, #r>, tensor<64xf32, #m>
    nv_tileaa.return
  }
}

// -----

// A layout may span fewer warps than the code has, not more.
#of_eight = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64], [128]]>
gpu.module @kernels {
  nv_tileaa.func @too_wide() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 12, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %all = arith.constant dense<1.0> : tensor<256xf32, #of_eight>
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 8>} {
      // expected-error @below {{is spread over 8 warps, the code that uses it is run by 4}}
      %some = arith.constant dense<1.0> : tensor<256xf32, #of_eight>
    }, {
      %fit = arith.constant dense<1.0> : tensor<256xf32, #of_eight>
    }
    nv_tileaa.return
  }
}
