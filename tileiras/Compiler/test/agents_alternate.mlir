// turns=tile-blocks: two agents of four warps have every other tile block of a persistent kernel, and turns in the loop over k
// (AlternateTiles.h, tileas-take-turns). What is computed is the same: test/EndToEnd/agents.py ("alternating") runs more of it.
// RUN: tileiras %s --gpu-name=sm_90 --num-warps=4 --emit=tileas "--pipeline-options=pipeline-strategy=warp-specialize dynamic-persistent=true turns=tile-blocks" --remarks=schedule 2>&1 | FileCheck %s
// RUN: tileiras-run %s --gpu-name=sm_90 --engine=reference,emulator --check --async=random --schedules=3 --tolerance=rel:1e-3,abs:1e-3 --multiprocessors=1 \
// RUN:   "--pipeline-options=pipeline-strategy=warp-specialize dynamic-persistent=true turns=tile-blocks num-warps=4" --grid=5,1 'a:f16[300x576]=random(seed=21)' 'b:f16[576x48]=random(seed=22)' 'out:o:f32[300x48]=poison' i32=300 i32=48 i32=576
// Without a loop over tile blocks, of eight warps, and without wgmma there is one agent, or two that share.
// RUN: tileiras %s --gpu-name=sm_90 --num-warps=4 --emit=tileas "--pipeline-options=pipeline-strategy=warp-specialize turns=tile-blocks" --remarks=schedule 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: tileiras %s --gpu-name=sm_90 --num-warps=8 --emit=tileas "--pipeline-options=pipeline-strategy=warp-specialize dynamic-persistent=true turns=tile-blocks" --remarks=schedule 2>&1 | FileCheck %s --check-prefix=EIGHT
// RUN: tileiras %s --gpu-name=sm_120 --num-warps=4 --emit=tileas "--pipeline-options=pipeline-strategy=warp-specialize dynamic-persistent=true turns=tile-blocks" --remarks=schedule 2>&1 | FileCheck %s --check-prefix=OTHER

// CHECK: [Passed] Turns {{.*}}Alternatives=turns=never{{.*}}stores the sums of a tile block while the other one multiplies
// CHECK: [Passed] Agents {{.*}}Computing=2
// CHECK: create_pipeline {{.*}}nv_tileas.in_turn
// CHECK: agent_switch {{.*}}max_regs = array<i32: 232, 232, 40>, num_warps = array<i32: 4, 4, 4>
// CHECK: %[[FIRST:.*]] = nv_tileas.async.pipeline.create_iterator
// CHECK: %[[ROUNDS:.*]] = arith.select
// CHECK: %[[TWICE:.*]] = arith.addi %[[STEP:.*]], %[[STEP]]
// CHECK: scf.for %[[TILE:.*]] = %[[BEGIN:.*]] to %[[END:.*]] step %[[TWICE]] iter_args(%{{.*}} = %[[FIRST]])
// The first agent waits for its turn in all tile blocks but the first, and hands it on if there is another one.
// CHECK: %[[LATER:.*]] = arith.cmpi ne, %[[TILE]], %[[BEGIN]]
// CHECK: scf.if %[[LATER]] {
// CHECK: nvvm.barrier id = %c13_i32{{.*}} number_of_threads = %c256_i32
// CHECK: %[[BEHIND:.*]]:3 = scf.for
// CHECK: consumer_wait %{{[0-9]+}}, %{{.*}}
// CHECK: async.dot
// CHECK: %[[LEFT:.*]] = arith.subi %[[END]], %[[TILE]]
// CHECK: %[[MORE:.*]] = arith.cmpi ugt, %[[LEFT]]
// CHECK: scf.if %[[MORE]] {
// CHECK: nvvm.barrier.arrive id = %c14_i32{{.*}} number_of_threads = %c256_i32
// CHECK: async.dot_wait
// CHECK: inc_iter %[[BEHIND]]#1 by %[[ROUNDS]]
// The second one begins with the second tile block, and so many fillings later.
// CHECK: }, {
// CHECK: %[[SECOND:.*]] = arith.addi %[[BEGIN]], %[[STEP]]
// CHECK: %[[PASSED:.*]] = nv_tileas.async.pipeline.inc_iter %{{.*}} by
// CHECK: scf.for %{{.*}} = %[[SECOND]] to %[[END]] step %{{.*}} iter_args(%{{.*}} = %[[PASSED]])
// CHECK: nvvm.barrier id = %c14_i32{{.*}} number_of_threads = %c256_i32
// CHECK: consumer_wait {{.*}}consumer_idx = 1
// CHECK: nvvm.barrier.arrive id = %c13_i32{{.*}} number_of_threads = %c256_i32
// The one that copies goes through all.
// CHECK: }, {
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step %[[STEP]]

// ONCE: [Missed] Turns {{.*}}there is no loop over tile blocks
// ONCE: [Passed] Agents {{.*}}Computing=1
// EIGHT: [Missed] Turns {{.*}}another number of warps than four
// EIGHT: [Passed] Agents
// OTHER: [Missed] Turns {{.*}}no product of an asynchronous unit
// OTHER: [Passed] Agents {{.*}}Computing=1
// ONCE-NOT: in_turn
// EIGHT-NOT: in_turn
// OTHER-NOT: in_turn
cuda_tile.module @kernels {
  entry @gemm(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %po: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_p = assume div_by<16>, %pa : tile<ptr<f16>>
    %a_n = assume div_by<16>, %k : tile<i32>
    %a_s = assume div_by<16>, %k : tile<i32>
    %a_t = make_tensor_view %a_p, shape = [%m, %a_n], strides = [%a_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %a = make_partition_view %a_t : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %b_p = assume div_by<16>, %pb : tile<ptr<f16>>
    %b_n = assume div_by<16>, %n : tile<i32>
    %b_s = assume div_by<16>, %n : tile<i32>
    %b_t = make_tensor_view %b_p, shape = [%k, %b_n], strides = [%b_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %b = make_partition_view %b_t : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %o_p = assume div_by<16>, %po : tile<ptr<f32>>
    %o_n = assume div_by<16>, %n : tile<i32>
    %o_s = assume div_by<16>, %n : tile<i32>
    %o_t = make_tensor_view %o_p, shape = [%m, %o_n], strides = [%o_s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %o = make_partition_view %o_t : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %ks:2 = get_index_space_shape %a : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>> -> tile<i32>
    %z = constant <f32: 0.0> : tile<64x64xf32>
    %c = for %kk in (%c0 to %ks#1, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<64x64xf32>) {
      %x, %t0 = load_view_tko weak %a[%bx, %kk] : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %y, %t1 = load_view_tko weak %b[%kk, %by] : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %s1 = mmaf %x, %y, %s : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %s1 : tile<64x64xf32>
    }
    %t2 = store_view_tko weak %c, %o[%bx, %by] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
