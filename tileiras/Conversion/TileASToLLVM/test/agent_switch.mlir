// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -tileas-allocate-scratch -convert-nv-tileas-to-llvm | FileCheck %s

// Agents become branches by warp; what is in them counts threads from their own first and meets at their own barrier.
#r = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
module attributes {nv_tileaa.compute_capability = 90 : i64, nv_tileaa.target_spec = "sm_90a"} {
// CHECK-LABEL: func.func @branches
// Nothing precedes that could matter: no barrier. The warp is the same in all lanes.
// CHECK-NOT: nvvm.barrier0
// CHECK: %[[WARP:.*]] = nvvm.shfl.sync idx
// Warpgroup 0 gives up what warpgroup 1 takes: 255 registers to begin with, 248 in eights.
// CHECK: nvvm.setmaxregister decrease 40
// CHECK-NOT: nvvm.setmaxregister
// CHECK: %[[N:.*]] = llvm.mlir.constant(2 : i32) : i32
// CHECK: %[[FIRST:.*]] = llvm.icmp "ult" %[[WARP]], %[[N]]
// CHECK: scf.if %[[FIRST]]
// CHECK: nvvm.barrier id = %{{.*}} number_of_threads
// CHECK: llvm.store
// CHECK: } else {
// CHECK: llvm.sub %[[WARP]]
// CHECK: scf.if
// One warp: its lanes meet.
// CHECK: nvvm.bar.warp.sync
// CHECK: "llvm.nvvm.barrier.cta.arrive.aligned.count"
// CHECK-NOT: nvvm.barrier0
// CHECK: return
func.func @branches(%s: f32) attributes {nvvm.reqntid = array<i32: 256>, nvvm.minctasm = 1 : i32} {
  nv_tileas.async.pipeline.agent_switch %s : f32
      attributes {num_warps = array<i32: 2, 1>, warp_id = array<i32: 0, 4>, max_regs = array<i32: 40, 0>, barrier_ids = array<i32: 1, 0>} {
  ^bb0(%z: f32):
    %y = nv_tileaa.splat %z : f32 -> tensor<64xf32, #r>
    %a = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<64xf32, #m>
    nv_tileas.copy %y, %a : tensor<64xf32, #r>, tensor<64xf32, #m>
  }, {
  ^bb0(%y: f32):
    %three = llvm.mlir.constant(3 : i32) : i32
    %n = llvm.mlir.constant(96 : i32) : i32
    %z = arith.constant dense<1.0> : tensor<32xf32, #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = []>>
    %b = nv_tileas.alloc_tensor {offset = 256 : i64} : tensor<32xf32, #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16]]>>
    nv_tileas.copy %z, %b : tensor<32xf32, #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = []>>, tensor<32xf32, #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16]]>>
    nvvm.barrier.arrive id = %three number_of_threads = %n
  }
  return
}
}

// -----

// Code on either side: fork and join.
module attributes {nv_tileaa.compute_capability = 80 : i64, nv_tileaa.target_spec = "sm_80"} {
// CHECK-LABEL: func.func @fork_and_join
// CHECK: llvm.store
// CHECK: nvvm.barrier0
// CHECK-NOT: setmaxregister
// CHECK: scf.if
// CHECK: nvvm.barrier0
// CHECK: llvm.load
func.func @fork_and_join(%p: !llvm.ptr<1>, %v: i32) attributes {nvvm.reqntid = array<i32: 128>} {
  llvm.store %v, %p : i32, !llvm.ptr<1>
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4>, warp_id = array<i32: 0>, max_regs = array<i32: 40>, barrier_ids = array<i32: 1>} {
    llvm.store %v, %p : i32, !llvm.ptr<1>
  }
  %w = llvm.load %p : !llvm.ptr<1> -> i32
  llvm.store %w, %p : i32, !llvm.ptr<1>
  return
}
}

// -----

module attributes {nv_tileaa.compute_capability = 90 : i64, nv_tileaa.target_spec = "sm_90a"} {
func.func @too_many_registers() attributes {nvvm.reqntid = array<i32: 384>, nvvm.minctasm = 1 : i32} {
  // expected-error @below {{the agents want 67584 registers, the block has 64512}}
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 8>, warp_id = array<i32: 0, 4>, max_regs = array<i32: 48, 240>, barrier_ids = array<i32: 1, 2>} {
  }, {
  }
  return
}
}

// -----

module attributes {nv_tileaa.compute_capability = 90 : i64, nv_tileaa.target_spec = "sm_90a"} {
func.func @nowhere() attributes {nvvm.reqntid = array<i32: 128>} {
  // expected-error @below {{has no warps yet; optimize-execution-unit-mapping gives every agent its own}}
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4>} {
  }
  return
}
}

// -----

module attributes {nv_tileaa.compute_capability = 90 : i64, nv_tileaa.target_spec = "sm_90a"} {
func.func @no_barrier() attributes {nvvm.reqntid = array<i32: 128>} {
  // expected-error @below {{has no barrier for agent 0; tileas-assign-named-barriers gives it one}}
  nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4>, warp_id = array<i32: 0>} {
  }
  return
}
}
