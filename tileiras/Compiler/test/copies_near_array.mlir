// Copies ahead of a product. What is left of the array for a tile that a loop over its tiles counts is a difference of 32 bits, for one behind the last, too.
// RUN: tileiras %s --gpu-name=sm_80 --emit=ptx --num-warps=4 -o - | FileCheck %s --check-prefix=NEAR
// NEAR: mma.sync
// NEAR-NOT: setp.lt.u32
// NEAR-COUNT-8: cp.async.cg.shared.global
// NEAR-NOT: setp.lt.u32
// NEAR: bra.uni
//
// Not if somebody else says how often the loop runs, as long as he likes, nor for the array that has another extent along the loop.
// RUN: sed 's/to %%ks#1/to %%k/' %s | tileiras - --gpu-name=sm_80 --emit=ptx --num-warps=4 -o - | FileCheck %s --check-prefix=FAR
// FAR: mma.sync
// FAR: setp.lt.u32
// FAR-COUNT-8: cp.async.cg.shared.global
// RUN: sed 's/b\[%%kk, %%by\]/b[%%by, %%kk]/' %s | tileiras - --gpu-name=sm_80 --emit=ptx --num-warps=4 -o - | FileCheck %s --check-prefix=OTHER
// OTHER: mma.sync
// OTHER-NOT: setp.lt.u32
// OTHER-COUNT-4: cp.async.cg.shared.global
// OTHER: setp.lt.u32
// OTHER-COUNT-4: cp.async.cg.shared.global
//
// Loads of the tile that the loop counts into registers likewise: factors on their way to one tile for wgmma.
// RUN: sed 's/xf16/xtf32/g;s/<f16>/<tf32>/g' %s | tileiras - --gpu-name=sm_90 --emit=ptx --num-warps=4 -o - | FileCheck %s --check-prefix=LOADS
// LOADS: mov.b32 {{.*}}, 0;
// LOADS-NOT: setp.lt.u32
// LOADS-COUNT-8: ld.global.v4.b32
// LOADS-NOT: setp.lt.u32
// LOADS: wgmma.mma_async
// RUN: sed 's/xf16/xtf32/g;s/<f16>/<tf32>/g;s/to %%ks#1/to %%k/' %s | tileiras - --gpu-name=sm_90 --emit=ptx --num-warps=4 -o - | FileCheck %s --check-prefix=FARLOADS
// FARLOADS: mov.b32 {{.*}}, 0;
// FARLOADS: setp.lt.u32
// FARLOADS-COUNT-8: ld.global.v4.b32
// FARLOADS: wgmma.mma_async

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
