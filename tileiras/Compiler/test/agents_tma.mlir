// An agent fills the ring by TMA, where there are tensor maps, and by cp.async where there are none; which, nobody else
// knows. test/EndToEnd/agents.py executes such kernels, and breaks them.
// RUN: tileiras %s --gpu-name=sm_90 --num-warps=8 --emit=tileas --remarks=memory \
// RUN:   "--pipeline-options=pipeline-strategy=warp-specialize unspecialized-pipeline-num-stages=3" > %t.mlir 2> %t.remarks
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: tileiras %s --gpu-name=sm_90 --num-warps=8 --emit=ptx -o %t.ptx \
// RUN:   "--pipeline-options=pipeline-strategy=warp-specialize unspecialized-pipeline-num-stages=3"
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=false tileiras %s --gpu-name=sm_90 --num-warps=8 --emit=ptx \
// RUN:   "--pipeline-options=pipeline-strategy=warp-specialize unspecialized-pipeline-num-stages=3" | FileCheck %s --check-prefix=OFF

// Who is not asked for a strategy decides by what is expected to be faster: two warpgroups that multiply get an agent that
// copies for them; one does not, nor do two without TMA, or with less under way.
// RUN: tileiras %s --gpu-name=sm_90 --num-warps=8 --emit=tileas --remarks=schedule 2>&1 | FileCheck %s --check-prefix=AUTO
// RUN: tileiras %s --gpu-name=sm_90 --num-warps=4 --emit=tileas --remarks=schedule 2>&1 | FileCheck %s --check-prefix=GROUP
// RUN: tileiras %s --gpu-name=sm_90 --num-warps=8 --emit=tileas --remarks=schedule \
// RUN:   --pipeline-options=unspecialized-pipeline-num-stages=2 2>&1 | FileCheck %s --check-prefix=LITTLE
// RUN: tileiras %s --gpu-name=sm_80 --num-warps=8 --emit=tileas --static-shared=device --remarks=schedule 2>&1 | FileCheck %s --check-prefix=OLDER
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=false tileiras %s --gpu-name=sm_90 --num-warps=8 --emit=tileas --remarks=schedule 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: tileiras %s --gpu-name=sm_90 --num-warps=8 --emit=tileas --pipeline-options=pipeline-strategy=unspecialize | FileCheck %s --check-prefix=ONE
// AUTO: remark: [Passed] Agents {{.*}}Alternatives="pipeline-strategy=unspecialize, pipeline-strategy=none", Computing=1, Reason="one agent fills rings, another computes
// AUTO: agent_switch
// GROUP: remark: [Missed] Agents {{.*}}one agent is as fast: there are no two warpgroups that compute
// GROUP-NOT: agent_switch
// LITTLE: remark: [Missed] Agents {{.*}}one agent is as fast: the stages of the rings hold too little
// LITTLE-NOT: agent_switch
// OLDER: remark: [Missed] Agents {{.*}}one agent is as fast: there are no two warpgroups that compute, or no registers
// THREADS: remark: [Missed] Agents {{.*}}one agent is as fast: nothing but threads could fill the rings
// ONE-NOT: agent_switch

// REMARK: [Passed] Tma {{.*}}the tiles lie in shared memory as tensor copies write them

// The ring is as for any producer; the sums take the bytes of its stages when it is empty.
// CHECK: alloc_tensor {offset = 0 : i64} : tensor<128x64xf16
// CHECK: create_pipeline
// CHECK-SAME: numStages = 3 : i32, nv_tileas.drained}
// CHECK: agent_switch {{.*}}max_regs = array<i32: 232, 40>
// CHECK: consumer_wait
// CHECK-NOT: async_proxy
// CHECK: alloc_tensor {offset = 0 : i64} : tensor<128x128xf32
// CHECK: }, {
// CHECK: make_tiled_tma_desc
// CHECK: make_tiled_tma_desc
// CHECK: scf.if
// CHECK-NOT: tiled_load
// CHECK: async.tiled_tma_load
// CHECK: async.tiled_tma_load
// CHECK: } else {
// CHECK-NOT: tiled_tma_load
// CHECK: async.tiled_load
// CHECK: async.tiled_load

// One arrival fills a stage, eight warps give it back. One thread is elected, in front of the loop; the loop that
// multiplies has no fence and no barrier.
// PTX: mov.b32 [[FULL:%r[0-9]+]], 1;
// PTX-NEXT: mbarrier.init.shared.b64 {{.*}}, [[FULL]];
// PTX-NEXT: mov.b32 [[EMPTY:%r[0-9]+]], 8;
// PTX-NEXT: mbarrier.init.shared.b64 {{.*}}, [[EMPTY]];
// PTX: setmaxnreg.inc.sync.aligned.u32 232;
// PTX: mbarrier.try_wait
// PTX-NOT: {{bar.sync|fence.proxy}}
// PTX: wgmma.wait_group.sync.aligned 1;
// PTX: @one mbarrier.arrive.shared.b64 _,
// PTX: setmaxnreg.dec.sync.aligned.u32 40;
// PTX: elect.sync
// PTX: mbarrier.try_wait
// PTX-NOT: elect.sync
// PTX: mbarrier.arrive.expect_tx
// PTX-NOT: elect.sync
// PTX-COUNT-3: cp.async.bulk.tensor.2d
// PTX-NOT: elect.sync
// PTX: bra

// OFF-NOT: cp.async.bulk
// OFF: cp.async.mbarrier.arrive.noinc
// OFF-NOT: cp.async.bulk
cuda_tile.module @kernels {
  entry @gemm(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %po: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_p = assume div_by<16>, %pa : tile<ptr<f16>>
    %a_n = assume div_by<16>, %k : tile<i32>
    %a_s = assume div_by<16>, %k : tile<i32>
    %a_t = make_tensor_view %a_p, shape = [%m, %a_n], strides = [%a_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %a = make_partition_view %a_t : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %b_p = assume div_by<16>, %pb : tile<ptr<f16>>
    %b_n = assume div_by<16>, %n : tile<i32>
    %b_s = assume div_by<16>, %n : tile<i32>
    %b_t = make_tensor_view %b_p, shape = [%k, %b_n], strides = [%b_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %b = make_partition_view %b_t : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %o_p = assume div_by<16>, %po : tile<ptr<f32>>
    %o_n = assume div_by<16>, %n : tile<i32>
    %o_s = assume div_by<16>, %n : tile<i32>
    %o_t = make_tensor_view %o_p, shape = [%m, %o_n], strides = [%o_s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %o = make_partition_view %o_t : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %ks:2 = get_index_space_shape %a : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>> -> tile<i32>
    %z = constant <f32: 0.0> : tile<128x128xf32>
    %c = for %kk in (%c0 to %ks#1, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<128x128xf32>) {
      %x, %t0 = load_view_tko weak %a[%bx, %kk] : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %y, %t1 = load_view_tko weak %b[%kk, %by] : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
      %s1 = mmaf %x, %y, %s : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %s1 : tile<128x128xf32>
    }
    %t2 = store_view_tko weak %c, %o[%bx, %by] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
