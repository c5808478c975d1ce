// RUN: tileiras-opt %s | FileCheck %s
// RUN: tileiras-opt %s -mlir-print-op-generic | tileiras-opt | FileCheck %s
// RUN: tileiras-opt %s -canonicalize -cse | FileCheck %s --check-prefix=KEPT

// CHECK-LABEL: nv_tileaa.func @agents
// CHECK: nv_tileas.async.pipeline.agent_switch %{{.*}}, %{{.*}} : i32, !nv_tileaa.ptr<f32> attributes {
// CHECK-SAME: agent_strides = array<i32: 4, 8>
// CHECK-SAME: barrier_ids = array<i32: 1, 2>
// CHECK-SAME: isolated
// CHECK-SAME: max_regs = array<i32: 40, 232>
// CHECK-SAME: num_agents_per_group = 2
// CHECK-SAME: num_warps = array<i32: 4, 8>
// CHECK-SAME: warp_id = array<i32: 0, 4>
// CHECK: ^bb0(%{{.*}}: i32, %{{.*}}: !nv_tileaa.ptr<f32>):
// CHECK: }, {
// Neither agent may be taken for a branch that is not run.
// KEPT: nvvm.barrier.arrive
// KEPT: nvvm.barrier id
// Constants stay in their agent.
// KEPT-LABEL: @constants
// KEPT: agent_switch
// KEPT-NEXT: arith.constant dense<[
#r = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [0], [0], [0]], warp = []>
gpu.module @kernels {
  nv_tileaa.func @agents(%i: i32, %p: !nv_tileaa.ptr<f32>)
      attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 12, clusterDim = [1, 1, 1], numCTAs = 1>} {
    nv_tileas.async.pipeline.agent_switch %i, %p : i32, !nv_tileaa.ptr<f32>
        attributes {num_warps = array<i32: 4, 8>, warp_id = array<i32: 0, 4>, agent_strides = array<i32: 4, 8>,
                    max_regs = array<i32: 40, 232>, barrier_ids = array<i32: 1, 2>, num_agents_per_group = 2 : i32, isolated} {
    ^bb0(%a: i32, %b: !nv_tileaa.ptr<f32>):
      %n = arith.constant 384 : i32
      %three = arith.constant 3 : i32
      nvvm.barrier.arrive id = %three number_of_threads = %n
      nv_tileas.async.pipeline.yield
    }, {
    ^bb0(%a: i32, %b: !nv_tileaa.ptr<f32>):
      %n = arith.constant 384 : i32
      %three = arith.constant 3 : i32
      nvvm.barrier id = %three number_of_threads = %n
    }
    nv_tileaa.return
  }
  nv_tileaa.func @constants(%p: !nv_tileaa.ptr<i32>) {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 1>} {
      %four = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32, #r>
      %t = nv_tileaa.print "%d", %four : tensor<4xi32, #r>
    }
    nv_tileaa.return
  }
}
