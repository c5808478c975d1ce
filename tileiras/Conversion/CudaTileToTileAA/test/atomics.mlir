// RUN: tileiras-opt %s -convert-cudatile-to-tileaa=compute-capability=sm_90 | FileCheck %s

cuda_tile.module @kernels {
  // CHECK-LABEL: nv_tileaa.func @pointers
  // CHECK-SAME: (%[[P:.*]]: !nv_tileaa.ptr<i32>, %[[V:.*]]: i32, %[[M:.*]]: i1)
  entry @pointers(%p: tile<ptr<i32>>, %v: tile<i32>, %m: tile<i1>) {
    // CHECK: %[[OLD:.*]], %[[T:.*]] = nv_tileaa.atomic_rmw %[[P]], %[[V]] , mask %[[M]] {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<umin>} : !nv_tileaa.ptr<i32>, mask i1 -> i32
    %old, %t = atomic_rmw_tko relaxed device %p, umin, %v, %m : tile<ptr<i32>>, tile<i32>, tile<i1> -> tile<i32>, token
    // CHECK: nv_tileaa.atomic_cas %[[P]], %[[OLD]], %[[V]] , token %[[T]] {mem_scope = #nv_tileaa.mem_scope<sys>, mem_semantic = #nv_tileaa.mem_semantic<acq_rel>} : !nv_tileaa.ptr<i32> -> i32
    %again, %t1 = atomic_cas_tko acq_rel sys %p, %old, %v token=%t : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    return
  }

  // CHECK-LABEL: nv_tileaa.func @views
  entry @views(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %x = constant <f32: 1.0> : tile<4x8xf32>
    %t = make_tensor_view %p, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16,1]>
    %v = make_partition_view %t : partition_view<tile=(4x8), tensor_view<16x16xf32, strides=[16,1]>>
    // CHECK: nv_tileaa.tiled_atomic_rmw %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} {mem_scope = #nv_tileaa.mem_scope<tl_blk>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>}
    %k = atomic_red_view_tko relaxed tl_blk %v[%i, %i], addf, %x : tile<4x8xf32>, partition_view<tile=(4x8), tensor_view<16x16xf32, strides=[16,1]>>, tile<i32> -> token
    return
  }

  // The view is a tiled_view that steps by one along every dimension: indices are elements.
  // CHECK-LABEL: nv_tileaa.func @slices
  entry @slices(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %rows = iota : tile<4xi32>
    %t = make_tensor_view %p, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16,1]>
    // CHECK: nv_tileaa.block_tile %{{.*}} -> <[4, 8], steps = [1, 1], padding = zero,
    %v = make_gather_scatter_view %t : gather_scatter_view<tile=(4x8), padding_value = zero, tensor_view<16x16xf32, strides=[16,1]>, sparse_dim=0>
    // CHECK: %[[X:.*]], %[[T:.*]] = nv_tileaa.gather_load %[[V:.*]][%[[R:.*]], %{{.*}}] {axis = 0 : i32} : <{{.*}}>, (tensor<4xi32>, i32) -> tensor<4x8xf32>
    %x, %k = load_view_tko weak %v[%rows, %i] : gather_scatter_view<tile=(4x8), padding_value = zero, tensor_view<16x16xf32, strides=[16,1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> tile<4x8xf32>, token
    // CHECK: nv_tileaa.scatter_store %[[V]][%[[R]], %{{.*}}], %[[X]], token %[[T]] {axis = 0 : i32}
    %l = store_view_tko weak %x, %v[%rows, %i] token = %k : tile<4x8xf32>, gather_scatter_view<tile=(4x8), padding_value = zero, tensor_view<16x16xf32, strides=[16,1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> token
    return
  }
}
