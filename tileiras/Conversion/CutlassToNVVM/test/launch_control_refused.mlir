// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scheduler of SM100 takes over single blocks. In a kernel of clusters the hardware gives away whole clusters, and every block of one would get
// another.
// RUN: tileiras-opt %s --convert-cutlass-to-nvvm=chip=sm_100 --split-input-file --verify-diagnostics

gpu.module @kernels {
  gpu.func @f(%i: i32) kernel attributes {known_cluster_size = array<i32: 2, 1, 1>} {
    %params = cutlass.tile_scheduler.create_dp_params %i, %i, %i steps %i : !cutlass.tile_scheduler_params<dp>
    // expected-error @below {{takes over single blocks, but the kernel's blocks are launched in clusters}}
    %0 = cutlass.tile_scheduler.create_SM100_scheduler %params : !cutlass.tile_scheduler_params<dp> -> !cutlass.tile_scheduler
    gpu.return
  }
}

// -----

module {
  func.func @f(%i: i32) attributes {nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %params = cutlass.tile_scheduler.create_dp_params %i, %i, %i steps %i : !cutlass.tile_scheduler_params<dp>
    // expected-error @below {{takes over single blocks, but the kernel's blocks are launched in clusters}}
    %0 = cutlass.tile_scheduler.create_SM100_scheduler %params : !cutlass.tile_scheduler_params<dp> -> !cutlass.tile_scheduler
    return
  }
}

// -----

// The launch says how many blocks a cluster has; the kernel says that there are two.
gpu.module @kernels {
  gpu.func @f(%i: i32) kernel {
    %params = cutlass.tile_scheduler.create_dp_params %i, %i, %i steps %i : !cutlass.tile_scheduler_params<dp>
    // expected-error @below {{takes over single blocks, but the kernel's blocks are launched in clusters}}
    %0 = cutlass.tile_scheduler.create_SM100_scheduler %params : !cutlass.tile_scheduler_params<dp> -> !cutlass.tile_scheduler
    %w = cutlass.tile_scheduler.initial_work_tile_info %0 : !cutlass.tile_scheduler -> !cutlass.work_tile_info
    %m, %n, %l = cutlass.tile_scheduler.work_tile_info_to_cta_coord %w cluster [2, 1] : !cutlass.work_tile_info
    gpu.return
  }
}
