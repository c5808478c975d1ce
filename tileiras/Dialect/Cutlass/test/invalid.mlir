// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the verifiers of cutlass refuse.
// RUN: tileiras-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// expected-error @below {{expects warps of a block, which has at most 32, got 8 from 28}}
func.func private @f() attributes {g = #cutlass.group<cooperative, warps = 8 from 28>}

// -----

// expected-error @below {{expects 'stride' and 'which' of a strided group only}}
func.func private @f() attributes {g = #cutlass.group<cooperative, warps = 8 stride 2>}

// -----

// expected-error @below {{expects the stride of a strided group}}
func.func private @f() attributes {g = #cutlass.group<strided_mod, warps = 8>}

// -----

// expected-error @below {{expects 'which' to be one of 3 groups of warps, got 3}}
func.func private @f() attributes {g = #cutlass.group<strided_div, warps = 8 stride 3 which 3>}

// -----

// expected-error @below {{expects 2 to 16 'blocks' of a cluster, and none otherwise}}
func.func private @f() attributes {g = #cutlass.group<cluster, warps = 8>}

// -----

// expected-error @below {{expects 1 to 1024 stages, got 0}}
func.func private @f(!cutlass.pipeline<async, 0, producer = <cooperative, warps = 1>, consumer = <cooperative, warps = 1>>)

// -----

// expected-error @below {{expects 'bytes' of a pipeline that tensor copies fill, a multiple of 16 up to 1048575, and of no other, got 0}}
func.func private @f(!cutlass.pipeline<tma, 2, producer = <cooperative, warps = 1>, consumer = <cooperative, warps = 1>>)

// -----

// expected-error @below {{expects one warp that has tensor copies fill a stage, got 2}}
func.func private @f(!cutlass.pipeline<tma, 2 bytes 32, producer = <warp_specialized, warps = 2>, consumer = <cooperative, warps = 1>>)

// -----

// expected-error @below {{expects producers that arrive in their own block}}
func.func private @f(!cutlass.pipeline<async, 2, producer = <cluster, warps = 1 blocks 2>, consumer = <cooperative, warps = 1>>)

// -----

// expected-error @below {{expects tensor copies to fill what the blocks of a cluster empty}}
func.func private @f(!cutlass.pipeline<async, 2, producer = <cooperative, warps = 1>, consumer = <cluster, warps = 1 blocks 2>>)

// -----

// expected-error @below {{expects 1 to 1024 stages, got 2000}}
func.func private @f(!cutlass.pipeline_state<2000>)

// -----

// expected-error @below {{expects a depth and a length, together up to 1024 barriers, got 2 and 0}}
func.func private @f(!cutlass.seq_bar<2, 0, warps = 1>)

// -----

// expected-error @below {{expects groups of 1 to 32 warps, got 33}}
func.func private @f(!cutlass.seq_bar<2, 2, warps = 33>)

// -----

func.func @f(%p: !cutlass.participants<producer = <cooperative, warps = 1>, consumer = <cooperative, warps = 1>>) {
  // expected-error @below {{expects the participants of the pipeline}}
  %0 = cutlass.pipeline.create %p : !cutlass.participants<producer = <cooperative, warps = 1>, consumer = <cooperative, warps = 1>> -> !cutlass.pipeline<async, 2, producer = <cooperative, warps = 1>, consumer = <cooperative, warps = 2>>
  return
}

// -----

func.func @f(%i: i32) {
  %c2 = arith.constant 2 : i32
  // expected-error @below {{expects one of 2 stages, got 2}}
  %0 = cutlass.pipeline.state.create %c2, %i, %i : !cutlass.pipeline_state<2>
  return
}

// -----

func.func @f(%i: i32) {
  %c2 = arith.constant 2 : i32
  // expected-error @below {{expects the phase 0 or 1, got 2}}
  %0 = cutlass.pipeline.state.create %i, %c2, %i : !cutlass.pipeline_state<2>
  return
}

// -----

!pipe = !cutlass.pipeline<async, 2, producer = <cooperative, warps = 1>, consumer = <cooperative, warps = 1>>
func.func @f(%p: !pipe, %s: !cutlass.pipeline_state<3>) {
  // expected-error @below {{expects a state of 2 stages, as the pipeline has, got one of 3}}
  cutlass.pipeline.consumer_wait %p, %s : !pipe, !cutlass.pipeline_state<3>
  return
}

// -----

!pipe = !cutlass.pipeline<tma_store, 2, producer = <cooperative, warps = 1>, consumer = <cooperative, warps = 1>>
func.func @f(%p: !pipe, %s: !cutlass.pipeline_state<2>) {
  // expected-error @below {{expects a pipeline with barriers, of kind 'async' or 'tma'}}
  cutlass.pipeline.consumer_release %p, %s : !pipe, !cutlass.pipeline_state<2>
  return
}

// -----

!pipe = !cutlass.pipeline<tma_store, 2, producer = <cooperative, warps = 1>, consumer = <cooperative, warps = 1>>
func.func @f(%p: !pipe, %s: !cutlass.pipeline_state<2>, %done: i1) {
  // expected-error @below {{expects a pipeline with barriers where something has been tried before}}
  cutlass.pipeline.producer_acquire %p, %s unless %done : !pipe, !cutlass.pipeline_state<2>
  return
}

// -----

!pipe = !cutlass.pipeline<tma, 2 bytes 64, producer = <cooperative, warps = 1>, consumer = <cooperative, warps = 1>>
func.func @f(%p: !pipe, %s: !cutlass.pipeline_state<2>) {
  // expected-error @below {{by cp.async expects a pipeline of kind 'async'}}
  cutlass.pipeline.producer_commit %p, %s cp_async : !pipe, !cutlass.pipeline_state<2>
  return
}

// -----

!pipe = !cutlass.pipeline<async, 2, producer = <warp_specialized, warps = 1>, consumer = <cooperative, warps = 1>>
func.func @f(%p: !pipe, %s: !cutlass.pipeline_state<2>) {
  // expected-error @below {{by cp.async expects cooperative producers: the copies of every thread arrive}}
  cutlass.pipeline.producer_commit %p, %s cp_async : !pipe, !cutlass.pipeline_state<2>
  return
}

// -----

!pipe = !cutlass.pipeline<tma, 2 bytes 64, producer = <cooperative, warps = 1>, consumer = <cooperative, warps = 1>>
func.func @f(%p: !pipe, %s: !cutlass.pipeline_state<2>) {
  // expected-error @below {{expects a region that takes 'i32', '!llvm.ptr<3>'}}
  %n = cutlass.pipeline.produce %p, %s : !pipe, !cutlass.pipeline_state<2> -> !cutlass.pipeline_state<2> {
  ^bb0(%i: i32):
    "test.fill"() : () -> ()
  }
  return
}

// -----

!pipe = !cutlass.pipeline<async, 2, producer = <cooperative, warps = 1>, consumer = <cooperative, warps = 1>>
func.func @f(%p: !pipe, %s: !cutlass.pipeline_state<2>) {
  // expected-error @below {{expects the next state to be one of as many stages}}
  %n = cutlass.pipeline.produce %p, %s : !pipe, !cutlass.pipeline_state<2> -> !cutlass.pipeline_state<4> {
  ^bb0(%i: i32):
    "test.fill"() : () -> ()
  }
  return
}

// -----

!pipe = !cutlass.pipeline<async, 2, producer = <cooperative, warps = 1>, consumer = <cooperative, warps = 1>>
func.func @f(%p: !pipe, %s: !cutlass.pipeline_state<2>) {
  // expected-error @below {{expects the next state to be one of as many stages}}
  %n = cutlass.pipeline.consume %p, %s : !pipe, !cutlass.pipeline_state<2> -> !cutlass.pipeline_state<4> {
  ^bb0(%i: i32):
    "test.fill"() : () -> ()
  }
  return
}

// -----

!pipe = !cutlass.pipeline<async, 2, producer = <cooperative, warps = 1>, consumer = <cooperative, warps = 1>>
func.func @f(%p: !pipe, %s: !cutlass.pipeline_state<2>) {
  // expected-error @below {{expects a region that takes the number of the stage, an i32}}
  %n = cutlass.pipeline.consume %p, %s : !pipe, !cutlass.pipeline_state<2> -> !cutlass.pipeline_state<2> {
    "test.use"() : () -> ()
  }
  return
}

// -----

!pipe = !cutlass.pipeline<tma_store, 2, producer = <cooperative, warps = 1>, consumer = <cooperative, warps = 1>>
func.func @f(%p: !pipe) {
  // expected-error @below {{expects a pipeline with consumers}}
  cutlass.pipeline.switch_by_executor %p : !pipe producer {
    "test.a"() : () -> ()
  } consumer {
    "test.b"() : () -> ()
  }
  return
}

// -----

!pipe = !cutlass.pipeline<async, 2, producer = <cooperative, warps = 2>, consumer = <cooperative, warps = 1 from 1>>
func.func @f(%p: !pipe) {
  // expected-error @below {{expects no warp to be producer and consumer}}
  cutlass.pipeline.switch_by_executor %p : !pipe producer {
    "test.a"() : () -> ()
  } consumer {
    "test.b"() : () -> ()
  }
  return
}

// -----

func.func @f() {
  // expected-error @below {{expects the name of a barrier}}
  %0 = cutlass.barrier_id ""
  return
}

// -----

func.func @f(%n: i32) {
  %c16 = arith.constant 16 : i32
  // expected-error @below {{expects a barrier from 0 to 15, got 16}}
  cutlass.named_barrier.arrive %c16, %n
  return
}

// -----

func.func @f(%i: i32) {
  %c100 = arith.constant 100 : i32
  // expected-error @below {{expects a multiple of 32 threads up to 1024, got 100}}
  cutlass.named_barrier.arrive_and_wait %i, %c100
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @below {{expects a barrier and its threads, or neither}}
  "cutlass.generic_barrier_sync"(%i) {operandSegmentSizes = array<i32: 1, 0>} : (i32) -> ()
  return
}

// -----

func.func @f(%p: !llvm.ptr<3>, %i: i32) {
  // expected-error @below {{expects flags in global memory, got address space 3}}
  cutlass.generic_barrier.wait_eq %p[%i] by %i, %i : !llvm.ptr<3>
  return
}

// -----

func.func @f() {
  %c3 = arith.constant 3 : i32
  // expected-error @below {{expects one of 3 groups, got 3}}
  %0 = cutlass.seq_bar.state.create %c3 : !cutlass.seq_bar_state<1, 3>
  return
}

// -----

func.func @f(%b: !cutlass.seq_bar<2, 3, warps = 1>, %s: !cutlass.seq_bar_state<3, 2>) {
  // expected-error @below {{expects a place in a sequence of depth 2 and length 3, got one of 3 and 2}}
  cutlass.seq_bar.wait %b, %s : !cutlass.seq_bar<2, 3, warps = 1>, !cutlass.seq_bar_state<3, 2>
  return
}

// -----

func.func @f(%p: !llvm.ptr, %t: i32) {
  // expected-error @below {{expects the threads of a block, 1 to 1024, got 0}}
  %0 = cutlass.block_striped.load %p by %t of 0 : !llvm.ptr -> vector<4xf32>
  return
}

// -----

func.func @f(%p: !llvm.ptr, %t: i32) {
  // expected-error @below {{expects a fragment of one dimension, got 'vector<2x4xf32>'}}
  %0 = cutlass.block_striped.load %p by %t of 32 : !llvm.ptr -> vector<2x4xf32>
  return
}

// -----

func.func @f(%p: !llvm.ptr, %t: i32) {
  // expected-error @below {{expects elements of 8, 16, 32 or 64 bits, f16, bf16, f32 or f64, got 'i1'}}
  %0 = cutlass.block_striped.load %p by %t of 32 : !llvm.ptr -> vector<8xi1>
  return
}

// -----

func.func @f(%p: !llvm.ptr<5>, %t: i32, %v: vector<4xf32>) {
  // expected-error @below {{expects global or shared memory, got address space 5}}
  cutlass.block_striped.store %v, %p by %t of 32 : vector<4xf32>, !llvm.ptr<5>
  return
}

// -----

func.func @f(%p: !llvm.ptr, %t: i32, %v: vector<4xf32>) {
  // expected-error @below {{expects a sum of the type of the value}}
  %0 = cutlass.block_striped.load_add %v, %p by %t of 32 : vector<4xf32>, !llvm.ptr -> vector<8xf32>
  return
}

// -----

func.func @f(%p: !llvm.ptr, %t: i32, %v: vector<4xf16>) {
  // expected-error @below {{expects elements that are added atomically: f32, f64, i32 or i64, got 'f16'}}
  cutlass.block_striped.reduce %v, %p by %t of 32 : vector<4xf16>, !llvm.ptr
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @below {{expects parameters of kind 'dp', got 'streamk'}}
  %0 = cutlass.tile_scheduler.make_dp_params (%i, %i, %i, %i) tile [8, 8, 8] : !cutlass.tile_scheduler_params<streamk>
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @below {{expects 'units', how many blocks there are, unless every tile has one}}
  %0 = cutlass.tile_scheduler.create_streamk_params %i, %i, %i steps %i : !cutlass.tile_scheduler_params<streamk>
  return
}

// -----

func.func @f(%i: i32) {
  %c0 = arith.constant 0 : i32
  // expected-error @below {{expects at least one of 'units'}}
  %0 = cutlass.tile_scheduler.create_streamk_params %i, %i, %i steps %i units %c0 : !cutlass.tile_scheduler_params<streamk>
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @below {{expects three positive extents of a tile}}
  %0 = cutlass.tile_scheduler.make_dp_params (%i, %i, %i, %i) tile [8, 0, 8] : !cutlass.tile_scheduler_params<dp>
  return
}

// -----

func.func @f(%p: !cutlass.tile_scheduler_params<dp>) {
  // expected-error @below {{knows tiles_m, tiles_n, tiles_l, k_tiles, units and streamk_tiles, got 'tiles'}}
  %0 = cutlass.tile_scheduler.params_get_value %p "tiles" : !cutlass.tile_scheduler_params<dp>
  return
}

// -----

func.func @f(%p: !cutlass.tile_scheduler_params<dp>, %f: !llvm.ptr, %t: i32) {
  // expected-error @below {{expects parameters of kind 'streamk', which alone has a workspace}}
  cutlass.tile_scheduler.initialize_workspace %p, %f by %t of 32 : !cutlass.tile_scheduler_params<dp>, !llvm.ptr
  return
}

// -----

func.func @f(%p: !cutlass.tile_scheduler_params<streamk>, %f: !llvm.ptr, %t: i32) {
  // expected-error @below {{expects the threads of a block, 1 to 1024, got 2000}}
  cutlass.tile_scheduler.initialize_workspace %p, %f by %t of 2000 : !cutlass.tile_scheduler_params<streamk>, !llvm.ptr
  return
}

// -----

func.func @f(%p: !cutlass.tile_scheduler_params<streamk>) {
  // expected-error @below {{expects parameters of kind 'dp': every tile has a block, which others may take over}}
  %0 = cutlass.tile_scheduler.create_SM100_scheduler %p : !cutlass.tile_scheduler_params<streamk> -> !cutlass.tile_scheduler
  return
}

// -----

func.func @f(%p: !cutlass.tile_scheduler_params<dp>, %i: i32, %is: i1) {
  // expected-error @below {{expects parameters of kind 'streamk', got 'dp'}}
  %0 = cutlass.tile_scheduler.create_streamk_work_tile_info %p, %i, %i, %i steps %i, %i valid %is : !cutlass.tile_scheduler_params<dp> -> !cutlass.work_tile_info
  return
}

// -----

func.func @f(%w: !cutlass.work_tile_info) {
  // expected-error @below {{knows m, n, l, k_start, k_count, valid and tile, got 'k'}}
  %0 = cutlass.tile_scheduler.work_tile_info_get_value %w "k" : !cutlass.work_tile_info
  return
}

// -----

func.func @f(%w: !cutlass.work_tile_info) {
  // expected-error @below {{expects a cluster of m x n blocks, at most 16}}
  %0, %1, %2 = cutlass.tile_scheduler.work_tile_info_to_cta_coord %w cluster [8, 4] : !cutlass.work_tile_info
  return
}

// -----

func.func @f(%p: !cutlass.tile_scheduler_params<dp>, %w: !cutlass.work_tile_info, %v: vector<4xf32>, %q: !llvm.ptr, %t: i32) {
  // expected-error @below {{expects parameters of kind 'streamk': otherwise a block computes all of a tile}}
  %0 = cutlass.tile_scheduler.fixup %p, %w, %v, %q, %q by %t of 32 : !cutlass.tile_scheduler_params<dp>, !cutlass.work_tile_info, vector<4xf32>, !llvm.ptr, !llvm.ptr
  return
}

// -----

!params = !cutlass.tile_scheduler_params<streamk>
func.func @f(%p: !params, %w: !cutlass.work_tile_info, %v: vector<4xf16>, %q: !llvm.ptr, %t: i32) {
  // expected-error @below {{expects sums in a vector of f32, f64 or i32, got 'vector<4xf16>'}}
  %0 = cutlass.tile_scheduler.fixup %p, %w, %v, %q, %q by %t of 32 : !params, !cutlass.work_tile_info, vector<4xf16>, !llvm.ptr, !llvm.ptr
  return
}

// -----

!params = !cutlass.tile_scheduler_params<streamk>
func.func @f(%p: !params, %w: !cutlass.work_tile_info, %v: vector<4xf32>, %q: !llvm.ptr, %t: i32) {
  // expected-error @below {{expects the threads that have sums, 1 to 1024, got 0}}
  %0 = cutlass.tile_scheduler.fixup %p, %w, %v, %q, %q by %t of 0 : !params, !cutlass.work_tile_info, vector<4xf32>, !llvm.ptr, !llvm.ptr
  return
}

// -----

!params = !cutlass.tile_scheduler_params<streamk>
func.func @f(%p: !params, %w: !cutlass.work_tile_info, %v: vector<4xf32>, %q: !llvm.ptr<3>, %t: i32) {
  // expected-error @below {{expects a workspace in global memory, got address space 3}}
  %0 = cutlass.tile_scheduler.fixup %p, %w, %v, %q, %q by %t of 32 : !params, !cutlass.work_tile_info, vector<4xf32>, !llvm.ptr<3>, !llvm.ptr<3>
  return
}

// -----

func.func @f() {
  // expected-error @below {{expects a region without arguments}}
  cutlass.async.exec <cooperative, warps = 1> {
  ^bb0(%x: i32):
  }
  return
}

// -----

func.func @f(%w: !cutlass.work_tile_info, %q: !llvm.ptr<3>, %t: i32) {
  // expected-error @below {{expects flags in global memory, got address space 3}}
  cutlass.tile_scheduler.fixup_wait %w, %q by %t : !cutlass.work_tile_info, !llvm.ptr<3>
  return
}
