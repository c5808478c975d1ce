// Two loops of products that load by TMA, each followed by its store: the tensor map of the first store stands before it,
// where those of the second loop are not made yet.
// RUN: tileiras-run %s --engine=reference --grid=2,2 'a:f16[200x192]=normal(seed=1)' 'b:f16[192x144]=normal(seed=2)' \
// RUN:   'd:f16[200x192]=normal(seed=3)' 'e:f16[192x144]=normal(seed=4)' 'out:c:f16[200x144]=poison' 'out:f:f16[200x144]=poison' \
// RUN:   i32=200 i32=144 i32=192 --dump=c=%t.c.npy --dump=f=%t.f.npy
// RUN: tileiras-run %s --engine=emulator --gpu-name=sm_120 --check-races --grid=2,2 'a:f16[200x192]=normal(seed=1)' 'b:f16[192x144]=normal(seed=2)' \
// RUN:   'd:f16[200x192]=normal(seed=3)' 'e:f16[192x144]=normal(seed=4)' 'out:c:f16[200x144]{expect=%t.c.npy,tol=rel:4e-3/abs:1e-2}=poison' \
// RUN:   'out:f:f16[200x144]{expect=%t.f.npy,tol=rel:4e-3/abs:1e-2}=poison' i32=200 i32=144 i32=192 --save-ptx=%t.120.ptx
// RUN: tileiras-run %s --engine=emulator --gpu-name=sm_90 --pipeline-options=pipeline-strategy=unspecialize --check-races --grid=2,2 \
// RUN:   'a:f16[200x192]=normal(seed=1)' 'b:f16[192x144]=normal(seed=2)' 'd:f16[200x192]=normal(seed=3)' 'e:f16[192x144]=normal(seed=4)' \
// RUN:   'out:c:f16[200x144]{expect=%t.c.npy,tol=rel:4e-3/abs:1e-2}=poison' 'out:f:f16[200x144]{expect=%t.f.npy,tol=rel:4e-3/abs:1e-2}=poison' \
// RUN:   i32=200 i32=144 i32=192 --save-ptx=%t.90.ptx
// RUN: FileCheck %s --check-prefix=STORE --input-file=%t.120.ptx
// RUN: FileCheck %s --check-prefix=STORE --input-file=%t.90.ptx
// STORE-COUNT-2: cp.async.bulk.tensor.2d.global.shared::cta

cuda_tile.module @kernels {
  entry @two(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pd: tile<ptr<f16>>, %pe: tile<ptr<f16>>, %po: tile<ptr<f16>>, %pq: tile<ptr<f16>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %a1_p = assume div_by<16>, %pa : tile<ptr<f16>>
    %a1_n = assume div_by<16>, %k : tile<i32>
    %a1_s = assume div_by<16>, %k : tile<i32>
    %a1_t = make_tensor_view %a1_p, shape = [%m, %a1_n], strides = [%a1_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %a1 = make_partition_view %a1_t : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %b1_p = assume div_by<16>, %pb : tile<ptr<f16>>
    %b1_n = assume div_by<16>, %n : tile<i32>
    %b1_s = assume div_by<16>, %n : tile<i32>
    %b1_t = make_tensor_view %b1_p, shape = [%k, %b1_n], strides = [%b1_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %b1 = make_partition_view %b1_t : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %o1_p = assume div_by<16>, %po : tile<ptr<f16>>
    %o1_n = assume div_by<16>, %n : tile<i32>
    %o1_s = assume div_by<16>, %n : tile<i32>
    %o1_t = make_tensor_view %o1_p, shape = [%m, %o1_n], strides = [%o1_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %o1 = make_partition_view %o1_t : partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>
    %ks1:2 = get_index_space_shape %a1 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>> -> tile<i32>
    %z1 = constant <f32: 0.0> : tile<128x128xf32>
    %c1 = for %kk in (%zero to %ks1#1, step %one) : tile<i32> iter_values(%s = %z1) -> (tile<128x128xf32>) {
      %x, %t0 = load_view_tko weak %a1[%bx, %kk] : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %y, %t1 = load_view_tko weak %b1[%kk, %by] : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
      %s1 = mmaf %x, %y, %s : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %s1 : tile<128x128xf32>
    }
    %h1 = ftof %c1 : tile<128x128xf32> -> tile<128x128xf16>
    %st1 = store_view_tko weak %h1, %o1[%bx, %by] : tile<128x128xf16>, partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    %a2_p = assume div_by<16>, %pd : tile<ptr<f16>>
    %a2_n = assume div_by<16>, %k : tile<i32>
    %a2_s = assume div_by<16>, %k : tile<i32>
    %a2_t = make_tensor_view %a2_p, shape = [%m, %a2_n], strides = [%a2_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %a2 = make_partition_view %a2_t : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %b2_p = assume div_by<16>, %pe : tile<ptr<f16>>
    %b2_n = assume div_by<16>, %n : tile<i32>
    %b2_s = assume div_by<16>, %n : tile<i32>
    %b2_t = make_tensor_view %b2_p, shape = [%k, %b2_n], strides = [%b2_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %b2 = make_partition_view %b2_t : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %o2_p = assume div_by<16>, %pq : tile<ptr<f16>>
    %o2_n = assume div_by<16>, %n : tile<i32>
    %o2_s = assume div_by<16>, %n : tile<i32>
    %o2_t = make_tensor_view %o2_p, shape = [%m, %o2_n], strides = [%o2_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %o2 = make_partition_view %o2_t : partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>
    %ks2:2 = get_index_space_shape %a2 : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>> -> tile<i32>
    %z2 = constant <f32: 0.0> : tile<128x128xf32>
    %c2 = for %kk in (%zero to %ks2#1, step %one) : tile<i32> iter_values(%s = %z2) -> (tile<128x128xf32>) {
      %x, %t0 = load_view_tko weak %a2[%bx, %kk] : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %y, %t1 = load_view_tko weak %b2[%kk, %by] : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
      %s1 = mmaf %x, %y, %s : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %s1 : tile<128x128xf32>
    }
    %h2 = ftof %c2 : tile<128x128xf32> -> tile<128x128xf16>
    %st2 = store_view_tko weak %h2, %o2[%bx, %by] : tile<128x128xf16>, partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
