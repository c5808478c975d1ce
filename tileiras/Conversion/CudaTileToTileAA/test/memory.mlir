// RUN: tileiras-opt %s -convert-cudatile-to-tileaa=compute-capability=sm_90 | FileCheck %s
// RUN: tileiras-opt %s -convert-cudatile-to-tileaa=compute-capability=sm_80 | FileCheck %s --check-prefix=SM80

cuda_tile.module @kernels {
  // CHECK-LABEL: @pointers
  // CHECK-SAME: (%[[P:.*]]: !nv_tileaa.ptr<f32>)
  entry @pointers(%p: tile<ptr<f32>>) {
    // CHECK-NEXT: nv_tileaa.load %[[P]] : !nv_tileaa.ptr<f32> -> f32
    %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    // CHECK: %[[Q:.*]] = nv_tileaa.broadcast
    %p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %q = broadcast %p1 : tile<1xptr<f32>> -> tile<8xptr<f32>>
    // CHECK-NEXT: %[[M:.*]] = arith.constant
    %m = constant <i1: true> : tile<8xi1>
    // CHECK-NEXT: %[[Z:.*]] = arith.constant
    %z = constant <f32: 0.0> : tile<8xf32>
    // CHECK-NEXT: %[[V:.*]], %[[T1:.*]] = nv_tileaa.load %[[Q]]{{ ?}}, mask %[[M]], other %[[Z]], token %{{.*}} {latency = 3 : i32, mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acquire>}
    %w, %t1 = load_ptr_tko acquire device %q, %m, %z token=%t optimization_hints=<sm_90 = {latency = 3}, default = {latency = 7}> : tile<8xptr<f32>>, tile<8xi1>, tile<8xf32> -> tile<8xf32>, token
    // CHECK-NEXT: nv_tileaa.store %[[Q]], %[[V]]{{ ?}}, mask %[[M]], token %[[T1]] {mem_scope = #nv_tileaa.mem_scope<sys>, mem_semantic = #nv_tileaa.mem_semantic<release>}
    %t2 = store_ptr_tko release sys %q, %w, %m token=%t1 : tile<8xptr<f32>>, tile<8xf32>, tile<8xi1> -> token
    // CHECK-NEXT: nv_tileaa.store %[[Q]], %[[V]] {mem_scope = #nv_tileaa.mem_scope<tl_blk>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>}
    %t3 = store_ptr_tko relaxed tl_blk %q, %w : tile<8xptr<f32>>, tile<8xf32> -> token
    // CHECK-NEXT: nv_tileaa.join_mem_token
    %t4 = join_tokens %t2, %t3 : token
    // CHECK-NEXT: nv_tileaa.create_mem_token
    %t5 = make_token : token
    return
  }

  // CHECK-LABEL: @views
  // CHECK-SAME: (%[[P:.*]]: !nv_tileaa.ptr<f16>, %[[M:.*]]: i32, %[[K:.*]]: i32, %[[W:.*]]: i16)
  entry @views(%p: tile<ptr<f16>>, %m: tile<i32>, %k: tile<i32>, %w: tile<i16>) {
    // CHECK-NEXT: %[[TV0:.*]] = nv_tileaa.make_memref %[[P]], sizes[%[[M]], %[[K]]], strides[%[[K]]] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
    %tv0 = make_tensor_view %p, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    // A promise on a view is one on its base.
    // CHECK-NEXT: %[[B:.*]] = nv_tileaa.assume #nv_tileaa.div_by<16>, %[[P]] : !nv_tileaa.ptr<f16>
    // CHECK-NEXT: %[[TV:.*]] = nv_tileaa.make_memref %[[B]], sizes[%[[M]], %[[K]]]
    %tv = assume div_by<16>, %tv0 : tensor_view<?x?xf16, strides=[?,1]>
    // CHECK-NEXT: %[[V:.*]] = nv_tileaa.block_tile %[[TV]] : <?x?xf16, strides = [?, 1]> -> <[64, 32], dim_map = [1, 0], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
    %v = make_partition_view %tv : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>, dim_map=[1, 0]>
    // CHECK-NEXT: %[[S:.*]] = nv_tileaa.block_tile %[[TV]] : {{.*}} -> <[8, 4], steps = [3, 5], !nv_tileaa.memref
    %s = make_strided_view %tv : strided_view<tile=(8x4), traversal_strides=[3,5], tensor_view<?x?xf16, strides=[?,1]>>
    // CHECK-NEXT: nv_tileaa.get_dim_size %[[TV]] {axis = 0 : i32} : !nv_tileaa.memref<?x?xf16, strides = [?, 1]> -> i64
    // CHECK-NEXT: nv_tileaa.get_dim_size %[[TV]] {axis = 1 : i32} : {{.*}} -> i64
    %n:2 = get_tensor_shape %tv : tensor_view<?x?xf16, strides=[?,1]> -> tile<i64>
    // CHECK-NEXT: nv_tileaa.get_dim_size %[[V]] {axis = 0 : i32} : !nv_tileaa.tiled_view<{{.*}} -> i32
    // CHECK-NEXT: nv_tileaa.get_dim_size %[[V]] {axis = 1 : i32}
    %i:2 = get_index_space_shape %v : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>, dim_map=[1, 0]> -> tile<i32>
    // CHECK-NEXT: %[[L:.*]], %[[T:.*]] = nv_tileaa.tiled_load %[[V]][%[[M]], %[[K]]] {allow_tma = false, latency = 2 : i32} : {{.*}}, (i32, i32) -> tensor<64x32xf16>
    %l, %t = load_view_tko weak %v[%m, %k] optimization_hints = <default = {latency = 2, allow_tma = false}> : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> tile<64x32xf16>, token
    // CHECK-NEXT: nv_tileaa.tiled_store %[[V]][%[[M]], %[[K]]], %[[L]]{{ ?}}, token %[[T]] {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>}
    %t1 = store_view_tko relaxed device %l, %v[%m, %k] token = %t : tile<64x32xf16>, partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> token
    // CHECK-NEXT: nv_tileaa.tiled_load %[[S]]
    %l2, %t2 = load_view_tko weak %s[%m, %k] : strided_view<tile=(8x4), traversal_strides=[3,5], tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<8x4xf16>, token
    // Narrow extents are widened.
    // CHECK-NEXT: %[[X:.*]] = arith.extui %[[W]] : i16 to i32
    // CHECK-NEXT: nv_tileaa.make_memref %[[P]], sizes[%[[X]]], strides[]
    %tv2 = make_tensor_view %p, shape = [%w], strides = [1] : tile<i16> -> tensor_view<?xf16, strides=[1]>
    return
  }

  // CHECK-LABEL: @people
  entry @people(%c: tile<i1>, %n: tile<i32>) {
    // CHECK-NEXT: nv_tileaa.assert %arg0, "never" : i1
    assert %c, "never" : tile<i1>
    // CHECK-NEXT: %[[T:.*]] = nv_tileaa.print "n = %d", %arg1 : i32
    %t = print_tko "n = %d", %n : tile<i32> -> token
    // CHECK-NEXT: nv_tileaa.print "done"
    %t2 = print_tko "done" token=%t -> token
    return
  }

  // CHECK-LABEL: nv_tileaa.func @hints
  // CHECK-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [2, 1, 1], numCTAs = 2>
  // CHECK-SAME: nv_tileaa.occupancy = 3 : i32
  // SM80-LABEL: nv_tileaa.func @hints
  // SM80-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>
  // SM80-SAME: nv_tileaa.occupancy = 5 : i32
  entry @hints() optimization_hints=<sm_90 = {num_cta_in_cga = 2, num_worker_warps_per_cta = 8, occupancy = 3}, default = {occupancy = 5, num_cta_in_cga = 4}> {
    return
  }
}
