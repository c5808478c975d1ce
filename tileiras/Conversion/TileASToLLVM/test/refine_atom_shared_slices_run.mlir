// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two products of one tile that neither shared memory nor registers hold as fragments take the same slices of it
// (tileas-refine-atom-by-resource). Rows and keys that do not end with the tile.
// RUN: tileiras-run %s --gpu-name=sm_80 --engine=reference,emulator --check --schedules=4 'q:f16[27x512]=random(seed=1)' 'u:f16[27x512]=random(seed=7)' 'k:f16[100x512]=random(seed=2)' 'out:o:f32[512x27]' --tolerance=rel:1e-2,abs:0.05
// RUN: tileiras --gpu-name=sm_80 --emit=tileas %s | FileCheck %s

// CHECK-LABEL: nv_tileaa.func @twice
// CHECK: scf.for
// CHECK-COUNT-8: nv_tileas.dot {{.*}} : tensor<64x128xf16, #shared{{[0-9]*}}>, tensor<128x{{16|32}}xf16, #shared
// CHECK-COUNT-4: nv_tileas.dot {{.*}} : tensor<512x16xf16, #shared{{[0-9]*}}>, tensor<16x{{16|32}}xf16
cuda_tile.module @m {
  entry @twice(%q: tile<ptr<f16>>, %u: tile<ptr<f16>>, %k: tile<ptr<f16>>, %o: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %aq = assume div_by<16>, %q : tile<ptr<f16>>
    %ak = assume div_by<16>, %k : tile<ptr<f16>>
    %vq = make_tensor_view %aq, shape = [27, 512], strides = [512, 1] : tensor_view<27x512xf16, strides=[512,1]>
    %vk = make_tensor_view %ak, shape = [100, 512], strides = [512, 1] : tensor_view<100x512xf16, strides=[512,1]>
    %vo = make_tensor_view %o, shape = [512, 27], strides = [27, 1] : tensor_view<512x27xf32, strides=[27,1]>
    %pq = make_partition_view %vq : partition_view<tile=(32x512), padding_value = zero, tensor_view<27x512xf16, strides=[512,1]>>
    %pk = make_partition_view %vk : partition_view<tile=(64x512), padding_value = zero, tensor_view<100x512xf16, strides=[512,1]>>
    %po = make_partition_view %vo : partition_view<tile=(512x32), tensor_view<512x27xf32, strides=[27,1]>>
    %xq, %t0 = load_view_tko weak %pq[%c0, %c0] : partition_view<tile=(32x512), padding_value = zero, tensor_view<27x512xf16, strides=[512,1]>>, tile<i32> -> tile<32x512xf16>, token
    %au = assume div_by<16>, %u : tile<ptr<f16>>
    %vu = make_tensor_view %au, shape = [27, 512], strides = [512, 1] : tensor_view<27x512xf16, strides=[512,1]>
    %pu = make_partition_view %vu : partition_view<tile=(32x512), padding_value = zero, tensor_view<27x512xf16, strides=[512,1]>>
    %xu, %t4 = load_view_tko weak %pu[%c0, %c0] : partition_view<tile=(32x512), padding_value = zero, tensor_view<27x512xf16, strides=[512,1]>>, tile<i32> -> tile<32x512xf16>, token
    %tu = permute %xu [1, 0] : tile<32x512xf16> -> tile<512x32xf16>
    %tq = permute %xq [1, 0] : tile<32x512xf16> -> tile<512x32xf16>
    %z = constant <f32: 0.0> : tile<64x32xf32>
    %zo = constant <f32: 0.0> : tile<512x32xf32>
    %r = for %i in (%c0 to %c2, step %c1) : tile<i32> iter_values(%acc = %zo) -> (tile<512x32xf32>) {
      %xk, %t1 = load_view_tko weak %pk[%i, %c0] : partition_view<tile=(64x512), padding_value = zero, tensor_view<100x512xf16, strides=[512,1]>>, tile<i32> -> tile<64x512xf16>, token
      %xv, %t2 = load_view_tko weak %pk[%i, %c0] : partition_view<tile=(64x512), padding_value = zero, tensor_view<100x512xf16, strides=[512,1]>>, tile<i32> -> tile<64x512xf16>, token
      %s = mmaf %xk, %tq, %z : tile<64x512xf16>, tile<512x32xf16>, tile<64x32xf32>
      %s2 = mmaf %xk, %tu, %z : tile<64x512xf16>, tile<512x32xf16>, tile<64x32xf32>
      %both = subf %s, %s2 : tile<64x32xf32>
      %h = ftof %both : tile<64x32xf32> -> tile<64x32xf16>
      %tv = permute %xv [1, 0] : tile<64x512xf16> -> tile<512x64xf16>
      %n = mmaf %tv, %h, %acc : tile<512x64xf16>, tile<64x32xf16>, tile<512x32xf32>
      continue %n : tile<512x32xf32>
    }
    %t3 = store_view_tko weak %r, %po[%c0, %c0] : tile<512x32xf32>, partition_view<tile=(512x32), tensor_view<512x27xf32, strides=[27,1]>>, tile<i32> -> token
  }
}
