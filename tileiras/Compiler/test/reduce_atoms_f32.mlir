// The largest and smallest f32 of a warp are one redux.sync where the target has it, with and without NaN, and two f32 are added and multiplied at a
// time (PackedFloat.h); executed on rows with NaN among them, compared with the reference.
// RUN: tileiras-run %s --engine=reference 'x:f32[8x512]=random(seed=5)' 'out:y:f32[4x8]=poison' 'out:z:f32[8x512]=poison' --dump=y=%t.y.npy --dump=z=%t.z.npy
// RUN: tileiras-run %s --gpu-name=sm_100 --check-races --schedules=3 --tolerance=ulp:4 'x:f32[8x512]=random(seed=5)' 'out:y:f32[4x8]{expect=%t.y.npy}=poison' 'out:z:f32[8x512]{expect=%t.z.npy}=poison'
// RUN: tileiras-run %s --gpu-name=sm_120 --check-races --schedules=3 --tolerance=ulp:4 'x:f32[8x512]=random(seed=5)' 'out:y:f32[4x8]{expect=%t.y.npy}=poison' 'out:z:f32[8x512]{expect=%t.z.npy}=poison'
// RUN: tileiras %s --gpu-name=sm_100 --emit=ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// CHECK-DAG: redux.sync.max.f32
// CHECK-DAG: redux.sync.min.f32
// CHECK-DAG: redux.sync.max.NaN.f32
// CHECK-DAG: redux.sync.min.NaN.f32
// CHECK-DAG: mul.rn.f32x2
// CHECK-DAG: add.rn.f32x2
// RUN: tileiras %s --gpu-name=sm_120 --emit=ptx | FileCheck %s --check-prefix=APART --implicit-check-not=redux.sync --implicit-check-not=f32x2
// APART: shfl.sync.bfly

// The other one of two is noticed, and so is one that lets no NaN through.
// RUN: sed 's/redux.sync.max.f32/redux.sync.min.f32/' %t.ptx > %t.wrong.ptx
// RUN: not tileiras-run %t.wrong.ptx --tolerance=ulp:4 'x:f32[8x512]=random(seed=5)' 'out:y:f32[4x8]{expect=%t.y.npy}=poison' 'out:z:f32[8x512]{expect=%t.z.npy}=poison'
// RUN: sed 's/redux.sync.max.NaN.f32/redux.sync.max.f32/' %t.ptx > %t.numbers.ptx
// RUN: not tileiras-run %t.numbers.ptx --tolerance=ulp:4 'x:f32[8x512]=random(seed=5)' 'out:y:f32[4x8]{expect=%t.y.npy}=poison' 'out:z:f32[8x512]{expect=%t.z.npy}=poison'

!x = !cuda_tile.tensor_view<8x512xf32, strides=[512,1]>
!y = !cuda_tile.tensor_view<4x8xf32, strides=[8,1]>
!t = !cuda_tile.tile<8x512xf32>
cuda_tile.module @kernels {
  entry @rows(%px: tile<ptr<f32>>, %py: tile<ptr<f32>>, %pz: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %c3 = constant <i32: 3> : tile<i32>
    %xm = make_tensor_view %px, shape = [8, 512], strides = [512, 1] : !x
    %ym = make_tensor_view %py, shape = [4, 8], strides = [8, 1] : !y
    %zm = make_tensor_view %pz, shape = [8, 512], strides = [512, 1] : !x
    %xv = make_partition_view %xm : !cuda_tile.partition_view<tile=(8x512), !x>
    %yv = make_partition_view %ym : !cuda_tile.partition_view<tile=(1x8), !y>
    %zv = make_partition_view %zm : !cuda_tile.partition_view<tile=(8x512), !x>
    %raw, %t0 = load_view_tko weak %xv[%c0, %c0] : !cuda_tile.partition_view<tile=(8x512), !x>, tile<i32> -> tile<8x512xf32>, token
    // Roots of what is negative are NaN; the last rows of the shifted tile have none.
    %row = iota : tile<8xi32>
    %shift = itof %row signed : tile<8xi32> -> tile<8xf32>
    %shift1 = reshape %shift : tile<8xf32> -> tile<8x1xf32>
    %shift2 = broadcast %shift1 : tile<8x1xf32> -> tile<8x512xf32>
    %scale = constant <f32: 0.34> : tile<8x512xf32>
    %up = mulf %shift2, %scale : tile<8x512xf32>
    %sum = addf %raw, %up : tile<8x512xf32>
    %a = sqrt %sum : tile<8x512xf32>
    %r0 = reduce %a dim=1 identities=[0xFF800000 : f32] : tile<8x512xf32> -> tile<8xf32>
    (%p: tile<f32>, %q: tile<f32>) {
      %v = maxf %p, %q : tile<f32>
      yield %v : tile<f32>
    }
    %r1 = reduce %a dim=1 identities=[0x7F800000 : f32] : tile<8x512xf32> -> tile<8xf32>
    (%p: tile<f32>, %q: tile<f32>) {
      %v = minf %p, %q : tile<f32>
      yield %v : tile<f32>
    }
    %r2 = reduce %a dim=1 identities=[0xFF800000 : f32] : tile<8x512xf32> -> tile<8xf32>
    (%p: tile<f32>, %q: tile<f32>) {
      %v = maxf %p, %q propagate_nan : tile<f32>
      yield %v : tile<f32>
    }
    %r3 = reduce %a dim=1 identities=[0x7F800000 : f32] : tile<8x512xf32> -> tile<8xf32>
    (%p: tile<f32>, %q: tile<f32>) {
      %v = minf %p, %q propagate_nan : tile<f32>
      yield %v : tile<f32>
    }
    %s0 = reshape %r0 : tile<8xf32> -> tile<1x8xf32>
    %s1 = reshape %r1 : tile<8xf32> -> tile<1x8xf32>
    %s2 = reshape %r2 : tile<8xf32> -> tile<1x8xf32>
    %s3 = reshape %r3 : tile<8xf32> -> tile<1x8xf32>
    %t1 = store_view_tko weak %s0, %yv[%c0, %c0] : tile<1x8xf32>, !cuda_tile.partition_view<tile=(1x8), !y>, tile<i32> -> token
    %t2 = store_view_tko weak %s1, %yv[%c1, %c0] : tile<1x8xf32>, !cuda_tile.partition_view<tile=(1x8), !y>, tile<i32> -> token
    %t3 = store_view_tko weak %s2, %yv[%c2, %c0] : tile<1x8xf32>, !cuda_tile.partition_view<tile=(1x8), !y>, tile<i32> -> token
    %t4 = store_view_tko weak %s3, %yv[%c3, %c0] : tile<1x8xf32>, !cuda_tile.partition_view<tile=(1x8), !y>, tile<i32> -> token
    %squares = mulf %sum, %raw : tile<8x512xf32>
    %t5 = store_view_tko weak %squares, %zv[%c0, %c0] : tile<8x512xf32>, !cuda_tile.partition_view<tile=(8x512), !x>, tile<i32> -> token
    return
  }
}
