// Attention whose powers take the special functions as long as the products take the tensor core (tileas-share-exponentials): of four pairs of registers one is
// computed by multiply-adds. Logits of the second launch are so far apart that powers are flushed to zero, and of the third one infinite or NaN.
//
// RUN: tileiras %s --gpu-name=sm_100 --emit=ptx -o %t.ptx --remarks=schedule 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// RUN: tileiras %s --gpu-name=sm_103 --emit=ptx -o %t.103.ptx --remarks=schedule 2>&1 | FileCheck %s --check-prefix=FAST
// RUN: tileiras %s --gpu-name=sm_100 --emit=ptx --pipeline-options=exponentials=special | FileCheck %s --check-prefix=SPECIAL
// RUN: %{exits} 5 tileiras %s --gpu-name=sm_100 --emit=ptx --pipeline-options=exponentials=none 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: tileiras-run %s --gpu-name=sm_100 --grid=2,1 --engine=reference,emulator --check --tolerance=rel:2e-2,abs:2e-3 'q:bf16[1x256x128]=normal(seed=1)' \
// RUN:   'k:bf16[1x256x128]=normal(seed=2)' 'v:bf16[1x256x128]=normal(seed=3)' 'out:o:bf16[1x256x128]=poison' i32=1 i32=256 f32=0.1275
// RUN: tileiras-run %s --gpu-name=sm_100 --grid=2,1 --engine=reference,emulator --check --tolerance=rel:2e-2,abs:2e-3 'q:bf16[1x256x128]=normal(seed=1)' \
// RUN:   'k:bf16[1x256x128]=normal(seed=2)' 'v:bf16[1x256x128]=normal(seed=3)' 'out:o:bf16[1x256x128]=poison' i32=1 i32=256 f32=40.0
// RUN: tileiras-run %s --gpu-name=sm_100 --grid=2,1 --engine=reference,emulator --check --tolerance=rel:2e-2,abs:2e-3 'q:bf16[1x256x128]=normal(seed=1)' \
// RUN:   'k:bf16[1x256x128]=normal(seed=2)' 'v:bf16[1x256x128]=normal(seed=3)' 'out:o:bf16[1x256x128]=poison' i32=1 i32=256 f32=1e38

// SHARED: [Passed] Exponentials {{.*}}Functions={{[0-9]+}}, More=224, Pairs=4, Products=1024, Reason="special functions hold the round back: multiply-adds do a part"
// FAST: [Missed] Exponentials {{.*}}Reason="special functions hide behind the products"
// WRONG: error: invalid value 'none' of pipeline option 'exponentials': expected one of auto, special
// PTX-LABEL: .entry attention
// PTX-COUNT-16: add.rm.f32x2
// SPECIAL-NOT: add.rm.f32x2

cuda_tile.module @kernels {
entry @attention(%q: tile<ptr<bf16>>, %k: tile<ptr<bf16>>, %v: tile<ptr<bf16>>, %o: tile<ptr<bf16>>, %heads: tile<i32>, %size: tile<i32>, %scale: tile<f32>) {
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
%s1 = reshape %scale : tile<f32> -> tile<1x1xf32>
%scales = broadcast %s1 : tile<1x1xf32> -> tile<128x128xf32>
%zeros = constant <f32: 0.0> : tile<128x128xf32>
%o0 = constant <f32: 0.0> : tile<128x128xf32>
%w0 = constant <f32: 0.0> : tile<128x1xf32>
%m0 = constant <f32: -1.0e+30> : tile<128x1xf32>
%end = divi %length, %cn signed rounding<positive_inf> : tile<i32>
%sum, %weight, %top = for %i in (%c0 to %end, step %c1) : tile<i32> iter_values(%osum = %o0, %wsum = %w0, %mtop = %m0) -> (tile<128x128xf32>, tile<128x1xf32>, tile<128x1xf32>) {
%k3, %tokenk = load_view_tko weak %vk[%head, %c0, %i] : !cuda_tile.partition_view<tile=(1x128x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>, dim_map=[0, 2, 1]>, tile<i32> -> tile<1x128x128xbf16>, token
%k2 = reshape %k3 : tile<1x128x128xbf16> -> tile<128x128xbf16>
%qk = mmaf %q2, %k2, %zeros : tile<128x128xbf16>, tile<128x128xbf16>, tile<128x128xf32>
%scaled = mulf %qk, %scales : tile<128x128xf32>
%rowtop = reduce %scaled dim=1 identities=[0xFF800000 : f32] : tile<128x128xf32> -> tile<128xf32>
(%a: tile<f32>, %b: tile<f32>) {
%r = maxf %a, %b : tile<f32>
yield %r : tile<f32>
}
%rowtop1 = reshape %rowtop : tile<128xf32> -> tile<128x1xf32>
%top1 = maxf %mtop, %rowtop1 : tile<128x1xf32>
%tops = broadcast %top1 : tile<128x1xf32> -> tile<128x128xf32>
%lowered = negf %tops : tile<128x128xf32>
%below = fma %qk, %scales, %lowered : tile<128x128xf32>
%p = exp2 %below flush_to_zero : tile<128x128xf32>
%rowsum = reduce %p dim=1 identities=[0.0 : f32] : tile<128x128xf32> -> tile<128xf32>
(%a: tile<f32>, %b: tile<f32>) {
%r = addf %a, %b : tile<f32>
yield %r : tile<f32>
}
%rowsum1 = reshape %rowsum : tile<128xf32> -> tile<128x1xf32>
%drop = subf %mtop, %top1 : tile<128x1xf32>
%alpha = exp2 %drop flush_to_zero : tile<128x1xf32>
%weight1 = fma %wsum, %alpha, %rowsum1 : tile<128x1xf32>
%alphas = broadcast %alpha : tile<128x1xf32> -> tile<128x128xf32>
%changed = mulf %osum, %alphas : tile<128x128xf32>
%v3, %tokenv = load_view_tko weak %vv[%head, %i, %c0] : !cuda_tile.partition_view<tile=(1x128x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>>, tile<i32> -> tile<1x128x128xbf16>, token
%v2 = reshape %v3 : tile<1x128x128xbf16> -> tile<128x128xbf16>
%ph = ftof %p : tile<128x128xf32> -> tile<128x128xbf16>
%sum1 = mmaf %ph, %v2, %changed : tile<128x128xbf16>, tile<128x128xbf16>, tile<128x128xf32>
continue %sum1, %weight1, %top1 : tile<128x128xf32>, tile<128x1xf32>, tile<128x1xf32>
}
%weights = broadcast %weight : tile<128x1xf32> -> tile<128x128xf32>
%mean = divf %sum, %weights rounding<approx> flush_to_zero : tile<128x128xf32>
%half = ftof %mean : tile<128x128xf32> -> tile<128x128xbf16>
%result = reshape %half : tile<128x128xbf16> -> tile<1x128x128xbf16>
%stored = store_view_tko weak %result, %vo[%head, %block, %c0] : tile<1x128x128xbf16>, !cuda_tile.partition_view<tile=(1x128x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>>, tile<i32> -> token
return
}
}
