// Attention of 256 rows on Blackwell: each of two warpgroups multiplies its own 128 rows, and they have the special functions in turns; a warp whose factors are
// all 1 leaves its sums in tensor memory; f32 is added and multiplied two at a time. Executed with planted faults: test/EndToEnd/tcgen05.py.
// RUN: tileiras %s --gpu-name=sm_100 --emit=tileas --remarks=product,schedule -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.mlir
// RUN: tileiras %s --gpu-name=sm_100 --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: env TILEIR_PREFER_TMA_FOR_LOAD_STORE=true tileiras-run %s --entry=attention --grid=2,1 --gpu-name=sm_103 --engine=reference,emulator --check --schedules=3 --async=random \
// RUN:   --tolerance=rel:2e-2,abs:1e-3 'q:bf16[1x512x64]=normal(seed=1)' 'k:bf16[1x512x64]=normal(seed=2)' 'v:bf16[1x512x64]=normal(seed=3)' 'out:o:bf16[1x512x64]=poison' i32=1 i32=512 f32=0.18

// REMARK-DAG: Warpgroups{{.*}}two warpgroups issue the products of their rows
// REMARK-DAG: Scaling{{.*}}warps all of whose factors are 1 leave the sums where they are

// Two products and the turns, for each warpgroup.
// CHECK: nv_tileaa.func @attention({{.*}}nv_tileas.by_warpgroup = {{[0-9]+}} : i64{{.*}}nv_tileas.turn_number = [[TURN:[0-9]+]] : i64
// CHECK: nvvm.barrier
// CHECK: scf.for
// CHECK: nv_tileas.async.await_product 1
// CHECK: nv_tileas.dot {{.*}}nv_tileas.awaited_as = 1 : i64, nv_tileas.meets_by_warpgroup
// CHECK: nv_tileas.async.await_product [[TURN]]
// CHECK: elementwise_inline_asm
// CHECK: nv_tileaa.exp2
// CHECK: nv_tileas.copy {{.*}}nv_tileas.awaits = 2 : i64, nv_tileas.ends_turn
// CHECK: nv_tileas.reduce {{.*}}nv_tileas.of_warp
// CHECK: scf.if
// CHECK: nv_tileas.convert_layout
// CHECK: arith.mulf
// CHECK: nv_tileas.copy
// CHECK: nv_tileas.dot {{.*}}nv_tileas.awaited_as = 2 : i64, nv_tileas.meets_by_warpgroup
// CHECK: nvvm.barrier

// PTX-DAG: bar.sync %r{{[0-9]+}}, 128;
// PTX-DAG: mul.rn.f32x2
// PTX-DAG: fma.rn.f32x2
// PTX-DAG: add.rn.f32x2
// PTX-DAG: mbarrier.arrive.shared::cta.b64 _
// PTX-DAG: vote.sync.any.pred

cuda_tile.module @kernels {
entry @attention(%q: tile<ptr<bf16>>, %k: tile<ptr<bf16>>, %v: tile<ptr<bf16>>, %o: tile<ptr<bf16>>, %heads: tile<i32>, %size: tile<i32>, %scale: tile<f32>) {
%length = assume div_by<256>, %size : tile<i32>
%block, %head, %z = get_tile_block_id : tile<i32>
%c0 = constant <i32: 0> : tile<i32>
%c1 = constant <i32: 1> : tile<i32>
%cm = constant <i32: 256> : tile<i32>
%cn = constant <i32: 128> : tile<i32>
%cw = constant <i32: 64> : tile<i32>
%stride = muli %length, %cw : tile<i32>
%aq = assume div_by<16>, %q : tile<ptr<bf16>>
%tq = make_tensor_view %aq, shape = [%heads, %length, 64], strides = [%stride, 64, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x64xbf16, strides=[?,64,1]>
%vq = make_partition_view %tq : !cuda_tile.partition_view<tile=(1x256x64), padding_value = zero, !cuda_tile.tensor_view<?x?x64xbf16, strides=[?,64,1]>>
%ak = assume div_by<16>, %k : tile<ptr<bf16>>
%tk = make_tensor_view %ak, shape = [%heads, %length, 64], strides = [%stride, 64, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x64xbf16, strides=[?,64,1]>
%vk = make_partition_view %tk : !cuda_tile.partition_view<tile=(1x64x128), padding_value = zero, !cuda_tile.tensor_view<?x?x64xbf16, strides=[?,64,1]>, dim_map=[0, 2, 1]>
%av = assume div_by<16>, %v : tile<ptr<bf16>>
%tv = make_tensor_view %av, shape = [%heads, %length, 64], strides = [%stride, 64, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x64xbf16, strides=[?,64,1]>
%vv = make_partition_view %tv : !cuda_tile.partition_view<tile=(1x128x64), padding_value = zero, !cuda_tile.tensor_view<?x?x64xbf16, strides=[?,64,1]>>
%ao = assume div_by<16>, %o : tile<ptr<bf16>>
%to = make_tensor_view %ao, shape = [%heads, %length, 64], strides = [%stride, 64, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x64xbf16, strides=[?,64,1]>
%vo = make_partition_view %to : !cuda_tile.partition_view<tile=(1x256x64), padding_value = zero, !cuda_tile.tensor_view<?x?x64xbf16, strides=[?,64,1]>>
%q3, %tokenq = load_view_tko weak %vq[%head, %block, %c0] : !cuda_tile.partition_view<tile=(1x256x64), padding_value = zero, !cuda_tile.tensor_view<?x?x64xbf16, strides=[?,64,1]>>, tile<i32> -> tile<1x256x64xbf16>, token
%q2 = reshape %q3 : tile<1x256x64xbf16> -> tile<256x64xbf16>
%s1 = reshape %scale : tile<f32> -> tile<1x1xf32>
%scales = broadcast %s1 : tile<1x1xf32> -> tile<256x128xf32>
%zeros = constant <f32: 0.0> : tile<256x128xf32>
%o0 = constant <f32: 0.0> : tile<256x64xf32>
%w0 = constant <f32: 0.0> : tile<256x1xf32>
%m0 = constant <f32: -1.0e+30> : tile<256x1xf32>
%end = divi %length, %cn signed rounding<positive_inf> : tile<i32>
%sum, %weight, %top = for %i in (%c0 to %end, step %c1) : tile<i32> iter_values(%osum = %o0, %wsum = %w0, %mtop = %m0) -> (tile<256x64xf32>, tile<256x1xf32>, tile<256x1xf32>) {
%k3, %tokenk = load_view_tko weak %vk[%head, %c0, %i] : !cuda_tile.partition_view<tile=(1x64x128), padding_value = zero, !cuda_tile.tensor_view<?x?x64xbf16, strides=[?,64,1]>, dim_map=[0, 2, 1]>, tile<i32> -> tile<1x64x128xbf16>, token
%k2 = reshape %k3 : tile<1x64x128xbf16> -> tile<64x128xbf16>
%qk = mmaf %q2, %k2, %zeros : tile<256x64xbf16>, tile<64x128xbf16>, tile<256x128xf32>
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
%alphas = broadcast %alpha : tile<256x1xf32> -> tile<256x64xf32>
%changed = mulf %osum, %alphas : tile<256x64xf32>
%v3, %tokenv = load_view_tko weak %vv[%head, %i, %c0] : !cuda_tile.partition_view<tile=(1x128x64), padding_value = zero, !cuda_tile.tensor_view<?x?x64xbf16, strides=[?,64,1]>>, tile<i32> -> tile<1x128x64xbf16>, token
%v2 = reshape %v3 : tile<1x128x64xbf16> -> tile<128x64xbf16>
%ph = ftof %p : tile<256x128xf32> -> tile<256x128xbf16>
%sum1 = mmaf %ph, %v2, %changed : tile<256x128xbf16>, tile<128x64xbf16>, tile<256x64xf32>
continue %sum1, %weight1, %top1 : tile<256x64xf32>, tile<256x1xf32>, tile<256x1xf32>
}
%weights = broadcast %weight : tile<256x1xf32> -> tile<256x64xf32>
%mean = divf %sum, %weights rounding<approx> flush_to_zero : tile<256x64xf32>
%half = ftof %mean : tile<256x64xf32> -> tile<256x64xbf16>
%result = reshape %half : tile<256x64xbf16> -> tile<1x256x64xbf16>
%stored = store_view_tko weak %result, %vo[%head, %block, %c0] : tile<1x256x64xbf16>, !cuda_tile.partition_view<tile=(1x256x64), padding_value = zero, !cuda_tile.tensor_view<?x?x64xbf16, strides=[?,64,1]>>, tile<i32> -> token
return
}
}
