// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products whose factors neither shared memory nor registers hold whole are multiplied slice by slice
// (tileas-refine-atom-by-resource): latent attention's 512 columns in f16, sums in f32, and f32 by multiply-adds. Rows and
// keys that do not end with the tile.
// RUN: tileiras-run %s --entry=latent --gpu-name=sm_80 --engine=reference,emulator --check --schedules=4 'q:f16[27x512]=random(seed=1)' 'k:f16[100x512]=random(seed=2)' 'out:o:f32[512x27]' --tolerance=rel:1e-2,abs:0.05
// RUN: tileiras-run %s --entry=latent --gpu-name=sm_120 --engine=reference,emulator --check --schedules=2 'q:f16[27x512]=random(seed=3)' 'k:f16[100x512]=random(seed=4)' 'out:o:f32[512x27]' --tolerance=rel:1e-2,abs:0.05
// RUN: tileiras-run %s --entry=exact --gpu-name=sm_80 --engine=reference,emulator --check --schedules=4 'q:f32[32x64]=integers(seed=5)' 'k:f32[201x64]=integers(seed=6)' 'out:o:f32[32x64]'
// RUN: tileiras --gpu-name=sm_80 --emit=tileas %s | FileCheck %s
// RUN: tileiras --gpu-name=sm_80 --emit=ptx %s --remarks=resources 2>&1 | FileCheck %s --check-prefix=REMARK
// A slice that is multiplied twice, in the place of another, is found.
// RUN: tileiras --gpu-name=sm_80 --emit=tileas --pipeline-options=pipeline-strategy=none %s > %t.mlir
// RUN: %python %S/Inputs/wrong_slice.py %t.mlir > %t.wrong.mlir
// RUN: tileiras-run %s --entry=exact --gpu-name=sm_80 --engine=reference 'q:f32[32x64]=integers(seed=5)' 'k:f32[201x64]=integers(seed=6)' 'out:o:f32[32x64]' --dump=o=%t.npy
// RUN: tileiras-run %t.mlir --entry=exact --gpu-name=sm_80 --engine=emulator 'q:f32[32x64]=integers(seed=5)' 'k:f32[201x64]=integers(seed=6)' 'out:o:f32[32x64]{expect=%t.npy}'
// RUN: not tileiras-run %t.wrong.mlir --entry=exact --gpu-name=sm_80 --engine=emulator 'q:f32[32x64]=integers(seed=5)' 'k:f32[201x64]=integers(seed=6)' 'out:o:f32[32x64]{expect=%t.npy}'

// CHECK-LABEL: nv_tileaa.func @latent
// CHECK-COUNT-4: nv_tileas.dot {{.*}} : tensor<64x128xf16, #shared{{[0-9]*}}>, tensor<128x32xf16, #shared
// CHECK-LABEL: nv_tileaa.func @exact
// CHECK: nv_tileas.dot {{.*}} : tensor<32x32xf32, #shared{{[0-9]*}}>, tensor<32x128xf32, #shared
// REMARK: [Passed] TakeTurns {{.*}}Function=latent {{.*}}Slices=8
cuda_tile.module @m {
  entry @latent(%q: tile<ptr<f16>>, %k: tile<ptr<f16>>, %o: tile<ptr<f32>>) {
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
    %tq = permute %xq [1, 0] : tile<32x512xf16> -> tile<512x32xf16>
    %z = constant <f32: 0.0> : tile<64x32xf32>
    %zo = constant <f32: 0.0> : tile<512x32xf32>
    %r = for %i in (%c0 to %c2, step %c1) : tile<i32> iter_values(%acc = %zo) -> (tile<512x32xf32>) {
      %xk, %t1 = load_view_tko weak %pk[%i, %c0] : partition_view<tile=(64x512), padding_value = zero, tensor_view<100x512xf16, strides=[512,1]>>, tile<i32> -> tile<64x512xf16>, token
      %xv, %t2 = load_view_tko weak %pk[%i, %c0] : partition_view<tile=(64x512), padding_value = zero, tensor_view<100x512xf16, strides=[512,1]>>, tile<i32> -> tile<64x512xf16>, token
      %s = mmaf %xk, %tq, %z : tile<64x512xf16>, tile<512x32xf16>, tile<64x32xf32>
      %h = ftof %s : tile<64x32xf32> -> tile<64x32xf16>
      %tv = permute %xv [1, 0] : tile<64x512xf16> -> tile<512x64xf16>
      %n = mmaf %tv, %h, %acc : tile<512x64xf16>, tile<64x32xf16>, tile<512x32xf32>
      continue %n : tile<512x32xf32>
    }
    %t3 = store_view_tko weak %r, %po[%c0, %c0] : tile<512x32xf32>, partition_view<tile=(512x32), tensor_view<512x27xf32, strides=[27,1]>>, tile<i32> -> token
  }
  entry @exact(%q: tile<ptr<f32>>, %k: tile<ptr<f32>>, %o: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %aq = assume div_by<16>, %q : tile<ptr<f32>>
    %ak = assume div_by<16>, %k : tile<ptr<f32>>
    %vq = make_tensor_view %aq, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64,1]>
    %vk = make_tensor_view %ak, shape = [201, 64], strides = [64, 1] : tensor_view<201x64xf32, strides=[64,1]>
    %vo = make_tensor_view %o, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64,1]>
    %pq = make_partition_view %vq : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>
    %pk = make_partition_view %vk : partition_view<tile=(128x64), padding_value = zero, tensor_view<201x64xf32, strides=[64,1]>>
    %po = make_partition_view %vo : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>
    %xq, %t0 = load_view_tko weak %pq[%c0, %c0] : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>, tile<i32> -> tile<32x64xf32>, token
    %z = constant <f32: 0.0> : tile<32x128xf32>
    %zo = constant <f32: 0.0> : tile<32x64xf32>
    %r = for %i in (%c0 to %c2, step %c1) : tile<i32> iter_values(%acc = %zo) -> (tile<32x64xf32>) {
      %xk, %t1 = load_view_tko weak %pk[%i, %c0] : partition_view<tile=(128x64), padding_value = zero, tensor_view<201x64xf32, strides=[64,1]>>, tile<i32> -> tile<128x64xf32>, token
      %tk = permute %xk [1, 0] : tile<128x64xf32> -> tile<64x128xf32>
      %s = mmaf %xq, %tk, %z : tile<32x64xf32>, tile<64x128xf32>, tile<32x128xf32>
      %xv, %t2 = load_view_tko weak %pk[%i, %c0] : partition_view<tile=(128x64), padding_value = zero, tensor_view<201x64xf32, strides=[64,1]>>, tile<i32> -> tile<128x64xf32>, token
      %n = mmaf %s, %xv, %acc : tile<32x128xf32>, tile<128x64xf32>, tile<32x64xf32>
      continue %n : tile<32x64xf32>
    }
    %t3 = store_view_tko weak %r, %po[%c0, %c0] : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>, tile<i32> -> token
  }
}
