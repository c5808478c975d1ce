// A load in a branch whose place another load of the branch says: both stay.
// RUN: tileiras %s --gpu-name=sm_80 --emit=ptx -o %t.ptx --remarks=pipeline 2>&1 | FileCheck %s
// CHECK: [Missed] Prefetch {{.*}}Loads=3{{.*}}others in the loop come after them
!aT = !cuda_tile.tensor_view<?x32xf16, strides=[32,1]>
!aP = !cuda_tile.partition_view<tile=(32x32), padding_value = zero, !aT>
!oT = !cuda_tile.tensor_view<?x32xf32, strides=[32,1]>
!oP = !cuda_tile.partition_view<tile=(32x32), !oT>
cuda_tile.module @kernels {
  entry @k(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %s: tile<ptr<i32>>, %o: tile<ptr<f32>>, %len: tile<i32>, %lo: tile<i32>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c5 = constant <i32: 5> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %aa = assume div_by<16>, %a : tile<ptr<f16>>
    %ba = assume div_by<16>, %b : tile<ptr<f16>>
    %ta = make_tensor_view %aa, shape = [%len, 32], strides = [32, 1] : tile<i32> -> !aT
    %tb = make_tensor_view %ba, shape = [%len, 32], strides = [32, 1] : tile<i32> -> !aT
    %to = make_tensor_view %o, shape = [%len, 32], strides = [32, 1] : tile<i32> -> !oT
    %va = make_partition_view %ta : !aP
    %vb = make_partition_view %tb : !aP
    %vo = make_partition_view %to : !oP
    %zo = constant <f32: 0.0> : tile<32x32xf32>
    %t0 = make_token : token
    for %i in (%lo to %n, step %c1) : tile<i32> {
      %p = offset %s, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %place, %tk = for %g in (%c0 to %c2, step %c1) : tile<i32> iter_values(%pp = %c0, %tt = %t0) -> (tile<i32>, token) {
        %x, %xt = load_ptr_tko weak %p token=%tt : tile<ptr<i32>> -> tile<i32>, token
        %m = maxi %pp, %x signed : tile<i32>
        continue %m, %xt : tile<i32>, token
      }
      %found = cmpi less_than %place, %c5, signed : tile<i32> -> tile<i1>
      if %found {
        %y, %yt = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
        %at, %t1 = load_view_tko weak %va[%y, %c0] : !aP, tile<i32> -> tile<32x32xf16>, token
        %bt, %t2 = load_view_tko weak %vb[%place, %c0] : !aP, tile<i32> -> tile<32x32xf16>, token
        %d = mmaf %at, %bt, %zo : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
        %st = store_view_tko weak %d, %vo[%i, %c0] : tile<32x32xf32>, !oP, tile<i32> -> token
        
        yield
      }
      continue
    }
    return
  }
}
