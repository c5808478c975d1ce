// Attention of 256 queries and 128 keys, width 128: S and O take all of tensor memory, and P has the columns of S (tileas-place-sums), those of a warpgroup's rows in
// those of the same rows, as each of two warpgroups goes through its rounds by itself. So S is not multiplied a round ahead; the product with V is waited for
// behind the wait for the next keys, and nobody meets between that and the next product. A third warpgroup multiplies O while these two compute powers
// (tileas-separate-corrections), with registers that it does not need left to them, and the fourth warp fills the rings.
//
// RUN: tileiras %s --gpu-name=sm_100 --emit=ptx -o %t.ptx --remarks=product,schedule 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// RUN: tileiras-opt %s --tileir="compute-capability=sm_100 opt-level=2 pipeline-strategy=auto dynamic-shared=true" --mlir-print-ir-after=tileas-defer-products -o %t.o.mlir 2> %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tileiras-run %s --gpu-name=sm_100 --grid=2,1 --engine=reference,emulator --check --tolerance=rel:2e-2,abs:2e-3 'q:bf16[1x512x128]=normal(seed=1)' \
// RUN:   'k:bf16[1x512x128]=normal(seed=2)' 'v:bf16[1x512x128]=normal(seed=3)' 'out:o:bf16[1x512x128]=poison' i32=1 i32=512 f32=0.1275
// RUN: tileiras-run %s --gpu-name=sm_110 --grid=1,2 --engine=reference,emulator --check --tolerance=rel:2e-2,abs:2e-3 'q:bf16[2x256x128]=normal(seed=4)' \
// RUN:   'k:bf16[2x256x128]=normal(seed=5)' 'v:bf16[2x256x128]=normal(seed=6)' 'out:o:bf16[2x256x128]=poison' i32=2 i32=256 f32=-0.1275

// REMARK-DAG: [Missed] Advance {{.*}}Reason="a factor of another product has the columns of its sums"
// REMARK-DAG: [Passed] Warpgroups
// REMARK-DAG: [Passed] Exponentials
// REMARK-DAG: [Passed] Corrections {{.*}}Registers=224

// Sums of 128 rows, and 128 columns further those of the next; P as far apart.
// CHECK: scf.for
// CHECK: nv_tileas.alloc_tensor : tensor<256x128xf32, {{.*}}column = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [128, 0]]>>
// CHECK: consumer_wait
// CHECK-NEXT: nv_tileas.async.await_product 1{{$}}
// CHECK-NEXT: consumer_read
// CHECK: nv_tileas.dot {{.*}}nv_tileas.meets_by_warpgroup}
// CHECK: consumer_release
// CHECK-NOT: by_products
// CHECK: producer_acquire
// CHECK: nv_tileas.alloc_tensor : tensor<256x128xbf16, {{.*}}column = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [0, 0], [128, 0]]>>
// CHECK-NEXT: nv_tileas.copy {{.*}}nv_tileas.ends_turn
// CHECK: consumer_wait
// CHECK: nv_tileas.dot {{.*}}nv_tileas.awaited_as = 1 : i64, nv_tileas.meets_by_warpgroup}
// CHECK: consumer_release {{.*}}nv_tileas.by_products
// CHECK: await_product 1 behind_loop

// One meeting of a warpgroup in a round.
// PTX: .reqntid 384
// PTX: setmaxnreg.inc.sync.aligned.u32 224;
// PTX: tcgen05.mma
// PTX: tcgen05.ld
// PTX: bar.sync {{.*}}, 128;
// PTX: tcgen05.mma
// PTX-NOT: bar.sync {{.*}}, 128;

cuda_tile.module @kernels {
entry @attention(%q: tile<ptr<bf16>>, %k: tile<ptr<bf16>>, %v: tile<ptr<bf16>>, %o: tile<ptr<bf16>>, %heads: tile<i32>, %size: tile<i32>, %scale: tile<f32>) {
%length = assume div_by<256>, %size : tile<i32>
%block, %head, %z = get_tile_block_id : tile<i32>
%c0 = constant <i32: 0> : tile<i32>
%c1 = constant <i32: 1> : tile<i32>
%cm = constant <i32: 256> : tile<i32>
%cn = constant <i32: 128> : tile<i32>
%cw = constant <i32: 128> : tile<i32>
%stride = muli %length, %cw : tile<i32>
%aq = assume div_by<16>, %q : tile<ptr<bf16>>
%tq = make_tensor_view %aq, shape = [%heads, %length, 128], strides = [%stride, 128, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>
%vq = make_partition_view %tq : !cuda_tile.partition_view<tile=(1x256x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>>
%ak = assume div_by<16>, %k : tile<ptr<bf16>>
%tk = make_tensor_view %ak, shape = [%heads, %length, 128], strides = [%stride, 128, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>
%vk = make_partition_view %tk : !cuda_tile.partition_view<tile=(1x128x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>, dim_map=[0, 2, 1]>
%av = assume div_by<16>, %v : tile<ptr<bf16>>
%tv = make_tensor_view %av, shape = [%heads, %length, 128], strides = [%stride, 128, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>
%vv = make_partition_view %tv : !cuda_tile.partition_view<tile=(1x128x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>>
%ao = assume div_by<16>, %o : tile<ptr<bf16>>
%to = make_tensor_view %ao, shape = [%heads, %length, 128], strides = [%stride, 128, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>
%vo = make_partition_view %to : !cuda_tile.partition_view<tile=(1x256x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>>
%q3, %tokenq = load_view_tko weak %vq[%head, %block, %c0] : !cuda_tile.partition_view<tile=(1x256x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>>, tile<i32> -> tile<1x256x128xbf16>, token
%q2 = reshape %q3 : tile<1x256x128xbf16> -> tile<256x128xbf16>
%s1 = reshape %scale : tile<f32> -> tile<1x1xf32>
%scales = broadcast %s1 : tile<1x1xf32> -> tile<256x128xf32>
%zeros = constant <f32: 0.0> : tile<256x128xf32>
%o0 = constant <f32: 0.0> : tile<256x128xf32>
%w0 = constant <f32: 0.0> : tile<256x1xf32>
%m0 = constant <f32: -1.0e+30> : tile<256x1xf32>
%end = divi %length, %cn signed rounding<positive_inf> : tile<i32>
%sum, %weight, %top = for %i in (%c0 to %end, step %c1) : tile<i32> iter_values(%osum = %o0, %wsum = %w0, %mtop = %m0) -> (tile<256x128xf32>, tile<256x1xf32>, tile<256x1xf32>) {
%k3, %tokenk = load_view_tko weak %vk[%head, %c0, %i] : !cuda_tile.partition_view<tile=(1x128x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>, dim_map=[0, 2, 1]>, tile<i32> -> tile<1x128x128xbf16>, token
%k2 = reshape %k3 : tile<1x128x128xbf16> -> tile<128x128xbf16>
%qk = mmaf %q2, %k2, %zeros : tile<256x128xbf16>, tile<128x128xbf16>, tile<256x128xf32>
%scaled = mulf %qk, %scales : tile<256x128xf32>
%rowtop = reduce %scaled dim=1 identities=[0xFF800000 : f32] : tile<256x128xf32> -> tile<256xf32>
(%a: tile<f32>, %b: tile<f32>) {
%r = maxf %a, %b : tile<f32>
yield %r : tile<f32>
}
%rowtop1 = reshape %rowtop : tile<256xf32> -> tile<256x1xf32>
%top1 = maxf %mtop, %rowtop1 : tile<256x1xf32>
%tops = broadcast %top1 : tile<256x1xf32> -> tile<256x128xf32>
%lowered = negf %tops : tile<256x128xf32>
%below = fma %qk, %scales, %lowered : tile<256x128xf32>
%p = exp2 %below flush_to_zero : tile<256x128xf32>
%rowsum = reduce %p dim=1 identities=[0.0 : f32] : tile<256x128xf32> -> tile<256xf32>
(%a: tile<f32>, %b: tile<f32>) {
%r = addf %a, %b : tile<f32>
yield %r : tile<f32>
}
%rowsum1 = reshape %rowsum : tile<256xf32> -> tile<256x1xf32>
%drop = subf %mtop, %top1 : tile<256x1xf32>
%alpha = exp2 %drop flush_to_zero : tile<256x1xf32>
%weight1 = fma %wsum, %alpha, %rowsum1 : tile<256x1xf32>
%alphas = broadcast %alpha : tile<256x1xf32> -> tile<256x128xf32>
%changed = mulf %osum, %alphas : tile<256x128xf32>
%v3, %tokenv = load_view_tko weak %vv[%head, %i, %c0] : !cuda_tile.partition_view<tile=(1x128x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>>, tile<i32> -> tile<1x128x128xbf16>, token
%v2 = reshape %v3 : tile<1x128x128xbf16> -> tile<128x128xbf16>
%ph = ftof %p : tile<256x128xf32> -> tile<256x128xbf16>
%sum1 = mmaf %ph, %v2, %changed : tile<256x128xbf16>, tile<128x128xbf16>, tile<256x128xf32>
continue %sum1, %weight1, %top1 : tile<256x128xf32>, tile<256x1xf32>, tile<256x1xf32>
}
%weights = broadcast %weight : tile<256x1xf32> -> tile<256x128xf32>
%mean = divf %sum, %weights rounding<approx> flush_to_zero : tile<256x128xf32>
%half = ftof %mean : tile<256x128xf32> -> tile<256x128xbf16>
%result = reshape %half : tile<256x128xbf16> -> tile<1x256x128xbf16>
%stored = store_view_tko weak %result, %vo[%head, %block, %c0] : tile<1x256x128xbf16>, !cuda_tile.partition_view<tile=(1x256x128), padding_value = zero, !cuda_tile.tensor_view<?x?x128xbf16, strides=[?,128,1]>>, tile<i32> -> token
return
}
}
