// Coordinates of tiles are compared with the extent in 32 bits where loops over the array's tiles say that they have no more, and the load of the round
// to come is copied where the round ends. Executed at the edges of what 31 bits hold: an array that ends inside of a tile, one of a whole number of
// tiles, an empty one.
// RUN: tileiras %s --gpu-name=sm_90 --emit=ptx | FileCheck %s --implicit-check-not=setp.lt.s64 --implicit-check-not=setp.gt.s64
// CHECK: $L__BB0_1:
// CHECK: setp.lt.u32
// CHECK: @%p{{[0-9]+}} ld.global.b32 %r[[A:[0-9]+]],
// CHECK: @%p{{[0-9]+}} ld.global.b32
// CHECK: add.rn.f32
// CHECK: mov.b32 %r{{[0-9]+}}, %r[[A]];
// CHECK: bra {{[[:space:]]*}}$L__BB0_1
// RUN: tileiras-run %s --gpu-name=sm_90 --check --check-races --schedules=2 'x:f32[1000]=random(seed=1)' 'out:y:f32[256]=poison' i32=1000
// RUN: tileiras-run %s --gpu-name=sm_90 --check --check-races --schedules=2 'x:f32[1024]=random(seed=1)' 'out:y:f32[256]=poison' i32=1024
// RUN: tileiras-run %s --gpu-name=sm_100 --check --check-races 'x:f32[12]=random(seed=1)' 'out:y:f32[256]=poison' i32=12
// RUN: tileiras-run %s --gpu-name=sm_90 --check --check-races 'x:f32[12]=random(seed=1)' 'out:y:f32[256]=poison' i32=0

!x = !cuda_tile.tensor_view<?xf32, strides=[1]>
!y = !cuda_tile.tensor_view<256xf32, strides=[1]>
cuda_tile.module @kernels {
  entry @sums(%px: tile<ptr<f32>>, %py: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<default = {num_worker_warps_per_cta = 2}> {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %pa = assume div_by<16>, %px : tile<ptr<f32>>
    %n4 = assume div_by<4>, %n : tile<i32>
    %xm = make_tensor_view %pa, shape = [%n4], strides = [1] : tile<i32> -> !x
    %ym = make_tensor_view %py, shape = [256], strides = [1] : !y
    %xv = make_partition_view %xm : !cuda_tile.partition_view<tile=(256), padding_value = zero, !x>
    %yv = make_partition_view %ym : !cuda_tile.partition_view<tile=(256), !y>
    %count = get_index_space_shape %xv : !cuda_tile.partition_view<tile=(256), padding_value = zero, !x> -> tile<i32>
    %zero = constant <f32: 0.0> : tile<256xf32>
    %sum = for %i in (%c0 to %count, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<256xf32>) {
      %v, %t = load_view_tko weak %xv[%i] : !cuda_tile.partition_view<tile=(256), padding_value = zero, !x>, tile<i32> -> tile<256xf32>, token
      %s1 = addf %s, %v : tile<256xf32>
      continue %s1 : tile<256xf32>
    }
    %t1 = store_view_tko weak %sum, %yv[%c0] : tile<256xf32>, !cuda_tile.partition_view<tile=(256), !y>, tile<i32> -> token
    return
  }
}
