// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -optimize-execution-unit-mapping | FileCheck %s

gpu.module @kernels {
  // Largest first: no holes between powers of two. The kernel has as many warps as that takes.
  // CHECK-LABEL: @largest_first() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 16,
  // CHECK: agent_strides = array<i32: 4, 4, 8>
  // CHECK-SAME: warp_id = array<i32: 8, 12, 0>
  nv_tileaa.func @largest_first() {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 1, 8>} {}, {}, {}
    nv_tileaa.return
  }
  // Three warps begin at a multiple of four; one more is unused after them, and two after the last.
  // CHECK-LABEL: @holes() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 12,
  // CHECK: agent_strides = array<i32: 4, 4, 4>
  // CHECK-SAME: warp_id = array<i32: 8, 0, 4>
  nv_tileaa.func @holes() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 2, 3, 3>} {}, {}, {}
    nv_tileaa.return
  }
  // What is there stays; agents that follow each other use the same warps.
  // CHECK-LABEL: @given() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8,
  // CHECK: warp_id = array<i32: 2, 0>
  // CHECK: warp_id = array<i32: 0>
  nv_tileaa.func @given() {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 2, 2>, warp_id = array<i32: 2, 0>} {}, {}
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 8>} {}
    nv_tileaa.return
  }
  // CHECK-LABEL: @none()
  // CHECK-NOT: attributes
  nv_tileaa.func @none() {
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @too_many() {
    // expected-error @below {{the agents need 40 warps, a block has at most 32}}
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 32, 8>} {}, {}
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @unknown() {
    // expected-error @below {{expects 'num_warps'}}
    nv_tileas.async.pipeline.agent_switch {}, {}
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  // Called by way of another function and in a loop: four warps each time.
  nv_tileaa.func @helper(%i: i32) {
    nv_tileaa.return
  }
  nv_tileaa.func @other(%i: i32) {
    nv_tileaa.call @helper(%i) : (i32) -> ()
    nv_tileaa.return
  }
  // CHECK-LABEL: @same_warps
  // CHECK: warp_id = array<i32: 0, 4>
  nv_tileaa.func @same_warps(%i: i32, %n: i32) {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>} {
      scf.for %k = %i to %n step %n : i32 {
        nv_tileaa.call @helper(%k) : (i32) -> ()
      }
    }, {
      nv_tileaa.call @other(%i) : (i32) -> ()
    }
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @helper(%i: i32) {
    nv_tileaa.return
  }
  nv_tileaa.func @other(%i: i32) {
    // expected-error @below {{inconsistent numWarps in the agent switch, maybe it is called in different agents with different numWarps}}
    nv_tileaa.call @helper(%i) : (i32) -> ()
    nv_tileaa.return
  }
  nv_tileaa.func @other_warps(%i: i32) {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 2>} {
      nv_tileaa.call @helper(%i) : (i32) -> ()
    }, {
      nv_tileaa.call @other(%i) : (i32) -> ()
    }
    nv_tileaa.return
  }
}
