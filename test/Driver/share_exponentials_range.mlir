// Powers of two of given numbers, a part of them by multiply-adds (tileas-share-exponentials), in a loop that multiplies in tensor memory: what the emulator makes of
// the PTX is within 2 ulp (2^-22) of the reference evaluator over the whole range, and so are zeros, infinities and NaN. Each launch has 65,536 numbers, of which every
// fourth pair is computed by multiply-adds: all exponents that there are; around 0; where results are flushed; where they become infinite; all kinds of numbers.
//
// RUN: tileiras %s --gpu-name=sm_100 --emit=ptx | FileCheck %s
// RUN: tileiras-run %s --gpu-name=sm_100 --engine=reference,emulator --check --tolerance=rel:2.384185791e-7 'q:bf16[1x128x128]=zeros' 'k:bf16[1x512x128]=zeros' \
// RUN:   'v:bf16[1x512x128]=zeros' 'o:bf16[1x128x128]=poison' i32=1 i32=512 'x:f32[512x128]=random(seed=5,lo=-160,hi=160)' 'out:p:f32[512x128]=poison'
// RUN: tileiras-run %s --gpu-name=sm_110 --engine=reference,emulator --check --tolerance=rel:2.384185791e-7 'q:bf16[1x128x128]=zeros' 'k:bf16[1x512x128]=zeros' \
// RUN:   'v:bf16[1x512x128]=zeros' 'o:bf16[1x128x128]=poison' i32=1 i32=512 'x:f32[512x128]=random(seed=6,lo=-1,hi=1)' 'out:p:f32[512x128]=poison'
// RUN: tileiras-run %s --gpu-name=sm_100 --engine=reference,emulator --check --tolerance=rel:2.384185791e-7 'q:bf16[1x128x128]=zeros' 'k:bf16[1x512x128]=zeros' \
// RUN:   'v:bf16[1x512x128]=zeros' 'o:bf16[1x128x128]=poison' i32=1 i32=512 'x:f32[512x128]=random(seed=7,lo=-127,hi=-125.5)' 'out:p:f32[512x128]=poison'
// RUN: tileiras-run %s --gpu-name=sm_100 --engine=reference,emulator --check --tolerance=rel:2.384185791e-7 'q:bf16[1x128x128]=zeros' 'k:bf16[1x512x128]=zeros' \
// RUN:   'v:bf16[1x512x128]=zeros' 'o:bf16[1x128x128]=poison' i32=1 i32=512 'x:f32[512x128]=random(seed=8,lo=127,hi=128.25)' 'out:p:f32[512x128]=poison'
// RUN: tileiras-run %s --gpu-name=sm_100 --engine=reference,emulator --check --tolerance=rel:2.384185791e-7 'q:bf16[1x128x128]=zeros' 'k:bf16[1x512x128]=zeros' \
// RUN:   'v:bf16[1x512x128]=zeros' 'o:bf16[1x128x128]=poison' i32=1 i32=512 'x:f32[512x128]=random(seed=9,lo=-1e-6,hi=1e-6)' 'out:p:f32[512x128]=poison'
// RUN: tileiras-run %s --gpu-name=sm_100 --engine=reference,emulator --check --tolerance=rel:2.384185791e-7 'q:bf16[1x128x128]=zeros' 'k:bf16[1x512x128]=zeros' \
// RUN:   'v:bf16[1x512x128]=zeros' 'o:bf16[1x128x128]=poison' i32=1 i32=512 'x:f32[512x128]=special(seed=10)' 'out:p:f32[512x128]=poison'
// RUN: tileiras-run %s --gpu-name=sm_110 --engine=reference,emulator --check --tolerance=rel:2.384185791e-7 'q:bf16[1x128x128]=zeros' 'k:bf16[1x512x128]=zeros' \
// RUN:   'v:bf16[1x512x128]=zeros' 'o:bf16[1x128x128]=poison' i32=1 i32=512 'x:f32[512x128]=-inf' 'out:p:f32[512x128]=poison'
// RUN: tileiras-run %s --gpu-name=sm_100 --engine=reference,emulator --check --tolerance=rel:2.384185791e-7 'q:bf16[1x128x128]=zeros' 'k:bf16[1x512x128]=zeros' \
// RUN:   'v:bf16[1x512x128]=zeros' 'o:bf16[1x128x128]=poison' i32=1 i32=512 'x:f32[512x128]=inf' 'out:p:f32[512x128]=poison'
// RUN: tileiras-run %s --gpu-name=sm_100 --engine=reference,emulator --check --tolerance=rel:2.384185791e-7 'q:bf16[1x128x128]=zeros' 'k:bf16[1x512x128]=zeros' \
// RUN:   'v:bf16[1x512x128]=zeros' 'o:bf16[1x128x128]=poison' i32=1 i32=512 'x:f32[512x128]=nan' 'out:p:f32[512x128]=poison'

// CHECK-LABEL: .entry attention
// CHECK-COUNT-8: add.rm.f32x2

cuda_tile.module @kernels {
entry @attention(%q: tile<ptr<bf16>>, %k: tile<ptr<bf16>>, %v: tile<ptr<bf16>>, %o: tile<ptr<bf16>>, %heads: tile<i32>, %size: tile<i32>, %x: tile<ptr<f32>>, %p: tile<ptr<f32>>) {
%length = assume div_by<128>, %size : tile<i32>
%block, %head, %z = get_tile_block_id : tile<i32>
%c0 = constant <i32: 0> : tile<i32>
%c1 = constant <i32: 1> : tile<i32>
%cm = constant <i32: 128> : tile<i32>
%cn = constant <i32: 128> : tile<i32>
%cw = constant <i32: 128> : tile<i32>
%stride = muli %length, %cw : tile<i32>
%aq = assume div_by<16>, %q : tile<ptr<bf16>>
%tq = make_tensor_view %aq, shape = [%heads, %length, 128], strides = [%stride, 128, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>
%vq = make_partition_view %tq : !cuda_tile.partition_view<tile=(1x128x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>>
%ak = assume div_by<16>, %k : tile<ptr<bf16>>
%tk = make_tensor_view %ak, shape = [%heads, %length, 128], strides = [%stride, 128, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>
%vk = make_partition_view %tk : !cuda_tile.partition_view<tile=(1x128x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>, dim_map=[0, 2, 1]>
%av = assume div_by<16>, %v : tile<ptr<bf16>>
%tv = make_tensor_view %av, shape = [%heads, %length, 128], strides = [%stride, 128, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>
%vv = make_partition_view %tv : !cuda_tile.partition_view<tile=(1x128x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>>
%ao = assume div_by<16>, %o : tile<ptr<bf16>>
%to = make_tensor_view %ao, shape = [%heads, %length, 128], strides = [%stride, 128, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>
%vo = make_partition_view %to : !cuda_tile.partition_view<tile=(1x128x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>>
%q3, %tokenq = load_view_tko weak %vq[%head, %block, %c0] : !cuda_tile.partition_view<tile=(1x128x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>>, tile<i32> -> tile<1x128x128xbf16>, token
%q2 = reshape %q3 : tile<1x128x128xbf16> -> tile<128x128xbf16>
%bx = assume div_by<16>, %x : tile<ptr<f32>>
%gx = make_tensor_view %bx, shape = [%length, 128], strides = [128, 1] : tile<i32> -> !cuda_tile.tensor_view<?x128xf32, strides=[128,1]>
%wx = make_partition_view %gx : !cuda_tile.partition_view<tile=(128x128), !cuda_tile.tensor_view<?x128xf32, strides=[128,1]>>
%bp = assume div_by<16>, %p : tile<ptr<f32>>
%gp = make_tensor_view %bp, shape = [%length, 128], strides = [128, 1] : tile<i32> -> !cuda_tile.tensor_view<?x128xf32, strides=[128,1]>
%wp = make_partition_view %gp : !cuda_tile.partition_view<tile=(128x128), !cuda_tile.tensor_view<?x128xf32, strides=[128,1]>>
%zeros = constant <f32: 0.0> : tile<128x128xf32>
%o0 = constant <f32: 0.0> : tile<128x128xf32>
%end = divi %length, %cn signed rounding<positive_inf> : tile<i32>
%sum = for %i in (%c0 to %end, step %c1) : tile<i32> iter_values(%osum = %o0) -> (tile<128x128xf32>) {
%k3, %tokenk = load_view_tko weak %vk[%head, %c0, %i] : !cuda_tile.partition_view<tile=(1x128x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>, dim_map=[0, 2, 1]>, tile<i32> -> tile<1x128x128xbf16>, token
%k2 = reshape %k3 : tile<1x128x128xbf16> -> tile<128x128xbf16>
%qk = mmaf %q2, %k2, %zeros : tile<128x128xbf16>, tile<128x128xbf16>, tile<128x128xf32>
%given, %tokenx = load_view_tko weak %wx[%i, %c0] : !cuda_tile.partition_view<tile=(128x128), !cuda_tile.tensor_view<?x128xf32, strides=[128,1]>>, tile<i32> -> tile<128x128xf32>, token
%added = addf %qk, %given : tile<128x128xf32>
%powers = exp2 %added flush_to_zero : tile<128x128xf32>
%kept = store_view_tko weak %powers, %wp[%i, %c0] : tile<128x128xf32>, !cuda_tile.partition_view<tile=(128x128), !cuda_tile.tensor_view<?x128xf32, strides=[128,1]>>, tile<i32> -> token
%v3, %tokenv = load_view_tko weak %vv[%head, %i, %c0] : !cuda_tile.partition_view<tile=(1x128x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>>, tile<i32> -> tile<1x128x128xbf16>, token
%v2 = reshape %v3 : tile<1x128x128xbf16> -> tile<128x128xbf16>
%ph = ftof %powers : tile<128x128xf32> -> tile<128x128xbf16>
%sum1 = mmaf %ph, %v2, %osum : tile<128x128xbf16>, tile<128x128xbf16>, tile<128x128xf32>
continue %sum1 : tile<128x128xf32>
}
%half = ftof %sum : tile<128x128xf32> -> tile<128x128xbf16>
%result = reshape %half : tile<128x128xbf16> -> tile<1x128x128xbf16>
%stored = store_view_tko weak %result, %vo[%head, %block, %c0] : tile<1x128x128xbf16>, !cuda_tile.partition_view<tile=(1x128x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>>, tile<i32> -> token
return
}
}
