// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory, view and token ops: printed as written.
// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s
// RUN: tileiras-opt -mlir-print-op-generic %s | tileiras-opt | FileCheck %s

// CHECK-LABEL: cuda_tile.module @m {
cuda_tile.module @m {
  // CHECK-LABEL: entry @views(
  entry @views(%p: tile<ptr<f16>>, %n: tile<i64>, %i: tile<i32>) {
    // CHECK: make_tensor_view {{%[a-zA-Z_0-9]+}}, shape = [{{%[a-zA-Z_0-9]+}}, 16], strides = [16, 1] : tile<i64> -> tensor_view<?x16xf16, strides=[16,1]>
    %t = make_tensor_view %p, shape = [%n, 16], strides = [16, 1] : tile<i64> -> tensor_view<?x16xf16, strides=[16,1]>
    // CHECK: make_tensor_view {{%[a-zA-Z_0-9]+}}, shape = [], strides = [] : tensor_view<f16>
    %z = make_tensor_view %p, shape = [], strides = [] : tensor_view<f16>
    // CHECK: make_tensor_view {{%[a-zA-Z_0-9]+}}, shape = [], strides = [] : tensor_view<f16>
    %zz = make_tensor_view %p : tensor_view<f16>
    // CHECK: make_tensor_view {{%[a-zA-Z_0-9]+}}, shape = [{{%[a-zA-Z_0-9]+}}, 16], strides = [{{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}] : tile<i64> -> tensor_view<?x16xf16, strides=[?,?]>
    %u = make_tensor_view %p, shape = [%n, 16], strides = [%n, %n] : tile<i64> -> tensor_view<?x16xf16, strides=[?,?]>
    // CHECK: make_partition_view {{%[a-zA-Z_0-9]+}} : partition_view<tile=(4x2), padding_value = nan, tensor_view<?x16xf16, strides=[16,1]>, dim_map=[1, 0]>
    %pv = make_partition_view %t : partition_view<tile=(4x2), padding_value = nan, tensor_view<?x16xf16, strides=[16,1]>, dim_map=[1, 0]>
    // CHECK: make_strided_view {{%[a-zA-Z_0-9]+}} : strided_view<tile=(4x2), traversal_strides=[3,1], padding_value = zero, tensor_view<?x16xf16, strides=[16,1]>>
    %sv = make_strided_view %t : strided_view<tile=(4x2), traversal_strides=[3,1], padding_value = zero, tensor_view<?x16xf16, strides=[16,1]>>
    // CHECK: make_gather_scatter_view {{%[a-zA-Z_0-9]+}} : gather_scatter_view<tile=(4x2), padding_value = neg_inf, tensor_view<?x16xf16, strides=[16,1]>, sparse_dim=1>
    %gv = make_gather_scatter_view %t : gather_scatter_view<tile=(4x2), padding_value = neg_inf, tensor_view<?x16xf16, strides=[16,1]>, sparse_dim=1>
    // CHECK: make_partition_view {{%[a-zA-Z_0-9]+}} : partition_view<tile=(4x2), tensor_view<?x16xf16, strides=[16,1]>>
    %rv = make_partition_view %t : partition_view<tile=(4x2), tensor_view<?x16xf16, strides=[16,1]>, dim_map=[0, 1]>
    // CHECK: get_tensor_shape {{%[a-zA-Z_0-9]+}} : tensor_view<?x16xf16, strides=[16,1]> -> tile<i64>
    %s:2 = get_tensor_shape %t : tensor_view<?x16xf16, strides=[16,1]> -> tile<i64>
    // CHECK: get_index_space_shape {{%[a-zA-Z_0-9]+}} : partition_view<tile=(4x2), padding_value = nan, tensor_view<?x16xf16, strides=[16,1]>, dim_map=[1, 0]> -> tile<i32>
    %x:2 = get_index_space_shape %pv : partition_view<tile=(4x2), padding_value = nan, tensor_view<?x16xf16, strides=[16,1]>, dim_map=[1, 0]> -> tile<i32>
    // CHECK: get_index_space_shape {{%[a-zA-Z_0-9]+}} : strided_view<tile=(4x2), traversal_strides=[3,1], padding_value = zero, tensor_view<?x16xf16, strides=[16,1]>> -> tile<i32>
    %y:2 = get_index_space_shape %sv : strided_view<tile=(4x2), traversal_strides=[3,1], padding_value = zero, tensor_view<?x16xf16, strides=[16,1]>> -> tile<i32>
    // CHECK: load_view_tko weak {{%[a-zA-Z_0-9]+}}[{{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}] : partition_view<tile=(4x2), padding_value = nan, tensor_view<?x16xf16, strides=[16,1]>, dim_map=[1, 0]>, tile<i32> -> tile<4x2xf16>, token
    %l0, %k0 = load_view_tko weak %pv[%i, %i] : partition_view<tile=(4x2), padding_value = nan, tensor_view<?x16xf16, strides=[16,1]>, dim_map=[1, 0]>, tile<i32> -> tile<4x2xf16>, token
    // CHECK: load_view_tko relaxed device {{%[a-zA-Z_0-9]+}}[{{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}] token = {{%[a-zA-Z_0-9]+}} inbounds = [true, false] optimization_hints = <sm_90 = {allow_tma = false}> : strided_view<tile=(4x2), traversal_strides=[3,1], padding_value = zero, tensor_view<?x16xf16, strides=[16,1]>>, tile<i32> -> tile<4x2xf16>, token
    %l1, %k1 = load_view_tko relaxed device %sv[%i, %i] token = %k0 inbounds = [true, false] optimization_hints = <sm_90 = {allow_tma = false}> : strided_view<tile=(4x2), traversal_strides=[3,1], padding_value = zero, tensor_view<?x16xf16, strides=[16,1]>>, tile<i32> -> tile<4x2xf16>, token
    // CHECK: load_view_tko acquire sys {{%[a-zA-Z_0-9]+}}[{{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}] token = {{%[a-zA-Z_0-9]+}} : partition_view<tile=(4x2), padding_value = nan, tensor_view<?x16xf16, strides=[16,1]>, dim_map=[1, 0]>, tile<i32> -> tile<4x2xf16>, token
    %l2, %k2 = load_view_tko acquire sys %pv[%i, %i] token=%k1 inbounds = [false, false] : partition_view<tile=(4x2), padding_value = nan, tensor_view<?x16xf16, strides=[16,1]>, dim_map=[1, 0]>, tile<i32>, tile<i32> -> tile<4x2xf16>, token
    %j = iota : tile<2xi32>
    // CHECK: load_view_tko weak {{%[a-zA-Z_0-9]+}}[{{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}] : gather_scatter_view<tile=(4x2), padding_value = neg_inf, tensor_view<?x16xf16, strides=[16,1]>, sparse_dim=1>, tile<i32>, tile<2xi32> -> tile<4x2xf16>, token
    %l3, %k3 = load_view_tko weak %gv[%i, %j] : gather_scatter_view<tile=(4x2), padding_value = neg_inf, tensor_view<?x16xf16, strides=[16,1]>, sparse_dim=1>, tile<i32>, tile<2xi32> -> tile<4x2xf16>, token
    // CHECK: store_view_tko weak {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}[{{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}] token = {{%[a-zA-Z_0-9]+}} : tile<4x2xf16>, gather_scatter_view<tile=(4x2), padding_value = neg_inf, tensor_view<?x16xf16, strides=[16,1]>, sparse_dim=1>, tile<i32>, tile<2xi32> -> token
    %k4 = store_view_tko weak %l3, %gv[%i, %j] token = %k3 : tile<4x2xf16>, gather_scatter_view<tile=(4x2), padding_value = neg_inf, tensor_view<?x16xf16, strides=[16,1]>, sparse_dim=1>, tile<i32>, tile<2xi32> -> token
    // CHECK: store_view_tko release device {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}[{{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}] inbounds = [true, true] optimization_hints = <default = {latency = 2}> attributes {note} : tile<4x2xf16>, partition_view<tile=(4x2), padding_value = nan, tensor_view<?x16xf16, strides=[16,1]>, dim_map=[1, 0]>, tile<i32> -> token
    %k5 = store_view_tko release device %l3, %pv[%i, %i] inbounds = [true, true] optimization_hints = <default = {latency = 2 : i64}> attributes {note} : tile<4x2xf16>, partition_view<tile=(4x2), padding_value = nan, tensor_view<?x16xf16, strides=[16,1]>, dim_map=[1, 0]>, tile<i32> -> token
    // CHECK: atomic_red_view_tko relaxed device {{%[a-zA-Z_0-9]+}}[{{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}], addf, {{%[a-zA-Z_0-9]+}} : tile<4x2xf16>, partition_view<tile=(4x2), tensor_view<?x16xf16, strides=[16,1]>>, tile<i32> -> token
    %k6 = atomic_red_view_tko relaxed device %rv[%i, %i], addf, %l3 : tile<4x2xf16>, partition_view<tile=(4x2), tensor_view<?x16xf16, strides=[16,1]>>, tile<i32> -> token
    // CHECK: atomic_red_view_tko relaxed tl_blk {{%[a-zA-Z_0-9]+}}[{{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}], addf, {{%[a-zA-Z_0-9]+}} token = {{%[a-zA-Z_0-9]+}} : tile<4x2xf16>, partition_view<tile=(4x2), tensor_view<?x16xf16, strides=[16,1]>>, tile<i32> -> token
    %k7 = atomic_red_view_tko relaxed tl_blk %rv[%i, %i], addf, %l3 token = %k6 : tile<4x2xf16>, partition_view<tile=(4x2), tensor_view<?x16xf16, strides=[16,1]>>, tile<i32> -> token
  }

  // CHECK-LABEL: entry @pointers(
  entry @pointers(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %m: tile<i1>, %i: tile<i32>) {
    // CHECK: make_token : token
    %t0 = make_token : token
    // CHECK: load_ptr_tko weak {{%[a-zA-Z_0-9]+}} : tile<ptr<f32>> -> tile<f32>, token
    %v0, %t1 = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    // CHECK: load_ptr_tko weak {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<ptr<f32>>, tile<i1> -> tile<f32>, token
    %v1, %t2 = load_ptr_tko weak %p, %m : tile<ptr<f32>>, tile<i1> -> tile<f32>, token
    // CHECK: load_ptr_tko relaxed tl_blk {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} token={{%[a-zA-Z_0-9]+}} : tile<ptr<f32>>, tile<i1>, tile<f32> -> tile<f32>, token
    %v2, %t3 = load_ptr_tko relaxed tl_blk %p, %m, %v0 token=%t1 : tile<ptr<f32>>, tile<i1>, tile<f32> -> tile<f32>, token
    // CHECK: load_ptr_tko acquire sys {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} token={{%[a-zA-Z_0-9]+}} optimization_hints = <default = {latency = 4}> : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    %v3, %t4 = load_ptr_tko acquire sys %p, %v0 token = %t2 optimization_hints = <default = {latency = 4 : i64}> : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    // CHECK: join_tokens {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : token
    %t5 = join_tokens %t1, %t2, %t3 : token
    // CHECK: store_ptr_tko weak {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<ptr<f32>>, tile<f32> -> token
    %t6 = store_ptr_tko weak %p, %v3 : tile<ptr<f32>>, tile<f32> -> token
    // CHECK: store_ptr_tko release device {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} token={{%[a-zA-Z_0-9]+}} optimization_hints = <sm_100 = {latency = 2}> : tile<ptr<f32>>, tile<f32>, tile<i1> -> token
    %t7 = store_ptr_tko release device %p, %v3, %m token=%t5 optimization_hints = <sm_100 = {latency = 2 : i64}> : tile<ptr<f32>>, tile<f32>, tile<i1> -> token
    // CHECK: atomic_rmw_tko relaxed device {{%[a-zA-Z_0-9]+}}, addf, {{%[a-zA-Z_0-9]+}} : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    %a0, %t8 = atomic_rmw_tko relaxed device %p, addf, %v3 : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    // CHECK: atomic_rmw_tko acq_rel sys {{%[a-zA-Z_0-9]+}}, umax, {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} token={{%[a-zA-Z_0-9]+}} : tile<ptr<i32>>, tile<i32>, tile<i1> -> tile<i32>, token
    %a1, %t9 = atomic_rmw_tko acq_rel sys %q, umax, %i, %m token=%t8 : tile<ptr<i32>>, tile<i32>, tile<i1> -> tile<i32>, token
    // CHECK: atomic_cas_tko acquire tl_blk {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %a2, %ta = atomic_cas_tko acquire tl_blk %q, %i, %i : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    // CHECK: atomic_cas_tko release device {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} token={{%[a-zA-Z_0-9]+}} : tile<ptr<f32>>, tile<f32>, tile<i1> -> tile<f32>, token
    %a3, %tb = atomic_cas_tko release device %p, %v0, %v1, %m token=%ta : tile<ptr<f32>>, tile<f32>, tile<i1> -> tile<f32>, token
    // CHECK: alloca num_elem = 64, alignment = 16 : tile<ptr<f32>>
    %s = alloca num_elem = 64, alignment = 16 : tile<ptr<f32>>
    // CHECK: alloca num_elem = 0, alignment = 8 global : tile<ptr<i8>>
    %g = alloca num_elem = 0, alignment = 8 global : tile<ptr<i8>>
    // CHECK: memory_fence_alias_tko token={{%[a-zA-Z_0-9]+}} -> token
    %tc = memory_fence_alias_tko token=%tb -> token
    // CHECK: gdc_wait_tko -> token
    %td = gdc_wait_tko -> token
    // CHECK: gdc_launch_dependents_tko token = {{%[a-zA-Z_0-9]+}} -> token
    %te = gdc_launch_dependents_tko token = %td -> token
    // CHECK: print_tko "plain 100%%" -> token
    %tf = print_tko "plain 100%%" -> token
    // CHECK: print_tko "{{%[a-zA-Z_0-9]+}} and {{%[a-zA-Z_0-9]+}}.2f", {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} token={{%[a-zA-Z_0-9]+}} : tile<i32>, tile<f32> -> token
    %tg = print_tko "%d and %5.2f", %i, %v0 token=%tf : tile<i32>, tile<f32> -> token
    // CHECK: assert {{%[a-zA-Z_0-9]+}}, "mask" : tile<i1>
    assert %m, "mask" : tile<i1>
  }

  // CHECK-LABEL: entry @ptr_attr(
  entry @ptr_attr(%l: tile<i64>) {
    // CHECK: int_to_ptr {{%[a-zA-Z_0-9]+}} : tile<i64> -> tile<ptr<f32, #cuda_tile.ptr_attr<none>>>
    %0 = int_to_ptr %l : tile<i64> -> tile<ptr<f32, #cuda_tile.ptr_attr<none>>>
    // CHECK: make_tensor_view {{%[a-zA-Z_0-9]+}}, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<none>>
    %1 = make_tensor_view %0, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<none>>
  }
}
