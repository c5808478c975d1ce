// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A * B^T: what the kernels of umma_scaled_run.mlir and umma_pair_run.mlir have to equal.
cuda_tile.module @m {
  entry @scaled(%a: tile<ptr<f8E4M3FN>>, %b: tile<ptr<f8E4M3FN>>, %s: tile<ptr<f8E8M0FNU>>, %u: tile<ptr<f8E8M0FNU>>, %c: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [128, 256], strides = [256, 1] : tensor_view<128x256xf8E4M3FN, strides=[256,1]>
    %pa = make_partition_view %va : partition_view<tile=(128x256), tensor_view<128x256xf8E4M3FN, strides=[256,1]>>
    %xa, %ta = load_view_tko weak %pa[%c0, %c0] : partition_view<tile=(128x256), tensor_view<128x256xf8E4M3FN, strides=[256,1]>>, tile<i32> -> tile<128x256xf8E4M3FN>, token
    %vb = make_tensor_view %b, shape = [64, 256], strides = [256, 1] : tensor_view<64x256xf8E4M3FN, strides=[256,1]>
    %pb = make_partition_view %vb : partition_view<tile=(64x256), tensor_view<64x256xf8E4M3FN, strides=[256,1]>>
    %xb, %tb = load_view_tko weak %pb[%c0, %c0] : partition_view<tile=(64x256), tensor_view<64x256xf8E4M3FN, strides=[256,1]>>, tile<i32> -> tile<64x256xf8E4M3FN>, token
    %yb = permute %xb [1, 0] : tile<64x256xf8E4M3FN> -> tile<256x64xf8E4M3FN>
    %zero = constant <f32: 0.0> : tile<128x64xf32>
    %vs = make_tensor_view %s, shape = [128, 8], strides = [8, 1] : tensor_view<128x8xf8E8M0FNU, strides=[8,1]>
    %ps = make_partition_view %vs : partition_view<tile=(128x8), tensor_view<128x8xf8E8M0FNU, strides=[8,1]>>
    %xs, %ts = load_view_tko weak %ps[%c0, %c0] : partition_view<tile=(128x8), tensor_view<128x8xf8E8M0FNU, strides=[8,1]>>, tile<i32> -> tile<128x8xf8E8M0FNU>, token
    %vu = make_tensor_view %u, shape = [64, 8], strides = [8, 1] : tensor_view<64x8xf8E8M0FNU, strides=[8,1]>
    %pu = make_partition_view %vu : partition_view<tile=(64x8), tensor_view<64x8xf8E8M0FNU, strides=[8,1]>>
    %xu, %tu = load_view_tko weak %pu[%c0, %c0] : partition_view<tile=(64x8), tensor_view<64x8xf8E8M0FNU, strides=[8,1]>>, tile<i32> -> tile<64x8xf8E8M0FNU>, token
    %yu = permute %xu [1, 0] : tile<64x8xf8E8M0FNU> -> tile<8x64xf8E8M0FNU>
    %d = mmaf_scaled %xa, %yb, %zero, %xs, %yu : tile<128x256xf8E4M3FN>, tile<256x64xf8E4M3FN>, tile<128x64xf32>, tile<128x8xf8E8M0FNU>, tile<8x64xf8E8M0FNU>
    %vc = make_tensor_view %c, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
    %pc = make_partition_view %vc : partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token
  }
  // A pair of blocks: 256x64 of 64 along k.
  entry @pair(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [256, 64], strides = [64, 1] : tensor_view<256x64xf16, strides=[64,1]>
    %pa = make_partition_view %va : partition_view<tile=(256x64), tensor_view<256x64xf16, strides=[64,1]>>
    %xa, %ta = load_view_tko weak %pa[%c0, %c0] : partition_view<tile=(256x64), tensor_view<256x64xf16, strides=[64,1]>>, tile<i32> -> tile<256x64xf16>, token
    %vb = make_tensor_view %b, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %pb = make_partition_view %vb : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
    %xb, %tb = load_view_tko weak %pb[%c0, %c0] : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %yb = permute %xb [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
    %zero = constant <f32: 0.0> : tile<256x64xf32>
    %d = mmaf %xa, %yb, %zero : tile<256x64xf16>, tile<64x64xf16>, tile<256x64xf32>
    %vc = make_tensor_view %c, shape = [256, 64], strides = [64, 1] : tensor_view<256x64xf32, strides=[64,1]>
    %pc = make_partition_view %vc : partition_view<tile=(256x64), tensor_view<256x64xf32, strides=[64,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<256x64xf32>, partition_view<tile=(256x64), tensor_view<256x64xf32, strides=[64,1]>>, tile<i32> -> token
  }
}
