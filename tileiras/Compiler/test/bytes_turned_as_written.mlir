// RUN: tileiras %s --gpu-name=sm_80 --static-shared=device --emit=ptx --pipeline-options="num-warps=8 unspecialized-pipeline-num-stages=2" -o - | FileCheck %s
//
// Bytes with n first, before there is an instruction that turns them. Four steps of a product read them, each warp of a square for itself: they are
// put in order as they are written, for once, and read as words.
// CHECK: .entry gemm(
// CHECK-COUNT-32: st.shared.v2.b8
// CHECK: ld.shared.v2.b32
// CHECK-NOT: ld.shared{{.*}}.b8
// CHECK: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32
// CHECK-NOT: ld.shared{{.*}}.b8
// CHECK: ret;

cuda_tile.module @kernels {
  entry @gemm(%pa: tile<ptr<i8>>, %pb: tile<ptr<i8>>, %po: tile<ptr<i32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_p = assume div_by<16>, %pa : tile<ptr<i8>>
    %a_n = assume div_by<16>, %k : tile<i32>
    %a_s = assume div_by<16>, %k : tile<i32>
    %a_t = make_tensor_view %a_p, shape = [%m, %a_n], strides = [%a_s, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %a = make_partition_view %a_t : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %b_p = assume div_by<16>, %pb : tile<ptr<i8>>
    %b_n = assume div_by<16>, %n : tile<i32>
    %b_s = assume div_by<16>, %n : tile<i32>
    %b_t = make_tensor_view %b_p, shape = [%k, %b_n], strides = [%b_s, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %b = make_partition_view %b_t : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %o_p = assume div_by<16>, %po : tile<ptr<i32>>
    %o_n = assume div_by<16>, %n : tile<i32>
    %o_s = assume div_by<16>, %n : tile<i32>
    %o_t = make_tensor_view %o_p, shape = [%m, %o_n], strides = [%o_s, 1] : tile<i32> -> tensor_view<?x?xi32, strides=[?,1]>
    %o = make_partition_view %o_t : partition_view<tile=(128x128), tensor_view<?x?xi32, strides=[?,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %ks:2 = get_index_space_shape %a : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>> -> tile<i32>
    %z = constant <i32: 0> : tile<128x128xi32>
    %c = for %kk in (%c0 to %ks#1, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<128x128xi32>) {
      %x, %t0 = load_view_tko weak %a[%bx, %kk] : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<128x128xi8>, token
      %y, %t1 = load_view_tko weak %b[%kk, %by] : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<128x128xi8>, token
      %s1 = mmai %x, %y, %s signed signed : tile<128x128xi8>, tile<128x128xi8>, tile<128x128xi32>
      continue %s1 : tile<128x128xi32>
    }
    %t2 = store_view_tko weak %c, %o[%bx, %by] : tile<128x128xi32>, partition_view<tile=(128x128), tensor_view<?x?xi32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
