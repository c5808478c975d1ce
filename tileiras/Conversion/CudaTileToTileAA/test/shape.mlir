// RUN: tileiras-opt %s -convert-cudatile-to-tileaa=compute-capability=sm_90 -split-input-file | FileCheck %s

cuda_tile.module @kernels {
  // CHECK-LABEL: @constants
  entry @constants() {
    // CHECK-NEXT: arith.constant 1.500000e+00 : f32
    %0 = constant <f32: 1.5> : tile<f32>
    // CHECK-NEXT: arith.constant dense<2> : tensor<4xi32>
    %1 = constant <i32: 2> : tile<4xi32>
    // CHECK-NEXT: arith.constant dense<{{\[}}[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf16>
    %2 = constant <f16: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xf16>
    // CHECK-NEXT: arith.constant true
    %3 = constant <i1: true> : tile<i1>
    // CHECK-NEXT: arith.constant dense<[true, false, true, true]> : tensor<4xi1>
    %4 = constant <i1: [1, 0, 1, 1]> : tile<4xi1>
    // CHECK-NEXT: arith.constant 1.000000e+00 : f8E4M3FN
    %5 = constant <f8E4M3FN: 1.0> : tile<f8E4M3FN>
    // CHECK-NEXT: nv_tileaa.make_range(0, 16) : tensor<16xi8>
    %6 = iota : tile<16xi8>
    return
  }

  // CHECK-LABEL: @shapes
  // CHECK-SAME: (%[[S:.*]]: f32, %[[I:.*]]: i32, %[[P:.*]]: !nv_tileaa.ptr<f16>)
  entry @shapes(%s: tile<f32>, %i: tile<i32>, %p: tile<ptr<f16>>) {
    // CHECK-NEXT: %[[A:.*]] = nv_tileaa.splat %[[S]] : f32 -> tensor<1x1xf32>
    %0 = reshape %s : tile<f32> -> tile<1x1xf32>
    // CHECK-NEXT: %[[B:.*]] = nv_tileaa.broadcast %[[A]] : tensor<1x1xf32> -> tensor<4x8xf32>
    %1 = broadcast %0 : tile<1x1xf32> -> tile<4x8xf32>
    // CHECK-NEXT: nv_tileaa.view %[[B]] : tensor<4x8xf32> -> tensor<2x2x8xf32>
    %2 = reshape %1 : tile<4x8xf32> -> tile<2x2x8xf32>
    // CHECK-NEXT: nv_tileaa.extract %[[A]] : tensor<1x1xf32> -> f32
    %3 = reshape %0 : tile<1x1xf32> -> tile<f32>
    // Nothing to do: the next operation uses the value itself.
    %4 = reshape %1 : tile<4x8xf32> -> tile<4x8xf32>
    %5 = broadcast %4 : tile<4x8xf32> -> tile<4x8xf32>
    // CHECK-NEXT: nv_tileaa.permute %[[B]] [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
    %6 = permute %5 [1, 0] : tile<4x8xf32> -> tile<8x4xf32>
    // CHECK-NEXT: nv_tileaa.cat %[[B]], %[[B]] {axis = 1 : i32} : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x16xf32>
    %7 = cat %1, %1 dim = 1 : tile<4x8xf32>, tile<4x8xf32> -> tile<4x16xf32>
    // CHECK-NEXT: nv_tileaa.extract_slice %[[B]][%[[I]], %[[I]]] : tensor<4x8xf32> -> tensor<2x2xf32>
    %8 = extract %1[%i, %i] : tile<4x8xf32> -> tile<2x2xf32>
    // CHECK-NEXT: %[[P1:.*]] = nv_tileaa.splat %[[P]] : !nv_tileaa.ptr<f16> -> tensor<1x!nv_tileaa.ptr<f16>>
    %9 = reshape %p : tile<ptr<f16>> -> tile<1xptr<f16>>
    // CHECK-NEXT: %[[P8:.*]] = nv_tileaa.broadcast %[[P1]]
    %10 = broadcast %9 : tile<1xptr<f16>> -> tile<8xptr<f16>>
    // CHECK-NEXT: %[[R:.*]] = nv_tileaa.make_range(0, 8) : tensor<8xi32>
    %11 = iota : tile<8xi32>
    // CHECK-NEXT: nv_tileaa.addptr %[[P8]], %[[R]] : tensor<8x!nv_tileaa.ptr<f16>>, tensor<8xi32>
    %12 = offset %10, %11 : tile<8xptr<f16>>, tile<8xi32> -> tile<8xptr<f16>>
    // CHECK-NEXT: %[[L:.*]] = nv_tileaa.ptr_to_int %[[P]] : !nv_tileaa.ptr<f16> -> i64
    %13 = ptr_to_int %p : tile<ptr<f16>> -> tile<i64>
    // CHECK-NEXT: nv_tileaa.int_to_ptr %[[L]] : i64 -> !nv_tileaa.ptr<f32>
    %14 = int_to_ptr %13 : tile<i64> -> tile<ptr<f32>>
    // CHECK-NEXT: nv_tileaa.bitcast %[[P]] : !nv_tileaa.ptr<f16> -> !nv_tileaa.ptr<i8>
    %15 = ptr_to_ptr %p : tile<ptr<f16>> -> tile<ptr<i8>>
    // CHECK-NEXT: nv_tileaa.assume #nv_tileaa.div_by<16>, %[[P]] : !nv_tileaa.ptr<f16>
    %16 = assume div_by<16>, %p : tile<ptr<f16>>
    // CHECK-NEXT: nv_tileaa.assume #nv_tileaa.div_by<4, every 2 along 0>, %[[R]] : tensor<8xi32>
    %17 = assume div_by<4, every 2 along 0>, %11 : tile<8xi32>
    // CHECK-NEXT: nv_tileaa.assume #nv_tileaa.bounded<lb = 0>, %[[I]] : i32
    %18 = assume bounded<0, ?>, %i : tile<i32>
    // CHECK-NEXT: nv_tileaa.assume #nv_tileaa.same_elements<[4]>, %[[R]]
    %19 = assume same_elements<[4]>, %11 : tile<8xi32>
    // CHECK-NEXT: nv_tileaa.get_program_id
    %x, %y, %z = get_tile_block_id : tile<i32>
    // CHECK-NEXT: nv_tileaa.get_num_programs
    %gx, %gy, %gz = get_num_tile_blocks : tile<i32>
    // CHECK-NEXT: nv_tileaa.return
    return
  }

  // The block is selected out of the source repeated over the whole tile.
  // CHECK-LABEL: @insert
  entry @insert(%i: tile<i32>, %j: tile<i32>) {
    // CHECK-NEXT: %[[S:.*]] = arith.constant dense<1>
    %s = constant <i32: 1> : tile<2x8xi32>
    // CHECK-NEXT: %[[D:.*]] = arith.constant dense<0>
    %d = constant <i32: 0> : tile<8x8xi32>
    // CHECK-NEXT: view {{.*}} : tensor<2x8xi32> -> tensor<1x2x1x8xi32>
    // CHECK-NEXT: broadcast {{.*}} -> tensor<4x2x1x8xi32>
    // CHECK-NEXT: %[[W:.*]] = nv_tileaa.view {{.*}} -> tensor<8x8xi32>
    // CHECK-NEXT: %[[R:.*]] = nv_tileaa.make_range(0, 4)
    // CHECK-NEXT: %[[I:.*]] = nv_tileaa.splat %arg0
    // CHECK-NEXT: arith.cmpi eq, %[[R]], %[[I]] : tensor<4xi32>
    // CHECK-NEXT: view {{.*}} -> tensor<4x1x1x1xi1>
    // CHECK-NEXT: broadcast {{.*}} -> tensor<4x2x1x8xi1>
    // CHECK-NEXT: %[[M:.*]] = nv_tileaa.view {{.*}} -> tensor<8x8xi1>
    // CHECK-NEXT: arith.select %[[M]], %[[W]], %[[D]] : tensor<8x8xi1>, tensor<8x8xi32>
    %r = insert %s, %d[%i, %j] : tile<2x8xi32>, tile<8x8xi32>
    return
  }

  // CHECK-LABEL: @aggregates
  entry @aggregates() {
    %m = constant <f32: 1.0> : tile<4x8xf32>
    // CHECK: %[[R:.*]] = nv_tileaa.reduce %[[M:.*]] {axis = 1 : i32, identities = [0.000000e+00 : f32]} : tensor<4x8xf32> -> tensor<4xf32> {
    // CHECK-NEXT: ^bb0(%[[E:.*]]: f32, %[[A:.*]]: f32):
    // CHECK-NEXT: %[[U:.*]] = arith.addf %[[E]], %[[A]] : f32
    // CHECK-NEXT: nv_tileaa.yield %[[U]] : f32
    %0 = reduce %m dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
    (%e: tile<f32>, %acc: tile<f32>) {
      %u = addf %e, %acc : tile<f32>
      yield %u : tile<f32>
    }
    // CHECK: nv_tileaa.reduce %[[R]] {{.*}} : tensor<4xf32> -> f32
    %1 = reduce %0 dim=0 identities=[0xFF800000 : f32] : tile<4xf32> -> tile<f32>
    (%e: tile<f32>, %acc: tile<f32>) {
      %u = maxf %e, %acc : tile<f32>
      yield %u : tile<f32>
    }
    %i = iota : tile<4xi32>
    // CHECK: nv_tileaa.reduce %{{.*}}, %{{.*}} {axis = 0 : i32, identities = [0.000000e+00 : f32, 0 : i32]} : tensor<4xf32>, tensor<4xi32> -> f32, i32 {
    // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: i32, %{{.*}}: i32):
    %2:2 = reduce %0, %i dim=0 identities=[0.0 : f32, 0 : i32] : tile<4xf32>, tile<4xi32> -> tile<f32>, tile<i32>
    (%e: tile<f32>, %acc: tile<f32>, %ei: tile<i32>, %ai: tile<i32>) {
      %c = cmpf greater_than ordered %e, %acc : tile<f32> -> tile<i1>
      %u = select %c, %e, %acc : tile<i1>, tile<f32>
      %v = select %c, %ei, %ai : tile<i1>, tile<i32>
      yield %u, %v : tile<f32>, tile<i32>
    }
    // CHECK: nv_tileaa.scan %[[M]] {axis = 0 : i32, identities = [1.000000e+00 : f32], reverse} : tensor<4x8xf32> -> tensor<4x8xf32> {
    %3 = scan %m dim=0 reverse=true identities=[1.0 : f32] : tile<4x8xf32> -> tile<4x8xf32>
    (%q: tile<f32>, %w: tile<f32>) {
      %u = mulf %q, %w : tile<f32>
      yield %u : tile<f32>
    }
    return
  }

  // f16 stands for bf16 in identities.
  // CHECK-LABEL: @identity_type
  entry @identity_type() {
    %m = constant <bf16: 1.0> : tile<8xbf16>
    // CHECK: nv_tileaa.reduce {{.*}} identities = [5.000000e-01 : bf16]
    %0 = reduce %m dim=0 identities=[0.5 : f16] : tile<8xbf16> -> tile<bf16>
    (%e: tile<bf16>, %acc: tile<bf16>) {
      %u = addf %e, %acc : tile<bf16>
      yield %u : tile<bf16>
    }
    return
  }
}
