// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A * B^T: what the kernels of wgmma_types_run.mlir have to equal.
cuda_tile.module @m {
  entry @tf32(%a: tile<ptr<tf32>>, %b: tile<ptr<tf32>>, %c: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [64, 16], strides = [16, 1] : tensor_view<64x16xtf32, strides=[16,1]>
    %pa = make_partition_view %va : partition_view<tile=(64x16), tensor_view<64x16xtf32, strides=[16,1]>>
    %xa, %ta = load_view_tko weak %pa[%c0, %c0] : partition_view<tile=(64x16), tensor_view<64x16xtf32, strides=[16,1]>>, tile<i32> -> tile<64x16xtf32>, token
    %vb = make_tensor_view %b, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xtf32, strides=[16,1]>
    %pb = make_partition_view %vb : partition_view<tile=(16x16), tensor_view<16x16xtf32, strides=[16,1]>>
    %xb, %tb = load_view_tko weak %pb[%c0, %c0] : partition_view<tile=(16x16), tensor_view<16x16xtf32, strides=[16,1]>>, tile<i32> -> tile<16x16xtf32>, token
    %yb = permute %xb [1, 0] : tile<16x16xtf32> -> tile<16x16xtf32>
    %zero = constant <f32: 0.0> : tile<64x16xf32>
    %d = mmaf %xa, %yb, %zero : tile<64x16xtf32>, tile<16x16xtf32>, tile<64x16xf32>
    %vc = make_tensor_view %c, shape = [64, 16], strides = [16, 1] : tensor_view<64x16xf32, strides=[16,1]>
    %pc = make_partition_view %vc : partition_view<tile=(64x16), tensor_view<64x16xf32, strides=[16,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<64x16xf32>, partition_view<tile=(64x16), tensor_view<64x16xf32, strides=[16,1]>>, tile<i32> -> token
  }
  entry @fp8(%a: tile<ptr<f8E4M3FN>>, %b: tile<ptr<f8E4M3FN>>, %c: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf8E4M3FN, strides=[64,1]>
    %pa = make_partition_view %va : partition_view<tile=(64x64), tensor_view<64x64xf8E4M3FN, strides=[64,1]>>
    %xa, %ta = load_view_tko weak %pa[%c0, %c0] : partition_view<tile=(64x64), tensor_view<64x64xf8E4M3FN, strides=[64,1]>>, tile<i32> -> tile<64x64xf8E4M3FN>, token
    %vb = make_tensor_view %b, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf8E4M3FN, strides=[64,1]>
    %pb = make_partition_view %vb : partition_view<tile=(32x64), tensor_view<32x64xf8E4M3FN, strides=[64,1]>>
    %xb, %tb = load_view_tko weak %pb[%c0, %c0] : partition_view<tile=(32x64), tensor_view<32x64xf8E4M3FN, strides=[64,1]>>, tile<i32> -> tile<32x64xf8E4M3FN>, token
    %yb = permute %xb [1, 0] : tile<32x64xf8E4M3FN> -> tile<64x32xf8E4M3FN>
    %zero = constant <f32: 0.0> : tile<64x32xf32>
    %d = mmaf %xa, %yb, %zero : tile<64x64xf8E4M3FN>, tile<64x32xf8E4M3FN>, tile<64x32xf32>
    %vc = make_tensor_view %c, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf32, strides=[32,1]>
    %pc = make_partition_view %vc : partition_view<tile=(64x32), tensor_view<64x32xf32, strides=[32,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<64x32xf32>, partition_view<tile=(64x32), tensor_view<64x32xf32, strides=[32,1]>>, tile<i32> -> token
  }
  entry @bytes(%a: tile<ptr<i8>>, %b: tile<ptr<i8>>, %c: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi8, strides=[64,1]>
    %pa = make_partition_view %va : partition_view<tile=(64x64), tensor_view<64x64xi8, strides=[64,1]>>
    %xa, %ta = load_view_tko weak %pa[%c0, %c0] : partition_view<tile=(64x64), tensor_view<64x64xi8, strides=[64,1]>>, tile<i32> -> tile<64x64xi8>, token
    %vb = make_tensor_view %b, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xi8, strides=[64,1]>
    %pb = make_partition_view %vb : partition_view<tile=(16x64), tensor_view<16x64xi8, strides=[64,1]>>
    %xb, %tb = load_view_tko weak %pb[%c0, %c0] : partition_view<tile=(16x64), tensor_view<16x64xi8, strides=[64,1]>>, tile<i32> -> tile<16x64xi8>, token
    %yb = permute %xb [1, 0] : tile<16x64xi8> -> tile<64x16xi8>
    %zero = constant <i32: 0> : tile<64x16xi32>
    %d = mmai %xa, %yb, %zero signed signed : tile<64x64xi8>, tile<64x16xi8>, tile<64x16xi32>
    %vc = make_tensor_view %c, shape = [64, 16], strides = [16, 1] : tensor_view<64x16xi32, strides=[16,1]>
    %pc = make_partition_view %vc : partition_view<tile=(64x16), tensor_view<64x16xi32, strides=[16,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<64x16xi32>, partition_view<tile=(64x16), tensor_view<64x16xi32, strides=[16,1]>>, tile<i32> -> token
  }
  entry @turned(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf16, strides=[32,1]>
    %pa = make_partition_view %va : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32,1]>>
    %xa, %ta = load_view_tko weak %pa[%c0, %c0] : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32,1]>>, tile<i32> -> tile<64x32xf16>, token
    %vb = make_tensor_view %b, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf16, strides=[32,1]>
    %pb = make_partition_view %vb : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32,1]>>
    %xb, %tb = load_view_tko weak %pb[%c0, %c0] : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32,1]>>, tile<i32> -> tile<64x32xf16>, token
    %yb = permute %xb [1, 0] : tile<64x32xf16> -> tile<32x64xf16>
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %d = mmaf %xa, %yb, %zero : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
    %vc = make_tensor_view %c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
  }
  entry @plain(%a: tile<ptr<bf16>>, %b: tile<ptr<bf16>>, %c: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xbf16, strides=[32,1]>
    %pa = make_partition_view %va : partition_view<tile=(64x32), tensor_view<64x32xbf16, strides=[32,1]>>
    %xa, %ta = load_view_tko weak %pa[%c0, %c0] : partition_view<tile=(64x32), tensor_view<64x32xbf16, strides=[32,1]>>, tile<i32> -> tile<64x32xbf16>, token
    %vb = make_tensor_view %b, shape = [8, 32], strides = [32, 1] : tensor_view<8x32xbf16, strides=[32,1]>
    %pb = make_partition_view %vb : partition_view<tile=(8x32), tensor_view<8x32xbf16, strides=[32,1]>>
    %xb, %tb = load_view_tko weak %pb[%c0, %c0] : partition_view<tile=(8x32), tensor_view<8x32xbf16, strides=[32,1]>>, tile<i32> -> tile<8x32xbf16>, token
    %yb = permute %xb [1, 0] : tile<8x32xbf16> -> tile<32x8xbf16>
    %zero = constant <f32: 0.0> : tile<64x8xf32>
    %d = mmaf %xa, %yb, %zero : tile<64x32xbf16>, tile<32x8xbf16>, tile<64x8xf32>
    %vc = make_tensor_view %c, shape = [64, 8], strides = [8, 1] : tensor_view<64x8xf32, strides=[8,1]>
    %pc = make_partition_view %vc : partition_view<tile=(64x8), tensor_view<64x8xf32, strides=[8,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<64x8xf32>, partition_view<tile=(64x8), tensor_view<64x8xf32, strides=[8,1]>>, tile<i32> -> token
  }
  entry @two_groups(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [256, 64], strides = [64, 1] : tensor_view<256x64xf16, strides=[64,1]>
    %pa = make_partition_view %va : partition_view<tile=(256x64), tensor_view<256x64xf16, strides=[64,1]>>
    %xa, %ta = load_view_tko weak %pa[%c0, %c0] : partition_view<tile=(256x64), tensor_view<256x64xf16, strides=[64,1]>>, tile<i32> -> tile<256x64xf16>, token
    %vb = make_tensor_view %b, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf16, strides=[64,1]>
    %pb = make_partition_view %vb : partition_view<tile=(16x64), tensor_view<16x64xf16, strides=[64,1]>>
    %xb, %tb = load_view_tko weak %pb[%c0, %c0] : partition_view<tile=(16x64), tensor_view<16x64xf16, strides=[64,1]>>, tile<i32> -> tile<16x64xf16>, token
    %yb = permute %xb [1, 0] : tile<16x64xf16> -> tile<64x16xf16>
    %zero = constant <f32: 0.0> : tile<256x16xf32>
    %d = mmaf %xa, %yb, %zero : tile<256x64xf16>, tile<64x16xf16>, tile<256x16xf32>
    %vc = make_tensor_view %c, shape = [256, 16], strides = [16, 1] : tensor_view<256x16xf32, strides=[16,1]>
    %pc = make_partition_view %vc : partition_view<tile=(256x16), tensor_view<256x16xf32, strides=[16,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<256x16xf32>, partition_view<tile=(256x16), tensor_view<256x16xf32, strides=[16,1]>>, tile<i32> -> token
  }
}
