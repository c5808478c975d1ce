// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole kernels in the custom form and in the generic form.
// RUN: tileiras-opt -split-input-file %s | tileiras-opt -split-input-file | FileCheck %s
// RUN: tileiras-opt -split-input-file -mlir-print-op-generic %s | tileiras-opt -split-input-file | FileCheck %s

cuda_tile.module @kernels {
  // CHECK-LABEL: entry @axpy(%arg0: tile<ptr<f32>>, %arg1: tile<ptr<f32>>, %arg2: tile<f32>, %arg3: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 1}, sm_90 = {occupancy = 2}> {
  // CHECK: muli %blockId_x, %cst_256_i32 overflow<no_signed_wrap> : tile<i32>
  // CHECK: cmpi less_than {{%.*}}, {{%.*}}, signed : tile<256xi32> -> tile<256xi1>
  // CHECK: %result, %result_token = load_ptr_tko weak {{%.*}}, {{%.*}}, %cst_0_f32 : tile<256xptr<f32>>, tile<256xi1>, tile<256xf32> -> tile<256xf32>, token
  // CHECK: mulf %result, %bcast_5 rounding<zero> flush_to_zero : tile<256xf32>
  // CHECK: store_ptr_tko release device {{%.*}}, {{%.*}}, {{%.*}} token=%result_token : tile<256xptr<f32>>, tile<256xf32>, tile<256xi1> -> token
  entry @axpy(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %a: tile<f32>, %n: tile<i32>)
      optimization_hints=<sm_90 = {occupancy = 2}, default = {num_cta_in_cga = 1}> {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c256 = constant <i32: 256> : tile<i32>
    %base = muli %bx, %c256 overflow<no_signed_wrap> : tile<i32>
    %lane = iota : tile<256xi32>
    %b1 = reshape %base : tile<i32> -> tile<1xi32>
    %bb = broadcast %b1 : tile<1xi32> -> tile<256xi32>
    %i = addi %bb, %lane : tile<256xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %nn = broadcast %n1 : tile<1xi32> -> tile<256xi32>
    %in = cmpi less_than %i, %nn, signed : tile<256xi32> -> tile<256xi1>
    %x1 = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %xs = broadcast %x1 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %xp = offset %xs, %i : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %z = constant <f32: 0.0> : tile<256xf32>
    %v, %t0 = load_ptr_tko weak %xp, %in, %z : tile<256xptr<f32>>, tile<256xi1>, tile<256xf32> -> tile<256xf32>, token
    %a1 = reshape %a : tile<f32> -> tile<1xf32>
    %aa = broadcast %a1 : tile<1xf32> -> tile<256xf32>
    %r = mulf %v, %aa rounding<zero> flush_to_zero : tile<256xf32>
    %y1 = reshape %y : tile<ptr<f32>> -> tile<1xptr<f32>>
    %ys = broadcast %y1 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %yp = offset %ys, %i : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %t1 = store_ptr_tko release device %yp, %r, %in token=%t0 : tile<256xptr<f32>>, tile<256xf32>, tile<256xi1> -> token
    return
  }
}

// B. views, for with carried values, mma, dynamic shapes
// -----
cuda_tile.module @kernels {
  // CHECK-LABEL: entry @gemm
  // CHECK: %assume = assume div_by<16>, %arg0 : tile<ptr<f16>>
  // CHECK: %tview = make_tensor_view %assume, shape = [%arg3, %arg5], strides = [%arg5, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
  // CHECK: %pview = make_partition_view %tview : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
  // CHECK: for %loopIdx in (%cst_0_i32 to {{%.*}}#1, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %cst_0_f32) -> (tile<64x64xf32>) {
  // CHECK: load_view_tko weak %pview[%blockId_x, %loopIdx] optimization_hints = <default = {latency = 3}> : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x32xf16>, token
  // CHECK: continue {{%.*}} : tile<64x64xf32>
  // CHECK: store_view_tko weak {{%.*}}, %pview_3[%blockId_x, %blockId_y] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
  entry @gemm(%A: tile<ptr<f16>>, %B: tile<ptr<f16>>, %C: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %A16 = assume div_by<16>, %A : tile<ptr<f16>>
    %ta = make_tensor_view %A16, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %tb = make_tensor_view %B, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %tc = make_tensor_view %C, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %va = make_partition_view %ta : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %vb = make_partition_view %tb : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %vc = make_partition_view %tc : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %ka:2 = get_index_space_shape %va : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>> -> tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %acc0 = constant <f32: 0.0> : tile<64x64xf32>
    %acc = for %kk in (%c0 to %ka#1, step %c1) : tile<i32> iter_values(%s = %acc0) -> (tile<64x64xf32>) {
      %l, %t1 = load_view_tko weak %va[%x, %kk] optimization_hints = <default = {latency = 3}> : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x32xf16>, token
      %r, %t2 = load_view_tko weak %vb[%kk, %y] : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x64xf16>, token
      %s2 = mmaf %l, %r, %s : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %s2 : tile<64x64xf32>
    }
    %t = store_view_tko weak %acc, %vc[%x, %y] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}

// C. reduce, scan, loop/break, if with results, atomics, globals, print, assert
// -----
cuda_tile.module @kernels {
  // CHECK-LABEL: global private constant @lut alignment = 16 <f32: [5.000000e-01, 1.500000e+00]> : tile<2xf32>
  global private constant @lut alignment = 16 <f32: [0.5, 1.5]> : tile<2xf32>
  // CHECK-LABEL: entry @misc
  // CHECK: %reduce = reduce %cst_f32 dim=1 identities=[0.000000e+00 : f32] : tile<2x2xf32> -> tile<2xf32>
  // CHECK: (%reduce_lhs: tile<f32>, %reduce_rhs: tile<f32>) {
  // CHECK: scan %cst_f32 dim=0 reverse=false identities=[1.000000e+00 : f32] : tile<2x2xf32> -> tile<2x2xf32>
  // CHECK: loop iter_values(%iterArg0 = %cst_1_i32) : tile<i32> -> tile<i32> {
  // CHECK: break %iterArg0 : tile<i32>
  // CHECK: atomic_rmw_tko relaxed device %arg0, add, {{%.*}} : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  // CHECK: } else {
  // CHECK: print_tko "old = %d\0A", {{%.*}} token=%result_token : tile<i32> -> token
  // CHECK: assert {{%.*}}, "never" : tile<i1>
  // CHECK: get_global @lut : tile<ptr<f32>>
  entry @misc(%p: tile<ptr<i32>>) {
    %m = constant <f32: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xf32>
    %row = reduce %m dim=1 identities=[0.0 : f32] : tile<2x2xf32> -> tile<2xf32>
    (%e: tile<f32>, %acc: tile<f32>) {
      %u = addf %e, %acc : tile<f32>
      yield %u : tile<f32>
    }
    %pre = scan %m dim=0 reverse=false identities=[1.0 : f32] : tile<2x2xf32> -> tile<2x2xf32>
    (%q: tile<f32>, %w: tile<f32>) {
      %u = mulf %q, %w : tile<f32>
      yield %u : tile<f32>
    }
    %one = constant <i32: 1> : tile<i32>
    %lim = constant <i32: 10> : tile<i32>
    %last = loop iter_values(%i = %one) : tile<i32> -> tile<i32> {
      %done = cmpi greater_than_or_equal %i, %lim, signed : tile<i32> -> tile<i1>
      if %done {
        break %i : tile<i32>
      }
      %nx = addi %i, %one : tile<i32>
      continue %nx : tile<i32>
    }
    %old, %t = atomic_rmw_tko relaxed device %p, add, %last : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %zero = constant <i32: 0> : tile<i32>
    %neg = cmpi less_than %old, %zero, signed : tile<i32> -> tile<i1>
    %sel = if %neg -> (tile<i32>) {
      yield %zero : tile<i32>
    } else {
      yield %old : tile<i32>
    }
    %t2 = print_tko "old = %d\n", %sel token=%t : tile<i32> -> token
    %ok = cmpi equal %zero, %zero, signed : tile<i32> -> tile<i1>
    assert %ok, "never" : tile<i1>
    %g = get_global @lut : tile<ptr<f32>>
    return
  }
}

// D. gather view, 8-bit, packing, casts (13.3)
// -----
cuda_tile.module @kernels {
  // CHECK-LABEL: entry @g(
  // CHECK: %gsview = make_gather_scatter_view %tview : gather_scatter_view<tile=(4x64), padding_value = zero, tensor_view<1024x128xf8E4M3FN, strides=[128,1]>, sparse_dim=0>
  // CHECK: %tile, %result_token = load_view_tko weak %gsview[%cst_i32, %cst_0_i32] : {{.*}}, tile<4xi32>, tile<i32> -> tile<4x64xf8E4M3FN>, token
  // CHECK: ftof {{%.*}} rounding<positive_inf> : tile<4x64xf32> -> tile<4x64xf8E8M0FNU>
  // CHECK: pack %cst_0_f16 : tile<64xf16> -> tile<128xi8>
  entry @g(%p: tile<ptr<f8E4M3FN>>, %idx: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [1024, 128], strides = [128, 1] : tensor_view<1024x128xf8E4M3FN, strides=[128,1]>
    %gv = make_gather_scatter_view %tv : gather_scatter_view<tile=(4x64), padding_value = zero, tensor_view<1024x128xf8E4M3FN, strides=[128,1]>, sparse_dim=0>
    %rows = constant <i32: [3, 1, 4, 1]> : tile<4xi32>
    %c0 = constant <i32: 0> : tile<i32>
    %v, %t = load_view_tko weak %gv[%rows, %c0] : gather_scatter_view<tile=(4x64), padding_value = zero, tensor_view<1024x128xf8E4M3FN, strides=[128,1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> tile<4x64xf8E4M3FN>, token
    %f = ftof %v : tile<4x64xf8E4M3FN> -> tile<4x64xf32>
    %e = ftof %f rounding<positive_inf> : tile<4x64xf32> -> tile<4x64xf8E8M0FNU>
    %i = ftoi %f signed : tile<4x64xf32> -> tile<4x64xi32>
    %h = constant <f16: 0.0> : tile<64xf16>
    %b = pack %h : tile<64xf16> -> tile<128xi8>
    return
  }
}
