// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tileiras-translate --mlir-to-cudatilebc %s -o %t && tileiras-translate --cudatilebc-to-mlir %t | FileCheck %s
//
// Values get the names that the public tools give them, so that texts compare line by line.

// CHECK-LABEL: cuda_tile.module @kernels
cuda_tile.module @kernels {
  // CHECK: entry @names(%arg0: tile<ptr<f32>>, %arg1: tile<i32>) optimization_hints=<default = {occupancy = 2}, sm_90 = {}> {
  entry @names(%p: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<sm_90 = {}, default = {occupancy = 2}> {
    // CHECK: %0 = make_token
    %t = make_token : token
    // CHECK: %assume = assume div_by<16>
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    // CHECK: %assume_0 = assume bounded<0, ?>
    %b = assume bounded<0, ?>, %n : tile<i32>
    // CHECK: %cst_1_f32 = constant <f32: 1.000000e+00>
    %one = constant <f32: 1.0> : tile<2x2xf32>
    // CHECK: %cst_f32 = constant <f32: 5.000000e-01>
    %half = constant <f32: 0.5> : tile<2x2xf32>
    // CHECK: %cst_NaN_f32 = constant
    %nan = constant <f32: 0x7FC00000> : tile<f32>
    // CHECK: %cst_7_i32 = constant
    %seven = constant <i32: 7> : tile<i32>
    // CHECK: %cst_i32 = constant
    %two = constant <i32: [1, 2]> : tile<2xi32>
    // CHECK: %true = constant
    %true = constant <i1: 1> : tile<i1>
    // CHECK: %tview = make_tensor_view %assume, shape = [%assume_0, 4]
    %tv = make_tensor_view %a, shape = [%b, 4], strides = [4, 1] : tile<i32> -> tensor_view<?x4xf32, strides=[4,1]>
    // CHECK: %pview = make_partition_view
    %pv = make_partition_view %tv : partition_view<tile=(2x2), tensor_view<?x4xf32, strides=[4,1]>>
    // CHECK: %1:2 = get_index_space_shape
    %s0, %s1 = get_index_space_shape %pv : partition_view<tile=(2x2), tensor_view<?x4xf32, strides=[4,1]>> -> tile<i32>
    // CHECK: %blockId_x, %blockId_y, %blockId_z = get_tile_block_id
    %x, %y, %z = get_tile_block_id : tile<i32>
    // CHECK: %reshape = reshape
    %r = reshape %seven : tile<i32> -> tile<1xi32>
    // CHECK: %bcast = broadcast
    %c = broadcast %r : tile<1xi32> -> tile<4xi32>
    // CHECK: %for = for %loopIdx in (%cst_7_i32 to %1#0, step %cst_7_i32) : tile<i32> iter_values(%iterArg0 = %cst_1_f32)
    %sum = for %i in (%seven to %s0, step %seven) : tile<i32> iter_values(%acc = %one) -> (tile<2x2xf32>) {
      // CHECK: %tile, %result_token = load_view_tko weak %pview[%loopIdx, %blockId_x] token = %0
      %v, %vt = load_view_tko weak %pv[%i, %x] token = %t
          : partition_view<tile=(2x2), tensor_view<?x4xf32, strides=[4,1]>>, tile<i32> -> tile<2x2xf32>, token
      %w = addf %acc, %v : tile<2x2xf32>
      continue %w : tile<2x2xf32>
    }
    // CHECK: %reduce = reduce %for dim=1
    // CHECK-NEXT: (%reduce_lhs: tile<f32>, %reduce_rhs: tile<f32>)
    %rows = reduce %sum dim=1 identities=[0.0 : f32] : tile<2x2xf32> -> tile<2xf32>
    (%e: tile<f32>, %f: tile<f32>) {
      %g = addf %e, %f : tile<f32>
      yield %g : tile<f32>
    }
    // A loop without results has none to name.
    // CHECK: {{^ *}}for %loopIdx in
    for %i in (%seven to %s0, step %seven) : tile<i32> {
    }
    return
  }
}
