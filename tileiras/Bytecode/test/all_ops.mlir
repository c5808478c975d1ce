// Every op, with and without each optional part, through bytecode and back.
// RUN: tileiras-translate -test-cudatile-roundtrip -no-implicit-module %s > %t.mlir
// RUN: tileiras-opt -no-implicit-module %s > %t.expected
// RUN: diff %t.expected %t.mlir
// RUN: tileiras-translate -test-cudatile-roundtrip -no-implicit-module --generic-form %s | tileiras-opt -no-implicit-module | diff %t.expected -
// RUN: tileiras-translate -mlir-to-cudatilebc -no-implicit-module %s -o %t.bc
// RUN: tileiras-translate -cudatilebc-to-mlir %t.bc | tileiras-opt -no-implicit-module | diff %t.expected -
// RUN: tileiras-translate -mlir-to-cudatilebc %s -o %t.implicit && diff %t.bc %t.implicit

cuda_tile.module @kernels attributes {producer = "all_ops"} {
  global @table <f32: [1.0, 2.0, 3.0, 4.0]> : tile<4xf32>
  global private constant @lut alignment = 16 <i8: 7> : tile<16xi8>

  entry @float(%x: tile<f32>, %h: tile<f16>) {
    %a = reshape %x : tile<f32> -> tile<1xf32>
    %b = broadcast %a : tile<1xf32> -> tile<8xf32>
    %0 = absf %b : tile<8xf32>
    %1 = negf %0 : tile<8xf32>
    %2 = ceil %1 : tile<8xf32>
    %3 = floor %2 : tile<8xf32>
    %4 = cos %3 : tile<8xf32>
    %5 = sin %4 : tile<8xf32>
    %6 = tan %5 : tile<8xf32>
    %7 = cosh %6 : tile<8xf32>
    %8 = sinh %7 : tile<8xf32>
    %9 = tanh %8 : tile<8xf32>
    %10 = tanh %9 rounding<approx> : tile<8xf32>
    %11 = log %10 : tile<8xf32>
    %12 = log2 %11 : tile<8xf32>
    %13 = exp %12 : tile<8xf32>
    %14 = exp %13 rounding<approx> : tile<8xf32>
    %15 = exp2 %14 : tile<8xf32>
    %16 = exp2 %15 flush_to_zero : tile<8xf32>
    %17 = rsqrt %16 flush_to_zero : tile<8xf32>
    %18 = rsqrt %17 : tile<8xf32>
    %19 = sqrt %18 : tile<8xf32>
    %20 = sqrt %19 rounding<approx> flush_to_zero : tile<8xf32>
    %21 = addf %20, %b : tile<8xf32>
    %22 = addf %21, %b rounding<zero> flush_to_zero : tile<8xf32>
    %23 = subf %22, %b rounding<negative_inf> : tile<8xf32>
    %24 = mulf %23, %b rounding<positive_inf> : tile<8xf32>
    %25 = divf %24, %b rounding<full> flush_to_zero : tile<8xf32>
    %26 = remf %25, %b : tile<8xf32>
    %27 = maxf %26, %b flush_to_zero propagate_nan : tile<8xf32>
    %28 = minf %27, %b propagate_nan : tile<8xf32>
    %29 = fma %28, %b, %b rounding<zero> flush_to_zero : tile<8xf32>
    %30 = fpowf %29, %b : tile<8xf32>
    %31 = atan2 %30, %b : tile<8xf32>
    %32 = cmpf less_than ordered %31, %b : tile<8xf32> -> tile<8xi1>
    %33 = select %32, %31, %b : tile<8xi1>, tile<8xf32>
    %34 = ftoi %33 signed : tile<8xf32> -> tile<8xi32>
    %35 = ftoi %33 unsigned saturating : tile<8xf32> -> tile<8xi16>
    %36 = fpowi %33, %34 : tile<8xf32>, tile<8xi32>
    %37 = ftof %36 : tile<8xf32> -> tile<8xf16>
    %38 = ftof %36 rounding<nearest_away> : tile<8xf32> -> tile<8xtf32>
    %39 = bitcast %36 : tile<8xf32> -> tile<8xi32>
    %40 = itof %39 unsigned : tile<8xi32> -> tile<8xf32>
    %41 = minf %40, %b : tile<8xf32>
  }

  entry @integer(%n: tile<i32>) optimization_hints=<sm_100 = {num_cta_in_cga = 2 : i32, occupancy = 1 : i32}, default = {occupancy = 4 : i32}> {
    %i = iota : tile<16xi32>
    %0 = absi %i : tile<16xi32>
    %1 = negi %0 : tile<16xi32>
    %2 = negi %1 overflow<no_signed_wrap> : tile<16xi32>
    %3 = addi %2, %i : tile<16xi32>
    %4 = addi %3, %i overflow<no_wrap> : tile<16xi32>
    %5 = subi %4, %i overflow<no_unsigned_wrap> : tile<16xi32>
    %6 = muli %5, %i : tile<16xi32>
    %7 = mulhii %6, %i : tile<16xi32>
    %8 = shli %7, %i : tile<16xi32>
    %9 = shri %8, %i unsigned : tile<16xi32>
    %10 = divi %9, %i signed : tile<16xi32>
    %11 = divi %10, %i signed rounding<negative_inf> : tile<16xi32>
    %12 = remi %11, %i unsigned : tile<16xi32>
    %13 = maxi %12, %i signed : tile<16xi32>
    %14 = mini %13, %i signed : tile<16xi32>
    %15 = andi %14, %i : tile<16xi32>
    %16 = ori %15, %i : tile<16xi32>
    %17 = xori %16, %i : tile<16xi32>
    %18 = cmpi greater_than_or_equal %17, %i, signed : tile<16xi32> -> tile<16xi1>
    %19 = trunci %17 : tile<16xi32> -> tile<16xi8>
    %20 = trunci %17 overflow<no_signed_wrap> : tile<16xi32> -> tile<16xi4>
    %21 = exti %20 signed : tile<16xi4> -> tile<16xi64>
    %22 = int_to_ptr %21 : tile<16xi64> -> tile<16xptr<f16>>
    %23 = ptr_to_ptr %22 : tile<16xptr<f16>> -> tile<16xptr<i32>>
    %24 = ptr_to_int %23 : tile<16xptr<i32>> -> tile<16xi64>
    %25 = offset %23, %i : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %26 = pack %20 : tile<16xi4> -> tile<8xi8>
    %27 = unpack %26 : tile<8xi8> -> tile<16xi4>
    %28 = reshape %i : tile<16xi32> -> tile<4x4xi32>
    %29 = permute %28 [1, 0] : tile<4x4xi32> -> tile<4x4xi32>
    %30 = cat %28, %29 dim = 1 : tile<4x4xi32>, tile<4x4xi32> -> tile<4x8xi32>
    %31 = extract %30[%n, %n] : tile<4x8xi32> -> tile<2x2xi32>
    %32 = insert %31, %30[%n, %n] : tile<2x2xi32>, tile<4x8xi32>
    %33 = assume div_by<16>, %n : tile<i32>
    %34 = assume bounded<?, 127>, %33 : tile<i32>
    %35 = assume bounded<-4, 4>, %34 : tile<i32>
    %36 = assume same_elements<[2, 4]>, %30 : tile<4x8xi32>
    %37 = assume div_by<4, every 2 along 1>, %36 : tile<4x8xi32>
    %38 = reduce %30 dim=1 identities=[0 : i32] : tile<4x8xi32> -> tile<4xi32> (%e: tile<i32>, %acc: tile<i32>) {
      %s = addi %e, %acc : tile<i32>
      yield %s : tile<i32>
    }
    %39 = scan %30 dim=0 reverse=true identities=[0 : i32] : tile<4x8xi32> -> tile<4x8xi32> (%e: tile<i32>, %acc: tile<i32>) {
      %s = addi %e, %acc : tile<i32>
      yield %s : tile<i32>
    }
    assert %18, "a message with \22quotes\22" : tile<16xi1>
    %c = constant <i1: [true, false, true, true]> : tile<4xi1>
    %d = constant <f8E4M3FN: [1.0, 2.0]> : tile<2xf8E4M3FN>
    %e = constant <f8E8M0FNU: 4.0> : tile<2xf8E8M0FNU>
    %f = constant <f4E2M1FN: [1.0, -0.5]> : tile<2xf4E2M1FN>
    %g = constant <f64: 0.1> : tile<f64>
  }

  entry @control(%c: tile<i1>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %gx, %gy, %gz = get_num_tile_blocks : tile<i32>
    %0 = for %i in (%bx to %n, step %gx) : tile<i32> iter_values(%v = %n) -> (tile<i32>) {
      %s = addi %v, %i : tile<i32>
      continue %s : tile<i32>
    }
    for unsigned %i in (%bx to %n, step %gx) : tile<i32> {
      if %c {
        continue
      }
    }
    %1:2 = loop iter_values(%v = %0) : tile<i32> -> tile<i32>, tile<i1> {
      if %c {
        break %v, %c : tile<i32>, tile<i1>
      } else {
        return
      }
      continue %v : tile<i32>
    }
    %2 = if %1#1 -> (tile<i32>) {
      yield %1#0 : tile<i32>
    } else {
      yield %n : tile<i32>
    }
    loop {
      break
    }
  }

  entry @memory(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %n: tile<i32>) {
    %t = make_token : token
    %r0 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %r1 = broadcast %r0 : tile<1xptr<f32>> -> tile<8xptr<f32>>
    %i = iota : tile<8xi32>
    %ptrs = offset %r1, %i : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
    %m = constant <i1: true> : tile<8xi1>
    %pad = constant <f32: 0.0> : tile<8xf32>
    %0, %t0 = load_ptr_tko weak %ptrs : tile<8xptr<f32>> -> tile<8xf32>, token
    %1, %t1 = load_ptr_tko relaxed device %ptrs, %m token=%t0 : tile<8xptr<f32>>, tile<8xi1> -> tile<8xf32>, token
    %2, %t2 = load_ptr_tko acquire sys %ptrs, %m, %pad token=%t1 optimization_hints = <sm_90 = {latency = 4 : i32}> : tile<8xptr<f32>>, tile<8xi1>, tile<8xf32> -> tile<8xf32>, token
    %t3 = store_ptr_tko weak %ptrs, %0 : tile<8xptr<f32>>, tile<8xf32> -> token
    %t4 = store_ptr_tko release tl_blk %ptrs, %1, %m token=%t3 optimization_hints = <default = {latency = 2 : i32}> : tile<8xptr<f32>>, tile<8xf32>, tile<8xi1> -> token
    %t5 = join_tokens %t, %t2, %t4 : token
    %3, %t6 = atomic_rmw_tko relaxed device %ptrs, addf, %2 : tile<8xptr<f32>>, tile<8xf32> -> tile<8xf32>, token
    %4, %t7 = atomic_rmw_tko acq_rel sys %ptrs, xchg, %2, %m token=%t6 : tile<8xptr<f32>>, tile<8xf32>, tile<8xi1> -> tile<8xf32>, token
    %5, %t8 = atomic_cas_tko relaxed device %q, %n, %n token=%t7 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %a = alloca num_elem = 64, alignment = 16 : tile<ptr<f32>>
    %b = alloca num_elem = 64, alignment = 16 global : tile<ptr<f32>>
    %g = get_global @table : tile<ptr<f32>>
    %t9 = print_tko "value %f at %d\0A", %0, %n token=%t8 : tile<8xf32>, tile<i32> -> token
    %t10 = print_tko "done" -> token
    %t11 = gdc_wait_tko -> token
    %t12 = memory_fence_alias_tko token=%t11 -> token
    %t13 = gdc_launch_dependents_tko token = %t12 -> token
  }

  entry @views(%p: tile<ptr<f32>>, %n: tile<i32>, %idx: tile<i64>) {
    %t = make_token : token
    %tv = make_tensor_view %p, shape = [%idx, 32], strides = [32, 1] : tile<i64> -> tensor_view<?x32xf32, strides=[32,1]>
    %s:2 = get_tensor_shape %tv : tensor_view<?x32xf32, strides=[32,1]> -> tile<i64>
    %pv = make_partition_view %tv : partition_view<tile=(4x8), padding_value = nan, tensor_view<?x32xf32, strides=[32,1]>, dim_map=[1, 0]>
    %sv = make_strided_view %tv : strided_view<tile=(2x2), traversal_strides=[3,3], padding_value = zero, tensor_view<?x32xf32, strides=[32,1]>>
    %gv = make_gather_scatter_view %tv : gather_scatter_view<tile=(8x16), tensor_view<?x32xf32, strides=[32,1]>, sparse_dim=0>
    %k:2 = get_index_space_shape %pv : partition_view<tile=(4x8), padding_value = nan, tensor_view<?x32xf32, strides=[32,1]>, dim_map=[1, 0]> -> tile<i32>
    %0, %t0 = load_view_tko weak %pv[%n, %n] : partition_view<tile=(4x8), padding_value = nan, tensor_view<?x32xf32, strides=[32,1]>, dim_map=[1, 0]>, tile<i32> -> tile<4x8xf32>, token
    %1, %t1 = load_view_tko relaxed device %sv[%n, %n] token = %t0 optimization_hints = <sm_100 = {allow_tma = false, latency = 3 : i32}> : strided_view<tile=(2x2), traversal_strides=[3,3], padding_value = zero, tensor_view<?x32xf32, strides=[32,1]>>, tile<i32> -> tile<2x2xf32>, token
    %2, %t2 = load_view_tko weak %pv[%n, %n] inbounds = [true, false] : partition_view<tile=(4x8), padding_value = nan, tensor_view<?x32xf32, strides=[32,1]>, dim_map=[1, 0]>, tile<i32> -> tile<4x8xf32>, token
    %rows = iota : tile<8xi32>
    %3, %t3 = load_view_tko weak %gv[%rows, %n] : gather_scatter_view<tile=(8x16), tensor_view<?x32xf32, strides=[32,1]>, sparse_dim=0>, tile<8xi32>, tile<i32> -> tile<8x16xf32>, token
    %t4 = store_view_tko weak %0, %pv[%n, %n] token = %t3 : tile<4x8xf32>, partition_view<tile=(4x8), padding_value = nan, tensor_view<?x32xf32, strides=[32,1]>, dim_map=[1, 0]>, tile<i32> -> token
    %av = make_partition_view %tv : partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[32,1]>>
    %t5 = atomic_red_view_tko relaxed device %av[%n, %n], addf, %0 token = %t4 : tile<4x8xf32>, partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[32,1]>>, tile<i32> -> token
    %t6 = atomic_red_view_tko relaxed tl_blk %av[%n, %n], addf, %0 : tile<4x8xf32>, partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[32,1]>>, tile<i32> -> token
  }

  entry @matrix(%h: tile<f16>, %f: tile<f32>, %i: tile<i8>, %n: tile<i32>) {
    %h0 = reshape %h : tile<f16> -> tile<1x1xf16>
    %a = broadcast %h0 : tile<1x1xf16> -> tile<16x16xf16>
    %f0 = reshape %f : tile<f32> -> tile<1x1xf32>
    %c = broadcast %f0 : tile<1x1xf32> -> tile<16x16xf32>
    %0 = mmaf %a, %a, %c : tile<16x16xf16>, tile<16x16xf16>, tile<16x16xf32>
    %1 = mmaf %a, %a, %0 fast_acc : tile<16x16xf16>, tile<16x16xf16>, tile<16x16xf32>
    %i0 = reshape %i : tile<i8> -> tile<1x1xi8>
    %b = broadcast %i0 : tile<1x1xi8> -> tile<16x16xi8>
    %n0 = reshape %n : tile<i32> -> tile<1x1xi32>
    %d = broadcast %n0 : tile<1x1xi32> -> tile<16x16xi32>
    %2 = mmai %b, %b, %d signed unsigned : tile<16x16xi8>, tile<16x16xi8>, tile<16x16xi32>
    %x = constant <f8E4M3FN: 1.0> : tile<16x64xf8E4M3FN>
    %y = constant <f8E4M3FN: 1.0> : tile<64x16xf8E4M3FN>
    %sx = constant <f8E8M0FNU: 1.0> : tile<16x2xf8E8M0FNU>
    %sy = constant <f8E8M0FNU: 1.0> : tile<2x16xf8E8M0FNU>
    %3 = mmaf_scaled %x, %y, %1, %sx, %sy : tile<16x64xf8E4M3FN>, tile<64x16xf8E4M3FN>, tile<16x16xf32>, tile<16x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
  }
}
