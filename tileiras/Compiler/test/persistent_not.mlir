// Where blocks do not divide the tile blocks of a product by default, and why. The kernel is one where they do.
// RUN: tileiras %s --gpu-name=sm_90 --num-warps=8 --emit=tileas --remarks=schedule 2>&1 | FileCheck %s --check-prefix=DONE
// DONE: [Passed] Persistent {{.*}}blocks divide the tile blocks
// Rings that hold too little have no agents, and nothing is copied for the next tile block.
// RUN: sed 's/128x64/128x32/g; s/64x128/32x128/g' %s | tileiras - --gpu-name=sm_90 --num-warps=8 --emit=tileas --remarks=schedule 2>&1 | FileCheck %s --check-prefix=LITTLE --implicit-check-not=nv_tileas.persistent
// LITTLE: [Missed] Persistent {{.*}}Alternatives=dynamic-persistent=true, Reason="the stages of the rings hold too little for agents"
// RUN: tileiras %s --gpu-name=sm_90 --num-warps=8 --emit=tileas --remarks=schedule --pipeline-options=unspecialized-pipeline-num-stages=2 2>&1 | FileCheck %s --check-prefix=LITTLE --implicit-check-not=nv_tileas.persistent
// Three stages have two of 32 KiB under way while one is multiplied: one agent, of whose blocks a multiprocessor has two, is faster. A hint says the same.
// RUN: tileiras %s --gpu-name=sm_90 --num-warps=8 --emit=tileas --remarks=schedule --pipeline-options=unspecialized-pipeline-num-stages=3 2>&1 | FileCheck %s --check-prefixes=LITTLE,ONE --implicit-check-not=nv_tileas.persistent --implicit-check-not=agent_switch
// RUN: sed 's/load_view_tko weak \(%%[a-z]*\[[^]]*\]\)/load_view_tko weak \1 optimization_hints = <default = {latency = 3}>/' %s | tileiras - --gpu-name=sm_90 --num-warps=8 --emit=tileas --remarks=schedule 2>&1 | FileCheck %s --check-prefixes=LITTLE,ONE --implicit-check-not=nv_tileas.persistent --implicit-check-not=agent_switch
// ONE: [Missed] Agents {{.*}}Reason="one agent is as fast: the stages of the rings hold too little"
// RUN: sed 's/128x128/64x128/g; s/128x64/64x64/g' %s | tileiras - --gpu-name=sm_90 --num-warps=8 --emit=tileas --remarks=schedule 2>&1 | FileCheck %s --check-prefix=SMALL --implicit-check-not=nv_tileas.persistent
// SMALL: [Missed] Persistent {{.*}}Reason="tiles of less than 128x128 sums are stored too soon to gain by it"
// A triangular product.
// RUN: sed 's/to %%ks#1/to %%bx/' %s | tileiras - --gpu-name=sm_90 --num-warps=8 --emit=tileas --remarks=schedule 2>&1 | FileCheck %s --check-prefix=UNLIKE --implicit-check-not=nv_tileas.persistent
// UNLIKE: [Missed] Persistent {{.*}}Reason="tile blocks have different numbers of rounds: dividing them beforehand is no fair share"
// RUN: sed 's/to %%ks#1/to %%c6/' %s | tileiras - --gpu-name=sm_90 --num-warps=8 --emit=tileas --remarks=schedule 2>&1 | FileCheck %s --check-prefix=FEW --implicit-check-not=nv_tileas.persistent
// FEW: [Missed] Persistent {{.*}}Reason="its loop has too few rounds"
// RUN: tileiras %s --gpu-name=sm_90 --num-warps=4 --emit=tileas --remarks=schedule 2>&1 | FileCheck %s --check-prefix=WARPS --implicit-check-not=nv_tileas.persistent
// WARPS: [Missed] Persistent {{.*}}Reason="the blocks that share a multiprocessor store while others multiply"
// What cannot be done is not advised.
// RUN: sed 's/store_view_tko weak/store_view_tko release device/' %s | tileiras - --gpu-name=sm_90 --num-warps=8 --emit=tileas --remarks=schedule 2>&1 | FileCheck %s --check-prefix=ORDERED --implicit-check-not=nv_tileas.persistent
// ORDERED: [Missed] Persistent | Category:schedule | Function=gemm | Reason="blocks may synchronise through memory, or agents divide the warps"
cuda_tile.module @kernels {
  entry @gemm(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %po: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_p = assume div_by<16>, %pa : tile<ptr<f16>>
    %a_n = assume div_by<16>, %k : tile<i32>
    %a_s = assume div_by<16>, %k : tile<i32>
    %a_t = make_tensor_view %a_p, shape = [%m, %a_n], strides = [%a_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %a = make_partition_view %a_t : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %b_p = assume div_by<16>, %pb : tile<ptr<f16>>
    %b_n = assume div_by<16>, %n : tile<i32>
    %b_s = assume div_by<16>, %n : tile<i32>
    %b_t = make_tensor_view %b_p, shape = [%k, %b_n], strides = [%b_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %b = make_partition_view %b_t : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %o_p = assume div_by<16>, %po : tile<ptr<f32>>
    %o_n = assume div_by<16>, %n : tile<i32>
    %o_s = assume div_by<16>, %n : tile<i32>
    %o_t = make_tensor_view %o_p, shape = [%m, %o_n], strides = [%o_s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %o = make_partition_view %o_t : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
%c6 = constant <i32: 6> : tile<i32>
    %ks:2 = get_index_space_shape %a : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>> -> tile<i32>
    %z = constant <f32: 0.0> : tile<128x128xf32>
    %c = for %kk in (%c0 to %ks#1, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<128x128xf32>) {
      %x, %t0 = load_view_tko weak %a[%bx, %kk] : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %y, %t1 = load_view_tko weak %b[%kk, %by] : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
      %s1 = mmaf %x, %y, %s : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %s1 : tile<128x128xf32>
    }
    %t2 = store_view_tko weak %c, %o[%bx, %by] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
