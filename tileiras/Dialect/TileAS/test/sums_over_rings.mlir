// The tile of sums, 32 KiB, is larger than the ring of its loop, 24 KiB as loads ask for two stages, whose mbarriers lie behind all tiles then: beside them it would take
// 56 KiB, and a multiprocessor had room for three blocks instead of five.
// RUN: tileiras %s --gpu-name=sm_100 --emit=ptx -o %t.ptx --pipeline-options='num-warps=4' && FileCheck %s --input-file=%t.ptx
// CHECK: .b8 global_smem[32848];
// CHECK: mbarrier.init.shared.b64 [global_smem+32776]
// CHECK: st.shared.v4.b32 [%{{rd[0-9]+}}+29184]
// RUN: tileiras-run %s --gpu-name=sm_100 --pipeline-options='num-warps=4' --check --schedules=3 'pa:bf16[64x96]=random(seed=1,lo=-1,hi=1)' 'pb:bf16[96x128]=random(seed=2,lo=-1,hi=1)' 'out:po:f32[64x128]{tol=rel:1e-3/abs:1e-4}=poison' i32=64 i32=128 i32=96
// RUN: tileiras-run %s --gpu-name=sm_100 --pipeline-options='num-warps=4' --check --schedules=3 'pa:bf16[61x80]=random(seed=1,lo=-1,hi=1)' 'pb:bf16[80x112]=random(seed=2,lo=-1,hi=1)' 'out:po:f32[61x112]{tol=rel:1e-3/abs:1e-4}=poison' i32=61 i32=112 i32=80
// Where room for as many blocks is there anyway, the tile lies beside the ring, and nobody waits for the ring's readers: 32 warps.
// RUN: tileiras %s --gpu-name=sm_100 --emit=ptx -o - --pipeline-options='num-warps=32' | FileCheck %s --check-prefix=BESIDE
// BESIDE: .b8 global_smem[57{{[0-9]+}}];
// The sums are there when their products are done, and are read when all threads have written them.
// RUN: awk '/mbarrier\.try_wait/ {++n} n == 2 && !gone && /bra/ {gone = 1; next} 1' %t.ptx > %t.wait.ptx
// RUN: not tileiras-run %t.wait.ptx --check-races --schedules=2 'pa:bf16[64x96]=random(seed=1,lo=-1,hi=1)' 'pb:bf16[96x128]=random(seed=2,lo=-1,hi=1)' 'out:po:f32[64x128]=poison' i32=64 i32=128 i32=96 2>&1 | FileCheck %s --check-prefix=WAIT
// WAIT: tcgen05
// RUN: awk '/bar\.sync/ && ++n == 5 {next} 1' %t.ptx > %t.5.ptx
// RUN: not tileiras-run %t.5.ptx --check-races --schedules=2 'pa:bf16[64x96]=random(seed=1,lo=-1,hi=1)' 'pb:bf16[96x128]=random(seed=2,lo=-1,hi=1)' 'out:po:f32[64x128]=poison' i32=64 i32=128 i32=96 2>&1 | FileCheck %s --check-prefix=FAULT
// FAULT: {{race|uninitialized}}

cuda_tile.module @kernels {
  entry @gemm(%pa: tile<ptr<bf16>>, %pb: tile<ptr<bf16>>, %po: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_p = assume div_by<16>, %pa : tile<ptr<bf16>>
    %a_n = assume div_by<16>, %k : tile<i32>
    %a_s = assume div_by<16>, %k : tile<i32>
    %a_t = make_tensor_view %a_p, shape = [%m, %a_n], strides = [%a_s, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %a = make_partition_view %a_t : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %b_p = assume div_by<16>, %pb : tile<ptr<bf16>>
    %b_n = assume div_by<16>, %n : tile<i32>
    %b_s = assume div_by<16>, %n : tile<i32>
    %b_t = make_tensor_view %b_p, shape = [%k, %b_n], strides = [%b_s, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %b = make_partition_view %b_t : partition_view<tile=(32x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %o_p = assume div_by<16>, %po : tile<ptr<f32>>
    %o_n = assume div_by<16>, %n : tile<i32>
    %o_s = assume div_by<16>, %n : tile<i32>
    %o_t = make_tensor_view %o_p, shape = [%m, %o_n], strides = [%o_s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %o = make_partition_view %o_t : partition_view<tile=(64x128), tensor_view<?x?xf32, strides=[?,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %ks:2 = get_index_space_shape %a : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>> -> tile<i32>
    %z = constant <f32: 0.0> : tile<64x128xf32>
    %c = for %kk in (%c0 to %ks#1, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<64x128xf32>) {
      %x, %t0 = load_view_tko weak %a[%bx, %kk] optimization_hints = <default = {latency = 2}> : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x32xbf16>, token
      %y, %t1 = load_view_tko weak %b[%kk, %by] optimization_hints = <default = {latency = 2}> : partition_view<tile=(32x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<32x128xbf16>, token
      %s1 = mmaf %x, %y, %s : tile<64x32xbf16>, tile<32x128xbf16>, tile<64x128xf32>
      continue %s1 : tile<64x128xf32>
    }
    %t2 = store_view_tko weak %c, %o[%bx, %by] : tile<64x128xf32>, partition_view<tile=(64x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
