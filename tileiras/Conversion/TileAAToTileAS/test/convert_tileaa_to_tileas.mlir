// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(nv_tileaa.func(convert-tileaa-to-tileas))' | FileCheck %s

// Every tensor gets the default layout of its shape for the kernel's warps; arithmetic stays arith.
// CHECK-DAG: #[[L:blocked[0-9]*]] = #nv_tileas.blocked<size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [2], order = [0]>
// CHECK-LABEL: nv_tileaa.func @elementwise
nv_tileaa.func @elementwise(%p: !nv_tileaa.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 2, clusterDim = [1, 1, 1], numCTAs = 1>} {
  // CHECK: %[[R:.*]] = nv_tileaa.make_range(0, 128) : tensor<128xi32, #[[L]]>
  %r = nv_tileaa.make_range (0, 128) : tensor<128xi32>
  // CHECK: nv_tileaa.splat %{{.*}} : !nv_tileaa.ptr<f32> -> tensor<128x!nv_tileaa.ptr<f32>, #[[L]]>
  %s = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<128x!nv_tileaa.ptr<f32>>
  %a = nv_tileaa.addptr %s, %r : tensor<128x!nv_tileaa.ptr<f32>>, tensor<128xi32>
  // CHECK: nv_tileas.load %{{.*}} : tensor<128x!nv_tileaa.ptr<f32>, #[[L]]> -> tensor<128xf32, #[[L]]>
  %v, %t = nv_tileaa.load %a : tensor<128x!nv_tileaa.ptr<f32>> -> tensor<128xf32>
  // Constants: a splat becomes nv_tileaa.splat of a scalar, other dense values constant_tensor, scalars stay.
  // CHECK: %[[C:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK: %[[ONE:.*]] = nv_tileaa.splat %[[C]] : f32 -> tensor<128xf32, #[[L]]>
  %one = arith.constant dense<1.0> : tensor<128xf32>
  // CHECK: arith.addf %{{.*}}, %[[ONE]] : tensor<128xf32, #[[L]]>
  %w = arith.addf %v, %one : tensor<128xf32>
  // CHECK: math.exp %{{.*}} : tensor<128xf32, #[[L]]>
  %e = math.exp %w : tensor<128xf32>
  // CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : tensor<128xi32, #[[L]]>
  %i = arith.addi %r, %r overflow<nsw> : tensor<128xi32>
  %c = arith.cmpi slt, %i, %r : tensor<128xi32>
  // CHECK: nv_tileas.store %{{.*}}, %{{.*}}, mask %{{.*}} : tensor<128x!nv_tileaa.ptr<f32>, #[[L]]>, tensor<128xf32, #[[L]]>, mask tensor<128xi1, #[[L]]>
  %t2 = nv_tileaa.store %a, %e, mask %c : tensor<128x!nv_tileaa.ptr<f32>>, tensor<128xf32>, mask tensor<128xi1>
  nv_tileaa.return
}

// -----

// CHECK-LABEL: nv_tileaa.func @constants
nv_tileaa.func @constants() {
  // CHECK: nv_tileaa.constant_tensor dense<[1, 2, 3, 4]> : tensor<4xi32> : tensor<4xi32, #{{.*}}>
  %c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  // CHECK: arith.constant 7 : i64
  %s = arith.constant 7 : i64
  %d = arith.addi %c, %c : tensor<4xi32>
  nv_tileaa.return
}

// -----

// Shape operations compute in the layout that costs nothing, and convert to the default beside it.
// CHECK-DAG: #[[ROW:blocked[0-9]*]] = #nv_tileas.blocked<size_per_thread = [1, 1], threads_per_warp = [1, 32], warps_per_cta = [{{.*}}], order = [1, 0]>
// CHECK-LABEL: nv_tileaa.func @shapes
nv_tileaa.func @shapes() {
  %z = arith.constant dense<0.0> : tensor<8x64xf32>
  // CHECK: %[[P:.*]] = nv_tileaa.permute %{{.*}} [1, 0] : tensor<8x64xf32, #[[ROW]]> -> tensor<64x8xf32, #[[PL:linear[0-9]*]]>
  // CHECK: nv_tileas.convert_layout %[[P]] : tensor<64x8xf32, #[[PL]]> -> tensor<64x8xf32, #blocked{{[0-9]*}}>
  %p = nv_tileaa.permute %z [1, 0] : tensor<8x64xf32> -> tensor<64x8xf32>
  // CHECK: %[[R:.*]] = nv_tileas.reduce %{{.*}} {axis = 1 : i32
  // CHECK: nv_tileas.yield
  // CHECK: nv_tileas.convert_layout %[[R]] : tensor<8xf32, #{{.*}}> -> tensor<8xf32, #{{.*}}>
  %r = nv_tileaa.reduce %z {axis = 1 : i32, identities = [0.0 : f32]} : tensor<8x64xf32> -> tensor<8xf32> {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    nv_tileaa.yield %s : f32
  }
  // CHECK: nv_tileas.view
  %v = nv_tileaa.view %r : tensor<8xf32> -> tensor<8x1xf32>
  // CHECK: nv_tileas.convert_layout %{{.*}} : tensor<8x1xf32, #blocked{{[0-9]*}}> -> tensor<8x1xf32, #[[COL:linear[0-9]*]]>
  // CHECK: nv_tileaa.broadcast %{{.*}} : tensor<8x1xf32, #[[COL]]> -> tensor<8x64xf32, #[[ROW]]>
  %b = nv_tileaa.broadcast %v : tensor<8x1xf32> -> tensor<8x64xf32>
  nv_tileaa.return
}

// -----

// Loop-carried tensors are converted together with their loop.
// CHECK-LABEL: nv_tileaa.func @loop
nv_tileaa.func @loop(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant dense<0.0> : tensor<256xf32>
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<256xf32, #blocked{{[0-9]*}}>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (tensor<256xf32>) : i32 {
    %s = arith.mulf %a, %a : tensor<256xf32>
    scf.yield %s : tensor<256xf32>
  }
  nv_tileaa.return
}
