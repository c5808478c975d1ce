// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of f16, f32 and i8 with one layout (tileas-assign-load-store-layouts, alias groups): right to the bit, and nothing
// goes through shared memory. Rows that do not end with the tile, too.
// RUN: tileiras-run %s --entry=mixed --gpu-name=sm_80 --engine=reference,emulator --check --schedules=4 --grid=2 'a:f16[2000]=random(seed=1)' 'b:f32[2000]=random(seed=2)' 'out:c:f32[2000]' 'out:d:i8[2000]'
// RUN: tileiras-run %s --entry=mixed --gpu-name=sm_90 --engine=reference,emulator --check --schedules=4 --grid=2 'a:f16[2000]=random(seed=3)' 'b:f32[2000]=random(seed=4)' 'out:c:f32[2000]' 'out:d:i8[2000]'
// RUN: tileiras-run %s --entry=rows --gpu-name=sm_80 --engine=reference,emulator --check --schedules=4 --grid=3 'a:f16[3x1003]=random(seed=5)' 'b:f32[1003]=random(seed=6)' 'out:c:f16[3x1003]'
// RUN: tileiras-run %s --entry=rows --gpu-name=sm_100 --engine=reference,emulator --check --schedules=4 --grid=3 'a:f16[3x1003]=random(seed=7)' 'b:f32[1003]=random(seed=8)' 'out:c:f16[3x1003]'
// RUN: tileiras --gpu-name=sm_80 --emit=ptx %s | FileCheck %s
// CHECK-LABEL: .entry mixed
// CHECK-NOT: {{ld.shared|st.shared|shfl|bar.sync}}
// CHECK-LABEL: .entry rows
// CHECK-NOT: {{ld.shared|st.shared|shfl|bar.sync}}
cuda_tile.module @m {
  entry @mixed(%a: tile<ptr<f16>>, %b: tile<ptr<f32>>, %c: tile<ptr<f32>>, %d: tile<ptr<i8>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %pa = assume div_by<16>, %a : tile<ptr<f16>>
    %pb = assume div_by<16>, %b : tile<ptr<f32>>
    %pc = assume div_by<16>, %c : tile<ptr<f32>>
    %pd = assume div_by<16>, %d : tile<ptr<i8>>
    %va = make_tensor_view %pa, shape = [2000], strides = [1] : tensor_view<2000xf16, strides=[1]>
    %vb = make_tensor_view %pb, shape = [2000], strides = [1] : tensor_view<2000xf32, strides=[1]>
    %vc = make_tensor_view %pc, shape = [2000], strides = [1] : tensor_view<2000xf32, strides=[1]>
    %vd = make_tensor_view %pd, shape = [2000], strides = [1] : tensor_view<2000xi8, strides=[1]>
    %qa = make_partition_view %va : partition_view<tile=(1024), tensor_view<2000xf16, strides=[1]>>
    %qb = make_partition_view %vb : partition_view<tile=(1024), tensor_view<2000xf32, strides=[1]>>
    %qc = make_partition_view %vc : partition_view<tile=(1024), tensor_view<2000xf32, strides=[1]>>
    %qd = make_partition_view %vd : partition_view<tile=(1024), tensor_view<2000xi8, strides=[1]>>
    %ta, %t0 = load_view_tko weak %qa[%x] : partition_view<tile=(1024), tensor_view<2000xf16, strides=[1]>>, tile<i32> -> tile<1024xf16>, token
    %tb, %t1 = load_view_tko weak %qb[%x] : partition_view<tile=(1024), tensor_view<2000xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %wa = ftof %ta : tile<1024xf16> -> tile<1024xf32>
    %s = addf %wa, %tb : tile<1024xf32>
    %i = ftoi %s signed : tile<1024xf32> -> tile<1024xi8>
    %t2 = store_view_tko weak %s, %qc[%x] : tile<1024xf32>, partition_view<tile=(1024), tensor_view<2000xf32, strides=[1]>>, tile<i32> -> token
    %t3 = store_view_tko weak %i, %qd[%x] : tile<1024xi8>, partition_view<tile=(1024), tensor_view<2000xi8, strides=[1]>>, tile<i32> -> token
  }
  entry @rows(%a: tile<ptr<f16>>, %b: tile<ptr<f32>>, %c: tile<ptr<f16>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [3, 1003], strides = [1003, 1] : tensor_view<3x1003xf16, strides=[1003,1]>
    %vb = make_tensor_view %b, shape = [1003], strides = [1] : tensor_view<1003xf32, strides=[1]>
    %vc = make_tensor_view %c, shape = [3, 1003], strides = [1003, 1] : tensor_view<3x1003xf16, strides=[1003,1]>
    %qa = make_partition_view %va : partition_view<tile=(1x1024), tensor_view<3x1003xf16, strides=[1003,1]>>
    %qb = make_partition_view %vb : partition_view<tile=(1024), tensor_view<1003xf32, strides=[1]>>
    %qc = make_partition_view %vc : partition_view<tile=(1x1024), tensor_view<3x1003xf16, strides=[1003,1]>>
    %ta, %t0 = load_view_tko weak %qa[%x, %zero] : partition_view<tile=(1x1024), tensor_view<3x1003xf16, strides=[1003,1]>>, tile<i32> -> tile<1x1024xf16>, token
    %tb, %t1 = load_view_tko weak %qb[%zero] : partition_view<tile=(1024), tensor_view<1003xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %wb = reshape %tb : tile<1024xf32> -> tile<1x1024xf32>
    %wa = ftof %ta : tile<1x1024xf16> -> tile<1x1024xf32>
    %s = mulf %wa, %wb : tile<1x1024xf32>
    %h = ftof %s : tile<1x1024xf32> -> tile<1x1024xf16>
    %t2 = store_view_tko weak %h, %qc[%x, %zero] : tile<1x1024xf16>, partition_view<tile=(1x1024), tensor_view<3x1003xf16, strides=[1003,1]>>, tile<i32> -> token
  }
}
