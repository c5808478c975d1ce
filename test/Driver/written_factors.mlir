// Factors of wgmma that threads write: each stage of the ring has a place for them, of which one is the product's that goes on while the
// next is filled, so that copies are one round less ahead than there are stages.
// RUN: tileiras %s --gpu-name=sm_90 --pipeline-options=pipeline-strategy=unspecialize --emit=tileas -o - | FileCheck %s
// RUN: tileiras %s --gpu-name=sm_90 --pipeline-options="pipeline-strategy=unspecialize unspecialized-pipeline-num-stages=2" --emit=tileas -o - | FileCheck %s --check-prefix=TWO
// RUN: tileiras %s --gpu-name=sm_90 --pipeline-options=pipeline-strategy=unspecialize --remarks=pipeline --emit=ptx -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tileiras %s --gpu-name=sm_90 --pipeline-options=pipeline-strategy=unspecialize --emit=ptx -o - | FileCheck %s --check-prefix=PTX

// CHECK-LABEL: nv_tileaa.func @widened
// CHECK: create_pipeline {{.*}} {groups, {{.*}}numStages = 4 : i32, nv_tileas.spare_stage}
// CHECK: scf.for {{.*}} -> (!nv_tileas.pending
// CHECK: consumer_wait
// CHECK: producer_write
// CHECK: consumer_read
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<128x64xbf16, {{.*}}>, %[[B:.*]]: tensor<64x128xbf16
// CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[B]] {{.*}}no_war_barrier
// CHECK: nv_tileas.async.dot %[[A]], %[[B]]
// CHECK: nv_tileas.async.dot_wait %{{.*}} {pending = 1
// Two stages: none is to spare.
// TWO-NOT: spare_stage
// The place of the next round's factor is written, and one meeting of all comes between it and the product.
// PTX-LABEL: .entry widened
// PTX: wgmma.wait_group.sync.aligned 1;

// REMARK: [Passed] WrittenFactor | Category:pipeline | Function=widened | {{.*}}SharedPercent=137
// Shared memory is busy for longer than the product takes: the factor has one place, and is loaded ahead. The sums count once.
// REMARK: [Missed] WrittenFactor | Category:pipeline | Function=across | {{.*}}shared memory has no time for it while products read theirs{{.*}}SharedPercent=150
// REMARK: [Missed] WrittenFactor | Category:pipeline | Function=small | {{.*}}other blocks multiply while it is written
// REMARK: [Passed] Prefetch | Category:pipeline | Function=across | Ahead=1, {{.*}}Words=144

cuda_tile.module @kernels {
  entry @widened(%pa: tile<ptr<bf16>>, %pb: tile<ptr<i8>>, %po: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_p = assume div_by<16>, %pa : tile<ptr<bf16>>
    %a_n = assume div_by<16>, %k : tile<i32>
    %a_s = assume div_by<16>, %k : tile<i32>
    %a_t = make_tensor_view %a_p, shape = [%m, %a_n], strides = [%a_s, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %a = make_partition_view %a_t : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %b_p = assume div_by<16>, %pb : tile<ptr<i8>>
    %b_n = assume div_by<16>, %k : tile<i32>
    %b_s = assume div_by<16>, %k : tile<i32>
    %b_t = make_tensor_view %b_p, shape = [%n, %b_n], strides = [%b_s, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %b = make_partition_view %b_t : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %o_p = assume div_by<16>, %po : tile<ptr<f32>>
    %o_n = assume div_by<16>, %n : tile<i32>
    %o_s = assume div_by<16>, %n : tile<i32>
    %o_t = make_tensor_view %o_p, shape = [%m, %o_n], strides = [%o_s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %o = make_partition_view %o_t : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %ks:2 = get_index_space_shape %a : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>> -> tile<i32>
    %z = constant <f32: 0.0> : tile<128x128xf32>
    %c = for %kk in (%c0 to %ks#1, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<128x128xf32>) {
      %x, %t0 = load_view_tko weak %a[%bx, %kk] : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %yt, %t1 = load_view_tko weak %b[%by, %kk] : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<128x64xi8>, token
      %yl = permute %yt [1, 0] : tile<128x64xi8> -> tile<64x128xi8>
      %y = itof %yl signed : tile<64x128xi8> -> tile<64x128xbf16>
      %s1 = mmaf %x, %y, %s : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      continue %s1 : tile<128x128xf32>
    }
    %t2 = store_view_tko weak %c, %o[%bx, %by] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
  entry @across(%pa: tile<ptr<f32>>, %pb: tile<ptr<f32>>, %po: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_p = assume div_by<16>, %pa : tile<ptr<f32>>
    %a_n = assume div_by<16>, %k : tile<i32>
    %a_s = assume div_by<16>, %k : tile<i32>
    %a_t = make_tensor_view %a_p, shape = [%m, %a_n], strides = [%a_s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %a = make_partition_view %a_t : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %b_p = assume div_by<16>, %pb : tile<ptr<f32>>
    %b_n = assume div_by<16>, %n : tile<i32>
    %b_s = assume div_by<16>, %n : tile<i32>
    %b_t = make_tensor_view %b_p, shape = [%k, %b_n], strides = [%b_s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %b = make_partition_view %b_t : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %o_p = assume div_by<16>, %po : tile<ptr<f32>>
    %o_n = assume div_by<16>, %n : tile<i32>
    %o_s = assume div_by<16>, %n : tile<i32>
    %o_t = make_tensor_view %o_p, shape = [%m, %o_n], strides = [%o_s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %o = make_partition_view %o_t : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %ks:2 = get_index_space_shape %a : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>> -> tile<i32>
    %z = constant <f32: 0.0> : tile<128x128xf32>
    %c = for %kk in (%c0 to %ks#1, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<128x128xf32>) {
      %xl, %t0 = load_view_tko weak %a[%bx, %kk] : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<128x64xf32>, token
      %yl, %t1 = load_view_tko weak %b[%kk, %by] : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<64x128xf32>, token
      %x = ftof %xl : tile<128x64xf32> -> tile<128x64xtf32>
      %y = ftof %yl : tile<64x128xf32> -> tile<64x128xtf32>
      %s1 = mmaf %x, %y, %s : tile<128x64xtf32>, tile<64x128xtf32>, tile<128x128xf32>
      continue %s1 : tile<128x128xf32>
    }
    %t2 = store_view_tko weak %c, %o[%bx, %by] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
  entry @small(%pa: tile<ptr<bf16>>, %pb: tile<ptr<i8>>, %po: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_p = assume div_by<16>, %pa : tile<ptr<bf16>>
    %a_n = assume div_by<16>, %k : tile<i32>
    %a_s = assume div_by<16>, %k : tile<i32>
    %a_t = make_tensor_view %a_p, shape = [%m, %a_n], strides = [%a_s, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %a = make_partition_view %a_t : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %b_p = assume div_by<16>, %pb : tile<ptr<i8>>
    %b_n = assume div_by<16>, %k : tile<i32>
    %b_s = assume div_by<16>, %k : tile<i32>
    %b_t = make_tensor_view %b_p, shape = [%n, %b_n], strides = [%b_s, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %b = make_partition_view %b_t : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %o_p = assume div_by<16>, %po : tile<ptr<f32>>
    %o_n = assume div_by<16>, %n : tile<i32>
    %o_s = assume div_by<16>, %n : tile<i32>
    %o_t = make_tensor_view %o_p, shape = [%m, %o_n], strides = [%o_s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %o = make_partition_view %o_t : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %ks:2 = get_index_space_shape %a : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>> -> tile<i32>
    %z = constant <f32: 0.0> : tile<64x64xf32>
    %c = for %kk in (%c0 to %ks#1, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<64x64xf32>) {
      %x, %t0 = load_view_tko weak %a[%bx, %kk] : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %yt, %t1 = load_view_tko weak %b[%by, %kk] : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<64x64xi8>, token
      %yl = permute %yt [1, 0] : tile<64x64xi8> -> tile<64x64xi8>
      %y = itof %yl signed : tile<64x64xi8> -> tile<64x64xbf16>
      %s1 = mmaf %x, %y, %s : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      continue %s1 : tile<64x64xf32>
    }
    %t2 = store_view_tko weak %c, %o[%bx, %by] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
