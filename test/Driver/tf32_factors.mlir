// Factors of tf32 that lie across in memory lie so in shared memory, too, where tcgen05.mma reads them, in the swizzle with atoms of 32 bytes that tensor copies
// of these targets have. wgmma does not read them so, and sm_120 has neither: there no layout asks for it.
// RUN: tileiras %s --gpu-name=sm_100 --emit=tileas -o - | FileCheck %s
// RUN: tileiras %s --gpu-name=sm_100 --emit=ptx -o - | FileCheck %s --check-prefix=MAP
// RUN: tileiras %s --gpu-name=sm_90 --emit=ptx -o - | FileCheck %s --check-prefix=NONE
// RUN: tileiras %s --gpu-name=sm_120 --emit=ptx -o - | FileCheck %s --check-prefix=NONE
// k in rows of 128 bytes: bit 0 of it exchanges elements 8, bit 1 elements 16. A's tile has been turned.
// CHECK-DAG: #[[A:shared[0-9]*]] = #nv_tileas.shared<rank = 2, offset = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [8, 1], [16, 2], [0, 4], [0, 8], [0, 16], [32, 0], [64, 0]]>
// CHECK-DAG: #[[B:shared[0-9]*]] = #nv_tileas.shared<rank = 2, offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 8], [2, 16], [4, 0], [8, 0], [16, 0], [0, 32], [0, 64]]>
// CHECK: tiled_tma_load {{.*}}#nv_tileas.tma_load<box = [32, 32], order = [1, 0], swizzle = 160>
// CHECK: nv_tileas.dot {{.*}}tensor<128x32xtf32, #[[A]]>, tensor<32x128xtf32, #[[B]]>
// MAP: tensormap.replace.tile.swizzle_mode{{.*}}, 3;
// MAP: tensormap.replace.tile.swizzle_atomicity{{.*}}, 1;
// NONE-NOT: swizzle_atomicity

cuda_tile.module @kernels {
  entry @gemm(%pa: tile<ptr<tf32>>, %pb: tile<ptr<tf32>>, %po: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_p = assume div_by<16>, %pa : tile<ptr<tf32>>
    %a_n = assume div_by<16>, %m : tile<i32>
    %a_s = assume div_by<16>, %m : tile<i32>
    %a_t = make_tensor_view %a_p, shape = [%k, %a_n], strides = [%a_s, 1] : tile<i32> -> tensor_view<?x?xtf32, strides=[?,1]>
    %a = make_partition_view %a_t : partition_view<tile=(32x128), padding_value = zero, tensor_view<?x?xtf32, strides=[?,1]>>
    %b_p = assume div_by<16>, %pb : tile<ptr<tf32>>
    %b_n = assume div_by<16>, %n : tile<i32>
    %b_s = assume div_by<16>, %n : tile<i32>
    %b_t = make_tensor_view %b_p, shape = [%k, %b_n], strides = [%b_s, 1] : tile<i32> -> tensor_view<?x?xtf32, strides=[?,1]>
    %b = make_partition_view %b_t : partition_view<tile=(32x128), padding_value = zero, tensor_view<?x?xtf32, strides=[?,1]>>
    %o_p = assume div_by<16>, %po : tile<ptr<f32>>
    %o_n = assume div_by<16>, %n : tile<i32>
    %o_s = assume div_by<16>, %n : tile<i32>
    %o_t = make_tensor_view %o_p, shape = [%m, %o_n], strides = [%o_s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %o = make_partition_view %o_t : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %ks:2 = get_index_space_shape %a : partition_view<tile=(32x128), padding_value = zero, tensor_view<?x?xtf32, strides=[?,1]>> -> tile<i32>
    %z = constant <f32: 0.0> : tile<128x128xf32>
    %c = for %kk in (%c0 to %ks#0, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<128x128xf32>) {
      %xt, %t0 = load_view_tko weak %a[%kk, %bx] : partition_view<tile=(32x128), padding_value = zero, tensor_view<?x?xtf32, strides=[?,1]>>, tile<i32> -> tile<32x128xtf32>, token
      %x = permute %xt [1, 0] : tile<32x128xtf32> -> tile<128x32xtf32>
      %y, %t1 = load_view_tko weak %b[%kk, %by] : partition_view<tile=(32x128), padding_value = zero, tensor_view<?x?xtf32, strides=[?,1]>>, tile<i32> -> tile<32x128xtf32>, token
      %s1 = mmaf %x, %y, %s : tile<128x32xtf32>, tile<32x128xtf32>, tile<128x128xf32>
      continue %s1 : tile<128x128xf32>
    }
    %t2 = store_view_tko weak %c, %o[%bx, %by] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
