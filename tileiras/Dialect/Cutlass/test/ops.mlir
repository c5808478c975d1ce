// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every operation, type and attribute of cutlass, printed and parsed again.
// RUN: tileiras-opt %s --allow-unregistered-dialect | tileiras-opt --allow-unregistered-dialect | FileCheck %s
// RUN: tileiras-opt %s --allow-unregistered-dialect --mlir-print-op-generic | tileiras-opt --allow-unregistered-dialect | FileCheck %s

!who = !cutlass.participants<producer = <cooperative, warps = 1 from 4>, consumer = <strided_mod, warps = 4 stride 2 which 1>>
!pipe = !cutlass.pipeline<async, 3, producer = <cooperative, warps = 1 from 4>, consumer = <strided_mod, warps = 4 stride 2 which 1>>
!tma = !cutlass.pipeline<tma, 2 bytes 4096, producer = <warp_specialized, warps = 1>, consumer = <cluster, warps = 2 from 1 blocks 4>>
!store = !cutlass.pipeline<tma_store, 2, producer = <warp_specialized, warps = 1>, consumer = <strided_div, warps = 4 stride 2>>
!st3 = !cutlass.pipeline_state<3>
!st2 = !cutlass.pipeline_state<2>
!p = !llvm.ptr<1>
!work = !cutlass.work_tile_info
!dp = !cutlass.tile_scheduler_params<dp>
!static = !cutlass.tile_scheduler_params<static_persistent>
!streamk = !cutlass.tile_scheduler_params<streamk>

// CHECK-LABEL: @pipelines
// CHECK-SAME: !cutlass.pipeline<tma, 2 bytes 4096, producer = <warp_specialized, warps = 1>, consumer = <cluster, warps = 2 from 1 blocks 4>>
// CHECK-SAME: !cutlass.pipeline<tma_store, 2, producer = <warp_specialized, warps = 1>, consumer = <strided_div, warps = 4 stride 2>>
func.func @pipelines(%tma: !tma, %t2: !st2, %store: !store, %i: i32) {
  // CHECK: %[[WHO:.*]] = cutlass.pipeline.make_participants : !cutlass.participants<producer = <cooperative, warps = 1 from 4>, consumer = <strided_mod, warps = 4 stride 2 which 1>>
  %who = cutlass.pipeline.make_participants : !who
  // CHECK: %[[PIPE:.*]] = cutlass.pipeline.create %[[WHO]]
  %pipe = cutlass.pipeline.create %who : !who -> !pipe
  // CHECK: cutlass.pipeline.init %[[PIPE]]
  cutlass.pipeline.init %pipe : !pipe
  // CHECK: %[[S:.*]] = cutlass.pipeline.state.create %{{.*}}, %{{.*}}, %{{.*}} : !cutlass.pipeline_state<3>
  %s = cutlass.pipeline.state.create %i, %i, %i : !st3
  // CHECK: cutlass.pipeline.state.get_index %[[S]]
  %index = cutlass.pipeline.state.get_index %s : !st3
  // CHECK: cutlass.pipeline.state.get_phase
  %phase = cutlass.pipeline.state.get_phase %s : !st3
  // CHECK: cutlass.pipeline.state.get_count
  %count = cutlass.pipeline.state.get_count %s : !st3
  // CHECK: cutlass.pipeline.state.increment
  %s1 = cutlass.pipeline.state.increment %s : !st3
  // CHECK: %[[DONE:.*]] = cutlass.pipeline.producer_try_acquire
  %done = cutlass.pipeline.producer_try_acquire %pipe, %s : !pipe, !st3
  // CHECK: cutlass.pipeline.producer_acquire %[[PIPE]], %[[S]] unless %[[DONE]]
  cutlass.pipeline.producer_acquire %pipe, %s unless %done : !pipe, !st3
  // CHECK: cutlass.pipeline.producer_acquire %{{.*}}, %{{.*}} : !cutlass.pipeline<tma, 2
  cutlass.pipeline.producer_acquire %tma, %t2 : !tma, !st2
  // CHECK: cutlass.pipeline.producer_commit %[[PIPE]], %[[S]] cp_async
  cutlass.pipeline.producer_commit %pipe, %s cp_async : !pipe, !st3
  // CHECK: cutlass.pipeline.producer_commit %{{.*}}, %{{.*}} : !cutlass.pipeline<tma_store, 2
  cutlass.pipeline.producer_commit %store, %t2 : !store, !st2
  // CHECK: cutlass.pipeline.producer_tail
  cutlass.pipeline.producer_tail %store, %t2 : !store, !st2
  // CHECK: cutlass.pipeline.get_producer_barrier {{.*}} -> !llvm.ptr<3>
  %full = cutlass.pipeline.get_producer_barrier %tma, %t2 : !tma, !st2 -> !llvm.ptr<3>
  // CHECK: cutlass.pipeline.get_producer_mask
  %mask = cutlass.pipeline.get_producer_mask %tma : !tma
  // CHECK: cutlass.pipeline.consumer_try_wait
  %there = cutlass.pipeline.consumer_try_wait %pipe, %s : !pipe, !st3
  // CHECK: cutlass.pipeline.consumer_wait %[[PIPE]], %[[S]] unless
  cutlass.pipeline.consumer_wait %pipe, %s unless %there : !pipe, !st3
  // CHECK: cutlass.pipeline.consumer_release
  cutlass.pipeline.consumer_release %pipe, %s : !pipe, !st3
  // CHECK: cutlass.pipeline.produce
  // CHECK: ^bb0(%{{.*}}: i32, %{{.*}}: !llvm.ptr<3>):
  %t3 = cutlass.pipeline.produce %tma, %t2 : !tma, !st2 -> !st2 {
  ^bb0(%stage: i32, %barrier: !llvm.ptr<3>):
    "test.copy"(%stage, %barrier) : (i32, !llvm.ptr<3>) -> ()
  }
  // CHECK: cutlass.pipeline.consume
  %s2 = cutlass.pipeline.consume %pipe, %s : !pipe, !st3 -> !st3 {
  ^bb0(%stage: i32):
    "test.use"(%stage) : (i32) -> ()
  }
  // CHECK: cutlass.pipeline.switch_by_executor %{{.*}} producer {
  // CHECK: } consumer {
  cutlass.pipeline.switch_by_executor %tma : !tma producer {
    "test.produce"() : () -> ()
  } consumer {
    "test.consume"() : () -> ()
  }
  // CHECK: cutlass.async.exec <warp_specialized, warps = 2 from 4>
  cutlass.async.exec <warp_specialized, warps = 2 from 4> {
    "test.alone"() : () -> ()
  }
  return
}

// CHECK-LABEL: @barriers
func.func @barriers(%flags: !p, %t: i32, %n: i32) {
  // CHECK: %[[ID:.*]] = cutlass.barrier_id "epilogue"
  %id = cutlass.barrier_id "epilogue"
  // CHECK: cutlass.named_barrier.arrive %[[ID]], %{{.*}}
  cutlass.named_barrier.arrive %id, %n
  // CHECK: cutlass.named_barrier.arrive_and_wait %[[ID]]
  cutlass.named_barrier.arrive_and_wait %id, %n
  // CHECK: cutlass.generic_barrier_sync{{$}}
  cutlass.generic_barrier_sync
  // CHECK: cutlass.generic_barrier_sync %[[ID]], %{{.*}}
  cutlass.generic_barrier_sync %id, %n
  // CHECK: cutlass.generic_barrier.arrive_increment %{{.*}}[%{{.*}}] by %{{.*}}, %{{.*}} sync %[[ID]], %{{.*}} : !llvm.ptr<1>
  cutlass.generic_barrier.arrive_increment %flags[%t] by %t, %n sync %id, %n : !p
  // CHECK: cutlass.generic_barrier.wait_eq
  cutlass.generic_barrier.wait_eq %flags[%t] by %t, %n : !p
  // CHECK: cutlass.generic_barrier.wait_less_than
  cutlass.generic_barrier.wait_less_than %flags[%t] by %t, %n : !p
  // CHECK: cutlass.seq_bar.create : !cutlass.seq_bar<2, 3, warps = 4>
  %bar = cutlass.seq_bar.create : !cutlass.seq_bar<2, 3, warps = 4>
  // CHECK: cutlass.seq_bar.init
  cutlass.seq_bar.init %bar : !cutlass.seq_bar<2, 3, warps = 4>
  // CHECK: cutlass.seq_bar.state.create %{{.*}} : !cutlass.seq_bar_state<2, 3>
  %place = cutlass.seq_bar.state.create %t : !cutlass.seq_bar_state<2, 3>
  // CHECK: cutlass.seq_bar.wait
  cutlass.seq_bar.wait %bar, %place : !cutlass.seq_bar<2, 3, warps = 4>, !cutlass.seq_bar_state<2, 3>
  // CHECK: cutlass.seq_bar.arrive
  %next = cutlass.seq_bar.arrive %bar, %place : !cutlass.seq_bar<2, 3, warps = 4>, !cutlass.seq_bar_state<2, 3>
  return
}

// CHECK-LABEL: @striped
func.func @striped(%base: !p, %t: i32) {
  // CHECK: %[[V:.*]] = cutlass.block_striped.load %{{.*}} by %{{.*}} of 128 : !llvm.ptr<1> -> vector<16xf32>
  %v = cutlass.block_striped.load %base by %t of 128 : !p -> vector<16xf32>
  // CHECK: cutlass.block_striped.load_add %[[V]], %{{.*}} by
  %w = cutlass.block_striped.load_add %v, %base by %t of 128 : vector<16xf32>, !p -> vector<16xf32>
  // CHECK: cutlass.block_striped.store
  cutlass.block_striped.store %w, %base by %t of 128 : vector<16xf32>, !p
  // CHECK: cutlass.block_striped.reduce
  cutlass.block_striped.reduce %w, %base by %t of 128 : vector<16xf32>, !p
  return
}

// CHECK-LABEL: @schedulers
func.func @schedulers(%i: i32, %is: i1, %p: !p, %sums: vector<4xf32>) {
  // CHECK: cutlass.tile_scheduler.make_dp_params(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) tile [64, 32, 16] : !cutlass.tile_scheduler_params<dp>
  %dp = cutlass.tile_scheduler.make_dp_params (%i, %i, %i, %i) tile [64, 32, 16] : !dp
  // CHECK: cutlass.tile_scheduler.make_static_persistent_params({{.*}} units %{{.*}} : !cutlass.tile_scheduler_params<static_persistent>
  %st = cutlass.tile_scheduler.make_static_persistent_params (%i, %i, %i, %i) tile [64, 32, 16] units %i : !static
  // CHECK: cutlass.tile_scheduler.make_streamk_params
  %sk = cutlass.tile_scheduler.make_streamk_params (%i, %i, %i, %i) tile [64, 32, 16] units %i : !streamk
  // CHECK: cutlass.tile_scheduler.create_dp_params %{{.*}}, %{{.*}}, %{{.*}} steps %{{.*}} : !cutlass.tile_scheduler_params<dp>
  %dp1 = cutlass.tile_scheduler.create_dp_params %i, %i, %i steps %i : !dp
  // CHECK: cutlass.tile_scheduler.create_static_persistent_params
  %st1 = cutlass.tile_scheduler.create_static_persistent_params %i, %i, %i steps %i units %i : !static
  // CHECK: cutlass.tile_scheduler.create_streamk_params
  %sk1 = cutlass.tile_scheduler.create_streamk_params %i, %i, %i steps %i units %i : !streamk
  // CHECK: cutlass.tile_scheduler.params_get_value %{{.*}} "streamk_tiles"
  %n = cutlass.tile_scheduler.params_get_value %sk "streamk_tiles" : !streamk
  // CHECK: cutlass.tile_scheduler.get_grid_shape
  %x, %y, %z = cutlass.tile_scheduler.get_grid_shape %sk : !streamk
  // CHECK: cutlass.tile_scheduler.get_workspace_sizes %{{.*}} tile_bytes 4096
  %bytes, %words = cutlass.tile_scheduler.get_workspace_sizes %sk tile_bytes 4096 : !streamk
  // CHECK: cutlass.tile_scheduler.initialize_workspace
  cutlass.tile_scheduler.initialize_workspace %sk, %p by %i of 128 : !streamk, !p
  // CHECK: cutlass.tile_scheduler.create_dp_work_tile_info %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} steps %{{.*}}, %{{.*}} valid %{{.*}} : !cutlass.tile_scheduler_params<dp> -> !cutlass.work_tile_info
  %w0 = cutlass.tile_scheduler.create_dp_work_tile_info %dp, %i, %i, %i steps %i, %i valid %is : !dp -> !work
  // CHECK: cutlass.tile_scheduler.create_static_persistent_work_tile_info
  %w1 = cutlass.tile_scheduler.create_static_persistent_work_tile_info %st, %i, %i, %i steps %i, %i valid %is : !static -> !work
  // CHECK: cutlass.tile_scheduler.create_streamk_work_tile_info
  %w2 = cutlass.tile_scheduler.create_streamk_work_tile_info %sk, %i, %i, %i steps %i, %i valid %is : !streamk -> !work
  // CHECK: cutlass.tile_scheduler.create_SM100_scheduler
  %s = cutlass.tile_scheduler.create_SM100_scheduler %dp : !dp -> !cutlass.tile_scheduler
  // CHECK: cutlass.tile_scheduler.get_workid_response_ptr %{{.*}} -> !llvm.ptr<3>
  %r = cutlass.tile_scheduler.get_workid_response_ptr %s : !cutlass.tile_scheduler -> !llvm.ptr<3>
  // CHECK: cutlass.tile_scheduler.initial_work_tile_info
  %w = cutlass.tile_scheduler.initial_work_tile_info %sk : !streamk -> !work
  // CHECK: cutlass.tile_scheduler.advance_to_next_work
  %a = cutlass.tile_scheduler.advance_to_next_work %s, %w : !cutlass.tile_scheduler, !work -> !work
  // CHECK: cutlass.tile_scheduler.get_current_work
  %b = cutlass.tile_scheduler.get_current_work %sk, %a : !streamk, !work -> !work
  // CHECK: cutlass.tile_scheduler.fetch_next_work
  %c = cutlass.tile_scheduler.fetch_next_work %st, %b : !static, !work -> !work
  // CHECK: cutlass.tile_scheduler.query_next_work
  %d = cutlass.tile_scheduler.query_next_work %s, %c : !cutlass.tile_scheduler, !work -> !work
  // CHECK: cutlass.tile_scheduler.static_fetch_next_work
  %e = cutlass.tile_scheduler.static_fetch_next_work %st, %d : !static, !work -> !work
  // CHECK: cutlass.tile_scheduler.get_work_k_tile_start
  %ks = cutlass.tile_scheduler.get_work_k_tile_start %e : !work
  // CHECK: cutlass.tile_scheduler.get_work_k_tile_count
  %kc = cutlass.tile_scheduler.get_work_k_tile_count %e : !work
  // CHECK: cutlass.tile_scheduler.work_tile_info_get_value %{{.*}} "valid"
  %v = cutlass.tile_scheduler.work_tile_info_get_value %e "valid" : !work
  // CHECK: cutlass.tile_scheduler.work_tile_info_set_value %{{.*}} "l" = %{{.*}}
  %f = cutlass.tile_scheduler.work_tile_info_set_value %e "l" = %i : !work
  // CHECK: cutlass.tile_scheduler.work_tile_info_to_coord_mnkl
  %tm, %tn, %tk, %tl = cutlass.tile_scheduler.work_tile_info_to_coord_mnkl %f : !work
  // CHECK: cutlass.tile_scheduler.work_tile_info_to_cta_coord %{{.*}} cluster [2, 1]
  %cm, %cn, %cl = cutlass.tile_scheduler.work_tile_info_to_cta_coord %f cluster [2, 1] : !work
  // CHECK: cutlass.tile_scheduler.compute_epilogue
  %last = cutlass.tile_scheduler.compute_epilogue %sk, %f : !streamk, !work
  // CHECK: cutlass.tile_scheduler.fixup {{.*}} by %{{.*}} of 128 sync %{{.*}}, %{{.*}} :
  %sum = cutlass.tile_scheduler.fixup %sk, %f, %sums, %p, %p by %i of 128 sync %i, %i : !streamk, !work, vector<4xf32>, !p, !p
  // CHECK: cutlass.tile_scheduler.fixup_wait
  cutlass.tile_scheduler.fixup_wait %f, %p by %i : !work, !p
  // CHECK: cutlass.tile_scheduler.fixup_increment
  cutlass.tile_scheduler.fixup_increment %f, %p by %i : !work, !p
  // CHECK: cutlass.tile_scheduler.mods_report_mainloop_start
  cutlass.tile_scheduler.mods_report_mainloop_start %p : !p
  // CHECK: cutlass.tile_scheduler.mods_report_mainloop_end
  cutlass.tile_scheduler.mods_report_mainloop_end %p : !p
  // CHECK: cutlass.tile_scheduler.mods_report_smid
  cutlass.tile_scheduler.mods_report_smid %p : !p
  // CHECK: cutlass.tile_scheduler.mods_throttle
  cutlass.tile_scheduler.mods_throttle %i
  return
}
