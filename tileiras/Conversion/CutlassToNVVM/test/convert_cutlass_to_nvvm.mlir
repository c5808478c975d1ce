// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What operations of cutlass become. That it works, test/EndToEnd/cutlass.py shows.
// RUN: tileiras-opt %s --convert-cutlass-to-nvvm=chip=sm_90 --split-input-file | FileCheck %s
// RUN: tileiras-opt %s --convert-cutlass-to-nvvm=chip=sm_80 --split-input-file | FileCheck %s --check-prefix=OLD
// OLD: mbarrier.test_wait
// OLD-NOT: mbarrier.try_wait

!who = !cutlass.participants<producer = <cooperative, warps = 1>, consumer = <warp_specialized, warps = 3 from 1>>
!pipe = !cutlass.pipeline<async, 3, producer = <cooperative, warps = 1>, consumer = <warp_specialized, warps = 3 from 1>>
!state = !cutlass.pipeline_state<3>
gpu.module @kernels {
  // CHECK: llvm.mlir.global internal @[[BARRIERS:.*]]() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<48 x i8>
  // A state is three numbers wherever it goes.
  // CHECK: func.func private @further(%{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32) -> (i32, i32, i32)
  func.func private @further(%s: !state) -> !state {
    // CHECK: scf.for {{.*}} -> (i32, i32, i32)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %n = scf.for %i = %c0 to %c1 step %c1 iter_args(%t = %s) -> (!state) : i32 {
      %u = cutlass.pipeline.state.increment %t : !state
      scf.yield %u : !state
    }
    cf.br ^end(%n : !state)
  ^end(%m: !state):
    return %m : !state
  }

  // CHECK-LABEL: gpu.func @pipeline
  gpu.func @pipeline(%a: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %who = cutlass.pipeline.make_participants : !who
    // CHECK: llvm.mlir.addressof @[[BARRIERS]]
    %pipe = cutlass.pipeline.create %who : !who -> !pipe
    // 32 arrivals of threads make a stage full, 3 of warps empty.
    // CHECK-DAG: llvm.mlir.constant(32 : i32)
    // CHECK-DAG: llvm.mlir.constant(3 : i32)
    // CHECK-COUNT-6: llvm.nvvm.mbarrier.init.shared
    // CHECK-NOT: fence.mbarrier.init
    // CHECK: nvvm.barrier0
    cutlass.pipeline.init %pipe : !pipe
    %s = cutlass.pipeline.state.create %c0, %c1, %c0 : !state
    // CHECK: mbarrier.try_wait.parity.shared.b64 done, [$1+8]
    // CHECK: llvm.nvvm.cp.async.mbarrier.arrive.noinc.shared
    cutlass.pipeline.producer_acquire %pipe, %s : !pipe, !state
    cutlass.pipeline.producer_commit %pipe, %s cp_async : !pipe, !state
    // CHECK: llvm.nvvm.mbarrier.arrive.shared
    cutlass.pipeline.producer_commit %pipe, %s : !pipe, !state
    // CHECK: mbarrier.try_wait.parity.shared.b64 done, [$1+0]
    cutlass.pipeline.consumer_wait %pipe, %s : !pipe, !state
    // CHECK: nvvm.bar.warp.sync
    // CHECK: mov.pred one, $1;{{.*}}@one mbarrier.arrive.shared.b64 _, [$0+8]
    cutlass.pipeline.consumer_release %pipe, %s : !pipe, !state
    // CHECK: call @further(%{{.*}}, %{{.*}}, %{{.*}}) : (i32, i32, i32) -> (i32, i32, i32)
    %t = func.call @further(%s) : (!state) -> !state
    %n = cutlass.pipeline.state.get_count %t : !state
    // Numbers of named barriers: 1 is taken, both "x" are the same.
    // CHECK: %[[X:.*]] = llvm.mlir.constant(2 : i32)
    // CHECK: nvvm.barrier.arrive id = %[[X]] number_of_threads
    // CHECK: %[[Y:.*]] = llvm.mlir.constant(3 : i32)
    // CHECK: nvvm.barrier id = %[[Y]] number_of_threads
    // CHECK: %[[AGAIN:.*]] = llvm.mlir.constant(2 : i32)
    // CHECK: nvvm.barrier id = %[[AGAIN]] number_of_threads
    %c64 = arith.constant 64 : i32
    nvvm.barrier id = %c1 number_of_threads = %c64
    %x = cutlass.barrier_id "x"
    cutlass.named_barrier.arrive %x, %c64
    %y = cutlass.barrier_id "y"
    cutlass.named_barrier.arrive_and_wait %y, %c64
    %again = cutlass.barrier_id "x"
    cutlass.named_barrier.arrive_and_wait %again, %c64
    gpu.return
  }
}
