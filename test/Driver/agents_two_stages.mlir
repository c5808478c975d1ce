// Products in tensor memory that read a ring of two stages have agents (AgentsPay.cpp): the one that copies begins with a stage when its products are done. With four
// stages one agent is as fast.
//
// RUN: tileiras %s --gpu-name=sm_100 --emit=ptx -o /dev/null --remarks=schedule 2>&1 | FileCheck %s
// CHECK-DAG: [Passed] Agents | Category:schedule | Function=two_stages |
// CHECK-DAG: [Missed] Agents | Category:schedule | Function=four_stages | {{.*}}Reason="one agent is as fast: what reads the stages are not products of an asynchronous unit"
// RUN: tileiras-run %s --entry=two_stages --gpu-name=sm_100 --grid=4,2 --check --tolerance=rel:1e-2,abs:1e-2 'a:bf16[500x496]=random(seed=1)' 'b:bf16[496x496]=random(seed=2)' 'out:c:bf16[500x496]=poison' i32=500 i32=496 i32=496

cuda_tile.module @kernels {
  entry @two_stages(%pa: tile<ptr<bf16>>, %pb: tile<ptr<bf16>>, %po: tile<ptr<bf16>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_p = assume div_by<16>, %pa : tile<ptr<bf16>>
    %a_n = assume div_by<16>, %k : tile<i32>
    %a_s = assume div_by<16>, %k : tile<i32>
    %a_t = make_tensor_view %a_p, shape = [%m, %a_n], strides = [%a_s, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %a = make_partition_view %a_t : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %b_p = assume div_by<16>, %pb : tile<ptr<bf16>>
    %b_n = assume div_by<16>, %n : tile<i32>
    %b_s = assume div_by<16>, %n : tile<i32>
    %b_t = make_tensor_view %b_p, shape = [%k, %b_n], strides = [%b_s, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %b = make_partition_view %b_t : partition_view<tile=(128x256), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %o_p = assume div_by<16>, %po : tile<ptr<bf16>>
    %o_n = assume div_by<16>, %n : tile<i32>
    %o_s = assume div_by<16>, %n : tile<i32>
    %o_t = make_tensor_view %o_p, shape = [%m, %o_n], strides = [%o_s, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %o = make_partition_view %o_t : partition_view<tile=(128x256), tensor_view<?x?xbf16, strides=[?,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %ks:2 = get_index_space_shape %a : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>> -> tile<i32>
    %z = constant <f32: 0.0> : tile<128x256xf32>
    %c = for %kk in (%c0 to %ks#1, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<128x256xf32>) {
      %x, %t0 = load_view_tko weak %a[%bx, %kk] : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x128xbf16>, token
      %y, %t1 = load_view_tko weak %b[%kk, %by] : partition_view<tile=(128x256), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x256xbf16>, token
      %s1 = mmaf %x, %y, %s : tile<128x128xbf16>, tile<128x256xbf16>, tile<128x256xf32>
      continue %s1 : tile<128x256xf32>
    }
%half = ftof %c : tile<128x256xf32> -> tile<128x256xbf16>
    %t2 = store_view_tko weak %half, %o[%bx, %by] : tile<128x256xbf16>, partition_view<tile=(128x256), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
entry @four_stages(%pa: tile<ptr<bf16>>, %pb: tile<ptr<bf16>>, %po: tile<ptr<bf16>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
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
    %b = make_partition_view %b_t : partition_view<tile=(64x256), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %o_p = assume div_by<16>, %po : tile<ptr<bf16>>
    %o_n = assume div_by<16>, %n : tile<i32>
    %o_s = assume div_by<16>, %n : tile<i32>
    %o_t = make_tensor_view %o_p, shape = [%m, %o_n], strides = [%o_s, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %o = make_partition_view %o_t : partition_view<tile=(128x256), tensor_view<?x?xbf16, strides=[?,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %ks:2 = get_index_space_shape %a : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>> -> tile<i32>
    %z = constant <f32: 0.0> : tile<128x256xf32>
    %c = for %kk in (%c0 to %ks#1, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<128x256xf32>) {
      %x, %t0 = load_view_tko weak %a[%bx, %kk] : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %y, %t1 = load_view_tko weak %b[%kk, %by] : partition_view<tile=(64x256), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x256xbf16>, token
      %s1 = mmaf %x, %y, %s : tile<128x64xbf16>, tile<64x256xbf16>, tile<128x256xf32>
      continue %s1 : tile<128x256xf32>
    }
%half = ftof %c : tile<128x256xf32> -> tile<128x256xbf16>
    %t2 = store_view_tko weak %half, %o[%bx, %by] : tile<128x256xbf16>, partition_view<tile=(128x256), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
