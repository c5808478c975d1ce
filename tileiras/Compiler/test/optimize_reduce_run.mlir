// tileas-optimize-reduce, executed: mean and mean of squares of a row of eight warps in one trip through shared memory, and
// the largest element and the number of marks of long rows, reduced behind the loop.
// RUN: tileiras %s --gpu-name=sm_80 --emit=tileas -o - | FileCheck %s
// RUN: tileiras-run %s --entry=moments --gpu-name=sm_80 --engine=reference,emulator --check-races --schedules=4 --grid=3 --tolerance=rel:1e-5 'x:f32[3x2048]=normal(seed=3)' 'out:s:f32[3]=poison' 'out:q:f32[3]=poison'
// RUN: tileiras-run %s --entry=moments --gpu-name=sm_120 --engine=reference,emulator --check-races --schedules=4 --grid=3 --tolerance=rel:1e-5 'x:f32[3x2048]=normal(seed=3)' 'out:s:f32[3]=poison' 'out:q:f32[3]=poison'
// RUN: tileiras-run %s --entry=scores --gpu-name=sm_80 --engine=reference,emulator --check-races --schedules=4 --grid=2 'x:i32[2x4096]=random(seed=5,lo=-900,hi=-3)' 'out:m:i32[2]=poison' 'out:c:i32[2]=poison' 'i32=4'
// RUN: tileiras-run %s --entry=scores --gpu-name=sm_90 --engine=reference,emulator --check-races --schedules=4 --grid=2 'x:i32[2x4096]=random(seed=5,lo=-900,hi=-3)' 'out:m:i32[2]=poison' 'out:c:i32[2]=poison' 'i32=4'
// No iteration: what was there before the loop.
// RUN: tileiras-run %s --entry=scores --gpu-name=sm_80 --engine=reference,emulator --check-races --grid=2 'x:i32[2x4096]=random(seed=5,lo=-900,hi=-3)' 'out:m:i32[2]=poison' 'out:c:i32[2]=poison' 'i32=0'

cuda_tile.module @kernels {
  // CHECK-LABEL: nv_tileaa.func @moments
  // CHECK: nv_tileas.reduce %{{.*}}, %{{.*}} scratch
  // CHECK-NOT: nv_tileas.reduce
  // CHECK-LABEL: nv_tileaa.func @scores
  entry @moments(%px: tile<ptr<f32>>, %ps: tile<ptr<f32>>, %pq: tile<ptr<f32>>) {
    %row, %y, %z = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %pd = assume div_by<16>, %px : tile<ptr<f32>>
    %t = make_tensor_view %pd, shape = [3, 2048], strides = [2048, 1] : tensor_view<3x2048xf32, strides=[2048,1]>
    %v = make_partition_view %t : partition_view<tile=(1x2048), tensor_view<3x2048xf32, strides=[2048,1]>>
    %x, %tok = load_view_tko weak %v[%row, %c0] : partition_view<tile=(1x2048), tensor_view<3x2048xf32, strides=[2048,1]>>, tile<i32> -> tile<1x2048xf32>, token
    %s = reduce %x dim=1 identities=[0.0 : f32] : tile<1x2048xf32> -> tile<1xf32>
    (%a: tile<f32>, %b: tile<f32>) {
      %u = addf %a, %b : tile<f32>
      yield %u : tile<f32>
    }
    %xx = mulf %x, %x : tile<1x2048xf32>
    %q = reduce %xx dim=1 identities=[0.0 : f32] : tile<1x2048xf32> -> tile<1xf32>
    (%a: tile<f32>, %b: tile<f32>) {
      %u = addf %a, %b : tile<f32>
      yield %u : tile<f32>
    }
    %ts = make_tensor_view %ps, shape = [3], strides = [1] : tensor_view<3xf32, strides=[1]>
    %vs = make_partition_view %ts : partition_view<tile=(1), tensor_view<3xf32, strides=[1]>>
    %t1 = store_view_tko weak %s, %vs[%row] : tile<1xf32>, partition_view<tile=(1), tensor_view<3xf32, strides=[1]>>, tile<i32> -> token
    %tq = make_tensor_view %pq, shape = [3], strides = [1] : tensor_view<3xf32, strides=[1]>
    %vq = make_partition_view %tq : partition_view<tile=(1), tensor_view<3xf32, strides=[1]>>
    %t2 = store_view_tko weak %q, %vq[%row] : tile<1xf32>, partition_view<tile=(1), tensor_view<3xf32, strides=[1]>>, tile<i32> -> token
    return
  }
  // CHECK: scf.for
  // CHECK-NOT: nv_tileas.reduce
  // CHECK: scf.yield
  // CHECK: nv_tileas.reduce
  entry @scores(%px: tile<ptr<i32>>, %pm: tile<ptr<i32>>, %pc: tile<ptr<i32>>, %n: tile<i32>) {
    %row, %y, %z = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %low = constant <i32: -2000> : tile<1xi32>
    %zero = constant <i32: 0> : tile<1xi32>
    %limit = constant <i32: -450> : tile<1x1024xi32>
    %pd = assume div_by<16>, %px : tile<ptr<i32>>
    %t = make_tensor_view %pd, shape = [2, 4096], strides = [4096, 1] : tensor_view<2x4096xi32, strides=[4096,1]>
    %v = make_partition_view %t : partition_view<tile=(1x1024), tensor_view<2x4096xi32, strides=[4096,1]>>
    %most, %count = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%m = %low, %c = %zero) -> (tile<1xi32>, tile<1xi32>) {
      %x, %tok = load_view_tko weak %v[%row, %i] : partition_view<tile=(1x1024), tensor_view<2x4096xi32, strides=[4096,1]>>, tile<i32> -> tile<1x1024xi32>, token
      %s = reduce %x dim=1 identities=[-2147483648 : i32] : tile<1x1024xi32> -> tile<1xi32>
      (%a: tile<i32>, %b: tile<i32>) {
        %u = maxi %a, %b signed : tile<i32>
        yield %u : tile<i32>
      }
      %m1 = maxi %m, %s signed : tile<1xi32>
      %in = cmpi greater_than %x, %limit, signed : tile<1x1024xi32> -> tile<1x1024xi1>
      %ones = exti %in unsigned : tile<1x1024xi1> -> tile<1x1024xi32>
      %k = reduce %ones dim=1 identities=[0 : i32] : tile<1x1024xi32> -> tile<1xi32>
      (%a: tile<i32>, %b: tile<i32>) {
        %u = addi %a, %b : tile<i32>
        yield %u : tile<i32>
      }
      %c2 = addi %c, %k : tile<1xi32>
      continue %m1, %c2 : tile<1xi32>, tile<1xi32>
    }
    %tm = make_tensor_view %pm, shape = [2], strides = [1] : tensor_view<2xi32, strides=[1]>
    %vm = make_partition_view %tm : partition_view<tile=(1), tensor_view<2xi32, strides=[1]>>
    %t1 = store_view_tko weak %most, %vm[%row] : tile<1xi32>, partition_view<tile=(1), tensor_view<2xi32, strides=[1]>>, tile<i32> -> token
    %tc = make_tensor_view %pc, shape = [2], strides = [1] : tensor_view<2xi32, strides=[1]>
    %vc = make_partition_view %tc : partition_view<tile=(1), tensor_view<2xi32, strides=[1]>>
    %t2 = store_view_tko weak %count, %vc[%row] : tile<1xi32>, partition_view<tile=(1), tensor_view<2xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
