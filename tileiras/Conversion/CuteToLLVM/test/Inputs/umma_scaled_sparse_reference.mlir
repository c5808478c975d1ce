// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What umma_scaled_sparse_run.mlir has to equal: a scale of 64 along k is that of two times 32.
cuda_tile.module @m {
  // Of four neighbours along k there are 0 and 3, or 1 and 2 where row, row / 8, k / 16 and k / 32 have an odd number of odd ones.
  entry @sparse(%a: tile<ptr<f8E4M3FN>>, %b: tile<ptr<f8E4M3FN>>, %s: tile<ptr<f8E8M0FNU>>, %u: tile<ptr<f8E8M0FNU>>, %c: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf8E4M3FN, strides=[128,1]>
    %pa = make_partition_view %va : partition_view<tile=(128x128), tensor_view<128x128xf8E4M3FN, strides=[128,1]>>
    %xa, %ta = load_view_tko weak %pa[%c0, %c0] : partition_view<tile=(128x128), tensor_view<128x128xf8E4M3FN, strides=[128,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
    %vb = make_tensor_view %b, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf8E4M3FN, strides=[128,1]>
    %pb = make_partition_view %vb : partition_view<tile=(64x128), tensor_view<64x128xf8E4M3FN, strides=[128,1]>>
    %xb, %tb = load_view_tko weak %pb[%c0, %c0] : partition_view<tile=(64x128), tensor_view<64x128xf8E4M3FN, strides=[128,1]>>, tile<i32> -> tile<64x128xf8E4M3FN>, token
    %row = iota : tile<128xi32>
    %column = iota : tile<128xi32>
    %row2 = reshape %row : tile<128xi32> -> tile<128x1xi32>
    %column2 = reshape %column : tile<128xi32> -> tile<1x128xi32>
    %one = constant <i32: 1> : tile<128x128xi32>
    %two = constant <i32: 2> : tile<128x128xi32>
    %zeros = constant <f8E4M3FN: 0.0> : tile<128x128xf8E4M3FN>
    %rows = broadcast %row2 : tile<128x1xi32> -> tile<128x128xi32>
    %columns = broadcast %column2 : tile<1x128xi32> -> tile<128x128xi32>
    %three = constant <i32: 3> : tile<128x128xi32>
    %four = constant <i32: 4> : tile<128x128xi32>
    %five = constant <i32: 5> : tile<128x128xi32>
    %rows8 = shri %rows, %three unsigned : tile<128x128xi32>
    %columns16 = shri %columns, %four unsigned : tile<128x128xi32>
    %columns32 = shri %columns, %five unsigned : tile<128x128xi32>
    %mixed0 = xori %rows, %rows8 : tile<128x128xi32>
    %mixed1 = xori %columns16, %columns32 : tile<128x128xi32>
    %mixed = xori %mixed0, %mixed1 : tile<128x128xi32>
    %odd = andi %mixed, %one : tile<128x128xi32>
    %next = addi %columns, %one : tile<128x128xi32>
    %second = andi %next, %two : tile<128x128xi32>
    %middle = shri %second, %one unsigned : tile<128x128xi32>
    %stored = cmpi equal %middle, %odd, signed : tile<128x128xi32> -> tile<128x128xi1>
    %half = select %stored, %xa, %zeros : tile<128x128xi1>, tile<128x128xf8E4M3FN>
    %zero = constant <f32: 0.0> : tile<128x64xf32>
    %vs = make_tensor_view %s, shape = [128, 2], strides = [2, 1] : tensor_view<128x2xf8E8M0FNU, strides=[2,1]>
    %ps = make_partition_view %vs : partition_view<tile=(128x2), tensor_view<128x2xf8E8M0FNU, strides=[2,1]>>
    %xs, %ts = load_view_tko weak %ps[%c0, %c0] : partition_view<tile=(128x2), tensor_view<128x2xf8E8M0FNU, strides=[2,1]>>, tile<i32> -> tile<128x2xf8E8M0FNU>, token
    %fs = ftof %xs : tile<128x2xf8E8M0FNU> -> tile<128x2xf32>
    %cs = reshape %fs : tile<128x2xf32> -> tile<128x2x1xf32>
    %ds = broadcast %cs : tile<128x2x1xf32> -> tile<128x2x64xf32>
    %es = reshape %ds : tile<128x2x64xf32> -> tile<128x128xf32>
    %vu = make_tensor_view %u, shape = [64, 2], strides = [2, 1] : tensor_view<64x2xf8E8M0FNU, strides=[2,1]>
    %pu = make_partition_view %vu : partition_view<tile=(64x2), tensor_view<64x2xf8E8M0FNU, strides=[2,1]>>
    %xu, %tu = load_view_tko weak %pu[%c0, %c0] : partition_view<tile=(64x2), tensor_view<64x2xf8E8M0FNU, strides=[2,1]>>, tile<i32> -> tile<64x2xf8E8M0FNU>, token
    %fu = ftof %xu : tile<64x2xf8E8M0FNU> -> tile<64x2xf32>
    %cu = reshape %fu : tile<64x2xf32> -> tile<64x2x1xf32>
    %du = broadcast %cu : tile<64x2x1xf32> -> tile<64x2x64xf32>
    %eu = reshape %du : tile<64x2x64xf32> -> tile<64x128xf32>
    %wide = ftof %half : tile<128x128xf8E4M3FN> -> tile<128x128xf32>
    %widb = ftof %xb : tile<64x128xf8E4M3FN> -> tile<64x128xf32>
    %sa = mulf %wide, %es : tile<128x128xf32>
    %sb = mulf %widb, %eu : tile<64x128xf32>
    %zb = permute %sb [1, 0] : tile<64x128xf32> -> tile<128x64xf32>
    %d = mmaf %sa, %zb, %zero : tile<128x128xf32>, tile<128x64xf32>, tile<128x64xf32>
    %vc = make_tensor_view %c, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
    %pc = make_partition_view %vc : partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token
  }
}
