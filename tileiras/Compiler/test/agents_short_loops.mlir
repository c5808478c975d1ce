// Tensor maps take time before the first copy. Where an agent fills the ring and the number of rounds is known at run time only, it looks for
// them if there are enough (7 of 32 KiB); where it is known that there are too few, one agent does everything.
// RUN: tileiras %s --gpu-name=sm_90 --num-warps=8 --emit=tileas --pipeline-options=persistent-blocks=never | FileCheck %s
// In a loop over tile blocks a second one is enough, too.
// RUN: tileiras %s --gpu-name=sm_90 --num-warps=8 --emit=tileas | FileCheck %s --check-prefix=BLOCKS
// RUN: sed 's/to %%ks#1/to %%c6/' %s | tileiras - --gpu-name=sm_90 --num-warps=8 --emit=tileas --remarks=schedule 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: sed 's/to %%ks#1/to %%c16/' %s | tileiras - --gpu-name=sm_90 --num-warps=8 --emit=tileas --pipeline-options=persistent-blocks=never | FileCheck %s --check-prefix=MANY
// Both ways are executed, with the race checker on.
// RUN: tileiras-run %s --gpu-name=sm_90 --engine=reference,emulator --check --stats --async=random --schedules=3 --tolerance=rel:1e-3,abs:1e-2 \
// RUN:   --pipeline-options=num-warps=8 --grid=1,1 'a:f16[128x384]=normal(seed=1)' 'b:f16[384x128]=normal(seed=2)' 'out:o:f32[128x128]=poison' i32=128 i32=128 i32=384 \
// RUN:   | FileCheck %s --check-prefix=SHORT
// RUN: tileiras-run %s --gpu-name=sm_90 --engine=reference,emulator --check --stats --async=random --schedules=3 --tolerance=rel:1e-3,abs:1e-2 \
// RUN:   --pipeline-options=num-warps=8 --grid=1,1 'a:f16[128x448]=normal(seed=1)' 'b:f16[448x128]=normal(seed=2)' 'out:o:f32[128x128]=poison' i32=128 i32=128 i32=448 \
// RUN:   | FileCheck %s --check-prefix=LONG

// CHECK: agent_switch
// CHECK: %[[MORE:.*]] = arith.cmpi sgt, %{{.*}}, %c6{{.*}} : i32
// CHECK: make_tiled_tma_desc %{{.*}} if %[[MORE]] {
// CHECK: make_tiled_tma_desc %{{.*}} if %[[MORE]] {
// BLOCKS: agent_switch
// BLOCKS: %[[MORE:.*]] = arith.cmpi sgt, %{{.*}}, %c6{{.*}} : i32
// BLOCKS: %[[SECOND:.*]] = arith.cmpi slt, %{{.*}} : i32
// BLOCKS: %[[ENOUGH:.*]] = arith.ori %[[MORE]], %[[SECOND]]
// BLOCKS: make_tiled_tma_desc %{{.*}} if %[[ENOUGH]] {
// BLOCKS: make_tiled_tma_desc %{{.*}} if %[[ENOUGH]] {
// BLOCKS: nv_tileas.persistent
// FEW: [Missed] Agents {{.*}}the loops have too few rounds to gain from tensor maps
// FEW-NOT: agent_switch
// FEW-NOT: make_tiled_tma_desc
// MANY: agent_switch
// MANY: make_tiled_tma_desc %{{[0-9a-z_]+}} {
// SHORT: matrix multiply-adds {{ *}}6291456
// SHORT-NOT: TMA load bytes
// LONG: TMA load bytes {{ *}}229376
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
%c16 = constant <i32: 16> : tile<i32>
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
