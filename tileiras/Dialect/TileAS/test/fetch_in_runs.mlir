// A right factor of 32-bit numbers with n first, of four warps: rows come past the registers as they lie in memory, and are fetched number by number in less time than threads take to put them in order.
// RUN: tileiras %s --gpu-name=sm_80 --static-shared=device --pipeline-options='num-warps=4 unspecialized-pipeline-num-stages=2' --emit=ptx -o %t.ptx --remarks=product 2>&1 | FileCheck %s --check-prefix=WHY
// WHY: [Missed] Fetch {{.*}}Atom=ld, Operand=b, Reason="numbers are fetched one by one in less time than it takes to put them in order"
// RUN: FileCheck %s --input-file=%t.ptx --implicit-check-not='st.shared.v2' --implicit-check-not='ld.global'
// CHECK: cp.async.cg.shared.global
// CHECK: ld.shared.b32
// CHECK: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// Unaligned rows come through registers, whose threads put them in order.
// RUN: sed 's/assume div_by<16>, %n/assume div_by<1>, %n/' %s | tileiras - --gpu-name=sm_80 --static-shared=device --pipeline-options='num-warps=4 unspecialized-pipeline-num-stages=2' --emit=ptx -o - | FileCheck %s --check-prefix=THREADS
// THREADS: st.shared
// RUN: tileiras-run %s --gpu-name=sm_80 --static-shared=device --pipeline-options='num-warps=4 unspecialized-pipeline-num-stages=2' --check --check-races --schedules=3 --grid=2,2 'pa:tf32[136x80]=random(seed=1,lo=-1,hi=1)' 'pb:tf32[80x160]=random(seed=2,lo=-1,hi=1)' 'out:po:f32[136x160]{tol=rel:2e-3/abs:1e-3}=poison' i32=136 i32=160 i32=80
// RUN: tileiras-run %s --gpu-name=sm_120 --static-shared=device --pipeline-options='num-warps=4 unspecialized-pipeline-num-stages=1' --check --check-races --schedules=3 --grid=2,2 'pa:tf32[130x48]=random(seed=1,lo=-1,hi=1)' 'pb:tf32[48x144]=random(seed=2,lo=-1,hi=1)' 'out:po:f32[130x144]{tol=rel:2e-3/abs:1e-3}=poison' i32=130 i32=144 i32=48
// Sums on their way to memory have no more of shared memory than the loop without a ring has had.
// RUN: tileiras %s --gpu-name=sm_120 --static-shared=device --pipeline-options='num-warps=4 unspecialized-pipeline-num-stages=1' --emit=ptx -o - | FileCheck %s --check-prefix=ROOM
// ROOM: .b8 global_smem[32768];

cuda_tile.module @kernels {
  entry @gemm(%pa: tile<ptr<tf32>>, %pb: tile<ptr<tf32>>, %po: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_p = assume div_by<16>, %pa : tile<ptr<tf32>>
    %a_n = assume div_by<16>, %k : tile<i32>
    %a_s = assume div_by<16>, %k : tile<i32>
    %a_t = make_tensor_view %a_p, shape = [%m, %a_n], strides = [%a_s, 1] : tile<i32> -> tensor_view<?x?xtf32, strides=[?,1]>
    %a = make_partition_view %a_t : partition_view<tile=(128x32), padding_value = zero, tensor_view<?x?xtf32, strides=[?,1]>>
    %b_p = assume div_by<16>, %pb : tile<ptr<tf32>>
    %b_n = assume div_by<16>, %n : tile<i32>
    %b_s = assume div_by<16>, %n : tile<i32>
    %b_t = make_tensor_view %b_p, shape = [%k, %b_n], strides = [%b_s, 1] : tile<i32> -> tensor_view<?x?xtf32, strides=[?,1]>
    %b = make_partition_view %b_t : partition_view<tile=(32x128), padding_value = zero, tensor_view<?x?xtf32, strides=[?,1]>>
    %o_p = assume div_by<16>, %po : tile<ptr<f32>>
    %o_n = assume div_by<16>, %n : tile<i32>
    %o_s = assume div_by<16>, %n : tile<i32>
    %o_t = make_tensor_view %o_p, shape = [%m, %o_n], strides = [%o_s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %o = make_partition_view %o_t : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %ks:2 = get_index_space_shape %a : partition_view<tile=(128x32), padding_value = zero, tensor_view<?x?xtf32, strides=[?,1]>> -> tile<i32>
    %z = constant <f32: 0.0> : tile<128x128xf32>
    %c = for %kk in (%c0 to %ks#1, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<128x128xf32>) {
      %x, %t0 = load_view_tko weak %a[%bx, %kk] : partition_view<tile=(128x32), padding_value = zero, tensor_view<?x?xtf32, strides=[?,1]>>, tile<i32> -> tile<128x32xtf32>, token
      %y, %t1 = load_view_tko weak %b[%kk, %by] : partition_view<tile=(32x128), padding_value = zero, tensor_view<?x?xtf32, strides=[?,1]>>, tile<i32> -> tile<32x128xtf32>, token
      %s1 = mmaf %x, %y, %s : tile<128x32xtf32>, tile<32x128xtf32>, tile<128x128xf32>
      continue %s1 : tile<128x128xf32>
    }
    %t2 = store_view_tko weak %c, %o[%bx, %by] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
