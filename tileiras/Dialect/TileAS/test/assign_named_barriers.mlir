// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-assign-named-barriers)))' | FileCheck %s

gpu.module @kernels {
  // Barriers 1 and 3 are the code's; one warp needs none; agents that follow each other use the same ones.
  // CHECK-LABEL: @between
  // CHECK: agent_switch attributes {barrier_ids = array<i32: 2, 0, 4>
  // CHECK: agent_switch attributes {barrier_ids = array<i32: 2>
  nv_tileaa.func @between() {
    %one = arith.constant 1 : i32
    %three = llvm.mlir.constant(3 : i32) : i32
    %n = arith.constant 224 : i32
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 1, 2>} {
      nvvm.barrier.arrive id = %one number_of_threads = %n
    }, {
      nvvm.barrier id = %one number_of_threads = %n
      nvvm.barrier.arrive id = %three number_of_threads = %n
    }, {
      nvvm.barrier id = %three number_of_threads = %n
    }
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4>} {
    }
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @run_time(%id: i32) {
    %n = arith.constant 64 : i32
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 2>} {
      // expected-error @below {{fails to assign named barrier: the id of a barrier must be a constant}}
      nvvm.barrier id = %id number_of_threads = %n
    }
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @of_all() {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 2>} {
      // expected-error @below {{inside an agent needs an id from 1 to 15: barrier 0 waits for all warps of the block}}
      nvvm.barrier0
    }
    nv_tileaa.return
  }
}

// -----

gpu.module @kernels {
  nv_tileaa.func @sixteen() {
    // expected-error @below {{fails to assign named barrier: the block has 15 of them, and agent 15 would need one more}}
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2>}
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}
    nv_tileaa.return
  }
}
