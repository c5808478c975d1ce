// The second loop of attention stands in a further one, and begins anew with the sums of the first one each time: it may not go on in the tile of tensor memory
// that has them (tileas-place-sums), as the first time would change them for the second.
// RUN: tileiras-run %s --gpu-name=sm_100 --check --tolerance=rel:5e-3,abs:1e-4 'q:f16[128x64]=random(seed=41)' 'k:f16[200x64]=random(seed=42)' 'v:f16[200x64]=random(seed=43,lo=0.5,hi=2)' 'out:o:f32[128x64]=poison' i32=128 i32=200 i32=64

cuda_tile.module @kernels {
  entry @attention(%pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %pv: tile<ptr<f16>>, %po: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %d: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %q_p = assume div_by<16>, %pq : tile<ptr<f16>>
    %q_n = assume div_by<16>, %d : tile<i32>
    %q_s = assume div_by<16>, %d : tile<i32>
    %q_t = make_tensor_view %q_p, shape = [%m, %q_n], strides = [%q_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %q = make_partition_view %q_t : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %k_p = assume div_by<16>, %pk : tile<ptr<f16>>
    %k_n = assume div_by<16>, %d : tile<i32>
    %k_s = assume div_by<16>, %d : tile<i32>
    %k_t = make_tensor_view %k_p, shape = [%n, %k_n], strides = [%k_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %k = make_partition_view %k_t : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v_p = assume div_by<16>, %pv : tile<ptr<f16>>
    %v_n = assume div_by<16>, %d : tile<i32>
    %v_s = assume div_by<16>, %d : tile<i32>
    %v_t = make_tensor_view %v_p, shape = [%n, %v_n], strides = [%v_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %v = make_partition_view %v_t : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %o_p = assume div_by<16>, %po : tile<ptr<f32>>
    %o_n = assume div_by<16>, %d : tile<i32>
    %o_s = assume div_by<16>, %d : tile<i32>
    %o_t = make_tensor_view %o_p, shape = [%m, %o_n], strides = [%o_s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %o = make_partition_view %o_t : partition_view<tile=(128x64), tensor_view<?x?xf32, strides=[?,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %x, %tx = load_view_tko weak %q[%bx, %c0] : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
    %zs = constant <f32: 0.0> : tile<128x64xf32>
    %zo = constant <f32: 0.0> : tile<128x64xf32>
    %zr = constant <f32: 0.0> : tile<128xf32>
    %low = constant <f32: -1.0e+30> : tile<128xf32>
    %lows = constant <f32: -1.0e+30> : tile<128x64xf32>
    %c = constant <f32: 0.3> : tile<128x64xf32>
    %ks:2 = get_index_space_shape %k : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>> -> tile<i32>
    %size = constant <i32: 64> : tile<i32>
    %iota = iota : tile<64xi32>
    %whole = divi %n, %size signed rounding<zero> : tile<i32>
    %acc0, %max0, %sum0 = for %i in (%c0 to %whole, step %c1) : tile<i32> iter_values(%o0 = %zo, %m0 = %low, %l0 = %zr) -> (tile<128x64xf32>, tile<128xf32>, tile<128xf32>) {
      %y, %ty = load_view_tko weak %k[%i, %c0] : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %yt = permute %y [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
      %s = mmaf %x, %yt, %zs : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      %sc = mulf %s, %c : tile<128x64xf32>
      %first = muli %i, %size : tile<i32>
      %left = subi %n, %first : tile<i32>
      %leftr = reshape %left : tile<i32> -> tile<1xi32>
      %leftb = broadcast %leftr : tile<1xi32> -> tile<64xi32>
      %in = cmpi less_than %iota, %leftb, signed : tile<64xi32> -> tile<64xi1>
      %inr = reshape %in : tile<64xi1> -> tile<1x64xi1>
      %inb = broadcast %inr : tile<1x64xi1> -> tile<128x64xi1>
      %rowmax = reduce %sc dim=1 identities=[-1.0e+30 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%e: tile<f32>, %w: tile<f32>) {
        %u = maxf %e, %w : tile<f32>
        yield %u : tile<f32>
      }
      %m1 = maxf %m0, %rowmax : tile<128xf32>
      %m1r = reshape %m1 : tile<128xf32> -> tile<128x1xf32>
      %m1b = broadcast %m1r : tile<128x1xf32> -> tile<128x64xf32>
      %dist = subf %sc, %m1b : tile<128x64xf32>
      %p = exp2 %dist : tile<128x64xf32>
      %rowsum = reduce %p dim=1 identities=[0.0 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%e: tile<f32>, %w: tile<f32>) {
        %u = addf %e, %w : tile<f32>
        yield %u : tile<f32>
      }
      %dm = subf %m0, %m1 : tile<128xf32>
      %alpha = exp2 %dm : tile<128xf32>
      %l1 = mulf %l0, %alpha : tile<128xf32>
      %l2 = addf %l1, %rowsum : tile<128xf32>
      %ar = reshape %alpha : tile<128xf32> -> tile<128x1xf32>
      %ab = broadcast %ar : tile<128x1xf32> -> tile<128x64xf32>
      %o1 = mulf %o0, %ab : tile<128x64xf32>
      %ph = ftof %p : tile<128x64xf32> -> tile<128x64xf16>
      %z, %tz = load_view_tko weak %v[%i, %c0] : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %o2 = mmaf %ph, %z, %o1 : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      continue %o2, %m1, %l2 : tile<128x64xf32>, tile<128xf32>, tile<128xf32>
    }
    %c2 = constant <i32: 2> : tile<i32>
%acc, %sum = for %rep in (%c0 to %c2, step %c1) : tile<i32> iter_values(%ta = %zo, %ts = %zr) -> (tile<128x64xf32>, tile<128xf32>) {
%acc1, %max1, %sum1 = for %i in (%whole to %ks#0, step %c1) : tile<i32> iter_values(%o0 = %acc0, %m0 = %max0, %l0 = %sum0) -> (tile<128x64xf32>, tile<128xf32>, tile<128xf32>) {
      %y, %ty = load_view_tko weak %k[%i, %c0] : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %yt = permute %y [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
      %s = mmaf %x, %yt, %zs : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      %sc = mulf %s, %c : tile<128x64xf32>
      %first = muli %i, %size : tile<i32>
      %left = subi %n, %first : tile<i32>
      %leftr = reshape %left : tile<i32> -> tile<1xi32>
      %leftb = broadcast %leftr : tile<1xi32> -> tile<64xi32>
      %in = cmpi less_than %iota, %leftb, signed : tile<64xi32> -> tile<64xi1>
      %inr = reshape %in : tile<64xi1> -> tile<1x64xi1>
      %inb = broadcast %inr : tile<1x64xi1> -> tile<128x64xi1>
      %sm = select %inb, %sc, %lows : tile<128x64xi1>, tile<128x64xf32>
      %rowmax = reduce %sm dim=1 identities=[-1.0e+30 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%e: tile<f32>, %w: tile<f32>) {
        %u = maxf %e, %w : tile<f32>
        yield %u : tile<f32>
      }
      %m1 = maxf %m0, %rowmax : tile<128xf32>
      %m1r = reshape %m1 : tile<128xf32> -> tile<128x1xf32>
      %m1b = broadcast %m1r : tile<128x1xf32> -> tile<128x64xf32>
      %dist = subf %sm, %m1b : tile<128x64xf32>
      %p = exp2 %dist : tile<128x64xf32>
      %rowsum = reduce %p dim=1 identities=[0.0 : f32] : tile<128x64xf32> -> tile<128xf32>
      (%e: tile<f32>, %w: tile<f32>) {
        %u = addf %e, %w : tile<f32>
        yield %u : tile<f32>
      }
      %dm = subf %m0, %m1 : tile<128xf32>
      %alpha = exp2 %dm : tile<128xf32>
      %l1 = mulf %l0, %alpha : tile<128xf32>
      %l2 = addf %l1, %rowsum : tile<128xf32>
      %ar = reshape %alpha : tile<128xf32> -> tile<128x1xf32>
      %ab = broadcast %ar : tile<128x1xf32> -> tile<128x64xf32>
      %o1 = mulf %o0, %ab : tile<128x64xf32>
      %ph = ftof %p : tile<128x64xf32> -> tile<128x64xf16>
      %z, %tz = load_view_tko weak %v[%i, %c0] : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %o2 = mmaf %ph, %z, %o1 : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      continue %o2, %m1, %l2 : tile<128x64xf32>, tile<128xf32>, tile<128xf32>
    }
    %na = addf %ta, %acc1 : tile<128x64xf32>
%ns = addf %ts, %sum1 : tile<128xf32>
continue %na, %ns : tile<128x64xf32>, tile<128xf32>
}
%lr = reshape %sum : tile<128xf32> -> tile<128x1xf32>
    %lb = broadcast %lr : tile<128x1xf32> -> tile<128x64xf32>
    %res = divf %acc, %lb : tile<128x64xf32>
    %t2 = store_view_tko weak %res, %o[%bx, %c0] : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
