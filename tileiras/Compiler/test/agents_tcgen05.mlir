// Products in tensor memory have an agent of their own: one thread, which waits for stages and has tcgen05.commit release
// them. Who needs the sums waits for a ring of one stage, the tile in tensor memory. test/EndToEnd/tcgen05.py executes
// such kernels, and breaks them.
// RUN: tileiras %s --gpu-name=sm_100 --num-warps=8 --emit=tileas \
// RUN:   "--pipeline-options=pipeline-strategy=warp-specialize unspecialized-pipeline-num-stages=3" | FileCheck %s
// RUN: tileiras %s --gpu-name=sm_100 --num-warps=8 --emit=ptx \
// RUN:   "--pipeline-options=pipeline-strategy=warp-specialize unspecialized-pipeline-num-stages=3" | FileCheck %s --check-prefix=PTX

// CHECK: %[[SUMS:.*]] = nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<128x128xf32, #tensor_memory>
// CHECK: %[[RING:.*]] = nv_tileas.async.pipeline.create_pipeline %[[SUMS]]
// CHECK-SAME: numStages = 1 : i32, sharedMem = false
// CHECK: agent_switch {{.*}}max_regs = array<i32: [[MOST:[0-9]+]], 64, 64>{{.*}}nv_tileas.single_thread = array<i32: 0, 0, 1>
// The sums, from tensor memory; what they are stored by takes the bytes of the stages.
// CHECK: %[[FULL:.*]] = nv_tileas.async.pipeline.consumer_wait %[[RING]]
// CHECK-NOT: scf.for
// CHECK: nv_tileas.convert_layout %[[SUMS]]
// CHECK: nv_tileas.async.pipeline.consumer_release %[[RING]], %[[FULL]]
// CHECK: alloc_tensor {offset = 0 : i64} : {{.*}}f32
// CHECK: tiled_store
// The copies.
// CHECK: }, {
// CHECK: async.tiled_tma_load
// The products.
// CHECK: }, {
// CHECK: %[[EMPTY:.*]] = nv_tileas.async.pipeline.producer_acquire %[[RING]]
// CHECK: scf.for
// CHECK: consumer_wait
// CHECK: consumer_read
// CHECK: nv_tileas.dot {{.*}}, %[[SUMS]] if {{.*}}nv_tileas.under_way
// CHECK: consumer_release {{.*}}nv_tileas.by_products
// CHECK: }
// CHECK: nv_tileas.async.pipeline.producer_commit %[[RING]], %[[EMPTY]] {nv_tileas.by_products}

// One thread for all of the loop, which has nothing else in it.
// PTX: elect.sync
// PTX: mbarrier.try_wait
// PTX: mbarrier.try_wait
// PTX-NOT: {{elect.sync|bar.sync|fence.proxy|shfl}}
// PTX-COUNT-4: tcgen05.mma
// PTX-NOT: {{elect.sync|bar.sync|fence.proxy|shfl}}
// PTX: tcgen05.commit
// PTX-NOT: {{elect.sync|bar.sync|fence.proxy|shfl}}
// PTX: bra
// PTX: tcgen05.commit
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
