// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A factor whose rows may be copied 8 bytes at a time, 30 of 32 numbers each, and whose place in shared memory exchanges neighbours
// in every other four rows, so that the product finds them in different banks: copies of one number.
// RUN: tileiras-run %s --grid=1,1,1 --engine=reference,emulator --check --check-races --gpu-name=sm_87 --pipeline-options=num-warps=1 'a:f32[34x30]{strides=32x1}=integers(lo=-4,hi=4,seed=912)' 'b:f32[10x30]{strides=32x1}=integers(lo=-4,hi=4,seed=844)' 'out:o:f32[8x32]'
// RUN: tileiras %s --gpu-name=sm_87 --pipeline-options=num-warps=1 --emit=ptx -o - | FileCheck %s
// CHECK: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 4

cuda_tile.module @kernels {
  entry @kernel(%pa: tile<ptr<f32>>, %pb: tile<ptr<f32>>, %po: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %ones = constant <f32: 1.000000e+00> : tile<8x32xf32>
    %va = make_tensor_view %pa, shape = [34, 30], strides = [32, 1] : tensor_view<34x30xf32, strides=[32,1]>
    %ta = make_partition_view %va : partition_view<tile=(32x32), padding_value = zero, tensor_view<34x30xf32, strides=[32,1]>, dim_map=[1, 0]>
    %aligned = assume div_by<16>, %pb : tile<ptr<f32>>
    %vb = make_tensor_view %aligned, shape = [10, 30], strides = [32, 1] : tensor_view<10x30xf32, strides=[32,1]>
    %tb = make_partition_view %vb : partition_view<tile=(8x32), padding_value = zero, tensor_view<10x30xf32, strides=[32,1]>>
    %vo = make_tensor_view %po, shape = [8, 32], strides = [32, 1] : tensor_view<8x32xf32, strides=[32,1]>
    %to = make_partition_view %vo : partition_view<tile=(8x32), tensor_view<8x32xf32, strides=[32,1]>>
    %a, %t1 = load_view_tko weak %ta[%zero, %one] : partition_view<tile=(32x32), padding_value = zero, tensor_view<34x30xf32, strides=[32,1]>, dim_map=[1, 0]>, tile<i32> -> tile<32x32xf32>, token
    %b, %t2 = load_view_tko weak %tb[%one, %zero] : partition_view<tile=(8x32), padding_value = zero, tensor_view<10x30xf32, strides=[32,1]>>, tile<i32> -> tile<8x32xf32>, token
    %d = mmaf %b, %a, %ones : tile<8x32xf32>, tile<32x32xf32>, tile<8x32xf32>
    %t3 = store_view_tko weak %d, %to[%zero, %zero] : tile<8x32xf32>, partition_view<tile=(8x32), tensor_view<8x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
