// A kernel that goes through tiles itself, with products in tensor memory that has room for the sums of two tiles, has agents whatever stages its rings have (AgentsPay.cpp): one
// of them computes with sums and stores them while another one multiplies for the next tile. Where there is no room, one agent is as fast.
//
// RUN: tileiras %s --gpu-name=sm_100 --emit=ptx -o /dev/null --remarks=schedule 2>&1 | FileCheck %s
// CHECK-DAG: [Passed] Agents | Category:schedule | Function=next_tile |
// CHECK-DAG: [Missed] Agents | Category:schedule | Function=no_room | {{.*}}Reason="one agent is as fast: what reads the stages are not products of an asynchronous unit"
// RUN: tileiras-run %s --entry=next_tile --gpu-name=sm_100 --grid=3 --check --tolerance=rel:2e-2,abs:1e-2 'a:f16[896x576]=random(seed=1)' 'b:f16[576x128]=random(seed=2)' 'out:o:f16[896x128]=poison' i32=9

cuda_tile.module @kernels {
entry @next_tile(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %po: tile<ptr<f16>>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %pa_16 = assume div_by<16>, %pa : tile<ptr<f16>>
    %a_t = make_tensor_view %pa_16, shape = [896, 576], strides = [576, 1] : tensor_view<896x576xf16,strides=[576,1]>
    %a = make_partition_view %a_t : partition_view<tile=(128x64), padding_value = zero, tensor_view<896x576xf16,strides=[576,1]>>
    %pb_16 = assume div_by<16>, %pb : tile<ptr<f16>>
    %b_t = make_tensor_view %pb_16, shape = [576, 128], strides = [128, 1] : tensor_view<576x128xf16,strides=[128,1]>
    %b = make_partition_view %b_t : partition_view<tile=(64x128), padding_value = zero, tensor_view<576x128xf16,strides=[128,1]>>
    %o_t = make_tensor_view %po, shape = [896, 128], strides = [128, 1] : tensor_view<896x128xf16,strides=[128,1]>
    %o = make_partition_view %o_t : partition_view<tile=(128x128), tensor_view<896x128xf16,strides=[128,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %rows = constant <i32: 7> : tile<i32>
    %st = constant <i32: 3> : tile<i32>
    %z = constant <f32: 0.0> : tile<128x128xf32>
    for %r in (%bx to %rows, step %st) : tile<i32> {
      %c = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<128x128xf32>) {
        %x, %t0 = load_view_tko weak %a[%r, %i] optimization_hints = <default = {latency = 3 : i32}> : partition_view<tile=(128x64), padding_value = zero, tensor_view<896x576xf16,strides=[576,1]>>, tile<i32> -> tile<128x64xf16>, token
        %y, %t1 = load_view_tko weak %b[%i, %c0] optimization_hints = <default = {latency = 3 : i32}> : partition_view<tile=(64x128), padding_value = zero, tensor_view<576x128xf16,strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
        %s1 = mmaf %x, %y, %s : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
        continue %s1 : tile<128x128xf32>
      }
      %half = ftof %c : tile<128x128xf32> -> tile<128x128xf16>
      %ts = store_view_tko weak %half, %o[%r, %c0] : tile<128x128xf16>, partition_view<tile=(128x128), tensor_view<896x128xf16,strides=[128,1]>>, tile<i32> -> token
      continue
    }
    return
  }

entry @no_room(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %po: tile<ptr<f16>>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %pa_16 = assume div_by<16>, %pa : tile<ptr<f16>>
    %a_t = make_tensor_view %pa_16, shape = [1792, 576], strides = [576, 1] : tensor_view<1792x576xf16,strides=[576,1]>
    %a = make_partition_view %a_t : partition_view<tile=(256x64), padding_value = zero, tensor_view<1792x576xf16,strides=[576,1]>>
    %pb_16 = assume div_by<16>, %pb : tile<ptr<f16>>
    %b_t = make_tensor_view %pb_16, shape = [576, 256], strides = [256, 1] : tensor_view<576x256xf16,strides=[256,1]>
    %b = make_partition_view %b_t : partition_view<tile=(64x256), padding_value = zero, tensor_view<576x256xf16,strides=[256,1]>>
    %o_t = make_tensor_view %po, shape = [1792, 256], strides = [256, 1] : tensor_view<1792x256xf16,strides=[256,1]>
    %o = make_partition_view %o_t : partition_view<tile=(256x256), tensor_view<1792x256xf16,strides=[256,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %rows = constant <i32: 7> : tile<i32>
    %st = constant <i32: 3> : tile<i32>
    %z = constant <f32: 0.0> : tile<256x256xf32>
    for %r in (%bx to %rows, step %st) : tile<i32> {
      %c = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<256x256xf32>) {
        %x, %t0 = load_view_tko weak %a[%r, %i] optimization_hints = <default = {latency = 3 : i32}> : partition_view<tile=(256x64), padding_value = zero, tensor_view<1792x576xf16,strides=[576,1]>>, tile<i32> -> tile<256x64xf16>, token
        %y, %t1 = load_view_tko weak %b[%i, %c0] optimization_hints = <default = {latency = 3 : i32}> : partition_view<tile=(64x256), padding_value = zero, tensor_view<576x256xf16,strides=[256,1]>>, tile<i32> -> tile<64x256xf16>, token
        %s1 = mmaf %x, %y, %s : tile<256x64xf16>, tile<64x256xf16>, tile<256x256xf32>
        continue %s1 : tile<256x256xf32>
      }
      %half = ftof %c : tile<256x256xf32> -> tile<256x256xf16>
      %ts = store_view_tko weak %half, %o[%r, %c0] : tile<256x256xf16>, partition_view<tile=(256x256), tensor_view<1792x256xf16,strides=[256,1]>>, tile<i32> -> token
      continue
    }
    return
  }
}
