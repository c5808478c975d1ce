// The left factor is summed up, too, so the agent that computes loads it itself, and waits for it: left to itself the compiler does
// not divide such a loop, and divides it where that is asked for.
// RUN: tileiras %s --gpu-name=sm_90 --num-warps=8 --emit=tileas --remarks=schedule 2>&1 | FileCheck %s --check-prefix=AUTO
// RUN: tileiras %s --gpu-name=sm_90 --num-warps=8 --emit=tileas --pipeline-options=pipeline-strategy=warp-specialize | FileCheck %s
// RUN: tileiras-run %s --gpu-name=sm_90 --engine=reference,emulator --check --async=random --schedules=3 --tolerance=rel:1e-3,abs:1e-2 \
// RUN:   "--pipeline-options=pipeline-strategy=warp-specialize num-warps=8" --grid=2,2,1 'a:f16[192x256]=normal(seed=1)' \
// RUN:   'b:f16[256x192]=normal(seed=2)' 'out:o:f32[192x192]=poison' i32=192 i32=192 i32=256
// AUTO: remark: [Missed] Agents {{.*}}the one that computes would load tiles itself
// AUTO-NOT: agent_switch
// CHECK: agent_switch
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
    %ks:2 = get_index_space_shape %a : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>> -> tile<i32>
    %z = constant <f32: 0.0> : tile<128x128xf32>
    %zn = constant <f32: 0.0> : tile<128xf32>
    %c:2 = for %kk in (%c0 to %ks#1, step %c1) : tile<i32> iter_values(%s = %z, %n0 = %zn) -> (tile<128x128xf32>, tile<128xf32>) {
      %x, %t0 = load_view_tko weak %a[%bx, %kk] : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %y, %t1 = load_view_tko weak %b[%kk, %by] : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
      %s1 = mmaf %x, %y, %s : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      %xf = ftof %x : tile<128x64xf16> -> tile<128x64xf32>
      %r = reduce %xf dim=1 identities=[0.0 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%u: tile<f32>, %v: tile<f32>) {
        %q = addf %u, %v : tile<f32>
        yield %q : tile<f32>
      }
      %n1 = addf %n0, %r : tile<128xf32>
      continue %s1, %n1 : tile<128x128xf32>, tile<128xf32>
    }
    %nr = reshape %c#1 : tile<128xf32> -> tile<128x1xf32>
    %nb = broadcast %nr : tile<128x1xf32> -> tile<128x128xf32>
    %cc = addf %c#0, %nb : tile<128x128xf32>
    %t2 = store_view_tko weak %cc, %o[%bx, %by] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
