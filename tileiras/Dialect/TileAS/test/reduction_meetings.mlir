// Two reductions in a loop, each across four warps: their scratch tiles lie apart, so that all threads meet twice in a round, when the parts of
// each have been written. Behind that meeting nobody reads what the other reduction writes.
// RUN: tileiras %s --gpu-name=sm_80 --emit=ptx -o %t.ptx --pipeline-options=num-warps=4 && FileCheck %s --input-file=%t.ptx
// CHECK-COUNT-2: bar.sync
// CHECK-NOT: bar.sync
// RUN: tileiras-run %s --grid=4 --gpu-name=sm_80 --pipeline-options=num-warps=4 --check --schedules=4 'x:f32[4x5000]=random(seed=1,lo=-3,hi=3)' 'out:o:f32[4]{tol=rel:1e-4}=poison' i32=5000
// RUN: awk '/bar\.sync/ && ++n == 1 {next} 1' %t.ptx > %t.1.ptx && not tileiras-run %t.1.ptx --grid=4 --check-races --schedules=4 'x:f32[4x5000]=random(seed=1,lo=-3,hi=3)' 'out:o:f32[4]=poison' i32=5000 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: awk '/bar\.sync/ && ++n == 2 {next} 1' %t.ptx > %t.2.ptx && not tileiras-run %t.2.ptx --grid=4 --check-races --schedules=4 'x:f32[4x5000]=random(seed=1,lo=-3,hi=3)' 'out:o:f32[4]=poison' i32=5000 2>&1 | FileCheck %s --check-prefix=FAULT
// Side by side in the same bytes, as they would be if those who read them had not met: reported.
// RUN: sed 's/global_smem+16/global_smem/; s/\(st.shared.b32.*\)+16\]/\1]/' %t.ptx > %t.one.ptx && not tileiras-run %t.one.ptx --grid=4 --check-races --schedules=4 'x:f32[4x5000]=random(seed=1,lo=-3,hi=3)' 'out:o:f32[4]=poison' i32=5000 2>&1 | FileCheck %s --check-prefix=FAULT
// FAULT: error: [race]

cuda_tile.module @kernels {
  entry @rows(%x: tile<ptr<f32>>, %o: tile<ptr<f32>>, %n: tile<i32>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %xv = make_tensor_view %x, shape = [4, %n], strides = [%n, 1] : tile<i32> -> tensor_view<4x?xf32, strides=[?,1]>
    %xp = make_partition_view %xv : partition_view<tile=(1x1024), padding_value = zero, tensor_view<4x?xf32, strides=[?,1]>>
    %ov = make_tensor_view %o, shape = [4, 1], strides = [1, 1] : tensor_view<4x1xf32, strides=[1,1]>
    %op = make_partition_view %ov : partition_view<tile=(1x1), tensor_view<4x1xf32, strides=[1,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %k:2 = get_index_space_shape %xp : partition_view<tile=(1x1024), padding_value = zero, tensor_view<4x?xf32, strides=[?,1]>> -> tile<i32>
    %low = constant <f32: -1.0e30> : tile<1xf32>
    %zero = constant <f32: 0.0> : tile<1xf32>
    %m, %s = for %i in (%c0 to %k#1, step %c1) : tile<i32> iter_values(%m0 = %low, %s0 = %zero) -> (tile<1xf32>, tile<1xf32>) {
      %t, %t0 = load_view_tko weak %xp[%b, %i] : partition_view<tile=(1x1024), padding_value = zero, tensor_view<4x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x1024xf32>, token
      %r = reduce %t dim=1 identities=[0xFF800000 : f32] : tile<1x1024xf32> -> tile<1xf32> (%p: tile<f32>, %q: tile<f32>) {
        %u = maxf %p, %q : tile<f32>
        yield %u : tile<f32>
      }
      %m1 = maxf %m0, %r : tile<1xf32>
      %m2 = reshape %m1 : tile<1xf32> -> tile<1x1xf32>
      %m3 = broadcast %m2 : tile<1x1xf32> -> tile<1x1024xf32>
      %d = subf %t, %m3 : tile<1x1024xf32>
      %e = exp2 %d : tile<1x1024xf32>
      %w = reduce %e dim=1 identities=[0.0 : f32] : tile<1x1024xf32> -> tile<1xf32> (%p: tile<f32>, %q: tile<f32>) {
        %u = addf %p, %q : tile<f32>
        yield %u : tile<f32>
      }
      %f = subf %m0, %m1 : tile<1xf32>
      %g = exp2 %f : tile<1xf32>
      %h = fma %s0, %g, %w : tile<1xf32>
      continue %m1, %h : tile<1xf32>, tile<1xf32>
    }
    %y = reshape %s : tile<1xf32> -> tile<1x1xf32>
    %t1 = store_view_tko weak %y, %op[%b, %c0] : tile<1x1xf32>, partition_view<tile=(1x1), tensor_view<4x1xf32, strides=[1,1]>>, tile<i32> -> token
    return
  }
}
