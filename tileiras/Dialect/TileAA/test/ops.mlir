// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s
// RUN: tileiras-opt %s -mlir-print-op-generic | tileiras-opt | FileCheck %s

// CHECK: nv_tileaa.func @kernel(%{{.*}}: !nv_tileaa.ptr<f32>, %{{.*}}: i32)
// CHECK-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [2, 1, 1], numCTAs = 2>
// CHECK-SAME: nv_tileaa.occupancy = 2 : i32
nv_tileaa.func @kernel(%p: !nv_tileaa.ptr<f32>, %n: i32) attributes {
    nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [2, 1, 1], numCTAs = 2>,
    nv_tileaa.occupancy = 2 : i32} {
  // CHECK: nv_tileaa.return
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func private @helper(i32) -> i32
nv_tileaa.func private @helper(i32) -> i32

// CHECK-LABEL: @shape
nv_tileaa.func @shape(%f: f32, %i: i32) {
  // CHECK: nv_tileaa.get_program_id
  %x, %y, %z = nv_tileaa.get_program_id
  // CHECK: nv_tileaa.get_num_programs
  %gx, %gy, %gz = nv_tileaa.get_num_programs
  // CHECK: nv_tileaa.splat %{{.*}} : f32 -> tensor<4x8xf32>
  %s = nv_tileaa.splat %f : f32 -> tensor<4x8xf32>
  // CHECK: nv_tileaa.constant_tensor dense<[1, 2, 3, 4]> : tensor<4xi32> : tensor<4xi32, "layout">
  %c = nv_tileaa.constant_tensor dense<[1, 2, 3, 4]> : tensor<4xi32> : tensor<4xi32, "layout">
  // CHECK: nv_tileaa.make_range(2, 6) : tensor<4xi32>
  %r = nv_tileaa.make_range(2, 6) : tensor<4xi32>
  // CHECK: nv_tileaa.view %{{.*}} : tensor<4x8xf32> -> tensor<2x16xf32>
  %v = nv_tileaa.view %s : tensor<4x8xf32> -> tensor<2x16xf32>
  // CHECK: nv_tileaa.expand_dims %{{.*}} {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  %e = nv_tileaa.expand_dims %r {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  // CHECK: nv_tileaa.broadcast %{{.*}} : tensor<4x1xi32> -> tensor<4x8xi32>
  %b = nv_tileaa.broadcast %e : tensor<4x1xi32> -> tensor<4x8xi32>
  // CHECK: nv_tileaa.permute %{{.*}} [1, 0] : tensor<4x8xi32> -> tensor<8x4xi32>
  %p = nv_tileaa.permute %b [1, 0] : tensor<4x8xi32> -> tensor<8x4xi32>
  // CHECK: nv_tileaa.cat %{{.*}}, %{{.*}} {axis = 0 : i32} : tensor<8x4xi32>, tensor<8x4xi32> -> tensor<16x4xi32>
  %k = nv_tileaa.cat %p, %p {axis = 0 : i32} : tensor<8x4xi32>, tensor<8x4xi32> -> tensor<16x4xi32>
  // CHECK: nv_tileaa.extract_slice %{{.*}}[%{{.*}}, %{{.*}}] : tensor<16x4xi32> -> tensor<1x1xi32>
  %o = nv_tileaa.extract_slice %k[%i, %x] : tensor<16x4xi32> -> tensor<1x1xi32>
  // CHECK: nv_tileaa.extract %{{.*}} : tensor<1x1xi32> -> i32
  %q = nv_tileaa.extract %o : tensor<1x1xi32> -> i32
  nv_tileaa.return
}

// CHECK-LABEL: @floats
nv_tileaa.func @floats(%a: f32, %t: tensor<4xf32>, %i: tensor<4xi64>) {
  // CHECK: nv_tileaa.addf %{{.*}}, %{{.*}} {ftz, rounding_mode = #nv_tileaa.rounding_mode<zero>} : tensor<4xf32>
  %0 = nv_tileaa.addf %t, %t {ftz, rounding_mode = #nv_tileaa.rounding_mode<zero>} : tensor<4xf32>
  // CHECK: nv_tileaa.subf %{{.*}}, %{{.*}} : f32
  %1 = nv_tileaa.subf %a, %a : f32
  // CHECK: nv_tileaa.mulf
  %2 = nv_tileaa.mulf %a, %a {rounding_mode = #nv_tileaa.rounding_mode<negative_inf>} : f32
  // CHECK: nv_tileaa.divf {{.*}}<full>
  %3 = nv_tileaa.divf %a, %a {rounding_mode = #nv_tileaa.rounding_mode<full>} : f32
  // CHECK: nv_tileaa.fma %{{.*}}, %{{.*}}, %{{.*}} {rounding_mode = #nv_tileaa.rounding_mode<positive_inf>} : f32
  %4 = nv_tileaa.fma %a, %a, %a {rounding_mode = #nv_tileaa.rounding_mode<positive_inf>} : f32
  // CHECK: nv_tileaa.sqrt {{.*}}<approx>
  %5 = nv_tileaa.sqrt %t {rounding_mode = #nv_tileaa.rounding_mode<approx>} : tensor<4xf32>
  // CHECK: nv_tileaa.rsqrt %{{.*}} {ftz} : f32
  %6 = nv_tileaa.rsqrt %a {ftz} : f32
  // CHECK: nv_tileaa.exp2 %{{.*}} {ftz} : f32
  %7 = nv_tileaa.exp2 %a {ftz} : f32
  // CHECK: nv_tileaa.maxf %{{.*}}, %{{.*}} {ftz, propagate_nan} : f32
  %8 = nv_tileaa.maxf %a, %a {ftz, propagate_nan} : f32
  // CHECK: nv_tileaa.minf %{{.*}}, %{{.*}} {ftz} : f32
  %9 = nv_tileaa.minf %a, %a {ftz} : f32
  // CHECK: nv_tileaa.fp_to_fp %{{.*}} {rounding_mode = #nv_tileaa.rounding_mode<nearest_away>} : f32 -> tf32
  %10 = nv_tileaa.fp_to_fp %a {rounding_mode = #nv_tileaa.rounding_mode<nearest_away>} : f32 -> tf32
  // CHECK: nv_tileaa.mulhiui %{{.*}}, %{{.*}} : tensor<4xi64>
  %11 = nv_tileaa.mulhiui %i, %i : tensor<4xi64>
  nv_tileaa.return
}

// CHECK-LABEL: @pointers
nv_tileaa.func @pointers(%p: !nv_tileaa.ptr<f32>, %i: tensor<4xi32>, %m: tensor<4xi1>, %v: tensor<4xf32>, %c: i1) {
  // CHECK: nv_tileaa.assume #nv_tileaa.div_by<16>, %{{.*}} : !nv_tileaa.ptr<f32>
  %a = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  // CHECK: nv_tileaa.assume #nv_tileaa.div_by<8, every 4 along 0>, %{{.*}} : tensor<4xi32>
  %b = nv_tileaa.assume #nv_tileaa.div_by<8, every 4 along 0>, %i : tensor<4xi32>
  // CHECK: nv_tileaa.assume #nv_tileaa.bounded<lb = -4 ub = 4>, %{{.*}} : tensor<4xi32>
  %d = nv_tileaa.assume #nv_tileaa.bounded<lb = -4 ub = 4>, %i : tensor<4xi32>
  // CHECK: nv_tileaa.assume #nv_tileaa.same_elements<[2]>, %{{.*}} : tensor<4xi32>
  %e = nv_tileaa.assume #nv_tileaa.same_elements<[2]>, %i : tensor<4xi32>
  // CHECK: nv_tileaa.splat
  %s = nv_tileaa.splat %a : !nv_tileaa.ptr<f32> -> tensor<4x!nv_tileaa.ptr<f32>>
  // CHECK: nv_tileaa.addptr %{{.*}}, %{{.*}} : tensor<4x!nv_tileaa.ptr<f32>>, tensor<4xi32>
  %q = nv_tileaa.addptr %s, %i : tensor<4x!nv_tileaa.ptr<f32>>, tensor<4xi32>
  // CHECK: nv_tileaa.create_mem_token
  %t0 = nv_tileaa.create_mem_token
  // CHECK: nv_tileaa.load %{{.*}}, mask %{{.*}}, other %{{.*}}, token %{{.*}} {latency = 2 : i32, mem_scope = #nv_tileaa.mem_scope<cluster>, mem_semantic = #nv_tileaa.mem_semantic<acquire>} : tensor<4x!nv_tileaa.ptr<f32>>, mask tensor<4xi1> -> tensor<4xf32>
  %x, %t1 = nv_tileaa.load %q, mask %m, other %v, token %t0 {latency = 2 : i32, mem_scope = #nv_tileaa.mem_scope<cluster>, mem_semantic = #nv_tileaa.mem_semantic<acquire>} : tensor<4x!nv_tileaa.ptr<f32>>, mask tensor<4xi1> -> tensor<4xf32>
  // CHECK: nv_tileaa.load %{{.*}} : !nv_tileaa.ptr<f32> -> f32
  %y, %t2 = nv_tileaa.load %a : !nv_tileaa.ptr<f32> -> f32
  // CHECK: nv_tileaa.store %{{.*}}, %{{.*}}, mask %{{.*}}, token %{{.*}} : tensor<4x!nv_tileaa.ptr<f32>>, tensor<4xf32>, mask tensor<4xi1>
  %t3 = nv_tileaa.store %q, %x, mask %m, token %t1 : tensor<4x!nv_tileaa.ptr<f32>>, tensor<4xf32>, mask tensor<4xi1>
  // CHECK: nv_tileaa.join_mem_token %{{.*}}, %{{.*}}
  %t4 = nv_tileaa.join_mem_token %t2, %t3
  // CHECK: nv_tileaa.ptr_to_int %{{.*}} : !nv_tileaa.ptr<f32> -> i64
  %l = nv_tileaa.ptr_to_int %a : !nv_tileaa.ptr<f32> -> i64
  // CHECK: nv_tileaa.int_to_ptr %{{.*}} : i64 -> !nv_tileaa.ptr<i8>
  %g = nv_tileaa.int_to_ptr %l : i64 -> !nv_tileaa.ptr<i8>
  // CHECK: nv_tileaa.bitcast %{{.*}} : !nv_tileaa.ptr<i8> -> !nv_tileaa.ptr<f16>
  %h = nv_tileaa.bitcast %g : !nv_tileaa.ptr<i8> -> !nv_tileaa.ptr<f16>
  // CHECK: nv_tileaa.assert %{{.*}}, "text" : i1
  nv_tileaa.assert %c, "text" : i1
  // CHECK: nv_tileaa.print "%d %f", %{{.*}}, %{{.*}} : i64, tensor<4xf32>
  %t5 = nv_tileaa.print "%d %f", %l, %x : i64, tensor<4xf32>
  nv_tileaa.return
}

// CHECK-LABEL: @views
nv_tileaa.func @views(%p: !nv_tileaa.ptr<f16>, %n: i32, %s: i64) {
  // CHECK: %[[M:.*]] = nv_tileaa.make_memref %{{.*}}, sizes[%{{.*}}], strides[%{{.*}}] : {{.*}}(i32), (i64) -> {{.*}}<?x16xf16, strides = [?, 1]>
  %m = nv_tileaa.make_memref %p, sizes[%n], strides[%s] : <f16>, (i32), (i64) -> <?x16xf16, strides = [?, 1]>
  // CHECK: nv_tileaa.make_memref %{{.*}}, sizes[], strides[] {{.*}} -> {{.*}}<f16>
  %m0 = nv_tileaa.make_memref %p, sizes[], strides[] : <f16>, (), () -> <f16>
  // CHECK: %[[V:.*]] = nv_tileaa.block_tile %[[M]] : {{.*}} -> {{.*}}<[16, 4], dim_map = [1, 0], steps = [8, 2], padding = neg_inf, !nv_tileaa.memref<?x16xf16, strides = [?, 1]>>
  %v = nv_tileaa.block_tile %m : <?x16xf16, strides = [?, 1]> -> <[16, 4], dim_map = [1, 0], steps = [8, 2], padding = neg_inf, !nv_tileaa.memref<?x16xf16, strides = [?, 1]>>
  // CHECK: nv_tileaa.get_dim_size %[[M]] {axis = 0 : i32} : !nv_tileaa.memref<?x16xf16, strides = [?, 1]> -> i64
  %d = nv_tileaa.get_dim_size %m {axis = 0 : i32} : !nv_tileaa.memref<?x16xf16, strides = [?, 1]> -> i64
  // CHECK: %[[T:.*]], %[[K:.*]] = nv_tileaa.tiled_load %[[V]][%{{.*}}, %{{.*}}] {allow_tma = false, in_bounds = array<i1: true, false>, latency = 4 : i32} : {{.*}}, (i32, i32) -> tensor<16x4xf16>
  %t, %k = nv_tileaa.tiled_load %v[%n, %n] {allow_tma = false, in_bounds = array<i1: true, false>, latency = 4 : i32} : <[16, 4], dim_map = [1, 0], steps = [8, 2], padding = neg_inf, !nv_tileaa.memref<?x16xf16, strides = [?, 1]>>, (i32, i32) -> tensor<16x4xf16>
  // CHECK: nv_tileaa.tiled_store %[[V]][%{{.*}}, %{{.*}}], %[[T]], token %[[K]] : {{.*}}, (i32, i32), tensor<16x4xf16>
  %k2 = nv_tileaa.tiled_store %v[%n, %n], %t, token %k : <[16, 4], dim_map = [1, 0], steps = [8, 2], padding = neg_inf, !nv_tileaa.memref<?x16xf16, strides = [?, 1]>>, (i32, i32), tensor<16x4xf16>
  nv_tileaa.return
}

// CHECK-LABEL: @aggregates
nv_tileaa.func @aggregates(%t: tensor<4x8xf32>, %i: tensor<4x8xi32>) {
  // CHECK: nv_tileaa.reduce %{{.*}}, %{{.*}} {axis = 1 : i32, identities = [0.000000e+00 : f32, 0 : i32]} : tensor<4x8xf32>, tensor<4x8xi32> -> tensor<4xf32>, tensor<4xi32> {
  %r:2 = nv_tileaa.reduce %t, %i {axis = 1 : i32, identities = [0.0 : f32, 0 : i32]} : tensor<4x8xf32>, tensor<4x8xi32> -> tensor<4xf32>, tensor<4xi32> {
  ^bb0(%e: f32, %a: f32, %ei: i32, %ai: i32):
    %u = arith.addf %e, %a : f32
    %v = arith.addi %ei, %ai : i32
    // CHECK: nv_tileaa.yield %{{.*}}, %{{.*}} : f32, i32
    nv_tileaa.yield %u, %v : f32, i32
  }
  // CHECK: nv_tileaa.scan %{{.*}} {axis = 0 : i32, identities = [1.000000e+00 : f32], reverse} : tensor<4x8xf32> -> tensor<4x8xf32> {
  %s = nv_tileaa.scan %t {axis = 0 : i32, identities = [1.0 : f32], reverse} : tensor<4x8xf32> -> tensor<4x8xf32> {
  ^bb0(%a: f32, %e: f32):
    %u = arith.mulf %e, %a : f32
    nv_tileaa.yield %u : f32
  }
  nv_tileaa.return
}
