// Attention of width 128 in tiles of 128 queries and 64 keys: two blocks leave room for two stages of keys and values. Each has a ring of its own, both are filled by
// TMA in a loop of their own, and the first product is issued a round ahead. Executed: test/EndToEnd/tcgen05.py.
//
// RUN: tileiras %s --gpu-name=sm_100 --emit=ptx -o %t.ptx --remarks=pipeline,memory,product 2>&1 | FileCheck %s
// RUN: tileiras %s --gpu-name=sm_100 --emit=tileas | FileCheck %s --check-prefix=LOOP

// CHECK-DAG: [Passed] Advance {{.*}}Reason="the product is issued an iteration before its sums are used"
// CHECK-DAG: [Passed] Loop {{.*}}Stages=2, Streams=2
// CHECK-DAG: [Passed] Tma
// CHECK-DAG: [Passed] Tma
// CHECK-NOT: [Missed] Tma |

// The first one of keys is filled behind the product of scores, that of values behind the other one; both are released by their products.
// LOOP: scf.for
// LOOP: async.await_product 1
// LOOP-NEXT: convert_layout
// LOOP: consumer_wait %[[KEYS:[^,]*]],
// LOOP: awaited_as = 1
// LOOP: consumer_release %[[KEYS]], {{.*}}by_products
// LOOP: producer_acquire %[[KEYS]],
// LOOP: async.tiled_tma_load
// LOOP: exp2
// LOOP: awaits = 2
// LOOP: consumer_wait %[[VALUES:[^,]*]],
// LOOP: awaited_as = 2
// LOOP: consumer_release %[[VALUES]], {{.*}}by_products
// LOOP: producer_acquire %[[VALUES]],
// LOOP: async.tiled_tma_load
// LOOP: scf.yield

cuda_tile.module @kernels {
entry @attention(%q: tile<ptr<bf16>>, %k: tile<ptr<bf16>>, %v: tile<ptr<bf16>>, %o: tile<ptr<bf16>>, %heads: tile<i32>, %size: tile<i32>, %scale: tile<f32>) {
%length = assume div_by<128>, %size : tile<i32>
%block, %head, %z = get_tile_block_id : tile<i32>
%c0 = constant <i32: 0> : tile<i32>
%c1 = constant <i32: 1> : tile<i32>
%cm = constant <i32: 128> : tile<i32>
%cn = constant <i32: 64> : tile<i32>
%cw = constant <i32: 128> : tile<i32>
%stride = muli %length, %cw : tile<i32>
%aq = assume div_by<16>, %q : tile<ptr<bf16>>
%tq = make_tensor_view %aq, shape = [%heads, %length, 128], strides = [%stride, 128, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>
%vq = make_partition_view %tq : !cuda_tile.partition_view<tile=(1x128x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>>
%ak = assume div_by<16>, %k : tile<ptr<bf16>>
%tk = make_tensor_view %ak, shape = [%heads, %length, 128], strides = [%stride, 128, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>
%vk = make_partition_view %tk : !cuda_tile.partition_view<tile=(1x128x64), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>, dim_map=[0, 2, 1]>
%av = assume div_by<16>, %v : tile<ptr<bf16>>
%tv = make_tensor_view %av, shape = [%heads, %length, 128], strides = [%stride, 128, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>
%vv = make_partition_view %tv : !cuda_tile.partition_view<tile=(1x64x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>>
%ao = assume div_by<16>, %o : tile<ptr<bf16>>
%to = make_tensor_view %ao, shape = [%heads, %length, 128], strides = [%stride, 128, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>
%vo = make_partition_view %to : !cuda_tile.partition_view<tile=(1x128x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>>
%q3, %tokenq = load_view_tko weak %vq[%head, %block, %c0] : !cuda_tile.partition_view<tile=(1x128x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>>, tile<i32> -> tile<1x128x128xbf16>, token
%q2 = reshape %q3 : tile<1x128x128xbf16> -> tile<128x128xbf16>
%s1 = reshape %scale : tile<f32> -> tile<1x1xf32>
%scales = broadcast %s1 : tile<1x1xf32> -> tile<128x64xf32>
%zeros = constant <f32: 0.0> : tile<128x64xf32>
%o0 = constant <f32: 0.0> : tile<128x128xf32>
%w0 = constant <f32: 0.0> : tile<128x1xf32>
%m0 = constant <f32: -1.0e+30> : tile<128x1xf32>
%end = divi %length, %cn signed rounding<positive_inf> : tile<i32>
%sum, %weight, %top = for %i in (%c0 to %end, step %c1) : tile<i32> iter_values(%osum = %o0, %wsum = %w0, %mtop = %m0) -> (tile<128x128xf32>, tile<128x1xf32>, tile<128x1xf32>) {
%k3, %tokenk = load_view_tko weak %vk[%head, %c0, %i] : !cuda_tile.partition_view<tile=(1x128x64), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>, dim_map=[0, 2, 1]>, tile<i32> -> tile<1x128x64xbf16>, token
%k2 = reshape %k3 : tile<1x128x64xbf16> -> tile<128x64xbf16>
%qk = mmaf %q2, %k2, %zeros : tile<128x128xbf16>, tile<128x64xbf16>, tile<128x64xf32>
%scaled = mulf %qk, %scales : tile<128x64xf32>
%rowtop = reduce %scaled dim=1 identities=[0xFF800000 : f32] : tile<128x64xf32> -> tile<128xf32>
(%a: tile<f32>, %b: tile<f32>) {
%r = maxf %a, %b : tile<f32>
yield %r : tile<f32>
}
%rowtop1 = reshape %rowtop : tile<128xf32> -> tile<128x1xf32>
%top1 = maxf %mtop, %rowtop1 : tile<128x1xf32>
%tops = broadcast %top1 : tile<128x1xf32> -> tile<128x64xf32>
%lowered = negf %tops : tile<128x64xf32>
%below = fma %qk, %scales, %lowered : tile<128x64xf32>
%p = exp2 %below flush_to_zero : tile<128x64xf32>
%rowsum = reduce %p dim=1 identities=[0.0 : f32] : tile<128x64xf32> -> tile<128xf32>
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
%v3, %tokenv = load_view_tko weak %vv[%head, %i, %c0] : !cuda_tile.partition_view<tile=(1x64x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>>, tile<i32> -> tile<1x64x128xbf16>, token
%v2 = reshape %v3 : tile<1x64x128xbf16> -> tile<64x128xbf16>
%ph = ftof %p : tile<128x64xf32> -> tile<128x64xbf16>
%sum1 = mmaf %ph, %v2, %changed : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
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
