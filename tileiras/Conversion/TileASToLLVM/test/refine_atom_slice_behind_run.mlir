// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A slice of a factor that stands behind the product is not what the product takes (tileas-refine-atom-by-resource): its
// own stands before it.
// RUN: tileiras-run %s --gpu-name=sm_80 --engine=reference,emulator --check --schedules=2 'q:f16[2048x32]=random(seed=1)' 'k:f16[256x512]=random(seed=2)' 'out:o:f32[512x32]' 'out:p:f16[512x32]' i32=2 --tolerance=rel:1e-2,abs:0.5
// RUN: tileiras --gpu-name=sm_80 --emit=tileas %s | FileCheck %s

// CHECK-LABEL: nv_tileaa.func @twice_and_slice
// CHECK: scf.for
// CHECK-COUNT-4: nv_tileas.dot {{.*}} : tensor<64x128xf16, #shared{{[0-9]*}}>, tensor<128x
cuda_tile.module @m {
  entry @twice_and_slice(%pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %po: tile<ptr<f32>>, %pp: tile<ptr<f16>>, %n: tile<i32>) {
    %q_t = make_tensor_view %pq, shape = [2048, 32], strides = [32, 1] : tensor_view<2048x32xf16,strides=[32,1]>
    %q = make_partition_view %q_t : partition_view<tile=(512x32), tensor_view<2048x32xf16,strides=[32,1]>>
    %k_t = make_tensor_view %pk, shape = [256, 512], strides = [512, 1] : tensor_view<256x512xf16,strides=[512,1]>
    %k = make_partition_view %k_t : partition_view<tile=(64x512), tensor_view<256x512xf16,strides=[512,1]>>
    %o_t = make_tensor_view %po, shape = [512, 32], strides = [32, 1] : tensor_view<512x32xf32,strides=[32,1]>
    %o = make_partition_view %o_t : partition_view<tile=(512x32), tensor_view<512x32xf32,strides=[32,1]>>
    %p_t = make_tensor_view %pp, shape = [512, 32], strides = [32, 1] : tensor_view<512x32xf16,strides=[32,1]>
    %p = make_partition_view %p_t : partition_view<tile=(128x32), tensor_view<512x32xf16,strides=[32,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %z = constant <f32: 0.0> : tile<64x32xf32>
    %zo = constant <f32: 0.0> : tile<512x32xf32>
    %r = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%acc = %zo) -> (tile<512x32xf32>) {
    %tq, %t0 = load_view_tko weak %q[%i, %c0] : partition_view<tile=(512x32), tensor_view<2048x32xf16,strides=[32,1]>>, tile<i32> -> tile<512x32xf16>, token
    %xk, %t1 = load_view_tko weak %k[%i, %c0] : partition_view<tile=(64x512), tensor_view<256x512xf16,strides=[512,1]>>, tile<i32> -> tile<64x512xf16>, token
    %xv, %t2 = load_view_tko weak %k[%i, %c0] : partition_view<tile=(64x512), tensor_view<256x512xf16,strides=[512,1]>>, tile<i32> -> tile<64x512xf16>, token
    %s = mmaf %xk, %tq, %z : tile<64x512xf16>, tile<512x32xf16>, tile<64x32xf32>
    %h = ftof %s : tile<64x32xf32> -> tile<64x32xf16>
    %tv = permute %xv [1, 0] : tile<64x512xf16> -> tile<512x64xf16>
    %p1 = mmaf %tv, %h, %acc : tile<512x64xf16>, tile<64x32xf16>, tile<512x32xf32>
    %e = extract %tq[%c1, %c0] : tile<512x32xf16> -> tile<128x32xf16>
    %t5 = store_view_tko weak %e, %p[%i, %c0] : tile<128x32xf16>, partition_view<tile=(128x32), tensor_view<512x32xf16,strides=[32,1]>>, tile<i32> -> token
    continue %p1 : tile<512x32xf32>
    }
    %ts = store_view_tko weak %r, %o[%c0, %c0] : tile<512x32xf32>, partition_view<tile=(512x32), tensor_view<512x32xf32,strides=[32,1]>>, tile<i32> -> token
    return
  }
}
