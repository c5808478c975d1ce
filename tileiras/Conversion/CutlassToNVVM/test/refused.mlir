// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What convert-cutlass-to-nvvm refuses.
// RUN: tileiras-opt %s --convert-cutlass-to-nvvm=chip=sm_80 --allow-unregistered-dialect --split-input-file --verify-diagnostics

!who = !cutlass.participants<producer = <cooperative, warps = 1>, consumer = <cooperative, warps = 1>>
func.func @f() {
  %who = cutlass.pipeline.make_participants : !who
  // expected-error @below {{needs tensor copies, which sm_80 does not have}}
  %pipe = cutlass.pipeline.create %who : !who -> !cutlass.pipeline<tma, 2 bytes 64, producer = <cooperative, warps = 1>, consumer = <cooperative, warps = 1>>
  return
}

// -----

func.func @f(%i: i32) {
  %params = cutlass.tile_scheduler.create_dp_params %i, %i, %i steps %i : !cutlass.tile_scheduler_params<dp>
  // expected-error @below {{needs clusterlaunchcontrol, which sm_80 does not have}}
  %0 = cutlass.tile_scheduler.create_SM100_scheduler %params : !cutlass.tile_scheduler_params<dp> -> !cutlass.tile_scheduler
  return
}

// -----

func.func @f(%w: !cutlass.work_tile_info) {
  // expected-error @below {{needs clusters, which sm_80 does not have}}
  %0, %1, %2 = cutlass.tile_scheduler.work_tile_info_to_cta_coord %w cluster [2, 1] : !cutlass.work_tile_info
  return
}

// -----

gpu.module @kernels {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
    // expected-error @below {{counts threads along x, but the kernel's blocks have other dimensions}}
    cutlass.async.exec <cooperative, warps = 1> {
      "test.a"() : () -> ()
    }
    gpu.return
  }
}

// -----

func.func @f() {
  %a1 = cutlass.barrier_id "1"
  %a2 = cutlass.barrier_id "2"
  %a3 = cutlass.barrier_id "3"
  %a4 = cutlass.barrier_id "4"
  %a5 = cutlass.barrier_id "5"
  %a6 = cutlass.barrier_id "6"
  %a7 = cutlass.barrier_id "7"
  %a8 = cutlass.barrier_id "8"
  %a9 = cutlass.barrier_id "9"
  %a10 = cutlass.barrier_id "10"
  %a11 = cutlass.barrier_id "11"
  %a12 = cutlass.barrier_id "12"
  %a13 = cutlass.barrier_id "13"
  %a14 = cutlass.barrier_id "14"
  %a15 = cutlass.barrier_id "15"
  // expected-error @below {{finds all 16 named barriers in use}}
  %a16 = cutlass.barrier_id "16"
  return
}

// -----

func.func @f(%i: i32) {
  %s = cutlass.pipeline.state.create %i, %i, %i : !cutlass.pipeline_state<2>
  // expected-error @below {{cannot take or make a value of cutlass}}
  "test.take"(%s) : (!cutlass.pipeline_state<2>) -> ()
  return
}
