// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of cutlass in a kernel of tiles: a persistent loop over the tiles of a scheduler, whose work goes around the loop as it is until the
// bodies have been converted; and a named barrier. Compiled through all stages, and executed by 3 blocks.
// RUN: tileiras %s --gpu-name=sm_90 --emit=ptx -o %t.ptx
// RUN: tileiras-run %t.ptx --check-races --grid=3 --block=128 --show=o 'out:o:i32[2x4]=poison' | FileCheck %s
// RUN: tileiras %s --gpu-name=sm_80 -O0 --emit=ptx -o %t.80.ptx
// RUN: tileiras-run %t.80.ptx --check-races --grid=3 --block=128 --show=o 'out:o:i32[2x4]=poison' | FileCheck %s
// RUN: tileiras %s --gpu-name=sm_90 --emit=llvm | FileCheck %s --check-prefix=LLVM
// Tile (m, n) of 2 x 4 has the number m + 2 n.
// CHECK: 0 20 40 60
// CHECK-NEXT: 10 30 50 70
// LLVM-NOT: cutlass
// The two conversions on their own: the first ones let the operations pass.
// RUN: sed 's/nv_tileaa.store/nv_tileas.store/' %s | tileiras-opt --convert-nv-tile-func-to-llvm --convert-nv-tileas-to-llvm | FileCheck %s --check-prefix=PASSED
// PASSED: scf.while {{.*}} : (!cutlass.work_tile_info) -> !cutlass.work_tile_info
// PASSED: cutlass.tile_scheduler.fetch_next_work

!work = !cutlass.work_tile_info
!params = !cutlass.tile_scheduler_params<static_persistent>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func @kernel(%o: !nv_tileaa.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c10 = arith.constant 10 : i32
    %c128 = arith.constant 128 : i32
    %params = cutlass.tile_scheduler.create_static_persistent_params %c2, %c4, %c1 steps %c1 units %c3 : !params
    %id = cutlass.barrier_id "all"
    %w0 = cutlass.tile_scheduler.initial_work_tile_info %params : !params -> !work
    %end = scf.while (%w = %w0) : (!work) -> !work {
      %v = cutlass.tile_scheduler.work_tile_info_get_value %w "valid" : !work
      %go = arith.cmpi ne, %v, %c0 : i32
      scf.condition(%go) %w : !work
    } do {
    ^bb0(%w: !work):
      %m, %n, %k, %l = cutlass.tile_scheduler.work_tile_info_to_coord_mnkl %w : !work
      %tile = cutlass.tile_scheduler.work_tile_info_get_value %w "tile" : !work
      %row = arith.muli %m, %c4 : i32
      %i = arith.addi %row, %n : i32
      %value = arith.muli %tile, %c10 : i32
      %p = nv_tileaa.addptr %o, %i : !nv_tileaa.ptr<i32>, i32
      %t0 = nv_tileaa.store %p, %value : !nv_tileaa.ptr<i32>, i32
      cutlass.named_barrier.arrive_and_wait %id, %c128
      %next = cutlass.tile_scheduler.fetch_next_work %params, %w : !params, !work -> !work
      scf.yield %next : !work
    }
    nv_tileaa.return
  }
}
