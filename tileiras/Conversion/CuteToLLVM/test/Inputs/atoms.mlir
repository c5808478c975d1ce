// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The products that atoms_run.mlir has to equal.
cuda_tile.module @m {
  entry @simt(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf32, strides=[32,1]>
    %vb = make_tensor_view %b, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf32, strides=[32,1]>
    %vc = make_tensor_view %c, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16,1]>
    %pa = make_partition_view %va : partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32,1]>>
    %pc = make_partition_view %vc : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>
    %x, %t0 = load_view_tko weak %pa[%c0, %c0] : partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32,1]>>, tile<i32> -> tile<16x32xf32>, token
    %y, %t1 = load_view_tko weak %pb[%c0, %c0] : partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32,1]>>, tile<i32> -> tile<16x32xf32>, token
    %yt = permute %y [1, 0] : tile<16x32xf32> -> tile<32x16xf32>
    %zero = constant <f32: 0.0> : tile<16x16xf32>
    %d = mmaf %x, %yt, %zero : tile<16x32xf32>, tile<32x16xf32>, tile<16x16xf32>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>, tile<i32> -> token
  }
  entry @bf16(%a: tile<ptr<bf16>>, %b: tile<ptr<bf16>>, %c: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xbf16, strides=[16,1]>
    %vb = make_tensor_view %b, shape = [8, 16], strides = [16, 1] : tensor_view<8x16xbf16, strides=[16,1]>
    %vc = make_tensor_view %c, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xf32, strides=[8,1]>
    %pa = make_partition_view %va : partition_view<tile=(16x16), tensor_view<16x16xbf16, strides=[16,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(8x16), tensor_view<8x16xbf16, strides=[16,1]>>
    %pc = make_partition_view %vc : partition_view<tile=(16x8), tensor_view<16x8xf32, strides=[8,1]>>
    %x, %t0 = load_view_tko weak %pa[%c0, %c0] : partition_view<tile=(16x16), tensor_view<16x16xbf16, strides=[16,1]>>, tile<i32> -> tile<16x16xbf16>, token
    %y, %t1 = load_view_tko weak %pb[%c0, %c0] : partition_view<tile=(8x16), tensor_view<8x16xbf16, strides=[16,1]>>, tile<i32> -> tile<8x16xbf16>, token
    %yt = permute %y [1, 0] : tile<8x16xbf16> -> tile<16x8xbf16>
    %zero = constant <f32: 0.0> : tile<16x8xf32>
    %d = mmaf %x, %yt, %zero : tile<16x16xbf16>, tile<16x8xbf16>, tile<16x8xf32>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<16x8xf32>, partition_view<tile=(16x8), tensor_view<16x8xf32, strides=[8,1]>>, tile<i32> -> token
  }
  entry @f16(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f16>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xf16, strides=[8,1]>
    %vb = make_tensor_view %b, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf16, strides=[8,1]>
    %vc = make_tensor_view %c, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xf16, strides=[8,1]>
    %pa = make_partition_view %va : partition_view<tile=(16x8), tensor_view<16x8xf16, strides=[8,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(8x8), tensor_view<8x8xf16, strides=[8,1]>>
    %pc = make_partition_view %vc : partition_view<tile=(16x8), tensor_view<16x8xf16, strides=[8,1]>>
    %x, %t0 = load_view_tko weak %pa[%c0, %c0] : partition_view<tile=(16x8), tensor_view<16x8xf16, strides=[8,1]>>, tile<i32> -> tile<16x8xf16>, token
    %y, %t1 = load_view_tko weak %pb[%c0, %c0] : partition_view<tile=(8x8), tensor_view<8x8xf16, strides=[8,1]>>, tile<i32> -> tile<8x8xf16>, token
    %yt = permute %y [1, 0] : tile<8x8xf16> -> tile<8x8xf16>
    %zero = constant <f16: 0.0> : tile<16x8xf16>
    %d = mmaf %x, %yt, %zero : tile<16x8xf16>, tile<8x8xf16>, tile<16x8xf16>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<16x8xf16>, partition_view<tile=(16x8), tensor_view<16x8xf16, strides=[8,1]>>, tile<i32> -> token
  }
}
