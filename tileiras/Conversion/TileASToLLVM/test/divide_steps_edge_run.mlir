// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps that are divided (tileas-divide-steps) where the last tile's second half is outside of the array, whose extent is a
// whole number of halves: nothing behind the array is read.
// RUN: tileiras-run %s --gpu-name=sm_80 --engine=reference,emulator --check --check-races 'a:f16[128x96]=random(seed=1)' 'b:f16[96x256]=random(seed=2)' 'out:o:f32[128x256]' i32=2 i32=96 --tolerance=rel:1e-2,abs:0.05
// RUN: tileiras --gpu-name=sm_80 --emit=tileas %s | FileCheck %s

// An extent that is known as a whole number of tiles: parts lie side by side.
// RUN: sed 's/div_by<32>, %%k0/div_by<64>, %%k0/' %s | tileiras --gpu-name=sm_80 --emit=tileas - | FileCheck %s --check-prefix=WHOLE
// WHOLE-NOT: steps =
// WHOLE: block_tile {{.*}} -> <[128, 32], padding = zero
// WHOLE-NOT: steps =

// CHECK-LABEL: nv_tileaa.func @gemm
// CHECK-DAG: block_tile {{.*}} -> <[128, 32], steps = [128, 16], padding = zero
// CHECK-DAG: block_tile {{.*}} -> <[32, 256], steps = [16, 256], padding = zero
cuda_tile.module @m {
  entry @gemm(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %po: tile<ptr<f32>>, %n: tile<i32>, %k0: tile<i32>) {
    %k = assume div_by<32>, %k0 : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %aa = assume div_by<16>, %pa : tile<ptr<f16>>
    %ab = assume div_by<16>, %pb : tile<ptr<f16>>
    %va = make_tensor_view %aa, shape = [128, %k], strides = [%k, 1] : tile<i32> -> tensor_view<128x?xf16, strides=[?,1]>
    %vb = make_tensor_view %ab, shape = [%k, 256], strides = [256, 1] : tile<i32> -> tensor_view<?x256xf16, strides=[256,1]>
    %vo = make_tensor_view %po, shape = [128, 256], strides = [256, 1] : tensor_view<128x256xf32, strides=[256,1]>
    %xa = make_partition_view %va : partition_view<tile=(128x64), padding_value = zero, tensor_view<128x?xf16, strides=[?,1]>>
    %xb = make_partition_view %vb : partition_view<tile=(64x256), padding_value = zero, tensor_view<?x256xf16, strides=[256,1]>>
    %xo = make_partition_view %vo : partition_view<tile=(128x256), tensor_view<128x256xf32, strides=[256,1]>>
    %z = constant <f32: 0.0> : tile<128x256xf32>
    %r = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%acc = %z) -> (tile<128x256xf32>) {
      %ta, %t0 = load_view_tko weak %xa[%c0, %i] : partition_view<tile=(128x64), padding_value = zero, tensor_view<128x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %tb, %t1 = load_view_tko weak %xb[%i, %c0] : partition_view<tile=(64x256), padding_value = zero, tensor_view<?x256xf16, strides=[256,1]>>, tile<i32> -> tile<64x256xf16>, token
      %s = mmaf %ta, %tb, %acc : tile<128x64xf16>, tile<64x256xf16>, tile<128x256xf32>
      continue %s : tile<128x256xf32>
    }
    %t2 = store_view_tko weak %r, %xo[%c0, %c0] : tile<128x256xf32>, partition_view<tile=(128x256), tensor_view<128x256xf32, strides=[256,1]>>, tile<i32> -> token
    return
  }
}
