// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The index of a gather_scatter_view along a dimension that is not the sparse one is where the tile starts, in elements: here
// at column 3 and hanging over at column 8. Aligned runs stay one access where the index is known to be a multiple.
// RUN: tileiras-run %s --entry=any --check --show=o 'x:i32[4x10]=iota' 'out:o:i32[2x4]=poison' i32=3 | FileCheck %s
// RUN: tileiras-run %s --entry=any --check --show=o 'x:i32[4x10]=iota' 'out:o:i32[2x4]=poison' i32=8 | FileCheck %s --check-prefix=OVER
// RUN: tileiras %s --emit=ptx -o - | FileCheck %s --check-prefix=PTX

// CHECK: 33 34 35 36
// CHECK: 13 14 15 16
// OVER: 38 39 0 0
// OVER: 18 19 0 0
// PTX-LABEL: .entry any(
// PTX-NOT: ld.global.v4
// PTX-LABEL: .entry multiple(
// PTX: ld.global.v4
cuda_tile.module @kernels {
  entry @any(%x: tile<ptr<i32>>, %o: tile<ptr<i32>>, %start: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %t = make_tensor_view %x, shape = [4, 10], strides = [10, 1] : tensor_view<4x10xi32, strides=[10,1]>
    %g = make_gather_scatter_view %t : gather_scatter_view<tile=(2x4), padding_value = zero, tensor_view<4x10xi32, strides=[10,1]>, sparse_dim=0>
    %rows = constant <i32: [3, 1]> : tile<2xi32>
    %v, %t0 = load_view_tko weak %g[%rows, %start] : gather_scatter_view<tile=(2x4), padding_value = zero, tensor_view<4x10xi32, strides=[10,1]>, sparse_dim=0>, tile<2xi32>, tile<i32> -> tile<2x4xi32>, token
    %u = make_tensor_view %o, shape = [2, 4], strides = [4, 1] : tensor_view<2x4xi32, strides=[4,1]>
    %p = make_partition_view %u : partition_view<tile=(2x4), tensor_view<2x4xi32, strides=[4,1]>>
    %t1 = store_view_tko weak %v, %p[%c0, %c0] : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<2x4xi32, strides=[4,1]>>, tile<i32> -> token
    return
  }
  entry @multiple(%x0: tile<ptr<i32>>, %o0: tile<ptr<i32>>, %n: tile<i32>) {
    %x = assume div_by<16>, %x0 : tile<ptr<i32>>
    %c8 = constant <i32: 8> : tile<i32>
    %start = muli %n, %c8 : tile<i32>
    %t = make_tensor_view %x, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi32, strides=[64,1]>
    %g = make_gather_scatter_view %t : gather_scatter_view<tile=(32x16), tensor_view<64x64xi32, strides=[64,1]>, sparse_dim=0>
    %rows = iota : tile<32xi32>
    %v, %t0 = load_view_tko weak %g[%rows, %start] : gather_scatter_view<tile=(32x16), tensor_view<64x64xi32, strides=[64,1]>, sparse_dim=0>, tile<32xi32>, tile<i32> -> tile<32x16xi32>, token
    %t1 = store_view_tko weak %v, %g[%rows, %start] token = %t0 : tile<32x16xi32>, gather_scatter_view<tile=(32x16), tensor_view<64x64xi32, strides=[64,1]>, sparse_dim=0>, tile<32xi32>, tile<i32> -> token
    return
  }
}
