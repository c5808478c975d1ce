// Scales that lie in blocks of 128 x 4, as libraries keep them, are loaded by tensor copies, one for each factor: of A each block of a pair has those of its rows, and
// of B both have all, of which each copies a half to both. A stage has 48 columns of tensor memory for them, so five have room beside 256 of sums.
// test/EndToEnd/clusters.py executes such kernels, and breaks them.
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true tileiras %s --gpu-name=sm_100 --emit=tileas --pipeline-options=pipeline-strategy=warp-specialize | FileCheck %s
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true tileiras %s --gpu-name=sm_100 --emit=ptx --pipeline-options=pipeline-strategy=warp-specialize --remarks=memory 2>&1 | FileCheck %s --check-prefix=PTX

// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true tileiras %s --gpu-name=sm_100 --emit=ptx --remarks=schedule 2>&1 | FileCheck %s --check-prefix=STAYS
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true tileiras %s --gpu-name=sm_100 --emit=ptx --pipeline-options=persistent-blocks=never --remarks=schedule 2>&1 | FileCheck %s --check-prefix=LEAVES --implicit-check-not=nsmid

// CHECK: nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<128x64xi32, #tensor_memory
// CHECK-NEXT: nv_tileas.alloc_tensor {offset = 48 : i64} : tensor<128x64xi32, #tensor_memory
// CHECK: create_pipeline {{.*}}numStages = 5 : i32
// CHECK: make_tiled_tma_desc {{.*}}box = [1, 4, 2, 256], order = [3, 2, 1, 0]
// CHECK: make_tiled_tma_desc {{.*}}box = [2, 2, 2, 256], order = [3, 2, 0, 1]

// PTX: remark: [Passed] Multicast {{.*}}Blocks=2, BytesShared=4096
// PTX: tcgen05.alloc.cta_group::2{{.*}}, 512;
// PTX-COUNT-12: tcgen05.cp.cta_group::2.32x128b.warpx4
// PTX-COUNT-4: tcgen05.mma.cta_group::2.kind::mxf4nvf4.block_scale.scale_vec::4X
// PTX: cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::2 [
// PTX: cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.cta_group::2 [

// STAYS: remark: [Passed] Persistent {{.*}}clusters
// STAYS: %nsmid
// LEAVES-NOT: [Passed] Persistent
// LEAVES: tcgen05.mma.cta_group::2

cuda_tile.module @kernels {
  entry @fp4(%pa: tile<ptr<i8>>, %pb: tile<ptr<i8>>, %psa: tile<ptr<f8E4M3FN>>, %psb: tile<ptr<f8E4M3FN>>, %po: tile<ptr<f32>>) optimization_hints=<default = {num_cta_in_cga = 2}> {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %pad = assume div_by<16>, %pa : tile<ptr<i8>>
    %a_t = make_tensor_view %pad, shape = [1024, 2048], strides = [2048, 1] : tensor_view<1024x2048xi8, strides=[2048,1]>
    %a = make_partition_view %a_t : partition_view<tile=(256x128), padding_value = zero, tensor_view<1024x2048xi8, strides=[2048,1]>>
    %pbd = assume div_by<16>, %pb : tile<ptr<i8>>
    %b_t = make_tensor_view %pbd, shape = [1024, 2048], strides = [2048, 1] : tensor_view<1024x2048xi8, strides=[2048,1]>
    %b = make_partition_view %b_t : partition_view<tile=(256x128), padding_value = zero, tensor_view<1024x2048xi8, strides=[2048,1]>>
    %psad = assume div_by<16>, %psa : tile<ptr<f8E4M3FN>>
    %sa_t = make_tensor_view %psad, shape = [8, 64, 32, 4, 4], strides = [32768, 512, 16, 4, 1] : tensor_view<8x64x32x4x4xf8E4M3FN, strides=[32768,512,16,4,1]>
    %sa = make_partition_view %sa_t : partition_view<tile=(2x4x32x4x4), padding_value = zero, tensor_view<8x64x32x4x4xf8E4M3FN, strides=[32768,512,16,4,1]>>
    %psbd = assume div_by<16>, %psb : tile<ptr<f8E4M3FN>>
    %sb_t = make_tensor_view %psbd, shape = [8, 64, 32, 4, 4], strides = [32768, 512, 16, 4, 1] : tensor_view<8x64x32x4x4xf8E4M3FN, strides=[32768,512,16,4,1]>
    %sb = make_partition_view %sb_t : partition_view<tile=(2x4x32x4x4), padding_value = zero, tensor_view<8x64x32x4x4xf8E4M3FN, strides=[32768,512,16,4,1]>>
    %pod = assume div_by<16>, %po : tile<ptr<f32>>
    %o_t = make_tensor_view %pod, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %o = make_partition_view %o_t : partition_view<tile=(256x256), tensor_view<1024x1024xf32, strides=[1024,1]>>
    %z = constant <f32: 0.0> : tile<256x256xf32>
    %steps = constant <i32: 16> : tile<i32>
    %c = for %i in (%c0 to %steps, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<256x256xf32>) {
      %av, %ak = load_view_tko weak %a[%bx, %i] : partition_view<tile=(256x128), padding_value = zero, tensor_view<1024x2048xi8, strides=[2048,1]>>, tile<i32> -> tile<256x128xi8>, token
      %bv, %bk = load_view_tko weak %b[%by, %i] : partition_view<tile=(256x128), padding_value = zero, tensor_view<1024x2048xi8, strides=[2048,1]>>, tile<i32> -> tile<256x128xi8>, token
      %sal, %sak = load_view_tko weak %sa[%bx, %i, %c0, %c0, %c0] : partition_view<tile=(2x4x32x4x4), padding_value = zero, tensor_view<8x64x32x4x4xf8E4M3FN, strides=[32768,512,16,4,1]>>, tile<i32> -> tile<2x4x32x4x4xf8E4M3FN>, token
      %sap = permute %sal [0, 3, 2, 1, 4] : tile<2x4x32x4x4xf8E4M3FN> -> tile<2x4x32x4x4xf8E4M3FN>
      %sav = reshape %sap : tile<2x4x32x4x4xf8E4M3FN> -> tile<256x16xf8E4M3FN>
      %sbl, %sbk = load_view_tko weak %sb[%by, %i, %c0, %c0, %c0] : partition_view<tile=(2x4x32x4x4), padding_value = zero, tensor_view<8x64x32x4x4xf8E4M3FN, strides=[32768,512,16,4,1]>>, tile<i32> -> tile<2x4x32x4x4xf8E4M3FN>, token
      %sbp = permute %sbl [0, 3, 2, 1, 4] : tile<2x4x32x4x4xf8E4M3FN> -> tile<2x4x32x4x4xf8E4M3FN>
      %sbv = reshape %sbp : tile<2x4x32x4x4xf8E4M3FN> -> tile<256x16xf8E4M3FN>
      %af = reshape %av : tile<256x128xi8> -> tile<32768xi8>
      %au = unpack %af : tile<32768xi8> -> tile<65536xf4E2M1FN>
      %ae = reshape %au : tile<65536xf4E2M1FN> -> tile<256x256xf4E2M1FN>
      %bf = reshape %bv : tile<256x128xi8> -> tile<32768xi8>
      %bu = unpack %bf : tile<32768xi8> -> tile<65536xf4E2M1FN>
      %be = reshape %bu : tile<65536xf4E2M1FN> -> tile<256x256xf4E2M1FN>
      %bt = permute %be [1, 0] : tile<256x256xf4E2M1FN> -> tile<256x256xf4E2M1FN>
      %sbt = permute %sbv [1, 0] : tile<256x16xf8E4M3FN> -> tile<16x256xf8E4M3FN>
      %s1 = mmaf_scaled %ae, %bt, %s, %sav, %sbt : tile<256x256xf4E2M1FN>, tile<256x256xf4E2M1FN>, tile<256x256xf32>, tile<256x16xf8E4M3FN>, tile<16x256xf8E4M3FN>
      continue %s1 : tile<256x256xf32>
    }
    %t = store_view_tko weak %c, %o[%bx, %by] : tile<256x256xf32>, partition_view<tile=(256x256), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> token
    return
  }
}
