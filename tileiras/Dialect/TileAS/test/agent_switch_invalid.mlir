// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

gpu.module @kernels {
  nv_tileaa.func @k(%i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 12, clusterDim = [1, 1, 1], numCTAs = 1>} {
    // expected-error @below {{expects one entry of 'num_warps' per agent, got 1 for 2}}
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4>} {}, {}
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @k(%i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 12, clusterDim = [1, 1, 1], numCTAs = 1>} {
    // expected-error @below {{expects one entry of 'max_regs' per agent, got 3 for 2}}
    nv_tileas.async.pipeline.agent_switch attributes {max_regs = array<i32: 40, 40, 40>} {}, {}
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @k(%i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 12, clusterDim = [1, 1, 1], numCTAs = 1>} {
    // expected-error @below {{expects from 1 to 32 warps for each agent, got 0 for agent 1}}
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 0>} {}, {}
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @k(%i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 12, clusterDim = [1, 1, 1], numCTAs = 1>} {
    // expected-error @below {{expects 'num_warps' where there is 'warp_id'}}
    nv_tileas.async.pipeline.agent_switch attributes {warp_id = array<i32: 0, 4>} {}, {}
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @k(%i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 12, clusterDim = [1, 1, 1], numCTAs = 1>} {
    // expected-error @below {{expects every warp in at most one agent, agent 1 shares warps with one before it}}
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 2>} {}, {}
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @k(%i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
    // expected-error @below {{agent 1 needs warps up to 11, the kernel has 8}}
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 8>, warp_id = array<i32: 0, 4>} {}, {}
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @k(%i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 12, clusterDim = [1, 1, 1], numCTAs = 1>} {
    // expected-error @below {{expects 'max_regs' in steps of 8 from 24 to 256, or 0, got 42}}
    nv_tileas.async.pipeline.agent_switch attributes {max_regs = array<i32: 42, 232>} {}, {}
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @k(%i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 12, clusterDim = [1, 1, 1], numCTAs = 1>} {
    // expected-error @below {{expects 'max_regs' in steps of 8 from 24 to 256, or 0, got 16}}
    nv_tileas.async.pipeline.agent_switch attributes {max_regs = array<i32: 16, 232>} {}, {}
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @k(%i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 12, clusterDim = [1, 1, 1], numCTAs = 1>} {
    // expected-error @below {{expects the same 'max_regs' for agents 0 and 1, which have warps of one warpgroup}}
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 2, 2>, warp_id = array<i32: 0, 2>, max_regs = array<i32: 40, 232>} {}, {}
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @k(%i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 12, clusterDim = [1, 1, 1], numCTAs = 1>} {
    // expected-error @below {{expects different 'barrier_ids', 3 stands twice}}
    nv_tileas.async.pipeline.agent_switch attributes {barrier_ids = array<i32: 3, 3>} {}, {}
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @k(%i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 12, clusterDim = [1, 1, 1], numCTAs = 1>} {
    // expected-error @below {{expects 'barrier_ids' from 1 to 15, or 0 for none, got 16}}
    nv_tileas.async.pipeline.agent_switch attributes {barrier_ids = array<i32: 16, 3>} {}, {}
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @k(%i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 12, clusterDim = [1, 1, 1], numCTAs = 1>} {
    // expected-error @below {{expects the number of agents, 2, to be a multiple of 'num_agents_per_group', got 3}}
    nv_tileas.async.pipeline.agent_switch attributes {num_agents_per_group = 3 : i32} {}, {}
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @k(%i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 12, clusterDim = [1, 1, 1], numCTAs = 1>} {
    // expected-error @below {{along control flow edge from parent to Region #1: region branch point has 1 operands, but region successor needs 0 inputs}}
    // expected-note @below {{region branch point}}
    nv_tileas.async.pipeline.agent_switch %i : i32 {
    ^bb0(%j: i32):
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @k(%i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 12, clusterDim = [1, 1, 1], numCTAs = 1>} {
    // expected-error @below {{region branch point has 1 operands, but region successor needs 0 inputs}}
    nv_tileas.async.pipeline.agent_switch {
      // expected-note @below {{region branch point}}
      nv_tileas.async.pipeline.yield %i : i32
    }
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @k(%i: i32) {
    nv_tileas.async.pipeline.agent_switch attributes {isolated} {
      // expected-error @below {{uses a value from outside of an isolated agent}}
      %j = arith.addi %i, %i : i32
    }
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @k(%i: i32) {
    nv_tileas.async.pipeline.agent_switch {
      // expected-error @below {{expects to be run by all warps of the block, not inside another agent}}
      nv_tileas.async.pipeline.agent_switch {
      }
    }
    nv_tileaa.return
  }
}

// -----

#r = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
gpu.module @kernels {
  nv_tileaa.func @k(%f: f32) {
    %x = nv_tileaa.splat %f : f32 -> tensor<64xf32, #r>
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 2>, warp_id = array<i32: 0>} {
      // expected-error @below {{uses a tile in registers from outside of the agent; it must go through shared memory}}
      %y = nv_tileaa.addf %x, %x : tensor<64xf32, #r>
    }
    nv_tileaa.return
  }
}

// -----

#r = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
gpu.module @kernels {
  nv_tileaa.func @k(%x: tensor<64xf32, #r>) {
    // expected-error @below {{uses a tile in registers from outside of the agent; it must go through shared memory}}
    nv_tileas.async.pipeline.agent_switch %x : tensor<64xf32, #r> attributes {num_warps = array<i32: 2>, warp_id = array<i32: 0>} {
    ^bb0(%y: tensor<64xf32, #r>):
    }
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @k(%i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 12, clusterDim = [1, 1, 1], numCTAs = 1>} {
    // expected-error @below {{expects 'nv_tileas.team' to be an array of i32 with an entry for each agent, beside 'num_warps'}}
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, nv_tileas.team = array<i32: 0>} {}, {}
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @k(%i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 12, clusterDim = [1, 1, 1], numCTAs = 1>} {
    // expected-error @below {{expects agent 1 to begin a team, 0, or to continue one with warp 4, got 8}}
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4, 4>, nv_tileas.team = array<i32: 0, 8, 0>} {}, {}, {}
    nv_tileaa.return
  }
}
