// Two agents with every other tile block where something is computed with the sums: with pipeline-strategy=auto, too, such a kernel has four warps and becomes persistent for
// it, and is not sliced, as what is computed element by element takes the registers of the sums. Registers are needed for both.
// RUN: tileiras %s --gpu-name=sm_90 --emit=ptx -o /dev/null "--pipeline-options=pipeline-strategy=auto turns=tile-blocks" --remarks=all 2>&1 | FileCheck %s
// RUN: tileiras %s --gpu-name=sm_90 --num-warps=4 --emit=ptx -o /dev/null --pipeline-options=pipeline-strategy=auto --remarks=all 2>&1 | FileCheck %s --check-prefix=NOT
// RUN: sed 's/%k: tile<i32>) {/%k: tile<i32>) optimization_hints=<sm_90 = {occupancy = 2}> {/' %s > %t.mlir
// RUN: tileiras %t.mlir --gpu-name=sm_90 --num-warps=4 --emit=ptx -o /dev/null "--pipeline-options=pipeline-strategy=warp-specialize dynamic-persistent=true turns=tile-blocks tile-room=100000" --remarks=schedule 2>&1 | FileCheck %s --check-prefix=TWO
// CHECK: [Analysis] Warps {{.*}}two agents are to have every other tile block{{.*}}Warps=4
// CHECK: [Analysis] Slices {{.*}}Slices=1, Words=16384
// CHECK: [Passed] Persistent
// CHECK: [Passed] Turns {{.*}}Alternatives=turns=never
// NOT: [Passed] Slices {{.*}}Slices=2
// NOT-NOT: Turns
// TWO: [Missed] Turns {{.*}}there are no registers for two agents with a tile block each
cuda_tile.module @kernels {
  entry @gemm(%pa: tile<ptr<bf16>>, %pb: tile<ptr<bf16>>, %po: tile<ptr<bf16>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_p = assume div_by<16>, %pa : tile<ptr<bf16>>
    %a_n = assume div_by<16>, %k : tile<i32>
    %a_s = assume div_by<16>, %k : tile<i32>
    %a_t = make_tensor_view %a_p, shape = [%m, %a_n], strides = [%a_s, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %a = make_partition_view %a_t : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %b_p = assume div_by<16>, %pb : tile<ptr<bf16>>
    %b_n = assume div_by<16>, %n : tile<i32>
    %b_s = assume div_by<16>, %n : tile<i32>
    %b_t = make_tensor_view %b_p, shape = [%k, %b_n], strides = [%b_s, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %b = make_partition_view %b_t : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %o_p = assume div_by<16>, %po : tile<ptr<bf16>>
    %o_n = assume div_by<16>, %n : tile<i32>
    %o_s = assume div_by<16>, %n : tile<i32>
    %o_t = make_tensor_view %o_p, shape = [%m, %o_n], strides = [%o_s, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %o = make_partition_view %o_t : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %ks:2 = get_index_space_shape %a : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>> -> tile<i32>
    %z = constant <f32: 0.0> : tile<128x128xf32>
    %c = for %kk in (%c0 to %ks#1, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<128x128xf32>) {
      %x, %t0 = load_view_tko weak %a[%bx, %kk] : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %y, %t1 = load_view_tko weak %b[%kk, %by] : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x128xbf16>, token
      %s1 = mmaf %x, %y, %s : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      continue %s1 : tile<128x128xf32>
    }
%ones = constant <f32: 1.0> : tile<128x128xf32>
    %kk1 = constant <f32: -1.4427> : tile<128x128xf32>
    %e0 = mulf %c, %kk1 : tile<128x128xf32>
    %e1 = exp2 %e0 : tile<128x128xf32>
    %e2 = addf %e1, %ones : tile<128x128xf32>
    %g = divf %c, %e2 : tile<128x128xf32>
    %half = ftof %g : tile<128x128xf32> -> tile<128x128xbf16>
    %t2 = store_view_tko weak %half, %o[%bx, %by] : tile<128x128xbf16>, partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
