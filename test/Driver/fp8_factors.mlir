// Factors of 8 bits whose dense dimension is the one that is added up over go to shared memory as they are, whichever way their tiles are
// turned: they take no registers, and a product of 128x256x128 is not divided. TMA fills its ring.
// RUN: tileiras %s --gpu-name=sm_100 --emit=tileas -o - | FileCheck %s
// CHECK: tiled_tma_load
// CHECK: nv_tileas.dot {{.*}}#nv_tileas.sm100_mma_atom<f8E4M3FN, m = 128, n = 256
// So do factors that lie the other way round, which the instruction reads across.
// RUN: sed 's/256x128/128x256/g;s/%b\[%by, %kk\]/%b[%kk, %by]/;s/permute %yt \[1, 0\]/permute %yt [0, 1]/' %s | tileiras - --gpu-name=sm_100 --emit=tileas -o - | FileCheck %s --check-prefix=TURNED
// TURNED: tiled_tma_load
// TURNED: nv_tileas.dot {{.*}}#nv_tileas.sm100_mma_atom<f8E4M3FN, m = 128, n = 256

cuda_tile.module @kernels {
  entry @gemm(%pa: tile<ptr<f8E4M3FN>>, %pb: tile<ptr<f8E4M3FN>>, %po: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_p = assume div_by<16>, %pa : tile<ptr<f8E4M3FN>>
    %a_n = assume div_by<16>, %k : tile<i32>
    %a_s = assume div_by<16>, %k : tile<i32>
    %a_t = make_tensor_view %a_p, shape = [%m, %a_n], strides = [%a_s, 1] : tile<i32> -> tensor_view<?x?xf8E4M3FN, strides=[?,1]>
    %a = make_partition_view %a_t : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %b_p = assume div_by<16>, %pb : tile<ptr<f8E4M3FN>>
    %b_n = assume div_by<16>, %k : tile<i32>
    %b_s = assume div_by<16>, %k : tile<i32>
    %b_t = make_tensor_view %b_p, shape = [%n, %b_n], strides = [%b_s, 1] : tile<i32> -> tensor_view<?x?xf8E4M3FN, strides=[?,1]>
    %b = make_partition_view %b_t : partition_view<tile=(256x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %o_p = assume div_by<16>, %po : tile<ptr<f32>>
    %o_n = assume div_by<16>, %n : tile<i32>
    %o_s = assume div_by<16>, %n : tile<i32>
    %o_t = make_tensor_view %o_p, shape = [%m, %o_n], strides = [%o_s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %o = make_partition_view %o_t : partition_view<tile=(128x256), tensor_view<?x?xf32, strides=[?,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %ks:2 = get_index_space_shape %a : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>> -> tile<i32>
    %z = constant <f32: 0.0> : tile<128x256xf32>
    %c = for %kk in (%c0 to %ks#1, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<128x256xf32>) {
      %x, %t0 = load_view_tko weak %a[%bx, %kk] : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
      %yt, %t1 = load_view_tko weak %b[%by, %kk] : partition_view<tile=(256x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<256x128xf8E4M3FN>, token
      %y = permute %yt [1, 0] : tile<256x128xf8E4M3FN> -> tile<128x256xf8E4M3FN>
      %s1 = mmaf %x, %y, %s : tile<128x128xf8E4M3FN>, tile<128x256xf8E4M3FN>, tile<128x256xf32>
      continue %s1 : tile<128x256xf32>
    }
    %t2 = store_view_tko weak %c, %o[%bx, %by] : tile<128x256xf32>, partition_view<tile=(128x256), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
