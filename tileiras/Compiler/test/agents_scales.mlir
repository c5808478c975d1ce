// Scales of products in tensor memory: each stage of the ring has them in shared memory and columns of its own in tensor
// memory, to which the thread that multiplies has them copied. Tensor copies bring the factors, threads the scales.
// test/EndToEnd/tcgen05.py executes such kernels, and breaks them.
// RUN: tileiras %s --gpu-name=sm_100 --num-warps=8 --emit=tileas \
// RUN:   "--pipeline-options=pipeline-strategy=warp-specialize unspecialized-pipeline-num-stages=4" | FileCheck %s
// RUN: tileiras %s --gpu-name=sm_100 --num-warps=8 --emit=ptx \
// RUN:   "--pipeline-options=pipeline-strategy=warp-specialize unspecialized-pipeline-num-stages=4" | FileCheck %s --check-prefix=PTX
// RUN: tileiras %s --gpu-name=sm_100 --num-warps=8 --emit=ptx --pipeline-options=pipeline-strategy=none | FileCheck %s --check-prefix=ONE

// Columns follow each other: those of a stage are its number times eight behind the first.
// CHECK-COUNT-4: nv_tileas.alloc_tensor {offset = {{[0-9]+}} : i64} : tensor<128x8xi32, #tensor_memory
// CHECK: nv_tileas.single_thread = array<i32: 0, 0, 1>
// The copies.
// CHECK: }, {
// CHECK: async.tiled_tma_load
// CHECK: async.tiled_tma_load
// CHECK: async.tiled_load {{.*}}simt_async_copy<bytes = 4>
// CHECK: async.tiled_load {{.*}}simt_async_copy<bytes = 4>
// The products.
// CHECK: }, {
// CHECK: consumer_wait {{.*}}nv_tileas.async_proxy
// CHECK: consumer_read
// CHECK: nv_tileas.dot {{.*}} scales({{.*}}) columns({{.*}}nv_tileas.under_way
// CHECK: consumer_release {{.*}}nv_tileas.by_products

// All threads of the agent that copies, and one for the tensor copies.
// PTX: mov.b32 [[COUNT:%r[0-9]+]], 129;
// PTX-NEXT: mbarrier.init.shared.b64 {{.*}}, [[COUNT]];
// PTX: fence.proxy.async
// PTX-NOT: tcgen05.commit
// PTX: tcgen05.cp.cta_group::1.32x128b.warpx4
// PTX: tcgen05.cp.cta_group::1.32x128b.warpx4
// PTX-COUNT-4: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X
// PTX: tcgen05.commit
// PTX-NOT: tcgen05.st

// ONE-NOT: tcgen05.st
// ONE: tcgen05.cp
// ONE: tcgen05.mma
cuda_tile.module @kernels {
  entry @scaled(%pa: tile<ptr<f8E4M3FN>>, %pb: tile<ptr<f8E4M3FN>>, %psa: tile<ptr<f8E8M0FNU>>, %psb: tile<ptr<f8E8M0FNU>>, %po: tile<ptr<f32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %pad = assume div_by<16>, %pa : tile<ptr<f8E4M3FN>>
    %a_t = make_tensor_view %pad, shape = [512, 2048], strides = [2048, 1] : tensor_view<512x2048xf8E4M3FN,strides=[2048,1]>
    %a = make_partition_view %a_t : partition_view<tile=(128x128), padding_value = zero, tensor_view<512x2048xf8E4M3FN,strides=[2048,1]>>
    %pbd = assume div_by<16>, %pb : tile<ptr<f8E4M3FN>>
    %b_t = make_tensor_view %pbd, shape = [512, 2048], strides = [2048, 1] : tensor_view<512x2048xf8E4M3FN,strides=[2048,1]>
    %b = make_partition_view %b_t : partition_view<tile=(128x128), padding_value = zero, tensor_view<512x2048xf8E4M3FN,strides=[2048,1]>>
    %psad = assume div_by<16>, %psa : tile<ptr<f8E8M0FNU>>
    %sa_t = make_tensor_view %psad, shape = [512, 64], strides = [64, 1] : tensor_view<512x64xf8E8M0FNU,strides=[64,1]>
    %sa = make_partition_view %sa_t : partition_view<tile=(128x4), padding_value = zero, tensor_view<512x64xf8E8M0FNU,strides=[64,1]>>
    %psbd = assume div_by<16>, %psb : tile<ptr<f8E8M0FNU>>
    %sb_t = make_tensor_view %psbd, shape = [512, 64], strides = [64, 1] : tensor_view<512x64xf8E8M0FNU,strides=[64,1]>
    %sb = make_partition_view %sb_t : partition_view<tile=(128x4), padding_value = zero, tensor_view<512x64xf8E8M0FNU,strides=[64,1]>>
    %pod = assume div_by<16>, %po : tile<ptr<f32>>
    %o_t = make_tensor_view %pod, shape = [512, 512], strides = [512, 1] : tensor_view<512x512xf32,strides=[512,1]>
    %o = make_partition_view %o_t : partition_view<tile=(128x128), tensor_view<512x512xf32,strides=[512,1]>>
    %z = constant <f32: 0.0> : tile<128x128xf32>
    %n = constant <i32: 16> : tile<i32>
    %c = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<128x128xf32>) {
      %av, %ak = load_view_tko weak %a[%bx, %i] : partition_view<tile=(128x128), padding_value = zero, tensor_view<512x2048xf8E4M3FN,strides=[2048,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
      %bv, %bk = load_view_tko weak %b[%by, %i] : partition_view<tile=(128x128), padding_value = zero, tensor_view<512x2048xf8E4M3FN,strides=[2048,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
      %sav, %sak = load_view_tko weak %sa[%bx, %i] : partition_view<tile=(128x4), padding_value = zero, tensor_view<512x64xf8E8M0FNU,strides=[64,1]>>, tile<i32> -> tile<128x4xf8E8M0FNU>, token
      %sbv, %sbk = load_view_tko weak %sb[%by, %i] : partition_view<tile=(128x4), padding_value = zero, tensor_view<512x64xf8E8M0FNU,strides=[64,1]>>, tile<i32> -> tile<128x4xf8E8M0FNU>, token
      %bt = permute %bv [1, 0] : tile<128x128xf8E4M3FN> -> tile<128x128xf8E4M3FN>
      %sbt = permute %sbv [1, 0] : tile<128x4xf8E8M0FNU> -> tile<4x128xf8E8M0FNU>
      %s1 = mmaf_scaled %av, %bt, %s, %sav, %sbt : tile<128x128xf8E4M3FN>, tile<128x128xf8E4M3FN>, tile<128x128xf32>, tile<128x4xf8E8M0FNU>, tile<4x128xf8E8M0FNU>
      continue %s1 : tile<128x128xf32>
    }
    %t = store_view_tko weak %c, %o[%bx, %by] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<512x512xf32,strides=[512,1]>>, tile<i32> -> token
    return
  }
}
