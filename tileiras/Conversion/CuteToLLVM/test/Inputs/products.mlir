// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A * B^T: what the kernels of matrices_run.mlir have to equal.
cuda_tile.module @m {
  entry @half(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f16>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf16, strides=[32,1]>
    %pa = make_partition_view %va : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32,1]>>
    %xa, %ta = load_view_tko weak %pa[%c0, %c0] : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32,1]>>, tile<i32> -> tile<32x32xf16>, token
    %vb = make_tensor_view %b, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf16, strides=[32,1]>
    %pb = make_partition_view %vb : partition_view<tile=(16x32), tensor_view<16x32xf16, strides=[32,1]>>
    %xb, %tb = load_view_tko weak %pb[%c0, %c0] : partition_view<tile=(16x32), tensor_view<16x32xf16, strides=[32,1]>>, tile<i32> -> tile<16x32xf16>, token
    %yb = permute %xb [1, 0] : tile<16x32xf16> -> tile<32x16xf16>
    %zero = constant <f16: 0.0> : tile<32x16xf16>
    %d = mmaf %xa, %yb, %zero : tile<32x32xf16>, tile<32x16xf16>, tile<32x16xf16>
    %vc = make_tensor_view %c, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf16, strides=[16,1]>
    %pc = make_partition_view %vc : partition_view<tile=(32x16), tensor_view<32x16xf16, strides=[16,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<32x16xf16>, partition_view<tile=(32x16), tensor_view<32x16xf16, strides=[16,1]>>, tile<i32> -> token
  }
  entry @tf32(%a: tile<ptr<tf32>>, %b: tile<ptr<tf32>>, %c: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xtf32, strides=[16,1]>
    %pa = make_partition_view %va : partition_view<tile=(16x16), tensor_view<16x16xtf32, strides=[16,1]>>
    %xa, %ta = load_view_tko weak %pa[%c0, %c0] : partition_view<tile=(16x16), tensor_view<16x16xtf32, strides=[16,1]>>, tile<i32> -> tile<16x16xtf32>, token
    %vb = make_tensor_view %b, shape = [8, 16], strides = [16, 1] : tensor_view<8x16xtf32, strides=[16,1]>
    %pb = make_partition_view %vb : partition_view<tile=(8x16), tensor_view<8x16xtf32, strides=[16,1]>>
    %xb, %tb = load_view_tko weak %pb[%c0, %c0] : partition_view<tile=(8x16), tensor_view<8x16xtf32, strides=[16,1]>>, tile<i32> -> tile<8x16xtf32>, token
    %yb = permute %xb [1, 0] : tile<8x16xtf32> -> tile<16x8xtf32>
    %zero = constant <f32: 0.0> : tile<16x8xf32>
    %d = mmaf %xa, %yb, %zero : tile<16x16xtf32>, tile<16x8xtf32>, tile<16x8xf32>
    %vc = make_tensor_view %c, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xf32, strides=[8,1]>
    %pc = make_partition_view %vc : partition_view<tile=(16x8), tensor_view<16x8xf32, strides=[8,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<16x8xf32>, partition_view<tile=(16x8), tensor_view<16x8xf32, strides=[8,1]>>, tile<i32> -> token
  }
  entry @bytes(%a: tile<ptr<i8>>, %b: tile<ptr<i8>>, %c: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xi8, strides=[64,1]>
    %pa = make_partition_view %va : partition_view<tile=(16x64), tensor_view<16x64xi8, strides=[64,1]>>
    %xa, %ta = load_view_tko weak %pa[%c0, %c0] : partition_view<tile=(16x64), tensor_view<16x64xi8, strides=[64,1]>>, tile<i32> -> tile<16x64xi8>, token
    %vb = make_tensor_view %b, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xi8, strides=[64,1]>
    %pb = make_partition_view %vb : partition_view<tile=(8x64), tensor_view<8x64xi8, strides=[64,1]>>
    %xb, %tb = load_view_tko weak %pb[%c0, %c0] : partition_view<tile=(8x64), tensor_view<8x64xi8, strides=[64,1]>>, tile<i32> -> tile<8x64xi8>, token
    %yb = permute %xb [1, 0] : tile<8x64xi8> -> tile<64x8xi8>
    %zero = constant <i32: 0> : tile<16x8xi32>
    %d = mmai %xa, %yb, %zero signed signed : tile<16x64xi8>, tile<64x8xi8>, tile<16x8xi32>
    %vc = make_tensor_view %c, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xi32, strides=[8,1]>
    %pc = make_partition_view %vc : partition_view<tile=(16x8), tensor_view<16x8xi32, strides=[8,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<16x8xi32>, partition_view<tile=(16x8), tensor_view<16x8xi32, strides=[8,1]>>, tile<i32> -> token
  }
  entry @fp8(%a: tile<ptr<f8E4M3FN>>, %b: tile<ptr<f8E4M3FN>>, %c: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf8E4M3FN, strides=[64,1]>
    %pa = make_partition_view %va : partition_view<tile=(16x64), tensor_view<16x64xf8E4M3FN, strides=[64,1]>>
    %xa, %ta = load_view_tko weak %pa[%c0, %c0] : partition_view<tile=(16x64), tensor_view<16x64xf8E4M3FN, strides=[64,1]>>, tile<i32> -> tile<16x64xf8E4M3FN>, token
    %vb = make_tensor_view %b, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xf8E4M3FN, strides=[64,1]>
    %pb = make_partition_view %vb : partition_view<tile=(8x64), tensor_view<8x64xf8E4M3FN, strides=[64,1]>>
    %xb, %tb = load_view_tko weak %pb[%c0, %c0] : partition_view<tile=(8x64), tensor_view<8x64xf8E4M3FN, strides=[64,1]>>, tile<i32> -> tile<8x64xf8E4M3FN>, token
    %yb = permute %xb [1, 0] : tile<8x64xf8E4M3FN> -> tile<64x8xf8E4M3FN>
    %zero = constant <f32: 0.0> : tile<16x8xf32>
    %d = mmaf %xa, %yb, %zero : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>
    %vc = make_tensor_view %c, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xf32, strides=[8,1]>
    %pc = make_partition_view %vc : partition_view<tile=(16x8), tensor_view<16x8xf32, strides=[8,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<16x8xf32>, partition_view<tile=(16x8), tensor_view<16x8xf32, strides=[8,1]>>, tile<i32> -> token
  }
  entry @scaled(%a: tile<ptr<f8E4M3FN>>, %b: tile<ptr<f8E4M3FN>>, %s: tile<ptr<f8E8M0FNU>>, %u: tile<ptr<f8E8M0FNU>>, %c: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf8E4M3FN, strides=[64,1]>
    %pa = make_partition_view %va : partition_view<tile=(16x64), tensor_view<16x64xf8E4M3FN, strides=[64,1]>>
    %xa, %ta = load_view_tko weak %pa[%c0, %c0] : partition_view<tile=(16x64), tensor_view<16x64xf8E4M3FN, strides=[64,1]>>, tile<i32> -> tile<16x64xf8E4M3FN>, token
    %vb = make_tensor_view %b, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xf8E4M3FN, strides=[64,1]>
    %pb = make_partition_view %vb : partition_view<tile=(8x64), tensor_view<8x64xf8E4M3FN, strides=[64,1]>>
    %xb, %tb = load_view_tko weak %pb[%c0, %c0] : partition_view<tile=(8x64), tensor_view<8x64xf8E4M3FN, strides=[64,1]>>, tile<i32> -> tile<8x64xf8E4M3FN>, token
    %yb = permute %xb [1, 0] : tile<8x64xf8E4M3FN> -> tile<64x8xf8E4M3FN>
    %zero = constant <f32: 0.0> : tile<16x8xf32>
    %vs = make_tensor_view %s, shape = [16, 2], strides = [2, 1] : tensor_view<16x2xf8E8M0FNU, strides=[2,1]>
    %ps = make_partition_view %vs : partition_view<tile=(16x2), tensor_view<16x2xf8E8M0FNU, strides=[2,1]>>
    %xs, %ts = load_view_tko weak %ps[%c0, %c0] : partition_view<tile=(16x2), tensor_view<16x2xf8E8M0FNU, strides=[2,1]>>, tile<i32> -> tile<16x2xf8E8M0FNU>, token
    %vu = make_tensor_view %u, shape = [8, 2], strides = [2, 1] : tensor_view<8x2xf8E8M0FNU, strides=[2,1]>
    %pu = make_partition_view %vu : partition_view<tile=(8x2), tensor_view<8x2xf8E8M0FNU, strides=[2,1]>>
    %xu, %tu = load_view_tko weak %pu[%c0, %c0] : partition_view<tile=(8x2), tensor_view<8x2xf8E8M0FNU, strides=[2,1]>>, tile<i32> -> tile<8x2xf8E8M0FNU>, token
    %yu = permute %xu [1, 0] : tile<8x2xf8E8M0FNU> -> tile<2x8xf8E8M0FNU>
    %d = mmaf_scaled %xa, %yb, %zero, %xs, %yu : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x2xf8E8M0FNU>, tile<2x8xf8E8M0FNU>
    %vc = make_tensor_view %c, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xf32, strides=[8,1]>
    %pc = make_partition_view %vc : partition_view<tile=(16x8), tensor_view<16x8xf32, strides=[8,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<16x8xf32>, partition_view<tile=(16x8), tensor_view<16x8xf32, strides=[8,1]>>, tile<i32> -> token
  }
  // Of four neighbours along k there are 0 and 3 in even rows, 1 and 2 in odd ones.
  entry @sparse(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf16, strides=[64,1]>
    %pa = make_partition_view %va : partition_view<tile=(16x64), tensor_view<16x64xf16, strides=[64,1]>>
    %xa, %ta = load_view_tko weak %pa[%c0, %c0] : partition_view<tile=(16x64), tensor_view<16x64xf16, strides=[64,1]>>, tile<i32> -> tile<16x64xf16>, token
    %vb = make_tensor_view %b, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xf16, strides=[64,1]>
    %pb = make_partition_view %vb : partition_view<tile=(8x64), tensor_view<8x64xf16, strides=[64,1]>>
    %xb, %tb = load_view_tko weak %pb[%c0, %c0] : partition_view<tile=(8x64), tensor_view<8x64xf16, strides=[64,1]>>, tile<i32> -> tile<8x64xf16>, token
    %yb = permute %xb [1, 0] : tile<8x64xf16> -> tile<64x8xf16>
    %row = iota : tile<16xi32>
    %column = iota : tile<64xi32>
    %row2 = reshape %row : tile<16xi32> -> tile<16x1xi32>
    %column2 = reshape %column : tile<64xi32> -> tile<1x64xi32>
    %one = constant <i32: 1> : tile<16x64xi32>
    %two = constant <i32: 2> : tile<16x64xi32>
    %zeros = constant <f16: 0.0> : tile<16x64xf16>
    %rows = broadcast %row2 : tile<16x1xi32> -> tile<16x64xi32>
    %columns = broadcast %column2 : tile<1x64xi32> -> tile<16x64xi32>
    %odd = andi %rows, %one : tile<16x64xi32>
    %next = addi %columns, %one : tile<16x64xi32>
    %second = andi %next, %two : tile<16x64xi32>
    %middle = shri %second, %one unsigned : tile<16x64xi32>
    %stored = cmpi equal %middle, %odd, signed : tile<16x64xi32> -> tile<16x64xi1>
    %half = select %stored, %xa, %zeros : tile<16x64xi1>, tile<16x64xf16>
    %zero = constant <f32: 0.0> : tile<16x8xf32>
    %d = mmaf %half, %yb, %zero : tile<16x64xf16>, tile<64x8xf16>, tile<16x8xf32>
    %vc = make_tensor_view %c, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xf32, strides=[8,1]>
    %pc = make_partition_view %vc : partition_view<tile=(16x8), tensor_view<16x8xf32, strides=[8,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<16x8xf32>, partition_view<tile=(16x8), tensor_view<16x8xf32, strides=[8,1]>>, tile<i32> -> token
  }
  entry @descriptors(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [128, 16], strides = [16, 1] : tensor_view<128x16xf16, strides=[16,1]>
    %pa = make_partition_view %va : partition_view<tile=(128x16), tensor_view<128x16xf16, strides=[16,1]>>
    %xa, %ta = load_view_tko weak %pa[%c0, %c0] : partition_view<tile=(128x16), tensor_view<128x16xf16, strides=[16,1]>>, tile<i32> -> tile<128x16xf16>, token
    %vb = make_tensor_view %b, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf16, strides=[16,1]>
    %pb = make_partition_view %vb : partition_view<tile=(16x16), tensor_view<16x16xf16, strides=[16,1]>>
    %xb, %tb = load_view_tko weak %pb[%c0, %c0] : partition_view<tile=(16x16), tensor_view<16x16xf16, strides=[16,1]>>, tile<i32> -> tile<16x16xf16>, token
    %yb = permute %xb [1, 0] : tile<16x16xf16> -> tile<16x16xf16>
    %zero = constant <f32: 0.0> : tile<128x16xf32>
    %d = mmaf %xa, %yb, %zero : tile<128x16xf16>, tile<16x16xf16>, tile<128x16xf32>
    %vc = make_tensor_view %c, shape = [128, 16], strides = [16, 1] : tensor_view<128x16xf32, strides=[16,1]>
    %pc = make_partition_view %vc : partition_view<tile=(128x16), tensor_view<128x16xf32, strides=[16,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<128x16xf32>, partition_view<tile=(128x16), tensor_view<128x16xf32, strides=[16,1]>>, tile<i32> -> token
  }
}
