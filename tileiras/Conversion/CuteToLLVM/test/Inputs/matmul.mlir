// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A * B^T in tiles of 64x64x32: what gemm_run.mlir has to equal.
cuda_tile.module @m {
  entry @matmul(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %va = make_tensor_view %a, shape = [128, 96], strides = [96, 1] : tensor_view<128x96xf16, strides=[96,1]>
    %vb = make_tensor_view %b, shape = [192, 96], strides = [96, 1] : tensor_view<192x96xf16, strides=[96,1]>
    %vc = make_tensor_view %c, shape = [128, 192], strides = [192, 1] : tensor_view<128x192xf32, strides=[192,1]>
    %pa = make_partition_view %va : partition_view<tile=(64x32), tensor_view<128x96xf16, strides=[96,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(64x32), tensor_view<192x96xf16, strides=[96,1]>>
    %pc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<128x192xf32, strides=[192,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c3 = constant <i32: 3> : tile<i32>
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %sum = for %k in (%c0 to %c3, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<64x64xf32>) {
      %x, %t0 = load_view_tko weak %pa[%bx, %k] : partition_view<tile=(64x32), tensor_view<128x96xf16, strides=[96,1]>>, tile<i32> -> tile<64x32xf16>, token
      %y, %t1 = load_view_tko weak %pb[%by, %k] : partition_view<tile=(64x32), tensor_view<192x96xf16, strides=[96,1]>>, tile<i32> -> tile<64x32xf16>, token
      %yt = permute %y [1, 0] : tile<64x32xf16> -> tile<32x64xf16>
      %d = mmaf %x, %yt, %acc : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %d : tile<64x64xf32>
    }
    %t = store_view_tko weak %sum, %pc[%bx, %by] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<128x192xf32, strides=[192,1]>>, tile<i32> -> token
  }

  // The same of 128x192 and 384x192.
  entry @wide(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %va = make_tensor_view %a, shape = [128, 192], strides = [192, 1] : tensor_view<128x192xf16, strides=[192,1]>
    %vb = make_tensor_view %b, shape = [384, 192], strides = [192, 1] : tensor_view<384x192xf16, strides=[192,1]>
    %vc = make_tensor_view %c, shape = [128, 384], strides = [384, 1] : tensor_view<128x384xf32, strides=[384,1]>
    %pa = make_partition_view %va : partition_view<tile=(64x32), tensor_view<128x192xf16, strides=[192,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(64x32), tensor_view<384x192xf16, strides=[192,1]>>
    %pc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<128x384xf32, strides=[384,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c6 = constant <i32: 6> : tile<i32>
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %sum = for %k in (%c0 to %c6, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<64x64xf32>) {
      %x, %t0 = load_view_tko weak %pa[%bx, %k] : partition_view<tile=(64x32), tensor_view<128x192xf16, strides=[192,1]>>, tile<i32> -> tile<64x32xf16>, token
      %y, %t1 = load_view_tko weak %pb[%by, %k] : partition_view<tile=(64x32), tensor_view<384x192xf16, strides=[192,1]>>, tile<i32> -> tile<64x32xf16>, token
      %yt = permute %y [1, 0] : tile<64x32xf16> -> tile<32x64xf16>
      %d = mmaf %x, %yt, %acc : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %d : tile<64x64xf32>
    }
    %t = store_view_tko weak %sum, %pc[%bx, %by] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<128x384xf32, strides=[384,1]>>, tile<i32> -> token
  }
}
