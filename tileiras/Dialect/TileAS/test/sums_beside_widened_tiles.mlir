// Sums leave through the bytes that the factors of their loop have had, half by half. Factors that are widened before they are multiplied have no ring:
// one tile of each, 32 KiB of f16, where the tile of sums has 64.
// RUN: tileiras %s --gpu-name=sm_90 --emit=ptx -o %t.ptx --pipeline-options=num-warps=4
// RUN: FileCheck %s < %t.ptx
// CHECK: .b8 global_smem[32768];
// RUN: tileiras-run %s --gpu-name=sm_90 --pipeline-options=num-warps=4 --check --schedules=3 'pa:f8E4M3FN[128x192]=random(seed=1,lo=-1,hi=1)' 'pb:f8E4M3FN[192x128]=random(seed=2,lo=-1,hi=1)' 'out:po:f32[128x128]{tol=rel:1e-3/abs:1e-3}=poison' i32=128 i32=128 i32=192
// A tile at the edge, and an odd number of rounds that ends in one.
// RUN: tileiras-run %s --gpu-name=sm_90 --pipeline-options=num-warps=4 --check --schedules=3 --grid=2,2,1 'pa:f8E4M3FN[200x272]=random(seed=3,lo=-1,hi=1)' 'pb:f8E4M3FN[272x144]=random(seed=4,lo=-1,hi=1)' 'out:po:f32[200x144]{tol=rel:1e-3/abs:1e-3}=poison' i32=200 i32=144 i32=272
// A half is read when all have written it, and the second one is written when all have read the first.
// RUN: awk '/bar\.sync/ && ++n == 4 {next} 1' %t.ptx > %t.4.ptx
// RUN: not tileiras-run %t.4.ptx --check-races --schedules=2 'pa:f8E4M3FN[128x192]=random(seed=1,lo=-1,hi=1)' 'pb:f8E4M3FN[192x128]=random(seed=2,lo=-1,hi=1)' 'out:po:f32[128x128]=poison' i32=128 i32=128 i32=192 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: awk '/bar\.sync/ && ++n == 5 {next} 1' %t.ptx > %t.5.ptx
// RUN: not tileiras-run %t.5.ptx --check-races --schedules=2 'pa:f8E4M3FN[128x192]=random(seed=1,lo=-1,hi=1)' 'pb:f8E4M3FN[192x128]=random(seed=2,lo=-1,hi=1)' 'out:po:f32[128x128]=poison' i32=128 i32=128 i32=192 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: awk '/bar\.sync/ && ++n == 6 {next} 1' %t.ptx > %t.6.ptx
// RUN: not tileiras-run %t.6.ptx --check-races --schedules=2 'pa:f8E4M3FN[128x192]=random(seed=1,lo=-1,hi=1)' 'pb:f8E4M3FN[192x128]=random(seed=2,lo=-1,hi=1)' 'out:po:f32[128x128]=poison' i32=128 i32=128 i32=192 2>&1 | FileCheck %s --check-prefix=FAULT
// FAULT: race

cuda_tile.module @kernels {
  entry @gemm(%pa: tile<ptr<f8E4M3FN>>, %pb: tile<ptr<f8E4M3FN>>, %po: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_p = assume div_by<16>, %pa : tile<ptr<f8E4M3FN>>
    %a_n = assume div_by<16>, %k : tile<i32>
    %a_s = assume div_by<16>, %k : tile<i32>
    %a_t = make_tensor_view %a_p, shape = [%m, %a_n], strides = [%a_s, 1] : tile<i32> -> tensor_view<?x?xf8E4M3FN, strides=[?,1]>
    %a = make_partition_view %a_t : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %b_p = assume div_by<16>, %pb : tile<ptr<f8E4M3FN>>
    %b_n = assume div_by<16>, %n : tile<i32>
    %b_s = assume div_by<16>, %n : tile<i32>
    %b_t = make_tensor_view %b_p, shape = [%k, %b_n], strides = [%b_s, 1] : tile<i32> -> tensor_view<?x?xf8E4M3FN, strides=[?,1]>
    %b = make_partition_view %b_t : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>
    %o_p = assume div_by<16>, %po : tile<ptr<f32>>
    %o_n = assume div_by<16>, %n : tile<i32>
    %o_s = assume div_by<16>, %n : tile<i32>
    %o_t = make_tensor_view %o_p, shape = [%m, %o_n], strides = [%o_s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %o = make_partition_view %o_t : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %ks:2 = get_index_space_shape %a : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>> -> tile<i32>
    %z = constant <f32: 0.0> : tile<128x128xf32>
    %c = for %kk in (%c0 to %ks#1, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<128x128xf32>) {
      %x, %t0 = load_view_tko weak %a[%bx, %kk] : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<128x64xf8E4M3FN>, token
      %y, %t1 = load_view_tko weak %b[%kk, %by] : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf8E4M3FN, strides=[?,1]>>, tile<i32> -> tile<64x128xf8E4M3FN>, token
      %s1 = mmaf %x, %y, %s : tile<128x64xf8E4M3FN>, tile<64x128xf8E4M3FN>, tile<128x128xf32>
      continue %s1 : tile<128x128xf32>
    }
    %t2 = store_view_tko weak %c, %o[%bx, %by] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
