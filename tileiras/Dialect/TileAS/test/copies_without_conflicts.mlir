// A right factor of products of 64 rows lies in two halves of its columns, whose rows begin in the same banks. Threads that copy together fill
// two rows of one half, not one row of both, and meet in no bank; a warp copies the same bytes.
// RUN: tileiras %s --gpu-name=sm_100 --emit=tileas -o - --pipeline-options=num-warps=4 | FileCheck %s
// CHECK: #[[LEFT:linear[0-9]*]] = {{.*}} lane = {{\[\[}}0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = {{\[\[}}4, 0], [8, 0]]>
// CHECK: #[[RIGHT:linear[0-9]*]] = {{.*}} lane = {{\[\[}}0, 8], [0, 16], [1, 0], [0, 32], [2, 0]], warp = {{\[\[}}4, 0], [8, 0]]>
// CHECK: async.tiled_load {{.*}} copies = #[[LEFT]]}
// CHECK: async.tiled_load {{.*}} copies = #[[RIGHT]]}
// RUN: tileiras-run %s --gpu-name=sm_100 --check --schedules=3 --stats --engine=reference,emulator 'pa:f16[64x256]=random(seed=1,lo=-1,hi=1)' 'pb:f16[256x64]=random(seed=2,lo=-1,hi=1)' 'out:po:f32[64x64]{tol=rel:1e-3/abs:1e-4}=poison' i32=64 i32=64 i32=256 | FileCheck %s --check-prefix=COUNT
// COUNT: global sectors {{ *}}2560
// COUNT: shared bank conflicts {{ *}}0{{$}}
// Rows and columns that are cut.
// RUN: tileiras-run %s --gpu-name=sm_100 --check --schedules=3 'pa:f16[61x208]=random(seed=1,lo=-1,hi=1)' 'pb:f16[208x48]=random(seed=2,lo=-1,hi=1)' 'out:po:f32[61x48]{tol=rel:1e-3/abs:1e-4}=poison' i32=61 i32=48 i32=208

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
